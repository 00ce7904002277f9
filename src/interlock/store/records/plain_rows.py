"""Rows of records that keep no state themselves: all of it is in the rows of scoped axes beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from ...workflow import Workflow
from ..engines import sql_of


def insert_new(tx: Connection, workflow: Workflow, rows: Sequence[Mapping[str, Any]]) -> set[Any]:
    """Insert what is not there yet; the ids of what is new. All rows give the same columns."""
    table, id = workflow.records, workflow.id_column
    return set(
        tx.execute(
            sql_of(tx.dialect).insert(table).on_conflict_do_nothing().returning(id),
            [dict(row) for row in rows],
        ).scalars()
    )
