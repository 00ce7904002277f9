"""Where a slice of records by id ends. Not `max()`: PostgreSQL has none of a uuid before version 18."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, func, select


def end_of_slice(tx: Connection, ids: Select[Any], size: int) -> tuple[Any, int]:
    """The last of the first ids of this query, and how many there are; None and 0 where there are none."""
    some = ids.order_by(*ids.selected_columns).limit(size).subquery()
    asked = select(some.c[0], func.count().over()).order_by(some.c[0].desc()).limit(1)
    found = tx.execute(asked).first()
    return (None, 0) if found is None else (found[0], int(found[1]))
