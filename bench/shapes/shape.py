"""What a shape is: its workflows, the records it begins with, and when it is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, Connection, Integer, Table, text

from interlock import App, Workflow

ADMITTED_AT_ONCE = 5_000
KEY = BigInteger().with_variant(Integer, "sqlite")


def admit_rows(
    kind: str, row: Callable[[int], Mapping[str, Any]] = lambda number: {}
) -> Callable[[App, int], None]:
    """A function that admits so many records, a few thousand in each call."""

    def admit(app: App, records: int) -> None:
        for start in range(0, records, ADMITTED_AT_ONCE):
            numbers = range(start + 1, min(start + ADMITTED_AT_ONCE, records) + 1)
            answers = app.admit_many(kind, [row(number) for number in numbers], actor="bench")
            assert all(answer.outcome == "admitted" for answer in answers), "a record was not admitted"

    return admit


@dataclass(frozen=True)
class Shape:
    """One line of the table. `ends` names the final states by (kind, axis); the shape is over when they hold `expected` times as many
    rows as records were admitted. `unit` is what is counted: moves, or `per_record` things for each record."""

    name: str
    declare: Callable[[], Sequence[Workflow]]
    admit: Callable[[App, int], None]
    ends: frozenset[tuple[str, str, str]]
    expected: int = 1
    unit: str = "moves/s"
    per_record: int = 1
    share: float = 1.0
    """How many of the records of a run this shape takes: a record that finds fifty others is worth fifty."""

    @property
    def is_ratio(self) -> bool:
        """Whether its figure is compared with plain W; the others are figures of their own."""
        return self.unit == "moves/s"


def insert_rows(
    tx: Connection, table: Table, columns: Mapping[str, str], rows: Mapping[str, list[Any]]
) -> None:
    """Insert whole columns by one statement; `columns` gives the type of each, as PostgreSQL calls it."""
    names = ", ".join(columns)
    if tx.dialect.name == "sqlite":
        marks = ", ".join(f":{name}" for name in columns)
        values = [
            dict(zip(columns, row, strict=True))
            for row in zip(*(rows[name] for name in columns), strict=True)
        ]
        if values:
            tx.execute(text(f"INSERT INTO {table.name}({names}) VALUES ({marks})"), values)
        return
    arrays = ", ".join(f"CAST(:{name} AS {type_}[])" for name, type_ in columns.items())
    tx.execute(text(f"INSERT INTO {table.name}({names}) SELECT * FROM unnest({arrays})"), dict(rows))
