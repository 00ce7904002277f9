"""How one layout of a table is described, and how the columns that it names are found and read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ...normalize.date_formats import problem as date_format_problem
from ..dates import ORDERS

Sign = Literal[1, -1]
Flow = Literal["printed", "inverted", "in", "out", "balance"]
"""How a printed number becomes money in (+) or out (−): as printed; the other way; in or out, as the column says; by running balance."""

FLOWS: tuple[Flow, ...] = ("printed", "inverted", "in", "out", "balance")


class MappingInvalid(ValueError):
    """A mapping that cannot be used; says which field is wrong and what it wants."""


@dataclass(frozen=True, slots=True)
class When:
    """A condition on one cell: the whole of it matches, whatever its case. A column that the file does not have is an empty cell."""

    column: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Leg:
    """One amount of a line. Most tables have one column, or one for debits and one for credits; a fee is a leg of its own."""

    amount: str
    flow: Flow = "printed"
    currency: str = ""
    when: tuple[When, ...] = ()
    note: str = ""
    description: tuple[str, ...] = ()
    """Columns that describe this leg, if not those of the whole line."""
    only_if_not_zero: bool = False


@dataclass(frozen=True, slots=True)
class CsvMapping:
    """One table layout. A column is named as in the header, whatever its case; `A|B` is the first of them that exists and is not empty."""

    source_type: str
    date: str
    description: tuple[str, ...]
    legs: tuple[Leg, ...]
    layout: str = "table"
    version: str = "1.0.0"
    header: tuple[str, ...] = ()
    """Columns that must be there; this is how the layout is recognised."""
    columns: tuple[str, ...] = ()
    """Names for the columns of a table that has no header line."""
    fits: tuple[When, ...] = ()
    """What every row of a table without header must hold besides its date and amount."""
    dates: tuple[str, ...] = ("mdy",)
    """`ymd`, `mdy`, `dmy` or formats such as `dd.mm.yyyy`; of several, the one that the file shows."""
    decimal: str = "."
    """`.` or `,`; empty: what the file shows."""
    delimiter: str = ""
    currency: str = "USD"
    currency_column: str = ""
    account: str = ""
    balance: str = ""
    balance_by: tuple[str, ...] = ()
    """Columns that tell apart several running balances in one table."""
    beginning: str = ""
    ending: str = ""
    skip: tuple[When, ...] = ()
    hold: str = ""
    """A column of sums that are blocked: a row that has nothing but one of them is not booked."""
    not_in_balance: tuple[tuple[When, ...], ...] = ()
    posted: str = "Post Date|Posted Date|Posting Date|Date Posted|Clearing Date|Value Date|Wertstellung|Valuta|Value Date (Local)"
    """The day of posting or of value, kept beside the date."""
    reference: str = "Reference|Reference Number|Transaction ID|Transaction Id|TransferWise ID|ID|Check or Slip #|Check Number"
    category: str = "Category|Kategorie"
    """The file's own category."""
    trade: tuple[tuple[str, str], ...] = ()
    """Of a table of trades: pairs of `symbol`, `quantity`, `price`, `action` and the column of each."""
    unique: str = ""
    """A column with an identifier; an identical line with the same one is an artefact of the export and is skipped."""
    is_card: bool = False
    certainty: float = 0.95

    def __post_init__(self) -> None:
        for problem in _problems(self):
            raise MappingInvalid(f"mapping {self.source_type!r} ({self.layout}): {problem}")


def _problems(mapping: CsvMapping) -> list[str]:
    found = []
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,40}", mapping.source_type) or mapping.source_type == "auto":
        found.append("source_type must be lower case letters, digits and underscores, and not 'auto'")
    if not mapping.date:
        found.append("date must name a column")
    if not mapping.description:
        found.append("description must name at least one column")
    if not mapping.legs:
        found.append("an amount column is needed, or a debit and a credit column")
    if not mapping.header and not mapping.columns:
        found.append(
            "header must list the columns that identify the table, or columns must name those of a table without header"
        )
    if mapping.decimal not in (".", ",", ""):
        found.append(f"decimal must be '.', ',' or empty (decided by the file), not {mapping.decimal!r}")
    if mapping.delimiter not in ("", ",", ";", "\t", "|"):
        found.append(
            f"delimiter must be one of , ; | or a tab, or empty (decided by the file), not {mapping.delimiter!r}"
        )
    if not re.fullmatch(r"[A-Z]{3}|", mapping.currency):
        found.append(f"currency must be three capital letters (ISO 4217), not {mapping.currency!r}")
    return [*found, *_date_problems(mapping), *_leg_problems(mapping), *_pattern_problems(mapping)]


