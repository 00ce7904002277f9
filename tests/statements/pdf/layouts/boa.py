"""Bank of America statements of our own making, with the traps of the real ones; each with the rows that must come out."""

from __future__ import annotations

from tests.statements.pdf.layouts.sheets import Sheet

Row = tuple[str, str, str]  # date, description, money in (+) or out (−)
DATE, TEXT, MONEY = 45, 110, 567


def head(sheet: Sheet, *names: str) -> None:
    names = names or ("Date", "Description", "Amount")
    sheet.row((DATE, names[0]), (TEXT, names[1]), (MONEY, names[2], "right"), step=14)


def title(sheet: Sheet, text: str) -> None:
    sheet.y += 10
    sheet.put(DATE, text, size=13, font="Helvetica-Bold")
    sheet.y += 18


def entry(sheet: Sheet, date: str, amount: str, *lines: str) -> None:
    sheet.row((DATE, date), (TEXT, lines[0]), (MONEY, amount, "right"), step=11)
    for line in lines[1:]:
        sheet.row((TEXT, line), step=11)
    sheet.y += 3


def summary(sheet: Sheet, account: str, period: tuple[str, str], figures: list[tuple[str, str]]) -> None:
    sheet.row((DATE, "Your Adv Plus Banking"), step=14, size=14)
    sheet.row(
        (DATE, f"for {period[0]} to {period[1]}"), (MONEY, f"Account number: {account}", "right"), step=14
    )
    sheet.row((DATE, "PAT Q SAMPLE"), step=24)
    title(sheet, "Account summary")
    for name, figure in figures:
        sheet.row((DATE, name), (320, figure, "right"), (360, "# of days in cycle: 31"), step=14)


def page_head(sheet: Sheet, account: str, period: tuple[str, str]) -> None:
    sheet.put(DATE, f"PAT Q SAMPLE ! Account # {account} ! {period[0]} to {period[1]}", size=8, y=36)
    sheet.put(MONEY, f"Page {sheet.page + 1} of 4", "right", 8, 770)


CHECKING: list[Row] = [
    ("01/02/24", "ORCHARD LABS DES:PAYROLL ID:XXXXX12345 INDN:SAMPLE PAT CO ID:XXXXX98765 PPD", "2500.00"),
    ("01/16/24", "BKOFAMERICA MOBILE 01/16 XXXXX54321 DEPOSIT *MOBILE CA", "1234567.89"),
    ("01/31/24", "Interest Earned", "0.05"),
    ("01/03/24", "PURCHASE 0102 CORNER GROCER #412 SEATTLE WA", "-41.17"),
    ("01/05/24", "BKOFAMERICA ATM 01/05 #00000123 WITHDRWL PINE & THIRD SEATTLE WA", "-200.00"),
    ("01/12/24", "CHECKCARD 0111 TOTAL WINE 0204 BELLEVUE WA 24000000000000000000001 RECURRING", "-63.99"),
    ("01/15/24", "PURCHASE REFUND 0112 NEW BALANCE 88 BOSTON MA", "18.20"),
    ("01/08/24", "Zelle payment to Robin Elm for 01/07 dinner; Conf# ab12cd34e", "-50.00"),
    (
        "01/20/24",
        "CITY LIGHT DES:UTILITY ID:000111 INDN:PAT SAMPLE CO ID:1600000000 WEB Payment of 01/19/24 for December",
        "-1000.00",
    ),
    ("01/04/24", "Check 1001", "-100.00"),
    ("01/09/24", "Check 1002", "-25.50"),
    ("01/11/24", "Check 1005", "-1750.00"),
    ("01/22/24", "Check 1006", "-9.99"),
    ("01/31/24", "Monthly Maintenance Fee", "-12.00"),
]


