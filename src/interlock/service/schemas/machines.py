"""The shapes of answers about what was declared, and about how many records are where."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .shape import Id, Shape


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
