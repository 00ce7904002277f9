"""Statements with much on the page that is no transaction: side panels, pictures of checks, schedules, rates, rewards, tall heads."""

from __future__ import annotations

from tests.statements.pdf.layouts.bank import Made
from tests.statements.pdf.layouts.boa import DATE, MONEY, entry, head, summary, title
from tests.statements.pdf.layouts.sheets import Sheet

RIGHT = 570


def a_panel_beside_the_table() -> Made:
    """Advertising and phone numbers at the left, on the same lines as the rows at the right."""
    sheet = Sheet()
    sheet.row((40, "MERIDIAN CARD"), (RIGHT, "Statement period 12/20/2023 - 01/19/2024", "right"), step=14)
    sheet.row((RIGHT, "Account number ending in 4477", "right"), step=20)
    for name, figure in [
        ("Previous balance", "$40.00"),
        ("Payments and credits", "-$40.00"),
        ("Purchases", "$73.10"),
        ("New balance", "$73.10"),
        ("Minimum payment due", "$25.00"),
        ("Payment due date", "02/14/2024"),
        ("Credit limit", "$2,000.00"),
    ]:
        sheet.row((210, name), (RIGHT, figure, "right"), step=13)
    sheet.y += 10
    sheet.row((210, "Date"), (260, "Description"), (RIGHT, "Amount", "right"))
    panel = [
        "Questions?",
        "Call 1-800-555-0100",
        "We are here 24/7",
        "Earn 5% on fuel",
        "until 03/31/24",
        "Write to us at",
    ]
    rows = [
        ("12/28", "PAYMENT THANK YOU", "-$40.00"),
        ("12/30", "FUEL 12 GALLONS", "$33.10"),
        ("01/02", "DINER", "$15.00"),
        ("", "TABLE 4 DALLAS TX", ""),
        ("01/11", "BOOKS 2 GO", "$25.00"),
    ]
    for left, (date, text, amount) in zip(panel, rows, strict=False):
        sheet.row((40, left), (210, date), (260, text), (RIGHT, amount, "right"))
    return sheet, [
        ("12/28/2023", "PAYMENT THANK YOU", "40.00"),
        ("12/30/2023", "FUEL 12 GALLONS", "-33.10"),
        ("01/02/2024", "DINER TABLE 4 DALLAS TX", "-15.00"),
        ("01/11/2024", "BOOKS 2 GO", "-25.00"),
    ]


def tables_that_are_none() -> Made:
    """Rates, rewards, a payment schedule and automatic payments to come, each with dates and amounts, around the one that counts."""
    sheet = Sheet()
    sheet.row(
        (40, "ORBIT CREDIT UNION"), (RIGHT, "Statement period: Jan 1, 2024 to Jan 31, 2024", "right"), step=14
    )
    sheet.row((RIGHT, "Member number: 99887766", "right"), step=20)
    sheet.row((40, "Beginning balance"), (300, "$60.00", "right"))
    sheet.row((40, "Ending balance"), (300, "$85.50", "right"), step=20)
    sheet.row((40, "Scheduled payments"), step=14, size=11)
    sheet.row((40, "Date"), (110, "Description"), (RIGHT, "Amount", "right"))
    sheet.row((40, "02/10/24"), (110, "Autopay CAR LOAN"), (RIGHT, "$250.00", "right"), step=20)
    sheet.row((40, "Account activity"), step=14, size=11)
    sheet.row((40, "Date"), (110, "Description"), (480, "Amount", "right"), (RIGHT, "Balance", "right"))
    sheet.row(
        (40, "01/03/24"), (110, "Deposit 3 checks"), (480, "$30.00", "right"), (RIGHT, "$90.00", "right")
    )
    sheet.row(
        (40, "01/09/24"),
        (110, "Debit card 0108 KIOSK"),
        (480, "-$4.50", "right"),
        (RIGHT, "$85.50", "right"),
        step=20,
    )
    sheet.row((40, "Rewards activity"), step=14, size=11)
    sheet.row((40, "Date"), (110, "Description"), (RIGHT, "Amount", "right"))
    sheet.row((40, "01/09/24"), (110, "Cash back earned"), (RIGHT, "$0.05", "right"), step=20)
    sheet.row((40, "Interest rate information"), step=14, size=11)
    sheet.row((40, "Balance"), (200, "Rate"), (RIGHT, "Interest paid year-to-date", "right"))
    sheet.row((40, "$0.00"), (200, "0.05%"), (RIGHT, "$0.00", "right"))
    return sheet, [("01/03/24", "Deposit 3 checks", "30.00"), ("01/09/24", "Debit card 0108 KIOSK", "-4.50")]


