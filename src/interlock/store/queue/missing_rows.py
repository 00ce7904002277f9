"""What shall hold without anybody asking, and does not: moves of `during` rules, and state rows of pairs. A bounded slice each time."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Dialect, select

from ...machine import State
from ...workflow import Axis, Rule, Workflow
from ..guarded import elsewhere_sql
from ..placement import Placement
from ..sql import text
from ..work.rows import WorkRows
from .indexes import missing_sql

LOOKED_UP = 500
"""Records that are looked up by one query."""


class MissingMoves:
    """Rows in which one move of a `during` rule is missing."""

    def __init__(self, work: WorkRows, workflow: Workflow, rule: Rule, old: State) -> None:
        self.work, self.workflow, self.rule, self.old = work, workflow, rule, old
        self.driver, self.target = workflow.axes[rule.axis], workflow.axes[rule.target or ""]
        self.is_across = self.driver.table is not self.target.table
        self.name = (workflow.name, str(rule), old)

    def rows(
        self, tx: Connection, after: tuple[Any, Any] | None, limit: int
    ) -> tuple[list[tuple[Any, str]], tuple[Any, Any] | None]:
        """(key, scope) of those, and where to go on; across tables a slice of the candidates is looked at, one by one."""
        key, scope = after or (None, None)
        rows = self.work.run(
            tx, self.sql(tx.dialect, after is None), {"after": key, "after_scope": scope, "limit": limit}
        ).fetchall()
        return [(row[0], row[1]) for row in rows if row[2]], (rows[-1][0], rows[-1][1]) if len(
            rows
        ) == limit else None

    def sql(self, dialect: Dialect, from_the_beginning: bool) -> str:
        place = Placement(self.workflow, self.target, dialect)
        key, scope = (
            place.qualified(place.key_sql),
            place.qualified(place.scope_sql) if place.scope_sql else None,
        )
        where = missing_sql(self.rule, self.driver, self.target, self.old, dialect, f"{place.table_sql}.")
        driver = Placement(self.workflow, self.driver, dialect)
        follows = elsewhere_sql(place, driver, self.rule.states) if self.is_across else "1 = 1"
        where = self.work.sql.escape_percent(where)
        order = key if scope is None else f"{key}, {scope}"
        edge = (
            f" AND {key} > %(after)s" if scope is None else f" AND ({order}) > (%(after)s, %(after_scope)s)"
        )
        return (
            f"SELECT {key}, {scope or text('')}, {follows} FROM {place.table_sql} WHERE {where}{'' if from_the_beginning else edge} "
            f"ORDER BY {order} LIMIT %(limit)s"
        )


def missing_pairs(
    tx: Connection, workflow: Workflow, axis: Axis, after: Any, limit: int
) -> tuple[list[Any], Any]:
    """(id, scope) of pairs without their state row, of a slice of the records by id, and where the next slice begins. A pair of a record
    that is not there, or not any more, is nobody's."""
    assert axis.pairs is not None
    id, after_last = (
        workflow.id_column,
        select(workflow.id_column).order_by(workflow.id_column).offset(limit - 1).limit(1),
    )
    last = tx.execute(after_last if after is None else after_last.where(id > after)).scalar()
    pairs = axis.pairs.subquery()
    first, second = list(pairs.c)[:2]
    key, scope = axis.table.c[axis.key], axis.table.c[axis.scope_column]

    def within(column: Any) -> list[Any]:
        return [*([] if after is None else [column > after]), *([] if last is None else [column <= last])]

    shall = select(first, second).where(second.in_(axis.scopes), *within(first))
    there = select(key, scope).where(
        *within(key)
    )  # two ranges held against each other, not a look-up for each pair
    missing = list(tx.execute(shall.except_(there)).all())
    ids = list(dict.fromkeys(one[0] for one in missing))
    known: set[str] = set()
    for start in range(0, len(ids), LOOKED_UP):
        known |= set(map(str, tx.execute(select(id).where(id.in_(ids[start : start + LOOKED_UP]))).scalars()))
    return [one for one in missing if str(one[0]) in known], last
