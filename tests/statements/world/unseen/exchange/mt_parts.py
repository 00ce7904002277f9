"""The fields of SWIFT's customer statements, and the ways that banks fill them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Row

from .accounts import Book, digits, swift_safe


def swift(amount: Decimal, *, is_short: bool = False, width: int = 0) -> str:
    """12,50 without a sign; short: 12,5 and 12, — wide: with zeros before it."""
    text = f"{abs(amount):f}".replace(".", ",")
    if "," not in text:
        text += ","
    if is_short:
        text = text.rstrip("0") if not text.endswith(",") else text
    return text.rjust(width, "0")


@dataclass(frozen=True)
class Habit:
    """How a bank writes the line of a transaction."""

    funds: str = ""
    """The third letter of the currency, behind the mark."""
    code: str = "NTRF"
    has_entry: bool = True
    is_short: bool = False
    width: int = 0
    reference: str = "NONREF"


def line(
    row: Row,
    habit: Habit,
    *,
    value: date | None = None,
    is_reversal: bool = False,
    code: str = "",
    bank_reference: str = "",
    more: str = "",
) -> str:
    """Field 61. A reversed credit (RC) takes money out, a reversed debit (RD) brings it back."""
    mark = "C" if row.amount > 0 else "D"
    if is_reversal:
        mark = "RD" if row.amount > 0 else "RC"
    return (
        f":61:{value or row.day:%y%m%d}{f'{row.day:%m%d}' if habit.has_entry else ''}{mark}{habit.funds}"
        f"{swift(row.amount, is_short=habit.is_short, width=habit.width)}{code or habit.code}{habit.reference}"
        f"{f'//{bank_reference}' if bank_reference else ''}\n{f'{more}{chr(10)}' if more else ''}"
    )


def balance(
    tag: str, value: Decimal, currency: str, day: date, *, is_short: bool = False, width: int = 0
) -> str:
    mark = "C" if value >= 0 else "D"
    return f":{tag}:{mark}{day:%y%m%d}{currency}{swift(value, is_short=is_short, width=width)}\n"


def opened(book: Book, tag: str = "60F", **how: int) -> str:
    return balance(
        tag,
        book.opening,
        book.currency,
        book.first,
        is_short=bool(how.get("short")),
        width=how.get("width", 0),
    )


def closed(book: Book, tag: str = "62F", **how: int) -> str:
    return balance(
        tag,
        book.closing,
        book.currency,
        book.last,
        is_short=bool(how.get("short")),
        width=how.get("width", 0),
    )


def wrapped(text: str, width: int = 65) -> str:
    """A text broken wherever the line is full, words or not."""
    return "".join(f"{text[n : n + width]}\n" for n in range(0, len(text), width))


def free(row: Row, _: int = 0) -> str:
    """Field 86 as words."""
    return wrapped(f":86:{swift_safe(row.text).upper()} REF {digits(row.text, 10)}")


def structured(row: Row, number: int, mark: str = "?", width: int = 65) -> str:
    """Field 86 as the banks of Germany, and after them those of Poland and Bohemia, cut it into subfields."""
    code, told = ("166", "GUTSCHRIFT") if row.amount > 0 else ("177", "SEPA-UEBERWEISUNG")
    name = swift_safe(row.text)
    purpose = (
        f"EREF+{digits(row.text, 12)}SVWZ+RECHNUNG {digits(f'{number} {row.day}', 7)} VOM {row.day:%d.%m.%Y}"
    )
    cut = "".join(f"{mark}{20 + n}{purpose[at : at + 27]}" for n, at in enumerate(range(0, len(purpose), 27)))
    names = f"{mark}32{name[:27]}" + (f"{mark}33{name[27:]}" if name[27:] else "")
    field = f"{code}{mark}00{told}{mark}10{digits(name, 4)}{cut}{mark}30COBADEFFXXX{mark}31DE{digits(name, 20)}{names}"
    return wrapped(f":86:{field}{mark}34997", width)


def czech(row: Row, number: int) -> str:
    """Field 86 of a Czech bank: bank, account, variable and constant symbol of the other side."""
    name, symbols = swift_safe(row.text), f"VS{digits(f'{row.day}{number}', 10)} KS0308 SS"
    told = "PLATBA" if row.amount < 0 else "PRIJEM"
    return wrapped(f":86:020?00{told}?20{symbols}?21{name[:27]}?300800?31{digits(name, 10)}?32{name[:27]}")


def lines(
    rows: Iterable[Row],
    habit: Habit,
    told: Callable[[Row, int], str] = free,
    values: dict[int, date] | None = None,
) -> str:
    """Fields 61 and 86 of these rows, one after the other."""
    some = values or {}
    return "".join(
        line(row, habit, value=some.get(n), bank_reference=digits(f"{row.day} {n}", 10)) + told(row, n)
        for n, row in enumerate(rows)
    )


def head(key: str, where: str, number: str = "1/1", tag: str = "28C") -> str:
    return f":20:{digits(key, 10)}\n:25:{where}\n:{tag}:{number}\n"


def envelope(bank: str, body: str, *, kind: str = "940", trailer: str = "") -> str:
    """The blocks that the network puts around a message."""
    return f"{{1:F01{bank:X<12}0000000000}}{{2:I{kind}{bank:X<12}N}}{{4:\n{body}-}}{trailer}"


def windows(text: str) -> str:
    return text.replace("\n", "\r\n")
