"""The four moves as somebody would write them by hand: which columns of the record each one sets."""

from __future__ import annotations

from ..kind import MOVES, TABLE

MACHINE = "by hand"
HASH = bytes(range(32))  # the same columns are written, but no chain is computed
AT = ("since", "updated_at")
CLEARED = ("ready_at",)
_DONE = ("error_code", "error_message", "failed_from")
STEPS: tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...] = (
    # set to the move's instant, to null, to zero, counted up
    (AT, CLEARED, (), ("attempt",)),
    ((*AT, "ready_at"), _DONE, ("tries",), ()),
    (AT, CLEARED, (), ("attempt",)),
    (AT, (*CLEARED, *_DONE, "last_retry_at"), ("retry_count",), ()),
)
assert len(STEPS) == len(MOVES)


def assignments(step: int, instant: str) -> str:
    """The record's own columns in the SET of an UPDATE; `instant` is the placeholder of the move's time."""
    instants, nulls, zeros, counted = STEPS[step]
    return ", ".join(
        [
            *(f"{column} = {instant}" for column in instants),
            *(f"{column} = NULL" for column in nulls),
            *(f"{column} = 0" for column in zeros),
            *(f"{column} = {TABLE}.{column} + 1" for column in counted),
        ]
    )
