"""Curate: what is this, what does each key do to the work, can I take it back? For every axis that people move."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...errors import UnknownKind
from ...workflow.extension import PageContext
from ..marks import is_moved_by_people, marks_of
from ..page import Rendered
from ..words import command, number, path, query, state_word, unturned

AT_ONCE = 100
"""Records that one page holds; the next ones come by the link below them."""
SPARE_KEYS = "123456789"
TAKEN_KEYS = frozenset("jkxazfog")
"""Keys with another meaning on this page."""
LONGEST = 300
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT")


def render(context: PageContext) -> Rendered:
    """The records in one state of an axis that people move, ready to be decided; the one with most to decide where none is named."""
    machines = [one for one in context.client.machines() if decided_axis(context, one) is not None]
    if not machines:
        return "curate.html", {"page": "curate", "kinds": [], "machine": None}
    counts = counts_of(context, machines)
    machine = chosen(context, machines, counts)
    kind, axis = machine["kind"], decided_axis(context, machine)
    assert axis is not None
    workflow = context.workflows[kind]
    marks = {one.name: marks_of(workflow, one) for one in workflow.axes.values()}
    state = state_of(context, axis)
    text = context.query.get("text", "").strip()
    columns = columns_of(context, machine)
    page = context.client.list(
        kind,
        where={axis["name"]: state},
        text=text or None,
        limit=AT_ONCE,
        after=context.query.get("after") or None,
        columns=columns,
    )
    total = counts.get((kind, state), 0)
    kinds = [kind_of(context, one, counts, kind) for one in machines]
    verbs = verbs_of(axis, state, marks[axis["name"]])
    return "curate.html", {
        "page": "curate",
        "kinds": kinds,
        "elsewhere": [one for one in kinds if one["records"] and not one["current"]],
        "machine": machine,
        "kind": kind,
        "noun": machine["noun"],
        "axis": axis["name"],
        "state": state,
        "word": state_word(state),
        "now_mark": marks[axis["name"]][state],
        "initial": axis["initial"],
        "states": [
            {
                "word": state_word(one["state"]),
                "mark": marks[axis["name"]][one["state"]],
                "records": counts.get((kind, one["state"]), 0),
                "href": "/curate" + query(kind=kind, state=state_word(one["state"])),
                "current": one["state"] == state,
            }
            for one in axis["states"]
        ],
        "verbs": verbs,
        "total": total,
        "decided": sum(
            one.moves
            for one in context.client.activity("24h").flows
            if (one.kind, one.axis, one.old) == (kind, axis["name"], axis["initial"])
            and not one.first
            and not one.closed
        ),
        "rows": [row_of(one, machine, axis, columns, marks, verbs) for one in page.records],
        "next": "/curate" + query(kind=kind, state=state_word(state), text=text, after=page.next)
        if page.next is not None
        else "",
        "text": text,
        "refused": context.may("POST", "/api/v1/{kind}/records/{id}/moves"),
        "command": command(
            "interlock", "record", "list", kind, "--where", f"{axis['name']}={state_word(state)}"
        ),
    }


def kind_of(
    context: PageContext,
    machine: Mapping[str, Any],
    counts: Mapping[tuple[str, str | None], int],
    current: str,
) -> dict[str, Any]:
    """A kind that people decide on, with how many of it are where they begin."""
    name, initial = machine["kind"], (decided_axis(context, machine) or {})["initial"]
    return {
        "kind": name,
        "href": "/curate" + query(kind=name),
        "records": counts.get((name, initial), 0),
        "current": name == current,
    }


def decided_axis(context: PageContext, machine: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The axis that people decide on: moved by people alone, without a role, and from its first state to several."""
    axes: list[Mapping[str, Any]] = machine["axes"]
    for axis in axes:
        free = [one for one in axis["moves"] if one["from"] == axis["initial"] and not one["needs"]]
        declared = context.workflows[machine["kind"]]
        by_people = is_moved_by_people(declared, declared.axis(axis["name"]))
        if by_people and not axis["scopes"] and len({one["to"] for one in free}) > 1:
            return axis
    return None


def counts_of(
    context: PageContext, machines: Iterable[Mapping[str, Any]]
) -> dict[tuple[str, str | None], int]:
    """Records by kind and state of the axis that people decide on."""
    axes = {one["kind"]: (decided_axis(context, one) or {}).get("name") for one in machines}
    return {
        (one.kind, one.state): one.records
        for one in context.client.counts()
        if axes.get(one.kind) == one.axis
    }


