"""Bulk acts: what one would do, counted before anything moves; how far those are that were begun; and their parts as a bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...client.values import BulkCommand, RecordFilter
from ...errors import InterlockError
from ...workflow import Workflow
from ...workflow.extension import PageContext
from ..words import command, plural, since, span, state_word
from .records import AGES

PREVIEWED = "preview in the console"
WILL = {"retry": "will be tried again", "cancel": "will be cancelled"}


def preview_of(context: PageContext, machines: Mapping[str, Any]) -> dict[str, Any] | None:
    """What the bulk act that the address names would do, counted exactly; None where it names none or may not be asked for."""
    asked = context.query
    kind, act = asked.get("kind", ""), asked.get("act", "")
    if kind not in machines or not act or context.may("POST", "/api/v1/operations"):
        return None
    workflow = context.workflows[kind]
    moved, to = moved_axis(workflow, act)
    if moved is None and act not in ("retry", "cancel"):
        return None
    where = {
        name: None if asked[f"state.{name}"] == "null" else asked[f"state.{name}"]
        for name in workflow.axes
        if asked.get(f"state.{name}")
    }
    scope, axis, error, older, text = (
        asked.get(name) or None for name in ("scope", "axis", "error", "older", "text")
    )
    if not (where or error or older or text):
        return None
    chosen = RecordFilter(where=where, error=error, axis=axis, scope=scope, older=older, text=text)
    wanted: Any = "move" if moved else act
    bulk = BulkCommand(
        kind, PREVIEWED, act=wanted, axis=moved or axis, to=to, scope=scope, filter=chosen, role=context.role
    )
    pairs = [f"{name}={value}" for name, value in chosen.pairs()]
    narrowed = {"error": error, "axis": axis, "scope": scope, "older": older, "text": text}
    body = {
        "kind": kind,
        "act": wanted,
        "axis": moved or axis,
        "to": to,
        "scope": scope,
        "filter": {"where": pairs, **narrowed},
    }
    words = ["interlock", "bulk", "run", kind, act]
    for pair in pairs:
        words += ["--where", pair]
    for name, value in narrowed.items():
        words += [f"--{name}", value] if value else []
    base = {
        "kind": kind,
        "act": act,
        "verb": "Move" if moved else act.capitalize(),
        "toward": f" to {state_word(to)}" if moved else "",
        "will": WILL.get(act, "will be moved"),
        "where": [(name, state_word(state)) for name, state in where.items()],
        "older": AGES.get(older, f"over {older}") if older else "",
        "text": text,
        "error": error,
        "scope": scope,
        "axis": axis,
        "body": body,
        "paused": [one for one in context.client.stages.list() if one.paused and one.kind == kind]
        if act == "retry"
        else [],
        "command": command(*words),
    }
    try:
        found = context.client.operations.preview(bulk)
    except InterlockError as problem:
        return {
            **base,
            "problem": problem.message,
            "code": problem.code,
            "records": 0,
            "moved": 0,
            "rows": [],
        }
    return {
        **base,
        "problem": "",
        "records": found.records,
        **tally_of(found.records, found.records, found.outcomes, found.refusals),
    }


def moved_axis(workflow: Workflow, act: str) -> tuple[str | None, str | None]:
    """Axis and state of an act such as `curation_status=Selected`; no axis where it is none."""
    name, _, word = act.partition("=")
    axis = workflow.axes.get(name)
    states = {} if axis is None else {state_word(state): state for state in axis.machine.states}
    return (name, states[word]) if word in states else (None, None)


def tally_of(
    records: int, done: int, outcomes: Mapping[str, int], refusals: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The parts of a bulk act as a bar and as lines: moved, unchanged, refused for each reason, left."""
    moved = outcomes.get("moved", 0)
    unchanged = outcomes.get("unchanged", 0)
    turned_away = sum(count for name, count in outcomes.items() if name not in ("moved", "unchanged"))
    width = 400 / max(records, 1)
    return {
        "moved": moved,
        "unchanged": unchanged,
        "turned_away": turned_away,
        "left": max(0, records - done),
        "bar": [
            {"name": name, "x": round(start * width, 1), "width": round(count * width, 1)}
            for name, start, count in (
                ("moved", 0, moved),
                ("unchanged", moved, unchanged),
                ("refusedbar", moved + unchanged, turned_away),
            )
            if count
        ],
        "rows": [
            {
                "code": one["code"],
                "message": one["message"],
                "records": one["records"],
                "examples": one["examples"][:3],
            }
            for one in refusals
        ],
    }


def operation_of(one: Any, undo: Any = None) -> dict[str, Any]:
    """A bulk act that was begun: how far it is, and what may be done with it. `undo` is the one that undid it, where it is known."""
    verbs = {"retry": "Retry", "cancel": "Cancel", "move": "Move", "undo": "Undo"}
    toward = f" to {state_word(one.to)}" if one.act == "move" else ""
    took = since(one.started_at, one.finished_at) if one.started_at and one.finished_at else None
    return {
        "id": one.id,
        "title": f"{verbs.get(one.act, one.act)} {plural(one.records, 'record')} of {one.kind}{toward}",
        "actor": one.actor,
        "reason": one.reason,
        "status": "pausing" if one.pausing else "finished" if kept_by(undo) else one.status,
        "stalled": one.stalled,
        "created_at": one.created_at,
        "took": span(took) if took is not None else "",
        "records": one.records,
        "may_pause": one.status == "running" and not one.pausing,
        "may_resume": one.status in ("paused", "planned"),
        "may_undo": one.status == "finished"
        and not one.undone_by
        and not one.undoes
        and bool(one.outcomes.get("moved")),
        "undo_words": undo_words(one, undo),
        **tally_of(one.records, one.done, one.outcomes, one.refusals),
    }


def kept_by(undo: Any) -> bool:
    """Whether an undo is over and put nothing back, so that what it was to undo stands."""
    return undo is not None and undo.status == "finished" and not undo.outcomes.get("moved")


def undo_words(one: Any, undo: Any) -> str:
    """What came of undoing a bulk act; empty where nobody tried."""
    if not one.undone_by:
        return ""
    if undo is None or undo.status != "finished":
        return f"undone by {one.undone_by}"
    back = undo.outcomes.get("moved", 0)
    return f"{one.undone_by} put back {back:,} of {one.outcomes.get('moved', 0):,}"
