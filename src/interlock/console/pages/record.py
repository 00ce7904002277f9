"""One record: where it is, since when, why, what it waits for, what may happen next, and why not the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ...errors import UnknownRecord
from ...machine import State
from ...observe.explain import Explanation
from ...workflow import Axis, Move, Workflow
from ...workflow.axis import ENGINE_COLUMNS
from ...workflow.extension import PageContext
from ..marks import REFUSED, mark_of, marks_of, stages_of
from ..page import Rendered
from ..words import clock, command, day, gap, headline, path, query, short, since, span, state_word
from .record_acts import next_of, plain_reason
from .records import name_of, telling_columns

INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")
LETTERS = re.compile(r"[A-Za-z0-9_:/.+-]{20,}")
"""What is compared letter by letter: ids, hashes, places of files."""
LONG = 60
"""A fact of more characters than this has a line of its own; one of wide letters when it has half as many."""
HEADS = (": ", "; ", ", after ")
DECISION = "person's decision"
"""How a condition begins that only a move by hand meets; the states that it may lead to stand behind it."""
PEOPLE = ("somebody", "a person")
LONGEST_DETAIL = 200
COMMAND = re.compile(r" \(`[^`]*`\)")
"""The command that helps, where `record why` ends with it."""


def render(context: PageContext) -> Rendered:
    """The page of one record."""
    client, kind, id = context.client, context.kind, context.path["id"]
    workflow = client.workflow(kind)
    try:
        record = client.get(kind, id)
    except UnknownRecord:
        return render_gone(context, workflow, id)
    explained = client.explain(kind, id)
    history = client.ledger.history(kind, id)
    marks = {axis.name: marks_of(workflow, axis) for axis in workflow.axes.values()}
    acts, refusals = next_of(context, workflow, record, explained, marks)
    places = [place_of(context, record, one, marks, history) for one in record.where]
    own = own_columns(workflow, record.row)
    moves_only = context.query.get("show") == "moves"
    register = register_of(marks, history, explained, client.ledger.hashes(kind, id))
    return "record.html", {
        "page": "record",
        "kind": kind,
        "id": record.id,
        "title": str(record.id),
        "telling": name_of(record.row, telling_columns(workflow)),
        "places": places,
        "also": also_of(explained, context.now),
        "route": route_of(workflow, marks, history, record.where, context.now),
        "waits": [condition_of(one) for one in explained.waits_for],
        "acts": acts,
        "refusals": refusals,
        "register": [line for line in register if not (moves_only and line["refused"])],
        "moves_only": moves_only,
        "moves_href": path("records", kind, record.id) + query(show="moves"),
        "all_href": path("records", kind, record.id),
        "entries": len(history),
        "refused": len(explained.refusals),
        "facts": own,
        "chain": chain_of(context, kind, record.id, history),
        "sealed": sealed_of(context, kind, record.id, history),
        "newest": history[-1].at if history else None,
        "command": command("interlock", "record", "why", kind, record.id),
        "pages": pages_of(context, workflow, record.id),
        "gone": None,
    }


def render_gone(context: PageContext, workflow: Workflow, id: str) -> Rendered:
    """The page of a record that was erased or deleted: who did it, when and why, and what the ledger keeps of it."""
    client, kind = context.client, workflow.name
    history = client.ledger.history(kind, id)  # refuses an id that never was
    marks = {axis.name: marks_of(workflow, axis) for axis in workflow.axes.values()}
    explained = Explanation(kind, id)
    last = history[-1]
    return "record.html", {
        "page": "record",
        "kind": kind,
        "id": id,
        "title": id,
        "telling": "",
        "places": [],
        "also": "",
        "route": [],
        "waits": [],
        "acts": [],
        "refusals": [],
        "register": register_of(marks, history, explained, client.ledger.hashes(kind, id)),
        "moves_only": False,
        "entries": len(history),
        "refused": 0,
        "facts": {"own": [], "kept": []},
        "chain": chain_of(context, kind, id, history),
        "sealed": sealed_of(context, kind, id, history),
        "newest": last.at,
        "command": command("interlock", "ledger", "verify", kind, id),
        "pages": [],
        "gone": {
            "verb": "erased" if last.origin == "erase" else "deleted",
            "actor": last.actor,
            "at": last.at,
            "age": span(since(last.at, context.now)) if context.now else "",
            "reason": last.reason,
            "several": len(workflow.axes) > 1,
            "word": state_word(last.old),
            "mark": mark_of(marks.get(last.axis, {}), last.old),
        },
    }


def pages_of(context: PageContext, workflow: Workflow, id: Any) -> list[dict[str, str]]:
    """The pages that the workflow brings and that show one record: where this one is on each."""
    return [
        {
            "title": one.title,
            "href": f"{path('workflows', workflow.name)}/{one.path}" + query(**{one.record: id}),
        }
        for one in workflow.extension.pages
        if one.record
    ]


def chain_of(context: PageContext, kind: str, id: Any, history: Sequence[Move]) -> dict[str, Any]:
    """Whether the record's chain of hashes was verified just now, and where its proof is."""
    proof = "/api/v1" + path(kind, "records", id, "proof")
    needs = context.may("GET", "/api/v1/ledger/verify")
    if needs:
        return {
            "tone": "quiet",
            "symbol": "m-null",
            "words": f"Chain not verified here. {needs}",
            "proof": proof,
        }
    report = context.client.ledger.verify(kind, id)
    if report.ok:
        return {
            "tone": "done",
            "symbol": "m-done",
            "words": f"Chain verified just now, {len(history)} {'entry' if len(history) == 1 else 'entries'}",
            "proof": proof,
        }
    broken = f"{report.findings[0].problem} ({report.findings[0].invariant})"
    return {
        "tone": "failed",
        "symbol": "m-failed",
        "words": f"The chain does not hold: {broken}",
        "proof": proof,
    }


