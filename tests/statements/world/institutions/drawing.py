"""Draws a page from text: cells stand two spaces apart; words begin and amounts end where the text has them."""

from __future__ import annotations

import io
import re

from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

CELL = re.compile(r"\S+(?: \S+)*")
AMOUNT = re.compile(
    r"[-+(]? ?(?:US|R|S)?[$£€]? ?[-+]?\d[\d.,' ]*[.,]\d\d(?: ?[)+-])?(?: ?(?:CR|DR|Cr|Dr|S|H|D|€|EUR|kr))?"
)
EDGE, TOP = 36.0, 40.0


def draw(text: str, *, wide: bool = False, step: float = 12.0, size: float = 7.5) -> bytes:
    """A PDF of this text; a form feed begins a page, `wide` turns the page to landscape."""
    width, height = landscape(A4) if wide else A4
    columns = max(len(line) for line in text.splitlines())
    unit = (width - 2 * EDGE) / columns
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(width, height), invariant=1)
    for page in text.strip("\n").split("\f"):
        canvas.setFont("Helvetica", size)
        y = height - TOP
        for line in page.strip("\n").splitlines():
            if y < TOP:
                canvas.showPage()
                canvas.setFont("Helvetica", size)
                y = height - TOP
            for cell in CELL.finditer(line):
                if AMOUNT.fullmatch(cell.group()):
                    canvas.drawRightString(EDGE + cell.end() * unit, y, cell.group())
                else:
                    canvas.drawString(EDGE + cell.start() * unit, y, cell.group())
            y -= step
        canvas.showPage()
    canvas.save()
    return stream.getvalue()
