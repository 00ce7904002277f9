"""Small charts: a row of numbers as bars in a box of fixed size. The page draws the rectangles; the sentence beside them says the same."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from ..observe.activity import Activity
from .words import plural

GAP = 0.25
"""The share of a step that stays empty between two bars."""
FEWEST_STEPS = {60: 12, 600: 36}
"""Seconds of a step of the strip above the slider, and of how many such steps it consists at least."""


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


def strip_of(activity: Activity) -> dict[str, Any]:
    """The bars above the slider: moves by the minute or by ten, from the first one of the last day on, failures in red."""
    counted = activity.minutes or activity.moves
    step = 60 if activity.minutes else 600
    begun = next((position for position, one in enumerate(counted) if one.moves), len(counted))
    counted = counted[min(begun, max(0, len(counted) - FEWEST_STEPS[step])) :]
    ends = counted[-1].at + timedelta(seconds=step) if counted else activity.at
    steps = max(len(counted), FEWEST_STEPS[step])
    first = ends - timedelta(seconds=step * steps)
    moves = sum(one.moves for one in counted)
    most = max((one.moves for one in counted), default=0) or 1
    bars = []
    for position, one in enumerate(counted, steps - len(counted)):
        for number_of, failed in ((one.moves, False), (one.failures, True)):
            if number_of:
                height = max(1.5, round(32 * number_of / most, 1))
                bars.append({"x": position * 10, "y": 32 - height, "height": height, "failed": failed})
    return {
        "bars": bars,
        "width": steps * 10,
        "steps": steps,
        "step": step,
        "first": first,
        "ticks": [first + timedelta(seconds=step * steps * quarter / 4) for quarter in range(4)],
        "moves": moves,
        "failures": sum(one.failures for one in counted),
        "words": plural(moves, "move"),
        "by": "by the minute" if step == 60 else "by ten minutes",
        "is_whole": activity.is_whole,
    }
