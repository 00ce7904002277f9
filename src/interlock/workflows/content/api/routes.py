"""The routes of the content workflow, each with the least scope that reaches it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Query
from starlette.requests import Request

from interlock import Answer, App, Workflow
from interlock.errors import GateRejected, UnknownRecord
from interlock.http import (
    API,
    Json,
    Limits,
    Route,
    Shape,
    bad_cursor,
    caller_of,
    decode_cursor,
    encode_cursor,
    record_id,
    role_for,
)

from .. import acts, promotion, reading
from ..lifecycle import KIND
from . import shapes

TAG = "content"
ALL, ONE = f"{API}/content", f"{API}/content/{{id}}"
ONE_STEP, WITHOUT_NOTES = shapes.Promotion(), shapes.Approval()
"""What a request without a body asks for."""
Limit = Annotated[int, Query(ge=1, le=500)]
Cursor = Annotated[str | None, Query(min_length=1, max_length=1000, description="`next` of the page before.")]
Filter = Annotated[str | None, Query(min_length=1, max_length=64, pattern=r"^[^\x00]*$")]


def routes(app: App, workflow: Workflow, limits: Limits) -> list[Route]:
    """Everything under /content; routes with a fixed name come before those with an id."""
    content = Content(app, workflow, limits)
    table: list[tuple[str, str, Callable[..., Any], type[Shape], str, int]] = [
        ("POST", ALL, content.submit, shapes.Result, "curator", 201),
        ("GET", ALL, content.list, shapes.ItemPage, "viewer", 200),
        ("GET", f"{ALL}/review-queue", content.review_queue, shapes.ReviewQueue, "viewer", 200),
        ("GET", f"{ALL}/approval-stats", content.approval_stats, shapes.ApprovalStats, "viewer", 200),
        (
            "GET",
            f"{ALL}/promotion-failures",
            content.promotion_failures,
            shapes.PromotionFailures,
            "viewer",
            200,
        ),
        ("GET", ONE, content.show, shapes.ItemAnswer, "viewer", 200),
        ("PATCH", ONE, content.amend, shapes.Result, "curator", 200),
        ("GET", f"{ONE}/history", content.history, shapes.History, "viewer", 200),
        (
            "GET",
            f"{ONE}/active-replacement",
            content.active_replacement,
            shapes.ActiveReplacement,
            "viewer",
            200,
        ),
        ("POST", f"{ONE}/promote", content.promote, shapes.Result, "curator", 200),
        ("POST", f"{ONE}/approve", content.approve, shapes.Result, "operator", 200),
        ("POST", f"{ONE}/reject", content.reject, shapes.Result, "operator", 200),
        ("POST", f"{ONE}/deprecate", content.deprecate, shapes.Result, "operator", 200),
        ("POST", f"{ONE}/supersede", content.supersede, shapes.Result, "operator", 200),
        ("POST", f"{ONE}/erase", content.erase, shapes.Result, "admin", 200),
    ]
    also: dict[tuple[str, str], dict[int, type[Shape]]] = {
        ("POST", ALL): {200: shapes.Result},
        ("POST", f"{ONE}/promote"): {202: shapes.Result},
    }
    return [
        Route(
            method,
            path,
            endpoint,
            shape,
            TAG,
            status,
            least=least,
            problems=("422",) if method == "GET" else ("403", "409", "422"),
            also=also.get((method, path), {}),
        )
        for method, path, endpoint, shape, least, status in table
    ]


class Content:
    """What may be asked of content, and done with it."""

    def __init__(self, app: App, workflow: Workflow, limits: Limits) -> None:
        self.app, self.workflow, self.most = app, workflow, limits.page

    def id(self, text: str) -> str:
        return str(record_id(self.app, self.workflow, text))

    def submit(self, request: Request, item: shapes.Submission) -> Json:
        """Make a draft of the caller's; 200 where there is an item of this id, which stays as it is."""
        values = item.model_dump()
        values["item_type"] = values.pop("type")
        answer = acts.submit(self.app, actor=caller_of(request).actor, **values)
        return Json(result(answer), 201 if answer.outcome == "admitted" else 200)

    def list(
        self,
        state: Filter = None,
        type: Filter = None,
        language: Filter = None,
        include_deprecated: bool = False,
        include_rejected: bool = False,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Json:
        """A page of items, by state, type and language; deprecated and rejected ones where they are asked for."""
        page = reading.list_items(
            self.app,
            state=state,
            item_type=type,
            language=language,
            include_deprecated=include_deprecated,
            include_rejected=include_rejected,
            after=read_cursor(cursor),
            limit=min(limit, self.most),
        )
        return Json({"items": page.rows, "next": following(page)})

    def review_queue(self, limit: Limit = 50, cursor: Cursor = None) -> Json:
        """Validated items that wait for a decision, each with the reasons why a person must make it."""
        page = reading.review_queue(self.app, after=read_cursor(cursor), limit=min(limit, self.most))
        return Json({"items": page.rows, "next": following(page)})

    def promotion_failures(self, limit: Limit = 50, cursor: Cursor = None) -> Json:
        """Items that a batch could not promote in three tries, and candidates that gates have refused; they stay where they are."""
        rows, has_more = promotion.list_failures(
            self.app, after=read_cursor(cursor), limit=min(limit, self.most)
        )
        return Json({"items": rows, "next": encode_cursor(rows[-1]["item_id"]) if has_more else None})

    def approval_stats(self) -> Json:
        """How many items of each type were approved, manually and automatically."""
        return Json({"approvals": reading.approval_stats(self.app)})

    def show(self, id: str) -> Json:
        """One item: where it is, its payload, and what gates and people decided about it."""
        return Json(acts.read_item(self.app, self.id(id)))

    def history(self, id: str) -> Json:
        """Every transition of an item, also of one that was erased."""
        history = reading.read_history(self.app, self.id(id))
        if not history:
            raise UnknownRecord(KIND, id)
        return Json({"item_id": id, "history": history})

    def active_replacement(self, id: str) -> Json:
        """The active item that replaces this one, the item itself where it is active, or null."""
        return Json({"item_id": id, "active_replacement": acts.active_replacement(self.app, self.id(id))})

    def amend(self, request: Request, id: str, change: shapes.Amendment) -> Json:
        """Replace the payload before approval; afterwards it is refused, and the attempt is logged."""
        who = caller_of(request)
        return Json(result(acts.amend_payload(self.app, self.id(id), actor=who.actor, **change.model_dump())))

    def promote(self, request: Request, id: str, step: shapes.Promotion = ONE_STEP) -> Json:
        """Take an item one step further. A candidate's gates run later (202); where they have refused this content already, the answer is a
        conflict with their verdicts."""
        item = self.app.get(KIND, self.id(id))
        if (
            item["state"] == "CANDIDATE"
            and item["error_code"]
            and item["validation_wanted"]
            and not step.again
        ):
            raise refused_by_gates(self.app, item["item_id"])
        answer = acts.promote(self.app, item["item_id"], actor=caller_of(request).actor, version=step.version)
        return Json(result(answer), 202 if item["state"] == "CANDIDATE" else 200)

    def approve(self, request: Request, id: str, approval: shapes.Approval = WITHOUT_NOTES) -> Json:
        """Approve a validated item that the caller has neither written nor edited."""
        return Json(result(acts.approve(self.app, self.id(id), **by(request), **approval.model_dump())))

    def reject(self, request: Request, id: str, rejection: shapes.Rejection) -> Json:
        """Reject a validated item for good, and its content under any other id."""
        return Json(result(acts.reject(self.app, self.id(id), **by(request), reason=rejection.reason)))

    def deprecate(self, request: Request, id: str, deprecation: shapes.Deprecation) -> Json:
        """Deprecate an approved item."""
        return Json(result(acts.deprecate(self.app, self.id(id), **by(request), **deprecation.model_dump())))

    def supersede(self, request: Request, id: str, step: shapes.Supersession) -> Json:
        """Deprecate an item in favour of another, which is approved in the same act where it is validated."""
        return Json(result(acts.supersede(self.app, self.id(id), **by(request), **step.model_dump())))

    def erase(self, request: Request, id: str, erasure: shapes.Erasure) -> Json:
        """Erase an item from every table; its history closes with a permanent entry."""
        return Json(result(acts.erase(self.app, self.id(id), **by(request), **erasure.model_dump())))


def by(request: Request) -> dict[str, Any]:
    """Who acts, and in which role."""
    who = caller_of(request)
    return {"actor": who.actor, "role": role_for(who, None)}


def result(answer: Answer) -> dict[str, Any]:
    """What came of an act."""
    return {
        "item_id": answer.id,
        "outcome": answer.outcome,
        "from_state": answer.old,
        "to_state": answer.new,
        "version": answer.version,
    }


def refused_by_gates(app: App, item_id: str) -> GateRejected:
    """The conflict with the newest verdicts on an item."""
    verdicts = app.verdicts(KIND, item_id)
    newest = max((one.version for one in verdicts), default=0)
    return GateRejected(
        f"gates have refused {item_id}; amend it, or promote it again",
        verdicts=[
            {"gate": one.gate, "passed": one.passed, "reason": one.reason, "details": one.details}
            for one in verdicts
            if one.version == newest
        ],
    )


def following(page: reading.ItemPage) -> str | None:
    return encode_cursor(page.rows[-1]["item_id"]) if page.has_more else None


def read_cursor(cursor: str | None) -> str | None:
    """The id behind which a page begins."""
    if cursor is None:
        return None
    id = decode_cursor(cursor)
    if not isinstance(id, str) or "\x00" in id:
        raise bad_cursor(cursor)
    return id
