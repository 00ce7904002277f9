"""What waits for a stage: the waiting state is the queue, read in the stage's own order and locked for its dispatcher."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection

from ..machine import State
from ..workflow import Stage, Workflow
from .contract import Seen
from .guarded import elsewhere_sql
from .placement import Placement, condition_sql
from .sql import one_of, text
from .work import WorkRows


class Candidate(NamedTuple):
    """A record that is due."""

    seen: Seen
    attempt: int
    tries: int
    limit_key: str | None
    error: tuple[str | None, str | None] = (None, None)


class Queue:
    """The waiting records of one stage, as SQL."""

    def __init__(self, work: WorkRows, workflow: Workflow, stage: Stage, place: Placement) -> None:
        self.work, self.workflow, self.stage, self.place = work, workflow, stage, place
        self.axis = place.axis
        self.conditions, self._due_sql, self.way_back = cache(self._conditions), cache(self._due_text), cache(self._way_back)
        self._requeued_sql, self._astray_sql = cache(self._requeued_text), cache(self._astray_texts)
        self.elsewhere = self._elsewhere()

    def column(self, name: str) -> str:
        return self.place.qualified(self.place.quote(self.axis.column_name(name)))

    @property
    def source(self) -> str:
        """A scoped axis lives beside its records, whose columns the stage's order and conditions may name."""
        if not self.axis.scoped:
            return self.place.table_sql
        prepare = self.place.dialect.identifier_preparer
        records = prepare.format_table(self.workflow.records)
        key = prepare.quote(self.workflow.id_column.name)
        return f"{self.place.table_sql} JOIN {records} ON {records}.{key} = {self.place.qualified(self.place.key_sql)}"

    def is_one_of(self, column: str, states: Sequence[State]) -> str:
        """The column is one of these states; the driver takes a percent sign for its own unless it is doubled."""
        said = one_of(column, states)
        return said if self.work.sqlite else said.replace("%", "%%")

    def _scope(self) -> list[str]:
        return [f"{self.place.qualified(self.place.scope_sql)} = %(scope)s"] if self.place.scope_sql else []

    def waits(self) -> str:
        """In one of its waiting states; out of a failed state only the stage that the row itself says it left."""
        stage, status = self.stage, self.place.qualified(self.place.status_sql)
        plain = [state for state in stage.waiting if state != stage.failed or stage.failed == stage.declared_waiting]
        ways = [self.is_one_of(status, plain)] if plain else []
        if len(plain) < len(stage.waiting):
            mine = self.is_one_of(self.column("failed_from"), [stage.declared_waiting])
            ways.append(f"({self.is_one_of(status, [stage.failed])} AND {mine})")
        return f"({' OR '.join(ways)})"

    def _conditions(self) -> list[str]:
        """What only this stage asks of a record: its `only_if`, the rules on what it enters, and that the pair still exists."""
        found = [] if self.stage.only_if is None else [self._condition(self.stage.only_if)]
        if self.stage.running is not None:
            found += self._rules(self.stage.running)
        if self.axis.scoped and self.axis.pairs is not None:
            shall = self.axis.pairs.subquery("interlock_shall")
            first, second = (self.place.quote(column.name) for column in list(shall.c)[:2])
            inner = condition_sql(self.axis.pairs, self.place.dialect)  # type: ignore[arg-type]
            found.append(f"EXISTS (SELECT 1 FROM ({inner}) interlock_shall WHERE interlock_shall.{first} = "
                         f"{self.place.qualified(self.place.key_sql)} AND interlock_shall.{second} = %(scope)s)")
        return [self._surely(one) for one in found]

    def _condition(self, declared: Any) -> str:
        return condition_sql(declared, self.place.dialect, self.place.table, self.workflow.records)

    def _way_back(self) -> list[str]:
        """The rules on entering the state in which this stage waits."""
        return [self._surely(one) for one in self._rules(self.stage.declared_waiting)]

    def _surely(self, condition: str) -> str:
        return f"coalesce(({condition}), {'0' if self.work.sqlite else 'false'})"

    def _rules(self, entered: State) -> list[str]:
        found = []
        for rule in self.workflow.rules:
            if rule.target is not None or rule.moment != "entering" or rule.axis != self.axis.name or entered not in rule.states:
                continue
            found += [self._condition(one) for one in rule.own_row]
            for name, states in (rule.required or {}).items():
                other = Placement(self.workflow, self.workflow.axes[name], self.place.dialect)
                if other.table is self.place.table:
                    found.append(self.is_one_of(other.qualified(other.status_sql), states))
                else:
                    found.append(elsewhere_sql(self.place, other, states))
        return found

    def _limit_key(self) -> str:
        if self.stage.per_key is None:
            return "NULL"
        key = self.stage.per_key[0]
        return f"CAST({self.place.quote(key) if isinstance(key, str) else condition_sql(key, self.place.dialect)} AS text)"

    def _due_text(self, fit: bool, but: bool = False) -> str:
        place, due = self.place, self.column("ready_at")
        columns = [place.qualified(place.key_sql), *map(place.qualified, (place.status_sql, place.version_sql, place.head_sql)),
                   self.column("attempt"), self.column("tries"), self._limit_key()]
        asked = self.conditions()
        # What waits for its next try stays due: in a failed state, or beside an error, no date would mean rest.
        tests = asked if fit else [f"NOT ({' AND '.join(asked)})", self._calm()]
        where = [f"{due} <= NOW", self.waits(), *self._scope(), *tests]
        where += ["NOT (" + self.work.among(f"coalesce({self._limit_key()}, '')", "but") + ")"] if but else []
        order = [condition_sql(one, place.dialect) for one in self.stage.order]
        order += [due, place.qualified(place.key_sql)]
        lock = "" if self.work.sqlite else f" FOR NO KEY UPDATE OF {place.table_sql} SKIP LOCKED"
        return (f"SELECT {', '.join(columns)} FROM {self.source} WHERE {' AND '.join(where)} ORDER BY {', '.join(order)} "
                f"LIMIT %(limit)s{lock}")

    def due_text(self) -> str:
        """The statement of `due`, for one that goes on from there."""
        return str(self._due_sql(True))

    def due(self, tx: Connection, scope: str, limit: int, but: Sequence[str] = ()) -> list[Candidate]:
        """Those that may be dispatched now, in order, locked; none of the limit keys in `but`, which have no room."""
        values = {"scope": scope, "limit": limit, "actor": "coordinator", "role": None, "but": list(but)}
        rows = self.work.run(tx, self._due_sql(True, bool(but)), values).fetchall()
        found = [Candidate(Seen(row[0], (row[1],), (row[2],), (row[3],), ()), row[4], row[5], row[6]) for row in rows]
        for other in () if self.work.sqlite else self.elsewhere:
            found = self._held(tx, scope, other, found)
        return found

    def _elsewhere(self) -> list[Placement]:
        """Axes in other tables that a rule on the running state asks about."""
        names = [name for rule in self.workflow.rules if rule.target is None and rule.moment == "entering" and rule.axis == self.axis.name
                 and self.stage.running in rule.states for name in rule.required or {}]
        axes = [self.workflow.axes[name] for name in dict.fromkeys(names)]
        return [Placement(self.workflow, axis, self.place.dialect) for axis in axes if axis.table is not self.place.table]

    def _held(self, tx: Connection, scope: str, other: Placement, found: list[Candidate]) -> list[Candidate]:
        """Lock the rows that a rule asks about as well; what somebody else holds is passed over, never waited for: locked in this order,
        a scope row before its record, waiting could be for ever."""
        if not found:
            return found
        mine = f" AND {other.scope_sql} = %(scope)s" if other.scope_sql and self.place.scope_sql else ""
        asked = f"SELECT {other.key_sql} FROM {other.table_sql} WHERE {self.work.among(other.key_sql, 'keys', other.key_type)}{mine}"
        values = {"keys": [one.seen.key for one in found], "scope": scope}
        locked = Counter(row[0] for row in self.work.run(tx, f"{asked} FOR SHARE SKIP LOCKED", values).fetchall())
        every = Counter(row[0] for row in self.work.run(tx, asked, values).fetchall()) if other.scope_sql and not mine else locked
        return [one for one in found if locked[one.seen.key] and locked[one.seen.key] == every[one.seen.key]]

    def _calm(self) -> str:
        return f"{self.column('error_code')} IS NULL" if self.axis.has("error_code") else "true"

    def kept_back(self, tx: Connection, scope: str, limit: int) -> list[Any]:
        """Those that are due but whom a condition keeps here: they rest, until an amendment or the sweep looks again."""
        if not self.conditions():
            return []
        rows = self.work.run(tx, self._due_sql(False), {"scope": scope, "limit": limit, "actor": "coordinator", "role": None}).fetchall()
        return [row[0] for row in rows]

    def rest(self, tx: Connection, scope: str, keys: Sequence[Any], ready: datetime | None) -> None:
        """Set or clear when these are due; no move, so no entry."""
        if keys:
            place, due = self.place, self.place.quote(self.axis.column_name("ready_at"))
            where = [self.work.among(place.key_sql, "keys", place.key_type)]
            where += [f"{place.scope_sql} = %(scope)s"] if place.scope_sql else []
            if ready is not None:  # what was found unseen may have been seen meanwhile
                where += [self.is_one_of(place.status_sql, [self.stage.declared_waiting]), f"{due} IS NULL"]
            self.work.run(tx, f"UPDATE {place.table_sql} SET {due} = %(ready)s WHERE {' AND '.join(where)}",
                          {"keys": list(keys), "scope": scope, "ready": None if ready is None else self.work.timing.bound(ready)})

    def postpone(self, tx: Connection, scope: str, keys: Sequence[Any], until: datetime) -> None:
        """What cannot begin now is due later, and stands before nobody until then."""
        place, due = self.place, self.place.quote(self.axis.column_name("ready_at"))
        scoped = f" AND {place.scope_sql} = %(scope)s" if place.scope_sql else ""
        self.work.run(tx, f"UPDATE {place.table_sql} SET {due} = %(until)s WHERE {self.work.among(place.key_sql, 'keys', place.key_type)} "
                          f"AND {due} IS NOT NULL{scoped}", {"keys": list(keys), "scope": scope, "until": self.work.timing.bound(until)})

    def oldest(self, tx: Connection, at: datetime) -> dict[str, tuple[Any, Any]]:
        """By scope: since when the longest has been due, and the longest of those that wait for another try; for those who watch."""
        place, due, stage = self.place, self.column("ready_at"), self.stage
        ways = [self.waits()]
        if stage.failed is not None and stage.failed not in stage.waiting and stage.retry:  # the sweep brings these back
            mine = self.is_one_of(self.column("failed_from"), [stage.declared_waiting])
            ways.append(f"({self.is_one_of(place.qualified(place.status_sql), [stage.failed])} AND {mine})")
        scope = place.qualified(place.scope_sql) if place.scope_sql else "''"
        rows = self.work.run(tx, f"SELECT {scope}, min({due}), min(CASE WHEN {self.column('tries')} > 0 THEN {due} END) "
                                 f"FROM {place.table_sql} WHERE {due} <= NOW AND ({' OR '.join(ways)}) GROUP BY 1", {}, at).fetchall()
        return {row[0]: (row[1], row[2]) for row in rows}

    def standing(self, tx: Connection, scope: str, keys: Sequence[Any]) -> dict[Any, tuple[int, int, Any]]:
        """(attempt, tries, since when in its state) of these records."""
        place = self.place
        where = [self.work.among(place.key_sql, "keys", place.key_type), *([f"{place.scope_sql} = %(scope)s"] if place.scope_sql else [])]
        rows = self.work.run(tx, f"SELECT {place.key_sql}, {self.column('attempt')}, {self.column('tries')}, {self.column('since')} "
                                 f"FROM {place.table_sql} WHERE {' AND '.join(where)}", {"keys": list(keys), "scope": scope}).fetchall()
        return {row[0]: (row[1], row[2], row[3]) for row in rows}

    def requeued(self, tx: Connection, scope: str, limit: int) -> list[Candidate]:
        """In the failed state, not to rest there: due to go back to where this stage waits. What a rule keeps from going back stays due,
        and is passed over: it must not stand before all others."""
        values = {"scope": scope, "limit": limit, "actor": "coordinator", "role": None}
        return [Candidate(Seen(row[0], (row[1],), (row[2],), (row[3],), ()), row[4], row[5], None, (row[6], row[7]))
                for row in self.work.run(tx, self._requeued_sql(), values).fetchall()]

    def _requeued_text(self) -> str:
        place, due, stage = self.place, self.column("ready_at"), self.stage
        columns = [place.qualified(place.key_sql), *map(place.qualified, (place.status_sql, place.version_sql, place.head_sql)),
                   self.column("attempt"), self.column("tries"), self.column("error_code"), self.column("error_message")]
        where = [self.is_one_of(place.qualified(place.status_sql), [stage.failed]), f"{due} <= NOW", *self._scope(),
                 self.is_one_of(self.column("failed_from"), [stage.declared_waiting]), *self.way_back()]
        lock = "" if self.work.sqlite else f" FOR NO KEY UPDATE OF {place.table_sql} SKIP LOCKED"
        return (f"SELECT {', '.join(columns)} FROM {self.source} WHERE {' AND '.join(where)} "
                f"ORDER BY {due}, {place.qualified(place.key_sql)} LIMIT %(limit)s{lock}")

    def astray(self, tx: Connection, scope: str, after: Any, limit: int) -> tuple[list[Candidate], list[Any], Any]:
        """A slice of the table by id, as a plain read: rows that run without a work row, rows that wait without being due although
        nothing keeps them, and where the next slice begins (None: at the beginning again)."""
        place = self.place
        values = {"scope": scope, "limit": limit, "after": after, "kind": place.kind, "axis": place.name, "actor": "coordinator",
                  "role": None}
        slice, running, waiting = self._astray_sql(after is None)
        top, size = self.work.run(tx, slice, values).fetchone()
        if top is None:
            return [], [], None
        values["top"] = top
        found = [] if running is None else [
            Candidate(Seen(row[0], (row[1],), (row[2],), (row[3],), ()), row[4], row[5], row[6])
            for row in self.work.run(tx, running, values).fetchall()]
        return found, [row[0] for row in self.work.run(tx, waiting, values).fetchall()], top if size == limit else None

    def _astray_texts(self, from_the_beginning: bool) -> tuple[str, str | None, str]:
        """What asks for the slice, for those of it that run, where the stage has a running state, and for those that wait."""
        place, stage = self.place, self.stage
        key, status = place.qualified(place.key_sql), place.qualified(place.status_sql)
        edge = ("" if from_the_beginning else f"{key} > %(after)s AND ") + "".join(f"{one} AND " for one in self._scope())
        slice = (f"WITH slice AS (SELECT {key} AS k FROM {place.table_sql} WHERE {edge}true ORDER BY {key} LIMIT %(limit)s) "
                 "SELECT (SELECT k FROM slice ORDER BY k DESC LIMIT 1), count(*) FROM slice")  # not max(): PostgreSQL has none for UUIDs
        inside, calm = f"{edge}{key} <= %(top)s", self._calm()
        idle = ("NOT EXISTS (SELECT 1 FROM interlock_work w WHERE w.record_id = CAST(" + key + " AS text) AND w.kind = %(kind)s "
                f"AND w.axis = %(axis)s AND w.scope = {'%(scope)s' if place.scope_sql else text('')})")
        columns = ", ".join([key, *map(place.qualified, (place.status_sql, place.version_sql, place.head_sql)), self.column("attempt"),
                             self.column("tries"), self._limit_key()])
        resting = f" AND {calm}" if stage.failed is None and stage.terminal is None else ""
        running = None if stage.running is None else (
            f"SELECT {columns} FROM {self.source} WHERE {inside} AND {self.is_one_of(status, [stage.running])} AND {idle}{resting} "
            f"ORDER BY {key}")
        fit = " AND ".join(["true", *self.conditions()])
        waiting = (f"SELECT {key} FROM {self.source} WHERE {inside} AND {self.column('ready_at')} IS NULL "
                   f"AND {self.is_one_of(status, [stage.declared_waiting])} AND {calm} AND {idle} AND {fit} ORDER BY {key}")
        return slice, running, waiting
