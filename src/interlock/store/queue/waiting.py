"""What waits for a stage: the waiting state is the queue, read in the stage's own order and locked for its dispatcher."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection

from ..contract import RowState
from ..placement import Placement, RecordTable
from .queue_sql import QueueSql


class Candidate(NamedTuple):
    """A record that is due."""

    seen: RowState
    attempt: int
    tries: int
    limit_key: str | None
    error: tuple[str | None, str | None] = (None, None)
    rate_key: str = ""


class Queue(QueueSql):
    """The waiting records of one stage."""

    def due_unlocked(self, tx: Connection, scope: str, limit: int) -> list[tuple[Any, str]]:
        """(record, rate key) of those that are due, in order; neither locked nor held against the rate."""
        sql = self._window_sql()
        values = {"scope": scope, "limit": limit, "actor": "coordinator", "role": None}
        return [(row[0], row[-1]) for row in self.work.run(tx, sql, values).fetchall()]

    def first_of_keys(
        self, tx: Connection, scope: str, branch: int, after: Any, limit: int, most: int
    ) -> tuple[list[tuple[Any, str]], Any]:
        """(record, rate key) of the first that is due of each key that is free, in one waiting state: at most `limit`, of at most `most`
        keys behind `after`; and the key to go on behind, None at the end. Each key costs a look or two into an index, however many of
        its records wait."""
        values = {
            "scope": scope,
            "actor": "coordinator",
            "role": None,
            "after": after,
            "most": most,
            "kind": self.workflow.name,
            "stage": self.stage.name,
        }
        rows = self.work.run(tx, self._heads_sql(branch, after is None), values).fetchall()
        heads: list[tuple[Any, str]] = []
        for value, key, record in rows:
            if record is not None:
                heads.append((record, key))
            if len(heads) == limit:
                return heads, value
        return heads, rows[-1][0] if len(rows) >= most else None

    def unclaimed_keys(self, tx: Connection, name: str) -> set[str]:
        """The rate keys of attempts of this stage that any runner could claim now, and none has."""
        place = self.place
        mine = [f"{place.qualified(place.key_sql)} = CAST(interlock_work.record_id AS {place.key_type})"]
        mine += [f"{place.qualified(place.scope_sql)} = interlock_work.scope"] if place.scope_sql else []
        # Row by row, never joined: there are few attempts, and a join could begin with all that waits.
        rows = self.work.run(
            tx,
            f"SELECT (SELECT {self.rate_key()} FROM {place.table_sql} WHERE {' AND '.join(mine)}) FROM interlock_work "
            "WHERE interlock_work.stage = %(name)s AND interlock_work.claimed_by IS NULL "
            "AND interlock_work.reported_at IS NULL AND interlock_work.available_at <= NOW "
            "AND interlock_work.position >= %(scan_start)s",
            {"name": name, "scan_start": self.work.scan_start.position},
        ).fetchall()
        return {row[0] for row in rows if row[0] is not None}

    def due_among(
        self, tx: Connection, scope: str, keys: Sequence[Any], excluded: Sequence[str] = ()
    ) -> list[Candidate]:
        """Those of these records that may be dispatched now, locked, in the order in which they are named."""
        if not keys:
            return []
        values = {
            "scope": scope,
            "limit": len(keys),
            "actor": "coordinator",
            "role": None,
            "excluded": list(excluded),
            "keys": list(keys),
        }
        rows = self.work.run(tx, self._named_sql(bool(excluded)), values).fetchall()
        order = {key: number for number, key in enumerate(keys)}
        return sorted(self._lock_others(tx, scope, rows), key=lambda one: order[one.seen.key])

    def due(self, tx: Connection, scope: str, limit: int, excluded: Sequence[str] = ()) -> list[Candidate]:
        """Those that may be dispatched now, in order, locked; none of the limit keys in `excluded`, which have no room."""
        values = {
            "scope": scope,
            "limit": limit,
            "actor": "coordinator",
            "role": None,
            "excluded": list(excluded),
        }
        return self._lock_others(
            tx, scope, self.work.run(tx, self._due_sql(True, bool(excluded)), values).fetchall()
        )

    def _lock_others(self, tx: Connection, scope: str, rows: Sequence[Sequence[Any]]) -> list[Candidate]:
        """The rows as candidates, those left out of which a row in another table is locked by somebody else."""
        candidates = [self._candidate(row) for row in rows]
        for other in self.elsewhere if self.work.sql.has_row_locks else ():
            candidates = self._lock_asked_rows(tx, scope, other, candidates)
        return self._lock_records(tx, candidates)

    def _lock_records(self, tx: Connection, found: list[Candidate]) -> list[Candidate]:
        """Where columns of the record mirror this axis, lock the records too; what somebody else holds is passed over."""
        if not found or not self.workflow.mirrors_of(self.axis.name) or not self.work.sql.has_row_locks:
            return found
        records, values = (
            RecordTable(self.workflow, self.place.dialect),
            {"keys": [one.seen.key for one in found]},
        )
        asked = (
            f"SELECT {records.key_sql} FROM {records.table_sql} "
            f"WHERE {self.work.among(records.key_sql, 'keys', self.place.key_type)} "
            f"ORDER BY 1{self.work.sql.lock_moving(records.table_sql)}"
        )
        locked = {row[0] for row in self.work.run(tx, asked, values).fetchall()}
        return [one for one in found if one.seen.key in locked]

    def _candidate(self, row: Sequence[Any]) -> Candidate:
        seen = RowState(row[0], (row[1],), (row[2],), (row[3],), ())
        return Candidate(seen, row[4], row[5], row[6], rate_key=row[7] if len(row) > 7 else "")

    def _lock_asked_rows(
        self, tx: Connection, scope: str, other: Placement, found: list[Candidate]
    ) -> list[Candidate]:
        """Lock the rows that a rule asks about as well; what somebody else holds is passed over, never waited for: locked in this order,
        a scope row before its record, waiting could be for ever."""
        if not found:
            return found
        mine = f" AND {other.scope_sql} = %(scope)s" if other.scope_sql and self.place.scope_sql else ""
        asked = f"SELECT {other.key_sql} FROM {other.table_sql} WHERE {self.work.among(other.key_sql, 'keys', other.key_type)}{mine}"
        values = {"keys": [one.seen.key for one in found], "scope": scope}
        locked = Counter(
            row[0] for row in self.work.run(tx, asked + self.work.sql.lock_shared(), values).fetchall()
        )
        every = (
            Counter(row[0] for row in self.work.run(tx, asked, values).fetchall())
            if other.scope_sql and not mine
            else locked
        )
        return [one for one in found if locked[one.seen.key] and locked[one.seen.key] == every[one.seen.key]]

    def due_but_kept(self, tx: Connection, scope: str, limit: int) -> list[Any]:
        """Those that are due but whom a condition keeps here: they rest, until an amendment or the sweep looks again."""
        if not self.conditions():
            return []
        rows = self.work.run(
            tx, self._due_sql(False), {"scope": scope, "limit": limit, "actor": "coordinator", "role": None}
        ).fetchall()
        return [row[0] for row in rows]

    def rest(self, tx: Connection, scope: str, keys: Sequence[Any], ready: datetime | None) -> None:
        """Set or clear when these are due; no move, so no entry."""
        if keys:
            place, due = self.place, self.place.quote(self.axis.column_name("ready_at"))
            where = [self.work.among(place.key_sql, "keys", place.key_type)]
            where += [f"{place.scope_sql} = %(scope)s"] if place.scope_sql else []
            if ready is not None:  # what was found unseen may have been seen meanwhile
                where += [self.is_one_of(place.status_sql, [self.stage.declared_waiting]), f"{due} IS NULL"]
            self.work.run(
                tx,
                f"UPDATE {place.table_sql} SET {due} = %(ready)s WHERE {' AND '.join(where)}",
                {
                    "keys": list(keys),
                    "scope": scope,
                    "ready": None if ready is None else self.work.timing.bound(ready),
                },
            )

    def postpone(self, tx: Connection, scope: str, keys: Sequence[Any], until: datetime) -> None:
        """What cannot begin now is due later, and stands before nobody until then."""
        place, due = self.place, self.place.quote(self.axis.column_name("ready_at"))
        scoped = f" AND {place.scope_sql} = %(scope)s" if place.scope_sql else ""
        self.work.run(
            tx,
            f"UPDATE {place.table_sql} SET {due} = %(until)s WHERE {self.work.among(place.key_sql, 'keys', place.key_type)} "
            f"AND {due} IS NOT NULL{scoped}",
            {"keys": list(keys), "scope": scope, "until": self.work.timing.bound(until)},
        )

    def oldest(self, tx: Connection, at: datetime) -> dict[str, tuple[Any, Any]]:
        """By scope: since when the longest has been due, and the longest of those that wait for another try; for those who watch. What a
        condition or a rule keeps where it is waits for nobody, and is not due."""
        place, due, stage = self.place, self.column("ready_at"), self.stage
        ways = [" AND ".join([self.waits(), *self.conditions()])]
        if (
            stage.failed is not None and stage.failed not in stage.waiting and stage.retry
        ):  # the sweep brings these back
            ways.append(" AND ".join([*self._in_failed(), *self.requeue_conditions()]))
        asked = (
            f"SELECT min({due}), min(CASE WHEN {self.column('tries')} > 0 THEN {due} END) FROM {place.table_sql} WHERE {due} <= NOW "
            f"{''.join(f'AND {one} ' for one in self.scope_is())}AND (({') OR ('.join(ways)}))"
        )
        ages = {}
        for scope in self.axis.scopes if self.axis.scoped else ("",):
            first, again = self.work.run(
                tx, asked, {"scope": scope, "actor": "coordinator", "role": None}, at
            ).fetchone()
            if first is not None:
                ages[scope] = (first, again)
        return ages

    def read_attempts(
        self, tx: Connection, scope: str, keys: Sequence[Any]
    ) -> dict[Any, tuple[int, int, Any]]:
        """(attempt, tries, since when in its state) of these records."""
        place = self.place
        where = [
            self.work.among(place.key_sql, "keys", place.key_type),
            *([f"{place.scope_sql} = %(scope)s"] if place.scope_sql else []),
        ]
        rows = self.work.run(
            tx,
            f"SELECT {place.key_sql}, {self.column('attempt')}, {self.column('tries')}, {self.column('since')} "
            f"FROM {place.table_sql} WHERE {' AND '.join(where)}",
            {"keys": list(keys), "scope": scope},
        ).fetchall()
        return {row[0]: (row[1], row[2], row[3]) for row in rows}

    def is_requeue_due(self, tx: Connection, scope: str) -> bool:
        """Whether anything in the failed state is due, whatever rules may say of it."""
        where = [*self._in_failed(), f"{self.column('ready_at')} <= NOW", *self.scope_is()]
        return (
            self.work.run(
                tx,
                f"SELECT 1 FROM {self.source} WHERE {' AND '.join(where)} ORDER BY {self.column('ready_at')} LIMIT 1",
                {"scope": scope},
            ).fetchone()
            is not None
        )

    def requeued(
        self, tx: Connection, scope: str, limit: int, after: tuple[Any, Any] | None = None
    ) -> tuple[list[Candidate], tuple[Any, Any] | None]:
        """In the failed state, not to rest there: due to go back to where this stage waits; locked. And where to go on the next time: what
        a rule keeps from going back stays due, and must not be looked at before all others each time."""
        values = {"scope": scope, "limit": limit, "actor": "coordinator", "role": None}
        if self.requeue_conditions():
            at, key = after or (None, None)
            rows = self.work.run(
                tx, self._failed_due_sql(after is None), {**values, "after_at": at, "after": key}
            ).fetchall()
            after = (rows[-1][1], rows[-1][0]) if len(rows) == limit else None
            values["keys"] = [row[0] for row in rows if row[2]]
            if not values["keys"]:
                return [], after
        found = [
            Candidate(
                RowState(row[0], (row[1],), (row[2],), (row[3],), ()), row[4], row[5], None, (row[6], row[7])
            )
            for row in self.work.run(tx, self._requeued_sql(), values).fetchall()
        ]
        return self._lock_records(tx, found), after
