"""A whole statement: from pages to rows with dates, signs and checked balances."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from ...parsed import Balance, ObservedRow, Parsed, ParseFault, Remark, RowError, assume, mismatch
from ..amounts import amount_of
from ..day_order import foreign_words, is_of_day_first
from ..institutions import Institution, institution_in
from ..stated_figures import disagreements, figures_in, is_total_alone
from ..titles import title_in
from .by_place import with_short_amounts, with_sign_columns
from .currency import Currency, currency_of, outside_rows
from .dates import SHORT, Period, Printed, date_at, period_of, with_years_first, with_years_of_reign
from .drafts import Draft, doubt_days
from .lines import THREE_DECIMALS, Line, Page, lines_of, without_repeats
from .money import with_joined_thousands
from .remarks import (
    LINES_READ_FOR_WORDS,
    LISTS_NOTHING,
    keep_mixed_headings,
    remark_on_accounts,
    remark_on_days,
    remark_on_edges,
    remark_on_eras,
    remark_on_left_out,
    remark_on_loan,
    remark_on_pages,
    remark_on_years,
    year_of,
)
from .signs import are_balances_owed, decide, has_both_signs, newest_first
from .summary import (
    EVIDENCE_OF_A_CARD,
    OF_BALANCE,
    TOTAL,
    Segment,
    card_evidence,
    disagreeing,
    is_card,
    is_open,
    loan_evidence,
)
from .tables import Entry, dated_entries, entries_of
from .unusual_tables import (
    with_blocks,
    with_compact_dates,
    with_dates_below,
    with_days_above,
    with_learned_table,
    without_panels,
)
from .walk import Walk

DAY_FIRST = frozenset(
    ("GBP", "EUR", "CHF", "AUD", "NZD", "INR", "BRL", "PLN", "NOK", "DKK", "ZAR", "SGD", "HKD")
)
ACCOUNT_TYPES = {
    "savings": r"\b(?:savings?|sparkonto|livret|ahorro)\b",
    "loan": r"\b(?:loan|mortgage|darlehen)\b",
    "checking": r"\b(?:checking|chequing|current account|girokonto|cuenta corriente|compte courant)\b",
}
LINES_OF_A_TITLE = 25
SHARED_SIGN = re.compile(r"(?<![A-Z])[$¥￥]|[Kk]r|Rs")
GROUPED_BY_DOTS = re.compile(r"\d\.\d{3}(?!\d)")
WHOLE_MONEY = re.compile(
    r"\b(?:JPY|KRW|ISK|VND|CLP|HUF|IDR|COP|PYG|TWD)\b|[¥￥₩₫円원]|[臺台]幣|\byen\b|\bpesos chilenos\b|\b(?:cmf)?chile\b",
    re.IGNORECASE,
)
MONEY_OF_THREE_DECIMALS = re.compile(
    r"\b(?:KWD|BHD|OMR|JOD|TND|LYD|IQD)\b|\b(?:kuwaiti|bahraini|jordanian|tunisian|libyan|iraqi) dinars?\b|\bomani r[iy]y?als?\b|"
    r"\bdinars? tunisiens?\b",
    re.IGNORECASE,
)
NO_ROWS = re.compile(
    r"\bno (?:account )?(?:transactions?|activity|movements?|entries)\b|keine (?:ums[äa]tze|buchungen)|aucune? (?:op[ée]ration|mouvement)|"
    r"sin movimientos|nessun movimento|geen (?:transacties|mutaties)",
    re.IGNORECASE,
)
NOTHING_HAPPENED = re.compile(rf"{NO_ROWS.pattern}|\bthere (?:were|was|are) no\b", re.IGNORECASE)
SPOILT = re.compile(r"“[^”]*[.,]\w{2}\W*” is no amount")
NOTHING_SAID = 25  # characters: less is a stamp on a scan, not a text


@dataclass(frozen=True)
class Kind:
    """What is known of a file before it is read."""

    parser_id: str
    version: str
    source_type: str
    card: bool | None = None  # None: its words decide
    currency: str = ""


@dataclass(frozen=True)
class Reading:
    """One way to read the pages: the lines they make and the rows in them. `name` says what was done otherwise than usual."""

    name: str
    every: list[Line]
    entries: list[Entry]
    walk: Walk


def read_statement(content: bytes, kind: Kind) -> Parsed:
    """The rows of a statement, or the fault that it has none that can be read."""
    from .words import read_pages  # the PDF library is loaded when the first PDF comes

    pages = read_pages(content)
    every = lines_of(pages)
    _refuse_pictures(pages, every)
    card = is_card(every) if kind.card is None else kind.card
    reading = _chosen(pages, _read("", every, card), kind)
    walk = reading.walk
    if not walk.drafts and not walk.errors and not _recognised(walk):
        raise _unreadable(pages)
    parsed = _result(reading, pages, kind)
    if not parsed.rows and not parsed.errors:
        _refuse_unless_empty(reading, parsed)
    return parsed


def _read(name: str, every: list[Line], card: bool) -> Reading:
    marked = without_panels(with_days_above(with_compact_dates(entries_of(without_repeats(every)))))
    entries = with_blocks(with_dates_below(with_short_amounts(with_sign_columns(marked))))
    return Reading(name, every, entries, _best(_walked(entries, card), entries))


def _chosen(pages: list[Page], first: Reading, kind: Kind) -> Reading:
    """The usual reading; where it disagrees with the balances or has no rows, the first other one that agrees with them, and where no
    reading does, one that has rows."""
    if spaced := with_joined_thousands(first.every):
        other = _read("", spaced, first.walk.card)
        if other.walk.drafts and _agrees(
            other.walk
        ):  # figures cut at the space may agree as well, each less its thousands
            return other
    if first.walk.drafts and _agrees(first.walk) is not False and not _is_missing_amounts(first.walk):
        whole = next(_others(pages, first, kind), None) if _agrees(first.walk) is None else None
        is_whole = whole is not None and whole.every[0].whole == 1 and not whole.walk.errors
        return whole if whole is not None and is_whole and _agrees(whole.walk) else first
    second = first
    for other in _others(pages, first, kind):
        if other.walk.drafts and not other.walk.errors and _agrees(other.walk):
            return other
        if not first.walk.drafts and len(other.walk.drafts) > len(second.walk.drafts):
            second = other
    return second


def _is_missing_amounts(walk: Walk) -> bool:
    return any(error.error_code == "AMOUNT_UNPARSABLE" for error in walk.errors)


def _others(pages: list[Page], first: Reading, kind: Kind) -> Iterator[Reading]:
    """Other readings, the likeliest first: numbers without cents, text beyond the page's edge, the other rule of signs, other lines."""
    card = first.walk.card
    if any(WHOLE_MONEY.search(line.text) for line in first.every):
        yield _read(
            "numbers without cents are amounts",
            [Line(line.page, line.y, line.words, line.place, whole=1) for line in first.every],
            card,
        )
    if any(MONEY_OF_THREE_DECIMALS.search(line.text) for line in first.every):
        yield _read(
            "amounts have three decimals",
            [Line(line.page, line.y, line.words, line.place, whole=THREE_DECIMALS) for line in first.every],
            card,
        )
    if any(page.outside for page in pages):
        wider = [replace(page, words=[*page.words, *page.outside]) for page in pages]
        yield _read("text beyond the edges of the page is read", lines_of(wider), card)
    if kind.card is None:
        yield _read("" if card else "a card's statement", first.every, not card)
    for name, same_line in (("words of one line may stand further apart", 0.55), ("lines stand close", 0.12)):
        yield _read(name, lines_of(pages, same_line), card)


