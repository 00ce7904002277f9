"""Layouts in the manner of banks around the world, of our own making: more columns, other names for them, rows of several lines."""

from __future__ import annotations

from tests.statements.pdf.layouts.bank import Made
from tests.statements.pdf.layouts.sheets import Sheet

RIGHT = 570


def narration_and_closing_balance() -> Made:
    """Seven columns, narrations of three lines with numbers in them, references of sixteen digits, the balances in a table at the end."""
    sheet = Sheet()
    sheet.row((40, "DECCAN BANK LTD"), (RIGHT, "Account No : 50100012345678", "right"), step=14)
    sheet.row(
        (40, "Statement of account From : 01/12/2023 To : 15/01/2024"),
        (RIGHT, "Currency : INR", "right"),
        step=30,
    )
    sheet.row(
        (30, "Date"),
        (80, "Narration"),
        (250, "Chq./Ref.No."),
        (345, "Value Dt"),
        (445, "Withdrawal Amt.", "right"),
        (510, "Deposit Amt.", "right"),
        (585, "Closing Balance", "right"),
        size=8,
    )
    for date, lines, ref, out, paid, balance in [
        (
            "03/12/23",
            ("UPI-CORNER STORE-Q123@YBL-", "YESB0YBLUPI-333712345678-", "PAID 1,250.00 VIA APP"),
            "0000333712345678",
            "1,250.00",
            "",
            "8,750.00",
        ),
        (
            "13/12/23",
            ("NEFT CR-HDFC0000001-ACME PVT", "LTD-SALARY DEC 2023"),
            "HDFCN52023121",
            "",
            "1,25,000.50",
            "1,33,750.50",
        ),
        ("02/01/24", ("CHQ PAID-MICR CTS-NO 05/23",), "000000000123", "33,750.00", "", "1,00,000.50"),
        (
            "15/01/24",
            ("IMPS-401512345678-RENT JAN-", "HDFC-XXXXXXX1234"),
            "0000401512345678",
            "20,000.00",
            "",
            "80,000.50",
        ),
    ]:
        sheet.row(
            (30, date),
            (80, lines[0]),
            (250, ref),
            (345, date),
            (445, out, "right"),
            (510, paid, "right"),
            (585, balance, "right"),
            size=8,
            step=10,
        )
        for line in lines[1:]:
            sheet.row((80, line), size=8, step=10)
        sheet.y += 3
    sheet.y += 16
    sheet.row((30, "STATEMENT SUMMARY :-"), step=14)
    sheet.row(
        (30, "Opening Balance"),
        (150, "Dr Count"),
        (230, "Cr Count"),
        (330, "Debits"),
        (430, "Credits"),
        (520, "Closing Bal"),
        size=8,
    )
    sheet.row(
        (30, "10,000.00"),
        (150, "3"),
        (230, "1"),
        (330, "55,000.00"),
        (430, "1,25,000.50"),
        (520, "80,000.50"),
        size=8,
    )
    return sheet, [
        (
            "03/12/23",
            "UPI-CORNER STORE-Q123@YBL- YESB0YBLUPI-333712345678- PAID 1,250.00 VIA APP",
            "-1250.00",
        ),
        ("13/12/23", "NEFT CR-HDFC0000001-ACME PVT LTD-SALARY DEC 2023", "125000.50"),
        ("02/01/24", "CHQ PAID-MICR CTS-NO 05/23", "-33750.00"),
        ("15/01/24", "IMPS-401512345678-RENT JAN- HDFC-XXXXXXX1234", "-20000.00"),
    ]


