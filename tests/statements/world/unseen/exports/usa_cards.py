"""Credit cards in the United States, and accounts of companies there."""

from __future__ import annotations

from datetime import timedelta

from tests.statements.world.truth import Made

from .books import PLAIN, draw, export, table


def chase() -> Made:
    book = draw("chase card", "us", month=2, is_card=True, count=17)
    lines = [["Transaction Date", "Post Date", "Description", "Category", "Type", "Amount", "Memo"]]
    for row in book.newest:
        kind = "Payment" if row.amount > 0 else "Sale"
        category = "" if row.amount > 0 else "Shopping"
        day = book.before(row.day)
        lines.append(
            [f"{day:%m/%d/%Y}", f"{row.day:%m/%d/%Y}", row.text, category, kind, str(row.amount), ""]
        )
    label = "Chase Sapphire card, US: two dates, purchases negative"
    return export(
        "Chase9921_Activity20250201_20250228.CSV", table(lines, end="\n"), book.newest, "USD", label
    )


def bank_of_america() -> Made:
    book = draw("bofa card", "us", month=3, is_card=True)
    lines = [["Posted Date", "Reference Number", "Payee", "Address", "Amount"]]
    lines += [
        [f"{row.day:%m/%d/%Y}", book.digits(23), row.text, "SAN DIEGO     CA ", str(row.amount)]
        for row in book.newest
    ]
    label = "Bank of America card, US: reference numbers of 23 digits, purchases negative"
    return export("March2025_4417.csv", table(lines, end="\n"), book.newest, "USD", label)


def citi() -> Made:
    book = draw("citi card", "us", month=4, is_card=True)
    lines = [["Status", "Date", "Description", "Debit", "Credit", "Member Name"]]
    lines.append(["Pending", "05/01/2025", "LYFT   *RIDE WED 5PM", "23.88", "", "ALEX MORGAN"])
    for row in book.newest:
        credit = f"-{PLAIN.size(row.amount)}" if row.amount > 0 else ""  # Citi prints credits negative
        lines.append(
            ["Cleared", f"{row.day:%m/%d/%Y}", row.text, PLAIN.out(row.amount), credit, "ALEX MORGAN"]
        )
    label = "Citi Double Cash, US: Debit positive and Credit negative, a pending row (trap)"
    return export("Since Apr 01, 2025.CSV", table(lines, end="\n"), book.newest, "USD", label)


def capital_one() -> Made:
    book = draw("capital one card", "us", month=5, is_card=True)
    lines = [["Transaction Date", "Posted Date", "Card No.", "Description", "Category", "Debit", "Credit"]]
    for row in book.newest:
        day = book.before(row.day)
        money = [PLAIN.out(row.amount), PLAIN.came(row.amount)]
        category = "Payment/Credit" if row.amount > 0 else "Merchandise"
        lines.append([f"{day}", f"{row.day}", "7781", row.text, category, *money])
    label = "Capital One Venture card, US: two dates, debit and credit columns"
    return export("2025-05-31_transaction_download.csv", table(lines, end="\n"), book.newest, "USD", label)


def american_express() -> Made:
    book = draw("amex us", "us", month=6, is_card=True)
    header = (
        "Date,Description,Card Member,Account #,Amount,Extended Details,Appears On Your Statement As,"
        "Address,City/State,Zip Code,Country,Reference,Category"
    )
    lines = [header.split(",")]
    for row in book.newest:
        details = f"{book.digits(9)}    800-555-0{book.digits(3)}\n{row.text}\nDescription : MISC RETAIL\nPrice : 0.00"
        lines.append(
            [
                f"{row.day:%m/%d/%Y}",
                row.text,
                "ALEX MORGAN",
                "-41005",
                str(-row.amount),
                details,
                row.text,
                "410 TERRY AVE N",
                "SEATTLE\nWA",
                "98109",
                "UNITED STATES",
                f"'32025{book.digits(13)}'",
                "Merchandise & Supplies-Internet Purchase",
            ]
        )
    label = "American Express Gold, US: purchases positive, quoted newlines in the details"
    return export("activity.csv", table(lines, end="\n"), book.newest, "USD", label)