def sealed_of(context: PageContext, kind: str, id: Any, history: Sequence[Move]) -> dict[str, Any]:
    """Up to where the record's entries are under a seal, when the newest of those was made, and by which key."""
    seals = context.client.ledger.entry_seals(kind, id)
    if not seals:
        return {"tone": "quiet", "symbol": "m-null", "words": "Not sealed yet"}
    last = max(seals.values(), key=lambda one: one.number)
    reached = max(version for (_, _, version), one in seals.items() if one.number == last.number)
    several = len({(axis, scope) for axis, scope, _ in seals}) > 1
    count = f"{len(seals)} of {len(history)} entries sealed" if several else f"Sealed up to v{reached}"
    today = context.now is not None and day(last.at) == day(context.now)
    when = f"at {clock(last.at)}" if today else f"on {day(last.at)}"
    signed = f", signed by key {last.public_key[:8]}…" if last.public_key else ""
    return {
        "tone": "done" if len(seals) == len(history) else "waiting",
        "symbol": "m-done" if len(seals) == len(history) else "m-waiting",
        "words": f"{count}, seal {last.number} {when} UTC{signed}",
    }


def condition_of(one: Any) -> dict[str, Any]:
    """A condition as a short headline with its detail below; who has to see to it decides its mark. The command that helps is left out:
    the page has its button."""
    head, detail = headline(COMMAND.sub("", one.what), HEADS)
    if head.endswith(DECISION):
        detail = f"to move it to {detail.replace(', ', ' or ')}"
    return {
        "head": head,
        "detail": short(detail, LONGEST_DETAIL),
        "scope": one.scope,
        "met": one.met,
        "is_for_people": any(word in one.what for word in PEOPLE),
    }


def place_of(
    context: PageContext, record: Any, place: Any, marks: Mapping[str, Any], history: Sequence[Move]
) -> dict[str, Any]:
    """The sentence about one axis: where, since when, by whom, on what, why."""
    last = next(
        (one for one in reversed(history) if (one.axis, one.scope) == (place.axis, place.scope)), None
    )
    return {
        "axis": place.axis,
        "scope": place.scope,
        "several": len(record.where) > 1,
        "word": state_word(place.state),
        "mark": mark_of(marks[place.axis], place.state),
        "since": place.since,
        "age": span(since(place.since, context.now)) if place.since and context.now else "",
        "version": place.version,
        "first": last is not None and last.version == 0,
        "stayed": last is not None and last.version > 0 and last.old == last.new,
        "actor": None if last is None else last.actor,
        "old": None if last is None else state_word(last.old),
        "cause": None if last is None else last.cause,
        "reason": None if last is None else last.reason,
        "error_code": place.error_code,
        "error_message": place.error_message,
    }


def also_of(explained: Explanation, now: datetime | None) -> str:
    """The newest refusal in one sentence, so that nobody has to look for it."""
    if not explained.refusals:
        return ""
    newest = explained.refusals[0]
    ago = f" {span(since(newest.at, now))} ago" if now else ""
    return (
        f"{newest.actor} asked for {newest.wanted or 'something else'}{ago} and was refused ({newest.code})."
    )


def route_of(
    workflow: Workflow,
    marks: Mapping[str, Any],
    history: Sequence[Move],
    where: Sequence[Any],
    now: datetime | None,
) -> list[dict[str, Any]]:
    """The states that the record passed on its worked axis, where it is, and those that may lie ahead; empty where it has only one."""
    axis = next((one for one in workflow.axes.values() if stages_of(workflow, one) and not one.scoped), None)
    here = None if axis is None else next((one for one in where if one.axis == axis.name), None)
    if axis is None or here is None:
        return []
    moves = [one for one in history if one.axis == axis.name]
    stops: list[dict[str, Any]] = []
    for position, move in enumerate(moves):
        until = moves[position + 1].at if position + 1 < len(moves) else now
        seconds = None if until is None else (until - move.at).total_seconds()
        if stops and stops[-1]["state"] == move.new:
            stops[-1]["seconds"] = (stops[-1]["seconds"] or 0) + (seconds or 0)
            stops[-1]["visits"] += 1
        else:
            stops.append({"state": move.new, "seconds": seconds, "visits": 1})
    shown = stops[-6:]
    failing = mark_of(marks[axis.name], here.state).tone == "failed"
    route = [
        {
            "word": state_word(one["state"]),
            "mark": mark_of(marks[axis.name], one["state"]),
            "class": "here"
            if one is shown[-1]
            else "passed off"
            if failing and one is shown[-2]
            else "passed",
            "time": gap(one["seconds"]) + (f", {one['visits']} attempts" if one["visits"] > 1 else ""),
        }
        for one in shown
    ]
    route += ahead_of(workflow, axis, marks[axis.name], here.state)
    return route if len(route) > 1 else []


