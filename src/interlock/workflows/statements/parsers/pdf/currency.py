"""The currency of a paper: by heads of columns, its words, symbols beside amounts, its bank, or the country that it names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..currency_words import SHARED, SYMBOLS, code_in, iban_currency, named_currency
from ..institutions import Institution, country_currency, dollar_of
from .dates import date_at
from .lines import Line
from .money import CODES
from .summary import OF_BALANCE
from .tables import Entry

SIGN_IN_HEAD = re.compile(r"\(\$\)")
CURRENCY_OF_ACCOUNT = re.compile(
    rf"(?<![A-Z])({'|'.join(CODES)})[ -]{{1,3}}(?:savings|current|checking|account|konto|cuenta|conto|compte)\b(?! (?:to|from)\b)",
    re.IGNORECASE,
)
"""In the heading of one of several accounts: “HKD Savings”."""
LOOKED_AT = 600  # lines
TITLE = 40
ISRAELI = re.compile(r"(?<!\w)ש[\"״]ח(?!\w)")
US_PLACE = re.compile(
    r"\b(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])"
    r" \d{5}(?:-\d{4})?$"
)
"""The end of an address in one of the states, with its ZIP code: the bank's and the customer's are two."""
OF_ACCOUNT = re.compile(
    r"\b(?:account|a/c|statement|konto|compte|cuenta|conta|conto|rekening)\b", re.IGNORECASE
)
EXCHANGE = re.compile(
    r"\b(?:exchange|conver(?:sion|ted)|foreign|fx|original|rate|kurs|wechselkurs|umrechnung|taux|cours|tipo de cambio|cambio|koers)\b|@",
    re.IGNORECASE,
)
"""A note under a payment in another currency."""
OF_CURRENCY = re.compile(
    r"\b(?<!foreign )(?<!original )(?:currency|ccy|curr\.?|w[äa]hrung|devise|divisa|moneda|moeda|waluta|m[ěe]na|"
    r"devizanem)\b|货币|币种|通貨",
    re.IGNORECASE,
)
"""The head of a column of currencies."""
UNDER_A_ROW = 3.5
"""Heights of a letter below a row in which its description may go on."""
LIKELY = {
    "SEK": r"\b(?:kontoutdrag|bokf[öo]ringsdag|belopp|utg[åa]ende saldo)\b",
    "DKK": r"\b(?:kontoudskrift|bel[øo]b|bogf[øo]rt|posteringer)\b",
    "NOK": r"\b(?:kontoutskrift|bel[øo]p|bokf[øo]rt|inng[åa]ende saldo)\b",
    "PLN": r"\b(?:kwota|wyci[ąa]g|rachunek)\b",
    "CZK": r"\b(?:[čc][áa]stka|z[ůu]statek)\b",
    "HUF": r"\b(?:[öo]sszeg|egyenleg)\b",
    "TRY": r"\b(?:bakiye|i[şs]lem)\b",
}
"""The currency of the country where a language is spoken, for statements that name none; it stays an assumption."""
KRONER = {
    "SEK": r"\b(?:Sweden|Sverige|Swedish)\b",
    "NOK": r"\b(?:Norway|Norge|Norwegian)\b",
    "DKK": r"\b(?:Denmark|Danmark|Danish)\b",
}
_BESIDE = re.compile(
    r"(?<![^\W_])("
    + "|".join(re.escape(symbol) for symbol in sorted([*SYMBOLS, *SHARED], key=len, reverse=True))
    + r")\.?\s?[-+(]?\d"
    r"|(?<!\w)\d(?:[\d.,'’ ]*\d)?[-)]?\s?("
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
    heads = {code for entry in entries if entry.head and (code := _code_in_head(entry.line.text))}
    if len(heads) == 1:
        return Currency(heads.pop(), is_in_head=True)
    apart = "\n".join(line.text for line in lines[:LOOKED_AT] if date_at(line.words, 0) is None)
    outside = outside_rows(lines[:LOOKED_AT], entries)
    if code := _in_a_column(entries) or named_currency(outside):
        return Currency(code)
    if code := named_currency(apart):  # between rows: of another account on the page, or of a purchase
        return Currency(code, is_proved=bank is None or bank.currency in ("", code))
    if of_title := _of_title(lines, outside, bank):
        return of_title
    own = [line for line in apart.splitlines() if not EXCHANGE.search(line)]
    balances = "\n".join(line for line in own if OF_BALANCE.search(line))
    counted = _beside("\n".join(amounts)) or _beside(balances)
    if counted:
        symbol = counted.most_common(1)[0][0]
        if symbol not in SHARED:
            are_alike = (
                len({SYMBOLS.get(one, one) for one in _beside(balances)}) < 2
            )  # else of several accounts
            return Currency(SYMBOLS.get(symbol, symbol), is_proved=are_alike)
        has_cents = any(_CENTS.search(one) for one in amounts)
        return _shared(symbol, outside, bank, has_cents=has_cents, has_decimal_comma=has_decimal_comma)
    if loose := _beside("\n".join(line for line in outside.splitlines() if not EXCHANGE.search(line))):
        return _loose(loose.most_common(1)[0][0], outside, bank)
    if of_account := _of_the_account(bank, apart, lines):
        return of_account
    if any(entry.head and SIGN_IN_HEAD.search(entry.line.text) for entry in entries):
        has_cents = any(_CENTS.search(one) for one in amounts)
        return _shared("$", outside, bank, has_cents=has_cents, has_decimal_comma=has_decimal_comma)
    return _between_rows(own, outside, bank) or _likely(apart, has_decimal_comma=has_decimal_comma)


def _of_the_account(bank: Institution | None, apart: str, lines: Sequence[Line]) -> Currency | None:
    """What the bank, the account's IBAN or a code beside the account's name says, in this order. Where the IBAN or words of banking are
    another country's than the bank, theirs is the likelier, and not proved."""
    if bank is not None and bank.currency:
        others = {iban_currency(apart), country_currency(apart)} - {"", bank.currency}
        return Currency(others.pop(), is_proved=False) if len(others) == 1 else Currency(bank.currency)
    if code := iban_currency(apart) or country_currency(apart):
        return Currency(code)
    if ISRAELI.search(apart):
        return Currency("ILS")
    if sum(line.page == 0 and US_PLACE.search(line.text) is not None for line in lines[:TITLE]) > 1:
        return Currency("USD")
    beside = {
        code
        for line in lines[:TITLE]
        if (OF_ACCOUNT.search(line.text) or line.text in CODES) and (code := code_in(line.text))
    }
    return Currency(beside.pop()) if len(beside) == 1 else None


