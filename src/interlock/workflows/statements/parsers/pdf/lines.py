"""Words with their places on a page, and the lines that they make; lines that only repeat on every page are left out."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from statistics import median

MINUS = "−‐‑‒–—﹣－"
PLAIN = {
    0x00AD: "-",
    0x0002: "-",
    0xFFFE: "-",
    0xFFFF: "",
    0x200B: "",
    0x200C: "",
    0x200D: "",
    0xFEFF: "",
    0x2212: "-",
    0x2010: "-",
    0x2011: "-",
}
SIGNS = str.maketrans(dict.fromkeys(MINUS, "-"))


@lru_cache(maxsize=4096)
def plain_character(code: int) -> str:
    """What one character of a PDF reads as; nothing for what has no width."""
    if code in PLAIN:
        return PLAIN[code]
    if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
        return ""
    character = chr(code)
    if code <= 32 or character.isspace():
        return " "
    if 0xFB00 <= code <= 0xFB06 or 0xFF01 <= code <= 0xFF5E:  # ligatures, and letters of full width
        return unicodedata.normalize("NFKC", character)
    return "" if unicodedata.category(character) in ("Cc", "Cf") else character


def plain_signs(text: str) -> str:
    """Every dash that a bank prints before an amount, as a minus."""
    return text.translate(SIGNS)


JOINS, BACKS = (
    0.14,
    -0.35,
)  # heights of a letter: the gap over which two pieces are one word, and how far they may overlap


@dataclass(slots=True)
class Word:
    """A run of characters: where it starts, ends and stands (y grows downwards), and how high its letters are."""

    text: str
    x0: float
    x1: float
    y: float
    height: float
    spaced: bool = False  # a space was drawn right behind it


@dataclass(slots=True)
class Page:
    number: int
    top: float
    bottom: float
    words: list[Word] = field(default_factory=list)
    spaces: list[Word] = field(default_factory=list)
    pictured: bool = False
    outside: list[Word] = field(default_factory=list)  # text beyond the edges of the page, which nobody sees


THREE_DECIMALS = 3
SAME_LINE = 0.28  # of the height of a letter
LARGE = 2.2  # times the usual height: a watermark or a title, never a cell of the row it crosses
OVERPRINT = 0.12
YEN = re.compile(r"(?<![\w\\])\\(?=-?\d)")
"""Fonts of Japan draw the backslash as the sign of the yen."""
RUPEE = re.compile(r"(?<![\w`])`(?=\d)")
"""Fonts of India draw the grave accent as the sign of the rupee."""
HEBREW = re.compile(r"[א-ת]")
PUNCTUATION = " .,:;()-"
FINAL = "ךםןףץ"
"""Letters that only end words."""
FROM_THE_LEFT = re.compile(r"[0-9A-Za-z][0-9A-Za-z.,/:-]*")
MARKER = re.compile(r"\*(?:start|end)\*", re.IGNORECASE)  # for the bank's own machines, not for readers


@dataclass(slots=True)
class Line:
    """Words on one baseline, from left to right."""

    page: int
    y: float
    words: list[Word]
    place: float = 0.0  # 0 at the top of its page, 1 at the bottom
    text: str = field(default="")
    starts: list[int] = field(default_factory=list)
    whole: int = 0
    """1: the document's currency has no cents, so a number without a decimal mark may be an amount; THREE_DECIMALS: it has that many."""

    def __post_init__(self) -> None:
        position, parts = 0, []
        for word in self.words:
            self.starts.append(position)
            parts.append(word.text)
            position += len(word.text) + 1
        self.text = " ".join(parts)

    @property
    def x0(self) -> float:
        return self.words[0].x0

    @property
    def height(self) -> float:
        return max(word.height for word in self.words)

    def words_at(self, start: int, end: int) -> list[Word]:
        """The words that the characters from start to end of the text belong to."""
        first = max(bisect_left(self.starts, start + 1) - 1, 0)
        return self.words[first : max(bisect_left(self.starts, end), first + 1)]


def lines_of(pages: Iterable[Page], same_line: float = SAME_LINE) -> list[Line]:
    """All lines, page after page, top to bottom; `same_line` is how far apart, in heights of a letter, words of one line may stand."""
    return [line for page in pages for line in _page_lines(page, same_line)]


def _page_lines(page: Page, same_line: float) -> list[Line]:
    if not page.words:
        return []
    usual = median(word.height for word in page.words)
    ordinary = [word for word in page.words if word.height <= LARGE * usual]
    large = [word for word in page.words if word.height > LARGE * usual]
    spaces = [space for space in page.spaces if space.height <= LARGE * usual]
    ordinary = [word for word in ordinary if not MARKER.match(word.text)]
    titles = [
        line
        for line in _rows(page, large, [], same_line)
        if not any(character.isdigit() for character in line.text)
    ]
    lines = [*_rows(page, ordinary, spaces, same_line), *titles]
    hebrew = (
        word.text.strip(PUNCTUATION) for line in lines for word in line.words if HEBREW.search(word.text)
    )
    if any(text[:1] in FINAL for text in hebrew if len(text) > 1):
        lines = [
            Line(line.page, line.y, [_from_the_right(word) for word in line.words], line.place)
            for line in lines
        ]
    return sorted(lines, key=lambda line: (line.y, line.x0))


