"""A mirror: columns of the record that a pure function computes from its state rows, for readers who know nothing of scopes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import HookFailed, InterlockError
from ...machine import State

Row = Mapping[str, Any]
MirrorFunction = Callable[[Mapping[str, Row]], Row]
UNSEEN = ("head", "ready_at", "timer_at")
"""Engine values that a mirror does not get: they may change without a move."""


@dataclass(frozen=True, eq=False)
class Mirror:
    """`function` takes all state rows of one record by scope and returns a value for each of `columns`; it must be pure.

    `reads` are the columns of a state row that it gets; all where there are none. `alike` are states that it does not tell apart."""

    axis: str
    columns: tuple[str, ...]
    function: MirrorFunction
    reads: frozenset[str] = frozenset()
    alike: frozenset[State] = frozenset()

    @property
    def name(self) -> str:
        return getattr(self.function, "__name__", "mirror")

    def ignores(self, old: State, new: State) -> bool:
        """Whether a move between these states leaves the mirrored columns as they are."""
        return old in self.alike and new in self.alike

    def compute(self, rows: Mapping[str, Row]) -> dict[str, Any]:
        """The values of the mirrored columns; a fault of the function, or other columns than the declared ones, raises HookFailed."""
        try:
            values = dict(self.function(rows))
        except InterlockError:
            raise
        except Exception as error:
            raise HookFailed(
                f"mirror {self.name} failed: {type(error).__name__}: {error}", hook=self.name
            ) from error
        if set(values) != set(self.columns):
            raise HookFailed(
                f"mirror {self.name} must return {', '.join(self.columns)}, not {', '.join(map(str, values)) or 'nothing'}",
                hook=self.name,
            )
        return values
