"""Signs in a column of their own, and whole amounts of one or two figures: only their place makes them part of amounts."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal

from .columns import FLOWS, Role
from .dates import date_at
from .lines import Line, Word, plain_signs
from .money import Cell, Money, cells_of
from .tables import Entry, Table

SIGN = re.compile(r"[-+]|(?i:af|bij|c|d|cr|dr|db|s|h)")
AS_MARKED = {"AF": "DR", "BIJ": "CR", "C": "CR", "D": "DR", "S": "DR", "H": "CR", "DB": "DR"}
APART = 1.0  # heights of a letter between a sign and the words beside it
ALIGNED = 4.0
FEWEST = 2
MOST = 0.9  # of the rows of a table have a sign where signs have a column


def with_sign_columns(entries: list[Entry]) -> list[Entry]:
    """The same lines; where nearly every row of a table has a sign or a mark of debit or credit in one place, it is part of its amount."""
    tables = {id(entry.table): entry.table for entry in entries if entry.table and entry.table.flows}
    for table in tables.values():
        place = _place(table)
        if place is None:
            continue
        for entry in table.entries:
            if not entry.head and (found := _sign(entry, table, place)) is not None:
                entry.line = _joined(entry.line, *found)
                entry.cells = cells_of(entry.line)
        table.forget()
    return entries


def _place(table: Table) -> float | None:
    """The middle of the column of signs, if the table has one."""
    rows = [
        entry
        for entry in table.entries
        if not entry.head and date_at(entry.line.words, 0) is not None and _amounts(entry, table)
    ]
    places = [
        {round(_middle(word) / ALIGNED) for word in entry.line.words if _is_apart(entry.line, word)}
        for entry in rows
    ]
    counted = Counter(one for row in places for one in row)
    if not counted:
        return None
    place = counted.most_common(1)[0][0]
    near = sum(1 for row in places if row & {place - 1, place, place + 1})
    words = {
        word.text.upper()
        for entry in rows
        for word in entry.line.words
        if _is_apart(entry.line, word) and abs(_middle(word) - place * ALIGNED) < 2 * ALIGNED
    }
    return place * ALIGNED if near >= max(FEWEST, MOST * len(rows)) and len(words) > 1 else None


def _sign(entry: Entry, table: Table, place: float) -> tuple[Word, Cell] | None:
    """The sign of a line and the amount that stands nearest to it."""
    amounts = _amounts(entry, table)
    signs = [
        word
        for word in entry.line.words
        if _is_apart(entry.line, word) and abs(_middle(word) - place) < 2 * ALIGNED
    ]
    if len(signs) != 1 or not amounts:
        return None
    return signs[0], min(amounts, key=lambda cell: abs((cell.x0 + cell.x1) / 2 - place))


def _amounts(entry: Entry, table: Table) -> list[Cell]:
    return [cell for cell in entry.cells if table.role_of(cell) in FLOWS]


def _middle(word: Word) -> float:
    return (word.x0 + word.x1) / 2


def _is_apart(line: Line, word: Word) -> bool:
    """Whether a word is a sign and stands apart from the words beside it."""
    if not SIGN.fullmatch(plain_signs(word.text)):
        return False
    at = line.words.index(word)
    before = word.x0 - line.words[at - 1].x1 if at else float("inf")
    after = line.words[at + 1].x0 - word.x1 if at + 1 < len(line.words) else float("inf")
    return min(before, after) > APART * word.height


def _joined(line: Line, sign: Word, cell: Cell) -> Line:
    """The line with its sign before the amount, or as a mark behind it."""
    text = plain_signs(sign.text).upper()
    at, last = (cell.first, cell.last - 1)
    words = []
    for number, word in enumerate(line.words):
        if word is sign:
            continue
        if text in "+-" and number == at:
            words.append(Word(text + word.text, word.x0, word.x1, word.y, word.height, word.spaced))
        elif text not in "+-" and number == last:
            marked = word.text + AS_MARKED.get(text, text)
            words.append(Word(marked, word.x0, word.x1, word.y, word.height, word.spaced))
        else:
            words.append(word)
    return Line(line.page, line.y, words, line.place, whole=line.whole)


SHORT = re.compile(r"\d{1,2}")
ENDS_ALIKE = 1.5


def with_short_amounts(entries: list[Entry]) -> list[Entry]:
    """The same lines; where numbers without cents are amounts, one or two figures that end where a column's amounts end are one too."""
    tables = {
        id(entry.table): entry.table
        for entry in entries
        if entry.table and entry.table.flows and entry.line.whole == 1
    }
    for table in tables.values():
        ends = _ends(table)
        for entry in table.entries if ends else ():
            found = [] if entry.head or not entry.cells else _short(entry, ends)
            entry.cells = (
                sorted([*entry.cells, *found], key=lambda cell: cell.first) if found else entry.cells
            )
        table.forget()
    return entries


def _ends(table: Table) -> list[float]:
    """Where the amounts of each column of money end."""
    ends: dict[Role, list[float]] = {}
    for entry in table.entries:
        for cell in entry.cells:
            if (role := table.role_of(cell)) is not None:
                ends.setdefault(role, []).append(cell.x1)
    return [
        max(places, key=lambda one: sum(abs(one - other) < ENDS_ALIKE for other in places))
        for places in ends.values()
    ]


def _short(entry: Entry, ends: list[float]) -> list[Cell]:
    taken = {index for cell in entry.cells for index in range(cell.first, cell.last)}
    return [
        Cell(Money(word.text, Decimal(word.text)), word.x0, word.x1, at, at + 1)
        for at, word in enumerate(entry.line.words)
        if at not in taken and _ends_like_amounts(word, ends)
    ]


def _ends_like_amounts(word: Word, ends: list[float]) -> bool:
    return SHORT.fullmatch(word.text) is not None and any(abs(word.x1 - end) < ENDS_ALIKE for end in ends)
