"""Statements in the manner of banks elsewhere, and tables with little to go by; of our own making, with the rows that must come out."""

from __future__ import annotations

from tests.statements.pdf.layouts.bank import Made
from tests.statements.pdf.layouts.sheets import Sheet


def paid_out_paid_in() -> Made:
    """British: two-letter types, several lines per row with the amounts on the last, the date once a day, overdrawn balances marked D."""
    sheet = Sheet()
    sheet.row((40, "Your Statement"), (560, "1 January to 31 January 2024", "right"), step=14)
    sheet.row(
        (40, "Account Name P SAMPLE"),
        (300, "Sortcode 40-00-01"),
        (560, "Account Number 12345678", "right"),
        step=20,
    )
    sheet.row((40, "Opening Balance"), (300, "£100.00", "right"))
    sheet.row((40, "Payments In"), (300, "£1,000.00", "right"))
    sheet.row((40, "Payments Out"), (300, "£1,150.50", "right"))
    sheet.row((40, "Closing Balance"), (300, "£50.50 D", "right"), step=24)
    sheet.row(
        (40, "Date"),
        (100, "Payment type and details"),
        (390, "Paid out", "right"),
        (475, "Paid in", "right"),
        (560, "Balance", "right"),
    )
    sheet.row((40, "31 Dec 23"), (130, "BALANCE BROUGHT FORWARD"), (560, "100.00", "right"))
    sheet.row((40, "02 Jan 24"), (100, "CR"), (130, "ORCHARD LABS LTD"))
    sheet.row((130, "WAGES JAN"), (475, "1,000.00", "right"))
    sheet.row((100, "DD"), (130, "COUNCIL TAX"), (390, "150.50", "right"), (560, "949.50", "right"))
    sheet.row((40, "05 Jan 24"), (100, "VIS"), (130, "INT'L 0012345678"))
    sheet.row((130, "HOTEL EXAMPLE"))
    sheet.row((130, "PARIS"))
    sheet.row((130, "EUR 1,160.00 @ 1.16"), (390, "1,000.00", "right"), (560, "50.50 D", "right"))
    sheet.row((40, "31 Jan 24"), (130, "BALANCE CARRIED FORWARD"), (560, "50.50 D", "right"), step=30)
    sheet.row(
        (
            40,
            "Interest and Charges. Credit interest rates: AER variable 0.00. See our website for details of your rate.",
        )
    )
    return sheet, [
        ("02 Jan 24", "CR ORCHARD LABS LTD WAGES JAN", "1000.00"),
        ("02 Jan 24", "DD COUNCIL TAX", "-150.50"),
        ("05 Jan 24", "VIS INT'L 0012345678 HOTEL EXAMPLE PARIS EUR 1,160.00 @ 1.16", "-1000.00"),
    ]


def money_out_money_in() -> Made:
    """British: amounts on the first line, details below in smaller type, `15 Jan` without a year."""
    sheet = Sheet()
    sheet.row((40, "Current account statement"), (560, "16 Dec 2023 - 15 Jan 2024", "right"), step=14)
    sheet.row((40, "Sort Code 20-00-00 Account No 87654321"), step=24)
    sheet.row(
        (40, "Date"),
        (95, "Description"),
        (400, "Money out", "right"),
        (480, "Money in", "right"),
        (560, "Balance", "right"),
    )
    sheet.row((40, "16 Dec"), (95, "Start balance"), (560, "£20.00", "right"))
    sheet.row(
        (40, "18 Dec"),
        (95, "Direct Credit From Orchard Labs"),
        (480, "1,500.00", "right"),
        (560, "1,520.00", "right"),
        step=10,
    )
    sheet.row((95, "Ref: Salary 12/2023"), size=8)
    sheet.row(
        (40, "2 Jan"),
        (95, "Card Payment to Corner Shop On 30 Dec"),
        (400, "9.99", "right"),
        (560, "1,510.01", "right"),
    )
    sheet.row((95, "Direct Debit to Gym Ltd"), (400, "25.00", "right"), (560, "1,485.01", "right"), step=10)
    sheet.row((95, "Ref: 0001112223"), size=8)
    sheet.row((40, "15 Jan"), (95, "Balance carried forward"), (560, "1,485.01", "right"))
    sheet.row((95, "Total Payments/Receipts"), (400, "34.99", "right"), (480, "1,500.00", "right"))
    return sheet, [
        ("18 Dec 2023", "Direct Credit From Orchard Labs Ref: Salary 12/2023", "1500.00"),
        ("2 Jan 2024", "Card Payment to Corner Shop On 30 Dec", "-9.99"),
        ("2 Jan 2024", "Direct Debit to Gym Ltd Ref: 0001112223", "-25.00"),
    ]


