"""Cards of the United States that pay something back."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import DOLLAR, before, drawn, ledger, lines, made, total
from .kit import LETTER, Paper

CAPITAL_ONE = """
+150 380 CAPITAL ONE MOBILE PYMT
*-3 48 KROGER #~~~COLUMBUSOH
*-8 75 TARGET 0000~~~~DUBLINOH
*-6 30 SQ *FOX IN THE SNOWCOLUMBUSOH
*-10 52 SPEEDWAY 0~~~~COLUMBUSOH
+12 50 TARGET 0000~~~~DUBLINOH
>-11 24 Interest Charge on Purchases
"""


def capital_one(chance: random.Random) -> Made:
    book = ledger(
        chance, -drawn(chance, 700, 1500), date(2025, 5, 9), date(2025, 6, 8), CAPITAL_ONE, 18
    ).less(8)
    owed, new, rate = -book.opening, -book.closing, book.only("Interest")
    credit, bought = book.ins, -book.outs + total(rate)
    paper = Paper(LETTER, flow="columns", left=40)
    paper.put(40, "Capital One", bold=True, size=18, ink="#004977")
    paper.put(570, "Quicksilver | World Mastercard ending in 5520", "r", size=10)
    paper.put(570, "May 9, 2025 - Jun 8, 2025  |  31 days in Billing Cycle", "r", y=64, size=9)
    paper.y = 100
    paper.block(
        40,
        100,
        f"Payment Information\nPayment Due Date     Jul 3, 2025\nNew Balance     {DOLLAR(new)}\n"
        "Minimum Payment Due     $25.00",
        size=10,
        step=16,
    )
    paper.put(330, "Account Summary", bold=True, size=11)
    paper.y += 14
    paper.pairs(
        ("Previous Balance", DOLLAR(owed)),
        ("Payments", "- " + DOLLAR(total(book.only("CAPITAL")))),
        ("Other Credits", "- " + DOLLAR(credit - total(book.only("CAPITAL")))),
        ("Transactions", "+ " + DOLLAR(bought)),
        ("Cash Advances", "+ $0.00"),
        ("Fees Charged", "+ $0.00"),
        ("Interest Charged", "+ " + DOLLAR.bare(total(rate))),
        ("*New Balance", "= " + DOLLAR(new)),
        ("Credit Limit", "$6,000.00"),
        x=330,
        to=570,
    )
    paper.y += 20
    paper.say("Transactions", bold=True, size=13)
    paper.say("Visit www.capitalone.com to see detailed transactions.", size=8)
    paper.y += 8
    grid = paper.grid("44 110 180 570r", ("Trans Date", "Post Date", "Description", "Amount"), step=13)
    back = tuple(row for row in book.shown if row.amount > 0)
    spent = tuple(row for row in book.but("Interest") if row.amount < 0)
    for name, rows in (
        ("RAMON DELGADO #5520: Payments, Credits and Adjustments", back),
        ("RAMON DELGADO #5520: Transactions", spent),
    ):
        paper.room(60)
        paper.say(name, bold=True)
        paper.y += 4
        grid.head()
        for row in rows:
            sign = "- " if row.amount > 0 else ""
            posted = min(row.day + timedelta(days=chance.randint(0, 2)), date(2025, 6, 8))
            grid.row(
                f"{row.day:%b} {row.day.day}",
                f"{posted:%b} {posted.day}",
                row.text,
                sign + DOLLAR.bare(row.amount),
            )
        if rows is spent:
            grid.row("RAMON DELGADO #5520: Total Transactions", "", "", DOLLAR(bought), bold=True)
        paper.y += 10
    paper.room(150)
    paper.say("Fees", bold=True)
    grid.head()
    grid.row("Total Fees for This Period", "", "", "$0.00", bold=True)
    paper.say("Interest Charged", bold=True)
    grid.row("Interest Charge on Purchases", "", "", DOLLAR.bare(total(rate)))
    grid.row("Interest Charge on Cash Advances", "", "", "$0.00")
    grid.row("Total Interest for This Period", "", "", DOLLAR.bare(total(rate)), bold=True)
    paper.y += 6
    paper.say("Totals Year-to-Date", bold=True)
    paper.pairs(("Total Fees charged", "$0.00"), ("Total Interest charged", "$71.82"), x=44, to=260)
    return made(
        "Statement_062025_5520.pdf",
        paper,
        "USD",
        "Capital One, US card: two dates, interest without a date, year-to-date totals; one row is missing",
        book,
        order=[*back, *spent, *rate],
    )


APPLE = """
*-2 30 STARBUCKS 800-782-7282 2401 UTAH AVE S SEATTLE 98134 WA USA
*-9 80 TRADER JOE S #~~~ 1700 MADISON ST SEATTLE 98122 WA USA
*-6 38 LYFT *RIDE 185 BERRY ST SAN FRANCISCO 94107 CA USA
+250 700 ACH Deposit Internet transfer from account ending in 2206
-10 11 APPLE.COM/BILL ONE APPLE PARK WAY 866-712-7753 95014 CA USA
+15 60 REI.COM 1700 45TH ST E SUMNER 98352 WA USA (RETURN)
>-33 33 iPhone 15, monthly installment 9 of 24
"""


def apple_card(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 700, 1100), date(2025, 3, 1), date(2025, 3, 31), APPLE, 16)
    owed, new = -book.opening, -book.closing
    phone = book.only("iPhone")
    paid = book.only("ACH")
    spent = book.but("iPhone", "ACH")
    paper = Paper(LETTER, left=50, flow="words")
    paper.put(50, "Apple Card", bold=True, size=20)
    paper.put(560, "Statement", "r", size=20, ink="#888888")
    paper.y = 80
    paper.say("Apple Card Customer\nYuki Lindqvist, yuki.lindqvist@example.com", size=9)
    paper.put(560, "Mar 1 - Mar 31, 2025", "r", y=80)
    paper.y += 12
    paper.pairs(
        ("Previous Monthly Balance", DOLLAR(owed)),
        ("Payments and Credits", DOLLAR(-book.ins)),
        ("Purchases and Installments", DOLLAR.bare(book.outs)),
        ("Interest", "$0.00"),
        ("*Your March Balance as of Mar 31, 2025", DOLLAR(new)),
        ("Minimum Payment Due", "$59.00"),
        ("Payment Due By Apr 30, 2025", DOLLAR(new)),
        x=50,
        to=560,
        step=17,
    )
    paper.y += 20
    paper.say("Payments", bold=True, size=14)
    paper.y += 4
    grid = paper.grid("50 130 560r", ("Date", "Description", "Amount"), size=8.5, step=15)
    grid.head()
    for row in paid:
        grid.row(f"{row.day:%m/%d/%Y}", row.text, DOLLAR(-row.amount))
    grid.row("Total payments for this period", "", DOLLAR(-total(paid)), bold=True)
    paper.y += 12
    paper.say("Transactions", bold=True, size=14)
    paper.y += 4
    grid = paper.grid(
        "50 110 445r 495r 560r", ("Date", "Description", "Daily Cash", "", "Amount"), size=8, step=15
    )
    grid.head()
    earned = Decimal(0)
    for row in spent:
        share = 3 if row.text.startswith("APPLE") else 2 if chance.random() < 0.7 else 1
        cash = (-row.amount * share / 100).quantize(Decimal("0.01"))
        earned += cash
        grid.row(f"{row.day:%m/%d/%Y}", row.text, f"{share}%", DOLLAR(cash), DOLLAR(-row.amount))
    grid.row("Total Daily Cash this month", "", "", DOLLAR(earned), "", bold=True)
    grid.row("Total charges, credits and returns", "", "", "", DOLLAR(-total(spent)), bold=True)
    paper.y += 12
    paper.room(160)
    paper.say("Apple Card Monthly Installments", bold=True, size=14)
    paper.y += 4
    grid = paper.grid("50 120 400r 560r", ("Date", "Description", "", "Amount"), size=8.5, step=14)
    grid.head()
    grid.row("07/12/2024", "Apple Online Store Cupertino CA", "TOTAL FINANCED", "$792.00")
    grid.row("", "Transaction #3b7c41d09e", "REMAINING", "$495.00")
    grid.row("03/31/2025", "iPhone 15, monthly installment 9 of 24", "", DOLLAR.bare(total(phone)))
    paper.say(
        "Your monthly installments are included in your minimum payment. Legal: Goldman Sachs Bank USA, Salt "
        "Lake City Branch.",
        size=7,
    )
    return made(
        "Apple Card Statement - March 2025.pdf",
        paper,
        "USD",
        "Apple Card, US: daily cash beside each amount, an installment plan with its purchase date",
        book,
        order=[*paid, *spent, *phone],
    )


DISCOVER = """
+180 420 INTERNET PAYMENT - THANK YOU
*-5 60 MEIJER # ~~~ ANN ARBOR MI|Supermarkets
*-7 44 SUNOCO 0~~~~~~~~~ YPSILANTI MI|Gasoline
*-9 51 ZINGERMANS DELI ANN ARBOR MI|Restaurants
-8 16 NETFLIX.COM NETFLIX.COM CA|Services
"""


def discover(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 300, 800), date(2024, 12, 24), date(2025, 1, 23), DISCOVER, 17)
    owed, new = -book.opening, -book.closing
    paper = Paper(LETTER, left=48)
    paper.put(48, "DISCOVER", bold=True, size=20, ink="#E55C20")
    paper.put(560, "OPEN TO CLOSE DATE: 12/24/2024 - 01/23/2025", "r", size=9, bold=True)
    paper.put(
        560, "Cashback Bonus\xae Anniversary Month: July     Account number ending in 6093", "r", y=64, size=8
    )
    paper.y = 100
    paper.title("ACCOUNT SUMMARY", "#E7E7E7", on="#000000")
    paper.pairs(
        ("Previous Balance", DOLLAR(owed)),
        ("Payments and Credits", "-" + DOLLAR(book.ins)),
        ("Purchases", "+" + DOLLAR.bare(book.outs)),
        ("Balance Transfers", "+$0.00"),
        ("Cash Advances", "+$0.00"),
        ("Fees Charged", "+$0.00"),
        ("Interest Charged", "+$0.00"),
        ("*New Balance", DOLLAR(new)),
        x=52,
        to=280,
    )
    paper.block(
        330,
        118,
        f"PAYMENT INFORMATION\nNew Balance     {DOLLAR(new)}\nMinimum Payment Due     $35.00\n"
        "Payment Due Date     February 18, 2025\nLate fee: up to $41.00",
        size=9,
        step=14,
    )
    paper.y += 14
    paper.title("TRANSACTIONS", "#E55C20")
    grid = paper.grid("52 110 400 556r", ("TRANS.\nDATE", "PAYMENTS AND CREDITS", "", "AMOUNT"))
    grid.head()
    paid = book.only("INTERNET")
    for row in paid:
        grid.row(f"{row.day:%m/%d}", row.text, "", DOLLAR(-row.amount))
    paper.y += 6
    grid = paper.grid("52 110 400 556r", ("TRANS.\nDATE", "PURCHASES", "MERCHANT CATEGORY", "AMOUNT"))
    grid.head()
    for row in book.but("INTERNET"):
        text, kind = lines(row)
        grid.row(f"{row.day:%m/%d}", text, kind, DOLLAR(-row.amount))
    paper.y += 8
    paper.title("FEES AND INTEREST CHARGED", "#E7E7E7", on="#000000")
    paper.pairs(
        ("TOTAL FEES FOR THIS PERIOD", "$0.00"), ("TOTAL INTEREST FOR THIS PERIOD", "$0.00"), x=52, to=556
    )
    paper.say(
        "2024 Totals Year-to-Date:   TOTAL FEES CHARGED IN 2024  $0.00     TOTAL INTEREST CHARGED IN 2024  "
        "$14.87",
        size=8,
    )
    paper.y += 8
    paper.room(110)
    paper.title("CASHBACK BONUS", "#E7E7E7", on="#000000")
    paper.pairs(
        ("Opening Balance", "$38.12"),
        ("New Cashback Bonus This Period", "+ $4.41"),
        ("Redeemed This Period", "- $0.00"),
        ("*Cashback Bonus Balance", "$42.53"),
        x=52,
        to=280,
    )
    paper.upright(30, 700, f"DFS-{before(chance, book.rows[-1]):%y%m%d}-0001-6093")
    return made(
        "Discover-Statement-20250123-6093.pdf",
        paper,
        "USD",
        "Discover, US card: categories, dates without a year over New Year, a cashback balance of its own",
        book,
        order=[*paid, *book.but("INTERNET")],
    )


PAPERS = (capital_one, apple_card, discover)
