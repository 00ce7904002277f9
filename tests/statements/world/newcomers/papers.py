"""Papers of banks that no other folder has: sections, columns, marks, pages, and days without years."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from reportlab.lib.pagesizes import LETTER, landscape

from ..institutions.ledgers import Ledger, comma, de, file_of, fr, into, out, swiss, us
from ..truth import Made, Row
from .books import DUTCH, FRENCH, GERMAN, MALAY, NORDIC, SPANISH, behind, book, card, in_brackets, whole
from .sheets import Sheet

TURN = date(2023, 12, 14)
"""The first day of statements that run over New Year."""


def paper(label: str, sheet: Sheet, held: Ledger, currency: str, proves: bool = True) -> Made:
    return file_of(f"paper {label}", "statement.pdf", sheet.done(), held, currency, proves)


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


def nationwide(seed: int) -> Made:
    """The year as a row, days printed once, signs of currency in the head."""
    held = book("nationwide", seed, first=TURN, count=12)
    sheet = Sheet()
    sheet.lines(
        (40, "Nationwide Building Society", -550, "FlexAccount"),
        (
            40,
            "Sort code 07-01-16   Account no 12345678",
            -550,
            "Statement date: 12 January 2024   Statement no: 49",
        ),
        (40, "Start balance", -300, f"£{us(held.opening)}", 330, "End balance", -550, f"£{us(held.closing)}"),
        (40, "Date", 90, "Description", -370, "£ Out", -460, "£ In", -550, "£ Balance"),
        (40, "2023", 90, "Balance from statement 48 dated 13/12/2023", -550, us(held.opening)),
    )
    day, year = None, 2023
    for place, row in enumerate(held.rows):
        if row.day.year != year:
            year = row.day.year
            sheet.line(40, f"{year}")
        last = place + 1 == len(held.rows) or held.rows[place + 1].day != row.day
        sheet.line(
            40,
            f"{row.day:%d %b}" if row.day != day else "",
            90,
            row.text,
            -370,
            out(row),
            -460,
            into(row),
            -550,
            us(row.balance) if last else "",
        )
        day = row.day
    return paper("nationwide with years between", sheet, held, "GBP")


def first_direct(seed: int) -> Made:
    """An overdrawn account: D behind balances below zero."""
    held = book("first direct", seed, opening=4_000, largest=30_000)
    sheet = Sheet(foot=lambda page: (200, "first direct, 40 Wakefield Road, Leeds LS98 1FD", -550, f"{page}"))

    def balance(value: Decimal) -> str:
        return f"{us(-value)} D" if value < 0 else us(value)

    sheet.lines(
        (40, "first direct", -550, "1st Account"),
        (40, "4 March to 2 April 2024", -550, "Sortcode 40-47-59   Account Number 01234567"),
        (40, "Account Summary"),
        (40, "Opening Balance", -250, balance(held.opening)),
        (40, "Payments In", -250, us(held.paid_in)),
        (40, "Payments Out", -250, us(held.paid_out)),
        (40, "Closing Balance", -250, balance(held.closing)),
        (40, "Date", 110, "Payment type and details", -380, "Paid out", -460, "Paid in", -550, "Balance"),
        (40, "03 Mar 24", 110, "BALANCE BROUGHT FORWARD", -550, balance(held.opening)),
    )
    for day, rows in held.by_day():
        for place, row in enumerate(rows):
            sheet.line(
                40,
                f"{day:%d %b %y}" if place == 0 else "",
                90,
                "VIS" if row.amount < 0 else "CR",
                110,
                row.text,
                -380,
                out(row),
                -460,
                into(row),
                -550,
                balance(row.balance) if row is rows[-1] else "",
            )
    sheet.line(40, "02 Apr 24", 110, "BALANCE CARRIED FORWARD", -550, balance(held.closing))
    return paper("first direct overdrawn", sheet, held, "GBP")


def virgin_card(seed: int) -> Made:
    """A card with CR behind payments and two dates per row."""
    held = card("virgin", seed, first=TURN)
    sheet = Sheet()
    sheet.lines(
        (40, "Virgin Money Credit Card Statement"),
        (40, "Card number 5358 **** **** 1120", -550, "Statement date 14 January 2024"),
        (40, "Balance from last statement", -300, f"£{us(-held.opening)}"),
        (40, "Payments and credits", -300, f"£{us(held.paid_in)}"),
        (40, "Purchases and charges", -300, f"£{us(held.paid_out)}"),
        (40, "New balance", -300, f"£{us(-held.closing)}"),
        (40, "Minimum payment", -300, "£25.00"),
        (40, "Estimated interest next month", -300, "£12.19"),
        (40, "Transaction", 110, "Posting", 170, "Details", -550, "Amount £"),
        (40, "date", 110, "date"),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d %b}",
            110,
            f"{row.day:%d %b}",
            170,
            row.text,
            -550,
            f"{us(abs(row.amount))}{' CR' if row.amount > 0 else ''}",
        )
    return paper("virgin card with CR", sheet, held, "GBP")


def aib(seed: int) -> Made:
    """Ireland: balances once a day, dr where overdrawn."""
    held = book("aib", seed, opening=9_000, largest=30_000)
    sheet = Sheet()

    def balance(value: Decimal) -> str:
        return f"{us(-value)} dr" if value < 0 else us(value)

    sheet.lines(
        (40, "Allied Irish Banks, p.l.c.", -550, "Personal Bank Account"),
        (40, "Statement of Account with AIB", -550, "IBAN: IE29 AIBK 9311 5212 3456 78"),
        (40, "Date of Statement 2nd April 2024", -550, "Account Number 12345-678"),
        (40, "Date", 110, "Details", -370, "Debit €", -460, "Credit €", -550, "Balance €"),
        (40, "3 Mar 2024", 110, "BALANCE FORWARD", -550, balance(held.opening)),
    )
    for day, rows in held.by_day():
        for place, row in enumerate(rows):
            sheet.line(
                40,
                f"{day.day} {day:%b %Y}" if place == 0 else "",
                110,
                row.text,
                -370,
                out(row),
                -460,
                into(row),
                -550,
                balance(row.balance) if row is rows[-1] else "",
            )
    sheet.lines((110, "Thank you for banking with us"), (40, "Overdrawn balances are marked dr"))
    return paper("aib with dr", sheet, held, "EUR")


def kbc(seed: int) -> Made:
    """Belgium: numbered rows, sign behind, value date at the end."""
    held = book("kbc", seed, DUTCH)
    sheet = Sheet()

    def signed(value: Decimal) -> str:
        return f"{de(abs(value))}{'-' if value < 0 else '+'}"

    sheet.lines(
        (40, "KBC Brussels", -550, "REKENINGUITTREKSEL 003"),
        (40, "BE71 7350 0123 4569", -550, "KREDBEBB   EUR"),
        (40, "Periode van 04-03-2024 tot 02-04-2024"),
        (40, "Saldo op 03-03-2024", -550, signed(held.opening)),
        (40, "Nr.", 70, "Datum", 130, "Omschrijving", 400, "Valuta", -550, "Bedrag"),
    )
    for number, row in enumerate(held.rows, 1):
        sheet.line(
            40,
            f"{number:03}",
            70,
            f"{row.day:%d-%m}",
            130,
            row.text,
            400,
            f"{row.day:%d-%m}",
            -550,
            signed(row.amount),
        )
        sheet.line(130, f"REFERTE {4400 + number} MEDEDELING 0{number}/2024")
    sheet.line(40, "Saldo op 02-04-2024", -550, signed(held.closing))
    return paper("kbc with signs behind", sheet, held, "EUR")


def rabobank(seed: int) -> Made:
    held = book("rabo", seed, DUTCH)
    sheet = Sheet()
    sheet.lines(
        (40, "Rabobank", -550, "Rekeningafschrift"),
        (40, "NL44 RABO 0123 4567 89", -550, "Volgnummer 4"),
        (40, "Datum vanaf 04-03-2024", 200, "Datum t/m 02-04-2024", -550, "Valuta EUR"),
        (
            40,
            "Beginsaldo",
            -180,
            f"{de(held.opening)} CR",
            200,
            "Totaal afgeschreven",
            -370,
            de(held.paid_out),
        ),
        (
            40,
            "Eindsaldo",
            -180,
            f"{de(held.closing)} {'CR' if held.closing >= 0 else 'D'}".replace("-", ""),
            200,
            "Totaal bijgeschreven",
            -370,
            de(held.paid_in),
        ),
        (40, "Rente-", 90, "Omschrijving", -450, "Bedrag af", -550, "Bedrag bij"),
        (40, "datum", -450, "(debet)", -550, "(credit)"),
    )
    for row in held.rows:
        sheet.line(40, f"{row.day:%d-%m}", 90, row.text, -450, out(row, de), -550, into(row, de))
        sheet.line(90, "Betaalautomaat 14:02 pasnr. 021")
    return paper("rabobank af and bij", sheet, held, "EUR")


def erste(seed: int) -> Made:
    """Austria: days as 04.03. without a year over New Year, minus behind."""
    held = book("erste", seed, GERMAN, first=TURN)
    sheet = Sheet()
    sheet.lines(
        (40, "Erste Bank der oesterreichischen Sparkassen AG", -550, "Kontoauszug Nr. 1/2024"),
        (40, "IBAN AT61 2011 1000 1234 5678", -550, "Auszug vom 12.01.2024"),
        (40, "Buchung", 90, "Buchungstext", 400, "Wert", -550, "Betrag EUR"),
        (90, "Alter Kontostand vom 13.12.2023", -550, f"{de(held.opening)}"),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d.%m.}",
            90,
            row.text,
            400,
            f"{row.day:%d.%m.}",
            -550,
            f"{de(abs(row.amount))}{'-' if row.amount < 0 else ''}",
        )
        sheet.line(90, "Zahlungsreferenz 110099")
    sheet.line(
        90,
        "Neuer Kontostand vom 12.01.2024",
        -550,
        f"{de(abs(held.closing))}{'-' if held.closing < 0 else ''}",
    )
    return paper("erste over new year", sheet, held, "EUR")


def sabadell(seed: int) -> Made:
    held = book("sabadell", seed, SPANISH)
    sheet = Sheet()
    sheet.lines(
        (40, "Banco Sabadell", -550, "EXTRACTO DE CUENTA"),
        (40, "IBAN ES12 0081 0123 4500 0123 4567", -550, "DIVISA: EUR"),
        (40, "Periodo: 04/03/2024 - 02/04/2024"),
        (40, "F. OPER.", 95, "CONCEPTO", 330, "F. VALOR", -470, "IMPORTE", -550, "SALDO"),
        (95, "SALDO ANTERIOR", -550, de(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d/%m}",
            95,
            row.text,
            330,
            f"{row.day:%d/%m}",
            -470,
            de(row.amount),
            -550,
            de(row.balance),
        )
    sheet.line(95, "SALDO FINAL", -550, de(held.closing))
    return paper("sabadell without years", sheet, held, "EUR")


def otp(seed: int) -> Made:
    """Hungary: forints without decimals, dates 24.03.04."""
    held = book("otp", seed, places=0, scale=400)
    sheet = Sheet()
    sheet.lines(
        (40, "OTP Bank Nyrt.", -550, "Számlakivonat"),
        (40, "Számlaszám: 11773016-01234567-00000000", -550, "Devizanem: HUF"),
        (40, "Időszak: 2024.03.04 - 2024.04.02"),
        (40, "Könyvelés", 100, "Értéknap", 160, "Megnevezés", -440, "Összeg", -550, "Egyenleg"),
        (160, "NYITÓ EGYENLEG", -550, whole(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%y.%m.%d}",
            100,
            f"{row.day:%y.%m.%d}",
            160,
            row.text,
            -440,
            whole(row.amount),
            -550,
            whole(row.balance),
        )
    sheet.line(160, "ZÁRÓ EGYENLEG", -550, whole(held.closing))
    return paper("otp in forints", sheet, held, "HUF")


def transilvania(seed: int) -> Made:
    """Romania: subtotals and the day's balance between rows."""
    held = book("transilvania", seed, count=12)
    sheet = Sheet()
    sheet.lines(
        (40, "BANCA TRANSILVANIA S.A.", -550, "EXTRAS CONT"),
        (40, "Cod IBAN: RO12 BTRL RONC RT01 2345 6701", -550, "din 04/03/2024 pana in 02/04/2024"),
        (40, "Moneda: RON"),
        (40, "Data", 100, "Descriere", -450, "Debit", -550, "Credit"),
        (100, "SOLD ANTERIOR", -550, us(held.opening)),
    )
    for day, rows in held.by_day():
        for place, row in enumerate(rows):
            sheet.line(
                40, f"{day:%d/%m/%Y}" if place == 0 else "", 100, row.text, -450, out(row), -550, into(row)
            )
        paid = sum((-row.amount for row in rows if row.amount < 0), Decimal(0))
        got = sum((row.amount for row in rows if row.amount > 0), Decimal(0))
        sheet.line(40, f"{day:%d/%m/%Y}", 100, "RULAJ ZI", -450, us(paid), -550, us(got))
        sheet.line(100, "SOLD FINAL ZI", -550, us(rows[-1].balance))
    sheet.lines(
        (100, "RULAJ TOTAL CONT", -450, us(held.paid_out), -550, us(held.paid_in)),
        (100, "SOLD FINAL CONT", -550, us(held.closing)),
    )
    return paper("transilvania with the turnover of each day", sheet, held, "RON")


