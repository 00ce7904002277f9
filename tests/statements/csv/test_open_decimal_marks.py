"""Amounts with three digits behind their only separator: currencies of thousandths, and columns that stay open."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.interpretation import Decision, Ends, interpret, readings
from interlock.workflows.statements.doubt.reconcile import judge
from tests.statements.reading import money, read

BALANCES = "Date,Description,Amount,Currency,Balance\n2025-03-13,a,-1.234,{0},10.000\n2025-03-14,b,2.500,{0},12.500\n"


def found(text: str) -> tuple[list[str], str, int]:
    """The money of each row, whether the file is proved, and how many warnings it has."""
    parsed = read(text)
    judged = judge(parsed)
    return [f"{money(row)}" for row in parsed.rows], judged.reconciled, judged.warnings


@pytest.mark.parametrize("code", ["BHD", "JOD", "KWD", "LYD", "OMR", "TND"])
def test_three_digits_are_decimals_in_a_currency_of_thousandths(code: str) -> None:
    assert found(BALANCES.format(code)) == (["-1.234", "2.500"], "yes", 0)


@pytest.mark.parametrize(
    "text",
    [
        "Currency: KWD\nDate,Description,Debit,Credit,Balance\n13/03/2025,a,1.234,,10.000\n14/03/2025,b,,2.500,12.500\n",
        "Transaction Date;Details;Withdrawals;Deposits;Balance\n13/03/2025;a;OMR 1.234;;OMR 10.000\n14/03/2025;b;;OMR 2.500;OMR 12.500\n",
    ],
)
def test_the_currency_of_thousandths_may_stand_above_the_table_or_beside_its_amounts(text: str) -> None:
    assert found(text) == (["-1.234", "2.500"], "yes", 0)


@pytest.mark.parametrize("mark", [".", ","])
def test_a_dinar_of_tunisia_has_three_decimals_behind_either_mark(mark: str) -> None:
    text = f'Date,Description,Debit,Credit,Currency\n2025-03-13,a,"1{mark}234",,TND\n2025-03-14,b,,"2{mark}500",TND\n'
    assert found(text)[0] == ["-1.234", "2.500"]


@pytest.mark.parametrize("code", ["USD", "EUR", "IQD"])
def test_balances_prove_no_decimal_mark_where_all_figures_are_open(code: str) -> None:
    parsed = read(BALANCES.format(code))
    judged = judge(parsed)
    assert (judged.reconciled, [one.topic for one in judged.remarks]) == ("unknown", ["decimal"])


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        (BALANCES.format("USD").replace("12.500", "12.5"), ["-1.234", "2.500"]),
        (BALANCES.format("JPY"), ["-1234", "2500"]),
        ("Date,Description,Amount,Currency\n2025-03-13,a,-1.234,EUR\n2025-03-14,b,500,EUR\n", ["-1234", "500"]),
        ('Date,Description,Amount,Currency\n2025-03-13,a,"-1,234",USD\n2025-03-14,b,"2,500",USD\n', ["-1234", "2500"]),
    ],
)  # fmt: skip
def test_another_figure_or_the_currency_settles_the_mark(text: str, amounts: list[str]) -> None:
    assert found(text)[0] == amounts
    assert "decimal" not in {one.topic for one in judge(read(text)).remarks}


def test_a_person_decides_the_open_mark_and_the_balances_are_read_with_it() -> None:
    parsed = read(BALANCES.format("USD"))
    assert [f"{money(row)}" for row in parsed.rows] == ["-1.234", "2.500"]
    decided = interpret(parsed, Decision(decimal=","))
    assert [f"{money(row)}" for row in decided.rows] == ["-1234", "2500"]
    (balance,) = decided.balances
    assert (balance.beginning, balance.ending, judge(decided).reconciled) == (11234, 12500, "yes")


def test_each_reading_of_an_open_mark_leads_to_its_own_balance() -> None:
    parsed = read(BALANCES.format("USD"))
    (balance,) = parsed.balances
    ends = Ends(balance.beginning, balance.ending, agree_as_parsed=True)
    by_mark = {
        one.decision.decimal: one for one in readings(parsed.rows, ends) if one.decision.signs == "as_read"
    }
    assert {mark: (one.closing_balance, one.reconciles) for mark, one in by_mark.items()} == {
        "": (balance.ending, True),
        ",": (balance.ending * 1000, True),
    }


def test_an_open_mark_of_qif_is_said_beside_its_currency() -> None:
    parsed = read("!Type:Bank\nD03/13/2025\nT-1.234\nPShop\n^\n", name="a.qif")
    assert {remark.topic for remark in judge(parsed).remarks if remark.severity == "warning"} == {
        "decimal",
        "currency",
    }
