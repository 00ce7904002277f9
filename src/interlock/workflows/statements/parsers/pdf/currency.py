"""Whose money a PDF prints: the head of the amounts first, then words that name a currency, then symbols, then the bank's country."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..currency_words import SHARED, SYMBOLS, code_in, iban_currency, named_currency
from ..institutions import Institution, dollar_of
from .dates import date_at
from .lines import Line
from .summary import OF_BALANCE
from .tables import Entry

LOOKED_AT = 600  # lines
TITLE = 40
OF_ACCOUNT = re.compile(
    r"\b(?:account|a/c|statement|konto|compte|cuenta|conta|conto|rekening)\b", re.IGNORECASE
)
EXCHANGE = re.compile(
    r"\b(?:exchange|conver(?:sion|ted)|foreign|fx|original|rate|kurs|wechselkurs|umrechnung|taux|cours|tipo de cambio|cambio|koers)\b|@",
    re.IGNORECASE,
)
"""A note under a payment in another currency."""
KRONER = {
    "SEK": r"\b(?:Sweden|Sverige|Swedish)\b",
    "NOK": r"\b(?:Norway|Norge|Norwegian)\b",
    "DKK": r"\b(?:Denmark|Danmark|Danish)\b",
}
_BESIDE = re.compile(
    r"(?<![A-Za-z])("
    + "|".join(re.escape(symbol) for symbol in sorted([*SYMBOLS, *SHARED], key=len, reverse=True))
    + r")\.?\s?[-+(]?\d"
    r"|\d\)?\s?("
    + "|".join(re.escape(symbol) for symbol in sorted([*SYMBOLS, *SHARED], key=len, reverse=True))
    + r")(?![A-Za-z])"
)
_CODE_BESIDE = re.compile(
    r"(?<![A-Za-z])([A-Z]{3})\s?[-+(]?\d[\d.,' ]*[.,]\d\d|[.,]\d\d\)?-?\s?([A-Z]{3})(?![A-Za-z])"
)


@dataclass(frozen=True, slots=True)
class Currency:
    """A code. `is_proved`: the file names it, or only one country is possible. `is_in_head`: no symbol beside an amount counts."""

    code: str
    is_proved: bool = True
    is_in_head: bool = False


def currency_of(
    lines: Sequence[Line],
    entries: Sequence[Entry],
    amounts: Sequence[str],
    bank: Institution | None,
    *,
    has_decimal_comma: bool,
) -> Currency:
    """The currency of a statement's amounts."""
    heads = {code for entry in entries if entry.head and (code := code_in(entry.line.text))}
    if len(heads) == 1:
        return Currency(heads.pop(), is_in_head=True)
    apart = "\n".join(line.text for line in lines[:LOOKED_AT] if date_at(line.words, 0) is None)
    if code := named_currency(apart):
        return Currency(code)
    own = [line for line in apart.splitlines() if not EXCHANGE.search(line)]
    balances = "\n".join(line for line in own if OF_BALANCE.search(line))
    counted = _beside("\n".join(amounts)) or _beside(balances)
    if counted:
        symbol = counted.most_common(1)[0][0]
        if symbol not in SHARED:
            return Currency(SYMBOLS.get(symbol, symbol))
        return _shared(symbol, apart, bank)
    if loose := _beside("\n".join(own)):
        return _loose(loose.most_common(1)[0][0], apart, bank)
    if bank is not None and bank.currency:
        return Currency(bank.currency)
    if code := iban_currency(apart):
        return Currency(code)
    beside = {code for line in lines[:TITLE] if OF_ACCOUNT.search(line.text) and (code := code_in(line.text))}
    if len(beside) == 1:
        return Currency(beside.pop())
    return Currency("EUR" if has_decimal_comma else "USD", is_proved=False)


def _beside(text: str) -> Counter[str]:
    """Codes and symbols that stand beside numbers, counted."""
    codes = [one or other for one, other in _CODE_BESIDE.findall(text) if code_in(one or other)]
    return Counter(codes or [one or other for one, other in _BESIDE.findall(text)])


def _loose(symbol: str, text: str, bank: Institution | None) -> Currency:
    """A symbol that stands beside neither amounts nor balances: it may be of a payment abroad, so the bank's own currency wins."""
    loose = Currency(SYMBOLS.get(symbol, symbol)) if symbol not in SHARED else _shared(symbol, text, bank)
    if bank is None or not bank.currency or bank.currency == loose.code:
        return loose
    return Currency(bank.currency, is_proved=False)


def _shared(symbol: str, text: str, bank: Institution | None) -> Currency:
    """A symbol that several countries use: the words of the statement or its bank say whose it is."""
    possible = SHARED[symbol]
    home = bank.currency if bank is not None and bank.currency in possible else ""
    if symbol == "$":
        named = dollar_of(text)
        code = home if home and named in ("", "USD", home) else named or home
        return Currency(code or "USD", is_proved=bool(code))
    if symbol == "kr":
        named = next((code for code, words in KRONER.items() if re.search(words, text)), "")
        code = home or named or iban_currency(text)
        return Currency(code or "SEK", is_proved=code in possible)
    is_chinese = re.search(r"\b(?:RMB|CNY|China|Chinese)\b", text) is not None
    return Currency(home or ("CNY" if is_chinese else "JPY"))
