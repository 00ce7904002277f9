"""Where an axis lives, in SQL words: quoted table, key, scope and engine columns, and how values are bound to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CHAR,
    Column,
    ColumnElement,
    Dialect,
    Select,
    String,
    Table,
    Uuid,
    literal_column,
    select,
)
from sqlalchemy.sql import visitors
from sqlalchemy.sql.elements import BindParameter

from ..errors import BadInput
from ..machine import State
from ..workflow import Axis, Workflow
from ..workflow.columns.python_types import python_type_of, value_hint
from .engines import sql_of
from .entry import is_text
from .sql import doubled, one_of

Bind = Callable[[Any], Any]

ID = "Give the value of the record's key column itself, not its row or its position."
"""The hint to an id that no record can have."""


def _same(value: Any) -> Any:
    return value


def binder(column: Column[Any], dialect: Dialect) -> Bind:
    """How this column's Python values are handed to the driver."""
    processor = column.type.dialect_impl(dialect).bind_processor(dialect)
    return processor or _same


def _as_uuid(value: Any) -> UUID:
    return value if isinstance(value, UUID) else UUID(value)


def _as_uuid_text(value: Any) -> str:
    return str(_as_uuid(value))


class Placement:
    """One axis of one workflow on one kind of database."""

    def __init__(self, workflow: Workflow, axis: Axis, dialect: Dialect) -> None:
        self.workflow, self.axis, self.dialect = workflow, axis, dialect
        self.kind, self.name = workflow.name, axis.name
        self.table = axis.table
        prepare = dialect.identifier_preparer
        self.quote: Callable[[str], str] = prepare.quote
        self.table_sql = prepare.format_table(axis.table)
        self.key_sql = self.quote(axis.key)
        self.scope_sql = self.quote(axis.scope_column) if axis.scoped else None
        self.status_sql = self.quote(axis.name)
        self.version_sql = self.quote(axis.column_name("version"))
        self.head_sql = self.quote(axis.column_name("head"))
        self.ready_at = axis.column_name("ready_at") if axis.has("ready_at") else None
        self.since_sql = self.quote(axis.column_name("since"))
        self.key_type = axis.table.c[axis.key].type.compile(dialect=dialect)
        native = (
            self.uuid_type is not None and dialect.supports_native_uuid
        )  # such a driver reads UUIDs whatever the column's Python type
        self.key_bind = _as_uuid if native else binder(axis.table.c[axis.key], dialect)

    @property
    def natural_key_sql(self) -> list[str]:
        """The columns of the natural key that guards keep as they are once they have a value: those of a table that Interlock made, in
        which the workflow does not let people amend them."""
        workflow = self.workflow
        if self.table is not workflow.records or not workflow.create:
            return []
        return [self.quote(name) for name in workflow.unique if name not in workflow.amendable]

    def qualified(self, column_sql: str) -> str:
        return f"{self.table_sql}.{column_sql}"

    @cached_property
    def python_type(self) -> type | None:
        """What an id of this kind is in Python, where the column's type can say so."""
        return python_type_of(self.table.c[self.axis.key].type)

    def in_states(self, states: Iterable[State]) -> str:
        """SQL for a statement with parameters: the axis is in one of these states."""
        test = one_of(self.qualified(self.status_sql), states)
        return doubled(test) if self.dialect.paramstyle in ("format", "pyformat") else test

    def type_of(self, column: str) -> str:
        """The SQL type of a column."""
        return self.table.c[column].type.compile(dialect=self.dialect)

    def binder(self, column: str) -> Bind:
        """How values of this column are handed to the driver."""
        return binder(self.table.c[column], self.dialect)

    def fact_binder(self, column: str) -> Bind:
        """Makes a value of a fact, which came as JSON, into what the driver takes for this column; refuses what is not of its type."""
        bind, wanted = self.binder(column), self._parsed_type(column)
        texts_only = isinstance(self.table.c[column].type, String)

        def bound(value: Any) -> Any:
            try:
                parsed = value
                if texts_only and value is not None and not isinstance(value, str):
                    raise TypeError(f"{type(value).__name__} is no text")
                if wanted is not None and isinstance(value, str):
                    parsed = wanted.fromisoformat(value) if issubclass(wanted, date) else wanted(value)
                return bind(parsed)
            except (
                Exception
            ) as error:  # types, a team's own too, say in their own ways that a value is not theirs
                raise self._misfit(column, value, error) from error

        return bound

    def _misfit(self, column: str, value: Any, error: Exception) -> BadInput:
        return BadInput(
            f"{column!r} cannot be {value!r}"[:300] + f": {error}", hint=value_hint(self.table.c[column])
        )

    def _parsed_type(self, column: str) -> Any:
        """The Python type of a column whose values travel as text in JSON: instants, dates, decimals and UUIDs."""
        wanted = python_type_of(self.table.c[column].type)
        return wanted if wanted in (datetime, date, Decimal, UUID) else None

    def bind_value(self, column: str, value: Any) -> Any:
        """The value as the driver takes it; refuses one that the column's type refuses."""
        try:
            return self.binder(column)(value)
        except (
            TypeError,
            ValueError,
            AttributeError,
            ArithmeticError,
        ) as error:  # types say in their own ways that a value is not theirs
            raise self._misfit(column, value, error) from error

    def takes_as_they_are(self, ids: list[Any]) -> bool:
        """Whether these are all plain ids that need no check of their own: the usual case, looked at in one go."""
        if self.key_bind is not _same or not ids:
            return False
        if self.python_type is int:
            if len(ids) == 1:
                return type(ids[0]) is int and -(2**63) <= ids[0] < 2**63
            return set(map(type, ids)) == {int} and min(ids) >= -(2**63) and max(ids) < 2**63
        if self.python_type is str:
            if set(map(type, ids)) != {str} or min(map(len, ids)) == 0 or max(map(len, ids)) > 512:
                return False
            every = "".join(ids)
            if "\x00" in every or not is_text(every):
                return False
            return self.fixed_length is None or not any(map(self._is_padded, ids))
        return False

    @cached_property
    def fixed_length(self) -> int | None:
        """How many characters every id has, where the key is a CHAR(n): PostgreSQL fills up shorter ones, and cuts the blanks again in
        what it writes as text."""
        kind = self.table.c[self.axis.key].type
        return kind.length if isinstance(kind, CHAR) else None

    def _is_padded(self, id: str) -> bool:
        """Whether a CHAR(n) would not give this id back as it is."""
        return self.fixed_length is not None and (len(id) != self.fixed_length or id.endswith(" "))

    def keys_of(self, names: Sequence[str]) -> list[Any]:
        """Ids as the database holds them, from how ledger and work rows write them."""
        if self.key_bind is _same and self.python_type is int:
            return list(map(int, names))
        if self.key_bind is _same and self.python_type is str:
            return list(names)
        return [self.key_bind(self.check_id(name)) for name in names]

    def id_of(self, name: Any) -> Any:
        """An id in the Python type of the record table's own key, from how the database, the ledger and work rows hold it."""
        return self._read_id(name)

    @cached_property
    def _read_id(self) -> Bind:
        if self.python_type is int:
            return int
        if self.uuid_type is not None:
            return _as_uuid if self.uuid_type.as_uuid else _as_uuid_text
        return _same

    @cached_property
    def uuid_type(self) -> Uuid[Any] | None:
        kind = self.workflow.id_column.type
        return kind if isinstance(kind, Uuid) else None

    def check_id(self, id: Any) -> Any:
        """Refuse an id that no record of this kind can have, before the database sees it."""
        if id is None or id == "":
            raise BadInput(f"{self.kind}: an id may not be empty", hint=ID)
        wanted = self.python_type
        if wanted is int and (isinstance(id, bool) or not isinstance(id, int)):
            if isinstance(id, str) and re.fullmatch(r"-?[0-9]{1,19}", id):
                id = int(id)
            else:
                raise BadInput(
                    f"{self.kind}: {id!r} is not an id of this kind; its ids are whole numbers", hint=ID
                )
        if wanted is int and not -(2**63) <= id < 2**63:
            raise BadInput(f"{self.kind}: {id} is larger than any id can be", hint=ID)
        if wanted is str and not isinstance(id, str | UUID if self.uuid_type is not None else str):
            raise BadInput(f"{self.kind}: {id!r} is not an id of this kind; its ids are text", hint=ID)
        if isinstance(id, str) and (len(id) > 512 or "\x00" in id or not is_text(id)):
            raise BadInput(f"{self.kind}: an id is text of at most 512 characters without null characters")
        if isinstance(id, str) and self._is_padded(id):
            raise BadInput(
                f"{self.kind}: {id!r} is not an id of this kind; its ids have {self.fixed_length} characters and end with no blank",
                hint=f"{self.axis.key} is {self.table.c[self.axis.key].type}, which fills up shorter ids: "
                "give them their length, or make it VARCHAR or TEXT.",
            )
        if self.uuid_type is not None:
            return self._read_id(id if isinstance(id, UUID) else self._uuid(id))
        return str.__str__(id) if isinstance(id, str) else id

    def _uuid(self, id: Any) -> UUID:
        try:
            return UUID(id)
        except (ValueError, TypeError, AttributeError) as error:
            raise BadInput(
                f"{self.kind}: {id!r} is not an id of this kind; its ids are UUIDs", hint=ID
            ) from error


