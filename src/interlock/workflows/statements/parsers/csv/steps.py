"""Follows running balances through a table: which way the rows run, which way the money went, and whether it all adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from ...parsed import Balance, Remark
from .decide import Sign

_CENT = Decimal("0.01")


@dataclass(slots=True)
class Step:
    """One line's effect: the sum of its amounts as money in (+) or out (−), and the balance printed beside it."""

    row_id: int
    value: Decimal
    balance: Decimal | None
    rows: int = 1


def newest_first(steps: Sequence[Step]) -> bool:
    """Whether each balance follows from the row below it rather than from the row above."""
    upwards = downwards = 0
    for above, below in pairwise(steps):
        if above.balance is not None and below.balance is not None:
            downwards += abs(above.balance + below.value - below.balance) <= _CENT
            upwards += abs(below.balance + above.value - above.balance) <= _CENT
    return upwards > downwards


def in_order(steps: Sequence[Step]) -> list[Step]:
    """Oldest first."""
    return list(reversed(steps)) if newest_first(steps) else list(steps)


def follow(account: str, steps: Sequence[Step]) -> tuple[Balance | None, Remark | None]:
    """Beginning, sum and ending by the running balance; the remark names the first row that does not follow."""
    ordered = in_order(steps)
    places = [place for place, step in enumerate(ordered) if step.balance is not None]
    if not places:
        return None, None
    first, last = places[0], places[-1]
    start, end = ordered[first].balance, ordered[last].balance
    assert start is not None
    assert end is not None
    total = sum((step.value for step in ordered[first : last + 1]), Decimal(0))
    rows = sum(step.rows for step in ordered[first : last + 1])
    remark = _first_break(ordered[first : last + 1])
    if remark is not None and (ends := _in_another_order(ordered[first : last + 1])) is not None:
        return Balance(account, *ends, total, rows, len(places) > 1), None
    return Balance(account, start - ordered[first].value, end, total, rows, len(places) > 1), remark


def _in_another_order(steps: Sequence[Step]) -> tuple[Decimal, Decimal] | None:
    """Rows of a day are often printed in another order than booked; if each begins where another ends, save one, they follow."""
    before = Counter(step.balance - step.value for step in steps if step.balance is not None)
    after = Counter(step.balance for step in steps if step.balance is not None)
    first, last = before - after, after - before
    if first.total() != 1 or last.total() != 1 or before.total() != len(steps):
        return None
    return next(iter(first)), next(iter(last))


def _first_break(ordered: Sequence[Step]) -> Remark | None:
    expected: Decimal | None = None
    breaks: list[tuple[Step, Decimal]] = []
    for step in ordered:
        if expected is not None:
            expected += step.value
        if step.balance is not None:
            if expected is not None and abs(expected - step.balance) > _CENT:
                breaks.append((step, expected))
            expected = step.balance
    if not breaks:
        return None
    step, wanted = breaks[0]
    return Remark(
        f"the running balance does not follow: row {step.row_id} prints {step.balance}, its amount leads to {wanted} "
        f"({len(breaks)} such row{'s' if len(breaks) > 1 else ''})",
        step.row_id,
    )


def by_balance(steps: Sequence[Step]) -> dict[int, Sign]:
    """For amounts without a sign: +1 or −1 per row, as the balance beside it rose or fell; rows that it does not tell are left out."""
    downwards, upwards = _told(steps), _told(list(reversed(steps)))
    return upwards if len(upwards) > len(downwards) else downwards


def _told(ordered: Sequence[Step]) -> dict[int, Sign]:
    told: dict[int, Sign] = {}
    before: Decimal | None = None
    for step in ordered:
        if before is not None and step.balance is not None and step.value:
            change = step.balance - before
            if change and abs(abs(change) - abs(step.value)) <= _CENT:
                told[step.row_id] = 1 if (change > 0) == (step.value > 0) else -1
        before = step.balance if step.balance is not None else before
    return told
