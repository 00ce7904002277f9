"""Work rows: one per running attempt, the task, the lease, the fence and the report in one row."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection

from ...clock import Clock
from ..connect import Database, driver_connection
from ..timing import Timing
from .attempts import CLEARED, COLUMNS, IS_UNIFORM, Attempt, Issue, Reported, ReportGroup
from .scan_start import ScanStart

HOLDS = "paused = 1 AND (until IS NULL OR until > NOW)"
"""SQL: a row of `interlock_stage` that pauses its stage now."""


class HeldRow(NamedTuple):
    """What a runner holds, and when that runner was last heard of, as the database has it."""

    kind: str
    record_id: str
    axis: str
    scope: str
    stage: str
    attempt: int
    claimed_by: str
    claimed_at: Any
    lease_until: Any
    beat_at: Any


class WorkRows:
    """The statements on work rows; each is one step of the protocol."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.sql = database.sql
        self.timing = Timing(database, clock)
        self.scan_start = ScanStart()

    def run(
        self, tx: Connection, statement: str, values: Mapping[str, Any], now: Any = None, **spans: timedelta
    ) -> Any:
        """Execute a statement made for psycopg, with the words of `Timing` in it; lists become what the database takes."""
        sql = self.timing.sql(statement)
        flat = self.sql.bind_list
        bound = {name: flat(value) if isinstance(value, list) else value for name, value in values.items()}
        return driver_connection(tx).execute(sql, {**bound, **self.timing.values(now, **spans)})

    def look(self, tx: Any, limit: int) -> tuple[list[ReportGroup], bool]:
        """The oldest reports by stage, scope and shape, and whether children wait to be admitted, by one question."""
        held = (
            f"SELECT stage, scope, shape, {IS_UNIFORM} AS uniform FROM interlock_work "
            "WHERE reported_at IS NOT NULL AND position >= %(scan_start)s ORDER BY position LIMIT %(limit)s"
        )
        rows = self.run(
            tx,
            f"SELECT DISTINCT stage, scope, shape, uniform FROM ({held}) held "
            "UNION ALL SELECT NULL, NULL, NULL, NULL WHERE (SELECT 1 FROM interlock_intake ORDER BY position LIMIT 1) "
            "IS NOT NULL",
            {"scan_start": self.scan_start.position, "limit": limit},
        ).fetchall()
        groups = [ReportGroup(row[0], row[1], row[2], bool(row[3])) for row in rows if row[0] is not None]
        return groups, len(groups) < len(rows)

    def there_is(self, tx: Any, place: str) -> bool:
        """Whether there is such a row; looked for by key, past dead index entries of rows that are gone."""
        asked = f"SELECT (SELECT 1 FROM {place} ORDER BY position LIMIT 1) IS NOT NULL"
        return bool(driver_connection(tx).execute(asked).fetchone()[0])

    def among(self, column: str, name: str, kind: str = "text") -> str:
        return self.sql.among(column, name, kind)

    def locked(self, *, skip: bool) -> str:
        return self.sql.lock(skip=skip)

    def issue(
        self, tx: Connection, kind: str, axis: str, scope: str, stage: str, issues: Sequence[Issue]
    ) -> set[str]:
        """Insert work rows; the ids of those that were inserted. A row that exists, or a slot that is in use, wins over ours."""
        return self.sql.work.issue(self, tx, (kind, axis, scope, stage), issues)

    def claim(
        self,
        tx: Connection,
        runner: str,
        stages: Collection[str],
        limit: int,
        lease: timedelta,
        rationed: Collection[str] = (),
    ) -> list[Attempt]:
        """Lease what waits, oldest first; nothing of a stage or scope that is paused, and of rationed stages only what holds its slot."""
        slot = (
            f" AND (slot IS NOT NULL OR key_slot IS NOT NULL OR NOT ({self.among('stage', 'rationed')}))"
            if rationed
            else ""
        )
        chosen = (
            f"SELECT position FROM interlock_work WHERE {self.among('stage', 'stages')} AND reported_at IS NULL "
            f"AND claimed_by IS NULL AND available_at <= NOW{slot} AND position >= %(scan_start)s AND {self.is_going()} "
            f"ORDER BY position LIMIT %(limit)s{self.locked(skip=True)}"
        )
        values = {
            "runner": runner,
            "stages": list(stages),
            "limit": limit,
            "rationed": list(rationed),
            "scan_start": self.scan_start.position,
        }
        leased = "claimed_by = %(runner)s, claimed_at = NOW, lease_until = LATER(lease), started_at = coalesce(started_at, NOW)"
        return self.sql.work.claim(self, tx, chosen, leased, values, lease)

    def claim_one(self, tx: Connection, runner: str, position: int, lease: timedelta) -> None:
        """Lease one attempt that nobody has claimed."""
        self.run(
            tx,
            "UPDATE interlock_work SET claimed_by = %(runner)s, claimed_at = NOW, lease_until = LATER(lease), "
            "started_at = coalesce(started_at, NOW) WHERE position = %(position)s AND claimed_by IS NULL",
            {"runner": runner, "position": position},
            lease=lease,
        )

    def is_going(self) -> str:
        """SQL: the stage and scope of a work row are not paused, nor about to be by a report that nobody has applied yet."""
        asks_for_one = self.sql.index_of("report", "'\"pause\":'")
        paused = (
            f"SELECT kind || '.' || stage || ':' || scope FROM interlock_stage WHERE {HOLDS} UNION ALL "
            "SELECT stage || ':' || scope FROM interlock_work WHERE reported_at IS NOT NULL AND outcome = 'failed' "
            f"AND {asks_for_one} > 0 AND position >= %(scan_start)s"
        )
        runs = self.sql.none_of(paused)
        return f"stage || ':' {runs} AND (scope = '' OR stage || ':' || scope {runs})"

    def beat(
        self,
        tx: Connection,
        runner: str,
        stages: Collection[str],
        lease: timedelta,
        but: Collection[str] = (),
    ) -> None:
        """Renew what this runner holds but has not let go of; rows that its own finish has locked are passed over, never waited for."""
        others = f" AND NOT ({self.among('token', 'let_go')})" if but else ""
        held = (
            f"SELECT position FROM interlock_work WHERE {self.among('stage', 'stages')} AND reported_at IS NULL "
            f"AND claimed_by = %(runner)s{others}{self.sql.is_own_claim}{self.locked(skip=True)}"
        )
        self.run(
            tx,
            f"UPDATE interlock_work SET lease_until = LATER(lease) WHERE position IN ({held})",
            {"runner": runner, "stages": list(stages), "let_go": sorted(but)},
            lease=lease,
        )

    def held(self, tx: Connection, runner: str, stages: Collection[str]) -> set[str]:
        """The tokens this runner still holds; asked apart from the beat, which passes over locked rows."""
        found = self.run(
            tx,
            f"SELECT token FROM interlock_work WHERE {self.among('stage', 'stages')} AND reported_at IS NULL "
            f"AND claimed_by = %(runner)s{self.sql.is_own_claim}",
            {"runner": runner, "stages": list(stages)},
        )
        return {row[0] for row in found.fetchall()}

    def give_back(self, tx: Connection, runner: str, held: Collection[str]) -> None:
        """A runner that stops returns what it has not finished; the try is not counted."""
        self.run(
            tx,
            "UPDATE interlock_work SET claimed_by = NULL, claimed_at = NULL, lease_until = NULL WHERE claimed_by = %(runner)s "
            f"AND reported_at IS NULL AND {self.among('token', 'tokens')}{self.sql.is_own_claim}",
            {"runner": runner, "tokens": list(held)},
        )

    def report(self, tx: Connection, reports: Sequence[Reported]) -> set[str]:
        """The fence: write what came of each attempt, where it is still the current one and nothing was said yet; the tokens accepted."""
        return self.sql.work.report(self, tx, reports)

    def reported(
        self, tx: Connection, stages: Collection[str], limit: int, but: Sequence[ReportGroup] = ()
    ) -> list[Attempt]:
        """Reports of these stages that nobody else is applying, locked; not those of groups that were moved as a whole."""
        named = "stage || '\n' || scope || '\n' || coalesce(shape, '')"
        others = f" AND NOT ({IS_UNIFORM} AND {self.among(named, 'but')})" if but else ""
        return self._read(
            tx,
            f"reported_at IS NOT NULL AND position >= %(scan_start)s AND {self.among('stage', 'stages')}{others}",
            {
                "stages": list(stages),
                "but": [f"{one.stage}\n{one.scope}\n{one.shape or ''}" for one in but],
                "limit": limit,
                "scan_start": self.scan_start.position,
            },
            skip=True,
        )

    def expired(self, tx: Connection, stages: Collection[str], limit: int) -> list[Attempt]:
        """Claimed, unreported, and their lease is over; locked, under the very condition that made them due."""
        return self._read(
            tx,
            f"reported_at IS NULL AND lease_until < NOW AND {self.among('stage', 'stages')}",
            {"stages": list(stages), "limit": limit},
            skip=True,
        )

    def overdue(self, tx: Connection, stage: str, deadline: timedelta, limit: int) -> list[Attempt]:
        """Unreported, and claimed longer ago than the stage allows; or begun once, and waiting for a runner longer than that. Locked."""
        return self._read(
            tx,
            "stage = %(stage)s AND reported_at IS NULL AND (claimed_at < LATER(deadline) "
            "OR (claimed_by IS NULL AND started_at IS NOT NULL AND available_at < LATER(deadline)))",
            {"stage": stage, "limit": limit},
            skip=True,
            deadline=-deadline,
        )

    def of(
        self,
        tx: Connection,
        kind: str,
        axes: Collection[str],
        record_ids: Collection[str],
        *,
        lock: bool = True,
    ) -> list[Attempt]:
        """The attempts of these records, locked until the transaction ends: whoever ends one holds its work row first."""
        clause = f"{self.among('record_id', 'ids')} AND kind = %(kind)s AND {self.among('axis', 'axes')}"
        return self._read(
            tx,
            clause,
            {"kind": kind, "axes": list(axes), "ids": sorted(record_ids), "limit": 2**31 - 1},
            skip=False,
            lock=lock,
        )

    def held_longest(self, tx: Connection, limit: int) -> list[HeldRow]:
        """What runners hold and have not reported, in the order it was claimed, with when each runner was last heard of."""
        asked = (
            "SELECT work.kind, work.record_id, work.axis, work.scope, work.stage, work.attempt, work.claimed_by, work.claimed_at,"
            " work.lease_until, runner.beat_at FROM interlock_work work LEFT JOIN interlock_runner runner ON runner.id = work.claimed_by"
            " WHERE work.claimed_at IS NOT NULL AND work.reported_at IS NULL ORDER BY work.claimed_at, work.position LIMIT %(limit)s"
        )
        return [HeldRow._make(row) for row in self.run(tx, asked, {"limit": limit}).fetchall()]

    def count_overdue(self, tx: Connection, by: timedelta) -> int:
        """Attempts whose report, or whose lease's end, has waited for longer than this to be dealt with."""
        sql = (
            "SELECT count(*) FROM interlock_work WHERE reported_at < LATER(late) "
            "OR (reported_at IS NULL AND lease_until < LATER(late))"
        )
        return int(self.run(tx, sql, {}, late=-by).fetchone()[0])

    def by_token(self, tx: Connection, token: str) -> Attempt | None:
        """One attempt, locked while it is unreported."""
        found = self._read(tx, "token = %(token)s", {"token": token, "limit": 1}, skip=False)
        return found[0] if found else None

    def _read(
        self,
        tx: Connection,
        where: str,
        values: Mapping[str, Any],
        *,
        skip: bool,
        lock: bool = True,
        **spans: timedelta,
    ) -> list[Attempt]:
        found = self.run(
            tx,
            f"SELECT {', '.join(COLUMNS)} FROM interlock_work WHERE {where} ORDER BY position LIMIT %(limit)s"
            f"{self.locked(skip=skip) if lock else ''}",
            values,
            **spans,
        )
        return [Attempt._make(row) for row in found.fetchall()]

    def remove(self, tx: Connection, positions: Sequence[int]) -> None:
        """The attempts are over."""
        if positions:
            self.run(
                tx,
                f"DELETE FROM interlock_work WHERE {self.among('position', 'positions', 'bigint')}",
                {"positions": list(positions)},
            )

    def remove_of(
        self, tx: Connection, kind: str, axis: str | None, scope: str | None, record_ids: Sequence[str]
    ) -> None:
        """Whatever attempts these records have, on one axis and scope or on all."""
        clause = ("" if axis is None else " AND axis = %(axis)s") + (
            "" if scope is None else " AND scope = %(scope)s"
        )
        self.run(
            tx,
            f"DELETE FROM interlock_work WHERE {self.among('record_id', 'ids')} AND kind = %(kind)s{clause}",
            {"ids": list(record_ids), "kind": kind, "axis": axis, "scope": scope},
        )

    def rewrite(
        self, tx: Connection, positions: Sequence[int], issues: Sequence[Issue], afters: Sequence[timedelta]
    ) -> None:
        """The next attempts in the place of the last: never deleted and inserted, so nobody sees a record without its work row. Each is
        available after its span, and holds no slot until then."""
        if not positions:
            return
        self.sql.work.rewrite(
            self, tx, positions, issues, afters, ", ".join(f"{name} = NULL" for name in CLEARED)
        )

    def slotless(self, tx: Connection, stage: str, limit: int) -> list[tuple[int, str | None]]:
        """Attempts whose next try is due and who hold no slot: (position, limit key), locked."""
        rows = self.run(
            tx,
            "SELECT position, limit_key FROM interlock_work WHERE stage = %(stage)s AND reported_at IS NULL "
            f"AND claimed_by IS NULL AND available_at <= NOW AND slot IS NULL AND key_slot IS NULL AND {self.is_going()} "
            f"ORDER BY position LIMIT %(limit)s{self.locked(skip=True)}",
            {"stage": stage, "limit": limit, "scan_start": 0},
        ).fetchall()
        return [(row[0], row[1]) for row in rows]

    def slots_in_use(self, tx: Connection, stage: str) -> tuple[set[int], set[tuple[str, int]]]:
        """The slots of a stage that are in use: its own, and those per key."""
        rows = self.run(
            tx,
            "SELECT slot, limit_key, key_slot FROM interlock_work WHERE stage = %(stage)s",
            {"stage": stage},
        ).fetchall()
        return {row[0] for row in rows if row[0] is not None}, {
            (row[1], row[2]) for row in rows if row[2] is not None
        }
