"""What a client answers, whether the app is in this process or behind a service: one contract, and the values that both return.

Ids, rows and facts are as JSON has them (a UUID, a date or a decimal is text), instants are aware datetimes. Refusals are raised as the
same errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ..machine import State
from ..observe.activity import Activity
from ..observe.declared.schedules import ScheduledRun, ScheduleState
from ..observe.explain import Explanation
from ..observe.records.listing import AxisState, Page
from ..observe.records.patterns import Pattern
from ..observe.verdicts import GateVerdict
from ..observe.working import Working
from ..store.entry import plain
from ..store.finding import Repair
from ..store.ledger.read import Cursor
from ..store.ledger.seals.seal import EntrySeal, Seal
from ..store.queue.coordinators import RegisteredCoordinator
from ..store.queue.runners import Registered
from ..store.verify.verify import Finding, Report
from ..workflow import Answer, Move

if TYPE_CHECKING:
    from .adoptions import Adoptions

Row = Mapping[str, Any]
Id = Any
States = State | Sequence[State]
Answers = list[Answer]
Moves = list[Move]
Verdicts = list[GateVerdict]
Progress = Callable[[int, int], None]
MOST_ROWS_UNDER_A_KEY = 500


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


class Ledger(Protocol):
    """History: read, verified, sealed, proven."""

    def history(self, kind: str, id: Id, *, axis: str | None = None, scope: str | None = None) -> list[Move]:
        """Every entry of a record, oldest first."""
        ...

    def hashes(self, kind: str, id: Id) -> dict[tuple[str, str | None, int], str]:
        """The hash of every entry of a record, in hexadecimal, by axis, scope and version."""
        ...

    def entry_seals(self, kind: str, id: Id) -> dict[tuple[str, str | None, int], EntrySeal]:
        """The seal over each entry of a record that is sealed, by axis, scope and version."""
        ...

    def tail(
        self,
        after: Cursor | str | None = None,
        *,
        before: Cursor | str | None = None,
        limit: int = 100,
        kind: str | None = None,
    ) -> list[tuple[Cursor, Move]]:
        """Entries behind a cursor in commit order; without one the newest ones, or the newest before `before`."""
        ...

    def verify(
        self,
        kind: str | None = None,
        id: Id = None,
        *,
        seals: str | Path | None = None,
        processes: int = 1,
        progress: Progress | None = None,
    ) -> Report:
        """Verify all chains and seals, or those of one kind or record; `seals` is a file of seals that were kept elsewhere.

        `processes` and `progress` are for a database; a service decides by itself.
        """
        ...

    def seal(self, key: str | None = None) -> list[Seal]:
        """Seal what was committed since the last seal; the seals that were made. `key` is a file here; a service has its own."""
        ...

    def seals(self, after: int = 0) -> list[Seal]:
        """The seals behind a number, in order."""
        ...

    def export(self, *, kind: str | None = None, after_seal: int = 0, detail: bool = True) -> Iterator[str]:
        """History as lines of JSON that anybody can check."""
        ...

    def prove(self, kind: str, id: Id, *, detail: bool = True) -> str:
        """The proof of one record as JSON text, to be checked offline."""
        ...

    def as_of(
        self, kind: str, id: Id, at: datetime, *, axis: str | None = None, scope: str | None = None
    ) -> list[PastState]:
        """Where a record was at an instant."""
        ...

    def counts_as_of(
        self, at: datetime, kind: str | None = None, *, axis: str | None = None, scope: str | None = None
    ) -> list[Count]:
        """How many records were in each state at an instant."""
        ...


class Operations(Protocol):
    """Acts on many records: previewed, run in chunks, paused, undone."""

    def preview(self, command: BulkCommand) -> OperationPreview:
        """What would come of it; nothing is changed."""
        ...

    def create(self, command: BulkCommand, *, key: str | None = None) -> Operation:
        """Freeze which records it is about."""
        ...

    def run(self, id: str, *, progress: Callable[[Operation], None] | None = None) -> Operation:
        """Run it to its end or to its pause; `progress` is called as it goes."""
        ...

    def resume(self, id: str, *, progress: Callable[[Operation], None] | None = None) -> Operation:
        """Go on after a pause, to the end or to the next pause."""
        ...

    def pause(self, id: str) -> Operation:
        """Stop it after the chunk that is being moved now."""
        ...

    def get(self, id: str) -> Operation:
        """The operation with its progress."""
        ...

    def newest(self, *, limit: int = 50) -> list[Operation]:
        """The newest operations first."""
        ...

    def items(
        self, id: str, *, outcome: str | None = None, after: int = 0, limit: int = 100
    ) -> list[OperationItem]:
        """The records of an operation in its order, with what came of each."""
        ...

    def preview_undo(self, id: str, *, reason: str, role: str | None = None) -> OperationPreview:
        """What undoing it would bring back."""
        ...

    def undo(self, id: str, *, reason: str, role: str | None = None) -> Operation:
        """Make the operation that brings back what this one moved, where that is legal; `run` runs it."""
        ...


class Stages(Protocol):
    """Stages, and whether their work is dispatched."""

    def list(self) -> list[StageState]:
        """Every stage in every scope."""
        ...

    def pause(
        self, kind: str, stage: str, *, reason: str, length: str | None = None, scope: str | None = None
    ) -> datetime | None:
        """Dispatch no more of it, for a span or until it is resumed; the instant until which it holds."""
        ...

    def resume(self, kind: str, stage: str, *, scope: str | None = None) -> int:
        """Dispatch it again; how many pauses ended."""
        ...


class Schedules(Protocol):
    """Functions that run by the clock."""

    def runs(self, kind: str, schedule: str, *, limit: int = 20) -> list[ScheduledRun]:
        """The newest runs of one, newest first."""
        ...

    def pause(self, kind: str, schedule: str, *, reason: str, length: str | None = None) -> datetime | None:
        """Run no more ticks of it, for a span or until it is resumed; the instant until which it holds."""
        ...

    def resume(self, kind: str, schedule: str) -> int:
        """Run it again; how many pauses ended."""
        ...

    def list(self) -> list[ScheduleState]:
        """Every schedule: its last run, its next tick, and whether it is paused."""
        ...


class Keys(Protocol):
    """API keys of the HTTP service."""

    def list(self) -> list[ApiKey]:
        """Every key that was ever made."""
        ...

    def create(self, name: str, scope: str, *, expires: str | None = None) -> ApiKey:
        """Make a key; its secret is in this answer and nowhere else. `expires` is a span."""
        ...

    def revoke(self, name: str) -> ApiKey:
        """End a key for good."""
        ...


class Client(Protocol):
    """An app, wherever it is. Who acts belongs to the client: the holder of the API key, or the actor it was made with."""

    @property
    def address(self) -> str:
        """The URL of the service, or of the database without its password."""
        ...

    @property
    def ledger(self) -> Ledger:
        """History."""
        ...

    @property
    def operations(self) -> Operations:
        """Acts on many records."""
        ...

    @property
    def stages(self) -> Stages:
        """Stages of work."""
        ...

    @property
    def schedules(self) -> Schedules:
        """Functions that run by the clock."""
        ...

    @property
    def adoptions(self) -> Adoptions:
        """Tables that had rows before Interlock."""
        ...

    @property
    def keys(self) -> Keys:
        """API keys."""
        ...

    def health(self) -> Health:
        """Whether the database answers and has the schema that is needed; raises what is wrong."""
        ...

    def machines(self, kind: str | None = None) -> list[dict[str, Any]]:
        """Everything that was declared about each kind, or about one: axes, states, moves, stages, rules, gates."""
        ...

    def diagram(
        self,
        kind: str,
        axis: str,
        *,
        form: Literal["mermaid", "svg"] = "mermaid",
        counts: bool = False,
        scope: str | None = None,
    ) -> str:
        """One machine, drawn."""
        ...

    def versions(self, kind: str) -> list[MachineVersion]:
        """Every version of a kind's machines that the database has known, by axis, the newest last."""
        ...

    def change(
        self, kind: str, before: str, *, axis: str | None = None, after: str | None = None
    ) -> MachineChange:
        """What changes from one version to another, or to that of the code; fingerprints may be shortened."""
        ...

    def counts(self, kind: str | None = None) -> list[Count]:
        """How many records are in each state, at one instant; states without records are left out."""
        ...

    def pairs(self, kind: str, axis: str, by: str) -> list[PairCount]:
        """How many records are in each pair of states of two axes, counted from the rows."""
        ...

    def errors(self, kind: str | None = None, *, limit: int = 100) -> list[ErrorGroup]:
        """Records that carry an error, in groups, the largest first."""
        ...

    def attention(self) -> list[Attention]:
        """What a person should look at."""
        ...

    def activity(self, window: str = "1h", *, at: datetime | None = None) -> Activity:
        """Flow on every edge within a window of at most 30 days, ages of what waits or runs, what is stuck, moves over the last day;
        `at` is where the window ends, now unless there is one."""
        ...

    def patterns(self, kind: str, axis: str | None = None, *, limit: int = 100) -> list[Pattern]:
        """In which combinations of states the scopes of an axis are, the most frequent first."""
        ...

    def working(self, limit: int = 20) -> Working:
        """What runners hold, longest first, what is tried again and when, and the newest refusals; so many of each at most."""
        ...

    def check(self, kind: str | None = None, *, replay: bool = False) -> CheckReport:
        """Check every invariant, of all kinds or of one; `replay` also computes every row anew from the ledger."""
        ...

    def runners(self) -> list[Registered]:
        """The runners that are alive."""
        ...

    def coordinators(self) -> list[RegisteredCoordinator]:
        """The coordinators that are alive."""
        ...

    def metrics(self) -> str:
        """Every figure, as Prometheus reads it."""
        ...

    def list(
        self,
        kind: str,
        *,
        where: Mapping[str, Any] | None = None,
        axis: str | None = None,
        scope: str | None = None,
        error: str | None = None,
        older: str | None = None,
        younger: str | None = None,
        text: str | None = None,
        limit: int = 50,
        after: Id = None,
        descending: bool = False,
        columns: Sequence[str] = (),
        sort: str | None = None,
        examine: int | None = None,
    ) -> Page:
        """Records by id or as `sort` says ("-created_at": the largest first), narrowed as a RecordFilter, with columns of their own;
        `after` is `next` of the page before. By id, no more than `examine` records are looked at: a page may then be short, or empty,
        and still have a `next`."""
        ...

    def get(self, kind: str, id: Id) -> Record:
        """One record."""
        ...

    def explain(self, kind: str, id: Id) -> Explanation:
        """Why it is where it is, what it waits for, what may happen next, and why not the rest."""
        ...

    def verdicts(
        self, kind: str, id: Id, version: int | None = None, *, scope: str | None = None
    ) -> Verdicts:
        """What gates answered about a record, oldest first; on every version or on one."""
        ...

    def follow(self, kind: str, id: Id) -> Iterator[Moves]:
        """Yield the record's history, then each entry as it is committed, without end; an entry may come twice."""
        ...

    def admit(self, kind: str, row: Row, *, reason: str | None = None, key: str | None = None) -> Answer:
        """Make one record; raises what `admit_many` answers."""
        ...

    def admit_many(
        self, kind: str, rows: Iterable[Row], *, reason: str | None = None, key: str | None = None
    ) -> Answers:
        """Make a record of each row; a row never raises. A key holds for at most 500 rows."""
        ...

    def move(
        self,
        kind: str,
        id: Id,
        *,
        role: str | None = None,
        reason: str | None = None,
        version: int | None = None,
        scope: str | None = None,
        facts: Row | None = None,
        key: str | None = None,
        override: bool = False,
        dry_run: bool = False,
        **axis: State,
    ) -> Answer:
        """Move one record on one axis. `dry_run` does everything and undoes it, where the database itself is reached."""
        ...

    def retry(
        self,
        kind: str,
        id: Id,
        *,
        reason: str,
        role: str | None = None,
        scope: str | None = None,
        dry_run: bool = False,
    ) -> Answer:
        """Send a failed record back to where the failed stage began."""
        ...

    def cancel(
        self,
        kind: str,
        id: Id,
        *,
        reason: str,
        role: str | None = None,
        scope: str | None = None,
        axis: str | None = None,
        dry_run: bool = False,
    ) -> Answer:
        """End what runs or waits."""
        ...

    def amend(
        self,
        kind: str,
        id: Id,
        *,
        facts: Row,
        reason: str,
        role: str | None = None,
        version: int | None = None,
        axis: str | None = None,
    ) -> Answer:
        """Change amendable columns without a move; the version rises by one."""
        ...

    def erase(self, kind: str, id: Id, *, reason: str, role: str = "admin", key: str | None = None) -> Answer:
        """Remove a record and its personal detail; its history closes with an entry."""
        ...

    def close(self) -> None:
        """Close connections that the client opened itself; an app that was passed in stays open."""
        ...
