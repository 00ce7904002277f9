"""A workflow: one record kind, its axes, the rules between them, its stages, gates and hooks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from os import PathLike
from typing import Any

from sqlalchemy import Column, ColumnElement, MetaData, Table
from sqlalchemy.exc import NoSuchTableError

from ..errors import BadDeclaration, UnknownKind
from ..machine import State
from ..machine.suggest import did_you_mean
from .axis import WORK_COLUMNS, Axis
from .checks.freezing import Freezable, refuse_change
from .checks.mirrors import mirrored_columns, refuse_unfit, refuse_unknown_alike, scoped_axis
from .checks.options import (
    refuse_all_but_states,
    refuse_bare,
    refuse_options,
    refuse_parts,
    refuse_states_by_position,
    refuse_uncallable,
    refuse_unknown_states,
    refuse_workflow_names,
    short,
)
from .checks.problem import nearest
from .columns.mirror import Mirror, MirrorFunction
from .durations import Span, rate_of_column, span
from .durations import rate as read_rate
from .extension import Extension
from .outcome import Failed
from .rules import Rule, States, several
from .schedule import Schedule, ScheduledFunction, Ticks, ticks_of
from .stage import (
    Function,
    Gate,
    GateDecorator,
    Hook,
    HookFunction,
    RefusalHook,
    RemovedHook,
    RetryIn,
    Stage,
    StageDecorator,
    StageFunction,
)
from .surfaces.view import View

NO_EXTENSION = Extension()


_MISSING: Any = object()
"""Stands for an option that was left out, where None is a value."""


class Workflow(Freezable):
    """What a team declares about one kind of record; final from the moment an App is made from it."""

    set_later = ("_records",)

    def __init__(
        self,
        name: str,
        *,
        records: Any,
        axes: Sequence[Axis],
        rules: Sequence[Rule] = (),
        noun: str | None = None,
        unique: Sequence[Any] = (),
        frozen: Sequence[Table] = (),
        tables: Sequence[Table] = (),
        views: Sequence[View] = (),
        amendable: Sequence[Any] | None = None,
        kept_when_erased: Sequence[Any] = (),
        create: bool = True,
        extension: Extension = NO_EXTENSION,
    ) -> None:
        refuse_workflow_names(name, noun)
        refuse_parts(
            name,
            {
                "axes": axes,
                "rules": rules,
                "unique": unique,
                "frozen": frozen,
                "tables": tables,
                "views": views,
                "amendable": () if amendable is None else amendable,
                "kept_when_erased": kept_when_erased,
            },
        )
        _refuse_axes(name, axes)
        self.name, self.noun = name, noun or name
        self.rules, self.frozen, self.create = tuple(rules), tuple(frozen), create
        self.tables = tuple(tables)  # what else is made with the records: tables that stages and hooks write
        self.views = tuple(views)
        self.axes: dict[str, Axis] = {axis.name: axis for axis in axes}
        if len(self.axes) != len(axes):
            raise BadDeclaration(
                f"workflow {name!r} has two axes of the same name",
                hint='Name each after its column: Axis("status", …), Axis("billing", …).',
            )
        self._unique = tuple(unique)
        self._amendable = None if amendable is None else tuple(amendable)
        self._kept_when_erased = tuple(kept_when_erased)
        self.stages: dict[str, Stage] = {}
        self.gates: list[Gate] = []
        self.hooks: list[Hook] = []
        self.removal_hooks: list[Function] = []
        self.removed_hooks: list[Function] = []
        self.refusal_hooks: list[Function] = []
        self.mirrors: list[Mirror] = []
        self.schedules: dict[str, Schedule] = {}
        self.extension = extension
        self._source = records
        self._records: Table | None = None
        if not isinstance(records, str):
            self._take(_table_of(name, records))

    def freeze(self) -> None:
        """Make every declaration final: stages, gates, hooks, rules and attributes. Doing it again changes nothing."""
        if self.is_frozen:
            return
        for part in (*self.axes.values(), *self.stages.values()):
            part.freeze_attributes()
        self.freeze_attributes()

    def _refuse_if_frozen(self, what: str) -> None:
        if self.is_frozen:
            refuse_change(repr(self), what)

    @property
    def records(self) -> Table:
        """The record table; one given by name is known once the app has read it from the database."""
        if self._records is None:
            raise BadDeclaration(
                f"{self.name}: table {self._source!r} is read from the database when the app starts",
                hint="Call app.migrate() first.",
            )
        return self._records

    @property
    def table_name(self) -> str:
        """The name of the record table, also before the app has read it from the database."""
        return self._source if isinstance(self._source, str) else self.records.name

    @property
    def reflected(self) -> bool:
        return isinstance(self._source, str)

    def reflect(self, connection: Any) -> None:
        """Read a table that was given by name from the database, once."""
        if self._records is None:
            try:
                self._take(Table(self._source, MetaData(), autoload_with=connection))
            except NoSuchTableError as error:
                raise BadDeclaration(
                    f"{self.name}: the database has no table {self._source!r}",
                    hint="A table that is given by name must exist before the app starts.",
                ) from error
            if unknown := sorted(self.private - set(self.records.c.keys())):
                raise BadDeclaration(
                    f"{self.name}: private names {', '.join(unknown)}, which {self._source!r} does not have",
                    hint=nearest(unknown[0], self.records.c.keys()),
                )

    def _take(self, table: Table) -> None:
        for axis in self.axes.values():
            axis.bind(self.name, table, self._add_column, adoptable=self.reflected or not self.create)
        self._records = table
        for stage in self.stages.values():
            self.axes[stage.axis].ensure(WORK_COLUMNS)
        self._refuse_colliding_columns()
        for mirror in self.mirrors:
            self._refuse_unfit(mirror)

    def _add_column(self, table: Table, column: Column[Any]) -> None:
        if isinstance(self._source, type) and table is self._source.__dict__.get("__table__"):
            setattr(self._source, column.name, column)  # declarative maps what is set on the class
        else:
            table.append_column(column)

    def _refuse_colliding_columns(self) -> None:
        owners: dict[tuple[str, str], str] = {}
        for axis in self.axes.values():
            for column in sorted(axis.engine_names()):
                other = owners.setdefault((axis.table.name, column), axis.name)
                if other != axis.name:
                    raise BadDeclaration(
                        f"{self.name}: axes {other!r} and {axis.name!r} share the column {column!r}",
                        hint='Give each axis its own prefix, e.g. Axis("curation_status", …, prefix="curation_").',
                    )

    @property
    def id_column(self) -> Column[Any]:
        return next(iter(self.records.primary_key.columns))

    @property
    def unique(self) -> tuple[str, ...]:
        """The columns of the natural key."""
        return tuple(column if isinstance(column, str) else column.key for column in self._unique)

    @property
    def private(self) -> frozenset[str]:
        """The columns of the record that no surface shows or takes."""
        return frozenset(
            column if isinstance(column, str) else column.name for column in self.extension.private
        )

    @property
    def amendable(self) -> frozenset[str]:
        """The columns that `amend` may change: those declared; else all but the key, the natural key, what no surface shows, and what the
        engine keeps."""
        if self._amendable is not None:
            return frozenset(column if isinstance(column, str) else column.key for column in self._amendable)
        return frozenset(self.records.c.keys()) - self.fixed_columns - set(self.unique) - self.private

    @property
    def kept_when_erased(self) -> tuple[str, ...]:
        """Columns of the record whose values stay in the facts of the entry that an erasure closes its history with; nothing personal."""
        return tuple(column if isinstance(column, str) else column.name for column in self._kept_when_erased)

    @property
    def fixed_columns(self) -> frozenset[str]:
        """Columns of the record that no declaration makes amendable: its key, and what the engine keeps."""
        kept = {self.id_column.name, *self.engine_columns(self.records)}
        for axis in self.axes.values():
            if axis.table is self.records:
                kept |= set(axis.stamps.values())
        return frozenset(kept)

    def engine_columns(self, table: Table) -> frozenset[str]:
        """Columns of this table that only the engine writes: those of every axis in it, and mirrored ones of the record."""
        kept = {name for axis in self.axes.values() if axis.table is table for name in axis.engine_names()}
        if table is self._records:
            kept |= {name for mirror in self.mirrors for name in mirror.columns}
        return frozenset(kept)

    def axis(self, name: str) -> Axis:
        if name not in self.axes:
            raise UnknownKind(
                f"{self.name} has no axis {name!r}; it has {', '.join(self.axes)}",
                hint=did_you_mean(name, list(self.axes)),
                kind=self.name,
                axis=name,
            )
        return self.axes[name]

    def axis_knowing(self, states: Sequence[State], named: str | None) -> str:
        """The one axis whose machine knows these states."""
        if named is not None or len(self.axes) == 1:
            axis = self.axis(named) if named is not None else next(iter(self.axes.values()))
            refuse_unknown_states(f"{self.name}.{axis.name}: it", states, axis.machine.states)
            return axis.name
        fitting = [
            axis.name for axis in self.axes.values() if all(state in axis.machine.states for state in states)
        ]
        if len(fitting) != 1:
            known = list(dict.fromkeys(state for axis in self.axes.values() for state in axis.machine.states))
            refuse_unknown_states(f"{self.name}: it", states, known)
            which = f"axes {', '.join(fitting)} all know" if fitting else "no axis knows"
            raise BadDeclaration(
                f"{self.name}: {which} the states {', '.join(map(str, states))}",
                hint=f"Name the axis: axis={' or axis='.join(map(repr, fitting or self.axes))}.",
            )
        return fitting[0]

    def stage(
        self,
        *bare: Any,
        waiting: States = (),
        done: State = _MISSING,
        running: str | None = None,
        failed: str | None = None,
        terminal: str | None = None,
        axis: str | None = None,
        only_if: ColumnElement[bool] | None = None,
        order: Any = None,
        retry: Sequence[Span] = (),
        retry_in: RetryIn | None = None,
        limit: int | None = None,
        per_key: tuple[Any, int] | None = None,
        rate: str | None = None,
        rate_per: tuple[Any, str] | None = None,
        deadline: Span | None = None,
        timeout: Span | None = None,
        memory: str | None = None,
        isolate: bool = False,
        failures: Mapping[type[Exception], Failed[Any]] | None = None,
        returns: Sequence[type] = (),
        writes: Sequence[str | PathLike[str]] = (),
    ) -> StageDecorator:
        """Bind a function to the axis that knows these states.

        `rate="10/m"` begins at most ten a minute in all; `rate_per=(pages.c.host, "1/s")` begins at most one a second of each host, evenly
        spaced, across all coordinators. Waiting for it writes no entry and costs no try, and one host's backlog holds up no other. The
        column is one of the axis's own table, or one that `Axis(copies=…)` copies there; records without a value share one turn.
        """
        self._refuse_if_frozen("a stage")
        refuse_states_by_position(self.name, bare)
        waits = several(waiting)
        if not waits or done is _MISSING:
            raise BadDeclaration(
                f"{self.name}: a stage needs the states waiting=… and done=…",
                hint='Say where records wait for it and where they are done: stage(waiting="placed", done="packed").',
            )
        named = [done, *waits, *(state for state in (running, failed, terminal) if state is not None)]
        place = self.axis_knowing([several(state)[0] for state in named], axis)

        options = {
            "retry": retry,
            "retry_in": retry_in,
            "only_if": only_if,
            "order": order,
            "limit": limit,
            "per_key": per_key,
            "rate": rate,
            "deadline": deadline,
            "timeout": timeout,
            "isolate": isolate,
            "memory": memory,
            "failures": failures,
            "returns": returns,
            "writes": writes,
        }

        def bind(decorated: StageFunction) -> Stage:
            function: Any = decorated
            refuse_uncallable(f"a stage of {self.name}", function, named=True)
            refuse_options(f"stage {function.__name__!r}", options)
            if function.__name__ in self.stages or function.__name__ in self.schedules:
                raise BadDeclaration(
                    f"{self.name} already has a stage or schedule {function.__name__!r}",
                    hint="Give the function another name.",
                )
            stage = Stage(
                function.__name__,
                place,
                function,
                waits,
                several(done)[0],
                running,
                failed,
                terminal,
                only_if,
                tuple(order) if isinstance(order, tuple | list) else () if order is None else (order,),
                tuple(span(delay) for delay in retry),
                retry_in,
                limit,
                per_key,
                None if rate is None else read_rate(rate),
                None if rate_per is None else rate_of_column(rate_per),
                _span(deadline),
                _span(timeout),
                memory,
                isolate,
                dict(failures or {}),
                tuple(returns),
                tuple(str(folder) for folder in writes),
            )
            stage.guards = lambda: self.gates_of(stage.axis, stage.done)
            self.stages[stage.name] = stage
            if self._records is not None:
                self.axes[place].ensure(WORK_COLUMNS)
            return stage

        return bind

    def gate(
        self, to: str, *, tier: int = 1, retry: Sequence[Span] = (), axis: str | None = None
    ) -> GateDecorator:
        """Declare a check that must pass, for the current version, before `to` is entered."""
        self._refuse_if_frozen("a gate")
        refuse_bare(to, f"{self.name}.gate", '"…"')
        place = self.axis_knowing([to], axis)

        def bind(decorated: StageFunction) -> Gate:
            function: Any = decorated
            refuse_uncallable(f"a gate of {self.name}", function, named=True)
            refuse_options(f"gate {function.__name__!r}", {"tier": tier, "retry": retry})
            gate = Gate(
                function.__name__, place, str(to), function, tier, tuple(span(delay) for delay in retry)
            )
            self.gates.append(gate)
            return gate

        return bind

    def on_move(
        self, *to: State, axis: str | None = None, amended: bool = False
    ) -> Callable[[HookFunction], HookFunction]:
        """Call the function when one of the states is entered, inside the move's transaction: hook(tx, moves), once per batch.

        With `amended`, it is also called for records that are amended in one of these states."""
        self._refuse_if_frozen("a hook")
        refuse_all_but_states(self.name, to)
        if axis is None and len(self.axes) == 1:
            axis = next(iter(self.axes))
        place = self.axis_knowing(several(to), axis)

        def bind(function: HookFunction) -> HookFunction:
            refuse_uncallable(f"a hook of {self.name}", function)
            self.hooks.append(Hook(place, several(to), function, amended))
            return function

        return bind

    def on_remove(self, function: HookFunction) -> HookFunction:
        """Call the function when records are erased or deleted: hook(tx, removals), once per batch, in the closing transaction, while the
        rows are still there and locked. `removals` holds one Move for each record, with its id and the state that it leaves. What the
        function raises refuses the removal."""
        self._refuse_if_frozen("a hook")
        refuse_uncallable(f"a hook of {self.name}", function)
        self.removal_hooks.append(function)
        return function

    def after_remove(self, function: RemovedHook) -> RemovedHook:
        """Call the function once records are erased or deleted and that is committed: function(app, answers). It is for what no transaction
        takes back, such as deleting a file. A function that raises is logged, and the removal stays. It is not called in a transaction that
        the caller brought, nor after a crash: keep what is to be done in a table, by `on_remove`, and do it by a schedule too."""
        self._refuse_if_frozen("a hook")
        refuse_uncallable(f"a hook of {self.name}", function)
        self.removed_hooks.append(function)
        return function

    def on_refusal(self, function: RefusalHook) -> RefusalHook:
        """Call the function when commands on records are refused: hook(tx, refusals), once per batch, whoever asked and by whatever door.
        `tx` is the transaction that records the refusals, not the one that was undone, so what the function writes stays; in a transaction
        that the caller brought, it stays if that commits. A function that raises is logged, and the refusal is answered as it was.
        Conflicts, refused admissions and reports of runners are not among them."""
        self._refuse_if_frozen("a hook")
        refuse_uncallable(f"a hook of {self.name}", function)
        self.refusal_hooks.append(function)
        return function

    def mirror(
        self,
        *columns: Any,
        axis: str | None = None,
        reads: Sequence[Any] = (),
        alike: Collection[State] = (),
    ) -> Callable[[MirrorFunction], MirrorFunction]:
        """Keep columns of the record equal to what a pure function makes of all its state rows: function({scope: row}) -> {column: value}.

        The axis is scoped; it may be left out where only one is. The engine calls the function in the transaction of every move,
        admission and repair of the axis, under a lock on the record, and writes what changed. Two declarations spare it work: `reads`
        names the columns of a state row that the function gets, and `alike` states that it does not tell apart, so that a move between
        two of them needs no lock and no look."""
        self._refuse_if_frozen("a mirror")
        place = scoped_axis(self.name, self.axes, None if axis is None else self.axis(axis).name)
        names = mirrored_columns(self.name, columns)
        wanted = frozenset(column if isinstance(column, str) else column.name for column in reads)
        refuse_unknown_alike(self.name, place, alike)

        def bind(function: MirrorFunction) -> MirrorFunction:
            mirror = Mirror(place.name, names, function, wanted, frozenset(alike))
            if self._records is not None:
                self._refuse_unfit(mirror)
            self.mirrors.append(mirror)
            return function

        return bind

    def _refuse_unfit(self, mirror: Mirror) -> None:
        kept = {self.id_column.name, *self.unique}
        for axis in self.axes.values():
            if axis.table is self.records:
                kept |= axis.engine_names() | set(axis.stamps.values())
        kept |= {name for other in self.mirrors if other is not mirror for name in other.columns}
        refuse_unfit(self.name, mirror, self.records, kept)

    def every(self, when: Span | Ticks) -> Callable[[ScheduledFunction], ScheduledFunction]:
        """Run the function once for each tick, in whichever coordinator claims it: every("15m"), or every(cron("0 6 * * *")).

        It is called as function(app, tick). Of ticks that were missed, only the last one is run."""
        self._refuse_if_frozen("a schedule")
        refuse_bare(when, f"{self.name}.every", '"15m"')
        ticks = ticks_of(when)

        def bind(function: ScheduledFunction) -> ScheduledFunction:
            refuse_uncallable(f"a schedule of {self.name}", function, named=True)
            name = function.__name__
            if name in self.schedules or name in self.stages:
                raise BadDeclaration(
                    f"{self.name} already has a stage or schedule {name!r}",
                    hint="Give the function another name.",
                )
            self.schedules[name] = Schedule(self.name, name, ticks, function)
            return function

        return bind

    def mirrors_of(self, axis: str) -> tuple[Mirror, ...]:
        """The mirrors that are computed from this axis."""
        return tuple(mirror for mirror in self.mirrors if mirror.axis == axis)

    def gates_of(self, axis: str, to: State) -> list[Gate]:
        return [gate for gate in self.gates if gate.axis == axis and gate.to == to]

    def __repr__(self) -> str:
        return f"Workflow({self.name!r})"


def _refuse_axes(workflow: str, axes: Sequence[Any]) -> None:
    """Raise where the axes of a workflow are none, or something else is among them."""
    for axis in axes:
        if not isinstance(axis, Axis):
            raise BadDeclaration(
                f"workflow {workflow!r}: {short(axis)} among the axes is not an Axis",
                hint='An axis is a machine with a column: axes=[Axis("status", machine)].',
            )
    if not axes:
        raise BadDeclaration(
            f"workflow {workflow!r} needs at least one axis", hint='Write axes=[Axis("status", machine)].'
        )


def _table_of(workflow: str, records: Any) -> Table:
    """The table of the records, from a Table or a declarative model."""
    table = records if isinstance(records, Table) else getattr(records, "__table__", None)
    if not isinstance(table, Table):
        raise BadDeclaration(
            f"workflow {workflow!r}: records={short(records)} is neither a table nor a model with one",
            hint='Give a SQLAlchemy Table, a declarative model, or the name of a table that exists: records="orders".',
        )
    return table


def _span(value: Span | None) -> Any:
    return None if value is None else span(value)