def _between_rows(own: Sequence[str], outside: str, bank: Institution | None) -> Currency | None:
    """A symbol that stands only between rows: it may be of a purchase abroad, so it proves nothing."""
    loose = _beside("\n".join(own))
    if not loose:
        return None
    return Currency(_loose(loose.most_common(1)[0][0], outside, bank).code, is_proved=False)


def _likely(apart: str, *, has_decimal_comma: bool) -> Currency:
    """The currency of the country that the words of the page are about; without one, that of the decimal mark."""
    likely = next((code for code, words in LIKELY.items() if re.search(words, apart, re.IGNORECASE)), "")
    return Currency(likely or ("EUR" if has_decimal_comma else "USD"), is_proved=False)


def outside_rows(lines: Sequence[Line], entries: Sequence[Entry]) -> str:
    """The text above the first and below the last row of each page: what stands between is of purchases, which name any country."""
    spans: dict[int, tuple[float, float]] = {}
    for entry in entries:
        if entry.cells and date_at(entry.line.words, 0) is not None:
            line = entry.line
            first, last = spans.get(line.page, (line.y, line.y))
            spans[line.page] = min(first, line.y), max(last, line.y + UNDER_A_ROW * line.height)
    beyond = (float("inf"), float("-inf"))
    kept = [line for line in lines if not _between(line.y, spans.get(line.page, beyond))]
    return "\n".join(line.text for line in kept)


def _between(place: float, span: tuple[float, float]) -> bool:
    return span[0] <= place <= span[1]


def _in_a_column(entries: Sequence[Entry]) -> str:
    """The code that stands in the column of currencies of every dated row."""
    rows = [
        entry
        for entry in entries
        if entry.cells and entry.table is not None and not entry.head and date_at(entry.line.words, 0)
    ]
    names = " ".join(entry.line.text for entry in entries if entry.head)
    codes = [code_in(entry.line.text) for entry in rows]
    return codes[0] if codes and OF_CURRENCY.search(names) and len(set(codes)) == 1 else ""


def _beside(text: str) -> Counter[str]:
    """Codes and symbols that stand beside numbers, counted."""
    codes = [one or other for one, other in _CODE_BESIDE.findall(text) if code_in(one or other)]
    return Counter(codes or [one or other for one, other in _BESIDE.findall(text)])


def _code_in_head(text: str) -> str:
    """The currency that a head of a table names: by its code, or as euros."""
    return code_in(text) or ("EUR" if re.search(r"\beuros?\b", text, re.IGNORECASE) else "")


def _loose(symbol: str, text: str, bank: Institution | None) -> Currency:
    """A symbol that stands beside neither amounts nor balances: it may be of a payment abroad, so the bank's own currency wins."""
    loose = Currency(SYMBOLS.get(symbol, symbol)) if symbol not in SHARED else _shared(symbol, text, bank)
    if bank is None or not bank.currency or bank.currency == loose.code:
        return loose
    return Currency(bank.currency, is_proved=False)


