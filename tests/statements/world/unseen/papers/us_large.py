"""Large banks of the United States."""

from __future__ import annotations

import random
from datetime import date

from tests.statements.world.truth import Made

from .deals import DOLLAR, POINT, drawn, ledger, made, total
from .kit import LETTER, Paper

CHASE_DEALS = """
+1840 2210 Nordhaven Logist Payroll ~~~~~~~~~~ PPD ID: 9~~~~~~~~~
*-4 68 Card Purchase {d} Trader Joe's #5~~ Chicago IL Card 4417
*-3 19 Card Purchase {d} Sq *Bow Truss Coffee Chicago IL Card 4417
*-9 74 Card Purchase With Pin {d} Walgreens Store ~~~ Chicago IL Card 4417
*-11 42 Card Purchase {d} Uber *Trip Help.Uber.Com CA Card 4417
*-8 31 Recurring Card Purchase {d} Spotify USA New York NY Card 4417
*-40 160 Zelle Payment To Dana Whitlock Jpm99b~~~~~~
*+25 190 Zelle Payment From Marcus Iyer Bacp~~~~~~~~
-60 61 ATM Withdrawal {d} 1122 W Wilson Ave Chicago IL Card 4417
-1450 1450 Online Payment ~~~~~~~~~~~ To Wrightwood Properties
-84 141 Comed Utility Pmt PPD ID: 0360938600
+1840 2210 Nordhaven Logist Payroll ~~~~~~~~~~ PPD ID: 9~~~~~~~~~
-210 640 Payment To Chase Card Ending IN 8812 {d}
>-12 12 Monthly Service Fee
"""


def chase_checking(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 900, 3000), date(2025, 2, 14), date(2025, 3, 14), CHASE_DEALS, 48, weekdays=True
    )
    paper = Paper(LETTER, left=40)
    paper.put(40, "CHASE", bold=True, size=22, ink="#117ACA")
    paper.block(40, 75, "JPMorgan Chase Bank, N.A.\nP O Box 182051\nColumbus, OH 43218 - 2051", size=8)
    paper.block(572, 62, "February 14, 2025 through March 14, 2025", "r", size=9)
    paper.block(572, 76, "Account Number:   000000571138846", "r", size=9, bold=True)
    paper.block(
        60,
        150,
        "00188231 DRE 021 210 07325 NNNNNNNNNNN   1 000000000 D2 0000\n"
        "ELENA R MARCHETTI\n4418 N PAULINA ST APT 2\nCHICAGO IL 60640-5107",
        size=8,
    )
    paper.band(130, 88, "#999999", 340, 572, filled=False)
    paper.block(
        346,
        143,
        "CUSTOMER SERVICE INFORMATION\nWeb site:                         Chase.com\n"
        "Service Center:               1-800-935-9935\nPara Espanol:                 1-877-312-4273\n"
        "International Calls:          1-713-262-1679",
        size=8,
    )
    paper.y = 250
    paper.put(40, "*start*summary", size=1, ink="#FFFFFF")
    paper.title("CHECKING SUMMARY", "#DDDDDD", on="#000000")
    paper.put(200, "Chase Total Checking", y=paper.y - 16)
    paper.put(360, "AMOUNT", "r", size=8)
    paper.y += 13
    cards = tuple(
        row for row in book.rows if "Card" in row.text.split(" To ")[0] or row.text.startswith("ATM")
    )
    ins = tuple(row for row in book.rows if row.amount > 0)
    fees = tuple(row for row in book.rows if row.text.startswith("Monthly"))
    rest = tuple(row for row in book.rows if row not in cards + ins + fees)
    paper.pairs(
        ("*Beginning Balance", DOLLAR(book.opening)),
        ("Deposits and Additions", POINT(total(ins))),
        ("ATM & Debit Card Withdrawals", POINT(total(cards))),
        ("Electronic Withdrawals", POINT(total(rest))),
        ("Fees", POINT(total(fees))),
        ("*Ending Balance", DOLLAR(book.closing)),
        x=44,
        to=360,
    )
    paper.y += 10
    paper.prose(
        "A Monthly Service Fee was charged to your account this period. You can avoid it by having "
        "electronic "
        "deposits of $500.00 or more, or a balance at the beginning of each day of $1,500.00 or more.",
        size=8,
    )
    paper.y += 14

    def heading() -> None:
        paper.title("TRANSACTION DETAIL", "#DDDDDD", on="#000000")
        if paper.page:
            paper.put(170, "(continued)", y=paper.y - 16, size=8)

    heading()
    grid = paper.grid(
        "44 92 480r 570r",
        ("DATE", "DESCRIPTION", "AMOUNT", "BALANCE"),
        size=8,
        step=12,
        before=heading,
        top=110,
    )
    grid.head()
    grid.row("", "Beginning Balance", "", DOLLAR(book.opening), bold=True)
    for row in book.shown:
        grid.row(f"{row.day:%m/%d}", row.text, POINT(row.amount), POINT(row.balance))
    grid.row("", "Ending Balance", "", DOLLAR(book.closing), bold=True)
    paper.room(150, top=110)
    paper.y += 20
    paper.prose(
        "IN CASE OF ERRORS OR QUESTIONS ABOUT YOUR ELECTRONIC FUNDS TRANSFERS: Call us at 1-866-564-2262 or "
        "write "
        "us at the address on the front of this statement immediately if you think your statement or receipt "
        "is "
        "incorrect. We must hear from you no later than 60 days after we sent you the FIRST statement on "
        "which "
        "the problem or error appeared. For transfers of $50 or less the same applies."
    )

    def foot(page: int, pages: int) -> None:
        paper.put(572, f"Page {page} of {pages}", "r", y=750, size=8)
        if page > 1:
            paper.block(
                572,
                62,
                "February 14, 2025 through March 14, 2025\nAccount Number:   000000571138846",
                "r",
                size=9,
            )

    paper.foot = foot
    return made(
        "20250314-statements-8846-.pdf",
        paper,
        "USD",
        "Chase, US: checking over several pages, a second date inside the descriptions",
        book,
    )