def checking(minus: str = "-{}", beginning: str = "$100.00", ending: str = "$1,233,933.49") -> Sheet:
    """Four pages: summary, two tables, a break inside a section, checks side by side, fees, daily balances."""
    sheet, period, account = Sheet(), ("January 1, 2024", "January 31, 2024"), "0012 3456 7890"
    sheet.row(
        (DATE, "Bank of America"),
        (MONEY, "Customer service: 1.800.555.0100 bankofamerica.com", "right"),
        step=30,
        size=10,
    )
    summary(
        sheet,
        account,
        period,
        [
            (f"Beginning balance on {period[0]}", beginning),
            ("Deposits and other additions", "1,237,067.94"),
            ("ATM and debit card subtractions", "-286.96"),
            ("Other subtractions", "-1,050.00"),
            ("Checks", "-1,885.49"),
            ("Service fees", "-12.00"),
            (f"Ending balance on {period[1]}", ending),
        ],
    )
    sheet.row((DATE, "Earn 2% back, up to $50.00, when you open a card by 02/15/24. Ask us how!"), step=20)
    sheet.turn(70)
    page_head(sheet, account, period)
    title(sheet, "Deposits and other additions")
    head(sheet)
    entry(
        sheet,
        "01/02/24",
        "2,500.00",
        "ORCHARD LABS DES:PAYROLL ID:XXXXX12345 INDN:SAMPLE PAT",
        "CO ID:XXXXX98765 PPD",
    )
    entry(sheet, "01/16/24", "1,234,567.89", "BKOFAMERICA MOBILE 01/16 XXXXX54321 DEPOSIT", "*MOBILE CA")
    entry(sheet, "01/31/24", "0.05", "Interest Earned")
    sheet.row((DATE, "Total deposits and other additions"), (MONEY, "$1,237,067.94", "right"))
    title(sheet, "Withdrawals and other subtractions")
    sheet.row((DATE, "ATM and debit card subtractions"), step=14, size=11)
    head(sheet)
    entry(sheet, "01/03/24", minus.format("41.17"), "PURCHASE 0102 CORNER GROCER #412 SEATTLE WA")
    entry(
        sheet,
        "01/05/24",
        minus.format("200.00"),
        "BKOFAMERICA ATM 01/05 #00000123 WITHDRWL PINE & THIRD",
        "SEATTLE WA",
    )
    sheet.row((400, "continued on the next page"), step=14)
    sheet.row(
        (DATE, "Save more with Keep the Change. It is easy to enrol, and 01/31/24 is the last day."), step=14
    )
    sheet.turn(70)
    page_head(sheet, account, period)
    sheet.row((DATE, "ATM and debit card subtractions - continued"), step=14, size=11)
    head(sheet)
    entry(
        sheet,
        "01/12/24",
        minus.format("63.99"),
        "CHECKCARD 0111 TOTAL WINE 0204",
        "BELLEVUE WA 24000000000000000000001",
        "RECURRING",
    )
    entry(sheet, "01/15/24", "18.20", "PURCHASE REFUND 0112 NEW BALANCE 88 BOSTON MA")
    sheet.row((DATE, "Total ATM and debit card subtractions"), (MONEY, "-$286.96", "right"))
    sheet.y += 10
    sheet.row((DATE, "Other subtractions"), step=14, size=11)
    head(sheet)
    entry(
        sheet,
        "01/08/24",
        minus.format("50.00"),
        "Zelle payment to Robin Elm for 01/07 dinner; Conf# ab12cd34e",
    )
    entry(
        sheet,
        "01/20/24",
        minus.format("1,000.00"),
        "CITY LIGHT DES:UTILITY ID:000111 INDN:PAT SAMPLE",
        "CO ID:1600000000 WEB",
        "Payment of 01/19/24 for December",
    )
    entry(sheet, "Processing", minus.format("33.00"), "CHECKCARD 0131 NOT YET POSTED")
    sheet.row((DATE, "Total other subtractions"), (MONEY, "-$1,050.00", "right"))
    sheet.turn(70)
    page_head(sheet, account, period)
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
        (45, "01/04/24"),
        (110, "1001"),
        (250, minus.format("100.00"), "right"),
        (330, "01/11/24"),
        (400, "1005*"),
        (MONEY, minus.format("1,750.00"), "right"),
    )
    sheet.row(
        (45, "01/09/24"),
        (110, "1002"),
        (250, minus.format("25.50"), "right"),
        (330, "01/22/24"),
        (400, "1006"),
        (MONEY, minus.format("9.99"), "right"),
    )
    sheet.row((330, "Total checks"), (MONEY, "-$1,885.49", "right"))
    sheet.row((330, "Total # of checks"), (MONEY, "4", "right"))
    sheet.row((DATE, "* There is a gap in sequential check numbers"), size=8)
    title(sheet, "Service fees")
    head(sheet, "Date", "Transaction description", "Amount")
    entry(sheet, "01/31/24", minus.format("12.00"), "Monthly Maintenance Fee")
    sheet.row((DATE, "Total service fees"), (MONEY, "-$12.00", "right"))
    title(sheet, "Daily ledger balances")
    sheet.row(
        (45, "Date"),
        (220, "Balance ($)", "right"),
        (260, "Date"),
        (400, "Balance($)", "right"),
        (430, "Date"),
        (MONEY, "Balance ($)", "right"),
    )
    sheet.row(
        (45, "01/01"),
        (220, "100.00", "right"),
        (260, "01/05"),
        (400, "2,258.83", "right"),
        (430, "01/31"),
        (MONEY, "1,233,933.49", "right"),
    )
    return sheet


