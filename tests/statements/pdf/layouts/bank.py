"""Statements in the manner of other banks of North America, of our own making; each with the rows that must come out."""

from __future__ import annotations

from tests.statements.pdf.layouts.boa import Row
from tests.statements.pdf.layouts.sheets import Sheet

Made = tuple[Sheet, list[Row]]


def sections_without_signs() -> Made:
    """A bank that prints no signs: sections say the direction, dates have no year, the table stands over New Year."""
    sheet = Sheet()
    sheet.row(
        (40, "FIRST HARBOR BANK"), (570, "December 15, 2023 through January 16, 2024", "right"), step=14
    )
    sheet.row((570, "Account Number: 000000123456789", "right"), step=30)
    sheet.row((40, "CHECKING SUMMARY"), step=14, size=11)
    sheet.row((240, "INSTANCES"), (400, "AMOUNT", "right"))
    for name, count, figure in [
        ("Beginning Balance", "", "$1,000.00"),
        ("Deposits and Additions", "2", "2,000.01"),
        ("Checks Paid", "1", "-75.00"),
        ("ATM & Debit Card Withdrawals", "2", "-130.40"),
        ("Fees", "1", "-12.00"),
        ("Ending Balance", "6", "$2,782.61"),
    ]:
        sheet.row((40, name), (260, count), (400, figure, "right"), step=13)
    sheet.y += 16
    sheet.row((40, "DEPOSITS AND ADDITIONS"), step=14, size=11)
    sheet.row((40, "DATE"), (110, "DESCRIPTION"), (570, "AMOUNT", "right"))
    sheet.row(
        (40, "12/20"),
        (110, "Online Transfer From Sav ...1234 Transaction#: 1900"),
        (570, "$2,000.00", "right"),
    )
    sheet.row((40, "01/16"), (110, "Interest Payment"), (570, ".01", "right"))
    sheet.row((40, "Total Deposits and Additions"), (570, "$2,000.01", "right"), step=24)
    sheet.row((40, "CHECKS PAID"), step=14, size=11)
    sheet.row((40, "CHECK NO."), (150, "DESCRIPTION"), (400, "DATE PAID"), (570, "AMOUNT", "right"))
    sheet.row((40, "1501 ^"), (400, "01/04"), (570, "$75.00", "right"))
    sheet.row((40, "Total Checks Paid"), (570, "$75.00", "right"), step=24)
    sheet.turn()
    sheet.row((40, "ATM & DEBIT CARD WITHDRAWALS"), step=14, size=11)
    sheet.row((40, "DATE"), (110, "DESCRIPTION"), (570, "AMOUNT", "right"))
    sheet.row(
        (40, "12/29"), (110, "Card Purchase 12/28 Total Gas 77 Austin TX Card 4321"), (570, "$30.40", "right")
    )
    sheet.row((40, "01/02"), (110, "ATM Withdrawal 01/02 500 Elm St"), (570, "100.00", "right"))
    sheet.row((110, "Austin TX Card 4321"))
    sheet.row((40, "Total ATM & Debit Card Withdrawals"), (570, "$130.40", "right"), step=24)
    sheet.row((40, "FEES"), step=14, size=11)
    sheet.row((40, "DATE"), (110, "DESCRIPTION"), (570, "AMOUNT", "right"))
    sheet.row((40, "01/16"), (110, "Monthly Service Fee"), (570, "$12.00", "right"))
    sheet.row((40, "Total Fees"), (570, "$12.00", "right"), step=24)
    sheet.row((40, "DAILY ENDING BALANCE"), step=14, size=11)
    sheet.row((40, "DATE"), (200, "AMOUNT", "right"), (300, "DATE"), (450, "AMOUNT", "right"))
    sheet.row((40, "12/20"), (200, "$3,000.00", "right"), (300, "01/02"), (450, "2,869.60", "right"))
    return sheet, [
        ("12/20/2023", "Online Transfer From Sav ...1234 Transaction#: 1900", "2000.00"),
        ("01/16/2024", "Interest Payment", "0.01"),
        ("01/04/2024", "Check 1501", "-75.00"),
        ("12/29/2023", "Card Purchase 12/28 Total Gas 77 Austin TX Card 4321", "-30.40"),
        ("01/02/2024", "ATM Withdrawal 01/02 500 Elm St Austin TX Card 4321", "-100.00"),
        ("01/16/2024", "Monthly Service Fee", "-12.00"),
    ]


