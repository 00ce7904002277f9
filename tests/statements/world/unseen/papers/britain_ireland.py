"""More current accounts of Britain, and one of Ireland."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import POINT, POUND, before, drawn, ledger, lines, made
from .kit import A4, Paper

SANTANDER = """
*+20 150 FASTER PAYMENTS RECEIPT REF.LUNCH FROM L TREVELYAN
*-3 44 CARD PAYMENT TO LIDL GB PLYMOUTH,{a} GBP, RATE 1.00/GBP|ON {d}
*-5 25 CARD PAYMENT TO SHELL TAVISTOCK,{a} GBP, RATE 1.00/GBP|ON {d}
-560 560 STANDING ORDER VIA FASTER PAYMENT TO MR P GILL REFERENCE|RENT , MANDATE NO 3
-90 170 DIRECT DEBIT PAYMENT TO PLYMOUTH CC REF 610~~~~~,|MANDATE NO 0011
+1320 1510 BANK GIRO CREDIT REF UNI HOSP NHS TRUST, 70~~~~~
-20 50 CASH WITHDRAWAL AT NOTEMACHINE PLYMOUTH,{a} GBP|ON {d}
>+0.3 2 INTEREST PAID AFTER TAX 0.00 DEDUCTED
"""


def santander_uk(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 300, 900),
        date(2025, 5, 5),
        date(2025, 6, 4),
        SANTANDER,
        15,
        weekdays=True,
        inner="%d-%m-%Y",
    )
    paper = Paper(A4, left=45, font="Vera")
    paper.size = 7.5
    paper.put(45, "Santander", bold=True, size=15, ink="#EC0000")
    paper.put(550, "Everyday Current Account", "r", size=10)
    paper.y = 90
    paper.say(
        "Miss Lowenna Trevelyan     Account number: 24417763   Sort Code: 09 01 28\nStatement number: 06/2025"
    )
    paper.y += 8
    paper.say("Your account summary for 5th May 2025 to 4th Jun 2025", bold=True, size=9)
    paper.pairs(
        ("Balance brought forward from 4th May Statement", POUND(book.opening)),
        ("Total money in:", POUND(book.ins)),
        ("Total money out:", "-" + POUND.bare(book.outs)),
        ("*Your balance at close of business 4th Jun 2025", POUND(book.closing)),
        x=45,
        to=420,
    )
    paper.y += 10
    paper.say("Your transactions", bold=True, size=9)
    paper.y += 6
    grid = paper.grid(
        "48 92 405r 475r 548r", ("Date", "Description", "Money in", "Money out", "£ Balance"), step=10.5
    )
    grid.head()
    grid.row("", "Balance brought forward from previous statement", "", "", POINT(book.opening))
    for row in book.shown:
        out, into = POINT.sides(row.amount)
        text = [line.replace("{a}", POINT.bare(row.amount)) for line in lines(row)]
        grid.row(_ordinal(row.day), text[0], into, out, POINT(row.balance), lines=len(text))
        for line in text[1:]:
            grid.row("", line)
        paper.y += 1.5
    grid.row(
        _ordinal(date(2025, 6, 4)), "Balance carried forward to next statement", "", "", POINT(book.closing)
    )
    paper.y += 12
    paper.prose(
        "AER stands for Annual Equivalent Rate and illustrates what the interest rate would be if interest "
        "was paid and "
        "compounded once each year. Santander UK plc. Registered Office: 2 Triton Square, London NW1 3AN.",
        size=6,
    )
    named = tuple(
        type(row)(row.day, lines(row)[0].replace("{a}", POINT.bare(row.amount)), row.amount, row.balance)
        for row in book.rows
    )
    return made(
        "statement_24417763_20250604.pdf",
        paper,
        "GBP",
        "Santander UK: days as 5th May, money in before money out, the amount "
        "and a full date again within the text",
        type(book)(book.opening, named),
    )


def _ordinal(day: date) -> str:
    ending = "th" if 10 <= day.day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    return f"{day.day}{ending} {day:%b}"


MONZO = """
+1900 2300 HALCYON STUDIOS (Faster Payments)|Reference: SALARY
*-3 40 CO-OP GROUP FOOD MANCHESTER GBR
*-2 12 GREGGS MANCHESTER GBR
*-25 80 Transfer to Pot
*-4 30 UBER *TRIP LONDON GBR
-14 60 RYANAIR DUBLIN IRL|Amount: EUR {e}. Conversion|rate: 1.186.
+20 50 Priya Shah (Faster Payments)|Reference: tickets
"""


def monzo(chance: random.Random) -> Made:
    book = ledger(chance, drawn(chance, 150, 600), date(2025, 9, 1), date(2025, 9, 30), MONZO, 20)
    paper = Paper(A4, left=50)
    paper.put(50, "monzo", bold=True, size=22, ink="#14233C")
    paper.put(545, "Personal Account statement", "r", size=12, bold=True)
    paper.put(545, "01/09/2025 - 30/09/2025", "r", y=68)
    paper.y = 105
    paper.say("Callum Oyelaran\nSort code: 04-00-04    Account number: 51180329", size=9)
    paper.y += 14
    pots = -sum((row.amount for row in book.only("Transfer to Pot")), Decimal(0))
    paper.pairs(
        ("*Personal Account balance", POUND(book.closing)),
        ("(Excluding all Pots)", ""),
        ("Total outgoings", "-" + POUND.bare(book.outs)),
        ("Total deposits", "+" + POUND(book.ins)),
        ("Balance in Pots", POUND(pots + 212)),
        ("(This includes both Regular Pots with Monzo and Savings Pots)", ""),
        ("*Total balance", POUND(book.closing + pots + 212)),
        x=50,
        to=300,
        step=14,
    )
    paper.y += 14
    grid = paper.grid(
        "54 125 440r 540r", ("Date", "Description", "(GBP) Amount", "(GBP) Balance"), step=11, top=70
    )
    grid.head()
    for row in reversed(book.shown):
        abroad = (-row.amount * Decimal("1.186")).quantize(Decimal("0.01"))
        text = [line.replace("{e}", f"-{abroad}") for line in lines(row)]
        grid.row(f"{row.day:%d/%m/%Y}", text[0], POINT(row.amount), POINT(row.balance), lines=len(text))
        for line in text[1:]:
            grid.row("", line)
        paper.y += 4
    paper.turn(60)
    paper.say("Pot statement: Holiday", bold=True, size=12)
    paper.say(
        f"Regular Pot     Balance on 30/09/2025: {POUND(pots + 212)}     Balance on 01/09/2025: £212.00"
    )
    paper.y += 10
    paper.say("Important information about compensation arrangements", bold=True)
    paper.prose(
        "Your eligible deposits with Monzo Bank Ltd are protected up to a total of £85,000 by the Financial "
        "Services Compensation "
        "Scheme. Any total deposits you hold above the limit between the brands are unlikely to be covered."
    )
    paper.foot = lambda page, pages: paper.put(
        298, f"Monzo Bank Limited, Broadwalk House, London   {page}/{pages}", "c", y=820, size=7
    )
    return made(
        "Monzo_bank_statement_2025-09-01-2025-09-30_3301.pdf",
        paper,
        "GBP",
        "Monzo, UK: newest first, pots beside the account, the opening balance not printed",
        book,
        order=tuple(reversed(book.shown)),
        both_ends=False,
    )


AIB = """
+1500 1850 SALARY CORRIB TECH
*-4 60 VDC-TESCO STORES ~~~~
*-2 18 VDC-INSOMNIA
*-8 70 VDP-AMAZON.CO.UK|{f} GBP@|0.846120|INCL FX FEE E0.{c}
-40 110 D/D ELECTRIC IRELAND
-620 620 S/O RENT GALWAY
*+15 80 *MOBI N FLAHERTY
-20 101 ATM AIB EYRE SQ
-5 9 GOVERNMENT DUTY
"""


def aib(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 90, 500), date(2025, 10, 2), date(2025, 10, 31), AIB, 22, weekdays=True
    )
    paper = Paper(A4, font="Times-Roman", left=50)
    paper.put(50, "AIB", bold=True, size=22, ink="#7F2A90")
    paper.block(50, 80, "Personal Bank Account", size=12, bold=True)
    paper.block(
        545,
        60,
        "Statement of Account with Allied Irish Banks, p.l.c.\n18 Eyre Square, Galway\nNational Sort Code "
        "93-71-42\n"
        "Account Number 20447-118\nDate of Statement 31 Oct 2025\nPage Number 74",
        "r",
        size=8.5,
    )
    paper.y = 125
    paper.say("NIAMH FLAHERTY\n9 LOWER SALTHILL\nGALWAY")
    paper.y += 24
    grid = paper.grid(
        "54 125 370r 450r 540r", ("Date", "Details", "Debit €", "Credit €", "Balance €"), step=11.5
    )
    grid.head()
    grid.row("1 Oct 2025", "BALANCE FORWARD", "", "", _dr(book.opening))
    for row in book.shown:
        out, into = POINT.sides(row.amount)
        abroad = (-row.amount * Decimal("0.83")).quantize(Decimal("0.01"))
        text = [
            line.replace("{f}", str(abroad)).replace("{c}", str(chance.randint(10, 98)))
            for line in lines(row)
        ]
        grid.row(
            f"{row.day.day} {row.day:%b %Y}" if book.first_of_day(row) else "",
            text[0],
            out,
            into,
            _dr(row.balance) if book.last_of_day(row) else "",
            lines=len(text),
        )
        for line in text[1:]:
            grid.row("", line)
    paper.y += 14
    paper.prose(
        "Overdrawn balances are marked dr. Thank you for banking with us. Authorised limit at date of "
        "statement: 31 Oct 2025 was "
        "€750.00 to 14 Feb 2026. Interest rate 11.85% variable.",
        size=8,
    )
    purchase = before(chance, book.rows[0]) + timedelta(days=40)
    paper.put(
        50,
        f"For your information: fees for the quarter will be taken on {purchase.day} {purchase:%b %Y}: €4.50",
        y=812,
        size=8,
    )
    return made(
        "AIB_20447118_OCT25.pdf",
        paper,
        "EUR",
        "AIB, Ireland: sterling lines under rows, dr for overdrawn, fees announced for a later day",
        book,
    )


def _dr(value: Decimal) -> str:
    return POINT.bare(value) + ("dr" if value < 0 else "")


PAPERS = (santander_uk, monzo, aib)
