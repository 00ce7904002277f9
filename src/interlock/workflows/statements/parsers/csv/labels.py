"""Tells rows that are balances and totals from transactions, and reads the balances printed before a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ..amounts import amount_of
from .split import Row

_BEGINNING = (
    r"(?:beginning|opening|starting|previous|initial) (?:account )?balance|balance (?:brought )?forward|(?:anfangs|"
    r"alter |letzter )\s?(?:saldo|kontostand)"
    r"|saldo (?:inicial|anterior|iniziale|vorig)|solde (?:initial|pr[ée]c[ée]dent|d[ée]but)|beginsaldo|saldo pocz[ąa]tkowe|"
    r"ing[åa]ende saldo"
)
_ENDING = (
    r"(?:ending|closing|final|new|current|available|ledger) (?:account )?balance|balance carried forward|(?:end|neuer |"
    r"schluss)\s?(?:saldo|kontostand)"
    r"|saldo (?:final|actual|finale|contabile)|solde (?:final|nouveau|fin)|eindsaldo|saldo ko[nń]cowe|utg[åa]ende saldo|"
    r"kontostand(?: vom| am)?"
)
_TOTAL = (
    r"(?:grand |sub-? ?)?totals?\s*:?(?: (?:credits?|debits?|deposits?|withdrawals?|amount|balance|payments?|charges|fees|"
    r"transactions?|for)\b.*)?"
    r"|(?:gesamt)?summe\b.*|gesamt(?:betrag)?|totale?s?\b\s*:?|suma\b.*"
)
_WHEN = r"(?:\s*[:(-]?\s*(?:as of|as at|on|at|for|from|vom|am|zum|au|al|del|per)?\s*(?:[^\W\d_]{3,9}\.?\s)?[\d./:,\s$€£()+-]*)"
BEGINNING = re.compile(_BEGINNING, re.IGNORECASE)
ENDING = re.compile(_ENDING, re.IGNORECASE)
_NO_TRANSACTION = re.compile(
    rf"(?:{_BEGINNING}|{_ENDING.replace('|new|current|available|ledger', '')}){_WHEN}|{_TOTAL}", re.IGNORECASE
)
_LAST_WORD = re.compile(r"\b(?:sub-? ?)?(?:totals?|totaux|totale|gesamt|summe|suma)\s*:?$", re.IGNORECASE)
_CREDITS = re.compile(r"total (?:credits|deposits)", re.IGNORECASE)
_DEBITS = re.compile(r"total (?:debits|withdrawals)", re.IGNORECASE)
_ACCOUNT = re.compile(
    r"(?:account(?: number| no\.?| #| ending in)?|iban|konto(?:nummer)?|girokonto|compte|cuenta|conta|rekening(?:nummer)?|"
    r"card(?: number| ending in)?)"
    r"[\s:;,#\"()./-]{1,6}([A-Z]{2}\d{2}[A-Z0-9 ]{8,32}|[X*•.\d][\dX*•. -]{2,32}\d)",
    re.IGNORECASE,
)


def is_balance_or_total(text: str) -> bool:
    """Whether a description is no transaction but a balance or a total; `TOTAL WINE` and `NEW BALANCE` are shops."""
    return _NO_TRANSACTION.fullmatch(text.strip()[:120]) is not None


def is_total_line(text: str) -> bool:
    """Whether a line without a date is a total by its last word: `Account Total`, `Checking 1234 totals:`."""
    return _LAST_WORD.search(text.strip()[:120]) is not None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a block before the table says of it."""

    beginning: Decimal | None = None
    ending: Decimal | None = None
    credits: Decimal | None = None
    debits: Decimal | None = None
    lines: int = 0

    def completed_by(self, footer: Summary) -> Summary:
        """The same with what only the lines under the table say."""
        return Summary(
            footer.beginning if self.beginning is None else self.beginning,
            footer.ending if self.ending is None else self.ending,
            footer.credits if self.credits is None else self.credits,
            footer.debits if self.debits is None else self.debits,
            self.lines,
        )


def read_summary(preamble: Sequence[Row], decimal: str) -> Summary:
    found: dict[str, Decimal] = {}
    lines = 0
    for row in preamble:
        label = next((cell for cell in row.cells if cell), "")
        name = _label(label)
        value = next(
            (
                value
                for cell in reversed(row.cells)
                if cell and cell != label and (value := amount_of(cell, decimal)) is not None
            ),
            None,
        )
        if name and value is not None:
            found.setdefault(name, value)
            lines += 1
    return Summary(**found, lines=lines)


def _label(text: str) -> str:
    for name, pattern in (
        ("beginning", BEGINNING),
        ("ending", ENDING),
        ("credits", _CREDITS),
        ("debits", _DEBITS),
    ):
        if pattern.match(text):
            return name
    return ""


def account_in(preamble: Sequence[Row]) -> str:
    """The account number that the preamble names, as printed."""
    for row in preamble:
        found = _ACCOUNT.search(" ; ".join(cell for cell in row.cells if cell)[:400])
        if found:
            return found[1].strip()
    return ""