def _refuse_unless_empty(reading: Reading, parsed: Parsed) -> None:
    """No rows are a success only where the statement says so: in words, or by balances that are the same at both ends."""
    dated = [entry for entry in dated_entries(reading.entries) if not OF_BALANCE.search(entry.line.text)]
    says = any(NOTHING_HAPPENED.search(line.text) for line in reading.every)
    still = bool(parsed.balances) and all(balance.beginning == balance.ending for balance in parsed.balances)
    skipped_only = reading.walk.skipped >= len(dated) and (says or still)
    if dated and not skipped_only:
        first = dated[0].line.text[:80]
        raise ParseFault(
            "LAYOUT_MISMATCH",
            f"{len(dated)} lines with a date and an amount were found, and none could be read as a transaction; the first: “{first}”",
        )
    if not says and not still:
        raise ParseFault(
            "LAYOUT_MISMATCH",
            "no transactions were found, and the statement does not say that there are none",
        )
    parsed.is_stated_empty = True
    proofs = (any(NO_ROWS.search(line.text) for line in reading.every), still, _has_balances_only(reading))
    if sum(proofs) > 1:
        parsed.warnings[:] = [
            replace(remark, severity="info") if remark.message == LISTS_NOTHING else remark
            for remark in parsed.warnings
        ]


