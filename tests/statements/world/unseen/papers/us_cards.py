"""Credit cards of the United States. What is owed is a balance below zero."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import DOLLAR, POINT, drawn, ledger, lines, made, total
from .kit import LETTER, Paper

SAPPHIRE = """
*-9 88 WHOLEFDS LKV 10~~~ CHICAGO IL
*-4 26 TST* LULA CAFE - CHIC CHICAGO IL
*-12 60 SHELL OIL 5744~~~~~~~ EVANSTON IL
+400 900 Payment Thank You - Web
-22 140 CAFE DE FLORE PARIS|EURO|1.0893|(EXCHG RATE)
-160 420 HOTEL JEANNE D ARC PARIS|EURO|1.0871|(EXCHG RATE)
+18 70 ZAPPOS.COM 888-9277671 NV
-9 60 FNAC MONTPARNASSE PARIS|EURO|1.0922|(EXCHG RATE)
"""


def chase_sapphire(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 700, 1400), date(2025, 2, 21), date(2025, 3, 19), SAPPHIRE, 22)
    owed, new = -book.opening, -book.closing
    paper = Paper(LETTER, left=50)
    paper.put(50, "CHASE SAPPHIRE PREFERRED", bold=True, size=15, ink="#0A2240")
    paper.block(
        560,
        50,
        "Manage your account online: www.chase.com/cardhelp\nCustomer Service: 1-800-493-3319",
        "r",
        size=8,
    )
    paper.band(80, 60, "#CFE2F3", 50, 300)
    paper.block(60, 98, f"New Balance\n{DOLLAR(new)}\nMinimum Payment Due  $40.00", bold=True)
    paper.block(340, 98, "Payment Due Date\n04/16/25", size=11, bold=True)
    paper.y = 165
    paper.prose(
        "Late Payment Warning: If we do not receive your minimum payment by the due date, you may have to "
        "pay a late "
        "fee, and existing and new balances may become subject to the Default APR.",
        size=8,
    )
    paper.prose(
        "Minimum Payment Warning: If you make only the minimum payment each period, you will pay more in "
        "interest and "
        "it will take you longer to pay off your balance. For example: 3 years, $1,914; $53 (savings=$212).",
        size=8,
    )
    paper.y += 14
    paper.title("ACCOUNT SUMMARY", "#E5E5E5", on="#000000")
    credit, bought = book.ins, -book.outs
    paper.say("Account Number:  XXXX XXXX XXXX 8812", bold=True)
    paper.pairs(
        ("Previous Balance", DOLLAR(owed)),
        ("Payment, Credits", "-" + DOLLAR(credit)),
        ("Purchases", "+" + DOLLAR(bought)),
        ("Cash Advances", "$0.00"),
        ("Balance Transfers", "$0.00"),
        ("Fees Charged", "$0.00"),
        ("Interest Charged", "$0.00"),
        ("*New Balance", DOLLAR(new)),
        ("Opening/Closing Date", "02/20/25 - 03/19/25"),
        ("Credit Access Line", "$14,500"),
        ("Available Credit", f"${int(14500 - new):,}"),
        ("Past Due Amount", "$0.00"),
        x=50,
        to=290,
    )
    paper.block(
        330,
        paper.y - 140,
        "YOUR ACCOUNT MESSAGES\nYour credit card payment is due on 04/16/25.\n"
        "ULTIMATE REWARDS SUMMARY\nPrevious points balance     41,208\n+ 2 Points per $1 on travel     812\n"
        f"+ 1 Point per $1 on all purchases     {int(bought)}",
        size=8,
    )
    paper.y += 20
    paper.rule()
    paper.y += 20
    paper.block(
        60,
        paper.y,
        "Payment Due Date:     04/16/25\n"
        f"New Balance:     {DOLLAR(new)}\nMinimum Payment Due:     $40.00\nAccount number:  XXXX XXXX XXXX "
        "8812",
        size=9,
    )
    paper.block(
        340,
        paper.y,
        "$ ______ . ____  Amount Enclosed\nMake/Mail to Chase Card Services at the address below",
        size=8,
    )
    paper.turn(60)
    paper.title("ACCOUNT ACTIVITY", "#0A5EB0")
    grid = paper.grid(
        "56 130 555r",
        ("Date of\nTransaction", "Merchant Name or Transaction Description", "$ Amount"),
        size=8.5,
    )
    grid.head()
    payments = tuple(row for row in book.shown if row.amount > 0)
    purchases = tuple(row for row in book.shown if row.amount < 0)
    for name, rows in (("PAYMENTS AND OTHER CREDITS", payments), ("PURCHASE", purchases)):
        paper.say(name, bold=True, step=13)
        for row in rows:
            text, *note = lines(row)
            grid.row(f"{row.day:%m/%d}", text, POINT(-row.amount), lines=3 if note else 1)
            if note:
                abroad = (-row.amount / Decimal(note[1])).quantize(Decimal("0.01"))
                paper.put(70, f"{row.day + timedelta(days=1):%m/%d}  {note[0]}", size=8)
                paper.y += 11
                paper.put(96, f"{abroad} X {note[1]} {note[2]}", size=8)
                paper.y += 13
        paper.y += 6
    paper.band(paper.y, 52, "#888888", 180, 440, filled=False)
    paper.block(
        310,
        paper.y + 14,
        "2025 Totals Year-to-Date\nTotal fees charged in 2025          $95.00\n"
        "Total interest charged in 2025          $0.00",
        "c",
    )
    paper.y += 80
    paper.title("INTEREST CHARGES", "#E5E5E5", on="#000000")
    grid = paper.grid(
        "56 330r 430r 555r",
        (
            "Balance Type",
            "Annual Percentage\nRate (APR)",
            "Balance Subject\nTo Interest Rate",
            "Interest\nCharges",
        ),
        size=8,
    )
    grid.head()
    grid.row("PURCHASES", "21.49%(v)(d)", "- 0 -", "- 0 -")
    grid.row("CASH ADVANCES", "29.49%(v)(d)", "- 0 -", "- 0 -")
    grid.row("", "", "28 Days in Billing Period")
    return made(
        "20250319-statements-8812-.pdf",
        paper,
        "USD",
        "Chase Sapphire, US card: dated foreign-currency lines under purchases, a payment slip",
        book,
        order=[*payments, *purchases],
    )


AMEX = """
+900 1600 AUTOPAY PAYMENT - THANK YOU
*-6 70 TRADER JOE'S #~~~ QPS BROOKLYN NY|718-555-~~~~
*-4 31 JOE COFFEE COMPANY NEW YORK NY|RESTAURANT
*-15 130 UNIQLO NEW YORK NY|CLOTHING
+30 130 BLOOMINGDALE'S NEW YORK NY|CREDIT
-180 420 DELTA AIR LINES ATLANTA|DELTA AIR LINES  From: NEW YORK-KENNEDY To: AUSTIN|Ticket Number: 0062~~~~~~~~~
+7 7 AMEX Dunkin' Credit
"""


def amex(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 1700, 2600), date(2024, 12, 18), date(2025, 1, 17), AMEX, 20)
    owed, new = -book.opening, -book.closing
    paper = Paper(LETTER, left=40)
    paper.put(40, "American Express\xae Gold Card", bold=True, size=16)
    paper.block(40, 70, "SIMONE FEUERSTEIN\nClosing Date 01/17/25\nAccount Ending 3-71008", size=9)
    paper.block(572, 55, "Customer Care: 1-800-528-4800", "r", size=8)
    paper.band(110, 80, "#006FCF", 40, 250, filled=False)
    paper.block(
        50, 126, f"New Balance\n{DOLLAR(new)}\nMinimum Payment Due\n$40.00", size=11, step=17, bold=True
    )
    paper.block(50, 208, "Payment Due Date     02/11/25", bold=True)
    paper.block(
        290, 126, "Membership Rewards\xae Points\nAvailable and Pending as of 12/31/24\n58,114", size=9
    )
    paper.y = 235
    paper.say("Account Summary", bold=True, size=12)
    paper.pairs(
        ("*Pay Over Time / Pay In Full combined", ""),
        ("Previous Balance", DOLLAR(owed)),
        ("Payments/Credits", "-" + DOLLAR(book.ins)),
        ("New Charges", "+" + DOLLAR.bare(book.outs)),
        ("Fees", "+$0.00"),
        ("Interest Charged", "+$0.00"),
        ("*New Balance", DOLLAR(new)),
        ("Minimum Due", "$40.00"),
        ("Days in Billing Period: 31", ""),
        x=40,
        to=290,
        step=14,
    )
    paper.y += 14
    paper.prose(
        "Late Payment Warning: If we do not receive your Minimum Payment Due by the Payment Due Date of "
        "02/11/25, you "
        "may have to pay a late fee of up to $40.00.",
        size=8,
    )
    paper.y = 640
    paper.rule()
    paper.y = 654
    paper.say("Payment Coupon - Do not staple or use paper clips", size=8)
    paper.block(
        420,
        670,
        f"Account Ending 3-71008\nPayment Due Date  02/11/25\nNew Balance  {DOLLAR(new)}\nAmount enclosed $ "
        "________",
        size=9,
    )
    paper.block(40, 690, "AMERICAN EXPRESS\nPO BOX 1270\nNEWARK NJ 07101-1270", size=8)
    paper.turn(80)
    paid, back = book.only("AUTOPAY"), tuple(row for row in book.but("AUTOPAY") if row.amount > 0)
    charges = tuple(row for row in book.shown if row.amount < 0)
    paper.title("Payments and Credits", "#006FCF")
    paper.pairs(
        ("Payments", "-" + DOLLAR(total(paid))),
        ("Credits", "-" + DOLLAR(total(back))),
        ("*Total Payments and Credits", "-" + DOLLAR(book.ins)),
        x=44,
        to=570,
    )
    paper.y += 6
    for name, rows in (("Payments", paid), ("Credits", back), ("New Charges", charges)):
        if name == "New Charges":
            paper.y += 10
            paper.title("New Charges", "#006FCF")
            paper.say("SIMONE FEUERSTEIN        Card Ending 3-71008", bold=True)
        grid = paper.grid(
            "44 110 570r",
            (
                name if name != "New Charges" else "Detail",
                "*Indicates posting date" if rows is paid else "",
                "Amount",
            ),
            size=9,
            step=11,
            top=90,
        )
        grid.head()
        for row in rows:
            text = lines(row)
            star = "*" if row in paid else ""
            grid.row(f"{row.day:%m/%d/%y}{star}", text[0], DOLLAR(-row.amount), lines=len(text))
            for line in text[1:]:
                grid.row("", line, size=7.5)
            paper.y += 3
        paper.y += 8
    paper.room(150, top=90)
    paper.title("Fees", "#006FCF")
    paper.pairs(("Total Fees for this Period", "$0.00"), x=44, to=570)
    paper.y += 8
    paper.title("2025 Fees and Interest Totals Year-to-Date", "#006FCF")
    paper.pairs(("Total Fees in 2025", "$325.00"), ("Total Interest in 2025", "$0.00"), x=44, to=570)

    def foot(page: int, pages: int) -> None:
        paper.put(570, f"p. {page}/{pages}", "r", y=30, size=9)
        if page > 1:
            paper.put(
                40, "SIMONE FEUERSTEIN      Account Ending 3-71008      Closing Date 01/17/25", y=50, size=9
            )

    paper.foot = foot
    return made(
        "2025-01-17.pdf",
        paper,
        "USD",
        "American Express, US card: sections, starred dates, coupon, year-to-date table",
        book,
        order=[*paid, *back, *charges],
    )


PAPERS = (chase_sapphire, amex)
