"""Statements of Nigeria and Kenya."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import POINT, drawn, ledger, lines, made, total
from .kit import A4, WIDE_A4, Paper

GTB = """
+350000 620000 NIBSS Instant Payment Inward|/100004250~~~~~~~/ADEYEMI & SONS SALARY
*-1500 24000 POS/WEB PURCHASE TRANSACTION|-4471~~- SHOPRITE LEKKI LANG
*-500 5000 Airtime Purchase GTWORLD-|234803~~~~~~~
*-5000 60000 NIP TRANSFER TO|OPAY-CHUKWUDI OBI
-10.75 53.75 COMMISSION NIP TRANSFER COMMISSION|
-50 50 ELECTRONIC MONEY TRANSFER LEVY|
*+2000 50000 NIBSS Instant Payment Inward|/090405250~~~~~~~/IFEOMA
-20000 20000 CASH WITHDRAWAL FROM OTHER ATM|-FIRST BANK ADMIRALTY
>-120 300 SMS ALERT CHARGE|
"""


def gtbank(chance: random.Random) -> Made:
    book = ledger(chance, drawn(chance, 40000, 400000), date(2025, 1, 1), date(2025, 1, 31), GTB, 30)
    paper = Paper(WIDE_A4, left=40, flow="words")
    paper.put(40, "GTBank", bold=True, size=16, ink="#DD4F05")
    paper.put(800, "CUSTOMER STATEMENT", "r", bold=True, size=12)
    paper.y = 80
    for name, value in (
        ("Customer Name", "OKONKWO CHIDINMA GRACE"),
        ("Account No.", "0144711093"),
        ("Account Type", "SAVINGS ACCOUNT"),
        ("Currency", "Naira"),
        ("Period", "01-Jan-2025 To 31-Jan-2025"),
        ("Opening Balance", POINT(book.opening)),
        ("Total Debit", POINT.bare(book.outs)),
        ("Total Credit", POINT(book.ins)),
        ("Closing Balance", POINT(book.closing)),
    ):
        paper.put(40, name, size=8, bold=True)
        paper.put(140, value, size=8)
        paper.y += 11
    paper.y += 12
    grid = paper.grid(
        "42 105 170 355r 445r 545r 560 640",
        (
            "Trans. Date",
            "Value Date",
            "Reference",
            "Debits",
            "Credits",
            "Balance",
            "Originating Branch",
            "Remarks",
        ),
        size=7,
        step=10,
        bottom=550,
    )
    grid.head()
    for row in book.shown:
        text = [line for line in lines(row) if line]
        out, into = POINT.sides(row.amount)
        grid.row(
            f"{row.day:%d-%b-%Y}",
            f"{row.day:%d-%b-%Y}",
            "'~" if chance.random() < 0.3 else "",
            out,
            into,
            POINT(row.balance),
            "E- CHANNELS",
            text[0],
            lines=len(text),
            size=6.5,
        )
        for line in text[1:]:
            grid.row("", "", "", "", "", "", "", line, size=6.5)
    paper.foot = lambda page, pages: paper.put(
        40, "This is a computer generated Email. For all enquiries please contact GTConnect.", y=575, size=6.5
    )
    return made(
        "GTB_0144711093_JAN2025.pdf",
        paper,
        "NGN",
        "GTBank, Nigeria: landscape, the remarks stand right of the balance, 05-Jan-2025, pages",
        book,
    )


MPESA = """
*-20 900 Merchant Payment to ~~~~~~ - NAIVAS KILIMANI
*-50 1500 Customer Transfer to 07******~~~ - GRACE WANJIKU
-7 33 Customer Transfer of Funds Charge
*+200 6000 Funds received from 07******~~~ - PETER KAMAU
-500 3000 Pay Bill to 888880 - KPLC PREPAID Acc. 4471~~~
-1000 4000 Customer Withdrawal At Agent Till ~~~~~~ - KILIMANI
-28 69 Withdrawal Charge
+20000 34000 Business Payment from 44711 - ACACIA LTD via API.
-100 100 Airtime Purchase
"""


def mpesa(chance: random.Random) -> Made:
    book = ledger(chance, drawn(chance, 14000, 19000), date(2025, 7, 1), date(2025, 7, 31), MPESA, 26)
    paper = Paper(A4, left=35)
    paper.put(35, "Safaricom M-PESA", bold=True, size=15, ink="#43B02A")
    paper.put(560, "MPESA FULL STATEMENT", "r", bold=True, size=12)
    paper.y = 85
    paper.pairs(
        ("Customer Name:", "ACHIENG ODHIAMBO"),
        ("Mobile Number:", "0722447110"),
        ("Date of Statement:", "02nd Aug 2025"),
        ("Statement Period:", "01 Jul 2025 - 31 Jul 2025"),
        x=35,
        to=260,
    )
    paper.y += 10
    paper.say("SUMMARY", bold=True, size=10)
    grid = paper.grid("37 330r 470r", ("TRANSACTION TYPE", "PAID IN", "PAID OUT"), size=8)
    grid.head()
    kinds = (
        ("SEND MONEY:", "Customer Transfer"),
        ("RECEIVED MONEY:", "Funds"),
        ("AGENT WITHDRAWAL:", "Customer Withdrawal"),
        ("LIPA NA M-PESA (PAYBILL):", "Pay Bill"),
        ("LIPA NA M-PESA (BUY GOODS):", "Merchant"),
    )
    seen = Decimal(0)
    for name, start in kinds:
        one = total(book.only(start))
        seen += one
        grid.row(name, POINT(max(one, Decimal(0))), POINT.bare(min(one, Decimal(0))))
    payroll = total(book.only("Business"))
    grid.row("OTHERS:", POINT(payroll), POINT.bare(book.closing - book.opening - seen - payroll))
    grid.row("TOTAL:", POINT(book.ins), POINT.bare(book.outs), bold=True)
    paper.y += 10
    paper.say("DETAILED STATEMENT", bold=True, size=10)
    grid = paper.grid(
        "37 95 180 356 440r 500r 560r",
        (
            "Receipt No.",
            "Completion Time",
            "Details",
            "Transaction\nStatus",
            "Paid In",
            "Withdrawn",
            "Balance",
        ),
        size=7,
        step=14,
    )
    grid.head()
    clock, day = 0, date(2025, 8, 1)
    for row in reversed(book.shown):
        clock = clock - chance.randint(120, 1500) if row.day == day else chance.randint(17, 21) * 3600
        day = row.day
        code = "TG" + "".join(chance.choice("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789") for _ in range(8))
        stamp = f"{row.day} {clock // 3600:02}:{clock // 60 % 60:02}:{clock % 60:02}"
        out = POINT(row.amount) if row.amount < 0 else ""
        grid.row(
            code, stamp, row.text, "COMPLETED", "" if out else POINT(row.amount), out, POINT(row.balance)
        )
    paper.y += 6
    paper.prose(
        "Disclaimer: This record is produced for your personal use and is not transferable. If any "
        "discrepancy is found, please contact Customer Care on 100."
    )
    paper.foot = lambda page, pages: paper.put(560, f"Page {page} of {pages}", "r", y=820, size=7)
    return made(
        "MPESA_Statement_2025-07-01_to_2025-07-31_2547xxxxxx110.pdf",
        paper,
        "KES",
        "M-PESA, Kenya: newest first, a summary by kind before, no ends printed beyond the running balance",
        book,
        order=tuple(reversed(book.shown)),
        both_ends=False,
    )


PAPERS = (gtbank, mpesa)
