"""Totals printed under rows are held against them: where no balance proves the rows, a total says which section one is missing from."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.parsed import Parsed
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.pdf.parsers import GenericPdf
from tests.statements.pdf.layouts.boa import DATE, MONEY, checking, entry, head, title
from tests.statements.pdf.layouts.sheets import Sheet

IN = [("01/02/24", "PAYROLL", "2,500.00"), ("01/16/24", "REFUND OF TOTAL WINE", "18.20")]
OUT = [
    ("01/03/24", "CORNER GROCER", "-41.17"),
    ("01/05/24", "TOTAL FITNESS CLUB", "-60.00"),
    ("01/09/24", "CITY LIGHT", "-99.83"),
]


def section(
    sheet: Sheet,
    name: str,
    rows: list[tuple[str, str, str]],
    *totals: tuple[str, str],
    turn: int | None = None,
) -> None:
    title(sheet, name)
    head(sheet)
    for number, (date, text, amount) in enumerate(rows):
        if number == turn:
            sheet.turn(70)
            title(sheet, f"{name} - continued")
            head(sheet)
        entry(sheet, date, amount, text)
    for words, figure in totals:
        sheet.row((DATE, words), (MONEY, figure, "right"), step=16)


def statement(deposits: str = "$2,518.20", withdrawals: str = "-$201.00", turn: int | None = None) -> Parsed:
    sheet = Sheet()
    sheet.row((DATE, "Bank of Somewhere"), (MONEY, "January 1, 2024 to January 31, 2024", "right"), step=30)
    section(sheet, "Deposits and other additions", IN, ("Total deposits and other additions", deposits))
    section(
        sheet,
        "Withdrawals and other subtractions",
        OUT,
        ("Total withdrawals and other subtractions", withdrawals),
        turn=turn,
    )
    return GenericPdf().parse(Document("s.pdf", sheet.pdf()))


def remarks(parsed: Parsed) -> list[str]:
    return [one.message for one in parsed.warnings if "the total of" in one.message]


@pytest.mark.parametrize("turn", [None, 1])
def test_totals_that_agree_are_not_spoken_of(turn: int | None) -> None:
    parsed = statement(turn=turn)
    assert len(parsed.rows) == 5
    assert remarks(parsed) == []


def test_a_total_that_its_rows_do_not_make_is_said_with_its_section_and_page() -> None:
    said = remarks(statement(withdrawals="-$301.00", turn=2))
    assert said == [
        "page 2: the total of “Withdrawals and other subtractions” is 301.00, but its rows make 201.00"
    ]


def test_each_section_is_held_against_its_own_total() -> None:
    assert [one.split("“")[1].split("”")[0] for one in remarks(statement("$1.00", "-$2.00"))] == [
        "Deposits and other additions",
        "Withdrawals and other subtractions",
    ]


def test_a_subtotal_is_that_of_the_rows_since_the_last_one() -> None:
    sheet = Sheet()
    sheet.row((DATE, "January 1, 2024 to January 31, 2024"), step=30)
    section(sheet, "Withdrawals and other subtractions", OUT[:2], ("Subtotal", "-$101.17"))
    for date, text, amount in OUT[2:]:
        entry(sheet, date, amount, text)
    sheet.row((DATE, "Subtotal"), (MONEY, "-$99.83", "right"), step=16)
    sheet.row((DATE, "Total withdrawals and other subtractions"), (MONEY, "-$201.00", "right"), step=16)
    parsed = GenericPdf().parse(Document("s.pdf", sheet.pdf()))
    assert len(parsed.rows) == 3
    assert remarks(parsed) == []


def test_rows_that_lead_from_one_balance_to_the_other_need_no_total() -> None:
    assert remarks(GenericPdf().parse(Document("s.pdf", checking().pdf()))) == []
