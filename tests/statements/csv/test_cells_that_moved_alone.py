"""A row with another number of cells, a file that ends within a line, a quote that nothing closes: said, unless balances prove them."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import ParseFault
from tests.statements.reading import day, read, said

HEAD = "Date,Value date,Text,Withdrawals (SGD),Deposits (SGD)\n"
ROWS = (
    "13/05/2024,13/05/2024,A,1.00,\n14/05/2024,14/05/2024,B,,2.00\n"
    "15/05/2024,15/05/2024,C,3.00,\n16/05/2024,16/05/2024,D,4.00,\n"
)


def test_the_plain_table_raises_no_alarm() -> None:
    assert judge(read(HEAD + ROWS)).warnings == 0


@pytest.mark.parametrize(
    ("was", "now", "words"),
    [
        ("C,3.00,\n", "C,,3.00,\n", "line 4 has 6 cells and the others have 5"),
        ("B,,2.00\n", "B,2.00\n", "line 3 has 4 cells and the others have 5"),
        ("D,4.00,\n", "D,4.0", "line 5 has 4 cells and the others have 5"),
        ("A,1.00,\n", '"A,1.00,\n', "a quote is not closed"),
    ],
)
def test_a_row_whose_cells_may_have_moved_is_in_doubt(was: str, now: str, words: str) -> None:
    parsed = read(HEAD + ROWS.replace(was, now))
    assert words in said(parsed)
    assert judge(parsed).warnings > 0


def test_where_balances_prove_the_rows_another_number_of_cells_only_informs() -> None:
    head = "Opening balance,10.00\nClosing balance,4.00\n\nDate,Text,Amount (GBP),Note\n"
    rows = "13/05/2024,A,-1.00,x\n14/05/2024,B,-2.00,x\n15/05/2024,C,-1.00,x\n16/05/2024,D,-2.00\n"
    parsed = read(head + rows)
    assert "line 8 has 3 cells and the others have 4" in said(parsed)
    assert judge(parsed).reconciled == "yes"


@pytest.mark.parametrize("end", ["42", "42.", '"42.7'])
def test_a_last_amount_that_is_cut_is_said(end: str) -> None:
    rows = "".join(f"{number}/05/2024,A{number},-{number}.25\n" for number in range(13, 18))
    whole = read(f"Date,Text,Amount (GBP)\n{rows}18/05/2024,B,-42.75")
    cut = read(f"Date,Text,Amount (GBP)\n{rows}18/05/2024,B,{end}")
    assert "the file ends within a line" not in said(whole)
    assert "the file ends within a line" in said(cut) or cut.errors
    assert judge(cut).warnings > 0


def test_a_last_line_that_begins_like_the_rows_and_has_fewer_cells_is_said() -> None:
    head = "Account,Text,Date,Amount (USD),Balance\n"
    rows = "4821,A,05/13/2024,-1.00,9.00\n4821,B,05/14/2024,-2.00,7.00\n4821,C,05/15/2024,-2.00,5.00\n"
    parsed = read(f"{head}{rows}4821,KROGER #4")
    assert "the file ends within a line; it may be cut off" in said(parsed)
    assert judge(parsed).reconciled == "unknown"
    assert "ends within" not in said(read(f"{head}{rows}Generated,online"))


def test_a_row_that_names_no_currency_has_that_of_the_others_and_is_in_doubt() -> None:
    text = (
        "Date,Text,Amount,Currency\n13/05/2024,A,-1.00,PLN\n14/05/2024,B,-2.00,PLN\n15/05/2024,C,-3.00,{}\n"
    )
    for cell, words in (("", "the row names no currency; PLN is taken"), ("PL", "'PL' is no currency")):
        parsed = read(text.format(cell))
        assert {row.currency for row in parsed.rows} == {"PLN"}
        assert words in said(parsed)
        assert judge(parsed).warnings > 0


@pytest.mark.parametrize(
    ("head", "taken"),
    [
        ("Statement date,Feld 1,Text,Amount (GBP)", "2024-05-13"),
        ("Due date,Feld 1,Text,Amount (GBP)", "2024-05-13"),
        ("Value date,Feld 1,Text,Amount (GBP)", "2024-05-28"),
    ],
)
def test_a_day_without_a_name_beside_one_of_something_else_is_in_doubt(head: str, taken: str) -> None:
    rows = "28/05/2024,13/05/2024,A,-1.00\n29/05/2024,14/05/2024,B,-2.00\n30/05/2024,15/05/2024,C,-2.00\n"
    parsed = read(f"{head}\n{rows}")
    assert day(parsed.rows[0]) == taken
    assert "no column is called the day of a transaction" in said(parsed)


def test_a_header_that_is_repeated_does_not_hide_that_a_day_is_the_exports() -> None:
    head = "Data date,Transaction date,Text,Amount (GBP)\n"
    rows = [f"31/05/2024,{number}/05/2024,A{number},-1.00\n" for number in (13, 14, 15, 16)]
    parsed = read(head + "".join(rows[:2]) + head + "".join(rows[2:]))
    assert [day(row) for row in parsed.rows] == [f"2024-05-{number}" for number in (13, 14, 15, 16)]


def test_codes_of_a_table_without_names_may_be_of_another_amount() -> None:
    rows = (
        "13.05.2024;A;-100,00;USD;1,1000;-90,91;909,09\n14.05.2024;B;-11,00;USD;1,1000;-10,00;899,09\n"
        "15.05.2024;C;-22,00;USD;1,1000;-20,00;879,09\n"
    )
    parsed = read(rows)
    assert "no name says whose currency USD is" in said(parsed)
    assert judge(parsed).reconciled == "unknown"


def test_a_spoilt_date_before_words_that_begin_like_a_total_is_an_error() -> None:
    parsed = read(
        "Date,Text,Amount (USD),Balance\n05/14/2024,A,-1.00,9.00\n05/13/2024,B,-2.00,10.00\n??,TOTAL WINE,-3.00,12.00\n"
    )
    assert [error.error_code for error in parsed.errors] == ["DATE_UNPARSABLE"]


def test_amounts_under_their_name_that_cannot_be_read_are_not_looked_for_elsewhere() -> None:
    rows = "24.10.2024;R84751402;A;z?3,31;DEBIT;PLN\n27.10.2024;R79143618;B;z?197,80;DEBIT;PLN\n29.10.2024;R84694837;C;z?1,20;CREDIT;PLN\n"
    for head in ("Date;Reference;Action;Amount;Type;Currency\n", ""):
        with pytest.raises(ParseFault) as fault:
            read(head + rows)
        assert fault.value.code == "LAYOUT_MISMATCH"
