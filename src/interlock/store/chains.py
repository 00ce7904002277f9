"""The walk along the chains, one entry at a time: what is in order costs little, what is not is told in full."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from json.encoder import encode_basestring as quoted
from typing import Any

from ..errors import spoken
from .entry import GENESIS
from .finding import Finding
from .guarded import CLOSING
from .known_machines import Known
from .streaming import Quoted

# The columns of a row, as `verify` asks for them.
(KIND, ID, AXIS, SCOPE, VERSION, OLD, NEW, AT, ACTOR, ROLE, CAUSE, ORIGIN, MACHINE, TOKEN, DETAIL, HASH, SALT, REASON, FACTS) = range(19)
Row = tuple[Any, ...]


def entry_text(row: Row, words: Quoted) -> str:
    """The canonical text of an entry; states, actors and the like come again and again, and are quoted once."""
    kind, record_id, axis, scope, version, old, new, at, actor, role, cause, origin, machine, token, detail = row[:15]
    digest = "null" if detail is None else f'"{detail.hex()}"'
    mark = "null" if token is None else quoted(token)
    return (f'{{"actor":{words[actor]},"at":{quoted(at)},"axis":{words[axis]},"cause":{words[cause]},"detail":{digest},'
            f'"from":{words[old]},"id":{quoted(record_id)},"kind":{words[kind]},"machine":{words[machine]},"origin":{words[origin]},'
            f'"role":{words[role]},"scope":{words[scope]},"to":{words[new]},"token":{mark},"version":{version}}}')


def detail_fits(row: Row) -> bool:
    """The reason and facts are those that were hashed."""
    reason = "null" if row[REASON] is None else quoted(row[REASON])
    return bool(sha256(row[SALT] + f"[{quoted(row[FACTS])},{reason}]".encode()).digest() == row[DETAIL])


class Walk:
    """Goes over the entries in the order of their chains and remembers only the one before."""

    def __init__(self, known: Known, gone: set[tuple[str, str]], findings: list[Finding]) -> None:
        self.known, self.gone, self.findings = known, gone, findings
        self.entries = self.records = 0
        self.before: Row | None = None
        self.words = Quoted()
        self.judged: dict[tuple[Any, ...], str | None] = {}

    def take(self, rows: list[Row]) -> None:
        """The next entries."""
        before, words = self.before, self.words
        self.entries += len(rows)
        for row in rows:
            if before is None or row[:4] != before[:4]:
                before = None
                self.records += 1
            try:
                previous = GENESIS if before is None else before[HASH]
                sound = sha256(previous + entry_text(row, words).encode()).digest() == row[HASH]
                sound = sound and self.follows(row, before) and (row[DETAIL] is None or (row[SALT] is not None and detail_fits(row)))
            except (TypeError, AttributeError, UnicodeEncodeError):  # SQLite keeps whatever somebody puts into a column
                self.find(row, "I9", "it holds values that no entry can hold")
            else:
                if not sound:
                    for invariant, problem in self.problems(row, before):
                        self.find(row, invariant, problem)
            before = row
        self.before = before

    def find(self, row: Row, invariant: str, problem: str) -> None:
        self.findings.append(Finding(invariant, str(row[KIND]), str(row[ID]), str(row[AXIS]), str(row[SCOPE]), row[VERSION], problem))

    def follows(self, row: Row, before: Row | None) -> bool:
        """Version, origin state and machine allow this entry here."""
        if before is None:
            return row[VERSION] == 0 and next(self.legality(row, before), None) is None
        edge = (row[KIND], row[AXIS], row[MACHINE], row[ORIGIN], row[OLD], row[NEW])
        if edge not in self.judged:
            self.judged[edge] = self.judge(row)
        return bool(row[VERSION] == before[VERSION] + 1 and before[NEW] == row[OLD] and before[ORIGIN] not in CLOSING
                    and self.judged[edge] is None)

    def problems(self, row: Row, before: Row | None) -> Iterator[tuple[str, str]]:
        """Everything that is wrong with one entry."""
        expected = 0 if before is None else before[VERSION] + 1
        if before is not None and row[VERSION] == before[VERSION]:
            yield "I1", "history forks here: this version stands twice"
        elif row[VERSION] != expected:
            yield "I1", f"version {expected} is missing"
        previous = GENESIS if before is None else before[HASH]
        if sha256(previous + entry_text(row, self.words).encode()).digest() != row[HASH]:
            yield "I9", "its hash does not follow from its text and the entry before it"
        if before is not None and before[ORIGIN] in CLOSING:
            yield "I1", "the record was closed before this entry"
        yield from self.legality(row, before)
        yield from self.detail(row)

    def legality(self, row: Row, before: Row | None) -> Iterator[tuple[str, str]]:
        known = self.known.get((row[KIND], row[AXIS], row[MACHINE]))
        if known is None:
            yield "I1", f"it names a machine {row[MACHINE]} that this database does not know"
        elif before is None:
            if row[VERSION] == 0 and row[ORIGIN] != "backfill" and (row[OLD] is not None or row[NEW] != known.initial):
                yield "I1", f"a record begins in {spoken(known.initial)}, not in {spoken(row[NEW])}"
        elif before[NEW] != row[OLD]:
            yield "I1", f"it leaves {spoken(row[OLD])}, but the entry before it went to {spoken(before[NEW])}"
        elif (problem := self.judge(row)) is not None:
            yield "I1", problem

    def judge(self, row: Row) -> str | None:
        """What the machine that the entry names says against its move."""
        known = self.known.get((row[KIND], row[AXIS], row[MACHINE]))
        if known is None:
            return f"it names a machine {row[MACHINE]} that this database does not know"
        if row[ORIGIN] == "migration":  # a plan needs no edge, but leads nowhere that the machine does not have
            return None if row[NEW] in known.states else f"machine {known.name} has no state {spoken(row[NEW])}"
        if row[ORIGIN] in CLOSING or row[OLD] == row[NEW] or known.edge(row[OLD], row[NEW]) is not None:
            return None
        if row[ORIGIN] == "migration" and row[NEW] in known.states and self.was_a_state(row):
            return None
        return f"{spoken(row[OLD])} → {spoken(row[NEW])} is not a move of machine {known.name}"

    def was_a_state(self, row: Row) -> bool:
        """A plan leads out of a state that some version of the machine had."""
        return any(row[OLD] in one.states for key, one in self.known.items() if key[:2] == (row[KIND], row[AXIS]))

    def detail(self, row: Row) -> Iterator[tuple[str, str]]:
        if row[DETAIL] is None:
            return
        if row[SALT] is None:
            if (row[KIND], row[ID]) not in self.gone:
                yield "I9", "its detail is missing, and the record was not erased"
        elif not detail_fits(row):
            yield "I9", "its reason or facts are not those that were hashed"
