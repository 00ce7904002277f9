"""Reads printed amounts for checks and signs, with the normalizer's own reader: what is accepted here is accepted there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from decimal import Decimal
from functools import lru_cache

from ..normalize.amounts import AmountUnparsable, ShownMark, read_amount, shown_mark

MARK_IS_OPEN = (
    "every amount has three digits behind its only separator, so it may be a thousand times larger or smaller; "
    "“{mark}” is taken as the decimal mark"
)
_PLAIN = re.compile(r"[-+]?\$?(?:\d{1,3}(?:,\d{3}){0,4}|\d{1,12})\.\d{2}", re.ASCII)
_PLAIN_COMMA = re.compile(r"[-+]?(?:\d{1,3}(?:\.\d{3}){0,4}|\d{1,12}),\d{2}", re.ASCII)
_TO_POINT = {".": str.maketrans("", "", "$,"), ",": str.maketrans(",", ".", ".")}


@lru_cache(maxsize=8192)
def read(text: str, decimal: str) -> tuple[Decimal | None, bool]:
    """The printed number with its printed sign, or None; and whether CR or DR beside it says which way the money went."""
    if (_PLAIN if decimal == "." else _PLAIN_COMMA).fullmatch(
        text
    ):  # most amounts are plain, and files are long
        return Decimal(text.translate(_TO_POINT[decimal])), False
    try:
        amount = read_amount(text, decimal)
    except AmountUnparsable:
        return None, False
    return amount.value, amount.says_direction


def amount_of(text: str, decimal: str) -> Decimal | None:
    return read(text, decimal)[0]


def says_direction(text: str, decimal: str) -> bool:
    return read(text, decimal)[1]


def decimal_mark(
    texts: Iterable[str],
    otherwise: str = ".",
    currencies: Collection[str] = (),
    *,
    has_groups: bool = True,
) -> str:
    """The decimal mark that the amounts of a file show."""
    return shown_decimal_mark(texts, currencies, has_groups=has_groups).mark or otherwise


def shown_decimal_mark(
    texts: Iterable[str], currencies: Collection[str] = (), *, has_groups: bool = True
) -> ShownMark:
    """The same, with whether it stays open."""
    return shown_mark((text for text in texts if text), currencies, has_groups=has_groups)
