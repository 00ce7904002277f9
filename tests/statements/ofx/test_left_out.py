"""Entries of an OFX list that are no transactions, and which of two days is a transaction's."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import Parsed
from tests.statements.ofx.files import bank, sgml, transaction
from tests.statements.reading import day, money, read, said

ENDS = "<LEDGERBAL><BALAMT>{}<DTASOF>20240131</LEDGERBAL>"


def amounts(parsed: Parsed) -> list[str]:
    return [f"{money(row)}" for row in parsed.rows]


def doubts(parsed: Parsed) -> list[str]:
    return [one.message for one in judge(parsed).remarks if one.severity == "warning"]


def test_an_entry_that_is_replaced_and_one_that_is_deleted_are_no_rows() -> None:
    parsed = read(
        sgml(
            bank(
                transaction("-10.00", "A1"),
                transaction("-20.00", "A2"),
                transaction("-11.00", "A3", more="<CORRECTFITID>A1<CORRECTACTION>REPLACE<NAME>SHOP"),
                transaction("-20.00", "A4", more="<CORRECTFITID>A2<CORRECTACTION>DELETE<NAME>SHOP"),
                transaction("-5.00", "A5"),
            )
        ),
        name="a.ofx",
    )
    assert (amounts(parsed), parsed.rows_skipped) == (["-11.00", "-5.00"], 3)
    assert "A3 replaces A1; it is left out" in said(parsed)
    assert "A4 deletes A2; it is left out" in said(parsed)
    assert doubts(parsed) == []


@pytest.mark.parametrize(("action", "rows"), [("REPLACE", ["-11.00"]), ("DELETE", [])])
def test_a_correction_of_what_another_file_has_is_a_doubt(action: str, rows: list[str]) -> None:
    more = f"<CORRECTFITID>B7<CORRECTACTION>{action}<NAME>SHOP"
    parsed = read(sgml(bank(transaction("-11.00", "A1", more=more))), name="a.ofx")
    assert amounts(parsed) == rows
    assert "which another file has; it is not taken back there" in doubts(parsed)[0]


def test_a_correction_that_is_called_like_what_it_replaces_takes_its_place() -> None:
    more = "<CORRECTFITID>A<CORRECTACTION>REPLACE<NAME>SHOP"
    entries = (transaction("-5.00", "A"), transaction("-9.00", "B"), transaction("-6.00", "A", more=more))
    parsed = read(sgml(bank(*entries)), name="a.ofx")
    assert (amounts(parsed), parsed.rows_skipped, doubts(parsed)) == (["-9.00", "-6.00"], 1, [])


def test_a_correction_of_one_of_several_entries_of_the_same_id_takes_none_back_and_is_a_doubt() -> None:
    more = "<CORRECTFITID>0<CORRECTACTION>REPLACE<NAME>SHOP"
    entries = (
        transaction("-5.00", "0"),
        transaction("-9.00", "0", more="<NAME>BAR"),
        transaction("-6.00", "1", more=more),
    )
    parsed = read(sgml(bank(*entries)), name="a.ofx")
    assert amounts(parsed) == ["-5.00", "-9.00", "-6.00"]
    assert "1 replaces 0, which several entries are called; all of them are kept" in doubts(parsed)[0]


def test_balances_among_the_entries_are_no_rows_and_prove_those_that_lead_from_one_to_the_other() -> None:
    entries = (
        transaction("100.00", "1", kind="OTHER", more="<MEMO>Saldo Anterior"),
        transaction("-30.00", "2"),
        transaction("70.00", "3", kind="OTHER", more="<MEMO>S A L D O"),
    )
    parsed = read(sgml(bank(*entries, currency="BRL", more=ENDS.format("70.00"))), name="extrato.ofx")
    assert (amounts(parsed), parsed.rows_skipped) == (["-30.00"], 2)
    assert judge(parsed).reconciled == "yes"
    parsed = read(sgml(bank(*entries[:2], currency="BRL", more=ENDS.format("75.00"))), name="extrato.ofx")
    assert (amounts(parsed), judge(parsed).reconciled) == (["-30.00"], "unknown")
    assert doubts(parsed) == [
        "account 999988881234: 1 entry is a balance by its words and no transaction; left out"
    ]


@pytest.mark.parametrize(
    "words",
    ["<NAME>NEW BALANCE 1204", "<NAME>TOTAL", "<NAME>OPENING BALANCE<MEMO>JAZZ BAR", "<NAME>Saldo Café"],
)
def test_a_shop_whose_name_is_a_word_of_balances_stays_a_row(words: str) -> None:
    parsed = read(sgml(bank(transaction("-30.00", "1", more=words))), name="a.ofx")
    assert (amounts(parsed), parsed.rows_skipped) == (["-30.00"], 0)


@pytest.mark.parametrize(
    ("made", "wanted", "posted"),
    [
        ("20240103", "2024-01-03", "20240105120000[-5:EST]"),
        ("20240105", "2024-01-05", ""),
        ("20240106", "2024-01-05", ""),
        ("20231105", "2024-01-05", ""),
        ("00000000", "2024-01-05", ""),
    ],
)
def test_the_day_of_a_transaction_is_that_of_its_user_where_it_is_a_month_before_posting_at_most(
    made: str, wanted: str, posted: str
) -> None:
    parsed = read(sgml(bank(transaction("-30.00", "1", more=f"<DTUSER>{made}<NAME>SHOP"))), name="a.ofx")
    assert [(day(row), row.posted_date) for row in parsed.rows] == [(wanted, posted)]
