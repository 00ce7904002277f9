"""Records of a kind, narrowed by axis, error, age and text; and the page that an id or a name jumps to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import InterlockError, UnknownRecord
from ...observe.records.listing import AxisState, ListedRecord
from ...workflow import Workflow
from ...workflow.extension import PageContext
from ..marks import is_moved_by_people, mark_of, marks_of
from ..page import Rendered
from ..words import command, number, path, plural, query, state_word

PAGE = 50
EXAMINED = 20_000
"""A text is looked for in so many records at a time: no index knows what stands in the middle of a text."""
AGES = {"": "any age", "5m": "over 5 min", "1h": "over 1 h", "1d": "over 1 d", "7d": "over 7 d"}
TELLING = (
    "title",
    "name",
    "file_name",
    "filename",
    "original_filename",
    "host",
    "url",
    "subject",
    "email",
    "city",
)
"""Columns that tell people which record it is, the best first."""
MOST_TELLING = 3
MOST_SLOTS = 3
"""So many states of a record have a column each; more of them share one."""


def render(context: PageContext) -> Rendered:
    """The kinds, and how many records each has."""
    totals: dict[str, int] = {}
    for one in context.client.counts():
        key = f"{one.kind} {one.axis} {one.scope}"
        totals[key] = totals.get(key, 0) + one.records
    moves: dict[str, int] = {}
    for flow in context.client.activity("24h").flows:
        moves[flow.kind] = moves.get(flow.kind, 0) + flow.moves
    kinds = [
        {
            "kind": name,
            "moves": moves.get(name, 0),
            "total": max((value for key, value in totals.items() if key.split(" ")[0] == name), default=0),
            "axes": [axis.name for axis in workflow.axes.values()],
            "noun": workflow.noun,
        }
        for name, workflow in context.workflows.items()
    ]
    return "kinds.html", {"page": "records", "kinds": kinds}


def render_kind(context: PageContext) -> Rendered:
    """The records of one kind."""
    workflow = context.client.workflow(context.kind)
    asked = context.query
    where = {
        axis.name: _state(asked[f"state.{axis.name}"])
        for axis in workflow.axes.values()
        if asked.get(f"state.{axis.name}")
    }
    narrowed: dict[str, Any] = {
        name: asked[name] for name in ("scope", "error", "older", "text", "axis") if asked.get(name)
    }
    telling = telling_columns(workflow)
    page = context.client.list(
        workflow.name,
        where=where,
        limit=PAGE,
        after=asked.get("after") or None,
        descending=asked.get("order") == "newest",
        columns=telling,
        examine=EXAMINED if "text" in narrowed else None,
        **narrowed,
    )
    slots = [(axis.name, scope) for axis in workflow.axes.values() for scope in axis.scopes or (None,)]
    rows = [row_of(workflow, one, telling, slots) for one in page.records]
    kept = {name: value for name, value in asked.items() if name not in ("after", "theme")}
    return "records.html", {
        "page": "records",
        "kind": workflow.name,
        "title": workflow.name,
        "axes": [
            {
                "name": axis.name,
                "scopes": list(axis.scopes),
                "chosen": asked.get(f"state.{axis.name}", ""),
                "states": [state_word(state) for state in axis.machine.states],
            }
            for axis in workflow.axes.values()
        ],
        "scopes": list(dict.fromkeys(scope for axis in workflow.axes.values() for scope in axis.scopes)),
        "asked": asked,
        "ages": AGES,
        "telling": "" if not telling else telling[0] if len(telling) == 1 else "Name",
        "slots": [scope or axis for axis, scope in slots] if len(slots) <= MOST_SLOTS else [],
        "rows": rows,
        "narrowed": bool(where or narrowed),
        "narrowed_by": ", ".join(
            [*map(state_word, where.values()), *(str(value) for value in narrowed.values())]
        ),
        "sentence": sentence(
            rows,
            page.next is not None,
            bool(where or narrowed),
            "text" in narrowed,
            bool(asked.get("after")),
            None if narrowed else total_of(context, workflow, where),
        ),
        "onward": f"Look at the next {EXAMINED:,} records"
        if "text" in narrowed and len(rows) < PAGE
        else "Next page",
        "next": None
        if page.next is None
        else path("records", workflow.name) + query(**{**kept, "after": page.next}),
        "first": path("records", workflow.name) + query(**kept) if asked.get("after") else None,
        "codes": sorted({one.code for one in context.client.errors(workflow.name, limit=100)}),
        "acts": acts_of(workflow) if rows and (where or narrowed) else [],
        "may_act": context.may("POST", "/api/v1/operations"),
        "kept": {name: value for name, value in kept.items() if value and name != "order"},
        "command": list_command(workflow.name, where, narrowed),
    }


def acts_of(workflow: Workflow) -> list[tuple[str, str]]:
    """What can be done to all records of a list at once: as the address of a preview has it, and in words."""
    acts = [("retry", "Retry"), ("cancel", "Cancel what runs or waits")] if workflow.stages else []
    for axis in workflow.axes.values():
        if is_moved_by_people(workflow, axis) and not axis.scopes:
            acts += [
                (f"{axis.name}={state_word(state)}", f"Move to {state_word(state)}")
                for state in axis.machine.states
            ]
    return acts


def _state(word: str) -> str | None:
    return None if word == "null" else word


def total_of(context: PageContext, workflow: Workflow, where: Mapping[str, Any]) -> int | None:
    """How many records there are, or in one state; None where only counting them would tell."""
    held = [one for one in context.client.counts(workflow.name) if one.scope is None]
    if not held or len(where) > 1:
        return None
    axis = next(iter(where), held[0].axis)
    chosen: list[int] = [
        one.records for one in held if one.axis == axis and (not where or one.state == where[axis])
    ]
    return sum(chosen)


def sentence(
    rows: list[Any], more: bool, narrowed: bool, has_text: bool, goes_on: bool, total: int | None = None
) -> str:
    """How many there are, as far as this page knows; of a text, in which records it was looked for."""
    if has_text and more and len(rows) < PAGE:
        looked_at = f"{'next' if goes_on else 'first'} {EXAMINED:,} records by id"
        verb = "has" if len(rows) == 1 else "have"
        return f"Of the {looked_at}, {number(len(rows))} {verb} this text in the id or in a text column. There are more to look at."
    if not rows:
        return "No record matches." if narrowed else "There is no record yet."
    if not more and (has_text or not goes_on):
        return f"{plural(len(rows), 'record')}, by id."
    count = f"{'The next' if goes_on and more else 'The last' if goes_on else 'The first'} {len(rows)}"
    behind = (
        f" of {number(total)}" if total is not None and total > len(rows) else ", and more" if more else ""
    )
    return f"{count}{behind}, by id."


def telling_columns(workflow: Workflow) -> list[str]:
    """The columns that tell people which record it is, the best first: where a record has nothing in one, the next one tells."""
    known = {column.name for column in workflow.records.columns} - set(workflow.private)
    return [name for name in TELLING if name in known][:MOST_TELLING]


def name_of(columns: Mapping[str, Any], telling: Sequence[str]) -> str:
    """What a record is called; empty where no column tells."""
    return next((str(columns[name]) for name in telling if columns.get(name)), "")


def row_of(
    workflow: Workflow,
    record: ListedRecord,
    telling: Sequence[str],
    slots: Sequence[tuple[str, str | None]] = (),
) -> dict[str, Any]:
    """A record in the list; `slots` are the columns for its states."""
    marks = {axis.name: marks_of(workflow, axis) for axis in workflow.axes.values()}
    places = {(one.axis, one.scope): one for one in record.where}
    return {
        "id": record.id,
        "href": path("records", workflow.name, record.id),
        "telling": name_of(record.columns, telling),
        "where": [place_of(marks, one) for one in record.where],
        "slots": [place_of(marks, places[slot]) if slot in places else None for slot in slots],
        "since": max((one.since for one in record.where if one.since), default=None),
        "error": next(((one.error_code, one.error_message) for one in record.where if one.error_code), None),
    }


def place_of(marks: Mapping[str, Mapping[Any, Any]], one: AxisState) -> dict[str, Any]:
    """Where a record is on one axis."""
    return {
        "axis": one.axis,
        "scope": one.scope,
        "word": state_word(one.state),
        "mark": mark_of(marks[one.axis], one.state),
        "since": one.since,
    }


def list_command(kind: str, where: Mapping[str, Any], narrowed: Mapping[str, Any]) -> str:
    """The command that lists the same records."""
    words: list[Any] = ["interlock", "record", "list", kind]
    for axis, state in where.items():
        words += ["--where", f"{axis}={state_word(state)}"]
    for name, value in narrowed.items():
        words += [f"--{name}", value]
    return command(*words)


def render_jump(context: PageContext) -> Rendered:
    """The record with this id, if one kind has it, also when it is gone; otherwise those that have it and whatever has this text."""
    wanted = context.query.get("to", "").strip()[:200]
    exact = [name for name in context.workflows if wanted and is_there(context, name, wanted)]
    gone = [name for name in context.workflows if wanted and not exact and was_there(context, name, wanted)]
    if len(one := exact or gone) == 1:
        return "redirect", {"to": path("records", one[0], wanted)}
    if wanted in context.workflows:
        return "redirect", {"to": path("records", wanted)}
    found = []
    for name, workflow in context.workflows.items() if wanted else ():
        telling = telling_columns(workflow)
        try:
            page = context.client.list(
                name,
                text=wanted,
                limit=10,
                columns=telling,
                examine=EXAMINED,
            )
        except InterlockError:
            continue
        partly = page.next is not None and len(page.records) < 10
        if page.records or partly:
            found.append(
                {
                    "kind": name,
                    "rows": [row_of(workflow, one, telling) for one in page.records],
                    "more": page.next is not None,
                    "partly": f"Looked at the first {EXAMINED:,} records by id." if partly else "",
                    "href": path("records", name) + query(text=wanted),
                }
            )
    return "jump.html", {
        "page": "jump",
        "wanted": wanted,
        "exact": [{"kind": name, "href": path("records", name, wanted)} for name in exact or gone],
        "results": found,
        "command": command("interlock", "record", "list", "KIND", "--text", wanted or "TEXT"),
    }


def is_there(context: PageContext, kind: str, id: str) -> bool:
    """Whether a kind has a record with this id."""
    try:
        context.client.get(kind, id)
    except UnknownRecord:
        return False
    return True


def was_there(context: PageContext, kind: str, id: str) -> bool:
    """Whether a kind had a record with this id, of which the ledger keeps the history."""
    try:
        context.client.ledger.history(kind, id)
    except InterlockError:
        return False
    return True
