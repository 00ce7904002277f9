"""Marks, headings and words by which banks of other countries say which way the money went, and what stays in doubt."""

from __future__ import annotations

from decimal import Decimal

from interlock.workflows.statements.doubt.interpretation import with_reconciling_signs
from interlock.workflows.statements.doubt.reconcile import judge
from tests.statements.pdf.layouts.sheets import Sheet
from tests.statements.reading import read, rows

Cells = tuple[tuple[float, str] | tuple[float, str, str], ...]


def sheet(*titles: str) -> Sheet:
    made = Sheet()
    for title in titles:
        made.row((40, title), step=14)
    made.y += 10
    return made


def result(made: Sheet) -> tuple[list[tuple[str, str, str]], str, str]:
    """Rows, whether they are reconciled, and the warnings."""
    parsed = with_reconciling_signs(read(made.pdf(), name="statement.pdf"))
    judgement = judge(parsed)
    said = "\n".join(one.message for one in judgement.remarks if one.severity == "warning")
    return rows(parsed), judgement.reconciled, said


def test_german_letters_behind_amounts_are_debit_and_credit() -> None:
    made = sheet("VR Bank Nord eG", "Kontoauszug Nr. 1/2024 Kontonummer 1234567", "erstellt am 31.01.2024")
    made.row((40, "Bu-Tag"), (90, "Wert"), (140, "Vorgang"), (560, "Umsatz EUR", "right"))
    made.row((140, "alter Kontostand vom 31.12.2023"), (560, "1.500,00 H", "right"))
    made.row((40, "02.01."), (90, "02.01."), (140, "REWE MARKT"), (560, "54,37 S", "right"))
    made.row((40, "15.01."), (90, "15.01."), (140, "Gehalt"), (560, "2.845,10 H", "right"))
    made.row((140, "neuer Kontostand vom 31.01.2024"), (560, "4.290,73 H", "right"))
    assert result(made) == (
        [("2024-01-02", "REWE MARKT", "-54.37"), ("2024-01-15", "Gehalt", "2845.10")],
        "yes",
        "",
    )


def test_marks_in_parentheses_are_debit_and_credit() -> None:
    made = sheet(
        "Kotak Mahindra Bank",
        "Account Statement 01 Jan 2024 - 31 Jan 2024",
        "Account No. 1234567890 Currency INR",
    )
    made.row((40, "Date"), (105, "Narration"), (450, "Amount", "right"), (560, "Balance", "right"))
    made.row(
        (40, "02-01-2024"), (105, "UPI SHOP"), (450, "412.00(Dr)", "right"), (560, "1,51,928.75(Cr)", "right")
    )
    made.row(
        (40, "15-01-2024"),
        (105, "NEFT SALARY"),
        (450, "1,25,000.00(Cr)", "right"),
        (560, "2,76,928.75(Cr)", "right"),
    )
    made.row((40, "Opening Balance : INR 1,52,340.75(Cr)"))
    made.row((40, "Closing Balance : INR 2,76,928.75(Cr)"))
    assert result(made) == (
        [("2024-01-02", "UPI SHOP", "-412.00"), ("2024-01-15", "NEFT SALARY", "125000.00")],
        "yes",
        "",
    )


def test_a_heading_that_counts_its_rows_says_their_direction() -> None:
    made = sheet(
        "Fifth Third Bank",
        "Statement Period Date: 7/1/2024 - 7/31/2024 Account Number: 7912345678",
        "07/01 Beginning Balance $1,000.00",
        "07/31 Ending Balance $1,040.00",
    )
    made.row((40, "Withdrawals / Debits"), (200, "1 item totaling $20.00"))
    made.row((40, "Date"), (140, "Amount", "right"), (170, "Description"))
    made.row((40, "07/18"), (140, "20.00", "right"), (170, "CORNER GROCER"))
    made.row((40, "Deposits / Credits"), (200, "1 item totaling $60.00"))
    made.row((40, "Date"), (140, "Amount", "right"), (170, "Description"))
    made.row((40, "07/20"), (140, "60.00", "right"), (170, "ORCHARD LABS"))
    assert result(made)[:2] == (
        [("2024-07-18", "CORNER GROCER", "-20.00"), ("2024-07-20", "ORCHARD LABS", "60.00")],
        "yes",
    )


def test_checks_in_two_panels_with_their_dates_last_are_read() -> None:
    made = sheet(
        "PNC Bank",
        "For the period 06/01/2024 to 06/30/2024 Account number XX-XXXX-1234",
        "Beginning balance $1,000.00",
        "Ending balance $514.65",
    )
    made.row((40, "Checks and Substitute Checks"), size=11)
    head: Cells = ((40, "Check number"), (150, "Amount", "right"), (180, "Date paid"))
    made.row(*head, (300, "Check number"), (420, "Amount", "right"), (450, "Date paid"))
    made.row(
        (40, "1001"),
        (150, "100.00", "right"),
        (180, "06/03"),
        (300, "1003"),
        (420, "20.00", "right"),
        (450, "06/19"),
    )
    made.row(
        (40, "1002"),
        (150, "55.10", "right"),
        (180, "06/05"),
        (300, "1005"),
        (420, "310.25", "right"),
        (450, "06/22"),
    )
    found, reconciled, _ = result(made)
    assert sorted((day, amount) for day, _, amount in found) == [
        ("2024-06-03", "-100.00"),
        ("2024-06-05", "-55.10"),
        ("2024-06-19", "-20.00"),
        ("2024-06-22", "-310.25"),
    ]
    assert reconciled == "yes"


