"""The shapes of requests and answers, as the OpenAPI document shows them; only requests are also held against them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]*[^\s\x00][^\x00]*$")]
Reason = Annotated[
    str, StringConstraints(min_length=1, max_length=4000, pattern=r"^[^\x00]*[^\s\x00][^\x00]*$")
]
Id = str | int
Scope = Literal["viewer", "curator", "operator", "admin", "runner"]
AT = "2026-01-31T09:00:00.000000Z"


class Shape(BaseModel):
    """An answer, or a part of one."""

    model_config = ConfigDict(extra="forbid", strict=True)


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


class Count(Shape):
    """How many records are in one state."""

    kind: str
    axis: str
    scope: str | None
    state: str | None
    records: int


class Counts(Shape):
    """Exact at one instant; states without records are left out."""

    counts: list[Count]


class MachineVersion(Shape):
    """A machine that the database has known on one axis."""

    kind: str
    axis: str
    fingerprint: str
    states: list[str | None]
    active: bool
    is_current: bool
    since: datetime


class MachineVersions(Shape):
    """By axis, the newest last."""

    versions: list[MachineVersion]


class MachineChange(Shape):
    """What changes between two versions of a machine, and the records in states that the later one does not have."""

    kind: str
    axis: str
    before: str
    after: str
    lines: list[str]
    stranded: list[Count]


class PairCount(Shape):
    """How many records are in one pair of states."""

    state: str | None
    by: str | None
    records: int


class Pairs(Shape):
    """Pairs of states of two axes; those without records are left out."""

    kind: str
    axis: str
    by: str
    pairs: list[PairCount]


class ErrorGroup(Shape):
    """Records that carry the same error."""

    kind: str
    axis: str
    scope: str | None
    code: str
    message: str | None
    records: int
    first: datetime | None
    last: datetime | None
    example: Id


class ErrorGroups(Shape):
    """The largest groups first."""

    errors: list[ErrorGroup]


class KindAxis(Shape):
    """An axis of a kind, in short."""

    axis: str
    machine: str
    initial: str | None
    states: list[str | None]
    scopes: list[str]


class Kind(Shape):
    """A workflow, in short."""

    kind: str
    noun: str
    axes: list[KindAxis]


class Kinds(Shape):
    """What this service knows about."""

    kinds: list[Kind]


class Machines(Shape):
    """Everything that was declared about kinds of records: machines, stages, rules, gates."""

    machines: list[dict[str, Any]]


class Runners(Shape):
    """The runners and the coordinators that are alive."""

    runners: list[dict[str, Any]]
    coordinators: list[dict[str, Any]]


class Verified(Shape):
    """What a verification looked at and found."""

    ok: bool
    entries: int
    chains: int
    seals: int
    findings: list[dict[str, Any]]


class Attention(Shape):
    """Something that a person should look at, and the command that shows it."""

    what: str
    hint: str


class Attentions(Shape):
    """What a person should look at."""

    attention: list[Attention]


class Repair(Shape):
    """A command that mends findings without a decision of a person: which invariants, and how many records."""

    command: str
    kind: str
    invariants: list[str]
    records: int


class Checked(Shape):
    """What a check of all invariants came to: those that were checked, whatever breaks them, remarks that break nothing, and the commands
    that mend what can be mended without a decision of a person."""

    ok: bool
    entries: int
    chains: int
    findings: list[dict[str, Any]]
    notes: list[str]
    invariants: list[str]
    repairs: list[Repair]


class Health(Shape):
    """The database answers and has the schema that this code needs."""

    status: Literal["ok"]
    version: str
    database: str


class SignedIn(Shape):
    """This browser is signed in, by a cookie."""

    actor: str
    role: str


class KeyCommand(BaseModel):
    """Make an API key."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"example": {"name": "nightly-import", "scope": "operator", "expires": "90d"}},
    )
    name: str = Field(min_length=1, max_length=100)
    scope: Scope
    expires: str | None = Field(None, pattern=r"^[0-9]{1,5}(s|m|h|d|w)$")


class Key(Shape):
    """What is known of a key; the key itself is not."""

    name: str
    scope: Scope
    state: Literal["valid", "expired", "revoked"]
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class MadeKey(Key):
    """A new key, with the secret that is shown this once."""

    key: str


class Keys(Shape):
    """Every key that was ever made."""

    keys: list[Key]


class Problem(BaseModel):
    """What went wrong (RFC 9457), with a code that never changes."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    hint: str
    facts: dict[str, Any]
    instance: str | None = None
    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "type": "urn:interlock:error:ILK-208",
                "title": "Somebody else moved the record first.",
                "status": 409,
                "code": "ILK-208",
                "detail": "statements 'UL_7' was moved to parsed (version 2) by ann at 2026-01-31 09:00:00 UTC",
                "hint": "Read the record again and decide on what it says now.",
                "facts": {
                    "kind": "statements",
                    "id": "UL_7",
                    "seen": 1,
                    "version": 2,
                    "state": "parsed",
                    "actor": "ann",
                    "at": AT,
                },
            }
        }
    )
