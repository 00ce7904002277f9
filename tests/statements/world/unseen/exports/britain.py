"""Banks and cards in the United Kingdom and Ireland."""

from __future__ import annotations

from tests.statements.world.truth import Made

from .books import ENGLISH, PLAIN, Style, draw, export, table

POUNDS = Style(group=",", plus="£", minus="-£")


def barclays() -> Made:
    book = draw("barclays", "uk", month=1)
    book = book.told(lambda row: f"{row.text:<40}\tON {row.day:%d %b} BCC".upper())
    lines = [["Number", "Date", "Account", "Amount", "Subcategory", "Memo"]]
    for row in book.newest:
        kind = "Counter Credit" if row.amount > 0 else "Debit"
        lines.append(["\t ", f"{row.day:%d/%m/%Y}", "20-44-12 60412345", str(row.amount), kind, row.text])
    label = "Barclays, UK: tabs within the memo, an empty number column"
    return export("data.csv", table(lines), book.newest, "GBP", label)


def hsbc() -> Made:
    book = draw("hsbc uk", "uk", month=2).told(lambda row: f"{row.text} )))")
    lines = [[f"{row.day:%d/%m/%Y}", row.text, ENGLISH.signed(row.amount)] for row in book.newest]
    label = "HSBC UK: no header, three columns, contactless marks"
    return export("TransactionHistory.csv", table(lines), book.newest, "GBP", label)


def lloyds(*, lacking: bool = False) -> Made:
    book = draw(f"lloyds {lacking}", "uk", month=3, count=14)
    header = (
        "Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,"
        "Credit Amount,Balance"
    )
    gone = book.newest[8]
    rows = tuple(row for row in book.newest if not (lacking and row is gone))
    lines = [header.split(",")]
    for row in rows:
        kind = "FPI" if row.amount > 0 else "DEB"
        money = [PLAIN.out(row.amount), PLAIN.came(row.amount), str(row.balance)]
        lines.append([f"{row.day:%d/%m/%Y}", kind, "'30-44-12", "60412345", row.text, *money])
    what = (
        "a row in the middle is gone that the balance counts"
        if lacking
        else "an apostrophe before the sort code"
    )
    name = "60412345_20254012_0104.csv" if lacking else "60412345_20253112_0104.csv"
    label = f"Lloyds, UK: {what}"
    return export(name, table(lines, end="\n"), rows, "GBP", label, both=True, incomplete=lacking)


def natwest() -> Made:
    book = draw("natwest", "uk", month=4).told(lambda row: f"4412 {row.day:%d%b%y} , {row.text}".upper())
    lines = ["Date, Type, Description, Value, Balance, Account Name, Account Number\r\n", "\r\n"]
    for row in book.newest:
        kind = "BAC" if row.amount > 0 else "POS"
        lines.append(
            f'{row.day:%d/%m/%Y},{kind},"\'{row.text}",{row.amount},{row.balance},'
            '"\'MORGAN A","\'604412-60412345",\r\n'
        )
    label = "NatWest, UK: an empty line below the header, apostrophes, commas within descriptions"
    return export("MORGANA-20250430.csv", "".join(lines), book.newest, "GBP", label, both=True)


def nationwide() -> Made:
    book = draw("nationwide", "uk", month=5)
    lines: list[list[str]] = [
        ["Account Name:", "FlexAccount ****60412"],
        ["Account Balance:", POUNDS.signed(book.closing)],
        ["Available Balance: ", POUNDS.signed(book.closing + 500)],
        [],
        ["Date", "Transaction type", "Description", "Paid out", "Paid in", "Balance"],
    ]
    for row in book.rows:
        paid = "£" + PLAIN.size(row.amount) if row.amount < 0 else ""
        came = "£" + PLAIN.size(row.amount) if row.amount > 0 else ""
        kind = "Bank credit" if row.amount > 0 else "Visa purchase"
        lines.append([f"{row.day:%d %b %Y}", kind, row.text, paid, came, "£" + PLAIN.signed(row.balance)])
    label = "Nationwide, UK: preamble with two balances, pound signs, cp1252, months by name"
    text = table(lines, quote="all")
    return export(
        "Statement Download 2025-Jun-01 9-12-41.csv",
        text,
        book.rows,
        "GBP",
        label,
        encoding="cp1252",
        both=True,
    )


def first_direct() -> Made:
    # No day after the 12th: a day might be a month, but the texts of card payments name the day.
    book = draw("first direct", "uk", year=2024, month=11, until=12, count=10)
    book = book.told(lambda row: row.text if row.amount > 0 else f"{row.text} {row.day:%d%b%y}".upper())
    lines = [["Date", "Description", "Amount", "Balance"]]
    lines += [[f"{row.day:%d/%m/%Y}", row.text, str(row.amount), str(row.balance)] for row in book.newest]
    label = "first direct, UK: no day after the 12th, so days look like months (trap)"
    return export("12112024_0412.csv", table(lines), book.newest, "GBP", label, both=True)


def starling(*, lacking: bool = False) -> Made:
    book = draw(f"starling {lacking}", "uk", month=6, count=13)
    header = "Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes"
    rows = book.without(5).rows if lacking else book.rows
    lines = [header.split(",")]
    for row in rows:
        kind = "FASTER PAYMENT" if row.amount > 0 else "CONTACTLESS"
        category = "INCOME" if row.amount > 0 else "SHOPPING"
        lines.append(
            [
                f"{row.day:%d/%m/%Y}",
                row.text.title(),
                row.text,
                kind,
                str(row.amount),
                str(row.balance),
                category,
                "",
            ]
        )
    what = "a row in the middle is gone that the balance counts" if lacking else "the currency in two headers"
    name = "StarlingStatement_2025-06-01_2025-06-30.csv" if not lacking else "StarlingStatement_2025-06.csv"
    text = table(lines, end="\n")
    return export(name, text, rows, "GBP", f"Starling, UK: {what}", both=True, incomplete=lacking)


