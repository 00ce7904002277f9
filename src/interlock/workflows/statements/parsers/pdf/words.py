"""Words of a PDF by their position on the page; what order they were drawn in never matters."""

from __future__ import annotations

import math
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from ctypes import byref, c_double, c_ushort
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from ...parsed import ParseFault
from .lines import BACKS, JOINS, Page, Word, plain_character

PDFIUM = threading.Lock()  # the library behind it is not safe to be called from two threads
TILTED = 0.06  # radians off the right angle: a watermark, not a row
TINY = 1.5
LEVEL, SPACE = 0.08, 0.3  # of the height of a character


@dataclass(slots=True)
class _Run:
    text: str
    left: float
    bottom: float
    right: float
    top: float
    first: int
    y: float = 0.0
    x: float = 0.0
    angle: float = 0.0
    spaced: bool = False


def read_pages(content: bytes, limit: int | None = None) -> list[Page]:
    """The pages of a PDF (the first `limit` of them), or the fault that it cannot be read."""
    with PDFIUM:
        try:
            with closing(_opened(content)) as document:
                count = len(document) if limit is None else min(limit, len(document))
                return [_page(document, number) for number in range(count)]
        except pdfium.PdfiumError as error:
            raise ParseFault("PDF_CORRUPT", f"the PDF cannot be read: {error}") from error


def _opened(content: bytes) -> pdfium.PdfDocument:
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise ParseFault("PDF_ENCRYPTED", "the PDF asks for a password") from error
        why = "the PDF has no pages" if _has_no_pages(content) else "the file is not a readable PDF"
        raise ParseFault("PDF_CORRUPT", why) from error
    if _cut_off(content):
        document.close()
        raise ParseFault("PDF_CORRUPT", "the PDF ends in the middle: its end marker is missing")
    return document


def _has_no_pages(content: bytes) -> bool:
    """Whether a PDF that came to its end has nothing that is a page, and no compressed objects in which one could be."""
    return b"%%EOF" in content and re.search(rb"/Type\s*/(?:Page(?!s)|ObjStm)", content) is None


def _cut_off(content: bytes) -> bool:
    """A repaired half of a statement would look like a whole one; a file that was cut has objects after its last end marker, or none."""
    end = content.rfind(b"%%EOF")
    return end < 0 or b"endobj" in content[end:]


def _page(document: pdfium.PdfDocument, number: int) -> Page:
    with closing(document[number]) as page, closing(page.get_textpage()) as text:
        box = page.get_bbox()
        invisible, pictured = _objects(page)
        runs = [run for run in _runs(text.raw) if run.text]
        _stand(text.raw, runs)
        if invisible:
            runs = _visible(text.raw, runs)
    angle = _main_angle(runs)
    upright = [run for run in runs if _upright(run, angle)]
    kept = [run for run in upright if _inside(run, box)]
    left = _left(box, angle)
    outside = [_turned(run, angle, left) for run in upright if not _inside(run, box) and run.text.strip()]
    words = [_turned(run, angle, left) for run in kept]
    top, bottom = _edges(box, angle)
    seen = [word for word in words if word.text != " " and word.height > TINY]
    return Page(number, top, bottom, seen, [word for word in words if word.text == " "], pictured, outside)


def _runs(text: Any) -> Iterator[_Run]:
    """Characters that follow each other without a gap, as the library lists them."""
    box = raw.FS_RECTF()
    place, box_of, generated = byref(box), raw.FPDFText_GetLooseCharBox, raw.FPDFText_IsGenerated
    run: _Run | None = None
    for index, code in enumerate(_codes(text)):
        if code <= 32 or code == 160:  # a real space ends a word; a generated one is the library's guess
            real = code != 0 and generated(text, index) != 1 and box_of(text, index, place)
            if run:
                run.spaced = bool(real) and abs(box.left - run.right) < SPACE * (run.top - run.bottom)
                real = real and not run.spaced
                yield run
                run = None
            if real:
                yield _Run(" ", box.left, box.bottom, box.right, box.top, index)
            continue
        if not box_of(text, index, place):
            continue
        left, bottom, right, top = box.left, box.bottom, box.right, box.top
        if run and _continues(run, left, bottom, top):
            run.text += plain_character(code)
            run.right = right
            continue
        if run:
            yield run
        run = _Run(plain_character(code), left, bottom, right, top, index)
    if run:
        yield run


