"""The states of work by the decisions of people: how many records are in each pair, and which pairs a rule makes impossible."""

from __future__ import annotations

from typing import Any

from ...machine import State
from ...workflow import Axis, Workflow
from ...workflow.extension import PageContext
from ..marks import FAILED, RETRY, is_moved_by_people, mark_of, marks_of, stages_of
from ..words import path, query, state_word

MANY = 100_000
"""Above so many records of a kind, pairs of states are counted only when somebody asks."""


def matrix_of(context: PageContext, workflow: Workflow, total: int) -> dict[str, Any] | None:
    """The states of the worked axis by the decisions of people; None where a kind has no such two axes. Pairs of very many records are
    counted when somebody asks."""
    plain = [axis for axis in workflow.axes.values() if not axis.scoped]
    decided = next((axis for axis in plain if is_moved_by_people(workflow, axis)), None)
    worked = next((axis for axis in plain if axis is not decided and stages_of(workflow, axis)), None)
    if decided is None or worked is None or not total:
        return None
    names = {"axis": worked.name, "by": decided.name}
    if total > MANY and context.query.get("pairs") != "count":
        return {**names, "rows": None}
    held = {
        (one.state, one.by): one.records
        for one in context.client.pairs(workflow.name, worked.name, decided.name)
    }
    columns: list[dict[str, Any]] = [
        {"state": by, "word": state_word(by), "mark": mark_of(marks_of(workflow, decided), by)}
        for by in decided.machine.states
    ]
    rows = []
    marks = marks_of(workflow, worked)
    for state in sorted(worked.machine.states, key=lambda one: mark_of(marks, one) in (FAILED, RETRY)):
        cells = [
            {
                "records": held.get((state, column["state"]), 0),
                "cannot": not held.get((state, column["state"]))
                and is_impossible(workflow, worked, state, decided, column["state"]),
                "href": path("records", workflow.name)
                + query(
                    **{f"state.{worked.name}": state_word(state), f"state.{decided.name}": column["word"]}
                ),
            }
            for column in columns
        ]
        sums = sum(cell["records"] for cell in cells)
        rows.append(
            {
                "word": state_word(state),
                "mark": mark_of(marks, state),
                "cells": cells,
                "sum": sums,
            }
        )
    return {
        **names,
        "columns": columns,
        "rows": rows,
        "sums": [sum(row["cells"][place]["records"] for row in rows) for place in range(len(columns))],
        "total": sum(row["sum"] for row in rows),
        "heavy": max((cell["records"] for row in rows for cell in row["cells"]), default=0) / 2,
    }


def is_impossible(workflow: Workflow, worked: Axis, state: State, decided: Axis, by: State) -> bool:
    """Whether rules keep a pair from being: entering the one requires another decision, and leaving that decision moves it on."""
    for rule in workflow.rules:
        needed = (rule.required or {}).get(decided.name)
        if rule.moment != "entering" or rule.axis != worked.name or state not in rule.states or not needed:
            continue
        if by not in needed and all(
            any(
                other.moment == "leaving"
                and other.axis == decided.name
                and other.target == worked.name
                and required in other.states
                and state in (other.mapping or {})
                for other in workflow.rules
            )
            for required in needed
        ):
            return True
    return False