def discover() -> Made:
    book = draw("discover", "us", month=7, is_card=True)
    lines = [["Trans. Date", "Post Date", "Description", "Amount", "Category"]]
    for row in book.newest:
        category = "Payments and Credits" if row.amount > 0 else "Merchandise"
        lines.append([f"{row.day:%m/%d/%Y}", f"{row.day:%m/%d/%Y}", row.text, str(-row.amount), category])
    label = "Discover it, US: purchases positive"
    return export("Discover-Statement-20250731.csv", table(lines, end="\n"), book.newest, "USD", label)


def apple_card() -> Made:
    book = draw("apple card", "us", month=8, is_card=True)
    header = "Transaction Date,Clearing Date,Description,Merchant,Category,Type,Amount (USD),Purchased By"
    lines = [header.split(",")]
    for row in book.rows:
        kind = "Payment" if row.amount > 0 else "Purchase"
        lines.append(
            [
                f"{book.before(row.day):%m/%d/%Y}",
                f"{row.day:%m/%d/%Y}",
                row.text,
                row.text.title(),
                kind,
                kind,
                str(-row.amount),
                "Alex Morgan",
            ]
        )
    label = "Apple Card, US: two dates, purchases positive, the currency in the header"
    text = table(lines, end="\n")
    return export("Apple Card Transactions - August 2025.csv", text, book.rows, "USD", label)


def ramp() -> Made:
    book = draw("ramp", "us", month=9, is_card=True, count=12)
    header = (
        "Transaction Time,Merchant Name,Merchant Descriptor,Amount,Currency,State,Cardholder,Card Last 4,Memo"
    )
    lines = [header.split(",")]
    for place, row in enumerate(book.newest):
        if place == 4:
            lines.append(
                [
                    f"{row.day} 09:14:02",
                    "WeWork",
                    "WEWORK 221",
                    "1250.00",
                    "USD",
                    "Declined",
                    "Sam Ito",
                    "8812",
                    "",
                ]
            )
        time = f"{row.day} {book.clock(row)}"
        lines.append(
            [
                time,
                row.text.title(),
                row.text,
                str(-row.amount),
                "USD",
                "Cleared",
                "Sam Ito",
                "8812",
                "Q3, team",
            ]
        )
    label = "Ramp corporate card, US: purchases positive, a declined row (trap)"
    return export("transactions-export-2025-09.csv", table(lines, end="\n"), book.newest, "USD", label)


def brex() -> Made:
    book = draw("brex cash", "us", month=10, count=12)
    lines = [["Initiated", "Completed", "Description", "Type", "Status", "Amount", "Running balance"]]
    for place, row in enumerate(book.newest):
        if place == 3:
            lines.append([f"{row.day}", "", "WIRE TO NORTHWIND LLC", "Wire", "Failed", "-4,800.00", ""])
        begun = row.day - timedelta(days=1)
        lines.append(
            [f"{begun}", f"{row.day}", row.text, "ACH", "Completed", f"{row.amount:,}", f"{row.balance:,}"]
        )
    label = "Brex business account, US: two dates, a failed wire without balance (trap)"
    return export("brex_cash_oct.csv", table(lines, end="\n"), book.newest, "USD", label, both=True)


def access_online() -> Made:
    """U.S. Bank's site for company cards: the first date is that of the statement, in each row the same."""
    book = draw("access online", "us", month=11, is_card=True, count=12)
    closing = book.last + timedelta(days=3)
    lines = [
        [
            "Statement Date",
            "Account Number",
            "Posting Date",
            "Merchant Name",
            "Transaction Amount",
            "MCC",
            "D/C",
        ]
    ]
    for row in book.rows:
        way = "C" if row.amount > 0 else "D"
        lines.append(
            [
                f"{closing:%m/%d/%Y}",
                "************0412",
                f"{row.day:%m/%d/%Y}",
                row.text,
                PLAIN.size(row.amount),
                book.digits(4),
                way,
            ]
        )
    label = "U.S. Bank Access Online card, US: the statement's date in each row, D and C (trap)"
    return export("TransactionDetail_112025.csv", table(lines, end="\r\n"), book.rows, "USD", label)


def files() -> list[Made]:
    return [
        chase(),
        bank_of_america(),
        citi(),
        capital_one(),
        american_express(),
        discover(),
        apple_card(),
        ramp(),
        brex(),
        access_online(),
    ]
