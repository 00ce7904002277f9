"""Reads a table of a bank that nobody described: makes a mapping of what its columns, currency and days are, and reads with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace

from ...normalize.currencies import MINOR_UNITS
from ...parsed import Parsed, ParseFault, Remark
from ..amounts import amount_of, decimal_mark
from ..contract import Document
from ..currency_words import SYMBOLS, code_in, iban_currency, named_currency
from ..dates import are_dotted, dotted_order, likeliest_order, read_date, with_full_stops
from ..day_order import foreign_words, is_of_day_first
from ..institutions import Institution, country_currency, dollar_of, institution_in
from ..pdf.dates import ranges_in
from .finding import RecognisedTable, find, table_in, unknown_table
from .known_headers import KnownHeader, bank_of_header, currency_of_words
from .mapping import CsvMapping, When, plain
from .parser import MIME, beginning, unknown_states
from .reading import describe_source, read_table
from .roles import column, is_number
from .sections import Section, joined, left_out, sections_of
from .signs import AS_ON_A_CARD, NAMED_A_CARD, OWED, are_signs_named, legs_of, words_contradict
from .words import PENDING, currency_in, role_of

PARSER_ID = "csv:generic"
VERSION = "1.0.0"
UNNAMED = "no column is called money in or out: “{}” is taken as money in, for the balance rises by it"
_SHORT_YEAR_FIRST = re.compile(r"\d{1,2}[-./年]\d{1,2}[-./月]\d{1,2}日?$", re.ASCII)
BARE_DOLLAR = "several countries write $, and the file names none of them; USD is assumed"


@dataclass(frozen=True)
class GenericCsv:
    """The last resort for tables; says what it assumed."""

    parser_id: str = PARSER_ID
    version: str = VERSION
    source_type: str = "csv"

    def confidence(self, document: Document) -> float:
        if not document.text_head or document.is_pdf:
            return 0.0
        _, found = table_in(document.text_head, document.text_head)
        return found.score if found is not None else 0.0

    def parse(self, document: Document) -> Parsed:
        text, found = table_in(document.text, document.text_head)
        if found is None:
            raise ParseFault(
                "LAYOUT_MISMATCH",
                "no table with a date and an amount column was found; the file begins with "
                f"{beginning(document)}. A mapping in the settings can name the columns",
            )
        every = sections_of(text, found.table)
        if every:
            found = find(every[0].head) or found
        parsed = self._read(every[0].text if every else text, found, document.name)
        parsed.warnings += document.doubts
        return read_others(parsed, every, self._read, document.name) if every else parsed

    def _read(self, text: str, found: RecognisedTable, name: str) -> Parsed:
        mapping, remarks = describe(found, name)
        parsed = Parsed(
            self.parser_id, self.version, self.source_type, MIME, warnings=remarks, layout_is_inferred=True
        )
        known = _known_bank(found)
        parsed.institution = known.institution if known else ""
        if any(remark.message in (AS_ON_A_CARD, NAMED_A_CARD, OWED) for remark in remarks):
            parsed.account_type = "credit_card"
        is_doubted = any(remark.topic == "signs" for remark in remarks)
        parsed.are_signs_decided = not is_doubted and are_signs_named(found, mapping, known)
        parsed.names_directions = not is_doubted and are_signs_named(found, mapping, None)
        read_table(text, mapping, found.table, parsed)
        if words_contradict(parsed.rows):
            parsed.are_signs_decided = parsed.names_directions = False
        return parsed


def read_others(
    parsed: Parsed,
    every: Sequence[Section],
    read: Callable[[str, RecognisedTable, str], Parsed],
    name: str,
) -> Parsed:
    """The first table with the others: each is read as a table of its own, unless its title says that it holds no booked rows."""
    others: list[tuple[Section, Parsed]] = []
    for section in every[1:]:
        found = find(section.head)
        if section.left_out_since or found is None:
            parsed.rows_skipped += section.lines
            said = left_out(section)
            is_open = not section.left_out_since
            parsed.warnings.append(
                Remark(f"a table could not be read: “{section.title[:80]}”") if is_open else said
            )
        else:
            others.append((section, read(section.text, found, name)))
    account = every[0].account
    if others:
        parsed.rows = [replace(row, account=row.account or account) for row in parsed.rows]
        parsed.balances = [replace(one, account=one.account or account) for one in parsed.balances]
    return joined(parsed, others)


def unread_table(document: Document) -> Parsed | None:
    """A table without rows, where a file has one of which neither days nor amounts were recognised: columns that a person names make it
    readable. None where the file has no such table."""
    found = None if document.is_pdf else unknown_table(document.text_head)
    if found is None:
        return None
    parsed = Parsed(PARSER_ID, VERSION, "csv", MIME, layout_is_inferred=True)
    describe_source(parsed, found.table)
    return parsed


def with_columns(document: Document, columns: Mapping[str, str], otherwise: Parsed) -> Parsed:
    """The table read by the columns that a person named, or what was read before where it has no such columns."""
    if not document.text_head:
        return otherwise
    text, known = table_in(document.text, document.text_head)
    if (found := known or unknown_table(document.text_head)) is None:
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
        warnings=[*remarks, *document.doubts],
        layout_is_inferred=True,
    )
    every = sections_of(text, found.table)
    read_table(every[0].text if every else text, mapping, found.table, parsed)
    return read_others(parsed, every, GenericCsv()._read, document.name) if every else parsed


def describe(found: RecognisedTable, name: str = "") -> tuple[CsvMapping, list[Remark]]:
    """The mapping of this table, and what had to be assumed; the file's name only hints."""
    roles, names = found.roles, found.names
    amounts = _amounts(found)
    balances = column(found.body, roles.balance) if roles.balance >= 0 else []
    mark = decimal_mark([*amounts, *balances], "", _stated_currencies(found) or ("",))
    found = replace(found, roles=copy(roles))
    roles = found.roles
    legs, remarks = legs_of(found, mark or ".")
    remarks += unknown_states(column(found.body, roles.status) if roles.status >= 0 else [])
    if roles.are_flows_unnamed:
        remarks.append(Remark(UNNAMED.format(names[roles.credit]), topic="signs"))
    if roles.is_date_unnamed:
        day = f"no column is called the day of a transaction: “{names[roles.date]}” is taken"
        remarks.append(Remark(day, topic="dates"))
    remarks += _years_of_an_era(found)
    known = _known_bank(found)
    currency = _currency(found, amounts) or (known.currency if known else "")
    currency = roles.code or next(iter(roles.by_code), "") or currency
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
        known_codes = [code for code in codes if code.upper() in MINOR_UNITS] or [currency or "USD"]
        stated = max(set(known_codes), key=known_codes.count).upper()
        if not found.has_header and _has_other_numbers(found, mark or "."):
            remarks.append(Remark(f"no name says whose currency {stated} is", topic="currency"))
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
        currency=stated or currency or "USD",
        currency_column=_name(names, roles.currency),
        account=_name(names, roles.account),
        balance=_name(names, roles.balance),
        balance_by=(names[roles.currency],) if len(set(codes)) > 1 else (),
        reference=_name(names, roles.reference),
        category=_name(names, roles.category),
        posted=_name(names, roles.posted),
        trade=tuple((name, names[place]) for name, place in roles.trade.items()),
        skip=(When(names[roles.status], PENDING),) if roles.status >= 0 else (),
        hold=_name(names, roles.hold),
    )
    return mapping, remarks


