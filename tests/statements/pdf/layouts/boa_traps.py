"""Bank of America statements with traps that the plain ones lack: references, card subtotals, several accounts, two-column summaries."""

from __future__ import annotations

from tests.statements.pdf.layouts.bank import Made
from tests.statements.pdf.layouts.boa import DATE, MONEY, TEXT, entry, head, page_head, summary, title
from tests.statements.pdf.layouts.sheets import Sheet

PERIOD = ("December 16, 2023", "January 16, 2024")


def business_with_references() -> Made:
    """Two references beside each amount, cards with subtotals, amounts and dates inside wrapped descriptions, checks with references."""
    sheet, account = Sheet(), "0012 3456 7890"
    sheet.row((DATE, "Bank of America, N.A."), (MONEY, "bankofamerica.com/smallbusiness", "right"), step=24)
    sheet.row((DATE, "Your Business Advantage Fundamentals Banking"), step=14, size=14)
    sheet.row(
        (DATE, f"for {PERIOD[0]} to {PERIOD[1]}"), (MONEY, f"Account number: {account}", "right"), step=24
    )
    title(sheet, "Account summary")
    for name, figure, other in [
        (f"Beginning balance on {PERIOD[0]}", "$5,000.00", "# of deposits/credits: 2"),
        ("Deposits and other credits", "3,450.00", "# of withdrawals/debits: 5"),
        ("Withdrawals and other debits", "-1,360.55", "# of items-previous cycle: 2"),
        ("Checks", "-1,011.11", "# of days in cycle: 32"),
        ("Service fees", "-16.00", "Average ledger balance: $6,120.44"),
        (f"Ending balance on {PERIOD[1]}", "$6,062.34", ""),
    ]:
        sheet.row((DATE, name), (300, figure, "right"), (330, other), step=14)
    sheet.turn(70)
    page_head(sheet, account, PERIOD)
    title(sheet, "Deposits and other credits")
    names = (
        (DATE, "Date"),
        (100, "Transaction description"),
        (340, "Customer reference"),
        (430, "Bank reference"),
        (MONEY, "Amount", "right"),
    )
    sheet.row(*names, step=14)
    sheet.row(
        (DATE, "12/18/23"),
        (100, "WIRE TYPE:WIRE IN DATE: 121823 TIME:0912 ET"),
        (340, "2023121800"),
        (430, "903712180012"),
        (MONEY, "3,000.00", "right"),
        step=11,
    )
    sheet.row((100, "INV 1,234.56 AND 1,765.44"), step=14)
    sheet.row(
        (DATE, "01/08/24"), (100, "Counter Credit"), (430, "813001080"), (MONEY, "450.00", "right"), step=14
    )
    sheet.row((DATE, "Total deposits and other credits"), (MONEY, "$3,450.00", "right"))
    title(sheet, "Withdrawals and other debits")
    sheet.row(*names, step=14)
    sheet.row(
        (DATE, "12/29/23"),
        (100, "GUSTO DES:NET 123456 ID:6SEM"),
        (340, ""),
        (430, "902563001"),
        (MONEY, "-1,000.00", "right"),
        step=11,
    )
    sheet.row((100, "01/05 PAY DATE 2,000.00 YTD"), step=14)
    sheet.row((DATE, "Card account # XXXX XXXX XXXX 9231"), step=14)
    sheet.row(
        (DATE, "12/20/23"),
        (100, "CHECKCARD 1219 OFFICE BARN #12"),
        (430, "902312190"),
        (MONEY, "-45.55", "right"),
        step=11,
    )
    sheet.row((100, "24445003353000112233445"), step=14)
    sheet.row(
        (DATE, "01/02/24"),
        (100, "PURCHASE 0101 FUEL 365.00 GAL"),
        (430, "902301010"),
        (MONEY, "-65.00", "right"),
        step=14,
    )
    sheet.row(
        (DATE, "Subtotal for card account # XXXX XXXX XXXX 9231"), (MONEY, "-$110.55", "right"), step=14
    )
    sheet.row((DATE, "Card account # XXXX XXXX XXXX 1178"), step=14)
    sheet.row(
        (DATE, "01/03/24"),
        (100, "CHECKCARD 0102 SUBTOTAL CAFE"),
        (430, "902301020"),
        (MONEY, "-250.00", "right"),
        step=14,
    )
    sheet.row(
        (DATE, "Subtotal for card account # XXXX XXXX XXXX 1178"), (MONEY, "-$250.00", "right"), step=14
    )
    sheet.row((DATE, "Total withdrawals and other debits"), (MONEY, "-$1,360.55", "right"))
    title(sheet, "Checks")
    sheet.row(
        (45, "Date"),
        (95, "Check #"),
        (150, "Bank reference"),
        (290, "Amount", "right"),
        (320, "Date"),
        (370, "Check #"),
        (430, "Bank reference"),
        (MONEY, "Amount", "right"),
        step=14,
    )
    sheet.row(
        (45, "12/19/23"),
        (95, "2201"),
        (150, "813009192"),
        (290, "-1,000.00", "right"),
        (320, "01/10/24"),
        (370, "2203*"),
        (430, "813009193"),
        (MONEY, "-11.11", "right"),
        step=14,
    )
    sheet.row((320, "Total checks"), (MONEY, "-$1,011.11", "right"))
    sheet.row((320, "Total # of checks"), (MONEY, "2", "right"))
    title(sheet, "Service fees")
    sheet.row(
        (
            DATE,
            "The Monthly Fee on your Business Advantage account was charged for the period ending 12/29/23:",
        ),
        step=14,
    )
    head(sheet, "Date", "Transaction description", "Amount")
    entry(sheet, "12/29/23", "-16.00", "Monthly Fee Business Adv Fundamentals")
    sheet.row((DATE, "Total service fees"), (MONEY, "-$16.00", "right"))
    sheet.row((DATE, "Note your Ending Balance already reflects the subtraction of Service Fees."), step=14)
    return sheet, [
        ("12/18/23", "WIRE TYPE:WIRE IN DATE: 121823 TIME:0912 ET INV 1,234.56 AND 1,765.44", "3000.00"),
        ("01/08/24", "Counter Credit", "450.00"),
        ("12/29/23", "GUSTO DES:NET 123456 ID:6SEM 01/05 PAY DATE 2,000.00 YTD", "-1000.00"),
        ("12/20/23", "CHECKCARD 1219 OFFICE BARN #12 24445003353000112233445", "-45.55"),
        ("01/02/24", "PURCHASE 0101 FUEL 365.00 GAL", "-65.00"),
        ("01/03/24", "CHECKCARD 0102 SUBTOTAL CAFE", "-250.00"),
        ("12/19/23", "Check 2201", "-1000.00"),
        ("01/10/24", "Check 2203", "-11.11"),
        ("12/29/23", "Monthly Fee Business Adv Fundamentals", "-16.00"),
    ]


