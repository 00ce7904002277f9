"""Layouts of no bank in particular, each built around one trap of real statements; each with the rows that must come out."""

from __future__ import annotations

from tests.statements.pdf.layouts.bank import Made
from tests.statements.pdf.layouts.sheets import Sheet

RIGHT = 570


def _top(sheet: Sheet, name: str, period: str, account: str, *figures: tuple[str, str]) -> None:
    sheet.row((40, name), (RIGHT, period, "right"), step=14, size=11)
    sheet.row((RIGHT, f"Account number: {account}", "right"), step=24)
    for label, figure in figures:
        sheet.row((40, label), (300, figure, "right"), step=13)
    sheet.y += 16


def two_tables_side_by_side() -> Made:
    """Transactions in two columns: the left half of the page is read before the right one."""
    sheet = Sheet()
    _top(
        sheet,
        "LAKESIDE BANK",
        "January 1, 2024 - January 31, 2024",
        "552-118",
        ("Beginning balance", "$500.00"),
        ("Ending balance", "$430.50"),
    )
    sheet.row(
        (40, "Date"),
        (85, "Description"),
        (295, "Amount", "right"),
        (315, "Date"),
        (360, "Description"),
        (RIGHT, "Amount", "right"),
    )
    for left, right in (
        (("01/02", "GROCER 12", "-20.00"), ("01/15", "PAYROLL", "100.00")),
        (("01/05", "RENT FOR 2 ROOMS", "-130.00"), ("01/20", "BOOKS 3 FOR 2", "-9.50")),
        (("01/09", "CASH DEPOSIT", "40.00"), ("01/31", "FEE", "-50.00")),
    ):
        sheet.row(
            (40, left[0]),
            (85, left[1]),
            (295, left[2], "right"),
            (315, right[0]),
            (360, right[1]),
            (RIGHT, right[2], "right"),
        )
    return sheet, [
        ("01/02/2024", "GROCER 12", "-20.00"),
        ("01/05/2024", "RENT FOR 2 ROOMS", "-130.00"),
        ("01/09/2024", "CASH DEPOSIT", "40.00"),
        ("01/15/2024", "PAYROLL", "100.00"),
        ("01/20/2024", "BOOKS 3 FOR 2", "-9.50"),
        ("01/31/2024", "FEE", "-50.00"),
    ]


def dates_left_out() -> Made:
    """One amount column, and a date only where the day changes."""
    sheet = Sheet()
    _top(
        sheet,
        "UNION SAVINGS",
        "12/20/2023 to 01/19/2024",
        "88-2231",
        ("Opening balance", "1,000.00"),
        ("Closing balance", "938.75"),
    )
    sheet.row((40, "Date"), (110, "Description"), (RIGHT, "Amount", "right"))
    for date, text, amount in (
        ("12/28", "CARD 5512 MARKET", "-12.25"),
        ("", "CARD 5512 PHARMACY 24", "-9.00"),
        ("01/03", "TRANSFER IN", "10.00"),
        ("", "CARD 5512 KIOSK", "-50.00"),
    ):
        sheet.row((40, date), (110, text), (RIGHT, amount, "right"))
    return sheet, [
        ("12/28/2023", "CARD 5512 MARKET", "-12.25"),
        ("12/28/2023", "CARD 5512 PHARMACY 24", "-9.00"),
        ("01/03/2024", "TRANSFER IN", "10.00"),
        ("01/03/2024", "CARD 5512 KIOSK", "-50.00"),
    ]


