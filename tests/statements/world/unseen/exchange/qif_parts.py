"""The records of a QIF file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Row

from .accounts import Book


def record(*lines: str) -> str:
    return "\n".join((*lines, "^", ""))


def quicken_day(day: date) -> str:
    """1/ 5'25, as Quicken writes: padded with blanks, an apostrophe before the years from 2000 on."""
    return f"{day.month:2d}/{day.day:2d}{chr(39) if day.year >= 2000 else '/'}{day.year % 100:2d}"


def records(
    book: Book, day: Callable[[date], str], amount: Callable[[Decimal], str], more: Iterable[str] = ()
) -> str:
    """Date, amount, payee, and the lines that are the same for all."""
    return "".join(
        record(f"D{day(row.day)}", f"T{amount(row.amount)}", f"P{row.text}", *more) for row in book.rows
    )


def account(name: str, kind: str, *lines: str) -> str:
    """A block that says whose transactions follow."""
    return "!Account\n" + record(f"N{name}", f"T{kind}", *lines)


def plain(pattern: str) -> Callable[[date], str]:
    return lambda day: day.strftime(pattern)


def short(day: date) -> str:
    """5.1.2025"""
    return f"{day.day}.{day.month}.{day.year}"


def american(amount: Decimal) -> str:
    """-1,234.50"""
    return f"{amount:,f}"


def opening(row: Row, day: Callable[[date], str], amount: Callable[[Decimal], str], own: str) -> str:
    """The record that sets an account up: a balance, no transaction. It names the account itself as its category."""
    return record(f"D{day(row.day)}", f"T{amount(row.amount)}", "CX", "POpening Balance", f"L[{own}]")