def two_accounts_on_one_page() -> Made:
    """Checking ends and savings begins on the same page; both have rows, and the overview names both before any of them."""
    sheet = Sheet()
    sheet.row((DATE, "Bank of America, N.A."), (MONEY, "bankofamerica.com", "right"), step=24)
    sheet.row((DATE, "Your combined statement"), step=14, size=14)
    sheet.row((DATE, f"for {PERIOD[0]} to {PERIOD[1]}"), step=20)
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
        (480, "$130.00", "right"),
        (520, "Page 2"),
        step=14,
    )
    sheet.row(
        (DATE, "Advantage Savings"),
        (260, "0099 8877 6655"),
        (480, "$1,070.25", "right"),
        (520, "Page 2"),
        step=14,
    )
    sheet.row((DATE, "Total balance"), (480, "$1,200.25", "right"), step=30)
    sheet.turn(70)
    for account, figures, rows in (
        (
            "0012 3456 7890",
            ("$100.00", "$130.00"),
            [("12/20/23", "50.00", "Zelle payment from ROBIN ELM"), ("01/05/24", "-20.00", "ATM 01/05")],
        ),
        (
            "0099 8877 6655",
            ("$1,000.00", "$1,070.25"),
            [
                ("12/22/23", "100.00", "Online Banking transfer from CHK 7890"),
                ("01/16/24", "0.25", "Interest Earned"),
                ("01/09/24", "-30.00", "Online Banking transfer to CHK 7890"),
            ],
        ),
    ):
        summary(
            sheet,
            account,
            PERIOD,
            [
                (f"Beginning balance on {PERIOD[0]}", figures[0]),
                (f"Ending balance on {PERIOD[1]}", figures[1]),
            ],
        )
        for name, sign in (("Deposits and other additions", 1), ("Withdrawals and other subtractions", -1)):
            title(sheet, name)
            head(sheet)
            for date, amount, text in rows:
                if (amount[0] == "-") == (sign < 0):
                    entry(sheet, date, amount, text)
            sheet.row((DATE, f"Total {name.lower()}"), (MONEY, "$1.00", "right"), step=20)
    return sheet, [
        ("12/20/23", "Zelle payment from ROBIN ELM", "50.00"),
        ("01/05/24", "ATM 01/05", "-20.00"),
        ("12/22/23", "Online Banking transfer from CHK 7890", "100.00"),
        ("01/16/24", "Interest Earned", "0.25"),
        ("01/09/24", "Online Banking transfer to CHK 7890", "-30.00"),
    ]