def decimal_comma() -> Made:
    """German: booking and value date, decimal comma, the sign behind the amount."""
    sheet = Sheet()
    sheet.row((40, "Kontoauszug Nr. 1/2024"), (560, "IBAN DE02 1203 0000 0000 2020 51", "right"), step=14)
    sheet.row((40, "01.01.2024 bis 31.01.2024"), (560, "alle Beträge in EUR", "right"), step=24)
    sheet.row((40, "Buchung"), (100, "Valuta"), (160, "Verwendungszweck"), (560, "Betrag EUR", "right"))
    sheet.row((160, "Alter Saldo vom 31.12.2023"), (560, "1.000,00+", "right"))
    sheet.row(
        (40, "02.01.2024"), (100, "02.01.2024"), (160, "Gehalt Obstgarten GmbH"), (560, "2.345,67+", "right")
    )
    sheet.row((160, "Januar 2024"))
    sheet.row(
        (40, "04.01.2024"),
        (100, "05.01.2024"),
        (160, "Miete 01/2024 Hausverwaltung"),
        (560, "1.100,00-", "right"),
    )
    sheet.row(
        (40, "09.01.2024"), (100, "09.01.2024"), (160, "Kartenzahlung Café Größe"), (560, "7,80-", "right")
    )
    sheet.row((160, "Neuer Saldo vom 31.01.2024"), (560, "2.237,87+", "right"))
    return sheet, [
        ("02.01.2024", "Gehalt Obstgarten GmbH Januar 2024", "2345.67"),
        ("04.01.2024", "Miete 01/2024 Hausverwaltung", "-1100.00"),
        ("09.01.2024", "Kartenzahlung Café Größe", "-7.80"),
    ]


def credits_marked_cr() -> Made:
    """A card that marks payments with CR and charges with nothing; ISO dates."""
    sheet = Sheet()
    sheet.row((40, "Visa statement"), (560, "Statement date: 2024-02-05", "right"), step=14)
    sheet.row((40, "Card number 4929 **** **** 1234"), step=14)
    for name, figure in [
        ("Previous balance", "£80.00"),
        ("New balance", "£41.25"),
        ("Credit limit", "£3,000.00"),
        ("Minimum payment", "£5.00"),
        ("Payment due date 2024-02-28", ""),
    ]:
        sheet.row((40, name), (300, figure, "right"), step=13)
    sheet.y += 12
    sheet.row((40, "Date"), (110, "Details"), (560, "Amount (£)", "right"))
    sheet.row((40, "2024-01-10"), (110, "PAYMENT RECEIVED - THANK YOU"), (560, "80.00 CR", "right"))
    sheet.row((40, "2024-01-12"), (110, "BOOKSHOP BATH"), (560, "46.25", "right"))
    sheet.row((40, "2024-01-29"), (110, "BOOKSHOP BATH REFUND"), (560, "5.00 CR", "right"))
    return sheet, [
        ("2024-01-10", "PAYMENT RECEIVED - THANK YOU", "80.00"),
        ("2024-01-12", "BOOKSHOP BATH", "-46.25"),
        ("2024-01-29", "BOOKSHOP BATH REFUND", "5.00"),
    ]


