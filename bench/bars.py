"""The bars to reach, and a line of the table that is held against them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

BARS = {
    "contacts": (0.95, 0.95),
    "move_many 500": (0.5, 0.8),
    "move_many 100": (0.4, 0.7),
    "move beside pgbench": (0.6, 0.85),
    "W beside hand-written SQL": (0.3, 0.6),
    "W beside pgqueuer": (10, 20),
    "W beside dbos": (20, 50),
    "W beside procrastinate": (20, 50),
    "W beside celery": (20, 50),
    "W, many finished beside none": (0.9, 0.97),
    "Python CPU of W": (25, 8),
    "memory of W": (150, 80),
    "admit → handler p50": (6, 3),
    "admit → handler p99": (20, 8),
    "event → move p50": (5, 2),
    "machine.check": (1e6, 3e6),
    "facts beside pgqueuer": (8, 15),
    "due of 500": (15, 15),
    "idle sweep": (10, 10),
    "themes, many waiting beside few": (1.1, 1.05),
    "legacy write, in place, p99": (50, 10),
    "legacy write, beside, p99": (50, 10),
    "move_many 500, many finished beside none": (0.9, 0.97),
}

CURATION_BARS: dict[tuple[str, str], tuple[tuple[float, float], tuple[float, float]]] = {
    ("sqlite", "Discarded"): ((0.3, 0.3), (5, 5)),
    ("sqlite", "Selected"): ((0.3, 0.3), (5, 5)),
    ("postgresql", "Discarded"): ((0.3, 0.3), (8, 8)),
    ("postgresql", "Selected"): ((0.3, 0.3), (8, 8)),
}
"""Seconds of the preview and of the act, by database and decision; of 100,000 records."""
SHAPE_BARS = {
    "facts": (0.6, 0.85),
    "two_axes": (0.5, 0.75),
    "driven_axis": (0.5, 0.75),
    "hook": (0.6, 0.8),
    "scoped": (0.7, 0.9),
    "failures": (0.6, 0.85),
    "save_many": (0.3, 0.5),
    "themes": (0.3, 0.5),
    "gates": (2_000, 5_000),
    "content": (300, 1_000),
    "children": (20_000, 40_000),
    "statements": (200, 500),
}
"""Of plain W in the same run, or by the second; the same on both databases."""


@dataclass(frozen=True)
class Line:
    """One measurement: ours, what is beside it, their ratio; `value` is what the bar is asked of."""

    measure: str
    database: str
    finished: int | None
    ours: float
    unit: str
    beside: float | None = None
    drift: float | None = None
    cpu: float | None = None
    bar: tuple[float, float] | None = None
    lower: bool = False
    """Less is better: time, CPU, memory."""

    @property
    def ratio(self) -> float | None:
        return None if self.beside is None else self.ours / self.beside

    @property
    def value(self) -> float:
        return self.ours if self.ratio is None else self.ratio

    @property
    def reached(self) -> str:
        if self.bar is None:
            return ""
        sign = -1 if self.lower else 1
        first, goal = (sign * one for one in self.bar)
        return "goal" if sign * self.value >= goal else "first bar" if sign * self.value >= first else "no"

    def facts(self) -> dict[str, Any]:
        return {**asdict(self), "ratio": self.ratio, "reached": self.reached}


def bar_of(measure: str, database: str) -> tuple[float, float] | None:
    """The bars are PostgreSQL's; SQLite's ratios are shown without."""
    return None if database == "sqlite" else BARS.get(measure)


def shape_bar(shape: str) -> tuple[float, float] | None:
    return SHAPE_BARS.get(shape)


def compared(lines: list[Line]) -> list[Line]:
    """The largest pile of finished records beside none: the ratio of the two ratios."""
    found = []
    for database in dict.fromkeys(line.database for line in lines):
        rows = {
            line.finished: line
            for line in lines
            if line.database == database and line.measure == "move_many 500" and line.ratio
        }
        if 0 in rows and len(rows) > 1:
            most = rows[max(number for number in rows if number is not None)]
            name = "move_many 500, many finished beside none"
            found.append(
                Line(
                    name,
                    database,
                    most.finished,
                    most.ratio or 0,
                    "ratio",
                    rows[0].ratio,
                    max(most.drift or 0, rows[0].drift or 0),
                    bar=bar_of(name, database),
                )
            )
    return found