def emirates(seed: int) -> Made:
    """The United Arab Emirates: newest first."""
    held = book("emirates", seed)
    sheet = Sheet(head=[(40, "Emirates NBD", -550, "STATEMENT OF ACCOUNT")])
    sheet.lines(
        (40, "IBAN AE07 0331 0123 4567 8901 234", -550, "Currency AED"),
        (40, "Period: 04 Mar 2024 to 02 Apr 2024"),
        (40, "Date", 110, "Description", -370, "Debits", -460, "Credits", -550, "Balance"),
    )
    for row in reversed(held.rows):
        sheet.line(
            40,
            f"{row.day:%d%b%y}".upper(),
            110,
            row.text,
            -370,
            out(row),
            -460,
            into(row),
            -550,
            f"{us(row.balance)}Cr" if row.balance >= 0 else f"{us(-row.balance)}Dr",
        )
    sheet.lines(
        (110, "BROUGHT FORWARD", -550, f"{us(held.opening)}Cr"),
    )
    return paper("emirates newest first", sheet, held, "AED")


def maybank(seed: int) -> Made:
    """Malaysia: signs behind amounts, balances without."""
    held = book("maybank", seed, MALAY)
    sheet = Sheet()
    sheet.lines(
        (40, "Maybank Berhad", -550, "TARIKH PENYATA / STATEMENT DATE : 02/04/24"),
        (40, "SAVINGS ACCOUNT", -550, "NOMBOR AKAUN / ACCOUNT NUMBER : 114012-345678"),
        (40, "URUSNIAGA AKAUN / ACCOUNT TRANSACTIONS"),
        (40, "TARIKH MASUK", 130, "BUTIR URUSNIAGA", -450, "JUMLAH URUSNIAGA", -550, "BAKI PENYATA"),
        (
            40,
            "ENTRY DATE",
            130,
            "TRANSACTION DESCRIPTION",
            -450,
            "TRANSACTION AMOUNT",
            -550,
            "STATEMENT BALANCE",
        ),
        (130, "BEGINNING BALANCE", -550, us(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d/%m/%y}",
            130,
            row.text,
            -450,
            behind(row.amount, "-", "+"),
            -550,
            us(row.balance),
        )
        sheet.line(130, "  MAYBANK2U * 0098")
    sheet.lines(
        (130, "ENDING BALANCE :", -550, us(held.closing)),
        (130, "TOTAL DEBIT :", -550, us(held.paid_out)),
        (130, "TOTAL CREDIT :", -550, us(held.paid_in)),
    )
    return paper("maybank with signs behind", sheet, held, "MYR")


def bca(seed: int) -> Made:
    """Indonesia: DB behind what goes out, nothing behind what comes in, a balance only at times, no year."""
    held = book("bca", seed, MALAY, scale=1000, first=date(2024, 3, 1), days=28)
    sheet = Sheet()
    sheet.lines(
        (40, "BANK CENTRAL ASIA", -550, "REKENING TAHAPAN"),
        (40, "KCU SUDIRMAN", -550, "NO. REKENING : 0351234567"),
        (-550, "PERIODE : MARET 2024"),
        (-550, "MATA UANG : IDR"),
        (40, "TANGGAL", 100, "KETERANGAN", 320, "CBG", -440, "MUTASI", -550, "SALDO"),
        (40, "01/03", 100, "SALDO AWAL", -550, us(held.opening)),
    )
    for day, rows in held.by_day():
        for row in rows:
            sheet.line(
                40,
                f"{day:%d/%m}",
                100,
                row.text,
                320,
                "0998",
                -440,
                us(abs(row.amount)),
                445,
                "DB" if row.amount < 0 else "",
                -550,
                us(row.balance) if row is rows[-1] else "",
            )
    sheet.lines(
        (40, "SALDO AWAL :", -250, us(held.opening)),
        (40, "MUTASI CR :", -250, us(held.paid_in), 300, f"{len(held.credits())}"),
        (40, "MUTASI DB :", -250, us(held.paid_out), 300, f"{len(held.debits())}"),
        (40, "SALDO AKHIR :", -250, us(held.closing)),
    )
    return paper("bca with DB only", sheet, held, "IDR")


def kasikorn(seed: int) -> Made:
    held = book("kasikorn", seed)
    sheet = Sheet(page=landscape(LETTER))
    sheet.lines(
        (40, "KASIKORNBANK PCL", -740, "STATEMENT OF SAVINGS ACCOUNT"),
        (40, "Account No. 012-3-45678-9", -740, "Period 04/03/2024 - 02/04/2024     Currency THB"),
        (
            40,
            "Date",
            90,
            "Time",
            140,
            "Description",
            -420,
            "Withdrawal / Deposit",
            -540,
            "Outstanding Balance",
            570,
            "Channel",
        ),
        (40, "04-03-24", 140, "Beginning Balance", -540, us(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d-%m-%y}",
            90,
            "10:42",
            140,
            "Transfer Withdrawal" if row.amount < 0 else "Transfer Deposit",
            -420,
            us(abs(row.amount)),
            -540,
            us(row.balance),
            570,
            "K PLUS",
            640,
            row.text,
        )
    sheet.lines(
        (40, f"Total Withdrawal {len(held.debits())} Items", -420, us(held.paid_out)),
        (40, f"Total Deposit {len(held.credits())} Items", -420, us(held.paid_in)),
    )
    return paper("kasikorn, one column of amounts", sheet, held, "THB")


def standard_bank(seed: int) -> Made:
    """South Africa: month and day as two numbers, minus behind."""
    held = book("standard bank", seed, first=TURN)
    sheet = Sheet()
    sheet.lines(
        (40, "Standard Bank of South Africa", -550, "BANK STATEMENT / TAX INVOICE"),
        (40, "Account Number 10 01 234 567 8", -550, "Statement from 14 December 2023 to 12 January 2024"),
        (40, "BALANCE BROUGHT FORWARD", -550, us(held.opening)),
        (40, "Details", 220, "Service Fee", -350, "Debits", -440, "Credits", 460, "Date", -550, "Balance"),
    )
    for row in held.rows:
        sheet.line(
            40,
            row.text,
            -350,
            f"{out(row)}-" if row.amount < 0 else "",
            -440,
            into(row),
            460,
            f"{row.day:%m %d}",
            -550,
            behind(row.balance),
        )
    sheet.lines(
        (40, "Month-end Balance", -250, f"R{us(held.closing)}"),
        (40, "VAT Summary   Total VAT", -250, "R4.12"),
    )
    return paper("standard bank with 12 14", sheet, held, "ZAR")


def absa(seed: int) -> Made:
    held = book("absa", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "Absa Bank Limited", -550, "Cheque account statement"),
        (40, "Account number 40-1234-5678", -550, "4 Mar 2024 to 2 Apr 2024"),
        (40, "Account Summary:"),
        (40, "Balance Brought Forward", -300, us(held.opening)),
        (40, "Sundry Credits", -300, us(held.paid_in)),
        (40, "Sundry Debits", -300, us(-held.paid_out)),
        (40, "Balance", -300, us(held.closing)),
        (40, "Your transactions"),
        (
            40,
            "Date",
            100,
            "Transaction Description",
            -340,
            "Charge",
            -410,
            "Debit Amount",
            -480,
            "Credit Amount",
            -550,
            "Balance",
        ),
        (40, "4/03/2024", 100, "Bal Brought Forward", -550, us(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day.day}/{row.day:%m/%Y}",
            100,
            row.text,
            350,
            "T",
            -410,
            out(row),
            -480,
            into(row),
            -550,
            us(row.balance),
        )
    sheet.line(40, "CREDIT INTEREST RATE 0,00%   OVERDRAFT LIMIT 20,000.00")
    return paper("absa with a column of charges", sheet, held, "ZAR")


def bancolombia(seed: int) -> Made:
    """Colombia: days as 4/03 without a year, dots of thousands as commas."""
    held = book("bancolombia", seed, SPANISH, scale=1000, first=TURN)
    sheet = Sheet()
    sheet.lines(
        (40, "BANCOLOMBIA S.A.", -550, "ESTADO DE CUENTA"),
        (40, "CUENTA DE AHORROS 231-123456-78", -550, "DESDE: 2023/12/13 HASTA: 2024/01/12"),
        (40, "RESUMEN"),
        (
            40,
            "SALDO ANTERIOR",
            -250,
            f"$ {us(held.opening)}",
            300,
            "TOTAL CARGOS",
            -500,
            f"$ {us(held.paid_out)}",
        ),
        (
            40,
            "TOTAL ABONOS",
            -250,
            f"$ {us(held.paid_in)}",
            300,
            "SALDO ACTUAL",
            -500,
            f"$ {us(held.closing)}",
        ),
        (40, "FECHA", 90, "DESCRIPCIÓN", 280, "SUCURSAL", 350, "DCTO.", -460, "VALOR", -550, "SALDO"),
    )
    for row in held.rows:
        sheet.line(
            40, f"{row.day.day}/{row.day:%m}", 90, row.text, -460, us(row.amount), -550, us(row.balance)
        )
    sheet.line(90, "FIN ESTADO DE CUENTA")
    return paper("bancolombia over new year", sheet, held, "COP")


def banco_chile(seed: int) -> Made:
    """Chile: pesos without cents, cargos and abonos, a balance only at times."""
    held = book("banco chile", seed, SPANISH, places=0, scale=100)
    sheet = Sheet()
    sheet.lines(
        (40, "BANCO DE CHILE", -550, "CARTOLA CUENTA CORRIENTE"),
        (40, "N° de Cuenta: 00-123-45678-90", -550, "Moneda: PESOS CHILENOS"),
        (40, "DESDE 04/03/2024 HASTA 02/04/2024"),
        (
            40,
            "FECHA",
            90,
            "DETALLE DE TRANSACCION",
            280,
            "SUCURSAL",
            -400,
            "CHEQUES O CARGOS",
            -480,
            "DEPOSITOS O ABONOS",
            -550,
            "SALDO",
        ),
        (40, "04/03", 90, "SALDO INICIAL", -550, whole(held.opening)),
    )
    for day, rows in held.by_day():
        for row in rows:
            sheet.line(
                40,
                f"{day:%d/%m}",
                90,
                row.text,
                280,
                "CENTRAL",
                -400,
                whole(-row.amount) if row.amount < 0 else "",
                -480,
                whole(row.amount) if row.amount > 0 else "",
                -550,
                whole(row.balance) if row is rows[-1] else "",
            )
    sheet.line(40, "02/04", 90, "SALDO FINAL", -550, whole(held.closing))
    return paper("banco de chile in pesos", sheet, held, "CLP")


def interbank_card(seed: int) -> Made:
    """Peru: a card in two currencies, each with its own column."""
    held = card("interbank", seed, SPANISH)
    dollars = held.rows[3::4]
    rows = tuple(row for row in held.rows if row not in dollars)
    soles = Decimal("812.40")
    owed = Decimal("55.10")
    sheet = Sheet()
    sheet.lines(
        (40, "INTERBANK", -550, "ESTADO DE CUENTA TARJETA VISA"),
        (40, "Nro. de tarjeta 4213-55XX-XXXX-1290", -550, "Periodo de facturacion 04/03/2024 - 02/04/2024"),
        (-450, "SOLES S/", -550, "DOLARES US$"),
        (40, "Saldo anterior", -450, us(soles), -550, us(owed)),
        (40, "Fecha", 100, "Descripcion", -450, "Soles S/", -550, "Dolares US$"),
    )
    for row in held.rows:
        value = us(-row.amount)
        sheet.line(
            40,
            f"{row.day:%d/%m/%Y}",
            100,
            row.text,
            -450,
            "" if row in dollars else value,
            -550,
            value if row in dollars else "",
        )
    sheet.line(
        40,
        "Saldo actual",
        -450,
        us(soles - sum(row.amount for row in rows)),
        -550,
        us(owed - sum(row.amount for row in dollars)),
    )
    content = sheet.done()
    currencies = tuple("USD" if row in dollars else "PEN" for row in held.rows)
    return Made(
        "statement.pdf",
        content,
        held.rows,
        "PEN",
        "paper interbank in two currencies",
        True,
        currencies=currencies,
    )


def banamex(seed: int) -> Made:
    """Mexico: days as 04 MAR, wrapped descriptions whose amount stands on the last line."""
    held = book("banamex", seed, SPANISH)
    months = {3: "MAR", 4: "ABR"}
    sheet = Sheet()
    sheet.lines(
        (40, "Citibanamex", -550, "ESTADO DE CUENTA AL 2 DE ABRIL DE 2024"),
        (40, "CLABE Interbancaria 002180012345678901", -550, "CUENTA PRIORITY 123 4567890"),
        (40, "Saldo Anterior", -300, f"${us(held.opening)}"),
        (40, f"({len(held.credits())}) Depósitos", -300, f"${us(held.paid_in)}"),
        (40, f"({len(held.debits())}) Retiros", -300, f"${us(held.paid_out)}"),
        (40, "SALDO AL 2 DE ABRIL DE 2024", -300, f"${us(held.closing)}"),
        (40, "DETALLE DE OPERACIONES"),
        (40, "FECHA", 90, "CONCEPTO", -390, "RETIROS", -470, "DEPOSITOS", -550, "SALDO"),
        (90, "SALDO ANTERIOR", -550, us(held.opening)),
    )
    for row in held.rows:
        sheet.line(40, f"{row.day:%d} {months[row.day.month]}", 90, row.text)
        sheet.line(
            90, "RFC XAXX010101000 AUT. 012345", -390, out(row), -470, into(row), -550, us(row.balance)
        )
    return paper("banamex, amounts below the day", sheet, held, "MXN")


def sparebank(seed: int) -> Made:
    """Norway: dates as 0403, out of and into the account."""
    held = book("sparebank", seed, NORDIC)
    sheet = Sheet()
    sheet.lines(
        (40, "SpareBank 1 SMN", -550, "Kontoutskrift nr. 3 for konto 4212 34 56789"),
        (40, "i perioden 04.03.2024 - 02.04.2024", -550, "Valuta NOK"),
        (40, "Forklaring", 280, "Rentedato", -410, "Ut av konto", -490, "Inn på konto", 510, "Bokført"),
        (40, "Saldo fra kontoutskrift 29.02.2024", -490, de(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            row.text,
            280,
            f"{row.day:%d%m}",
            -410,
            out(row, de),
            -490,
            into(row, de),
            510,
            f"{row.day:%d%m}",
        )
    sheet.line(40, "Saldo i Deres favør", -490, de(held.closing))
    return paper("sparebank with 0403", sheet, held, "NOK")


def op_finland(seed: int) -> Made:
    held = book("op", seed, NORDIC)
    sheet = Sheet()
    sheet.lines(
        (40, "OP Helsinki", -550, "TILIOTE 3/2024"),
        (40, "FI21 1234 5600 0007 85", -550, "Kausi 04.03.2024 - 02.04.2024   EUR"),
        (40, "Kirjauspäivä", 110, "Arvopäivä", 170, "Saaja / Maksaja", -550, "Määrä"),
        (170, "ALKUSALDO", -550, f"{comma(held.opening)}+"),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d.%m.}",
            110,
            f"{row.day:%d.%m.}",
            170,
            row.text,
            -550,
            f"{comma(abs(row.amount))}{'-' if row.amount < 0 else '+'}",
        )
        sheet.line(170, "Arkistointitunnus 240304588799T01234")
    sheet.line(170, "LOPPUSALDO", -550, f"{comma(abs(held.closing))}{'-' if held.closing < 0 else '+'}")
    return paper("op in finnish", sheet, held, "EUR")


def migros(seed: int) -> Made:
    held = book("migros", seed, GERMAN)
    sheet = Sheet()
    sheet.lines(
        (40, "Migros Bank AG", -550, "Kontoauszug 04.03.2024 - 02.04.2024"),
        (40, "Privatkonto CHF   IBAN CH93 0076 2011 6238 5295 7"),
        (40, "Datum", 95, "Text", 300, "Valuta", -400, "Belastung", -475, "Gutschrift", -550, "Saldo CHF"),
        (40, "03.03.24", 95, "Saldovortrag", -550, swiss(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d.%m.%y}",
            95,
            row.text,
            300,
            f"{row.day:%d.%m.%y}",
            -400,
            out(row, swiss),
            -475,
            into(row, swiss),
            -550,
            swiss(row.balance),
        )
    sheet.lines(
        (95, "Umsatztotal", -400, swiss(held.paid_out), -475, swiss(held.paid_in)),
        (40, "02.04.24", 95, "Schlusssaldo", -550, swiss(held.closing)),
    )
    return paper("migros with totals", sheet, held, "CHF")


def macquarie(seed: int) -> Made:
    """Australia: years only in the period, month before day, over pages with carried balances."""
    held = book("macquarie", seed, count=24, first=TURN, days=40)
    sheet = Sheet(
        head=[(40, "Macquarie Bank Limited ABN 46 008 583 542", -550, "from 14 Dec 2023 to 23 Jan 2024")]
    )
    sheet.lines(
        (40, "Transaction Account", -550, "account no. 182-182 123456789"),
        (40, "transaction", 110, "description", -390, "debits", -470, "credits", -550, "balance"),
        (40, "Dec 14", 110, "OPENING BALANCE", -550, f"{us(held.opening)} CR"),
    )
    for place, row in enumerate(held.rows):
        sheet.line(
            40,
            f"{row.day:%b %d}",
            110,
            row.text,
            -390,
            out(row),
            -470,
            into(row),
            -550,
            f"{us(abs(row.balance))} {'CR' if row.balance >= 0 else 'DR'}",
        )
        if place == 12:
            sheet.line(
                110, "CARRIED FORWARD", -550, f"{us(abs(row.balance))} {'CR' if row.balance >= 0 else 'DR'}"
            )
            sheet.page()
            sheet.line(
                110, "BROUGHT FORWARD", -550, f"{us(abs(row.balance))} {'CR' if row.balance >= 0 else 'DR'}"
            )
    sheet.line(
        40,
        "Jan 23",
        110,
        "CLOSING BALANCE",
        -550,
        f"{us(abs(held.closing))} {'CR' if held.closing >= 0 else 'DR'}",
    )
    return paper("macquarie carried over pages", sheet, held, "AUD")


def kiwibank(seed: int) -> Made:
    held = book("kiwibank", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "Kiwibank Limited", -550, "Account number 38-9012-0345678-00"),
        (40, "Statement period 4 March 2024 - 2 April 2024", -550, "Currency: NZD"),
        (40, "Date", 90, "Transaction", -370, "Withdrawals", -460, "Deposits", -550, "Balance"),
        (40, "4 Mar", 90, "Opening balance", -550, f"${us(held.opening)}"),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day.day} {row.day:%b}",
            90,
            row.text,
            -370,
            f"-${out(row)}" if row.amount < 0 else "",
            -460,
            f"${into(row)}" if row.amount > 0 else "",
            -550,
            f"{'-' if row.balance < 0 else ''}${us(abs(row.balance))}",
        )
    sheet.lines(
        (90, "Totals", -370, f"-${us(held.paid_out)}", -460, f"${us(held.paid_in)}"),
        (
            40,
            "2 Apr",
            90,
            "Closing balance",
            -550,
            f"{'-' if held.closing < 0 else ''}${us(abs(held.closing))}",
        ),
    )
    return paper("kiwibank with signs in columns", sheet, held, "NZD")


def equity_kenya(seed: int) -> Made:
    held = book("equity", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "EQUITY BANK (KENYA) LIMITED", -550, "ACCOUNT STATEMENT"),
        (40, "Account: 0120123456789", -550, "CURRENCY KES"),
        (40, "Statement Period: 04-03-2024 to 02-04-2024"),
        (
            40,
            "Transaction",
            105,
            "Value",
            165,
            "Particulars",
            -400,
            "Money Out",
            -475,
            "Money In",
            -550,
            "Balance",
        ),
        (40, "Date", 105, "Date"),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d-%m-%Y}",
            105,
            f"{row.day:%d-%m-%Y}",
            165,
            row.text,
            -400,
            out(row),
            -475,
            into(row),
            -550,
            us(row.balance),
        )
    sheet.line(165, "Total", -400, us(held.paid_out), -475, us(held.paid_in))
    return paper("equity without stated ends", sheet, held, "KES", proves=False)


