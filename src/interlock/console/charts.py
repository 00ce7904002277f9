"""Small charts: a row of numbers as bars in a box of fixed size. The page draws the rectangles; the sentence beside them says the same."""

from __future__ import annotations

from collections.abc import Sequence

GAP = 0.25
"""The share of a step that stays empty between two bars."""


def bars_of(
    numbers: Sequence[int], *, wide: float, high: float, least: float
) -> list[dict[str, float | bool]]:
    """A bar for each number, the largest as high as the box. A zero is `least` high, or left out where that is 0; any other number
    can be seen. The last bar is marked as `now`."""
    most, step = max(numbers, default=0) or 1, wide / max(1, len(numbers))
    bars: list[dict[str, float | bool]] = []
    for place, number in enumerate(numbers):
        height = max(least, 2.0 if number else 0.0, high * number / most)
        if height:
            bars.append(
                {
                    "x": round(place * step, 1),
                    "y": round(high - height, 1),
                    "width": round(step * (1 - GAP), 1),
                    "height": round(height, 1),
                    "is_now": place == len(numbers) - 1,
                }
            )
    return bars
