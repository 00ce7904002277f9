"""Splits text into rows of cells, line by line: a stray quote costs one line and never swallows the rest of the file."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...parsed import ParseFault

DELIMITERS = (",", ";", "\t", "|")
MOST_LINES = 64
"""A quoted cell may run over lines; no bank's runs over more."""
LONGEST_LINE = 1_048_576
LONGEST_PLAIN = 65_536

_END_OF_LINE = re.compile(r"\r\n|\n|\r")
_ROW_INSIDE = re.compile(r"\n\s*\"?\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}\"?\s*[,;\t|]")
_DECLARED = re.compile(r"\s*\"?sep=(.)\"?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """Its cells, stripped, and the line of the file on which it begins."""

    line: int
    cells: list[str]

    def __bool__(self) -> bool:
        return any(self.cells)


class Lines:
    """The lines of a text one by one, never all at once; can go back to where a row began."""

    def __init__(self, text: str) -> None:
        self.text, self.position, self.line, self.left = text, 0, 0, MOST_LINES

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        if self.left <= 0 or self.position >= len(self.text):
            raise StopIteration
        self.left -= 1
        start = self.position
        found = _END_OF_LINE.search(self.text, start)
        end, self.position = found.span() if found else (len(self.text), len(self.text))
        self.line += 1
        if end - start > LONGEST_LINE:
            raise ParseFault(
                "LAYOUT_MISMATCH",
                f"line {self.line} is longer than any row of a table ({end - start} characters)",
            )
        return self.text[start:end] + "\n"


def declared_delimiter(text: str) -> str:
    """What Excel's first line `sep=;` says, or empty."""
    found = _DECLARED.fullmatch(text[:16].split("\n", 1)[0].strip("\r\ufeff"))
    return found[1] if found and found[1] in DELIMITERS else ""


def rows(text: str, delimiter: str) -> Iterator[Row]:
    """Every row that is not blank. A cell longer than 128 KiB is no table: LAYOUT_MISMATCH."""
    lines = Lines(text.lstrip("\ufeff"))
    width = 0
    while lines.position < len(lines.text):
        lines.left = MOST_LINES
        first, at = lines.line + 1, lines.position
        cells = _plain_cells(lines, delimiter) or _next_cells(lines, delimiter)
        if lines.line > first and _swallowed(cells, width):
            lines.position, lines.line, lines.left = at, first - 1, 1
            cells = [cell.strip().strip('"') for cell in next(lines).rstrip("\n").split(delimiter)]
        row = Row(first, [cell.strip() for cell in cells])
        if row:
            width = max(width, len(cells)) if first < 60 else width
            if not (first == 1 and _DECLARED.fullmatch("".join(cells))):
                yield row


def _plain_cells(lines: Lines, delimiter: str) -> list[str]:
    """The cells of a line that has no quote and is short; none where a reader of quotes has to look at it."""
    text, start = lines.text, lines.position
    end = text.find("\n", start)
    if end < 0 or end - start > LONGEST_PLAIN:
        return []
    line = text[start:end]
    if '"' in line or "\r" in line[:-1]:
        return []
    lines.position, lines.line = end + 1, lines.line + 1
    return line.split(delimiter)


def _next_cells(lines: Lines, delimiter: str) -> list[str]:
    try:
        return next(csv.reader(lines, delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error as problem:
        raise ParseFault(
            "LAYOUT_MISMATCH", f"line {lines.line} is not a row of a table: {problem}"
        ) from problem


def _swallowed(cells: list[str], width: int) -> bool:
    """A row over several lines that ends in an open quote, is narrower than the table, or holds the beginning of a row: a stray quote."""
    return cells[-1].endswith("\n") or len(cells) < width or any(_ROW_INSIDE.search(cell) for cell in cells)