def balances_with_cr_and_dr() -> Made:
    """Debit, credit and a balance that says CR or DR; value dates inside descriptions; the account is overdrawn in between."""
    sheet = Sheet()
    sheet.row(
        (40, "COASTLINE BANK OF AUSTRALIA"), (RIGHT, "Account Number 06 2000 12345678", "right"), step=14
    )
    sheet.row(
        (40, "Statement 12 (Page 1 of 1)"),
        (RIGHT, "Statement Period 28 Dec 2023 - 12 Jan 2024", "right"),
        step=14,
    )
    sheet.row((RIGHT, "Closing Balance $38.00 CR", "right"), step=24)
    sheet.row(
        (40, "Date"),
        (100, "Transaction"),
        (400, "Debit", "right"),
        (480, "Credit", "right"),
        (RIGHT, "Balance", "right"),
    )
    sheet.row((40, "28 Dec"), (100, "2023 OPENING BALANCE"), (RIGHT, "$20.00 CR", "right"))
    sheet.row(
        (40, "29 Dec"),
        (100, "Woolies 1234 Sydney NS AUS"),
        (400, "32.00", "right"),
        (RIGHT, "$12.00 DR", "right"),
        step=10,
    )
    sheet.row((100, "Card xx1234 AUD 32.00"), step=10)
    sheet.row((100, "Value Date: 27/12/2023"), step=14)
    sheet.row(
        (40, "02 Jan"),
        (100, "Direct Credit 012345 ACME"),
        (480, "$60.00", "right"),
        (RIGHT, "$48.00 CR", "right"),
    )
    sheet.row((40, "12 Jan"), (100, "Account fee"), (400, "10.00", "right"), (RIGHT, "$38.00 CR", "right"))
    sheet.row((40, "12 Jan"), (100, "2024 CLOSING BALANCE"), (RIGHT, "$38.00 CR", "right"), step=20)
    sheet.row(
        (40, "Opening balance"), (150, "- Total debits"), (270, "+ Total credits"), (390, "= Closing balance")
    )
    sheet.row((40, "$20.00 CR"), (150, "$42.00"), (270, "$60.00"), (390, "$38.00 CR"))
    return sheet, [
        ("29 Dec 2023", "Woolies 1234 Sydney NS AUS Card xx1234 AUD 32.00 Value Date: 27/12/2023", "-32.00"),
        ("02 Jan 2024", "Direct Credit 012345 ACME", "60.00"),
        ("12 Jan 2024", "Account fee", "-10.00"),
    ]


def type_before_money() -> Made:
    """A column of short types between description and money; in before out."""
    sheet = Sheet()
    sheet.row((40, "THISTLE BANK"), (RIGHT, "01 January 2024 to 31 January 2024", "right"), step=14)
    sheet.row((40, "Sort code 30-00-00  Account number 12345678"), step=14)
    sheet.row((40, "Balance on 01 January 2024"), (300, "£100.00", "right"), step=13)
    sheet.row((40, "Balance on 31 January 2024"), (300, "£144.50", "right"), step=20)
    sheet.row(
        (40, "Date"),
        (110, "Description"),
        (300, "Type"),
        (400, "Money In (£)", "right"),
        (490, "Money Out (£)", "right"),
        (RIGHT, "Balance (£)", "right"),
    )
    for date, text, kind, paid, out, balance in [
        ("02 Jan 24", "TESCO STORES 2041", "DEB", "", "5.50", "94.50"),
        ("03 Jan 24", "M SMITH 05JAN24", "FPI", "80.00", "", "174.50"),
        ("31 Jan 24", "COUNCIL TAX 12", "DD", "", "30.00", "144.50"),
    ]:
        sheet.row(
            (40, date),
            (110, text),
            (300, kind),
            (400, paid, "right"),
            (490, out, "right"),
            (RIGHT, balance, "right"),
        )
    return sheet, [
        ("02 Jan 24", "TESCO STORES 2041", "-5.50"),
        ("03 Jan 24", "M SMITH 05JAN24", "80.00"),
        ("31 Jan 24", "COUNCIL TAX 12", "-30.00"),
    ]


