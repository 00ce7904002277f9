"""What a client can be asked, whether the app is in this process or behind a service. Refusals are raised as the same errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ..machine import State
from ..observe.activity import Activity
from ..observe.explain import Explanation
from ..observe.records.listing import Page
from ..observe.records.patterns import Pattern
from ..observe.verdicts import GateVerdict
from ..observe.working import Working
from ..store.ledger.read import Cursor
from ..store.ledger.seals.seal import EntrySeal, Seal
from ..store.queue.coordinators import RegisteredCoordinator
from ..store.queue.runners import Registered
from ..store.verify.verify import Report
from ..workflow import Answer, Move
from .values import (
    Attention,
    BulkCommand,
    CheckReport,
    Count,
    ErrorGroup,
    Health,
    Id,
    MachineChange,
    MachineVersion,
    Operation,
    OperationItem,
    OperationPreview,
    PairCount,
    PastState,
    Record,
    Row,
)

if TYPE_CHECKING:
    from .adoptions import Adoptions
    from .keys import Keys
    from .stages import Schedules, Stages

States = State | Sequence[State]
Answers = list[Answer]
Moves = list[Move]
Verdicts = list[GateVerdict]
Progress = Callable[[int, int], None]
MOST_ROWS_UNDER_A_KEY = 500


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
