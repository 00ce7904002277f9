"""The shapes of requests and answers about content, as the OpenAPI document has them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from interlock.http import Reason, Shape

Id = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=4000, pattern=r"^[^\x00]*$")]


class Command(BaseModel):
    """A request; what it does not know is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Submission(Command):
    """A draft. `confidence` is how sure its source is, from 0 to 1; `replaces` names the item that it corrects."""

    type: Text
    language: Text
    level: Text
    payload: dict[str, Any]
    item_id: Id | None = None
    source: Text | None = None
    confidence: float | None = Field(None, ge=0, le=1)
    replaces: Id | None = None


class Amendment(Command):
    """A payload that replaces the one before."""

    payload: dict[str, Any]
    reason: Reason
    version: int | None = None


class Promotion(Command):
    """`version` is the one that the caller saw; `again` has gates run that have refused this content before."""

    version: int | None = None
    again: bool = False


class Approval(Command):
    """An approval, with what the operator notes about it."""

    notes: Text | None = None
    version: int | None = None


class Rejection(Command):
    """A rejection; its reason has 10 to 500 characters."""

    reason: Reason


class Deprecation(Command):
    """A deprecation, with the item that replaces this one if there is one."""

    reason: Reason
    replacement_id: Id | None = None


class Supersession(Command):
    """The item that replaces this one: approved, or validated and approved by this act."""

    replacement_id: Id
    reason: Reason


class Erasure(Command):
    """An erasure; with `despite_dependents` items that depend on this one stay behind."""

    reason: Reason
    despite_dependents: bool = False


State = Literal["DRAFT", "CANDIDATE", "VALIDATED", "APPROVED"]
Standing = Literal["active", "deprecated", "rejected"]
Axis = Literal["state", "standing"]


class Result(Shape):
    """What came of an act: the states are those of the axis that it moved."""

    item_id: str
    outcome: str
    from_state: str | None
    to_state: str | None
    version: int | None


class ListedItem(Shape):
    """An item as lists have it."""

    item_id: str
    item_type: str
    language: str
    level: str
    state: State
    standing: Standing
    version: int
    author: str
    confidence: float | None
    error_code: str | None
    deprecated_at: datetime | None
    superseded_by_id: str | None


class ItemPage(Shape):
    """A page of items; `next` is the cursor of the page after it."""

    items: list[ListedItem]
    next: str | None


class QueuedItem(ListedItem):
    """A validated item; `review` has the reasons why a person must decide about it."""

    review: list[str]


class ReviewQueue(Shape):
    """A page of validated items that wait for a decision."""

    items: list[QueuedItem]
    next: str | None


class PromotionFailure(Shape):
    """An item that was not promoted. `tries` are those of a batch; null where gates refused it."""

    item_id: str
    item_type: str
    state: State
    version: int
    tries: int | None
    error_code: str | None
    error_message: str | None


class PromotionFailures(Shape):
    """A page of items that could not be promoted."""

    items: list[PromotionFailure]
    next: str | None


class ApprovalCount(Shape):
    """How many items of a type were approved in one manner."""

    item_type: str
    approval_type: Literal["MANUAL", "AUTOMATIC"]
    count: int


class ApprovalStats(Shape):
    """Approvals by type and manner."""

    approvals: list[ApprovalCount]


class GateAnswer(Shape):
    """What one gate answered: the `number` of its try, and the version that it judged."""

    gate: str
    passed: bool
    reason: str | None
    details: dict[str, Any]
    duration_ms: int | None
    number: int
    version: int
    at: datetime


class ApprovalEvent(Shape):
    """The event of an approval; automatic ones have no operator."""

    item_id: str
    item_type: str
    approval_type: Literal["MANUAL", "AUTOMATIC"]
    operator_id: str | None
    notes: str | None
    created_at: datetime


class RejectionEvent(Shape):
    """A rejection, with the hash of the content that does not come back."""

    item_id: str
    item_type: str
    content_hash: str
    reason: str
    operator_id: str
    created_at: datetime


class ItemAnswer(ListedItem):
    """Everything known of one item: its payload in its present state, and what gates and people decided about it."""

    source: str | None
    replaces: str | None
    error_message: str | None
    payload: dict[str, Any]
    verdicts: list[GateAnswer]
    approval: ApprovalEvent | None
    rejection: RejectionEvent | None


class Transition(Shape):
    """One entry of an item's history; admissions come from no state, erasures go to none."""

    axis: Axis
    from_state: str | None
    to_state: str | None
    version: int
    origin: str
    actor: str
    role: str | None
    reason: str | None
    at: datetime


class History(Shape):
    """Every entry of an item's history, the oldest first."""

    item_id: str
    history: list[Transition]


class ActiveReplacement(Shape):
    """The active item at the end of an item's replacements; null where there is none."""

    item_id: str
    active_replacement: str | None
