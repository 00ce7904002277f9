"""QIF files of banks and of programs of accounting.

QIF names no currency and no balance. The currency told here is that of the country; a reader that says it does not
know it is right. `D` is the one date that there is.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .accounts import book_of, comma, digits, draw, file_of, grouped, point
from .qif_parts import account, american, opening, plain, quicken_day, record, records, short
from .voices import CA, DE, ESCROW, FR, NORDIC, PACIFIC, UK_CARD, US, US_CARD

CRLF = ("\n", "\r\n")
SLASHES = plain("%m/%d/%Y")
BRITISH = plain("%d/%m/%Y")


def citizens() -> Made:
    book = draw("citizens", "USD", US, date(2025, 1, 2), count=10)
    parts = [
        record(
            f"D{SLASHES(row.day)}", f"T{american(row.amount)}", f"N{n + 300 if n % 3 else ''}", f"P{row.text}"
        )
        for n, row in enumerate(book.rows)
    ]
    text = ("!Type:Bank\n" + "".join(parts)).replace(*CRLF)
    return file_of(book, "EXPORT.QIF", text, "Citizens Bank, QIF Bank: CRLF, N without a value")


def quicken_checking() -> Made:
    """As Quicken exports: blanks in dates, U and T, splits whose amounts are parts of T, transfers as a category."""
    book = draw("quicken", "USD", US, date(2025, 1, 2), count=9)
    parts = []
    for n, row in enumerate(book.rows):
        amount = american(row.amount)
        lines = [
            f"D{quicken_day(row.day)}",
            f"U{amount}",
            f"T{amount}",
            "C*" if n % 2 else "CX",
            f"P{row.text}",
        ]
        if n == 4:
            half = (row.amount / 2).quantize(Decimal("0.01"))
            lines += ["LFood:Groceries", "SFood:Groceries", "Ebread", f"${half}"]
            lines += ["SHousehold", f"${row.amount - half}"]
        else:
            lines += ["L[Ally Savings]" if n == 6 else "LUtilities:Phone", "MQ export"]
        parts.append(record(*lines))
    text = "!Type:Bank \n" + "".join(parts)
    return file_of(
        book, "CHECKING.QIF", text, "Quicken 2004, QIF Bank: D 1/ 5'25, U beside T, splits, transfers"
    )


def quicken_century() -> Made:
    """In 1999 a slash stood before the year, from 2000 on an apostrophe: 12/28/99, then 1/ 3' 0."""
    drawn = draw("century", "USD", US, date(1999, 12, 20), count=8, span=20)
    assert {row.day.year for row in drawn.rows} == {1999, 2000}
    text = "!Type:Bank\n" + records(drawn, quicken_day, point)
    return file_of(drawn, "Y2K.QIF", text.replace(*CRLF), "Quicken 98, QIF Bank: from 12/28/99 to 1/ 3' 0")


def barclaycard() -> Made:
    """A card with addresses; days come first, as everywhere in its country."""
    book = draw("barclaycard", "GBP", UK_CARD, date(2024, 5, 1), is_card=True, count=9)
    parts = [
        record(
            f"D{BRITISH(row.day)}",
            f"T{point(row.amount)}",
            f"P{row.text}",
            f"A{row.text}",
            f"A{40 + n} HIGH STREET",
            "ALONDON",
            "A",
            "A",
        )
        for n, row in enumerate(book.rows)
    ]
    label = "Barclaycard, QIF CCard: day first, address lines"
    return file_of(book, "statement.qif", "!Type:CCard\n" + "".join(parts), label)


def homebank() -> Made:
    """ISO dates, and the cash of a purse."""
    book = draw("homebank", "USD", US, date(2025, 1, 2), count=6)
    parts = records(book, plain("%Y-%m-%d"), point, ("Mcash", "LEveryday"))
    return file_of(book, "purse.qif", "!Type:Cash\n" + parts, "HomeBank, QIF Cash: ISO dates")


def gnucash_asset() -> Made:
    """The first record sets the account up: what it held is no transaction of the period."""
    book = draw("asset", "USD", ESCROW, date(2024, 2, 1), count=6)
    start = Row(book.first, "Opening Balance", book.opening)
    text = (
        "!Type:Oth A\n"
        + opening(start, SLASHES, american, "Escrow")
        + records(book, SLASHES, american, ("CR",))
    )
    return file_of(book, "escrow.qif", text, "Quicken Escrow, QIF Oth A: opening balance record")


