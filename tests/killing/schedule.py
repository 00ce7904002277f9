"""Random schedules of faults: drawn from a seed, the same from the same seed, and readable when one of them fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

WINDOW = 2.5
"""Seconds in which faults happen; then the system is left alone and must come to its end."""
LONGER_THAN_A_LEASE = 3.2
BEHAVIOURS = ("plain", "plain", "plain", "slow", "flaky", "again")
ODDS = (25, 60, 150, 400)
FAULTS = {"kill": 6, "freeze": 2, "terminate": 2}
SERVER_FAULTS = {"kill server": 1, "restart server": 1, "drop connections": 3}


@dataclass(frozen=True)
class Fault:
    """Something that happens to somebody after so many seconds."""

    at: float
    what: str
    who: str = ""


@dataclass(frozen=True)
class Schedule:
    """Everything about one run that chance decides."""

    seed: int
    crew: tuple[tuple[str, str], ...]
    """(role, name) of each place in the crew; whoever dies is replaced, until the end."""
    batches: tuple[tuple[float, tuple[str, ...]], ...]
    """When records are brought, and how each of them behaves."""
    faults: tuple[Fault, ...]
    odds: int
    """One in so many crash points is the last of its process."""
    orderly: bool
    """Whether everybody is told to end, or is killed, once all is done."""

    def __str__(self) -> str:
        faults = ", ".join(f"{fault.at:.2f}s {fault.what} {fault.who}".strip() for fault in self.faults)
        brought = ", ".join(f"{at:.2f}s {len(rows)}" for at, rows in self.batches)
        return f"seed {self.seed}: {' '.join(name for _, name in self.crew)}; records {brought}; odds 1 in {self.odds}; faults {faults}"


def drawn(seed: int, *, server: bool) -> Schedule:
    """The schedule of a seed; `server`: whether there is a database server to be killed too."""
    chance = Random(seed)
    crew = draw_crew(chance)
    weights = {**FAULTS, **(SERVER_FAULTS if server and chance.random() < 0.6 else {})}
    faults = sorted(
        (draw_fault(chance, weights, [name for _, name in crew]) for _ in range(chance.randint(3, 8))),
        key=lambda one: one.at,
    )
    batches = tuple(
        (
            chance.uniform(0, WINDOW * 0.8) if number else 0.0,
            tuple(chance.choices(BEHAVIOURS, k=chance.randint(3, 10))),
        )
        for number in range(3)
    )
    return Schedule(
        seed, tuple(crew), tuple(sorted(batches)), tuple(faults), chance.choice(ODDS), chance.random() < 0.3
    )


def draw_crew(chance: Random) -> list[tuple[str, str]]:
    """Coordinators share one host name in half of the schedules; identity is each process's own."""
    host = "one-host" if chance.random() < 0.5 else None
    roles = chance.choice(
        (
            ["coordinator", "coordinator", "runner", "runner"],
            ["coordinator", "runner", "runner"],
            ["both", "both"],
            ["coordinator", "both", "runner"],
        )
    )
    return [(role, f"{host or role}/{number}") for number, role in enumerate(roles)]


def draw_fault(chance: Random, weights: dict[str, int], names: Sequence[str]) -> Fault:
    what = chance.choices(list(weights), weights=list(weights.values()))[0]
    return Fault(chance.uniform(0.1, WINDOW), what, "" if what in SERVER_FAULTS else chance.choice(names))
