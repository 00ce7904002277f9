"""Tables whose columns are parted by blanks: what is blank in the header and in every row with a day parts two columns."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from functools import lru_cache

from ..amounts import amount_of
from ..dates import is_date
from .mapping import plain
from .table import with_plain_digits
from .words import role_of

FEWEST_ROWS, FEWEST_COLUMNS, LONGEST_LINE, MOST_COLUMNS = 3, 3, 400, 20
DELIMITER = "|"
_PIECE = re.compile(r"\S+(?: \S+)*")
_PERIOD = re.compile(r"\s[-–]\s")
_LINE_OF_SIGNS = re.compile(r"[\s=_.*-]*")
Span = tuple[int, int]


@lru_cache(maxsize=4)
def as_columns(text: str) -> str:
    """The same text with its cells parted by a delimiter, line by line; empty if it has no such table, or its columns are not clear."""
    if "\t" in text or DELIMITER in text:
        return ""
    lines = text.replace("\u00a0", " ").splitlines()
    rows = [place for place, line in enumerate(lines) if _is_row(line)]
    header = _header(lines[: rows[0]]) if len(rows) >= FEWEST_ROWS else -1
    if header < 0:
        return ""
    columns = _columns(lines[header], [lines[place] for place in rows])
    if not columns:
        return ""
    made = io.StringIO()
    writer = csv.writer(made, delimiter=DELIMITER, lineterminator="\n")
    made.write(f"sep={DELIMITER}\n")
    for place, line in enumerate(lines):
        if not line.strip() or (place > header and _LINE_OF_SIGNS.fullmatch(line)):
            made.write("\n")
        else:
            writer.writerow(_cells(line, columns) if place >= header else _PIECE.findall(line))
    return made.getvalue()


def _pieces(line: str) -> list[tuple[str, Span]]:
    """What stands between two or more blanks, and where."""
    return [(with_plain_digits(found[0]), found.span()) for found in _PIECE.finditer(line)]


def _is_row(line: str) -> bool:
    """Whether a line has a day and an amount, each between blanks."""
    if len(line) > LONGEST_LINE or not any(map(str.isdigit, line)):
        return False
    pieces = [piece for piece, _ in _pieces(line)]
    days = [piece for piece in pieces if is_date(piece) and not _PERIOD.search(piece)]
    return bool(days) and any(
        amount_of(piece, mark) is not None for piece in pieces if piece not in days for mark in ".,"
    )


def _header(lines: Sequence[str]) -> int:
    """The place of the first of these lines that names a column of days and one of amounts; else of the last that may be names of columns.
    −1 where there is none."""
    last = -1
    for place, line in enumerate(lines):
        names = [plain(piece) for piece, _ in _pieces(line)]
        if not FEWEST_COLUMNS <= len(names) <= MOST_COLUMNS or any(map(str.isdigit, line)):
            continue
        roles = {role_of(name) for name in names}
        if "date" in roles and roles & {"amount", "debit", "credit"}:
            return place
        last = place
    return last


def _columns(header: str, rows: Sequence[str]) -> list[Span]:
    """Where each column begins and ends: as many as the header has names, one under each; none where they are not clear."""
    names = [span for _, span in _pieces(header)]
    columns = _merged([*names, *(span for line in rows for _, span in _pieces(line))])
    if len(columns) == len(names):
        return columns
    columns = _merged([span for line in rows for _, span in _pieces(line)])
    under = [[place for place, name in enumerate(names) if _overlap(name, column)] for column in columns]
    return columns if under == [[place] for place in range(len(names))] else []


def _merged(spans: Sequence[Span]) -> list[Span]:
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _cells(line: str, columns: Sequence[Span]) -> list[str]:
    """The cells of a line; the whole line in the second one where a piece of it belongs to no column or to several."""
    cells = [""] * len(columns)
    for found in _PIECE.finditer(line):
        places = [place for place, column in enumerate(columns) if _overlap(found.span(), column)]
        if len(places) != 1 or cells[places[0]]:
            return ["", line.strip()]
        cells[places[0]] = found[0]
    return cells
