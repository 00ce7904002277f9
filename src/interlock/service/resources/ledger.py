"""History over HTTP: everything in the order it was committed, and the proof that it is whole."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Query
from starlette.requests import Request

from ...app import App
from ...client import LocalClient
from ...errors import BadInput, UnknownRecord
from ...store.ledger.read import Cursor
from ...store.placement import record_name
from ...workflow import Move, Workflow
from ..http.answers import Json
from ..http.guard import PATIENCE

Place = Annotated[
    str | None, Query(pattern=r"^[0-9]{1,18}\.[0-9]{1,18}$", description="A cursor; the entries behind it.")
]
Earlier = Annotated[
    str | None,
    Query(pattern=r"^[0-9]{1,18}\.[0-9]{1,18}$", description="A cursor; the newest entries before it."),
]


def entry(move: Move, cursor: Cursor | None = None, id: Any = None) -> dict[str, Any]:
    """An entry in the words of the API."""
    fields = {
        "kind": move.kind,
        "id": move.id if id is None else id,
        "axis": move.axis,
        "scope": move.scope,
        "version": move.version,
        "timestamp": move.at,
        "old_status": move.old,
        "new_status": move.new,
        "trigger": move.cause,
        "origin": move.origin,
        "actor": move.actor,
        "role": move.role,
        "reason": move.reason,
        "facts": dict(move.facts),
    }
    return fields if cursor is None else {"cursor": str(cursor), **fields}


Id = Annotated[
    str | None, Query(min_length=1, max_length=512, description="Of one record; its kind must be said too.")
]
VERIFY_SECONDS = 600.0


class History:
    """The ledger of an app."""

    def __init__(self, app: App, page: int) -> None:
        self.app, self.page = app, page

    def tail(
        self,
        after: Place = None,
        before: Earlier = None,
        kind: str | None = None,
        limit: Annotated[int, Query(ge=1, le=500)] = 100,
    ) -> Json:
        """Entries behind a cursor in commit order, or without one the newest, or the newest before another cursor; `next` is the cursor
        to go on from."""
        name = None if kind is None else self.app.workflow(kind).name
        found = self.app.ledger.tail(after, before=before, limit=min(limit, self.page), kind=name)
        last = str(found[-1][0]) if found else after or str(Cursor())
        return Json({"entries": [entry(move, cursor) for cursor, move in found], "next": last})

    def verify(self, request: Request, kind: str | None = None, id: Id = None) -> Json:
        """Verify all chains and seals, or the chains of one kind or record, and compare the rows with them; it may take its time."""
        if id is not None and kind is None:
            raise BadInput("an id alone names no record: say its kind too")
        request.scope[PATIENCE] = VERIFY_SECONDS
        workflow = None if kind is None else self.app.workflow(kind)
        record = None if workflow is None or id is None else self.record(workflow, id)
        report = self.app.ledger.verify(None if workflow is None else workflow.name, record)
        if record is not None and not report.entries and report.ok:
            raise UnknownRecord(str(kind), id)
        return Json(
            {
                "ok": report.ok,
                "entries": report.entries,
                "chains": report.records,
                "seals": report.seals,
                "findings": report.findings,
            }
        )

    def check(self, request: Request, kind: str | None = None, replay: bool = False) -> Json:
        """Check every invariant of the database, of all kinds or of one; with `replay`, compute every row anew and compare."""
        request.scope[PATIENCE] = VERIFY_SECONDS
        report = LocalClient(self.app).check(kind, replay=replay)
        return Json({"ok": report.ok, **asdict(report)})

    def record(self, workflow: Workflow, id: str) -> str:
        """The id as history is kept under it; what cannot be an id of this kind names no record."""
        try:
            return record_name(workflow, id, self.app.database.dialect)
        except BadInput as error:
            raise UnknownRecord(workflow.name, id[:200]) from error
