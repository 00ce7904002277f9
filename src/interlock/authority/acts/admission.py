"""Admits records: the row and the first entry of every axis in one step; what is there already is answered, not made twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Connection, Integer, Uuid, bindparam, select, tuple_
from sqlalchemy.schema import ColumnDefault
from sqlalchemy.types import TupleType

from ...errors import BadInput, InterlockError, RefusedByDatabase
from ...ids import random_uuid
from ...machine import State
from ...store.contract import Newcomers
from ...store.entry import EntryTemplate
from ...store.placement import Bind, RecordTable, binder
from ...store.records.plain_rows import insert_new
from ...workflow import Answer, Axis, Move, Workflow
from ...workflow.adopt import began
from ...workflow.columns.python_types import value_hint
from ..command import Asked, Command, checked_value, command, mark_shared
from ..hook_call import call_hook
from ..mover import Mover
from ..transactions.transaction import Progress

Row = Mapping[str, Any]


class Admission:
    """Makes newcomers of plain rows."""

    def __init__(self, mover: Mover) -> None:
        self.mover = mover

    def order(self, workflow: Workflow, *, actor: str, reason: str | None, key: str | None) -> Command:
        axis = next(iter(workflow.axes.values()))
        scope = axis.scopes[0] if axis.scoped else None
        return command(
            workflow,
            axis,
            axis.machine.initial,
            actor=actor,
            reason=reason,
            key=key,
            scope=scope,
            origin="admit",
            cause=f"{workflow.noun}.created",
        )

    def run(
        self, tx: Connection, order: Command, rows: Sequence[Row], numbers: list[int], now: datetime
    ) -> Progress:
        """Admit the chosen rows; a row that cannot be one is refused alone."""
        progress = Progress()
        drafts: dict[int, Draft] = {}
        columns = RecordColumns(order.workflow, self.mover)
        for number in numbers:
            try:
                drafts[number] = self._draft(order.workflow, rows[number], columns)
            except InterlockError as error:
                progress.answers[number] = Answer(
                    _id_in(order.workflow, rows[number]), "refused", error=error
                )
        self._give_ids(tx, order.workflow, [draft for draft in drafts.values() if draft.id is None])
        new = self._insert(tx, order, list(drafts.values()), now)
        self._scoped(tx, order, [draft for draft in drafts.values() if draft.key in new], now)
        first: dict[Any, int] = {}
        for number, draft in drafts.items():
            if draft.key in new:
                first.setdefault(
                    draft.key, number
                )  # the same id twice in one call: the first is the record, the second exists
        admitted = list(first.values())
        for number in admitted:
            progress.answers[number] = Answer(drafts[number].id, "admitted", None, order.to, 0)
        self._existing(
            tx, order, drafts, [number for number in drafts if number not in progress.answers], progress
        )
        self._hooks(tx, order, [drafts[number] for number in admitted], now)
        self._move_on(tx, order, drafts, admitted, progress, now)
        if admitted and order.workflow.stages:
            self.mover.transport.within(tx, "report")
            progress.wakes = True
        return progress

    def _draft(self, workflow: Workflow, row: Row, columns: RecordColumns) -> Draft:
        if not isinstance(row, Mapping):
            raise BadInput(
                f"a record is a mapping of column names to values, not {type(row).__name__}",
                hint='Write admit("orders", {"customer": "Ann"}); admit_many takes a list of them.',
            )
        wishes: dict[str, State] = {}
        values: dict[str, Any] = {}
        for name, value in row.items():
            if name in workflow.axes and not workflow.axes[name].scoped:
                wishes[name] = workflow.axes[name].machine.resolve(value) if value is not None else None
            elif name not in columns.binds:
                names = ", ".join(sorted(set(columns.binds) - columns.kept))
                raise BadInput(f"{workflow.name} has no column {name!r}", hint=f"It has {names}.")
            elif name in columns.kept:
                raise BadInput(
                    f"{name!r} is kept by Interlock and cannot be given", hint="Leave it out of the row."
                )
            else:
                values[name] = checked_value(name, value)
        for column in columns.defaults:
            if column.name not in values:
                values[column.name] = default_of(column)
        return Draft(workflow, values, wishes, columns)

    def _give_ids(self, tx: Connection, workflow: Workflow, drafts: list[Draft]) -> None:
        if not drafts:
            return
        column = workflow.id_column
        if isinstance(column.type, Integer):
            table = RecordTable(workflow, self.mover.database.dialect)
            for draft, id in zip(drafts, self.mover.engine.fresh_ids(tx, table, len(drafts)), strict=True):
                draft.id = id
        elif isinstance(column.type, Uuid):
            for draft in drafts:
                draft.id = random_uuid() if column.type.as_uuid else str(random_uuid())
        else:
            raise BadInput(f"{workflow.name} needs an id: its column {column.name!r} has no default")

    def _insert(self, tx: Connection, order: Command, drafts: list[Draft], now: datetime) -> set[Any]:
        """Insert the record rows, grouped by the columns they give."""
        axes = [axis for axis in order.workflow.axes.values() if axis.table is order.workflow.records]
        if not axes:
            return self._stateless(tx, order.workflow, drafts)
        state = self._state(tx, order.workflow, axes, now)
        groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for draft in drafts:
            row = {**draft.bound(), **state}
            groups.setdefault(tuple(row), []).append(row)
        found: set[Any] = set()
        for columns, rows in groups.items():
            found |= self._newcomers(tx, order, axes, columns, rows, now)
        return found

    def _stateless(self, tx: Connection, workflow: Workflow, drafts: list[Draft]) -> set[Any]:
        """All state is in scoped rows, which follow; the record itself is a row like any other."""
        name = workflow.id_column.name
        groups: dict[tuple[str, ...], dict[Any, Draft]] = {}
        for draft in drafts:
            draft.bound()  # refuses what is not the column's, in our own words
            groups.setdefault(tuple(draft.values), {}).setdefault(draft.id, draft)
        found: set[Any] = set()
        for some in groups.values():
            new = insert_new(tx, workflow, [{name: id, **draft.values} for id, draft in some.items()])
            found |= {draft.key for id, draft in some.items() if id in new}
        return found

    def _state(self, tx: Connection, workflow: Workflow, axes: list[Axis], now: datetime) -> dict[str, Any]:
        """The engine's values of a fresh row."""
        dialect = self.mover.database.dialect
        values: dict[str, Any] = {}
        for axis in axes:
            initial = axis.machine.initial
            change = self.mover.effects(workflow, axis, None, initial, "admit")
            values |= {axis.name: initial, axis.column_name("version"): 0}
            values |= {column: binder(axis.table.c[column], dialect)(now) for column in change.now}
            if change.later:
                begin = self.mover.ask_clock(tx, now)
                values |= {
                    column: binder(axis.table.c[column], dialect)(begin + length)
                    for column, length in change.later
                }
            values |= dict(change.constants)
        return values

    def _newcomers(
        self,
        tx: Connection,
        order: Command,
        axes: list[Axis],
        columns: tuple[str, ...],
        rows: list[dict[str, Any]],
        now: datetime,
    ) -> set[Any]:
        places = tuple(self.mover.plans.place(order.workflow, axis) for axis in axes)
        templates = tuple(
            EntryTemplate(
                order.kind,
                axis.name,
                None,
                axis.machine.initial,
                now,
                order.actor,
                order.role,
                order.cause,
                "admit",
                axis.machine.fingerprint[:16],
                order.detail if number == 0 else None,
            )
            for number, axis in enumerate(axes)
        )
        return self.mover.engine.admit(tx, Newcomers(places, templates, columns, rows, now))

    def _scoped(self, tx: Connection, order: Command, drafts: list[Draft], now: datetime) -> None:
        """The state rows of scoped axes: the pairs that shall exist, or every scope."""
        for axis in order.workflow.axes.values():
            if not axis.scoped or not drafts:
                continue
            state = self._state(tx, order.workflow, [axis], now)
            pairs = self._pairs(tx, axis, drafts)
            copies = self._copies(tx, order.workflow, axis, {draft.key: draft.id for draft in drafts})
            wanted = [
                {
                    axis.key: key,
                    axis.scope_column: scope,
                    **self._defaults(axis, state),
                    **state,
                    **copies.get(key, {}),
                }
                for key, scope in pairs
            ]
            if wanted:
                self._begin_scopes(tx, order, axis, wanted, now)

    def _begin_scopes(
        self, tx: Connection, order: Command, axis: Axis, rows: list[dict[str, Any]], now: datetime
    ) -> int:
        """Insert state rows of a scoped axis, and call the hooks of its first state for those that were not there; how many those are."""
        new = self._newcomers(tx, order, [axis], tuple(rows[0]), rows, now)
        self.mover.mirrors.keep(tx, order.workflow, axis.name, sorted({key for key, _ in new}))
        place = self.mover.plans.place(order.workflow, axis)
        self._call_hooks(
            tx, order, axis, [(place.id_of(key), scope) for key, scope in sorted(new, key=str)], now
        )
        return len(new)

    def adopt_beside(
        self,
        tx: Connection,
        workflow: Workflow,
        axis: Axis,
        template: EntryTemplate,
        rows: Sequence[tuple[Any, str, Mapping[str, Any]]],
        now: datetime,
    ) -> int:
        """State rows beside records that were there before Interlock: (key, scope, values of columns), all alike in the template's state.
        Mirrored columns and hooks are left alone; how many rows were not there."""
        place, dialect = self.mover.plans.place(workflow, axis), self.mover.database.dialect
        change = began(workflow, axis, template.new)
        state: dict[str, Any] = {axis.name: template.new, axis.column_name("version"): 0, **change.constants}
        state |= {column: binder(axis.table.c[column], dialect)(now) for column in change.now}
        if change.later:
            begin = self.mover.ask_clock(tx, now)
            state |= {
                column: binder(axis.table.c[column], dialect)(begin + length)
                for column, length in change.later
            }
        copies = self._copies(tx, workflow, axis, {key: place.check_id(key) for key, _, _ in rows})
        defaults = self._defaults(axis, state)
        made = [
            {
                axis.key: key,
                axis.scope_column: scope,
                **defaults,
                **state,
                **copies.get(key, {}),
                **{column: binder(axis.table.c[column], dialect)(value) for column, value in values.items()},
            }
            for key, scope, values in rows
        ]
        return len(self.mover.engine.admit(tx, Newcomers((place,), (template,), tuple(made[0]), made, now)))

    def complete(
        self,
        tx: Connection,
        workflow: Workflow,
        axis: Axis,
        wanted: Sequence[tuple[Any, str]],
        now: datetime,
        *,
        actor: str = "coordinator",
        reason: str | None = None,
    ) -> int:
        """Make the state rows of records that are there already: pairs that came to exist later; how many were not there."""
        order = self.order(workflow, actor=actor, reason=reason, key=None)
        self.mover.mirrors.lock(tx, workflow, [axis.name], sorted({key for key, _ in wanted}))
        place = self.mover.plans.place(workflow, axis)
        wanted = self._absent(tx, axis, {key: place.check_id(key) for key, _ in wanted}, wanted)
        if not wanted:
            return 0
        state = self._state(tx, workflow, [axis], now)
        copies = self._copies(tx, workflow, axis, {key: place.check_id(key) for key, _ in wanted})
        rows = [
            {
                axis.key: key,
                axis.scope_column: scope,
                **self._defaults(axis, state),
                **state,
                **copies.get(key, {}),
            }
            for key, scope in wanted
        ]
        return self._begin_scopes(tx, order, axis, rows, now)

    def _absent(
        self, tx: Connection, axis: Axis, ids: Mapping[Any, Any], wanted: Sequence[tuple[Any, str]]
    ) -> list[tuple[Any, str]]:
        """The pairs without a state row; others may have made some since they were looked for."""
        key, scope = axis.table.c[axis.key], axis.table.c[axis.scope_column]
        chosen, there = list(ids.values()), set[tuple[str, str]]()
        for start in range(0, len(chosen), 500):
            rows = tx.execute(select(key, scope).where(key.in_(chosen[start : start + 500])))
            there.update((str(id), name) for id, name in rows)
        return [(one, name) for one, name in wanted if (str(ids[one]), name) not in there]

    def _copies(
        self, tx: Connection, workflow: Workflow, axis: Axis, ids: Mapping[Any, Any]
    ) -> dict[Any, dict[str, Any]]:
        """What the axis copies from these records, whose rows are there already; by the key that the driver takes."""
        if not axis.copies:
            return {}
        dialect, id_column = self.mover.database.dialect, workflow.id_column
        binders = {name: binder(axis.table.c[name], dialect) for name in axis.copies}
        keys = {id: key for key, id in ids.items()}
        copies: dict[Any, dict[str, Any]] = {}
        chosen = list(keys)
        for start in range(0, len(chosen), 500):
            asked = select(id_column, *axis.copies.values()).where(id_column.in_(chosen[start : start + 500]))
            for id, *values in tx.execute(asked):
                copies[keys[id]] = {
                    name: binders[name](value) for name, value in zip(axis.copies, values, strict=True)
                }
        return copies

    def _defaults(self, axis: Axis, state: Mapping[str, Any]) -> dict[str, Any]:
        dialect = self.mover.database.dialect
        return {
            column.name: binder(column, dialect)(default_of(column))
            for column in axis.table.c
            if column.name not in (axis.key, axis.scope_column, *state)
            and isinstance(column.default, ColumnDefault)
        }

    def _pairs(self, tx: Connection, axis: Axis, drafts: list[Draft]) -> list[tuple[Any, str]]:
        if axis.pairs is None:
            return [(draft.key, scope) for draft in drafts for scope in axis.scopes]
        shall = axis.pairs.subquery()
        first, second = list(shall.c)[:2]
        keys = {draft.id: draft.key for draft in drafts}
        found = []
        ids = list(keys)
        for start in range(0, len(ids), 500):
            rows = tx.execute(select(first, second).where(first.in_(ids[start : start + 500])).distinct())
            found += [(keys[id], scope) for id, scope in rows if scope in axis.scopes]
        return found

    def _existing(
        self,
        tx: Connection,
        order: Command,
        drafts: Mapping[int, Draft],
        numbers: list[int],
        progress: Progress,
    ) -> None:
        """Find the records that were there first, by natural key or by id."""
        workflow = order.workflow
        names = workflow.unique or (workflow.id_column.name,)
        columns = [workflow.records.c[name] for name in names]
        found: dict[tuple[str, ...], Any] = {}
        for start in range(0, len(numbers), 200):
            keys = [
                tuple(drafts[number].value(name) for name in names) for number in numbers[start : start + 200]
            ]
            # Of the columns' types: SQLAlchemy would take those of the first values that it ever meets here.
            among = bindparam(None, keys, expanding=True, type_=TupleType(*(one.type for one in columns)))
            for row in tx.execute(select(workflow.id_column, *columns).where(tuple_(*columns).in_(among))):
                found[tuple(map(str, row[1:]))] = row[0]
        for number in numbers:
            draft = drafts[number]
            values = [draft.value(name) for name in names]
            id = found.get(tuple(map(str, values)))
            if id is None and workflow.unique and None not in values:
                # One value may be written in several ways, 12.5 and 12.50, or in two time zones: the database decides.
                same = [column == value for column, value in zip(columns, values, strict=True)]
                id = tx.execute(select(workflow.id_column).where(*same)).scalar()
            if id is None and workflow.unique:
                id = tx.execute(select(workflow.id_column).where(workflow.id_column == draft.id)).scalar()
            error = (
                None
                if id is not None
                else RefusedByDatabase(f"{workflow.name}: another record already has one of these values")
            )
            progress.answers[number] = Answer(
                draft.id if id is None else id, "exists" if error is None else "refused", error=error
            )

    def _hooks(self, tx: Connection, order: Command, drafts: list[Draft], now: datetime) -> None:
        for axis in order.workflow.axes.values():
            if not axis.scoped:  # hooks of scoped axes were called when their rows began
                self._call_hooks(tx, order, axis, [(draft.id, None) for draft in drafts], now)

    def _call_hooks(
        self,
        tx: Connection,
        order: Command,
        axis: Axis,
        begun: Sequence[tuple[Any, str | None]],
        now: datetime,
    ) -> None:
        """Call the hooks of the axis's first state for these (id, scope)."""
        hooks = [hook for hook in order.workflow.hooks if hook.wants(axis.name, axis.machine.initial)]
        if hooks and begun:
            moves = [
                Move(
                    order.kind,
                    id,
                    axis.name,
                    scope,
                    0,
                    None,
                    axis.machine.initial,
                    order.actor,
                    None,
                    order.reason,
                    order.cause,
                    {},
                    now,
                    "admit",
                )
                for id, scope in begun
            ]
            for hook in hooks:
                call_hook(hook.function, tx, moves)

    def _move_on(
        self,
        tx: Connection,
        order: Command,
        drafts: Mapping[int, Draft],
        numbers: list[int],
        progress: Progress,
        now: datetime,
    ) -> None:
        """A row that named an axis begins in the first state and is moved from there, as legally as any other."""
        wishes: dict[tuple[str, State], list[int]] = {}
        for number in numbers:
            for name, state in drafts[number].wishes.items():
                if state != order.workflow.axes[name].machine.initial:
                    wishes.setdefault((name, state), []).append(number)
        for (name, state), chosen in wishes.items():
            axis = order.workflow.axes[name]
            onward = mark_shared(
                command(
                    order.workflow, axis, state, actor=order.actor, reason=order.reason, cause=order.cause
                ),
                len(chosen),
            )
            wanted = {number: Asked(drafts[number].id, drafts[number].key) for number in chosen}
            inner = self.mover.run(
                tx,
                onward,
                [wanted.get(number, Asked(None, None)) for number in range(max(chosen) + 1)],
                chosen,
                now,
            )
            for number in chosen:
                answer, before = inner.answers[number], progress.answers[number]
                if answer.error is not None:
                    raise answer.error
                new, version = (
                    (answer.new, answer.version) if axis is order.axis else (before.new, before.version)
                )
                progress.answers[number] = Answer(
                    before.id, "admitted", None, new, version, before.driven + answer.driven
                )


