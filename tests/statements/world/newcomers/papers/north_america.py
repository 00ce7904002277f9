"""Papers of banks and card issuers in the United States and Canada."""

from __future__ import annotations

from decimal import Decimal

from reportlab.lib.pagesizes import LETTER

from ...institutions.ledgers import fr, into, out, us
from ...truth import Made
from ..books import FRENCH, book, card
from ..sheets import Sheet
from .paper import TURN, paper


def regions(seed: int) -> Made:
    """Sections, checks in two columns, and daily balances at the end."""
    held = book("regions", seed, count=14)
    rows = [row for row in held.rows if row.amount < 0]
    checks = {id(row): 1001 + place for place, row in enumerate(rows[1::3])}
    sheet = Sheet(
        page=LETTER, head=[(40, "Regions Bank"), (40, "Main Street Branch", -560, "ACCOUNT # 0112345678")]
    )
    sheet.lines(
        (230, "LIFEGREEN CHECKING"),
        (200, f"{held.rows[0].day:%B %d, %Y} through {held.rows[-1].day:%B %d, %Y}"),
        (250, "SUMMARY"),
        (40, "Beginning Balance", -250, f"${us(held.opening)}", 320, "Minimum Balance", -560, "$103"),
        (40, "Deposits & Credits", -250, f"${us(held.paid_in)} +"),
        (
            40,
            "Withdrawals",
            -250,
            f"${us(sum((-row.amount for row in rows if id(row) not in checks), Decimal(0)))} -",
        ),
        (40, "Checks", -250, f"${us(sum((-row.amount for row in rows if id(row) in checks), Decimal(0)))} -"),
        (40, "Ending Balance", -250, f"${us(held.closing)}"),
        (230, "DEPOSITS & CREDITS"),
    )
    for row in held.credits():
        sheet.line(40, f"{row.day:%m/%d}", 90, row.text, -560, us(row.amount))
    sheet.lines((90, "Total Deposits & Credits", -560, f"${us(held.paid_in)}"), (240, "WITHDRAWALS"))
    for row in rows:
        if id(row) not in checks:
            sheet.line(40, f"{row.day:%m/%d}", 90, row.text, -560, us(-row.amount))
    sheet.lines(
        (
            90,
            "Total Withdrawals",
            -560,
            f"${us(sum((-row.amount for row in rows if id(row) not in checks), Decimal(0)))}",
        ),
        (260, "CHECKS"),
        (40, "Date", 90, "Check No.", -230, "Amount", 320, "Date", 370, "Check No.", -520, "Amount"),
    )
    pairs = [row for row in rows if id(row) in checks]
    for left, right in zip(pairs[::2], [*pairs[1::2], None], strict=False):
        cells: list[float | str] = [
            40,
            f"{left.day:%m/%d}",
            90,
            f"{checks[id(left)]}",
            -230,
            us(-left.amount),
        ]
        if right is not None:
            cells += [320, f"{right.day:%m/%d}", 370, f"{checks[id(right)]}", -520, us(-right.amount)]
        sheet.line(*cells)
    sheet.lines(
        (90, "Total Checks", -520, f"${us(sum((-row.amount for row in pairs), Decimal(0)))}"),
        (230, "DAILY BALANCE SUMMARY"),
    )
    sheet.line(40, "Date", -150, "Balance", 220, "Date", -330, "Balance", 400, "Date", -510, "Balance")
    ends = {row.day: row.balance for row in held.rows}
    days = sorted(ends)
    for start in range(0, len(days), 3):
        cells = []
        for place, day in zip((40, 220, 400), days[start : start + 3], strict=False):
            cells += [place, f"{day:%m/%d}", -(place + 110), us(ends[day])]
        sheet.line(*cells)
    return paper("regions with checks side by side", sheet, held, "USD")