def card_with_everything() -> Made:
    """Summary and payment information side by side, zero interest, foreign amounts below their rows, a section over a page break."""
    sheet = Sheet()
    sheet.row(
        (DATE, "Bank of America Customized Cash Rewards"),
        (MONEY, "December 17, 2023 - January 16, 2024", "right"),
        step=18,
    )
    sheet.row((DATE, "PAT Q SAMPLE"), (MONEY, "Account# 4400 6600 1234 5678", "right"), step=24)
    sheet.row((DATE, "Account Summary/Payment Information"), step=16, size=13)
    for left, figure, right, other in [
        ("Previous Balance", "$250.00", "New Balance Total", "$431.46"),
        ("Payments and Other Credits", "-$262.50", "Current Payment Due", "$35.00"),
        ("Purchases and Adjustments", "$441.95", "Total Minimum Payment Due", "$35.00"),
        ("Fees Charged", "$2.01", "Payment Due Date", "02/13/2024"),
        ("Interest Charged", "$0.00", "", ""),
        ("New Balance Total", "$431.46", "Total Credit Line", "$9,000.00"),
        ("Statement Closing Date", "01/16/2024", "Days in Billing Cycle", "31"),
    ]:
        sheet.row((DATE, left), (270, figure, "right"), (310, right), (MONEY, other, "right"), step=14)
    sheet.row(
        (
            DATE,
            "Late Payment Warning: If we do not receive your Total Minimum Payment by 02/13/2024 you may pay up to $40.00.",
        ),
        step=30,
    )
    sheet.turn(60)
    sheet.row((DATE, "Transactions"), step=16, size=13)
    card_head(sheet)
    _section(
        sheet,
        "Payments and Other Credits",
        "-$262.50",
        [
            ("12/30", "12/30", "BA ELECTRONIC PAYMENT", "4821", "-250.00", ()),
            ("01/02", "01/03", "BOOK BARN 503-555-0147 OR", "7788", "-12.50", ()),
        ],
    )
    sheet.row((160, "Purchases and Adjustments"), step=13, size=10)
    _rows(
        sheet,
        [
            ("12/17", "12/18", "CAFE NOIR SEATTLE WA", "4411", "4.75", ()),
            (
                "12/28",
                "12/30",
                "HOTEL DU PORT MARSEILLE",
                "9001",
                "67.20",
                ("FOREIGN CURRENCY 61.40 EUR", "EXCHANGE RATE 1.0944625"),
            ),
        ],
    )
    sheet.row((400, "continued on next page..."), step=12)
    sheet.turn(60)
    sheet.row((DATE, "Transactions Continued"), step=16, size=13)
    card_head(sheet)
    sheet.row((160, "Purchases and Adjustments Continued"), step=13, size=10)
    _rows(
        sheet,
        [
            (
                "01/05",
                "01/06",
                "AIR EXAMPLE 0012345678901",
                "9001",
                "360.00",
                ("PASSENGER SAMPLE/PAT", "DEPART 02/14/24 SEA-PDX 180.00"),
            ),
            ("01/09", "01/10", "12 OAKS 24 HOUR GYM", "9002", "10.00", ()),
        ],
    )
    sheet.row((160, "TOTAL PURCHASES AND ADJUSTMENTS FOR THIS PERIOD"), (MONEY, "$441.95", "right"), step=16)
    _section(sheet, "Fees", "$2.01", [("12/30", "12/30", "FOREIGN TRANSACTION FEE", "9001", "2.01", ())])
    _section(
        sheet,
        "Interest Charged",
        "$0.00",
        [
            ("01/16", "01/16", "INTEREST CHARGED ON PURCHASES", "", "0.00", ()),
            ("01/16", "01/16", "INTEREST CHARGED ON BALANCE TRANSFERS", "", "0.00", ()),
        ],
    )
    sheet.row((250, "2024 Totals Year-to-Date"), step=14)
    sheet.row((160, "Total fees charged in 2024"), (520, "$2.01", "right"))
    sheet.row((160, "Total interest charged in 2024"), (520, "$0.00", "right"), step=20)
    return sheet, [
        ("12/30/2023", "BA ELECTRONIC PAYMENT", "250.00"),
        ("01/02/2024", "BOOK BARN 503-555-0147 OR", "12.50"),
        ("12/17/2023", "CAFE NOIR SEATTLE WA", "-4.75"),
        (
            "12/28/2023",
            "HOTEL DU PORT MARSEILLE FOREIGN CURRENCY 61.40 EUR EXCHANGE RATE 1.0944625",
            "-67.20",
        ),
        (
            "01/05/2024",
            "AIR EXAMPLE 0012345678901 PASSENGER SAMPLE/PAT DEPART 02/14/24 SEA-PDX 180.00",
            "-360.00",
        ),
        ("01/09/2024", "12 OAKS 24 HOUR GYM", "-10.00"),
        ("12/30/2023", "FOREIGN TRANSACTION FEE", "-2.01"),
        ("01/16/2024", "INTEREST CHARGED ON PURCHASES", "0"),
        ("01/16/2024", "INTEREST CHARGED ON BALANCE TRANSFERS", "0"),
    ]


