"""Paper to draw on: pages of any size with words, rules, coloured bands, tables that turn the page, and footers."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, LETTER, landscape
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

WIDE_A4 = landscape(A4)
ASIAN = (
    "HeiseiKakuGo-W5",
    "HeiseiMin-W3",
    "STSong-Light",
    "HYGothic-Medium",
    "HYSMyeongJo-Medium",
    "MSung-Light",
)
BOLD = {
    "Helvetica": "Helvetica-Bold",
    "Times-Roman": "Times-Bold",
    "Courier": "Courier-Bold",
    "Vera": "VeraBd",
}
__all__ = ["A4", "LETTER", "WIDE_A4", "Grid", "Paper"]


@dataclass(frozen=True)
class Word:
    """Something written, its baseline counted from the top of the page."""

    x: float
    y: float
    text: str
    font: str
    size: float
    ink: str
    turned: bool = False


@dataclass(frozen=True)
class Shape:
    """A rule or a filled band."""

    x: float
    y: float
    width: float
    height: float
    ink: str
    filled: bool


@dataclass
class Leaf:
    words: list[Word] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)


def _ready(font: str) -> None:
    known = pdfmetrics.getRegisteredFontNames()
    if font in {"Vera", "VeraBd"} and font not in known:
        pdfmetrics.registerFont(TTFont(font, f"{font}.ttf"))
    elif font in ASIAN and font not in known:
        pdfmetrics.registerFont(UnicodeCIDFont(font))


class Paper:
    """`flow`: in which order the words come in the file: by "lines", by "columns", or each "word" on its own."""

    def __init__(
        self, size: tuple[float, float] = A4, font: str = "Helvetica", flow: str = "lines", left: float = 45
    ) -> None:
        self.width, self.height = size
        self.font, self.bold = font, BOLD.get(font, font)
        _ready(self.font)
        _ready(self.bold)
        self.flow, self.left = flow, left
        self.size: float = 9
        self.leaves = [Leaf()]
        self.page = 0
        self.y: float = 50
        self.foot: Callable[[int, int], None] | None = None

    @property
    def right(self) -> float:
        return self.width - self.left

    def put(
        self,
        x: float,
        text: str,
        align: str = "l",
        *,
        y: float | None = None,
        size: float = 0,
        bold: bool = False,
        ink: str = "#000000",
        font: str = "",
    ) -> None:
        """Writes at x, and at the paper's own y; the next stands at the same height."""
        font, size = font or (self.bold if bold else self.font), size or self.size
        width = pdfmetrics.stringWidth(text, font, size)
        x -= {"l": 0, "r": width, "c": width / 2}[align]
        self.leaves[self.page].words.append(Word(x, self.y if y is None else y, text, font, size, ink))

    def say(
        self,
        text: str,
        *,
        x: float = 0,
        step: float = 0,
        size: float = 0,
        bold: bool = False,
        ink: str = "#000000",
    ) -> None:
        """Writes one or more lines at the left (or at x) and moves below them."""
        for line in text.split("\n"):
            self.put(x or self.left, line, size=size, bold=bold, ink=ink)
            self.y += step or (size or self.size) * 1.3

    def block(
        self,
        x: float,
        y: float,
        text: str,
        align: str = "l",
        *,
        size: float = 0,
        step: float = 0,
        bold: bool = False,
    ) -> None:
        """Writes lines at a place of their own, without moving."""
        for line in text.split("\n"):
            self.put(x, line, align, y=y, size=size, bold=bold)
            y += step or (size or self.size) * 1.3

    def prose(
        self, text: str, *, x: float = 0, width: float = 0, size: float = 7, ink: str = "#333333"
    ) -> None:
        """Small print, broken to the width."""
        x, line = x or self.left, ""
        width = width or self.right - x
        for word in text.split():
            longer = f"{line} {word}".strip()
            if line and pdfmetrics.stringWidth(longer, self.font, size) > width:
                self.say(line, x=x, size=size, ink=ink)
                longer = word
            line = longer
        self.say(line, x=x, size=size, ink=ink)

    def pairs(self, *pairs: tuple[str, str], x: float, to: float, step: float = 12, size: float = 0) -> None:
        """A summary: a word at x, its figure ending at `to`. A pair that begins with * is bold."""
        for name, figure in pairs:
            bold = name.startswith("*")
            self.put(x, name.lstrip("*"), size=size, bold=bold)
            self.put(to, figure, "r", size=size, bold=bold)
            self.y += step

    def rule(
        self,
        x: float = 0,
        to: float = 0,
        *,
        y: float | None = None,
        ink: str = "#444444",
        weight: float = 0.6,
    ) -> None:
        y = self.y if y is None else y
        x, to = x or self.left, to or self.right
        self.leaves[self.page].shapes.append(Shape(x, y, to - x, weight, ink, filled=True))

    def band(
        self, y: float, height: float, ink: str, x: float = 0, to: float = 0, *, filled: bool = True
    ) -> None:
        x, to = x or self.left, to or self.right
        self.leaves[self.page].shapes.append(Shape(x, y, to - x, height, ink, filled))

    def title(
        self, text: str, ink: str, *, on: str = "#FFFFFF", size: float = 10, height: float = 16
    ) -> None:
        """A heading on a coloured band across the page."""
        self.band(self.y - height + 5, height, ink)
        self.put(self.left + 4, text, bold=True, size=size, ink=on)
        self.y += height

    def upright(self, x: float, y: float, text: str, size: float = 5) -> None:
        """A form number along the edge of the page."""
        self.leaves[self.page].words.append(Word(x, y, text, self.font, size, "#777777", turned=True))

    def turn(self, y: float = 50) -> None:
        self.page += 1
        self.leaves.append(Leaf())
        self.y = y

    def room(self, needed: float, bottom: float = 0, top: float = 60) -> None:
        """Turns the page where less than this is left."""
        if self.y + needed > (bottom or self.height - 60):
            self.turn(top)

    def grid(
        self,
        columns: str,
        heads: tuple[str, ...] = (),
        *,
        size: float = 0,
        step: float = 12,
        bottom: float = 0,
        top: float = 60,
        before: Callable[[], None] | None = None,
        rule: str = "#444444",
    ) -> Grid:
        return Grid(
            self, columns, heads, size or self.size, step, bottom or self.height - 60, top, before, rule
        )

    def pdf(self) -> bytes:
        if self.foot:
            for page in range(len(self.leaves)):
                self.page = page
                self.foot(self.page + 1, len(self.leaves))
        buffer = io.BytesIO()
        canvas = Canvas(buffer, pagesize=(self.width, self.height), invariant=1, pageCompression=1)
        for leaf in self.leaves:
            self._draw(canvas, leaf)
            canvas.showPage()
        canvas.save()
        return buffer.getvalue()

    def _draw(self, canvas: Canvas, leaf: Leaf) -> None:
        for shape in leaf.shapes:
            canvas.setFillColor(HexColor(shape.ink))
            canvas.setStrokeColor(HexColor(shape.ink))
            y = self.height - shape.y - shape.height
            canvas.rect(
                shape.x, y, shape.width, shape.height, stroke=int(not shape.filled), fill=int(shape.filled)
            )
        words = leaf.words
        if self.flow == "columns":
            words = sorted(words, key=lambda word: (round(word.x / 25), word.y))
        for word in words:
            canvas.setFillColor(HexColor(word.ink))
            self._write(canvas, word)

    def _write(self, canvas: Canvas, word: Word) -> None:
        canvas.setFont(word.font, word.size)
        if word.turned:
            canvas.saveState()
            canvas.translate(word.x, self.height - word.y)
            canvas.rotate(90)
            canvas.drawString(0, 0, word.text)
            canvas.restoreState()
            return
        x = word.x
        for piece in word.text.split(" ") if self.flow == "words" else (word.text,):
            canvas.drawString(x, self.height - word.y, piece)
            x += pdfmetrics.stringWidth(piece + " ", word.font, word.size)


