"""One line of a table as a transaction, read by what the first rows show of decimal marks, dates and signs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from ...normalize.currencies import MINOR_UNITS
from ..amounts import amount_of, read, shown_decimal_mark
from ..dates import is_date, likeliest_order, read_date, with_full_stops
from ..stated_figures import is_total_alone
from ..text import joined
from .checks import end_of_period, is_balance_or_total, is_total_line
from .mapping import Columns, CsvMapping, Leg, Sign, When
from .table import Row
from .words import PENDING


@dataclass(frozen=True, slots=True)
class Decisions:
    decimal: str
    order: str
    order_is_a_guess: bool
    orders: tuple[str, ...]
    """The orders that were tried."""
    signs: tuple[Sign, ...]
    is_mark_open: bool = False
    """Every amount has three digits behind its only separator, and nothing shows whether they are decimals."""


def decide(mapping: CsvMapping, columns: Columns, sample: Sequence[Row]) -> Decisions:
    shown = shown_decimal_mark(
        (
            text
            for row in sample
            for name in (*(leg.amount for leg in mapping.legs), mapping.balance)
            if (text := columns.cell(row.cells, name))
        ),
        _currencies(mapping, columns, sample),
    )
    decimal = mapping.decimal or shown.mark or "."
    texts = [text for row in sample if (text := columns.cell(row.cells, mapping.date))]
    orders = mapping.dates
    if mapping.layout != "generic":  # there the whole file has been asked
        orders = with_full_stops(texts, orders, "dmy" if decimal == "," else "")
    order, guess = likeliest_order(texts, orders)
    return Decisions(
        decimal,
        order,
        guess,
        orders,
        tuple(_sign(leg, columns, sample, decimal) for leg in mapping.legs),
        is_mark_open=shown.is_open and not mapping.decimal,
    )


def _currencies(mapping: CsvMapping, columns: Columns, sample: Sequence[Row]) -> set[str]:
    """The currencies that the rows name, else that of the mapping."""
    named = (mapping.currency_column, *(leg.currency for leg in mapping.legs))
    codes = {columns.cell(row.cells, name).upper() for row in sample for name in named if name}
    return codes & MINOR_UNITS.keys() or {mapping.currency}


def _sign(leg: Leg, columns: Columns, sample: Sequence[Row], decimal: str) -> Sign:
    if leg.flow in ("printed", "balance"):
        return 1
    if leg.flow == "inverted":
        return -1
    negative = _mostly_negative(leg, columns, sample, decimal)
    if leg.flow == "in":
        return (
            -1 if negative else 1
        )  # some exports print a minus in the credit column; the column's name is what counts
    return 1 if negative else -1


def _mostly_negative(leg: Leg, columns: Columns, sample: Sequence[Row], decimal: str) -> bool:
    balance = 0
    for row in sample:
        text = columns.cell(row.cells, leg.amount)
        if text and columns.holds(row.cells, leg.when):
            value = amount_of(text, decimal)
            balance += 0 if not value else 1 if value > 0 else -1
    return balance < 0


NOTHING = ("-", "–", "—", "--")
"""What stands in a cell that is empty."""
_PLACEHOLDERS = ("", *NOTHING, "*", "**", "=", "#")
_THOUSANDS = re.compile(r"[-+(]?\s?[$€£]?\s?-?\d{1,3}")
_REST_OF_THOUSANDS = re.compile(r"\d{3}(?:\.\d{1,2})?\)?")


@dataclass(frozen=True, slots=True)
class Money:
    """One amount of a line, as printed, and what it means."""

    leg: Leg
    text: str
    value: Decimal
    sign: Sign


@dataclass(frozen=True, slots=True)
class Line:
    """A line with transactions in it."""

    cells: Sequence[str]
    date: str
    description: str
    money: list[Money]
    balance: Decimal | None
    warnings: tuple[str, ...] = ()
    is_long: bool = False
    """It has cells beyond the last column that has a name, and was read as if they were none of its own."""


@dataclass(frozen=True, slots=True)
class Skipped:
    reason: str = ""


HEADER = Skipped("the header again")
NO_AMOUNT = Skipped("no amount")
BY_RULES = "by the mapping's rules"
BESIDE_THE_TABLE = ("no date and no amount", "text below the table")
_AMOUNT_WITH_CENTS = re.compile(r"[-+−(]?\s?\D{0,3}\d[\d.,' \u00a0]*[.,]\d\d\)?\s?(?:\D{1,3})?")
_ROW_IN_A_CELL = re.compile(r"\"?\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}\"*[,;\t|]")
"""The beginning of a row whose delimiters or quotes are spoilt."""
FEWEST_CELLS = 3
LETTERS_OF_WORDS = 4
BOTH_WAYS = "the row has a debit and a credit; an amount may be cut at its thousands separator"
UNEXPLAINED = ("a balance without an amount", "no amount")
STANDING_STILL = (*UNEXPLAINED, "a balance or a total")
"""Why lines are skipped that leave the running balance where it was."""


@dataclass(frozen=True, slots=True)
class Bad:
    error_code: str
    message: str


@dataclass(slots=True)
class LineReader:
    """Reads lines of one table with one mapping and what was decided about the file."""

    mapping: CsvMapping
    columns: Columns
    decisions: Decisions
    width: int = field(init=False)
    _description: int | None = field(init=False)
    _skip: list[When] = field(init=False)
    _legs: list[tuple[Leg, Sign]] = field(init=False)

    def __post_init__(self) -> None:
        names = self.columns.names
        self.width = max((place + 1 for place, name in enumerate(names) if name), default=0)
        self._skip = [rule for rule in self.mapping.skip if self.columns.can_hold(rule)]
        self._legs = [
            (leg, sign)
            for leg, sign in zip(self.mapping.legs, self.decisions.signs, strict=True)
            if self.columns.has(leg.amount)
        ]
        places = [place for name in self.mapping.description for place in self.columns.places(name)[:1]]
        self._description = places[0] if len(places) == 1 else None

    def read(self, cells: list[str]) -> Line | Skipped | Bad:
        if self.columns.is_header(cells):
            return HEADER
        if any(self.columns.holds(cells, (rule,)) for rule in self._skip):
            return Skipped(BY_RULES)
        if len(cells) > self.width and any(cells[self.width :]):
            return self._long(cells)
        return self._judge(cells)

    def is_unexplained(self, cells: Sequence[str], skipped: Skipped) -> bool:
        """Whether a skipped line has a date, and neither a rule nor its words say that it is no transaction."""
        dated = read_date(self.columns.cell(cells, self.mapping.date), self.decisions.order) is not None
        return dated and skipped.reason in UNEXPLAINED

    def is_dated_by_rules(self, cells: Sequence[str], skipped: Skipped) -> bool:
        """Whether a line with a date was left out by a rule."""
        dated = read_date(self.columns.cell(cells, self.mapping.date), self.decisions.order) is not None
        return dated and skipped.reason == BY_RULES

    def is_out_of_place(self, cells: Sequence[str], skipped: Skipped) -> bool:
        """Whether a skipped line looks like a row whose cells moved: a rule left it out and its date stands elsewhere, or it has a date
        and an amount that stand under no such column; or it has a day and an amount of nothing but a fee, or more cells than the table
        has columns; or its cells are not parted."""
        dated = read_date(self.columns.cell(cells, self.mapping.date), self.decisions.order) is not None
        if skipped.reason == BY_RULES:
            return not dated and has_date_and_amount(cells)
        if skipped.reason in BESIDE_THE_TABLE:
            return has_date_and_amount(cells) or _ROW_IN_A_CELL.match(cells[0]) is not None
        return dated and (
            skipped is NO_AMOUNT or (skipped.reason in UNEXPLAINED and any(cells[self.width :]))
        )

    def balance_on(self, cells: Sequence[str]) -> Decimal | None:
        """The running balance of a line."""
        return self._balance(cells)

    def balance_beside(self, cells: Sequence[str]) -> Decimal | None:
        """The running balance of a line with a date."""
        dated = read_date(self.columns.cell(cells, self.mapping.date), self.decisions.order) is not None
        return self._balance(cells) if dated else None

    def totals(self, cells: Sequence[str]) -> list[tuple[bool, Decimal]]:
        """The totals that a line states in columns of money in and of money out, or of amounts with a word for their direction: whether
        each is money in, and how much. None where its words name a total of anything less than all rows."""
        if not _is_total_of_all(cells):
            return []
        found = [
            (leg.flow == "in", amount_of(text, self.decisions.decimal))
            for leg, _, text in self._amount_texts(list(cells))
            if leg.flow in ("in", "out") and not leg.only_if_not_zero and not leg.currency
        ]
        return [(is_in, value) for is_in, value in found if value is not None]

    def moved_by(self, cells: Sequence[str]) -> list[tuple[str, Decimal]]:
        """The column and the value, money in positive, of each amount on a line without a day; none where it has a day or no number."""
        date = self.columns.cell(cells, self.mapping.date)
        if (date and not any(map(str.isalpha, date))) or any(map(str.isdigit, date)):
            return []
        found = [
            (leg.amount, amount_of(text, self.decisions.decimal), sign)
            for leg, sign, text in self._amount_texts(list(cells))
        ]
        return [(name, value * sign) for name, value, sign in found if value is not None]

    def stated_balance(self, cells: Sequence[str]) -> tuple[str, Decimal, Sign] | None:
        """The balance at the beginning or at the ending that stands where amounts do, as `beginning` or `ending`, and the sign that its
        column or a word beside it gives; None where the line has none."""
        name = end_of_period([cell for cell in cells if cell])
        texts = self._amount_texts(list(cells)) if name and not self.mapping.balance else []
        if len(texts) != 1 or texts[0][0].flow not in ("in", "out", "printed"):
            return None
        value = amount_of(texts[0][2], self.decisions.decimal)
        return None if value is None else (name, value, texts[0][1])

    def net_total(self, cells: Sequence[str]) -> Decimal | None:
        """The total of the only column of amounts that a line of totals states."""
        if len(self.mapping.legs) != 1 or self.mapping.legs[0].when or not _is_total_of_all(cells):
            return None
        return amount_of(self.columns.cell(cells, self.mapping.legs[0].amount), self.decisions.decimal)

    def _judge(self, cells: list[str]) -> Line | Skipped | Bad:
        date = self.columns.cell(cells, self.mapping.date)
        if read_date(date, self.decisions.order) is None:
            return self._without_date(cells, date)
        texts = self._amount_texts(cells)
        if not texts:
            return self._without_amount(cells)
        description = self.description(cells)
        balance = self._balance(cells)
        if self.mapping.layout == "generic" and is_balance_or_total(description):
            return Skipped("a balance or a total")
        if (
            not description
            and self.mapping.layout == "generic"
            and any(map(is_balance_or_total, filter(None, cells)))
        ):
            return Skipped("a balance or a total")
        return self._with_money(cells, date, description, texts, balance)

    def _with_money(
        self,
        cells: list[str],
        date: str,
        description: str,
        texts: list[tuple[Leg, Sign, str]],
        balance: Decimal | None,
    ) -> Line | Skipped | Bad:
        money = []
        for leg, sign, text in texts:
            value, says = read(text, self.decisions.decimal)
            if value is None:
                return Bad("AMOUNT_UNPARSABLE", f"{_short(text)} is not an amount")
            if value or not leg.only_if_not_zero:
                money.append(Money(leg, text, value if says else value * sign, sign))
        moved = [one for one in money if one.value] or money[:1]
        flows = [one.leg.flow for one in moved if not one.leg.only_if_not_zero and not one.leg.currency]
        both = (BOTH_WAYS,) if {"in", "out"} <= set(flows) else ()
        return Line(cells, date, description, moved, balance, both) if moved else NO_AMOUNT

    def _amount_texts(self, cells: list[str]) -> list[tuple[Leg, Sign, str]]:
        return [
            (leg, sign, text)
            for leg, sign in self._legs
            if (text := self.columns.cell(cells, leg.amount))
            and text not in NOTHING
            and (not leg.when or self.columns.holds(cells, leg.when))
        ]

    def _balance(self, cells: Sequence[str]) -> Decimal | None:
        text = self.columns.cell(cells, self.mapping.balance)
        return amount_of(text, self.decisions.decimal) if text else None

    def _without_date(self, cells: list[str], date: str) -> Skipped | Bad:
        """Footers, totals and disclaimers have no date and no amount of their own; anything that looks like a transaction is an error."""
        amounts = self._amount_texts(cells)
        first = next((cell for cell in cells if cell), "")
        if amounts and date not in _PLACEHOLDERS and not any(map(str.isalnum, date)):
            return Bad("DATE_UNPARSABLE", f"{_short(date)} is not a date ({self.decisions.order})")
        words = tuple(filter(None, cells)) if not date else (first, self.description(cells))
        if any(is_balance_or_total(text) for text in words):
            return Skipped("a balance or a total")
        if not date[:1].isdigit() and any(is_total_line(text) for text in (first, self.description(cells))):
            return Skipped("a total")
        if re.fullmatch(PENDING, date, re.IGNORECASE) or (not date and any(map(_is_called_pending, cells))):
            return Skipped("pending")
        if not amounts and not (date[:1].isdigit() and len(date) <= 24):
            return Skipped(BESIDE_THE_TABLE[0])
        if not date and not self.columns.reaches(cells, self.mapping.date):
            return Bad("ROW_SHORT", f"only {len(cells)} of {self.width} cells")
        if (
            amounts
            and not date
            and all(amount_of(text, self.decisions.decimal) is None for _, _, text in amounts)
        ):
            return Skipped(BESIDE_THE_TABLE[0])
        if (
            amounts
            and amount_of(amounts[0][2], self.decisions.decimal) is None
            and not is_date(date)
            and not date[:1].isdigit()
        ):
            return Skipped(BESIDE_THE_TABLE[1])
        return Bad("DATE_UNPARSABLE", f"{_short(date)} is not a date ({self.decisions.order})")

    def _without_amount(self, cells: list[str]) -> Line | Skipped | Bad:
        if not any(self.columns.reaches(cells, leg.amount) for leg in self.mapping.legs):
            return Bad("ROW_SHORT", f"only {len(cells)} of {self.width} cells")
        if any(self.columns.cell(cells, column) for name, column in self.mapping.trade if name == "symbol"):
            date = self.columns.cell(cells, self.mapping.date)
            return Line(cells, date, self.description(cells), [], None)  # shares came or went, and no cash
        if self.columns.cell(cells, self.mapping.balance) or is_balance_or_total(self.description(cells)):
            return Skipped("a balance without an amount")
        if any(map(str.isdigit, self.columns.cell(cells, self.mapping.hold))):
            return Skipped("pending")
        return Bad("AMOUNT_MISSING", "the row has a date and no amount")

    def description(self, cells: Sequence[str]) -> str:
        """The description's columns in one text; what one of them already says is not said again."""
        if len(self.mapping.description) == 1:
            return " ".join(self.columns.cell(cells, self.mapping.description[0]).split())
        return joined(self.columns.cell(cells, name) for name in self.mapping.description)

    def _long(self, cells: list[str]) -> Line | Skipped | Bad:
        """More cells than columns: a delimiter inside a description or an amount that was not quoted, or a column without a name."""
        plainly = self._judge(cells)
        extra = max(place for place, cell in enumerate(cells) if cell) + 1 - self.width
        if any(
            _split_thousands(cells, place)
            for leg in self.mapping.legs
            for place in self.columns.places(leg.amount)
        ):
            return Bad(
                "ROW_LONG",
                f"{len(cells)} cells for {self.width} columns, and an amount may be cut at its thousands separator",
            )
        place = self._description
        if place is None or (isinstance(plainly, Line) and place + 1 < self.width):
            return replace(plainly, is_long=True) if isinstance(plainly, Line) else plainly
        merged = self._judge(
            [*cells[:place], ", ".join(cells[place : place + extra + 1]), *cells[place + extra + 1 :]]
        )
        if isinstance(merged, Line):
            return Line(
                merged.cells,
                merged.date,
                merged.description,
                merged.money,
                merged.balance,
                ("a delimiter inside the description was not quoted",),
            )
        return plainly


