"""OFX files from outside of the United States."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Made

from .accounts import Book, comma, digits, draw, file_of, grouped, point
from .ofx_parts import (
    LINES,
    XML,
    Style,
    Tag,
    account,
    balance,
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
from .voices import AFRICA, BR, CA, FR, FR_CA, INDIA, PACIFIC, TRADE, UK


def only(
    book: Book, parts: list[Tag], who: tuple[str, str, str], bound: str, amount: Callable[..., str] = point
) -> Tag:
    """A response with the one account of this book; `who` is the organisation, its number and its language."""
    org, fid, language = who
    content = [listed(book, parts, bound), balance("LEDGERBAL", book, bound, amount)]
    answer = messages(statement(book, account(org), content))
    return tag("OFX", signon(book.last.strftime(bound), org, fid, language=language), answer)


def royal_bank() -> Made:
    """One customer's accounts in two currencies; the second statement names its own."""
    home = draw("rbc cad", "CAD", CA, date(2024, 10, 1), count=8)
    abroad = draw("rbc usd", "USD", CA, date(2024, 10, 1), count=4)
    bound = "%Y%m%d120000[-5:EST]"
    answers = [
        statement(
            book,
            account(f"rbc {book.currency}"),
            [listed(book, transactions(book, bound), bound), balance("LEDGERBAL", book, bound)],
            uid=str(n),
        )
        for n, book in enumerate((home, abroad), 1)
    ]
    body = tag("OFX", signon("20241028120000[-5:EST]", "RBC", "900000100"), messages(*answers))
    label = "Royal Bank of Canada, OFX 1.02: accounts in CAD and USD in one file"
    return file_of([home, abroad], "ofx12077.ofx", header() + written(body, LINES), label)


def td_canada() -> Made:
    """Saved without its headers."""
    book = draw("td", "CAD", CA, date(2025, 3, 3))
    body = only(
        book, transactions(book, "%Y%m%d020000[-5:EST]"), ("TDCT", "5311", "ENG"), "%Y%m%d020000[-5:EST]"
    )
    return file_of(book, "pcbanking.qfx", written(body, LINES), "TD Canada Trust, QFX: no headers at all")


def desjardins() -> Made:
    book = draw("desjardins", "CAD", FR_CA, date(2024, 2, 1), count=7)
    body = only(book, transactions(book, "%Y%m%d000000"), ("DESJARDINS", "815", "FRA"), "%Y%m%d")
    label = "Desjardins, OFX 1.02: French in cp1252"
    return file_of(book, "releve.ofx", header() + written(body, LINES), label, encoding="cp1252")


def credit_agricole() -> Made:
    """Comma decimals, and a plus sign before what came in."""
    book = draw("credit agricole", "EUR", FR, date(2024, 3, 1), count=10)

    def signed(amount: Decimal) -> str:
        return ("+" if amount > 0 else "") + comma(amount)

    body = only(book, transactions(book, "%Y%m%d", signed), ("CA", "12345", "FRA"), "%Y%m%d000000", signed)
    label = "Crédit Agricole, OFX 1.02: comma decimals with a plus sign, cp1252"
    text = header(ENCODING="USASCII", CHARSET="1252") + written(body, replace(LINES, escapes=False))
    return file_of(book, "CA20240331_160512.ofx", text, label, encoding="cp1252")


def societe_generale() -> Made:
    """Amounts that drop their last zeros, and a name that stops where the standard's length ends."""
    book = draw("socgen", "EUR", FR, date(2023, 11, 1), count=8)

    def short(amount: Decimal) -> str:
        return point(amount).rstrip("0").rstrip(".") if "." in point(amount) else point(amount)

    parts = [
        transaction(
            row, digits(f"sg {n}", 12), "%Y%m%d", amount=short, memo=f"{row.text} {digits(row.text, 14)}"
        )
        for n, row in enumerate(book.rows)
    ]
    body = only(book, parts, ("SG", "30003", "FRA"), "%Y%m%d", short)
    label = "Société Générale, OFX 1.02: amounts without their last zeros, ending .txt"
    return file_of(
        book, "export_sg.txt", header("\n") + written(body, Style(eol="\n")), label, encoding="cp1252"
    )


def barclays() -> Made:
    book = draw("barclays", "GBP", UK, date(2024, 4, 1), count=9)
    body = only(
        book, transactions(book, "%Y%m%d000000[-5:EST]"), ("BARCLAYS", "5959", "ENG"), "%Y%m%d000000[-5:EST]"
    )
    label = "Barclays, OFX 1.02: midnight of New York on British bookings"
    return file_of(book, "data.ofx", header() + written(body, LINES), label)


def itau() -> Made:
    """No NAME, only MEMO; the zone has a leading zero; and elements of SGML are closed."""
    book = draw("itau", "BRL", BR, date(2024, 1, 2), count=10)
    zone = "%Y%m%d100000[-03:EST]"
    parts = [
        transaction(
            row,
            f"{row.day:%Y%m%d}{n:03d}",
            zone,
            name=None,
            memo=row.text,
            numbers=[leaf("CHECKNUM", f"{n:03d}")],
        )
        for n, row in enumerate(book.rows, 1)
    ]
    body = only(book, parts, ("Banco Itau", "0341", "POR"), zone)
    label = "Itaú, OFX 1.02: MEMO without NAME"
    return file_of(book, "extrato.ofx", header() + written(body, Style(eol="\n", indent=" ")), label)