def monzo() -> Made:
    book = draw("monzo", "uk", month=7, count=13)
    header = (
        "Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,"
        "Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In"
    )
    lines = [header.split(",")]
    for place, row in enumerate(book.rows):
        local, currency = (
            (f"{row.amount * 117 / 100:.2f}", "EUR") if place % 5 == 3 else (str(row.amount), "GBP")
        )
        money = [str(row.amount) if row.amount < 0 else "", PLAIN.came(row.amount)]
        lines.append(
            [
                f"tx_0000A{book.letters(14)}",
                f"{row.day:%d/%m/%Y}",
                book.clock(row),
                "Card payment",
                row.text.title(),
                "🛒",
                "Groceries",
                str(row.amount),
                "GBP",
                local,
                currency,
                "",
                "1 High Street\nLondon",
                "",
                row.text,
                "",
                *money,
            ]
        )
    label = "Monzo, UK: amount, local amount and money out and in beside one another, some in euro (trap)"
    return export(
        "MonzoDataExport_July2025_2025-08-01_091204.csv", table(lines, end="\n"), book.rows, "GBP", label
    )


def amex_uk() -> Made:
    book = draw("amex uk", "uk", month=8, is_card=True).told(lambda row: f"{row.text:<28} LONDON")
    lines = [
        ["Date", "Description", "Amount", "Extended Details", "Town/City", "Postcode", "Country", "Category"]
    ]
    where = ["1 STRAND\nLONDON", "WC2N 5HR", "UNITED KINGDOM", "General Purchases-Groceries"]
    lines += [
        [f"{row.day:%d/%m/%Y}", row.text, str(-row.amount), f"{row.text}\nREF 0412", *where]
        for row in book.newest
    ]
    label = "American Express, UK: purchases positive, day first, quoted newlines"
    return export("activity (3).csv", table(lines, end="\n"), book.newest, "GBP", label)


def barclaycard() -> Made:
    book = draw("barclaycard", "uk", month=9, is_card=True, count=12).told(lambda row: f"{row.text}, LONDON")
    lines = []
    for row in book.newest:
        money = f"{PLAIN.signed(-row.amount)},," if row.amount > 0 else f",{PLAIN.size(row.amount)},"
        lines.append(f'{row.day:%d %b %y} ,"{row.text}  ",Visa,MISS A MORGAN,Shopping,{money}\n')
    label = "Barclaycard, UK: no header, two-digit years, credits negative before debits"
    return export("barclaycard.csv", "".join(lines), book.newest, "GBP", label)


def halifax_card() -> Made:
    book = draw("halifax card", "uk", month=10, is_card=True)
    lines = [["Date", "Date entered", "Reference", "Description", "Amount", ""]]
    for row in book.newest:
        days = [f"{book.before(row.day):%d/%m/%Y}", f"{row.day:%d/%m/%Y}"]
        lines.append([*days, book.digits(8), f"{row.text} ", str(-row.amount), ""])
    label = "Halifax Clarity card, UK: two dates, purchases positive, a comma at each end"
    return export("5253030412_20251031_1204.csv", table(lines), book.newest, "GBP", label)


def aib() -> Made:
    book = draw("aib", "ie", month=1, count=12)
    header = (
        "Posted Account, Posted Transactions Date, Description1, Description2, Description3, Debit Amount, "
        "Credit Amount,Balance,Posted Currency,Transaction Type,Local Currency Amount,Local Currency"
    )
    lines = [header + "\n"]
    for place, row in enumerate(book.rows):
        kind = "Credit" if row.amount > 0 else "Debit"
        foreign = place % 4 == 2
        local = ENGLISH.size(row.amount * 85 / 100 if foreign else row.amount)
        paid, came = ENGLISH.out(row.amount), ENGLISH.came(row.amount)
        lines.append(
            f'"934412-60412345","{row.day:%d/%m/%Y}","{row.text}","","","{paid}","{came}",'
            f'"{ENGLISH.signed(row.balance)}","EUR","{kind}","{local}","{"GBP" if foreign else "EUR"}"\n'
        )
    label = "AIB, Ireland: a local currency amount beside the posted one (trap)"
    return export(
        "Transaction_Export_31.01.2025_09.12.csv", "".join(lines), book.rows, "EUR", label, both=True
    )


def bank_of_ireland() -> Made:
    book = draw("boi", "ie", month=2, count=14)
    lines = [["Date", "Details", "Debit", "Credit", "Balance"]]
    for row, later in zip(book.rows, (*book.rows[1:], None), strict=True):
        # a balance stands only beside the last row of a day
        balance = "" if later is not None and later.day == row.day else PLAIN.signed(row.balance)
        lines.append(
            [f"{row.day:%d/%m/%Y}", row.text, PLAIN.out(row.amount), PLAIN.came(row.amount), balance]
        )
    label = "Bank of Ireland: the balance only beside the last row of a day"
    return export("TransactionHistory_4412.csv", table(lines), book.rows, "EUR", label)


def files() -> list[Made]:
    return [
        barclays(),
        hsbc(),
        lloyds(),
        lloyds(lacking=True),
        natwest(),
        nationwide(),
        first_direct(),
        starling(),
        starling(lacking=True),
        monzo(),
        amex_uk(),
        barclaycard(),
        halifax_card(),
        aib(),
        bank_of_ireland(),
    ]