class RecordTable:
    """The table of the records themselves, whichever axes live there."""

    def __init__(self, workflow: Workflow, dialect: Dialect) -> None:
        prepare = dialect.identifier_preparer
        self.kind, self.key = workflow.name, workflow.id_column.name
        self.table_sql, self.key_sql = prepare.format_table(workflow.records), prepare.quote(self.key)


def record_name(workflow: Workflow, id: Any, dialect: Dialect) -> str:
    """The id as the ledger writes it."""
    place = Placement(workflow, next(iter(workflow.axes.values())), dialect)
    return str(place.key_bind(place.check_id(id)))


GIVEN = ("actor", "role", "scope")


def condition_sql(condition: ColumnElement[bool], dialect: Dialect, *tables: Table) -> str:
    """A declared condition as SQL text; bindparam("actor"), ("role") and ("scope") become named parameters of the command.

    `tables` are those of the statement that the text becomes part of: subqueries are correlated to their rows. What a subquery reads is not
    locked: it holds in the moving statement itself, for what was committed when that began.
    """

    sql = sql_of(dialect)

    def stand_in(element: Any, **_: Any) -> Any:
        if isinstance(element, BindParameter) and element.key in GIVEN and element.required:
            return literal_column(f"interlock_given_{element.key}")
        value = sql.write_value(element, dialect) if isinstance(element, BindParameter) else None
        return None if value is None else literal_column(value)

    open_ended = visitors.replacement_traverse(condition, {}, stand_in)
    if tables and any(isinstance(part, Select) for part in visitors.iterate(open_ended)):
        enclosing: Select[Any] = (
            select(literal_column("1")).select_from(*dict.fromkeys(tables)).where(open_ended)
        )
        text = str(enclosing.compile(dialect=dialect, compile_kwargs={"literal_binds": True})).partition(
            "WHERE "
        )[2]
    else:
        text = str(open_ended.compile(dialect=dialect, compile_kwargs={"literal_binds": True}))
    for name in GIVEN:
        text = text.replace(f"interlock_given_{name}", sql.parameter(name))
    return text


def tables_of(workflow: Workflow) -> list[Table]:
    """The record table and every state table, each once."""
    return list(dict.fromkeys([workflow.records, *(axis.table for axis in workflow.axes.values())]))


def declared_tables(workflow: Workflow) -> list[Table]:
    """Every table that the workflow names: records, states, frozen tables and side tables. A migration makes these and no others."""
    return list(dict.fromkeys([*tables_of(workflow), *workflow.frozen, *workflow.tables]))
