"""Rows of papers that print no date, and lines that were left out beside a balance that nothing states."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import Judgement, judge
from interlock.workflows.statements.parsed import Parsed
from tests.statements.reading import read
from tests.statements.world.newcomers.sheets import Sheet

Lines = list[tuple[float | str, ...]]
HEAD: tuple[float | str, ...] = (
    40,
    "Date",
    110,
    "Description",
    -370,
    "Paid out",
    -460,
    "Paid in",
    -550,
    "Balance",
)
OPENING: tuple[float | str, ...] = (110, "Opening balance", -550, "100.00")
CLOSING: tuple[float | str, ...] = (110, "Closing balance", -550, "60.00")


def paper(*lines: tuple[float | str, ...], head: tuple[float | str, ...] = HEAD) -> Parsed:
    sheet = Sheet()
    sheet.lines(
        (40, "Orchard Bank", -550, "Account 11223344   Sort code 10-20-30"),
        (40, "Statement from 1 March 2024 to 31 March 2024   GBP"),
        head,
        *lines,
    )
    return read(sheet.done(), name="statement.pdf")


def row(day: str, out: str, balance: str, text: str = "Shop") -> tuple[float | str, ...]:
    return (40, f"{day} Mar 2024" if day else "", 110, text, -370, out, -550, balance)


def judged(*lines: tuple[float | str, ...]) -> Judgement:
    return judge(paper(*lines))


def doubts(judgement: Judgement) -> str:
    return "\n".join(one.message for one in judgement.remarks if one.severity == "warning")


def test_a_row_of_the_same_day_may_leave_its_date_out() -> None:
    lines = (
        OPENING,
        row("05", "10.00", "90.00"),
        row("", "10.00", "80.00"),
        row("07", "20.00", "60.00"),
        CLOSING,
    )
    parsed = paper(*lines)
    assert judge(parsed).reconciled == "yes"
    assert [one.date for one in parsed.rows] == ["05 Mar 2024", "05 Mar 2024", "07 Mar 2024"]


def test_a_row_without_a_date_is_a_doubt_where_other_rows_repeat_theirs() -> None:
    judgement = judged(
        OPENING,
        row("05", "10.00", "90.00"),
        row("05", "5.00", "85.00"),
        row("", "5.00", "80.00"),
        row("07", "20.00", "60.00"),
        CLOSING,
    )
    assert (judgement.reconciled, "which may be another" in doubts(judgement)) == ("unknown", True)


def test_a_row_without_a_date_is_a_doubt_below_the_balance_that_ends_a_day() -> None:
    judgement = judged(
        OPENING,
        row("05", "10.00", ""),
        row("", "10.00", "80.00"),
        row("", "15.00", "65.00"),
        row("07", "5.00", "60.00"),
        CLOSING,
    )
    assert (judgement.reconciled, "which may be another" in doubts(judgement)) == ("unknown", True)


@pytest.mark.parametrize(("value", "reconciled"), [("04/03", "yes"), ("06/03", "unknown")])
def test_a_row_without_a_date_is_a_doubt_where_its_day_of_value_is_another(
    value: str, reconciled: str
) -> None:
    head = (40, "F. OPER.", 95, "CONCEPTO", 330, "F. VALOR", -470, "IMPORTE", -550, "SALDO")
    parsed = paper(
        (95, "SALDO ANTERIOR", -550, "100,00"),
        (40, "04/03", 95, "Compra", 330, "04/03", -470, "-10,00", -550, "90,00"),
        (95, "Cajero", 330, value, -470, "-10,00", -550, "80,00"),
        (40, "09/03", 95, "Nomina", 330, "09/03", -470, "20,00", -550, "100,00"),
        (95, "SALDO FINAL", -550, "100,00"),
        head=head,
    )
    assert len(parsed.rows) == 3
    assert judge(parsed).reconciled == reconciled


@pytest.mark.parametrize(("value", "reconciled"), [("05-03-2024", "yes"), ("06-03-2024", "unknown")])
def test_a_day_that_begins_the_description_counts_like_one_of_value(value: str, reconciled: str) -> None:
    def line(day: str, other: str, out: str, balance: str) -> tuple[float | str, ...]:
        return (40, day, 110, f"{other} Shop", -370, out, -550, balance)

    parsed = paper(
        OPENING,
        line("05-03-2024", "05-03-2024", "10.00", "90.00"),
        line("", value, "10.00", "80.00"),
        line("17-03-2024", "17-03-2024", "20.00", "60.00"),
        CLOSING,
    )
    assert len(parsed.rows) == 3
    assert judge(parsed).reconciled == reconciled


def test_the_first_row_without_a_date_is_said_where_no_opening_balance_is_stated() -> None:
    judgement = judged(
        row("", "10.00", "90.00"), row("05", "10.00", "80.00"), row("07", "20.00", "60.00"), CLOSING
    )
    assert judgement.reconciled == "unknown"
    assert "1 lines with an amount and no date were left out" in doubts(judgement)


def test_a_dated_line_without_an_amount_before_the_first_row_is_said_where_it_moves_the_balance() -> None:
    forward = row("01", "", "100.00", "BALANCE OF LAST MONTH'S PAGE")
    still = judged(forward, row("05", "10.00", "90.00"), row("07", "30.00", "60.00"), CLOSING)
    moved = judged(
        forward, row("03", "", "95.00"), row("05", "5.00", "90.00"), row("07", "30.00", "60.00"), CLOSING
    )
    assert "a dated line with a balance and no amount was left out" not in doubts(still)
    assert "a dated line with a balance and no amount was left out" in doubts(moved)


@pytest.mark.parametrize("marker", ["dr", "Dr", "DB", "DR"])
def test_a_debit_is_known_by_its_mark_however_it_is_written(marker: str) -> None:
    head = (40, "Date", 110, "Description", -440, "Amount", -550, "Balance")
    parsed = paper(
        (110, "B/F BALANCE", -550, "100.00"),
        (40, "05 Mar 2024", 110, "Shop", -440, f"150.00 {marker}", -550, f"50.00 {marker}"),
        (40, "07 Mar 2024", 110, "Pay", -440, "90.00", -550, "40.00"),
        (110, "C/F BALANCE", -550, "40.00"),
        head=head,
    )
    assert [one.sign for one in parsed.rows] == [-1, 1]
    assert judge(parsed).reconciled == "yes"
