"""Cards in the manner of other issuers, of our own making; each with the rows that must come out."""

from __future__ import annotations

from tests.statements.pdf.layouts.bank import Made
from tests.statements.pdf.layouts.sheets import Sheet

RIGHT = 570


def charges_by_holder_with_foreign_spend() -> Made:
    """Days marked with a star, payments and credits apart, charges by holder, what was spent abroad beside its amount."""
    sheet = Sheet()
    sheet.row((40, "Blue Card"), (RIGHT, "Closing Date 01/15/24", "right"), step=14)
    sheet.row((40, "PAT SAMPLE"), (RIGHT, "Account Ending 1-23004", "right"), step=20)
    for name, figure in [
        ("Previous Balance", "$100.00"),
        ("Payments/Credits", "-$110.00"),
        ("New Charges", "+$61.00"),
        ("Fees", "+$0.00"),
        ("Interest Charged", "+$0.00"),
        ("New Balance", "$51.00"),
        ("Minimum Payment Due", "$35.00"),
        ("Payment Due Date", "02/09/24"),
        ("Credit Limit", "$9,000.00"),
    ]:
        sheet.row((40, name), (300, figure, "right"))
    sheet.turn()
    sheet.row((40, "Payments and Credits"), step=16, size=12)
    sheet.row((40, "Detail"), (200, "*Indicates posting date"), step=12)
    sheet.row((40, "Payments"), (RIGHT, "Amount", "right"), step=12)
    sheet.row((40, "12/28/23*"), (110, "ONLINE PAYMENT - THANK YOU"), (RIGHT, "-$100.00", "right"))
    sheet.row((40, "Credits"), (RIGHT, "Amount", "right"), step=12)
    sheet.row((40, "01/03/24"), (110, "SHOE BARN"), (RIGHT, "-$10.00", "right"))
    sheet.row((110, "RETURN 88"))
    sheet.row((40, "New Charges"), step=16, size=12)
    sheet.row((40, "Summary"), (RIGHT, "Total", "right"))
    sheet.row((40, "PAT SAMPLE 1-23004"), (RIGHT, "$61.00", "right"))
    sheet.row((40, "Total New Charges"), (RIGHT, "$61.00", "right"), step=20)
    sheet.row((40, "Detail"), step=12)
    sheet.row((40, "PAT SAMPLE"), step=12)
    sheet.row((40, "Card Ending 1-23004"), step=12)
    sheet.row((450, "Foreign Spend"), (RIGHT, "Amount", "right"))
    sheet.row(
        (40, "12/20/23"),
        (110, "HOTEL 5 PARIS FR"),
        (500, "36.00", "right"),
        (RIGHT, "$40.00", "right"),
        step=11,
    )
    sheet.row((110, "LODGING"), (500, "Euros", "right"), step=14)
    sheet.row((40, "01/11/24"), (110, "TAXI 22 NEW YORK NY"), (RIGHT, "$21.00", "right"), step=20)
    sheet.row((40, "Fees"), step=14, size=12)
    sheet.row((RIGHT, "Amount", "right"))
    sheet.row((40, "Total Fees for this Period"), (RIGHT, "$0.00", "right"))
    sheet.row((40, "Interest Charged"), step=14, size=12)
    sheet.row((RIGHT, "Amount", "right"))
    sheet.row((40, "Total Interest Charged for this Period"), (RIGHT, "$0.00", "right"))
    return sheet, [
        ("12/28/23", "ONLINE PAYMENT - THANK YOU", "100.00"),
        ("01/03/24", "SHOE BARN RETURN 88", "10.00"),
        ("12/20/23", "HOTEL 5 PARIS FR 36.00 LODGING Euros", "-40.00"),
        ("01/11/24", "TAXI 22 NEW YORK NY", "-21.00"),
    ]


