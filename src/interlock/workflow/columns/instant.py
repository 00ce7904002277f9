"""An aware UTC instant as a column type: timestamptz on PostgreSQL, sortable ISO text on SQLite."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, DateTime, Dialect, String, case, literal_column
from sqlalchemy.types import TypeDecorator, TypeEngine


def instant_text(instant: datetime) -> str:
    """The instant as text that sorts by time and ends in Z."""
    utc = instant if instant.tzinfo is UTC else instant.astimezone(UTC)
    return utc.isoformat(timespec="microseconds")[:26] + "Z"


def parse_instant(text: str) -> datetime:
    """The instant in a text of `instant_text`."""
    return datetime.fromisoformat(text)


def instant_of(value: Any) -> Any:
    """An instant as a driver returned it: text, which is how SQLite keeps it, is read; a datetime and None stay as they are."""
    return parse_instant(value) if isinstance(value, str) else value


UNREADABLE = datetime.min.replace(tzinfo=UTC)
"""Stands for an instant that somebody wrote past the guards, and that is none."""


class Instant(TypeDecorator[datetime]):
    """SQLite has no instants; text that sorts by time is the next best, and people can read it."""

    impl = DateTime(timezone=True)
    cache_ok = True

    @property
    def python_type(self) -> type[datetime]:
        """What its values are; facts and records that a stage found travel as text, and become this again."""
        return datetime

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(String(27) if dialect.name == "sqlite" else DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        return instant_text(value) if value is not None and dialect.name == "sqlite" else value

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        instant: datetime | None = instant_of(value)
        return instant


class LedgerInstant(Instant):
    """Of entries: one that cannot be read is `UNREADABLE`, so that a single odd entry hides no others; a verification locates it."""

    cache_ok = True

    def column_expression(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        """What no Python instant can hold comes as null."""
        return case((column.between(literal_column("'0001-01-02'"), literal_column("'9999-12-30'")), column))

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime:
        try:
            instant = super().process_result_value(value, dialect)
        except (TypeError, ValueError):
            return UNREADABLE
        return UNREADABLE if instant is None or instant.tzinfo is None else instant