def carried_from_page_to_page() -> Made:
    """Paid out, paid in and balance; each page ends with what is carried forward and begins with what is brought forward."""
    sheet = Sheet()
    _top(sheet, "MOOR BANK", "Statement period 28 Dec 2023 to 12 Jan 2024", "20-11-41 33445566")
    rows = [
        ("28 Dec", "CARD PAYMENT TO SHOP 123", "20.00", "", "£980.00"),
        ("", "DIRECT DEBIT WATER", "30.00", "", "950.00"),
        ("02 Jan", "SALARY ACME LTD", "", "2,000.00", "2,950.00"),
        ("05 Jan", "RENT 05 JAN 1,100.00 PLUS FEE", "1,101.50", "", "1,848.50"),
        ("", "CASH 04JAN 200.00", "200.00", "", "1,648.50"),
        ("12 Jan", "REFUND", "", "1.50", "1,650.00"),
    ]
    for page, part in enumerate((rows[:3], rows[3:])):
        sheet.row(
            (40, "Date"),
            (100, "Payment type and details"),
            (400, "Paid out", "right"),
            (480, "Paid in", "right"),
            (RIGHT, "Balance", "right"),
        )
        brought = (
            ("27 Dec", "BALANCE BROUGHT FORWARD", "£1,000.00")
            if page == 0
            else ("02 Jan", "BALANCE BROUGHT FORWARD", "2,950.00")
        )
        sheet.row((40, brought[0]), (100, brought[1]), (RIGHT, brought[2], "right"))
        for date, text, out, paid, balance in part:
            sheet.row(
                (40, date), (100, text), (400, out, "right"), (480, paid, "right"), (RIGHT, balance, "right")
            )
        carried = "2,950.00" if page == 0 else "1,650.00"
        sheet.row((100, "BALANCE CARRIED FORWARD"), (RIGHT, carried, "right"))
        if page == 0:
            sheet.turn()
    return sheet, [
        ("28 Dec 2023", "CARD PAYMENT TO SHOP 123", "-20.00"),
        ("28 Dec 2023", "DIRECT DEBIT WATER", "-30.00"),
        ("02 Jan 2024", "SALARY ACME LTD", "2000.00"),
        ("05 Jan 2024", "RENT 05 JAN 1,100.00 PLUS FEE", "-1101.50"),
        ("05 Jan 2024", "CASH 04JAN 200.00", "-200.00"),
        ("12 Jan 2024", "REFUND", "1.50"),
    ]


def card_in_four_sections() -> Made:
    """Payments, purchases, fees and interest; credits with a minus behind, dates without a year over New Year, totals of each section."""
    sheet = Sheet()
    _top(
        sheet,
        "PRAIRIE VISA",
        "Billing period: 12/12/2023 - 01/11/2024",
        "4147 XXXX XXXX 9920",
        ("Previous balance", "$310.00"),
        ("Payments", "$310.00-"),
        ("Other credits", "$15.25-"),
        ("Purchases", "$88.40"),
        ("Fees charged", "$29.00"),
        ("Interest charged", "$1.02"),
        ("New balance", "$103.17"),
        ("Credit limit", "$5,000.00"),
        ("Minimum payment due", "$25.00"),
    )
    sections = [
        (
            "Payments and Credits",
            "$325.25-",
            [
                ("12/30", "12/31", "PAYMENT RECEIVED -- THANK YOU", "310.00-"),
                ("01/04", "01/05", "RETURN SHOES 4 LESS", "15.25-"),
            ],
        ),
        (
            "Purchases",
            "$88.40",
            [
                ("12/12", "12/13", "DINER 1220 OMAHA NE", "18.40"),
                ("12/31", "01/02", "FUEL STOP 24 LINCOLN NE", "40.00"),
                ("01/11", "01/11", "BOOKS 01/10 ORDER 7.99 SHIP", "30.00"),
            ],
        ),
        ("Fees", "$29.00", [("01/10", "01/10", "LATE FEE", "29.00")]),
        (
            "Interest Charged",
            "$1.02",
            [
                ("01/11", "01/11", "INTEREST CHARGE ON PURCHASES", "1.02"),
                ("01/11", "01/11", "INTEREST CHARGE ON CASH ADVANCES", "0.00"),
            ],
        ),
    ]
    for name, total, rows in sections:
        sheet.row((40, name), step=14, size=11)
        sheet.row((40, "Trans date"), (110, "Post date"), (180, "Description"), (RIGHT, "Amount", "right"))
        for date, posted, text, amount in rows:
            sheet.row((40, date), (110, posted), (180, text), (RIGHT, amount, "right"))
        sheet.row((180, f"Total {name} for this period"), (RIGHT, total, "right"), step=20)
    sheet.row((40, "2024 totals year-to-date"), step=13)
    sheet.row((40, "Total fees charged in 2024"), (300, "$29.00", "right"))
    return sheet, [
        ("12/30/2023", "PAYMENT RECEIVED -- THANK YOU", "310.00"),
        ("01/04/2024", "RETURN SHOES 4 LESS", "15.25"),
        ("12/12/2023", "DINER 1220 OMAHA NE", "-18.40"),
        ("12/31/2023", "FUEL STOP 24 LINCOLN NE", "-40.00"),
        ("01/11/2024", "BOOKS 01/10 ORDER 7.99 SHIP", "-30.00"),
        ("01/10/2024", "LATE FEE", "-29.00"),
        ("01/11/2024", "INTEREST CHARGE ON PURCHASES", "-1.02"),
        ("01/11/2024", "INTEREST CHARGE ON CASH ADVANCES", "0"),
    ]


