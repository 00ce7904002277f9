"""What a file itself shows wins over a decision that was made on another file; pure, no database."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from hashlib import sha256
from typing import Any

from ..normalize.canonical import FULL_NUMBER, is_partial
from ..parsed import SIGN_GUESSES, ObservedRow, Parsed, Remark
from ..parsers.csv.generic import PARSER_ID as GENERIC
from ..parsers.csv.parser import MIME as TABLE
from ..parsers.csv.signs import words_contradict
from .days import OUTSIDE, days_of, leaves_period
from .interpretation import Decision, Part, changes, interpret_rows
from .reconcile import issuer_of

ALIKE = {
    "$": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN"),
    "kr": ("SEK", "NOK", "DKK", "ISK"),
    "¥": ("JPY", "CNY"),
}
"""Currencies that share a symbol."""
USUAL = ("USD", "EUR", "GBP", "CAD", "AUD")
FIRST_ROWS = 50
DIGITS_OF_A_DIGEST = 16


def borne_out(
    parsed: Parsed, decision: Decision, upload_id: str, *, is_same_account: bool = False
) -> tuple[Decision, list[Remark]]:
    """What of a decision is applied to this file, a warning for each part that the file contradicts, and one for what is applied although
    the file may be another bank's. A part that was decided on this very file is applied in any case."""
    remarks: list[Remark] = []
    unproved: list[Part] = []
    for part in decision.parts:
        if decision.is_made_for(upload_id, part):
            continue
        is_same_bank = is_same_account or _is_same_bank(parsed, decision, part)
        if message := CONTRADICTIONS.get(part, _nothing)(parsed, decision, is_same_bank):
            is_plain = part == "account" and _are_whole(parsed)
            remarks.append(Remark(message, severity="info" if is_plain else "warning"))
            decision = decision.without(part)
        elif parsed.rows and not is_same_bank and EFFECTS[part](parsed, decision):
            unproved.append(part)
    if unproved:
        remarks.append(_of_another_bank(decision, unproved))
    return decision, remarks


def _is_same_bank(parsed: Parsed, decision: Decision, part: Part) -> bool:
    """Whether a file is known to be of the same bank as those on which a part was decided: files of another bank that is known, that has
    a title, or whose table somebody described, have another key; else only the whole number of the account shows it."""
    is_described = parsed.mime_type == TABLE and parsed.parser_id != GENERIC
    if parsed.institution or issuer_of(parsed) or is_described:
        return True
    return _are_whole(parsed) and _known_numbers(decision, part).issuperset(numbers_of(parsed.rows))


def _are_whole(parsed: Parsed) -> bool:
    """Whether a file states the whole number of each account."""
    accounts = {row.account for row in parsed.rows if row.account}
    return bool(accounts) and all(_digits(one) >= FULL_NUMBER and not is_partial(one) for one in accounts)


def _digits(account: str) -> int:
    return sum(map(str.isdigit, account))


def numbers_of(rows: Iterable[ObservedRow]) -> tuple[str, ...]:
    """A digest of each account number that rows state, however it is grouped or masked: decisions keep no words of a file."""
    plain = {re.sub(r"[\W_]|x{2,}", "", one.casefold()) for one in {row.account for row in rows}}
    return tuple(sorted(sha256(one.encode()).hexdigest()[:DIGITS_OF_A_DIGEST] for one in plain if one))


def _known_numbers(decision: Decision, part: Part) -> set[str]:
    """The digests of the account numbers in the files on which a part was decided."""
    return {one for upload in decision.made_for.get(part, ()) for one in decision.accounts.get(upload, ())}


def is_other_account(rows: Iterable[ObservedRow], decision: Decision) -> bool:
    """Whether rows state an account number that the files on which the account was decided do not state."""
    return not _known_numbers(decision, "account").issuperset(numbers_of(rows))


