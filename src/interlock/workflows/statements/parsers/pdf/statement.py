"""A whole statement: from pages to rows with dates, signs and checked balances."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ...parsed import Balance, ObservedRow, Parsed, ParseFault, Remark, RowError
from ..balances import mismatch
from .blocks import with_blocks
from .drafts import Draft
from .learned import with_learned_table
from .lines import Line, lines_of, without_repeats
from .panels import without_panels
from .periods import Period, period_of
from .places import Page
from .signs import decide, newest_first
from .stated import Segment, disagreeing
from .summary import currency_of, is_card
from .tables import Entry, entries_of
from .walk import Walk

DAY_FIRST = frozenset(
    ("GBP", "EUR", "CHF", "AUD", "NZD", "INR", "BRL", "PLN", "NOK", "DKK", "ZAR", "SGD", "HKD")
)
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


def read_statement(content: bytes, kind: Kind) -> Parsed:
    """The rows of a statement, or the fault that it has none that can be read."""
    from .words import read_pages  # the PDF library is loaded when the first PDF comes

    pages = read_pages(content)
    every = lines_of(pages)
    _refuse_pictures(pages, every)
    card = is_card(every) if kind.card is None else kind.card
    lines = without_repeats(every)
    entries = with_blocks(without_panels(entries_of(lines)))
    walk = _best(_walked(entries, card), entries)
    if not walk.drafts and not walk.errors and not _recognised(walk):
        raise _unreadable(pages)
    return _result(walk, every, pages, kind)


def _best(walk: Walk, entries: list[Entry]) -> Walk:
    """What the heads of tables give; rows without a head instead where there are no others, or where only they agree with the balances."""
    if walk.errors or (walk.drafts and _agrees(walk) is not False):
        return walk
    if walk.undated and _agrees(gaps := _walked(entries, walk.card, gaps=True)):
        return gaps
    learned = _walked(with_learned_table(entries), walk.card)
    return learned if learned.drafts and (not walk.drafts or _agrees(learned)) else walk


def _walked(entries: list[Entry], card: bool, *, gaps: bool = False) -> Walk:
    walk = Walk(card, gaps).through(entries)
    walk.guessed = decide(walk.drafts, walk.segments, card)
    return walk


def _agrees(walk: Walk) -> bool | None:
    """Whether every account's rows lead from its beginning to its end; None if nothing is said of them."""
    balances = [
        _balance(segment, [draft for draft in walk.drafts if draft.segment == number], walk.card)
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


def _result(walk: Walk, every: list[Line], pages: list[Page], kind: Kind) -> Parsed:
    separator = _separator(walk.drafts)
    currency = kind.currency or currency_of(
        every, [draft.money.currency for draft in walk.drafts if draft.money], separator
    )
    period = period_of(every, [draft.date for draft in walk.drafts if draft.date], currency in DAY_FIRST)
    parsed = Parsed(
        kind.parser_id,
        kind.version,
        kind.source_type,
        "application/pdf",
        rows_skipped=walk.skipped,
        layout_is_inferred=True,
        currency=currency,
        account_type="credit_card" if walk.card else "",
        period=(period.start, period.end if period.start else None),
    )
    parsed.warnings += walk.remarks
    parsed.errors += walk.errors
    kept: list[Draft] = []
    for draft in walk.drafts:
        row = _row(draft, len(kept), walk, period, currency, separator, parsed.errors)
        if row:
            kept.append(draft)
            parsed.rows.append(row)
    if _check(parsed, walk, kept):
        _acquit(parsed)
    elif not parsed.balances or not all(balance.agrees for balance in parsed.balances):
        parsed.warnings += disagreeing(walk.totals, walk.drafts)
    _remark(parsed, pages, walk.guessed)
    if walk.undated and not (parsed.balances and all(balance.agrees for balance in parsed.balances)):
        first = walk.undated[0][:80]
        parsed.warnings.append(
            Remark(
                f"{len(walk.undated)} lines with an amount and no date were left out; the first: “{first}”"
            )
        )
    return parsed


def _row(
    draft: Draft,
    number: int,
    walk: Walk,
    period: Period,
    currency: str,
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
    own = (
        draft.money.currency
        if draft.money.currency and not (draft.money.currency == "USD" and "US" not in draft.money.text)
        else ""
    )
    sign: Literal[1, -1] = -1 if draft.sign < 0 else 1
    account = walk.segments[draft.segment].account
    return ObservedRow(
        number,
        date,
        draft.description,
        draft.money.text,
        own or currency,
        account,
        sign,
        tuple(draft.notes),
        separator,
        _order(draft, period),
    )


def _date(draft: Draft, period: Period) -> str | None:
    printed = draft.date
    if printed is None:
        draft.notes.append("no date is printed: the closing date of the statement")
        return period.end.strftime("%d/%m/%Y" if period.day_first else "%m/%d/%Y") if period.end else None
    year = printed.year or period.year_of(printed)
    return printed.completed(year) if year and printed.day(year, period.day_first) else None


def _order(draft: Draft, period: Period) -> str:
    if draft.date is not None and draft.date.kind == "named":
        return "ymd" if re.match(r"\d{4}", draft.date.text) else ""
    return "dmy" if period.day_first else "mdy"


def _separator(drafts: list[Draft]) -> str:
    marks = Counter(
        found[0][0]
        for draft in drafts
        if draft.money and (found := re.findall(r"[.,]\d\d(?=\D*$)", draft.money.text))
    )
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
        balance = _balance(segment, own, walk.card)
        if balance is None:
            proved = proved and not own
            continue
        parsed.balances.append(balance)
        proved = proved and segment.beginning is not None and segment.ending is not None
        proved = proved and balance.beginning + balance.total == balance.ending
        if not balance.agrees:
            parsed.warnings.append(mismatch(balance))
    return proved


def _balance(segment: Segment, drafts: list[Draft], card: bool) -> Balance | None:
    beginning, ending = segment.beginning, segment.ending
    rows = drafts[::-1] if newest_first(drafts) else drafts
    if rows and ending is None:
        ending = rows[-1].balance
    if rows and beginning is None and rows[0].balance is not None:
        beginning = rows[0].balance - rows[0].value
    if beginning is None or ending is None:
        return None
    owed = -1 if card else 1  # what is owed on a card is less than nothing
    is_stated = segment.beginning is not None and segment.ending is not None
    return Balance(
        segment.account,
        owed * beginning,
        owed * ending,
        sum((draft.value for draft in drafts), Decimal(0)),
        len(drafts),
        is_stated or len(drafts) > 1,
    )


def _remark(parsed: Parsed, pages: list[Page], guessed: int) -> None:
    if not parsed.rows and not parsed.errors:
        parsed.warnings.append(Remark("the statement lists no transactions"))
    if guessed:
        parsed.warnings.append(
            Remark(
                f"{guessed} amounts have no sign, section or balance that says whether they are money in or out; read as money in"
            )
        )
    blank = [str(page.number + 1) for page in pages if page.pictured and not page.words]
    if blank:
        parsed.warnings.append(Remark(f"pages without text were not read: {', '.join(blank)}"))
