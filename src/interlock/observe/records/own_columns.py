"""The record's own columns in lists: which may be asked for, how they filter and sort, and where a sorted page ends."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ARRAY, JSON, Column, ColumnElement, Enum, LargeBinary, and_, false, literal, or_
from sqlalchemy.types import TypeDecorator

from ...errors import BadInput, UnknownKind
from ...machine.suggest import did_you_mean
from ...store.entry import is_text, plain
from ...store.placement import Placement
from ...workflow import Workflow
from ...workflow.columns.instant import Instant
from ...workflow.columns.python_types import python_type_of

MOST_COLUMNS = 100
_READ: Mapping[type, tuple[Callable[[str], Any], str]] = {
    int: (int, "a whole number"),
    float: (float, "a number"),
    Decimal: (Decimal, "a number"),
    bool: (lambda text: {"true": True, "false": False}[text], "true or false"),
    datetime: (datetime.fromisoformat, "an instant such as 2026-01-31T09:00:00Z"),
    date: (date.fromisoformat, "a date such as 2026-01-31"),
    time: (time.fromisoformat, "a time such as 09:00:00"),
    UUID: (UUID, "a UUID"),
}
"""How a value that was typed as text is read for a column of this Python type, and what is expected of it."""
_NUMBERS: Mapping[type, tuple[type, ...]] = {float: (int, float), Decimal: (int, float, Decimal)}


class Sort(NamedTuple):
    """By which column a list is sorted; records of equal values by id, in the same direction. Nulls come last, descending first."""

    column: Column[Any]
    descending: bool = False

    def order(self, key: Column[Any]) -> list[ColumnElement[Any]]:
        """The ORDER BY; nulls are only named where there can be any, so that a plain index serves."""
        if self.column is key:
            return [key.desc() if self.descending else key.asc()]
        first: ColumnElement[Any] = self.column.desc() if self.descending else self.column.asc()
        if self.column.nullable:
            first = first.nulls_first() if self.descending else first.nulls_last()
        return [first, key.desc() if self.descending else key.asc()]

    def behind(self, key: Column[Any], value: Any, id: Any) -> ColumnElement[bool]:
        """What comes after the record with this value and id."""
        column = self.column
        further: ColumnElement[bool] = key < id if self.descending else key > id
        if column is key:
            return further
        if value is None:
            same = and_(column.is_(None), further)
            return or_(same, column.is_not(None)) if self.descending else same
        bound = literal(value, column.type)
        beyond = column < bound if self.descending else column > bound
        reached = column <= bound if self.descending else column >= bound
        rest = and_(reached, or_(beyond, further))
        return or_(rest, column.is_(None)) if column.nullable and not self.descending else rest


def own_column(workflow: Workflow, name: str) -> Column[Any]:
    """A column of the record that any surface may ask for; refuses what is private, and what there is not."""
    columns = workflow.records.c
    if name not in columns or name in workflow.private:
        known = sorted(set(columns.keys()) - workflow.private)
        raise UnknownKind(
            f"{workflow.name} has no axis or column {name[:100]!r}; it has {', '.join(known)}",
            hint=did_you_mean(name, known) or "Records are filtered and sorted by their axes and columns.",
            kind=workflow.name,
            axis=name,
        )
    return columns[name]


def comparable_column(workflow: Workflow, name: str) -> Column[Any]:
    """A column by which records can be filtered and sorted."""
    column = own_column(workflow, name)
    kind = column.type.impl if isinstance(column.type, TypeDecorator) else column.type
    if isinstance(kind, JSON | LargeBinary | ARRAY):
        raise BadInput(f"{workflow.name}: {name} is {column.type}, which records are not compared by")
    return column


def sort_of(workflow: Workflow, text: str) -> Sort:
    """A sort as people write it: a column; "-" before it sorts the largest first."""
    if not isinstance(text, str):
        raise BadInput(
            f"records are sorted by one column, not {text!r}",
            hint='Write sort="priority" or sort="-priority".',
        )
    return Sort(comparable_column(workflow, text.removeprefix("-")), text.startswith("-"))


def refuse_page_size(limit: Any) -> None:
    """Raise where the number of records on a page is none."""
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        raise BadInput(f"a page has at least one record, not {limit!r}", hint="Such as limit=50.")


def chosen_columns(workflow: Workflow, names: Sequence[str]) -> list[Column[Any]]:
    """The columns that a list is to have beside id and places, each once."""
    if isinstance(names, str) or len(names) > MOST_COLUMNS:
        raise BadInput(
            f"columns are a list of at most {MOST_COLUMNS} names, not {names!r:.100}",
            hint='Write columns=["note"].',
        )
    return [own_column(workflow, name) for name in dict.fromkeys(names)]


def is_any_of(column: Column[Any], values: Sequence[Any]) -> ColumnElement[bool]:
    """The column has one of these values; null is a value."""
    named = [value_for(column, value) for value in values if value is not None]
    parts = [column.in_(named)] if named else []
    return or_(false(), *parts, *([column.is_(None)] if None in values else []))


def value_for(column: Column[Any], value: Any) -> Any:
    """The value as the column's type has it: as it is, or read from text; refuses what no such column can have."""
    if isinstance(value, str) and ("\x00" in value or not is_text(value)):
        raise BadInput(f"{column.name!r} has a character that no text may have", column=column.name)
    if isinstance(column.type, Enum):
        if str(getattr(value, "name", value)) not in column.type.enums:
            raise BadInput(f"{column.name!r} is one of {', '.join(column.type.enums)}", column=column.name)
        return value
    kind = python_type_of(column.type)
    if kind is None or kind not in (str, *_READ):
        return value
    return _of_type(column, kind, value)