def gtbank(seed: int) -> Made:
    """Nigeria: numbers in brackets for what goes out."""
    held = book("gtbank", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "GUARANTY TRUST BANK PLC", -550, "CUSTOMER STATEMENT"),
        (40, "Account No 0123456789", -550, "Currency Naira (NGN)"),
        (40, "Period 04-Mar-2024 To 02-Apr-2024"),
        (40, "Opening Balance", -300, us(held.opening), 330, "Closing Balance", -550, us(held.closing)),
        (40, "Trans. Date", 110, "Reference", 180, "Remarks", -460, "Amount", -550, "Balance"),
    )
    for number, row in enumerate(held.rows):
        sheet.line(
            40,
            f"{row.day:%d-%b-%Y}",
            110,
            f"FT24{number:05}",
            180,
            row.text,
            -460,
            in_brackets(row.amount),
            -550,
            in_brackets(row.balance),
        )
    return paper("gtbank with brackets", sheet, held, "NGN")


def bpi_card(seed: int) -> Made:
    """The Philippines: a card whose rows abroad carry a second amount on the next line."""
    held = card("bpi", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "BPI  Bank of the Philippine Islands", -550, "STATEMENT OF ACCOUNT"),
        (40, "Customer Number 020100-4-50-1234567", -550, "BPI GOLD MASTERCARD"),
        (40, "Statement Date APRIL 3, 2024", -550, "Statement Balance PHP"),
        (40, "Previous Balance", -550, us(-held.opening)),
        (40, "Transaction", 110, "Posting", 170, "Description", -550, "Amount"),
        (40, "Date", 110, "Date"),
    )
    for place, row in enumerate(held.rows):
        day = f"{row.day:%B} {row.day.day}"
        sheet.line(40, day, 110, day, 170, row.text, -550, us(-row.amount))
        if place % 3 == 1 and row.amount < 0:
            sheet.line(170, f"U.S. Dollar          {us(-row.amount / 56)}")
    sheet.lines((40, "Ending Balance", -550, us(-held.closing)), (40, "Minimum Amount Due", -550, "850.00"))
    return paper("bpi card with amounts abroad below", sheet, held, "PHP")