def transaction_detail_with_balance() -> Made:
    """One signed amount and a balance, a beginning row inside the table, markers of the bank's machines, a break inside a description."""
    sheet = Sheet()
    sheet.row(
        (40, "METROPOLE BANK, N.A."), (RIGHT, "December 09, 2023 through January 10, 2024", "right"), step=14
    )
    sheet.row((RIGHT, "Account Number: 000000987654321", "right"), step=20)
    sheet.row((40, "CHECKING SUMMARY"), step=14, size=11)
    sheet.row((40, "Beginning Balance"), (300, "$1,250.00", "right"))
    sheet.row((40, "Electronic Withdrawals"), (300, "-1,300.01", "right"))
    sheet.row((40, "Ending Balance"), (300, "-$50.01", "right"), step=20)
    sheet.row((40, "*start*transaction detail"), size=4, step=6)
    sheet.row((40, "TRANSACTION DETAIL"), step=14, size=11)
    sheet.row((40, "DATE"), (90, "DESCRIPTION"), (490, "AMOUNT", "right"), (RIGHT, "BALANCE", "right"))
    sheet.row((90, "Beginning Balance"), (RIGHT, "$1,250.00", "right"))
    sheet.row(
        (40, "12/15"),
        (90, "Card Purchase 12/14 Amazon.Com*2K4 Amzn.Com/Bill WA"),
        (490, "-100.01", "right"),
        (RIGHT, "1,149.99", "right"),
        step=10,
    )
    sheet.row((90, "Card 1234"), step=14)
    sheet.row(
        (40, "01/02"),
        (90, "Orig CO Name:Landlord LLC Orig ID:1234567890 Desc Date:010224"),
        (490, "-1,200.00", "right"),
        (RIGHT, "-50.01", "right"),
        step=10,
    )
    sheet.turn(40)
    sheet.row(
        (40, "METROPOLE BANK, N.A."), (RIGHT, "December 09, 2023 through January 10, 2024", "right"), step=14
    )
    sheet.row((RIGHT, "Account Number: 000000987654321", "right"), step=20)
    sheet.row((40, "TRANSACTION DETAIL (continued)"), step=14, size=11)
    sheet.row((40, "DATE"), (90, "DESCRIPTION"), (490, "AMOUNT", "right"), (RIGHT, "BALANCE", "right"))
    sheet.row(
        (40, "01/10"), (90, "Monthly Service Fee"), (490, "-12.00", "right"), (RIGHT, "-62.01", "right")
    )
    sheet.row(
        (40, "01/10"),
        (90, "Monthly Service Fee Reversal"),
        (490, "12.00", "right"),
        (RIGHT, "-50.01", "right"),
    )
    sheet.row((90, "Ending Balance"), (RIGHT, "-$50.01", "right"))
    sheet.row((40, "*end*transaction detail"), size=4, step=20)
    sheet.row((40, "You were charged a monthly service fee of $12.00 on 01/10."), step=14)
    return sheet, [
        ("12/15/2023", "Card Purchase 12/14 Amazon.Com*2K4 Amzn.Com/Bill WA Card 1234", "-100.01"),
        ("01/02/2024", "Orig CO Name:Landlord LLC Orig ID:1234567890 Desc Date:010224", "-1200.00"),
        ("01/10/2024", "Monthly Service Fee", "-12.00"),
        ("01/10/2024", "Monthly Service Fee Reversal", "12.00"),
    ]


