"""The shapes of bulk operations: what is asked, what would come of it, and how far it has come."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from .shape import AT, Id, Name, Reason, Shape

Age = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,5}(s|m|h|d|w)$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Act = Literal["move", "retry", "cancel", "undo"]
Outcome = Literal["moved", "unchanged", "refused", "conflict", "unknown"]
Status = Literal["planned", "running", "paused", "finished", "undoing", "undone"]


class OperationFilter(BaseModel):
    """Which records: as lists of records are narrowed. An empty one means every record of the kind."""

    model_config = ConfigDict(extra="forbid", strict=True)
    where: list[Text] = Field(default=[], max_length=100)
    axis: Name | None = None
    scope: Name | None = None
    error: Text | None = None
    older: Age | None = None
    younger: Age | None = None
    text: Text | None = None


class OperationCommand(BaseModel):
    """One act on many records: on these ids, or on whatever the filter finds now. With `preview`, only say what would come of it."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "example": {
                "kind": "statements",
                "act": "retry",
                "filter": {"where": ["status=error"], "error": "TIMEOUT"},
                "reason": "the bank answers again",
                "ramp": 10,
            }
        },
    )
    kind: Name
    act: Literal["move", "retry", "cancel"] = "move"
    axis: Name | None = None
    to: Name | None = None
    scope: Name | None = None
    ids: list[Id] | None = Field(None, max_length=100_000)
    filter: OperationFilter | None = None
    reason: Reason
    role: Name | None = None
    facts: dict[str, Any] = {}
    ramp: int | None = Field(None, ge=1, le=2**31 - 1)
    preview: bool = False


class UndoCommand(BaseModel):
    """Bring back what an operation moved. With `preview`, only say what would come of it."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"example": {"reason": "it was the wrong filter"}}
    )
    reason: Reason
    role: Name | None = None
    preview: bool = False


class Refusal(Shape):
    """Records that did not move, or would not, for one reason."""

    outcome: Outcome
    code: str
    message: str
    records: int
    examples: list[str]


class ForeseenMove(Shape):
    """A move that so many records would make; one that a rule drives is marked."""

    axis: str
    from_: str | None = Field(alias="from")
    to: str | None
    records: int
    driven: bool


class DrivenMoves(Shape):
    """Moves that rules made beside those that were asked for, and of how many records."""

    axis: str
    scope: str | None
    from_: str | None = Field(alias="from")
    to: str | None
    records: int


class OperationPreview(Shape):
    """What would come of it, counted exactly."""

    kind: str
    act: Act
    axis: str
    scope: str | None
    to: str | None
    records: int
    outcomes: dict[Outcome, int]
    refusals: list[Refusal]
    moves: list[ForeseenMove]


class Operation(Shape):
    """An operation: its scope is frozen; `done` of its `records` have been answered."""

    id: str
    kind: str
    act: Act
    axis: str
    scope: str | None
    to: str | None
    wanted: dict[str, Any]
    reason: str
    actor: str
    role: str | None
    ramp: int | None
    status: Status
    pausing: bool
    stalled: bool
    records: int
    done: int
    outcomes: dict[Outcome, int]
    refusals: list[Refusal]
    driven: list[DrivenMoves]
    undoes: str | None
    undone_by: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "id": "op_4k7x0m2v9c",
                "kind": "statements",
                "act": "retry",
                "axis": "status",
                "scope": None,
                "to": None,
                "wanted": {"filter": {"states": {"status": ["error"]}, "error": "TIMEOUT"}},
                "reason": "the bank answers again",
                "actor": "ann",
                "role": "operator",
                "ramp": 10,
                "status": "paused",
                "pausing": False,
                "stalled": False,
                "records": 1200,
                "done": 10,
                "outcomes": {"moved": 10, "unchanged": 0, "refused": 0, "conflict": 0, "unknown": 0},
                "refusals": [],
                "driven": [],
                "undoes": None,
                "undone_by": None,
                "created_at": AT,
                "started_at": AT,
                "finished_at": None,
            }
        }
    )


class OperationAnswer(Shape):
    """The operation that was made; or, where only a preview was asked for, what would come of it."""

    operation: Operation | None
    preview: OperationPreview | None


class OperationList(Shape):
    """Operations, the newest first."""

    operations: list[Operation]


class OperationItem(Shape):
    """One record of an operation, and what came of it; null while it waits for its turn."""

    number: int
    id: str
    seen: int | None
    outcome: Outcome | None
    code: str | None
    from_: str | None = Field(alias="from")
    to: str | None
    version: int | None


class OperationItems(Shape):
    """Records of an operation in its order; `next` is the number to go on behind, and null at the end."""

    items: list[OperationItem]
    next: int | None
