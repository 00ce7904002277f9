"""Reads printed amounts for checks and signs, with the normalizer's own reader: what is accepted here is accepted there."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from ..normalize.amounts import AmountUnparsable, infer_decimal_mark, read_amount


def amount_of(text: str, decimal: str) -> Decimal | None:
    """The printed number with its printed sign; CR and DR beside it count as plus and minus. None if it cannot be read."""
    try:
        return read_amount(text, decimal).value
    except AmountUnparsable:
        return None


def says_direction(text: str, decimal: str) -> bool:
    """Whether CR or DR stands beside the number: then it says itself which way the money went."""
    try:
        return read_amount(text, decimal).says_direction
    except AmountUnparsable:
        return False


def decimal_mark(texts: Iterable[str], otherwise: str = ".") -> str:
    """The decimal mark that the amounts of a file show."""
    return infer_decimal_mark(text for text in texts if text) or otherwise
