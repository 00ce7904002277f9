"""The ledger: entries of all records in the order in which they were committed, and the seals over them."""

from __future__ import annotations

from typing import Any

from ...workflow import Move
from ...workflow.extension import PageContext
from ..marks import mark_of, marks_of
from ..page import Rendered
from ..words import command, path, plural, query, state_word

PAGE = 100
SEALS = 5
START = "0.0"
"""The cursor before the first entry."""


def render(context: PageContext) -> Rendered:
    """The newest entries, or those before or behind a cursor; the newest of them first."""
    kind = context.query.get("kind") or None
    if kind is not None:
        context.client.workflow(kind)
    after, before = (context.query.get(name) or None for name in ("after", "before"))
    needs = context.may("GET", "/api/v1/ledger/verify")
    is_asked = context.query.get("verify") == "now" and not needs
    report = context.client.ledger.verify(kind) if is_asked else None
    entries = context.client.ledger.tail(after, before=before, limit=PAGE, kind=kind)
    lines = [line_of(context, str(cursor), move) for cursor, move in entries[::-1]]
    is_full = len(entries) == PAGE
    seals = context.client.ledger.seals()
    last = seals[-1] if seals else None
    return "ledger.html", {
        "page": "ledger",
        "kind": kind,
        "kinds": list(context.workflows),
        "lines": lines,
        "older": page_of(kind, before=entries[0][0])
        if entries and (after not in (None, START) or (after is None and is_full))
        else None,
        "newer": page_of(kind, after=entries[-1][0]) if entries and (before or (after and is_full)) else None,
        "newest": page_of(kind) if after or before else None,
        "oldest": page_of(kind, after=START) if entries and (before or (not after and is_full)) else None,
        "seals": seals[::-1][:SEALS],
        "sealed": last,
        "may_verify": needs,
        "report": report,
        "verify": path("ledger") + query(kind=kind or "", verify="now"),
        "sentence": sentence_of(lines, last),
        "command": command("interlock", "ledger", "tail", *(("--kind", kind) if kind else ())),
    }


def page_of(kind: str | None, **cursors: Any) -> str:
    """The address of the entries before or behind a cursor."""
    return path("ledger") + query(kind=kind or "", **{name: str(one) for name, one in cursors.items()})


def sentence_of(lines: list[dict[str, Any]], seal: Any) -> str:
    """What the page answers first."""
    if not lines:
        return "The ledger is empty. Each record that comes in, and each move, leaves an entry that nobody can change."
    sealed = (
        f"The newest seal, number {seal.number:,}, has {plural(seal.entries, 'entry', 'entries')} in it."
        if seal
        else "Nothing is sealed yet."
    )
    return f"Every move, in the order in which it was committed, each entry chained to the one before it. {sealed}"


def line_of(context: PageContext, cursor: str, move: Move) -> dict[str, Any]:
    """One entry."""
    workflow = context.workflows.get(move.kind)
    axis = None if workflow is None else workflow.axes.get(move.axis)
    marks = {} if workflow is None or axis is None else marks_of(workflow, axis)
    return {
        "cursor": cursor,
        "kind": move.kind,
        "id": move.id,
        "href": path("records", move.kind, move.id),
        "axis": move.axis,
        "scope": move.scope,
        "several": workflow is not None and len(workflow.axes) > 1,
        "version": move.version,
        "first": move.version == 0,
        "closing": move.origin in ("erase", "deletion"),
        "old": state_word(move.old),
        "old_mark": mark_of(marks, move.old),
        "new": state_word(move.new),
        "new_mark": mark_of(marks, move.new),
        "actor": move.actor,
        "cause": move.cause,
        "reason": move.reason,
        "at": move.at,
    }
