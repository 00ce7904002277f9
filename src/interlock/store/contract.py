"""What the authority asks of a database engine: read rows, and make a group of moves in one step. Implementations stand beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from sqlalchemy import Connection

from ..machine import State
from .connect import Database
from .entry import Detail, EntryTemplate
from .placement import Placement, RecordTable

if TYPE_CHECKING:
    from .queue.waiting import Queue
    from .work.rows import WorkRows

Lock = Literal["", "share", "update"]


class RowState(NamedTuple):
    """A row as it was read: the place in its machine on each axis asked for, and which conditions held."""

    key: Any
    states: tuple[State, ...]
    versions: tuple[int | None, ...]
    heads: tuple[bytes | None, ...]
    holds: tuple[bool, ...]


@dataclass(frozen=True)
class Reading:
    """Which axes of one table to read, and which conditions to ask; the first axis is the one to be moved."""

    axes: tuple[Placement, ...]
    conditions: tuple[str, ...] = ()

    @property
    def main(self) -> Placement:
        return self.axes[0]


@dataclass(slots=True)
class Step:
    """One axis of the group's rows moves: which of the reading's axes, and what its entries say.

    `own` names the constants that the edge itself decides; the others are facts of the command.
    """

    index: int
    place: Placement
    template: EntryTemplate
    now: tuple[str, ...]
    constants: Mapping[str, Any]
    counted: tuple[str, ...]
    own: frozenset[str] = frozenset()
    later: tuple[tuple[str, timedelta], ...] = ()
    """Columns set to an instant so much later than now, by the database's clock."""


class RowValues(NamedTuple):
    """What one row of a batch has of its own: values of columns, as the driver takes them, and the detail of its entry."""

    columns: Mapping[str, Any]
    detail: Detail | None = None


@dataclass(slots=True)
class MoveBatch:
    """Rows that make the same moves: one statement on PostgreSQL, one batch on SQLite.

    `own` is what each row has of its own, in the order of the rows; all rows name the same columns then.
    """

    reading: Reading
    steps: tuple[Step, ...]
    compared: tuple[int, ...]
    scope: str
    at: datetime
    said: Mapping[str, Any]
    conditions: tuple[str, ...] = ()
    rows: list[RowState] = field(default_factory=list)
    tokens: list[str] | None = None
    closing: bool = False
    clock: datetime | None = None
    """What counts as now for columns that are set to a later instant; None: the database's own clock."""
    own: Sequence[RowValues] | None = None

    @property
    def detail(self) -> Detail | None:
        return self.steps[0].template.detail

    @property
    def owner(self) -> tuple[str | None, str | None]:
        """Whose detail it is, if it is one record's alone: then it can be erased with that record."""
        shared = self.closing or (
            self.detail is not None and self.detail.shared
        )  # why a record was erased outlives it
        alone = len(self.rows) == 1 and not shared
        return (self.steps[0].template.kind, str(self.rows[0].key)) if alone else (None, None)

    @property
    def own_columns(self) -> tuple[str, ...]:
        return tuple(self.own[0].columns) if self.own else ()

    @property
    def own_digests(self) -> list[bytes | None]:
        """The digest of each row's own detail."""
        return (
            [None] * len(self.rows)
            if self.own is None
            else [one.detail.digest if one.detail else None for one in self.own]
        )

    def own_details(self) -> list[tuple[str, Detail]]:
        """The details that rows have of their own, each with the record it belongs to."""
        return [
            (str(row.key), one.detail)
            for row, one in zip(self.rows, self.own or (), strict=False)
            if one.detail is not None
        ]


@dataclass(frozen=True, slots=True)
class DirectMove:
    """Records go from one known state to another without being read first; whoever is not in that state is left alone.

    `hint` is SQL that wakes whoever waits for what was moved, where the database itself carries hints.
    """

    step: Step
    keys: Sequence[Any]
    scope: str
    version: int | None
    at: datetime
    owner: tuple[str | None, str | None]
    hint: str | None = None


class Prepared(Protocol):
    """A direct move of one record whose statement is made once."""

    def run(self, database: Database, key: str, at: datetime, version: int | None) -> int | None:
        """The record's new version; None where it did not move, and the general path has to say why."""
        ...


class FactColumn(NamedTuple):
    """A fact that is also a column of the record."""

    name: str
    column: str
    is_text: bool


class MovedRow(NamedTuple):
    """A row that a batch moved: its key, its new version, and its facts as canonical text, where it had any."""

    key: Any
    version: int
    facts: str | None


