"""Draws statements: words at places, in any font and order, the way that banks' own generators do."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, field, replace
from pathlib import Path

import reportlab
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = 612, 792


@dataclass(frozen=True)
class Style:
    """How the same statement is drawn."""

    font: str = "Helvetica"
    scale: float = 1.0
    shuffled: bool = False
    by_letter: bool = False
    bold_twice: bool = False
    rotation: int = 0
    watermark: bool = False
    hidden: bool = False
    password: str | None = None


PLAIN = Style()
STYLES = {
    "as printed": PLAIN,
    "in Times": Style(font="Times-Roman"),
    "in Courier, small": Style(font="Courier", scale=0.72),
    "embedded font": Style(font="Vera", scale=0.85),
    "shuffled": Style(shuffled=True),
    "letter by letter": Style(by_letter=True),
    "letter by letter, shuffled": Style(by_letter=True, shuffled=True),
    "printed twice": Style(bold_twice=True),
    "turned by 90": Style(rotation=90),
    "turned by 180": Style(rotation=180),
    "turned by 270": Style(rotation=270),
    "with a watermark": Style(watermark=True),
    "with hidden text": Style(hidden=True),
    "with an empty password": Style(password=""),
}


@dataclass
class Stroke:
    page: int
    x: float
    y: float
    text: str
    align: str
    size: float
    font: str = ""


@dataclass
class Sheet:
    """Pages to draw on; y is counted from the top."""

    strokes: list[Stroke] = field(default_factory=list)
    page: int = 0
    y: float = 50

    def put(
        self,
        x: float,
        text: str,
        align: str = "left",
        size: float = 9,
        y: float | None = None,
        font: str = "",
    ) -> None:
        self.strokes.append(Stroke(self.page, x, self.y if y is None else y, text, align, size, font))

    def row(
        self, *cells: tuple[float, str] | tuple[float, str, str], step: float = 12, size: float = 9
    ) -> None:
        for cell in cells:
            self.put(cell[0], cell[1], cell[2] if len(cell) > 2 else "left", size)
        self.y += step

    def turn(self, y: float = 50) -> None:
        self.page += 1
        self.y = y

    def pdf(self, style: Style = PLAIN) -> bytes:
        return drawn(self.strokes, self.page + 1, style)


def drawn(strokes: list[Stroke], pages: int, style: Style) -> bytes:
    if "Vera" not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont("Vera", str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")))
    buffer = io.BytesIO()
    encryption = (
        None
        if style.password is None
        else StandardEncryption(style.password, ownerPassword="owner", strength=128)
    )
    canvas = Canvas(buffer, pagesize=(WIDTH, HEIGHT), invariant=1, encrypt=encryption, pageCompression=1)
    chance = random.Random(7)
    for number in range(pages):
        _page(canvas, [stroke for stroke in strokes if stroke.page == number], style, chance)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _page(canvas: Canvas, strokes: list[Stroke], style: Style, chance: random.Random) -> None:
    if style.rotation:
        canvas.setPageRotation((360 - style.rotation) % 360 if style.rotation != 180 else 180)
        shift = {90: (HEIGHT, 0), 180: (WIDTH, HEIGHT), 270: (0, WIDTH)}[style.rotation]
        canvas.translate(*shift)
        canvas.rotate(style.rotation)
    if style.watermark:
        _watermark(canvas)
    pieces = [piece for stroke in strokes for piece in _pieces(stroke, style)]
    if style.shuffled:
        chance.shuffle(pieces)
    for piece in pieces:
        _draw(canvas, piece, style)
        if style.bold_twice:
            _draw(canvas, replace(piece, x=piece.x + 0.2), style)
    if style.hidden:
        _hide(canvas, strokes)


def _pieces(stroke: Stroke, style: Style) -> list[Stroke]:
    font, size = stroke.font or style.font, stroke.size * style.scale
    width = pdfmetrics.stringWidth(stroke.text, font, size)
    x = stroke.x - {"left": 0, "right": width, "center": width / 2}[stroke.align]
    placed = replace(stroke, x=x, align="left", size=size, font=font)
    if not style.by_letter:
        return [placed]
    letters = []
    for letter in stroke.text:
        if letter != " ":
            letters.append(replace(placed, x=x, text=letter))
        x += pdfmetrics.stringWidth(letter, font, size)
    return letters


def _draw(canvas: Canvas, piece: Stroke, style: Style) -> None:
    canvas.setFont(piece.font or style.font, piece.size)
    canvas.drawString(piece.x, HEIGHT - piece.y, piece.text)


def _watermark(canvas: Canvas) -> None:
    canvas.saveState()
    canvas.setFont("Helvetica", 60)
    canvas.setFillGray(0.9)
    canvas.drawString(90, HEIGHT - 330, "COPY 12.50 COPY")
    canvas.translate(150, 200)
    canvas.rotate(45)
    canvas.drawString(0, 0, "SPECIMEN 01/01/24 99.99")
    canvas.restoreState()


def _hide(canvas: Canvas, strokes: list[Stroke]) -> None:
    """Rows that nobody sees: not painted, and outside the page."""
    for stroke in strokes[:40]:
        text = canvas.beginText(stroke.x, HEIGHT - stroke.y - 3)
        text.setFont("Helvetica", 9)
        text.setTextRenderMode(3)
        text.textOut("77.77")
        canvas.drawText(text)
    canvas.drawString(-400, 400, "01/09/24 NOT ON THE PAGE 55.55")
