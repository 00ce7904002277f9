"""Reads whole records by id, past SQLAlchemy's statements: they are hot, and the same every time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Column, Connection, Dialect

from ..workflow import Workflow
from ..workflow.instant import Instant, read
from .placement import Placement
from .work import WorkRows


def _read(text: str | None) -> Any:
    return None if text is None else read(text)


def _converter(column: Column[Any], dialect: Dialect) -> Callable[[Any], Any] | None:
    """How the driver's values become Python's; PostgreSQL's instants are Python's already, and SQLite's need no more than reading."""
    if isinstance(column.type, Instant):
        return _read if dialect.name == "sqlite" else None
    return column.type.dialect_impl(dialect).result_processor(dialect, None)


class Records:
    """The records of one workflow, as a runner's work sees them."""

    def __init__(self, workflow: Workflow, place: Placement, work: WorkRows) -> None:
        self.work = work
        dialect = place.dialect
        columns = list(workflow.records.columns)
        self.names = [column.name for column in columns]
        self.key = self.names.index(workflow.id_column.name)
        self.convert = [(number, column.name, convert) for number, column in enumerate(columns)
                        if (convert := _converter(column, dialect)) is not None]
        prepare = dialect.identifier_preparer
        key = workflow.id_column
        self.sql = (f"SELECT {', '.join(prepare.quote(name) for name in self.names)} FROM {prepare.format_table(workflow.records)} "
                    f"WHERE {work.among(prepare.quote(key.name), 'keys', key.type.compile(dialect=dialect))}")

    def read(self, tx: Connection, keys: list[Any]) -> dict[str, dict[str, Any]]:
        found = {}
        names, key = self.names, self.key
        for row in self.work.run(tx, self.sql, {"keys": keys}).fetchall():
            values = dict(zip(names, row, strict=True))
            for number, name, convert in self.convert:
                values[name] = convert(row[number])
            found[str(row[key])] = values
        return found