def _date_problems(mapping: CsvMapping) -> list[str]:
    if not mapping.dates:
        return ["dates must hold at least one of ymd, mdy, dmy or a format such as dd.mm.yyyy"]
    return [
        f"dates: {order!r} is neither ymd, mdy nor dmy, and {problem}"
        for order in mapping.dates
        if order not in ORDERS and (problem := date_format_problem(order))
    ]


def _leg_problems(mapping: CsvMapping) -> list[str]:
    return [
        f"sign of column {leg.amount!r} must be one of {', '.join(FLOWS)}, not {leg.flow!r}"
        for leg in mapping.legs
        if leg.flow not in FLOWS
    ] + ["every leg must name its amount column" for leg in mapping.legs if not leg.amount]


def _pattern_problems(mapping: CsvMapping) -> list[str]:
    found = []
    for rule in (
        *mapping.skip,
        *(when for leg in mapping.legs for when in leg.when),
        *(when for rules in mapping.not_in_balance for when in rules),
    ):
        try:
            re.compile(rule.pattern)
        except re.error as problem:
            found.append(
                f"pattern {rule.pattern!r} for column {rule.column!r} is not a regular expression: {problem}"
            )
    return found


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """A column's name for comparison: case, spaces, quotes and a byte order mark do not matter."""
    return " ".join(
        unicodedata.normalize("NFKC", name).casefold().replace("\ufeff", "").strip(" \t\"'*").split()
    )


@lru_cache(maxsize=4096)
def plain_names(reference: str) -> tuple[str, ...]:
    """The names of a reference `A|B`, each plain."""
    return tuple(plain(name) for name in reference.split("|")) if reference else ()


class Columns:
    """The header of one table. Every name that is asked for is looked up once."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = [plain(name) for name in names]
        self._first = list(names[:3])
        self._places: dict[str, int] = {}
        for place, name in enumerate(self.names):
            if name:
                self._places.setdefault(name, place)
        self._known: dict[str, tuple[int, ...]] = {}

    def places(self, reference: str) -> tuple[int, ...]:
        """Where the columns `A|B` stand, in that order; those the table lacks are left out."""
        known = self._known.get(reference)
        if known is None:
            known = self._known[reference] = tuple(
                self._places[name] for name in plain_names(reference) if name in self._places
            )
        return known

    def is_header(self, cells: Sequence[str]) -> bool:
        """Whether a row is the header once more, as where several exports were put into one file."""
        return len(cells) > 2 and cells[0] == self._first[0] and cells[:3] == self._first

    def has(self, reference: str) -> bool:
        return bool(self.places(reference))

    def cell(self, cells: Sequence[str], reference: str) -> str:
        """The first of these columns that is not empty in this row."""
        known = self._known.get(reference)
        for place in self.places(reference) if known is None else known:
            if place < len(cells) and cells[place]:
                return cells[place]
        return ""

    def reaches(self, cells: Sequence[str], reference: str) -> bool:
        """Whether the row is long enough to have one of these columns."""
        return any(place < len(cells) for place in self.places(reference))

    def holds(self, cells: Sequence[str], rules: Sequence[When]) -> bool:
        return all(
            re.fullmatch(rule.pattern, self.cell(cells, rule.column), re.IGNORECASE | re.DOTALL)
            for rule in rules
        )

    def can_hold(self, rule: When) -> bool:
        """Whether the table has the column, or its absence fulfils the rule."""
        return self.has(rule.column) or re.fullmatch(rule.pattern, "", re.IGNORECASE | re.DOTALL) is not None
