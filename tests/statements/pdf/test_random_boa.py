"""Bank of America statements by chance: whatever descriptions say and wherever pages break, every row comes out and the balances agree."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.registry import bundled_parsers
from tests.statements.pdf.layouts.boa import Row
from tests.statements.pdf.layouts.random_boa import Statement
from tests.statements.pdf.layouts.random_card import Card
from tests.statements.pdf.layouts.sheets import STYLES, Sheet

from .test_every_style import flows

DRAWN = list(STYLES.values())


def check(sheet: Sheet, rows: list[Row], source: str, seed: int) -> None:
    parsed = bundled_parsers().parse(Document("s.pdf", sheet.pdf(DRAWN[seed % len(DRAWN)])))
    assert parsed.source_type == source
    assert flows(parsed) == rows
    assert parsed.errors == []
    assert [one.message for one in parsed.warnings] == []
    assert [balance.agrees for balance in parsed.balances] == [True]


@pytest.mark.parametrize("seed", range(14))
def test_a_random_account_comes_out_row_by_row(seed: int) -> None:
    sheet, rows, _, _ = Statement(seed).made()
    check(sheet, rows, "bofa_pdf", seed)


@pytest.mark.parametrize("seed", range(14))
def test_a_random_card_comes_out_row_by_row(seed: int) -> None:
    sheet, rows = Card(seed).made()
    check(sheet, rows, "bofa_card_pdf", seed)