def no_head() -> Made:
    """No names of columns at all: dates at the left, an amount and a running balance at the right, no signs."""
    sheet = Sheet()
    sheet.row((40, "Statement of account 5551234567 for January 2024"), step=14)
    sheet.row((40, "Opening balance 01/01/2024"), (560, "1,000.00", "right"), step=24)
    for date, text, amount, balance in [
        ("01/02/2024", "COFFEE CART", "3.50", "996.50"),
        ("01/05/2024", "SALARY", "2,000.00", "2,996.50"),
        ("01/09/2024", "RENT 01/2024", "1,500.00", "1,496.50"),
        ("01/30/2024", "REFUND SHOES 60.00 USD", "60.00", "1,556.50"),
    ]:
        sheet.row((40, date), (120, text), (460, amount, "right"), (560, balance, "right"))
    return sheet, [
        ("01/02/2024", "COFFEE CART", "-3.50"),
        ("01/05/2024", "SALARY", "2000.00"),
        ("01/09/2024", "RENT 01/2024", "-1500.00"),
        ("01/30/2024", "REFUND SHOES 60.00 USD", "60.00"),
    ]


def newest_first() -> Made:
    """An app's export: the newest row at the top, unsigned amounts, centred cells, day first."""
    sheet = Sheet()
    sheet.row((40, "Account statement 15/01/2024 - 31/01/2024"), step=24)
    sheet.row((40, "Date"), (120, "Transaction"), (420, "Amount", "center"), (520, "Balance", "center"))
    for date, text, amount, balance in [
        ("31/01/2024", "Card top-up", "€100.00", "€190.00"),
        ("20/01/2024", "Museum", "€10.00", "€90.00"),
        ("16/01/2024", "From Robin", "€80.00", "€100.00"),
    ]:
        sheet.row((40, date), (120, text), (420, amount, "center"), (520, balance, "center"), step=20)
    sheet.row((40, "15/01/2024"), (120, "Opening balance"), (520, "€20.00", "center"))
    return sheet, [
        ("31/01/2024", "Card top-up", "100.00"),
        ("20/01/2024", "Museum", "-10.00"),
        ("16/01/2024", "From Robin", "80.00"),
    ]


def stacked_head() -> Made:
    """Names of columns over two lines that only together say what they are."""
    sheet = Sheet()
    sheet.row((40, "Savings statement, period 01/01/2024 to 31/01/2024, all amounts in GBP"), step=24)
    sheet.row(
        (40, "Transaction"),
        (400, "Paid", "center"),
        (470, "Paid", "center"),
        (540, "Account", "center"),
        step=10,
    )
    sheet.row(
        (40, "date"),
        (120, "Details"),
        (400, "out", "center"),
        (470, "in", "center"),
        (540, "balance", "center"),
    )
    sheet.row(
        (40, "13/01/2024"), (120, "Transfer to P Sample"), (420, "40.00", "right"), (560, "60.00", "right")
    )
    sheet.row((40, "25/01/2024"), (120, "Gross interest"), (490, "1.20", "right"), (560, "61.20", "right"))
    return sheet, [("13/01/2024", "Transfer to P Sample", "-40.00"), ("25/01/2024", "Gross interest", "1.20")]


