"""The shapes of requests and answers about schedules."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from .shape import Reason, Shape


class OneSchedule(Shape):
    """A schedule: when it is due, its newest run, its next tick, and whether it is paused."""

    kind: str
    schedule: str
    when: str
    last_tick: datetime | None
    last_run: datetime | None
    outcome: str | None
    seconds: float | None
    attempt: int
    message: str | None
    next_tick: datetime
    paused: bool
    until: datetime | None
    reason: str | None
    actor: str | None


class EverySchedule(Shape):
    """Every schedule of every kind."""

    schedules: list[OneSchedule]


class OneRun(Shape):
    """One tick of a schedule and what came of it."""

    kind: str
    schedule: str
    tick: datetime
    attempt: int
    coordinator: str | None
    started_at: datetime
    finished_at: datetime | None
    outcome: str
    seconds: float | None
    message: str | None


class ScheduleRuns(Shape):
    """The newest runs of a schedule, newest first."""

    runs: list[OneRun]


class SchedulePause(BaseModel):
    """Run no more ticks of it: for so long, or until it is resumed."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"example": {"reason": "the feeds are being moved", "length": "1h"}},
    )
    reason: Reason
    length: str | None = Field(None, pattern=r"^[0-9]{1,5}(s|m|h|d|w)$")


class ScheduleSwitch(Shape):
    """What came of it; `ended` is how many pauses a resume has ended."""

    kind: str
    schedule: str
    paused: bool
    until: datetime | None
    ended: int
