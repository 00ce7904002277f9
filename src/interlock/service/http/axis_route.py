"""A route that moves one axis of a record: PATCH with the state to enter, If-Match and Idempotency-Key; for extensions, in one line."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field, create_model
from starlette.requests import Request

from ...app import App
from ...errors import UnknownRecord
from ...observe.records.listing import one
from ...workflow import Workflow
from ..resources.moves import Commands, Key, Match, axis_of
from ..resources.records import id_from, public_columns, tag_of
from ..schemas import records as shapes
from ..schemas.shape import Id, Name, Reason, Shape
from .access import V1
from .answers import Json
from .route import Route

PROBLEMS = ("409", "412", "413", "422")


class MovedRecord(Shape):
    """The whole record after the move, with its place on every axis; `outcome` says whether it was there already. The states of axes
    without scopes are fields of their own, each by the name of its axis."""

    model_config = ConfigDict(extra="allow")
    kind: str
    id: Id
    outcome: str
    hint: str
    record: dict[str, Any]
    where: list[shapes.Place]
    driven: list[shapes.Entry]


def patch_axis(
    app: App,
    workflow: Workflow,
    axis: str | None = None,
    *,
    path: str | None = None,
    least: str = "curator",
    unchanged: str = "",
) -> Route:
    """A route `PATCH path` that moves this axis of a record; the only one where it is not named.

    The body has the axis by its name, `{"curation_status": "Selected"}`, and may have `reason`, `role`, `version`, `facts` and, on a scoped
    axis, `scope`. The headers If-Match (the record's ETag, or the axis's version; another one answers 412) and Idempotency-Key are obeyed.
    The answer is the whole record as it is after the move, with what rules drove; `unchanged` is the hint for whoever asks for the
    state that the record is in already. `path` has `{id}`; the default is `/api/v1/KIND/{id}`.
    """
    chosen = axis_of(workflow, axis)
    commands = Commands(app)
    shape = _body_of(workflow, chosen.name, scoped=chosen.scoped)

    def patch(
        request: Request, id: str, body: Any, idempotency_key: Any = None, if_match: Any = None
    ) -> Json:
        values = body.model_dump(exclude_unset=True)
        to = values.pop(chosen.name)
        command = shapes.MoveCommand(axis=chosen.name, to=to, **values)
        answer = commands.perform_move(request, workflow.name, id, command, idempotency_key, if_match)
        key = id_from(app, workflow, id)
        record = one(app.database, workflow, key)
        if record is None:
            raise UnknownRecord(workflow.name, key)
        row, where = record
        return Json(
            {
                **{
                    place["axis"]: place["state"]
                    for place in where
                    if not workflow.axes[place["axis"]].scoped
                },
                "kind": workflow.name,
                "id": key,
                "outcome": answer.outcome,
                "hint": unchanged if answer.outcome == "unchanged" else "",
                "record": public_columns(workflow, row),
                "where": where,
                "driven": commands.driven_of(answer),
            },
            headers={"ETag": tag_of(where)},
        )

    patch.__doc__ = f"Move {chosen.name} of a record, if the machine, the rules and the gates allow it."
    patch.__annotations__ = {
        "request": Request,
        "id": str,
        "body": shape,
        "idempotency_key": Key,
        "if_match": Match,
        "return": Json,
    }
    address = path or f"{V1}/{workflow.name}/{{id}}"
    return Route("PATCH", address, patch, MovedRecord, least=least, problems=PROBLEMS)


def _body_of(workflow: Workflow, axis: str, *, scoped: bool) -> Any:
    """The shape of the body: the axis by its own name, and what every move may say."""
    fields: dict[str, Any] = {
        axis: (Name | None, ...),
        "reason": (Reason | None, None),
        "role": (Name | None, None),
        "version": (int | None, Field(None, ge=0, le=2**31 - 1)),
        "facts": (dict[str, Any], Field(default_factory=dict)),
        **({"scope": (Name | None, None)} if scoped else {}),
    }
    name = "".join(part.title() for part in (*workflow.name.split("-"), *axis.split("_"))) + "Patch"
    return create_model(
        name,
        __config__=ConfigDict(extra="forbid", strict=True),
        __doc__=f"The state that {axis} is to enter.",
        **fields,
    )
