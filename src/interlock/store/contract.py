"""What the authority asks of a database engine: read rows, and make a group of moves in one step. Implementations stand beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol

from sqlalchemy import Connection

from ..machine import State
from .entry import Detail, EntryTemplate
from .placement import Placement, RecordTable

Lock = Literal["", "share", "update"]


class Seen(NamedTuple):
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


@dataclass(slots=True)
class Group:
    """Rows that make the same moves: one statement on PostgreSQL, one batch on SQLite."""

    reading: Reading
    steps: tuple[Step, ...]
    compared: tuple[int, ...]
    scope: str
    at: datetime
    said: Mapping[str, Any]
    conditions: tuple[str, ...] = ()
    rows: list[Seen] = field(default_factory=list)
    tokens: list[str] | None = None
    closing: bool = False

    @property
    def detail(self) -> Detail | None:
        return self.steps[0].template.detail

    @property
    def owner(self) -> tuple[str | None, str | None]:
        """Whose detail it is, if it is one record's alone: then it can be erased with that record."""
        shared = self.closing or (self.detail is not None and self.detail.shared)  # why a record was erased outlives it
        alone = len(self.rows) == 1 and not shared
        return (self.steps[0].template.kind, str(self.rows[0].key)) if alone else (None, None)


class Passed(NamedTuple):
    """Of a batch that went the swift way: how many rows were held, how many of them moved, why, and their keys if somebody wants to
    tell of them."""

    held: int
    moved: int
    cause: str | None
    keys: list[Any]


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


class Engine(Protocol):
    """The statements that differ between databases."""

    def read(self, tx: Connection, reading: Reading, keys: Sequence[Any], scope: str, lock: Lock,
             said: Mapping[str, Any]) -> list[Seen]: ...

    def move(self, tx: Connection, group: Group) -> set[Any]:
        """Move what still is as it was read; the keys of what moved. The others lost a race."""
        ...

    def admit(self, tx: Connection, newcomers: Newcomers) -> set[Any]:
        """Insert the rows with their first entries; the keys of what is new. The others exist already."""
        ...

    def close(self, tx: Connection, group: Group) -> set[Any]:
        """Remove rows, each with its closing entry; the keys of what went."""
        ...

    def fresh_ids(self, tx: Connection, place: RecordTable, count: int) -> list[Any]:
        """Ids that the database hands out, before the rows exist: a first entry is hashed with its id."""
        ...