def _from_the_right(word: Word) -> Word:
    """A Hebrew word in the order of its letters, where they are stored as they are seen."""
    if HEBREW.search(word.text) is None:
        return word
    return replace(word, text=FROM_THE_LEFT.sub(lambda found: found[0][::-1], word.text[::-1]))


def _rows(page: Page, words: list[Word], spaces: list[Word], same_line: float) -> list[Line]:
    rows: list[list[Word]] = []
    level, reach = 0.0, 0.0
    for word in sorted([*words, *spaces], key=lambda word: (word.y, word.x0)):
        if rows and word.y - level <= max(reach, same_line * word.height):
            rows[-1].append(word)
            reach = max(reach, same_line * word.height)
        else:
            rows.append([word])
            level, reach = word.y, same_line * word.height
    extent = max(page.bottom - page.top, 1.0)
    made = []
    for row in rows:
        joined = _joined(sorted(row, key=lambda word: (word.x0, word.x1)))
        if joined:
            y = median(word.y for word in joined)
            made.append(Line(page.number, y, joined, (y - page.top) / extent))
    return made


def _joined(row: list[Word]) -> list[Word]:
    """Pieces that touch become one word, unless a space was drawn between them; what was printed twice for boldness stays once."""
    words: list[Word] = []
    apart = False
    for piece in row:
        if piece.text == " ":
            apart = apart or (bool(words) and piece.x0 >= words[-1].x1 - 0.6 * (piece.x1 - piece.x0))
            continue
        last = words[-1] if words else None
        if last and _overprinted(last, piece):
            continue
        gap = piece.x0 - last.x1 if last else 0.0
        reach = min(last.height, piece.height) if last else 0.0
        if last and not apart and not last.spaced and BACKS * reach < gap < JOINS * reach:
            words[-1] = Word(
                last.text + piece.text,
                last.x0,
                piece.x1,
                last.y,
                max(last.height, piece.height),
                piece.spaced,
            )
        else:
            words.append(piece)
        apart = False
    return [_with_currency(word) for word in words]


def _with_currency(word: Word) -> Word:
    """The word with the sign of a currency where fonts draw one under another character."""
    if "\\" not in word.text and "`" not in word.text:
        return word
    return replace(word, text=RUPEE.sub("₹", YEN.sub("¥", word.text)))


def _overprinted(last: Word, piece: Word) -> bool:
    near = OVERPRINT * piece.height
    return last.text.endswith(piece.text) and abs(last.x1 - piece.x1) < near and piece.x0 >= last.x0 - near


DIGITS = re.compile(r"\d+")
DATED = re.compile(
    r"^\W*(\d{1,2}[/.-]\d{1,2}|\d{4}-\d\d-\d\d|\d{1,2} ?[A-Z][a-z]{2}|[A-Z][a-zA-Z]{2} ?\d{1,2}\b).*\d[.,]\d\d\b",
    re.DOTALL,
)


KEPT = re.compile(
    r"\b(date|amount|balance|description|details|debit|credit|datum|betrag|fecha|importe|montant)\b",
    re.IGNORECASE,
)


def without_repeats(lines: list[Line]) -> list[Line]:
    """Without running heads and feet: the same words at the same height of most pages; heads of tables stay."""
    pages = lines[-1].page + 1 if lines else 0
    if pages < 2:
        return lines
    outside = {
        id(line) for page in range(pages) for line in _outside([line for line in lines if line.page == page])
    }
    seen: dict[tuple[int, str], set[int]] = defaultdict(set)
    for line in lines:
        if id(line) in outside:
            for shift in (0, 1):
                seen[round(line.y) + shift, DIGITS.sub("#", line.text)].add(line.page)
    often = max(2, 0.6 * pages)
    return [line for line in lines if id(line) not in outside or not _repeated(line, seen, often)]


def _repeated(line: Line, seen: dict[tuple[int, str], set[int]], often: float) -> bool:
    words = DIGITS.sub("#", line.text)
    return max(len(seen[round(line.y), words]), len(seen[round(line.y) + 1, words])) >= often


def _outside(lines: list[Line]) -> list[Line]:
    """Lines near the edges of a page, above its first row, or below its last one and what continues that."""
    rows = [number for number, line in enumerate(lines) if DATED.match(line.text)]
    first, last = (rows[0], rows[-1]) if rows else (len(lines), -1)
    while rows and last + 1 < len(lines) and lines[last + 1].y - lines[last].y <= 1.8 * lines[last].height:
        last += 1
    near = [line for line in lines[:first] if line.place < 0.14] + [
        line for line in lines[last + 1 :] if line.place > 0.9
    ]
    return [line for line in near if not KEPT.search(line.text)]