def card_with_thin_rows() -> Made:
    """A card whose rows stand close together; payments are negative."""
    sheet = Sheet()
    sheet.row((40, "ACCOUNT SUMMARY"), step=14)
    for name, figure in [
        ("Account Number: XXXX XXXX XXXX 9911", ""),
        ("Previous Balance", "$300.00"),
        ("Payment, Credits", "-$300.00"),
        ("Purchases", "+$88.51"),
        ("New Balance", "$88.51"),
        ("Opening/Closing Date", "12/06/23 - 01/05/24"),
        ("Credit Access Line", "$5,000"),
        ("Minimum Payment Due", "$25.00"),
        ("Payment Due Date: 02/02/24", ""),
    ]:
        sheet.row((40, name), (300, figure, "right"), step=13)
    sheet.y += 20
    sheet.row((40, "ACCOUNT ACTIVITY"), step=14, size=12)
    sheet.row((40, "Date of", "left"), step=8, size=7)
    sheet.row(
        (40, "Transaction"),
        (120, "Merchant Name or Transaction Description"),
        (560, "$ Amount", "right"),
        size=7,
    )
    sheet.row((40, "PAYMENTS AND OTHER CREDITS"), step=8, size=7)
    sheet.row((40, "12/30"), (120, "Payment Thank You-Mobile"), (560, "-300.00", "right"), step=8, size=7)
    sheet.row((40, "PURCHASE"), step=8, size=7)
    sheet.row(
        (40, "12/07"), (120, "SQ *BAKERY BY THE LAKE Chicago IL"), (560, "8.50", "right"), step=8, size=7
    )
    sheet.row(
        (40, "01/04"),
        (120, "AMAZON MKTPL*AB1CD2EF3 Amzn.com/bill WA"),
        (560, "80.01", "right"),
        step=8,
        size=7,
    )
    sheet.row((120, "Order Number 111-2223334-5556667"), step=20, size=7)
    sheet.row((200, "2024 Totals Year-to-Date"), step=10, size=7)
    sheet.row((120, "Total fees charged in 2024"), (560, "$0.00", "right"), size=7)
    return sheet, [
        ("12/30/2023", "Payment Thank You-Mobile", "300.00"),
        ("12/07/2023", "SQ *BAKERY BY THE LAKE Chicago IL", "-8.50"),
        ("01/04/2024", "AMAZON MKTPL*AB1CD2EF3 Amzn.com/bill WA Order Number 111-2223334-5556667", "-80.01"),
    ]


def two_columns_and_a_daily_balance() -> Made:
    """Deposits and withdrawals in their own columns; the balance stands on the last row of each day; the head has two lines."""
    sheet = Sheet()
    sheet.row((40, "Everyday Checking"), step=14, size=14)
    sheet.row((40, "January 31, 2024 - Page 1 of 2"), step=20)
    sheet.row(
        (40, "Statement period activity summary"),
        (340, "Account number: 9876543210 (primary account)"),
        step=14,
    )
    for name, figure in [
        ("Beginning balance on 1/1", "$500.25"),
        ("Deposits/Additions", "1,250.00"),
        ("Withdrawals/Subtractions", "- 1,802.10"),
        ("Ending balance on 1/31", "-$51.85"),
    ]:
        sheet.row((40, name), (300, figure, "right"), step=13)
    sheet.y += 20
    sheet.row((40, "Transaction history"), step=16, size=12)
    sheet.row(
        (95, "Check"),
        (400, "Deposits/", "right"),
        (480, "Withdrawals/", "right"),
        (565, "Ending daily", "right"),
        step=10,
        size=8,
    )
    sheet.row(
        (40, "Date"),
        (95, "Number"),
        (140, "Description"),
        (400, "Additions", "right"),
        (480, "Subtractions", "right"),
        (565, "balance", "right"),
        size=8,
    )
    sheet.row(
        (40, "1/2"),
        (140, "Mill Works Payroll 240102 0001 Sample Pat"),
        (400, "1,250.00", "right"),
        (565, "1,750.25", "right"),
    )
    sheet.row((40, "1/5"), (140, "Purchase authorized on 01/03 Green Market"), (480, "52.10", "right"))
    sheet.row((140, "Denver CO S304003000000000 Card 1111"))
    sheet.row((40, "1/5"), (95, "204"), (140, "Check"), (480, "1,400.00", "right"), (565, "298.15", "right"))
    sheet.row(
        (40, "1/30"),
        (140, "Recurring Transfer to Savings"),
        (480, "350.00", "right"),
        (565, "-51.85", "right"),
    )
    sheet.row((40, "Ending balance on 1/31"), (565, "-51.85", "right"))
    sheet.row((40, "Totals"), (400, "$1,250.00", "right"), (480, "$1,802.10", "right"), step=20)
    sheet.row(
        (40, "The Ending Daily Balance does not reflect any pending withdrawals or holds on deposited funds.")
    )
    return sheet, [
        ("1/2/2024", "Mill Works Payroll 240102 0001 Sample Pat", "1250.00"),
        (
            "1/5/2024",
            "Purchase authorized on 01/03 Green Market Denver CO S304003000000000 Card 1111",
            "-52.10",
        ),
        ("1/5/2024", "Check 204", "-1400.00"),
        ("1/30/2024", "Recurring Transfer to Savings", "-350.00"),
    ]


