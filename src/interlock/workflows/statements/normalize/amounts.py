"""Reads a printed amount into an exact decimal, in the notations that banks use; it never guesses and never touches a float."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from .currencies import IN_THOUSANDTHS, MINOR_UNITS, SELDOM_WITH_CENTS, WITH_A_POINT

DecimalMark = Literal[".", ","]
_OTHER: dict[DecimalMark, DecimalMark] = {".": ",", ",": "."}
GROUP = 3
LONGEST = 64
MOST_DIGITS = 18
"""More digits than any money has; a reference number in the amount column is refused instead of believed."""

SYMBOLS = {
    "€": "EUR",
    "£": "GBP",
    "₹": "INR",
    "₩": "KRW",
    "₽": "RUB",
    "₺": "TRY",
    "₪": "ILS",
    "₫": "VND",
    "₴": "UAH",
    "₦": "NGN",
    "₱": "PHP",
    "฿": "THB",
    "₸": "KZT",
    "₾": "GEL",
    "₿": "",
    "$": "",
    "¥": "",
    "¢": "",
}
"""What a symbol says about the currency; those that several countries share say nothing."""

_MARK = rf"(?:(?:[A-Z]{{1,3}})?[{re.escape(''.join(SYMBOLS))}]|[A-Z]{{3}}|KR\.?|ZŁ|KČ|FT|FR\.?|RS\.?|RM|RP\.?|TL|LEI|R)"
_BEFORE = re.compile(rf"^([-+(\s]*){_MARK}(?=[-+(\s\d.,])")
_AFTER = re.compile(rf"(?<=[\d\s.,)-]){_MARK}([-+)\s]*)$")
_DIRECTION = re.compile(
    r"^(?P<first>CR|DR)\.?\s*(?=[\d(+$€£-])|(?<=[\d\s)$€£])\s*(?P<last>CR|DR|DB|OD)\.?$|(?<=[.,]\d\d)\s?(?P<letter>[CDHS])$"
)
_MEANS = {"C": "CR", "H": "CR", "D": "DR", "S": "DR", "DB": "DR", "OD": "DR"}
"""Credit and debit in one letter, the German Haben and Soll among them; OD is a balance that is overdrawn."""
_SHAPE = re.compile(
    r"(?P<open>\()?\s*(?P<lead>[-+])?\s*(?P<number>[\d.,' ]*\d[.,]?)\s*(?P<trail>[-+])?\s*(?P<close>\))?"
)
_PLAIN = re.compile(r"-?\d{1,15}\.\d{1,4}", re.ASCII)
_POINT_OF_A_WORD = re.compile(r"(?<=[^\W\d_])\.(?=\s?\d)")
"""`Rs.50` and `Fr. 50`: it is no decimal mark."""
_WORD = re.compile(r"[^\W\d_]{4}")
"""Four letters in a row: no currency and no mark of a direction has so many."""
_SPELLINGS = str.maketrans(
    {
        **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\u2014\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2019\u02bc\u00b4`", "'"),
        **dict.fromkeys("\u00a0\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t", " "),
        **dict.fromkeys("\u200b\u200e\u200f\u2060\ufeff\u202a\u202c", None),
    }
)


def _number(mark: str) -> re.Pattern[str]:
    """Digits with one kind of separator between groups of three, or in the Indian way, and this decimal mark."""
    other = re.escape("," if mark == "." else ".")
    grouped = rf"\d{{1,3}}(?:(?P<separator>{other}|'| )\d{{3}})(?:(?P=separator)\d{{3}})*"
    indian = rf"\d{{1,2}}(?:{other}\d{{2}})+{other}\d{{3}}"
    return re.compile(rf"(?P<whole>\d+|{grouped}|{indian}|)(?:{re.escape(mark)}(?P<part>\d*))?", re.ASCII)


_NUMBERS: dict[str, re.Pattern[str]] = {".": _number("."), ",": _number(",")}


class AmountUnparsable(ValueError):
    """The text is no amount that can be read in one way only."""


@dataclass(frozen=True, slots=True)
class Amount:
    """What is printed. `says_direction`: CR or DR stands beside it, which means in or out whatever the bank's sign convention is."""

    value: Decimal
    says_direction: bool = False
    currency: str = ""

    def towards_us(self, sign: int) -> Decimal:
        """Money in is positive, money out negative."""
        value = self.value if self.says_direction else self.value * sign
        return value or abs(value)  # there is no minus zero


def read_amount(text: str, decimal: str = ".") -> Amount:
    """Read it, or raise AmountUnparsable."""
    if decimal == "." and _PLAIN.fullmatch(text):
        return Amount(Decimal(text))
    if len(text) > LONGEST:
        raise AmountUnparsable("longer than any amount")
    if _WORD.search(text):
        raise AmountUnparsable(f"{text!r} is not an amount")
    rest = _plain_spelling(text)
    rest, direction = _take_direction(rest)
    rest, currency = _take_currency(rest)
    if not direction:
        rest, direction = _take_direction(rest)
    shape = _SHAPE.fullmatch(rest)
    if shape is None:
        raise AmountUnparsable(f"{text!r} is not an amount")
    value = _value(shape["number"], decimal)
    return Amount(_signed(value, shape, direction, text), bool(direction), currency)


def _plain_spelling(text: str) -> str:
    """One minus, one space, one apostrophe, digits that are digits."""
    spelled = text.translate(_SPELLINGS)
    if not spelled.isascii():
        spelled = unicodedata.normalize("NFKC", spelled).translate(_SPELLINGS)
    return spelled.strip().upper()