def _has_balances_only(reading: Reading) -> bool:
    """Whether every amount of the pages stands on a line of balances or totals."""
    return all(
        OF_BALANCE.search(entry.line.text) or TOTAL.search(entry.line.text)
        for entry in reading.entries
        if entry.cells
    )


def _best(walk: Walk, entries: list[Entry]) -> Walk:
    """What the heads of tables give; rows without a head instead where there are no others, or where only they agree with the balances."""
    if walk.errors or (walk.drafts and _agrees(walk) is not False):
        return walk
    if walk.undated and _agrees(gaps := _walked(entries, walk.card, gaps=True)):
        return gaps
    if walk.drafts and _agrees(parted := _walked(entries, walk.card, splits=True)):
        return parted
    if walk.drafts and _agrees(beside := _walked(with_learned_table(entries, keeps_tables=True), walk.card)):
        return beside
    learned = _walked(with_learned_table(entries), walk.card)
    if learned.undated and _agrees(learned) is False:
        gaps = _walked(with_learned_table(entries), walk.card, gaps=True)
        if gaps.drafts and _agrees(gaps):
            return gaps
    return learned if learned.drafts and (not walk.drafts or _agrees(learned)) else walk


def _walked(entries: list[Entry], card: bool, *, gaps: bool = False, splits: bool = False) -> Walk:
    walk = Walk(card, gaps, splits).through(entries)
    if card and has_both_signs(walk.drafts):
        walk.guessed = decide(walk.drafts, walk.segments, card=False, turns=False)
        walk.is_owed = False
        if _agrees(walk) and any((one.beginning or 0) < 0 or (one.ending or 0) < 0 for one in walk.segments):
            return walk  # what is owed has its minus like the rows that add to it
        walk = Walk(card, gaps, splits).through(entries)
    if not card:
        walk.loan = loan_evidence([entry.line for entry in entries])
        walk.is_owed = True if are_balances_owed(walk.drafts, walk.segments, walk.loan) else None
    walk.guessed = decide(walk.drafts, walk.segments, walk.owes)
    if len(walk.segments) == 1:
        _end_with_due(walk, walk.segments[0])
    return walk


def _end_with_due(walk: Walk, segment: Segment) -> None:
    """Take what is due on a card, or is there now, as the ending, where no other is stated and the rows lead to it to the cent."""
    if segment.beginning is None or segment.ending is not None:
        return
    moved = sum((draft.value for draft in walk.drafts), Decimal(0))
    ending = segment.beginning + (-moved if walk.owes else moved)
    if walk.drafts and ending in walk.dues:
        segment.ending = ending


def _agrees(walk: Walk) -> bool | None:
    """Whether every account's rows lead from its beginning to its end; None if nothing is said of them."""
    balances = [
        _balance(segment, [draft for draft in walk.drafts if draft.segment == number], walk.owes)
        for number, segment in enumerate(walk.segments)
    ]
    stated = [balance.agrees for balance in balances if balance]
    return all(stated) if stated else None


def _recognised(walk: Walk) -> bool:
    return walk.tables > 0 or any(
        segment.beginning is not None and segment.ending is not None for segment in walk.segments
    )


def _refuse_pictures(pages: list[Page], lines: list[Line]) -> None:
    if sum(len(line.text) for line in lines) < NOTHING_SAID:
        raise ParseFault("NO_TEXT_LAYER", "the pages hold no text: this is a scan or an empty document")


def _unreadable(pages: list[Page]) -> ParseFault:
    if any(page.pictured for page in pages):
        return ParseFault("NO_TEXT_LAYER", "the pages are pictures, and their text is no statement")
    return ParseFault("LAYOUT_MISMATCH", "no table with dates and amounts was found")


