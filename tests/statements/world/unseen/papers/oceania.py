"""A loan in Australia, and accounts in New Zealand."""

from __future__ import annotations

import random
from datetime import date, timedelta

from tests.statements.world.truth import Made

from .deals import DOLLAR, POINT, before, drawn, ledger, made, total
from .kit import A4, Paper

WESTPAC = """
+1980 1980 Repayment From 032-044 471109
-1500 1640 Interest
+200 900 Extra Repayment Online ~~~~~~~
+1980 1980 Repayment From 032-044 471109
-1500 1640 Interest
-8 8 Account Keeping Fee
+1980 1980 Repayment From 032-044 471109
-2000 4000 Redraw Internet Banking
-1500 1640 Interest
+1980 1980 Repayment From 032-044 471109
+150 700 Extra Repayment Online ~~~~~~~
-1500 1640 Interest
"""


def westpac_loan(chance: random.Random) -> Made:
    book = ledger(
        chance, -drawn(chance, 310000, 470000), date(2024, 11, 1), date(2025, 2, 28), WESTPAC, weekdays=True
    )
    paper = Paper(A4, left=48, flow="words")
    paper.put(48, "Westpac", bold=True, size=17, ink="#DA1710")
    paper.put(548, "Home Loan Statement", "r", bold=True, size=13)
    paper.block(
        548,
        72,
        "Rocket Repay Home Loan\nStatement Period  1 November 2024 - 28 February 2025\nBSB 032-044   Account "
        "Number 51-0933",
        "r",
        size=8.5,
    )
    paper.y = 120
    paper.say("MR T AND MRS J WHITLAM\n44 KOOYONG RD\nARMADALE VIC 3143")
    paper.y += 14
    paper.pairs(
        ("Opening Loan Balance", DOLLAR.bare(book.opening)),
        ("Total Interest, Fees and Redraws", DOLLAR.bare(book.outs)),
        ("Total Repayments", "-" + DOLLAR(book.ins)),
        ("*Closing Loan Balance", DOLLAR.bare(book.closing)),
        ("Amount available for redraw", "$18,211.40"),
        ("Interest for the year to date", "$12,704.18"),
        x=48,
        to=330,
    )
    paper.y += 12
    paper.say("Interest rates for this account", bold=True)
    grid = paper.grid("50 180", ("Effective date", "Annual % rate"), size=8)
    grid.head()
    grid.row("01 Nov 2024", "6.24%")
    grid.row("19 Feb 2025", "5.99%")
    paper.y += 8
    paper.say("Transactions", bold=True)
    paper.y += 4
    grid = paper.grid(
        "50 110 370r 450r 546r",
        ("Date", "Description of transaction", "Debit", "Credit", "Loan Balance"),
        size=8.5,
        step=13,
    )
    grid.head()
    grid.row("01/11/24", "Opening Balance", "", "", POINT.bare(book.opening), bold=True)
    for row in book.shown:
        debit, credit = POINT.sides(row.amount)
        grid.row(f"{row.day:%d/%m/%y}", row.text, debit, credit, POINT.bare(row.balance))
    grid.row("28/02/25", "Closing Balance", "", "", POINT.bare(book.closing), bold=True)
    paper.y += 10
    due = before(chance, book.rows[-1], 1) + timedelta(days=30)
    paper.say(
        f"Your next minimum repayment of $1,980.00 is due on {due.day} {due:%B %Y}. Repayments total this "
        f"statement: {DOLLAR(total(book.only('Repayment')))}",
        size=8,
    )
    return made(
        "HomeLoan_510933_Feb2025.pdf",
        paper,
        "AUD",
        "Westpac, Australia home loan: the balance is what is owed and is printed without a sign, rate table "
        "with days",
        book,
    )


KIWI = """
+1700 2100 DIRECT CREDIT RATA CLINIC SALARY
*-5 80 POS W/D PAK N SAVE KILBIRNIE
*-3 20 POS W/D MOJO COFFEE-~~:~~
*-20 90 AP HANA TE RANGI
-455 455 AP RENT 44 ADELAIDE RD
-40 120 DD MERCURY ENERGY
*+10 90 TFR FROM WIREMU P
-60 60 ATM W/D KIWIBANK LAMBTON
>+0.1 2 INTEREST
>-0.1 0.6 RWT
"""


def kiwibank(chance: random.Random) -> Made:
    book = ledger(chance, drawn(chance, 400, 1900), date(2025, 4, 1), date(2025, 4, 30), KIWI, 16)
    old = ledger(
        chance,
        drawn(chance, 6000, 9000),
        date(2025, 4, 1),
        date(2025, 4, 30),
        "+200 300 AP FROM EVERYDAY\n>+8 19 INTEREST\n>-2 5 RWT",
    )
    paper = Paper(A4, font="Times-Roman", left=50)
    paper.size = 9.5
    paper.put(50, "Kiwibank", bold=True, size=18, ink="#00A13A")
    paper.block(545, 50, "Statement number 44\nFrom 1 April 2025 to 30 April 2025\nPage 1 of 1", "r")
    paper.y = 100
    paper.say("MISS A PARATA\n44 ADELAIDE RD\nNEWTOWN WELLINGTON 6021")
    for name, one in (("Online Call  38-9004-0447110-02", old), ("Everyday  38-9004-0447110-00", book)):
        paper.y += 14
        paper.say(name, bold=True, size=11)
        paper.y += 4
        grid = paper.grid(
            "52 105 365r 450r 543r", ("Date", "Transaction", "Withdrawals", "Deposits", "Balance"), step=12.5
        )
        grid.head()
        grid.row("1 Apr", "OPENING ACCOUNT BALANCE", "", "", DOLLAR(one.opening), bold=True)
        for row in one.shown:
            out, into = DOLLAR.sides(row.amount)
            grid.row(f"{row.day.day} {row.day:%b}", row.text, out, into, DOLLAR(row.balance))
        grid.row(
            "30 Apr",
            "CLOSING ACCOUNT BALANCE",
            DOLLAR.bare(one.outs),
            DOLLAR(one.ins),
            DOLLAR(one.closing),
            bold=True,
        )
    paper.y += 10
    paper.say("Withholding tax deducted this tax year to 30 April 2025: $3.88 (rate 17.5%)", size=8)
    return made(
        "38-9004-0447110_30Apr25.pdf",
        paper,
        "NZD",
        "Kiwibank, New Zealand: a savings account comes first; dated closing row with totals in the money "
        "columns",
        old,
        book,
    )


PAPERS = (westpac_loan, kiwibank)
