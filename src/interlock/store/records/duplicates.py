"""Rows that share a natural key, before the database keeps it unique."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from ...workflow import Workflow

EXAMPLES = 20


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Rows that share one natural key."""

    key: tuple[str | None, ...]
    ids: tuple[str, ...]


def duplicates(tx: Connection, workflow: Workflow, limit: int = EXAMPLES) -> list[Duplicate]:
    """Natural keys that more than one row has, with the ids of these rows."""
    if not workflow.unique:
        return []
    columns = [workflow.records.c[name] for name in workflow.unique]
    present = [column.is_not(None) for column in columns]
    twice = select(*columns).where(*present).group_by(*columns).having(func.count() > 1).limit(limit)
    shared = []
    for key in tx.execute(twice):
        same = [column == value for column, value in zip(columns, key, strict=True)]
        ids = tx.execute(select(workflow.id_column).where(*same).order_by(workflow.id_column).limit(limit))
        shared.append(Duplicate(tuple(map(_spelled, key)), tuple(str(id) for id in ids.scalars())))
    return shared


def _spelled(value: Any) -> str | None:
    return None if value is None else str(value)
