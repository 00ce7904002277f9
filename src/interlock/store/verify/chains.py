"""The walk along the chains, one entry at a time: what is in order costs little, what is not is told in full."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from json.encoder import encode_basestring as quoted
from typing import Any, NamedTuple

from ...errors import state_text
from ...machine import State
from ..entry import GENESIS
from ..finding import Finding
from ..guarded import CLOSING, LEGACY
from ..records.known_machines import Known

# The columns of a row, as `verify` asks for them; the first ten are its shape, which comes again and again.
(
    KIND,
    AXIS,
    SCOPE,
    OLD,
    NEW,
    ACTOR,
    ROLE,
    CAUSE,
    ORIGIN,
    MACHINE,
    ID,
    VERSION,
    AT,
    TOKEN,
    DETAIL,
    HASH,
    SALT,
    REASON,
    FACTS,
) = range(19)
SHAPE = slice(0, 10)
REMEMBERED = 10_000
Row = tuple[Any, ...]


class Shape(NamedTuple):
    """What entries that differ only in record, version, time and detail have in common: their text in pieces, and what is wrong with it."""

    before_at: str
    before_detail: str
    before_id: str
    before_token: str
    problem: str | None
    begins: bool


class Shapes(dict[Row, Shape]):
    """Shapes by their columns; each is worked out once for all entries alike, and the memory of them is bounded."""

    def __init__(self, known: Known) -> None:
        super().__init__()
        self.known = known

    def __missing__(self, columns: Row) -> Shape:
        if len(self) >= REMEMBERED:
            self.clear()
        found = self[columns] = shape_of(columns, self.known)
        return found


def shape_of(row: Row, known: Known) -> Shape:
    kind, axis, scope, old, new, actor, role, cause, origin, machine = (
        "null" if value is None else quoted(value) for value in row[SHAPE]
    )
    return Shape(
        f'{{"actor":{actor},"at":',
        f',"axis":{axis},"cause":{cause},"detail":',
        f',"from":{old},"id":',
        f',"kind":{kind},"machine":{machine},"origin":{origin},"role":{role},"scope":{scope},"to":{new},"token":',
        illegal(row, known),
        not any(beginning(row, known)),
    )


def illegal(row: Row, known: Known) -> str | None:
    """What the machine that the entry names says against its move."""
    machine = known.get((row[KIND], row[AXIS], row[MACHINE]))
    if machine is None:
        return f"it names a machine {row[MACHINE]} that this database does not know"
    if row[ORIGIN] == "migration":  # a plan needs no edge, but leads nowhere that the machine does not have
        if row[NEW] not in machine.states:
            return f"machine {machine.name} has no state {state_text(row[NEW])}"
        return unplanned(row, known, row[OLD])
    if row[ORIGIN] == LEGACY:  # any value to any value, while the table was being adopted
        return None
    if row[ORIGIN] in CLOSING or row[OLD] == row[NEW] or machine.edge(row[OLD], row[NEW]) is not None:
        return None
    return f"{state_text(row[OLD])} → {state_text(row[NEW])} is not a move of machine {machine.name}"


def unplanned(row: Row, known: Known, old: State) -> str | None:
    """What is wrong with an entry that names a plan: there is none, or it does not have this move."""
    allowed = known.plans.get((row[KIND], row[AXIS], row[ORIGIN], row[CAUSE]))
    if allowed is None:
        return f"it has the origin {row[ORIGIN]} and names no plan that this database has"
    return (
        None if (old, row[NEW]) in allowed else f"its plan does not lead to {state_text(row[NEW])} from there"
    )


def entry_hash(previous: bytes, shape: Shape, row: Row) -> bytes:
    """The hash of an entry's canonical text, bound to the entry before it."""
    before_at, before_detail, before_id, before_token, _, _ = shape
    record_id, version, at, token, detail = row[10:15]
    digest = "null" if detail is None else f'"{detail.hex()}"'
    mark = "null" if token is None else quoted(token)
    text = f'{before_at}{quoted(at)}{before_detail}{digest}{before_id}{quoted(record_id)}{before_token}{mark},"version":{version}}}'
    return sha256(previous + text.encode()).digest()


def detail_fits(row: Row) -> bool:
    """The reason and facts are those that were hashed."""
    return detail_holds(row[DETAIL], row[SALT], row[REASON], row[FACTS])


def detail_holds(digest: bytes, salt: bytes, reason: str | None, facts: str) -> bool:
    said = "null" if reason is None else quoted(reason)
    return bool(sha256(salt + f"[{quoted(facts)},{said}]".encode()).digest() == digest)


