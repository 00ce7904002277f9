"""Cash at brokers."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .deals import ENGLISH, POINT, Figures, drawn, ledger, lines, made, total
from .kit import WIDE_A4, Paper

SCHWAB = """
+1500 2500 Deposit|MoneyLink Txn|Tfr WELLS FARGO BANK, N, ELI NAKAMURA
-900 2400 Purchase||SCHWAB US DIVIDEND EQUITY ETF|SCHD|42.0000|27.1200
+12 60 Dividend|Qual. Dividend|APPLE INC|AAPL
-800 1900 Purchase||VANGUARD TOTAL STOCK MARKET ETF|VTI|5.0000|281.4400
+1400 3100 Sale||INTEL CORP|INTC|80.0000|22.7300
+30 150 Dividend|Cash Dividend|VANGUARD TOTAL STOCK MARKET ETF|VTI
-400 900 Withdrawal|Visa Debit|AMEX EPAYMENT ACH PMT M~~~~
-6 7 Expense|ADR Mgmt Fee|NOVO NORDISK ADR
>+0.4 3 Interest|Credit Interest|SCHWAB1 INT {d}
"""


def schwab(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 2500, 4200), date(2025, 6, 2), date(2025, 6, 30), SCHWAB, weekdays=True
    )
    brackets = Figures()

    def net(value: Decimal) -> str:
        return f"({brackets.bare(value)})" if value < 0 else brackets(value)

    paper = Paper(WIDE_A4, left=40)
    paper.put(40, "charles SCHWAB", bold=True, size=17, ink="#00A0DF")
    paper.put(800, "Schwab One\xae Account of                     Statement Period", "r", size=9)
    paper.put(
        800,
        "ELI NAKAMURA     Account Number 4471-9083          June 1-30, 2025",
        "r",
        y=64,
        size=9,
        bold=True,
    )
    paper.y = 95
    paper.say("Transactions - Summary", bold=True, size=12)
    paper.y += 6
    kinds = ("Deposit", "Withdrawal", "Purchase", "Sale", "Dividend", "Expense")
    sums = [total(book.only(kind)) for kind in kinds]
    sums[4] += total(book.only("Interest"))
    grid = paper.grid(
        "120r 215r 310r 405r 510r 620r 705r 800r",
        (
            "Beginning Cash* as of 06/01",
            "Deposits",
            "Withdrawals",
            "Purchases",
            "Sales/Redemptions",
            "Dividends/Interest",
            "Expenses",
            "Ending Cash* as of 06/30",
        ),
        size=7,
    )
    grid.head()
    grid.row(
        f"${net(book.opening)}",
        *(f"${net(one)}" if one > 0 else f"(${brackets.bare(one)})" for one in sums),
        f"${net(book.closing)}",
    )
    paper.y += 4
    paper.prose(
        "*Cash (includes any cash debit balance) held in your account plus the value of any cash invested in "
        "a sweep "
        "money fund."
    )
    paper.y += 16
    paper.say("Transaction Details", bold=True, size=12)
    paper.y += 12
    grid = paper.grid(
        "44 95 165 245 310 500r 570r 650r 735r 800r",
        (
            "Date",
            "Category",
            "Action",
            "Symbol/\nCUSIP",
            "Description",
            "Quantity",
            "Price/Rate\nper Share($)",
            "Charges/\nInterest($)",
            "Amount($)",
            "Realized\nGain/(Loss)($)",
        ),
        size=7.5,
        step=14,
    )
    grid.head()
    for row in book.shown:
        kind, action, text, symbol, quantity, price = (*lines(row), "", "", "")[:6]
        gain = "112.40,(LT)" if kind == "Sale" else ""
        sold = f"({quantity})" if kind == "Sale" else quantity
        grid.row(
            f"{row.day:%m/%d}" if book.first_of_day(row) else "",
            kind,
            action,
            symbol,
            text,
            sold,
            price,
            "",
            net(row.amount),
            gain,
        )
    paper.rule()
    paper.y += 12
    grid.row(
        "Total Transactions",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        f"${net(book.closing - book.opening)}",
        "$112.40",
        bold=True,
    )
    paper.y += 14
    paper.say("Pending / Open Activity", bold=True, size=12)
    paper.y += 6
    grid = paper.grid(
        "44 165 310 500r 650r 735r",
        ("Activity Date", "Activity", "Description", "Quantity", "Payable Date", "Amount($)"),
        size=7.5,
    )
    grid.head()
    grid.row("06/27", "Pending Dividend", "SCHWAB US DIVIDEND EQUITY ETF", "120.0000", "07/01", "31.27")
    paper.say("Pending transactions are not included in account value.", size=7)
    # a careful human reads the description of these rows, not the name of the category
    named = {
        row: Row(row.day, (*lines(row), "")[2] or lines(row)[0], row.amount, row.balance) for row in book.rows
    }
    exact = type(book)(book.opening, tuple(named[row] for row in book.rows))
    return made(
        "Brokerage Statement_2025-06-30_083.PDF",
        paper,
        "USD",
        "Charles Schwab, US brokerage cash: landscape, a date only on "
        "the first row of a day, brackets, quantities and prices, pending dividends",
        exact,
    )


IBKR = """
<+4000 6000 Electronic Fund Transfer
-1500 2600 Buy 12 NOVN (Novartis AG Reg)
-5 6 Commission NOVN
+20 70 NOVN(CH0012005267) Cash Dividend CHF 3.50 per Share
-7 24 NOVN(CH0012005267) Cash Dividend CHF 3.50 per Share - CH Tax
+900 1900 Sell -10 ROG (Roche Holding AG)
-5 6 Commission ROG
-1 3 CHF Debit Interest for {d}
-600 900 Disbursement Initiated by Beat Zollinger
"""


def interactive_brokers(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 1200, 2600),
        date(2025, 3, 3),
        date(2025, 3, 31),
        IBKR,
        weekdays=True,
        inner="%b-%Y",
    )
    paper = Paper(WIDE_A4, left=36, font="Vera", flow="columns")
    paper.size = 7.5
    paper.put(36, "InteractiveBrokers", bold=True, size=15, ink="#D81222")
    paper.block(806, 48, "Activity Statement\nMarch 3, 2025 - March 31, 2025", "r", bold=True)
    paper.y = 90
    paper.title("Account Information", "#DDE4EC", on="#000000", size=8)
    paper.say(
        "Name  Beat Zollinger        Account  U*****318        Base Currency  CHF        Account Type  "
        "Individual"
    )
    paper.y += 8
    paper.title("Change in NAV", "#DDE4EC", on="#000000", size=8)
    paper.pairs(
        ("Starting Value", "48,211.07"),
        ("Mark-to-Market", "-612.44"),
        ("Ending Value", "49,870.15"),
        x=40,
        to=300,
    )
    paper.y += 8
    paper.title("Statement of Funds - CHF", "#DDE4EC", on="#000000", size=8)
    paper.y += 6
    grid = paper.grid(
        "40 110 180 620r 710r 800r",
        ("Report Date", "Activity Date", "Description", "Debit", "Credit", "Balance"),
    )
    grid.head()
    grid.row("2025-03-03", "", "Starting Balance", "", "", POINT(book.opening), bold=True)
    for row in book.shown:
        debit, credit = (POINT(row.amount), "") if row.amount < 0 else ("", POINT(row.amount))
        grid.row(f"{row.day}", f"{row.day}", row.text, debit, credit, POINT(row.balance))
    grid.row(
        "2025-03-31", "", "Ending Balance", POINT(book.outs), POINT(book.ins), POINT(book.closing), bold=True
    )
    paper.y += 10
    paper.title("Interest Accruals", "#DDE4EC", on="#000000", size=8)
    paper.pairs(
        ("Starting Accrual Balance", "-1.82"),
        ("Interest Accrued", "-2.04"),
        ("Ending Accrual Balance", "-1.41"),
        x=40,
        to=300,
    )
    paper.put(806, f"Generated: {ENGLISH[3]}-01-2025, 04:12:07 EDT", "r", y=570, size=6.5)
    return made(
        "U7740318_20250303_20250331.pdf",
        paper,
        "CHF",
        "Interactive Brokers, Swiss customer: statement of funds with dated "
        "ending row of totals, debits with a minus",
        book,
    )


PAPERS = (schwab, interactive_brokers)