def _of_type(column: Column[Any], kind: type, value: Any) -> Any:
    read, expected = _READ.get(kind, (str, "text"))
    if isinstance(value, str) and kind is not str:
        try:
            value = read(value)
        except (ValueError, KeyError, ArithmeticError) as error:
            raise _wrong(column, expected) from error
    numbers: tuple[type, ...] = _NUMBERS.get(kind, (kind,))
    if not isinstance(value, numbers) or (isinstance(value, bool) and kind is not bool):
        raise _wrong(column, expected)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise _wrong(column, expected)
    if isinstance(value, datetime) and (value.tzinfo is not None) != _is_zoned(column):
        raise _wrong(column, expected if _is_zoned(column) else "a time without its zone")
    return value


def _is_zoned(column: Column[Any]) -> bool:
    return isinstance(column.type, Instant) or bool(getattr(column.type, "timezone", False))


def _wrong(column: Column[Any], expected: str) -> BadInput:
    return BadInput(f"{column.name!r} takes {expected}", column=column.name)


def start_of(place: Placement, sort: Sort | None, after: Any) -> Any:
    """Where a page begins: behind an id; in a sorted list behind a value and an id."""
    if sort is None:
        return place.check_id(after)
    value, id = read_position(sort, after)
    return value, place.check_id(id)


def write_position(value: Any, id: Any) -> str:
    """Where a sorted page ends, as text that needs no quoting in an address."""
    text = json.dumps([plain(value), plain(id)], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_position(sort: Sort, text: Any) -> tuple[Any, Any]:
    """The value and the id that such a text stands behind; the id is as JSON has it."""
    refusal = BadInput(
        f"{str(text)[:100]!r} is no place in this list",
        hint="Take `next` of the page before, as it is, with the same sort; the first page needs none.",
    )
    try:
        padded = text + "=" * (-len(text) % 4)
        value, id = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        if id is None or isinstance(id, bool | list | dict):
            raise refusal
        return (None if value is None else value_for(sort.column, value)), id
    except (ValueError, TypeError, binascii.Error, RecursionError) as error:
        raise refusal from error
