"""The shapes of requests and answers about adoptions."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from .shape import Name, Reason, Shape


class OneAdoption(Shape):
    """How far the adoption of one axis has come."""

    kind: str
    axis: str
    adoption: str
    phase: str
    number: int
    guard: str
    version: int
    since: datetime
    written: int
    conflicts: int
    left_over: int
    unadopted: int
    finished: bool
    cursor: str | None
    differences: int | None
    compared_at: datetime | None
    clean_since: datetime | None
    last_stray: datetime | None
    open_strays: bool
    paused: bool
    runner: str | None


class EveryAdoption(Shape):
    """Every axis that declares `adopt`."""

    adoptions: list[OneAdoption]


class OneValue(Shape):
    """Rows with one status, and what becomes of them."""

    value: str | None
    rule: str | None
    state: str | None
    rows: int
    why: str | None


class OneDuplicate(Shape):
    """Rows that share one natural key."""

    key: list[str | None]
    ids: list[str]


class AdoptionScan(Shape):
    """What the rows would become, and what stands in the way."""

    kind: str
    axis: str
    adoption: str
    rows: int
    values: list[OneValue]
    unmatched: int
    ambiguous: int
    running: int
    duplicates: list[OneDuplicate]
    missing_columns: list[str]
    longest_transaction: float | None


class OneLeft(Shape):
    """Rows that a backfill would leave as they are, and why."""

    value: str | None
    scope: str
    why: str
    rows: int


class Backfilled(Shape):
    """How far a backfill has come; in a preview also what would be left over, most rows first."""

    written: int
    conflicts: int
    left_over: int
    finished: bool
    cursor: str | None
    left: list[OneLeft]


class OneDisagreement(Shape):
    """A record that is not what it should be."""

    record_id: str
    scope: str
    expected: str | None
    actual: str | None
    as_backfilled: bool


class Compared(Shape):
    """How many rows were compared, and how many differ."""

    compared: int
    differences: int
    as_backfilled: int
    examples: list[OneDisagreement]
    at: datetime


class Followed(Shape):
    """How many rows followed their flags."""

    followed: int


class Dropped(Shape):
    """Columns of former flags that were removed."""

    dropped: list[str]


class Asked(BaseModel):
    """Which axis, where a kind has several that are adopted."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"example": {"axis": "status"}})
    axis: Name | None = None


class BackfillRequest(Asked):
    """Adopt the next chunks. `take_over` ends the lease of whoever carries it out."""

    chunk: int = Field(2_000, ge=1, le=100_000)
    chunks: int = Field(5, ge=1, le=50)
    take_over: bool = False


class CutoverRequest(Asked):
    """Lead an adoption to the next phase, or one back."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"example": {"to": "3", "reason": "the backfill is done"}},
    )
    to: Name
    reason: Reason
    accept_left: bool = False
    no_readers: bool = False
    quiet: str | None = Field(None, pattern=r"^[0-9]{1,5}(s|m|h|d|w)$")
