"""Plays two acts in every order that their statements can come in, each time on records of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.permutation.scheduler import Act, Actor, Scheduler


@dataclass
class Playing:
    """One interleaving: who took each step, and what every act came to."""

    order: tuple[str, ...]
    actors: Mapping[str, Actor]

    def answer(self, name: str) -> object:
        return self.actors[name].answer

    def __str__(self) -> str:
        told = {name: iter(actor.statements) for name, actor in self.actors.items()}
        steps = [f"  {name}: {next(told[name], '?')[:150]}" for name in self.order]
        ends = [f"  {name} → {actor.answer!r}" for name, actor in self.actors.items()]
        return "\n".join(["this interleaving:", *steps, "came to:", *ends])


def every_interleaving(scheduler: Scheduler, stage: Callable[[], Mapping[str, Act]]) -> Iterator[Playing]:
    """`stage` sets up fresh records and gives the acts; depth first, so each order is played exactly once."""
    planned: list[str] = []
    while True:
        path: list[tuple[str, list[str]]] = []

        def choose(
            ready: list[str], path: list[tuple[str, list[str]]] = path, planned: list[str] = planned
        ) -> str:
            wanted = planned[len(path)] if len(path) < len(planned) else ready[0]
            chosen = wanted if wanted in ready else ready[0]  # a deadlock's victim is the server's choice
            path.append((chosen, ready))
            return chosen

        actors = scheduler.play(stage(), choose)
        yield Playing(tuple(chosen for chosen, _ in path), actors)
        while path and path[-1][0] == path[-1][1][-1]:
            path.pop()
        if not path:
            return
        chosen, ready = path.pop()
        planned = [name for name, _ in path] + [ready[ready.index(chosen) + 1]]