def quicken_loan() -> Made:
    """Payments of a loan are above zero and name the account that paid."""
    start = date(2024, 1, 15)
    drawn = draw("loan", "USD", US, start, count=1)
    lines = []
    for n in range(5):
        day = date(2024, 1 + n, 15)
        lines.append((day, "Rocket Mortgage", 480 + abs(drawn.rows[0].amount) + Decimal(n) * 2))
    book = book_of("USD", Decimal("-98000.00"), lines, start, date(2024, 5, 15))
    text = "!Type:Oth L\n" + records(book, plain("%m/%d/%y"), american, ("L[Checking]",))
    return file_of(book, "mortgage.qif", text, "Rocket Mortgage, QIF Oth L: two digits for years")


def several_accounts() -> Made:
    """A list of accounts, then the transactions of each; the list's balances are none of them."""
    checking = draw("auto checking", "USD", US, date(2024, 9, 3), count=6)
    card = draw("auto card", "USD", US_CARD, date(2024, 9, 3), count=5, is_card=True)
    listed = "!Option:AutoSwitch\n!Account\n" + "".join(
        record(
            f"N{name}", f"T{kind}", "DHousehold", f"/{quicken_day(book.last)}", f"${american(book.closing)}"
        )
        for name, kind, book in (("Checking", "Bank", checking), ("Visa", "CCard", card))
    )
    text = (
        listed
        + "!Clear:AutoSwitch\n!Option:AutoSwitch\n"
        + account("Checking", "Bank", "DHousehold")
        + "!Type:Bank\n"
        + opening(Row(checking.first, "Opening Balance", checking.opening), quicken_day, american, "Checking")
        + records(checking, quicken_day, american, ("LGroceries",))
        + account("Visa", "CCard", "L10,000.00")
        + "!Type:CCard\n"
        + records(card, quicken_day, american, ("L[Checking]",))
    )
    label = "Quicken Home, QIF: AutoSwitch, a list of accounts with balances, two blocks"
    return file_of([checking, card], "ALLACCTS.QIF", text.replace(*CRLF), label)


def with_lists() -> Made:
    """Categories, classes and memorized payments come first; what is memorized has an amount and never took place."""
    book = draw("memorized", "USD", US, date(2024, 11, 1), count=7)
    lists = (
        "!Type:Tag\n"
        + record("NVacation", "DTrips")
        + "!Type:Cat\n"
        + record("NAuto:Fuel", "DAuto Fuel", "E", "B-80.00", "B-80.00")
        + record("NSalary", "DSalary Income", "T", "R460", "I")
        + "!Type:Class\n"
        + record("NRental", "DRental property")
        + "!Type:Memorized\n"
        + record("KC", "T-1,150.00", "PParkside Apartments", "LRent")
        + record("KD", "T2,210.55", "PPayroll", "LSalary", "SSalary", "$2,900.00", "STax:Fed", "$-689.45")
    )
    after = account("Checking", "Bank") + "!Type:Bank\n" + records(book, plain("%m/%d/%y"), american)
    label = "Quicken Deluxe, QIF: categories and memorized payments before the transactions"
    return file_of(book, "backup.qif", (lists + after).replace(*CRLF), label)


def quicken_invest() -> Made:
    """Amounts have no sign: the action says which way. Shares that move or are reinvested leave the cash alone."""
    first = date(2024, 3, 4)
    drawn = draw("invst", "USD", US, first, count=6)
    sizes = [abs(row.amount) * 4 for row in drawn.rows]
    told = (
        ("XIn", "Transfer from Checking", 1),
        ("Buy", "Vanguard Total Stock", -1),
        ("Div", "Exxon Mobil", 1),
        ("Sell", "Intel Corp", 1),
        ("MiscExp", "Custody fee", -1),
        ("IntInc", "Sweep interest", 1),
    )
    lines = [
        (row.day, text, size * sign)
        for row, size, (_, text, sign) in zip(drawn.rows, sizes, told, strict=True)
    ]
    book = book_of("USD", Decimal("5000.00"), lines, first, drawn.last)
    parts = []
    for row, (action, text, _) in zip(book.rows, told, strict=True):
        amount = american(abs(row.amount))
        head = [f"D{quicken_day(row.day)}", f"N{action}"]
        held = [f"Y{text}"] if action in {"Buy", "Div", "Sell"} else [f"P{text}"]
        fee = Decimal("9.95") if action == "Sell" else Decimal("-9.95")
        units = ((abs(row.amount) + fee) / Decimal("41.50")).quantize(Decimal("0.0001"))
        trade = ["I41.50", f"Q{units}", "O9.95"] if action in {"Buy", "Sell"} else []
        moved = ["L[Checking]", f"${amount}"] if action == "XIn" else []
        parts.append(record(*head, *held, *trade, f"U{amount}", f"T{amount}", *moved))
    day, later = (quicken_day(row.day) for row in book.rows[2:4])
    parts.insert(
        3, record(f"D{day}", "NReinvDiv", "YFidelity Contrafund", "I18.20", "Q3.022", "U55.00", "T55.00")
    )
    parts.insert(5, record(f"D{later}", "NShrsIn", "YIntel Corp", "I44.10", "Q100", "T4,410.00"))
    lists = "!Type:Security\n" + record("NIntel Corp", "SINTC", "TStock") + "!Type:Prices\n"
    lists += record('"INTC",44 1/8," 3/ 4\'24"')
    text = lists + account("Brokerage", "Invst") + "!Type:Invst\n" + "".join(parts)
    label = "Quicken Brokerage, QIF Invst: unsigned amounts, ReinvDiv and ShrsIn without cash"
    return file_of(book, "INVEST.QIF", text.replace(*CRLF), label)