def nubank(seed: int) -> Made:
    """Brazil: a card; days as 04 MAR, payments with a minus."""
    held = card("nubank", seed, SPANISH)
    months = {3: "MAR", 4: "ABR"}
    sheet = Sheet()
    sheet.lines(
        (40, "Nu Pagamentos S.A.", -550, "FATURA 09 ABR 2024"),
        (40, "EMISSÃO E ENVIO 02 ABR 2024"),
        (40, "RESUMO DA FATURA ATUAL"),
        (40, "Fatura anterior", -300, f"R$ {de(-held.opening)}"),
        (40, "Pagamento recebido", -300, f"-R$ {de(held.paid_in)}"),
        (40, "Total de compras de todos os cartões", -300, f"R$ {de(held.paid_out)}"),
        (40, "Total a pagar", -300, f"R$ {de(-held.closing)}"),
        (40, "TRANSAÇÕES", 200, "DE 04 MAR A 02 ABR", -550, "VALORES EM R$"),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d} {months[row.day.month]}",
            110,
            row.text,
            -550,
            f"{'-' if row.amount > 0 else ''}{de(abs(row.amount))}",
        )
    return paper("nubank card", sheet, held, "BRL")


def two_columns(seed: int) -> Made:
    """A page of two columns of rows, each to be read from top to bottom."""
    held = book("two columns", seed, count=20)
    sheet = Sheet()
    sheet.lines(
        (40, "Harbour Credit Union", -550, "Member 4471   Share draft 0009"),
        (40, "Statement from 03/04/2024 to 04/02/2024   All amounts in US dollars"),
        (
            40,
            "Beginning balance",
            -250,
            f"${us(held.opening)}",
            310,
            "Ending balance",
            -550,
            f"${us(held.closing)}",
        ),
        (40, "Date", 80, "Description", -280, "Amount", 310, "Date", 350, "Description", -550, "Amount"),
    )
    half = len(held.rows) // 2
    for left, right in zip(held.rows[:half], held.rows[half:], strict=True):
        sheet.line(
            40,
            f"{left.day:%m/%d}",
            80,
            left.text,
            -280,
            us(left.amount),
            310,
            f"{right.day:%m/%d}",
            350,
            right.text,
            -550,
            us(right.amount),
        )
    return paper("two columns of rows on a page", sheet, held, "USD")