def _is_called_pending(text: str) -> bool:
    """Whether words begin with a state that is not booked and a colon: `Reserviert: …`."""
    return re.match(rf"(?:{PENDING})\s?:", text, re.IGNORECASE) is not None


def _is_total_of_all(cells: Sequence[str]) -> bool:
    words = [cell for cell in cells if sum(map(str.isalpha, cell)) >= LETTERS_OF_WORDS]
    return any(map(is_total_alone, words))


def has_date_and_amount(cells: Sequence[str]) -> bool:
    """Whether a line has a cell that is a date, another that is an amount with cents, and a third, and calls itself no balance or total."""
    filled = [cell for cell in cells if cell]
    return (
        len(filled) >= FEWEST_CELLS
        and any(is_date(cell) for cell in filled)
        and any(_AMOUNT_WITH_CENTS.fullmatch(cell) for cell in filled if not is_date(cell))
        and not any(is_balance_or_total(cell) or is_total_line(cell) for cell in filled)
    )


def has_lost_its_date(cells: Sequence[str]) -> bool:
    """Whether a line between transactions has words and an amount with cents but no date, and calls itself no balance or total."""
    filled = [cell for cell in cells if cell]
    return (
        not any(is_date(cell) for cell in filled)
        and any(_AMOUNT_WITH_CENTS.fullmatch(cell) for cell in filled)
        and any(sum(map(str.isalpha, cell)) >= LETTERS_OF_WORDS for cell in filled)
        and not any(is_balance_or_total(cell) or is_total_line(cell) for cell in filled)
    )


def _split_thousands(cells: Sequence[str], place: int) -> bool:
    return place + 1 < len(cells) and bool(
        _THOUSANDS.fullmatch(cells[place]) and _REST_OF_THOUSANDS.fullmatch(cells[place + 1])
    )


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}…")
