"""History over HTTP: everything in the order it was committed, and the proof that it is whole."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from ..app import App
from ..store.ledger import Cursor
from ..workflow import Move
from .answers import Json

Place = Annotated[str | None, Query(pattern=r"^[0-9]{1,18}\.[0-9]{1,18}$", description="A cursor; the entries behind it.")]


def entry(move: Move, cursor: Cursor | None = None, id: Any = None) -> dict[str, Any]:
    """An entry in the words of the API."""
    said = {"kind": move.kind, "id": move.id if id is None else id, "axis": move.axis, "scope": move.scope, "version": move.version,
            "timestamp": move.at, "old_status": move.old, "new_status": move.new, "trigger": move.cause, "origin": move.origin,
            "actor": move.actor, "role": move.role, "reason": move.reason, "facts": dict(move.facts)}
    return said if cursor is None else {"cursor": str(cursor), **said}


class History:
    """The ledger of an app."""

    def __init__(self, app: App, page: int) -> None:
        self.app, self.page = app, page

    def tail(self, after: Place = None, kind: str | None = None, limit: Annotated[int, Query(ge=1, le=500)] = 100) -> Json:
        """Entries behind a cursor in commit order, or without one the newest; `next` is the cursor to go on from."""
        name = None if kind is None else self.app.workflow(kind).name
        found = self.app.ledger.tail(after, limit=min(limit, self.page), kind=name)
        last = str(found[-1][0]) if found else after or str(Cursor())
        return Json({"entries": [entry(move, cursor) for cursor, move in found], "next": last})

    def verify(self, kind: str | None = None) -> Json:
        """Verify all chains and seals, or the chains of one kind, and hold the rows against them."""
        name = None if kind is None else self.app.workflow(kind).name
        report = self.app.ledger.verify(name)
        return Json({"ok": report.ok, "entries": report.entries, "chains": report.records, "seals": report.seals,
                     "findings": report.findings})
