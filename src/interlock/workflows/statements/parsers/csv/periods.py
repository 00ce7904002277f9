"""The period that the lines before a table state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise

from ..dates import read_date
from ..pdf.dates import ranges_in
from .table import Row

Period = tuple[date | None, date | None]
_FIRST = re.compile(
    r"(?:(?:date|period|statement|transactions?) )?(?:from|start(?:s|ing)?)(?: date)?|von|ab|zeitraum von|desde|du|dal|van|fra|fr[åa]n|od",
    re.IGNORECASE,
)
_LAST = re.compile(
    r"(?:(?:date|period|statement|transactions?) )?(?:to|until|through|till|end(?:s|ing)?)(?: date)?|bis|zeitraum bis|hasta|au|al|tot|til|"
    r"till och med|do",
    re.IGNORECASE,
)


def stated_period(preamble: Sequence[Row], order: str) -> Period:
    """The first period that these lines name, in one line or with its first and its last day under labels of their own. Where the rows
    write the year first, days of the lines may come in either order: one that is open states none."""
    orders = (order,) if order in ("mdy", "dmy") else ("dmy", "mdy")
    found = {one: _period(preamble, one) for one in orders}
    periods = {period for period in found.values() if None not in period}
    return periods.pop() if len(periods) == 1 else (None, None)


def _period(preamble: Sequence[Row], order: str) -> Period:
    lines = [[cell for cell in row.cells if cell] for row in preamble]
    ranges = (one for cells in lines for one in ranges_in(" - ".join(cells), order == "dmy"))
    if found := next(ranges, None):
        return found
    labelled = [pair for cells in lines for pair in _labelled(cells)]
    first, last = (
        next((day for label, text in labelled if names.fullmatch(label) and (day := _day(text, order))), None)
        for names in (_FIRST, _LAST)
    )
    return (first, last) if first and last and first <= last else (None, None)


def _labelled(cells: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The pairs of a label and what stands behind it, in two cells or behind a colon."""
    for cell in cells:
        label, _, text = cell.partition(":")
        yield label.strip(), text.strip()
    for label, text in pairwise(cells):
        yield label.strip(" :"), text


def _day(text: str, order: str) -> date | None:
    return read_date(text, "ymd") or read_date(text, order)
