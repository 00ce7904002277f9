"""A metric with its samples, independent of any format: what the engine measures, and what a workflow adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Shape = Literal["gauge", "counter", "histogram"]


class Spread(NamedTuple):
    """How many took at most each bound, the last without one, and what all took together."""

    bounds: tuple[float, ...]
    counts: tuple[int, ...]
    total: float


@dataclass
class Figure:
    """One name with its samples by label values; a counter's name ends in `_total`."""

    name: str
    help: str
    labels: tuple[str, ...] = ()
    shape: Shape = "gauge"
    samples: dict[tuple[str, ...], float] = field(default_factory=dict)
    spreads: dict[tuple[str, ...], Spread] = field(default_factory=dict)

    def put(self, value: float, *labels: str) -> None:
        """Set one sample; an earlier one with the same labels is replaced."""
        self.samples[labels] = value

    def add(self, value: float, *labels: str) -> None:
        self.samples[labels] = self.samples.get(labels, 0) + value


def spread(bounds: Sequence[float], by_bucket: Sequence[int], total: float) -> Spread:
    """From how many fell into each bucket to how many took at most each bound."""
    counts, so_far = [], 0
    for number in by_bucket:
        so_far += number
        counts.append(so_far)
    return Spread(tuple(bounds), tuple(counts), total)
