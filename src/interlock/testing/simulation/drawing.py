"""Draws what happens in a simulated world: records to admit, and the outcome of each piece of work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cache
from random import Random
from typing import Any

from sqlalchemy import Column, Integer, String, UniqueConstraint, Uuid

from ...runner.executors.tasks import Task
from ...workflow import Again, Axis, Done, Failed, Outcome, Workflow
from .clock import BEGINNING

Rows = Callable[[Random, int], Mapping[str, Any]]
Results = Callable[[Task, Random], Any]
"""What a stage's `save` is given; None: it has nothing to save."""

ENDINGS = (
    ("done",) * 12
    + ("failed",) * 3
    + ("found",) * 4
    + ("again",) * 2
    + ("empty", "final", "raised", "bad", "kill", "pause")
)


PLAIN: dict[type[Any], Any] = {
    datetime: BEGINNING,
    date: BEGINNING.date(),
    Decimal: Decimal(1),
    float: 1.0,
    dict: {},
    bytes: b"",
}


class Poison(BaseException):
    """Marks work that kills the process that runs it."""


class Script:
    """Everything that a seed decides about records and outcomes; users may bring their own rows and results."""

    def __init__(
        self,
        workflows: Mapping[str, Workflow],
        rows: Mapping[str, Rows] | None = None,
        results: Results | None = None,
    ) -> None:
        self.workflows, self.rows, self.results = workflows, dict(rows or {}), results
        self.children: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        """By token: the kinds and rows of new records that an attempt found and nobody else did."""

    def row(self, random: Random, workflow: Workflow, number: int) -> dict[str, Any]:
        """A record to admit."""
        given = self.rows.get(workflow.name)
        return dict(given(random, number)) if given is not None else drawn_row(random, workflow, number)

    def outcome(self, random: Random, task: Task, number: int, *, calm: bool) -> Outcome[Any]:
        """Draw the outcome of this work; in the calm part of a history everything succeeds."""
        ending = "done" if calm else random.choice(ENDINGS)
        self.children.pop(
            task.token, None
        )  # of an earlier run of the same attempt, which a runner that stopped gave back
        task.verdicts = [
            {"gate": gate.name, "passed": calm or random.random() < 0.8} for gate in task.stage.guards()
        ]
        refused = not all(one["passed"] for one in task.verdicts)
        return Failed("GATE_SAID_NO", final=True) if refused else self._made(random, task, number, ending)

    def _made(self, random: Random, task: Task, number: int, ending: str) -> Outcome[Any]:
        if ending == "kill":
            raise Poison
        if ending == "again":
            return Again(timedelta(seconds=random.choice((1, 20, 90))))
        if ending in ("failed", "raised"):
            return Failed(
                "BROKE" if ending == "failed" else "ValueError", "drawn", self._result(task, random)
            )
        if ending in ("final", "pause"):
            return Failed("HOPELESS", final=True, pause=timedelta(minutes=5) if ending == "pause" else False)
        if ending == "bad":
            engine: dict[str, Any] = {
                self.workflows[task.kind].axes[task.stage.axis].column_name("version"): 99
            }
            return random.choice((Done(facts_that_cannot_be=object()), Done(Unsaveable()), Done(**engine)))
        if ending == "empty":
            return Done(empty=True)
        workflow = self.workflows[task.kind]
        facts = drawn_facts(random, workflow, workflow.axes[task.stage.axis], task.token)
        return Done(
            self._result(task, random),
            admits=self._draw_children(task, random, number) if ending == "found" else {},
            **facts,
        )

    def _draw_children(self, task: Task, random: Random, number: int) -> dict[str, list[dict[str, Any]]]:
        """Draw records of another kind that the work found; some of them exist already."""
        others = [workflow for name, workflow in self.workflows.items() if name != task.kind]
        if not others:
            return {}
        chosen = random.choice(others)
        numbers = [random.choice((number * 10, 1)) for _ in range(2)]
        rows = [self.row(random, chosen, one) for one in numbers]
        self.children[task.token] = [
            (chosen.name, row) for one, row in zip(numbers, rows, strict=True) if one != 1
        ]
        return {chosen.name: rows}

    def _result(self, task: Task, random: Random) -> Any:
        return None if self.results is None else self.results(task, random)


class Unsaveable:
    """A result that no `save` can keep."""

    def __getattr__(self, name: str) -> Any:
        raise TypeError(f"this result has no {name}")


@cache
def unique_columns(workflow: Workflow) -> frozenset[str]:
    table = workflow.records
    sets = [
        constraint.columns.keys()
        for constraint in table.constraints
        if isinstance(constraint, UniqueConstraint)
    ]
    alone = [[column.name] for column in table.columns if column.unique]
    return frozenset(name for names in (*sets, *alone, workflow.unique) for name in names)


@cache
def free_columns(workflow: Workflow) -> tuple[Column[Any], ...]:
    """The columns that are neither the engine's nor somebody else's key."""
    engine = {
        name
        for axis in workflow.axes.values()
        if axis.table is workflow.records
        for name in axis.engine_names()
    }
    return tuple(
        column for column in workflow.records.columns if column.name not in engine and not column.foreign_keys
    )


def drawn_row(random: Random, workflow: Workflow, number: int) -> dict[str, Any]:
    """Ids and natural keys that no other has; the rest by its type."""
    found: dict[str, Any] = {}
    for column in free_columns(workflow):
        if column is workflow.id_column:
            if isinstance(column.type, String):
                found[column.name] = f"r{number}"
            elif not isinstance(column.type, (Integer, Uuid)):
                found[column.name] = number
        elif column.name in unique_columns(workflow):
            found[column.name] = number if isinstance(column.type, Integer) else f"{column.name}-{number}"
        elif (
            column.default is None
            and column.server_default is None
            and (not column.nullable or random.random() < 0.5)
        ):
            found[column.name] = drawn_value(random, column, f"v{number}")
    return found


def drawn_value(random: Random, column: Column[Any], text: str) -> Any:
    """A value of the column's own type; None for types that nothing is known of."""
    try:
        kind = getattr(column.type, "impl_instance", column.type).python_type
    except NotImplementedError:
        return None
    if kind is bool:
        return random.random() < 0.5
    if kind is int:
        return random.randint(0, 3)
    if kind is str:
        return text[: getattr(column.type, "length", None)]
    return PLAIN.get(kind)


@cache
def fact_columns(workflow: Workflow, axis: Axis) -> tuple[Column[Any], ...]:
    """Columns that an outcome or an amendment may give; none of any axis of the same row."""
    engine = {
        name for other in workflow.axes.values() if other.table is axis.table for name in other.engine_names()
    }
    return tuple(
        column
        for column in axis.table.columns
        if column.name not in engine
        and not column.foreign_keys
        and not column.primary_key
        and column.nullable
        and not column.unique
        and isinstance(column.type, (Integer, String))
        and not column.constraints
    )


def drawn_facts(random: Random, workflow: Workflow, axis: Axis, token: str) -> dict[str, Any]:
    """Facts for the record's own columns; text says which attempt it is from."""
    return {
        column.name: drawn_value(random, column, token[:12])
        for column in fact_columns(workflow, axis)
        if random.random() < 0.8
    }