def chosen(
    context: PageContext, machines: Sequence[Mapping[str, Any]], counts: Mapping[tuple[str, str | None], int]
) -> Mapping[str, Any]:
    """The kind that the address names, or the first one with something to decide."""
    named = context.query.get("kind")
    if named is not None:
        for one in machines:
            if one["kind"] == named:
                return one
        raise UnknownKind(f"nothing of the kind {named[:60]!r} is decided by people")
    waiting = [
        one for one in machines if counts.get((one["kind"], (decided_axis(context, one) or {})["initial"]))
    ]
    return (waiting or machines)[0]


def state_of(context: PageContext, axis: Mapping[str, Any]) -> str | None:
    """The state that the address names, or the one in which records begin."""
    named = context.query.get("state")
    states = {state_word(one["state"]): one["state"] for one in axis["states"]}
    initial: str | None = axis["initial"]
    return states.get(named, initial) if named is not None else initial


def columns_of(context: PageContext, machine: Mapping[str, Any]) -> list[str]:
    """The record's own columns: those before the first one that belongs to an axis, read from one record."""
    first = context.client.list(machine["kind"], limit=1).records
    if not first:
        return []
    row = context.client.get(machine["kind"], first[0].id).row
    names: list[str] = []
    for name in row:
        if name in {axis["name"] for axis in machine["axes"]}:
            break
        names.append(name)
    return [name for name in names if name != "id"][:12]


def verbs_of(
    axis: Mapping[str, Any], state: str | None, marks: Mapping[str | None, Any]
) -> list[dict[str, Any]]:
    """A decision for each state that may follow, with its key: the first of its letters that is free."""
    verbs: list[dict[str, Any]] = []
    used = set(TAKEN_KEYS)
    names = list(
        dict.fromkeys(one["to"] for one in axis["moves"] if one["from"] == state and not one["needs"])
    )
    for name in names:
        word = state_word(name)
        key = next((one for one in [*word.lower(), *SPARE_KEYS] if one.isalnum() and one not in used), "")
        used.add(key)
        verbs.append({"state": name, "word": word, "key": key, "mark": marks[name]})
    return verbs


def row_of(
    record: Any,
    machine: Mapping[str, Any],
    axis: Mapping[str, Any],
    columns: Sequence[str],
    marks: Mapping[str, Mapping[str | None, Any]],
    verbs: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """One record: what it is called, what is known of it, where it is, and what each decision would do to its work."""
    places = {one.axis: one for one in record.where if one.scope is None}
    texts = [
        (name, value) for name in columns if isinstance(value := record.columns.get(name), str) and value
    ]
    link = next((value for _, value in texts if value.startswith(("http://", "https://"))), "")
    label = label_of(texts[0][1], link) if texts else str(record.id)
    words = [value for _, value in texts[1:] if value != link and not INSTANT.match(value)]
    here = places[axis["name"]]
    return {
        "id": str(record.id),
        "href": path("records", machine["kind"], record.id),
        "label": unturned(label[:LONGEST]),
        "title": unturned((words[0] if words else link)[:LONGEST]),
        "text": unturned((words[1] if len(words) > 1 else "")[:LONGEST]),
        "link": link,
        "version": here.version,
        "since": here.since,
        "others": [
            {"axis": name, "word": state_word(one.state), "mark": marks[name].get(one.state)}
            for name, one in places.items()
            if name != axis["name"] and one.state is not None
        ],
        "effects": {
            verb["word"]: effect(
                axis, here.state, verb["state"], {name: one.state for name, one in places.items()}
            )
            for verb in verbs
        },
        "facts": [
            (name, unturned(value) if isinstance(value, str) else number(value))
            for name in columns
            if isinstance(value := record.columns.get(name), str | int | float)
            and not isinstance(value, bool)
            and value not in (texts[0][1] if texts else "", link, *words[:2])
            and not INSTANT.match(str(value))
        ][:4],
    }


def label_of(first: str, link: str) -> str:
    """What a record is called: its first text, or its address without the scheme where that begins with this text and goes on."""
    address = link.partition("://")[2].rstrip("/")
    return address if address.startswith(f"{first}/") else first


def effect(
    axis: Mapping[str, Any], old: str | None, new: str | None, places: Mapping[str, str | None]
) -> tuple[str, str]:
    """What a decision does to the other axes, in words and in short: which one it moves, or that nothing runs."""
    for move in axis["moves"]:
        if (move["from"], move["to"]) != (old, new):
            continue
        for driven in move["drives"]:
            target, _, mapping = driven.partition(": ")
            steps = dict(step.split("→", 1) for step in mapping.split(", ") if "→" in step)
            here = state_word(places.get(target))
            if here in steps:
                return f"{target} becomes {steps[here]}", f"then {steps[here]}"
            if steps:
                return f"{target} stays {here}", f"stays {here}"
    return "nothing runs", "nothing runs"
