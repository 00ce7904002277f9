"""Where things stand: how many records are in each state, and what waits for a person."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import click
from sqlalchemy import func, literal, select

from .._version import __version__
from ..app import App
from ..errors import spoken
from ..store.tables import verdict
from ..store.verify_work import resting
from ..workflow import Axis
from .output import show_answer, show_lines
from .session import Session
from .table import table

LATELY = timedelta(hours=24)
MANY = 1000
COLUMNS = ("kind", "axis", "scope", "state", "records")


def show_status(running: Session) -> None:
    """What `interlock` alone prints."""
    if (remote := running.remote) is not None:
        counts, needs = (
            remote.ask("/counts")["counts"],
            [needed(one) for one in remote.ask("/errors")["errors"]],
        )
        answer = {"version": __version__, "service": remote.url, "counts": counts, "needs": needs}
        show_answer(running.output, answer, lines(remote.url, counts, needs), counts, COLUMNS)
        return
    if running.settings.app is None:
        show_lines(welcome())
        return
    app = running.app
    running.workflows()
    counts, needs = counted(app), list(needing(app, running))
    answer = {"version": __version__, "database": address(app), "counts": counts, "needs": needs}
    show_answer(running.output, answer, lines(address(app), counts, needs), counts, COLUMNS)


def needed(group: dict[str, Any]) -> dict[str, Any]:
    """Records that carry an error, as something to look at."""
    message = f": {group['message']}" if group["message"] else ""
    return {
        "what": f"{group['records']:,} of {group['kind']} with the error {group['code']}{message}",
        "hint": f"interlock record list {group['kind']} --error {group['code']}",
    }


def welcome() -> list[str]:
    return [
        f"interlock {__version__}: no app was named, so there is nothing to look at yet.",
        "",
        "  interlock tour                  a first look: a sample workflow in an embedded database",
        "  interlock doctor                is everything here that it needs?",
        "  interlock --app MODULE:NAME     your own workflows; INTERLOCK_APP and interlock.toml can say it too",
        "  interlock --help                every command",
    ]


def address(app: App) -> str:
    """The database's URL without its password."""
    return app.database.engine.url.render_as_string(hide_password=True)


def counted(app: App) -> list[dict[str, Any]]:
    """Every state of every axis, with how many records are in it; states without records are left out unless the axis is empty."""
    numbers = app.counts()
    rows: list[dict[str, Any]] = []
    for workflow in app.workflows.values():
        for axis in workflow.axes.values():
            for scope in axis.scopes or (None,):
                held = [
                    {
                        "kind": workflow.name,
                        "axis": axis.name,
                        "scope": scope,
                        "state": state,
                        "records": number,
                    }
                    for state in axis.machine.states
                    if (number := numbers.get((workflow.name, axis.name, scope, state), 0))
                ]
                rows += held or [
                    {
                        "kind": workflow.name,
                        "axis": axis.name,
                        "scope": scope,
                        "state": axis.machine.initial,
                        "records": 0,
                    }
                ]
    return rows


def needing(app: App, running: Session) -> Iterator[dict[str, Any]]:
    """What a person should look at."""
    yield from refused(app, running)
    for one in app.operations.newest():
        if one.status == "paused" or one.stalled:
            yield {
                "what": f"operation {one.id} is {'stalled' if one.stalled else 'paused'} at {one.reached:,} of {one.records:,} records",
                "hint": f"interlock bulk {'run' if one.stalled else 'resume'} {one.id}",
            }
    for rest in resting(app.database, running.clock, list(app.workflows.values())):
        yield {
            "what": f"{rest.number:,} of {rest.kind} rest in {rest.state} with an error, and only a retry gets them out",
            "hint": f"interlock record list {rest.kind} --where {app.workflows[rest.kind].stages[rest.stage].axis}={rest.state}",
        }
    numbers = app.counts()
    for workflow in app.workflows.values():
        for axis in workflow.axes.values():
            for scope in axis.scopes or (None,):
                for state in axis.machine.states:
                    if (
                        number := numbers.get((workflow.name, axis.name, scope, state), 0)
                    ) and only_people_lead_on(axis, state):
                        yield {
                            "what": f"{number:,} of {workflow.name} in {spoken(state)}, which only a person leads out of",
                            "hint": f"interlock record list {workflow.name} --where {axis.name}={spoken(state)}",
                        }
            if axis.adoptable and (number := unadopted(app, axis)):
                many = f"more than {MANY:,}" if number > MANY else str(number)
                yield {
                    "what": f"{many} rows of {axis.table.name} have no history on {axis.name}",
                    "hint": "declare adopt=… on the axis; the sweep then gives them their first entry",
                }


def refused(app: App, running: Session) -> Iterator[dict[str, Any]]:
    since = running.clock.now() - LATELY
    asked = select(
        verdict.c.kind,
        verdict.c.code,
        func.count().label("number"),
        func.max(verdict.c.record_id).label("id"),
    )
    by = (verdict.c.kind, verdict.c.code)
    with app.database.read() as tx:
        rows = tx.execute(asked.where(verdict.c.at >= since).group_by(*by).order_by(*by)).all()
    for row in rows:
        times = "1 command was" if row.number == 1 else f"{row.number:,} commands were"
        yield {
            "what": f"{times} refused in the last 24 hours: {row.kind}, {row.code}",
            "hint": f"interlock record why {row.kind} {row.id}",
        }


def only_people_lead_on(axis: Axis, state: str | None) -> bool:
    edges = axis.machine.edges[state]
    by_people = all(edge.kind in ("operator", "retry") and edge.after is None for edge in edges)
    return bool(edges) and not axis.machine.is_terminal(state) and by_people


def unadopted(app: App, axis: Axis) -> int:
    """Rows without a version, counted no further than makes a difference."""
    some = (
        select(literal(1).label("one"))
        .select_from(axis.table)
        .where(axis.column("version").is_(None))
        .limit(MANY + 1)
        .subquery()
    )
    with app.database.read() as tx:
        return int(tx.execute(select(func.count()).select_from(some)).scalar_one())


def lines(place: str, counts: list[dict[str, Any]], needs: list[dict[str, Any]]) -> list[str]:
    scoped = any(row["scope"] for row in counts)
    columns = [column for column in COLUMNS if scoped or column != "scope"]
    shown = [{**row, "scope": row["scope"] or "", "state": spoken(row["state"])} for row in counts]
    text = [f"interlock {__version__} on {place}", "", *table(shown, columns), ""]
    if not needs:
        return [*text, "Nothing needs a person."]
    text.append(click.style("Needs a person", bold=True))
    for need in needs:
        text += [f"  {need['what']}", click.style(f"    {need['hint']}", dim=True)]
    return text