def monospaced() -> Made:
    """Every line one string with blanks, as mainframes print it; shops called Total and New Balance on lines without a date; a footnote."""
    sheet = Sheet()
    for line in (
        "ACCOUNT STATEMENT  2024-01-01 TO 2024-01-31     ACCOUNT NO 55501234",
        "",
        "DATE        DETAILS                              DEBIT        CREDIT       BALANCE",
        "2024-01-01  BALANCE FORWARD                                                 100.00",
        "2024-01-03  NEW BALANCE SHOES 12                  60.00",
        "            TOTAL GAS AND GO                      10.00*                     30.00",
        "            PAID IN BY P SAMPLE                               2,000.00    2,030.00",
        "2024-01-31  FEE                                    1.50                   2,028.50",
        "            TOTALS                                71.50       2,000.00",
        "            CLOSING BALANCE                                               2,028.50",
    ):
        sheet.put(40, line, size=9, font="Courier")
        sheet.y += 11
    return sheet, [
        ("2024-01-03", "NEW BALANCE SHOES 12", "-60.00"),
        ("2024-01-03", "TOTAL GAS AND GO", "-10.00"),
        ("2024-01-03", "PAID IN BY P SAMPLE", "2000.00"),
        ("2024-01-31", "FEE", "-1.50"),
    ]


def groups_by_blanks() -> Made:
    """French: thousands apart by a hard blank, the currency behind, debit and credit."""
    sheet = Sheet()
    sheet.row(
        (40, "Relevé de compte du 01/01/2024 au 31/01/2024"), (560, "Compte 00012345678", "right"), step=24
    )
    sheet.row((40, "Date"), (100, "Libellé"), (430, "Débit", "right"), (560, "Crédit", "right"))
    sheet.row((100, "Ancien solde au 31/12/2023"), (560, "1\u00a0000,00", "right"))
    sheet.row((40, "04/01"), (100, "VIR SALAIRE 2024"), (560, "12\u00a0345,67", "right"))
    sheet.row((40, "05/01"), (100, "CARTE 04/01 BOULANGERIE"), (430, "3,20", "right"))
    sheet.row((100, "PARIS 18"))
    sheet.row((40, "31/01"), (100, "PRLV LOYER"), (430, "1\u00a0100,00", "right"))
    sheet.row((100, "Nouveau solde au 31/01/2024"), (560, "12\u00a0242,47", "right"))
    return sheet, [
        ("04/01/2024", "VIR SALAIRE 2024", "12345.67"),
        ("05/01/2024", "CARTE 04/01 BOULANGERIE PARIS 18", "-3.20"),
        ("31/01/2024", "PRLV LOYER", "-1100.00"),
    ]


LAYOUTS = [
    monospaced,
    groups_by_blanks,
    paid_out_paid_in,
    money_out_money_in,
    decimal_comma,
    credits_marked_cr,
    no_head,
    newest_first,
    stacked_head,
]


def dates_in_the_middle() -> Made:
    """Made from a web page: date and amount stand in the middle of descriptions of one, two or three lines; the description comes first."""
    sheet = Sheet()
    sheet.row(
        (40, "Statement 01.01.2024 - 31.01.2024"),
        (560, "IBAN: DE02 1203 0000 0000 2020 51", "right"),
        step=24,
    )
    sheet.row((40, "Description"), (380, "Booking Date"), (560, "Amount", "right"), step=18)
    for date, amount, lines in [
        ("05.01.2024", "-12,34€", ["Green Bistro", "Mastercard - Bars & Restaurants"]),
        ("06.01.2024", "+1.500,00€", ["Orchard Labs GmbH", "IBAN: DE99 0000 0000 0000 1111 22", "Salary"]),
        ("07.01.2024", "-3,00€", ["Parking"]),
    ]:
        height = 11 * (len(lines) - 1)
        for number, line in enumerate(lines):
            sheet.put(40, line, y=sheet.y + 11 * number)
        sheet.put(380, date, y=sheet.y + height / 2)
        sheet.put(560, amount, "right", y=sheet.y + height / 2)
        sheet.y += height + 20
    return sheet, [
        ("05.01.2024", "Green Bistro Mastercard - Bars & Restaurants", "-12.34"),
        ("06.01.2024", "Orchard Labs GmbH IBAN: DE99 0000 0000 0000 1111 22 Salary", "1500.00"),
        ("07.01.2024", "Parking", "-3.00"),
    ]


LAYOUTS_WITHOUT_BALANCES = [dates_in_the_middle]
