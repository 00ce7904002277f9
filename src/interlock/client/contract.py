"""What a client can be asked, whether the app is in this process or behind a service. Refusals are raised as the same errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ..machine import State
from ..observe.activity import Activity
from ..observe.explain import Explanation
from ..observe.records.listing import Page
from ..observe.records.patterns import Pattern
from ..observe.verdicts import GateVerdict
from ..observe.working import Working
from ..store.queue.coordinators import RegisteredCoordinator
from ..store.queue.runners import Registered
from ..workflow import Answer, Move
from .values import (
    Attention,
    CheckReport,
    Count,
    ErrorGroup,
    Health,
    Id,
    MachineChange,
    MachineVersion,
    PairCount,
    Record,
    Row,
)

if TYPE_CHECKING:
    from .adoptions import Adoptions
    from .keys import Keys
    from .ledger import Ledger
    from .operations import Operations
    from .stages import Schedules, Stages

States = State | Sequence[State]
Answers = list[Answer]
Moves = list[Move]
Verdicts = list[GateVerdict]
Progress = Callable[[int, int], None]
MOST_ROWS_UNDER_A_KEY = 500


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
