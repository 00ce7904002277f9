"""Reads whole records by id, past SQLAlchemy's statements: they are hot, and the same every time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sqlalchemy import Column, Connection, Dialect, Table

from ...workflow.columns.instant import Instant
from ..engines import sql_of
from ..work.rows import WorkRows


class Rows:
    """The rows of one table by the values of one column, as a runner's work sees them."""

    def __init__(
        self, table: Table, key: Column[Any], dialect: Dialect, work: WorkRows, scope: str | None = None
    ) -> None:
        self.work, self.dialect = work, dialect
        self.read_instant = sql_of(dialect).read_instant
        self._columns = list(table.columns)
        self.names = [column.name for column in self._columns]
        self.key = self.names.index(key.name)
        self._instants = (
            [number for number, column in enumerate(self._columns) if isinstance(column.type, Instant)]
            if self.read_instant is not None
            else []
        )
        self._convert: list[tuple[str, Callable[[Any], Any]]] | None = None
        prepare = dialect.identifier_preparer
        self.sql = (
            f"SELECT {', '.join(prepare.quote(name) for name in self.names)} FROM {prepare.format_table(table)} "
            f"WHERE {work.among(prepare.quote(key.name), 'keys', key.type.compile(dialect=dialect))}"
        )
        if scope is not None:
            self.sql += f" AND {work.among(prepare.quote(scope), 'scopes')}"

    def read(self, tx: Connection, keys: list[Any]) -> dict[str, dict[str, Any]]:
        """Each row by its key as ledger and work rows write it."""
        return dict(self.pairs(tx, keys))

    def pairs(
        self, tx: Connection, keys: list[Any], scopes: list[str] | None = None
    ) -> list[tuple[str, dict[str, Any]]]:
        """(key as ledger and work rows write it, row) of every row with one of these keys and, in a table of scopes, one of these."""
        cursor = self.work.run(
            tx, self.sql, {"keys": keys} if scopes is None else {"keys": keys, "scopes": scopes}
        )
        converters, names, key = self._converters(cursor.description), self.names, self.key
        found = []
        for row in self._with_instants(cursor.fetchall()):
            values = dict(zip(names, row))  # noqa: B905 the statement names as many columns
            for name, convert in converters:
                values[name] = convert(values[name])
            found.append((str(row[key]), values))
        return found

    def _with_instants(self, rows: list[tuple[Any, ...]]) -> Iterable[tuple[Any, ...]]:
        """The rows with instants in the place of their texts, each text read once: rows that moved together have the same."""
        read = self.read_instant
        if read is None or not self._instants or not rows:
            return rows
        columns = list(zip(*rows, strict=True))
        for number in self._instants:
            known = {text: None if text is None else read(text) for text in set(columns[number])}
            columns[number] = tuple([known[text] for text in columns[number]])
        return zip(*columns, strict=True)

    def _converters(self, description: Sequence[Sequence[Any]]) -> list[tuple[str, Callable[[Any], Any]]]:
        """(name, function) of the columns whose values SQLAlchemy converts; made at the first reading.

        The driver's own code of a column's type is needed where one type has several forms.
        """
        if self._convert is None:
            made = {
                column.name: column.type.dialect_impl(self.dialect).result_processor(self.dialect, code[1])
                for column, code in zip(self._columns, description, strict=True)
                if not isinstance(column.type, Instant)
            }
            self._convert = [(name, convert) for name, convert in made.items() if convert is not None]
        return self._convert
