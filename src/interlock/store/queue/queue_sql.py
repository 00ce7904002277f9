"""The SQL of a stage's queue: which rows wait, what is asked of them, and in which order; made once for each stage."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from ...errors import BadDeclaration
from ...machine import State
from ...workflow import Stage, Workflow
from ..guarded import elsewhere_sql
from ..placement import Placement, RecordTable, condition_sql
from ..sql import one_of
from ..work.rows import WorkRows
from .ordering import names_table, ordering

DUE_COLUMNS = ("key", "old", "version", "head", "attempt", "tries", "limit_key")


class QueueSql:
    """Phrases and statements about the waiting records of one stage. Statements are kept: they are made when they are first asked for."""

    def __init__(self, work: WorkRows, workflow: Workflow, stage: Stage, place: Placement) -> None:
        self.work, self.workflow, self.stage, self.place = work, workflow, stage, place
        self.axis = place.axis
        self.conditions, self.requeue_conditions = cache(self._conditions), cache(self._waiting_rules)
        self._due_sql, self._requeued_sql = cache(self._due_text), cache(self._requeued_text)
        self._window_sql, self._named_sql = cache(self._window_text), cache(self._named_text)
        self._heads_sql = cache(self._heads_text)
        self.elsewhere = self._elsewhere()

    def column(self, name: str) -> str:
        """An engine's column of this axis, with its table."""
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
        """On a scoped axis, that the row is of the scope that is asked for."""
        return [f"{self.place.qualified(self.place.scope_sql)} = %(scope)s"] if self.place.scope_sql else []

    def is_adopted(self) -> list[str]:
        """Rows without a version are not Interlock's yet, and nobody works on them."""
        return [f"{self.place.qualified(self.place.version_sql)} IS NOT NULL"] if self.axis.adoptable else []

    def has_no_error(self) -> str:
        """The record carries no error, which would mean that it rests."""
        return f"{self.column('error_code')} IS NULL" if self.axis.has("error_code") else "true"

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
        return [self._false_if_null(one) for one in asked]

    def _waiting_rules(self) -> list[str]:
        """The rules on entering the state in which this stage waits."""
        return [self._false_if_null(one) for one in self._rules(self.stage.declared_waiting)]

    def _false_if_null(self, condition: str) -> str:
        """The condition, false where SQL would not know."""
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

    def _in_failed(self) -> list[str]:
        """In the failed state, left there by this stage."""
        place, stage = self.place, self.stage
        return [
            self.is_one_of(place.qualified(place.status_sql), [stage.failed]),
            self.is_one_of(self.column("failed_from"), [stage.declared_waiting]),
            *self.is_adopted(),
        ]

    def due_text(self) -> str:
        """The statement of `due`, for one that goes on from there."""
        return str(self._due_sql(True))

    def _due_text(self, fit: bool, excluded: bool = False) -> str:
        return self._queue_text(
            [*(self._tests_to_begin() if fit else self._tests_to_rest()), *self._tests_of_keys(excluded)]
        )

    def _named_text(self, excluded: bool) -> str:
        place = self.place
        tests = [
            self.work.among(place.qualified(place.key_sql), "keys", place.key_type),
            *self._tests_to_begin(),
        ]
        tests += self._tests_of_keys(excluded)
        waits = f"({' OR '.join(self.branches())})"
        return self._branch_text(waits, tests, [f"{self.rate_key()} AS rate_key"], in_order=False)

    def _window_text(self) -> str:
        return self._queue_text(self._tests_to_begin(), [f"{self.rate_key()} AS rate_key"], lock=False)

    def _tests_of_keys(self, excluded: bool) -> list[str]:
        return (
            ["NOT (" + self.work.among(f"coalesce({self.limit_key()}, '')", "excluded") + ")"]
            if excluded
            else []
        )

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
        names = [*DUE_COLUMNS, *(one.rpartition(" AS ")[2] for one in also)]
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
        chosen = [f"{sql} AS {name}" for sql, name in zip(columns, DUE_COLUMNS, strict=True)]
        ready = self.work.sql.is_due_in_order(due) if self.stage.order else f"{due} <= NOW"
        where = [ready, branch, *self.is_adopted(), *self.scope_is(), *tests]
        order = [
            (one := ordering(each, self.axis)).sql(self.of_record(one.column)) for each in self.stage.order
        ]
        order += [due, place.qualified(place.key_sql)]
        locked = self.work.sql.lock_moving(place.table_sql) if lock else ""
        ordered = f" ORDER BY {', '.join(order)} LIMIT %(limit)s" if in_order else ""
        return f"SELECT {', '.join([*chosen, *more])} FROM {self.source} WHERE {' AND '.join(where)}{ordered}{locked}"

    def _tests_to_begin(self) -> list[str]:
        return list(self.conditions())

    def _tests_to_rest(self) -> list[str]:
        """What waits for its next try stays due: in a failed state, or beside an error, no date would mean rest."""
        return [f"NOT ({' AND '.join(self.conditions())})", self.has_no_error()]

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
            f"{' AND '.join([*state, ready, test, *self._tests_to_begin()])} "
            f"ORDER BY {', '.join([self.rate_column(), *order, due, place.qualified(place.key_sql)])} LIMIT 1"
        )

    def _failed_due_sql(self, from_the_beginning: bool) -> str:
        """A slice of what is due in the failed state, read without a lock, and whether each may go back."""
        place, due = self.place, self.column("ready_at")
        key = place.qualified(place.key_sql)
        where = [*self._in_failed(), f"{due} <= NOW", *self.scope_is()]
        where += [] if from_the_beginning else [f"({due}, {key}) > (%(after_at)s, %(after)s)"]
        return (
            f"SELECT {key}, {due}, {' AND '.join(self.requeue_conditions())} FROM {self.source} WHERE {' AND '.join(where)} "
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
        where = [*self._in_failed(), f"{due} <= NOW", *self.scope_is(), *self.requeue_conditions()]
        where += [self.work.among(key, "keys", place.key_type)] if self.requeue_conditions() else []
        lock = self.work.sql.lock_moving(place.table_sql)
        return f"SELECT {', '.join(columns)} FROM {self.source} WHERE {' AND '.join(where)} ORDER BY {due}, {key} LIMIT %(limit)s{lock}"

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
