"""What a statement says besides its rows, to be held against them: the balances of an account, and totals under rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ...parsed import Remark
from .columns import FLOWS
from .drafts import Draft
from .sections import Section, names_a_total
from .tables import Entry


@dataclass
class Segment:
    """One account of the statement: what it says of its balances."""

    account: str = ""
    beginning: Decimal | None = None
    ending: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Total:
    """A total that is printed under rows. Which rows it means, its words do not say: those of its section, those since the last total,
    or all."""

    section: Section
    segment: int
    value: Decimal
    page: int
    begins: tuple[int, int]  # which draft is the section's first, and which the first since the last total
    end: int


def last_digits(account: str) -> str:
    """By which an account is known where the rest of its number is hidden."""
    return re.sub(r"\D", "", account)[-4:]


def total_on(entry: Entry, section: Section) -> Decimal | None:
    """The total that a line states of a section whose rows all go the same way."""
    cells = [cell for cell in entry.cells if entry.table is not None and entry.table.role_of(cell) in FLOWS]
    if (
        not section.direction
        or len(cells) != 1
        or not names_a_total(entry.line.text[: entry.line.starts[cells[0].first]])
    ):
        return None
    return abs(cells[0].money.value)


def disagreeing(totals: Sequence[Total], drafts: Sequence[Draft]) -> list[Remark]:
    """Totals that no rows above them make: where balances prove nothing, they say where a row may be missing or misread."""
    found = []
    for total in totals:
        sums = [
            abs(
                sum(
                    (draft.value for draft in drafts[begin : total.end] if draft.segment == total.segment),
                    Decimal(0),
                )
            )
            for begin in (*total.begins, 0)
        ]
        if total.value not in sums:
            said = f"the total of “{total.section.name}” is {total.value}, but its rows make {sums[0]}"
            found.append(Remark(f"page {total.page}: {said}"))
    return found
