# ruff: noqa: E501 tables stay as long as the banks write them
"""A row whose cells moved is never left out without a word, whether or not a balance would notice that it is missing."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from tests.statements.reading import money, read, said

WELLS_FARGO = '"01/22/2025","-84.30","*","","TRADER JOES #552"\n"01/21/2025","-145.43","*","","COMCAST CABLE 800-266-2278"\n"01/20/2025","2026.84","*","","ACME PAYROLL"\n'
CITI = 'Status,Date,Description,Debit,Credit,Member Name\nCleared,01/03/2025,"CHEVRON 0094412",17.99,,R EXAMPLE\nCleared,01/05/2025,"UBER TRIP",31.20,,R EXAMPLE\nCleared,01/09/2025,"PAYMENT THANK YOU",,-90.00,R EXAMPLE\n'
NUBANK = "Data,Valor,Identificador,Descrição\n07/01/2025,-103.39,670a2b-44,Compra no débito\n11/01/2025,-12.50,671a2b-44,Compra no débito\n12/01/2025,829.04,672a2b-44,Transferência recebida\n"
WISE = "ID,Status,Direction,Created on,Finished on,Source fee amount,Source fee currency,Source name,Source amount (after fees),Source currency,Target name,Target amount (after fees),Target currency,Exchange rate\nCARD-1,COMPLETED,OUT,2025-01-02 10:11:12,2025-01-02 10:11:13,0.00,GBP,Robin,116.87,GBP,TESCO,116.87,GBP,1.0\nCARD-2,COMPLETED,OUT,2025-01-07 10:11:12,2025-01-07 10:11:13,0.00,GBP,Robin,41.90,GBP,EE LIMITED,41.90,GBP,1.0\n"
DBS = "Account Details For:,DBS Savings 044-1\n\nTransaction Date,Reference,Debit Amount,Credit Amount,Transaction Ref1,Transaction Ref2,Transaction Ref3,\n05 Jan 2025,POS,86.96, ,MARKET,SI SGP,4412\n06 Jan 2025,POS,50.27, ,BOOKS,SI SGP,4412\n09 Jan 2025,GIRO, ,1323.68,SALARY,SI SGP,4412\n"

LEFT_OUT = "look"
CASES = [
    (WELLS_FARGO, '"01/22/2025",', "", LEFT_OUT),
    (WELLS_FARGO, '"01/21/2025",', "", LEFT_OUT),
    (CITI, "Cleared,01/05/2025,", "Cleared,", LEFT_OUT),
    (CITI, "Cleared,01/05/2025,", "Cleared,,01/05/2025,", LEFT_OUT),
    (NUBANK, "11/01/2025,", "", LEFT_OUT),
    (WISE, "CARD-2,COMPLETED,", "COMPLETED,", LEFT_OUT),
    (WISE, "Robin,41.90,GBP,EE", "Robin,,41.90,GBP,EE", LEFT_OUT),
    (DBS, "POS,50.27,", "POS,,50.27,", "more cells than the table has columns"),
]


@pytest.mark.parametrize(("table", "before", "after", "warning"), CASES)
def test_a_row_that_moved_is_said(table: str, before: str, after: str, warning: str) -> None:
    whole, moved = read(table), read(table.replace(before, after))
    assert judge(whole).warnings == 0 or before not in table
    assert judge(moved).reconciled != "yes"
    assert any(warning in remark.message for remark in judge(moved).remarks if remark.severity == "warning")


def test_what_stands_under_the_table_is_no_row() -> None:
    parsed = read(f"{CITI}\nPage 1 of 1\nCredit limit,5000.00\n")
    assert len(parsed.rows) == 3
    assert "look" not in said(parsed)


def test_single_amounts_of_a_collective_order_are_no_doubt_where_balances_prove_the_rest() -> None:
    parsed = read(
        "Datum;Text;Einzelbetrag;Betrag CHF;Saldo CHF\n"
        "02.01.2025;Sammelauftrag;;-30.00;70.00\n;Wasserwerk;-10.00;;\n;Stromwerk;-20.00;;\n"
        "03.01.2025;Lohn;;50.00;120.00\n04.01.2025;Brot;;-5.00;115.00\n"
    )
    assert [money(row) for row in parsed.rows] == [-30, 50, -5]
    assert judge(parsed).reconciled == "yes", said(parsed)


def test_a_table_with_names_above_its_rows_is_not_taken_for_one_without() -> None:
    head = "取引日,入出金(円),,取引後残高(円),入出金内容"
    parsed = read(f"{head}\n20250106,-11280,,900000,カード\n20250107,-11553,,888447,カード\n")
    assert parsed.source_type == "csv"
    assert {row.currency for row in parsed.rows} == {"JPY"}
