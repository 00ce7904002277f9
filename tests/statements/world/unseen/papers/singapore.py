"""Statements of Singapore."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .deals import POINT, Ledger, drawn, ledger, lines, made
from .kit import A4, Paper

DBS = """
+4200 5100 GIRO Salary|TAMARIND DESIGN PTE LTD|PAYROLL
*-3 60 Debit Card Transaction|NTUC FP-TIONG BAHRU SI SGP {d}|5264-7110-XXXX-4471
*-4 40 Funds Transfer|PayNow to: TAN WEI LING|OTHR Lunch
*-2 30 Point-of-Sale Transaction or Proceeds|SHENG SIONG SUPERMARKET|NETS QR PAYMENT ~~~~~~~~
-1800 1800 Funds Transfer|TOP-UP TO SSB:|HDB LOAN 0044711
-20 80 GIRO Payment|SINGTEL|4471~~~~
*+10 120 Advice Incoming PayNow|FROM: NG WEI JIE|OTHR
-50 200 Cash Withdrawal|~~~~~~~~,TIONG BAHRU PLAZA
>+1 7 Interest Earned|
"""


def dbs(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 3000, 9000),
        date(2025, 3, 3),
        date(2025, 3, 31),
        DBS,
        16,
        weekdays=True,
        inner="%d%b",
    )
    start, moved = drawn(chance, 500, 1500), drawn(chance, 100, 400)
    interest = drawn(chance, "0.2", "0.9")
    usd = Ledger(
        start,
        (
            Row(date(2025, 3, 12), "Remittance Transfer of Funds", moved, start + moved),
            Row(date(2025, 3, 31), "Interest Earned", interest, start + moved + interest),
        ),
        currency="USD",
    )
    paper = Paper(A4, left=45)

    def top() -> None:
        paper.y = 46
        paper.put(45, "DBS", bold=True, size=18, ink="#FF3333")
        paper.put(550, "Consolidated Statement     As at 31 Mar 2025", "r", size=9)
        paper.y = 80

    top()
    paper.say("LIM JIA HUI\nBLK 44 TIONG BAHRU ROAD #07-113\nSINGAPORE 160044")
    paper.y += 14
    paper.say("Account Summary", bold=True, size=11)
    grid = paper.grid("48 220 440r 548r", ("Deposits", "Account No.", "Balance", "SGD Equivalent"), size=8)
    grid.head()
    grid.row("DBS Multiplier Account", "447-1-109332", "SGD " + POINT(book.closing), POINT(book.closing))
    worth = (usd.closing * Decimal("1.3402")).quantize(Decimal("0.01"))
    grid.row("DBS Multi-Currency (USD)", "447-1-109332", "USD " + POINT(usd.closing), POINT(worth))
    grid.row("Total", "", "", POINT(book.closing + worth), bold=True)
    paper.say("Exchange rate used: USD 1 = SGD 1.3402 as at 31 Mar 2025", size=7)
    paper.y += 10
    paper.say("Transaction Details as of 31 Mar 2025", bold=True, size=11)
    for name, one in (
        ("DBS Multiplier Account     Account No. 447-1-109332     CURRENCY: SINGAPORE DOLLAR", book),
        ("DBS Multi-Currency     Account No. 447-1-109332     CURRENCY: UNITED STATES DOLLAR", usd),
    ):
        paper.y += 6
        paper.room(70, top=80)
        paper.say(name, bold=True, size=8.5)
        paper.y += 4
        grid = paper.grid(
            "48 112 380r 460r 548r",
            ("Date", "Description", "Withdrawal (-)", "Deposit (+)", "Balance"),
            size=8,
            step=10.5,
            top=80,
            before=top,
        )
        grid.head()
        grid.row("", "Balance Brought Forward", "", "", POINT(one.opening), bold=True)
        for row in one.shown:
            text = [line for line in lines(row) if line]
            out, into = POINT.sides(row.amount)
            grid.row(f"{row.day:%d/%m/%Y}", text[0], out, into, POINT(row.balance), lines=len(text))
            for line in text[1:]:
                grid.row("", line, size=7.5)
        grid.row(
            "",
            "Total Balance Carried Forward:",
            POINT.bare(one.outs),
            POINT(one.ins),
            POINT(one.closing),
            bold=True,
        )
    paper.foot = lambda page, pages: paper.put(
        548, f"PDS_DCOMB_01_{page:04d}     Page {page} of {pages}", "r", y=820, size=7
    )
    return made(
        "DBS_Consolidated_Statement_Mar2025.pdf",
        paper,
        "SGD",
        "DBS, Singapore: a Singapore-dollar account and a US-dollar one, consolidated",
        book,
        usd,
    )


UOB = """
+500 1900 PAYMT THRU E-BANK/HOMEB/CYBERB (EP~~)
*-3 60 COLD STORAGE-GREAT WORLD SINGAPORE
*-8 40 GRAB* A-6~~~~~~ SINGAPORE
*-12 95 SHOPEE SINGAPORE MP SINGAPORE
-60 240 AGODA.COM HOTEL BANGKOK|THB|25.11
-20 90 KINOKUNIYA TOKYO|JPY|112.4
+12 60 LAZADA SINGAPORE REFUND
"""


def uob(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 800, 1900), date(2025, 1, 20), date(2025, 2, 13), UOB, 16)
    owed, new = -book.opening, -book.closing
    paper = Paper(A4, left=50)
    paper.put(50, "UOB", bold=True, size=19, ink="#0B3B8C")
    paper.put(545, "Credit Card(s) Statement", "r", size=12)
    paper.y = 90
    grid = paper.grid(
        "50 170 290 400", ("Statement Date", "Minimum Payment", "Total Outstanding", "Due Date"), size=8
    )
    grid.head()
    grid.row("14 FEB 2025", "50.00", f"SGD {POINT(new)}", "07 MAR 2025")
    paper.y += 18
    paper.say("UOB ONE CARD\n5401-XXXX-XXXX-4471    GOH CHEE KEONG", bold=True)
    paper.y += 8
    grid = paper.grid(
        "52 110 170 545r",
        ("Post\nDate", "Trans\nDate", "Description of Transaction", "Transaction Amount\nSGD"),
        size=8.5,
        step=11,
    )
    grid.head()
    grid.row("", "", "PREVIOUS BALANCE", POINT(owed))
    for row in book.shown:
        text, *abroad = lines(row)
        posted = min(row.day + timedelta(days=chance.randint(0, 2)), date(2025, 2, 13))
        grid.row(
            f"{posted:%d %b}".upper(),
            f"{row.day:%d %b}".upper(),
            text,
            POINT.bare(row.amount) + (" CR" if row.amount > 0 else ""),
            lines=3,
        )
        if abroad:
            foreign = (-row.amount * Decimal(abroad[1])).quantize(Decimal("0.01"))
            grid.row("", "", f"{abroad[0]} {POINT(foreign)}")
        grid.row("", "", "Ref No. : 7454" + "".join(chance.choice("0123456789") for _ in range(19)), size=7.5)
    paper.rule()
    paper.y += 12
    grid.row("", "", "SUB TOTAL", POINT(new))
    grid.row("", "", "TOTAL BALANCE FOR UOB ONE CARD", POINT(new), bold=True)
    paper.y += 10
    paper.say(
        "UNI$ / Cashback summary:   Quarter 1 of 3   Spend this month SGD 744.10   Cashback earned SGD 50.00",
        size=8,
    )
    return made(
        "eStatement_Feb2025_4471.pdf",
        paper,
        "SGD",
        "UOB, Singapore card: posting day left of the transaction day, yen and baht below rows, CR",
        book,
    )


PAPERS = (dbs, uob)
