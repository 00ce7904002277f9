"""What is said of a paper beside its rows: lines that were left out, years and days that are doubtful, text beyond its edges."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

from ...parsed import Parsed, Remark, assume
from .dates import Period, Printed, date_at
from .drafts import Draft
from .lines import Line, Page
from .signs import leaves_owner_open
from .summary import OF_BALANCE, account_on, are_same_account, last_digits, years_of_eras
from .walk import Walk

LINES_READ_FOR_WORDS = 80
LISTS_NOTHING = "the statement lists no transactions"
FAR_BEFORE, FAR_AFTER = timedelta(days=45), timedelta(days=10)
LONGEST_MONTH = timedelta(days=40)


def year_of(printed: Printed, period: Period) -> int | None:
    """The year that is printed, or that of the statement's period."""
    return printed.year or period.year_of(printed)


def remark_on_left_out(parsed: Parsed, walk: Walk) -> None:
    """Say how many lines with an amount were left out for want of a date; where balances agree, only those that may be the stated end, and
    those that stand before the first row or after the last where that end is not stated."""
    is_agreed = bool(parsed.balances) and all(balance.agrees for balance in parsed.balances)
    begins_unstated = any(segment.beginning is None for segment in walk.segments)
    ends_unstated = any(segment.ending is None for segment in walk.segments)
    left_out = [
        one.text
        for one in walk.undated
        if not is_agreed
        or (ends_unstated and OF_BALANCE.search(one.text))
        or (begins_unstated and not one.rows)
        or (ends_unstated and one.rows == len(walk.drafts))
    ]
    if left_out:
        first = left_out[0][:80]
        parsed.warnings.append(
            Remark(f"{len(left_out)} lines with an amount and no date were left out; the first: “{first}”")
        )


def remark_on_eras(parsed: Parsed, kept: list[Draft], period: Period, lines: list[Line]) -> None:
    """Say where a statement names years of a reign or a republic, and no row is of one of them."""
    named = years_of_eras("\n".join(line.text for line in lines[:LINES_READ_FOR_WORDS]))
    years = {year for draft in kept if draft.date and (year := year_of(draft.date, period))}
    if named and years and named.isdisjoint(years):
        stated = ", ".join(map(str, sorted(named)))
        assume(parsed, f"the statement is of {stated} by the years it names, and no row was read so", "dates")


def remark_on_loan(parsed: Parsed, walk: Walk) -> None:
    """Say where a balance may be what is owed, under which every sign would be turned round."""
    is_owed = bool(walk.is_owed)
    if (
        parsed.balances
        and not walk.card
        and leaves_owner_open(walk.drafts, parsed.balances, walk.loan, is_owed=is_owed)
    ):
        whose = "what is owed" if is_owed else "the account holder's"
        assume(
            parsed, f"words or columns do not settle whose money the balances are; read as {whose}", "signs"
        )


def remark_on_days(parsed: Parsed, kept: list[Draft], period: Period) -> None:
    """Say how many rows lie far outside the period that the statement names: their year or order may be wrong."""
    if period.start is None or period.end is None:
        return
    days = [
        day
        for draft in kept
        if draft.date
        and (year := year_of(draft.date, period))
        and (day := draft.date.day(year, period.day_first))
    ]
    beyond = sum(1 for day in days if not period.start - FAR_BEFORE <= day <= period.end + FAR_AFTER)
    if beyond:
        assume(parsed, f"{beyond} rows lie outside the statement's period, {period.start} to {period.end}")


def remark_on_years(parsed: Parsed, kept: list[Draft], period: Period) -> None:
    """Say where years of rows rest on a date that may be no closing date, or lead to days too far apart for one statement."""
    bare = [draft.date for draft in kept if draft.date and draft.date.year is None]
    days = [
        day for date in bare if (year := period.year_of(date)) and (day := date.day(year, period.day_first))
    ]
    if not days or period.start is not None:
        return
    if period.is_year_guess or max(days) - min(days) > LONGEST_MONTH:
        assume(
            parsed,
            f"the rows have no year and the statement states no period; read as {min(days)} to {max(days)}",
            "dates",
        )


def remark_on_edges(parsed: Parsed, pages: list[Page], how: str) -> None:
    """Say how many words stand beyond the edges of pages, where no reader sees them, and whether they were read."""
    words = [word.text for page in pages for word in page.outside if any(map(str.isalnum, word.text))]
    if words and "edges" in how:
        assume(
            parsed, f"{len(words)} words beyond the edges of the pages were read: “{' '.join(words)[:60]}”"
        )
    elif words:
        assume(
            parsed,
            f"{len(words)} words beyond the edges of the pages were not read: “{' '.join(words)[:60]}”",
        )


def mixed_headings(walk: Walk) -> dict[int, list[str]]:
    """Of each account of the walk whose rows stand under several numbers, these; a card's rows may stand under those of its holders."""
    numbers: dict[int, list[str]] = {}
    for draft in () if walk.card else walk.drafts:
        own = numbers.setdefault(draft.segment, [])
        if (
            draft.heading
            and draft.heading not in own
            and not any(are_same_account(draft.heading, one) for one in own)
        ):
            own.append(draft.heading)
    return {segment: own for segment, own in numbers.items() if len(own) > 1}


def keep_mixed_headings(walk: Walk) -> None:
    """Leave rows the number that was named above them only where others of the same account stand under another one."""
    mixed = mixed_headings(walk)
    for draft in walk.drafts:
        draft.heading = draft.heading if draft.segment in mixed else ""


def remark_on_accounts(parsed: Parsed, kept: list[Draft], walk: Walk, lines: list[Line]) -> None:
    """Say which account numbers the statement names beside those of its rows, and where rows of several accounts stand under one."""
    currencies: dict[int, set[str]] = {}
    for draft, row in zip(kept, parsed.rows, strict=True):
        currencies.setdefault(draft.segment, set()).add(row.currency)
    for one, other in pairwise(sorted(currencies)):
        before, after = walk.segments[one], walk.segments[other]
        is_alike = are_same_account(before.account, after.account) and currencies[one] == currencies[other]
        if is_alike and None not in (before.ending, after.beginning) and before.ending != after.beginning:
            assume(
                parsed,
                f"balances of several accounts stand under one number or none: one ends at {before.ending}, "
                f"the next begins at {after.beginning}",
            )
    for headings in mixed_headings(walk).values():
        assume(
            parsed, f"rows under the headings of {' and '.join(headings)} share their balances or have none"
        )
    named = {
        last_digits(number): number
        for line in lines
        if date_at(line.words, 0) is None and (number := account_on(line.text))
    }
    own = {last_digits(row.account) for row in parsed.rows}
    others = [number for digits, number in named.items() if digits not in own]
    if parsed.rows and others and len(named) > 1:
        parsed.assumptions.append(
            Remark(f"the statement also names other numbers: {', '.join(others[:5])}", severity="info")
        )


def remark_on_pages(parsed: Parsed, pages: list[Page], guessed: int) -> None:
    if not parsed.rows and not parsed.errors:
        parsed.warnings.append(Remark(LISTS_NOTHING))
    if guessed:
        parsed.warnings.append(
            Remark(
                f"{guessed} amounts have no sign, section or balance that says whether they are money in or out; read as money in",
                topic="signs",
            )
        )
    blank = [str(page.number + 1) for page in pages if page.pictured and not page.words]
    if blank:
        parsed.warnings.append(Remark(f"pages without text were not read: {', '.join(blank)}"))
