"""Statements of South Africa."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import POINT, Figures, drawn, ledger, lines, made, total
from .kit import A4, Paper

RAND = Figures(" ", ".")
FNB = """
+18000 26000 FNB App Payment From|Salary Baobab Media
*-45 900 POS Purchase|Woolworths Rosebank 471102*4471 {d}
*-30 260 POS Purchase|Vida E Caffe 471102*4471 {d}
*-100 1200 FNB App Payment To|Thandi M
-6900 6900 Debit Order|Hyde Park Rentals
-399 799 Debit Order|Discovery Hlth 4471~~~
*+100 900 FNB App Transfer From|Savings Pocket
-500 2000 ATM Cash|Rosebank Mall 471102*4471
>-69 89 #Monthly Account Fee|
"""


def fnb(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 1500, 9000), date(2025, 6, 17), date(2025, 7, 16), FNB, 20, inner="%d %b"
    ).less(14)
    paper = Paper(A4, left=40)
    paper.put(40, "FNB", bold=True, size=18, ink="#009999")
    paper.block(
        555,
        46,
        "Universal Branch Code 250655\nFNB Private Wealth Account : 62447110933\nStatement Period : 16 June "
        "2025 to 16 July 2025\nStatement Date : 16 July 2025\n"
        "Tax Invoice/Statement Number : 94",
        "r",
        size=8,
    )
    paper.y = 110
    paper.say("*MISS LERATO DLAMINI\n44 OXFORD ROAD\nROSEBANK 2196")
    paper.y += 10
    paper.say("Statement Balances", bold=True)
    paper.pairs(
        ("Opening Balance", _side(book.opening)),
        ("Closing Balance", _side(book.closing)),
        ("VAT Inclusive @ 15.000%   Total VAT", "10.04 Dr"),
        x=44,
        to=280,
    )
    paper.block(
        320,
        178,
        "Interest Rate: Credit Rate Tiered\nDebit Rate 11.75%\nBank charges: Service Fees 77.00   Cash "
        "Deposit Fees 0.00",
        size=8,
    )
    paper.y += 10
    paper.say("Transactions in RAND (ZAR)", bold=True)
    paper.y += 4
    grid = paper.grid(
        "44 84 190 412r 485r 553r",
        ("Date", "Description", "", "Amount", "Balance", "Accrued\nBank\nCharges"),
        size=8,
        step=11.5,
    )
    grid.head()
    for row in book.shown:
        kind, detail = (*lines(row), "")[:2]
        charge = (
            f"{chance.choice(('2.10', '1.80', '9.50'))}" if kind in ("ATM Cash", "FNB App Payment To") else ""
        )
        grid.row(
            f"{row.day:%d %b}",
            kind,
            detail,
            POINT.bare(row.amount) + ("Cr" if row.amount > 0 else ""),
            _side(row.balance).replace(" ", ""),
            charge,
        )
    paper.y += 6
    paper.say("Closing Balance", bold=True)
    paper.put(485, _side(book.closing).replace(" ", ""), "r", y=paper.y - 12, bold=True, size=8)
    paper.y += 6
    ins = sum(row.amount > 0 for row in book.rows)
    paper.say(
        f"Turnover for Statement Period     No. Credit Transactions {ins}   {POINT(book.ins)}Cr     No. "
        f"Debit Transactions {len(book.rows) - ins}   {POINT.bare(book.outs)}Dr",
        size=8,
    )
    return made(
        "62447110933 2025-07-16.pdf",
        paper,
        "ZAR",
        "FNB, South Africa: Cr after what comes in, a column of accrued charges that are no rows; one row is "
        "missing",
        book,
    )


def _side(value: Decimal) -> str:
    return POINT.bare(value) + (" Dr" if value < 0 else " Cr")


STANDARD = """
+14000 19000 CREDIT TRANSFER|SIYANDA SALARY
*-40 800 CHEQUE CARD PURCHASE|CHECKERS SEA POINT 5222*4471  {d}
*-25 220 CHEQUE CARD PURCHASE|KAUAI GREEN POINT  5222*4471  {d}
-5400 5400 DEBIT ORDER|ATLANTIC LETS
*-50 600 IB PAYMENT TO|NOMSA
-2.5 2.5 INSTANT MONEY FEE ##|
-300 1500 AUTOBANK CASH WITHDRAWAL AT|SEA POINT
*+50 500 MAGTAPE CREDIT|N KHUMALO
>-120 130 FIXED MONTHLY FEE ##|
"""


def standard_bank(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 900, 4000),
        date(2025, 3, 3),
        date(2025, 4, 2),
        STANDARD,
        18,
        weekdays=True,
        inner="%d %b",
    )
    paper = Paper(A4, left=45)
    paper.put(45, "Standard Bank", bold=True, size=15, ink="#0033A1")
    paper.block(
        550,
        46,
        "BANK STATEMENT / TAX INVOICE\nAccount Number 10 447 110 9\nMonth-end Balance\nStatement from 02 "
        "March 2025 to 02 April 2025\nPage 1 of 1",
        "r",
        size=8,
    )
    paper.y = 115
    paper.say("MR S KHUMALO\n44 BEACH ROAD\nSEA POINT 8005")
    paper.y += 8
    paper.say("PRESTIGE CURRENT ACCOUNT", bold=True)
    paper.y += 6
    grid = paper.grid(
        "47 265r 350r 435r 450 548r",
        ("Details", "Service\nFee", "Debits", "Credits", "Date", "Balance"),
        size=8.5,
        step=11.5,
    )
    grid.head()
    grid.row("BALANCE BROUGHT FORWARD", "", "", "", "03 02", RAND(book.opening))
    for row in book.shown:
        text = [line for line in lines(row) if line]
        out, into = RAND.sides(row.amount)
        grid.row(
            text[0],
            "##" if "##" in text[0] else "",
            out + "-" if out else "",
            into,
            f"{row.day:%m %d}",
            RAND.trailing(row.balance),
            lines=len(text),
        )
        for line in text[1:]:
            grid.row(line)
    grid.row("Month-end Balance R" + RAND.trailing(book.closing), bold=True)
    paper.y += 10
    fees = total(book.only("FIXED", "INSTANT"))
    paper.say("VAT Summary", bold=True)
    paper.pairs(
        ("Balance at date of statement: 02 April 2025", RAND.trailing(book.closing)),
        (
            "Total charge amount (excluding VAT)",
            RAND.bare((fees / Decimal("1.15")).quantize(Decimal("0.01"))),
        ),
        ("## These fees are inclusive of VAT", RAND.bare(fees)),
        x=47,
        to=350,
    )
    return made(
        "Statement_104471109_Apr2025.pdf",
        paper,
        "ZAR",
        "Standard Bank, South Africa: days as '03 05' (month first) right of the amounts, trailing minus, "
        "spaces",
        book,
    )


PAPERS = (fnb, standard_bank)
