"""Rounds of ours and of what stands beside it, in turns: whatever else the machine does meanwhile, it does to both."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from .kind import MOVES

Round = Callable[[Sequence[int], int], None]
"""Moves these ids from one state to the next; the second argument says which of the four moves it is."""


@dataclass(frozen=True)
class Size:
    """How much of one measurement: so many records a round, so many times through all four moves."""

    batch: int
    records: int
    cycles: int

    @property
    def needed(self) -> int:
        return self.records * (self.cycles + 1)


@dataclass
class Pace:
    """Moves a second of one side, round by round, and the CPU that this process spent on each move."""

    rates: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def add(self, moves: int, seconds: float, cpu: float) -> None:
        self.rates.append(moves / seconds)
        self.cpu.append(cpu / moves * 1e6)

    @property
    def per_second(self) -> float:
        return median(self.rates)

    @property
    def drift(self) -> float:
        """How far the second half of the rounds lies from the first, as a share."""
        half = len(self.rates) // 2
        if not half:
            return 0.0
        return abs(median(self.rates[half:]) - median(self.rates[:half])) / self.per_second


def cycles(ids: Iterator[int], size: Size) -> Iterator[tuple[bool, list[int], int]]:
    """(counted, ids, move) of every round; the first cycle is not counted: plans, caches and connections warm up in it."""
    for cycle in range(size.cycles + 1):
        chosen = [next(ids) for _ in range(size.records)]
        for step in range(len(MOVES)):
            yield cycle > 0, chosen, step


def timed(round_: Round, ids: Sequence[int], step: int) -> tuple[float, float]:
    """Seconds by the clock and by this process's CPU."""
    began, cpu = time.perf_counter(), time.process_time()
    round_(ids, step)
    return time.perf_counter() - began, time.process_time() - cpu


def in_turns(ids: Iterator[int], size: Size, *sides: Round) -> list[Pace]:
    """Every side makes every round's moves on its own copy of the same records, one side after the other."""
    paces = [Pace() for _ in sides]
    for counted, chosen, step in cycles(ids, size):
        for pace, side in zip(paces, sides, strict=True):
            seconds, cpu = timed(side, chosen, step)
            if counted:
                pace.add(len(chosen), seconds, cpu)
    return paces


def in_batches(move: Callable[[Sequence[int], int], None], batch: int) -> Round:
    def round_(ids: Sequence[int], step: int) -> None:
        for start in range(0, len(ids), batch):
            move(ids[start : start + batch], step)

    return round_


def one_by_one(move_one: Callable[[int, int], None]) -> Round:
    def round_(ids: Sequence[int], step: int) -> None:
        for id in ids:
            move_one(id, step)

    return round_
