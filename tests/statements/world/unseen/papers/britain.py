"""Current accounts of British banks."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import POINT, POUND, drawn, ledger, lines, made
from .kit import A4, Paper

BARCLAYS = """
+1620 1980 Received From Heron Mills Ltd|Ref: Salary
*-3 52 Card Payment to Tesco Stores ~~~~|On {d}
*-2 14 Card Payment to Pret A Manger|On {d}
*-10 60 Cash Machine Withdrawal at Barclays|Bishopsgate On {d}
-720 720 Standing Order to Fairholme Lettings|Ref: Flat 4 Rent
-22 48 Direct Debit to Thames Water|Ref: 80017~~~~
*-12 75 Bill Payment to Ms R Adeyemi|Ref: Dinner
+14 60 Refund From ASOS.com|On {d}
-31 36 Direct Debit to Vodafone Ltd|Ref: 7005~~~~~~
"""


def barclays(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 500, 1400),
        date(2025, 2, 27),
        date(2025, 3, 26),
        BARCLAYS,
        19,
        weekdays=True,
        inner="%d %b",
    )
    paper = Paper(A4, left=48)
    paper.put(48, "BARCLAYS", bold=True, size=17, ink="#00395D")
    paper.block(48, 90, "MR T ABERNATHY\n22 LARKHALL RISE\nLONDON\nSW4 6JB")
    paper.block(330, 90, "Your Barclays Bank Account statement", size=12, bold=True)
    paper.block(
        330,
        108,
        "Current account statement\n27 Feb - 26 Mar 2025\nSort code 20-47-11     Account no 63318820\n"
        "SWIFTBIC BUKBGB22     IBAN GB19 BUKB 2047 1163 3188 20",
        size=8,
    )
    paper.y = 175
    paper.title("At a glance", "#00AEEF")
    paper.pairs(
        ("Start balance", POUND(book.opening)),
        ("Money in", POUND(book.ins)),
        ("Money out", POUND.bare(book.outs)),
        ("*End balance", POUND(book.closing)),
        x=52,
        to=260,
    )
    paper.block(
        320,
        200,
        "Your arranged overdraft limit   £500.00\nYour deposit is eligible for protection by\n"
        "the Financial Services Compensation Scheme.",
        size=8,
    )
    paper.y += 16
    paper.say("Your transactions", bold=True, size=12)
    paper.y += 6
    grid = paper.grid(
        "52 102 370r 450r 545r",
        ("Date", "Description", "Money out", "Money in", "Balance"),
        step=11,
        before=lambda: paper.say("Your transactions - continued", bold=True, size=11, step=22),
    )
    grid.head()
    grid.row("27 Feb", "Start balance", "", "", POINT(book.opening), bold=True)
    for row in book.shown:
        out, into = POINT.sides(row.amount)
        text = lines(row)
        grid.row(
            f"{row.day.day} {row.day:%b}" if book.first_of_day(row) else "",
            text[0],
            out,
            into,
            POINT(row.balance) if book.last_of_day(row) else "",
            lines=len(text),
        )
        for line in text[1:]:
            grid.row("", line)
    grid.row("26 Mar", "End balance", "", "", POINT(book.closing), bold=True)
    paper.y += 10
    paper.prose(
        "Anything wrong? If you've noticed any incorrect or unusual transactions, tell us as soon as "
        "possible. Interest rate on "
        "arranged overdrafts: 35.0% EAR variable. Rates correct on 26 Mar 2025."
    )
    paper.foot = lambda page, pages: paper.put(545, f"Page {page} of {pages}", "r", y=815, size=8)
    return made(
        "Statement 26-MAR-25 AC 63318820.pdf",
        paper,
        "GBP",
        "Barclays, UK: a date once a day, the balance once a day, second lines with a day of the month",
        book,
    )


HSBC = """
+2100 2600 CR |PELICAN PUBLISHING|SALARY
*-3 60 VIS|SAINSBURYS S/MKT|LEEDS
*-2 19 )))|GREGGS PLC|LEEDS
*-8 40 )))|TFL TRAVEL CH|TFL.GOV.UK/CP
*-20 130 BP |J HOLLOWAY|
-890 890 SO |MORTGAGE 40118|HALIFAX
-40 120 DD |OCTOPUS ENERGY|
-1450 1900 BP |DEPOSIT KITCHEN|WREN LTD
-10.98 10.98 VIS|INT'L 00443~~~~~|AMAZON EU SARL|EUR 12.99 @ 1.1835|Visa Rate
*+12 90 CR |M HOLLOWAY|
>-4 9 DR |TOTAL CHARGES|TO 12MAR2025
"""


def hsbc_uk(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 50, 300), date(2025, 3, 14), date(2025, 4, 11), HSBC, 34, weekdays=True
    )
    paper = Paper(A4, left=55, flow="words")
    paper.size = 8.5

    def top() -> None:
        paper.put(55, "HSBC UK", bold=True, size=16, ink="#DB0011")
        paper.y += 30
        paper.say("14 March to 11 April 2025")
        paper.put(55, "Account Name")
        paper.put(230, "Sortcode")
        paper.put(330, "Account Number")
        paper.put(450, "Sheet Number")
        paper.y += 12
        paper.put(55, "Mrs Judith Holloway")
        paper.put(230, "40-27-15")
        paper.put(330, "81447302")
        paper.put(450, str(118 + paper.page))
        paper.y += 24
        paper.say("Your HSBC Advance details", bold=True, size=12)
        paper.y += 6

    top()
    paper.band(paper.y, 62, "#BBBBBB", 330, 540, filled=False)
    paper.y += 12
    paper.pairs(
        ("Opening Balance", _drawn(book.opening)),
        ("Payments In", POINT(book.ins)),
        ("Payments Out", POINT.bare(book.outs)),
        ("Closing Balance", _drawn(book.closing)),
        x=338,
        to=530,
    )
    paper.block(
        55,
        paper.y - 46,
        "Arranged Overdraft Limit   1,000.00\nYour Statement: International Bank Account Number\n"
        "GB62HBUK40271581447302",
        size=7.5,
    )
    paper.y += 16
    columns = "58 112 140 375r 455r 530r"
    heads = ("Date", "Payment type and details", "", "Paid out", "Paid in", "Balance")
    grid = paper.grid(columns, heads, step=11.5, bottom=9999)
    grid.head()
    grid.row("13 Mar 25", "BALANCE BROUGHT FORWARD", "", "", "", _drawn(book.opening), bold=True)
    last = book.opening
    for row in book.shown:
        kind, *text = lines(row)
        text = [line for line in text if line]
        if paper.y + 12 * len(text) > 720:
            grid.row("", "BALANCE CARRIED FORWARD", "", "", "", _drawn(last), bold=True)
            paper.turn(50)
            top()
            grid.head()
            grid.row("", "BALANCE BROUGHT FORWARD", "", "", "", _drawn(last), bold=True)
        for line in text[:-1]:
            grid.row(
                f"{row.day:%d %b %y}" if book.first_of_day(row) and line == text[0] else "",
                kind if line == text[0] else "",
                line,
            )
        out, into = POINT.sides(row.amount)
        alone = len(text) == 1
        grid.row(
            f"{row.day:%d %b %y}" if alone and book.first_of_day(row) else "",
            kind if alone else "",
            text[-1],
            out,
            into,
            _drawn(row.balance) if book.last_of_day(row) else "",
        )
        last = row.balance
    grid.row("11 Apr 25", "BALANCE CARRIED FORWARD", "", "", "", _drawn(book.closing), bold=True)
    paper.y += 14
    paper.say(
        "Credit Interest Rates  balance variable AER 0.00%      Overdraft Interest Rates  over 0 : 38.9% EAR",
        size=7.5,
    )
    paper.foot = lambda page, pages: paper.put(
        300, "1 Centenary Square Birmingham B1 1HQ", "c", y=820, size=7
    )
    named = tuple(type(row)(row.day, lines(row)[1], row.amount, row.balance) for row in book.rows)
    return made(
        "2025-04-11_Statement.pdf",
        paper,
        "GBP",
        "HSBC UK: amounts on the last line of a row, carried forward over sheets, D for "
        "overdrawn, a euro line",
        type(book)(book.opening, named),
    )


def _drawn(value: Decimal) -> str:
    return POINT.bare(value) + (" D" if value < 0 else "")


NATIONWIDE = """
+1480 1720 Bank credit MARLOWE COUNCIL
*-3 55 Contactless Payment|ALDI SWINDON GB
*-4 30 Visa purchase|COSTA COFFEE SWINDON GB
*-15 80 Payment to Rhys Bevan
-310 310 Transfer to 07-00-93 22841190
-18 45 Direct debit SKY DIGITAL
*+10 60 Bank credit R BEVAN
-25 60 Direct debit TV LICENCE MBP
"""


def nationwide(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 700, 1900), date(2024, 12, 9), date(2025, 1, 8), NATIONWIDE, 16, weekdays=True
    ).less(11)
    paper = Paper(A4, left=50)
    paper.put(50, "Nationwide", bold=True, size=18, ink="#002878")
    paper.put(545, "FlexAccount", "r", size=12)
    paper.block(50, 85, "Miss C Bevan\n3 Tithe Close\nSwindon\nSN3 4PL")
    paper.block(
        330,
        85,
        "Statement date:   08 January 2025\nStatement no:   42 / Sheet 1 of 1\nSort code 07-02-46   Account "
        "no 51902237\n"
        f"Start balance   {POUND(book.opening)}\nEnd balance   {POUND(book.closing)}",
        step=13,
    )
    paper.y = 180
    paper.prose(
        "Receiving an International Payment? Use IBAN: GB71 NAIA 0702 4651 9022 37. Average credit balance "
        "£1,204.18. "
        "Average debit balance £0.00.",
        size=8,
    )
    paper.y += 10
    grid = paper.grid("54 100 370r 450r 540r", ("Date", "Description", "£ Out", "£ In", "£ Balance"))
    grid.head()
    year = 2024
    grid.row("2024")
    grid.row("", "Balance from statement 41 dated 08/12/2024", "", "", POINT(book.opening))
    for row in book.shown:
        if row.day.year != year:
            year = row.day.year
            grid.row(str(year))
        out, into = POINT.sides(row.amount)
        text = lines(row)
        grid.row(
            f"{row.day:%d %b}" if book.first_of_day(row) else "",
            text[0],
            out,
            into,
            POINT(row.balance) if book.last_of_day(row) else "",
            lines=len(text),
        )
        for line in text[1:]:
            grid.row("", line)
    paper.rule()
    paper.y += 20
    paper.say("Interest, Rates and Fees", bold=True)
    paper.pairs(
        ("Arranged overdraft interest charged for this statement period", "£0.00"),
        ("Unpaid transaction fees", "£0.00"),
        ("Summary of fees 06/04/2024 - 05/01/2025", "£12.40"),
        x=54,
        to=400,
    )
    return made(
        "FlexAccount 08-01-2025.pdf",
        paper,
        "GBP",
        "Nationwide, UK: the year on a line of its own, changing within the statement; one row is missing",
        book,
    )


PAPERS = (barclays, hsbc_uk, nationwide)