@dataclass
class Grid:
    """A table. `columns`: where each stands, "60 95 380r" with r for right-aligned and c for centred."""

    paper: Paper
    columns: str
    heads: tuple[str, ...]
    size: float
    step: float
    bottom: float
    top: float
    before: Callable[[], None] | None
    rule: str

    def __post_init__(self) -> None:
        self.places = [
            (float(place.rstrip("rc")), place[-1] if place[-1] in "rc" else "l")
            for place in self.columns.split()
        ]

    def head(self, *, ink: str = "#000000") -> None:
        """The names of the columns, those of several lines standing on the last line, and a rule below."""
        most = max((head.count("\n") for head in self.heads), default=0)
        for (x, align), head in zip(self.places, self.heads, strict=True):
            lines = head.split("\n")
            for number, line in enumerate(lines):
                y = self.paper.y + (most - len(lines) + 1 + number) * self.size * 1.15
                self.paper.put(x, line, align, y=y, size=self.size, bold=True, ink=ink)
        self.paper.y += most * self.size * 1.15 + 4
        if self.rule:
            self.paper.rule(ink=self.rule)
        self.paper.y += self.step

    def room(self, lines: int = 1) -> None:
        """Turns the page, where these lines have no room, and names the columns again."""
        if self.paper.y + (lines - 1) * self.step > self.bottom:
            self.paper.turn(self.top)
            if self.before:
                self.before()
            if self.heads:
                self.head()

    def row(self, *cells: str, bold: bool = False, lines: int = 1, step: float = 0, size: float = 0) -> None:
        self.room(lines)
        for (x, align), cell in zip(self.places, cells, strict=False):
            if cell:
                self.paper.put(x, cell, align, size=size or self.size, bold=bold)
        self.paper.y += step or self.step
