"""What a file itself shows wins over a decision that was made on another file; pure, no database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..parsed import SIGN_GUESSES, Parsed, Remark
from ..parsers.csv.signs import words_contradict
from .days import OUTSIDE, days_of, leaves_period
from .interpretation import Decision, Part, interpret_rows
from .reconcile import issuer_of

ALIKE = {
    "$": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN"),
    "kr": ("SEK", "NOK", "DKK", "ISK"),
    "¥": ("JPY", "CNY"),
}
"""Currencies that share a symbol."""
USUAL = ("USD", "EUR", "GBP", "CAD", "AUD")
FIRST_ROWS = 50


def borne_out(parsed: Parsed, decision: Decision, upload_id: str) -> tuple[Decision, list[Remark]]:
    """What of a decision is applied to this file, and a warning for each part that the file contradicts. A part that was decided on this
    very file is applied in any case."""
    remarks: list[Remark] = []
    for part, contradiction in CONTRADICTIONS.items():
        if part not in decision.parts or decision.is_made_for(upload_id, part):
            continue
        if message := contradiction(parsed, decision):
            remarks.append(Remark(message))
            decision = decision.without(part)
    return decision, remarks


def open_topics(parsed: Parsed) -> set[str]:
    """What the parser had to assume of the file as a whole."""
    return {one.topic for one in (*parsed.warnings, *parsed.assumptions) if one.topic and one.row_id is None}


def are_signs_proved(parsed: Parsed) -> bool:
    """Whether the file's balances prove the signs as the parser reads them, and it has no doubt about them. Rows that come to nothing
    prove none: turned round, they come to nothing too."""
    is_guessed = any(not SIGN_GUESSES.isdisjoint(row.warnings) for row in parsed.rows)
    if is_guessed or "signs" in open_topics(parsed):
        return False
    return all(one.agrees for one in parsed.balances) and any(
        one.proves and one.total for one in parsed.balances
    )


def noted(parsed: Parsed, decided: Parsed) -> dict[str, Any]:
    """What the parse log keeps for decisions about a file: what its balances say as the parser reads it, and which other currencies are
    likely once what is decided already is applied."""
    return {
        "balances_agree": bool(parsed.balances) and all(one.agrees for one in parsed.balances),
        "signs_are_proved": are_signs_proved(parsed),
        "currencies": likely_currencies(decided),
    }


def likely_currencies(parsed: Parsed) -> list[str]:
    """The other currencies that the file may be in, where its own was only assumed: those that share the symbol beside its amounts, else
    those that files without any name are most often in."""
    taken = {row.currency for row in parsed.rows}
    if len(taken) != 1 or "currency" not in open_topics(parsed):
        return []
    text = " ".join(row.amount for row in parsed.rows[:FIRST_ROWS]).casefold()
    alike = next(
        (
            codes
            for symbol, codes in ALIKE.items()
            if symbol in text or (symbol == "kr" and taken <= set(codes))
        ),
        USUAL,
    )
    return [code for code in alike if code not in taken]


def _other_currency(parsed: Parsed, decision: Decision) -> str:
    named = sorted({row.currency for row in parsed.rows} or {parsed.currency})
    if named == [decision.currency] or "currency" in open_topics(parsed):
        return ""
    return f"{decision.currency} was decided on another file of this layout, and this one names {', '.join(named)}: read as it says"


def _other_days(parsed: Parsed, decision: Decision) -> str:
    before, after = days_of(parsed.rows), days_of(interpret_rows(parsed.rows, decision))
    if before == after:
        return ""
    order = f"the order of dates {decision.date_order} was decided on another file of this layout"
    if leaves_period(before, after, parsed.period):
        return f"{order}, and puts rows outside of the period that this one states: read as it shows"
    if None in after and None not in before:
        return f"{order}, and not every date of this one can be read so: read as it shows"
    if "dates" not in open_topics(parsed):
        return f"{order}, and this one shows another: read as it shows"
    return ""


def _other_signs(parsed: Parsed, decision: Decision) -> str:
    """Balances that agree may be what is owed: that has to be decided on a file of the same bank in which they agreed too."""
    is_same_bank = bool(parsed.institution or issuer_of(parsed))  # files of another one have another key
    if decision.signs != "turned" or not are_signs_proved(parsed) or (decision.is_owed and is_same_bank):
        return ""
    return (
        "signs were decided to be turned round on another file of this layout, and the balances of this one prove them as they "
        "are: not turned"
    )


CONTRADICTIONS: dict[Part, Callable[[Parsed, Decision], str]] = {
    "currency": _other_currency,
    "date_order": _other_days,
    "signs": _other_signs,
}
"""What in a file speaks against a part of a decision, in words; empty where nothing does."""


def with_doubts(parsed: Parsed, decision: Decision, upload_id: str) -> Parsed:
    """The file with a warning of what a decision cannot have meant: rows whose words contradict signs that nobody looked at. Days outside
    of the file's period are left to the judge, for they may be others now."""
    if decision.is_empty:
        return parsed
    assumptions = [one for one in parsed.assumptions if OUTSIDE not in one.message]  # the judge looks again
    is_seen = decision.is_made_for(upload_id, "signs") or decision.is_made_for(upload_id, "columns")
    if (decision.signs or decision.columns) and not is_seen and words_contradict(parsed.rows):
        contradiction = "by a decision about another file, rows whose words name income are money out, or the other way round"
        assumptions.append(Remark(contradiction, topic="signs"))
    return replace(parsed, assumptions=assumptions)
