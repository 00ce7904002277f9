"""The order of a stage's queue, as an index and a question both need it: a column, and which direction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Column, Table
from sqlalchemy.sql import operators, visitors
from sqlalchemy.sql.elements import UnaryExpression

from ...workflow import Axis

_WORDS: Mapping[Any, str] = {
    operators.desc_op: "DESC",
    operators.asc_op: "ASC",
    operators.nulls_first_op: "NULLS FIRST",
    operators.nulls_last_op: "NULLS LAST",
}


class Ordering(NamedTuple):
    """One part of an order: what it goes by, and the words that follow it."""

    column: Any
    words: str

    def sql(self, column: str) -> str:
        return f"{column} {self.words}".strip()

    def is_column_of(self, table: Table) -> bool:
        """Whether an index of this table can hold it."""
        return isinstance(self.column, Column) and self.column.table is table


def ordering(expression: Any, axis: Axis) -> Ordering:
    """One element of a stage's `order`, taken apart; a column of which the axis keeps a copy is read from the copy."""
    words: list[str] = []
    while isinstance(expression, UnaryExpression) and expression.modifier in _WORDS:
        words.insert(0, _WORDS[expression.modifier])
        expression = expression.element
    return Ordering(copied(expression, axis), " ".join(words))


def copied(expression: Any, axis: Axis) -> Any:
    """The expression with columns of the record replaced by the axis's own copies of them."""
    copies = {source: axis.table.c[name] for name, source in axis.copies.items()}
    if not copies:
        return expression
    return visitors.replacement_traverse(
        expression, {}, lambda element, **_: copies.get(element) if isinstance(element, Column) else None
    )


def names_table(expression: Any, table: Table) -> bool:
    """Whether the expression names a column of this table; text in which no column can be recognised may do so."""
    columns = [element for element in visitors.iterate(expression) if isinstance(element, Column)]
    return not columns or any(column.table is table for column in columns)
