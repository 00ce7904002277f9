"""Draws the papers of this folder: words begin at their places, and those at negative places end there."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from ..truth import Made, Row

FOLDER = Path(__file__).parent / "papers"
TOP, STEP, SIZE = 40.0, 12.0, 8.0
STATES_NO_ENDS = frozenset(("wise_dates_below", "dbs_without_a_period"))


def papers() -> Iterator[Made]:
    """Every paper: the size of its page, its rows as `day amount currency`, and behind `---` its lines as `place words | place words`."""
    for path in sorted(FOLDER.glob("*.txt")):
        head, _, drawn = path.read_text().partition("\n---\n")
        size, *held = head.splitlines()
        fields = [line.split() for line in held]
        rows = tuple(Row(date.fromisoformat(day), "", Decimal(amount)) for day, amount, _ in fields)
        currencies = tuple(currency for _, _, currency in fields)
        width, height = (float(one) for one in size.split())
        yield Made(
            "statement.pdf",
            _drawn(drawn, width, height),
            rows,
            currencies[0],
            path.stem,
            path.stem not in STATES_NO_ENDS,
            currencies=currencies,
        )


def _drawn(text: str, width: float, height: float) -> bytes:
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(width, height), invariant=1)
    for page in text.split("--- page\n"):
        canvas.setFont("Helvetica", SIZE)
        for number, line in enumerate(page.splitlines()):
            for cell in line.split(" | ") if line else ():
                at, _, words = cell.partition(" ")
                draw = canvas.drawRightString if at.startswith("-") else canvas.drawString
                draw(abs(float(at)), height - TOP - number * STEP, words)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()