def card_with_members(seed: int) -> Made:
    """A card with two holders, each with a subtotal, and payments on their own."""
    held = card("members", seed, count=12)
    spent = held.debits()
    sheet = Sheet(page=LETTER)
    sheet.lines(
        (40, "Barrow Federal Bank Visa Signature", -560, "Account ending 3321"),
        (40, "Billing period 03/04/2024 - 04/02/2024"),
        (40, "Previous balance", -300, f"${us(-held.opening)}"),
        (40, "Payments and other credits", -300, f"-${us(held.paid_in)}"),
        (40, "Purchases", -300, f"+${us(held.paid_out)}"),
        (40, "Interest charged", -300, "+$0.00"),
        (40, "New balance", -300, f"${us(-held.closing)}"),
        (40, "Payments and other credits"),
    )
    for row in held.credits():
        sheet.line(40, f"{row.day:%m/%d/%y}", 110, row.text, -560, f"-${us(row.amount)}")
    for name, rows in (
        ("ROBIN MARSH card ending 3321", spent[::2]),
        ("SAM MARSH card ending 7790", spent[1::2]),
    ):
        sheet.line(40, name)
        sheet.line(40, "Date", 110, "Merchant", -560, "Amount")
        for row in rows:
            sheet.line(40, f"{row.day:%m/%d/%y}", 110, row.text, -560, f"${us(-row.amount)}")
        sheet.line(40, f"Subtotal {name}", -560, f"${us(sum((-row.amount for row in rows), Decimal(0)))}")
    return paper("card of two holders", sheet, held, "USD")