BOA_DEALS = """
+2105 2290 SUMMIT DENTAL GR DES:PAYROLL ID:~~~~~ INDN:OKAFOR,JAMES CO ID:9111111101 PPD
*-6 90 CHECKCARD {d} HARRIS TEETER #~~~ CHARLOTTE NC 2405523~~~~~~~~~~~~~~~~
*-12 70 PURCHASE {d} AMAZON.COM*RT~~~~ SEATTLE WA
*-20 200 BKOFAMERICA ATM {d} #00000~~~~ WITHDRWL SOUTHPARK CHARLOTTE NC
*+30 300 Zelle payment from LENA BRANDT Conf# k~~~~~~~
-118 180 DUKEENERGY DES:BILL PAY ID:~~~~~~~~~~~~ INDN:JAMES OKAFOR CO ID:1560205520 PPD
-480 960 Check 1041
-45 260 Check 1042
-90 310 Check 1044*
+2105 2290 SUMMIT DENTAL GR DES:PAYROLL ID:~~~~~ INDN:OKAFOR,JAMES CO ID:9111111101 PPD
+60 240 BKOFAMERICA MOBILE {d} ~~~~~~~~~~ DEPOSIT *MOBILE NC
-12 12 External transfer fee - Next Day - {d}
>-12 12 Monthly Maintenance Fee
"""


