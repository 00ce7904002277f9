"""What the values of a column are in Python."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Column
from sqlalchemy.types import TypeEngine

_EXAMPLES = {
    bool: "True, False or None",
    int: "a whole number",
    float: "a number",
    Decimal: 'Decimal("19.99")',
    date: "date(2026, 1, 31)",
    datetime: "datetime(2026, 1, 31, 9, 0, tzinfo=UTC)",
    str: "text",
    bytes: "bytes",
    object: "a dict, a list, text, a number, True, False or None",
}


def python_type_of(kind: TypeEngine[Any]) -> type | None:
    """Return the Python type of a column type's values; None where the type cannot say."""
    with suppress(NotImplementedError):  # SQLAlchemy's word for that
        return kind.python_type
    return None


def value_hint(column: Column[Any]) -> str:
    """Return what to write for a column instead of a value that is not of its type."""
    wanted = python_type_of(column.type)
    example = None if wanted is None else _EXAMPLES.get(wanted, f"a {wanted.__name__}")
    return f"{column.name} is {column.type}" + (f": give it {example}." if example else ".")