def _result(reading: Reading, pages: list[Page], kind: Kind) -> Parsed:
    walk, every = reading.walk, reading.every
    separator = _separator(walk.drafts)
    bank = _bank(reading)
    printed, is_year_open = _dates(walk.drafts, every)
    money = _currency(reading, bank, kind, separator)
    currency = money.code
    settled = (
        separator == "," or (money.is_proved and is_of_day_first(currency)) or _is_day_first(every, bank)
    )
    period = period_of(
        every,
        printed,
        currency in DAY_FIRST,
        are_dots_settled=settled,
        is_day_first=_is_day_first(every, bank) and is_of_day_first(currency) and money.is_proved,
    )
    parsed = Parsed(
        kind.parser_id,
        kind.version,
        kind.source_type,
        "application/pdf",
        rows_skipped=walk.skipped,
        layout_is_inferred=True,
        currency=currency,
        account_type=_account_type(every, walk),
        institution=bank.name if bank else "",
        period=(period.start, period.end if period.start else None),
        title=title_in(line.text for line in every if line.page == 0),
        layout=f"{kind.parser_id} {_heads(reading.entries)}",
    )
    parsed.warnings += walk.remarks
    parsed.errors += walk.errors
    if reading.name:
        parsed.warnings.append(
            Remark(f"read so that {reading.name}", severity="info" if _agrees(walk) else "warning")
        )
    if not money.is_proved and walk.drafts and not _names_each_currency(walk):
        assume(parsed, f"the statement names no currency; {currency} is assumed", "currency")
    if is_year_open:
        assume(parsed, "no date shows whether its first two digits or its last two are the year", "dates")
    if period.is_guess and walk.drafts:
        order = "day first" if period.day_first else "month first"
        assume(parsed, f"no date shows whether the day or the month comes first; {order} is assumed", "dates")
    doubt_days(walk.drafts)
    keep_mixed_headings(walk)
    kept: list[Draft] = []
    for draft in walk.drafts:
        row = _row(draft, len(kept), walk, period, money, separator, parsed.errors)
        if row:
            kept.append(draft)
            parsed.rows.append(row)
    if _check(parsed, walk, kept):
        _acquit(parsed)
        parsed.warnings[:] = [
            replace(remark, severity="info") if remark in walk.remarks else remark
            for remark in parsed.warnings
        ]
    else:
        if not parsed.balances or not all(balance.agrees for balance in parsed.balances):
            parsed.warnings += disagreeing(walk.totals, walk.drafts)
        _doubt_figures(parsed, reading, kept, separator)
    remark_on_pages(parsed, pages, walk.guessed)
    if kind.card is None and walk.is_owed is None and _rests_on_words(walk.drafts) and _is_open(every, walk):
        whose = (
            "a card: amounts without a minus are money out"
            if walk.card
            else "an account: amounts without a minus are money in"
        )
        assume(
            parsed,
            f"only the signs say which way the money went, and little shows whose they are; read as those of {whose}",
            "signs",
        )
    remark_on_loan(parsed, walk)
    remark_on_eras(parsed, kept, period, every)
    remark_on_days(parsed, kept, period)
    remark_on_years(parsed, kept, period)
    remark_on_edges(parsed, pages, reading.name)
    remark_on_accounts(parsed, kept, walk, every)
    remark_on_left_out(parsed, walk)
    return parsed


def _names_each_currency(walk: Walk) -> bool:
    """Whether the accounts of a statement have different currencies and each has its own in its heading."""
    named = [walk.segments[draft.segment].currency for draft in walk.drafts]
    return all(named) and len(set(named)) > 1


def _bank(reading: Reading) -> Institution | None:
    """The bank of the title; by its fuller name where it stands outside the rows too: “BBVA” above, “BBVA México” in the foot."""
    bank = institution_in([line.text for line in reading.every[:LINES_OF_A_TITLE] if line.page == 0])
    if bank is None:
        return None
    first = [line for line in reading.every if line.page == 0]
    foot = outside_rows(first, reading.entries).splitlines()
    named = [institution_in([line]) for line in foot if line.lower().startswith(bank.name.lower())]
    fuller = {
        one for one in named if one is not None and one.name.startswith(f"{bank.name} ") and one.currency
    }
    return fuller.pop() if len(fuller) == 1 else bank


def _is_open(lines: list[Line], walk: Walk) -> bool:
    """Whether neither words nor signs say that the rows are those of a card, or of an account: there a plus beside amounts without a
    minus is money in."""
    if not walk.card and has_both_signs(walk.drafts) and card_evidence(lines)[0] < EVIDENCE_OF_A_CARD:
        return False
    return is_open(lines, walk.card)


def _is_day_first(lines: list[Line], bank: Institution | None) -> bool:
    """Whether the bank or the language of the statement is of a country that puts the day before the month."""
    if bank is not None and is_of_day_first(bank.currency):
        return True
    return len(foreign_words("\n".join(line.text for line in lines[:LINES_READ_FOR_WORDS]))) > 1


