"""Edge is one legal move as declared; it says where a move leads and who may take it, and must never decide whether it is taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

State = str | None
Kind = Literal["plain", "retry", "operator"]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Edge:
    """A way out of a state."""

    to: State
    kind: Kind = "plain"
    role: str | None = None

    @property
    def words(self) -> str:
        """What people read beside the arrow; a plain move needs no word."""
        if self.kind == "operator":
            return f"{self.role} only"
        return "retry" if self.kind == "retry" else ""


def retry(to: State) -> Edge:
    """A way back out of a failed state, taken only when somebody retries the record."""
    return Edge(to, "retry")


def operator(to: State, *, role: str = "operator") -> Edge:
    """A move that only a person of this role makes, with a reason."""
    return Edge(to, "operator", role)