def foreign_account(seed: int) -> Made:
    """A dollar account at a bank of Hong Kong, with what the rows were abroad in brackets."""
    held = book("foreign", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "Bank of East Asia", -550, "Foreign Currency Current"),
        (40, "A/C 015-514-68-12345-6", -550, "Statement 04 MAR 2024 - 02 APR 2024   USD"),
        (40, "DATE", 100, "PARTICULARS", -390, "WITHDRAWAL", -470, "DEPOSIT", -550, "BALANCE (USD)"),
        (40, "04 MAR 24", 100, "B/F BALANCE", -550, us(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d %b %y}".upper(),
            100,
            row.text,
            -390,
            out(row),
            -470,
            into(row),
            -550,
            us(row.balance),
        )
        if row.amount < 0:
            sheet.line(100, f"(HKD {us(-row.amount * Decimal('7.82'))} @7.8200)")
    sheet.line(40, "02 APR 24", 100, "C/F BALANCE", -550, us(held.closing))
    return paper("dollars in hong kong with rates below", sheet, held, "USD")


def lost_row(seed: int) -> Made:
    """A row in the middle was cut away; its amount is in the running balance and the ends."""
    held = book("lost row", seed)
    rows = held.rows[:4] + held.rows[5:]
    sheet = Sheet()
    sheet.lines(
        (40, "Metro Bank PLC", -550, "Account 12345678   Sort code 23-05-80"),
        (40, "Statement 4 MAR 2024 to 2 APR 2024   GBP"),
        (40, "Date", 110, "Transaction", -370, "Money out (£)", -460, "Money in (£)", -550, "Balance (£)"),
        (110, "Balance brought forward", -550, us(held.opening)),
    )
    for row in rows:
        sheet.line(
            40, f"{row.day:%d %b %Y}", 110, row.text, -370, out(row), -460, into(row), -550, us(row.balance)
        )
    sheet.line(110, "Closing balance", -550, us(held.closing))
    return Made("statement.pdf", sheet.done(), rows, "GBP", "paper metro with a row cut away", True, True)