def ahead_of(
    workflow: Workflow, axis: Axis, marks: Mapping[State, Any], state: State
) -> list[dict[str, Any]]:
    """Where the stages lead from a state, if all goes well."""
    ahead: list[dict[str, Any]] = []
    seen = {state}
    stages = stages_of(workflow, axis)
    while True:
        step = next((one for one in stages if state in one.waiting or state == one.running), None)
        if step is None:
            return ahead
        for word in (step.running, step.done) if state in step.waiting else (step.done,):
            if word is not None and word not in seen:
                seen.add(word)
                ahead.append(
                    {
                        "word": word,
                        "mark": mark_of(marks, word),
                        "class": "skippable" if word == step.running else "",
                        "time": "",
                    }
                )
        if step.done in (None, state) or step.done not in seen or len(ahead) > 6:
            return ahead
        state = step.done


def register_of(
    marks: Mapping[str, Any],
    history: Sequence[Move],
    explained: Explanation,
    hashes: Mapping[tuple[str, str | None, int], str],
) -> list[dict[str, Any]]:
    """Entries of the ledger with the refusals beside them, newest first."""
    lines: list[dict[str, Any]] = []
    for one in history:
        table = marks.get(one.axis, {})
        lines.append(
            {
                "at": one.at,
                "refused": False,
                "old": None
                if one.version == 0
                else {"word": state_word(one.old), "mark": mark_of(table, one.old)},
                "new": {"word": state_word(one.new), "mark": mark_of(table, one.new)},
                "closing": one.origin in ("erase", "deletion"),
                "axis": one.axis,
                "scope": one.scope,
                "actor": one.actor,
                "role": one.role,
                "cause": one.cause,
                "reason": one.reason,
                "facts": {name: value for name, value in one.facts.items() if value is not None},
                "version": one.version,
                "hash": hashes.get((one.axis, one.scope, one.version), ""),
                "code": "",
                "message": "",
            }
        )
    lines += [
        {
            "at": refusal.at,
            "refused": True,
            "mark": REFUSED,
            "actor": refusal.actor,
            "wanted": refusal.wanted,
            "verdict": refusal.verdict,
            "message": plain_reason(refusal.message),
            "code": refusal.code,
            "axis": refusal.axis,
            "scope": refusal.scope,
        }
        for refusal in explained.refusals
    ]
    lines.sort(key=lambda one: one["at"])
    for position, line in enumerate(lines):
        before = lines[position - 1]["at"] if position else None
        line["gap"] = "" if before is None else f"+ {gap((line['at'] - before).total_seconds())}"
    for line, above in zip(lines, [*lines[1:], None], strict=True):
        line["day"] = "" if above is None or day(above["at"]) == day(line["at"]) else day(line["at"])
    return lines[::-1]


def fact_of(name: str, value: Any) -> dict[str, Any]:
    """A fact with how it is set: letter by letter, and over the whole line where it is long."""
    text = str(plain_value(value))
    is_letters = LETTERS.fullmatch(text) is not None and any(one.isdigit() for one in text)
    return {
        "name": name,
        "value": text,
        "is_long": len(text) > (LONG // 2 if is_letters else LONG),
        "is_letters": is_letters,
    }


def plain_value(value: Any) -> Any:
    """A value of a column as people read it: instants to the second."""
    if isinstance(value, str) and INSTANT.fullmatch(value):
        return f"{value[:10]} {value[11:19]} UTC"
    return value


def own_columns(workflow: Workflow, row: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The record's columns: its own, and those that Interlock keeps, long ones last; without states and hashes, which the page shows
    elsewhere."""
    kept = {
        axis.column_name(name)
        for axis in workflow.axes.values()
        if not axis.scoped
        for name in ENGINE_COLUMNS
        if axis.has(name)
    }
    shown = {axis.name for axis in workflow.axes.values()} | {
        axis.column_name("head") for axis in workflow.axes.values() if not axis.scoped
    }
    there = [
        fact_of(name, value) for name, value in row.items() if name not in shown and value not in (None, "")
    ]
    there.sort(key=lambda one: one["is_long"])
    return {
        "own": [one for one in there if one["name"] not in kept],
        "kept": [one for one in there if one["name"] in kept],
    }