def _amounts(found: RecognisedTable) -> list[str]:
    roles = found.roles
    places = (roles.amount,) if roles.amount >= 0 else (roles.debit, roles.credit)
    return [text for place in roles.by_code.values() or places for text in column(found.body, place)]


def _years_of_an_era(found: RecognisedTable) -> list[Remark]:
    """A remark on years of at most two digits below a Japanese name of a column: they may count from the beginning of a reign."""
    name, days = found.names[found.roles.date], column(found.body, found.roles.date)
    if not re.search("[年日]", name) or not days or not all(_SHORT_YEAR_FIRST.match(day) for day in days):
        return []
    years = "years of at most two digits may be those of a reign; read as those of the common era"
    return [Remark(years, topic="dates")]


def _stated_currencies(found: RecognisedTable) -> set[str]:
    """The currencies that the rows name, else the one that the header, the amounts or the lines before the table do."""
    place = found.roles.currency
    codes = {text.upper() for text in column(found.body, place)} if place >= 0 else set()
    return (
        codes & MINOR_UNITS.keys()
        or set(found.roles.by_code)
        or {found.roles.code or _currency(found, _amounts(found))} - {""}
    )


def _known_bank(found: RecognisedTable) -> KnownHeader | None:
    """The bank that is known by the header, unless the file states another currency or writes days in another order."""
    known = bank_of_header(found.names, _stated_currencies(found)) if found.has_header else None
    days = column(found.body, found.roles.date) if known else []
    if known and not _is_read(days, known.order) and (known.order == "ymd" or not _is_read(days, "ymd")):
        return None  # another bank has the same names
    return known


