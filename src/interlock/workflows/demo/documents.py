"""Statements as banks would send them, made up from a number: most add up, some do not, some only when they are read in another way, some
cannot be read."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from .words import BUYERS

FIRST_DAY = date(2026, 1, 5)


class Document(NamedTuple):
    """A file with its name."""

    name: str
    content: bytes


def make_document(number: int) -> Document:
    """Return the statement of this number; the same number gives the same bytes."""
    chance = Random(f"statement {number}")
    kind = number % 8
    if kind == 3:
        return _without_table(number)
    if kind == 5:
        return _broken_pdf(number)
    if kind in (1, 6):
        return _ofx(number, chance)
    if number % 16 == 12:
        return _fuel_card(number, chance)
    return _csv(number, chance, adds_up=kind != 4)


def _rows(chance: Random, count: int) -> list[tuple[date, str, int]]:
    """Return days, payees and amounts in cents."""
    day, rows = FIRST_DAY + timedelta(days=chance.randrange(200)), []
    for _ in range(count):
        day += timedelta(days=chance.randrange(3))
        payee = chance.choice(BUYERS)
        cents = chance.randrange(180_000, 320_000) if "PAYROLL" in payee else -chance.randrange(250, 24_000)
        rows.append((day, payee, cents))
    return rows


def _csv(number: int, chance: Random, *, adds_up: bool) -> Document:
    balance = chance.randrange(50_000, 400_000)
    lines = ["Date,Description,Amount,Running Bal."]
    for position, (day, payee, cents) in enumerate(_rows(chance, chance.randrange(6, 18))):
        balance += cents
        if not adds_up and position == 3:
            balance += 1_250
        lines.append(f"{day:%m/%d/%Y},{payee} {number:05d},{cents / 100:.2f},{balance / 100:.2f}")
    return Document(f"checking-{number:05d}.csv", ("\n".join(lines) + "\n").encode())


def _fuel_card(number: int, chance: Random) -> Document:
    """A card with tenths of cents, written behind a comma: at first they are read as thousands."""
    rows = [row for row in _rows(chance, chance.randrange(8, 14)) if row[2] < 0]
    opening = chance.randrange(50_000, 400_000)
    closing = opening + sum(cents for _, _, cents in rows)
    lines = [
        "Lakeside Fuel,,",
        f"Opening balance,,{opening / 100:.2f}",
        f"Closing balance,,{closing / 100:.2f}",
    ]
    lines += ["", "Date,Description,Amount (EUR)"]
    for day, payee, cents in rows:
        whole, rest = divmod(abs(cents), 100)
        lines.append(f'{day:%d/%m/%Y},{payee} {number:05d},"-{whole},{rest:02d}0"')
    return Document(f"fuel-{number:05d}.csv", ("\n".join(lines) + "\n").encode())


def _ofx(number: int, chance: Random) -> Document:
    rows = _rows(chance, chance.randrange(5, 14))
    entries = "".join(
        f"<STMTTRN><TRNTYPE>{'CREDIT' if cents > 0 else 'DEBIT'}<DTPOSTED>{day:%Y%m%d}<TRNAMT>{cents / 100:.2f}"
        f"<FITID>{number}-{position}<NAME>{payee}</STMTTRN>"
        for position, (day, payee, cents) in enumerate(rows)
    )
    text = (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\n"
        "OLDFILEUID:NONE\nNEWFILEUID:NONE\n\n"
        f"<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>{rows[-1][0]:%Y%m%d}<LANGUAGE>ENG"
        "</SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>EUR"
        f"<BANKACCTFROM><BANKID>10010010<ACCTID>{number:08d}<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>"
        f"<DTSTART>{rows[0][0]:%Y%m%d}<DTEND>{rows[-1][0]:%Y%m%d}{entries}</BANKTRANLIST>"
        f"<LEDGERBAL><BALAMT>{sum(cents for _, _, cents in rows) / 100:.2f}<DTASOF>{rows[-1][0]:%Y%m%d}</LEDGERBAL>"
        "</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n"
    )
    return Document(f"giro-{number:05d}.ofx", text.encode())


def _without_table(number: int) -> Document:
    return Document(
        f"letter-{number:05d}.csv", f"Dear customer {number}\nwe write to you about your account\n".encode()
    )


def _broken_pdf(number: int) -> Document:
    return Document(
        f"scan-{number:05d}.pdf", b"%PDF-1.4\n" + f"% page {number} was lost in the post\n".encode()
    )