def nubank() -> Made:
    """Elements of SGML that are closed, and an identifier with hyphens that looks like nothing else."""
    book = draw("nubank", "BRL", BR, date(2024, 5, 2), count=8)
    zone = "%Y%m%d000000[-3:BRT]"
    parts = [
        transaction(
            row, f"65b2f{n:03x}-11aa-4bb0-9c3e-{digits(row.text, 12)}", zone, name=None, memo=row.text
        )
        for n, row in enumerate(book.rows, 1)
    ]
    body = only(book, parts, ("NU PAGAMENTOS S.A.", "260", "POR"), "%Y%m%d000000[-3:BRT]")
    text = header("\n", ENCODING="UTF-8", CHARSET="NONE") + written(body, replace(XML, indent=""))
    return file_of(book, "NU_150617_01MAI2024.ofx", text, "Nubank, OFX 1.02: closed elements, UTF-8")


def sicredi() -> Made:
    """Thousands have points and decimals commas: 1.234,56."""
    book = draw("sicredi", "BRL", BR, date(2024, 8, 1), count=10, large=9)

    def brazilian(amount: Decimal) -> str:
        return grouped(amount, ".", ",")

    assert any("." in brazilian(row.amount) for row in book.rows)
    parts = [
        transaction(row, f"{n:010d}", "%Y%m%d", amount=brazilian, memo="DOC 0", kind="OTHER")
        for n, row in enumerate(book.rows, 1)
    ]
    body = only(book, parts, ("SICREDI", "748", "POR"), "%Y%m%d", brazilian)
    label = "Sicredi, OFX 1.02: amounts such as -1.234,56, and TRNTYPE OTHER throughout"
    return file_of(book, "extrato_ofx.OFX", header() + written(body, LINES), label)


def first_national() -> Made:
    book = draw("fnb", "ZAR", AFRICA, date(2024, 7, 1), count=8, large=6)
    body = only(book, transactions(book, "%Y%m%d"), ("First National Bank", "250655", "ENG"), "%Y%m%d")
    label = "First National Bank of South Africa, OFX 1.02: rand, names with a hash"
    return file_of(book, "62001122334.ofx", header() + written(body, Style(eol="\n", indent="    ")), label)


def anz_australia() -> Made:
    book = draw("anz", "AUD", PACIFIC, date(2024, 12, 2), count=7)
    text = header(OLDFILEUID="", NEWFILEUID="").replace(":", ": ")
    body = only(
        book, transactions(book, "%Y%m%d"), ("Australia and New Zealand Bank", "ANZ", "ENG"), "%Y%m%d%H%M%S"
    )
    label = "ANZ Australia, OFX 1.02: blanks in the headers, two of them missing"
    return file_of(book, "ANZ.ofx", text + written(body, LINES), label)


def asb() -> Made:
    """An overdrawn account of New Zealand, a file with a byte order mark."""
    book = draw("asb", "NZD", PACIFIC, date(2025, 4, 1), count=6, opening=Decimal("-212.40"))
    body = only(book, transactions(book, "%Y%m%d"), ("ASB", "12", "ENG"), "%Y%m%d")
    label = "ASB Bank, OFX 2.00: byte order mark, overdrawn"
    return file_of(
        book, "Export20250430.ofx", xml_header("200") + written(body, XML), label, encoding="utf-8-sig"
    )


def icici() -> Made:
    book = draw("icici", "INR", INDIA, date(2024, 4, 1), count=8)
    parts = [
        transaction(
            row, f"S{digits(row.text, 8)}{n}", "%Y%m%d000000.000[+5.5:IST]", kind="OTHER", memo=row.text
        )
        for n, row in enumerate(book.rows)
    ]
    body = only(book, parts, ("ICICI", "229", "ENG"), "%Y%m%d000000.000[+5.5:IST]")
    label = "ICICI Bank, OFX 1.02: midnight of a zone that lies half an hour beside the hour"
    return file_of(book, "OpTransactionHistory.ofx", header() + written(body, LINES), label)


def dbs() -> Made:
    """A business account of Singapore; its transfers are told by their type, whichever way they go."""
    book = draw("dbs ofx", "SGD", TRADE, date(2024, 9, 2), count=8, large=5)
    parts = [
        transaction(
            row, f"{n:06d}", "%Y%m%d080000.000[+8:SGT]", kind="XFER" if n % 2 else "POS", memo="IDEAL"
        )
        for n, row in enumerate(book.rows, 1)
    ]
    body = only(book, parts, ("DBS", "7171", "ENG"), "%Y%m%d080000.000[+8:SGT]")
    label = "DBS, OFX 2.11: morning of Singapore, transfers as XFER"
    return file_of(book, "DBS_IDEAL_0904.ofx", xml_header() + written(body, XML), label)


def made() -> list[Made]:
    return [
        royal_bank(),
        td_canada(),
        desjardins(),
        credit_agricole(),
        societe_generale(),
        barclays(),
        itau(),
        nubank(),
        sicredi(),
        first_national(),
        anz_australia(),
        asb(),
        icici(),
        dbs(),
    ]
