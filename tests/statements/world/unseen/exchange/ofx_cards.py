"""OFX files of cards: what is bought is below zero, what is paid is above."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from tests.statements.world.truth import Made

from .accounts import draw, file_of
from .ofx_parts import (
    LINES,
    ONE_LINE,
    XML,
    balance,
    card_account,
    header,
    leaf,
    listed,
    messages,
    signon,
    statement,
    tag,
    transaction,
    transactions,
    written,
    xml_header,
)
from .voices import CA_CARD, US_CARD


def american_express() -> Made:
    book = draw("amex", "USD", US_CARD, date(2024, 11, 4), is_card=True, count=12)
    zone = "%Y%m%d000000.000[-7:MST]"
    parts = [
        transaction(
            row,
            f"32024{n:04d}0117",
            zone,
            numbers=[leaf("REFNUM", f"32024{n:04d}0117")],
            memo=f"{US_CARD.out[0][:9]} {n:03d}",
        )
        for n, row in enumerate(book.rows, 1)
    ]
    content = [
        listed(book, parts, zone),
        balance("LEDGERBAL", book, zone),
        leaf("CYCLECUT.INDICATOR", "FALSE"),
    ]
    answer = statement(book, card_account("amex", masked=True), content, uid="0")
    body = tag("OFX", signon("20241201023000.000[-7:MST]", "AMEX", "3101", intu="3101"), messages(answer))
    head = xml_header("202").replace("\n", "")
    label = "American Express, QFX 2.02: XML on one line, masked card"
    return file_of(book, "activity.qfx", head + written(body, replace(ONE_LINE, closes=True)), label)


def citi() -> Made:
    """Bought days before it was posted: DTUSER is when, DTPOSTED is the booking."""
    book = draw("citi", "USD", US_CARD, date(2024, 12, 30), is_card=True, count=9)
    parts = [
        transaction(
            row,
            f"{row.day:%Y%m%d}{n:02d}",
            "%Y%m%d000000",
            dates=[leaf("DTUSER", f"{row.day - timedelta(days=1 + n % 4):%Y%m%d}000000")],
        )
        for n, row in enumerate(book.rows, 1)
    ]
    content = [listed(book, parts, "%Y%m%d000000"), balance("LEDGERBAL", book, "%Y%m%d000000")]
    answer = statement(book, card_account("citi"), content)
    body = tag("OFX", signon("20250126000000", "Citigroup", "24909"), messages(answer))
    label = "Citi, QFX 1.02: DTUSER some days before DTPOSTED, over New Year"
    return file_of(book, "CITI.QFX", header() + written(body, LINES), label)


def capital_one() -> Made:
    """The available balance is the credit that is left, not what is owed."""
    book = draw("capone", "USD", US_CARD, date(2025, 1, 6), is_card=True, count=7)
    left = tag("AVAILBAL", leaf("BALAMT", f"{10000 + book.closing}"), leaf("DTASOF", "20250202120000"))
    content = [
        listed(book, transactions(book, "%Y%m%d120000"), "%Y%m%d"),
        balance("LEDGERBAL", book, "%Y%m%d"),
        left,
    ]
    answer = statement(book, card_account("capone"), content, uid="0")
    body = tag("OFX", signon("20250202120000", "Hibernia", "1001"), messages(answer))
    label = "Capital One, OFX 2.11: available credit beside what is owed"
    return file_of(book, "2025-02-02_transaction_download.ofx", xml_header() + written(body, XML), label)


def apple_card() -> Made:
    """Bought abroad: ORIGCURRENCY names the shop's currency, but the amount is already in dollars."""
    book = draw("apple", "USD", US_CARD, date(2024, 7, 1), is_card=True, count=8)
    parts = []
    for n, row in enumerate(book.rows, 1):
        abroad = n in {2, 5} and row.amount < 0
        origin = tag("ORIGCURRENCY", leaf("CURRATE", "1.0842"), leaf("CURSYM", "EUR")) if abroad else None
        parts.append(
            transaction(row, f"ap-{n:06d}", "%Y%m%d", money=origin, memo="Purchase" if n % 2 else "")
        )
    content = [listed(book, parts, "%Y%m%d"), balance("LEDGERBAL", book, "%Y%m%d")]
    answer = statement(book, card_account("apple", masked=True), content)
    body = tag("OFX", signon("20240728", "Goldman Sachs", "35324"), messages(answer))
    label = "Apple Card, QFX 1.02: ORIGCURRENCY on amounts that are in dollars"
    return file_of(
        book, "Apple Card Transactions - July 2024.qfx", header("\n") + written(body, LINES), label
    )


def rbc_visa() -> Made:
    """A Canadian card; comments between the transactions, an empty MEMO tag, and spaces before the tags."""
    book = draw("rbc visa", "CAD", CA_CARD, date(2024, 2, 5), is_card=True, count=8)
    content = [
        listed(book, transactions(book, "%Y%m%d120000[-5:EST]"), "%Y%m%d120000[-5:EST]"),
        balance("LEDGERBAL", book, "%Y%m%d120000[-5:EST]"),
    ]
    answer = statement(book, card_account("rbc visa"), content)
    body = tag("OFX", signon("20240303120000[-5:EST]", "RBC", "900000100"), messages(answer))
    text = written(body, replace(LINES, indent="\t"))
    text = text.replace("<STMTTRN>\r\n", "<!-- <TRNAMT>0.00 -->\r\n<STMTTRN>\r\n", 3).replace(
        "</STMTTRN>", "\t<MEMO>\r\n\t\t\t\t\t\t</STMTTRN>", 2
    )
    label = "RBC Visa, OFX 1.02: comments that hold a tag, and MEMO without a value"
    return file_of(book, "ofx77012.ofx", header() + text, label)


def made() -> list[Made]:
    return [american_express(), citi(), capital_one(), apple_card(), rbc_visa()]