SAVINGS: list[Row] = [
    ("12/20/23", "Online Banking transfer from CHK 7890 Confirmation# 1112223334", "300.00"),
    ("01/05/24", "Interest Earned", "0.42"),
]


def combined() -> Sheet:
    """Checking with nothing in it and savings with two rows over New Year, in one file."""
    sheet, period = Sheet(), ("December 12, 2023", "January 11, 2024")
    sheet.row((DATE, "Bank of America, N.A."), (MONEY, "bankofamerica.com", "right"), step=24)
    sheet.row((DATE, "Your combined statement"), step=14, size=14)
    sheet.row((DATE, f"for {period[0]} to {period[1]}"), step=20)
    sheet.row(
        (DATE, "Your deposit accounts"),
        (260, "Account/plan number"),
        (420, "Ending balance"),
        (520, "Details on"),
        step=14,
    )
    sheet.row(
        (DATE, "Adv Plus Banking"),
        (260, "0012 3456 7890"),
        (480, "$-20.00", "right"),
        (520, "Page 1"),
        step=14,
    )
    sheet.row(
        (DATE, "Advantage Savings"),
        (260, "0099 8877 6655"),
        (480, "$1,300.42", "right"),
        (520, "Page 2"),
        step=30,
    )
    summary(
        sheet,
        "0012 3456 7890",
        period,
        [(f"Beginning balance on {period[0]}", "-$20.00"), (f"Ending balance on {period[1]}", "-$20.00")],
    )
    sheet.turn(70)
    page_head(sheet, "0012 3456 7890", period)
    summary(
        sheet,
        "0099 8877 6655",
        period,
        [
            (f"Beginning balance on {period[0]}", "$1,000.00"),
            ("Deposits and other additions", "300.42"),
            ("Withdrawals and other subtractions", "-0.00"),
            (f"Ending balance on {period[1]}", "$1,300.42"),
        ],
    )
    title(sheet, "Deposits and other additions")
    head(sheet)
    entry(sheet, "12/20/23", "300.00", "Online Banking transfer from CHK 7890", "Confirmation# 1112223334")
    entry(sheet, "01/05/24", "0.42", "Interest Earned")
    sheet.row((DATE, "Total deposits and other additions"), (MONEY, "$300.42", "right"))
    return sheet


CARD: list[Row] = [
    ("12/28/2023", "PAYMENT - THANK YOU", "500.00"),
    ("01/03/2024", "RETURN BOOK BARN PORTLAND OR", "20.00"),
    ("12/16/2023", "CAFE NOIR SEATTLE WA", "-4.75"),
    ("12/31/2023", "AIR EXAMPLE 0012345678901 DALLAS TX DEPART 02/14/24", "-1310.20"),
    ("01/01/2024", "PARKING 24 HOUR SEATTLE WA", "-9.00"),
    ("01/15/2024", "LATE FEE FOR PAYMENT DUE 01/10", "-29.00"),
    ("01/15/2024", "Interest Charged on Purchases", "-7.31"),
]


