"""Verifies history: every chain from its first entry to its last, each entry judged by the machine it names, each row by its tail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, text

from ..errors import spoken
from ..machine import Machine
from .entry import GENESIS, chain, detail_digest, entry_text
from .guarded import CLOSING
from .placement import Placement
from .tables import detail as details
from .tables import ledger, machine

_KEY = ("kind", "record_id", "axis", "scope")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and where."""

    invariant: str
    kind: str
    id: str
    axis: str
    scope: str
    version: int | None
    problem: str

    def __str__(self) -> str:
        scope = f"[{self.scope}]" if self.scope else ""
        version = "" if self.version is None else f" version {self.version}"
        return f"{self.invariant} {self.kind} {self.id} {self.axis}{scope}{version}: {self.problem}"


@dataclass
class Report:
    """What a verification looked at, and what it found."""

    entries: int
    records: int
    findings: list[Finding]

    @property
    def ok(self) -> bool:
        return not self.findings


def machines(tx: Connection) -> dict[tuple[str, str, str], Machine]:
    """Every machine version this database has known, by (kind, axis, short fingerprint)."""
    rows = tx.execute(select(machine.c.kind, machine.c.axis, machine.c.fingerprint, machine.c.definition))
    return {(row.kind, row.axis, row.fingerprint[:16]): Machine.from_definition(json.loads(row.definition)) for row in rows}


def verify_chains(tx: Connection, kind: str | None = None, record_id: str | None = None) -> Report:
    """Walk every chain, or one record's; memory stays flat however long the ledger is."""
    asked = select(ledger, details.c.salt, details.c.reason, details.c.facts).select_from(
        ledger.outerjoin(details, details.c.digest == ledger.c.detail))
    if kind is not None:
        asked = asked.where(ledger.c.kind == kind)
    if record_id is not None:
        asked = asked.where(ledger.c.record_id == record_id)
    ordered = asked.order_by(ledger.c.record_id, ledger.c.kind, ledger.c.axis, ledger.c.scope, ledger.c.version)
    walk = Walk(machines(tx), erased(tx, kind, record_id))
    for row in tx.execution_options(stream_results=True, yield_per=2000).execute(ordered).mappings():
        walk.step(row)
    return Report(walk.entries, walk.records, walk.findings)


def erased(tx: Connection, kind: str | None, record_id: str | None) -> set[tuple[str, str]]:
    """Records whose personal detail was erased: its absence is no finding."""
    asked = select(ledger.c.kind, ledger.c.record_id).where(ledger.c.origin == "erase")
    if kind is not None:
        asked = asked.where(ledger.c.kind == kind)
    if record_id is not None:
        asked = asked.where(ledger.c.record_id == record_id)
    return {(row.kind, row.record_id) for row in tx.execute(asked)}


