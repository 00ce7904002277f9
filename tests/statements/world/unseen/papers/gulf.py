"""Statements of the Gulf."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import POINT, Figures, drawn, ledger, lines, made
from .kit import A4, Paper

DINAR = Figures(places=3)
NBK = """
+900 1300 SALARY TRANSFER|KUWAIT NATIONAL PETROLEUM CO
*-2 40 POS PURCHASE|THE SULTAN CENTER SALMIYA KWT {d}
*-1 12 K-NET PURCHASE|CARIBOU COFFEE KWT {d}
*-20 120 LINK TRANSFER|BENEFICIARY A. HUSSAIN
-350 350 STANDING ORDER|RENT SALMIYA BLK 4
-20 60 ATM WITHDRAWAL|NBK AVENUES
-12 30 ZAIN BILL PAYMENT|965447~~~~
*+5 60 WAMD CREDIT|F. ALENEZI
>-2 2 MONTHLY CHARGE|
"""


def nbk(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 300, 1900, 3),
        date(2025, 2, 2),
        date(2025, 2, 28),
        NBK,
        14,
        places=3,
        inner="%d/%m",
    )
    paper = Paper(A4, left=45)
    paper.put(45, "NBK", bold=True, size=20, ink="#003087")
    paper.put(45, "National Bank of Kuwait S.A.K.P.", y=64, size=8)
    paper.block(
        550,
        50,
        "STATEMENT OF ACCOUNT\nFROM 01/02/2025 TO 28/02/2025\nACCOUNT NO. 1044711093\nCURRENCY KUWAITI "
        "DINARS\nPAGE 1",
        "r",
        size=8,
    )
    paper.y = 120
    paper.say("MS DALAL F ALENEZI\nBLOCK 4 STREET 7 BLDG 44\nSALMIYA KUWAIT")
    paper.y += 18
    grid = paper.grid(
        "47 105 365r 450r 548r", ("DATE", "DESCRIPTION", "DEBIT", "CREDIT", "BALANCE"), size=8.5, step=11
    )
    grid.head()
    grid.row("01/02/2025", "OPENING BALANCE", "", "", DINAR(book.opening) + " CR")
    for row in book.shown:
        text = [line for line in lines(row) if line]
        out, into = DINAR.sides(row.amount)
        grid.row(
            f"{row.day:%d/%m/%Y}",
            text[0],
            out,
            into,
            DINAR.bare(row.balance) + (" CR" if row.balance >= 0 else " DR"),
            lines=len(text),
        )
        for line in text[1:]:
            grid.row("", line)
    grid.row(
        "28/02/2025",
        "CLOSING BALANCE",
        "",
        "",
        DINAR.bare(book.closing) + (" CR" if book.closing >= 0 else " DR"),
    )
    paper.y += 8
    paper.say(f"TOTAL DEBITS {DINAR.bare(book.outs)}          TOTAL CREDITS {DINAR(book.ins)}", size=8.5)
    return made(
        "NBK_Statement_1044711093_FEB2025.pdf",
        paper,
        "KWD",
        "National Bank of Kuwait: three decimals, dated opening and closing rows, CR on balances",
        book,
    )


ENBD = """
+1500 6000 PAYMENT RECEIVED - THANK YOU
*-20 380 CARREFOUR MOE DUBAI ARE
*-12 90 CAREEM RIDE DUBAI ARE
*-60 700 NOON.COM DUBAI ARE
-200 900 MARKS AND SPENCER LONDON GBR|GBP|4.7731
-120 500 BOOKING.COM AMSTERDAM NLD|EUR|4.0214
+50 200 NAMSHI REFUND DUBAI ARE
>-50 99 FOREIGN CURRENCY PROCESSING FEE
"""


def emirates_nbd(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 2500, 7000), date(2025, 9, 6), date(2025, 10, 5), ENBD, 15)
    owed, new = -book.opening, -book.closing
    paper = Paper(A4, left=40)
    paper.put(40, "Emirates NBD", bold=True, size=16, ink="#072447")
    paper.put(555, "Credit Card e-Statement", "r", size=12)
    paper.y = 90
    paper.say("MR HASSAN EL TAYEB\nPO BOX 44711 DUBAI, UAE")
    paper.y += 8
    grid = paper.grid(
        "44 130 285r 370r 460r 552r",
        (
            "Statement Date",
            "Payment Due Date",
            "Total Payment Due",
            "Minimum Due",
            "Credit Limit",
            "Available Limit",
        ),
        size=7.5,
    )
    grid.head()
    grid.row(
        "05/10/2025",
        "30/10/2025",
        POINT(new),
        POINT((new / 20).quantize(Decimal("0.01"))),
        "25,000.00",
        POINT(25000 - new),
        size=8.5,
    )
    paper.y += 6
    grid = paper.grid(
        "150r 270r 410r 552r",
        ("Previous Statement Balance", "Payments & Credits", "Purchases, Fees & Charges", "Current Balance"),
        size=7.5,
    )
    grid.head()
    grid.row(POINT(owed), POINT(book.ins) + "CR", POINT.bare(book.outs), POINT(new), size=8.5)
    paper.y += 12
    grid = paper.grid(
        "44 115 185 440r 552r",
        ("Transaction Date", "Posting Date", "Description", "Foreign Amount", "Amount (AED)"),
        size=8,
        step=13,
    )
    grid.head()
    paper.say("Primary Card Number: 4033 29XX XXXX 4471", bold=True, size=8)
    for row in book.shown:
        text, *abroad = lines(row)
        foreign = (
            f"{POINT((-row.amount / Decimal(abroad[1])).quantize(Decimal('0.01')))} {abroad[0]}"
            if abroad
            else ""
        )
        grid.row(
            f"{row.day:%d/%m/%Y}",
            f"{row.day:%d/%m/%Y}",
            text,
            foreign,
            POINT.bare(row.amount) + ("CR" if row.amount > 0 else ""),
        )
    paper.y += 10
    paper.say(
        "Plus Points:   Opening 12,044   Earned 311   Redeemed 0   Closing 12,355   Expiring on 31/12/2025: "
        "1,044",
        size=8,
    )
    paper.y = max(paper.y + 10, 700)
    paper.rule()
    paper.block(
        44,
        718,
        "PAYMENT SLIP     Card Number 4033 29XX XXXX 4471     Due Date 30/10/2025\n"
        f"Total Payment Due AED {POINT(new)}     Amount Paid AED __________     Cheque No. ________",
        size=8,
        step=14,
    )
    return made(
        "ENBD_CC_eStatement_05102025.pdf",
        paper,
        "AED",
        "Emirates NBD, Emirates card: a column of foreign amounts beside the dirhams, payment slip, expiring "
        "points",
        book,
    )


PAPERS = (nbk, emirates_nbd)
