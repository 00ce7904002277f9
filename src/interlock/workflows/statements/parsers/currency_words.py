"""Currencies as statements print them: codes, symbols that mean one currency, symbols that mean several, and words that name one."""

from __future__ import annotations

import re
from functools import lru_cache

from ..normalize.currencies import MINOR_UNITS

SYMBOLS = {
    "US$": "USD",
    "U$S": "USD",
    "CA$": "CAD",
    "C$": "CAD",
    "CDN$": "CAD",
    "AU$": "AUD",
    "A$": "AUD",
    "NZ$": "NZD",
    "SG$": "SGD",
    "S$": "SGD",
    "HK$": "HKD",
    "NT$": "TWD",
    "MX$": "MXN",
    "R$": "BRL",
    "RM": "MYR",
    "R": "ZAR",
    "Rp": "IDR",
    "lei": "RON",
    "TL": "TRY",
    "zł": "PLN",
    "zl": "PLN",
    "Kč": "CZK",
    "Ft": "HUF",
    "€": "EUR",
    "£": "GBP",
    "₹": "INR",
    "₩": "KRW",
    "원": "KRW",
    "円": "JPY",
    "₽": "RUB",
    "₺": "TRY",
    "₪": "ILS",
    "฿": "THB",
    "₫": "VND",
    "₱": "PHP",
    "₦": "NGN",
    "CHF": "CHF",
    "Fr.": "CHF",
}
RUPEES = ("INR", "PKR", "LKR", "NPR", "MUR")
SHARED = {
    "$": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "COP", "CLP", "ARS"),
    "kr": ("SEK", "NOK", "DKK"),
    "¥": ("JPY", "CNY"),
    "￥": ("JPY", "CNY"),
    "Rs.": RUPEES,
    "Rs": RUPEES,
}
WHOLE = frozenset(("JPY", "KRW", "ISK", "VND", "CLP"))
"""Currencies whose amounts are printed without cents."""
CODES = frozenset(MINOR_UNITS) - frozenset(
    ("ALL", "TOP", "TRY", "MAD", "COP", "CUP", "SOS", "GEL", "BAM", "PEN", "PAB")
)
"""Codes that are no words: capitals of a head would be taken for them."""
_CODE = re.compile(r"(?<![^\W\d_])([A-Z]{3})(?![^\W\d_])")
_WORD_OF_CURRENCY = (
    r"(?i:(?<!foreign )(?<!original )(?<!transaction )(?<!merchant )(?<!local )"
    r"\b(?:currency|ccy|w[äa]hrung|devise|divisa|moneda|moeda|munt|valuta|waluta|kontow[äa]hrung|"
    r"m[ěe]na|devizanem|deviza|mata uang|para birimi|valiuta|valuuta|통화|通貨|货币|币种|幣別)(?: code)?)"
)
_NAMED = re.compile(
    rf"{_WORD_OF_CURRENCY}\s*(?:is|:|;|,|=|-)?\s*\"?\(?([A-Z]{{3}})\b|"
    r"(?i:\b(?:amounts?|balances?|figures?|transactions?|betr[äa]ge?)[^.\n]{0,30}\bin)\s+([A-Z]{3})\b",
)
_SYMBOL = re.compile(
    "|".join(
        rf"(?<![^\W\d_]){re.escape(symbol)}(?![^\W\d_])" for symbol in sorted(SYMBOLS, key=len, reverse=True)
    )
)
_IBAN = re.compile(r"\b([A-Z]{2})\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")
_EURO_AREA = re.findall(r"\w+", "AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK MC SM")
_BY_IBAN = {
    **dict.fromkeys(_EURO_AREA, "EUR"),
    "GB": "GBP",
    "CH": "CHF",
    "LI": "CHF",
    "SE": "SEK",
    "NO": "NOK",
    "DK": "DKK",
    "PL": "PLN",
    "CZ": "CZK",
    "HU": "HUF",
    "RO": "RON",
    "BG": "BGN",
    "TR": "TRY",
    "BR": "BRL",
    "IL": "ILS",
    "AE": "AED",
    "SA": "SAR",
}
_NAMED_BY_SYMBOL = re.compile(
    rf"{_WORD_OF_CURRENCY}\s*[:;,=-]\s*\"?\(?("
    + "|".join(re.escape(symbol) for symbol in sorted(SYMBOLS, key=len, reverse=True))
    + r")(?!\w)"
)


_NAMED_IN_BRACKETS = re.compile(
    rf"{_WORD_OF_CURRENCY}\s*[:;,=-]?\s*[^\W\d_]{{2,20}}(?: [^\W\d_]{{2,20}})?\s\(([A-Z]{{3}})\)"
)
_BY_SIGNS = tuple(
    (re.compile(rf"(?:币种|幣別|貨幣|通貨)[:：\s,;]*{name}"), code)
    for name, code in (
        ("新[台臺]幣", "TWD"),
        ("人民[币幣]", "CNY"),
        ("港[币幣元]", "HKD"),
        ("(?:日[圓元]|円)", "JPY"),
    )
)