def _dates(drafts: list[Draft], lines: list[Line]) -> tuple[list[Printed], bool]:
    """The rows' dates, with the year from whichever end brings them together, and whether that end stays open."""
    dated = [draft for draft in drafts if draft.date]
    text = "\n".join(line.text for line in lines)
    column, is_of_reign = with_years_of_reign([draft.date for draft in dated if draft.date], text)
    printed, is_open = with_years_first(column)
    is_open = is_open or is_of_reign
    for draft, day in zip(dated, printed, strict=True):
        draft.date = day
    return printed, is_open


def _row(
    draft: Draft,
    number: int,
    walk: Walk,
    period: Period,
    money: Currency,
    separator: str,
    errors: list[RowError],
) -> ObservedRow | None:
    date = _date(draft, period)
    if date is None or draft.money is None:
        text = draft.date.text if draft.date else ""
        errors.append(
            RowError(
                "DATE_UNPARSABLE",
                f"page {draft.page}: “{text}” is no day of the calendar or has no year, in “{draft.description[:80]}”",
            )
        )
        return None
    if amount_of(draft.money.text, separator or ".") is None:
        errors.append(RowError("AMOUNT_UNPARSABLE", f"page {draft.page}: “{draft.money.text}” is no amount"))
        return None
    own = "" if money.is_in_head or SHARED_SIGN.search(draft.money.text) else draft.money.currency
    if len({segment.currency for segment in walk.segments}) > 1:
        own = own or walk.segments[draft.segment].currency
    sign: Literal[1, -1] = -1 if draft.sign < 0 else 1
    account = draft.heading or walk.segments[draft.segment].account
    return ObservedRow(
        number,
        date,
        draft.description,
        draft.money.text,
        own or money.code,
        account,
        sign,
        tuple(draft.notes),
        separator,
        _order(draft, period),
        posted_date=draft.posted.completed(year)
        if draft.posted and (year := year_of(draft.posted, period))
        else "",
    )


def _date(draft: Draft, period: Period) -> str | None:
    printed = draft.date
    if printed is None:
        draft.notes.append("no date is printed: the closing date of the statement")
        return period.end.strftime("%d/%m/%Y" if period.day_first else "%m/%d/%Y") if period.end else None
    year = year_of(printed, period)
    return printed.completed(year) if year and printed.day(year, period.day_first) else None


def _order(draft: Draft, period: Period) -> str:
    if draft.date is not None and draft.date.kind == "named":
        return "ymd" if re.match(r"\d{4}", draft.date.text) or SHORT.fullmatch(draft.date.text) else ""
    return "dmy" if period.day_first else "mdy"


def _separator(drafts: list[Draft]) -> str:
    marks = Counter(
        found[0][0]
        for draft in drafts
        if draft.money and (found := re.findall(r"[.,]\d\d(?=\D*$)", draft.money.text))
    )
    mils = [
        draft.money.text for draft in drafts if draft.money and draft.money.value.as_tuple().exponent == -3
    ]
    marks.update(found[0][0] for text in mils if (found := re.findall(r"[.,]\d{3}(?=\D*$)", text)))
    if not marks and any(draft.money and GROUPED_BY_DOTS.search(draft.money.text) for draft in drafts):
        return ","
    return marks.most_common(1)[0][0] if marks else ""


def _acquit(parsed: Parsed) -> None:
    """Dated lines with a word under the amounts that is nothing like one: no transactions, for the rows without them lead from each
    beginning to its ending, to the cent. An amount that is only spoilt stays an error."""
    doubtful = [
        error
        for error in parsed.errors
        if error.error_code == "AMOUNT_UNPARSABLE" and not SPOILT.search(error.message)
    ]
    parsed.warnings += [
        Remark(f"{error.message}; left out, for the balances agree without it") for error in doubtful
    ]
    parsed.rows_skipped += len(doubtful)
    parsed.errors[:] = [error for error in parsed.errors if error not in doubtful]


