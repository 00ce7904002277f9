"""Lines that are skipped leave the balance where it was; years, letters and marks are read by what the whole file shows."""

from __future__ import annotations

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsers.text import decode

from ..reading import day, money, read, said

HEAD = "Date,Details,Paid out (GBP),Paid in (GBP),Adjustments,Balance (GBP)\n"
FIRST = "15/01/2024,BAKERY,2.50,,,97.50\n"
SECOND = "18/01/2024,SALARY,,900.00,,997.50\n"


def test_a_row_whose_amount_is_not_read_breaks_the_running_balance() -> None:
    parsed = read(f"{HEAD}{FIRST}{SECOND}19/01/2024,CORRECTION,,,-50.00,947.50\n")
    assert len(parsed.rows) == 2
    assert "a line that was skipped prints 947.50" in said(parsed)
    assert judge(parsed).reconciled == "no"


def test_a_balance_that_is_printed_again_proves_and_breaks_nothing() -> None:
    opening, closing = "14/01/2024,Opening balance,,,,100.00\n", "31/01/2024,Closing balance,,,,997.50\n"
    parsed = read(f"{HEAD}{opening}{FIRST}{SECOND}{closing}")
    assert [f"{money(row)}" for row in parsed.rows] == ["-2.50", "900.00"]
    assert judge(parsed).reconciled == "yes", judge(parsed).remarks


def test_a_line_that_may_be_the_first_row_leaves_doubt() -> None:
    parsed = read(f"{HEAD}14/01/2024,CORRECTION,,,-50.00,100.00\n{FIRST}{SECOND}")
    assert judge(parsed).reconciled == "unknown"


def test_two_digits_of_a_year_stand_where_they_bring_the_days_together() -> None:
    rows = ("-1,00;99,00", "-2,00;97,00", "-3,00;94,00")
    first = [f"23-12-{at};SHOP;{row}" for at, row in zip((27, 29, 31), rows, strict=True)]
    last = [f"{at}-12-23;SHOP;{row}" for at, row in zip((27, 29, 31), rows, strict=True)]
    days = ["2023-12-27", "2023-12-29", "2023-12-31"]
    for lines in (first, last):
        parsed = read("Datum;Text;Belopp (SEK);Saldo (SEK)\n" + "\n".join(lines))
        assert ([day(row) for row in parsed.rows], judge(parsed).reconciled) == (days, "yes")


def test_a_few_accents_are_no_japanese() -> None:
    text = ";Data;Histórico;Crédito (R$);Débito (R$)"
    assert decode(text.encode("cp1252")) == text
    japanese = "日付,摘要,金額"
    assert decode(japanese.encode("cp932")) == japanese


def test_words_that_say_the_direction_outrank_signs_that_contradict_them() -> None:
    rows = "03.02.2024;Migros;CHF;54.30;Debit\n14.02.2024;Zahlung;CHF;-300.00;Credit\n20.02.2024;Kino;CHF;18.00;Debit\n"
    parsed = read(f"Transaction date;Description;Currency;Amount;Debit/Credit\n{rows}")
    assert [f"{money(row)}" for row in parsed.rows] == ["-54.30", "300.00", "-18.00"]


def test_a_total_of_a_section_is_no_row_whichever_of_its_cells_says_so() -> None:
    parsed = read(
        "Section,Kind,Currency,Date,Description,Amount\n"
        "Deposits,Data,USD,2024-01-03,Electronic transfer,1000\n"
        "Deposits,Data,Total,,,1000\n"
        "Dividends,Data,USD,2024-01-10,VTI cash dividend,12.5\n"
        "Dividends,Data,Total,,,12.5\n"
    )
    assert [f"{money(row)}" for row in parsed.rows] == ["1000", "12.5"]
    assert (parsed.errors, parsed.rows_skipped) == ([], 2)