def bank_of_america(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 2000, 5000), date(2024, 12, 11), date(2025, 1, 10), BOA_DEALS, 30, weekdays=True
    )
    paper = Paper(LETTER, left=50, flow="words")
    paper.put(50, "BANK OF AMERICA", bold=True, size=17, ink="#012169")
    paper.block(50, 90, "P.O. Box 15284\nWilmington, DE 19850", size=8)
    paper.block(50, 140, "JAMES OKAFOR\n2207 SELWYN AVE\nCHARLOTTE, NC  28207-1655", size=9)
    paper.block(560, 90, "Customer service information\n1.800.432.1000\nbankofamerica.com", "r", size=8)
    paper.y = 215
    paper.say("Your Adv Plus Banking", size=15, bold=True, ink="#C41230")
    paper.say(
        "for December 11, 2024 to January 10, 2025                            Account number: 2370 4481 9062",
        size=9,
    )
    paper.y += 10
    ins = tuple(row for row in book.shown if row.amount > 0)
    checks, fees = book.only("Check "), book.only("External", "Monthly")
    outs = tuple(row for row in book.shown if row.amount < 0 and row not in checks + fees)
    paper.say("Account summary", bold=True, size=12)
    paper.y += 3
    paper.pairs(
        ("Beginning balance on December 11, 2024", DOLLAR(book.opening)),
        ("Deposits and other additions", POINT(total(ins))),
        ("Withdrawals and other subtractions", POINT(total(outs))),
        ("Checks", POINT(total(checks))),
        ("Service fees", POINT(total(fees))),
        ("*Ending balance on January 10, 2025", DOLLAR(book.closing)),
        x=50,
        to=330,
        step=16,
    )
    paper.block(
        360,
        300,
        f"# of deposits/credits: {len(ins)}\n# of withdrawals/debits: {len(outs + checks + fees)}\n# of "
        "items-previous cycle: 4\n"
        f"# of days in cycle: 31\nAverage ledger balance: {DOLLAR((book.opening + book.closing) / 2)}",
        size=8,
        step=14,
    )
    paper.y = 480
    paper.title("Stay protected from fraud", "#012169")
    paper.prose(
        "Never share a code with someone who contacts you. Learn more at bankofamerica.com/security. "
        "Offer: earn a $200 bonus when you open a new savings account by 03/31/25.",
        size=8,
    )
    paper.turn(90)
    sections = (
        ("Deposits and other additions", "Total deposits and other additions", ins),
        ("Withdrawals and other subtractions", "Total withdrawals and other subtractions", outs),
        ("Checks", "Total checks", checks),
        ("Service fees", "Total service fees", fees),
    )
    for name, sum_of, rows in sections:
        paper.room(70, 720, 90)
        paper.say(name, bold=True, size=12)
        paper.y += 4
        if name == "Checks":
            grid = paper.grid(
                "50 120 280r", ("Date", "Check #", "Amount"), size=8, step=14, bottom=720, top=90
            )
        else:
            grid = paper.grid(
                "50 120 560r", ("Date", "Description", "Amount"), size=8, step=14, bottom=720, top=90
            )
        grid.head()
        for row in rows:
            grid.row(f"{row.day:%m/%d/%y}", row.text.removeprefix("Check "), POINT(row.amount))
        grid.row(
            sum_of, "", "-" + DOLLAR.bare(total(rows)) if total(rows) < 0 else DOLLAR(total(rows)), bold=True
        )
        if name == "Checks":
            paper.say("* There is a gap in sequential check numbers", size=7)
        paper.y += 16

    def foot(page: int, pages: int) -> None:
        paper.put(560, f"Page {page} of {pages}", "r", y=765, size=8)
        if page > 1:
            paper.put(
                50,
                "JAMES OKAFOR  |  Account # 2370 4481 9062  |  December 11, 2024 to January 10, 2025",
                y=50,
                size=8,
            )

    paper.foot = foot
    order = [row for _, _, rows in sections for row in rows]
    return made(
        "eStmt_2025-01-10.pdf",
        paper,
        "USD",
        "Bank of America, US: four sections with totals, a check list, over New Year",
        book,
        order=order,
    )


PAPERS = (chase_checking, bank_of_america)
