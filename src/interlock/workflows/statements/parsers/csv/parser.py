"""The parser of one source type: several layouts of one bank, each a mapping; the first that the file has is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...normalize.currencies import MINOR_UNITS
from ...parsed import Parsed, ParseFault, Remark
from ..amounts import amount_of
from ..contract import Document
from ..currency_words import currency_beside, named_currency
from ..dates import read_date
from ..institutions import institution_in
from .known_headers import COMMON
from .mapping import CsvMapping, Flow, When, plain_names
from .reading import read_table
from .roles import is_number, mostly
from .table import Table, find_table, first_rows
from .words import FEE, INCOME, PAYMENT, PENDING, SETTLED, role_of

MIME = "text/csv"
MOST_STATES = 5
"""A column with more different words is none of states."""
CONFIGURED = "configured"
"""The layout of a mapping that a person wrote: what it says of a table holds."""
FEW_NAMES = 5
FEW_ROWS = 3
TURNED = (
    "payments and purchases have the signs that this card prints the other way round; read by their words"
)
MOSTLY_CREDITS = (
    "most amounts have the sign of a credit on this card, and none is called a payment; they may be purchases"
)
NOT_FOLLOWED = "the column “{}” does not follow from the rows; lines that were left out may count in it, or rows are missing"
OTHER_WAY: dict[Flow, Flow] = {"inverted": "printed", "printed": "inverted"}
INSTITUTIONS = {
    "amex_csv": "American Express",
    "apple_card_csv": "Apple Card",
    "bofa_csv": "Bank of America",
    "capital_one_csv": "Capital One",
    "chase_csv": "Chase",
    "citi_csv": "Citi",
    "discover_csv": "Discover",
    "n26_csv": "N26",
    "paypal_csv": "PayPal",
    "rbc_csv": "Royal Bank of Canada",
    "revolut_csv": "Revolut",
    "venmo_csv": "Venmo",
    "wells_fargo_csv": "Wells Fargo",
    "wise_csv": "Wise",
}
"""The banks of bundled source types, as uploads name them."""


@dataclass(frozen=True)
class CsvParser:
    """Knows its tables by their headers."""

    source_type: str
    mappings: tuple[CsvMapping, ...]

    @property
    def parser_id(self) -> str:
        return f"csv:{self.source_type}"

    @property
    def version(self) -> str:
        return max(mapping.version for mapping in self.mappings)

    def confidence(self, document: Document) -> float:
        found = (
            mapping.certainty
            for mapping in self.mappings
            if (table := find_table(document.text_head, mapping)) is not None
            and not has_other_money(table, mapping)
            and (mapping.layout == CONFIGURED or is_own(table, mapping, document.text_head))
            and not names_another(table, mapping, self.source_type)
            and not has_names_above(table, mapping)
        )
        return max(found, default=0.0) if document.text_head and not document.is_pdf else 0.0

    def parse(self, document: Document) -> Parsed:
        text = document.text
        for mapping in self.mappings:
            table = find_table(document.text_head, mapping)
            if table is not None:
                own = with_own_columns(table, mapping, document.text_head)
                parsed = self._checked(text, own, table, document.doubts)
                if own.balance != mapping.balance and parsed.rows_skipped and not follows(parsed):
                    parsed = self._checked(
                        text, replace(own, balance=mapping.balance, balance_by=()), table, document.doubts
                    )
                    parsed.warnings.append(Remark(NOT_FOLLOWED.format(own.balance)))
                parsed.warnings += [
                    remark
                    for rule in own.skip
                    if rule.pattern == PENDING
                    for remark in unknown_states(_cells(table, rule.column, document.text_head))
                ]
                return parsed
        raise ParseFault(
            "LAYOUT_MISMATCH",
            f"no table of {self.source_type} was found: {self._expected()}; the file begins with {beginning(document)}",
        )

    def _checked(self, text: str, mapping: CsvMapping, table: Table, doubts: Sequence[Remark]) -> Parsed:
        """The table as its bank prints it; one of a card whose payments and purchases go the other way is read so, and in doubt."""
        parsed = self._read(text, mapping, table, list(doubts))
        flows = [leg.flow for leg in mapping.legs]
        if not mapping.is_card or len(flows) != 1 or flows[0] not in OTHER_WAY:
            return parsed
        payments, purchases = signs_by_words(parsed)
        if payments < 0 and purchases < 0:
            legs = tuple(replace(leg, flow=OTHER_WAY[leg.flow]) for leg in mapping.legs)
            parsed = self._read(text, replace(mapping, legs=legs), table, list(doubts))
            parsed.warnings.append(Remark(TURNED, topic="signs"))
        elif purchases < 0 and payments == 0 and (parsed.balances or len(parsed.rows) >= FEW_ROWS):
            parsed.warnings.append(Remark(MOSTLY_CREDITS, topic="signs"))
        return parsed

    def _read(self, text: str, mapping: CsvMapping, table: Table, doubts: list[Remark]) -> Parsed:
        parsed = Parsed(self.parser_id, mapping.version, self.source_type, MIME, warnings=doubts)
        parsed.institution = INSTITUTIONS.get(self.source_type, "")
        parsed.account_type = "credit_card" if mapping.is_card else ""
        parsed.names_directions = {"in", "out"} <= {leg.flow for leg in mapping.legs}
        return read_table(text, mapping, table, parsed)

    def _expected(self) -> str:
        return " or ".join(
            f"a header with {', '.join(mapping.header)}"
            if mapping.header
            else f"rows of {len(mapping.columns)} cells"
            for mapping in self.mappings
        )


def signs_by_words(parsed: Parsed) -> tuple[int, int]:
    """Of a card: how many more payments raise what the holder has than lower it, and how many more purchases lower it than raise it."""
    payments = purchases = 0
    for row in parsed.rows:
        value = (amount_of(row.amount, row.decimal_separator or ".") or 0) * row.sign
        if PAYMENT.search(row.description):
            payments += (value > 0) - (value < 0)
        elif not INCOME.search(row.description):
            purchases += (value < 0) - (value > 0)
    return payments, purchases


def follows(parsed: Parsed) -> bool:
    """Whether every balance follows from the rows."""
    return all(balance.agrees for balance in parsed.balances)


def unknown_states(states: Sequence[str]) -> list[Remark]:
    """A remark on rows whose state is a word that says neither that they are booked nor that they are not."""
    known = re.compile(f"{SETTLED}|{PENDING}", re.IGNORECASE)
    others = sorted({state for state in states if not known.fullmatch(state)})
    if not others or len(set(states)) == 1 or len(others) > MOST_STATES:
        return []
    return [Remark(f"rows with the state {', '.join(others)} are taken as booked")]


def with_own_columns(table: Table, mapping: CsvMapping, head: str) -> CsvMapping:
    """The mapping with columns that it does not name and the table has: what the rows state of their currency wins over the bank's."""
    if mapping.layout == CONFIGURED or not mapping.header:
        return mapping
    if currency := _unread(table, mapping, "currency"):
        codes = {text.upper() for text in _cells(table, currency, head)}
        if codes & MINOR_UNITS.keys():
            mapping = replace(mapping, currency_column=currency)
    balance = _unread(table, mapping, "balance")
    if balance and mostly(_cells(table, balance, head), is_number):
        by = (mapping.currency_column,) if mapping.currency_column else ()
        mapping = replace(mapping, balance=balance, balance_by=by)
    ruled = {place for rule in mapping.skip for place in table.columns.places(rule.column)}
    states = [
        When(name, PENDING)
        for place, name in enumerate(table.columns.names)
        if role_of(name) == "status" and place not in ruled
    ]
    return replace(mapping, skip=(*mapping.skip, *states))


