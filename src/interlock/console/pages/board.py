"""The board: is anything wrong, where, and does it need me? Each machine with counts, ages, flow and errors, now or in the past."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup

from ...adopt.phases import BACKFILL, ELIGIBILITY, SCHEMA
from ...adopt.phases import KIND as ADOPTIONS
from ...errors import BadInput
from ...machine import Age, DrawnAxis, DrawnRule, State, draw_axes
from ...observe.activity import Activity, EdgeFlow, StateAge
from ...workflow import Axis, Workflow
from ...workflow.extension import PageContext
from ..charts import strip_of
from ..marks import (
    ASKS,
    FAILED,
    NEW,
    RETRY,
    Mark,
    asks_for_decisions,
    driving_states,
    is_moved_by_people,
    mark_of,
    marks_of,
    stages_of,
)
from ..needs import Need, needs_of, records_href, retried_of
from ..page import Rendered
from ..words import number, path, query, span, state_word
from .two_axes import matrix_of

WINDOWS = {"15m": "15 min", "1h": "1 hour", "24h": "24 hours", "7d": "7 days"}
LAST = {"15m": "15 minutes", "1h": "hour", "24h": "24 hours", "7d": "7 days"}
PER = {"15m": "/15 min", "1h": "/h", "24h": "/d", "7d": "/week"}
NEEDS = 5
"""So many places of the strip are shown; the others are one line."""
BEFORE_GUARDS = (SCHEMA, BACKFILL, ELIGIBILITY)
"""The phases of an adoption in which rows are still being adopted."""
OPENED = 2
"""So many workflows are drawn at first; the others are one line each, until somebody opens them."""
Counts = dict[tuple[str, str, str | None, str | None], int]


def render(context: PageContext) -> Rendered:
    """The board as it is, or as it was at `?at=`."""
    client = context.client
    window = context.query.get("window", "1h")
    window = window if window in WINDOWS else "1h"
    at = instant_of(context.query.get("at"))
    activity = client.activity(window, at=at)
    counted = client.counts() if at is None else client.ledger.counts_as_of(at)
    counts = {(one.kind, one.axis, one.scope, one.state): one.records for one in counted}
    errors = client.errors(limit=200) if at is None else []
    workflows = [
        workflow_of(context, one, counts, activity, errors, window)
        for one in context.workflows.values()
        if one.name != ADOPTIONS or has_open_adoption(counts)
    ]
    needs = [] if at is not None else needs_of(context, counted, activity)
    shown = len(needs) if context.query.get("needs") == "all" or len(needs) == NEEDS + 1 else NEEDS
    opened = opened_of(context, workflows, needs)
    for one in workflows:
        if one["kind"] in opened:
            one["matrix"] = (
                matrix_of(context, context.workflows[one["kind"]], one["total"]) if at is None else None
            )
            one["pictures"] = pictures_of(context, context.workflows[one["kind"]], one)
    counted_kinds = [one for one in workflows if one["kind"] != ADOPTIONS]
    total = sum(one["total"] for one in counted_kinds)
    has_uploads = "statements" in context.workflows and bool(context.workflows["statements"].extension.pages)
    return "board.html", {
        "page": "board",
        "total": total,
        "kinds": sum(1 for one in counted_kinds if one["total"]),
        "needs": needs[:shown],
        "more_needs": needs[shown:],
        "all_needs": "all" if shown > NEEDS else "",
        "waiting": sum(one.count for one in needs),
        "opened": [one for one in workflows if one["kind"] in opened],
        "closed": sorted(
            (one for one in workflows if one["kind"] not in opened), key=lambda one: not one["total"]
        ),
        "window": window,
        "open": context.query.get("open") or ",".join(opened),
        "again": ",".join(opened) if len(opened) == OPENED else "",
        "windows": WINDOWS,
        "at": at,
        "strip": strip_of(activity),
        "has_uploads": has_uploads,
        "may_upload": context.may("POST", "/api/v1/uploads") if has_uploads else "",
    }


def instant_of(words: str | None) -> datetime | None:
    """The instant that the address names; None for the present."""
    if not words:
        return None
    try:
        at = datetime.fromisoformat(words)
    except ValueError as error:
        raise BadInput(f"{words[:40]!r} is not an instant", hint="Write 2026-01-31T09:00:00Z.") from error
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def has_open_adoption(counts: Counts) -> bool:
    """Whether the rows of a table are being adopted; a table that had none before is of no interest here."""
    return any(
        records
        for (kind, _, _, state), records in counts.items()
        if kind == ADOPTIONS and state in BEFORE_GUARDS
    )


def opened_of(
    context: PageContext, workflows: Sequence[Mapping[str, Any]], needs: Sequence[Need]
) -> list[str]:
    """The workflows that are drawn: those that the address names, or those where most is broken, then those that wait for most
    decisions, then the busiest ones."""
    if named := context.query.get("open"):
        return named.split(",")
    broken, asked = Counter[str](), Counter[str]()
    for need in needs:
        (asked if need.is_decision else broken)[need.kind] += need.count

    def urgency(one: Mapping[str, Any]) -> tuple[int, int, int, int]:
        return one["stuck"] + broken[one["kind"]], asked[one["kind"]], one["moves"], one["total"]

    busy = sorted(workflows, key=urgency, reverse=True)
    chosen = [one["kind"] for one in busy if one["total"] and one["kind"] != ADOPTIONS][:OPENED]
    return chosen or [one["kind"] for one in workflows[:1]]


def workflow_of(
    context: PageContext,
    workflow: Workflow,
    counts: Counts,
    activity: Activity,
    errors: Sequence[Any],
    window: str,
) -> dict[str, Any]:
    """One workflow: a track for each axis and scope, the pictures of its machines, and its error groups."""
    kind = workflow.name
    tracks = [
        track_of(workflow, axis, scope, counts, activity)
        for axis in workflow.axes.values()
        for scope in axis.scopes or (None,)
    ]
    groups = [one for one in errors if one.kind == kind]
    codes = codes_of(groups)
    return {
        "kind": kind,
        "noun": workflow.noun,
        "total": max((track["total"] for track in tracks), default=0),
        "moves": sum(one.moves for one in activity.flows if one.kind == kind),
        "stuck": sum(one.attempts for one in activity.stuck if one.kind == kind),
        "tracks": tracks,
        "has_rules": any(rule.target is not None for rule in workflow.rules),
        "errors": codes[:6],
        "more_errors": max(0, len(codes) - 6),
        "window": LAST[window],
        "per": PER[window],
    }


def track_of(
    workflow: Workflow, axis: Axis, scope: str | None, counts: Counts, activity: Activity
) -> dict[str, Any]:
    """One machine with its numbers: a row for each state, in declared order, failures last."""
    kind, name, marks = workflow.name, axis.name, marks_of(workflow, axis)
    flows = [one for one in activity.flows if (one.kind, one.axis, one.scope) == (kind, name, scope)]
    ages = {one.state: one for one in activity.ages if (one.kind, one.axis, one.scope) == (kind, name, scope)}
    held = {
        state: records for (k, a, s, state), records in counts.items() if (k, a, s) == (kind, name, scope)
    }
    stuck: dict[State, int] = {
        stage.running: sum(
            one.attempts for one in activity.stuck if (one.kind, one.stage) == (kind, stage.name)
        )
        for stage in stages_of(workflow, axis)
        if stage.running is not None
    }
    limits, retried = limits_of(workflow, axis), retried_of(activity)
    states = [*axis.machine.states, *(state for state in held if state not in marks)]
    rows = [
        {
            **row_of(state, mark_of(marks, state), flows, ages.get(state), state in marks),
            "records": held.get(state, 0),
            "stuck": stuck.get(state, 0),
            "limit": limits.get(state, ""),
            "note": note_of(
                workflow,
                axis,
                mark_of(marks, state),
                held.get(state, 0),
                retried.get((kind, name, scope, state), 0),
            ),
            "href": records_href(kind, name, scope, state),
        }
        for state in states
    ]
    rows[0]["place"] = rows[0]["place"] or "origin"
    rows.sort(key=lambda row: row["place"] == "aside")
    return {
        "axis": name,
        "scope": scope,
        "people": is_moved_by_people(workflow, axis),
        "asks": asks_for_decisions(workflow, axis),
        "total": sum(held.values()),
        "moves": sum(one.moves for one in flows),
        "rows": rows,
        "drawn": DrawnAxis(
            axis.machine,
            name=name if len(workflow.axes) > 1 or scope else "",
            says=scope or ("people decide" if is_moved_by_people(workflow, axis) else ""),
            stages=stages_of(workflow, axis),
            by_people=is_moved_by_people(workflow, axis),
            driving=driving_states(workflow, axis),
            counts={state: held.get(state, 0) for state in axis.machine.states},
            flow={
                (one.old, one.new): one.moves
                for one in flows
                if not one.first and not one.closed and one.old != one.new
            },
            ages={state: Age(one.p50, one.p95) for state, one in ages.items()},
            stuck={state: number for state, number in stuck.items() if number},
        ),
    }


def limits_of(workflow: Workflow, axis: Axis) -> dict[State, str]:
    """How long a record may be in a state: an attempt of a stage until its deadline, and elsewhere until a timer moves it on."""
    limits: dict[State, str] = {
        state: span(edge.after.total_seconds())
        for state, edge in axis.machine.timers.items()
        if edge.after is not None
    }
    for stage in stages_of(workflow, axis):
        longest = stage.deadline or stage.timeout
        if stage.running is not None and longest is not None:
            limits.setdefault(stage.running, span(longest.total_seconds()))
    return limits


def note_of(workflow: Workflow, axis: Axis, mark: Mark, records: int, retried: int) -> str:
    """What happens to the records of a state, where it is not plain: who acts, or that nobody has to."""
    if not records:
        return ""
    if mark == FAILED and 0 < retried < records:
        return f"{number(retried)} tried again, {number(records - retried)} {'needs' if records - retried == 1 else 'need'} a person"
    if mark == FAILED and not retried:
        return "needs a person" if records == 1 else "all need a person"
    if mark in (FAILED, RETRY):
        return "tried again by itself" if records == 1 else "tried again by themselves"
    is_asked = mark == ASKS or (mark == NEW and asks_for_decisions(workflow, axis))
    return "a person decides" if is_asked else ""


def row_of(
    state: State, mark: Mark, flows: Sequence[EdgeFlow], age: StateAge | None, declared: bool
) -> dict[str, Any]:
    """What the table says of one state."""
    outward = [
        one for one in flows if not one.first and one.old == state and (one.closed or one.new != state)
    ]
    inward = [one for one in flows if not one.closed and one.new == state and (one.first or one.old != state)]
    onward = sorted(outward, key=lambda one: -one.moves)[:2]
    return {
        "state": state,
        "word": state_word(state),
        "mark": mark,
        "p50": span(age.p50) if age else "",
        "p95": span(age.p95) if age else "",
        "in": sum(one.moves for one in inward),
        "out": sum(one.moves for one in outward),
        "unknown": not declared,
        "place": "aside" if mark in (FAILED, RETRY) else "terminus" if mark.symbol == "m-final" else "",
        "onward": [
            f"{number(one.moves)} {'gone' if one.closed else 'to ' + state_word(one.new)}" for one in onward
        ],
    }


def pictures_of(context: PageContext, workflow: Workflow, one: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The machines of a workflow as pictures: the axes that every record has in one, with the rules between them, each scope in its own."""
    kind = workflow.name
    together = [track for track in one["tracks"] if track["scope"] is None]
    groups = [together] if together else []
    groups += [[track] for track in one["tracks"] if track["scope"] is not None]
    names = {track["axis"] for track in together}
    rules = [
        DrawnRule((rule.axis, state), (rule.target, new))
        for rule in workflow.rules
        if rule.moment == "entering" and rule.target is not None and {rule.axis, rule.target} <= names
        for state in rule.states
        for new in dict.fromkeys((rule.mapping or {}).values())
    ]
    return [
        {
            "scope": group[0]["scope"],
            "svg": Markup(  # the drawer escapes every name
                draw_axes(
                    [track["drawn"] for track in group],
                    rules if group is together else (),
                    title=f"{kind}: {', '.join(track['axis'] for track in group)}",
                    per=one["per"],
                    link=linked(context.base, kind, group[0]["scope"], group[0]["axis"]),
                )
            ),
        }
        for group in groups
    ]


def linked(base: str, kind: str, scope: str | None, only: str) -> Callable[[str, State], str]:
    """The address behind each box; a picture of one axis does not name it, so `only` does."""
    return lambda axis, state: base + records_href(kind, axis or only, scope, state)


def codes_of(groups: Sequence[Any]) -> list[dict[str, Any]]:
    """Errors by code, the most frequent first: the message that most of its records carry, and how many others there are."""
    by_code: dict[tuple[str, str | None, str], list[Any]] = {}
    for one in groups:
        by_code.setdefault((one.axis, one.scope, one.code), []).append(one)
    found = [
        {
            "records": sum(one.records for one in every),
            "code": code,
            "message": every[0].message or "",
            "others": len(every) - 1,
            "last": max((one.last for one in every if one.last), default=None),
            "scope": scope,
            "href": path("records", every[0].kind) + query(error=code, axis=axis, scope=scope or ""),
        }
        for (axis, scope, code), every in by_code.items()
    ]
    return sorted(found, key=lambda one: -one["records"])
