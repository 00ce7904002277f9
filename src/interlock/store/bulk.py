"""Inserts many rows into a table of the user's own, inside a transaction that the caller holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, insert

from ..errors import BadInput
from .engines import sql_of


def insert_rows(tx: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> int:
    """Insert `rows` into `table` and return how many there were.

    Each row maps column names to Python values; all rows name the same columns as the first. PostgreSQL takes the rows by COPY, SQLite
    by one statement, which costs a fraction of an INSERT per row. Columns that are left out get the default that the database has.
    """
    if not rows:
        return 0
    _check_columns(table, rows)
    names = list(rows[0])
    if any(column.default is not None and column.name not in names for column in table.columns):
        tx.execute(insert(table), [dict(row) for row in rows])  # SQLAlchemy itself computes such defaults
        return len(rows)
    prepare = tx.dialect.identifier_preparer
    binds = [_remembering(_bind(table, name, tx)) for name in names]
    sql_of(tx.dialect).insert_rows(
        tx,
        prepare.format_table(table),
        [prepare.quote(name) for name in names],
        [
            [bind(row[name]) if bind else row[name] for name, bind in zip(names, binds, strict=True)]
            for row in rows
        ],
    )
    return len(rows)


def _check_columns(table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Refuse rows that name other columns than the first, and columns that the table does not have."""
    names = rows[0].keys()
    if unknown := sorted(names - set(table.columns.keys())):
        raise BadInput(f"table {table.name} has no column {', '.join(unknown)}")
    for number, row in enumerate(rows):
        if row.keys() != names:
            other = ", ".join(sorted(row.keys() ^ names))
            raise BadInput(
                f"row {number} of {len(rows)} for table {table.name} does not name the columns of the first: {other}",
                hint="Rows inserted together name the same columns; give None where one has no value.",
            )


def _remembering(bind: Callable[[Any], Any] | None) -> Callable[[Any], Any] | None:
    """The same function, called once for None and once for each tuple of strings: columns of lists hold the same few again and again."""
    if bind is None:
        return None
    known: dict[Any, Any] = {}

    def apply(value: Any) -> Any:
        if value is not None and not (type(value) is tuple and all(type(one) is str for one in value)):
            return bind(value)
        if value not in known:
            known[value] = bind(value)
        return known[value]

    return apply


def _bind(table: Table, name: str, tx: Connection) -> Callable[[Any], Any] | None:
    """The function that makes a column's Python values into the driver's; None where they are the same."""
    return table.columns[name].type.dialect_impl(tx.dialect).bind_processor(tx.dialect)