def pictures_of_checks() -> Made:
    """Bank of America's last page: pictures of checks with their numbers and amounts below, once more."""
    sheet, period = Sheet(), ("January 1, 2024", "January 31, 2024")
    sheet.row((DATE, "Bank of America"), (MONEY, "bankofamerica.com", "right"), step=24)
    summary(
        sheet,
        "0012 3456 7890",
        period,
        [
            (f"Beginning balance on {period[0]}", "$300.00"),
            ("Deposits and other additions", "10.00"),
            ("Checks", "-120.00"),
            (f"Ending balance on {period[1]}", "$190.00"),
        ],
    )
    sheet.turn(70)
    title(sheet, "Deposits and other additions")
    head(sheet)
    entry(sheet, "01/05/24", "10.00", "Counter Credit")
    sheet.row((DATE, "Total deposits and other additions"), (MONEY, "$10.00", "right"))
    title(sheet, "Checks")
    sheet.row(
        (45, "Date"),
        (110, "Check #"),
        (250, "Amount", "right"),
        (330, "Date"),
        (400, "Check #"),
        (MONEY, "Amount", "right"),
        step=14,
    )
    sheet.row(
        (45, "01/08"),
        (110, "501"),
        (250, "-100.00", "right"),
        (330, "01/19"),
        (400, "502"),
        (MONEY, "-20.00", "right"),
        step=14,
    )
    sheet.row((330, "Total checks"), (MONEY, "-$120.00", "right"))
    sheet.row((330, "Total # of checks"), (MONEY, "2", "right"))
    sheet.turn(70)
    title(sheet, "Check images")
    sheet.row((DATE, "Account number: 0012 3456 7890"), step=100)
    sheet.row(
        (DATE, "Check number: 501  |  Amount: $100.00"),
        (320, "Check number: 502  |  Amount: $20.00"),
        step=14,
    )
    return sheet, [
        ("01/05/24", "Counter Credit", "10.00"),
        ("01/08/2024", "Check 501", "-100.00"),
        ("01/19/2024", "Check 502", "-20.00"),
    ]


def a_head_of_three_lines() -> Made:
    """Names of columns over three lines, amounts that touch neither edge of their names, a column without any name."""
    sheet = Sheet()
    sheet.row((40, "PACIFIC TRUST"), (RIGHT, "Period: 2024-01-01 to 2024-01-31", "right"), step=14)
    sheet.row((RIGHT, "Account no. 445566-01", "right"), step=20)
    sheet.row((400, "Debits", "center"), (475, "Credits", "center"), step=9, size=8)
    sheet.row(
        (40, "Posting"),
        (400, "and", "center"),
        (475, "and", "center"),
        (545, "Account", "center"),
        step=9,
        size=8,
    )
    sheet.row(
        (40, "date"),
        (110, "Description"),
        (400, "charges", "center"),
        (475, "deposits", "center"),
        (545, "balance", "center"),
        size=8,
    )
    sheet.row((110, "Opening balance"), (RIGHT, "1,000.00", "right"))
    for date, text, out, paid, balance in [
        ("2024-01-04", "WIRE OUT 7", "12,345.67", "", "-11,345.67"),
        ("2024-01-05", "WIRE IN 8", "", "12,345.67", "1,000.00"),
        ("2024-01-31", "CHARGE", "1.00", "", "999.00"),
    ]:
        sheet.row(
            (40, date), (110, text), (425, out, "right"), (500, paid, "right"), (RIGHT, balance, "right")
        )
    sheet.row((110, "Closing balance"), (RIGHT, "999.00", "right"))
    return sheet, [
        ("2024-01-04", "WIRE OUT 7", "-12345.67"),
        ("2024-01-05", "WIRE IN 8", "12345.67"),
        ("2024-01-31", "CHARGE", "-1.00"),
    ]


def halves_with_wrapped_rows() -> Made:
    """Two tables beside each other whose descriptions wrap, over two pages."""
    sheet = Sheet()
    sheet.row((40, "LAKESIDE BANK"), (RIGHT, "January 1, 2024 - January 31, 2024", "right"), step=14)
    sheet.row((40, "Beginning balance"), (295, "$500.00", "right"))
    sheet.row((40, "Ending balance"), (295, "$380.00", "right"), step=20)
    rows = [
        ("01/02", ["GROCER 12", "OAK STREET"], "-20.00"),
        ("01/05", ["RENT"], "-130.00"),
        ("01/08", ["CASH", "DEPOSIT 4"], "40.00"),
        ("01/09", ["A"], "-1.00"),
        ("01/20", ["B", "REF 20"], "-2.00"),
        ("01/21", ["C"], "-3.00"),
        ("01/30", ["D", "SECOND"], "-4.00"),
        ("01/31", ["E"], "0.00"),
    ]
    for page in (0, 1):
        sheet.row(
            (40, "Date"),
            (85, "Description"),
            (295, "Amount", "right"),
            (315, "Date"),
            (360, "Description"),
            (RIGHT, "Amount", "right"),
        )
        top = sheet.y
        for half, (x, right) in enumerate(((40, 295), (315, RIGHT))):
            sheet.y = top
            for date, lines, amount in rows[4 * page + 2 * half : 4 * page + 2 * half + 2]:
                sheet.row((x, date), (x + 45, lines[0]), (right, amount, "right"), step=11)
                for line in lines[1:]:
                    sheet.row((x + 45, line), step=11)
        if page == 0:
            sheet.turn()
    return sheet, [
        (f"{date}/2024", " ".join(lines), amount if amount != "0.00" else "0") for date, lines, amount in rows
    ]


LAYOUTS = [
    a_panel_beside_the_table,
    tables_that_are_none,
    pictures_of_checks,
    a_head_of_three_lines,
    halves_with_wrapped_rows,
]