def _check(parsed: Parsed, walk: Walk, kept: list[Draft]) -> bool:
    """Beginning + sum = ending, for each account that states both; whether that proves all rows of the file."""
    proved = bool(kept)
    for number, segment in enumerate(walk.segments):
        own = [draft for draft in kept if draft.segment == number]
        balance = _balance(segment, own, walk.owes)
        if balance is None:
            proved = proved and not own
            continue
        parsed.balances.append(balance)
        proved = proved and segment.beginning is not None and segment.ending is not None
        proved = proved and balance.beginning + balance.total == balance.ending
        if not balance.agrees:
            parsed.warnings.append(mismatch(balance))
        others = {abs(value) for place, value in walk.closings if place == number}
        if others and segment.ending is not None and abs(segment.ending) not in others:
            values = ", ".join(map(str, sorted(others)[:3]))
            assume(parsed, f"the statement names another closing balance too: {values}")
    return proved


def _doubt_figures(parsed: Parsed, reading: Reading, kept: list[Draft], separator: str) -> None:
    """Hold numbers of rows and totals of money in and out that the statement of one account states against its rows."""
    if len({draft.segment for draft in kept}) != 1 or len({row.currency for row in parsed.rows}) != 1:
        return
    undated = [entry for entry in reading.entries if date_at(entry.line.words, 0) is None]
    figures = figures_in((entry.line.text for entry in undated), separator or ".")
    values = [draft.value for draft in kept]
    own = [abs(sum(one for one in values if (one > 0) is is_in)) for is_in in (True, False)]
    for entry in undated:
        if not entry.cells or not is_total_alone(entry.line.text[: entry.line.starts[entry.cells[0].first]]):
            continue
        amounts = [abs(cell.money.value) for cell in entry.cells]
        roles = [entry.table.role_of(cell) if entry.table else None for cell in entry.cells]
        figures.totals_in += [(one,) for one, role in zip(amounts, roles, strict=True) if role == "credit"]
        figures.totals_out += [(one,) for one, role in zip(amounts, roles, strict=True) if role == "debit"]
        if not {"credit", "debit"} & set(roles) and [one in own for one in amounts[:2]].count(True) == 1:
            said = " and ".join(map(str, amounts[:2]))
            parsed.warnings.append(
                Remark(
                    f"the statement states totals of {said}, but its rows make {own[0]} in and {own[1]} out"
                )
            )
    parsed.warnings += disagreements(figures, values)


def _balance(segment: Segment, drafts: list[Draft], owes: bool) -> Balance | None:
    beginning, ending = segment.beginning, segment.ending
    rows = drafts[::-1] if newest_first(drafts) else drafts
    if rows and ending is None:
        ending = rows[-1].balance
    if rows and beginning is None and rows[0].balance is not None:
        beginning = rows[0].balance - (-rows[0].value if owes else rows[0].value)
    if beginning is None or ending is None:
        return None
    owed = -1 if owes else 1  # what is owed on a card is less than nothing
    is_stated = segment.beginning is not None and segment.ending is not None
    return Balance(
        segment.account,
        owed * beginning,
        owed * ending,
        sum((draft.value for draft in drafts), Decimal(0)),
        len(drafts),
        is_stated or len(drafts) > 1,
    )


def _currency(reading: Reading, bank: Institution | None, kind: Kind, separator: str) -> Currency:
    if kind.currency:
        return Currency(kind.currency)
    return currency_of(
        reading.every,
        reading.entries,
        [draft.money.text for draft in reading.walk.drafts if draft.money],
        bank,
        has_decimal_comma=separator == ",",
    )


def _heads(entries: list[Entry]) -> str:
    """The heads of tables, each once: what a bank's statements of one kind have in common."""
    return "|".join(dict.fromkeys(entry.line.text for entry in entries if entry.head))


def _account_type(lines: list[Line], walk: Walk) -> str:
    """What kind of account the title names; empty where rows are of several accounts and it names several kinds."""
    if walk.card:
        return "credit_card"
    text = "\n".join(line.text for line in lines[:LINES_OF_A_TITLE]).lower()
    named = [name for name, words in ACCOUNT_TYPES.items() if re.search(words, text)]
    accounts = {walk.segments[draft.segment].account for draft in walk.drafts}
    return named[0] if named and (len(named) == 1 or len(accounts) < 2) else ""


def _rests_on_words(drafts: list[Draft]) -> bool:
    """Whether the direction of rows follows only from what kind of statement it is: one column of amounts, without sections, marks or
    words that name a direction."""
    return any(
        draft.role == "amount"
        and not draft.section.direction
        and not (draft.money and draft.money.marker)
        and not draft.kind
        and draft.printed
        for draft in drafts
    ) and not any(draft.money and draft.money.marker for draft in drafts)