def starmoney() -> Made:
    """German: 5.1.2025, -1.234,56, cp1252; the place of the payee holds the account too."""
    book = draw("starmoney", "EUR", DE, date(2025, 1, 2), count=10, large=7)
    parts = [
        record(
            f"D{short(row.day)}",
            f"T{grouped(row.amount, '.', ',')}",
            f"P{row.text}",
            f"MVerwendungszweck {digits(row.text, 6)}",
        )
        for row in book.rows
    ]
    label = "StarMoney, QIF Bank: 5.1.2025, -1.234,56, cp1252"
    return file_of(
        book, "Umsaetze.qif", "!Type:Bank\r\n" + "".join(parts).replace(*CRLF), label, encoding="cp1252"
    )


def credit_mutuel() -> Made:
    """Day first with two digits for years: only the days past the twelfth tell."""
    book = draw("creditmutuel", "EUR", FR, date(2024, 4, 2), count=11)
    parts = records(book, plain("%d/%m/%y"), comma)
    label = "Crédit Mutuel, QIF Bank: dd/mm/yy, comma decimals, cp1252"
    return file_of(book, "compte.qif", ("!Type:Bank\n" + parts).replace(*CRLF), label, encoding="cp1252")


def tangerine() -> Made:
    """Days without zeros, an apostrophe before all four digits of the year; the last record is never closed."""
    book = draw("tangerine", "CAD", CA, date(2024, 6, 3), count=8)

    def day(of: date) -> str:
        return f"{of.month}/{of.day}'{of.year}"

    text = "!Type:Bank\n" + records(book, day, point, ("MTangerine",))
    label = "Tangerine, QIF Bank: 6/3'2024, the last record is not closed"
    return file_of(book, "Chequing.QIF", text.removesuffix("^\n"), label)


def kiwibank() -> Made:
    """The payee is empty and the memo tells; a byte order mark and blank lines."""
    book = draw("kiwibank", "NZD", PACIFIC, date(2024, 10, 1), count=8)
    parts = "".join(
        record(f"D{BRITISH(row.day)}", f"T{point(row.amount)}", "P", f"M{row.text} ;REF {n}") + "\n"
        for n, row in enumerate(book.rows)
    )
    label = "Kiwibank, QIF Bank: byte order mark, blank lines, payee only in the memo"
    return file_of(book, "38-9004_Oct.qif", "!Type:Bank\n" + parts, label, encoding="utf-8-sig")


def nordea() -> Made:
    """Thousands parted by a no-break space, the wrong ending, a type in small letters."""
    book = draw("nordea qif", "SEK", NORDIC, date(2024, 3, 1), count=9, large=3)
    book = replace(book, last=date(2024, 3, 31))
    parts = records(book, plain("%Y-%m-%d"), lambda amount: grouped(amount, "\u00a0", ","))
    label = "Nordea Sweden, QIF Bank: -1 234,56 with no-break spaces, ending .txt"
    return file_of(book, "kontoutdrag.txt", "!type:bank\n" + parts, label)


def made() -> list[Made]:
    files = [
        citizens(),
        quicken_checking(),
        quicken_century(),
        barclaycard(),
        homebank(),
        gnucash_asset(),
        quicken_loan(),
        several_accounts(),
        with_lists(),
        quicken_invest(),
        starmoney(),
        credit_mutuel(),
        tangerine(),
        kiwibank(),
        nordea(),
    ]
    assert all(any(row.day.day > 12 for row in one.rows) for one in files), (
        "which way a date reads can be told"
    )
    return files