def card_head(sheet: Sheet) -> None:
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


CardRow = tuple[str, str, str, str, str, tuple[str, ...]]


def _rows(sheet: Sheet, rows: list[CardRow]) -> None:
    for date, posted, text, reference, amount, more in rows:
        account = "5678" if reference else ""
        sheet.row(
            (45, date),
            (105, posted),
            (160, text),
            (400, reference, "center"),
            (455, account, "center"),
            (520, amount, "right"),
            step=11,
        )
        for line in more:
            sheet.row((160, line), step=11)


def _section(sheet: Sheet, name: str, total: str, rows: list[CardRow]) -> None:
    sheet.row((160, name), step=13, size=10)
    _rows(sheet, rows)
    sheet.row((160, f"TOTAL {name.upper()} FOR THIS PERIOD"), (MONEY, total, "right"), step=16)


def nothing_happened() -> Made:
    """A savings account in which nothing moved: zero rows, both balances the same."""
    sheet = Sheet()
    sheet.row((DATE, "Bank of America"), (MONEY, "bankofamerica.com", "right"), step=24)
    summary(
        sheet,
        "0099 8877 6655",
        PERIOD,
        [
            (f"Beginning balance on {PERIOD[0]}", "$12.34"),
            ("Deposits and other additions", "0.00"),
            ("Withdrawals and other subtractions", "-0.00"),
            (f"Ending balance on {PERIOD[1]}", "$12.34"),
        ],
    )
    sheet.row((TEXT, "Interest Paid Year To Date: $0.01."), step=14)
    sheet.row((DATE, "There were no transactions this statement period."), step=14)
    return sheet, []


LAYOUTS = [business_with_references, two_accounts_on_one_page, nothing_happened]
CARDS = [card_with_everything]
