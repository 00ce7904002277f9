"""Looks at a table before it is adopted: what its rows would become, and what keeps it from being adopted. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, case, func, inspect, select

from ..machine import State
from ..store.connect import Database
from ..store.placement import Placement, tables_of
from ..store.records.duplicates import Duplicate, duplicates
from ..workflow import Workflow
from ..workflow.adopt import is_running
from .decision import Decision


@dataclass(frozen=True, slots=True)
class ValueCount:
    """Rows with one status that one rule adopts in one state, or that are left over, and why."""

    value: str | None
    rule: str | None
    state: State
    rows: int
    why: str | None


@dataclass(frozen=True, slots=True)
class Scan:
    """What a table's rows would become, and what keeps it from being adopted."""

    kind: str
    axis: str
    adoption: str
    rows: int
    values: tuple[ValueCount, ...]
    unmatched: int
    ambiguous: int
    """Rows that more than one rule matches; the first one wins."""
    running: int
    """Rows in a state in which a stage runs."""
    duplicates: tuple[Duplicate, ...]
    missing_columns: tuple[str, ...]
    longest_transaction: float | None
    """Seconds that somebody's transaction has been open, where the database knows: a migration waits for it."""


def scan(database: Database, place: Placement) -> Scan:
    """Look at every row of one axis that may be adopted."""
    decision = Decision(place)
    with database.read() as tx:
        values, ambiguous = _values(tx, decision)
        return Scan(
            place.kind,
            place.name,
            decision.adopt.name,
            sum(one.rows for one in values),
            tuple(values),
            sum(one.rows for one in values if one.why is not None),
            ambiguous,
            sum(one.rows for one in values if is_running(place.workflow, place.axis, one.state)),
            tuple(duplicates(tx, place.workflow)),
            tuple(_missing_columns(tx, place.workflow)),
            database.sql.schema.longest_transaction(tx),
        )


def _values(tx: Connection, decision: Decision) -> tuple[list[ValueCount], int]:
    rule, raw = decision.rule.label("rule"), decision.raw.label("raw")
    several = case((decision.matches > 1, 1), else_=0).label("several")
    rows = decision.question(rule, raw, several).subquery()
    asked = select(rows.c.rule, rows.c.raw, func.count(), func.sum(rows.c.several)).group_by(
        rows.c.rule, rows.c.raw
    )
    counts, ambiguous = [], 0
    for name, value, number, overlapping in tx.execute(asked):
        decided = decision.decide(name, value)
        counts.append(ValueCount(value, decided.rule, decided.state, int(number), decided.why))
        ambiguous += int(overlapping or 0)
    return sorted(counts, key=lambda one: (-one.rows, one.value or "")), ambiguous


def _missing_columns(tx: Connection, workflow: Workflow) -> Sequence[str]:
    look = inspect(tx)
    return [
        f"{table.name}.{column.name}"
        for table in tables_of(workflow)
        if look.has_table(table.name, schema=table.schema)
        for column in table.columns
        if column.name not in {one["name"] for one in look.get_columns(table.name, schema=table.schema)}
    ]