def lost_page(seed: int) -> Made:
    """The second of three pages is not in the file; pages state what is carried."""
    held = book("lost page", seed, count=24, days=29)

    def draw(page: int) -> list[Row]:
        return list(held.rows[page * 8 : page * 8 + 8])

    sheet = Sheet(foot=lambda number: (40, "Danske Irish Savings", -550, f"Page {2 * number - 1} of 3"))
    for page in (0, 2):
        rows = draw(page)
        sheet.lines(
            (
                40,
                "Danske Irish Savings   IE64 DABA 9512 3412 3456 78",
                -550,
                "4 March 2024 - 2 April 2024   EUR",
            ),
            (40, "Date", 110, "Text", -460, "Amount", -550, "Balance"),
            (
                110,
                "Carried from previous page" if page else "Opening balance",
                -550,
                us(rows[0].balance - rows[0].amount),
            ),
        )
        for row in rows:
            sheet.line(40, f"{row.day:%d.%m.%Y}", 110, row.text, -460, us(row.amount), -550, us(row.balance))
        if page == 0:
            sheet.line(110, "Carried to next page", -550, us(rows[-1].balance))
            sheet.page()
    sheet.line(110, "Closing balance", -550, us(held.closing))
    rows = tuple(draw(0) + draw(2))
    return Made("statement.pdf", sheet.done(), rows, "EUR", "paper of which a page is missing", True, True)