def named_months_and_spaced_signs() -> Made:
    """A card with `Jan 5` twice per row and `- $50.00`, one table per holder."""
    sheet = Sheet()
    sheet.row((40, "Venture Card | ending in 4242"), step=14)
    sheet.row((40, "Dec 19, 2023 - Jan 18, 2024 | 31 days in Billing Cycle"), step=20)
    for name, figure in [
        ("Previous Balance", "$50.00"),
        ("Payments", "- $50.00"),
        ("Transactions", "+ $1,204.99"),
        ("New Balance", "= $1,204.99"),
        ("Credit Limit", "$9,000.00"),
        ("Minimum Payment Due", "$25.00"),
        ("Payment Due Date", "Feb 12, 2024"),
    ]:
        sheet.row((40, name), (300, figure, "right"), step=13)
    sheet.y += 20
    sheet.row((40, "PAT SAMPLE #4242: Payments, Credits and Adjustments"), step=14, size=10)
    sheet.row((40, "Trans Date"), (120, "Post Date"), (200, "Description"), (560, "Amount", "right"))
    sheet.row(
        (40, "Jan 2"), (120, "Jan 3"), (200, "CAPITAL MOBILE PYMT"), (560, "- $50.00", "right"), step=20
    )
    sheet.row((40, "PAT SAMPLE #4242: Transactions"), step=14, size=10)
    sheet.row((40, "Trans Date"), (120, "Post Date"), (200, "Description"), (560, "Amount", "right"))
    sheet.row((40, "Dec 30"), (120, "Jan 2"), (200, "HOTEL MERIDIAN PARIS"), (560, "$1,199.99", "right"))
    sheet.row((200, "1,090.90 EUR"))
    sheet.row((200, "Exchange Rate 1.0999"))
    sheet.row((40, "Jan 15"), (120, "Jan 16"), (200, "STREAMBOX 24 MONTHLY"), (560, "$5.00", "right"))
    sheet.row((40, "PAT SAMPLE #4242: Total Transactions"), (560, "$1,204.99", "right"), step=20)
    sheet.row((40, "Interest Charged"), step=14)
    sheet.row((200, "Interest Charge on Purchases"), (560, "$0.00", "right"))
    sheet.row((200, "Total Interest for This Period"), (560, "$0.00", "right"))
    return sheet, [
        ("Jan 2, 2024", "CAPITAL MOBILE PYMT", "50.00"),
        ("Dec 30, 2023", "HOTEL MERIDIAN PARIS 1,090.90 EUR Exchange Rate 1.0999", "-1199.99"),
        ("Jan 15, 2024", "STREAMBOX 24 MONTHLY", "-5.00"),
    ]


