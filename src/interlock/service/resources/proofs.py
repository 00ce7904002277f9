"""Proof of history over HTTP: seals, the proof of one record, and the past at any instant."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from ... import settings
from ...app import App
from ...errors import BadDeclaration, BadInput
from ...observe.ledger import aware
from ...observe.proofs.past import counted, instant, stood
from ...observe.proofs.proof import text_of
from ...store.ledger.seals.signing import Signer
from ..http.answers import Json
from ..http.guard import PATIENCE, SLASH
from ..schemas.shape import AT
from .ledger import VERIFY_SECONDS, History, Id

Number = Annotated[int, Query(ge=0, le=2**31 - 1)]
At = Annotated[
    str,
    Query(
        max_length=64,
        json_schema_extra={"format": "date-time"},
        examples=[AT],
        description="With a time zone.",
    ),
]
Detail = Annotated[bool, Query(description="With reasons and facts; the chains verify without them.")]


class Proofs:
    """What others need to believe the ledger of an app."""

    def __init__(self, app: App, history: History) -> None:
        self.app, self.history = app, history

    def seals(self, after: Number = 0, limit: Annotated[int, Query(ge=1, le=500)] = 100) -> Json:
        """The seals behind a number, in their order."""
        most = min(limit, self.history.page)
        found = self.app.ledger.seals(after, limit=most)
        return Json(
            {"seals": [one.row() for one in found], "next": found[-1].number if len(found) == most else None}
        )

    def seal(self, request: Request) -> Json:
        """Seal what was committed since the last seal; signed where the service has a key of its own, which nobody sends it."""
        request.scope[PATIENCE] = VERIFY_SECONDS
        return Json({"seals": [made.row() for made in self.app.ledger.sealing(own_key())]})

    def as_of(
        self,
        request: Request,
        at: At,
        kind: str | None = None,
        id: Id = None,
        axis: str | None = None,
        scope: str | None = None,
    ) -> Json:
        """How many records were in each state at an instant, or where one record stood; from the ledger alone."""
        if id is not None and kind is None:
            raise BadInput("an id alone names no record: say its kind too")
        moment = aware(instant(at))
        answer = {"at": moment, "kind": kind, "id": id, "where": None, "counts": None}
        request.scope[PATIENCE] = VERIFY_SECONDS
        workflow = None if kind is None else self.app.workflow(kind)
        if workflow is None or id is None:
            return Json(
                {
                    **answer,
                    "counts": counted(self.app.ledger.counts_as_of(moment, workflow, axis=axis, scope=scope)),
                }
            )
        record = self.history.record(workflow, id)
        return Json(
            {
                **answer,
                "where": stood(self.app.ledger.as_of(workflow, record, moment, axis=axis, scope=scope)),
            }
        )

    def proof(self, request: Request, kind: str, id: str, detail: Detail = True) -> Response:
        """The proof of one record, as `interlock ledger prove` writes it: its entries and each one's path to a seal."""
        request.scope[PATIENCE] = VERIFY_SECONDS
        workflow = self.app.workflow(kind)
        proof = self.app.ledger.prove(
            workflow, self.history.record(workflow, id.replace(SLASH, "/")), detail=detail
        )
        return Response(text_of(proof), media_type="application/json")


def own_key() -> str | None:
    """The file that the service signs with. Where it lies is its own business: whoever asks hears only that it cannot be used."""
    try:
        key = settings.load({}).seal_key
        if key is not None:
            Signer(key)
    except BadInput as error:
        raise BadDeclaration(f"seal_key cannot be used: {error.message}", hint=error.hint) from error
    return key
