"""Reads whole records by id, past SQLAlchemy's statements: they are hot, and the same every time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Column, Connection, Dialect, Table

from ...workflow.columns.instant import Instant
from ..engines import sql_of
from ..work.rows import WorkRows


def _converter(column: Column[Any], dialect: Dialect, code: Any) -> Callable[[Any], Any] | None:
    """How the driver's values become Python's; instants need less than SQLAlchemy would do.

    `code` is the driver's own code of the column's type: SQLAlchemy asks for it where one type has several forms.
    """
    if isinstance(column.type, Instant):
        return sql_of(dialect).read_instant
    return column.type.dialect_impl(dialect).result_processor(dialect, code)


class Rows:
    """The rows of one table by the values of one column, as a runner's work sees them."""

    def __init__(self, table: Table, key: Column[Any], dialect: Dialect, work: WorkRows) -> None:
        self.work, self.dialect = work, dialect
        self._columns = list(table.columns)
        self.names = [column.name for column in self._columns]
        self.key = self.names.index(key.name)
        self._convert: list[tuple[int, str, Callable[[Any], Any]]] | None = None
        prepare = dialect.identifier_preparer
        self.sql = (
            f"SELECT {', '.join(prepare.quote(name) for name in self.names)} FROM {prepare.format_table(table)} "
            f"WHERE {work.among(prepare.quote(key.name), 'keys', key.type.compile(dialect=dialect))}"
        )

    def read(self, tx: Connection, keys: list[Any]) -> dict[str, dict[str, Any]]:
        """Each row by its key as ledger and work rows write it."""
        return dict(self.pairs(tx, keys))

    def pairs(self, tx: Connection, keys: list[Any]) -> list[tuple[str, dict[str, Any]]]:
        """(key as ledger and work rows write it, row) of every row with one of these keys."""
        found = []
        names, key = self.names, self.key
        cursor = self.work.run(tx, self.sql, {"keys": keys})
        converters = self._converters(cursor.description)
        for row in cursor.fetchall():
            values = dict(zip(names, row, strict=True))
            for number, name, convert in converters:
                values[name] = convert(row[number])
            found.append((str(row[key]), values))
        return found

    def _converters(
        self, description: Sequence[Sequence[Any]]
    ) -> list[tuple[int, str, Callable[[Any], Any]]]:
        """(place in the row, name, function) of the columns whose values need converting; made at the first reading."""
        if self._convert is None:
            made = [
                _converter(column, self.dialect, description[number][1])
                for number, column in enumerate(self._columns)
            ]
            self._convert = [
                (number, self.names[number], convert)
                for number, convert in enumerate(made)
                if convert is not None
            ]
        return self._convert
