"""A credit union and a wallet in the United States."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .deals import POINT, drawn, ledger, lines, made, total
from .kit import LETTER, WIDE_A4, Paper

NAVY = """
+1100 1700 Deposit - ACH Paid From Dfas-Cleveland Mil Pay
*-5 60 POS Debit- Debit Card 3308 {d} Commissary Norfolk VA
*-8 44 POS Debit- Debit Card 3308 {d} Wawa ~~~ Virginia Beach VA
*-15 90 POS Debit- Debit Card 3308 Transaction {d} Navy Exchange ~~~~~|Norfolk VA
-200 300 Transfer To Shares
+30 90 Zelle Db Refund Kiera Mahoney
-90 210 Paid To - Dominion Energy Bill Pay Chk 90~~~~~
+1100 1700 Deposit - ACH Paid From Dfas-Cleveland Mil Pay
>+0.02 0.4 Dividend
"""


def navy_federal(chance: random.Random) -> Made:
    first, last = date(2025, 8, 6), date(2025, 9, 5)
    inner = "%m-%d-%y"
    check = ledger(chance, drawn(chance, 800, 1900), first, last, NAVY, 18, weekdays=True, inner=inner)
    moved = check.only("Transfer")[0]
    saved = drawn(chance, 2500, 6000)
    interest = drawn(chance, "0.5", "1.5")
    # the transfer arrives on the same day
    there = saved - moved.amount
    share = type(check)(
        saved,
        (
            Row(moved.day, "Transfer From Checking", -moved.amount, there),
            Row(last, "Dividend", interest, there + interest),
        ),
    )
    paper = Paper(LETTER, font="Courier", left=40)
    paper.size = 8.5
    paper.put(40, "NAVY FEDERAL CREDIT UNION", bold=True, size=13)
    paper.block(40, 66, "P.O. Box 3000 * Merrifield, VA 22119-3000")
    paper.block(
        572, 50, "Statement of Account\nStatement Period\n08/06/25 - 09/05/25\nAccess No. 14402917", "r"
    )
    paper.y = 130
    paper.say("KIERA M MAHONEY\n1120 GRANBY ST APT 5\nNORFOLK VA 23510")
    paper.y += 16
    paper.say("Summary of your deposit accounts", bold=True, size=10)
    grid = paper.grid(
        "40 250r 345r 450r 572r",
        ("", "Previous\nBalance", "Deposits/\nCredits", "Withdrawals/\nDebits", "Ending\nBalance"),
    )
    grid.head()
    for name, book in (("Flagship Checking", check), ("Membership Savings", share)):
        grid.row(
            name,
            "$" + POINT(book.opening),
            "$" + POINT(book.ins),
            "$" + POINT.bare(book.outs),
            "$" + POINT(book.closing),
        )
    grid.row(
        "Totals",
        *(
            "$" + POINT(sum(pair, Decimal(0)))
            for pair in (
                (check.opening, share.opening),
                (check.ins, share.ins),
                (-check.outs, -share.outs),
                (check.closing, share.closing),
            )
        ),
        bold=True,
    )
    for name, number, book in (
        ("Checking", "Flagship Checking - 7093314420", check),
        ("Savings", "Membership Savings - 3083110097", share),
    ):
        paper.y += 14
        paper.say(name, bold=True, size=11)
        paper.say(number, bold=True)
        grid = paper.grid(
            "40 85 465r 572r", ("Date", "Transaction Detail", "Amount($)", "Balance($)"), size=8, step=11
        )
        grid.head()
        grid.row(f"{first:%m-%d}", "Beginning Balance", "", POINT(book.opening), bold=True)
        for row in book.shown:
            text = lines(row)
            grid.row(
                f"{row.day:%m-%d}", text[0], POINT.trailing(row.amount), POINT(row.balance), lines=len(text)
            )
            for line in text[1:]:
                grid.row("", line)
        grid.row(f"{last:%m-%d}", "Ending Balance", "", POINT(book.closing), bold=True)
    paper.y += 10
    paper.say(
        "Your account earned $0.31 with an annual percentage yield earned of 0.05%\n"
        "for the dividend period from 08-06-2025 through 09-05-2025.",
        size=7.5,
    )
    return made(
        "2025-09-05_STMSSCM.pdf",
        paper,
        "USD",
        "Navy Federal, US credit union: checking and savings in one file, trailing "
        "minus, dated beginning and ending balance rows",
        check,
        share,
    )


PAYPAL = """
*-8 60 PreApproved Payment Bill User Payment|Spotify AB
*+20 140 Express Checkout Payment|Hanna Wolter
*+30 210 Website Payment|Greta Moss Ceramics
*-12 80 Express Checkout Payment|Etsy Ireland UC
-200 500 General Withdrawal|
+15 40 Payment Refund|Etsy Ireland UC
"""


def paypal(chance: random.Random) -> Made:
    book = ledger(chance, drawn(chance, 200, 600), date(2025, 7, 1), date(2025, 7, 31), PAYPAL, 17)
    paper = Paper(WIDE_A4, font="Vera", left=40)
    paper.size = 7.5
    paper.put(40, "PayPal", bold=True, size=20, ink="#003087")
    paper.block(
        800,
        48,
        "Merchant Account ID: 7XK2MQ4PLT9RE\nPayPal ID: studio@mosswolter.example\n7/1/25 - 7/31/25",
        "r",
    )
    paper.y = 100
    paper.say("Statement for July 2025", bold=True, size=13)
    paper.y += 8
    paper.say("Balance Summary (7/1/25 - 7/31/25)", bold=True, size=9)
    fees = {
        row: (
            (row.amount * 349 / 10000).quantize(Decimal("0.01")) + Decimal("0.49")
            if row.amount > 0 and "Refund" not in row.text
            else Decimal(0)
        )
        for row in book.rows
    }
    received = sum((row.amount + fees[row] for row in book.rows if fees[row]), Decimal(0))
    fee = sum(fees.values(), Decimal(0))
    pulled = total(book.only("General"))
    grid = paper.grid("40 240r", ("USD", ""), step=13)
    grid.head()
    paper.pairs(
        ("Beginning", POINT(book.opening)),
        ("Payments received", POINT(received)),
        ("Payments sent", POINT(book.outs - pulled)),
        ("Withdrawals and Debits", POINT(pulled)),
        ("Deposits and Credits", POINT(book.ins - received + fee)),
        ("Fees", POINT(-fee)),
        ("Ending", POINT(book.closing)),
        x=40,
        to=240,
    )
    paper.y += 12
    paper.say("Transaction History - USD", bold=True, size=9)
    paper.y += 6
    grid = paper.grid(
        "40 100 330 570r 660r 740r 800r",
        ("Date", "Description", "Name / Email", "Gross", "Fee", "Net", "Balance"),
        step=11,
    )
    grid.head()
    for row in book.shown:
        what, who = (*lines(row), "")[:2]
        grid.row(
            f"{row.day.month}/{row.day.day}/{row.day:%y}",
            what,
            who,
            POINT(row.amount + fees[row]),
            POINT(-fees[row]),
            POINT(row.amount),
            POINT(row.balance),
            lines=2,
        )
        grid.row(
            "",
            "ID: " + "".join(chance.choice("0123456789ABCDEFGHKLMNPRSTUVWXY") for _ in range(17)),
            size=6.5,
        )
    paper.y += 8
    paper.say(
        "* For more details about your statement, log in to PayPal. Fees are shown for each payment and are "
        "taken off it.",
        size=6.5,
    )
    return made(
        "statement-Jul-2025.pdf",
        paper,
        "USD",
        "PayPal, US: gross, fee and net beside each other - the net one moves the balance",
        book,
    )


PAPERS = (navy_federal, paypal)