def _codes(text: Any) -> list[int]:
    """The characters at once where the library's two ways of counting agree, else one by one."""
    count = raw.FPDFText_CountChars(text)
    buffer = (c_ushort * (2 * max(count, 0) + 16))()  # the library may write more than it was asked for
    if count > 0 and raw.FPDFText_GetText(text, 0, count, buffer) == count + 1:
        codes = list(buffer[:count])
        if not any(0xD800 <= code <= 0xDFFF for code in codes):
            return codes
    return [raw.FPDFText_GetUnicode(text, index) for index in range(count)]


def _continues(run: _Run, left: float, bottom: float, top: float) -> bool:
    height = run.top - run.bottom
    level = LEVEL * height
    return (
        -level <= bottom - run.bottom <= level
        and -level <= top - run.top <= level
        and BACKS * height < left - run.right < JOINS * height
    )


def _stand(text: Any, runs: list[_Run]) -> None:
    """The baseline and direction of each run: that of its first character."""
    x, y = c_double(), c_double()
    for run in runs:
        raw.FPDFText_GetCharOrigin(text, run.first, byref(x), byref(y))
        run.x, run.y = x.value, y.value
        run.angle = -max(raw.FPDFText_GetCharAngle(text, run.first), 0.0) % (
            2 * math.pi
        )  # the library counts clockwise


def _objects(page: pdfium.PdfPage) -> tuple[bool, bool]:
    """Whether something on the page is text that is not painted, and whether a picture covers most of it."""
    invisible = pictured = False
    area = page.get_width() * page.get_height()
    for item in page.get_objects(max_depth=6):
        if item.type == raw.FPDF_PAGEOBJ_TEXT:
            invisible = (
                invisible or raw.FPDFTextObj_GetTextRenderMode(item.raw) == raw.FPDF_TEXTRENDERMODE_INVISIBLE
            )
        elif item.type == raw.FPDF_PAGEOBJ_IMAGE and not pictured:
            left, bottom, right, top = item.get_bounds()
            pictured = (right - left) * (top - bottom) > area / 2
    return invisible, pictured


def _visible(text: Any, runs: list[_Run]) -> list[_Run]:
    """Without what is not painted; a page of nothing else is a scan with its recognised text, which is kept."""
    hidden = raw.FPDF_TEXTRENDERMODE_INVISIBLE
    painted = [
        run
        for run in runs
        if raw.FPDFTextObj_GetTextRenderMode(raw.FPDFText_GetTextObject(text, run.first)) != hidden
    ]
    return painted if sum(len(run.text.strip()) for run in painted) > 40 else runs


def _main_angle(runs: list[_Run]) -> int:
    """The quarter turn that most characters have."""
    turns: Counter[int] = Counter()
    for run in runs:
        turns[round(run.angle / (math.pi / 2)) % 4] += len(run.text)
    return turns.most_common(1)[0][0] if turns else 0


def _upright(run: _Run, turn: int) -> bool:
    off = (run.angle - turn * math.pi / 2) % (2 * math.pi)
    return min(off, 2 * math.pi - off) < TILTED


def _inside(run: _Run, box: tuple[float, float, float, float]) -> bool:
    x, y = (run.left + run.right) / 2, (run.bottom + run.top) / 2
    return box[0] - 1 <= x <= box[2] + 1 and box[1] - 1 <= y <= box[3] + 1


def _turned(run: _Run, turn: int, left: float) -> Word:
    """The run as a reader sees it who has turned the page; places are counted from the page's left edge."""
    text = run.text
    if turn == 0:
        return Word(text, run.left - left, run.right - left, -run.y, run.top - run.bottom, run.spaced)
    if turn == 1:
        return Word(text, run.bottom - left, run.top - left, run.x, run.right - run.left, run.spaced)
    if turn == 2:
        return Word(text, -run.right - left, -run.left - left, run.y, run.top - run.bottom, run.spaced)
    return Word(text, -run.top - left, -run.bottom - left, -run.x, run.right - run.left, run.spaced)


def _left(box: tuple[float, float, float, float], turn: int) -> float:
    return (box[0], box[1], -box[2], -box[3])[turn]


def _edges(box: tuple[float, float, float, float], turn: int) -> tuple[float, float]:
    left, bottom, right, top = box
    return [(-top, -bottom), (left, right), (bottom, top), (-right, -left)][turn]
