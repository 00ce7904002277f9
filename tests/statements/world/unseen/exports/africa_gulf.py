"""Banks in South Africa, Kenya, Nigeria, Egypt, the Emirates and Saudi Arabia."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from tests.statements.world.truth import Made

from .books import ENGLISH, PLAIN, draw, export, table


def fnb() -> Made:
    book = draw("fnb", "za", month=1, scale=8, count=12)
    lines = [
        "ACCOUNT TRANSACTION HISTORY",
        "",
        "Name:, ALEX, MORGAN",
        "Account:, 62604123456, [FNB Aspire Current Account]",
        f"Balance:, {book.closing}, {book.closing - 150}",
        "",
        "Date, Amount, Balance, Description",
    ]
    lines += [f"{row.day:%Y/%m/%d}, {row.amount}, {row.balance}, {row.text}" for row in book.newest]
    label = "FNB, South Africa: two balances above, a space after each comma, the text last"
    text = "\n".join(lines) + "\n"
    return export("62604123456.csv", text, book.newest, "ZAR", label, both=True)


def standard_bank() -> Made:
    """A file of records: HIST are transactions, the lines of OPEN and CLOSE are balances."""
    book = draw("standard bank", "za", month=2, scale=8, count=12)
    lines = [
        "0,4412,BRANCH,0,ROSEBANK,0,0",
        "0,041234567,ACC-NO,0,PRESTIGE CURRENT ACCOUNT,0,0",
        f"0,{book.first:%Y%m%d},OPEN,{book.opening},OPEN BALANCE,,0,0",
    ]
    for row in book.rows:
        kind = "CREDIT TRANSFER" if row.amount > 0 else "CHEQUE CARD PURCHASE"
        lines.append(f"HIST,{row.day:%Y%m%d},,{row.amount},{kind},{row.text},{book.digits(4)},0")
    lines.append(f"0,{book.last:%Y%m%d},CLOSE,{book.closing},CLOSE BALANCE,,0,0")
    label = "Standard Bank, South Africa: records by kind, balances in dated lines (trap)"
    text = "\r\n".join(lines) + "\r\n"
    return export("041234567 20250228 0912.csv", text, book.rows, "ZAR", label, both=True)


def capitec() -> Made:
    """The fee leaves the balance with the money of its row: truth is one row of both."""
    book = draw("capitec", "za", month=3, scale=8, count=12)
    header = (
        "Nr,Account,Posting Date,Transaction Date,Description,Original Description,Parent Category,Category,Money In,"
        "Money Out,Fee,Balance"
    )
    lines = [header.split(",")]
    fees = [Decimal("6.00") * (row.amount < 0 and place % 3 == 0) for place, row in enumerate(book.rows)]
    book = book.charged(fees)
    for place, (row, fee) in enumerate(zip(book.rows, fees, strict=True), 1):
        paid = str(row.amount + fee) if row.amount < 0 else ""
        money = [PLAIN.came(row.amount), paid, f"-{fee}" if fee else "", str(row.balance)]
        stamps = [
            f"{row.day} {book.clock(row, seconds=False)}",
            f"{book.before(row.day)} {book.clock(row, seconds=False)}",
        ]
        lines.append(
            [str(place), "1504123456", *stamps, row.text.title(), row.text, "Household", "Groceries", *money]
        )
    label = "Capitec, South Africa: negative money out and a fee of its own beside it, two dates (trap)"
    text = table(lines, end="\n")
    return export("account_statement_1-Mar-2025_to_31-Mar-2025.csv", text, book.rows, "ZAR", label, both=True)


def mpesa() -> Made:
    book = draw("mpesa", "ke", month=4, scale=60, count=13)
    lines: list[list[str]] = [
        ["MPESA FULL STATEMENT"],
        ["Customer Name", "ALEX MORGAN"],
        ["Mobile Number", "254712345412"],
        ["Statement Period", "01 Apr 2025 - 30 Apr 2025"],
        [],
        [
            "Receipt No.",
            "Completion Time",
            "Details",
            "Transaction Status",
            "Paid In",
            "Withdrawn",
            "Balance",
        ],
    ]
    for row in book.newest:
        paid = ENGLISH.signed(row.amount) if row.amount < 0 else ""
        money = [ENGLISH.came(row.amount), paid, ENGLISH.signed(row.balance)]
        lines.append([f"TD{book.letters(8)}", f"{row.day} {book.clock(row)}", row.text, "Completed", *money])
    label = "M-PESA, Kenya: paid in before negative withdrawn, charges in rows of their own"
    text = table(lines, quote="needed", end="\n")
    name = "MPESA_Statement_2025-04-01_to_2025-04-30_2547xxxxxx412.csv"
    return export(name, text, book.newest, "KES", label, both=True)


def gtbank() -> Made:
    """Printed by pages: the header comes again in the middle of the rows."""
    book = draw("gtbank", "ng", month=5, scale=300, count=15)
    header = [
        "Trans. Date",
        "Value. Date",
        "Reference",
        "Debits",
        "Credits",
        "Balance",
        "Originating Branch",
        "Remarks",
    ]
    lines: list[list[str]] = [
        ["CUSTOMER STATEMENT"],
        ["Account Name", "MORGAN ALEX"],
        ["Account Number", "'0041234567"],
        ["Currency", "NGN"],
        ["Opening Balance", ENGLISH.signed(book.opening)],
        ["Closing Balance", ENGLISH.signed(book.closing)],
        ["Total Debit", ENGLISH.size(book.paid)],
        ["Total Credit", ENGLISH.size(book.received)],
        [],
        header,
    ]
    for place, row in enumerate(book.rows):
        if place in (6, 12):
            lines += [[], header]
        day = f"{row.day:%d-%b-%Y}"
        money = [ENGLISH.out(row.amount), ENGLISH.came(row.amount), ENGLISH.signed(row.balance)]
        lines.append([day, day, f"'{book.digits(10)}", *money, "HEAD OFFICE", row.text])
    label = "GTBank, Nigeria: the header comes again within the rows (trap), months by name"
    return export("0041234567_Statement.csv", table(lines), book.rows, "NGN", label, both=True)


def kuda() -> Made:
    book = draw("kuda", "ng", month=6, scale=300, count=12)
    lines: list[list[str]] = [
        ["Date/Time", "Money In", "Money out", "Category", "To / From", "Description", "Balance"]
    ]
    for row in book.rows:
        paid = f"₦{ENGLISH.size(row.amount)}" if row.amount < 0 else ""
        came = f"₦{ENGLISH.size(row.amount)}" if row.amount > 0 else ""
        kind = "inward transfer" if row.amount > 0 else "outward transfer"
        stamp = f"{row.day:%d/%m/%y} {book.clock(row)}"
        lines.append([stamp, came, paid, kind, row.text.title(), row.text, f"₦{ENGLISH.signed(row.balance)}"])
    label = "Kuda, Nigeria: naira signs, two-digit years with times"
    text = table(lines, end="\n")
    return export("kuda_statement_june.csv", text, book.rows, "NGN", label, encoding="utf-8-sig", both=True)


def emirates_nbd() -> Made:
    """No day after the 12th; the period in the preamble says how days are written."""
    book = draw("enbd", "gulf", year=2024, month=11, scale=4, count=11, until=12)
    lines: list[list[str]] = [
        ["Emirates NBD", ""],
        ["Account Number", "'1014123456701"],
        ["Account Currency", "AED"],
        ["Statement Period", "01/11/2024 to 30/11/2024"],
        [],
        ["Date", "Description", "Debit", "Credit", "Account Balance"],
    ]
    for row in book.newest:
        money = [ENGLISH.out(row.amount), ENGLISH.came(row.amount), ENGLISH.signed(row.balance)]
        lines.append([f"{row.day:%d/%m/%Y}", row.text, *money])
    label = "Emirates NBD, UAE: no day after the 12th, the period above tells day from month (trap)"
    text = table(lines, end="\n")
    return export("AccountStatement_112024.csv", text, book.newest, "AED", label, both=True)


def adcb_card() -> Made:
    """Saved by Excel: days as 5-Jan-25, long references as powers of ten, CR behind what comes in."""
    book = draw("adcb", "gulf", month=7, scale=4, is_card=True, count=12)
    lines = [["Transaction Date", "Posting Date", "Description", "Reference", "Amount (AED)"]]
    for row in book.rows:
        days = [f"{day.day}-{day:%b-%y}" for day in (book.before(row.day), row.day)]
        money = ENGLISH.size(row.amount) + (" CR" if row.amount > 0 else "")
        lines.append([*days, row.text, f"7.4{book.digits(4)}E+22", money])
    label = "ADCB card, UAE: two dates as Excel makes them, CR behind payments"
    return export("Card statement July (saved).csv", table(lines), book.rows, "AED", label, encoding="cp1252")


def al_rajhi() -> Made:
    book = draw("al rajhi", "gulf", month=8, scale=4, count=12)
    lines = [["التاريخ", "الوصف", "مدين", "دائن", "الرصيد"]]
    for row in book.newest:
        money = [
            PLAIN.out(row.amount, "0.00"),
            PLAIN.came(row.amount, "0.00"),
            f"{PLAIN.signed(row.balance)} SAR",
        ]
        lines.append([f"{row.day:%Y/%m/%d}", row.text, *money])
    label = "Al Rajhi Bank, Saudi Arabia: Arabic headers, zeros in the empty column"
    text = table(lines, end="\n")
    return export("كشف حساب.csv", text, book.newest, "SAR", label, encoding="utf-8-sig", both=True)


def cib_egypt() -> Made:
    book = draw("cib", "gulf", month=9, scale=50, count=12)
    lines = [
        [
            "Account",
            "Currency",
            "Posting Date",
            "Value Date",
            "Narrative",
            "Amount",
            "DR/CR",
            "Running Balance",
        ]
    ]
    for row in book.rows:
        way = "CR" if row.amount > 0 else "DR"
        days = [f"{row.day:%d %b %Y}", f"{row.day + timedelta(days=1):%d %b %Y}"]
        lines.append(
            [
                "100041234567",
                "EGP",
                *days,
                row.text,
                ENGLISH.size(row.amount),
                way,
                ENGLISH.signed(row.balance),
            ]
        )
    label = "CIB, Egypt: DR and CR in a column of their own, two dates, pipes"
    text = table(lines, sep="|", end="\n")
    return export("CIB_EGP_Sep2025.csv", text, book.rows, "EGP", label, both=True)


def files() -> list[Made]:
    return [
        fnb(),
        standard_bank(),
        capitec(),
        mpesa(),
        gtbank(),
        kuda(),
        emirates_nbd(),
        adcb_card(),
        al_rajhi(),
        cib_egypt(),
    ]
