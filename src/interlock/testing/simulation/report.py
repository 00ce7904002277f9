"""The result of a simulation: how much was played, which faults were injected, and the history that broke a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any


@dataclass
class SimulationReport:
    """Histories that were played without a violation."""

    seed: int
    histories: int = 0
    entries: int = 0
    misfortunes: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    digest: str = ""

    def take(self, digest: str, entries: int, causes: Counter[str]) -> None:
        self.histories += 1
        self.entries += entries
        self.causes += causes
        self.digest = sha256(f"{self.digest}{digest}".encode()).hexdigest()

    @property
    def points(self) -> int:
        """Return at how many different statements a fault was injected."""
        return len(self.misfortunes)

    def __str__(self) -> str:
        struck = Counter(point.partition(" ")[0] for point in self.misfortunes.elements())
        words = {
            "crash": "processes killed",
            "lost": "connections lost",
            "unheard": "commits told to have failed",
        }
        points = ", ".join(f"{struck[name]:,} {text}" for name, text in words.items())
        return f"{self.histories:,} histories, {self.entries:,} entries, {points} at {self.points:,} different statements: nothing is wrong"


class HistoryFailed(AssertionError):
    """A history in which something happened that must never happen; its seed replays it exactly."""

    def __init__(self, seed: int, findings: Sequence[str], trace: Sequence[str]) -> None:
        self.seed, self.findings, self.trace = seed, list(findings), list(trace)
        summary = "\n".join(
            [
                f"seed {seed}: {len(self.findings)} things are wrong",
                *(f"  {finding}" for finding in self.findings[:20]),
                "what happened:",
                *(f"  {line}" for line in self.trace),
            ]
        )
        super().__init__(f"{summary}\nthe same again: simulate(…, histories=1, seed={seed})")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it, so that another process can raise it as the same error."""
        return type(self), (self.seed, self.findings, self.trace)
