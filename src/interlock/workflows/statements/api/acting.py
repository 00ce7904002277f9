"""What is done to an upload (retry, reparse, decide, erase), once per Idempotency-Key and only at the version in If-Match; decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Path, Query
from starlette.requests import Request

from interlock import Answer, App, Workflow
from interlock.errors import BadInput, ConcurrentModificationError, UnknownRecord
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

from ..doubt.decisions import Decisions
from ..doubt.fixing import Fixes
from ..doubt.interpretation import PARTS, Decision
from ..uploads.acting import Acts
from ..uploads.left_files import delete_left_files
from ..uploads.reading import Uploads
from ..uploads.storing import keep_reply, kept_reply
from . import schemas

Why = Annotated[str, Query(min_length=1, max_length=4000, description="Why; kept in the ledger.")]
DecisionKey = Annotated[str, Path(min_length=6, max_length=64, examples=["3f0c9a"])]
NO_REASON = "asked for over HTTP without a reason"


class Acting:
    """What may be done to uploads."""

    def __init__(self, app: App, workflow: Workflow) -> None:
        self.app, self.workflow = app, workflow
        self.acts, self.uploads = Acts(app, workflow), Uploads(app, workflow)
        self.fixes, self.kept = Fixes(app, workflow), Decisions(app, workflow)

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
        self,
        request: Request,
        id: str,
        body: schemas.EraseCommand,
        idempotency_key: IdempotencyKey = None,
        if_match: IfMatch = None,
    ) -> Json:
        """Remove an upload with its rows, transactions, logs and file; its history closes with an entry and still verifies."""
        upload_id = record_id(self.app, self.workflow, id)
        answer = self._done_once(
            "erase", self.acts.erase, request, upload_id, body, idempotency_key, if_match
        )
        delete_left_files(self.app)
        return Json({"upload_id": upload_id, "outcome": answer.outcome, "version": answer.version})

    def readings(self, id: str) -> Json:
        """Every way in which the rows of an upload can be read, with the closing balance that each leads to."""
        return Json(self.fixes.readings(record_id(self.app, self.workflow, id)))

    def interpret(
        self,
        request: Request,
        id: str,
        body: schemas.Interpretation,
        idempotency_key: IdempotencyKey = None,
        if_match: IfMatch = None,
    ) -> Json:
        """Decide how files of this bank and layout are read. Without `apply` only what would change is answered; with it the decision is
        kept for the next files, and this upload (with `earlier` also the others that it changes, whenever they came) is parsed again, once
        per Idempotency-Key. Signs are decided about the rows as they are shown: send the version that was seen as If-Match."""
        who, upload_id = caller_of(request), record_id(self.app, self.workflow, id)
        decision = decision_in(body)
        if not body.apply:
            return Json(self.fixes.preview(upload_id, decision))
        version = version_in(if_match)

        def once(tx: Any) -> Answer:
            reply = self.fixes.apply_in(
                tx,
                upload_id,
                decision,
                actor=who.actor,
                role=role_for(who, None),
                reason=body.reason or NO_REASON,
                earlier=body.earlier,
                version=version,
            )
            replies.append(reply)
            if idempotency_key is not None:
                keep_reply(tx, who.actor, idempotency_key, upload_id, reply, self.app.clock.now())
            return Answer(upload_id, "moved")

        replies: list[dict[str, Any]] = []
        self._once(
            who.actor, idempotency_key, ["interpret", upload_id, body.model_dump()], upload_id, version, once
        )
        if not replies and idempotency_key is not None:
            with self.app.database.read() as tx:
                replies += [reply for reply in [kept_reply(tx, who.actor, idempotency_key)] if reply]
        if not replies:
            raise UnknownRecord(self.workflow.name, upload_id)
        return Json(replies[0])

    def decisions(self) -> Json:
        """Every decision about how files are read, the latest first."""
        return Json({"decisions": self.kept.all()})

    def withdraw(self, request: Request, key: DecisionKey, reason: Why) -> Json:
        """Let a decision hold no longer for the next files; the uploads that were read by it are answered, and stay as they are."""
        who = caller_of(request)
        return Json(self.kept.withdraw(key, actor=who.actor, role=role_for(who, None), reason=reason))

    def _once(
        self,
        actor: str,
        key: str | None,
        payload: list[Any],
        upload_id: str,
        version: int | None,
        act: Callable[[Any], Answer],
    ) -> Answer:
        """Do it in one transaction, and under a key only once; another version than the one in If-Match answers 412."""
        try:
            if key is None:
                with self.app.database.write() as tx:
                    return act(tx)
            answer = perform_once(self.app, actor, key, payload, upload_id, act)
            if answer.error is not None:
                raise answer.error
            return answer
        except ConcurrentModificationError as error:
            if version is None:
                raise
            raise PreconditionFailed(error) from error

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
        upload_id = record_id(self.app, self.workflow, id)
        self._done_once(name, act, request, upload_id, body, key, if_match)
        shown = self.uploads.upload(upload_id)
        return Json(shown, headers={"ETag": f'"{shown["version"]}"'})

    def _done_once(
        self,
        name: str,
        act: Any,
        request: Request,
        upload_id: Any,
        body: schemas.RetryCommand | schemas.EraseCommand | None,
        key: str | None,
        if_match: str | None,
    ) -> Answer:
        """The answer of an act that is done once per key, and only at the version that the caller saw."""
        who = caller_of(request)
        reason, version = (body and body.reason) or NO_REASON, version_in(if_match)

        def once(tx: Any) -> Answer:
            answer: Answer = act(
                upload_id, actor=who.actor, role=role_for(who, None), reason=reason, version=version, tx=tx
            )
            return answer

        return self._once(who.actor, key, [name, upload_id, reason], upload_id, version, once)


def decision_in(body: schemas.Interpretation) -> Decision:
    """What the body decides."""
    return Decision(**{part: getattr(body, part) for part in PARTS})


def version_in(if_match: str | None) -> int | None:
    """The version that the caller saw; `*` is any."""
    if if_match is None or if_match == "*":
        return None
    text = if_match.strip('"')
    if not text.isdigit() or len(text) > 9:
        raise BadInput(
            f"If-Match has no version of an upload: {if_match}",
            hint='Send the ETag of the upload as it came, with its quotes, as "3"; or *.',
        )
    return int(text)