class Walk:
    """The state of a walk along the chains, one entry at a time."""

    def __init__(self, known: dict[tuple[str, str, str], Machine], gone: set[tuple[str, str]]) -> None:
        self.known, self.gone = known, gone
        self.entries = self.records = 0
        self.findings: list[Finding] = []
        self.key: tuple[Any, ...] | None = None
        self.before: Any = None

    def step(self, row: Any) -> None:
        self.entries += 1
        key = tuple(row[name] for name in _KEY)
        if key != self.key:
            self.key, self.before = key, None
            self.records += 1
        for invariant, problem in self.problems(row):
            self.findings.append(Finding(invariant, row["kind"], row["record_id"], row["axis"], row["scope"], row["version"], problem))
        self.before = row

    def problems(self, row: Any) -> Iterator[tuple[str, str]]:
        before = self.before
        expected = 0 if before is None else before["version"] + 1
        if row["version"] != expected:
            yield "I1", f"version {expected} is missing"
        previous = GENESIS if before is None else bytes(before["hash"])
        if chain(previous, entry_text(row)) != bytes(row["hash"]):
            yield "I9", "its hash does not follow from its text and the entry before it"
        if before is not None and before["origin"] in CLOSING:
            yield "I1", "the record was closed before this entry"
        yield from self.legality(row, before)
        yield from self.detail(row)

    def legality(self, row: Any, before: Any) -> Iterator[tuple[str, str]]:
        old, new = row["from_state"], row["to_state"]
        known = self.known.get((row["kind"], row["axis"], row["machine"]))
        if known is None:
            yield "I1", f"it names a machine {row['machine']} that this database does not know"
            return
        if before is None:
            if row["version"] == 0 and row["origin"] != "backfill" and (old is not None or new != known.initial):
                yield "I1", f"a record begins in {spoken(known.initial)}, not in {spoken(new)}"
        elif before["to_state"] != old:
            yield "I1", f"it leaves {spoken(old)}, but the entry before it went to {spoken(before['to_state'])}"
        elif row["origin"] not in CLOSING and old != new and known.edge(old, new) is None:
            yield "I1", f"{spoken(old)} → {spoken(new)} is not a move of machine {known.name}"

    def detail(self, row: Any) -> Iterator[tuple[str, str]]:
        if row["detail"] is None:
            return
        if row["salt"] is None:
            if (row["kind"], row["record_id"]) not in self.gone:
                yield "I9", "its detail is missing, and the record was not erased"
        elif detail_digest(bytes(row["salt"]), row["reason"], row["facts"]) != bytes(row["detail"]):
            yield "I9", "its reason or facts are not those that were hashed"


def verify_rows(tx: Connection, place: Placement, record_id: str | None = None) -> list[Finding]:
    """Status, version and head of every row equal the tail of its history, and every open history has its row."""
    scope = f"CAST(r.{place.scope_sql} AS text)" if place.scope_sql else "''"
    same = "IS" if place.dialect.name == "sqlite" else "IS NOT DISTINCT FROM"
    # SQLite has no hash join: compared as text alone, every entry would read the whole table.
    keyed = f"r.{place.key_sql} = CAST({{}} AS {place.key_type}) AND " if place.dialect.name == "sqlite" else ""
    one = f" AND {keyed.format(':id')}CAST(r.{place.key_sql} AS text) = :id" if record_id is not None else ""
    history = f"record_id = CAST(r.{place.key_sql} AS text) AND kind = :kind AND axis = :axis AND scope = {scope}"
    rows = (f"SELECT CAST(r.{place.key_sql} AS text) AS id, {scope} AS scope, r.{place.version_sql} AS version FROM {place.table_sql} r "
            f"WHERE r.{place.version_sql} IS NOT NULL{one} AND NOT coalesce((SELECT to_state {same} r.{place.status_sql} "
            f"AND hash = r.{place.head_sql} FROM interlock_ledger WHERE {history} AND version = r.{place.version_sql}) "
            f"AND r.{place.version_sql} = (SELECT max(version) FROM interlock_ledger WHERE {history}), false)")
    found = f"SELECT 1 FROM {place.table_sql} r WHERE {keyed.format('l.record_id')}CAST(r.{place.key_sql} AS text) = l.record_id"
    found += f" AND {scope} = l.scope" if place.scope_sql else ""
    own = " AND l.record_id = :id" if record_id is not None else ""
    closed = ", ".join(f"'{origin}'" for origin in CLOSING)
    orphans = (f"SELECT l.record_id AS id, l.scope AS scope, max(l.version) AS version FROM interlock_ledger l WHERE l.kind = :kind "
               f"AND l.axis = :axis{own} AND NOT EXISTS ({found}) GROUP BY l.record_id, l.scope "
               f"HAVING sum(CASE WHEN l.origin IN ({closed}) THEN 1 ELSE 0 END) = 0")
    values = {"kind": place.kind, "axis": place.name, **({"id": record_id} if record_id is not None else {})}
    return [Finding("I2", place.kind, row.id, place.name, row.scope, row.version, problem)
            for sql, problem in ((rows, "the row does not equal the tail of its history"), (orphans, "history without a row"))
            for row in tx.execute(text(sql), values)]