@lru_cache(maxsize=4096)
def code_in(text: str) -> str:
    """The one ISO code or unshared symbol that a column's head or a label has, or empty."""
    found = {code for code in _CODE.findall(text) if code in CODES} or {
        SYMBOLS[symbol] for symbol in _SYMBOL.findall(text)
    }
    return found.pop() if len(found) == 1 else ""


_PLAIN = re.compile(r"[\d.,+\-−()' \u00a0]*")
_WITH_OWN_SYMBOL = frozenset(
    ("EUR", "GBP", "INR", "KRW", "RUB", "TRY", "ILS", "VND", "PHP", "NGN", "THB", "JPY", "CNY", "CHF")
)
"""Currencies whose amounts no symbol of another one stands beside."""


@lru_cache(maxsize=8192)
def currency_beside(amount: str, otherwise: str) -> tuple[str, bool]:
    """The currency that stands beside an amount in a table of another one, and whether its symbol means no other; `otherwise` where
    nothing does, or a symbol that it may have too."""
    if _PLAIN.fullmatch(amount):
        return otherwise, True
    if code := code_in(amount):
        return code, True
    symbol = next((one for one in SHARED if one in amount), "")
    if not symbol or otherwise in SHARED[symbol] or otherwise not in _WITH_OWN_SYMBOL:
        return otherwise, True
    return SHARED[symbol][0], False


NAMES = {
    "naira": "NGN",
    "cedis?": "GHS",
    "kenyan? shillings?": "KES",
    "south african rand": "ZAR",
    "singapore dollars?": "SGD",
    "hong ?kong dollars?": "HKD",
    "(?:united states|u\\.?s\\.?) dollars?": "USD",
    "canadian dollars?": "CAD",
    "australian dollars?": "AUD",
    "new zealand dollars?": "NZD",
    "(?:british )?pounds? sterling": "GBP",
    "euros?": "EUR",
    "swiss francs?": "CHF",
    "japanese yen|yen": "JPY",
    "(?:thai )?baht": "THB",
    "(?:malaysian )?ringgit": "MYR",
    "(?:indonesian )?rupiah": "IDR",
    "philippine pesos?": "PHP",
    "(?:pesos? mexicanos?|mexican pesos?)": "MXN",
    "(?:pesos? colombianos?|colombian pesos?)": "COP",
    "indian rupees?": "INR",
    "uae dirhams?": "AED",
    "saudi riyals?": "SAR",
    "(?:renminbi|chinese yuan|人民币)": "CNY",
    "(?:nuevos? )?soles?": "PEN",
    "pesos? argentinos?": "ARS",
    "pesos? chilenos?": "CLP",
    "pesos? uruguayos?": "UYU",
    "(?:reais|real)": "BRL",
    "guaran[ií]e?s?": "PYG",
    "quetzal(?:es)?": "GTQ",
    "kuwaiti dinars?": "KWD",
    "bahraini dinars?": "BHD",
    "jordanian dinars?": "JOD",
    "omani r[iy]y?als?": "OMR",
    "(?:tunisian dinars?|dinars? tunisiens?)": "TND",
}
_NAMED_IN_WORDS = re.compile(
    rf"{_WORD_OF_CURRENCY}\s*(?:is|:|;|,|=|-)?\s*(?i:("
    + "|".join(f"(?:{name})" for name in NAMES)
    + r"))(?!\w)"
)


def _in_words(text: str) -> str:
    """The code of the currency that stands in words behind a word for currency: `CURRENCY: SINGAPORE DOLLAR`, `幣別：新台幣`."""
    if found := _NAMED_IN_WORDS.search(text):
        return next((code for name, code in NAMES.items() if re.fullmatch(name, found[1], re.IGNORECASE)), "")
    if re.search("港[元幣](?:儲蓄|往來|戶口|存款)", text):
        return "HKD"
    return next((code for words, code in _BY_SIGNS if words.search(text)), "")


def named_currency(text: str) -> str:
    """The code that words such as `Currency: SGD`, `Para Birimi: TL` or `Moneda: Soles` name."""
    named = (code for pair in _NAMED.findall(text) for code in pair if code in CODES)
    if in_brackets := _NAMED_IN_BRACKETS.search(text):
        return in_brackets[1] if in_brackets[1] in MINOR_UNITS else ""
    symbol = _NAMED_BY_SYMBOL.search(text)
    return next(named, SYMBOLS[symbol[1]] if symbol else "") or _in_words(text)


def iban_currency(text: str) -> str:
    """The currency of the country whose IBAN the text has."""
    found = _IBAN.search(text)
    return _BY_IBAN.get(found[1], "") if found else ""
