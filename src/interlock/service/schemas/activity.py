"""The shapes of what happens now: flow, ages, patterns, what runners hold, what is tried again, what was refused."""

from __future__ import annotations

from datetime import datetime

from .shape import Shape


class EdgeFlow(Shape):
    """Moves along one edge within the window; a record's first entry has no `old`, a closing one no `new`."""

    kind: str
    axis: str
    scope: str | None
    old: str | None
    new: str | None
    moves: int
    first: bool
    closed: bool


class StateAge(Shape):
    """For how many seconds the records that wait or run in a state have been there."""

    kind: str
    axis: str
    scope: str | None
    state: str | None
    p50: float
    p95: float
    oldest: float


class StuckStage(Shape):
    """Attempts of a stage that should have ended."""

    kind: str
    stage: str
    why: str
    attempts: int


class RetryingState(Shape):
    """Records in a failed state that are tried again without anybody."""

    kind: str
    axis: str
    scope: str | None
    state: str | None
    records: int


class NeedCount(Shape):
    """Records that need a person for a reason that their workflow declares."""

    kind: str
    records: int
    what: str
    fact: str
    page: str
    sign: str


class MovesThen(Shape):
    """Entries within ten minutes or one, and how many of them led into a failed state."""

    at: datetime
    moves: int
    failures: int


class Activity(Shape):
    """What happens now, or happened in a window that ended in the past."""

    at: datetime
    window: float
    flows: list[EdgeFlow]
    ages: list[StateAge]
    stuck: list[StuckStage]
    moves: list[MovesThen]
    is_whole: bool
    retrying: list[RetryingState]
    needs: list[NeedCount]
    minutes: list[MovesThen]


class ScopeState(Shape):
    """Where records are in one scope."""

    scope: str
    present: bool
    state: str | None


class Pattern(Shape):
    """Records that are in the same states in every scope of an axis."""

    kind: str
    axis: str
    places: list[ScopeState]
    records: int


class Patterns(Shape):
    """Combinations of states over the scopes of an axis."""

    patterns: list[Pattern]


class HeldAttempt(Shape):
    """An attempt that a runner claimed and has not reported."""

    kind: str
    id: str | int
    axis: str
    scope: str | None
    stage: str
    attempt: int
    runner: str
    claimed_at: datetime
    beat_at: datetime | None
    lease_until: datetime


class RefusedEvent(Shape):
    """A command or report that was not applied."""

    kind: str
    id: str
    axis: str
    scope: str | None
    actor: str
    source: str
    wanted: str | None
    verdict: str
    code: str
    message: str
    at: datetime


class DueRetry(Shape):
    """Records of one error that have a date for their next try."""

    kind: str
    axis: str
    scope: str | None
    code: str
    records: int
    first: datetime


class ErrorHours(Shape):
    """Records that carry an error code now, and how many of them came to carry it in each of the last 24 hours, oldest hour first."""

    kind: str
    axis: str
    scope: str | None
    code: str
    records: int
    hours: list[int]


class Working(Shape):
    """What runners hold, longest first, what is tried again and when, and the newest refusals.

    `due` has a number for each of the next 60 minutes: the records whose next try falls into it; what is overdue is in the first.
    `errors` has every code that a record carries, the most frequent first.
    """

    held: list[HeldAttempt]
    retries: list[DueRetry]
    refused: list[RefusedEvent]
    due: list[int]
    errors: list[ErrorHours]
