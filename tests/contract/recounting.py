"""The figures again, counted the slow way: from the rows and from every entry of the ledger, in plain Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

from sqlalchemy import select, text

from interlock import App
from interlock.observe.metrics import Figure, Level, levels_of
from interlock.observe.metrics.collector import Watch
from interlock.store.tables import ledger, verdict
from interlock.testing import Sandbox

Samples = dict[tuple[str, ...], float]
LEVELS = {
    "work": {"kind": "jobs", "leave": "waiting", "within": "30s", "share": 99},
    "well": {
        "kind": "jobs",
        "leave": "running",
        "into": "done",
        "within": "1s",
        "share": "99.9%",
        "over": "7d",
    },
}


def watching(box: Sandbox, levels: Any = LEVELS) -> Watch:
    return Watch(
        box.database, box.clock, box.workflows, levels_of(box.workflows.values(), levels), kept_for=0
    )


def named(state: str | None) -> str:
    return "null" if state is None else state


def figures(watch: Watch) -> dict[str, Figure]:
    return {figure.name: figure for figure in watch.figures()}


def some(samples: Samples) -> Samples:
    """Those that are not nothing."""
    return {labels: value for labels, value in samples.items() if value}


def rows(app: App, sql: str) -> list[dict[str, Any]]:
    with app.database.read() as tx:
        return [dict(row) for row in tx.execute(text(sql)).mappings()]


def ids(app: App, kind: str) -> list[Any]:
    with app.database.read() as tx:
        return list(tx.execute(select(app.workflow(kind).id_column).order_by(app.workflow(kind).id_column)))


def placed(app: App) -> Iterable[tuple[str, str, str, dict[str, Any]]]:
    """(kind, axis, scope, row) of every record on every axis, with the axis's own words for the engine's columns."""
    for workflow in app.workflows.values():
        for axis in workflow.axes.values():
            with app.database.read() as tx:
                for row in tx.execute(select(axis.table)).mappings():
                    said = {
                        name: row[axis.column_name(name)]
                        for name in ("status", "since", "ready_at", "tries")
                        if axis.has(name)
                    }
                    yield (
                        workflow.name,
                        axis.name,
                        row[axis.scope_column] if axis.scoped else "",
                        {**said, "id": str(row[axis.key])},
                    )


def records(app: App) -> Samples:
    return Counter((kind, axis, scope, named(row["status"])) for kind, axis, scope, row in placed(app))  # type: ignore[return-value]


def entries(app: App) -> list[Any]:
    with app.database.read() as tx:
        return list(tx.execute(select(ledger).order_by(ledger.c.position)))


def moves(app: App) -> Samples:
    found: Samples = Counter()  # type: ignore[assignment]
    for one in entries(app):
        old = "" if one.version == 0 else named(one.from_state)
        new = "" if one.origin in ("erase", "deletion") else named(one.to_state)
        found[one.kind, one.axis, old, new] += 1
    return found


def refusals(app: App) -> Samples:
    with app.database.read() as tx:
        return Counter((row.kind, row.code, row.verdict) for row in tx.execute(select(verdict)))  # type: ignore[return-value]


def stays(app: App) -> list[tuple[str, str, str, str, str, float]]:
    """(kind, axis, scope, state, to, seconds) of every time that a record left a state."""
    entered: dict[tuple[str, ...], Any] = {}
    found = []
    for one in sorted(entries(app), key=lambda one: one.version):
        place = (one.kind, one.record_id, one.axis, one.scope)
        if one.version > 0 and one.from_state == one.to_state:
            continue
        if one.version > 0 and one.origin not in ("erase", "deletion"):
            found.append(
                (
                    one.kind,
                    one.axis,
                    one.scope,
                    named(one.from_state),
                    named(one.to_state),
                    (one.at - entered[place]).total_seconds(),
                )
            )
        entered[place] = one.at
    return found


def level(app: App, one: Level, scope: str) -> tuple[int, int]:
    """(all, in time) in one scope."""
    left = [
        stay
        for stay in stays(app)
        if stay[:4] == (one.kind, one.axis, scope, named(one.state)) and one.counts(stay[4])
    ]
    return len(left), sum(seconds <= one.within.total_seconds() and one.fits(to) for *_, to, seconds in left)


def ages(app: App) -> dict[tuple[str, str, str, str], list[float]]:
    """How long each record has been where it waits with a date, or is worked on."""
    at_work = {
        (row["kind"], row["axis"], row["scope"], row["record_id"])
        for row in rows(app, "SELECT * FROM interlock_work")
    }
    found: dict[tuple[str, str, str, str], list[float]] = {}
    for kind, axis, scope, row in placed(app):
        waits = {
            state
            for stage in app.workflows[kind].stages.values()
            if stage.axis == axis
            for state in stage.waiting
        }
        if (row.get("ready_at") is not None and row["status"] in waits) or (
            kind,
            axis,
            scope,
            row["id"],
        ) in at_work:
            found.setdefault((kind, axis, scope, named(row["status"])), []).append(
                (app.clock.now() - row["since"]).total_seconds()
            )
    return found


def quantile(values: list[float], share: float) -> float:
    ordered, place = sorted(values), share * (len(values) - 1)
    low, high = ordered[math.floor(place)], ordered[math.ceil(place)]
    return low + (high - low) * (place - math.floor(place))
