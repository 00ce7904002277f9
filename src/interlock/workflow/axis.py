"""An axis: one machine placed on one record kind, saying where its status lives."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import Column, Integer, LargeBinary, Select, Table, Text

from ..errors import BadDeclaration, state_text
from ..machine import Machine, State
from .adopt import Adopt
from .checks.freezing import Freezable
from .checks.options import refuse_axis_options, refuse_unknown_states
from .checks.problem import nearest
from .columns.instant import Instant
from .columns.python_types import refuse_inexact_key

Row = Mapping[str, Any]
AddColumn = Callable[[Table, Column[Any]], None]

STATE_COLUMNS = ("version", "since", "head")
WORK_COLUMNS = ("attempt", "tries", "ready_at", "error_code", "error_message", "failed_from", "updated_at")
RETRY_COLUMNS = ("failed_from", "retry_count", "last_retry_at")
TIMER_COLUMNS = ("timer_at",)
NEVER_BEGINS = "-1"
ENGINE_COLUMNS = (*STATE_COLUMNS, *WORK_COLUMNS, *RETRY_COLUMNS, *TIMER_COLUMNS)


def plain_state(state: Any) -> State:
    """A state as the machine has it: null, or plain text even where it was declared as an enum's member."""
    return None if state is None else str.__str__(state)


def engine_column(name: str, column: str, *, adoptable: bool) -> Column[Any]:
    """A fresh column for one of the engine's own values."""
    if name == "version":
        # A row that is inserted past Interlock gets the default, at which no record begins: its guard then names app.admit().
        return Column(column, Integer, nullable=adoptable, server_default=None if adoptable else NEVER_BEGINS)
    if name == "head":
        return Column(column, LargeBinary(32), nullable=True)
    if name in ("attempt", "tries", "retry_count"):
        return Column(column, Integer, nullable=False, server_default="0")
    if name.endswith("_at") or name == "since":
        return Column(column, Instant(), nullable=True)
    return Column(column, Text, nullable=True)


