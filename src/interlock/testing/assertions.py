"""Asserts the states that a record has been in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..app import App, Kind
from ..errors import BadInput, state_text
from ..machine import State


def assert_history(
    app: App,
    kind: Kind,
    id: Any,
    states: Sequence[State],
    *,
    axis: str | None = None,
    scope: str | None = None,
) -> None:
    """Assert that the record was in exactly these states, in this order, and that its chain is whole; `axis` names one of several."""
    if isinstance(states, str):
        raise BadInput(f"the states of a history are a list, not {states!r}", hint=f"Write [{states!r}].")
    workflow = app.workflow(kind)
    name = workflow.axis(axis).name if axis is not None else next(iter(workflow.axes))
    moves = [
        move
        for move in app.ledger.history(workflow, id, axis=name, scope=scope)
        if move.origin not in ("deletion", "erase")
    ]
    entered = [move.new for place, move in enumerate(moves) if place == 0 or move.old != move.new]
    wanted = [None if state is None else str.__str__(state) for state in states]
    if entered != wanted:
        path = " → ".join(map(state_text, entered)) or "no history"
        raise AssertionError(
            f"{workflow.name} {id!r} went {path} on {name}, not {' → '.join(map(state_text, wanted))}"
        )
    findings = app.check(workflow, id).findings
    if findings:
        raise AssertionError("; ".join(map(str, findings)))
