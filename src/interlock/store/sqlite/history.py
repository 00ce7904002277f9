"""SQLite's statements on history. It has one writer, so positions are the order of commits, and whatever is seen is settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, text

from ..connect import driver_connection
from ..ledger.following import Mark
from ..ledger.seals.seal import Reach, Seal
from ..tables import ledger
from .schema import is_not_an_instant

_BATCH = 1000


class SqliteHistory:
    """See `HistoryStatements`."""

    shape = "json_array(l.kind, l.axis, l.scope, l.from_state, l.to_state, l.actor, l.role, l.cause, l.origin, l.machine)"
    order = order_number = "l.position"
    order_value = ":place"
    # SQLite gives the other columns of the row that has the largest version.
    last_entries = (
        "SELECT kind, axis, scope, to_state, origin, max(version) FROM interlock_ledger WHERE at <= :at{kind} "
        "GROUP BY record_id, kind, axis, scope"
    )

    odd_instants = (
        f"SELECT kind, record_id, axis, scope, version, CASE WHEN odd THEN 'odd' WHEN at > latest THEN 'ahead' ELSE 'back' END AS problem "
        f"FROM (SELECT l.*, latest, {is_not_an_instant('l.at')} AS odd, max(julianday(at)) FILTER (WHERE at <= latest) OVER "
        "(ORDER BY position) AS top FROM interlock_ledger l, (SELECT strftime('%Y-%m-%dT%H:%M:%f000Z', "
        "max(julianday('now'), julianday(:now)) + 1) AS latest) clock WHERE {where}) l "
        "WHERE odd OR at > latest OR julianday(at) < top - 1 ORDER BY position"
    )

    def stream(self, tx: Connection, sql: str, values: Mapping[str, Any]) -> Iterator[list[tuple[Any, ...]]]:
        cursor = driver_connection(tx).execute(sql, dict(values))
        try:
            while rows := cursor.fetchmany(_BATCH):
                yield rows
        finally:
            cursor.close()

    def instant(self, table: str) -> str:
        return f"{table}.at"

    def minute(self, table: str) -> str:
        return f"substr({table}.at, 1, {len('2026-01-31T09:41')})"

    def transaction(self, table: str) -> str:
        return "0"

    def sorted_text(self, column: str) -> str:
        return f"CAST({column} AS TEXT)"

    def keyed(self, key: str, kind: str, id: str) -> str:
        """SQLite has no hash join: compared as text alone, every entry would read the whole table."""
        return f"{key} = CAST({id} AS {kind}) AND "

    def read_details(self, tx: Connection, digests: Sequence[bytes]) -> list[tuple[Any, ...]]:
        asked = "SELECT digest, salt, reason, facts FROM interlock_detail WHERE digest = ?"
        return [row for digest in digests for row in driver_connection(tx).execute(asked, (digest,))]

    def sample_ids(self, tx: Connection, size: int, at_least: int) -> list[str]:
        (last,) = tx.execute(text("SELECT coalesce(max(position), 0) FROM interlock_ledger")).one()
        if last < at_least:
            return []
        wanted = ", ".join(f"({last * number // size + 1:d})" for number in range(size))
        sql = (
            f"SELECT l.record_id FROM (VALUES {wanted}) JOIN interlock_ledger l ON l.position = column1 "
            "WHERE typeof(l.record_id) = 'text'"
        )
        return [row.record_id for row in tx.execute(text(sql))]

    def settled(self, tx: Connection) -> int:
        return 0

    def held_back_since(self, tx: Connection) -> datetime | None:
        return None

    def narrowed(self, tx: Connection, table: str, end: str, reach: Reach, most: int) -> Reach:
        sql = f"SELECT position FROM {table} WHERE {self.covered(table)} ORDER BY position LIMIT 1 OFFSET {most - 1:d}"
        last = tx.execute(text(sql), self.bounds(table, reach)).scalar()
        return reach if last is None else replace(reach, **{end: last})

    def covered(self, table: str) -> str:
        return f"{table}.position > :low AND {table}.position <= :high"

    def bounds(self, table: str, reach: Reach) -> dict[str, Any]:
        low, high = reach.positions(table)
        return {"low": low, "high": high}

    def hash_logins(self, tx: Connection, reach: Reach) -> bytes | None:
        """Whoever has the file needs no login."""
        return None

    def behind(self, tx: Connection, table: str, one: Seal) -> str:
        return f"({table}.position > {one.reach.positions(table)[1]:d})"

    def commit_order(self, table: str) -> str:
        return f"{table}.position"

    def mark(self, tx: Connection, last: Mark | None) -> Mark:
        newest = text(
            "SELECT (SELECT coalesce(max(position), 0) FROM interlock_ledger), "
            "(SELECT coalesce(max(position), 0) FROM interlock_verdict)"
        )
        entry, verdict = tx.execute(newest).one()
        return Mark(entry, verdict)

    def spell_words(self) -> Mapping[str, str]:
        # Instants are text here, and are subtracted in milliseconds; without a fence each bucket would look anew.
        return {
            "same": "IS",
            "largest": "max",
            "fence": "LIMIT -1 OFFSET 0",
            "seconds": "round((julianday(at) - julianday(entered)) * 86400000.0) / 1000.0",
        }

    def is_new(self) -> str:
        return "(l.position > :after)"

    def tail(
        self, tx: Connection, asked: Select[Any], transaction: int, position: int, limit: int
    ) -> list[tuple[int, Any]]:
        rows = tx.execute(asked.where(ledger.c.position > position).order_by(ledger.c.position).limit(limit))
        return [(0, row) for row in rows]

    def newest(
        self, tx: Connection, asked: Select[Any], count: int, before: tuple[int, int] | None = None
    ) -> list[tuple[int, Any]]:
        if before is not None:
            asked = asked.where(ledger.c.position < before[1])
        return [(0, row) for row in tx.execute(asked.order_by(ledger.c.position.desc()).limit(count))]
