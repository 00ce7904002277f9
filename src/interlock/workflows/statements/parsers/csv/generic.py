"""Reads a table of a bank that nobody described: finds delimiter, header, columns and sign, makes a mapping of them and reads with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from ...parsed import Parsed, ParseFault, Remark
from ..amounts import amount_of, decimal_mark, says_direction
from ..contract import Document
from ..currency_words import code_in, iban_currency, named_currency
from ..dates import are_dotted, dotted_order, is_date, likeliest_order, read_date, with_full_stops
from ..day_order import foreign_words, is_of_day_first
from ..institutions import Institution, country_currency, dollar_of, institution_in
from ..pdf.dates import ranges_in
from ..text import decode
from .checks import Step, newest_first
from .known_headers import KnownHeader, bank_of_header, currency_of_words
from .mapping import Columns, CsvMapping, Flow, Leg, When, plain
from .parser import MIME, beginning
from .reading import read_table
from .roles import Roles, by_contents, by_names, by_sums, column, is_number
from .table import Row, Table, as_table, delimiters, first_rows
from .words import (
    IN_WORDS,
    INCOME,
    OUT_WORDS,
    PAYMENT,
    PENDING,
    SETTLED,
    SPENDING,
    WAGES,
    currency_in,
    role_of,
)

VERSION = "1.0.0"
MOST = 0.6
"""Of the rows: so many must follow from their neighbours before the direction in which balances run means anything."""
MOST_STATES = 5
"""A column with more different words is none of states."""
AS_ON_A_CARD = "payments are negative and charges positive, as on a card: positive is taken as money out"
OWED = "payments are negative and charges positive, as on a card: positive is taken as money out, and the balance as what is owed"
MOSTLY_POSITIVE = "most amounts are positive and raise the balance: if it is what is owed on a card, they are money out and not money in"
UNNAMED = "no column is called money in or out: “{}” is taken as money in, for the balance rises by it"
BARE_DOLLAR = "several countries write $, and the file names none of them; USD is assumed"


@dataclass(frozen=True, slots=True)
class RecognisedTable:
    """A table and what its columns are."""

    table: Table
    roles: Roles
    names: Sequence[str]
    body: Sequence[Sequence[str]]
    has_header: bool

    @property
    def score(self) -> float:
        return (
            (0.5 if self.has_header else 0.3)
            + (0.05 if self.roles.description else 0)
            + min(len(self.body), 40) / 1000
        )


@dataclass(frozen=True)
class GenericCsv:
    """The last resort for tables; says what it assumed."""

    parser_id: str = "csv:generic"
    version: str = VERSION
    source_type: str = "csv"

    def confidence(self, document: Document) -> float:
        if not document.text_head or document.is_pdf:
            return 0.0
        found = find(document.text_head) or find(as_table(document.text_head))
        return found.score if found is not None else 0.0

    def parse(self, document: Document) -> Parsed:
        text = decode(document.content)
        found = find(document.text_head)
        if found is None and (table := as_table(text)):
            text, found = table, find(table)
        if found is None:
            raise ParseFault(
                "LAYOUT_MISMATCH",
                "no table with a date and an amount column was found; the file begins with "
                f"{beginning(document)}. A mapping in the settings can name the columns",
            )
        mapping, remarks = describe(found, document.name)
        parsed = Parsed(
            self.parser_id, self.version, self.source_type, MIME, warnings=remarks, layout_is_inferred=True
        )
        known = bank_of_header(found.names)
        parsed.institution = known.institution if known else ""
        if any(remark.message in (AS_ON_A_CARD, OWED) for remark in remarks):
            parsed.account_type = "credit_card"
        is_doubted = any(remark.topic == "signs" for remark in remarks)
        parsed.are_signs_decided = not is_doubted and _are_signs_named(found, mapping, known)
        read_table(text, mapping, found.table, parsed)
        parsed.are_signs_decided &= not _words_contradict(parsed)
        return parsed


def _words_contradict(parsed: Parsed) -> bool:
    """Whether rows whose words name income or spending mostly go the other way than their words."""
    moved = [
        (row.description, (amount_of(row.amount, row.decimal_separator or ".") or 0) * row.sign)
        for row in parsed.rows
    ]
    balance = sum(
        (1 if value > 0 else -1) * (1 if WAGES.search(text) else -1)
        for text, value in moved
        if bool(WAGES.search(text)) != bool(SPENDING.search(text))
    )
    return balance < 0


def with_columns(document: Document, columns: Mapping[str, str], otherwise: Parsed) -> Parsed:
    """The table read by the columns that a person named, or what was read before where it has no such columns."""
    found = find(document.text_head) if document.text_head else None
    if found is None:
        return otherwise
    names = [plain(name) for name in found.names]
    places = {role: names.index(plain(name)) for role, name in columns.items() if plain(name) in names}
    if len(places) < len(columns):
        return otherwise
    roles = copy(found.roles)
    for role, place in places.items():
        setattr(roles, role, [place] if role == "description" else place)
    if "amount" in places:
        roles.debit = roles.credit = -1
    elif "debit" in places or "credit" in places:
        roles.amount = -1
    if not roles.is_table:
        return otherwise
    mapping, remarks = describe(replace(found, roles=roles), document.name)
    parsed = Parsed(
        otherwise.parser_id,
        otherwise.parser_version,
        otherwise.source_type,
        MIME,
        warnings=remarks,
        layout_is_inferred=True,
    )
    return read_table(decode(document.content), mapping, found.table, parsed)


@lru_cache(maxsize=8)
def find(head: str) -> RecognisedTable | None:
    """The likeliest table of a file's beginning; asked when its kind is detected, and again when it is read."""
    every = [
        found
        for delimiter in delimiters(head)
        if (found := _find_with(first_rows(head, delimiter), delimiter)) is not None
    ]
    return max(every, key=lambda one: one.score, default=None)


