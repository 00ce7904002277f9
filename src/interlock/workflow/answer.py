"""What a command answers, and what a move was: plain values shared by API, CLI and console."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from ..errors import InterlockError

State = str | None
Verdict = Literal[
    "admitted", "exists", "moved", "unchanged", "refused", "conflict", "unknown", "erased", "deleted"
]


@dataclass(frozen=True, slots=True)
class Move:
    """One entry of history: who moved what, from where to where, when, and why."""

    kind: str
    id: Any
    axis: str
    scope: str | None
    version: int
    old: State
    new: State
    actor: str
    role: str | None
    reason: str | None
    cause: str | None
    facts: Mapping[str, Any]
    at: datetime
    origin: str = "move"

    def history(self) -> dict[str, Any]:
        """The entry in the words of a provenance list."""
        return {
            "timestamp": self.at,
            "from": self.old,
            "to": self.new,
            "trigger": self.cause,
            "actor": self.actor,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command on one record that was refused: who wanted what and why, and the error that answered it. `origin` is "move", "amend",
    "erase" or another word of the ledger; `wanted` is the state that a move asked for."""

    kind: str
    id: Any
    axis: str
    scope: str | None
    origin: str
    wanted: State
    actor: str
    role: str | None
    reason: str | None
    facts: Mapping[str, Any]
    error: InterlockError
    at: datetime


@dataclass(slots=True)
class Answer:
    """What came of one command on one record."""

    id: Any
    outcome: Verdict
    old: State = None
    new: State = None
    version: int | None = None
    driven: list[Move] = field(default_factory=list)
    error: InterlockError | None = None

    @property
    def ok(self) -> bool:
        """Whether the record is now where the command wanted it."""
        return self.error is None
