"""What a mutant is, and the ways in which one changes the protocol: a method silenced, a statement or an order said otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from interlock.coordinator import Coordinator
from interlock.store.work.rows import WorkRows
from interlock.testing.simulation import World

Change = Callable[["Mutant", pytest.MonkeyPatch], None]


@dataclass
class Mutant:
    """One change of the protocol, and the workflow that shows what comes of it."""

    name: str
    change: Change
    played: str = "statements"
    met: int = 0
    spoil: Callable[[World], None] | None = None
    also: dict[str, Any] = field(default_factory=dict)

    def meet(self) -> None:
        self.met += 1


def collected_in(mutants: list[Mutant]) -> Callable[..., Callable[[Change], Change]]:
    """What declares the mutants of a module: the workflow that meets the change, and more that it needs."""

    def mutant(played: str = "statements", **more: Any) -> Callable[[Change], Change]:
        def keep(change: Change) -> Change:
            mutants.append(Mutant(change.__name__.replace("_", " "), change, played, **more))
            return change

        return keep

    return mutant


def silenced(self: Mutant, patch: pytest.MonkeyPatch, owner: type, name: str, answer: Any) -> None:
    """A method that does nothing any more."""

    def nothing(*_: Any, **__: Any) -> Any:
        self.meet()
        return answer() if callable(answer) else answer

    patch.setattr(owner, name, nothing)


def said_otherwise(self: Mutant, patch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """A statement of the work rows that has lost, or changed, a condition."""
    real = WorkRows.run

    def run(rows: WorkRows, tx: Any, statement: str, *args: Any, **kwargs: Any) -> Any:
        if old in statement:
            self.meet()
        return real(rows, tx, statement.replace(old, new), *args, **kwargs)

    patch.setattr(WorkRows, "run", run)


def ordered_otherwise(
    self: Mutant, patch: pytest.MonkeyPatch, wanted: Callable[[Any], bool], change: Callable[[Any], Any]
) -> None:
    """A coordinator that asks the authority for something else."""
    real = Coordinator.move

    def move(coordinator: Coordinator, tx: Any, transit: Any, *args: Any, **kwargs: Any) -> Any:
        if wanted(transit):
            self.meet()
            transit = change(transit)
        return real(coordinator, tx, transit, *args, **kwargs)

    patch.setattr(Coordinator, "move", move)