def _is_read(dates: Sequence[str], order: str) -> bool:
    return all(read_date(text, order) for text in dates if text[:1].isdigit())


def _has_other_numbers(found: RecognisedTable, mark: str) -> bool:
    """Whether a table has amounts on every row beside those that are read and the balances before them: a currency may be theirs."""
    roles, body = found.roles, found.body
    read = {roles.amount, roles.debit, roles.credit, roles.balance}
    for place in range(len(found.names)):
        texts = column(body, place)
        if place in read or len(texts) < len(body) or not all(map(is_number, texts)):
            continue
        if not all(map(str.isdigit, texts)) and not _is_before(found, place, mark):
            return True
    return False


def _is_before(found: RecognisedTable, place: int, mark: str) -> bool:
    """Whether a column is the balance before each row."""
    amount, after = found.roles.amount, found.roles.balance
    if min(amount, after) < 0:
        return False
    values = [
        [amount_of(cells[one], mark) if one < len(cells) else None for one in (place, amount, after)]
        for cells in found.body
    ]
    return all(
        before is not None and moved is not None and before + moved == end for before, moved, end in values
    )


def _orders(
    found: RecognisedTable, known: KnownHeader | None, mark: str, habit: str, stated: str
) -> tuple[str, ...]:
    """The orders of day and month to try, the likeliest first; a bank that is known by its header writes days in one order."""
    dates = column(found.body, found.roles.date)
    if known is not None and known.order != "ymd" and all(read_date(text, known.order) for text in dates):
        return ("ymd", known.order)
    if are_dotted(dates):
        return with_full_stops(dates, ("ymd", "dmy", "mdy"), _settled_order(found, dates, mark, stated))
    before = [" - ".join(cell for cell in row.cells if cell) for row in found.table.preamble]
    if order := _order_by_period(before, dates):
        return ("ymd", order)
    is_abroad = found.has_header and bool(foreign_words(" ".join(found.names)))
    if mark == "," or habit not in ("USD", "") or "." in "".join(dates[:1]) or is_abroad:
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
    country = dollar_of(text)
    if mark == "," and country != "CAD":
        country = ""  # of the countries whose money is a dollar only Canada writes a comma
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
    signs = [set(column(found.body, place)) for place in range(len(found.names))]
    signs = [texts for texts in signs if len(texts) == 1 and not any(map(str.isalpha, "".join(texts)))]
    of_all = next((SYMBOLS[one] for texts in signs for one in texts if one in SYMBOLS), "")
    own = " ".join(column(found.body[:1], found.roles.account)) if found.roles.account >= 0 else ""
    bank = institution_in(before.splitlines())
    has_dollars = any("$" in text for text in amounts[:20])
    balances = column(found.body[:20], found.roles.balance) if found.roles.balance >= 0 else []
    beside = next(
        (code for text in (*amounts[:20], *balances) if (code := currency_in(text) or code_in(text))), ""
    )
    return (
        in_header
        or _yuan_or_yen(beside, amounts)
        or of_all
        or named_currency(before)
        or (dollar_of(before) if has_dollars else "")
        or _of_the_bank(bank, before)
        or iban_currency(before)
        or iban_currency(own)
        or code_in(before)
        or country_currency(before)
    )


def _yuan_or_yen(code: str, amounts: Sequence[str]) -> str:
    """The currency beside amounts; `¥` with cents is none of Japan."""
    has_cents = any(re.search(r"[.]\d\d$", text.strip()) for text in amounts[:20])
    return "CNY" if code == "JPY" and has_cents else code


def _of_the_bank(bank: Institution | None, before: str) -> str:
    """The bank's own currency, unless the account's IBAN or words of banking before the table are another country's."""
    others = {iban_currency(before), country_currency(before)} - {""}
    return bank.currency if bank and others <= {bank.currency} else ""
