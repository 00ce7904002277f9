"""Converts rows of JSON to what columns take: instants, dates, exact numbers and bytes are text in JSON; wrong types are refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, Column, Enum

from ..errors import BadInput
from ..store.entry import is_text
from ..workflow import Workflow
from ..workflow.columns.instant import Instant
from ..workflow.columns.python_types import python_type_of

PLAIN: Mapping[type, tuple[tuple[type, ...], str]] = {
    str: ((str,), "text"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
    bool: ((bool,), "true or false"),
}
FROM_TEXT: Mapping[type, tuple[Callable[[str], Any], str]] = {
    date: (date.fromisoformat, "a date such as 2026-01-31"),
    time: (time.fromisoformat, "a time such as 09:00:00"),
    UUID: (UUID, "a UUID"),
    bytes: (bytes.fromhex, "bytes in hexadecimal digits"),
}


def refuse_own_intake(workflow: Workflow) -> None:
    """Refuse plain rows of a workflow whose records come in by a route of its own."""
    if intake := workflow.extension.intake:
        raise BadInput(
            f"records of {workflow.name} do not come in as rows",
            hint=f"They come by {intake}.",
            intake=intake,
        )


def column_values(workflow: Workflow, row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with values as its columns take them; private columns are refused like columns that do not exist."""
    columns, private = workflow.records.c, workflow.private
    values: dict[str, Any] = {}
    for name, value in row.items():
        if name in workflow.axes:
            values[name] = state(name, value)
        elif name not in columns or name in private:
            known = sorted(set(columns.keys()) - private - engine_columns(workflow))
            raise BadInput(
                f"{workflow.name} has no column {name[:100]!r} that can be given",
                hint=f"It has {', '.join(known)}.",
            )
        else:
            values[name] = None if value is None else fitting(columns[name], value)
    return values


def engine_columns(workflow: Workflow) -> set[str]:
    return {
        name
        for axis in workflow.axes.values()
        if axis.table is workflow.records
        for name in axis.engine_names()
    }


def state(axis: str, value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise BadInput(f"{axis} takes a state, which is text or null", hint=f'Such as "{axis}": "…".')
    return value


def fitting(column: Column[Any], value: Any) -> Any:
    """The value as this column takes it."""
    refuse_strange_text(column.name, value)
    if isinstance(column.type, JSON):
        return value
    if isinstance(column.type, Enum):
        if value not in column.type.enums:
            raise wrong(column, f"one of {', '.join(column.type.enums)}")
        return value
    kind = python_type_of(column.type)
    return value if kind is None else converted(column, kind, value)


def converted(column: Column[Any], kind: type, value: Any) -> Any:
    """A value of this kind; what JSON has no word for, from the text it is written as."""
    if kind in PLAIN:
        types, expected = PLAIN[kind]
        if type(value) not in types:
            raise wrong(column, expected)
        return value
    if kind is datetime:
        return instant(column, value)
    if kind is Decimal:
        return exact(column, value)
    if kind not in FROM_TEXT:
        return value
    read, expected = FROM_TEXT[kind]
    try:
        return read(value)
    except (TypeError, ValueError, AttributeError) as error:
        raise wrong(column, expected) from error


def instant(column: Column[Any], value: Any) -> datetime:
    """A column that keeps instants needs to know the time zone; one that keeps wall clocks must not be expected any."""
    zoned = isinstance(column.type, Instant) or bool(getattr(column.type, "timezone", False))
    expected = (
        "an instant such as 2026-01-31T09:00:00Z"
        if zoned
        else "a time without its zone such as 2026-01-31T09:00:00"
    )
    try:
        values = datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise wrong(column, expected) from error
    if (values.tzinfo is not None) != zoned:
        raise wrong(column, expected)
    return values


def exact(column: Column[Any], value: Any) -> Decimal:
    try:
        values = Decimal(str(value)) if type(value) in (int, float, str) else None
    except InvalidOperation:
        values = None
    if values is None or not values.is_finite():
        raise wrong(column, "a number, or text with its digits")
    return values


def wrong(column: Column[Any], expected: str) -> BadInput:
    return BadInput(
        f"{column.name!r} takes {expected}",
        hint=f"{column.name} is a column of type {column.type}.",
        column=column.name,
    )


def refuse_strange_text(name: str, value: Any) -> None:
    """Null characters, and halves of characters, which one database takes and the other does not; looked for at every depth."""
    if isinstance(value, str) and ("\x00" in value or not is_text(value)):
        raise BadInput(
            f"{name!r} has a character that no text may have",
            hint="Leave out null characters and halves of surrogate pairs.",
            column=name,
        )
    if isinstance(value, Mapping):
        for key, one in value.items():
            refuse_strange_text(name, key)
            refuse_strange_text(name, one)
    elif isinstance(value, list):
        for one in value:
            refuse_strange_text(name, one)
