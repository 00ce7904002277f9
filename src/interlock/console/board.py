"""The board: is anything wrong, where, and does it need me? Each machine with counts, ages, flow and errors, now or in the past."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ..errors import BadInput
from ..observe.activity import Activity
from ..workflow.extension import PageContext
from .marks import ASKS, FAILED, NEW, RETRY, Mark, is_moved_by_people, marks_of
from .page import Rendered
from .words import number, path, plural, query, span, state_word

WINDOWS = {"15m": "15 min", "1h": "1 hour", "24h": "24 hours", "7d": "7 days"}
OPENED = 2
"""So many workflows are drawn at first; the others are one line each, until somebody opens them."""
Counts = dict[tuple[str, str, str | None, str | None], int]


def render(context: PageContext) -> Rendered:
    """The board as it is, or as it was at `?at=`."""
    client = context.client
    window = context.query.get("window", "1h")
    window = window if window in WINDOWS else "1h"
    at = instant_of(context.query.get("at"))
    machines = client.machines()
    activity = client.activity(window, at=at)
    counted = client.counts() if at is None else client.ledger.counts_as_of(at)
    counts = {(one.kind, one.axis, one.scope, one.state): one.records for one in counted}
    errors = client.errors(limit=200) if at is None else []
    workflows = [workflow_of(context, one, counts, activity, errors, window) for one in machines]
    needs = [] if at is not None else needs_of(context, workflows, activity)
    opened = opened_of(context, workflows)
    total = sum(one["total"] for one in workflows)
    return "board.html", {
        "page": "board",
        "total": total,
        "kinds": sum(1 for one in workflows if one["total"]),
        "needs": needs,
        "opened": [one for one in workflows if one["kind"] in opened],
        "closed": [one for one in workflows if one["kind"] not in opened],
        "window": window,
        "windows": WINDOWS,
        "at": at,
        "strip": strip_of(activity),
        "has_uploads": any(one["kind"] == "statements" for one in machines),
        "first_kind": machines[0]["kind"] if machines else "",
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


def opened_of(context: PageContext, workflows: Sequence[Mapping[str, Any]]) -> set[str]:
    """The workflows that are drawn: the one that the address names, or those with most to show."""
    if (named := context.query.get("open")) is not None:
        return {named}
    busy = sorted(workflows, key=lambda one: (-one["trouble"], -one["moves"], -one["total"]))
    chosen = [one["kind"] for one in busy if one["total"]][:OPENED]
    return set(chosen or [one["kind"] for one in workflows[:1]])


def workflow_of(
    context: PageContext,
    machine: Mapping[str, Any],
    counts: Counts,
    activity: Activity,
    errors: Sequence[Any],
    window: str,
) -> dict[str, Any]:
    """One workflow: its lanes, one for each axis and scope, its error groups, and the matrix where people's decisions drive work."""
    kind = machine["kind"]
    tracks = [
        track_of(machine, axis, scope, counts, activity)
        for axis in machine["axes"]
        for scope in axis["scopes"] or [None]
    ]
    groups = [one for one in errors if one.kind == kind]
    return {
        "kind": kind,
        "noun": machine["noun"],
        "total": max((track["total"] for track in tracks), default=0),
        "moves": sum(one.moves for one in activity.flows if one.kind == kind),
        "trouble": sum(one.records for one in groups)
        + sum(one.attempts for one in activity.stuck if one.kind == kind),
        "tracks": tracks,
        "errors": [error_of(one, context.now) for one in groups[:6]],
        "more_errors": max(0, len(groups) - 6),
        "window": WINDOWS[window],
    }


