"""What a migration remembers of itself in the database: under which keys, and of each axis in which columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from ..placement import Placement

MACHINE = "machine: "
AXIS_COLUMNS = (
    "kind",
    "axis",
    "table_name",
    "key_column",
    "key_type",
    "scope_column",
    "status_column",
    "version_column",
    "head_column",
)


def added_key(table: str, column: str) -> str:
    """What a migration remembers of a column that it added to a table, as a key."""
    return f"column: {table}.{column}"


def made_key(table: str) -> str:
    """What a migration remembers of a table that it made, as a key."""
    return f"table: {table}"


def view_key(view: str) -> str:
    """What a migration remembers of a view that it made, as a key."""
    return f"view: {view}"


def machine_key(kind: str, axis: str, fingerprint: str) -> str:
    """What a migration remembers of a machine version that it registered, as a key."""
    return f"{MACHINE}{kind}.{axis} {fingerprint}"


def digest(statements: Sequence[str]) -> str:
    """The hash of statements, by which a migration knows that it has run them."""
    return sha256("\n".join(statements).encode()).hexdigest()


def axis_row(place: Placement) -> tuple[Any, ...]:
    """Where an axis is kept, as a row of `interlock_axis`."""
    return (
        place.kind,
        place.name,
        place.table_sql,
        place.key_sql,
        place.key_type,
        place.scope_sql,
        place.status_sql,
        place.version_sql,
        place.head_sql,
    )


def known_axes(rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    """Axes in an order that no collation has a say in."""
    return [
        dict(zip(AXIS_COLUMNS, row, strict=True)) for row in sorted(rows, key=lambda row: (row[0], row[1]))
    ]