def _unread(table: Table, mapping: CsvMapping, role: str) -> str:
    """The first column of this role, where the mapping reads none."""
    reads_currency = mapping.currency_column or any(leg.currency for leg in mapping.legs)
    reads_balance = mapping.beginning or table.columns.has(mapping.balance)
    if {"currency": reads_currency, "balance": reads_balance}[role]:
        return ""
    return next((name for name in table.columns.names if role_of(name) == role), "")


def _cells(table: Table, name: str, head: str) -> list[str]:
    """What the column holds in the first rows of the file."""
    below = (row.cells for row in first_rows(head, table.delimiter) if row.line > table.line)
    return [text for cells in below if (text := table.columns.cell(cells, name))]


def is_own(table: Table, mapping: CsvMapping, head: str) -> bool:
    """Whether neither the header nor the rows of a table show that it is another bank's."""
    return (
        is_own_header(table, mapping)
        and not has_other_currency(table, mapping, head)
        and not has_other_days(table, mapping, head)
    )


def has_other_currency(table: Table, mapping: CsvMapping, head: str) -> bool:
    """Whether a column of the table, or the sign beside every amount, names another currency than the bank's: then it is another bank's."""
    if mapping.currency_column or any(leg.currency for leg in mapping.legs):
        return False
    name = _unread(table, mapping, "currency")
    codes = {text.upper() for text in _cells(table, name, head)} & MINOR_UNITS.keys() if name else set()
    amounts = [text for leg in mapping.legs for text in _cells(table, leg.amount, head)]
    codes = codes or {currency_beside(text, mapping.currency)[0] for text in amounts}
    return bool(codes) and mapping.currency not in codes