def _take_direction(text: str) -> tuple[str, str]:
    found = _DIRECTION.search(text)
    if found is None:
        return text, ""
    mark = found["first"] or found["last"] or found["letter"]
    return (text[: found.start()] + text[found.end() :]).strip(), _MEANS.get(mark, mark)


def _take_currency(text: str) -> tuple[str, str]:
    """Take away one currency before the number and one after it: `$50.00`, `50,00 €`, `$50.00 USD`."""
    said = ""
    for pattern in (_BEFORE, _AFTER):
        found = pattern.search(text)
        if found is not None:
            mark = (
                found.group().replace(found.group(1), "", 1).strip(" -+()")
                if found.group(1)
                else found.group().strip()
            )
            said = SYMBOLS.get(mark, mark if len(mark) == 3 and mark.isalpha() else said) or said
            text = (text[: found.start()] + found.group(1) + text[found.end() :]).strip()
    return text, said


def _value(number: str, decimal: str) -> Decimal:
    found = _NUMBERS[decimal].fullmatch(number.strip())
    if found is None or not (found["whole"] or found["part"]):
        raise AmountUnparsable(f"{number.strip()!r} is not a number with the decimal mark {decimal!r}")
    whole = re.sub(r"\D", "", found["whole"])
    part = found["part"] or ""
    if len(whole) + len(part) > MOST_DIGITS:
        part = part.rstrip("0")  # programs fill decimals up with zeros
    if len(whole) + len(part) > MOST_DIGITS:
        raise AmountUnparsable(f"{number.strip()!r} has more digits than any amount")
    return Decimal(f"{whole or '0'}.{part}" if part else whole or "0")


def _signed(value: Decimal, shape: re.Match[str], direction: str, text: str) -> Decimal:
    """One sign, said once; a minus inside parentheses says it twice and means it once."""
    if bool(shape["open"]) != bool(shape["close"]) or (shape["trail"] and (shape["lead"] or shape["open"])):
        raise AmountUnparsable(f"{text!r} has two signs, or half a parenthesis")
    negative = bool(shape["open"]) or "-" in (shape["lead"], shape["trail"])
    if direction == "CR" and negative:
        raise AmountUnparsable(f"{text!r} says both credit and minus")
    return -value if negative or direction == "DR" else value


@dataclass(frozen=True, slots=True)
class ShownMark:
    """The decimal mark that amounts show. `mark` is None where they contradict each other; `is_open`: every amount is one such as `1.234`,
    which is one and a bit or a thousand and something, and neither another amount nor the currency says which."""

    mark: DecimalMark | None
    is_open: bool = False


def infer_decimal_mark(texts: Iterable[str]) -> DecimalMark | None:
    """The decimal mark of a file, where its amounts show it: one that cannot be read otherwise decides for all. None: they contradict."""
    return shown_mark(texts).mark


def shown_mark(
    texts: Iterable[str], currencies: Collection[str] = (), *, has_groups: bool = True
) -> ShownMark:
    """The decimal mark that amounts in these currencies show. In a format that groups no thousands (`has_groups` is False) the only
    separator of an amount is its decimal mark."""
    sure: set[DecimalMark] = set()
    separators: set[DecimalMark] = set()
    has_hundreds = False
    for text in texts:
        mark, certain = _decimal_mark_in(text)
        if mark is None:
            has_hundreds = has_hundreds or 0 < len(re.sub(r"\D", "", text).lstrip("0")) <= GROUP
        elif certain:
            sure.add(mark)
        else:
            separators.add(_OTHER[mark])
    if len(sure) > 1:
        return ShownMark(None)
    if sure or not separators:
        return ShownMark(sure.pop() if sure else ".")
    if len(separators) > 1:
        return ShownMark(".", is_open=True)
    separator = separators.pop()
    if not has_groups:
        return ShownMark(separator)
    shown = {_mark_of(separator, code, has_hundreds=has_hundreds) for code in currencies or ("",)}
    return shown.pop() if len(shown) == 1 else ShownMark(_OTHER[separator], is_open=True)


def _mark_of(separator: DecimalMark, currency: str, *, has_hundreds: bool) -> ShownMark:
    """The decimal mark of amounts that all have three digits behind their only separator, by how their currency is printed; beside amounts
    up to 999 without a separator they have no decimals."""
    if currency in IN_THOUSANDTHS:
        return ShownMark(separator, is_open=has_hundreds or (separator == "," and currency in WITH_A_POINT))
    if MINOR_UNITS.get(currency) == 0 or currency in SELDOM_WITH_CENTS:
        return ShownMark(_OTHER[separator])
    if currency in WITH_A_POINT:
        return ShownMark(".", is_open=separator == ".")
    return ShownMark(_OTHER[separator], is_open=not has_hundreds)


@lru_cache(maxsize=8192)
def _decimal_mark_in(text: str) -> tuple[DecimalMark | None, bool]:
    """The decimal mark that one amount uses, and whether that is certain; None where it has none."""
    text = _POINT_OF_A_WORD.sub("", text)
    points, commas = text.count("."), text.count(",")
    if not points and not commas:
        return None, False
    if points and commas:
        return ("." if text.rfind(".") > text.rfind(",") else ","), True
    mark: DecimalMark = "." if points else ","
    other = _OTHER[mark]
    if points + commas > 1:
        return other, True  # 1.234.567: what is repeated separates groups
    whole, _, part = text.partition(mark)
    digits, before = len(re.sub(r"\D", "", part)), re.sub(r"\D", "", whole)
    if digits != 3 or len(before) > 3 or before in ("", "0"):
        return mark, True  # 1234.900 and 0.500 group nothing
    return other, False  # 1.234 is one thousand and something, unless the file shows otherwise