def foreign_amounts_beside_ours() -> Made:
    """A column of foreign amounts left of the one that counts; rates below the row."""
    sheet = Sheet()
    _top(
        sheet,
        "HARBOR CARD",
        "Statement period 01/01/2024 - 01/31/2024",
        "5500 0000 0000 0004",
        ("Beginning balance", "$0.00"),
        ("Ending balance", "-$75.30"),
    )
    sheet.row(
        (40, "Date"), (110, "Description"), (430, "Foreign amount", "right"), (RIGHT, "Amount", "right")
    )
    sheet.row((40, "01/05"), (110, "HOTEL LISBOA"), (430, "50.00 EUR", "right"), (RIGHT, "-$55.00", "right"))
    sheet.row((110, "1 EUR = 1.10 USD"))
    sheet.row((40, "01/09"), (110, "CORNER SHOP"), (RIGHT, "-$12.30", "right"))
    sheet.row((40, "01/11"), (110, "TAXI ZURICH"), (430, "7.00 CHF", "right"), (RIGHT, "-$8.00", "right"))
    return sheet, [
        ("01/05/2024", "HOTEL LISBOA 1 EUR = 1.10 USD", "-55.00"),
        ("01/09/2024", "CORNER SHOP", "-12.30"),
        ("01/11/2024", "TAXI ZURICH", "-8.00"),
    ]


def parentheses_and_subtotals() -> Made:
    """Negative amounts in parentheses, a currency sign far away, a subtotal after each day, and a total that is a shop's name."""
    sheet = Sheet()
    _top(
        sheet,
        "CREDIT UNION OF THE HILLS",
        "For 01/01/24 through 01/31/24",
        "7711",
        ("Previous balance", "$ 2,000.00"),
        ("New balance", "$ 1,862.50"),
    )
    sheet.row(
        (40, "Post date"),
        (110, "Transaction description"),
        (480, "Amount", "right"),
        (RIGHT, "Balance", "right"),
    )
    sheet.row(
        (40, "01/03/24"),
        (110, "Withdrawal POS TOTAL WINE 88"),
        (420, "$"),
        (480, "(37.50)", "right"),
        (RIGHT, "1,962.50", "right"),
    )
    sheet.row(
        (40, "01/03/24"),
        (110, "Withdrawal ACH POWER"),
        (480, "(200.00)", "right"),
        (RIGHT, "1,762.50", "right"),
    )
    sheet.row((110, "Subtotal 01/03/24"), (480, "(237.50)", "right"))
    sheet.row(
        (40, "01/15/24"),
        (110, "Deposit Share Draft 100"),
        (480, "100.00", "right"),
        (RIGHT, "1,862.50", "right"),
    )
    sheet.row((110, "Subtotal 01/15/24"), (480, "100.00", "right"))
    return sheet, [
        ("01/03/24", "Withdrawal POS TOTAL WINE 88", "-37.50"),
        ("01/03/24", "Withdrawal ACH POWER", "-200.00"),
        ("01/15/24", "Deposit Share Draft 100", "100.00"),
    ]


