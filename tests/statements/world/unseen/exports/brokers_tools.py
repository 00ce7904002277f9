"""Cash of brokers, and files that budgeting programs make of bank accounts."""

from __future__ import annotations

from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .books import ENGLISH, PLAIN, draw, export, running, table


def fidelity() -> Made:
    """A cash management account: each row moves its cash, which stands beside it."""
    book = draw("fidelity", "us", month=1, count=11)
    header = (
        "Run Date,Action,Symbol,Description,Type,Price ($),Quantity,Commission ($),Fees ($),Accrued Interest ($),"
        "Amount ($),Cash Balance ($),Settlement Date"
    )
    lines = ["", "", header]
    for row in book.newest:
        action = "DIRECT DEPOSIT" if row.amount > 0 else "DEBIT CARD PURCHASE"
        text = f'"{action} {row.text} (Cash)"'
        lines.append(
            f'{row.day:%m/%d/%Y},{text}, ,"No Description",Cash,,0.000,,,,{row.amount},{row.balance},'
        )
    lines += [
        "",
        '"The data and information in this spreadsheet is provided to you solely for your use and is not for '
        'distribution."',
        '"Date downloaded 02/01/2025 9:12 am"',
    ]
    book = book.told(
        lambda row: f"{'DIRECT DEPOSIT' if row.amount > 0 else 'DEBIT CARD PURCHASE'} {row.text} (Cash)"
    )
    label = "Fidelity Cash Management, US: two empty lines first, a disclaimer last"
    text = "\r\n".join(lines) + "\r\n"
    name = "History_for_Account_Z06412345.csv"
    return export(name, text, book.newest, "USD", label, encoding="utf-8-sig", both=True)


def robinhood() -> Made:
    """What each row moves of the cash: buying is money out."""
    book = draw("robinhood", "us", month=2, count=10)
    header = (
        '"Activity Date","Process Date","Settle Date","Instrument","Description","Trans Code","Quantity","Price",'
        '"Amount"'
    )
    lines = [header]
    rows = []
    for place, row in enumerate(book.newest):
        day = f"{row.day.month}/{row.day.day}/{row.day.year}"
        each = (-row.amount / 2).quantize(Decimal("0.01"))
        if row.amount > 0:
            amount, text, name, order = row.amount, "ACH Deposit", "", ["ACH", "", ""]
        else:
            amount, name, order = (
                -2 * each,
                "VTI" if place % 2 else "AAPL",
                ["Buy", "2", f"${ENGLISH.size(each)}"],
            )
            text = f"Common Stock {name}\nCUSIP: {book.digits(9)}"
        money = f"${ENGLISH.size(amount)}" if amount > 0 else f"(${ENGLISH.size(amount)})"
        cells = [day, day, day, name, text, *order, money]
        lines.append(",".join(f'"{cell}"' for cell in cells))
        rows.append(Row(row.day, text, amount))
    lines.append('"","","","","","","","",""')
    lines.append('"","","","","","","","","","The data provided is for informational purposes only."')
    label = "Robinhood, US: money out in parentheses behind a dollar sign, quoted newlines, a disclaimer last"
    return export("a1b2c3d4-report.csv", "\n".join(lines) + "\n", rows, "USD", label)


def schwab() -> Made:
    book = draw("schwab brokerage", "us", month=3, count=9)
    lines = [["Date", "Action", "Symbol", "Description", "Quantity", "Price", "Fees & Comm", "Amount"]]
    for row in book.newest:
        action = "MoneyLink Transfer" if row.amount > 0 else "Visa Purchase"
        money = f"{'-' if row.amount < 0 else ''}${ENGLISH.size(row.amount)}"
        lines.append([f"{row.day:%m/%d/%Y}", action, "", row.text, "", "", "", money])
    label = "Schwab One brokerage, US: empty quantity, price and fees, dollar amounts"
    name = "Individual_XXX412_Transactions_20250401-091204.csv"
    return export(name, table(lines, quote="all", end="\n"), book.newest, "USD", label)


