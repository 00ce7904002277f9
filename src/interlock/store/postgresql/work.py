"""PostgreSQL's statements on work rows: each batch travels as arrays or JSON, and is changed by one statement."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from ...machine import State
from ..records.item_ranges import alike_in_a_row
from ..work.attempts import CLAIMED, Attempt, Issue, Reported, as_claimed
from ..work.scan_start import MANY

if TYPE_CHECKING:
    from ..work.rows import WorkRows

MOST_RANGES = 10
"""So many updates cost less than one of a list."""
_AGES = (
    "SELECT scope, state, percentile_cont(ARRAY[{quantiles}]) WITHIN GROUP (ORDER BY extract(epoch FROM NOW - since)) "
    "FROM ({rows}) AS aged GROUP BY scope, state"
)


class PostgresqlWork:
    """See `WorkStatements`."""

    def issue(
        self, work: WorkRows, tx: Connection, place: tuple[str, str, str, str], issues: Sequence[Issue]
    ) -> set[str]:
        limited = any(one.slot is not None or one.limit_key is not None for one in issues)
        more = ", slot, limit_key, key_slot" if limited else ""
        arrays = ", %(slots)s::int[], %(keys)s::text[], %(key_slots)s::int[]" if limited else ""
        kind, axis, scope, stage = place
        values: dict[str, Any] = {
            "kind": kind,
            "axis": axis,
            "scope": scope,
            "stage": stage,
            "ids": [one.record_id for one in issues],
            "attempts": [one.attempt for one in issues],
            "tokens": [one.token for one in issues],
            "versions": [one.version for one in issues],
        }
        if limited:
            values |= {
                "slots": [one.slot for one in issues],
                "keys": [one.limit_key for one in issues],
                "key_slots": [one.key_slot for one in issues],
            }
        inserted = work.run(
            tx,
            "INSERT INTO interlock_work(kind, axis, scope, stage, available_at, record_id, attempt, token, "
            f"version{more}) SELECT %(kind)s, %(axis)s, %(scope)s, %(stage)s, NOW, a.* FROM unnest(%(ids)s::text[], "
            f"%(attempts)s::int[], %(tokens)s::text[], %(versions)s::int[]{arrays}) a ON CONFLICT DO NOTHING "
            "RETURNING record_id",
            values,
        )
        return {row[0] for row in inserted.fetchall()}

    def claim(
        self,
        work: WorkRows,
        tx: Connection,
        chosen: str,
        leased: str,
        values: Mapping[str, Any],
        lease: timedelta,
    ) -> list[Attempt]:
        # As an array it is asked once; joined, a plan may ask it again for every row, and each time lock as many more.
        claimed = work.run(
            tx,
            f"UPDATE interlock_work SET {leased}, login = session_user WHERE position = ANY(ARRAY({chosen})) "
            f"RETURNING {', '.join(CLAIMED)}",
            values,
            lease=lease,
        ).fetchall()
        if not claimed and work.scan_start.forget():
            return self.claim(work, tx, chosen, leased, {**values, "scan_start": 0}, lease)
        if not values["scan_start"] and len(claimed) >= MANY:
            work.scan_start.find(tx)
        return sorted(as_claimed(claimed, values["runner"]))

    def report(self, work: WorkRows, tx: Connection, reports: Sequence[Reported]) -> set[str]:
        tokens = [one.token for one in reports]
        if all(one.is_plain for one in reports):  # most have nothing more to report, and all are accepted
            others = work.run(
                tx,
                "WITH taken AS (UPDATE interlock_work w SET reported_at = NOW, outcome = 'done' FROM unnest("
                "%(positions)s::bigint[], %(tokens)s::text[]) a(position, token) WHERE w.position = a.position "
                "AND w.token = a.token AND w.reported_at IS NULL RETURNING w.token) "
                "SELECT CASE WHEN count(*) < %(many)s THEN coalesce(array_agg(token), '{}') END FROM taken",
                {"positions": [one.position for one in reports], "tokens": tokens, "many": len(reports)},
            ).fetchone()[0]
            return set(tokens if others is None else others)
        columns = ", ".join(
            f"{name} {'bigint' if name == 'position' else 'text'}" for name in Reported._fields
        )
        changes = ", ".join(
            f"{name} = a.{name}" for name in Reported._fields if name not in ("position", "token")
        )
        accepted = work.run(
            tx,
            f"UPDATE interlock_work w SET reported_at = NOW, {changes} FROM json_to_recordset(%(reports)s::json) "
            f"AS a({columns}) WHERE w.position = a.position AND w.token = a.token AND w.reported_at IS NULL "
            "RETURNING w.token",
            {"reports": json.dumps([one._asdict() for one in reports])},
        )
        return {row[0] for row in accepted.fetchall()}

    def rewrite(
        self,
        work: WorkRows,
        tx: Connection,
        positions: Sequence[int],
        issues: Sequence[Issue],
        afters: Sequence[timedelta],
        cleared: str,
    ) -> None:
        work.run(
            tx,
            "UPDATE interlock_work w SET attempt = a.attempt, token = a.token, version = a.version, "
            f"available_at = NOW + a.after * interval '1 second', {cleared}, login = NULL FROM unnest(%(positions)s::bigint[], "
            "%(attempts)s::int[], %(tokens)s::text[], %(versions)s::int[], %(afters)s::float8[]) "
            "a(position, attempt, token, version, after) WHERE w.position = a.position",
            {
                "positions": list(positions),
                "attempts": [one.attempt for one in issues],
                "tokens": [one.token for one in issues],
                "versions": [one.version for one in issues],
                "afters": [after.total_seconds() for after in afters],
            },
        )

    def insert_rows(
        self,
        work: WorkRows,
        tx: Connection,
        table: str,
        types: Mapping[str, str],
        rows: Sequence[Sequence[Any]],
    ) -> None:
        arrays = ", ".join(f"%({name})s::{kind}[]" for name, kind in types.items())
        work.run(
            tx,
            f"INSERT INTO {table}({', '.join(types)}, at) SELECT a.*, NOW FROM unnest({arrays}) a",
            {name: list(column) for name, column in zip(types, zip(*rows, strict=True), strict=True)},
        )

    def update_items(
        self, work: WorkRows, tx: Connection, operation: str, items: Sequence[Sequence[Any]]
    ) -> None:
        """Rows alike are changed by a range of their numbers: joined with a list, a table that has just been filled is read whole."""
        several = list(alike_in_a_row(items))
        if len(several) > MOST_RANGES:
            self._update_items_by_number(work, tx, operation, items)
            return
        for first, last, values in several:
            work.run(
                tx,
                "UPDATE interlock_operation_item SET outcome = %(outcome)s, code = %(code)s, from_state = %(old)s, to_state = %(new)s, "
                "left_version = %(left)s WHERE operation = %(id)s AND number BETWEEN %(first)s AND %(last)s",
                {
                    "id": operation,
                    "first": first,
                    "last": last,
                    **dict(zip(("outcome", "code", "old", "new", "left"), values, strict=True)),
                },
            )

    def _update_items_by_number(
        self, work: WorkRows, tx: Connection, operation: str, items: Sequence[Sequence[Any]]
    ) -> None:
        names = ("numbers", "outcomes", "codes", "olds", "news", "lefts")
        work.run(
            tx,
            "UPDATE interlock_operation_item i SET outcome = a.outcome, code = a.code, from_state = a.old, to_state = a.new, "
            "left_version = a.left_version FROM unnest(%(numbers)s::bigint[], %(outcomes)s::text[], %(codes)s::text[], "
            "%(olds)s::text[], %(news)s::text[], %(lefts)s::int[]) a(number, outcome, code, old, new, left_version) "
            "WHERE i.operation = %(id)s AND i.number = a.number",
            {
                "id": operation,
                **{name: list(column) for name, column in zip(names, zip(*items, strict=True), strict=True)},
            },
        )

    def read_ages(
        self,
        work: WorkRows,
        tx: Connection,
        rows: str,
        quantiles: Sequence[float],
        values: Mapping[str, Any],
        at: datetime,
    ) -> dict[tuple[str, State], tuple[float, ...]]:
        sql = _AGES.format(rows=rows, quantiles=", ".join(map(str, quantiles)))
        return {
            (row[0], row[1]): tuple(max(0.0, float(age)) for age in row[2])
            for row in work.run(tx, sql, values, at).fetchall()
        }