def signless(seed: int) -> Made:
    """One column without signs and no balances: nothing proves a sign."""
    held = book("signless", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "Lakeside Savings Bank", -550, "Account 5512"),
        (40, "Activity 03/04/2024 - 04/02/2024, U.S. dollars"),
        (40, "Date", 110, "Details", -550, "Amount"),
    )
    for row in held.rows:
        sheet.line(40, f"{row.day:%m/%d/%Y}", 110, row.text, -550, us(abs(row.amount)))
    return paper("lakeside without signs", sheet, held, "USD", proves=False)


def savings_pots(seed: int) -> Made:
    """Two accounts in one paper, each with its own ends and the same columns."""
    one, two = book("pot one", seed, count=7), book("pot two", seed, count=6, opening=80_000)
    sheet = Sheet()
    sheet.lines(
        (40, "Chip & Oak Bank", -550, "Statement 4 March 2024 to 2 April 2024"),
    )
    for name, held in (("Current account 11223344", one), ("Savings account 55667788", two)):
        sheet.lines(
            (40, name, -550, "GBP"),
            (40, "Date", 110, "Description", -460, "Amount", -550, "Balance"),
            (110, "Opening balance", -550, f"£{us(held.opening)}"),
        )
        for row in held.rows:
            sheet.line(
                40,
                f"{row.day:%d/%m/%Y}",
                110,
                row.text,
                -460,
                f"{'-' if row.amount < 0 else '+'}£{us(abs(row.amount))}",
                -550,
                f"{'-' if row.balance < 0 else ''}£{us(abs(row.balance))}",
            )
        sheet.line(110, "Closing balance", -550, f"{'-' if held.closing < 0 else ''}£{us(abs(held.closing))}")
    return Made(
        "statement.pdf", sheet.done(), one.rows + two.rows, "GBP", "paper two accounts of chip and oak", True
    )


def pending(seed: int) -> Made:
    """Pending rows stand in their own section; they are no transactions yet."""
    held = book("pending", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "Tangerine Bank", -550, "Chequing 4001234567   CAD"),
        (40, "Period: 04 Mar 2024 - 02 Apr 2024"),
        (40, "Opening balance", -300, f"${us(held.opening)}"),
        (40, "Closing balance", -300, f"${us(held.closing)}"),
        (40, "Pending transactions (not included in balances)"),
        (40, "02 Apr 2024", 110, "HOLD PETRO 114", -460, "-80.00"),
        (40, "Posted transactions"),
        (40, "Date", 110, "Transaction", -460, "Amount", -550, "Balance"),
    )
    for row in held.rows:
        sheet.line(40, f"{row.day:%d %b %Y}", 110, row.text, -460, us(row.amount), -550, us(row.balance))
    return paper("tangerine with pending rows first", sheet, held, "CAD")


def cut_off(seed: int) -> Made:
    """Two rows stand below the lower edge of the page."""
    held = book("cut off", seed, count=9)
    sheet = Sheet(bottom=-400)
    sheet.lines(
        (40, "Ulster Savings", -550, "Account 99887766"),
        (40, "4 March 2024 to 2 April 2024   GBP"),
        (40, "Opening balance", -300, us(held.opening), 330, "Closing balance", -550, us(held.closing)),
        (40, "Date", 110, "Description", -370, "Paid out", -460, "Paid in", -550, "Balance"),
    )
    for row in held.rows[:-2]:
        sheet.line(
            40, f"{row.day:%d/%m/%Y}", 110, row.text, -370, out(row), -460, into(row), -550, us(row.balance)
        )
    sheet.y = -20
    for row in held.rows[-2:]:
        sheet.line(
            40, f"{row.day:%d/%m/%Y}", 110, row.text, -370, out(row), -460, into(row), -550, us(row.balance)
        )
    return paper("rows below the edge", sheet, held, "GBP")


PAPERS = (
    regions, truist, fifth_third, schwab, usaa, synchrony, scotia, desjardins, nationwide, first_direct, virgin_card,
    aib, kbc, rabobank, erste, sabadell, otp, transilvania, emirates, maybank, bca, kasikorn, standard_bank, absa,
    bancolombia, banco_chile, interbank_card, banamex, sparebank, op_finland, migros, macquarie, kiwibank,
    equity_kenya, gtbank, bpi_card, nubank, two_columns, card_with_members, foreign_account, lost_row, lost_page,
    signless, savings_pots, pending, cut_off,
)  # fmt: skip


def papers(seed: int = 0) -> Iterator[Made]:
    for draw in PAPERS:
        yield draw(seed)
