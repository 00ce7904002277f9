"""What a PDF leaves open is in its judgement: currency, order of dates, text beyond the page, empty pages, masks of account numbers."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import facts_of, judge
from interlock.workflows.statements.parsed import Parsed, ParseFault
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.pdf.parsers import GenericPdf
from tests.statements.pdf.layouts.sheets import HEIGHT, Sheet


def sheet(
    *rows: tuple[str, str, str],
    title: str = "Orchard Bank",
    head: str = "Amount",
    ends: tuple[str, str] | None = ("100.00", "145.00"),
    about: str = "",
) -> Sheet:
    made = Sheet()
    made.row((40, title), step=16, size=12)
    made.row((40, about or "Statement period 01 Apr 2024 to 30 Apr 2024"), step=16)
    if ends:
        made.row((40, "Opening balance"), (320, ends[0], "right"))
        made.row((40, "Closing balance"), (320, ends[1], "right"), step=20)
    if rows:
        made.row((40, "Date"), (120, "Description"), (450, head, "right"))
    for day, text, amount in rows:
        made.row((40, day), (120, text), (450, amount, "right"))
    return made


ROWS = (("13 Apr 2024", "Cafe", "-5.00"), ("24 Apr 2024", "Employer", "50.00"))


def read(made: Sheet) -> Parsed:
    return GenericPdf().parse(Document("s.pdf", made.pdf()))


def said(parsed: Parsed) -> str:
    return "\n".join(remark.message for remark in judge(parsed).remarks)


@pytest.mark.parametrize(
    ("title", "head", "currency", "reconciled"),
    [
        ("Orchard Bank", "Amount (S$)", "SGD", "yes"),
        ("Orchard Bank", "Amount (HKD)", "HKD", "yes"),
        ("Orchard Bank", "Amount", "USD", "unknown"),
        ("Commonwealth Bank", "Amount", "AUD", "yes"),
        ("Orchard Bank, IBAN DE12 5001 0517 0648 4898 90", "Amount", "EUR", "yes"),
    ],
)
def test_the_currency_is_that_of_the_head_or_the_bank_and_an_assumed_one_is_in_doubt(
    title: str, head: str, currency: str, reconciled: str
) -> None:
    parsed = read(sheet(*ROWS, title=title, head=head))
    assert {row.currency for row in parsed.rows} == {currency}
    assert judge(parsed).reconciled == reconciled
    assert ("is assumed" in said(parsed)) == (reconciled == "unknown")


SIGNED = (("13 Apr 2024", "Cafe", "-$5,00"), ("24 Apr 2024", "Employer", "$50,00"))
ENDS = ("$100,00", "$145,00")


@pytest.mark.parametrize(
    ("title", "currency", "reconciled"),
    [
        ("Banco del Puerto - Resumen de Caja de Ahorro en Pesos, CBU 0070208830004047190282", "ARS", "yes"),
        ("Banco del Puerto, CUIT 27-33447190-4 T.N.A. 0,50%", "ARS", "yes"),
        ("Banco del Puerto, Santiago de Chile", "CLP", "yes"),
        ("Banco del Puerto, Montevideo", "UYU", "yes"),
        ("Banco del Puerto, Caja de Ahorro en Pesos", "MXN", "unknown"),
        ("Banco del Puerto, Buenos Aires, Miami FL 33101", "ARS", "unknown"),
        ("Banco del Puerto, Miami FL 33101", "USD", "unknown"),
        ("Bank of the Harbour", "USD", "unknown"),
    ],
)
def test_a_bare_dollar_sign_is_the_currency_of_the_country_that_the_paper_names(
    title: str, currency: str, reconciled: str
) -> None:
    parsed = read(sheet(*SIGNED, title=title, ends=ENDS))
    assert {row.currency for row in parsed.rows} == {currency}
    assert judge(parsed).reconciled == reconciled
    assert ("names no currency" in said(parsed)) == (reconciled == "unknown")


def test_dollars_of_an_argentine_bank_are_dollars() -> None:
    title = "Banco del Puerto - Caja de Ahorro en Dólares, CBU 0070208830004047190282"
    parsed = read(sheet(*SIGNED, title=title, ends=("U$S 100,00", "U$S 145,00")))
    assert {row.currency for row in parsed.rows} == {"USD"}


def test_the_fuller_name_of_the_bank_in_the_foot_says_whose_money_it_is() -> None:
    rows = (("13 Apr 2024", "Cafe", "-5.00"), ("24 Apr 2024", "Employer", "50.00"))
    made = sheet(*rows, title="BBVA")
    made.y += 60
    made.row((40, "BBVA MEXICO, S.A., Institucion de Banca Multiple. Reposición de tarjeta $130.00"))
    parsed = read(made)
    assert {row.currency for row in parsed.rows} == {"MXN"}
    assert judge(parsed).reconciled == "yes"


def test_the_heads_currency_wins_over_symbols_beside_amounts() -> None:
    rows = (("13 Apr 2024", "Cafe", "-$5.00"), ("24 Apr 2024", "Employer", "$50.00"))
    assert {row.currency for row in read(sheet(*rows, head="Amount (NZD)")).rows} == {"NZD"}


def test_days_and_months_that_nothing_tells_apart_are_in_doubt() -> None:
    rows = (("03/04/2024", "Cafe", "-5.00"), ("05/04/2024", "Employer", "50.00"))
    parsed = read(sheet(*rows, head="Amount (GBP)", about="April statement"))
    assert (judge(parsed).reconciled, "the day or the month comes first" in said(parsed)) == ("unknown", True)


def test_rows_beyond_the_page_are_read_where_the_balances_ask_for_them_and_that_is_said() -> None:
    made = sheet(ROWS[0], head="Amount (GBP)")
    made.y = HEIGHT + 30
    made.row((40, ROWS[1][0]), (120, ROWS[1][1]), (450, ROWS[1][2], "right"))
    parsed = read(made)
    assert [row.amount for row in parsed.rows] == ["-5.00", "50.00"]
    assert (judge(parsed).reconciled, "beyond the edges" in said(parsed)) == ("unknown", True)


@pytest.mark.parametrize(
    ("made", "is_empty"),
    [
        (sheet(ends=("100.00", "100.00")), True),
        (sheet(ends=("100.00", "145.00")), False),
        (sheet(ends=("100.00", "145.00"), about="There were no transactions in this period."), True),
    ],
)
def test_no_rows_are_a_success_only_where_the_statement_says_so(made: Sheet, is_empty: bool) -> None:
    if is_empty:
        assert read(made).is_stated_empty
        return
    with pytest.raises(ParseFault) as fault:
        read(made)
    assert fault.value.code == "LAYOUT_MISMATCH"


def headed(about: str) -> Sheet:
    """A table without rows."""
    made = sheet(ends=None, about=about)
    made.row((40, "Date"), (120, "Description"), (450, "Amount", "right"))
    return made


@pytest.mark.parametrize(
    ("made", "reconciled"),
    [
        (
            sheet(ends=("100.00", "100.00"), about="No transactions this period, 01 Apr 2024 to 30 Apr 2024"),
            "yes",
        ),
        (sheet(ends=("100.00", "100.00")), "yes"),
        (headed("There was no activity in this period"), "yes"),
        (headed("There are no charges for this service"), "unknown"),
        (headed("There was no activity in this period, for which you pay 5.00"), "unknown"),
    ],
)
def test_a_paper_that_says_it_is_empty_is_proved_and_one_that_may_mean_something_else_is_not(
    made: Sheet, reconciled: str
) -> None:
    parsed = read(made)
    assert (parsed.rows, judge(parsed).reconciled) == ([], reconciled)
    assert "lists no transactions" in said(parsed)


def test_equal_balances_beside_amounts_that_are_no_rows_do_not_prove_an_empty_paper() -> None:
    made = sheet(ends=("100.00", "100.00"))
    made.row((40, "Erster April, Kaffee"), (320, "5.00", "right"))
    made.row((40, "Zweiter April, Lohn"), (320, "5.00", "right"))
    assert judge(read(made)).reconciled == "unknown"


def test_dated_lines_that_were_all_left_out_are_a_fault() -> None:
    made = sheet(ends=("100.00", "88.00"))
    made.row((40, "13 Apr 2024 Cafe and more"), (300, "5.00", "right"), (330, "further words behind it"))
    made.row((40, "14 Apr 2024 Bar and more"), (300, "7.00", "right"), (330, "further words behind it"))
    with pytest.raises(ParseFault, match="2 lines with a date and an amount") as fault:
        read(made)
    assert fault.value.code == "LAYOUT_MISMATCH"


def test_an_account_keeps_its_mask_and_another_number_is_named() -> None:
    made = sheet(
        *ROWS,
        head="Amount (GBP)",
        about="Account number: XXXX-XX-4411   Statement period 01 Apr 2024 to 30 Apr 2024",
    )
    made.y += 30
    made.row((40, "Linked card number: 5500 12XX XXXX 9981"))
    parsed = read(made)
    assert facts_of(parsed, judge(parsed))["account"] == "XXXX-XX-4411"
    assert "9981" in said(parsed)
    assert judge(parsed).reconciled == "yes"


def test_the_day_of_the_transaction_counts_and_the_day_of_posting_is_kept() -> None:
    made = Sheet()
    made.row((40, "Orchard Bank credit card statement"), step=16)
    made.row((40, "Previous balance"), (320, "£10.00", "right"))
    made.row((40, "New balance"), (320, "£35.00", "right"), step=20)
    made.row((40, "Trans Date"), (120, "Post Date"), (200, "Description"), (450, "Amount", "right"))
    made.row((40, "13 Apr 2024"), (120, "15 Apr 2024"), (200, "Cafe"), (450, "5.00", "right"))
    made.row((40, "20 Apr 2024"), (120, "23 Apr 2024"), (200, "Book shop"), (450, "20.00", "right"))
    parsed = read(made)
    assert [(row.date, row.posted_date) for row in parsed.rows] == [
        ("13 Apr 2024", "15 Apr 2024"),
        ("20 Apr 2024", "23 Apr 2024"),
    ]
    assert [row.sign for row in parsed.rows] == [-1, -1]
    assert (judge(parsed).reconciled, parsed.account_type) == ("yes", "credit_card")


def running(first: str, *, amount: str = "177.00") -> Parsed:
    """A list with running balances whose first amount stands under no column's name."""
    made = Sheet()
    made.row((40, "Orchard Bank"), step=16, size=12)
    made.row((40, "Statement period 01 Apr 2024 to 30 Apr 2024"), step=16)
    made.row((40, "Date"), (120, "Description"), (360, "Money out", "right"), (540, "Balance (GBP)", "right"))
    made.row((40, "13 Apr 2024"), (120, first), (470, amount, "right"), (540, "500.00", "right"))
    made.row((40, "14 Apr 2024"), (120, "Cafe"), (360, "5.00", "right"), (540, "495.00", "right"))
    made.row((40, "15 Apr 2024"), (120, "Tram"), (360, "15.00", "right"), (540, "480.00", "right"))
    return read(made)


@pytest.mark.parametrize("first", ["Employer", "New Balance Store"])
def test_a_first_row_whose_amount_stands_in_no_column_is_missed(first: str) -> None:
    parsed = running(first)
    assert [row.amount for row in parsed.rows] == ["5.00", "15.00"]
    assert "a dated line with a balance and no amount was left out" in said(parsed)
    assert judge(parsed).reconciled == "unknown"


def test_a_line_that_names_the_balance_before_the_first_row_is_no_row() -> None:
    parsed = running("Bal Brought Forward", amount="")
    assert [row.amount for row in parsed.rows] == ["5.00", "15.00"]
    assert judge(parsed).reconciled == "yes"