class BatchResult(NamedTuple):
    """What came of a batch: how many rows were held, how many of them moved, why, and which, if somebody wanted to know."""

    held: int
    moved: int
    cause: str | None
    rows: list[MovedRow]


class StageBatch(Protocol):
    """A stage's begin or finish for whole batches that need no judging: no row is looked at by itself."""

    def run(self, tx: Connection, scope: str, limit: int, at: datetime, *, wanted: bool) -> BatchResult:
        """Move up to so many; `wanted`: the result names each row."""
        ...


@dataclass(frozen=True)
class Newcomers:
    """Rows to be inserted into one table, each with the first entry of every axis that lives there."""

    axes: tuple[Placement, ...]
    templates: tuple[EntryTemplate, ...]
    columns: tuple[str, ...]
    rows: Sequence[Mapping[str, Any]]
    at: datetime

    @property
    def owner(self) -> tuple[str | None, str | None]:
        """Whose detail it is, if it is one record's alone."""
        detail = self.templates[0].detail
        alone = len(self.rows) == 1 and not (detail is not None and detail.shared)
        return (self.templates[0].kind, str(self.rows[0][self.axes[0].axis.key])) if alone else (None, None)


@dataclass(frozen=True)
class AdoptedRows:
    """Rows of one table that are there already and get their first entry, all alike: they begin in the template's state.

    `now` names columns that are set to the instant, `later` those that are set to a later one by the database's clock; `expressions` are
    columns with their SQL over the row itself.
    """

    place: Placement
    template: EntryTemplate
    keys: Sequence[Any]
    now: tuple[str, ...]
    constants: Mapping[str, Any]
    later: tuple[tuple[str, timedelta], ...]
    expressions: Mapping[str, str]
    at: datetime
    clock: datetime | None = None


class Engine(Protocol):
    """The statements that differ between databases."""

    def read(
        self,
        tx: Connection,
        reading: Reading,
        keys: Sequence[Any],
        scope: str,
        lock: Lock,
        said: Mapping[str, Any],
    ) -> list[RowState]: ...

    def move_directly(self, database: Database, move: DirectMove) -> dict[Any, int] | None:
        """Move without reading first, in a transaction of its own: the new versions of what moved, by key. None where this database needs
        a transaction around a move."""
        ...

    moves_directly: bool
    """Whether a move can be one statement and its own transaction; where it cannot, `move_directly` and `prepare` answer None."""

    def prepare(self, step: Step, scope: str, *, versioned: bool, hint: str | None) -> Prepared | None:
        """A direct move of one record at a time; None where this database has no such thing."""
        ...

    def move(self, tx: Connection, group: MoveBatch) -> set[Any]:
        """Move what still is as it was read; the keys of what moved. The others lost a race."""
        ...

    def finish(
        self, work: WorkRows, stage: str, step: Step, shape: str | None, columns: tuple[FactColumn, ...]
    ) -> StageBatch:
        """Moves records whose reports say nothing but that the work is done; with a shape, those that have facts of these columns."""
        ...

    def begin(self, work: WorkRows, stage: str, step: Step, queue: Queue, created: str) -> StageBatch:
        """Gives work rows to what waits, and moves it; `created` is the cause of a record's first move."""
        ...

    def admit(self, tx: Connection, newcomers: Newcomers) -> set[Any]:
        """Insert the rows with their first entries; the keys of what is new. The others exist already."""
        ...

    def adopt(self, tx: Connection, rows: AdoptedRows) -> int:
        """Give rows that have no version yet their first entry; how many. The detail that the template names is there already."""
        ...

    def follow_strays(self, tx: Connection, place: Placement, keys: Sequence[Any] | None = None) -> int:
        """Write the entries of writes past Interlock that have none yet, a batch of them, of these records or of all; how many. Only
        if there is none left is it 0."""
        ...

    def begin_following(self, tx: Connection, place: Placement, switch: Callable[[], None]) -> None:
        """Let `switch` change the guard from taking notes to following; each record that was written meanwhile gets its entry, here or by
        `follow_strays`, before anything else happens to it."""
        ...

    def close(self, tx: Connection, group: MoveBatch) -> set[Any]:
        """Remove rows, each with its closing entry; the keys of what went."""
        ...

    def insert_rows(
        self, tx: Connection, table: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]
    ) -> None:
        """Insert plain values into one of Interlock's own tables by one statement; `columns` gives each its PostgreSQL type."""
        ...

    def fresh_ids(self, tx: Connection, place: RecordTable, count: int) -> list[Any]:
        """Ids that the database hands out, before the rows exist: a first entry is hashed with its id."""
        ...
