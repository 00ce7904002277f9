"""The same statement drawn in every way gives the same rows: position counts, not the order or the font of what is drawn."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from interlock.workflows.statements.parsed import Parsed
from interlock.workflows.statements.parsers.amounts import amount_of
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.dates import read_date
from interlock.workflows.statements.parsers.pdf.parsers import BankOfAmerica, BankOfAmericaCard, GenericPdf
from tests.statements.pdf.layouts import bank as bank_layouts
from tests.statements.pdf.layouts import boa as boa_layouts
from tests.statements.pdf.layouts import odd as odd_layouts
from tests.statements.pdf.layouts import world as world_layouts
from tests.statements.pdf.layouts.boa import Row
from tests.statements.pdf.layouts.sheets import STYLES, Sheet

BANK_OF_AMERICA = {
    "checking": (BankOfAmerica(), boa_layouts.checking, boa_layouts.CHECKING),
    "combined": (BankOfAmerica(), boa_layouts.combined, boa_layouts.SAVINGS),
    "card": (BankOfAmericaCard(), boa_layouts.card, boa_layouts.CARD),
}
MADE = [*bank_layouts.LAYOUTS, *odd_layouts.LAYOUTS, *world_layouts.LAYOUTS]


def flows(parsed: Parsed) -> list[Row]:
    """Rows as date, description and money in (+) or out (−), read the way the normalizer reads amounts."""
    return [
        (
            row.date,
            row.description,
            str(row.sign * (amount_of(row.amount, row.decimal_separator or ".") or 0)),
        )
        for row in parsed.rows
    ]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", BANK_OF_AMERICA)
def test_bank_of_america_comes_out_row_by_row(name: str, style: str) -> None:
    parser, layout, rows = BANK_OF_AMERICA[name]
    parsed = parser.parse(Document("s.pdf", layout().pdf(STYLES[style])))
    assert flows(parsed) == rows
    assert parsed.errors == []
    assert parsed.warnings == []
    assert all(balance.agrees for balance in parsed.balances)
    assert parsed.balances


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("layout", MADE, ids=lambda layout: layout.__name__)
def test_any_bank_comes_out_row_by_row(layout: Callable[[], tuple[Sheet, list[Row]]], style: str) -> None:
    sheet, rows = layout()
    parsed = GenericPdf().parse(Document("s.pdf", sheet.pdf(STYLES[style])))
    assert flows(parsed) == rows
    assert parsed.errors == []
    assert [remark.message for remark in parsed.warnings] == []
    assert all(balance.agrees for balance in parsed.balances)
    assert parsed.balances


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("layout", world_layouts.LAYOUTS_WITHOUT_BALANCES, ids=lambda layout: layout.__name__)
def test_without_any_balance_the_rows_still_come_out(
    layout: Callable[[], tuple[Sheet, list[Row]]], style: str
) -> None:
    sheet, rows = layout()
    parsed = GenericPdf().parse(Document("s.pdf", sheet.pdf(STYLES[style])))
    assert flows(parsed) == rows
    assert parsed.balances == []


@pytest.mark.parametrize("layout", MADE, ids=lambda layout: layout.__name__)
def test_every_date_can_be_read_by_the_order_that_the_row_names(
    layout: Callable[[], tuple[Sheet, list[Row]]],
) -> None:
    sheet, _ = layout()
    for row in GenericPdf().parse(Document("s.pdf", sheet.pdf())).rows:
        assert read_date(row.date, row.date_format or "mdy") is not None


@pytest.mark.parametrize("name", BANK_OF_AMERICA)
def test_the_generic_reader_reads_bank_of_america_too(name: str) -> None:
    _, layout, rows = BANK_OF_AMERICA[name]
    assert flows(GenericPdf().parse(Document("s.pdf", layout().pdf()))) == rows


def test_reading_twice_gives_the_same_rows() -> None:
    document = Document("s.pdf", boa_layouts.checking().pdf())
    assert BankOfAmerica().parse(document) == BankOfAmerica().parse(document)
