"""OFX files as banks of the United States hand them out."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .accounts import book_of, digits, draw, file_of, retold
from .ofx_parts import (
    LINES,
    ONE_LINE,
    XML,
    Style,
    account,
    balance,
    header,
    leaf,
    listed,
    messages,
    signon,
    statement,
    status,
    tag,
    transaction,
    transactions,
    written,
    xml_header,
)
from .voices import US

GMT_NOON = "%Y%m%d120000[0:GMT]"


def chase() -> Made:
    """Chase lists the newest first, and sends the body without a single line break."""
    drawn = draw("chase", "USD", US, date(2024, 3, 1), count=12)
    parts = [
        transaction(
            row,
            f"{row.day:%Y%m%d}{n:04d}",
            GMT_NOON,
            memo="" if n % 3 else f"PPD ID: {digits(row.text, 10)}",
            numbers=[leaf("CHECKNUM", str(1040 + n))] if n % 5 == 0 else [],
        )
        for n, row in enumerate(drawn.rows, 1)
    ]
    content = [
        listed(drawn, parts[::-1], GMT_NOON),
        balance("LEDGERBAL", drawn, GMT_NOON),
        balance("AVAILBAL", drawn, GMT_NOON),
    ]
    answer = messages(statement(drawn, account("chase", bank="021000021"), content))
    body = tag("OFX", signon(drawn.last.strftime(GMT_NOON), "B1", "10898", intu="10898"), answer)
    label = "Chase, QFX 1.02: body on one line, newest first"
    return file_of(drawn, "Chase4471_Activity_20240330.QFX", header("\n") + written(body, ONE_LINE), label)


def wells_fargo() -> Made:
    """Nothing separates the headers of it: the whole file is one line."""
    book = draw("wells", "USD", US, date(2024, 1, 2))
    zone = "%Y%m%d120000.000[-8:PST]"
    content = [listed(book, transactions(book, zone), zone), balance("LEDGERBAL", book, zone)]
    answer = messages(statement(book, account("wells", bank="121042882"), content, uid="0"))
    body = tag("OFX", signon("20240131103015.112[-8:PST]", "WF", "3000", intu="3000"), answer)
    text = header("").strip() + written(body, replace(ONE_LINE, closes=True))
    return file_of(
        book, "Checking1.qfx", text, "Wells Fargo, QFX 1.02: headers and body on one and the same line"
    )


def bank_of_america() -> Made:
    """Late in the evening of the west coast it is tomorrow at Greenwich; the bank booked on the day it wrote."""
    book = draw("bofa", "USD", US, date(2024, 6, 3), count=10)
    late = "%Y%m%d230000.000[-7:PDT]"
    content = [listed(book, transactions(book, late), late), balance("LEDGERBAL", book, late)]
    answer = messages(statement(book, account("bofa", bank="125000024"), content))
    body = tag("OFX", signon("20240630230000[-7:PDT]", "B of A", "6526"), answer)
    label = "Bank of America, QFX 1.02: posted at 23:00 of a zone west of Greenwich"
    return file_of(book, "stmt.qfx", header() + written(body, LINES), label)


def pnc() -> Made:
    """SGML whose ampersands are bare in some lines and entities in others."""
    drawn = draw("pnc", "USD", US, date(2023, 10, 2))
    spent = [place for place, row in enumerate(drawn.rows) if row.amount < 0]
    names = dict(zip(spent, ("AT&T*BILL PAYMENT", "BARNES & NOBLE 2214", "H&R BLOCK <ONLINE>"), strict=False))
    book = retold(drawn, {place: (name, drawn.rows[place].amount) for place, name in names.items()})
    content = [listed(book, transactions(book, "%Y%m%d"), "%Y%m%d"), balance("LEDGERBAL", book, "%Y%m%d")]
    body = tag(
        "OFX",
        signon("20231029", "PNC", "4501"),
        messages(statement(book, account("pnc"), content, uid="1001")),
    )
    text = header() + written(body, LINES).replace("AT&amp;T", "AT&T")
    return file_of(
        book, "accountActivityExport.qfx", text, "PNC Bank, QFX 1.02: bare ampersand beside entities"
    )


def us_bank() -> Made:
    """An identifier that two purchases on different days share: both took place, and the balance counts both."""
    book = draw("usbank", "USD", US, date(2024, 9, 2), count=11)
    parts = transactions(book, "%Y%m%d000000")
    shared = "202409" + digits("usbank", 8)
    for place in (2, 7):
        parts[place] = transaction(book.rows[place], shared, "%Y%m%d000000")
    content = [listed(book, parts, "%Y%m%d"), balance("LEDGERBAL", book, "%Y%m%d")]
    body = tag(
        "OFX", signon("20240929081500", "US Bank", "1401"), messages(statement(book, account("usb"), content))
    )
    label = "U.S. Bank, OFX 1.02: two different purchases share a FITID"
    return file_of(book, "Checking - 3312_09-02-2024.ofx", header() + written(body, LINES), label)


def discover_bank() -> Made:
    book = draw("discover bank", "USD", US, date(2025, 2, 3), count=6)
    zone = "%Y%m%d000000.000[-5:EST]"
    content = [
        listed(book, transactions(book, zone, memo="Online Savings"), zone),
        balance("LEDGERBAL", book, zone),
        balance("AVAILBAL", book, zone),
    ]
    answer = messages(statement(book, account("disc", "SAVINGS"), content, uid="f81d4fae-7dec-11d0"))
    body = tag("OFX", signon("20250301000000.000[-5:EST]", "Discover Bank", "12610"), answer)
    label = "Discover Bank, OFX 2.11: XML with the ending .xml"
    return file_of(book, "Discover-Savings.xml", xml_header() + written(body, XML), label)


def alliant() -> Made:
    """OFX 2.2 lists what is pending in a list of its own; none of it is booked."""
    book = draw("alliant", "USD", US, date(2024, 4, 1), count=8)
    waiting = [
        Row(book.last + timedelta(days=n), US.out[n + 1], Decimal(amount))
        for n, amount in ((0, "-41.07"), (1, "-8.75"))
    ]
    pending = tag(
        "BANKTRANLISTP",
        leaf("DTASOF", "20240429"),
        *(
            tag(
                "STMTTRNP",
                leaf("TRNTYPE", "DEBIT"),
                leaf("DTTRAN", f"{row.day:%Y%m%d}"),
                leaf("TRNAMT", f"{row.amount}"),
                leaf("NAME", row.text),
            )
            for row in waiting
        ),
    )
    content = [listed(book, transactions(book, "%Y%m%d"), "%Y%m%d"), balance("LEDGERBAL", book, "%Y%m%d")]
    answer = statement(book, account("alliant"), content, after=[pending])
    body = tag("OFX", signon("20240429", "Alliant Credit Union", "2101"), messages(answer))
    label = "Alliant Credit Union, OFX 2.2: pending transactions in BANKTRANLISTP"
    return file_of(book, "alliant.ofx", xml_header("220") + written(body, XML), label)


def usaa() -> Made:
    """A month in which nothing happened."""
    opening = Decimal("1804.33")
    book = book_of("USD", opening, [], date(2024, 8, 1), date(2024, 8, 31))
    content = [listed(book, [], "%Y%m%d"), balance("LEDGERBAL", book, "%Y%m%d")]
    body = tag(
        "OFX", signon("20240831", "USAA", "24591"), messages(statement(book, account("usaa"), content))
    )
    label = "USAA, QFX 1.02: empty BANKTRANLIST"
    return file_of(book, "usaa_download.qfx", header() + written(body, LINES), label)


def first_tech() -> Made:
    """What a server answers when it refuses: no statement is in it, and the code is no amount."""
    refused = status("15500", "ERROR", "Signon invalid: 3 attempts left")
    failed = tag("STMTTRNRS", leaf("TRNUID", "20240105-1"), status("2000", "ERROR", "General error"))
    body = tag("OFX", signon("20240105093011", "FTFCU", "3169", result=refused), messages(failed))
    book = book_of("USD", Decimal(0), [], date(2024, 1, 5), date(2024, 1, 5))
    label = "First Tech Federal Credit Union, OFX 1.03: an error response without a statement"
    return file_of(book, "download.ofx", header(VERSION="103") + written(body, LINES), label)


def navy_federal() -> Made:
    """Checking, savings and a card behind one another; a transfer stands in two of them and is two rows."""
    checking = draw("nfcu checking", "USD", US, date(2024, 5, 1), count=7)
    savings = draw("nfcu savings", "USD", US, date(2024, 5, 1), count=3)
    moved = Decimal("250.00")
    day = checking.rows[-1].day
    checking = book_of(
        "USD",
        checking.opening,
        [*((row.day, row.text, row.amount) for row in checking.rows), (day, "TRANSFER TO SHARES", -moved)],
        checking.first,
        checking.last,
    )
    savings = book_of(
        "USD",
        savings.opening,
        [*((row.day, row.text, row.amount) for row in savings.rows), (day, "TRANSFER FROM CHECKING", moved)],
        savings.first,
        savings.last,
    )
    bound = "%Y%m%d120000"
    answers = []
    for n, (book, kind) in enumerate(((checking, "CHECKING"), (savings, "SAVINGS")), 1):
        content = [listed(book, transactions(book, bound), bound), balance("LEDGERBAL", book, bound)]
        answers.append(statement(book, account(f"nfcu {n}", kind), content, uid=str(n)))
    body = tag("OFX", signon("20240528120000", "NFCU", "1001"), messages(*answers))
    label = "Navy Federal Credit Union, OFX 1.02: two accounts in one file and a transfer between them"
    return file_of([checking, savings], "transactions.OFX", header() + written(body, Style(eol="\n")), label)


def charles_schwab_bank() -> Made:
    """A comment before the tags, PAYEE aggregates in the place of NAME, and the ending .sgml."""
    book = draw("schwab bank", "USD", US, date(2023, 5, 1), count=7)
    parts = []
    for n, row in enumerate(book.rows, 1):
        payee = tag(
            "PAYEE",
            leaf("NAME", row.text),
            leaf("ADDR1", f"{100 + n} MAIN ST"),
            leaf("CITY", "AUSTIN"),
            leaf("STATE", "TX"),
            leaf("POSTALCODE", "78701"),
            leaf("PHONE", "512-555-0117"),
        )
        parts.append(
            transaction(row, f"7{n:05d}", "%Y%m%d070000.000[-5:EST]", name=payee, memo="POS PURCHASE")
        )
    content = [listed(book, parts, "%Y%m%d"), balance("LEDGERBAL", book, "%Y%m%d070000")]
    body = tag(
        "OFX", signon("20230530", "SCHWAB", "101"), messages(statement(book, account("schwabb"), content))
    )
    remark = "<!-- Generated by Account Download 4.2; STMTTRN count = 7 -->\r\n"
    label = "Charles Schwab Bank, OFX 1.02: comment, PAYEE aggregates, ending .sgml"
    return file_of(book, "schwab_bank.sgml", header() + remark + written(body, LINES), label)


def made() -> list[Made]:
    return [
        chase(),
        wells_fargo(),
        bank_of_america(),
        pnc(),
        us_bank(),
        discover_bank(),
        alliant(),
        usaa(),
        first_tech(),
        navy_federal(),
        charles_schwab_bank(),
    ]
