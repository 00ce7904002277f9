"""Verifies history: every chain from its first entry to its last, each entry judged by the machine it names, each row by its tail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select, text

from .chains import Walk
from .finding import Finding, Report
from .guarded import CLOSING
from .known_machines import known_machines
from .placement import Placement
from .streaming import INSTANT, batches
from .tables import ledger

__all__ = ["Finding", "Report", "verify_chains", "verify_rows"]

_ENTRIES = """SELECT l.kind, l.axis, l.scope, l.from_state, l.to_state, l.actor, l.role, l.cause, l.origin, l.machine,
l.record_id, l.version, {at}, l.token, l.detail, l.hash, d.salt, d.reason, d.facts
FROM interlock_ledger l LEFT JOIN interlock_detail d ON d.digest = l.detail
WHERE {where} ORDER BY l.record_id, l.kind, l.axis, l.scope, l.version"""


def verify_chains(tx: Connection, kind: str | None = None, record_id: str | None = None) -> Report:
    """Walk every chain, or one record's; memory stays flat however long the ledger is."""
    machines, findings = known_machines(tx)
    walk = Walk(machines, erased(tx, kind, record_id), [] if record_id is not None else findings)
    for rows in chain_rows(tx, kind, record_id):
        walk.take(rows)
    return Report(walk.entries, walk.records, walk.findings)


def chain_rows(tx: Connection, kind: str | None, record_id: str | None) -> Iterator[list[tuple[Any, ...]]]:
    """Entries with their detail, chain by chain, in the columns that `chains` names."""
    named = {"l.kind = :kind": ("kind", kind), "l.record_id = :id": ("id", record_id)}
    wanted = {condition: value for condition, value in named.items() if value[1] is not None}
    sql = _ENTRIES.format(at=INSTANT[tx.dialect.name].format("l"), where=" AND ".join(wanted) or "true")
    return batches(tx, sql, dict(wanted.values()))


def erased(tx: Connection, kind: str | None, record_id: str | None) -> set[tuple[str, str]]:
    """Records whose personal detail was erased: its absence is no finding."""
    asked = select(ledger.c.kind, ledger.c.record_id).where(ledger.c.origin == "erase")
    if kind is not None:
        asked = asked.where(ledger.c.kind == kind)
    if record_id is not None:
        asked = asked.where(ledger.c.record_id == record_id)
    return {(row.kind, row.record_id) for row in tx.execute(asked)}


def verify_rows(tx: Connection, place: Placement, record_id: str | None = None) -> list[Finding]:
    """Status, version and head of every row equal the tail of its history, and every open history has its row."""
    scope = f"CAST(r.{place.scope_sql} AS text)" if place.scope_sql else "''"
    same = "IS" if place.dialect.name == "sqlite" else "IS NOT DISTINCT FROM"
    # SQLite has no hash join: compared as text alone, every entry would read the whole table.
    keyed = f"r.{place.key_sql} = CAST({{}} AS {place.key_type}) AND " if place.dialect.name == "sqlite" else ""
    one = f" AND {keyed.format(':id')}CAST(r.{place.key_sql} AS text) = :id" if record_id is not None else ""
    history = f"record_id = CAST(r.{place.key_sql} AS text) AND kind = :kind AND axis = :axis AND scope = {scope}"
    rows = (f"SELECT CAST(r.{place.key_sql} AS text) AS id, {scope} AS scope, r.{place.version_sql} AS version FROM {place.table_sql} r "
            f"WHERE r.{place.version_sql} IS NOT NULL{one} AND NOT coalesce(EXISTS (SELECT 1 FROM interlock_ledger WHERE {history} "
            f"AND version = r.{place.version_sql} AND to_state {same} r.{place.status_sql} AND hash = r.{place.head_sql}) "
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