_ABROAD = re.compile(
    r"\b(?:canadian|australian|new zealand|singapore|hong ?kong|mexican|u\.?s\.?) (?:dollars?|pesos?)\b",
    re.IGNORECASE,
)
"""The money of a purchase abroad, noted under it: it says nothing of a bank whose country is known."""
_CENTS = re.compile(r"\d[.,]\d\d(?!\d)")
PESOS = {
    "ARS": r"\bArgentina\b|\bCBU\b|\bCUI[TL]\b|\bBuenos Aires\b|\bBCRA\b|\bpesos argentinos\b",
    "CLP": r"\bChile\b|\bcmfchile\b|\bSantiago de Chile\b|\bpesos chilenos\b",
    "COP": r"\bColombia\b|\bBogot[áa]\b|\bMedell[íi]n\b|\bSuperfinanciera\b|\bpesos colombianos\b",
    "MXN": r"\bM[ée]xico\b|\bCLABE\b|\bCDMX\b|\bpesos mexicanos\b",
    "UYU": r"\bUruguay\b|\bMontevideo\b|\bpesos uruguayos\b",
}
"""Words that tell whose pesos a statement counts; a bare `$` stands for all of them."""
OF_PESOS = re.compile(r"\b(?:en|moneda\W{0,5})\s*pesos\b", re.IGNORECASE)
OF_THE_BANK = re.compile(
    r"\bpesos\b|\bbanco?\b[^\n]{0,30}\b(?:argentina|chile|colombia|uruguay)\b", re.IGNORECASE
)
OF_DOLLARS = re.compile(r"\b(?:en|moneda\W{0,5})\s*d[óo]lares\b|\bU\$S", re.IGNORECASE)


def _pesos_of(text: str) -> str:
    """The code of the only country of pesos that the text names."""
    named = [code for code, words in PESOS.items() if re.search(words, text, re.IGNORECASE)]
    return named[0] if len(named) == 1 else ""


def _of_title(lines: Sequence[Line], text: str, bank: Institution | None) -> Currency | None:
    """The pesos or dollars that a Spanish title names (“Resumen de Caja de Ahorro en Pesos”); pesos in doubt where nothing says whose."""
    title = "\n".join(line.text for line in lines[:TITLE] if date_at(line.words, 0) is None)
    if OF_DOLLARS.search(title):
        return None if OF_PESOS.search(title) else Currency("USD")
    if not OF_PESOS.search(title):
        return None
    home = bank.currency if bank is not None and bank.currency in PESOS else ""
    code = home or _pesos_of(text)
    return Currency(code or "MXN", is_proved=bool(code))


RUPEES = {
    "INR": r"\b(?:India|IFSC|UPI|NEFT|IMPS)\b",
    "PKR": r"\b(?:Pakistan|PK\d\d)\b",
    "LKR": r"\b(?:Sri Lanka|Ceylon|Colombo)\b",
    "NPR": r"\bNepal\b",
    "MUR": r"\bMauritius\b",
}


def _shared(
    symbol: str,
    text: str,
    bank: Institution | None,
    *,
    has_cents: bool = False,
    has_decimal_comma: bool = False,
) -> Currency:
    """A symbol that several countries use: the words of the statement or its bank say whose it is."""
    possible = SHARED[symbol]
    home = bank.currency if bank is not None and bank.currency in possible else ""
    if symbol == "$":
        named = dollar_of(_ABROAD.sub(" ", text) if home else text)
        code = home if home and named in ("", "USD", home) else named or home
        if not home and (pesos := _pesos_of(text)) not in ("", code):
            is_written_so = has_decimal_comma or not has_cents or OF_THE_BANK.search(text) is not None
            return Currency(pesos, is_proved=is_written_so and not code and OF_DOLLARS.search(text) is None)
        return Currency(code or "USD", is_proved=bool(code) and not (code == "USD" and has_decimal_comma))
    if symbol == "kr":
        named = next((code for code, words in KRONER.items() if re.search(words, text)), "")
        code = home or named or iban_currency(text)
        return Currency(code or "SEK", is_proved=code in possible)
    if symbol.startswith("Rs"):
        code = home or next((code for code, words in RUPEES.items() if re.search(words, text)), "")
        return Currency(code or "INR", is_proved=bool(code))
    is_chinese = re.search(r"\b(?:RMB|CNY|China|Chinese)\b", text) is not None
    if has_cents and not home:  # a yen has none
        return Currency("CNY", is_proved=is_chinese)
    return Currency(home or ("CNY" if is_chinese else "JPY"))
