"""Tables of banks that nobody described, one trap each: every row to the cent, and what cannot be read is said."""

from __future__ import annotations

import pytest

from ..reading import agrees, read, rows, said

Expected = list[tuple[str, str, str]]
TWO: Expected = [("2024-01-05", "A", "-12.00"), ("2024-01-06", "B", "5.00")]
CASES: dict[str, tuple[str | bytes, Expected]] = {
    "a minus behind": ("Date,Description,Amount\n2024-01-05,A,12.00-\n2024-01-06,B,5.00\n", TWO),
    "parentheses and dollars": ("Post Date,Memo,Amount\n1/5/2024,A,($12.00)\n1/6/2024,B,$5.00\n", TWO),
    "signs on either side of the dollar": (
        "Date,Description,Amount\n2024-01-05,A,-$12.00\n2024-01-06,B,+$5.00\n",
        TWO,
    ),
    "a typographic minus": ("Date,Description,Amount\n2024-01-05,A,−12.00\n2024-01-06,B,5.00\n", TWO),
    "DR and CR": (
        "Date,Narration,Amount,Balance\n05/01/2024,A,12.00 DR,88.00 CR\n06/01/2024,B,5.00 CR,93.00 CR\n31/01/2024,C,1.00 DR,92.00 CR\n",
        [*TWO, ("2024-01-31", "C", "-1.00")],
    ),
    "only credits are marked": ("Date,Details,Amount\n2024-01-05,A,12.00\n2024-01-06,B,5.00CR\n", TWO),
    "a column says which way": (
        "Transaction Date,Transaction Type,Description,Amount\n2024-01-05,DEBIT,A,12.00\n2024-01-06,CREDIT,B,5.00\n",
        TWO,
    ),
    "debits that are negative": (
        "Date,Description,Debit,Credit\n2024-01-05,A,-12.00,\n2024-01-06,B,,5.00\n",
        TWO,
    ),
    "zero in the other column": (
        "Date,Description,Debit,Credit,Balance\n2024-01-05,A,12.00,0.00,88.00\n2024-01-06,B,0.00,5.00,93.00\n",
        TWO,
    ),
    "no sign but a balance": (
        "Date,Particulars,Amount,Balance\n2024-01-05,ATM A,12.00,88.00\n2024-01-06,B,5.00,93.00\n2024-01-20,C,3.00,90.00\n",
        [("2024-01-05", "ATM A", "-12.00"), TWO[1], ("2024-01-20", "C", "-3.00")],
    ),
    "the newest first": (
        "Date,Description,Amount,Balance\n2024-01-06,B,5.00,93.00\n2024-01-05,A,-12.00,88.00\n",
        TWO[::-1],
    ),
    "balances above and below": (
        "Date,Description,Amount,Balance\n2024-01-01,Opening balance,,100.00\n2024-01-05,A,-12.00,88.00\n"
        "2024-01-06,B,5.00,93.00\n2024-01-31,Closing balance,,93.00\n",
        TWO,
    ),
    "totals, and a shop of that name": (
        "Date,Description,Amount\n2024-01-05,TOTAL WINE,-12.00\n2024-01-06,B,5.00\n,Total,-7.00\n",
        [("2024-01-05", "TOTAL WINE", "-12.00"), TWO[1]],
    ),
    "a line break inside a cell": (
        'Date,Description,Amount\n2024-01-05,"A\nand B, C",-12.00\n',
        [("2024-01-05", "A and B, C", "-12.00")],
    ),
    "the spreadsheet's own first line": (
        "sep=;\nDate;Description;Amount\n2024-01-05;A;-12,00\n2024-01-06;B;5,00\n",
        TWO,
    ),
    "two bytes a letter": (
        "Date\tDescription\tAmount\n2024-01-05\tCafé\t-12.00\n".encode("utf-16"),
        [("2024-01-05", "Café", "-12.00")],
    ),
    "French": (
        "Date;Libellé;Débit euros;Crédit euros\n05/01/2024;RETRAIT;-1 012,00;\n31/01/2024;VIREMENT;;1 250,50\n".encode(
            "latin-1"
        ),
        [("2024-01-05", "RETRAIT", "-1012.00"), ("2024-01-31", "VIREMENT", "1250.50")],
    ),
    "Swiss": (
        "Datum;Text;Belastung;Gutschrift;Saldo CHF\n05.01.2024;Migros;1'250.50;;8'749.50\n06.01.2024;Lohn;;5'000.00;13'749.50\n",
        [("2024-01-05", "Migros", "-1250.50"), ("2024-01-06", "Lohn", "5000.00")],
    ),
    "Indian groups": (
        "Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance\n"
        '5 Jan 2024,5 Jan 2024,UPI,123,"1,25,000.00",,"2,00,000.00"\n6 Jan 2024,6 Jan 2024,NEFT,,,10.50,"2,00,010.50"\n',
        [("2024-01-05", "UPI", "-125000.00"), ("2024-01-06", "NEFT", "10.50")],
    ),
    "Dutch, with af and bij": (
        "Datum;Naam / Omschrijving;Rekening;Tegenrekening;Code;Af Bij;Bedrag (EUR);Mutatiesoort;Mededelingen\n"
        "20240105;A;NL01INGB0001234567;;BA;Af;12,00;Betaalautomaat;\n"
        "20240106;B;NL01INGB0001234567;NL02;OV;Bij;5,00;Overschrijving;\n",
        TWO,
    ),
    "pending rows": (
        "Date,Status,Description,Amount\n2024-01-04,Pending,X,-9.00\n2024-01-05,Posted,A,-12.00\n2024-01-06,Posted,B,5.00\n",
        TWO,
    ),
    "times beside dates": (
        "Date,Description,Amount\n2024-01-05 23:59:59,A,-12.00\n2024-01-06T00:00:01Z,B,5.00\n",
        TWO,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_table_with_a_trap_comes_out_row_by_row(case: str) -> None:
    text, expected = CASES[case]
    parsed = read(text)
    assert rows(parsed) == expected
    assert parsed.errors == []
    assert all(agrees(parsed))


def test_several_exports_in_one_file_are_several_accounts_with_balances_of_their_own() -> None:
    parsed = read(
        "Account,1111\nDate,Description,Amount,Balance\n2024-01-05,A,-12.00,88.00\n\n"
        "Account,2222\nDate,Description,Amount,Balance\n2024-01-06,B,5.00,105.00\n"
    )
    assert rows(parsed) == TWO
    assert [row.account for row in parsed.rows] == ["1111", "2222"]
    assert agrees(parsed) == [True, True]


def test_of_two_rows_one_that_is_bad_is_an_error_and_the_other_is_kept() -> None:
    parsed = read("Date,Description,Amount\n2024-01-05,A,-12.00\n2024-01-06,B,twelve\n")
    assert rows(parsed) == TWO[:1]
    assert [(one.error_code, one.row_id) for one in parsed.errors] == [("AMOUNT_UNPARSABLE", 1)]


def test_the_currency_in_the_name_of_the_balance_counts() -> None:
    text, _ = CASES["Swiss"]
    assert {row.currency for row in read(text).rows} == {"CHF"}


def test_a_thousand_that_is_cut_in_two_is_an_error_and_never_a_smaller_amount() -> None:
    parsed = read("Date,Description,Amount\n2024-01-05,A,-1,250.00\n2024-01-06,B,-2.00\n")
    assert [one.error_code for one in parsed.errors] == ["ROW_LONG"]
    assert rows(parsed) == [("2024-01-06", "B", "-2.00")]


def test_a_balance_that_does_not_follow_is_said_with_its_figures() -> None:
    parsed = read(
        "Date,Description,Amount,Balance\n2024-01-05,A,-12.00,88.00\n2024-01-06,B,5.00,94.00\n2024-01-07,C,1.00,95.00\n"
    )
    assert not all(agrees(parsed))
    assert "row 1 prints 94.00, its amount leads to 93.00" in said(parsed)