def _find_with(rows: Sequence[Row], delimiter: str) -> RecognisedTable | None:
    for find_roles in (by_names, by_sums):
        for place, row in enumerate(rows):
            if sum(bool(cell) for cell in row.cells) < 2:
                continue
            body = [one.cells for one in rows[place + 1 :] if len(one.cells) >= 2]
            if find_roles is by_sums and not _is_head(row.cells, body):
                continue
            roles = find_roles(row.cells, body)
            if roles.is_table:
                names = unique_names(_without_empty_end(row.cells, body))
                return RecognisedTable(
                    Table(delimiter, row.line, Columns(names), list(rows[:place])),
                    roles,
                    names,
                    body,
                    True,
                )
    return _headerless(rows, delimiter)


def _without_empty_end(cells: Sequence[str], body: Sequence[Sequence[str]]) -> Sequence[str]:
    """The header without last columns that have no name and are empty in most rows: what stands there is in the wrong place."""
    end = len(cells)
    while end and not cells[end - 1] and len(column(body, end - 1)) < len(body) / 2:
        end -= 1
    return cells[:end]


def _is_head(cells: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether a row is as wide as those under it and holds words alone."""
    widest = max((len(one) for one in body), default=0)
    return len(cells) >= widest >= 3 and not any(is_number(cell) or is_date(cell) for cell in cells)


def _headerless(rows: Sequence[Row], delimiter: str) -> RecognisedTable | None:
    widths = [len(row.cells) for row in rows if len(row.cells) > 1]
    if not widths:
        return None
    usual = max(set(widths), key=widths.count)
    body = [row for row in rows if len(row.cells) >= usual]
    roles = by_contents([row.cells for row in body])
    if roles.date >= 0 and len(body) > 2 and not is_date(_cell(body[0].cells, roles.date)):
        body = body[1:]  # a title or a balance that is as wide as the rows
        roles = by_contents([row.cells for row in body])
    if not roles.is_table or not roles.description or len(body) < len(rows) * 0.5:
        return None
    width = len(body[0].cells)
    above = [row.cells for row in rows if row.line < body[0].line and len(row.cells) == width]
    above = [cells for cells in above if not any(is_number(cell) for cell in cells)]
    if any(role_of(plain(_cell(cells, roles.amount))) == "balance" for cells in above):
        return None  # a table of balances alone has no amounts
    names = [f"column {place + 1}" for place in range(max(len(row.cells) for row in body))]
    first = body[0].line
    return RecognisedTable(
        Table(delimiter, first - 1, Columns(names), [row for row in rows if row.line < first]),
        roles,
        names,
        [row.cells for row in body],
        False,
    )


def _cell(cells: Sequence[str], place: int) -> str:
    return cells[place] if place < len(cells) else ""


def unique_names(cells: Sequence[str]) -> list[str]:
    """Names to refer to columns by; one that is empty or repeated is named by its place."""
    seen: set[str] = set()
    names = []
    for place, cell in enumerate(cells):
        name = cell.replace("|", "/") if cell and cell.casefold() not in seen else f"column {place + 1}"
        seen.add(name.casefold())
        names.append(name)
    return names


def describe(found: RecognisedTable, name: str = "") -> tuple[CsvMapping, list[Remark]]:
    """The mapping of this table, and what had to be assumed; the file's name only hints."""
    roles, names = found.roles, found.names
    amounts = (
        column(found.body, roles.amount)
        if roles.amount >= 0
        else column(found.body, roles.debit) + column(found.body, roles.credit)
    )
    balances = column(found.body, roles.balance) if roles.balance >= 0 else []
    mark = decimal_mark([*amounts, *balances], "")
    found = replace(found, roles=copy(roles))
    roles = found.roles
    legs, remarks = _legs(found, mark or ".")
    remarks += _unknown_states(found)
    if roles.are_flows_unnamed:
        remarks.append(Remark(UNNAMED.format(names[roles.credit]), topic="signs"))
    known = bank_of_header(names) if found.has_header else None
    currency = _currency(found, amounts) or (known.currency if known else "")
    stated = currency
    if not currency and roles.currency < 0:
        currency, remark = _assumed_currency(found, amounts, mark, name)
        remarks.append(Remark(remark, topic="currency"))
    if roles.currency >= 0 and role_of(plain(names[roles.currency])) == "" and found.has_header:
        named = currency_in(names[roles.amount]) if roles.amount >= 0 else ""
        if named and named not in column(found.body, roles.currency):
            roles.currency = (
                -1
            )  # codes under a name that says nothing, and the amounts' own name says another currency
    codes = column(found.body, roles.currency) if roles.currency >= 0 else []
    habit = next(iter(codes), "").upper() or currency
    if codes:
        stated = max(set(codes), key=codes.count).upper()
    dates = _orders(found, known, mark, habit, stated)
    mapping = CsvMapping(
        "csv",
        layout="generic",
        date=names[roles.date],
        description=tuple(names[place] for place in roles.description) or (names[roles.date],),
        legs=legs,
        header=() if not found.has_header else tuple(names),
        columns=tuple(names),
        dates=dates,
        decimal="",
        currency=currency or "USD",
        currency_column=_name(names, roles.currency),
        account=_name(names, roles.account),
        balance=_name(names, roles.balance),
        balance_by=(names[roles.currency],) if len(set(codes)) > 1 else (),
        reference=_name(names, roles.reference),
        category=_name(names, roles.category),
        posted=_name(names, roles.posted),
        trade=tuple((name, names[place]) for name, place in roles.trade.items()),
        skip=(When(names[roles.status], PENDING),) if roles.status >= 0 else (),
    )
    return mapping, remarks


def _unknown_states(found: RecognisedTable) -> list[Remark]:
    """A remark on rows whose state is a word that says neither that they are booked nor that they are not."""
    states = column(found.body, found.roles.status) if found.roles.status >= 0 else []
    known = re.compile(f"{SETTLED}|{PENDING}", re.IGNORECASE)
    others = sorted({state for state in states if not known.fullmatch(state)})
    if not others or len(set(states)) == 1 or len(others) > MOST_STATES:
        return []
    return [Remark(f"rows with the state {', '.join(others)} are taken as booked")]


def _orders(
    found: RecognisedTable, known: KnownHeader | None, mark: str, habit: str, stated: str
) -> tuple[str, ...]:
    """The orders of day and month to try, the likeliest first; a bank that is known by its header writes days in one order."""
    dates = column(found.body, found.roles.date)
    if known is not None and known.order != "ymd" and all(read_date(text, known.order) for text in dates):
        return ("ymd", known.order)
    if are_dotted(dates):
        return with_full_stops(dates, ("ymd", "dmy", "mdy"), _settled_order(found, dates, mark, stated))
    if mark == "," or habit not in ("USD", "") or "." in "".join(dates[:1]):
        return ("ymd", "dmy", "mdy")
    return ("ymd", "mdy", "dmy")


def _settled_order(found: RecognisedTable, dates: Sequence[str], mark: str, stated: str) -> str:
    """The order of dates with full stops by what else the file shows: other dates, the period it names, its decimal mark, the currency it
    states, the language of its header and of the lines before it. Empty where nothing does."""
    before = [" - ".join(cell for cell in row.cells if cell) for row in found.table.preamble]
    others = [found.roles.posted] if found.roles.posted >= 0 else []
    shown = "\n".join([*before, *(text for place in others for text in column(found.body, place))])
    if order := dotted_order(shown) or _order_by_period(before, dates):
        return order
    words = foreign_words(" ".join([*(found.names if found.has_header else ()), *before]))
    bank = institution_in(before)
    is_day_first = (
        mark == ","
        or is_of_day_first(stated)
        or (bank is not None and is_of_day_first(bank.currency))
        or bool(words)
        or "data" in (plain(name) for name in found.names)
        or (found.has_header and bool(currency_of_words(found.names)))
    )
    return "dmy" if is_day_first else ""


def _order_by_period(before: Sequence[str], dates: Sequence[str]) -> str:
    """The only order in which all dates lie in a period that the lines before the table name."""
    fitting = []
    for order in ("dmy", "mdy"):
        ranges = [one for text in before for one in ranges_in(text, order == "dmy")]
        days = [read_date(text, order) for text in dates]
        if any(all(day is not None and start <= day <= end for day in days) for start, end in ranges):
            fitting.append(order)
    return fitting[0] if len(fitting) == 1 else ""


def _assumed_currency(
    found: RecognisedTable, amounts: Sequence[str], mark: str, name: str
) -> tuple[str, str]:
    """The likeliest currency of a file that names none, and the remark that says so."""
    has_dollars = any("$" in text for text in amounts[:20])
    bank: Institution | None = institution_in([re.sub(r"[_.\-\d]+", " ", name)])
    if bank is not None and bank.currency:
        return (
            bank.currency,
            f"the file names no currency; {bank.currency} is assumed, for its name is that of {bank.name}",
        )
    text = " ".join(" ".join(cells) for cells in found.body[:50])
    country = dollar_of(text) if mark != "," else ""
    if has_dollars:
        code = country or "USD"
        return (
            code,
            BARE_DOLLAR
            if code == "USD"
            else f"several countries write $; {code} is assumed by the words of the rows",
        )
    words = currency_of_words(found.names) if found.has_header else ""
    dates = column(found.body, found.roles.date)
    order, _ = likeliest_order(dates, ("ymd", "mdy", "dmy"))
    habit = "EUR" if mark == "," else "GBP" if order == "dmy" and not are_dotted(dates) else "USD"
    code = words or country or habit
    return code, f"the file names no currency; {code} is assumed"


def _name(names: Sequence[str], place: int) -> str:
    return names[place] if place >= 0 else ""


def _currency(found: RecognisedTable, amounts: Sequence[str]) -> str:
    """Named in the header, or beside the amounts."""
    places = [
        place
        for place in (found.roles.amount, found.roles.debit, found.roles.credit, found.roles.balance)
        if place >= 0
    ]
    in_header = next(
        (code for place in places if found.has_header and (code := currency_in(found.names[place]))), ""
    )
    before = "\n".join(" ".join(row.cells) for row in found.table.preamble)
    own = " ".join(column(found.body[:1], found.roles.account)) if found.roles.account >= 0 else ""
    bank = institution_in(before.splitlines())
    has_dollars = any("$" in text for text in amounts[:20])
    return (
        in_header
        or next((code for text in amounts[:20] if (code := currency_in(text) or code_in(text))), "")
        or named_currency(before)
        or (dollar_of(before) if has_dollars else "")
        or _of_the_bank(bank, before)
        or iban_currency(before)
        or iban_currency(own)
        or code_in(before)
        or country_currency(before)
    )


def _of_the_bank(bank: Institution | None, before: str) -> str:
    """The bank's own currency, unless the account's IBAN or words of banking before the table are another country's."""
    others = {iban_currency(before), country_currency(before)} - {""}
    return bank.currency if bank and others <= {bank.currency} else ""


def _legs(found: RecognisedTable, mark: str) -> tuple[tuple[Leg, ...], list[Remark]]:
    roles, names = found.roles, found.names
    if roles.amount < 0:
        return (Leg(names[roles.debit], "out"), Leg(names[roles.credit], "in")), []
    amount = names[roles.amount]
    values = [
        (cells, value)
        for cells in found.body
        if roles.amount < len(cells) and (value := amount_of(cells[roles.amount], mark)) is not None
    ]
    unsigned = bool(values) and all(value >= 0 for _, value in values)
    if unsigned and any(says_direction(cells[roles.amount], mark) for cells, _ in values):
        return _by_credit_mark(amount)
    if unsigned and roles.direction >= 0:
        return _by_direction(found, amount)
    if roles.direction >= 0 and _signs_contradict(found, values):
        return _by_direction(found, amount)
    flow, remark = _flow(found, values, unsigned, mark)
    if flow == "owed":
        roles.balance, flow = -1, "inverted"
    return (Leg(amount, flow),), [Remark(remark, topic="signs")] if remark else []


def _are_signs_named(found: RecognisedTable, mapping: CsvMapping, known: KnownHeader | None) -> bool:
    """Whether the file itself says which way money went: columns that are called so, a word on every row that says what its sign says,
    or signs of both kinds under a header whose bank is known."""
    roles = found.roles
    flows = [leg.flow for leg in mapping.legs]
    if flows == ["out", "in"]:
        names = [leg.amount for leg in mapping.legs]
        is_by_word = bool(mapping.legs[0].when)
        if is_by_word or not found.has_header:
            return is_by_word
        is_named = [role_of(plain(name)) for name in names] == ["debit", "credit"]
        came = column(found.body, roles.credit)
        return is_named and not any(text.startswith(("-", "−")) for text in came)
    mark = decimal_mark(column(found.body, roles.amount), "") or "."
    if all(says_direction(text, mark) for text in column(found.body, roles.amount)):
        return True
    if flows != ["printed"]:
        return False
    values = [amount_of(cells[roles.amount], mark) for cells in found.body if roles.amount < len(cells)]
    has_both = any(value and value < 0 for value in values) and any(value and value > 0 for value in values)
    if known is not None and has_both:
        return True
    if roles.direction < 0 or not has_both:
        return False
    said = [
        cells[roles.direction].casefold() in (OUT_WORDS if value < 0 else IN_WORDS)
        for cells in found.body
        if max(roles.direction, roles.amount) < len(cells) and (value := amount_of(cells[roles.amount], mark))
    ]
    return all(said)


def _signs_contradict(found: RecognisedTable, values: Sequence[tuple[Sequence[str], Decimal]]) -> bool:
    """Whether every debit is printed as plus and every credit as minus: the words say the direction, the signs are the other side's."""
    place = found.roles.direction
    said = [(cells[place].casefold(), value) for cells, value in values if place < len(cells) and value]
    debits, credits = (
        [value > 0 for word, value in said if word in words] for words in (OUT_WORDS, IN_WORDS)
    )
    return bool(debits) and bool(credits) and all(debits) and not any(credits)


def _by_direction(found: RecognisedTable, amount: str) -> tuple[tuple[Leg, ...], list[Remark]]:
    """A column says the direction; where it has words for one direction only, rows without a word go the other."""
    place, name = found.roles.direction, found.names[found.roles.direction]
    words = [cells[place].casefold() for cells in found.body if place < len(cells)]
    blank = {"in": "", "out": ""}
    if "" in words and not any(word in OUT_WORDS for word in words):
        blank["out"] = "|"
    elif "" in words and not any(word in IN_WORDS for word in words):
        blank["in"] = "|"
    return (
        Leg(amount, "out", when=(When(name, _either(OUT_WORDS) + blank["out"]),)),
        Leg(amount, "in", when=(When(name, _either(IN_WORDS) + blank["in"]),)),
    ), []


def _by_credit_mark(amount: str) -> tuple[tuple[Leg, ...], list[Remark]]:
    """CR stands beside credits and nothing beside debits; the mark itself says the direction, so only the bare ones need a sign."""
    return (Leg(amount, "inverted"),), [Remark("amounts without CR are taken as money out", severity="info")]


def _either(words: frozenset[str]) -> str:
    return "|".join(sorted(word.replace("+", r"\+") for word in words))


def _flow(
    found: RecognisedTable, values: Sequence[tuple[Sequence[str], Decimal]], unsigned: bool, mark: str
) -> tuple[Flow | Literal["owed"], str]:
    """The balance decides if there is one; else what payments and charges say; else it is as printed."""
    steps = _steps(found, mark)
    turned = [replace(step, value=-step.value) for step in steps]
    as_printed, inverted = _agreeing(steps), _agreeing(turned)
    runs = max(as_printed, inverted) > MOST * (len(steps) - 1)
    if steps and runs and _runs_against_dates(found, steps if as_printed >= inverted else turned):
        found.roles.balance = -1  # it stands before the row, where it fits only the opposite sign
        return _by_payments(found, mark)
    if unsigned and as_printed + inverted and as_printed < len(steps) - 1:
        return "balance", "amounts have no sign; the running balance says which way the money went"
    if inverted > as_printed:
        return "inverted", "the running balance falls where amounts are positive: positive is money out"
    if as_printed:
        turned_too, _ = _by_payments(found, mark)
        return ("owed", OWED) if turned_too == "inverted" else ("printed", _doubt_of_signs(found, values))
    return _by_payments(found, mark)


def _doubt_of_signs(found: RecognisedTable, values: Sequence[tuple[Sequence[str], Decimal]]) -> str:
    """Why a balance that rises with the amounts may still be what is owed: most amounts are positive, and few are called income."""
    texts = [
        (value, " ".join(cells[place] for place in found.roles.description if place < len(cells)))
        for cells, value in values
    ]
    unexplained = sum(1 for value, text in texts if value > 0 and not INCOME.search(text))
    negative = sum(1 for value, _ in texts if value < 0)
    return MOSTLY_POSITIVE if negative and unexplained > negative and unexplained > len(texts) / 2 else ""


def _steps(found: RecognisedTable, mark: str) -> list[Step]:
    roles = found.roles
    if roles.balance < 0:
        return []
    steps = []
    for place, cells in enumerate(found.body):
        if (
            max(roles.amount, roles.balance) < len(cells)
            and (value := amount_of(cells[roles.amount], mark)) is not None
        ):
            steps.append(Step(place, value, amount_of(cells[roles.balance], mark)))
    return steps


def _runs_against_dates(found: RecognisedTable, steps: Sequence[Step]) -> bool:
    """Whether balances follow each other upwards where the days go down the page, or the other way round."""
    texts = column(found.body, found.roles.date)
    order, _ = likeliest_order(texts, with_full_stops(texts, ("ymd", "mdy", "dmy")))
    days = [day for text in texts if (day := read_date(text, order))]
    later = sum(one < other for one, other in pairwise(days))
    earlier = sum(one > other for one, other in pairwise(days))
    return later > earlier if newest_first(steps) else earlier > later


def _agreeing(steps: Sequence[Step]) -> int:
    ordered = list(reversed(steps)) if newest_first(steps) else list(steps)
    return sum(
        1
        for before, after in pairwise(ordered)
        if before.balance is not None
        and after.balance is not None
        and abs(before.balance + after.value - after.balance) <= Decimal("0.01")
    )


def _by_payments(found: RecognisedTable, mark: str) -> tuple[Flow, str]:
    """On a card that prints charges positive, payments are negative; on any other, payments to the card are positive."""
    payments = charges = total = positive = income = 0
    for cells in found.body:
        value = amount_of(cells[found.roles.amount], mark) if found.roles.amount < len(cells) else None
        if not value:
            continue
        text = " ".join(cells[place] for place in found.roles.description if place < len(cells))
        total, positive = total + 1, positive + (value > 0)
        if INCOME.search(text) and not PAYMENT.search(text):
            income += 1 if value > 0 else -1
            continue
        if PAYMENT.search(text):
            payments += 1 if value < 0 else -1
        else:
            charges += 1 if value > 0 else -1
    if payments > 0 and charges - max(income, 0) > 0:
        return (
            "inverted",
            AS_ON_A_CARD,
        )
    if income < 0 < charges:
        return (
            "inverted",
            "what is called income is negative and the rest mostly positive: positive is taken as money out",
        )
    if charges - max(income, 0) > 0 and positive == total and _is_three_columns(found):
        return (
            "inverted",
            "every amount is positive, as in a card's list of charges: positive is taken as money out",
        )
    return "printed", ""


def _is_three_columns(found: RecognisedTable) -> bool:
    return [name.casefold() for name in found.names] == ["date", "description", "amount"]