def category_and_running_balance() -> Made:
    """Signs apart from amounts, a category column, a balance on every row."""
    sheet = Sheet()
    sheet.row((40, "360 Checking - 36000001234"), step=14)
    sheet.row((40, "STATEMENT PERIOD Jan 1 - Jan 31, 2024"), step=20)
    sheet.row(
        (40, "DATE"),
        (100, "DESCRIPTION"),
        (340, "CATEGORY"),
        (480, "AMOUNT", "right"),
        (565, "BALANCE", "right"),
    )
    sheet.row((40, "Jan 1"), (100, "Opening Balance"), (565, "$10.00", "right"), step=14)
    sheet.row(
        (40, "Jan 4"),
        (100, "Deposit from Orchard Labs PAYROLL"),
        (340, "Credit"),
        (480, "+ $900.00", "right"),
        (565, "$910.00", "right"),
        step=14,
    )
    sheet.row(
        (40, "Jan 9"),
        (100, "Debit Card Purchase - OPENING BALANCE"),
        (340, "Debit"),
        (480, "- $12.34", "right"),
        (565, "$897.66", "right"),
        step=10,
    )
    sheet.row((100, "YOGA SAN JOSE CA"), step=14)
    sheet.row(
        (40, "Jan 31"),
        (100, "Monthly Interest Paid"),
        (340, "Credit"),
        (480, "+ $0.07", "right"),
        (565, "$897.73", "right"),
        step=14,
    )
    sheet.row((40, "Jan 31"), (100, "Closing Balance"), (565, "$897.73", "right"))
    return sheet, [
        ("Jan 4, 2024", "Deposit from Orchard Labs PAYROLL", "900.00"),
        ("Jan 9, 2024", "Debit Card Purchase - OPENING BALANCE YOGA SAN JOSE CA", "-12.34"),
        ("Jan 31, 2024", "Monthly Interest Paid", "0.07"),
    ]


def subtracted_and_added() -> Made:
    """Names of columns stand left of their amounts."""
    sheet = Sheet()
    sheet.row((40, "Checking Activity 42000001111"), step=14)
    sheet.row((40, "January 1 - January 31, 2024"), step=20)
    sheet.row(
        (40, "Date"), (90, "Description"), (330, "Amount Subtracted"), (430, "Amount Added"), (520, "Balance")
    )
    sheet.row((40, "01/01/24"), (90, "Opening Balance"), (570, "2,000.00", "right"))
    sheet.row(
        (40, "01/03/24"),
        (90, "ACH Electronic Debit BRIGHT POWER"),
        (405, "120.05", "right"),
        (570, "1,879.95", "right"),
    )
    sheet.row(
        (40, "01/10/24"),
        (90, "Transfer From Savings 01:22p #1234 ONLINE"),
        (490, "1,000,000.00", "right"),
        (570, "1,001,879.95", "right"),
    )
    sheet.row((90, "Reference # 000123"))
    sheet.row((40, "01/31/24"), (90, "Closing Balance"), (570, "1,001,879.95", "right"))
    sheet.row((40, "Total Subtracted/Added"), (405, "120.05", "right"), (490, "1,000,000.00", "right"))
    return sheet, [
        ("01/03/24", "ACH Electronic Debit BRIGHT POWER", "-120.05"),
        ("01/10/24", "Transfer From Savings 01:22p #1234 ONLINE Reference # 000123", "1000000.00"),
    ]