def coinbase() -> Made:
    """The fiat ledger of an exchange account: fees are rows of their own."""
    book = draw("coinbase", "us", month=4, count=8)
    lines = [
        [
            "portfolio",
            "type",
            "time",
            "amount",
            "balance",
            "amount/balance unit",
            "transfer id",
            "trade id",
            "order id",
        ]
    ]
    moves = []
    for row in book.rows:
        kind = "deposit" if row.amount > 0 else "match"
        moves.append((row.day, kind, row.amount))
        if kind == "match":
            moves.append((row.day, "fee", (row.amount * 6 / 1000).quantize(Decimal("0.01"))))
    book = book.of(running(book.opening, moves))
    for row in book.rows:
        time = f"{row.day}T{book.clock(row)}.412Z"
        reference = (
            [book.letters(12).lower(), "", ""]
            if row.text == "deposit"
            else ["", book.digits(8), book.letters(12)]
        )
        money = [f"{row.amount}00000000000000", f"{row.balance}00000000000000"]
        lines.append(["default", row.text, time, *money, "USD", *reference])
    label = "Coinbase Exchange dollars, US: sixteen decimals, fees in rows of their own"
    return export("account.csv", table(lines, end="\n"), book.rows, "USD", label, both=True)


def mint() -> Made:
    book = draw("mint", "us", month=5, count=13)
    header = (
        "Date,Description,Original Description,Amount,Transaction Type,Category,Account Name,Labels,Notes"
    )
    lines = [header.split(",")]
    for row in book.newest:
        kind = "credit" if row.amount > 0 else "debit"
        day = f"{row.day.month}/{row.day:%d/%Y}"
        lines.append(
            [day, row.text.title(), row.text, PLAIN.size(row.amount), kind, "Shopping", "CHECKING", "", ""]
        )
    label = "Mint, US: amounts without sign beside debit and credit"
    return export("transactions (4).csv", table(lines, quote="all", end="\n"), book.newest, "USD", label)


def ynab() -> Made:
    book = draw("ynab", "us", month=6, count=12)
    header = (
        "Account,Flag,Date,Payee,Category Group/Category,Category Group,Category,Memo,Outflow,Inflow,Cleared"
    )
    lines = [header.split(",")]
    for row in book.newest:
        money = [f"${PLAIN.out(row.amount, '0.00')}", f"${PLAIN.came(row.amount, '0.00')}"]
        group = ["Inflow: Ready to Assign", "Inflow", "Ready to Assign"]
        if row.amount < 0:
            group = ["Needs: Groceries", "Needs", "Groceries"]
        lines.append(["Checking", "", f"{row.day:%m/%d/%Y}", row.text, *group, "", *money, "Cleared"])
    label = "YNAB register, US: outflow and inflow both filled, one of them with a zero"
    text = table(lines, quote="all", end="\n")
    name = "My Budget as of 2025-07-01 09-12 - Register.csv"
    return export(name, text, book.newest, "USD", label, encoding="utf-8-sig")


def quicken() -> Made:
    """A register report: both balances in rows, totals with labels below."""
    book = draw("quicken", "us", month=7, count=12)
    lines: list[list[str]] = [
        ["", "Register Report - Last month"],
        ["", "7/1/2025 through 7/31/2025"],
        [],
        ["", "Date", "Account", "Num", "Description", "Memo", "Category", "Tag", "Clr", "Amount"],
        [],
        ["", "BALANCE 6/30/2025", "", "", "", "", "", "", "", ENGLISH.signed(book.opening)],
    ]
    for row in book.rows:
        day = f"{row.day.month}/{row.day.day}/{row.day.year}"
        lines.append(
            ["", day, "Joint Checking", "", row.text, "", "Misc", "", "R", ENGLISH.signed(row.amount)]
        )
    blank = [""] * 7
    lines += [
        ["", "7/1/2025 - 7/31/2025", *blank, ENGLISH.signed(book.closing - book.opening)],
        ["", "BALANCE 7/31/2025", *blank, ENGLISH.signed(book.closing)],
        [],
        ["", "TOTAL INFLOWS", *blank, ENGLISH.signed(book.received)],
        ["", "TOTAL OUTFLOWS", *blank, ENGLISH.signed(book.paid)],
        ["", "NET TOTAL", *blank, ENGLISH.signed(book.closing - book.opening)],
    ]
    label = "Quicken register report, US: balances and totals as rows with days in them (trap)"
    return export("Register Report.csv", table(lines), book.rows, "USD", label, encoding="cp1252", both=True)


def files() -> list[Made]:
    return [
        fidelity(),
        robinhood(),
        schwab(),
        coinbase(),
        mint(),
        ynab(),
        quicken(),
    ]