def spaced_signs_by_card_holder() -> Made:
    """A card with two holders, named months without a year, a minus apart from its amount, transactions and fees in parts."""
    sheet = Sheet()
    sheet.row(
        (40, "Venture Card | Visa ending in 1234"),
        (RIGHT, "Dec 8, 2023 - Jan 7, 2024 | 31 days in Billing Cycle", "right"),
        step=24,
    )
    for name, figure in [
        ("Previous Balance", "$120.00"),
        ("Payments", "- $120.00"),
        ("Other Credits", "$0.00"),
        ("Transactions", "+ $55.95"),
        ("Fees Charged", "+ $3.00"),
        ("Interest Charged", "+ $0.00"),
        ("New Balance", "= $58.95"),
        ("Credit Limit", "$4,000.00"),
        ("Minimum Payment Due", "$25.00"),
        ("Payment Due Date", "Feb 2, 2024"),
    ]:
        sheet.row((40, name), (300, figure, "right"), step=13)
    sheet.turn()
    sheet.row((40, "Transactions"), step=16, size=13)
    for holder, part, rows, total in [
        (
            "PAT SAMPLE #1234",
            "Payments, Credits and Adjustments",
            [("Dec 30", "Dec 30", "CAPITAL MOBILE PYMT", "- $120.00")],
            None,
        ),
        (
            "PAT SAMPLE #1234",
            "Transactions",
            [
                ("Dec 8", "Dec 9", "DELI 24SEVEN NYC NY", "$15.95"),
                ("Jan 2", "Jan 3", "TRAIN 7 TICKETS", "$20.00"),
            ],
            "$35.95",
        ),
        (
            "ROBIN SAMPLE #9876",
            "Transactions",
            [("Jan 5", "Jan 7", "CINEMA 12 EUROS 11.00", "$20.00")],
            "$20.00",
        ),
    ]:
        sheet.row((40, f"{holder}: {part}"), step=14, size=11)
        sheet.row((40, "Trans Date"), (110, "Post Date"), (180, "Description"), (RIGHT, "Amount", "right"))
        for date, posted, text, amount in rows:
            sheet.row((40, date), (110, posted), (180, text), (RIGHT, amount, "right"))
        if total:
            sheet.row((40, f"{holder}: Total Transactions"), (RIGHT, total, "right"), step=18)
    sheet.row((40, "Total Transactions for This Period"), (RIGHT, "$55.95", "right"), step=18)
    sheet.row((40, "Fees"), step=14, size=11)
    sheet.row((40, "Trans Date"), (110, "Post Date"), (180, "Description"), (RIGHT, "Amount", "right"))
    sheet.row((40, "Jan 7"), (110, "Jan 7"), (180, "PAPER STATEMENT FEE"), (RIGHT, "$3.00", "right"))
    sheet.row((40, "Total Fees for This Period"), (RIGHT, "$3.00", "right"), step=18)
    sheet.row((40, "Interest Charged"), step=14, size=11)
    sheet.row((40, "Interest Charge on Purchases"), (RIGHT, "$0.00", "right"))
    sheet.row((40, "Total Interest for This Period"), (RIGHT, "$0.00", "right"), step=18)
    return sheet, [
        ("Dec 30, 2023", "CAPITAL MOBILE PYMT", "120.00"),
        ("Dec 8, 2023", "DELI 24SEVEN NYC NY", "-15.95"),
        ("Jan 2, 2024", "TRAIN 7 TICKETS", "-20.00"),
        ("Jan 5, 2024", "CINEMA 12 EUROS 11.00", "-20.00"),
        ("Jan 7, 2024", "PAPER STATEMENT FEE", "-3.00"),
    ]


