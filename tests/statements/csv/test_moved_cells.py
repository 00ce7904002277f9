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


BALANCES = "Date,Description,Amount (GBP),Balance (GBP)\n13/01/2025,Shop,-5.00,95.00\n14/01/2025,Bar,-5.00,90.00\n15/01/2025,Pay,20.00,110.00\n"


@pytest.mark.parametrize(
    ("row", "reconciled"), [("13/01/2025,", "unknown"), ("14/01/2025,", "no"), ("15/01/2025,", "unknown")]
)
def test_a_moved_row_at_either_end_is_a_doubt_where_no_balance_is_stated_beyond_it(
    row: str, reconciled: str
) -> None:
    judgement = judge(read(BALANCES.replace(row, f",{row}")))
    assert judgement.reconciled == reconciled
    assert any(LEFT_OUT in remark.message for remark in judgement.remarks if remark.severity == "warning")


def test_balances_that_a_preamble_states_in_one_cell_prove_the_rows() -> None:
    head = "Saldo Iniziale: 100,00\nSaldo Finale: 1.110,00\n\nData;Descrizione;Entrate;Uscite\n"
    table = f"{head}13/01/2025;Spesa;;-5,00\n14/01/2025;Bar;;-5,00\n15/01/2025;Stipendio;1.020,00;\n"
    (balance,) = read(table).balances
    assert (balance.beginning, balance.ending, balance.agrees) == (100, 1110, True)
    assert judge(read(table.replace("14/01/2025;Bar;;-5,00\n", ""))).reconciled == "no"


def test_an_amount_without_a_sign_beside_debit_and_credit_is_read_by_their_names() -> None:
    parsed = read(
        "Value date,Narrative,Amount,Debit,Credit,Ccy\n2025-01-13,Shop,5.00,5.00,,SGD\n2025-01-15,Pay,20.00,,20.00,SGD\n"
    )
    assert [money(row) for row in parsed.rows] == [-5, 20]


def test_a_running_balance_of_each_currency_is_followed_by_itself() -> None:
    table = "Date,Counterparty,Currency,Amount,Balance after\n2025-01-13,Shop,EUR,-5.00,95.00\n2025-01-13,Pub,GBP,-1.00,9.00\n2025-01-14,Bar,EUR,-5.00,90.00\n2025-01-15,Pay,GBP,20.00,29.00\n"
    parsed = read(table)
    assert sorted((one.account, one.agrees, one.rows) for one in parsed.balances) == [
        ("EUR", True, 2),
        ("GBP", True, 2),
    ]
    assert judge(parsed).reconciled == "yes", said(parsed)
    assert judge(read(table.replace("Pay,GBP,20.00", "Pay,GBP,21.00"))).reconciled != "yes"


def test_codes_under_a_name_that_says_nothing_are_not_the_currency_of_amounts_that_name_another() -> None:
    parsed = read(
        "Date;Merchant;Was;Xyzzy;Amount (EUR);Balance (EUR)\n13.01.2025;Shop;5,50;USD;-5,00;95,00\n14.01.2025;Bar;5,50;USD;-5,00;90,00\n15.01.2025;Pay;22,00;USD;20,00;110,00\n"
    )
    assert {row.currency for row in parsed.rows} == {"EUR"}


def test_balances_and_turnovers_in_estonian_are_no_rows() -> None:
    parsed = read(
        "Kuupäev;Selgitus;Summa;Valuuta;Deebet/Kreedit\n13.01.2025;Algsaldo;100,00;EUR;K\n13.01.2025;Pood;5,00;EUR;D\n"
        "15.01.2025;Palk;20,00;EUR;K\n15.01.2025;Käive;5,00;EUR;D\n15.01.2025;Käive;20,00;EUR;K\n15.01.2025;Lõppsaldo;115,00;EUR;K\n"
    )
    assert [money(row) for row in parsed.rows] == [-5, 20]