class RecordColumns:
    """What is the same for every row of a batch: the columns of the record table and how their values are bound."""

    def __init__(self, workflow: Workflow, mover: Mover) -> None:
        dialect, table = mover.database.dialect, workflow.records
        self.kept = workflow.engine_columns(table)
        mirrored = {name for mirror in workflow.mirrors for name in mirror.columns}
        self.id_name = workflow.id_column.name
        self.place = mover.plans.place(workflow, next(iter(workflow.axes.values())))
        self.bind_id = self.place.key_bind
        self.binds: dict[str, Bind | None] = {
            column.name: None
            if isinstance(column.type, JSON) and mover.database.sql.admits_json
            else binder(column, dialect)
            for column in table.columns
        }
        self.defaults = [
            column
            for column in table.columns
            if column.name not in self.kept - mirrored and isinstance(column.default, ColumnDefault)
        ]


class Draft:
    """One row on its way to becoming a record."""

    __slots__ = ("_id", "columns", "key", "values", "wishes", "workflow")

    def __init__(
        self, workflow: Workflow, values: dict[str, Any], wishes: Mapping[str, State], columns: RecordColumns
    ) -> None:
        self.workflow, self.values, self.wishes, self.columns = workflow, values, wishes, columns
        self._id: Any = None
        self.key: Any = None
        given = values.pop(columns.id_name, None)
        if given is not None:
            self.id = given

    @property
    def id(self) -> Any:
        return self._id

    @id.setter
    def id(self, value: Any) -> None:
        self._id = self.columns.place.check_id(value)
        self.key = self.columns.bind_id(self._id)

    def value(self, name: str) -> Any:
        return self._id if name == self.columns.id_name else self.values.get(name)

    def bound(self) -> dict[str, Any]:
        """The row as the driver takes it."""
        found, binds = {self.columns.id_name: self.key}, self.columns.binds
        for name, value in self.values.items():
            bind = binds[name]
            try:
                found[name] = value if bind is None else bind(value)
            except (
                TypeError,
                ValueError,
                AttributeError,
            ) as error:  # types say in their own ways that a value is not theirs
                raise BadInput(
                    f"{name!r} cannot be {value!r}"[:300] + f": {error}",
                    hint=value_hint(self.workflow.records.c[name]),
                ) from error
        return found


def default_of(column: Column[Any]) -> Any:
    """A column's Python-side default."""
    default = column.default
    assert isinstance(default, ColumnDefault)
    return default.arg(None) if default.is_callable else default.arg


def _id_in(workflow: Workflow, row: Any) -> Any:
    return row.get(workflow.id_column.name) if isinstance(row, Mapping) else None