def _of_another_bank(decision: Decision, parts: Iterable[Part]) -> Remark:
    """The warning of parts that are applied to a file of which nothing shows whose it is."""
    words = {"date_order": "order of dates", "account_type": "type of account", "decimal": "decimal mark"}
    what = []
    for part in parts:
        value = getattr(decision, part)
        text = ", ".join(f"{role} {name!r}" for role, name in value.items()) if part == "columns" else value
        what.append(f"{words.get(part, part)} {text}")
    uploads = dict.fromkeys(one for part in parts for one in decision.made_for.get(part, ()))
    where = ", ".join(uploads) or "another file"
    return Remark(
        f"no bank is named in this file, so that it may be another bank's than {where}, where {', '.join(what)} was decided: applied, "
        "and in doubt until it is decided on this file too",
        topic="currency" if "currency" in parts else "",
    )


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


def _nothing(parsed: Parsed, decision: Decision, is_same_bank: bool) -> str:
    return ""


def _other_account(parsed: Parsed, decision: Decision, is_same_bank: bool) -> str:
    if not is_other_account(parsed.rows, decision):
        return ""
    return (
        f"account {decision.account} was decided on a file of another account, and this one states the number of its own: "
        "taken as it states"
    )


def _other_currency(parsed: Parsed, decision: Decision, is_same_bank: bool) -> str:
    named = sorted({row.currency for row in parsed.rows} or {parsed.currency})
    if named == [decision.currency] or "currency" in open_topics(parsed):
        return ""
    return f"{decision.currency} was decided on another file of this layout, and this one names {', '.join(named)}: read as it says"


def _other_days(parsed: Parsed, decision: Decision, is_same_bank: bool) -> str:
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


def _other_signs(parsed: Parsed, decision: Decision, is_same_bank: bool) -> str:
    """Balances that agree may be what is owed: that has to be decided on a file of the same bank in which they agreed too."""
    if decision.signs != "turned":
        return ""
    turned = "signs were decided to be turned round on another file of this layout, and"
    if are_signs_proved(parsed) and not (decision.is_owed and is_same_bank):
        return f"{turned} the balances of this one prove them as they are: not turned"
    if parsed.names_directions and not is_same_bank:
        return (
            f"{turned} this one, which may be another bank's, says itself which way amounts went: not turned"
        )
    return ""


CONTRADICTIONS: dict[Part, Callable[[Parsed, Decision, bool], str]] = {
    "account": _other_account,
    "currency": _other_currency,
    "date_order": _other_days,
    "signs": _other_signs,
}
"""What in a file speaks against a part of a decision, in words; empty where nothing does."""


def _ends_sign_doubt(parsed: Parsed, decision: Decision) -> bool:
    """Whether signs are turned, or confirmed where something left them open."""
    return decision.signs == "turned" or not (are_signs_proved(parsed) or parsed.are_signs_decided)


def _other_rows(parsed: Parsed, part: Part, decision: Decision) -> bool:
    only = Decision(**{part: getattr(decision, part)})
    return bool(changes(parsed.rows, only))


EFFECTS: dict[Part, Callable[[Parsed, Decision], bool]] = {
    "signs": _ends_sign_doubt,
    "currency": lambda parsed, decision: (
        "currency" in open_topics(parsed) or _other_rows(parsed, "currency", decision)
    ),
    "account": lambda parsed, decision: True,
    "account_type": lambda parsed, decision: decision.account_type != parsed.account_type,
    "date_order": lambda parsed, decision: (
        "dates" in open_topics(parsed) or _other_rows(parsed, "date_order", decision)
    ),
    "decimal": lambda parsed, decision: (
        "decimal" in open_topics(parsed) or _other_rows(parsed, "decimal", decision)
    ),
    "columns": lambda parsed, decision: not are_signs_proved(parsed),
}
"""Whether a part of a decision changes something about a file, or ends a doubt about it."""


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
    if decision.signs == "turned" and parsed.names_directions and upload_id not in decision.confirmed:
        direction = "the file itself says which way amounts went, and a decision turns them round"
        assumptions.append(Remark(f"{direction}: --signs as_read confirms it", topic="signs"))
    return replace(parsed, assumptions=assumptions)