class Axis(Freezable):
    """Where one status lives: a column of the record's table, or a row per (record, scope).

    - `stamps` gives a state the column that is set to the move's time when it is entered.
    - `cleared` gives a state the columns that are emptied when a move enters it; a fact of the same move comes first, and a record is
      admitted with what its row gives.
    - `copies` gives a state table indexed copies of the record's columns, for a stage's `order`.
    - `pairs` selects the (record id, scope) rows that shall exist. `moved_by="stages"` refuses moves by people.
    - `adopt` says how rows that were there before Interlock begin.
    """

    set_later = (
        "kind",
        "key",
        "_table",
        "_add",
        "_adoptable",
    )  # of a table that is read from the database when the app starts

    def __init__(
        self,
        name: str,
        machine: Machine,
        *,
        prefix: str = "",
        columns: Mapping[str, str] | None = None,
        stamps: Mapping[str, str] | None = None,
        cleared: Mapping[Any, Sequence[str]] | None = None,
        max_retries: int | str = 3,
        retries_reset_at: Collection[str] = (),
        scope: Collection[str] = (),
        table: Table | None = None,
        scope_column: str = "scope",
        moved_by: Literal["anybody", "stages"] = "anybody",
        pairs: Select[Any] | None = None,
        copies: Mapping[str, Column[Any]] | None = None,
        adopt: Adopt | None = None,
    ) -> None:
        refuse_axis_options(
            name,
            {"prefix": prefix, "scope_column": scope_column},
            {"columns": columns, "stamps": stamps, "cleared": cleared, "copies": copies},
            {"scope": scope, "retries_reset_at": retries_reset_at},
            max_retries,
        )
        self.name, self.machine, self.prefix = name, machine, prefix
        self.columns = dict(columns or {})
        self.stamps = {str(state): column for state, column in (stamps or {}).items()}
        self.cleared = {plain_state(state): tuple(columns) for state, columns in (cleared or {}).items()}
        """By state: the columns that are emptied when a move enters it. A record is admitted with what its row gives."""
        self.max_retries, self.retries_reset_at = (
            max_retries,
            frozenset(str(state) for state in retries_reset_at),
        )
        self.scopes = tuple(scope)
        self.moved_by = moved_by
        self.scope_column, self.pairs, self.adopt = scope_column, pairs, adopt
        self.copies = dict(copies or {})
        """Columns of the record that each state row keeps a copy of, so that a stage can be ordered by them."""
        self._state_table = table
        self._table: Table | None = None
        self.kind = ""
        self.key = ""
        self.refuse_what_cannot_be()

    def refuse_what_cannot_be(self) -> None:
        """What is wrong whatever the workflow says."""
        known = set(ENGINE_COLUMNS)
        if not isinstance(self.machine, Machine):
            raise BadDeclaration(
                f"axis {self.name!r} needs a Machine, not {type(self.machine).__name__}",
                hint='Write Axis("status", Machine("order", initial=…, moves=…)).',
            )
        if self.moved_by not in ("anybody", "stages"):
            raise BadDeclaration(
                f"axis {self.name!r}: moved_by is 'anybody' or 'stages', not {self.moved_by!r}",
                hint="Write moved_by='stages' where people need an override; leave it out otherwise.",
            )
        if unknown := sorted(set(self.columns) - known):
            raise BadDeclaration(
                f"axis {self.name!r} maps {', '.join(unknown)}, which the engine does not have",
                hint=f"It has {', '.join(sorted(known))}.",
            )
        named = (*self.stamps, *self.cleared, *sorted(self.retries_reset_at))
        refuse_unknown_states(f"axis {self.name!r}", named, self.machine.states)
        if self.adopt is not None and not isinstance(self.adopt, Adopt):
            raise BadDeclaration(
                f"axis {self.name!r}: adopt is an Adopt, not {type(self.adopt).__name__}",
                hint='Write adopt=Adopt("legacy", rules=[…]), from interlock.',
            )
        if bool(self.scopes) != (self._state_table is not None):
            raise BadDeclaration(
                f"axis {self.name!r}: a scoped axis needs both scope=(…) and table=…",
                hint='Write Axis("status", machine, scope=("de", "en"), table=states), with a table that refers to the record.',
            )
        if self.copies and not self.scopes:
            raise BadDeclaration(
                f"axis {self.name!r}: copies=… is for a scoped axis",
                hint="Leave it out: an axis without scopes reads the record's own columns.",
            )

    @property
    def scoped(self) -> bool:
        return bool(self.scopes)

    @property
    def table(self) -> Table:
        """The table whose rows carry this status."""
        if self._table is None:
            raise BadDeclaration(
                f"axis {self.name!r} belongs to no workflow yet", hint="Write Workflow(…, axes=[axis])."
            )
        return self._table

    def bind(self, kind: str, records: Table, add: AddColumn, *, adoptable: bool) -> None:
        """Take the place in a workflow; engine columns that are missing are added."""
        if self._table is not None:
            raise BadDeclaration(
                f"axis {self.name!r} is already part of {self.kind!r}",
                hint="Make one Axis for each workflow.",
            )
        self.kind = kind
        self._table = records if self._state_table is None else self._state_table
        self.key = _key_column(kind, self, records)
        self._add, self._adoptable = add, adoptable or self.adopt is not None
        if self.name not in self.table.c:
            add(self.table, Column(self.name, Text, nullable=None in self.machine.states))
        if self.scoped and self.scope_column not in self.table.c:
            raise BadDeclaration(
                f"{kind}.{self.name}: table {self.table.name!r} has no scope column {self.scope_column!r}",
                hint=f'Add Column("{self.scope_column}", Text) to it, or name the column it has: scope_column="…".',
            )
        self.ensure(STATE_COLUMNS)
        if any(edge.kind == "retry" for _, edge in self.machine.pairs()):
            self.ensure(RETRY_COLUMNS)
            if isinstance(self.max_retries, str) and self.max_retries not in self.table.c:
                add(self.table, Column(self.max_retries, Integer, nullable=False, server_default="3"))
        if self.machine.timers:
            self.ensure(TIMER_COLUMNS)
        for column in self.stamps.values():
            if column not in self.table.c:
                add(self.table, Column(column, Instant(), nullable=True))
        self._bind_copies(records)
        self._refuse_uncleared()

    def _refuse_uncleared(self) -> None:
        """Refuse a column to be emptied that the table does not have, that may not be empty, or that the engine keeps."""
        for state, columns in self.cleared.items():
            for name in columns:
                column = self.table.c.get(name)
                where = f"{self.kind}.{self.name}: cleared names {name!r}, which"
                if column is None:
                    raise BadDeclaration(
                        f"{where} table {self.table.name!r} does not have",
                        hint=nearest(name, self.table.c.keys()),
                    )
                if name in self.engine_names() or (state is not None and self.stamps.get(state) == name):
                    raise BadDeclaration(
                        f"{where} the engine sets itself when {state_text(state)} is entered",
                        hint="Leave it out: the engine keeps its own columns.",
                    )
                if not column.nullable or column.primary_key:
                    raise BadDeclaration(
                        f"{where} may not be empty",
                        hint=f"Declare it with nullable=True, or leave {name!r} out.",
                    )
                if name in self.copies:
                    raise BadDeclaration(
                        f"{where} is a copy of a column of the record",
                        hint="Leave it out: a copy follows the record.",
                    )

    def _bind_copies(self, records: Table) -> None:
        for column, source in self.copies.items():
            if source.table is not records:
                raise BadDeclaration(
                    f"{self.kind}.{self.name}: copies[{column!r}] must be a column of {records.name!r}",
                    hint=f"Write copies={{{column!r}: {records.name}.c.{column}}}.",
                )
            if column not in self.table.c:
                self._add(self.table, Column(column, source.type, nullable=True))

    def ensure(self, names: Sequence[str]) -> None:
        """Add the engine's columns of these names where the table does not have them."""
        for name in names:
            column = self.column_name(name)
            if column not in self.table.c:
                self._add(self.table, engine_column(name, column, adoptable=self._adoptable))

    def column_name(self, name: str) -> str:
        """What the table calls one of the engine's values."""
        return self.name if name == "status" else self.columns.get(name, self.prefix + name)

    def has(self, name: str) -> bool:
        return self.column_name(name) in self.table.c

    def column(self, name: str) -> Column[Any]:
        return self.table.c[self.column_name(name)]

    @property
    def adoptable(self) -> bool:
        return self._adoptable

    def own_column(self, column: Any) -> Column[Any] | None:
        """The column of the axis's own table that this is, by name or as a column, or that keeps a copy of it; None where there is none."""
        if isinstance(column, str):
            return self.table.c.get(column)
        plain = getattr(column, "expression", column)  # of a declarative model's attribute
        if not isinstance(plain, Column) or plain.table is None:
            return None
        if plain.table.fullname == self.table.fullname:
            return self.table.c.get(plain.name)
        copies = [
            name
            for name, source in self.copies.items()
            if (source.table.fullname, source.name) == (plain.table.fullname, plain.name)
        ]
        return self.table.c[copies[0]] if copies else None

    def engine_names(self) -> frozenset[str]:
        """Every column of this axis that only the authority writes."""
        names = {
            self.column_name(name)
            for name in ENGINE_COLUMNS
            if self.has(name) and (name not in TIMER_COLUMNS or self.machine.timers)
        }
        return frozenset({*names, self.name})

    def __repr__(self) -> str:
        return f"Axis({self.name!r} on {self.kind or 'no workflow'})"


def _key_column(kind: str, axis: Axis, records: Table) -> str:
    """The column that names the record: its primary key, or the state table's reference to it."""
    primary = list(records.primary_key.columns)
    if len(primary) != 1:
        raise BadDeclaration(
            f"{kind}: table {records.name!r} needs a primary key of exactly one column, and has {len(primary)}",
            hint='Write Column("id", …, primary_key=True) once; keys of several columns can be declared with unique=[…].',
        )
    refuse_inexact_key(kind, primary[0])
    if axis.table is records:
        return primary[0].name
    for foreign in axis.table.foreign_keys:
        if foreign.column.table is records:
            return str(foreign.parent.name)
    raise BadDeclaration(
        f"{kind}.{axis.name}: table {axis.table.name!r} has no foreign key to {records.name!r}",
        hint=f'Add Column("record", ForeignKey("{records.name}.{primary[0].name}")) to it.',
    )