def track_of(
    machine: Mapping[str, Any],
    axis: Mapping[str, Any],
    scope: str | None,
    counts: Counts,
    activity: Activity,
) -> dict[str, Any]:
    """One machine with its numbers: a row for each state, in declared order, failures last."""
    kind, name = machine["kind"], axis["name"]
    marks = marks_of(machine, axis)
    flows = [one for one in activity.flows if (one.kind, one.axis, one.scope) == (kind, name, scope)]
    ages = {one.state: one for one in activity.ages if (one.kind, one.axis, one.scope) == (kind, name, scope)}
    stages = [one for one in machine["stages"] if one["axis"] == name]
    stuck = {
        stage["running"]: sum(
            one.attempts for one in activity.stuck if (one.kind, one.stage) == (kind, stage["stage"])
        )
        for stage in stages
    }
    lost = [state for place, state in held_places(counts, kind, name, scope) if state not in marks]
    declared = [one["state"] for one in axis["states"]]
    rows = []
    for position, state in enumerate([*declared, *lost]):
        mark = marks.get(state, FAILED)
        age = ages.get(state)
        outward = [one for one in flows if not one.first and one.old == state and one.new != state]
        inward = [
            one for one in flows if not one.closed and one.new == state and (one.first or one.old != state)
        ]
        rows.append(
            {
                "state": state,
                "word": state_word(state),
                "mark": mark,
                "records": counts.get((kind, name, scope, state), 0),
                "p50": span(age.p50) if age else "",
                "p95": span(age.p95) if age else "",
                "oldest": age.oldest if age else None,
                "in": sum(one.moves for one in inward),
                "out": sum(one.moves for one in outward),
                "stuck": stuck.get(state, 0),
                "unknown": state in lost,
                "href": path("records", kind)
                + query(**{f"state.{name}": state_word(state), "scope": scope or ""}),
                "place": "aside"
                if mark in (FAILED, RETRY)
                else "origin"
                if position == 0
                else "terminus"
                if mark.symbol == "m-final"
                else "",
                "onward": [
                    f"{number(one.moves)} to {state_word(one.new) if not one.closed else 'the end'}"
                    for one in sorted(outward, key=lambda one: -one.moves)[:2]
                ],
            }
        )
    rows.sort(key=lambda row: row["place"] == "aside")
    return {
        "kind": kind,
        "axis": name,
        "scope": scope,
        "machine": axis["machine"],
        "fingerprint": axis["fingerprint"][:8],
        "people": is_moved_by_people(machine, axis),
        "total": sum(row["records"] for row in rows),
        "moves": sum(one.moves for one in flows),
        "rows": rows,
        "graph": None,
    }


def held_places(
    counts: Counts, kind: str, axis: str, scope: str | None
) -> list[tuple[tuple[str, str, str | None], str | None]]:
    """Every state of a machine in which records are, also one that the code no longer declares."""
    return [((k, a, s), state) for (k, a, s, state) in counts if (k, a, s) == (kind, axis, scope)]


def error_of(group: Any, now: datetime | None) -> dict[str, Any]:
    """A group of records that carry the same error."""
    return {
        "records": group.records,
        "code": group.code,
        "message": group.message or "",
        "last": group.last,
        "axis": group.axis,
        "scope": group.scope,
        "href": path("records", group.kind) + query(error=group.code, axis=group.axis),
    }


def needs_of(
    context: PageContext, workflows: Sequence[Mapping[str, Any]], activity: Activity
) -> list[dict[str, Any]]:
    """What needs a person, each with where it is done; nothing that is zero."""
    needs: list[dict[str, Any]] = []
    stuck = sum(one.attempts for one in activity.stuck)
    if stuck:
        why = sorted({one.why for one in activity.stuck})
        needs.append(need(Mark("m-stuck", "stuck"), stuck, "stuck", f"by {', '.join(why)}", "/operations"))
    for one in workflows:
        for track in one["tracks"]:
            for row in track["rows"]:
                if row["records"] and row["mark"] == FAILED:
                    needs.append(
                        need(
                            FAILED,
                            row["records"],
                            f"in {row['word']}",
                            f"{one['kind']}, not retried by itself",
                            row["href"],
                        )
                    )
                elif (
                    row["records"] and row["mark"] in (ASKS, NEW) and (row["mark"] == ASKS or track["people"])
                ):
                    needs.append(
                        need(
                            row["mark"],
                            row["records"],
                            f"in {row['word']}",
                            f"{one['kind']}, a person decides",
                            row["href"],
                        )
                    )
    return sorted(needs, key=lambda one: (one["mark"].tone == "person", -one["count"]))[:6]


def need(mark: Mark, count: int, what: str, fact: str, href: str) -> dict[str, Any]:
    """One entry of the strip: a number, a word, one fact, a link."""
    return {"mark": mark, "count": count, "what": what, "fact": fact, "href": href}


def strip_of(activity: Activity) -> dict[str, Any]:
    """The bars above the slider: moves in steps of ten minutes, failures in red."""
    most = max((one.moves for one in activity.moves), default=0) or 1
    bars = []
    for position, one in enumerate(activity.moves):
        height = round(32 * one.moves / most, 1)
        failed = round(32 * one.failures / most, 1)
        if one.moves:
            bars.append({"x": position * 10, "y": 32 - height, "height": height, "failed": False})
        if one.failures:
            tall = max(2.0, failed)
            bars.append({"x": position * 10, "y": 32 - tall, "height": tall, "failed": True})
    steps = [one.at for one in activity.moves]
    return {
        "bars": bars,
        "width": max(1, len(steps)) * 10,
        "steps": len(steps),
        "first": steps[0] if steps else None,
        "ticks": [steps[position] for position in range(0, len(steps), 36)] if steps else [],
        "moves": sum(one.moves for one in activity.moves),
        "failures": sum(one.failures for one in activity.moves),
        "words": plural(sum(one.moves for one in activity.moves), "move"),
    }
