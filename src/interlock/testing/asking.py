"""Calls the app and reduces its answer to one word: the outcome, or the name of the error it raised."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import select

from ..app import App
from ..errors import InterlockError
from ..machine import State
from ..observe.invariants import check_counters
from ..store.tables import ledger
from ..workflow import Answer, Workflow
from .model import Model, Spot


def answered(act: Callable[[], Answer]) -> str:
    try:
        return act().outcome
    except InterlockError as error:
        return type(error).__name__


def outcome_name(answer: Answer) -> str:
    return answer.outcome if answer.error is None else type(answer.error).__name__


def read_states(app: App, workflow: Workflow) -> dict[tuple[Any, Spot], tuple[State, int]]:
    """State and version of every row."""
    found = {}
    with app.database.read() as tx:
        for axis in workflow.axes.values():
            columns = [axis.table.c[axis.key], axis.column("status"), axis.column("version")]
            columns += [axis.table.c[axis.scope_column]] if axis.scoped else []
            for key, state, version, *rest in tx.execute(select(*columns)):
                found[key, (axis.name, rest[0] if rest else "")] = (state, version)
    return found


def histories(app: App, workflow: Workflow) -> dict[tuple[str, Spot], list[tuple[int, State, State]]]:
    """Every (version, from, to) in the ledger, in the order it was written."""
    found: dict[tuple[str, Spot], list[tuple[int, State, State]]] = {}
    asked = (
        select(
            ledger.c.record_id,
            ledger.c.axis,
            ledger.c.scope,
            ledger.c.version,
            ledger.c.from_state,
            ledger.c.to_state,
        )
        .where(ledger.c.kind == workflow.name)
        .order_by(ledger.c.position)
    )
    with app.database.read() as tx:
        for id, axis, scope, version, old, new in tx.execute(asked):
            found.setdefault((id, (axis, scope)), []).append((version, old, new))
    return found


def differences(app: App, model: Model) -> list[str]:
    """Return a sentence for each record whose row or history differs from the model."""
    rows = read_states(app, model.workflow)
    wanted = {
        (id, spot): (track.state, track.version)
        for id, tracks in model.records.items()
        for spot, track in tracks.items()
    }
    lines = histories(app, model.workflow)
    known = {**model.records, **model.erased}
    paths = {(str(id), spot): track.history for id, tracks in known.items() for spot, track in tracks.items()}
    found = [
        f"{key}: is {rows.get(key)}, should be {wanted.get(key)}"
        for key in {*rows, *wanted}
        if rows.get(key) != wanted.get(key)
    ]
    return found + [
        f"{key}: history is {lines.get(key)}, should be {paths.get(key)}"
        for key in {*lines, *paths}
        if lines.get(key) != paths.get(key)
    ]


def breaches(app: App) -> list[str]:
    """Return what the app's own check and a recount of the counters find."""
    return [
        str(finding)
        for finding in (
            *(
                one for kind in app.workflows for one in app.check(kind).findings
            ),  # guards may be left out on purpose
            *check_counters(app.database, list(app.workflows.values())),
        )
    ]
