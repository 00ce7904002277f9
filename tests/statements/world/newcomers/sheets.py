"""Draws papers at points of a page, with heads and feet that repeat on every page."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

Line = Sequence[float | str]


class Sheet:
    """Pages that fill from the top; a cell at a negative place ends there."""

    def __init__(
        self,
        *,
        size: float = 8.0,
        step: float = 12.0,
        page: tuple[float, float] = A4,
        bottom: float = 60.0,
        top: float = 40.0,
        head: Sequence[Line] = (),
        foot: Callable[[int], Line] | None = None,
    ) -> None:
        self.width, self.height = page
        self.size, self.step, self.bottom, self.top = size, step, bottom, top
        self.head, self.foot = head, foot
        self.stream = io.BytesIO()
        self.canvas = Canvas(self.stream, pagesize=page, invariant=1)
        self.number = 0
        self._begin()

    def _begin(self) -> None:
        self.number += 1
        self.canvas.setFont("Helvetica", self.size)
        self.y = self.height - self.top
        for line in self.head:
            self.line(*line)

    def _end(self) -> None:
        if self.foot is not None:
            self._draw(self.foot(self.number), self.bottom - 2 * self.step)
        self.canvas.showPage()

    def _draw(self, cells: Line, y: float) -> None:
        for place, text in zip(cells[::2], cells[1::2], strict=True):
            draw = self.canvas.drawRightString if float(place) < 0 else self.canvas.drawString
            draw(abs(float(place)), y, str(text))

    def line(self, *cells: float | str) -> None:
        """Draws one line; it begins a page where the current one is full."""
        if self.y < self.bottom:
            self.page()
        self._draw(cells, self.y)
        self.y -= self.step

    def lines(self, *lines: Line) -> None:
        for line in lines:
            self.line(*line)

    def rule(self, left: float = 36, right: float = 559) -> None:
        """A thin line under what was just drawn."""
        y = self.y + self.step - 3
        self.canvas.line(left, y, right, y)

    def page(self) -> None:
        self._end()
        self._begin()

    def done(self) -> bytes:
        self._end()
        self.canvas.save()
        return self.stream.getvalue()
