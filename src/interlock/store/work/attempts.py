"""An attempt as a work row holds it: the task, its report, and the conditions by which reports are told apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...ids import random_bytes
from ..entry import FACTS_LIMIT

COLUMNS = (
    "position",
    "kind",
    "record_id",
    "axis",
    "scope",
    "stage",
    "attempt",
    "token",
    "claimed_by",
    "started_at",
    "claimed_at",
    "outcome",
    "report",
    "limit_key",
    "version",
    "shape",
    "facts",
    "gates",
)
CLAIMED = COLUMNS[: COLUMNS.index("claimed_by")]
"""What a runner has to know of what it claims; instants cost more to read than everything else."""

CLEARED = (
    "slot",
    "key_slot",
    "claimed_by",
    "claimed_at",
    "lease_until",
    "reported_at",
    "outcome",
    "report",
    "shape",
    "facts",
    "gates",
    "recheck_at",
    "rechecked_by",
)
"""What an attempt leaves behind, and the next one in its place begins without."""


class Attempt(NamedTuple):
    """A work row as it was read."""

    position: int
    kind: str
    record_id: str
    axis: str
    scope: str
    stage: str
    attempt: int
    token: str
    claimed_by: str | None
    started_at: Any
    claimed_at: Any
    outcome: str | None
    report: str | None
    limit_key: str | None
    version: int | None = None
    shape: str | None = None
    facts: str | None = None
    gates: str | None = None

    @property
    def claimed(self) -> bool:
        """Whether a runner had it: only then did the try cost anything."""
        return self.claimed_by is not None


@dataclass(slots=True)
class Issue:
    """An attempt about to begin."""

    record_id: str
    attempt: int
    token: str
    slot: int | None = None
    limit_key: str | None = None
    key_slot: int | None = None
    version: int | None = None
    """The record's version once the move that begins this attempt is made."""


class Reported(NamedTuple):
    """What a runner reports of one attempt."""

    position: int
    token: str
    outcome: str
    report: str | None = None
    shape: str | None = None
    facts: str | None = None
    gates: str | None = None

    @property
    def is_plain(self) -> bool:
        """Done, and nothing else to keep."""
        return self.outcome == "done" and self.facts is None and self.report is None and self.gates is None


PLAIN_REPORT = "outcome = 'done' AND shape IS NULL AND facts IS NULL AND report IS NULL AND gates IS NULL"
"""The condition on a work row whose report needs no judging."""


def as_claimed(rows: Sequence[tuple[Any, ...]], runner: str) -> list[Attempt]:
    rest = (runner, *[None] * (len(COLUMNS) - len(CLAIMED) - 1))
    return [Attempt._make((*row, *rest)) for row in rows]


def tokens(count: int) -> list[str]:
    """Random, 128 bits each, from one reading of the system's source."""
    every = random_bytes(16 * count).hex()
    return [every[start : start + 32] for start in range(0, 32 * count, 32)]


IS_UNIFORM = (
    "(outcome = 'done' AND report IS NULL AND gates IS NULL AND coalesce(shape, '') <> '*' AND (shape IS NULL) = (facts IS NULL) "
    f"AND coalesce(length(facts), 0) <= {FACTS_LIMIT})"
)
"""The condition on a work row whose report says nothing but that the work is done, and with facts of which columns."""


class ReportGroup(NamedTuple):
    """Reports of one stage and scope whose facts are of the same columns; uniform ones say no more than that, and need no judging."""

    stage: str
    scope: str
    shape: str | None
    uniform: bool
