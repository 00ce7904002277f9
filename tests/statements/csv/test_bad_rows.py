"""One bad row costs itself and is named; the others are kept, and nothing is read wrongly in silence."""

from __future__ import annotations

import pytest

from ..reading import read, rows, said

HEADER = "Date,Description,Amount,Running Bal.\n"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("01/03/2024,COFFEE,abc,90.00", "AMOUNT_UNPARSABLE"),
        ("01/03/2024,COFFEE,1.2.3,90.00", "AMOUNT_UNPARSABLE"),
        ("01/03/2024,COFFEE,,", "AMOUNT_MISSING"),
        ("13/45/2024,COFFEE,-5.00,90.00", "DATE_UNPARSABLE"),
        (",COFFEE,-5.00,90.00", "DATE_UNPARSABLE"),
        ("01/03/2024", "ROW_SHORT"),
        ("01/03/2024,COFFEE", "ROW_SHORT"),
        ("01/03/2024,COFFEE,-1,234.00,90.00", "ROW_LONG"),
    ],
)
def test_a_bad_row_is_named_and_the_others_are_kept(line: str, code: str) -> None:
    parsed = read(f"{HEADER}01/02/2024,FIRST,-5.00,95.00\n{line}\n01/04/2024,LAST,-1.00,94.00\n")
    assert [description for _, description, _ in rows(parsed)] == ["FIRST", "LAST"]
    assert [(error.error_code, error.row_id) for error in parsed.errors] == [(code, 1)]
    assert parsed.errors[0].message.startswith("line 3: ")
    assert [row.row_id for row in parsed.rows] == [0, 2]


def test_a_stray_quote_costs_no_other_row() -> None:
    parsed = read(
        f'{HEADER}01/05/2024,"UNCLOSED,-1.00,89.00\n01/06/2024,5" PIPE,-1.00,88.00\n01/07/2024,"GOOD",-1.00,87.00\n'
    )
    assert rows(parsed) == [
        ("2024-01-05", "UNCLOSED", "-1.00"),
        ("2024-01-06", '5" PIPE', "-1.00"),
        ("2024-01-07", "GOOD", "-1.00"),
    ]


def test_an_unclosed_quote_at_the_end_costs_no_earlier_row() -> None:
    text = HEADER + "".join(f"01/05/2024,ROW {number},-1.00,{200 - number}.00\n" for number in range(100))
    parsed = read(text.replace("ROW 3,", '"ROW 3,'))
    assert [description for _, description, _ in rows(parsed)] == [f"ROW {number}" for number in range(100)]


def test_an_unquoted_delimiter_in_a_description_is_mended_and_said() -> None:
    parsed = read(f"{HEADER}01/07/2024,PAYPAL, INC, US,-1.00,87.00\n")
    assert rows(parsed) == [("2024-01-07", "PAYPAL, INC, US", "-1.00")]
    assert "was not quoted" in said(parsed)


def test_the_header_in_the_middle_of_the_file_is_not_a_row() -> None:
    parsed = read(f"{HEADER}01/02/2024,A,-5.00,95.00\n{HEADER}01/03/2024,B,-5.00,90.00\n")
    assert (len(parsed.rows), parsed.errors, parsed.rows_skipped) == (2, [], 1)


def test_trailing_cells_that_a_spreadsheet_dropped_are_empty() -> None:
    parsed = read(
        "Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit\n2024-02-03,2024-02-04,1234,SHOP,Merchandise,25.99\n"
    )
    assert [money for _, _, money in rows(parsed)] == ["-25.99"]


def test_a_zero_in_the_other_column_is_no_second_row() -> None:
    parsed = read(
        "Status,Date,Description,Debit,Credit\nCleared,07/14/2024,SHOP,64.20,0.00\nCleared,07/15/2024,ZERO,0.00,\n"
    )
    assert [money for _, _, money in rows(parsed)] == ["-64.20", "0.00"]
