"""Wells Fargo and PNC."""

from __future__ import annotations

import random
from datetime import date

from tests.statements.world.truth import Made

from .deals import DOLLAR, POINT, drawn, ledger, lines, made
from .kit import LETTER, Paper

WELLS_DEALS = """
+980 1240 Cascade Medical Payroll 250~~~ ~~~~~~~ Priya Natarajan
*-5 66 Purchase authorized on {d} Safeway #~~~~ Oakland CA|S30~~~~~~~~~~~~~ Card 9925
*-3 28 Purchase authorized on {d} Peets Coffee ~~~~~ Berkeley CA S46~~~~~~~~~~~~~|Card 9925
*-14 95 Recurring Payment authorized on {d} Comcast California 800-Comcast CA|S58~~~~~~~~~~~~~ Card 9925
*+15 120 Zelle From Tomas Reyes on {d} Ref # Wfct0~~~~~~~
-240 700 Check
-120 330 Chase Credit Crd Epay ~~~~~~~~~~ Priya Natarajan
+980 1240 Cascade Medical Payroll 250~~~ ~~~~~~~ Priya Natarajan
>+0.01 0.19 Interest Payment
"""


def wells_fargo(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 600, 2600), date(2025, 4, 8), date(2025, 5, 7), WELLS_DEALS, 24, weekdays=True
    )
    paper = Paper(LETTER, left=55)
    paper.say("Wells Fargo Everyday Checking", size=16, bold=True)
    paper.say("May 7, 2025  \xb7  Page 1 of 2", size=9)
    paper.block(55, 120, "PRIYA NATARAJAN\n617 SANTA CLARA AVE\nOAKLAND CA 94610-2412", size=9)
    paper.block(
        330,
        112,
        "Questions?\nAvailable by phone 24 hours a day, 7 days a week:\n1-800-TO-WELLS  (1-800-869-3557)\n"
        "Online: wellsfargo.com",
        size=8,
    )
    paper.y = 190
    paper.say("Statement period activity summary", bold=True, size=11)
    paper.y += 4
    paper.pairs(
        ("Beginning balance on 4/8", DOLLAR(book.opening)),
        ("Deposits/Additions", POINT(book.ins)),
        ("Withdrawals/Subtractions", "- " + POINT.bare(book.outs)),
        ("*Ending balance on 5/7", DOLLAR(book.closing)),
        x=55,
        to=280,
    )
    paper.block(
        320,
        206,
        "Account number: 6183 027 441\nPRIYA NATARAJAN\nCalifornia account terms and conditions apply\n"
        "Routing Number (RTN): 121042882",
        size=8,
    )
    paper.y += 12
    paper.say("Transaction history", bold=True, size=11)
    paper.y += 10
    grid = paper.grid(
        "75r 84 130 420r 490r 557r",
        (
            "Date",
            "Check\nNumber",
            "Description",
            "Deposits/\nAdditions",
            "Withdrawals/\nSubtractions",
            "Ending daily\nbalance",
        ),
        size=7.5,
        step=10.5,
        top=90,
        bottom=720,
    )
    grid.head()
    for row in book.shown:
        out, into = POINT.sides(row.amount)
        text = lines(row)
        grid.row(
            f"{row.day.month}/{row.day.day}",
            "1187" if text == ["Check"] else "",
            text[0],
            into,
            out,
            POINT(row.balance) if book.last_of_day(row) else "",
            lines=len(text),
        )
        for line in text[1:]:
            grid.row("", "", line)
    paper.rule()
    paper.y += 12
    paper.put(55, "Ending balance on 5/7", size=8, bold=True)
    grid.row("", "", "", "", "", POINT(book.closing), bold=True, step=14)
    paper.put(55, "Totals", size=8, bold=True)
    grid.row("", "", "", DOLLAR(book.ins), DOLLAR.bare(book.outs), bold=True)
    paper.y += 6
    paper.prose(
        "The Ending Daily Balance does not reflect any pending withdrawals or holds on deposited funds that "
        "may have "
        "been outstanding on your account when your transactions posted."
    )
    paper.y += 10
    paper.say("Monthly service fee summary", bold=True, size=11)
    paper.say(
        "Fee period 04/08/2025 - 05/07/2025          Standard monthly service fee $10.00          You paid "
        "$0.00",
        size=8,
    )
    paper.say("Interest summary", bold=True, size=11)
    paper.say(
        f"Interest earned this statement period ${POINT(book.shown[-1].amount)}     Interest paid this year "
        "$0.31",
        size=8,
    )
    return made(
        "050725 WellsFargo.pdf",
        paper,
        "USD",
        "Wells Fargo, US: deposits left of withdrawals, balance only at the end of a day",
        book,
    )


