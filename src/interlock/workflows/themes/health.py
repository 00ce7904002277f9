"""The health of the pipelines in one answer: figures, alerts, drift, and whether every invariant of the spec holds now."""

from __future__ import annotations

from typing import Any, Final

from interlock import App

from .figures import ALERTS, DRIFT, read_figures
from .invariants import QUERIES, REPAIRS, count_exempt, read_spec

TRANSITIONS_LEGAL: Final = "E1-INV-002"
MOST_OFFENDING: Final = 100
"""Ids that an answer names for one invariant; `interlock check` names up to 1,000."""

Row = dict[str, Any]


def check_invariants(app: App) -> list[Row]:
    """Return every invariant of the spec, whether it holds, the items that break it, and how many ledger entries are exempt from it."""
    results = []
    with app.database.read() as tx:
        exempt = int(tx.execute(count_exempt()).scalar_one())
        for one in read_spec()["invariants"]:
            broken = tx.execute(QUERIES[one["id"]]().limit(MOST_OFFENDING)).scalars().all()
            results.append(
                {
                    **{name: one[name] for name in ("id", "severity", "statement")},
                    "holds": not broken,
                    "offending": [str(id) for id in broken],
                    "exempt": exempt if one["id"] == TRANSITIONS_LEGAL else 0,
                    "repair": REPAIRS.get(one["id"]) if broken else None,
                }
            )
    return results


def list_pauses(app: App) -> list[Row]:
    """Return which pipelines are paused (null: all of them), until when, and why."""
    return [
        {"pipeline": one.scope or None, "until": one.until, "reason": one.reason}
        for one in app.paused()
        if one.kind == "themes"
    ]


def read_health(app: App) -> Row:
    """Return figures, alerts and drift of each pipeline, pauses, and the invariants; `ok` where nothing calls for a person."""
    with app.database.read() as tx:
        figures = read_figures(tx, app.clock.now())
    results = check_invariants(app)
    alerts = [{"pipeline": one.pipeline, "alert": name} for one in figures for name in one.exceeding(ALERTS)]
    return {
        "ok": not alerts and all(one["holds"] for one in results),
        "pipelines": [one.as_dict() for one in figures],
        "alerts": alerts,
        "drift": [
            {"pipeline": one.pipeline, "alert": name} for one in figures for name in one.exceeding(DRIFT)
        ],
        "paused": list_pauses(app),
        "invariants": results,
    }