def two_flows_and_a_daily_balance() -> Made:
    """Additions, subtractions and a balance only at the end of each day; check numbers in a column; totals at the end of the table."""
    sheet = Sheet()
    sheet.row((40, "STAGE COACH BANK"), (RIGHT, "January 31, 2024 Page 1 of 2", "right"), step=14)
    sheet.row((RIGHT, "Account number: 1234567890", "right"), step=20)
    sheet.row((40, "Beginning balance on 1/1"), (300, "$800.00", "right"))
    sheet.row((40, "Ending balance on 1/31"), (300, "$1,415.00", "right"), step=20)
    sheet.row((40, "Transaction history"), step=16, size=12)
    sheet.row(
        (85, "Check"),
        (400, "Deposits/", "right"),
        (480, "Withdrawals/", "right"),
        (RIGHT, "Ending daily", "right"),
        step=10,
        size=8,
    )
    sheet.row(
        (40, "Date"),
        (85, "Number"),
        (130, "Description"),
        (400, "Additions", "right"),
        (480, "Subtractions", "right"),
        (RIGHT, "balance", "right"),
        size=8,
    )
    sheet.row(
        (40, "1/2"), (130, "Purchase authorized on 12/31 Bakery 5 Reno NV"), (480, "15.00", "right"), step=10
    )
    sheet.row((130, "S301234567890123 Card 4321"), step=12)
    sheet.row((40, "1/2"), (85, "1044"), (130, "Check"), (480, "120.00", "right"), (RIGHT, "665.00", "right"))
    sheet.row(
        (40, "1/16"), (130, "Acme Payroll 240115 123456 Sample, Pat"), (400, "1,000.00", "right"), step=12
    )
    sheet.row(
        (40, "1/16"),
        (130, "Recurring Transfer to Savings Ref #Op01234 12/16"),
        (480, "250.00", "right"),
        (RIGHT, "1,415.00", "right"),
    )
    sheet.row((40, "Ending balance on 1/31"), (RIGHT, "1,415.00", "right"))
    sheet.row((40, "Totals"), (400, "$1,000.00", "right"), (480, "$385.00", "right"))
    return sheet, [
        ("1/2/2024", "Purchase authorized on 12/31 Bakery 5 Reno NV S301234567890123 Card 4321", "-15.00"),
        ("1/2/2024", "Check 1044", "-120.00"),
        ("1/16/2024", "Acme Payroll 240115 123456 Sample, Pat", "1000.00"),
        ("1/16/2024", "Recurring Transfer to Savings Ref #Op01234 12/16", "-250.00"),
    ]


def value_dates_and_groups_with_points() -> Made:
    """Booking and value day, decimal comma, a sign behind the amount, old and new balance on lines of their own, purpose over lines."""
    sheet = Sheet()
    sheet.row((40, "Sparbank Musterstadt"), (RIGHT, "Kontoauszug 1/2024", "right"), step=14)
    sheet.row(
        (40, "IBAN: DE02 1203 0000 0000 2020 51"), (RIGHT, "vom 29.12.2023 bis 31.01.2024", "right"), step=24
    )
    sheet.row((40, "Buchung"), (110, "Wert"), (180, "Verwendungszweck"), (RIGHT, "Betrag EUR", "right"))
    sheet.row((180, "Alter Saldo vom 29.12.2023"), (RIGHT, "1.234,56+", "right"))
    sheet.row(
        (40, "02.01."),
        (110, "02.01."),
        (180, "Lastschrift STROMWERK GMBH"),
        (RIGHT, "1.084,56-", "right"),
        step=10,
    )
    sheet.row((180, "Rechnung 4711 vom 28.12.2023 ueber 84,56"), step=13)
    sheet.row(
        (40, "15.01."), (110, "16.01."), (180, "Gutschrift MUELLER"), (RIGHT, "50,00+", "right"), step=10
    )
    sheet.row((180, "Miete 01.2024"), step=13)
    sheet.row((180, "Neuer Saldo vom 31.01.2024"), (RIGHT, "200,00+", "right"))
    return sheet, [
        ("02.01.2024", "Lastschrift STROMWERK GMBH Rechnung 4711 vom 28.12.2023 ueber 84,56", "-1084.56"),
        ("15.01.2024", "Gutschrift MUELLER Miete 01.2024", "50.00"),
    ]


LAYOUTS = [
    narration_and_closing_balance,
    balances_with_cr_and_dr,
    type_before_money,
    transaction_detail_with_balance,
    spaced_signs_by_card_holder,
    two_flows_and_a_daily_balance,
    value_dates_and_groups_with_points,
]