def beginning(row: Row, known: Known) -> Iterator[tuple[str, str]]:
    """A first entry begins where its machine begins, unless the record was there before Interlock."""
    machine = known.get((row[KIND], row[AXIS], row[MACHINE]))
    if machine is None:
        yield "I1", f"it names a machine {row[MACHINE]} that this database does not know"
    elif row[ORIGIN] == "backfill":
        if row[NEW] not in machine.states:
            yield "I1", f"machine {machine.name} has no state {state_text(row[NEW])}"
        elif (problem := unplanned(row, known, None)) is not None:
            yield "I1", problem
    elif row[OLD] is not None or row[NEW] != machine.initial:
        yield "I1", f"a record begins in {state_text(machine.initial)}, not in {state_text(row[NEW])}"


class Walk:
    """Goes over the entries in the order of their chains and remembers only the one before."""

    def __init__(self, known: Known, gone: set[tuple[str, str]], findings: list[Finding]) -> None:
        self.known, self.gone, self.findings = known, gone, findings
        self.entries = self.records = 0
        self.before: Row | None = None
        self.shapes = Shapes(known)

    def take(self, rows: list[Row]) -> None:
        """The next entries."""
        before = self.before
        self.entries += len(rows)
        for row in rows:
            if before is None or row[ID] != before[ID] or row[:3] != before[:3]:
                before = None
                self.records += 1
            try:
                sound = self.sound(row, before)
            except (
                TypeError,
                AttributeError,
                UnicodeEncodeError,
            ):  # SQLite keeps whatever somebody puts into a column
                self.find(row, "I9", "it holds values that no entry can hold")
            else:
                if not sound:
                    for invariant, problem in self.problems(row, before):
                        self.find(row, invariant, problem)
            before = row
        self.before = before

    def find(self, row: Row, invariant: str, problem: str) -> None:
        self.findings.append(
            Finding(
                invariant,
                str(row[KIND]),
                str(row[ID]),
                str(row[AXIS]),
                str(row[SCOPE]),
                row[VERSION],
                problem,
            )
        )

    def sound(self, row: Row, before: Row | None) -> bool:
        """Whether there is nothing to say about this entry; the usual case, asked in the cheapest way."""
        shape = self.shapes[row[SHAPE]]
        _, version, _, _, detail, hash_, salt, _, _ = row[10:]
        if before is None:
            fits = version == 0 and shape.begins and entry_hash(GENESIS, shape, row) == hash_
        else:
            follows = (
                shape.problem is None
                and version == before[VERSION] + 1
                and before[NEW] == row[OLD]
                and before[ORIGIN] not in CLOSING
            )
            fits = follows and entry_hash(before[HASH], shape, row) == hash_
        return fits and (detail is None or (salt is not None and detail_fits(row)))

    def problems(self, row: Row, before: Row | None) -> Iterator[tuple[str, str]]:
        """Everything that is wrong with one entry."""
        expected = 0 if before is None else before[VERSION] + 1
        if before is not None and row[VERSION] == before[VERSION]:
            yield "I1", "history forks here: this version stands twice"
        elif row[VERSION] != expected:
            yield "I1", f"version {expected} is missing"
        if entry_hash(GENESIS if before is None else before[HASH], self.shapes[row[SHAPE]], row) != row[HASH]:
            yield "I9", "its hash does not follow from its text and the entry before it"
        if before is None:
            yield from beginning(row, self.known) if row[VERSION] == 0 else ()
        else:
            yield from self.following(row, before)
        yield from self.detail(row)

    def following(self, row: Row, before: Row) -> Iterator[tuple[str, str]]:
        if before[ORIGIN] in CLOSING:
            yield "I1", "the record was closed before this entry"
        if before[NEW] != row[OLD]:
            yield (
                "I1",
                f"it leaves {state_text(row[OLD])}, but the entry before it went to {state_text(before[NEW])}",
            )
        elif (problem := self.shapes[row[SHAPE]].problem) is not None:
            yield "I1", problem

    def detail(self, row: Row) -> Iterator[tuple[str, str]]:
        if row[DETAIL] is None:
            return
        if row[SALT] is None:
            if (row[KIND], row[ID]) not in self.gone:
                yield "I9", "its detail is missing, and the record was not erased"
        elif not detail_fits(row):
            yield "I9", "its reason or facts are not those that were hashed"
