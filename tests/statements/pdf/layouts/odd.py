"""Statements whose tables are laid out unlike the others; of our own making, with the rows that must come out."""

from __future__ import annotations

from tests.statements.pdf.layouts.bank import Made
from tests.statements.pdf.layouts.sheets import Sheet


def heads_that_name_the_section() -> Made:
    """A card whose heads read `DATE – PURCHASES – MERCHANT CATEGORY – AMOUNT`; balances stand below their names."""
    sheet = Sheet()
    sheet.row(
        (40, "OPEN TO CLOSE DATE: 12/21/2023 - 01/20/2024"), (400, "ACCOUNT NUMBER ENDING IN 7788"), step=20
    )
    sheet.row(
        (40, "Previous Balance"),
        (150, "Payments and Credits"),
        (300, "Purchases"),
        (400, "New Balance"),
        step=14,
    )
    sheet.row((40, "$200.00"), (150, "-$210.00"), (300, "+$55.55"), (400, "$47.05"), step=20)
    sheet.row((40, "Minimum Payment Due $35.00"), (300, "Payment Due Date 02/15/2024"), step=14)
    sheet.row((40, "Credit Line $4,000.00"), step=24)
    sheet.row((40, "DATE"), (100, "PAYMENTS AND CREDITS"), (560, "AMOUNT", "right"))
    sheet.row((40, "12/28"), (100, "INTERNET PAYMENT - THANK YOU"), (560, "-$200.00", "right"))
    sheet.row((40, "01/02"), (100, "RIVER TOYS RETURN"), (560, "-$10.00", "right"), step=20)
    sheet.row((40, "DATE"), (100, "PURCHASES"), (380, "MERCHANT CATEGORY"), (560, "AMOUNT", "right"))
    sheet.row((40, "12/22"), (100, "GREEN BISTRO SEATTLE WA"), (380, "Restaurants"), (560, "$50.55", "right"))
    sheet.row(
        (40, "01/19"),
        (100, "RIDE TO AIRPORT"),
        (380, "Travel/ Entertainment"),
        (560, "$5.00", "right"),
        step=20,
    )
    sheet.row((40, "Interest Charged"), step=14)
    sheet.row((100, "Interest Charge on Purchases"), (560, "$1.50", "right"))
    sheet.row((100, "TOTAL INTEREST FOR THIS PERIOD"), (560, "$1.50", "right"))
    return sheet, [
        ("12/28/2023", "INTERNET PAYMENT - THANK YOU", "200.00"),
        ("01/02/2024", "RIVER TOYS RETURN", "10.00"),
        ("12/22/2023", "GREEN BISTRO SEATTLE WA", "-50.55"),
        ("01/19/2024", "RIDE TO AIRPORT", "-5.00"),
        ("01/20/2024", "Interest Charge on Purchases", "-1.50"),
    ]


def amount_before_description() -> Made:
    """Date, amount, then the description, over two lines; markers for machines between the lines."""
    sheet = Sheet()
    sheet.row(
        (40, "Virtual Wallet Statement"), (560, "For the period 01/05/2024 to 02/05/2024", "right"), step=14
    )
    sheet.row((40, "Primary account number: 12-3456-7890"), step=20)
    sheet.row(
        (40, "Beginning balance"),
        (160, "Deposits and other additions"),
        (320, "Checks and other deductions"),
        (480, "Ending balance"),
    )
    sheet.row(
        (100, "640.00", "right"),
        (260, "500.00", "right"),
        (430, "41.20", "right"),
        (540, "1,098.80", "right"),
        step=24,
    )
    sheet.row((40, "*start*deposits and additions"), size=4, step=6)
    sheet.row((40, "Deposits and Other Additions"), step=14, size=11)
    sheet.row((40, "Date"), (160, "Amount", "right"), (190, "Description"))
    sheet.row((40, "01/10"), (160, "500.00", "right"), (190, "Direct Deposit - Payroll"))
    sheet.row((190, "Orchard Labs XXXXX1234"), step=20)
    sheet.row((40, "Banking/Debit Card Withdrawals and Purchases"), step=14, size=11)
    sheet.row((40, "Date"), (160, "Amount", "right"), (190, "Description"))
    sheet.row((40, "01/11"), (160, "21.20", "right"), (190, "4411 Debit Card Purchase Corner Grocer"))
    sheet.row((40, "02/01"), (160, "20.00", "right"), (190, "ATM Withdrawal Main St Cleveland OH"))
    return sheet, [
        ("01/10/2024", "Direct Deposit - Payroll Orchard Labs XXXXX1234", "500.00"),
        ("01/11/2024", "4411 Debit Card Purchase Corner Grocer", "-21.20"),
        ("02/01/2024", "ATM Withdrawal Main St Cleveland OH", "-20.00"),
    ]


LAYOUTS = [heads_that_name_the_section, amount_before_description]
