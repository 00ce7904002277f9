"""Traps of real statements, one layout each: rows to the cent, in order, balances that agree, however the page is drawn."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.pdf.parsers import GenericPdf
from interlock.workflows.statements.parsers.registry import bundled_parsers
from tests.statements.pdf.layouts import boa_traps
from tests.statements.pdf.layouts import card as card_layouts
from tests.statements.pdf.layouts import crowded as crowded_layouts
from tests.statements.pdf.layouts import far as far_layouts
from tests.statements.pdf.layouts import small as small_layouts
from tests.statements.pdf.layouts import trap as trap_layouts
from tests.statements.pdf.layouts.bank import Made
from tests.statements.pdf.layouts.boa import Row
from tests.statements.pdf.layouts.sheets import STYLES, Sheet

from .test_every_style import flows

BANK_OF_AMERICA = [
    *((layout, "bofa_pdf") for layout in boa_traps.LAYOUTS),
    *((layout, "bofa_card_pdf") for layout in boa_traps.CARDS),
]
ANY_BANK = [
    *card_layouts.LAYOUTS,
    *trap_layouts.LAYOUTS,
    *far_layouts.LAYOUTS,
    *crowded_layouts.LAYOUTS,
    *small_layouts.LAYOUTS,
]
DRAWN = (
    "as printed",
    "in Courier, small",
    "letter by letter, shuffled",
    "printed twice",
    "turned by 180",
    "with hidden text",
)
WORDS_ALONE = "the statement lists no transactions"


@pytest.mark.parametrize("style", DRAWN)
@pytest.mark.parametrize(
    ("layout", "source"), BANK_OF_AMERICA, ids=lambda value: getattr(value, "__name__", value)
)
def test_bank_of_america_is_recognised_and_comes_out_row_by_row(
    layout: Callable[[], Made], source: str, style: str
) -> None:
    sheet, rows = layout()
    parsed = bundled_parsers().parse(Document("s.pdf", sheet.pdf(STYLES[style])))
    assert parsed.source_type == source
    assert flows(parsed) == rows
    assert parsed.errors == []
    assert [one.message for one in parsed.warnings] == ([] if rows else [WORDS_ALONE])
    assert parsed.balances
    assert all(balance.agrees for balance in parsed.balances)


@pytest.mark.parametrize("style", DRAWN)
@pytest.mark.parametrize("layout", ANY_BANK, ids=lambda layout: layout.__name__)
def test_any_bank_comes_out_row_by_row(layout: Callable[[], Made], style: str) -> None:
    sheet, rows = layout()
    parsed = GenericPdf().parse(Document("s.pdf", sheet.pdf(STYLES[style])))
    assert flows(parsed) == rows
    assert parsed.errors == []
    assert [one.message for one in parsed.warnings] == []
    assert parsed.balances
    assert all(balance.agrees for balance in parsed.balances)


def test_each_account_keeps_its_own_rows() -> None:
    parsed = bundled_parsers().parse(Document("s.pdf", boa_traps.two_accounts_on_one_page()[0].pdf()))
    assert [row.account for row in parsed.rows] == ["0012 3456 7890"] * 2 + ["0099 8877 6655"] * 3
    assert [(one.account, one.total) for one in parsed.balances] == [
        ("0012 3456 7890", Decimal("30.00")),
        ("0099 8877 6655", Decimal("70.25")),
    ]


def without_balances(rows: list[Row]) -> bytes:
    sheet = Sheet()
    sheet.row((40, "SOME BANK 01/01/2024 - 01/31/2024"), step=30)
    sheet.row((40, "Date"), (110, "Description"), (570, "Amount", "right"))
    for date, text, amount in rows:
        sheet.row((40, date), (110, text), (570, amount, "right"))
    return sheet.pdf()


def test_an_amount_without_a_date_that_no_balance_explains_is_said() -> None:
    parsed = GenericPdf().parse(
        Document(
            "s.pdf",
            without_balances([("01/02", "ONE", "-1.00"), ("", "TWO", "-2.00"), ("01/03", "THREE", "-3.00")]),
        )
    )
    assert [row.description for row in parsed.rows] == ["ONE", "THREE"]
    assert [one.message for one in parsed.warnings] == [
        "1 lines with an amount and no date were left out; the first: “TWO -2.00”"
    ]


def small(*rows: tuple[str, str, str], ending: str) -> bytes:
    sheet = Sheet()
    sheet.row((40, "SOME BANK 01/01/2024 - 01/31/2024"), step=20)
    sheet.row((40, "Beginning balance"), (300, "$100.00", "right"))
    sheet.row((40, "Ending balance"), (300, ending, "right"), step=20)
    sheet.row((40, "Date"), (110, "Description"), (570, "Amount", "right"))
    for date, text, amount in rows:
        sheet.row((40, date), (110, text), (570, amount, "right"))
    return sheet.pdf()


STRAY = ("01/31/24", "is the last day to enrol; call before", "2024Q1")


def test_a_line_that_only_looks_like_a_row_is_a_warning_where_the_balances_prove_that_it_is_none() -> None:
    parsed = GenericPdf().parse(Document("s.pdf", small(("01/05/24", "A", "-30.00"), STRAY, ending="$70.00")))
    assert flows(parsed) == [("01/05/24", "A", "-30.00")]
    assert parsed.errors == []
    assert "left out, for the balances agree without it" in parsed.warnings[0].message


def test_the_same_line_is_an_error_where_the_balances_do_not_agree() -> None:
    parsed = GenericPdf().parse(Document("s.pdf", small(("01/05/24", "A", "-30.00"), STRAY, ending="$69.00")))
    assert [error.error_code for error in parsed.errors] == ["AMOUNT_UNPARSABLE"]


def test_what_is_remembered_of_a_line_is_never_told_of_another() -> None:
    """Lines cut in two are made and forgotten; a number that is given out twice must not bring the date of the one before."""
    sheet, rows = crowded_layouts.halves_with_wrapped_rows()
    content = sheet.pdf()
    for _ in range(30):
        assert flows(GenericPdf().parse(Document("s.pdf", content))) == rows