def truist(seed: int) -> Made:
    """Month and day over New Year, sections with long names."""
    held = book("truist", seed, first=TURN, days=30)
    sheet = Sheet(page=LETTER, foot=lambda page: (40, "Member FDIC", -560, f"PAGE {page} OF 2"))
    sheet.lines(
        (40, "TRUIST", -560, "For 01/13/2024"),
        (40, "TRUIST ONE CHECKING 1110009876543"),
        (40, "Account summary"),
        (40, "Your previous balance as of 12/13/2023", -400, f"${us(held.opening)}"),
        (40, "Checks", -400, "- 0.00"),
        (40, "Other withdrawals, debits and service charges", -400, f"- {us(held.paid_out)}"),
        (40, "Deposits, credits and interest", -400, f"+ {us(held.paid_in)}"),
        (40, "Your new balance as of 01/13/2024", -400, f"= ${us(held.closing)}"),
        (40, "Other withdrawals, debits and service charges"),
        (40, "DATE", 90, "DESCRIPTION", -560, "AMOUNT($)"),
    )
    for row in held.debits():
        sheet.line(40, f"{row.day:%m/%d}", 90, row.text, -560, us(-row.amount))
    sheet.lines(
        (40, "Total other withdrawals, debits and service charges", -560, f"= ${us(held.paid_out)}"),
        (40, "Deposits, credits and interest"),
        (40, "DATE", 90, "DESCRIPTION", -560, "AMOUNT($)"),
    )
    for row in held.credits():
        sheet.line(40, f"{row.day:%m/%d}", 90, row.text, -560, us(row.amount))
    sheet.line(40, "Total deposits, credits and interest", -560, f"= ${us(held.paid_in)}")
    return paper("truist over new year", sheet, held, "USD")


def fifth_third(seed: int) -> Made:
    """Amount before description, and counts of items that look like amounts."""
    held = book("fifth third", seed)
    sheet = Sheet(page=LETTER)
    sheet.lines(
        (40, "FIFTH THIRD BANK"),
        (40, "Statement Period Date: 3/4/2024 - 4/2/2024"),
        (40, "Account Type: Momentum Checking", 300, "Account Number: 7912345678"),
        (
            40,
            "03/04",
            80,
            "Beginning Balance",
            -250,
            f"${us(held.opening)}",
            320,
            "Number of Days in Period",
            -560,
            "30",
        ),
        (60, "Checks"),
        (60, f"{len(held.debits())} Withdrawals / Debits", -250, f"$({us(held.paid_out)})"),
        (60, f"{len(held.credits())} Deposits / Credits", -250, f"${us(held.paid_in)}"),
        (40, "04/02", 80, "Ending Balance", -250, f"${us(held.closing)}"),
        (40, "Withdrawals / Debits", -560, f"{len(held.debits())} items totaling ${us(held.paid_out)}"),
        (40, "Date", -140, "Amount", 170, "Description"),
    )
    for row in held.debits():
        sheet.line(40, f"{row.day:%m/%d}", -140, us(-row.amount), 170, row.text)
    sheet.lines(
        (40, "Deposits / Credits", -560, f"{len(held.credits())} items totaling ${us(held.paid_in)}"),
        (40, "Date", -140, "Amount", 170, "Description"),
    )
    for row in held.credits():
        sheet.line(40, f"{row.day:%m/%d}", -140, us(row.amount), 170, row.text)
    return paper("fifth third, amounts before descriptions", sheet, held, "USD")


