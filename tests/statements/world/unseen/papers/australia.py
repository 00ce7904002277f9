"""Statements of Australia."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import DOLLAR, POINT, drawn, ledger, lines, made
from .kit import A4, Paper

COMMBANK = """
+2300 2900 Direct Credit 301500 JACARANDA HR|SALARY
*-4 90 WOOLWORTHS ~~~~ NEWTOWN NSW AUS|Card xx4471|Value Date: {d}
*-3 25 CAMPOS COFFEE NEWTOWN NSW AUS|Card xx4471|Value Date: {d}
*-20 120 Transfer to xx8812 CommBank app|dinner
-610 610 Direct Debit 062934 RAY WHITE RENT
*-9 60 TRANSPORTFORNSW TAP SYDNEY AUS|Card xx4471, Contactless|Value Date: {d}
*+15 130 Fast Transfer From Liam Byrne|PayID Phone|beers
-50 200 Wdl ATM CBA ATM NEWTOWN NSW 2042
-11 40 INTNL TRANSACTION FEE|Value Date: {d}
"""


def commbank(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 900, 3500),
        date(2024, 12, 13),
        date(2025, 1, 12),
        COMMBANK,
        30,
        inner="%d/%m/%Y",
    )

    def top() -> None:
        paper.y = 46
        paper.put(50, "Commonwealth Bank", bold=True, size=14)
        paper.block(
            545,
            46,
            f"Statement 47     (Page {paper.page + 1} of 2)\nAccount Number  06 2201 10447110",
            "r",
            size=8,
        )
        paper.y = 90

    paper = Paper(A4, left=50)
    top()
    paper.block(
        340,
        100,
        "Your Statement\nStatement Period   13 Dec 2024 - 12 Jan 2025\nClosing Balance   "
        f"{DOLLAR(book.closing)} CR\nEnquiries   13 2221",
        size=9,
        step=14,
    )
    paper.y = 110
    paper.say("MS BRONWYN TAIT\n4/44 ENMORE RD\nNEWTOWN NSW 2042")
    paper.y += 30
    paper.say("Smart Access", bold=True, size=13)
    paper.prose(
        "Enjoy the convenience of accessing your money. If this account has an attached overdraft limit or "
        "facility which is secured over your primary "
        "place of residence, please ensure that the property is insured.",
        size=7.5,
    )
    paper.y += 12
    grid = paper.grid(
        "52 95 370r 450r 543r",
        ("Date", "Transaction", "Debit", "Credit", "Balance"),
        step=10.5,
        top=90,
        before=top,
    )
    grid.head()
    grid.row("13 Dec", "2024 OPENING BALANCE", "", "", DOLLAR(book.opening) + " CR", bold=True)
    for row in book.shown:
        text = lines(row)
        out, into = POINT.sides(row.amount)
        for line in text[:-1]:
            grid.row(
                f"{row.day:%d %b}" if line == text[0] else "", line, lines=len(text) if line == text[0] else 1
            )
        grid.row(
            "" if len(text) > 1 else f"{row.day:%d %b}",
            text[-1],
            out,
            f"${into}" if into else "",
            _side(row.balance),
        )
        paper.y += 2
    grid.row("12 Jan", "2025 CLOSING BALANCE", "", "", _side(book.closing), bold=True)
    paper.y += 12
    paper.room(60, top=90)
    grid = paper.grid(
        "140r 150 260r 270 380r 390 543r",
        ("Opening balance", "-", "Total debits", "+", "Total credits", "=", "Closing balance"),
        size=8,
    )
    grid.head()
    grid.row(
        DOLLAR(book.opening) + " CR",
        "",
        DOLLAR.bare(book.outs),
        "",
        DOLLAR(book.ins),
        "",
        _side(book.closing),
    )
    return made(
        "Statement20250112.pdf",
        paper,
        "AUD",
        "CommBank, Australia: amounts on the last line of a row, value dates below, the year only at the "
        "opening line, over New Year",
        book,
    )


def _owed(value: Decimal) -> str:
    return DOLLAR.bare(value) + (" CR" if value > 0 else "")


def _side(value: Decimal) -> str:
    return DOLLAR.bare(value) + (" CR" if value >= 0 else " DR")


ANZ = """
+600 2400 PAYMENT - THANKYOU
*-5 110 COLES ~~~~ FITZROY NORTH
*-4 30 MARKET LANE COFFEE CARLTON
*-10 80 MYKI TOP UP MELBOURNE
-60 300 ETSY.COM - MULTIPLE SHOP DUBLIN|EUR|1.6871
-40 200 STEAMGAMES.COM BELLEVUE WA|USD|1.5419
+20 80 THE ICONIC REFUND SYDNEY
"""


def anz_card(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 900, 2200), date(2025, 7, 22), date(2025, 8, 20), ANZ, 17)
    owed, new = -book.opening, -book.closing
    paper = Paper(A4, left=40)
    paper.put(40, "ANZ", bold=True, size=20, ink="#007DBA")
    paper.put(555, "CREDIT CARD STATEMENT - ANZ REWARDS PLATINUM", "r", bold=True, size=10)
    paper.y = 85
    paper.say("MR DANIEL ROSSI\n44 RAE ST\nFITZROY NORTH VIC 3068")
    paper.block(
        330,
        85,
        "Account number  4072 2011 4471 1093\nStatement period  22/07/25 - 20/08/25\nStatement number  08",
        size=8.5,
        step=12,
    )
    paper.y = 140
    grid = paper.grid(
        "130r 230r 330r 440r 552r",
        (
            "Opening Balance",
            "New Purchases & Fees",
            "Payments & Other Credits",
            "Closing Balance",
            "Minimum Monthly Payment",
        ),
        size=7.5,
    )
    grid.head()
    grid.row(DOLLAR(owed), DOLLAR.bare(book.outs), DOLLAR(book.ins), DOLLAR(new), "$40.00")
    paper.put(
        44,
        "Pay by 15/09/25. If you make the minimum monthly payment each month, you will pay off the closing "
        "balance in about 11 years.",
        size=7.5,
    )
    paper.y += 22
    grid = paper.grid(
        "44 100 160 210 440r 545r",
        (
            "Date\nProcessed",
            "Date of\nTransaction",
            "Card\nUsed",
            "Transaction Details",
            "Amount ($A)",
            "Balance",
        ),
        size=8,
        step=11,
    )
    grid.head()
    grid.row("", "", "", "OPENING BALANCE", "", DOLLAR(owed), bold=True)
    for row in book.shown:
        text, *abroad = lines(row)
        posted = min(row.day + timedelta(days=chance.randint(0, 2)), date(2025, 8, 20))
        grid.row(
            f"{posted:%d/%m/%Y}",
            f"{row.day:%d/%m/%Y}",
            "1093",
            text,
            DOLLAR.bare(row.amount) + (" CR" if row.amount > 0 else ""),
            _owed(row.balance),
            lines=3 if abroad else 1,
        )
        if abroad:
            fee = (-row.amount * 3 / 103).quantize(Decimal("0.01"))
            foreign = ((-row.amount - fee) / Decimal(abroad[1])).quantize(Decimal("0.01"))
            grid.row("", "", "", f"{foreign} {abroad[0]}", size=7.5)
            grid.row("", "", "", f"INCL OVERSEAS TXN FEE {fee} AUD", size=7.5)
    grid.row("", "", "", "CLOSING BALANCE", "", DOLLAR(new), bold=True)
    return made(
        "ANZ_Statement_20-08-2025_1093.pdf",
        paper,
        "AUD",
        "ANZ, Australia card: the running balance is what is owed, processing day first, foreign amount and "
        "fee below",
        book,
    )


PAPERS = (commbank, anz_card)