def card() -> Sheet:
    """A card over New Year: dates without a year, references, totals, interest, year-to-date figures."""
    sheet = Sheet()
    sheet.row((DATE, "BANK OF AMERICA"), (MONEY, "December 16, 2023 - January 15, 2024", "right"), step=18)
    sheet.row((DATE, "Account# 4400 6600 1234 5678"), step=24)
    for name, figure in [
        ("Previous Balance", "$1,000.00"),
        ("Payments and Other Credits", "-$520.00"),
        ("Purchases and Adjustments", "$1,323.95"),
        ("Fees Charged", "$29.00"),
        ("Interest Charged", "$7.31"),
        ("New Balance Total", "$1,840.26"),
        ("Total Credit Line", "$10,000.00"),
        ("Statement Closing Date", "01/15/2024"),
        ("Minimum Payment Due", "$35.00"),
        ("Payment Due Date", "02/12/2024"),
    ]:
        sheet.row((DATE, name), (300, figure, "right"), step=14)
    sheet.turn(60)
    sheet.row((DATE, "Transactions"), step=16, size=14)
    sheet.row(
        (45, "Transaction"),
        (105, "Posting"),
        (400, "Reference", "center"),
        (455, "Account", "center"),
        step=10,
        size=8,
    )
    sheet.row(
        (45, "Date"),
        (105, "Date"),
        (160, "Description"),
        (400, "Number", "center"),
        (455, "Number", "center"),
        (520, "Amount", "right"),
        (MONEY, "Total", "right"),
        size=8,
    )
    _card_section(
        sheet,
        "Payments and Other Credits",
        "-$520.00",
        [
            ("12/28", "12/29", "PAYMENT - THANK YOU", "1234", "-500.00"),
            ("01/03", "01/04", "RETURN BOOK BARN PORTLAND OR", "7788", "-20.00"),
        ],
    )
    _card_section(
        sheet,
        "Purchases and Adjustments",
        "$1,323.95",
        [
            ("12/16", "12/18", "CAFE NOIR SEATTLE WA", "4411", "4.75"),
            ("12/31", "01/02", "AIR EXAMPLE 0012345678901 DALLAS TX|DEPART 02/14/24", "9001", "1,310.20"),
            ("01/01", "01/02", "PARKING 24 HOUR SEATTLE WA", "9007", "9.00"),
        ],
    )
    sheet.turn(60)
    _card_section(
        sheet, "Fees", "$29.00", [("01/15", "01/15", "LATE FEE FOR PAYMENT DUE 01/10", "", "29.00")]
    )
    _card_section(
        sheet, "Interest Charged", "$7.31", [("01/15", "01/15", "Interest Charged on Purchases", "", "7.31")]
    )
    sheet.row((250, "2024 Totals Year-to-Date"), step=14)
    sheet.row((160, "Total fees charged in 2024"), (520, "$29.00", "right"))
    sheet.row((160, "Total interest charged in 2024"), (520, "$7.31", "right"), step=20)
    sheet.row((DATE, "Interest Charge Calculation"), step=14)
    sheet.row((DATE, "Purchases"), (200, "24.99%V"), (400, "$350.10", "right"), (520, "$7.31", "right"))
    return sheet


def _card_section(sheet: Sheet, name: str, total: str, rows: list[tuple[str, str, str, str, str]]) -> None:
    sheet.row((160, name), step=13, size=10)
    for date, posted, text, reference, amount in rows:
        first, *more = text.split("|")
        sheet.row(
            (45, date),
            (105, posted),
            (160, first),
            (400, reference, "center"),
            (455, "5678" if reference else "", "center"),
            (520, amount, "right"),
            step=11,
        )
        for line in more:
            sheet.row((160, line), step=11)
    sheet.row((160, f"TOTAL {name.upper()} FOR THIS PERIOD"), (MONEY, total, "right"), step=16)