def schwab(seed: int) -> Made:
    """Several pages, heads and carried balances on each."""
    held = book("schwab", seed, count=40, first=TURN, days=40)
    sheet = Sheet(
        page=LETTER,
        step=20,
        head=[
            (40, "Charles Schwab Bank", -560, "High Yield Investor Checking"),
            (
                40,
                "Account Number: 440012345678",
                -560,
                "Statement Period: December 14, 2023 to January 23, 2024",
            ),
            (40, "Date Posted", 110, "Description", -380, "Debits", -470, "Credits", -560, "Balance"),
        ],
        foot=lambda page: (40, "Charles Schwab Bank, SSB, Member FDIC, 1-888-403-9000", -560, f"Page {page}"),
    )
    sheet.line(40, "12/14", 110, "Beginning Balance", -560, f"${us(held.opening)}")
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%m/%d}",
            110,
            row.text,
            -380,
            out(row),
            -470,
            into(row),
            -560,
            f"${us(row.balance)}",
        )
    sheet.line(
        40,
        "01/23",
        110,
        "Ending Balance",
        -380,
        f"${us(held.paid_out)}",
        -470,
        f"${us(held.paid_in)}",
        -560,
        f"${us(held.closing)}",
    )
    return paper("schwab over pages", sheet, held, "USD")


def usaa(seed: int) -> Made:
    """Descriptions under the row's line, and a total of the year."""
    held = book("usaa", seed)
    sheet = Sheet(page=LETTER)
    sheet.lines(
        (40, "USAA FEDERAL SAVINGS BANK"),
        (40, "USAA CLASSIC CHECKING", 300, "Account Number: XXXXXX4471"),
        (40, "Statement Period: 03/04/2024 to 04/02/2024"),
        (40, "Beginning Balance", -300, f"${us(held.opening)}"),
        (40, "Deposits/Credits", -300, f"${us(held.paid_in)}"),
        (40, "Withdrawals/Debits", -300, f"-${us(held.paid_out)}"),
        (40, "Ending Balance", -300, f"${us(held.closing)}"),
        (40, "Total Overdraft Fees for this Period", -300, "$0.00", -420, "Year to Date", -500, "$29.00"),
        (40, "Transactions"),
        (40, "Date", 100, "Description", -360, "Debits", -450, "Credits", -550, "Balance"),
        (40, "03/04", 100, "Beginning Balance", -550, f"${us(held.opening)}"),
    )
    for row in held.rows:
        day = f"{row.day:%m/%d}"
        sheet.line(
            40,
            day,
            100,
            row.text[:14],
            -360,
            f"${out(row)}" if row.amount < 0 else "0",
            -450,
            f"${into(row)}" if row.amount > 0 else "0",
            -550,
            f"${us(row.balance)}",
        )
        sheet.line(100, f"{row.text[14:] or 'POS'} {day}24 4471")
    sheet.line(40, "04/02", 100, "Ending Balance", -550, f"${us(held.closing)}")
    return paper("usaa with zeros in the other column", sheet, held, "USD")


def synchrony(seed: int) -> Made:
    """A store card: payments with a minus, references, a year's totals, interest table with a balance."""
    held = card("synchrony", seed, first=TURN)
    sheet = Sheet(page=LETTER)
    sheet.lines(
        (40, "SYNCHRONY BANK / Home Store Card", -560, "Account Number ending in 8830"),
        (40, "Summary of Account Activity", 330, "Payment Information"),
        (
            40,
            "Previous Balance",
            -280,
            f"${us(-held.opening)}",
            330,
            "New Balance",
            -560,
            f"${us(-held.closing)}",
        ),
        (
            40,
            "- Payments and Credits",
            -280,
            f"${us(held.paid_in)}",
            330,
            "Total Minimum Payment Due",
            -560,
            "$35.00",
        ),
        (
            40,
            "+ Purchases/Debits",
            -280,
            f"${us(held.paid_out)}",
            330,
            "Payment Due Date",
            -560,
            "02/05/2024",
        ),
        (40, "New Balance as of 01/12/2024", -280, f"${us(-held.closing)}"),
        (40, "Credit Limit", -280, "$6,000", 330, "Days in Billing Cycle", -560, "30"),
        (40, "Transaction Detail"),
        (40, "Date", 80, "Reference #", 200, "Description", -560, "Amount"),
        (40, "Payments", -560, f"-${us(held.paid_in)}"),
    )
    for number, row in enumerate(held.credits()):
        sheet.line(
            40,
            f"{row.day:%m/%d}",
            80,
            f"P9285{number}00AB0{number}X",
            200,
            row.text,
            -560,
            f"-${us(row.amount)}",
        )
    sheet.line(40, "Purchases and Other Debits", -560, f"${us(held.paid_out)}")
    for number, row in enumerate(held.debits()):
        sheet.line(
            40,
            f"{row.day:%m/%d}",
            80,
            f"P9285{number}00CD1{number}Y",
            200,
            row.text,
            -560,
            f"${us(-row.amount)}",
        )
    sheet.lines(
        (40, "Total Fees Charged This Period", -560, "$0.00"),
        (40, "Total Interest Charged This Period", -560, "$0.00"),
        (40, "2024 Year-to-Date Fees and Interest"),
        (40, "Total Fees Charged in 2024", -560, "$0.00"),
        (40, "Type of Balance", 200, "APR", 300, "Balance Subject to Interest Rate", -560, "Interest Charge"),
        (40, "Regular Purchases", 200, "29.99%", -400, f"${us(-held.closing)}", -560, "$0.00"),
    )
    return paper("synchrony store card", sheet, held, "USD")