def sections_as_heads_with_categories() -> Made:
    """Each section is the name of its own column; a category beside purchases; interest without a date."""
    sheet = Sheet()
    sheet.row(
        (40, "EXPLORER IT CARD"), (RIGHT, "OPEN TO CLOSE DATE: 12/19/2023 - 01/18/2024", "right"), step=14
    )
    sheet.row((RIGHT, "ACCOUNT NUMBER ENDING IN 5566", "right"), step=20)
    for name, figure in [
        ("Previous Balance", "$80.00"),
        ("Payments and Credits", "-$85.00"),
        ("Purchases", "+$45.00"),
        ("Fees Charged", "+$0.00"),
        ("Interest Charged", "+$1.50"),
        ("New Balance", "$41.50"),
        ("Minimum Payment Due", "$35.00"),
        ("Credit Line", "$3,000"),
    ]:
        sheet.row((40, name), (300, figure, "right"))
    sheet.turn()
    sheet.row((40, "Transactions"), step=16, size=12)
    sheet.row((40, "TRANS. DATE"), (120, "PAYMENTS AND CREDITS"), (RIGHT, "AMOUNT", "right"))
    sheet.row((40, "01/02"), (120, "INTERNET PAYMENT - THANK YOU"), (RIGHT, "-$80.00", "right"))
    sheet.row((40, "01/05"), (120, "RETURN 7 SHOP"), (RIGHT, "-$5.00", "right"), step=20)
    sheet.row((40, "TRANS. DATE"), (120, "PURCHASES"), (380, "MERCHANT CATEGORY"), (RIGHT, "AMOUNT", "right"))
    sheet.row((40, "12/21"), (120, "GROCER 12 DALLAS TX"), (380, "Supermarkets"), (RIGHT, "$25.00", "right"))
    sheet.row((40, "01/17"), (120, "FUEL 9"), (380, "Gasoline"), (RIGHT, "$20.00", "right"), step=20)
    sheet.row((40, "Fees and Interest Charged"), step=14, size=12)
    sheet.row((40, "TOTAL FEES FOR THIS PERIOD"), (RIGHT, "$0.00", "right"))
    sheet.row((40, "INTEREST CHARGE ON PURCHASES"), (RIGHT, "$1.50", "right"))
    sheet.row((40, "TOTAL INTEREST FOR THIS PERIOD"), (RIGHT, "$1.50", "right"), step=20)
    sheet.row((40, "2024 Totals Year-to-Date"), step=12)
    sheet.row((40, "TOTAL FEES CHARGED IN 2024"), (RIGHT, "$0.00", "right"))
    sheet.row((40, "TOTAL INTEREST CHARGED IN 2024"), (RIGHT, "$1.50", "right"))
    return sheet, [
        ("01/02/2024", "INTERNET PAYMENT - THANK YOU", "80.00"),
        ("01/05/2024", "RETURN 7 SHOP", "5.00"),
        ("12/21/2023", "GROCER 12 DALLAS TX", "-25.00"),
        ("01/17/2024", "FUEL 9", "-20.00"),
        ("01/18/2024", "INTEREST CHARGE ON PURCHASES", "-1.50"),
    ]


def sale_and_post_dates() -> Made:
    """Two dates, of which payments have only the second; a period without blanks around its dash."""
    sheet = Sheet()
    sheet.row((40, "DOUBLE CARD"), (RIGHT, "Billing Period: 12/09/23-01/08/24", "right"), step=14)
    sheet.row((RIGHT, "Account number ending in: 7788", "right"), step=20)
    for name, figure in [
        ("Previous balance", "$10.00"),
        ("Payments", "-$10.00"),
        ("Credits", "-$0.00"),
        ("Purchases", "+$52.00"),
        ("Fees", "+$0.00"),
        ("Interest", "+$0.00"),
        ("New balance", "$52.00"),
        ("Minimum payment due", "$41.00"),
        ("Credit limit", "$1,000"),
    ]:
        sheet.row((40, name), (300, figure, "right"))
    sheet.turn()
    sheet.row((40, "Account Summary"), step=16)
    sheet.row((40, "Sale"), (100, "Post"), step=9, size=8)
    sheet.row((40, "Date"), (100, "Date"), (160, "Description"), (RIGHT, "Amount", "right"), size=8)
    sheet.row((40, "Payments, Credits and Adjustments"), step=12)
    sheet.row((100, "12/30"), (160, "AUTOPAY 000012 AUTO-PMT"), (RIGHT, "-$10.00", "right"))
    sheet.row((40, "Standard Purchases"), step=12)
    sheet.row((40, "12/28"), (100, "12/29"), (160, "DELI 24 NEW YORK NY"), (RIGHT, "$12.00", "right"))
    sheet.row((40, "01/03"), (100, "01/04"), (160, "GYM 5.00 OFF"), (RIGHT, "$40.00", "right"))
    sheet.row((40, "Fees Charged"), step=12)
    sheet.row((160, "Total fees charged in this billing period"), (RIGHT, "$0.00", "right"))
    sheet.row((40, "Interest Charged"), step=12)
    sheet.row((160, "Total interest charged in this billing period"), (RIGHT, "$0.00", "right"))
    return sheet, [
        ("12/30/2023", "AUTOPAY 000012 AUTO-PMT", "10.00"),
        ("12/28/2023", "DELI 24 NEW YORK NY", "-12.00"),
        ("01/03/2024", "GYM 5.00 OFF", "-40.00"),
    ]


LAYOUTS = [charges_by_holder_with_foreign_spend, sections_as_heads_with_categories, sale_and_post_dates]
