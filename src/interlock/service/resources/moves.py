"""Commands over HTTP: move, retry, amend, reset. Who and in which role comes from the key; why comes with the request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Header
from starlette.requests import Request

from ... import workflow as words
from ...app import App
from ...errors import BadInput, ConcurrentModificationError, NotAuthorized
from ...workflow import Axis, Workflow
from ..connections.identity import Identity
from ..http.answers import Json
from ..http.keyed import keyed
from ..http.problems import PRECONDITION_FAILED
from ..http.routing import who_asks
from ..schemas import records as shapes
from .ledger import entry
from .records import id_from

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="The same command with the same key is done once, and answered again.",
    ),
]
TAG_PATTERN = r'^(\*|"[0-9.-]+")$'
Match = Annotated[
    str | None,
    Header(
        alias="If-Match",
        max_length=200,
        pattern=TAG_PATTERN,
        description="The ETag of the record, or the version of the axis: done only if it is still so.",
    ),
]


class PreconditionFailed(Exception):
    """A conflict with the version in If-Match, which has a status of its own."""

    def __init__(self, error: ConcurrentModificationError) -> None:
        self.error, self.status = error, PRECONDITION_FAILED


class Commands:
    """What people do to records."""

    def __init__(self, app: App) -> None:
        self.app = app

    def move(
        self,
        request: Request,
        kind: str,
        id: str,
        body: shapes.MoveCommand,
        idempotency_key: Key = None,
        if_match: Match = None,
    ) -> Json:
        """Move a record on one axis, if the machine, the rules and the gates allow it."""
        workflow = self.app.workflow(kind)
        answer = self.perform_move(request, kind, id, body, idempotency_key, if_match)
        return answer_json(workflow, axis_of(workflow, body.axis).name, body.scope, answer)

    def perform_move(
        self,
        request: Request,
        kind: str,
        id: str,
        body: shapes.MoveCommand,
        idempotency_key: str | None,
        if_match: str | None,
    ) -> words.Answer:
        """What comes of a move by whoever asks, at the version that was seen; another one in If-Match is a failed precondition."""
        workflow = self.app.workflow(kind)
        axis = axis_of(workflow, body.axis)
        key, who = id_from(self.app, workflow, id), who_asks(request)
        version = self.version(workflow, axis, body, if_match)
        arguments: dict[str, Any] = {
            "actor": who.actor,
            "role": role_of(who, body.role),
            "reason": body.reason,
            "version": version,
            "scope": body.scope,
            "facts": body.facts,
            "key": idempotency_key,
            "override": body.override,
            axis.name: body.to,
        }
        try:
            return self.app.move(workflow, key, **arguments)
        except ConcurrentModificationError as error:
            if if_match is None:
                raise
            raise PreconditionFailed(error) from error

    def driven_of(self, answer: words.Answer) -> list[dict[str, Any]]:
        """The moves that rules made, as the API has them."""
        return [entry(move) for move in answer.driven]

    def retry(
        self, request: Request, kind: str, id: str, body: shapes.ActCommand, idempotency_key: Key = None
    ) -> Json:
        """Send a failed record back to where the failed stage began."""
        workflow = self.app.workflow(kind)
        key, who = id_from(self.app, workflow, id), who_asks(request)
        role = role_of(who, body.role)
        answer = self.once(
            who,
            idempotency_key,
            [kind, str(key), "retry", body.model_dump()],
            key,
            lambda tx: self.app.retry(
                workflow, key, actor=who.actor, role=role, reason=body.reason, scope=body.scope, tx=tx
            ),
        )
        return answer_json(workflow, None, body.scope, answer)

    def amend(
        self, request: Request, kind: str, id: str, body: shapes.AmendCommand, idempotency_key: Key = None
    ) -> Json:
        """Change facts where the record stands; its version steps, so gates must pass anew."""
        workflow = self.app.workflow(kind)
        key, who = id_from(self.app, workflow, id), who_asks(request)
        role = role_of(who, body.role)
        answer = self.once(
            who,
            idempotency_key,
            [kind, str(key), "amend", body.model_dump()],
            key,
            lambda tx: self.app.amend(
                workflow,
                key,
                facts=body.facts,
                actor=who.actor,
                role=role,
                reason=body.reason,
                axis=body.axis,
                version=body.version,
                tx=tx,
            ),
        )
        return answer_json(workflow, None, None, answer)

    def cancel(
        self, request: Request, kind: str, id: str, body: shapes.ResetCommand, idempotency_key: Key = None
    ) -> Json:
        """End what runs or waits; what has already reported is finished, and answers a conflict."""
        workflow = self.app.workflow(kind)
        axis = None if body.axis is None else workflow.axis(body.axis).name
        key, who = id_from(self.app, workflow, id), who_asks(request)
        answer = self.app.cancel(
            workflow,
            key,
            actor=who.actor,
            role=role_of(who, body.role),
            reason=body.reason,
            scope=body.scope,
            axis=axis,
            key=idempotency_key,
        )
        return answer_json(workflow, axis, body.scope, answer)

    def erase(
        self, request: Request, kind: str, id: str, body: shapes.EraseCommand, idempotency_key: Key = None
    ) -> Json:
        """Remove a record and its personal detail; its history closes with an entry and still verifies."""
        workflow = self.app.workflow(kind)
        key, who = id_from(self.app, workflow, id), who_asks(request)
        answer = self.app.erase(
            workflow,
            key,
            actor=who.actor,
            role=role_of(who, body.role),
            reason=body.reason,
            key=idempotency_key,
        )
        return Json(
            {
                "kind": workflow.name,
                "id": answer.id,
                "outcome": answer.outcome,
                "old_status": answer.old,
                "version": answer.version,
            }
        )

    def reset(
        self, request: Request, kind: str, id: str, body: shapes.ResetCommand, idempotency_key: Key = None
    ) -> Json:
        """Send a record back to where its machine begins, by a move that the machine has; it takes a role and a reason."""
        workflow = self.app.workflow(kind)
        axis = axis_of(workflow, body.axis)
        key, who = id_from(self.app, workflow, id), who_asks(request)
        arguments: dict[str, Any] = {
            "actor": who.actor,
            "role": role_of(who, body.role),
            "reason": body.reason,
            "scope": body.scope,
            "key": idempotency_key,
            axis.name: axis.machine.initial,
        }
        return answer_json(workflow, axis.name, body.scope, self.app.move(workflow, key, **arguments))

    def once(
        self, who: Identity, key: str | None, payload: Any, id: Any, act: Callable[[Any], words.Answer]
    ) -> words.Answer:
        return act(None) if key is None else keyed(self.app, who.actor, key, payload, id, act)

    def version(
        self, workflow: Workflow, axis: Axis, body: shapes.MoveCommand, match: str | None
    ) -> int | None:
        """The version the caller saw: in the body, or in If-Match, as a number or as the record's whole ETag."""
        if match is None or match == "*":
            return body.version
        written = match.strip('"').split(".")
        every = [(one.name, scope) for one in workflow.axes.values() for scope in one.scopes or (None,)]
        if len(written) > 1 and len(written) != len(every):
            raise BadInput(
                f"If-Match has {len(written)} versions; a record of {workflow.name} has {len(every)}"
            )
        wanted = (axis.name, body.scope)
        chosen = written[0] if len(written) == 1 else written[every.index(wanted)] if wanted in every else ""
        if not chosen.isdigit() or len(chosen) > 9:
            raise BadInput(f"If-Match has no version of {axis.name}")
        if body.version is not None and body.version != int(chosen):
            raise BadInput("the version in the body is another than in If-Match")
        return int(chosen)


def axis_of(workflow: Workflow, named: str | None) -> Axis:
    if named is None and len(workflow.axes) > 1:
        raise BadInput(
            f"{workflow.name} has several axes: say which of {', '.join(workflow.axes)}",
            hint=f'Such as "axis": "{next(iter(workflow.axes))}".',
        )
    return workflow.axis(named or next(iter(workflow.axes)))


def role_of(who: Identity, named: str | None) -> str:
    """People act in their own role; an admin may act in any."""
    if named is not None and named != who.role and who.scope != "admin":
        raise NotAuthorized(f"{who.actor} acts in the role {who.role}, not {named}", role=who.role)
    return named or who.role


def answer_json(workflow: Workflow, axis: str | None, scope: str | None, answer: words.Answer) -> Json:
    """What came of it, or the error that it ended with."""
    if answer.error is not None:
        raise answer.error
    driven = [entry(move) for move in answer.driven]
    return Json(
        {
            "kind": workflow.name,
            "id": answer.id,
            "outcome": answer.outcome,
            "axis": axis,
            "scope": scope,
            "old_status": answer.old,
            "new_status": answer.new,
            "version": answer.version,
            "driven": driven,
        },
        headers={} if answer.version is None else {"ETag": f'"{answer.version}"'},
    )
