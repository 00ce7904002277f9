"""Verifies seals: each follows from the one before, is signed by the key it names, and is still the root of what it covers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from sqlalchemy import Connection, text

from ...workflow.columns.instant import instant_text as instant
from ..engines import sql_of
from ..finding import Finding
from ..ledger.seals import seals
from ..ledger.seals.merkle import Tree
from ..ledger.seals.seal import FIRST, Seal
from ..ledger.seals.signing import holds

TABLES = ("interlock_ledger", "interlock_verdict")
WORDS = {"interlock_ledger": "entries", "interlock_verdict": "verdicts"}


@dataclass(frozen=True, slots=True)
class Contents:
    """What a seal covers now: how many rows of each table, and what is wrong with them."""

    counted: dict[str, float]
    problems: list[str]


def verify_seals(tx: Connection, trusted: Sequence[Seal] = ()) -> tuple[int, list[Finding]]:
    """How many seals there are, and what is wrong with them; `trusted` are copies that were kept elsewhere."""
    every = list(seals.every(tx))
    return len(every), judged(tx, every, (contents(tx, one) for one in every), trusted)


def judged(
    tx: Connection, every: Sequence[Seal], covered: Iterable[Contents], trusted: Sequence[Seal]
) -> list[Finding]:
    """What is wrong with these seals, of which somebody has looked up what they cover."""
    findings: list[Finding] = []
    counted: dict[str, float] = dict.fromkeys(TABLES, 0)
    last, known = None, {one.number: one for one in trusted}
    for one, inside in zip(every, covered, strict=True):
        problems = [*headed(one, last), *unlike(one, known.pop(one.number, None)), *inside.problems]
        findings += [located(one.number, problem) for problem in problems]
        counted = {table: counted[table] + inside.counted[table] for table in TABLES}
        last = one
    findings += lost(known.values(), _end(tx))
    if last is not None:
        findings += outside(tx, last, counted)
    return findings


def compared(every: Sequence[Seal], trusted: Sequence[Seal]) -> list[Finding]:
    """What copies that were kept elsewhere say against these seals, without a look at what they cover."""
    known = {one.number: one for one in trusted}
    changed = [
        located(one.number, problem) for one in every for problem in unlike(one, known.pop(one.number, None))
    ]
    return changed + lost(known.values(), None)


def lost(kept: Iterable[Seal], end: int | None) -> list[Finding]:
    """Seals that this database does not have any more; `end` is the last position of its ledger, where that is known."""
    findings = []
    for one in sorted(kept, key=lambda one: one.number):
        reach = f"; it covers entries up to position {one.to_entry:,}"
        cut = "" if end is None or end >= one.to_entry else f", and the ledger ends at {end:,}"
        problem = "it was kept elsewhere, but is not in this database: an older state was restored, or the tail was cut"
        findings.append(located(one.number, problem + reach + cut))
    return findings


def _end(tx: Connection) -> int:
    return int(tx.execute(text("SELECT coalesce(max(position), 0) FROM interlock_ledger")).scalar_one())


def located(number: int, problem: str) -> Finding:
    return Finding("I9", "seal", str(number), "", "", None, problem)


def headed(one: Seal, last: Seal | None) -> Iterator[str]:
    """What the seal says of itself."""
    expected = 1 if last is None else last.number + 1
    if one.number != expected:
        yield f"seal {expected} is missing before it"
    elif one.previous != (FIRST if last is None else last.hash):
        yield "it does not follow from the seal before it"
    if one.hash != one.expected_hash():
        yield "its hash does not follow from its text"
    if one.public_key is None:
        if one.signature is not None:
            yield "it has a signature, but names no key"
    elif one.signature is None:
        yield "its signature is missing"
    elif not holds(one.public_key, one.hash, one.signature):
        yield f"its signature is not that of the key {one.public_key.hex()}"


def unlike(one: Seal, kept: Seal | None) -> Iterator[str]:
    """The copy that was kept elsewhere is the same seal."""
    if kept is not None and kept.hash != one.hash:
        place = f"entries {kept.from_entry + 1:,} to {kept.to_entry:,}, sealed at {instant(kept.at)}"
        yield (
            f"it is not the seal that was kept elsewhere ({kept.hash.hex()[:16]}…): history was written anew; "
            f"the kept one covers {place}"
        )


def contents(tx: Connection, one: Seal) -> Contents:
    """Whether what the seal covers is what was sealed."""
    tree, problems, counted = Tree(), list[str](), dict[str, float]()
    for table, sealed in zip(TABLES, (one.entries, one.verdicts), strict=True):
        try:
            counted[table] = there = seals.grow(tx, tree, table, one.reach)[1]
        except (
            TypeError,
            AttributeError,
            UnicodeEncodeError,
        ):  # SQLite keeps whatever somebody puts into a column
            problems.append(f"its {WORDS[table]} hold values that cannot be theirs")
            return Contents(dict.fromkeys(TABLES, inf), problems)  # nobody can tell how many are outside
        if there != sealed:
            problems.append(
                f"{sealed - there:,} of its {sealed:,} {WORDS[table]} are missing"
                if there < sealed
                else f"it covers {there - sealed:,} {WORDS[table]} more than the {sealed:,} that were sealed"
            )
    if not problems and tree.root() != one.root:
        problems.append(
            "what it covers is not what was sealed: an entry or a verdict was changed, exchanged or moved"
        )
    elif not problems and one.logins is not None and one.logins != hash_logins(tx, one):
        problems.append("the logins of what it covers are not those that were sealed")
    return Contents(counted, problems)


def hash_logins(tx: Connection, one: Seal) -> bytes | None:
    return sql_of(tx.dialect).history.hash_logins(tx, one.reach)


def outside(tx: Connection, last: Seal, counted: dict[str, float]) -> Iterator[Finding]:
    """Whatever is not behind the last seal is in one of the seals."""
    for table in TABLES:
        inside = int(
            tx.execute(
                text(f"SELECT count(*) FROM {table} WHERE NOT {seals.behind(tx, table, last)}")
            ).scalar_one()
        )
        if inside > counted[table]:
            yield located(
                last.number,
                f"{inside - counted[table]:,} {WORDS[table]} are in no seal, though they stand before its end",
            )