def test_the_day_of_posting_may_stand_first_and_is_kept() -> None:
    made = sheet(
        "United Overseas Bank Limited",
        "Credit Card Statement Statement Date 31 JAN 2024",
        "UOB ONE CARD 4265-88XX-XXXX-1234",
    )
    made.row((40, "Post"), (90, "Trans"), step=10)
    made.row(
        (40, "Date"),
        (90, "Date"),
        (140, "Description of Transaction"),
        (540, "Transaction Amount SGD", "right"),
    )
    made.row((40, "03 JAN"), (90, "02 JAN"), (140, "CORNER GROCER"), (540, "6.45", "right"))
    made.row((40, "18 JAN"), (90, "16 JAN"), (140, "PAYMENT"), (540, "850.00 CR", "right"))
    parsed = read(made.pdf(), name="statement.pdf")
    assert rows(parsed) == [("2024-01-02", "CORNER GROCER", "-6.45"), ("2024-01-16", "PAYMENT", "850.00")]
    assert [row.posted_date for row in parsed.rows] == ["03 JAN 2024", "18 JAN 2024"]


def test_credit_may_be_marked_on_the_line_below_its_amount() -> None:
    made = sheet(
        "American Express",
        "Statement of Account Card Statement Date 22/01/24",
        "Previous Balance £350.00",
        "New Balance £71.40",
    )
    made.row((40, "Transaction Date"), (200, "Transaction Details"), (560, "Amount £", "right"))
    made.row((40, "Jan 5"), (200, "CAFE DE PARIS"), (560, "21.40", "right"))
    made.row((40, "Jan 17"), (200, "PAYMENT RECEIVED"), (560, "300.00", "right"), step=11)
    made.row((560, "CR", "right"), step=11)
    assert [amount for _, _, amount in result(made)[0]] == ["-21.40", "300.00"]


def test_a_period_within_one_month_gives_rows_their_year() -> None:
    made = sheet(
        "Charles Schwab Bank",
        "Statement Period April 1-30, 2024",
        "Beginning Balance $100.00",
        "Ending Balance $93.55",
    )
    made.row((40, "Date Posted"), (110, "Description"), (400, "Debits", "right"), (480, "Credits", "right"))
    made.row((40, "04/02"), (110, "CORNER GROCER"), (400, "($6.45)", "right"))
    assert result(made)[:2] == ([("2024-04-02", "CORNER GROCER", "-6.45")], "yes")


def test_words_of_italy_and_sweden_name_columns_and_balances() -> None:
    italian = sheet("Intesa Sanpaolo", "Estratto conto al 31.01.2024 Conto corrente in Euro")
    italian.row(
        (40, "Data"),
        (100, "Valuta"),
        (160, "Descrizione"),
        (440, "Addebiti", "right"),
        (560, "Accrediti", "right"),
    )
    italian.row((40, "31.12.2023"), (160, "Saldo iniziale"), (560, "1.532,18", "right"))
    italian.row((40, "02.01.2024"), (100, "02.01.2024"), (160, "BAR SOLE"), (440, "32,18", "right"))
    italian.row((40, "20.01.2024"), (100, "20.01.2024"), (160, "STIPENDIO"), (560, "500,00", "right"))
    italian.row((40, "31.01.2024"), (160, "Saldo finale"), (560, "2.000,00", "right"))
    assert result(italian)[:2] == (
        [("2024-01-02", "BAR SOLE", "-32.18"), ("2024-01-20", "STIPENDIO", "500.00")],
        "yes",
    )
    swedish = sheet("Handelsbanken", "Kontoutdrag 2024-01-01 - 2024-01-31 Kontonummer 123 456 789 SEK")
    swedish.row(
        (40, "Reskontradatum"),
        (120, "Transaktionsdatum"),
        (220, "Text"),
        (450, "Belopp", "right"),
        (560, "Saldo", "right"),
    )
    swedish.row((220, "Ingående saldo"), (560, "12 450,25", "right"))
    swedish.row(
        (40, "2024-01-02"),
        (120, "2024-01-02"),
        (220, "ICA"),
        (450, "-450,25", "right"),
        (560, "12 000,00", "right"),
    )
    swedish.row((220, "Utgående saldo"), (560, "12 000,00", "right"))
    assert result(swedish)[:2] == ([("2024-01-02", "ICA", "-450.25")], "yes")


CHARGES = (
    ("DEC 20", "CORNER GROCER", "6.45"),
    ("DEC 23", "PAYMENT", "-850.00"),
    ("JAN 2", "BOOK STORE", "48.02"),
)


def card(*titles: str, payment: str = "PAYMENT") -> Sheet:
    made = sheet(*titles, "STATEMENT PERIOD: December 16, 2023 to January 15, 2024")
    made.row((40, "DATE"), (170, "ACTIVITY DESCRIPTION"), (540, "AMOUNT (CAD)", "right"))
    made.row((170, "PREVIOUS STATEMENT BALANCE"), (540, "900.00", "right"))
    for day, text, amount in CHARGES:
        made.row((40, day), (170, text.replace("PAYMENT", payment)), (540, amount, "right"))
    made.row(
        (170, "TOTAL NEW BALANCE"),
        (540, str(Decimal("900.00") + Decimal("6.45") - 850 + Decimal("48.02")), "right"),
    )
    return made


def test_a_masked_number_a_brand_and_a_payment_with_thanks_are_evidence_of_a_card() -> None:
    made = card(
        "TD Cash Back Visa Card", "Account Number: 4520 XXXX XXXX 1234", payment="PAYMENT - THANK YOU"
    )
    found, reconciled, _ = result(made)
    assert [amount for _, _, amount in found] == ["-6.45", "850.00", "-48.02"]
    assert reconciled == "yes"


def test_signs_that_only_the_kind_of_statement_explains_are_in_doubt_where_little_shows_it() -> None:
    _, reconciled, said = result(card("Harbor Bank"))
    assert reconciled == "unknown"
    assert "only the signs say which way the money went" in said
