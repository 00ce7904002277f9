"""Rows under a heading that says they are not booked are no transactions."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import ParseFault
from tests.statements.reading import read, said

HEAD = "Date,Description,Debit,Credit,Currency\n"
BOOKED = "2025-03-13,a,1.00,,EUR\n2025-03-24,b,,2.00,EUR\n"
WAITING = "2025-03-25,c,10.00,,EUR\n"


@pytest.mark.parametrize(
    "text",
    [
        f"Posted transactions\n{HEAD}{BOOKED}\nPending transactions\n{HEAD}{WAITING}",
        f"{HEAD}{BOOKED}Pending transactions,,,,\n{WAITING}",
        f"{HEAD}Pending,,,,\n{WAITING}Posted,,,,\n{BOOKED}",
        f"Pending transactions\n{HEAD}{WAITING}\nPosted transactions\n{HEAD}{BOOKED}",
        f"{HEAD}{WAITING}{BOOKED}".replace(WAITING, f"Vorgemerkte Umsätze\n{WAITING}Gebuchte Umsätze\n"),
        f"{HEAD}{BOOKED}Declined payments\n{WAITING}Pending transactions may change.\n",
    ],
)
def test_rows_under_a_heading_of_pending_ones_are_left_out_and_counted(text: str) -> None:
    parsed = read(text)
    assert [row.description for row in parsed.rows] == ["a", "b"]
    assert "1 line skipped: pending" in said(parsed) or "2 lines skipped: pending" in said(parsed)
    assert judge(parsed).warnings == 0, said(parsed)


def test_rows_behind_pending_ones_and_a_line_that_says_nothing_of_them_are_in_doubt() -> None:
    parsed = read(f"{HEAD}Pending\n{WAITING}Household\n{BOOKED}")
    assert [row.description for row in parsed.rows] == ["a", "b"]
    assert "rows below line 4 stand behind pending ones" in said(parsed)
    assert judge(parsed).reconciled == "unknown"


@pytest.mark.parametrize(
    "line", ["Pending transactions not included", "Include pending,no", "Pending balance"]
)
def test_a_line_that_names_pending_rows_elsewhere_leaves_out_none(line: str) -> None:
    assert [row.description for row in read(f"{line}\n{HEAD}{BOOKED}").rows] == ["a", "b"]


def test_a_file_of_nothing_but_pending_rows_is_no_empty_statement() -> None:
    with pytest.raises(ParseFault, match="none of them is booked"):
        read(f"Pending transactions\n{HEAD}{WAITING}")
