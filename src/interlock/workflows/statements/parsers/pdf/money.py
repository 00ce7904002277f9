"""Amounts as banks print them: signs before or behind, parentheses, CR and DR, currencies, points or commas."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from ..currency_words import SYMBOLS as CURRENCY_SYMBOLS
from .lines import THREE_DECIMALS, Line, Word, plain_signs

SYMBOLS = {**CURRENCY_SYMBOLS, "$": "USD", "¥": "JPY", "￥": "JPY", "Rs.": "INR", "Rs": "INR"}
CODES = (
    "USD",
    "EUR",
    "GBP",
    "CAD",
    "AUD",
    "CHF",
    "JPY",
    "INR",
    "NZD",
    "SGD",
    "HKD",
    "MXN",
    "BRL",
    "SEK",
    "NOK",
    "DKK",
    "PLN",
    "ZAR",
    "KRW",
    "CZK",
    "HUF",
    "RON",
    "TRY",
    "THB",
    "MYR",
    "PHP",
    "IDR",
    "ILS",
    "AED",
    "SAR",
    "CNY",
    "TWD",
    "ISK",
    "VND",
    "CLP",
)
CURRENCY = (
    "(?:"
    + "|".join(re.escape(symbol) for symbol in sorted(SYMBOLS, key=len, reverse=True))
    + r"|[Kk]r\.?|"
    + "|".join(CODES)
    + ")"
)
NUMBER = r"(?:\d{1,3}(?:,\d{2,3})+\.\d{2}|\d{1,3}(?:\.\d{3})+,\d{2}|\d{1,3}(?:['’ ]\d{3})+[.,]\d{2}|\d+[.,]\d{2}|[.,]\d{2})"
BARE = "(?:[¥￥₩₫円원]|JPY|KRW|ISK|VND|CLP)"
"""Currencies without cents: beside their own sign a whole number is an amount."""
WHOLE = r"(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+|\d+)"


def _amount(number: str, currency: str) -> re.Pattern[str]:
    """A number with whatever banks print around it."""
    return re.compile(
        rf"(?P<open>\()?(?P<sign>[-+])?(?P<before>{currency})?(?P<inner>[-+])?(?P<number>{number})"
        rf"(?P<behind>[-+])?(?P<close>\))?(?P<after>{currency})?(?P<outer>[-+])?(?P<marker>\(?(?:CR|DR|DB|OD|Cr|Dr|Db|cr|dr|Af|Bij)\)?|[CDSH])?"
    )


MARKERS = {"C": "CR", "D": "DR", "H": "CR", "S": "DR", "DB": "DR", "AF": "DR", "BIJ": "CR"}
"""Credit and debit in one letter; H and S are the German ones (Haben, Soll)."""

CORE, UNCUT = _amount(NUMBER, CURRENCY), _amount(WHOLE, BARE)
LIKELY = re.compile(rf"\d[.,]\d{{2}}(?!\d)|^\D{{0,5}}[.,]\d{{2}}\D{{0,4}}$|{BARE}[-+]?\d|\d{BARE}")
ALONE = re.compile(r"[-+(−]?(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+|\d{3,9})[-+)]?")
LEADING = re.compile(rf"[-+(]|{CURRENCY}|\(?[-+]?{CURRENCY}[-+]?|\(?[-+]")
TRAILING = re.compile(rf"[-+)]|\(?(?:CR|DR|DB|OD|Cr|Dr|Db|cr|dr|Af|Bij)\)?|{CURRENCY}|{CURRENCY}[-+]?")
GROUP = re.compile(rf"[-+]?{CURRENCY}?[-+]?\d{{1,3}}")
REST_OF_GROUP = re.compile(r"\d{3}([.,]\d{2})?[-+]?")


@dataclass(frozen=True, slots=True)
class Money:
    """An amount: what is printed (without the marker and without gaps), and what it says."""

    text: str
    value: Decimal
    marker: str = ""
    currency: str = ""

    @property
    def negative(self) -> bool:
        return self.value < 0

    @property
    def balance(self) -> Decimal:
        """Read as a balance: DR and OD are owed."""
        return -abs(self.value) if self.marker in ("DR", "OD") else self.value

    @property
    def owed(self) -> Decimal:
        """Read as a balance of what is owed: CR is owned."""
        return -abs(self.value) if self.marker == "CR" else self.value


@dataclass(slots=True)
class Cell:
    """An amount and its place on the line: words first … last (excluded)."""

    money: Money
    x0: float
    x1: float
    first: int
    last: int


MILS = _amount(r"(?:\d{1,3}(?:,\d{3})+\.\d{3}|\d{1,3}(?:\.\d{3})+,\d{3}|\d+[.,]\d{3})", CURRENCY)
LIKELY_MILS = re.compile(r"\d[.,]\d{3}(?!\d)")


def money_of(text: str, whole: int = 0) -> Money | None:
    """The amount that the whole text is, or None; marks of footnotes are no part of it."""
    text = text.rstrip("*†‡^⧫◊")
    if whole == THREE_DECIMALS:
        found = MILS.fullmatch(plain_signs(text).replace(" ", ""))
    else:
        found = CORE.fullmatch(
            plain_signs(text).replace(" ", "") if "," not in text[-4:-2] else plain_signs(text)
        ) or _uncut(text, whole)
    if not found or bool(found["open"]) != bool(found["close"]):
        return None
    number = found["number"]
    places = {CORE: 2, MILS: 3}.get(found.re, 0)
    units, cents = (number[: -places - 1], number[-places:]) if places else (number, "00")
    value = Decimal(f"{re.sub(r'[^0-9]', '', units) or 0}.{cents}")
    minus = "-" in (found["sign"], found["inner"], found["behind"], found["outer"])
    printed_marker = (found["marker"] or "").upper().strip("()")
    marker = MARKERS.get(printed_marker, printed_marker)
    printed = (
        plain_signs(text)[: found.start("marker")].replace(" ", "")
        if found["marker"]
        else plain_signs(text).replace(" ", "")
    )
    currency = found["before"] or found["after"] or ""
    return Money(
        printed, -value if minus or found["open"] else value, marker, SYMBOLS.get(currency, currency)
    )


def _uncut(text: str, whole: int = 0) -> re.Match[str] | None:
    """A whole number beside the sign of a currency that has no cents, or alone where the whole document is in one."""
    found = UNCUT.fullmatch(plain_signs(text).replace(" ", ""))
    return found if found and (whole or found["before"] or found["after"]) else None


THOUSANDS = re.compile(r"\d{1,3}[,'’]\d{3}\.\d\d|(?<![\d.])\d{4,}\.\d\d(?![\d.])")
HEAD_OF_GROUP = re.compile(rf"[-+(]?{CURRENCY}?[-+]?[1-9]\d{{0,2}}")
TAIL_OF_GROUP = re.compile(r"\d{3}\.\d\d[-+)]?")


def with_joined_thousands(lines: list[Line]) -> list[Line] | None:
    """The lines with `1 850.00` as one word, where figures stand so more than once and no thousand is written otherwise; else None."""
    if any(THOUSANDS.search(line.text) for line in lines):
        return None
    joined = [Line(line.page, line.y, _joined(line.words), line.place, whole=line.whole) for line in lines]
    pairs = sum(len(line.words) - len(new.words) for line, new in zip(lines, joined, strict=True))
    return joined if pairs > 1 else None


def _joined(words: list[Word]) -> list[Word]:
    made: list[Word] = []
    for word in words:
        last = made[-1] if made else None
        near = last is not None and word.x0 - last.x1 < 0.8 * word.height
        if last and near and HEAD_OF_GROUP.fullmatch(last.text) and TAIL_OF_GROUP.fullmatch(word.text):
            made[-1] = Word(last.text + word.text, last.x0, word.x1, last.y, word.height, word.spaced)
        else:
            made.append(word)
    return made


def cells_of(line: Line) -> list[Cell]:
    """The amounts on a line, with signs, currencies and markers that stand apart joined to them."""
    cells: list[Cell] = []
    words, taken = line.words, 0
    for index, word in enumerate(words):
        likely = LIKELY_MILS if line.whole == THREE_DECIMALS else LIKELY
        is_whole = line.whole == 1 and ALONE.fullmatch(word.text) is not None
        if index < taken or not (likely.search(word.text) or is_whole):
            continue
        cell = _widest(words, index, taken, line.whole)
        if cell:
            cells.append(cell)
            taken = cell.last
    return cells


def _widest(words: list[Word], index: int, taken: int, whole: int = 0) -> Cell | None:
    """The longest stretch of words around this one that reads as one amount."""
    first, last = _first(words, index, taken), _last(words, index)
    for start in range(first, index + 1):
        for end in range(last, index, -1):
            money = money_of("".join(word.text for word in words[start:end]), whole)
            if money:
                return Cell(money, words[start].x0, words[end - 1].x1, start, end)
    return None


def _first(words: list[Word], index: int, taken: int) -> int:
    first = index
    while first > taken and index - first < 3:
        word, gap = words[first - 1], words[first].x0 - words[first - 1].x1
        text = plain_signs(word.text)
        grouped = (
            GROUP.fullmatch(text) and REST_OF_GROUP.fullmatch(words[first].text) and "," in words[index].text
        )
        near = 0.8 * word.height if grouped else 1.2 * word.height
        if gap > near or not (grouped or LEADING.fullmatch(text)):
            break
        first -= 1
    return first


def _last(words: list[Word], index: int) -> int:
    last = index + 1
    while last < len(words) and last - index < 3:
        gap = words[last].x0 - words[last - 1].x1
        text = plain_signs(words[last].text)
        lone = text in MARKERS and (
            last + 1 == len(words) or words[last + 1].x0 - words[last].x1 > 1.2 * words[last].height
        )
        if gap > 1.0 * words[last].height or not (lone or TRAILING.fullmatch(text)):
            break
        last += 1
    return last
