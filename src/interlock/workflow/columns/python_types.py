"""What the values of a column are in Python."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import JSON, Column
from sqlalchemy.types import TypeEngine

from ...errors import BadDeclaration

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

_INEXACT = frozenset({bool, float, Decimal, date, datetime, time, timedelta, bytes, list})


def python_type_of(kind: TypeEngine[Any]) -> type | None:
    """Return the Python type of a column type's values; None where the type cannot say."""
    with suppress(NotImplementedError):  # SQLAlchemy's word for that
        return kind.python_type
    return None


def refuse_inexact_key(kind: str, key: Column[Any]) -> None:
    """Raise unless the ids of this key are whole numbers, text or UUIDs, where its type can say so.

    History, work rows, commands and addresses hold an id as text. A float, a decimal or an instant has several spellings, and each database
    writes another one; of bytes and booleans Python and the databases write different ones.
    """
    if isinstance(key.type, JSON) or python_type_of(key.type) in _INEXACT:
        raise BadDeclaration(
            f"{kind}: the primary key {key.name!r} of table {key.table.name!r} is {key.type}, and such an id has more than one spelling as "
            "text, by which history keeps it",
            hint="Give the table a key of whole numbers, text or UUIDs, as in "
            f"Column({key.name!r}, BigInteger, primary_key=True), which also fits a NUMERIC column of whole numbers; the column that it "
            "has now can stay beside it, named in unique=[…].",
        )


def value_hint(column: Column[Any]) -> str:
    """Return what to write for a column instead of a value that is not of its type."""
    wanted = python_type_of(column.type)
    example = None if wanted is None else _EXAMPLES.get(wanted, f"a {wanted.__name__}")
    return f"{column.name} is {column.type}" + (f": give it {example}." if example else ".")
