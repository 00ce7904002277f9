"""Records over HTTP: lists by where they are, one record, its history, and why it is where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import Query

from ...app import App
from ...errors import BadInput, UnknownRecord
from ...observe.records.listing import filter_of, one, page, reach
from ...observe.records.own_columns import Sort, sort_of, start_of, write_position
from ...store.placement import Placement
from ...workflow import Workflow
from ..http.answers import Json
from ..http.guard import SLASH
from ..http.paging import cursor_of, id_of
from .ledger import entry

Where = Annotated[
    list[str],
    Query(
        description="axis=state, or column=value; of one name any may hold, of several names all must. null is a state and a value.",
        examples=[["status=error"]],
    ),
]
Columns = Annotated[
    list[str],
    Query(description="Columns of the record to show, by comma or repeated.", examples=[["host,title"]]),
]
Age = Annotated[str | None, Query(pattern=r"^[0-9]{1,5}(s|m|h|d|w)$", examples=["2h"])]
Text = Annotated[str | None, Query(min_length=1, max_length=200)]


def id_from(app: App, workflow: Workflow, written: str) -> Any:
    """The id in an address; a text that cannot be an id of this kind names no record."""
    try:
        return place_of(app, workflow).check_id(written.replace(SLASH, "/"))
    except BadInput as error:
        raise UnknownRecord(workflow.name, written[:200]) from error


def place_of(app: App, workflow: Workflow) -> Placement:
    return app.authority.mover.plans.place(workflow, next(iter(workflow.axes.values())))


def public_columns(workflow: Workflow, row: Mapping[str, Any]) -> dict[str, Any]:
    """The row without its private columns."""
    private = workflow.private
    return {name: value for name, value in row.items() if name not in private}


def tag_of(where: Sequence[dict[str, Any]]) -> str:
    """The versions of a record, on every axis in the order they were declared."""
    return '"' + ".".join("-" if place["version"] is None else str(place["version"]) for place in where) + '"'


class Records:
    """The records of an app."""

    def __init__(self, app: App, most: int) -> None:
        self.app, self.most = app, most

    def list(
        self,
        kind: str,
        where: Where = [],  # noqa: B006 read by FastAPI, never changed
        axis: str | None = None,
        scope: str | None = None,
        error: Text = None,
        older: Age = None,
        younger: Age = None,
        text: Text = None,
        limit: Annotated[int, Query(ge=1, le=500)] = 50,
        cursor: Annotated[str | None, Query(min_length=1, max_length=1000)] = None,
        order: Literal["id", "-id"] | None = None,
        columns: Columns = [],  # noqa: B006 read by FastAPI, never changed
        sort: Annotated[
            str | None,
            Query(min_length=1, max_length=100, description="A column; with - in front, the largest first."),
        ] = None,
        examine: Annotated[
            int | None,
            Query(
                ge=1,
                le=1_000_000,
                description="By id: look at no more records than this. A page may then be short and still have a next.",
            ),
        ] = None,
    ) -> Json:
        """A page of records, narrowed by any axis or column, error code, age in the state, and text; by id, or sorted by a column."""
        workflow, size = self.app.workflow(kind), min(limit, self.most)
        if sort is not None and order is not None:
            raise BadInput("a list has an order by id or a sort by a column, not both")
        by = None if sort is None else sort_of(workflow, sort)
        wanted = filter_of(
            [pair(one) for one in where],
            axis=axis,
            scope=scope,
            error=error,
            older=older,
            younger=younger,
            text=text,
        )
        start = None if cursor is None else self.behind(workflow, cursor, by)
        until = None
        if examine is not None and by is None:
            until = reach(self.app.database, workflow, examine, after=start, backwards=order == "-id")
        found = page(
            self.app.database,
            workflow,
            wanted,
            self.app.clock.now(),
            limit=size + 1,
            after=start,
            backwards=order == "-id",
            columns=[name for one in columns for name in one.split(",")],
            sort=by,
            until=until,
        )
        positions = [row.pop("position", None) for row in found]
        following = None if until is None else cursor_of(until)
        if len(found) > size:
            last = found[size - 1]["id"]
            following = cursor_of(last) if by is None else write_position(*positions[size - 1])
        return Json({"kind": workflow.name, "records": found[:size], "next": following})

    def behind(self, workflow: Workflow, cursor: str, sort: Sort | None = None) -> Any:
        return start_of(place_of(self.app, workflow), sort, id_of(cursor) if sort is None else cursor)

    def show(self, kind: str, id: str) -> Json:
        """One record: its own row, and where it is on every axis. The ETag has its versions."""
        workflow = self.app.workflow(kind)
        key = id_from(self.app, workflow, id)
        found = one(self.app.database, workflow, key)
        if found is None:
            raise UnknownRecord(workflow.name, key)
        row, where = found
        return Json(
            {"kind": workflow.name, "id": key, "record": public_columns(workflow, row), "where": where},
            headers={"ETag": tag_of(where)},
        )

    def timeline(self, kind: str, id: str, axis: str | None = None, scope: str | None = None) -> Json:
        """Every entry of a record's history, oldest first; that of a record that is gone remains."""
        workflow = self.app.workflow(kind)
        key = id_from(self.app, workflow, id)
        chosen = None if axis is None else workflow.axis(axis).name
        if scope is not None and not any(scope in one.scopes for one in workflow.axes.values()):
            raise BadInput(f"{workflow.name} has no scope {scope[:100]!r}")
        found = self.app.ledger.history(workflow, key, axis=chosen, scope=scope)
        if not found and not self.app.ledger.history(workflow, key):
            raise UnknownRecord(workflow.name, key)
        hashes, seals = self.app.ledger.hashes(workflow, key), self.app.ledger.entry_seals(workflow, key)
        entries = [
            {**entry(move, id=key), "hash": hashes.get(place), "seal": seals.get(place)}
            for move in found
            for place in [(move.axis, move.scope, move.version)]
        ]
        return Json({"kind": workflow.name, "id": key, "entries": entries})

    def why(self, kind: str, id: str) -> Json:
        """Where it is, since when and why, what it waits for, what may happen next, and why not the rest."""
        workflow = self.app.workflow(kind)
        return Json(self.app.explain(workflow, id_from(self.app, workflow, id)).as_dict())

    def verdicts(
        self,
        kind: str,
        id: str,
        version: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
        scope: str | None = None,
    ) -> Json:
        """What gates answered about a record, oldest first; those of a record that is gone remain."""
        workflow = self.app.workflow(kind)
        key = id_from(self.app, workflow, id)
        found = self.app.verdicts(workflow, key, version, scope=scope)
        return Json({"kind": workflow.name, "id": key, "verdicts": [one.as_dict() for one in found]})


def pair(written: str) -> tuple[str, str]:
    name, sign, state = written.partition("=")
    if not sign or not name:
        raise BadInput(
            f"{written!r} is not axis=state", hint="Write where=status=parsed; null is the empty state."
        )
    return name, state
