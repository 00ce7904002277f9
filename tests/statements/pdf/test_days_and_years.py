"""Days and years as papers of more countries print them: where the year stands, days without a mark, right of the amounts or above their
rows, and what is no row."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import Parsed
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.dates import read_date
from interlock.workflows.statements.parsers.pdf.dates import printed_date, ranges_in
from interlock.workflows.statements.parsers.pdf.parsers import GenericPdf
from tests.statements.pdf.layouts.sheets import Sheet


def read(made: Sheet) -> Parsed:
    return GenericPdf().parse(Document("s.pdf", made.pdf()))


def rows(parsed: Parsed) -> list[tuple[str, str]]:
    """Day and signed amount of each row."""
    return [
        (
            str(read_date(row.date, row.date_format or "dmy") or row.date),
            ("-" if (row.sign < 0) != (row.amount[0] in "-(" or row.amount[-1] == "-") else "")
            + row.amount.strip("-+()$€"),
        )
        for row in parsed.rows
    ]


def said(parsed: Parsed) -> str:
    return "\n".join(remark.message for remark in judge(parsed).remarks)


def bank(
    title: str = "Orchard Bank (GBP)", about: str = "Statement period 01 Apr 2024 to 30 Apr 2024"
) -> Sheet:
    made = Sheet()
    made.row((40, title), step=16, size=12)
    if "(" in title:
        made.row((40, f"Currency: {title[-4:-1]}"), step=16)
    if about:
        made.row((40, about), step=16)
    return made


def with_ends(made: Sheet, first: str, last: str) -> Sheet:
    made.row((40, "Opening balance"), (320, first, "right"))
    made.row((40, "Closing balance"), (320, last, "right"), step=20)
    return made


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("114/03/05", "2025-03-05"),
        ("R7.11.30", "2025-11-30"),
        ("令和7年3月5日", "2025-03-05"),
        ("2025年1月7日", "2025-01-07"),
        ("5 maret 2025", "2025-03-05"),
        ("12 stycznia 2025", "2025-01-12"),
        ("5 Hunyo 2025", "2025-06-05"),
    ],
)
def test_years_of_other_countings_and_months_of_more_languages(text: str, day: str) -> None:
    printed = printed_date(text)
    assert printed is not None
    assert str(printed.day(printed.year or 0, day_first=True)) == day
    assert str(read_date(printed.completed(0), "dmy")) == day


@pytest.mark.parametrize(
    "text",
    [
        "Période du 1 mai au 31 mai 2025",
        "du 1 au 31 mai 2025",
        "114/05/01 - 114/05/31",
        "令和7年5月1日 ~ 令和7年5月31日",
        "MAY 01/25 - MAY 31/25",
    ],
)
def test_periods_of_more_notations(text: str) -> None:
    assert [(str(start), str(end)) for start, end in ranges_in(text, day_first=True)] == [
        ("2025-05-01", "2025-05-31")
    ]


def test_a_number_before_another_month_is_no_year() -> None:
    made = bank(about="")
    made.row((40, "Statement Date"), (200, "Payment Due Date"), step=12)
    made.row((40, "14 FEB 2025"), (200, "07 MAR 2025"), step=20)
    with_ends(made, "100.00", "80.00")
    made.row((40, "Post Date"), (110, "Trans Date"), (180, "Description"), (450, "Amount", "right"))
    made.row((40, "30 JAN"), (110, "29 JAN"), (180, "Cafe"), (450, "-5.00", "right"))
    made.row((40, "31 JAN"), (110, "31 JAN"), (180, "Books"), (450, "-15.00", "right"))
    parsed = read(made)
    assert rows(parsed) == [("2025-01-29", "-5.00"), ("2025-01-31", "-15.00")]
    assert judge(parsed).reconciled == "yes"


def test_the_day_of_the_old_balance_is_not_that_of_the_statement() -> None:
    made = bank("La Banque du Lac, relevé n° 2", "Compte Courant n° 11, Ancien solde au 22/01/2025")
    made.row((40, "Livret n° 12, Ancien solde au 22/01/2025"))
    made.row((40, "Situation de vos comptes au 20 février 2025"), step=16)
    made.row((40, "Date"), (95, "Opérations"), (430, "Débit (€)", "right"), (530, "Crédit (€)", "right"))
    made.row((40, "Ancien solde au 22/01/2025"), (530, "100,00", "right"))
    made.row((40, "23/01"), (95, "VIREMENT"), (530, "50,00", "right"))
    made.row((40, "11/02"), (95, "LOYER"), (430, "20,00", "right"))
    made.row((40, "Nouveau solde au 20/02/2025"), (530, "130,00", "right"))
    parsed = read(made)
    assert rows(parsed) == [("2025-01-23", "50,00"), ("2025-02-11", "-20,00")]
    assert (judge(parsed).reconciled, said(parsed)) == ("yes", "")


def test_a_day_on_which_something_falls_due_gives_no_year() -> None:
    made = bank(about="")
    made.row((40, "Term deposit, maturity 2027-10-01"), step=16)
    made.row((40, "Printed 2025-06-02"), step=16)
    with_ends(made, "100.00", "80.00")
    made.row((40, "Date"), (120, "Description"), (450, "Amount", "right"))
    made.row((40, "12 May"), (120, "Cafe"), (450, "-5.00", "right"))
    made.row((40, "13 May"), (120, "Books"), (450, "-15.00", "right"))
    parsed = read(made)
    assert rows(parsed) == [("2025-05-12", "-5.00"), ("2025-05-13", "-15.00")]
    assert "the rows have no year" in said(parsed)
    assert judge(parsed).reconciled == "unknown"


def test_the_year_stands_beside_a_month_in_another_language() -> None:
    made = bank("BANK TELUK (IDR)", "PERIODE : MARET 2025")
    with_ends(made, "100.00", "80.00")
    made.row((40, "TANGGAL"), (40, "Date"), (120, "Description"), (450, "Amount", "right"))
    made.row((40, "13/03"), (120, "Kopi"), (450, "-5.00", "right"))
    made.row((40, "14/03"), (120, "Buku"), (450, "-15.00", "right"))
    assert rows(read(made)) == [("2025-03-13", "-5.00"), ("2025-03-14", "-15.00")]


@pytest.mark.parametrize(("reign", "year", "reconciled"), [("令和7年", 2025, "yes"), ("", 2007, "unknown")])
def test_years_of_a_reign_are_known_where_the_statement_names_it(
    reign: str, year: int, reconciled: str
) -> None:
    from interlock.workflows.statements.parsers.pdf.dates import with_years_of_reign

    column = [day for text in ("07-03-13", "07-03-31") if (day := printed_date(text))]
    dated, is_open = with_years_of_reign(column, f"お取引明細 {reign}3月")
    assert is_open == (reconciled == "unknown")
    assert [day.year for day in dated] == ([year] * 2 if reign else [day.year for day in column])


def test_two_figures_without_a_reign_are_left_alone() -> None:
    from interlock.workflows.statements.parsers.pdf.dates import with_years_of_reign

    column = [day for text in ("25-03-13", "25-03-31") if (day := printed_date(text))]
    assert with_years_of_reign(column, "Orchard Bank") == (column, False)


@pytest.mark.parametrize(("first", "second"), [("0512", "1312"), ("12 05", "12 13"), ("05 12", "13 12")])
def test_days_without_a_mark_under_their_name(first: str, second: str) -> None:
    made = bank(about="Period 01.12.2024 - 31.12.2024")
    with_ends(made, "100.00", "80.00")
    made.row(
        (40, "Details"),
        (300, "Debits", "right"),
        (400, "Credits", "right"),
        (440, "Date"),
        (560, "Balance", "right"),
    )
    made.row((40, "Cafe"), (300, "5.00", "right"), (440, first), (560, "95.00", "right"))
    made.row((40, "Books"), (300, "15.00", "right"), (440, second), (560, "80.00", "right"))
    parsed = read(made)
    assert rows(parsed) == [("2024-12-05", "-5.00"), ("2024-12-13", "-15.00")]
    assert judge(parsed).reconciled == "yes"


def test_dates_between_the_amounts_and_the_balance() -> None:
    made = bank("Maple Bank (CAD)", "DEC 31/24 - JAN 31/25")
    made.row(
        (40, "Description"),
        (300, "Withdrawals", "right"),
        (400, "Deposits", "right"),
        (440, "Date"),
        (560, "Balance", "right"),
    )
    made.row((40, "STARTING BALANCE"), (440, "DEC31"), (560, "100.00", "right"))
    made.row((40, "CAFE"), (300, "5.00", "right"), (440, "DEC31"), (560, "95.00", "right"))
    made.row((40, "PAY"), (400, "50.00", "right"), (440, "JAN05"), (560, "145.00", "right"))
    made.row((40, "BOOKS"), (300, "15.00", "right"), (440, "JAN05"), (560, "130.00", "right"))
    parsed = read(made)
    assert rows(parsed) == [("2024-12-31", "-5.00"), ("2025-01-05", "50.00"), ("2025-01-05", "-15.00")]
    assert judge(parsed).reconciled == "yes"


def test_the_day_above_its_rows_counts_and_the_days_of_value_do_not() -> None:
    made = bank("Pankki (EUR)", "Kausi 01.02.2025 - 28.02.2025")
    made.row((40, "Arvopäivä"), (130, "Saaja / Maksaja"), (540, "Määrä", "right"))
    made.row((40, "ALKUSALDO 31.01.2025"), (540, "100,00+", "right"))
    for day, value, text, amount in (
        ("04.02.25", "0302", "MOBILEPAY", "50,00+"),
        ("06.02.25", "0602", "VUOKRA", "20,00-"),
        ("", "0502", "KAHVI", "5,00-"),
    ):
        if day:
            made.row((40, f"KIRJAUSPÄIVÄ {day}"))
        made.row((40, value), (130, text), (540, amount, "right"))
    made.row((40, "LOPPUSALDO 28.02.2025"), (540, "125,00+", "right"))
    made.row((40, "Panot 1 kpl"), (540, "50,00+", "right"))
    parsed = read(made)
    assert rows(parsed) == [("2025-02-04", "50,00"), ("2025-02-06", "-20,00"), ("2025-02-06", "-5,00")]
    assert judge(parsed).reconciled == "yes"


def test_dates_under_no_name_are_found_where_they_stand() -> None:
    made = bank(about="Statement period 01 Jul 2025 - 31 Jul 2025")
    made.row(
        (40, "Receipt"),
        (110, "Moment"),
        (230, "Details"),
        (400, "Paid In", "right"),
        (480, "Withdrawn", "right"),
        (560, "Balance", "right"),
    )
    made.row(
        (40, "TGA1"),
        (110, "2025-07-30 19:00:00"),
        (230, "Cafe"),
        (480, "-5.00", "right"),
        (560, "95.00", "right"),
    )
    made.row(
        (40, "TGA2"),
        (110, "2025-07-29 18:00:00"),
        (230, "Employer"),
        (400, "60.00", "right"),
        (560, "100.00", "right"),
    )
    made.row(
        (40, "TGA3"),
        (110, "2025-07-27 18:00:00"),
        (230, "Rent"),
        (480, "-9.00", "right"),
        (560, "40.00", "right"),
    )
    parsed = read(made)
    assert [(day, amount) for day, amount in rows(parsed)] == [
        ("2025-07-30", "-5.00"),
        ("2025-07-29", "60.00"),
        ("2025-07-27", "-9.00"),
    ]
    assert judge(parsed).reconciled == "yes"


def test_of_two_columns_called_date_the_first_is_the_day_of_the_row() -> None:
    made = bank("Banca del Lago (EUR)", "Periodo dal 01.07.2025 al 30.09.2025")
    made.row((40, "Data"), (105, "Data"), step=9)
    made.row(
        (40, "operazione"),
        (105, "valuta"),
        (163, "Descrizione"),
        (450, "Addebiti", "right"),
        (550, "Accrediti", "right"),
    )
    made.row((40, "30.06.2025"), (163, "Saldo iniziale"), (550, "100,00", "right"))
    made.row((40, "08.07.2025"), (105, "07.07.2025"), (163, "BONIFICO"), (550, "50,00", "right"))
    made.row((40, "16.07.2025"), (105, "15.07.2025"), (163, "RATA"), (450, "20,00", "right"))
    made.row((40, "30.09.2025"), (163, "Saldo finale"), (550, "130,00", "right"), step=24)
    made.row((40, "Prospetto"))
    made.row(
        (40, "Dal"),
        (105, "Al"),
        (192, "Saldo medio"),
        (340, "Numeri", "right"),
        (440, "Tasso %", "right"),
        (550, "Interessi", "right"),
    )
    made.row(
        (40, "01.07.2025"),
        (105, "31.08.2025"),
        (250, "1.844,20", "right"),
        (440, "0,0000", "right"),
        (550, "0,00", "right"),
    )
    parsed = read(made)
    assert rows(parsed) == [("2025-07-08", "50,00"), ("2025-07-16", "-20,00")]
    assert (judge(parsed).reconciled, said(parsed)) == ("yes", "")


def test_payments_named_in_the_lower_line_of_a_head_and_two_balances() -> None:
    made = bank("Banco del Valle (MXN)", "Periodo DEL 07/03/2025 AL 06/04/2025")
    made.row((40, "Saldo Anterior"), (320, "100.00", "right"))
    made.row((40, "Saldo Final"), (320, "130.00", "right"), step=20)
    made.row((40, "FECHA"), (122, "COD. DESCRIPCIÓN"), (469, "SALDO"), step=9)
    made.row(
        (40, "OPER"),
        (82, "LIQ"),
        (122, "REFERENCIA"),
        (350, "CARGOS", "right"),
        (420, "ABONOS", "right"),
        (450, "OPERACIÓN"),
        (520, "LIQUIDACIÓN"),
    )
    made.row((40, "10/MAR"), (82, "11/MAR"), (122, "A15 OXXO"), (350, "20.00", "right"))
    made.row((122, "RFC: CCO 8605231N4"))
    made.row(
        (40, "31/MAR"),
        (82, "01/ABR"),
        (122, "T20 NOMINA"),
        (420, "50.00", "right"),
        (495, "130.00", "right"),
        (570, "130.00", "right"),
    )
    parsed = read(made)
    assert rows(parsed) == [("2025-03-10", "-20.00"), ("2025-03-31", "50.00")]
    assert judge(parsed).reconciled == "yes"


def test_rows_below_pending_ones_count_and_what_a_row_was_abroad_does_not() -> None:
    made = bank("Nova (EUR)", "")
    made.row((40, "Opening balance"), (320, "€100.00", "right"))
    made.row((40, "Closing balance"), (320, "€135.00", "right"), step=20)
    head = ((40, "Date"), (125, "Description"), (380, "Money out", "right"), (450, "Money in", "right"))
    made.row((40, "Pending from March 1, 2025 to March 31, 2025"), step=20)
    made.row(*head)
    made.row((40, "Mar 31, 2025"), (125, "Air"), (380, "€74.98", "right"), step=24)
    made.row((40, "Account transactions from March 1, 2025 to March 31, 2025"), step=20)
    made.row(*head, (545, "Balance", "right"))
    made.row((40, "Mar 4, 2025"), (125, "Employer"), (450, "€50.00", "right"), (545, "€150.00", "right"))
    made.row((40, "Mar 6, 2025"), (125, "Shop"), (380, "€15.00", "right"), (545, "€135.00", "right"), step=10)
    made.row((125, "Rate $1.00 = €0.92"), (380, "$16.30", "right"))
    parsed = read(made)
    assert rows(parsed) == [("2025-03-04", "50.00"), ("2025-03-06", "-15.00")]
    assert judge(parsed).reconciled == "yes"


def test_coming_payments_are_no_rows() -> None:
    made = bank("Banco da Ilha (BRL)", "período: 01/03/2025 até 31/03/2025")
    made.row((40, "data"), (130, "descrição"), (430, "valor (R$)", "right"), (540, "saldo (R$)", "right"))
    made.row((40, "28/02/2025"), (130, "SALDO ANTERIOR"), (540, "100,00", "right"))
    made.row((40, "13/03/2025"), (130, "PIX MARINA"), (430, "-20,00", "right"), (540, "80,00", "right"))
    made.row(
        (40, "31/03/2025"), (130, "TED ALVORADA"), (430, "50,00", "right"), (540, "130,00", "right"), step=24
    )
    made.row((40, "lançamentos futuros"), step=16)
    made.row((40, "data"), (130, "descrição"), (430, "valor (R$)", "right"))
    made.row((40, "07/04/2025"), (130, "DA NET"), (430, "-139,90", "right"))
    parsed = read(made)
    assert rows(parsed) == [("2025-03-13", "-20,00"), ("2025-03-31", "50,00")]
    assert judge(parsed).reconciled == "yes"


def test_rows_of_the_day_above_in_a_list_whose_head_nobody_knows() -> None:
    made = bank("Harbor Brokers (USD)", "June 1-30, 2025")
    made.row((40, "Beginning Cash* as of 06/01"), (220, "Deposits"), (400, "Ending Cash* as of 06/30"))
    made.row((120, "$100.00", "right"), (260, "$50.00", "right"), (500, "$123.00", "right"), step=24)
    made.row(
        (40, "Day"),
        (100, "Category"),
        (160, "Action"),
        (240, "CUSIP"),
        (300, "Security"),
        (480, "Net($)", "right"),
    )
    made.row((40, "06/02"), (100, "Deposit"), (300, "Transfer"), (480, "50.00", "right"))
    made.row((40, "06/17"), (100, "Sale"), (300, "INTEL CORP"), (480, "2.00", "right"))
    made.row((100, "Withdrawal"), (300, "EPAYMENT"), (480, "(22.00)", "right"))
    made.row((40, "06/27"), (100, "Expense"), (300, "ADR fee"), (480, "(7.00)", "right"))
    parsed = read(made)
    assert rows(parsed) == [
        ("2025-06-02", "50.00"),
        ("2025-06-17", "2.00"),
        ("2025-06-17", "-22.00"),
        ("2025-06-27", "-7.00"),
    ]
    assert judge(parsed).reconciled == "yes"


def test_amounts_of_a_currency_with_three_decimals() -> None:
    made = bank("Gulf Bank", "FROM 01/02/2025 TO 28/02/2025")
    made.row((40, "CURRENCY KUWAITI DINARS"), step=16)
    columns = ((360, "DEBIT", "right"), (440, "CREDIT", "right"), (540, "BALANCE", "right"))
    made.row((40, "DATE"), (105, "DESCRIPTION"), *columns)
    made.row((40, "01/02/2025"), (105, "OPENING BALANCE"), (540, "1,067.196 CR", "right"))
    made.row((40, "14/02/2025"), (105, "WAMD"), (440, "10.008", "right"), (540, "1,077.204 CR", "right"))
    made.row((40, "25/02/2025"), (105, "CAFE"), (360, "7.204", "right"), (540, "1,070.000 CR", "right"))
    made.row((40, "28/02/2025"), (105, "CLOSING BALANCE"), (540, "1,070.000 CR", "right"))
    parsed = read(made)
    assert rows(parsed) == [("2025-02-14", "10.008"), ("2025-02-25", "-7.204")]
    assert {row.currency for row in parsed.rows} == {"KWD"}
    assert judge(parsed).reconciled == "yes"
