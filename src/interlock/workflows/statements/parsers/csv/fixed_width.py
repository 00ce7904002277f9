"""Tables whose columns are parted by blanks: what is blank in the header and in every row with a day parts two columns."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
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
Pieces = Mapping[Span, str]


@lru_cache(maxsize=4)
def as_columns(text: str) -> str:
    """The same text with its cells parted by a delimiter, line by line; empty if it has no such table, or its columns are not clear."""
    if "\t" in text or DELIMITER in text:
        return ""
    lines = text.replace("\u00a0", " ").splitlines()
    pieces = [_pieces(line) for line in lines]
    rows = [place for place, found in enumerate(pieces) if _is_row(found)]
    header = _header(pieces[: rows[0]]) if len(rows) >= FEWEST_ROWS else -1
    if header < 0:
        return ""
    columns = _columns(pieces[header], [pieces[place] for place in rows])
    if not columns:
        return ""
    made = io.StringIO()
    writer = csv.writer(made, delimiter=DELIMITER, lineterminator="\n")
    made.write(f"sep={DELIMITER}\n")
    for place, line in enumerate(lines):
        if not line.strip() or (place > header and _LINE_OF_SIGNS.fullmatch(line)):
            made.write("\n")
        else:
            writer.writerow(
                _cells(line, pieces[place], columns)
                if place >= header
                else [line[start:end] for start, end in pieces[place]]
            )
    return made.getvalue()


def _pieces(line: str) -> dict[Span, str]:
    """What stands between two or more blanks, by where; numbers in the digits 0 to 9. Nothing of a line that is too long for a row."""
    if len(line) > LONGEST_LINE:
        return {}
    return {found.span(): with_plain_digits(found[0]) for found in _PIECE.finditer(line)}


def _is_row(pieces: Pieces) -> bool:
    """Whether a line has a day and an amount, each between blanks."""
    figures = [piece for piece in pieces.values() if any(map(str.isdigit, piece))]
    days = [piece for piece in figures if len(piece) > 5 and is_date(piece) and not _PERIOD.search(piece)]
    return bool(days) and any(
        amount_of(piece, mark) is not None for piece in figures if piece not in days for mark in ".,"
    )


def _header(lines: Sequence[Pieces]) -> int:
    """The place of the first of these lines that names a column of days and one of amounts; else of the last that may be names of columns.
    −1 where there is none."""
    last = -1
    for place, pieces in enumerate(lines):
        names = [plain(piece) for piece in pieces.values()]
        if not FEWEST_COLUMNS <= len(names) <= MOST_COLUMNS or any(map(str.isdigit, "".join(names))):
            continue
        roles = {role_of(name) for name in names}
        if "date" in roles and roles & {"amount", "debit", "credit"}:
            return place
        last = place
    return last


def _columns(header: Pieces, rows: Sequence[Pieces]) -> list[Span]:
    """Where each column begins and ends: as many as the header has names, one under each; none where they are not clear."""
    names, own = list(header), {span for pieces in rows for span in pieces}
    columns = _merged([*names, *own])
    if len(columns) == len(names):
        return columns
    columns = _merged(own)
    under = [[place for place, name in enumerate(names) if _overlap(name, column)] for column in columns]
    return columns if under == [[place] for place in range(len(names))] else []


def _merged(spans: Iterable[Span]) -> list[Span]:
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _cells(line: str, pieces: Pieces, columns: Sequence[Span]) -> list[str]:
    """The cells of a line. Where a piece of it belongs to no column or to several, that is the whole line in the second cell; behind a day
    it stands in the first of these columns, so that the line stays one of a row."""
    cells = [""] * len(columns)
    for span in pieces or [(0, len(line))]:
        places = [place for place, column in enumerate(columns) if _overlap(span, column)]
        if len(places) != 1 or cells[places[0]]:
            if not places or not any(map(is_date, cells)):
                return ["", line.strip()]
            cells[places[0]] = f"{cells[places[0]]} {line[span[0] : span[1]]}".strip()
        else:
            cells[places[0]] = line[span[0] : span[1]]
    return cells
