"""SQLite's statements on work rows. Nobody else writes in between, so what is to change is read first, then changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from ...machine import State
from ...workflow.columns.instant import parse_instant
from ..connect import driver_connection
from ..records.item_ranges import alike_in_a_row
from ..work.attempts import CLAIMED, Attempt, Issue, Reported, as_claimed

if TYPE_CHECKING:
    from ..work.rows import WorkRows

ALIKE = 8
"""So many reports of one shape are worth a statement of their own."""
_DONE = "UPDATE interlock_work SET reported_at = NOW, outcome = 'done'"
_DONE_WITH_FACTS = (
    f"{_DONE}, shape = %(shape)s, facts = one.value FROM json_each(%(facts)s) one "
    "WHERE position = CAST(CAST(substr(%(positions)s, one.key * 20 + 1, 20) AS TEXT) AS INTEGER)"
)
_ANY_REPORT = (
    "UPDATE interlock_work SET reported_at = NOW, outcome = one.value ->> 2, report = one.value ->> 3, shape = one.value ->> 4, "
    "facts = one.value ->> 5, gates = one.value ->> 6 FROM json_each(%(rows)s) one WHERE position = one.value ->> 0"
)
_AGES = (
    "SELECT scope, state, n, rank, since FROM (SELECT scope, state, since, count(*) OVER same AS n, row_number() OVER "
    "(PARTITION BY scope, state ORDER BY since DESC) AS rank FROM ({rows}) WINDOW same AS (PARTITION BY scope, state)) "
    "WHERE rank IN ({ranks})"
)


class SqliteWork:
    """See `WorkStatements`."""

    def issue(
        self, work: WorkRows, tx: Connection, place: tuple[str, str, str, str], issues: Sequence[Issue]
    ) -> set[str]:
        now = work.timing.values()["now"]
        done = driver_connection(tx).executemany(
            "INSERT INTO interlock_work(kind, axis, scope, stage, available_at, record_id, attempt, token, slot, limit_key, "
            "key_slot, version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                (
                    *place,
                    now,
                    one.record_id,
                    one.attempt,
                    one.token,
                    one.slot,
                    one.limit_key,
                    one.key_slot,
                    one.version,
                )
                for one in issues
            ],
        )
        if done.rowcount == len(issues):
            return {one.record_id for one in issues}
        inserted = work.run(
            tx,
            f"SELECT record_id FROM interlock_work WHERE {work.among('token', 'tokens')}",
            {"tokens": [one.token for one in issues]},
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
        """Reading first costs half of what SQLite takes to return what it changes."""
        now = work.timing.clock.now()
        rows = work.run(tx, chosen.replace("position", ", ".join(CLAIMED), 1), values, now).fetchall()
        if rows:
            work.run(
                tx,
                f"UPDATE interlock_work SET {leased} WHERE {work.among('position', 'positions')}",
                {"runner": values["runner"], "positions": [row[0] for row in rows]},
                now,
                lease=lease,
            )
        return as_claimed(rows, values["runner"])

    def report(self, work: WorkRows, tx: Connection, reports: Sequence[Reported]) -> set[str]:
        """What is accepted is read before it is written: that costs half of what SQLite takes to return what it changes."""
        positions = {one.token: one.position for one in reports}
        found = work.run(
            tx,
            f"SELECT token, position FROM interlock_work WHERE {work.among('position', 'positions')} AND reported_at IS NULL",
            {"positions": list(positions.values())},
        )
        accepted = {token for token, position in found.fetchall() if positions.get(token) == position}
        said = [one for one in reports if one.token in accepted]
        others: list[Reported] = []
        for shape, alike in _by_shape(said).items():
            if shape == "":
                plain = f"{_DONE} WHERE {work.among('position', 'positions')}"
                work.run(tx, plain, {"positions": [one.position for one in alike]})
            elif shape is None or len(alike) < ALIKE:
                others += alike
            else:
                values = {
                    "shape": shape,
                    "facts": json.dumps([one.facts for one in alike], ensure_ascii=False),
                    "positions": b"".join([b"%20d" % one.position for one in alike]),
                }
                work.run(tx, _DONE_WITH_FACTS, values)
        if others:
            work.run(tx, _ANY_REPORT, {"rows": json.dumps(others)})
        return accepted

    def rewrite(
        self,
        work: WorkRows,
        tx: Connection,
        positions: Sequence[int],
        issues: Sequence[Issue],
        afters: Sequence[timedelta],
        cleared: str,
    ) -> None:
        now = work.timing.clock.now()
        driver_connection(tx).executemany(
            f"UPDATE interlock_work SET attempt = ?, token = ?, version = ?, available_at = ?, {cleared} WHERE position = ?",
            [
                (one.attempt, one.token, one.version, work.timing.bound(now + after), position)
                for position, one, after in zip(positions, issues, afters, strict=True)
            ],
        )

    def insert_rows(
        self,
        work: WorkRows,
        tx: Connection,
        table: str,
        types: Mapping[str, str],
        rows: Sequence[Sequence[Any]],
    ) -> None:
        now = work.timing.values()["now"]
        driver_connection(tx).executemany(
            f"INSERT INTO {table}({', '.join(types)}, at) VALUES ({', '.join('?' * (len(types) + 1))})",
            [(*row, now) for row in rows],
        )

    def update_items(
        self, work: WorkRows, tx: Connection, operation: str, items: Sequence[Sequence[Any]]
    ) -> None:
        driver_connection(tx).executemany(
            "UPDATE interlock_operation_item SET outcome = ?, code = ?, from_state = ?, to_state = ?, left_version = ? "
            "WHERE operation = ? AND number BETWEEN ? AND ?",
            [(*values, operation, first, last) for first, last, values in alike_in_a_row(items)],
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
        """SQLite has no quantiles: the ages between which each lies are read, and interpolated here."""
        ranks = sorted({f"1 + CAST({q} * (n - 1) AS INTEGER) + {more}" for q in quantiles for more in (0, 1)})
        ages: dict[tuple[str, State], dict[int, float]] = {}
        counts: dict[tuple[str, State], int] = {}
        for scope, state, n, rank, since in work.run(
            tx, _AGES.format(rows=rows, ranks=", ".join(ranks)), values, at
        ).fetchall():
            ages.setdefault((scope, state), {})[rank] = (at - parse_instant(since)).total_seconds()
            counts[scope, state] = n
        return {
            key: tuple(max(0.0, _interpolated(ages[key], q * (counts[key] - 1))) for q in quantiles)
            for key in ages
        }


def _by_shape(reports: Sequence[Reported]) -> dict[str | None, list[Reported]]:
    """Reports that say no more than that the work is done, and with what facts, by the shape of these ("" where there are none); the
    others under None."""
    found: dict[str | None, list[Reported]] = {}
    for one in reports:
        shape: str | None = None
        if one.outcome == "done" and one.report is None and one.gates is None:
            shape = "" if one.facts is None else one.shape
        found.setdefault(shape, []).append(one)
    return found


def _interpolated(ranked: Mapping[int, float], place: float) -> float:
    """The age at a place between two ranks, as PostgreSQL's percentile_cont has it."""
    below = int(place)
    low = ranked[below + 1]
    return low if place == below else low + (place - below) * (ranked[below + 2] - low)
