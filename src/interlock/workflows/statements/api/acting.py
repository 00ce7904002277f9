"""POST: retry, reparse and erase an upload, once per Idempotency-Key and only at the version in If-Match."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from interlock import Answer, App, Workflow
from interlock.errors import BadInput, ConcurrentModificationError
from interlock.http import (
    IdempotencyKey,
    IfMatch,
    Json,
    PreconditionFailed,
    caller_of,
    perform_once,
    record_id,
    role_for,
)

from ..doubt.fixing import Fixes
from ..doubt.interpretation import Decision
from ..uploads.acting import Acts
from ..uploads.reading import Uploads
from . import schemas

NO_REASON = "asked for over HTTP without a reason"


class Acting:
    """What may be done to uploads."""

    def __init__(self, app: App, workflow: Workflow) -> None:
        self.app, self.workflow = app, workflow
        self.acts, self.uploads, self.fixes = (
            Acts(app, workflow),
            Uploads(app, workflow),
            Fixes(app, workflow),
        )

    def retry(
        self,
        request: Request,
        id: str,
        body: schemas.RetryCommand | None = None,
        idempotency_key: IdempotencyKey = None,
        if_match: IfMatch = None,
    ) -> Json:
        """Send a failed upload back to where the failed stage began; counted, and refused beyond the maximum or if nothing failed."""
        return self._act("retry", self.acts.retry, request, id, body, idempotency_key, if_match)

    def reparse(
        self,
        request: Request,
        id: str,
        body: schemas.RetryCommand | None = None,
        idempotency_key: IdempotencyKey = None,
        if_match: IfMatch = None,
    ) -> Json:
        """Parse the file of an upload again with the parser of today; equal rows keep their ids."""
        return self._act("reparse", self.acts.reparse, request, id, body, idempotency_key, if_match)

    def erase(
        self, request: Request, id: str, body: schemas.RetryCommand, idempotency_key: IdempotencyKey = None
    ) -> Json:
        """Remove an upload with its rows, transactions, logs and file; its history closes with an entry and still verifies."""
        who, upload_id = caller_of(request), record_id(self.app, self.workflow, id)
        answer = self.acts.erase(
            upload_id, actor=who.actor, role=role_for(who, None), reason=body.reason, key=idempotency_key
        )
        return Json({"upload_id": upload_id, "outcome": answer.outcome, "version": answer.version})

    def readings(self, id: str) -> Json:
        """Every way in which the rows of an upload can be read, with the closing balance that each leads to."""
        return Json(self.fixes.readings(record_id(self.app, self.workflow, id)))

    def interpret(
        self, request: Request, id: str, body: schemas.Interpretation, if_match: IfMatch = None
    ) -> Json:
        """Decide how files of this bank and layout are read. Without `apply` only what would change is answered; with it the decision is
        kept for the next files, and this upload (with `earlier` also the earlier ones) is parsed again."""
        who, upload_id = caller_of(request), record_id(self.app, self.workflow, id)
        decision = Decision(
            body.signs, body.currency, body.account, body.date_order, body.decimal, body.columns
        )
        if not body.apply:
            return Json(self.fixes.preview(upload_id, decision))
        version = version_in(if_match)
        try:
            answer = self.fixes.apply(
                upload_id,
                decision,
                actor=who.actor,
                role=role_for(who, None),
                reason=body.reason or NO_REASON,
                earlier=body.earlier,
                version=version,
            )
        except ConcurrentModificationError as error:
            if version is None:
                raise
            raise PreconditionFailed(error) from error
        return Json(answer)

    def _act(
        self,
        name: str,
        act: Any,
        request: Request,
        id: str,
        body: schemas.RetryCommand | None,
        key: str | None,
        if_match: str | None,
    ) -> Json:
        who, upload_id = caller_of(request), record_id(self.app, self.workflow, id)
        reason, version = body.reason if body else NO_REASON, version_in(if_match)

        def once(tx: Any) -> Answer:
            answer: Answer = act(
                upload_id, actor=who.actor, role=role_for(who, None), reason=reason, version=version, tx=tx
            )
            return answer

        try:
            answer = (
                once(None)
                if key is None
                else perform_once(self.app, who.actor, key, [name, upload_id, reason], upload_id, once)
            )
            if answer.error is not None:
                raise answer.error
        except ConcurrentModificationError as error:
            if version is None:
                raise
            raise PreconditionFailed(error) from error
        shown = self.uploads.upload(upload_id)
        return Json(shown, headers={"ETag": f'"{shown["version"]}"'})


def version_in(if_match: str | None) -> int | None:
    """The version that the caller saw; `*` is any."""
    if if_match is None or if_match == "*":
        return None
    text = if_match.strip('"')
    if not text.isdigit() or len(text) > 9:
        raise BadInput(f"If-Match has no version of an upload: {if_match}")
    return int(text)
