"""Checking accounts in the United States."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from tests.statements.world.truth import Made

from .books import ENGLISH, PLAIN, Style, draw, export, table


def chase() -> Made:
    book = draw("chase checking", "us", month=3, count=16)
    lines = ["Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #\n"]
    # The newest one is pending: it has no balance yet. Chase's rows end with a comma more than its header.
    lines.append('DEBIT,04/01/2025,"POS DEBIT PENDING TARGET T-1123",-41.18,DEBIT_CARD, ,,\n')
    for row in book.newest:
        kind = ("CREDIT", "ACH_CREDIT") if row.amount > 0 else ("DEBIT", "DEBIT_CARD")
        lines.append(
            f'{kind[0]},{row.day:%m/%d/%Y},"{row.text}",{row.amount},{kind[1]},{PLAIN.signed(row.balance)},,\n'
        )
    label = "Chase checking, US: newest first, a pending row without balance, one comma more in each row"
    return export("Chase4417_Activity_20250401.CSV", "".join(lines), book.newest, "USD", label, both=True)


def bank_of_america() -> Made:
    book = draw("bofa checking", "us", month=2)
    lines: list[list[str]] = [
        ["Description", "", "Summary Amt."],
        ["Beginning balance as of 02/01/2025", "", ENGLISH.signed(book.opening)],
        ["Total credits", "", ENGLISH.signed(book.received)],
        ["Total debits", "", ENGLISH.signed(book.paid)],
        ["Ending balance as of 02/28/2025", "", ENGLISH.signed(book.closing)],
        [],
        ["Date", "Description", "Amount", "Running Bal."],
        ["02/01/2025", "Beginning balance as of 02/01/2025", "", ENGLISH.signed(book.opening)],
    ]
    lines += [
        [f"{row.day:%m/%d/%Y}", row.text, ENGLISH.signed(row.amount), ENGLISH.signed(row.balance)]
        for row in book.rows
    ]
    label = "Bank of America checking, US: a summary above, the opening balance as a dated row"
    return export("stmt.csv", table(lines), book.rows, "USD", label, both=True)


def wells_fargo() -> Made:
    book = draw("wells fargo", "us", month=5)
    lines = [[f"{row.day:%m/%d/%Y}", str(row.amount), "*", "", row.text] for row in book.newest]
    label = "Wells Fargo checking, US: no header, a star in the third column"
    return export("Checking1.csv", table(lines, quote="all", end="\n"), book.newest, "USD", label)


def us_bank() -> Made:
    book = draw("us bank", "us", month=6, count=10)
    lines = [["Date", "Transaction", "Name", "Memo", "Amount"]]
    for row in book.rows:
        kind = "CREDIT" if row.amount > 0 else "DEBIT"
        lines.append([f"{row.day}", kind, row.text, f"Download from usbank.com. {row.text}", str(row.amount)])
    label = "U.S. Bank checking, US: a direction word beside an amount that is signed already"
    text = table(lines, quote="all", end="\n")
    return export("Checking - 4412_06-01-2025_06-30-2025.csv", text, book.rows, "USD", label)


def ally() -> Made:
    book = draw("ally", "us", month=4, count=9)
    lines = ["Date, Time, Amount, Type, Description\n"]
    for row in book.newest:
        kind = "Deposit" if row.amount > 0 else "Withdrawal"
        text = f'"{row.text}"' if "," in row.text else row.text
        lines.append(f"{row.day}, {book.clock(row)}, {row.amount}, {kind}, {text}\n")
    label = "Ally savings, US: a space after each comma"
    return export("transactions.csv", "".join(lines), book.newest, "USD", label)


def capital_one_360() -> Made:
    book = draw("capital one 360", "us", month=7)
    lines = [
        [
            "Account Number",
            "Transaction Description",
            "Transaction Date",
            "Transaction Type",
            "Transaction Amount",
            "Balance",
        ]
    ]
    for row in book.newest:
        kind = "Credit" if row.amount > 0 else "Debit"
        lines.append(
            ["6412", row.text, f"{row.day:%m/%d/%y}", kind, PLAIN.size(row.amount), PLAIN.signed(row.balance)]
        )
    label = "Capital One 360 Checking, US: amounts without sign beside Debit or Credit, two-digit years"
    text = table(lines, end="\n")
    return export("2025-07-31_360Checking...6412.csv", text, book.newest, "USD", label, both=True)


def navy_federal() -> Made:
    book = draw("navy federal", "us", month=8, count=11)
    header = (
        "Posting Date,Transaction Date,Amount,Credit Debit Indicator,type,Type Group,Reference,"
        "Instructed Currency,Currency Exchange Rate,Instructed Amount,Description,Category,"
        "Check Serial Number,Card Ending"
    )
    lines = [header.split(",")]
    for row in book.newest:
        kind = "Credit" if row.amount > 0 else "Debit"
        day = book.before(row.day)
        lines.append(
            [
                f"{row.day:%m/%d/%Y}",
                f"{day:%m/%d/%Y}",
                PLAIN.size(row.amount),
                kind,
                "POS",
                "",
                book.digits(12),
                "USD",
                "1",
                "",
                row.text,
                "Shopping",
                "",
                "4471",
            ]
        )
    label = "Navy Federal checking, US: two dates, a Credit/Debit indicator"
    return export("transactions.CSV", table(lines, end="\n"), book.newest, "USD", label)


def pnc() -> Made:
    book = draw("pnc", "us", month=9, count=12)
    account = book.digits(10)
    first = f"{account},{book.first:%Y/%m/%d},{book.last:%Y/%m/%d},{book.opening},{book.closing}\n"
    lines = [first]
    for row in book.rows:
        kind = "CREDIT" if row.amount > 0 else "DEBIT"
        lines.append(
            f'{row.day:%Y/%m/%d},{PLAIN.size(row.amount)},"{row.text}","","{book.digits(9)}","{kind}"\n'
        )
    label = "PNC checking, US: no header, a first line of account, period and both balances"
    return export("accountActivityExport.csv", "".join(lines), book.rows, "USD", label, both=True)


def td_bank() -> Made:
    book = draw("td bank us", "us", month=10, count=13)
    header = (
        "Bank RTN,Account Number,Date,Transaction Type,Description,Debit,Credit,Check Number,"
        "Account Running Balance"
    )
    lines = [header.split(",")]
    for row in book.newest:
        kind = "CREDIT" if row.amount > 0 else "DEBIT"
        money = [PLAIN.out(row.amount), PLAIN.came(row.amount), "", PLAIN.signed(row.balance)]
        lines.append(["026013673", "4417712098", f"{row.day}", kind, row.text, *money])
    gone = 6  # this row is taken out: the running balance still counts it
    rows = book.newest[:gone] + book.newest[gone + 1 :]
    label = "TD Bank, US: a row in the middle is gone that the running balance counts"
    text = table(lines[: gone + 1] + lines[gone + 2 :], end="\n")
    return export("export_20251031.csv", text, rows, "USD", label, both=True, incomplete=True)


def usaa() -> Made:
    book = draw("usaa", "us", month=11, count=12)
    lines = [["Date", "Description", "Original Description", "Category", "Amount", "Status"]]
    for place in range(2):
        day = book.last + timedelta(days=place)
        lines.insert(1, [f"{day}", "H-E-B", "H-E-B #411", "Groceries", str(-18 - place) + ".40", "Pending"])
    for row in book.newest:
        category = "Paycheck" if row.amount > 0 else "Shopping"
        lines.append([f"{row.day}", row.text.title(), row.text, category, str(row.amount), "Posted"])
    label = "USAA checking, US: two pending rows above the posted ones (trap)"
    return export("bk_download.csv", table(lines, end="\n"), book.newest, "USD", label)


def schwab_bank() -> Made:
    book = draw("schwab bank", "us", month=12, count=12)
    dollars = Style(group=",", plus="$", minus="-$")
    lines = [
        ["Date", "Status", "Type", "CheckNumber", "Description", "Withdrawal", "Deposit", "RunningBalance"]
    ]
    for row in book.newest:
        paid = "$" + ENGLISH.size(row.amount) if row.amount < 0 else ""
        came = "$" + ENGLISH.size(row.amount) if row.amount > 0 else ""
        kind = "ACH" if row.amount > 0 else "VISA"
        lines.append(
            [f"{row.day:%m/%d/%Y}", "Posted", kind, "", row.text, paid, came, dollars.signed(row.balance)]
        )
    label = "Schwab Investor Checking, US: dollar signs, withdrawal and deposit columns"
    name = "Checking_XXXX412_Checking_Transactions_20251231-120411.csv"
    return export(name, table(lines, quote="all", end="\n"), book.newest, "USD", label, both=True)


def increase() -> Made:
    """Increase is a bank for programs: what its dashboard exports is in cents, as its interface is."""
    book = draw("increase", "us", month=1, count=11)
    lines = [
        ["date", "id", "route_type", "description", "amount_in_cents", "balance_after_in_cents", "currency"]
    ]
    for row in book.rows:
        cents = [f"{int(row.amount * 100)}", f"{int(row.balance * 100)}", "USD"]
        lines.append(
            [
                f"{row.day}T{book.clock(row)}Z",
                f"transaction_{book.letters(18).lower()}",
                "card",
                row.text,
                *cents,
            ]
        )
    assert all(row.amount == Decimal(int(row.amount * 100)) / 100 for row in book.rows)
    label = "Increase, US: amounts and balances in cents, said so in the header (trap)"
    return export(
        "increase-transactions-2025-01.csv", table(lines, end="\n"), book.rows, "USD", label, both=True
    )


def files() -> list[Made]:
    return [
        chase(),
        bank_of_america(),
        wells_fargo(),
        us_bank(),
        ally(),
        capital_one_360(),
        navy_federal(),
        pnc(),
        td_bank(),
        usaa(),
        schwab_bank(),
        increase(),
    ]
