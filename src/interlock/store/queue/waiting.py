"""What waits for a stage: the waiting state is the queue, read in the stage's own order and locked for its dispatcher."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection

from ...errors import BadDeclaration
from ...machine import State
from ...workflow import Stage, Workflow
from ..contract import RowState
from ..guarded import elsewhere_sql
from ..placement import Placement, RecordTable, condition_sql
from ..sql import one_of
from ..work.rows import WorkRows
from .ordering import names_table, ordering

_DUE = ("key", "old", "version", "head", "attempt", "tries", "limit_key")


class Candidate(NamedTuple):
    """A record that is due."""

    seen: RowState
    attempt: int
    tries: int
    limit_key: str | None
    error: tuple[str | None, str | None] = (None, None)
    rate_key: str = ""


class Queue:
    """The waiting records of one stage, as SQL."""

    def __init__(self, work: WorkRows, workflow: Workflow, stage: Stage, place: Placement) -> None:
        self.work, self.workflow, self.stage, self.place = work, workflow, stage, place
        self.axis = place.axis
        self.conditions, self._due_sql, self.way_back = (
            cache(self._conditions),
            cache(self._due_text),
            cache(self._waiting_rules),
        )
        self._requeued_sql = cache(self._requeued_text)
        self._window_sql, self._heads_sql, self._named_sql = (
            cache(self._window_text),
            cache(self._heads_text),
            cache(self._named_text),
        )
        self.elsewhere = self._elsewhere()

    def column(self, name: str) -> str:
        return self.place.qualified(self.place.quote(self.axis.column_name(name)))

    @property
    def source(self) -> str:
        """The table whose rows wait. What is asked of a record in another table is asked row by row, never joined: a join could be planned
        for all that waits."""
        return self.place.table_sql

    def is_one_of(self, column: str, states: Sequence[State]) -> str:
        """The column is one of these states; the driver takes a percent sign for its own unless it is doubled."""
        condition = one_of(column, states)
        return self.work.sql.escape_percent(condition)

    def scope_is(self) -> list[str]:
        return [f"{self.place.qualified(self.place.scope_sql)} = %(scope)s"] if self.place.scope_sql else []

    def is_adopted(self) -> list[str]:
        """Rows without a version are not Interlock's yet, and nobody works on them."""
        return [f"{self.place.qualified(self.place.version_sql)} IS NOT NULL"] if self.axis.adoptable else []

    def branches(self) -> list[str]:
        """A condition for each waiting state, each of them one range of an index; out of a failed state only the stage that the row
        itself names."""
        stage, status = self.stage, self.place.qualified(self.place.status_sql)
        mine = f" AND {self.is_one_of(self.column('failed_from'), [stage.declared_waiting])}"
        return [
            f"({self.is_one_of(status, [state])}{mine if state == stage.failed != stage.declared_waiting else ''})"
            for state in stage.waiting
        ]

    def waits(self) -> str:
        """In one of its waiting states."""
        return " AND ".join([f"({' OR '.join(self.branches())})", *self.is_adopted()])

    def of_record(self, expression: Any) -> str:
        """An expression as SQL; on a scoped axis one that names columns of the record is looked up by the record's key."""
        sql = condition_sql(expression, self.place.dialect, self.place.table, self.workflow.records)
        if not self.axis.scoped or not names_table(expression, self.workflow.records):
            return sql
        records = RecordTable(self.workflow, self.place.dialect)
        return (
            f"(SELECT {sql} FROM {records.table_sql} WHERE {records.table_sql}.{records.key_sql} = "
            f"{self.place.qualified(self.place.key_sql)})"
        )

    def _conditions(self) -> list[str]:
        """What only this stage asks of a record: its `only_if`, the rules on what it enters, and that the pair still exists."""
        asked = [] if self.stage.only_if is None else [self.of_record(self.stage.only_if)]
        if self.stage.running is not None:
            asked += self._rules(self.stage.running)
        if self.axis.scoped and self.axis.pairs is not None:
            pairs = self.axis.pairs.subquery("interlock_shall")
            first, second = (self.place.quote(column.name) for column in list(pairs.c)[:2])
            inner = condition_sql(self.axis.pairs, self.place.dialect)  # type: ignore[arg-type]
            # A scalar, not EXISTS: PostgreSQL may answer EXISTS for all records at once, to ask it of a few hundred.
            asked.append(
                f"(SELECT 1 FROM ({inner}) interlock_shall WHERE interlock_shall.{first} = "
                f"{self.place.qualified(self.place.key_sql)} AND interlock_shall.{second} = %(scope)s LIMIT 1) IS NOT NULL"
            )
        return [self._surely(one) for one in asked]

    def _waiting_rules(self) -> list[str]:
        """The rules on entering the state in which this stage waits."""
        return [self._surely(one) for one in self._rules(self.stage.declared_waiting)]

    def _surely(self, condition: str) -> str:
        return f"coalesce(({condition}), {self.work.sql.false})"

    def _rules(self, entered: State) -> list[str]:
        found = []
        for rule in self.workflow.rules:
            if (
                rule.target is not None
                or rule.moment != "entering"
                or rule.axis != self.axis.name
                or entered not in rule.states
            ):
                continue
            found += [self.of_record(one) for one in rule.own_row]
            for name, states in (rule.required or {}).items():
                other = Placement(self.workflow, self.workflow.axes[name], self.place.dialect)
                if other.table is self.place.table:
                    found.append(self.is_one_of(other.qualified(other.status_sql), states))
                else:
                    found.append(elsewhere_sql(self.place, other, states))
        return found

    def limit_key(self) -> str:
        if self.stage.per_key is None:
            return "NULL"
        key = self.stage.per_key[0]
        return f"CAST({self.place.quote(key) if isinstance(key, str) else self.of_record(key)} AS text)"

    def rate_column(self) -> str:
        """The column of the axis's own table by which the stage is rationed."""
        name = None if self.stage.rate_per is None else self.stage.rate_per[0]
        column = self.axis.own_column(name)
        if column is None:
            raise BadDeclaration(
                f"stage {self.stage.name}: rate_per names {name}, which is no column of {self.axis.table.name!r}"
            )
        return self.place.qualified(self.place.quote(column.name))

    def rate_key(self) -> str:
        return f"coalesce(CAST({self.rate_column()} AS text), '')"

    def window(self, tx: Connection, scope: str, limit: int) -> list[tuple[Any, str]]:
        """(record, rate key) of those that are due, in order; neither locked nor held against the rate."""
        sql = self._window_sql()
        values = {"scope": scope, "limit": limit, "actor": "coordinator", "role": None}
        return [(row[0], row[-1]) for row in self.work.run(tx, sql, values).fetchall()]

    def heads(
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

    def _heads_text(self, branch: int, from_the_beginning: bool) -> str:
        """Steps from key to key by the index of the stage's rate, and looks for what is due of each; records without a key come first."""
        column, due = self.rate_column(), self.column("ready_at")
        state = [self.branches()[branch], *self.is_adopted(), *self.scope_is(), f"{due} IS NOT NULL"]

        def following(test: str) -> str:
            where = " AND ".join([*state, f"{column} {test}"])
            return f"(SELECT {column} FROM {self.source} WHERE {where} ORDER BY {column} LIMIT 1)"

        def head(key: str, test: str) -> str:
            busy = (
                "EXISTS (SELECT 1 FROM interlock_rate WHERE interlock_rate.kind = %(kind)s AND interlock_rate.stage = %(stage)s "
                f"AND interlock_rate.key = {key} AND interlock_rate.free_at > NOW)"
            )
            return f"{key}, CASE WHEN NOT {busy} THEN ({self._first_text(state, f'{column} {test}')}) END"

        start = following("IS NOT NULL" if from_the_beginning else "> %(after)s")
        keyless = f"SELECT NULL, {head(chr(39) * 2, 'IS NULL')} UNION ALL " if from_the_beginning else ""
        return (
            f"WITH RECURSIVE turn(number, value) AS (SELECT 1, {start} UNION ALL "
            f"SELECT turn.number + 1, {following('> turn.value')} FROM turn "
            "WHERE turn.value IS NOT NULL AND turn.number < %(most)s) "
            f"{keyless}SELECT turn.value, {head('CAST(turn.value AS text)', 'BETWEEN turn.value AND turn.value')} FROM turn "
            "WHERE turn.value IS NOT NULL"
        )

    def _first_text(self, state: Sequence[str], test: str) -> str:
        """The first record of a key that is due, in the stage's order. The key is a range and comes first in the order, so that PostgreSQL
        reads the index of keys: it would expect to meet any key soon in the index of the order."""
        place, due = self.place, self.column("ready_at")
        ready = self.work.sql.is_due_in_order(due) if self.stage.order else f"{due} <= NOW"
        order = [
            (one := ordering(each, self.axis)).sql(self.of_record(one.column)) for each in self.stage.order
        ]
        return (
            f"SELECT {place.qualified(place.key_sql)} FROM {self.source} WHERE "
            f"{' AND '.join([*state, ready, test, *self._fit()])} "
            f"ORDER BY {', '.join([self.rate_column(), *order, due, place.qualified(place.key_sql)])} LIMIT 1"
        )

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

    def named(
        self, tx: Connection, scope: str, keys: Sequence[Any], but: Sequence[str] = ()
    ) -> list[Candidate]:
        """Those of these records that may be dispatched now, locked, in the order in which they are named."""
        if not keys:
            return []
        values = {
            "scope": scope,
            "limit": len(keys),
            "actor": "coordinator",
            "role": None,
            "but": list(but),
            "keys": list(keys),
        }
        rows = self.work.run(tx, self._named_sql(bool(but)), values).fetchall()
        order = {key: number for number, key in enumerate(keys)}
        return sorted(self._locked(tx, scope, rows), key=lambda one: order[one.seen.key])

    def _named_text(self, but: bool) -> str:
        place = self.place
        tests = [self.work.among(place.qualified(place.key_sql), "keys", place.key_type), *self._fit()]
        tests += self._tests_of(but)
        waits = f"({' OR '.join(self.branches())})"
        return self._branch_text(waits, tests, [f"{self.rate_key()} AS rate_key"], in_order=False)

    def _window_text(self) -> str:
        return self._queue_text(self._fit(), [f"{self.rate_key()} AS rate_key"], lock=False)

    def _tests_of(self, but: bool) -> list[str]:
        return ["NOT (" + self.work.among(f"coalesce({self.limit_key()}, '')", "but") + ")"] if but else []

    def _due_text(self, fit: bool, but: bool = False) -> str:
        return self._queue_text([*(self._fit() if fit else self._unfit()), *self._tests_of(but)])

    def _queue_text(self, tests: Sequence[str], also: Sequence[str] = (), *, lock: bool = True) -> str:
        """One question for each waiting state, in the stage's order; together they are ordered once more, a few hundred rows at most."""
        branches = self.branches()
        if len(branches) == 1:
            return self._branch_text(branches[0], tests, also, lock=lock)
        order = [ordering(one, self.axis) for one in self.stage.order]
        more = [
            *also,
            f"{self.column('ready_at')} AS due_at",
            *(f"{self.of_record(one.column)} AS o{n}" for n, one in enumerate(order)),
        ]
        parts = ", ".join(
            f"w{n} AS ({self._branch_text(one, tests, more, lock=lock)})" for n, one in enumerate(branches)
        )
        every = " UNION ALL ".join(f"SELECT * FROM w{n}" for n in range(len(branches)))
        sorted_by = ", ".join([*(one.sql(f"o{n}") for n, one in enumerate(order)), "due_at", "key"])
        names = [*_DUE, *(one.rpartition(" AS ")[2] for one in also)]
        return f"WITH {parts} SELECT {', '.join(names)} FROM ({every}) every_state ORDER BY {sorted_by} LIMIT %(limit)s"

    def _branch_text(
        self,
        branch: str,
        tests: Sequence[str],
        more: Sequence[str] = (),
        *,
        lock: bool = True,
        in_order: bool = True,
    ) -> str:
        place, due = self.place, self.column("ready_at")
        columns = [
            place.qualified(place.key_sql),
            *map(place.qualified, (place.status_sql, place.version_sql, place.head_sql)),
            self.column("attempt"),
            self.column("tries"),
            self.limit_key(),
        ]
        chosen = [f"{sql} AS {name}" for sql, name in zip(columns, _DUE, strict=True)]
        ready = self.work.sql.is_due_in_order(due) if self.stage.order else f"{due} <= NOW"
        where = [ready, branch, *self.is_adopted(), *self.scope_is(), *tests]
        order = [
            (one := ordering(each, self.axis)).sql(self.of_record(one.column)) for each in self.stage.order
        ]
        order += [due, place.qualified(place.key_sql)]
        locked = self.work.sql.lock_moving(place.table_sql) if lock else ""
        ordered = f" ORDER BY {', '.join(order)} LIMIT %(limit)s" if in_order else ""
        return f"SELECT {', '.join([*chosen, *more])} FROM {self.source} WHERE {' AND '.join(where)}{ordered}{locked}"

    def _fit(self) -> list[str]:
        return list(self.conditions())

    def _unfit(self) -> list[str]:
        """What waits for its next try stays due: in a failed state, or beside an error, no date would mean rest."""
        return [f"NOT ({' AND '.join(self.conditions())})", self.is_calm()]

    def due_text(self) -> str:
        """The statement of `due`, for one that goes on from there."""
        return str(self._due_sql(True))

    def due(self, tx: Connection, scope: str, limit: int, but: Sequence[str] = ()) -> list[Candidate]:
        """Those that may be dispatched now, in order, locked; none of the limit keys in `but`, which have no room."""
        values = {"scope": scope, "limit": limit, "actor": "coordinator", "role": None, "but": list(but)}
        return self._locked(tx, scope, self.work.run(tx, self._due_sql(True, bool(but)), values).fetchall())

    def _locked(self, tx: Connection, scope: str, rows: Sequence[Sequence[Any]]) -> list[Candidate]:
        """The rows as candidates, those left out of which a row in another table is locked by somebody else."""
        candidates = [self._candidate(row) for row in rows]
        for other in self.elsewhere if self.work.sql.has_row_locks else ():
            candidates = self._held(tx, scope, other, candidates)
        return self._with_records(tx, candidates)

    def _with_records(self, tx: Connection, found: list[Candidate]) -> list[Candidate]:
        """Where columns of the record mirror this axis, lock the records too; what somebody else holds is passed over."""
        if not found or not self.workflow.mirrors_of(self.axis.name) or not self.work.sql.has_row_locks:
            return found
        values = {"keys": [one.seen.key for one in found]}
        locked = {row[0] for row in self.work.run(tx, self.records_text("%(keys)s"), values).fetchall()}
        return [one for one in found if one.seen.key in locked]

    def records_text(self, keys: str) -> str:
        """A query that locks the records of these keys, an array in SQL, and passes over those that somebody else holds."""
        records = RecordTable(self.workflow, self.place.dialect)
        return (
            f"SELECT {records.key_sql} AS key FROM {records.table_sql} WHERE {records.key_sql} = "
            f"ANY({keys}::{self.place.key_type}[]) ORDER BY 1{self.work.sql.lock_moving(records.table_sql)}"
        )

    def _candidate(self, row: Sequence[Any]) -> Candidate:
        seen = RowState(row[0], (row[1],), (row[2],), (row[3],), ())
        return Candidate(seen, row[4], row[5], row[6], rate_key=row[7] if len(row) > 7 else "")

    def _elsewhere(self) -> list[Placement]:
        """Axes in other tables that a rule on the running state asks about."""
        names = [
            name
            for rule in self.workflow.rules
            if rule.target is None
            and rule.moment == "entering"
            and rule.axis == self.axis.name
            and self.stage.running in rule.states
            for name in rule.required or {}
        ]
        axes = [self.workflow.axes[name] for name in dict.fromkeys(names)]
        return [
            Placement(self.workflow, axis, self.place.dialect)
            for axis in axes
            if axis.table is not self.place.table
        ]

    def _held(self, tx: Connection, scope: str, other: Placement, found: list[Candidate]) -> list[Candidate]:
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

    def is_calm(self) -> str:
        return f"{self.column('error_code')} IS NULL" if self.axis.has("error_code") else "true"

    def kept_back(self, tx: Connection, scope: str, limit: int) -> list[Any]:
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
            ways.append(" AND ".join([*self._in_failed(), *self.way_back()]))
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

    def _in_failed(self) -> list[str]:
        """In the failed state, left there by this stage."""
        place, stage = self.place, self.stage
        return [
            self.is_one_of(place.qualified(place.status_sql), [stage.failed]),
            self.is_one_of(self.column("failed_from"), [stage.declared_waiting]),
            *self.is_adopted(),
        ]

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
        if self.way_back():
            at, key = after or (None, None)
            rows = self.work.run(
                tx, self._kept_sql(after is None), {**values, "after_at": at, "after": key}
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
        return self._with_records(tx, found), after

    def _kept_sql(self, from_the_beginning: bool) -> str:
        """A slice of what is due in the failed state, read without a lock, and whether each may go back."""
        place, due = self.place, self.column("ready_at")
        key = place.qualified(place.key_sql)
        where = [*self._in_failed(), f"{due} <= NOW", *self.scope_is()]
        where += [] if from_the_beginning else [f"({due}, {key}) > (%(after_at)s, %(after)s)"]
        return (
            f"SELECT {key}, {due}, {' AND '.join(self.way_back())} FROM {self.source} WHERE {' AND '.join(where)} "
            f"ORDER BY {due}, {key} LIMIT %(limit)s"
        )

    def _requeued_text(self) -> str:
        place, due = self.place, self.column("ready_at")
        key = place.qualified(place.key_sql)
        columns = [
            key,
            *map(place.qualified, (place.status_sql, place.version_sql, place.head_sql)),
            self.column("attempt"),
            self.column("tries"),
            self.column("error_code"),
            self.column("error_message"),
        ]
        where = [*self._in_failed(), f"{due} <= NOW", *self.scope_is(), *self.way_back()]
        where += [self.work.among(key, "keys", place.key_type)] if self.way_back() else []
        lock = self.work.sql.lock_moving(place.table_sql)
        return f"SELECT {', '.join(columns)} FROM {self.source} WHERE {' AND '.join(where)} ORDER BY {due}, {key} LIMIT %(limit)s{lock}"
