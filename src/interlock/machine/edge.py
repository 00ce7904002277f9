"""Edge is one legal move as declared; it says where a move leads and who may take it, and must never decide whether it is taken."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, get_args

from interlock.errors import BadDeclaration
from interlock.machine.durations import Span, brief, span

State = str | None
Kind = Literal["plain", "retry", "operator", "timer"]
KINDS: tuple[str, ...] = get_args(Kind)
TIMER = "timer"
"""The cause of moves that timers make: nothing else takes an edge of this kind."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One move out of a state. With `after`, a record that has been in the state for so long makes it by itself; an edge of the kind
    `timer` is made in no other case."""

    to: State
    kind: Kind = "plain"
    role: str | None = None
    after: timedelta | None = None

    @property
    def words(self) -> str:
        """What people read beside the arrow; a plain move needs no word."""
        timed = "" if self.after is None else f"after {brief(self.after)}"
        if self.kind == "operator":
            return f"{self.role} only" + (f", or {timed}" if timed else "")
        return "retry" if self.kind == "retry" else timed


def retry(to: State) -> Edge:
    """A move out of a failed state that is made only when a person retries the record."""
    return Edge(to, "retry")


def operator(to: State, *, role: str = "operator") -> Edge:
    """A move that only a person of this role makes, with a reason."""
    return Edge(to, "operator", role)


def after(wait: Span, to: State) -> Edge:
    """A move that a record makes by itself once it has been in the state for so long, by the database's clock. People and stages may make
    it too where the same move is also declared plainly."""
    try:
        return Edge(to, "timer", after=span(wait))
    except BadDeclaration as error:
        raise BadDeclaration(
            f"after({wait!r}, {to!r}): {error}",
            hint='Write how long first, then the state: after("7d", "expired").',
        ) from error
