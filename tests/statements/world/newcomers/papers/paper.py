"""What every paper is made by, and the days that several share."""

from __future__ import annotations

from datetime import date

from ...institutions.ledgers import Ledger, file_of
from ...truth import Made
from ..sheets import Sheet

TURN = date(2023, 12, 14)
"""The first day of statements that run over New Year."""


def paper(label: str, sheet: Sheet, held: Ledger, currency: str, proves: bool = True) -> Made:
    return file_of(f"paper {label}", "statement.pdf", sheet.done(), held, currency, proves)