def accounts_by_heading() -> Made:
    """Two accounts in one file, named by a heading with the end of their number."""
    sheet = Sheet()
    sheet.row((40, "RIVER BANK"), (RIGHT, "Statement period: Dec 20, 2023 - Jan 19, 2024", "right"), step=24)
    for name, opening, closing, rows in (
        (
            "Everyday Checking - account ending in 1234",
            "$10.00",
            "$15.00",
            [("Dec 28", "Coffee 2 go", "-5.00", "5.00"), ("Jan 2", "Deposit", "10.00", "15.00")],
        ),
        (
            "Growth Savings - account ending in 9876",
            "$200.00",
            "$201.00",
            [("Jan 19", "Interest", "1.00", "201.00")],
        ),
    ):
        sheet.row((40, name), step=18, size=12)
        sheet.row((40, "Date"), (110, "Details"), (480, "Amount", "right"), (RIGHT, "Balance", "right"))
        sheet.row((40, "Dec 20"), (110, "Opening balance"), (RIGHT, opening, "right"))
        for date, text, amount, balance in rows:
            sheet.row((40, date), (110, text), (480, amount, "right"), (RIGHT, balance, "right"))
        sheet.row((40, "Jan 19"), (110, "Closing balance"), (RIGHT, closing, "right"), step=30)
    return sheet, [
        ("Dec 28, 2023", "Coffee 2 go", "-5.00"),
        ("Jan 2, 2024", "Deposit", "10.00"),
        ("Jan 19, 2024", "Interest", "1.00"),
    ]


def checks_three_in_a_line() -> Made:
    """Numbers before dates, three checks in a line, a gap that is marked, and a last line that is not full."""
    sheet = Sheet()
    _top(
        sheet,
        "FARMERS BANK",
        "January 1, 2024 through January 31, 2024",
        "100200300",
        ("Beginning Balance", "$1,000.00"),
        ("Ending Balance", "$846.00"),
    )
    sheet.row((40, "CHECKS PAID"), step=14, size=11)
    sheet.row(
        *(
            cell
            for x in (40, 220, 400)
            for cell in ((x, "Number"), (x + 60, "Date"), (x + 150, "Amount", "right"))
        )
    )
    checks = [
        ("1001", "01/04", "10.00"),
        ("1002", "01/05", "20.00"),
        ("1003*", "01/05", "1.00"),
        ("1005", "01/09", "3.00"),
        ("1006", "01/30", "120.00"),
    ]
    for start in (0, 3):
        sheet.row(
            *(
                cell
                for place, (number, date, amount) in enumerate(checks[start : start + 3])
                for cell in (
                    (40 + 180 * place, number),
                    (100 + 180 * place, date),
                    (190 + 180 * place, amount, "right"),
                )
            )
        )
    sheet.row((40, "Total checks paid: 5"), (190, "$154.00", "right"))
    return sheet, [
        ("01/04/2024", "Check 1001", "-10.00"),
        ("01/09/2024", "Check 1005", "-3.00"),
        ("01/05/2024", "Check 1002", "-20.00"),
        ("01/30/2024", "Check 1006", "-120.00"),
        ("01/05/2024", "Check 1003", "-1.00"),
    ]


LAYOUTS = [
    two_tables_side_by_side,
    dates_left_out,
    carried_from_page_to_page,
    card_in_four_sections,
    foreign_amounts_beside_ours,
    parentheses_and_subtotals,
    accounts_by_heading,
    checks_three_in_a_line,
]
