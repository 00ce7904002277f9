"""The period that lines before a table name is the statement's, and rows far outside of it are in doubt."""

from __future__ import annotations

from datetime import date

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from tests.statements.ofx.files import bank, sgml, transaction
from tests.statements.reading import read

MARCH = (date(2025, 3, 1), date(2025, 3, 31))
ROWS = "Date,Description,Amount,Currency,Balance\n2025-03-01,a,-10.00,EUR,90.00\n{},b,-20.00,EUR,70.00\n2025-03-20,c,5.00,EUR,75.00\n"


@pytest.mark.parametrize(
    "above",
    [
        "Statement period: 2025-03-01 to 2025-03-31\n",
        "Period: 01/03/2025 - 31/03/2025\nAccount: 12345678\n",
        "From,2025-03-01\nTo,2025-03-31\nAccount,12345678\n",
        "Zeitraum:,01.03.2025 - 31.03.2025\n",
        "Start date: 2025-03-01\nEnd date: 2025-03-31\n",
    ],
)
def test_the_period_before_a_table_is_read_and_rows_of_another_year_are_said(above: str) -> None:
    whole = read(above + ROWS.format("2025-03-15"))
    assert (whole.period, judge(whole).reconciled) == (MARCH, "yes")
    odd = read(above + ROWS.format("2023-03-15"))
    judged = judge(odd)
    assert (odd.period, judged.reconciled) == (MARCH, "unknown")
    assert [one.message for one in judged.remarks] == [
        "1 row lies outside the statement's period, 2025-03-01 to 2025-03-31"
    ]


def test_a_period_whose_days_may_be_months_is_none() -> None:
    assert read("Period: 01/03/2025 - 02/04/2025\n" + ROWS.format("2025-03-15")).period == (None, None)


def test_a_row_of_ofx_far_outside_of_its_list_is_said() -> None:
    parsed = read(sgml(bank(transaction("-1.00", "F1", date="20230302"), transaction("-2.00", "F2"))))
    assert "1 row lies outside the statement's period, 2024-01-01 to 2024-01-31" in [
        one.message for one in judge(parsed).remarks
    ]
