"""The shapes of requests and answers about stages."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from .shape import Name, Reason, Shape


class StageState(Shape):
    """One stage, in one of its scopes: where it waits and runs, and whether it is dispatched."""

    kind: str
    stage: str
    scope: str | None
    waiting: list[str | None]
    running: str | None
    paused: bool
    until: datetime | None
    reason: str | None
    actor: str | None


class StageStates(Shape):
    """Every stage of every kind."""

    stages: list[StageState]


class PauseCommand(BaseModel):
    """Dispatch no more of it: for so long, or until it is resumed; in one scope, or in all."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"example": {"reason": "the bank changed its layout", "length": "1h"}},
    )
    reason: Reason
    length: str | None = Field(None, pattern=r"^[0-9]{1,5}(s|m|h|d|w)$")
    scope: Name | None = None


class ResumeCommand(BaseModel):
    """Dispatch it again; in one scope, or in all."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"example": {"scope": None}})
    scope: Name | None = None


class Paused(Shape):
    """What came of it; `ended` is how many pauses a resume has ended."""

    kind: str
    stage: str
    scope: str | None
    paused: bool
    until: datetime | None
    ended: int
