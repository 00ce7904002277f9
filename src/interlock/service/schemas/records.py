"""The shapes of requests and answers about records, as the OpenAPI document shows them; only requests are also held against them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from .shape import AT, Id, Name, Reason, Shape


class Place(Shape):
    """Where a record is on one axis."""

    axis: str
    scope: str | None
    state: str | None
    since: datetime | None
    version: int | None
    error_code: str | None
    error_message: str | None


class Listed(Shape):
    """A record in a list, with the columns that were asked for."""

    id: Id
    where: list[Place]
    columns: dict[str, Any]


class Page(Shape):
    """A page of records; `next` leads to the one behind it, and is null on the last."""

    kind: str
    records: list[Listed]
    next: str | None
    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "kind": "statements",
                "next": "IlVMXzci",
                "records": [
                    {
                        "id": "UL_7",
                        "columns": {"file_name": "march.pdf"},
                        "where": [
                            {
                                "axis": "status",
                                "scope": None,
                                "state": "error",
                                "since": AT,
                                "version": 3,
                                "error_code": "PARTIAL_PARSE",
                                "error_message": "page 3 has no table",
                            }
                        ],
                    }
                ],
            }
        }
    )


class Record(Shape):
    """One record: its own row, and where it is."""

    kind: str
    id: Id
    record: dict[str, Any]
    where: list[Place]


class EntrySeal(Shape):
    """The seal that covers an entry."""

    number: int
    at: datetime
    public_key: str | None


class Entry(Shape):
    """One entry of history; `seal` is null where no seal covers it yet."""

    cursor: str | None = None
    kind: str
    id: Id
    axis: str
    scope: str | None
    version: int
    timestamp: datetime
    old_status: str | None
    new_status: str | None
    trigger: str | None
    origin: str
    actor: str
    role: str | None
    reason: str | None
    facts: dict[str, Any]
    hash: str | None = None
    seal: EntrySeal | None = None
    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "cursor": "0.1500",
                "kind": "statements",
                "id": "UL_7",
                "axis": "status",
                "scope": None,
                "version": 3,
                "timestamp": AT,
                "old_status": "parsing",
                "new_status": "error",
                "trigger": "parse.failed",
                "origin": "move",
                "actor": "coordinator",
                "role": None,
                "reason": None,
                "facts": {"error_code": "PARTIAL_PARSE"},
            }
        }
    )


class Timeline(Shape):
    """All of a record's history, oldest first."""

    kind: str
    id: Id
    entries: list[Entry]


class Tail(Shape):
    """Entries of all records in the order in which they were committed; `next` is where to go on."""

    entries: list[Entry]
    next: str


class Why(Shape):
    """Where a record is, why, what it waits for, what may happen next and why not the rest."""

    kind: str
    id: Id
    where: list[dict[str, Any]]
    why: list[str]
    waits_for: list[dict[str, Any]]
    next: list[dict[str, Any]]
    refusals: list[dict[str, Any]]


class Verdict(Shape):
    """One answer of a gate about one version of a record; of a version, the highest number of a gate holds."""

    axis: str
    scope: str | None
    version: int
    gate: str
    number: int
    passed: bool
    reason: str | None
    details: Any
    duration_ms: int | None
    actor: str
    at: datetime
    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "axis": "state",
                "scope": None,
                "version": 3,
                "gate": "level",
                "number": 1,
                "passed": False,
                "reason": "LEVEL_UNKNOWN",
                "details": {},
                "duration_ms": 4,
                "actor": "coordinator",
                "at": AT,
            }
        }
    )


class Verdicts(Shape):
    """What gates answered about a record, oldest first."""

    kind: str
    id: Id
    verdicts: list[Verdict]


class Erased(Shape):
    """A record is gone; its history has a closing entry."""

    kind: str
    id: Id
    outcome: Literal["erased"]
    old_status: str | None
    version: int | None


class Answer(Shape):
    """What came of a command."""

    kind: str
    id: Id
    outcome: Literal["moved", "unchanged"]
    axis: str | None
    scope: str | None
    old_status: str | None
    new_status: str | None
    version: int | None
    driven: list[Entry]


class Command(BaseModel):
    """What every command may say."""

    model_config = ConfigDict(extra="forbid", strict=True)
    scope: Name | None = None
    role: Name | None = None


class MoveCommand(Command):
    """Move the record on one axis."""

    to: Name | None
    axis: Name | None = None
    reason: Reason | None = None
    version: int | None = Field(None, ge=0, le=2**31 - 1)
    facts: dict[str, Any] = {}
    override: bool = Field(
        False,
        description="Move an axis that only stages move; takes the role operator or admin, and a reason.",
    )
    model_config = ConfigDict(
        json_schema_extra={
            "example": {"axis": "status", "to": "parsed", "reason": "checked by hand", "version": 3}
        }
    )


class ActCommand(Command):
    """Retry, or begin anew; the reason is kept for ever."""

    reason: Reason
    model_config = ConfigDict(json_schema_extra={"example": {"reason": "the bank answers again"}})


class EraseCommand(BaseModel):
    """Erase a record for good; the reason is kept for ever."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"example": {"reason": "its owner asked for it"}}
    )
    reason: Reason
    role: Name | None = None


class ResetCommand(ActCommand):
    """Reset: back to where the machine begins, if it has that move. Cancel: end what runs or waits."""

    axis: Name | None = None


class AmendCommand(BaseModel):
    """Change facts of a record where it stands."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "example": {"facts": {"file_name": "march.pdf"}, "reason": "it was sent under another name"}
        },
    )
    facts: dict[str, Any] = Field(min_length=1)
    reason: Reason
    role: Name | None = None
    axis: Name | None = None
    version: int | None = Field(None, ge=0, le=2**31 - 1)