def scotia(seed: int) -> Made:
    held = book("scotia", seed, first=TURN)
    sheet = Sheet(page=LETTER, head=[(40, "Scotiabank", -560, "Preferred Package")])
    sheet.lines(
        (40, "Your account number: 10012 00345 67"),
        (
            40,
            f"Opening Balance on {held.rows[0].day:%B} {held.rows[0].day.day}, 2023",
            -300,
            f"${us(held.opening)}",
        ),
        (40, "Minus total withdrawals", -300, f"${us(held.paid_out)}"),
        (40, "Plus total deposits", -300, f"${us(held.paid_in)}"),
        (
            40,
            f"Closing Balance on {held.rows[-1].day:%B} {held.rows[-1].day.day}, 2024",
            -300,
            f"${us(held.closing)}",
        ),
        (40, "Here's what happened in your account this statement period"),
        (40, "Date", 90, "Transactions", -360, "withdrawn ($)", -450, "deposited ($)", -550, "Balance ($)"),
        (40, f"{held.rows[0].day:%b} {held.rows[0].day.day}", 90, "Opening Balance", -550, us(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%b} {row.day.day}",
            90,
            row.text,
            -360,
            out(row),
            -450,
            into(row),
            -550,
            us(row.balance),
        )
        sheet.line(90, "Point of sale purchase" if row.amount < 0 else "Deposit")
    sheet.line(
        40,
        f"{held.rows[-1].day:%b} {held.rows[-1].day.day}",
        90,
        "Closing Balance",
        -550,
        f"${us(held.closing)}",
    )
    return paper("scotiabank with words below rows", sheet, held, "CAD")


def desjardins(seed: int) -> Made:
    """French, day before month in words, minus behind."""
    held = book("desjardins", seed, FRENCH)
    sheet = Sheet(page=LETTER)
    months = {3: "MAR", 4: "AVR"}
    sheet.lines(
        (40, "Desjardins  Caisse populaire du Plateau", -560, "RELEVÉ DE COMPTE"),
        (40, "Folio 815-30012-0123456", -560, "Période du 4 mars 2024 au 2 avril 2024"),
        (40, "EOP  ÉPARGNE AVEC OPÉRATIONS"),
        (
            40,
            "Date",
            90,
            "Code",
            130,
            "Description",
            -390,
            "Frais",
            -450,
            "Retrait",
            -505,
            "Dépôt",
            -560,
            "Solde",
        ),
        (130, "Solde reporté", -560, fr(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day.day} {months[row.day.month]}",
            90,
            "ACH",
            130,
            row.text,
            -450,
            out(row, fr),
            -505,
            into(row, fr),
            -560,
            fr(row.balance),
        )
    return paper("desjardins", sheet, held, "CAD")
