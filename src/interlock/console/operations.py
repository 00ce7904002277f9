"""Operations: lost, slow or poison? What fails most, and what would a bulk act really do?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from ..client.contract import BulkCommand, RecordFilter
from ..errors import InterlockError
from ..workflow import Workflow
from ..workflow.extension import PageContext
from .marks import FAILED, RETRY, Mark, marks_of
from .page import Rendered
from .records import AGES
from .words import command, path, plural, query, since, span, state_word

HELD, REFUSED, GROUPS, FIRST, RECENT = 6, 12, 40, 10, 6
SILENT = 0.5
"""A runner that was not heard of for this share of its lease is silent: it renews every quarter."""
BARS = 1000
PREVIEWED = "preview in the console"


def render(context: PageContext) -> Rendered:
    """What is held longest, errors in groups, what was refused, and bulk acts: one previewed, those under way and the last ones."""
    client = context.client
    machines = {one["kind"]: one for one in client.machines()}
    working = client.working(limit=50)
    due = {(one.kind, one.axis, one.scope, one.code): one for one in working.retries}
    groups = [error_of(context, due, one) for one in client.errors(limit=GROUPS)]
    shown = groups if context.query.get("groups") == "all" else groups[:FIRST]
    held = [held_of(context, machines, one) for one in working.held]
    trouble = [one for one in held if one["tone"] != "running"]
    chosen = [*trouble, *(one for one in held if one["tone"] == "running")][:HELD]
    refused = refused_of(context, working.refused)
    operations = [operation_of(context, one) for one in client.operations.newest(limit=RECENT)]
    return "operations.html", {
        "page": "operations",
        "held": chosen,
        "held_all": len(held),
        "trouble": len(trouble),
        "groups": shown,
        "more_groups": len(groups) - len(shown),
        "more_records": sum(one["records"] for one in groups[len(shown) :]),
        "failing": sum(one["records"] for one in groups),
        "people": sum(one["records"] for one in groups if one["needs_person"]),
        "retried": sum(one["records"] for one in groups if not one["needs_person"]),
        "refused": refused,
        "retries": [
            {
                "kind": one.kind,
                "scope": one.scope,
                "code": one.code,
                "records": one.records,
                "when": next_words(one, context.now),
                "href": path("records", one.kind) + query(error=one.code, scope=one.scope or ""),
            }
            for one in working.retries[:REFUSED]
        ],
        "retries_due": sum(one.records for one in working.retries),
        "stages": [one for one in client.stages.list() if one.paused],
        "preview": preview_of(context, machines),
        "operations": operations,
        "running": sum(one["status"] == "running" for one in operations),
        "may_act": context.may("POST", "/api/v1/operations"),
        "command": command(
            "interlock", "bulk", "preview", groups[0]["kind"], "retry", "--error", groups[0]["code"]
        )
        if groups
        else "interlock status",
    }


def held_of(context: PageContext, machines: Mapping[str, Any], one: Any) -> dict[str, Any]:
    """One attempt that a runner holds: its lease as a bar, and a judgement in words."""
    machine = machines.get(one.kind, {"stages": []})
    stage: Mapping[str, Any] = next((stage for stage in machine["stages"] if stage["stage"] == one.stage), {})
    now = context.now or one.claimed_at
    age = since(one.claimed_at, now) or 0.0
    silence = since(one.beat_at, now)
    lease = (one.lease_until - (one.beat_at or one.claimed_at)).total_seconds()
    ended = one.lease_until < now
    whole: float = max(age, (one.lease_until - one.claimed_at).total_seconds(), 1.0)

    def at(seconds: float) -> float:
        return round(min(max(seconds / whole, 0.0), 1.0) * BARS, 1)

    beat = (one.beat_at - one.claimed_at).total_seconds() if one.beat_at else 0.0
    tone, verdict, fact = judge(one, age, silence, lease, ended)
    return {
        "kind": one.kind,
        "id": str(one.id),
        "href": path("records", one.kind, one.id),
        "word": state_word(stage.get("running")) if stage.get("running") else one.stage,
        "axis": one.axis,
        "scope": one.scope,
        "stage": one.stage,
        "age": span(age),
        "attempt": one.attempt,
        "runner": one.runner,
        "claimed_at": one.claimed_at,
        "beat_at": one.beat_at,
        "lease_until": one.lease_until,
        "ended": ended,
        "changes_at": changes_at(one, now, lease),
        "now_at": at(age),
        "beat_at_x": at(beat),
        "end_at_x": at((one.lease_until - one.claimed_at).total_seconds()),
        "tone": tone,
        "verdict": verdict,
        "fact": fact,
        "act": f"cancel-{one.kind}-{one.id}-{one.axis}-{one.scope or ''}",
        "url": f"/api/v1{path(one.kind, 'records', one.id)}/cancel",
        "body": {"axis": one.axis, **({"scope": one.scope} if one.scope else {})},
        "command": command("interlock", "record", "cancel", one.kind, one.id),
    }


def changes_at(one: Any, now: datetime, lease: float) -> datetime | None:
    """When an attempt that nobody hears of gets another judgement: silent at first, then lost."""
    moments = ((one.beat_at or one.claimed_at) + timedelta(seconds=lease * SILENT), one.lease_until)
    return min((moment for moment in moments if moment >= now), default=None)


def judge(one: Any, age: float, silence: float | None, lease: float, ended: bool) -> tuple[str, str, str]:
    """Whether an attempt is lost, silent, slow or well, and what happens next by itself."""
    again = f" It is attempt {one.attempt}; the one before was lost too." if one.attempt > 1 else ""
    if ended or silence is None:
        return (
            "failed",
            "Lost.",
            f"The lease of {one.runner} has ended. The next sweep gives it to another runner.{again}",
        )
    if silence > lease * SILENT:
        left = span(max(0.0, lease - silence))
        return (
            "stuck",
            "Silent.",
            f"{one.runner} was last heard of {span(silence)} ago. In {left} its lease ends, and another runner takes the record.{again}",
        )
    if age > 10 * lease:
        return "stuck", "Slow, not lost.", f"{one.runner} is alive and has worked on it for {span(age)}."
    return "running", "At work.", f"{one.runner} was heard of {span(silence)} ago."


def error_of(context: PageContext, due: Mapping[tuple[Any, ...], Any], one: Any) -> dict[str, Any]:
    """One group of errors: what happens to its records by itself, and what may be done about them."""
    here = place_of(context, one)
    next_try = due.get((one.kind, one.axis, one.scope, one.code))
    waits = next_try is not None
    mark: Mark = RETRY if waits else FAILED
    return {
        "kind": one.kind,
        "axis": one.axis,
        "scope": one.scope,
        "code": one.code,
        "message": one.message or "",
        "records": one.records,
        "last": one.last,
        "state": state_word(here),
        "state_mark": marks_of(context.workflows[one.kind], context.workflows[one.kind].axis(one.axis)).get(
            here, FAILED
        ),
        "mark": mark,
        "needs_person": not waits,
        "next_try": next_words(next_try, context.now) if next_try is not None else "",
        "what": "tried again by itself" if waits else "needs a person",
        "href": path("records", one.kind) + query(error=one.code, scope=one.scope or ""),
        "retry": "/operations"
        + query(act="retry", kind=one.kind, axis=one.axis, scope=one.scope or "", error=one.code)
        + "#bulk",
    }


def next_words(one: Any, now: datetime | None) -> str:
    """When the first record of a group is tried again."""
    left = (one.first - (now or one.first)).total_seconds()
    return f"next in {span(left)}" if left > 0 else "due now"


def place_of(context: PageContext, one: Any) -> str | None:
    """The state of the group's example on its axis."""
    try:
        record = context.client.get(one.kind, one.example)
    except InterlockError:  # it was removed in the meantime
        return None
    for place in record.where:
        if (place.axis, place.scope) == (one.axis, one.scope):
            state: str | None = place.state
            return state
    return None