def has_other_days(table: Table, mapping: CsvMapping, head: str) -> bool:
    """Whether most days of the table cannot be read in any of the orders that the bank writes: then it is another bank's."""
    days = [text for text in _cells(table, mapping.date, head) if text[:1].isdigit()]
    read = max(
        (sum(read_date(text, order) is not None for text in days) for order in mapping.dates), default=0
    )
    return bool(days) and read < len(days) / 2


def is_own_header(table: Table, mapping: CsvMapping) -> bool:
    """Whether a table that is known by names that any bank uses has them in the order of this bank, and neither accounts nor fees."""
    names = [plain_names(reference)[0] for reference in mapping.header]
    if not names or not COMMON.issuperset(names):
        return True
    places = [place for reference in mapping.header for place in table.columns.places(reference)[:1]]
    others = {name for place, name in enumerate(table.columns.names) if place not in places}
    has_more = any(role_of(name) == "account" or FEE.fullmatch(name) for name in others)
    return places == sorted(places) and not has_more


def has_other_money(table: Table, mapping: CsvMapping) -> bool:
    """Whether a table that is known by a few common names has a column of debits, credits or balances that the mapping does not read:
    then it is another bank's."""
    used = {place for leg in mapping.legs for place in table.columns.places(leg.amount)}
    for reference in (mapping.balance, mapping.beginning, mapping.ending, *mapping.header):
        used.update(table.columns.places(reference))
    names = table.columns.names if 0 < len(mapping.header) <= FEW_NAMES else []
    return any(
        role_of(name) in ("debit", "credit", "balance")
        for place, name in enumerate(names)
        if place not in used
    )


def has_names_above(table: Table, mapping: CsvMapping) -> bool:
    """Whether a table that is known by its rows alone has a line of names above them: then it is a table with a header, and another."""
    above = table.preamble[-1].cells if table.preamble and not mapping.header else []
    filled = [cell for cell in above if cell]
    return len(filled) > len(mapping.columns) / 2 and not any(any(map(str.isdigit, cell)) for cell in filled)


def names_another(table: Table, mapping: CsvMapping, source_type: str) -> bool:
    """Whether the lines before the table name another bank or another currency than the mapping's."""
    before = [" ".join(row.cells) for row in table.preamble]
    bank, currency = institution_in(before), named_currency("\n".join(before))
    own = INSTITUTIONS.get(source_type)
    is_other_bank = bank is not None and own is not None and bank.name != own
    return is_other_bank or (bool(currency) and not mapping.currency_column and currency != mapping.currency)


def beginning(document: Document) -> str:
    """The first row, for a message; short."""
    found: Sequence[str] = next((row.cells for row in first_rows(document.text_head, ",")), [])
    text = ", ".join(found)
    return repr(text if len(text) <= 80 else f"{text[:77]}…") if text else "nothing that is text"
