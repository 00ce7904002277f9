"""Operations: lost, slow or poison? What fails most, and what would a bulk act really do?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from ...errors import InterlockError
from ...workflow.extension import PageContext
from ..charts import bars_of
from ..frame import SILENT
from ..marks import FAILED, RETRY, Mark, marks_of
from ..page import Rendered
from ..words import command, path, plural, query, since, span, state_word
from .bulk_acts import operation_of, preview_of
from .records import name_of, telling_columns

HELD, WELL, REFUSED, FIRST, RECENT = 6, 3, 12, 10, 6
"""So many attempts in trouble are shown, and so many in all where the others are well."""
GROUPS, MESSAGES = 200, 6
"""So many messages are read, and so many of one code are shown."""
BARS = 1000


def render(context: PageContext) -> Rendered:
    """What is held longest, errors in groups, what was refused, and bulk acts: one previewed, those under way and the last ones."""
    client = context.client
    machines = {one["kind"]: one for one in client.machines()}
    working = client.working(limit=50)
    due = {(one.kind, one.axis, one.scope, one.code): one for one in working.retries}
    messages = messages_of(client.errors(limit=GROUPS))
    groups = [error_of(context, due, messages, one) for one in working.errors]
    shown = groups if context.query.get("groups") == "all" else groups[:FIRST]
    held = [held_of(context, machines, one) for one in working.held]
    trouble = [one for one in held if one["tone"] != "running"]
    well = [one for one in held if one["tone"] == "running"]
    chosen = [*trouble, *well[: max(0, WELL - len(trouble))]][:HELD]
    for one in chosen:
        one["name"] = name_in(context, one["kind"], one["id"])
    refused = refused_of(context, working.refused)
    newest = client.operations.newest(limit=RECENT)
    by_id = {one.id: one for one in newest}
    operations = [operation_of(one, by_id.get(one.undone_by or "")) for one in newest]
    return "operations.html", {
        "page": "operations",
        "held": chosen,
        "held_all": len(held),
        "trouble": len(trouble),
        "groups": shown,
        "more_groups": len(groups) - len(shown),
        "more_records": sum(one["records"] for one in groups[len(shown) :]),
        "failing": sum(one["records"] for one in groups),
        "people": sum(one["people"] for one in groups if one["is_failed"]),
        "elsewhere": sum(one["people"] for one in groups if not one["is_failed"]),
        "retried": sum(one["retried"] for one in groups),
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
        "due": due_of(working.due),
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
        "command": command(
            *("interlock", "record", "cancel", one.kind, one.id, "--axis", one.axis),
            *(("--scope", one.scope) if one.scope else ()),
        ),
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


def messages_of(groups: Sequence[Any]) -> dict[tuple[Any, ...], list[Any]]:
    """The groups of equal messages under each code, the largest first."""
    found: dict[tuple[Any, ...], list[Any]] = {}
    for one in groups:
        found.setdefault((one.kind, one.axis, one.scope, one.code), []).append(one)
    return found


def error_of(
    context: PageContext,
    due: Mapping[tuple[Any, ...], Any],
    messages: Mapping[tuple[Any, ...], Any],
    one: Any,
) -> dict[str, Any]:
    """One error code: what happens to its records by itself, when they came to it, and what may be done about them."""
    key = (one.kind, one.axis, one.scope, one.code)
    told, next_try = messages.get(key, []), due.get(key)
    retried = 0 if next_try is None else min(next_try.records, one.records)
    here = place_of(context, told[0]) if told else None
    workflow = context.workflows[one.kind]
    return {
        "key": "-".join(str(part or "") for part in key),
        "is_previewed": is_previewed(context, one),
        "kind": one.kind,
        "axis": one.axis,
        "scope": one.scope,
        "code": one.code,
        "messages": [(group.records, group.message or "") for group in told[:MESSAGES]],
        "more_messages": max(0, len(told) - MESSAGES),
        "records": one.records,
        "last": max((group.last for group in told if group.last), default=None),
        "hours": bars_of(one.hours, wide=96, high=18, least=1),
        "hours_words": f"{plural(sum(one.hours), 'record')} in the last 24 hours, {one.hours[-1]} in the last one",
        "state": state_word(here),
        "is_failed": marks_of(workflow, workflow.axis(one.axis)).get(here, FAILED).tone
        in ("failed", "retry"),
        **what_happens(
            one.records - retried, retried, next_try, state_word(here) if told else "", context.now
        ),
        "href": path("records", one.kind) + query(error=one.code, scope=one.scope or ""),
        "retry": "/operations"
        + query(act="retry", kind=one.kind, axis=one.axis, scope=one.scope or "", error=one.code)
        + "#bulk",
    }


def is_previewed(context: PageContext, one: Any) -> bool:
    """Whether the address asks for a preview of retrying exactly these records."""
    asked = {name: context.query.get(name, "") for name in ("act", "kind", "axis", "scope", "error")}
    return asked == {
        "act": "retry",
        "kind": one.kind,
        "axis": one.axis,
        "scope": one.scope or "",
        "error": one.code,
    }


def what_happens(people: int, retried: int, next_try: Any, word: str, now: datetime | None) -> dict[str, Any]:
    """Who acts next on the records of an error: a person, nobody, or a person on some of them."""
    mark: Mark = FAILED if people else RETRY
    when = next_words(next_try, now) if next_try is not None else ""
    if people and retried:
        what = f"{people:,} {'needs' if people == 1 else 'need'} a person"
        detail = f"{retried:,} tried again, {when}"
    elif people:
        what, detail = "needs a person", f"in {word}" if word else ""
    else:
        what, detail = "tried again by itself", when
    return {"people": people, "retried": retried, "mark": mark, "what": what, "detail": detail}


def due_of(minutes: Sequence[int]) -> dict[str, Any]:
    """The retries of the next hour as bars, one a minute, and in words."""
    most = max(minutes, default=0)
    return {
        "bars": bars_of(minutes, wide=600, high=40, least=0),
        "records": sum(minutes),
        "words": f"{plural(sum(minutes), 'retry', 'retries')} in the next hour, by the minute; {most:,} in the fullest minute",
    }


def next_words(one: Any, now: datetime | None) -> str:
    """When the first record of a group is tried again."""
    left = (one.first - (now or one.first)).total_seconds()
    return f"next in {span(left)}" if left > 0 else "due now"


def name_in(context: PageContext, kind: str, id: str) -> str:
    """What a record is called; empty where no column tells more than its id does, and where it was removed in the meantime."""
    try:
        name = name_of(context.client.get(kind, id).row, telling_columns(context.workflows[kind]))
    except (InterlockError, KeyError):
        return ""
    return "" if name == id else name


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