def refused_of(context: PageContext, events: Sequence[Any]) -> list[dict[str, Any]]:
    """What was turned away, newest first; the same refusal of many records is one line."""
    lines: dict[tuple[str, ...], dict[str, Any]] = {}
    for one in events:
        late = one.source != "command"
        key = (one.kind, one.actor, one.wanted or "", one.code, one.source)
        line = lines.setdefault(
            key,
            {
                "at": one.at,
                "actor": one.actor,
                "kind": one.kind,
                "id": one.id,
                "href": path("records", one.kind, one.id),
                "wanted": one.wanted,
                "axis": one.axis,
                "code": one.code,
                "message": one.message,
                "late": late,
                "records": 0,
            },
        )
        line["records"] += 1
    return list(lines.values())[:REFUSED]


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


def operation_of(context: PageContext, one: Any) -> dict[str, Any]:
    """A bulk act that was begun: how far it is, and what may be done with it."""
    verbs = {"retry": "Retry", "cancel": "Cancel", "move": "Move", "undo": "Undo"}
    toward = f" to {state_word(one.to)}" if one.act == "move" else ""
    took = since(one.started_at, one.finished_at) if one.started_at and one.finished_at else None
    return {
        "id": one.id,
        "title": f"{verbs.get(one.act, one.act)} {plural(one.records, 'record')} of {one.kind}{toward}",
        "actor": one.actor,
        "reason": one.reason,
        "status": "pausing" if one.pausing else one.status,
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
        "undone_by": one.undone_by,
        **tally_of(one.records, one.done, one.outcomes, one.refusals),
    }