def starred_dates() -> Made:
    """A card whose dates carry a star, with `$` on every amount and blocks per card; the foot repeats."""
    sheet = Sheet()
    sheet.row((40, "Blue Card"), (560, "Closing Date 01/20/24", "right"), step=14)
    sheet.row((40, "Account Ending 1-23456"), step=20)
    for name, figure in [
        ("Previous Balance", "$60.00"),
        ("Payments/Credits", "-$75.25"),
        ("New Charges", "+$41.00"),
        ("New Balance", "$25.75"),
        ("Minimum Payment Due", "$25.75"),
        ("Payment Due Date", "02/14/24"),
        ("Credit Limit", "$2,000.00"),
    ]:
        sheet.row((40, name), (300, figure, "right"), step=13)
    sheet.y += 16
    sheet.row((40, "Payments and Credits"), step=16, size=12)
    sheet.row((40, "Summary"), step=14)
    sheet.row((480, "Total", "right"))
    sheet.row((40, "Payments"), (480, "-$60.00", "right"))
    sheet.row((40, "Credits"), (480, "-$15.25", "right"))
    sheet.row((40, "Total Payments and Credits"), (480, "-$75.25", "right"), step=18)
    sheet.row((40, "Detail"), (120, "*Indicates posting date"), step=14)
    sheet.row((40, "Payments"), (560, "Amount", "right"), step=14)
    sheet.row((40, "01/05/24*"), (110, "MOBILE PAYMENT - THANK YOU"), (560, "-$60.00", "right"), step=18)
    sheet.row((40, "Credits"), (560, "Amount", "right"), step=14)
    sheet.row((40, "01/09/24"), (110, "GADGET HUT RETURN"), (560, "-$15.25", "right"), step=12)
    sheet.put(40, "Continued on next page", y=740)
    sheet.turn()
    sheet.row((40, "New Charges"), step=16, size=12)
    sheet.row((40, "Detail"), step=14)
    sheet.row((560, "Amount", "right"), step=14)
    sheet.row(
        (40, "01/11/24"),
        (110, "RIVER CAFE 0123 LONDON"),
        (440, "18.00", "right"),
        (560, "$22.75", "right"),
        step=11,
    )
    sheet.row((110, "RESTAURANT"), (440, "Pounds Sterling", "right"), step=14)
    sheet.row((40, "01/18/24"), (110, "NEW BALANCE STORE 12 NY"), (560, "$18.25", "right"), step=18)
    return sheet, [
        ("01/05/24", "MOBILE PAYMENT - THANK YOU", "60.00"),
        ("01/09/24", "GADGET HUT RETURN", "15.25"),
        ("01/11/24", "RIVER CAFE 0123 LONDON 18.00 RESTAURANT Pounds Sterling", "-22.75"),
        ("01/18/24", "NEW BALANCE STORE 12 NY", "-18.25"),
    ]


def once_a_day() -> Made:
    """Canadian: the date once a day, a row's second line carries its amounts, the balance once a day."""
    sheet = Sheet()
    sheet.row(
        (40, "Royal Maple Bank of Canada"),
        (560, "From December 20, 2023 to January 19, 2024", "right"),
        step=16,
    )
    sheet.row((560, "Your account number: 01234-5678901", "right"), step=20)
    sheet.row((40, "Your opening balance on December 20, 2023"), (400, "$410.00", "right"), step=13)
    sheet.row((40, "Total deposits into your account"), (400, "+ 1,000.00", "right"), step=13)
    sheet.row((40, "Total withdrawals from your account"), (400, "- 233.20", "right"), step=13)
    sheet.row((40, "Your closing balance on January 19, 2024"), (400, "= $1,176.80", "right"), step=24)
    sheet.row((40, "Details of your account activity"), step=16, size=12)
    sheet.row(
        (40, "Date"),
        (90, "Description"),
        (390, "Withdrawals ($)", "right"),
        (475, "Deposits ($)", "right"),
        (560, "Balance ($)", "right"),
    )
    sheet.row((90, "Opening Balance"), (560, "410.00", "right"))
    sheet.row((40, "22 Dec"), (90, "Payroll Deposit"))
    sheet.row((90, "ORCHARD LABS"), (475, "1,000.00", "right"))
    sheet.row((90, "Contactless Interac purchase - 4411"))
    sheet.row((90, "CORNER STORE"), (390, "13.20", "right"), (560, "1,396.80", "right"))
    sheet.row((40, "5 Jan"), (90, "e-Transfer sent"))
    sheet.row((90, "Robin Elm"), (390, "200.00", "right"))
    sheet.row((90, "Monthly fee"), (390, "20.00", "right"), (560, "1,176.80", "right"))
    sheet.row((90, "Closing Balance"), (560, "$1,176.80", "right"))
    return sheet, [
        ("22 Dec 2023", "Payroll Deposit ORCHARD LABS", "1000.00"),
        ("22 Dec 2023", "Contactless Interac purchase - 4411 CORNER STORE", "-13.20"),
        ("5 Jan 2024", "e-Transfer sent Robin Elm", "-200.00"),
        ("5 Jan 2024", "Monthly fee", "-20.00"),
    ]


LAYOUTS = [
    sections_without_signs,
    card_with_thin_rows,
    two_columns_and_a_daily_balance,
    named_months_and_spaced_signs,
    category_and_running_balance,
    subtracted_and_added,
    starred_dates,
    once_a_day,
]
