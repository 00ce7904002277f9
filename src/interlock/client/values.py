"""The values that a client answers and takes, the same whether the app is in this process or behind a service.

Ids, rows and facts are as JSON has them (a UUID, a date or a decimal is text), instants are aware datetimes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal

from ..machine import State
from ..observe.records.listing import AxisState
from ..store.entry import plain
from ..store.finding import Repair
from ..store.verify.verify import Finding

Row = Mapping[str, Any]
Id = Any


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its own row without private columns, and where it is on every axis."""

    kind: str
    id: Id
    row: dict[str, Any]
    where: list[AxisState]


@dataclass(frozen=True, slots=True)
class Count:
    """How many records are, or were, in one state."""

    kind: str
    axis: str
    scope: str | None
    state: State
    records: int


@dataclass(frozen=True, slots=True)
class MachineVersion:
    """A machine that the database has known on one axis. `is_current` is that of the code; guards allow the moves of every active one."""

    kind: str
    axis: str
    fingerprint: str
    states: tuple[State, ...]
    active: bool
    is_current: bool
    since: datetime


@dataclass(frozen=True, slots=True)
class MachineChange:
    """What changes from one version of a machine to another, in sentences, and the records in states that the later one does not have."""

    kind: str
    axis: str
    before: str
    after: str
    lines: list[str]
    stranded: list[Count]


@dataclass(frozen=True, slots=True)
class PairCount:
    """How many records are in one pair of states of two axes."""

    state: State
    by: State
    records: int


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """Records that carry the same error; `first` and `last` are when they came to carry it."""

    kind: str
    axis: str
    scope: str | None
    code: str
    message: str | None
    records: int
    first: datetime | None
    last: datetime | None
    example: Id


@dataclass(frozen=True, slots=True)
class PastState:
    """Where a record was at an instant, and the move that had put it there."""

    kind: str
    id: Id
    axis: str
    scope: str | None
    version: int
    state: State
    since: datetime
    actor: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class StageState:
    """A stage in one scope: where it waits and runs, and whether it is paused."""

    kind: str
    stage: str
    scope: str | None
    waiting: tuple[State, ...]
    running: str | None
    paused: bool
    until: datetime | None
    reason: str | None
    actor: str | None


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What is known of an API key; `key`, the secret itself, only in the answer that made it."""

    name: str
    scope: str
    state: str
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    key: str | None = None


def typed_value(value: Any) -> str:
    """A state or value as it is typed."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return str(plain(value))


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Which records: every part that is there must hold. Ages are spans such as "2h"; `where` maps axes to a state, and columns of the
    record to a value, or to several of which any may hold."""

    where: Mapping[str, Any] = field(default_factory=dict)
    axis: str | None = None
    scope: str | None = None
    error: str | None = None
    older: str | None = None
    younger: str | None = None
    text: str | None = None

    def pairs(self) -> list[tuple[str, str]]:
        """Axis and state, or column and value, in pairs, as they are typed; null is `null`."""
        return [
            (name, typed_value(value))
            for name, values in self.where.items()
            for value in (values if isinstance(values, list | tuple | set | frozenset) else [values])
        ]


@dataclass(frozen=True, slots=True)
class BulkCommand:
    """One act on many records: on these ids, or on whatever the filter matches. `ramp` moves so many first and then pauses; `facts` go with
    each move."""

    kind: str
    reason: str
    act: Literal["move", "retry", "cancel"] = "move"
    axis: str | None = None
    to: State = None
    scope: str | None = None
    ids: Sequence[Id] | None = None
    filter: RecordFilter | None = None
    role: str | None = None
    facts: Row = field(default_factory=dict)
    ramp: int | None = None


@dataclass(frozen=True, slots=True)
class OperationPreview:
    """What would come of a bulk operation, counted exactly."""

    kind: str
    act: str
    axis: str
    scope: str | None
    to: State
    records: int
    outcomes: dict[str, int]
    refusals: list[dict[str, Any]]
    moves: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Operation:
    """A bulk operation: its records are frozen; `done` of them have been answered."""

    id: str
    kind: str
    act: str
    axis: str
    scope: str | None
    to: State
    wanted: dict[str, Any]
    reason: str
    actor: str
    role: str | None
    ramp: int | None
    status: str
    pausing: bool
    stalled: bool
    records: int
    done: int
    outcomes: dict[str, int]
    refusals: list[dict[str, Any]]
    driven: list[dict[str, Any]]
    undoes: str | None
    undone_by: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class OperationItem:
    """One record of an operation, and what came of it; `outcome` is None while it waits."""

    number: int
    id: str
    seen: int | None
    outcome: str | None
    code: str | None
    old: State
    new: State
    version: int | None

    def as_dict(self) -> dict[str, Any]:
        """The item in the words of the API."""
        values = asdict(self)
        return {{"old": "from", "new": "to"}.get(name, name): value for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class Attention:
    """Something that a person should look at, and the command that shows it."""

    what: str
    hint: str


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check of all invariants came to: those that were checked, whatever breaks them, remarks that break nothing, and the commands
    that mend what can be mended without a decision of a person."""

    entries: int
    chains: int
    findings: list[Finding]
    notes: list[str]
    invariants: list[str]
    repairs: list[Repair] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing is broken."""
        return not self.findings


@dataclass(frozen=True, slots=True)
class Health:
    """The database answers and has the schema that the code needs."""

    version: str
    database: str