PNC_DEALS = """
+700 1500 Direct Deposit - Payroll|Greenfield School Xxxxx~~~~
*-5 60 Debit Card Purchase XXXXXXXXXXXX6610 Giant Eagle ~~~~|Pittsburgh Pa
*-4 35 POS Purchase Sheetz ~~~~ Altoona Pa
*-20 120 ACH Web- Bill Payment Peoples Gas Xxxxx~~~~
*+20 90 Mobile Deposit Ref ~~~~~~~~~
-40 200 ATM Withdrawal Pnc Pn~~~~ Pittsburgh Pa
-30 480 Check 2207
-25 410 Check 2208
+700 1500 Direct Deposit - Payroll|Greenfield School Xxxxx~~~~
"""


def pnc(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 900, 2600), date(2025, 6, 13), date(2025, 7, 14), PNC_DEALS, 14, weekdays=True
    )
    book = book.less(6)
    paper = Paper(LETTER, font="Times-Roman", left=45)
    paper.put(45, "PNC BANK", bold=True, size=18, ink="#F58025")
    paper.block(45, 75, "Virtual Wallet Spend Statement\nPNC Bank", size=11, bold=True)
    paper.block(
        560,
        60,
        "For the Period 06/13/2025 to 07/14/2025\nPrimary account number: 11-2208-4471\nPage 1 of 2\n"
        "Number of enclosures: 0",
        "r",
        size=9,
    )
    paper.y = 140
    paper.say("ANNELIESE KOWAL\n19 BEECHWOOD BLVD\nPITTSBURGH PA 15217-1904")
    paper.y += 20
    paper.say("Overdraft Coverage - Your account is currently Opted-Out.", size=8)
    paper.y += 8
    paper.title("Balance Summary", "#E8E3D9", on="#000000")
    grid = paper.grid(
        "150r 290r 430r 560r",
        (
            "Beginning\nbalance",
            "Deposits and\nother additions",
            "Checks and other\ndeductions",
            "Ending\nbalance",
        ),
    )
    grid.head()
    grid.row(POINT(book.opening), POINT(book.ins), POINT.bare(book.outs), POINT(book.closing))
    paper.y += 8
    paper.title("Activity Detail", "#F58025")
    ins = tuple(row for row in book.shown if row.amount > 0)
    checks = book.only("Check ")
    cards = book.only("Debit", "POS", "ATM")
    online = tuple(row for row in book.shown if row not in ins + checks + cards)
    for name, rows in (
        ("Deposits and Other Additions", ins),
        ("Checks and Substitute Checks", checks),
        ("Banking/Debit Card Withdrawals and Purchases", cards),
        ("Online and Electronic Banking Deductions", online),
    ):
        paper.room(60)
        paper.say(name, bold=True, size=10)
        grid = paper.grid("48 130r 150", ("Date", "Amount", "Description"))
        grid.head()
        for row in rows:
            text = lines(row)
            grid.row(f"{row.day:%m/%d}", POINT.bare(row.amount), text[0], lines=len(text))
            for line in text[1:]:
                grid.row("", "", line)
        paper.y += 8
    paper.room(120)
    paper.title("Daily Balance Detail", "#E8E3D9", on="#000000")
    places, ends = (48, 200, 350), [row for row in book.shown if book.last_of_day(row)]
    for x in places:
        paper.put(x, "Date", bold=True)
        paper.put(x + 110, "Balance", "r", bold=True)
    paper.y += 12
    for start in range(0, len(ends), 3):
        for x, row in zip(places, ends[start : start + 3], strict=False):
            paper.put(x, f"{row.day:%m/%d}")
            paper.put(x + 110, POINT(row.balance), "r")
        paper.y += 12
    return made(
        "PNC_Virtual_Wallet_Spend_071425.pdf",
        paper,
        "USD",
        "PNC, US: amount before description, a daily balance table; one row is missing",
        book,
        order=[*ins, *checks, *cards, *online],
    )


PAPERS = (wells_fargo, pnc)
