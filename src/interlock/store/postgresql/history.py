"""PostgreSQL's statements on history. Transactions commit in any order, so what is read in order is read below the oldest that runs."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Select, func, select, text

from ..connect import driver_connection
from ..ledger.following import Mark
from ..ledger.seals.seal import Reach, Seal
from ..tables import seal

_BATCH = 5000  # each is a journey to the server
_NAMED = re.compile(r"(?<!:):([a-z_]+)")
_numbers = itertools.count(1)


class PostgresqlHistory:
    """See `HistoryStatements`."""

    shape = (
        "concat_ws(chr(1), l.kind, l.axis, l.scope, coalesce('=' || l.from_state, '-'), coalesce('=' || l.to_state, '-'), "
        "l.actor, coalesce('=' || l.role, '-'), coalesce('=' || l.cause, '-'), l.origin, l.machine)"
    )
    order = "l.txid"
    order_number = "CAST(CAST(l.txid AS text) AS bigint)"
    order_value = "CAST(CAST(:place AS text) AS xid8)"
    last_entries = (
        "SELECT DISTINCT ON (record_id, kind, axis, scope) kind, axis, scope, to_state, origin FROM interlock_ledger "
        "WHERE at <= :at{kind} ORDER BY record_id, kind, axis, scope, version DESC"
    )
    odd_instants = (
        "SELECT kind, record_id, axis, scope, version, CASE WHEN at < '2000-01-01Z' THEN 'odd' WHEN at > latest THEN 'ahead' ELSE 'back' "
        "END AS problem FROM (SELECT l.*, latest, max(at) FILTER (WHERE at <= latest) OVER (ORDER BY txid, position) AS top FROM "
        "interlock_ledger l, (SELECT greatest(clock_timestamp(), CAST(:now AS timestamptz)) + interval '1 day' AS latest) clock "
        "WHERE {where}) l WHERE at < '2000-01-01Z' OR at > latest OR at < top - interval '1 day' ORDER BY txid, position"
    )

    def stream(self, tx: Connection, sql: str, values: Mapping[str, Any]) -> Iterator[list[tuple[Any, ...]]]:
        raw = driver_connection(tx)
        raw.execute("SET LOCAL cursor_tuple_fraction = 1")  # all rows are wanted, so the plan for all of them
        cursor = raw.cursor(f"interlock_stream_{next(_numbers)}", binary=True)
        cursor.execute(_NAMED.sub(r"%(\1)s", sql), dict(values))
        try:
            while rows := cursor.fetchmany(_BATCH):
                yield rows
        finally:
            cursor.close()

    def instant(self, table: str) -> str:
        return f"""to_char({table}.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""

    def minute(self, table: str) -> str:
        return f"date_trunc('minute', {table}.at AT TIME ZONE 'UTC')"

    def transaction(self, table: str) -> str:
        return f"{table}.txid::text::bigint"

    def sorted_text(self, column: str) -> str:
        return f'{column}::text COLLATE "C"'

    def keyed(self, key: str, kind: str, id: str) -> str:
        return ""

    def read_details(self, tx: Connection, digests: Sequence[bytes]) -> list[tuple[Any, ...]]:
        asked = "SELECT digest, salt, reason, facts FROM interlock_detail WHERE digest = ANY(%s)"
        rows: list[tuple[Any, ...]] = (
            driver_connection(tx).execute(asked, (list(digests),), binary=True).fetchall()
        )
        return rows

    def sample_ids(self, tx: Connection, size: int, at_least: int) -> list[str]:
        (last,) = tx.execute(text("SELECT pg_relation_size('interlock_ledger') / 300")).one()
        if last < at_least:
            return []
        part = min(100.0, max(0.01, 100.0 * size / max(1, last)))
        return [
            row.record_id
            for row in tx.execute(
                text(f"SELECT record_id FROM interlock_ledger TABLESAMPLE SYSTEM ({part:.4f})")
            )
        ]

    def settled(self, tx: Connection) -> int:
        return int(tx.exec_driver_sql("SELECT pg_snapshot_xmin(pg_current_snapshot())::text").scalar_one())

    def held_back_since(self, tx: Connection) -> datetime | None:
        held = (  # an id from beyond all that began here was restored from another cluster
            "SELECT at FROM interlock_ledger WHERE txid >= pg_snapshot_xmin(pg_current_snapshot()) "
            "AND txid < pg_snapshot_xmax(pg_current_snapshot()) ORDER BY txid, position LIMIT 1"
        )
        since: datetime | None = tx.exec_driver_sql(held).scalar()
        return since

    def narrowed(self, tx: Connection, table: str, end: str, reach: Reach, most: int) -> Reach:
        """One transaction is never parted."""
        sql = (
            f"SELECT {table}.txid::text::bigint FROM {table} WHERE {self.covered(table)} ORDER BY {self.commit_order(table)} "
            "LIMIT 1 OFFSET {}"
        )
        first, over = (
            tx.execute(text(sql.format(number)), self.bounds(table, reach)).scalar() for number in (0, most)
        )
        if first is None or over is None:
            return reach
        return replace(reach, to_transaction=over if first < over else over + 1)

    def covered(self, table: str) -> str:
        transaction = f"{table}.txid >= CAST(CAST(:since AS text) AS xid8) AND {table}.txid < CAST(CAST(:until AS text) AS xid8)"
        return f"{transaction} AND {table}.position > :low AND {table}.position <= :high"

    def bounds(self, table: str, reach: Reach) -> dict[str, Any]:
        low, high = reach.positions(table)
        return {
            "low": low,
            "high": high,
            "since": str(reach.from_transaction),
            "until": str(reach.to_transaction),
        }

    def hash_logins(self, tx: Connection, reach: Reach) -> bytes | None:
        """SHA-256 over those of parts of at most 65,536 lines "POSITION LOGIN": the entries, then the verdicts, in commit order, that have
        a login. The server hashes the parts, so that a verification fetches no rows for it."""
        digest = sha256()
        for table in ("interlock_ledger", "interlock_verdict"):
            asked = (
                "SELECT sha256(convert_to(string_agg(line, chr(10) ORDER BY place), 'UTF8')) FROM (SELECT "
                f"{table}.position || ' ' || {table}.login AS line, row_number() OVER (ORDER BY {self.commit_order(table)}) AS place "
                f"FROM {table} WHERE {self.covered(table)} AND {table}.login IS NOT NULL) lines "
                "GROUP BY (place - 1) / 65536 ORDER BY (place - 1) / 65536"
            )
            for part in tx.execute(text(asked), self.bounds(table, reach)).scalars():
                digest.update(part)
        return digest.digest()

    def behind(self, tx: Connection, table: str, one: Seal) -> str:
        floor, top = one.reach.positions(table)
        floors = seal.c.from_entry if table == "interlock_ledger" else seal.c.from_verdict
        later = tx.execute(
            select(func.min(floors)).where(seal.c.number > one.number, floors > floor)
        ).scalar()
        if later is None and self.settled(tx) < one.to_transaction:
            later = top  # restored into another cluster, and not sealed since
        beyond = "" if later is None else f" OR {table}.position > {later:d}"
        return f"(({table}.txid >= CAST('{one.to_transaction:d}' AS xid8) AND {table}.position > {floor:d}){beyond})"

    def commit_order(self, table: str) -> str:
        return f"{table}.txid, {table}.position"

    def mark(self, tx: Connection, last: Mark | None) -> Mark:
        snapshot = str(tx.exec_driver_sql("SELECT pg_current_snapshot()::text").scalar_one())
        if last is not None:
            return Mark(last.entry, last.verdict, snapshot)
        # A visible row with an id from the future was restored from another cluster; whatever is inserted here comes after it.
        restored = (
            "SELECT coalesce(max(position), 0) FROM {} WHERE txid >= pg_snapshot_xmax(pg_current_snapshot())"
        )
        entry, verdict = (
            tx.exec_driver_sql(restored.format(table)).scalar_one()
            for table in ("interlock_ledger", "interlock_verdict")
        )
        return Mark(entry, verdict, snapshot)

    def spell_words(self) -> Mapping[str, str]:
        return {
            "same": "IS NOT DISTINCT FROM",
            "largest": "greatest",
            "fence": "OFFSET 0",
            "seconds": "extract(epoch FROM at - entered)",
        }

    def is_new(self) -> str:
        last = "CAST(CAST(:since AS text) AS pg_snapshot)"
        return f"(l.txid >= pg_snapshot_xmin({last}) AND NOT pg_visible_in_snapshot(l.txid, {last}) AND l.position > :after)"

    def tail(
        self, tx: Connection, asked: Select[Any], transaction: int, position: int, limit: int
    ) -> list[tuple[int, Any]]:
        settled = asked.add_columns(text("interlock_ledger.txid::text AS transaction")).where(
            text(
                "(interlock_ledger.txid, interlock_ledger.position) > (CAST(CAST(:transaction AS text) AS xid8), CAST(:place AS bigint))"
            ),
            text("interlock_ledger.txid < pg_snapshot_xmin(pg_current_snapshot())"),
        )
        ordered = settled.order_by(text("interlock_ledger.txid, interlock_ledger.position")).limit(limit)
        rows = tx.execute(ordered, {"transaction": str(transaction), "place": position})
        return [(int(row.transaction), row) for row in rows]

    def newest(
        self, tx: Connection, asked: Select[Any], count: int, before: tuple[int, int] | None = None
    ) -> list[tuple[int, Any]]:
        bound = {}
        if before is not None:
            asked = asked.where(
                text(
                    "(interlock_ledger.txid, interlock_ledger.position)"
                    " < (CAST(CAST(:transaction AS text) AS xid8), CAST(:place AS bigint))"
                )
            )
            bound = {"transaction": str(before[0]), "place": before[1]}
        settled = asked.add_columns(text("interlock_ledger.txid::text AS transaction")).where(
            text("interlock_ledger.txid < pg_snapshot_xmin(pg_current_snapshot())")
        )
        rows = tx.execute(
            settled.order_by(text("interlock_ledger.txid DESC, interlock_ledger.position DESC")).limit(count),
            bound,
        )
        return [(int(row.transaction), row) for row in rows]
