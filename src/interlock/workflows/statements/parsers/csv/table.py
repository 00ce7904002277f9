"""Text into rows of cells, and the table in them: its delimiter, its header, and what stands before it."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from ...parsed import ParseFault
from ..amounts import amount_of
from ..dates import read_date
from .mapping import Columns, CsvMapping, plain_names
from .unusual_days import Days

DELIMITERS = (",", ";", "\t", "|")
MOST_LINES = 64
"""A quoted cell may run over lines; no bank's runs over more."""
LONGEST_LINE = 1_048_576
LONGEST_PLAIN = 65_536

_END_OF_LINE = re.compile(r"\r\n|\n|\r")
_ROW_INSIDE = re.compile(r"\n\s*\"?\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}\"?\s*[,;\t|]")
_FORMULA = re.compile(r'^="([^"]*)"$')
"""`="0012"`: text that a spreadsheet shall not take for a number."""
_FORMULAS = re.compile(r'(?m)(^|[,;\t|])="([^"\n\r]*)"(?=[,;\t|\r]|$)')
_OTHER_DIGITS = re.compile(r"[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]")
"""Digits of Arabic, Persian, Devanagari and Bengali."""
_OF_NUMBERS = re.compile(r"[\d.,/:\-\u066b\u066c\s]+")
_MARKS = str.maketrans("\u066b\u066c", ".,")
_DECLARED = re.compile(r"\s*\"?sep=(.)\"?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """Its cells, stripped, and the line of the file on which it begins."""

    line: int
    cells: list[str]
    has_stray_quote: bool = False
    """A quote begins in it that nothing closes, so that cells may have moved."""

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


def lines_of(text: str) -> list[str]:
    """The lines as rows count them, each with its end."""
    starts = [0, *(found.end() for found in _END_OF_LINE.finditer(text))]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def declared_delimiter(text: str) -> str:
    """What Excel's first line `sep=;` says, or empty."""
    found = _DECLARED.fullmatch(text[:16].split("\n", 1)[0].strip("\r\ufeff"))
    return found[1] if found and found[1] in DELIMITERS else ""


def rows(text: str, delimiter: str) -> Iterator[Row]:
    """Every row that is not blank. A cell longer than 128 KiB is no table: LAYOUT_MISMATCH."""
    width, has_formulas = 0, '="' in text
    if has_formulas:
        text = _FORMULAS.sub(r'\1"\2"', text)  # a delimiter within is none
    lines = Lines(text.lstrip("\ufeff"))
    has_other_digits = _OTHER_DIGITS.search(text) is not None
    while lines.position < len(lines.text):
        lines.left = MOST_LINES
        first, at = lines.line + 1, lines.position
        cells = _plain_cells(lines, delimiter) or _next_cells(lines, delimiter)
        is_stray = lines.line > first and _swallowed(cells, width)
        if is_stray:
            lines.position, lines.line, lines.left = at, first - 1, 1
            cells = [cell.strip().strip('"') for cell in next(lines).rstrip("\n").split(delimiter)]
        row = Row(first, [cell.strip() for cell in cells], is_stray)
        if has_formulas:
            row.cells[:] = [_FORMULA.sub(r"\1", cell) for cell in row.cells]
        if has_other_digits:
            row.cells[:] = map(with_plain_digits, row.cells)
        if row:
            width = max(width, len(cells)) if first < 60 else width
            if not (first == 1 and _DECLARED.fullmatch(delimiter.join(cells))):
                yield row


def with_plain_digits(cell: str) -> str:
    """A number or a day in digits of another script with the digits 0 to 9 and plain marks; words stay as they are."""
    if not _OF_NUMBERS.fullmatch(cell) or not _OTHER_DIGITS.search(cell):
        return cell
    return "".join(str(unicodedata.digit(one, "")) or one for one in cell).translate(_MARKS)


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


_AMOUNT = re.compile(r"[-+]?\d+[.,]\d{2}", re.ASCII)
MOST_ROWS_BEFORE = 80
"""The header is looked for in so many rows; no bank prints a longer preamble."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows after `line` are the table's own; those up to it are the preamble."""

    delimiter: str
    line: int
    columns: Columns
    preamble: list[Row] = field(default_factory=list)
    days: Days = field(default_factory=Days)

    def with_days(self, row: Row) -> Row:
        """The row with its days as days."""
        if self.days:
            row.cells[:] = self.days.in_cells(row.cells)
        return row


@lru_cache(maxsize=8)
def first_rows(head: str, delimiter: str) -> tuple[Row, ...]:
    """Asked by every mapping during detection, read once."""
    try:
        return tuple(islice(rows(head, delimiter), MOST_ROWS_BEFORE))
    except ParseFault:
        return ()


def delimiters(head: str, mapping_delimiter: str = "") -> Sequence[str]:
    """The delimiter that mapping or file declare, else those that occur in the text."""
    declared = mapping_delimiter or declared_delimiter(head)
    return (declared,) if declared else _occurring(head)


@lru_cache(maxsize=8)
def _occurring(head: str) -> tuple[str, ...]:
    return tuple(one for one in DELIMITERS if one in head)


def find_table(head: str, mapping: CsvMapping) -> Table | None:
    """Where this mapping's table begins, or None if it is not in the file."""
    for delimiter in delimiters(head, mapping.delimiter):
        table = (
            _with_header(head, delimiter, mapping)
            if mapping.header
            else _without_header(first_rows(head, delimiter), delimiter, mapping)
        )
        if table is not None:
            return table
    return None


def _with_header(head: str, delimiter: str, mapping: CsvMapping) -> Table | None:
    names = _names_in_head(head, delimiter)
    if not all(any(name in names for name in plain_names(reference)) for reference in mapping.header):
        return None
    for place, columns in _possible_headers(head, delimiter):
        if all(columns.has(name) for name in mapping.header):
            rows = first_rows(head, delimiter)
            return Table(delimiter, rows[place].line, columns, list(rows[:place]))
    return None


@lru_cache(maxsize=8)
def _possible_headers(head: str, delimiter: str) -> tuple[tuple[int, Columns], ...]:
    """Each of the first rows that has at least two cells and no plain amount, read as a header; every mapping asks for them."""
    return tuple(
        (place, Columns(row.cells))
        for place, row in enumerate(first_rows(head, delimiter))
        if len(row.cells) > 1 and not any(_AMOUNT.fullmatch(cell) for cell in row.cells)
    )


@lru_cache(maxsize=8)
def _names_in_head(head: str, delimiter: str) -> frozenset[str]:
    """Every cell of the possible headers, plain: a mapping that names none of them need not look at each row."""
    return frozenset(name for _, columns in _possible_headers(head, delimiter) for name in columns.names)


def _without_header(found: Sequence[Row], delimiter: str, mapping: CsvMapping) -> Table | None:
    """Most rows must have the right width, a date and an amount where they belong; one before them may be anything."""
    columns = Columns(mapping.columns)
    fitting = [row for row in found if _fits(row, columns, mapping)]
    if not fitting or len(fitting) < len(found) * 0.8 - 1:
        return None
    first = fitting[0]
    return Table(delimiter, first.line - 1, columns, [row for row in found if row.line < first.line])


def _fits(row: Row, columns: Columns, mapping: CsvMapping) -> bool:
    if len(row.cells) < len(mapping.columns) or not columns.holds(row.cells, mapping.fits):
        return False
    day = any(read_date(columns.cell(row.cells, mapping.date), order) for order in mapping.dates)
    amounts = [text for leg in mapping.legs if (text := columns.cell(row.cells, leg.amount))]
    return (
        day and bool(amounts) and all(amount_of(text, mapping.decimal or ".") is not None for text in amounts)
    )


_LINE = re.compile(r"\s*([^\W\d_][^:\n]{1,30}?)\s*:[ \t]*([^\n]*?)\s*")
FEWEST = 2
"""So many times a label occurs that is one of a transaction's."""


@lru_cache(maxsize=4)
def as_table(text: str) -> str:
    """The same text with a header and a row for each transaction, what is named once before it; empty if it is no such text."""
    lines = [match for line in text.replace("\u00a0", " ").splitlines() if (match := _LINE.fullmatch(line))]
    counts = Counter(match[1] for match in lines)
    names = [name for name, count in counts.items() if count >= FEWEST]
    if len(names) < 3 or any(counts[name] != counts[names[0]] for name in names):
        return ""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerows([match[1], match[2]] for match in lines if match[1] not in names)
    writer.writerow(names)
    values = {name: [match[2] for match in lines if match[1] == name] for name in names}
    writer.writerows(zip(*(values[name] for name in names), strict=True))
    return made.getvalue()
