"""Finds the table of a bank that nobody described: its delimiter, its header and what its columns are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..dates import is_date
from .fixed_width import as_columns
from .mapping import Columns, plain
from .roles import Roles, by_contents, by_names, by_sums, column, is_number, longest_texts
from .sections import names_columns, names_of
from .table import Row, Table, as_table, delimiters, first_rows
from .unusual_days import unusual_days
from .words import role_of


@dataclass(frozen=True, slots=True)
class RecognisedTable:
    """A table and what its columns are."""

    table: Table
    roles: Roles
    names: Sequence[str]
    body: Sequence[Sequence[str]]
    has_header: bool

    @property
    def score(self) -> float:
        return (
            (0.5 if self.has_header else 0.3)
            + (0.05 if self.roles.description else 0)
            + min(len(self.body), 40) / 1000
        )


@lru_cache(maxsize=8)
def find(head: str) -> RecognisedTable | None:
    """The likeliest table of a file's beginning; asked when its kind is detected, and again when it is read."""
    every = [
        found
        for delimiter in delimiters(head)
        if (found := _find_with(first_rows(head, delimiter), delimiter)) is not None
    ]
    return max(every, key=lambda one: one.score, default=None)


def table_in(text: str, head: str) -> tuple[str, RecognisedTable | None]:
    """The text with a table in it, and that table: as it is, or made of lines of labels or of columns that blanks part."""
    found = find(head)
    if found is not None and found.has_header:
        return text, found
    if (made := as_columns(head)) and (by_place := find(made)) is not None and by_place.has_header:
        return as_columns(text) or text, by_place
    if found is None and (made := as_table(text)):
        return made, find(made)
    return text, found


def _find_with(rows: Sequence[Row], delimiter: str) -> RecognisedTable | None:
    for find_roles in (by_names, by_sums):
        for place, row in enumerate(rows):
            if sum(bool(cell) for cell in row.cells) < 2:
                continue
            body = [
                one.cells
                for one in _rows_under(rows, place)
                if len(one.cells) >= 2 and one.cells != row.cells
            ]
            if find_roles is by_sums and not _is_head(row.cells, body):
                continue
            days = unusual_days(row.cells, body)
            body = [days.in_cells(cells) for cells in body] if days else body
            roles = find_roles(row.cells, body)
            if roles.is_table:
                names = unique_names(_without_empty_end(row.cells, body))
                return RecognisedTable(
                    Table(delimiter, row.line, Columns(names), list(rows[:place]), days),
                    roles,
                    names,
                    body,
                    True,
                )
    return _headerless(rows, delimiter)


def _rows_under(rows: Sequence[Row], place: int) -> Sequence[Row]:
    """The rows under a header, up to the header of another table."""
    names, has_rows = names_of(rows[place].cells), False
    for end in range(place + 1, len(rows)):
        cells = rows[end].cells
        if has_rows and names_columns(cells) and names_of(cells) != names:
            return rows[place + 1 : end]
        has_rows = has_rows or any(map(is_date, cells))
    return rows[place + 1 :]


def _without_empty_end(cells: Sequence[str], body: Sequence[Sequence[str]]) -> Sequence[str]:
    """The header without last columns that have no name and are empty in most rows: what stands there is in the wrong place."""
    end = len(cells)
    while end and not cells[end - 1] and len(column(body, end - 1)) < len(body) / 2:
        end -= 1
    return cells[:end]


def _is_head(cells: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether a row is as wide as those under it and holds words alone."""
    widest = max((len(one) for one in body), default=0)
    return len(cells) >= widest >= 3 and not any(is_number(cell) or is_date(cell) for cell in cells)


def _headerless(rows: Sequence[Row], delimiter: str) -> RecognisedTable | None:
    widths = [len(row.cells) for row in rows if len(row.cells) > 1]
    if not widths:
        return None
    usual = max(set(widths), key=widths.count)
    body = [row for row in rows if len(row.cells) >= usual]
    roles = by_contents([row.cells for row in body])
    if roles.date >= 0 and len(body) > 2 and not is_date(_cell(body[0].cells, roles.date)):
        body = body[1:]  # a title or a balance that is as wide as the rows
        roles = by_contents([row.cells for row in body])
    if not roles.is_table or not roles.description or len(body) < len(rows) * 0.5:
        return None
    width = len(body[0].cells)
    above = [row.cells for row in rows if row.line < body[0].line and len(row.cells) == width]
    above = [cells for cells in above if not any(is_number(cell) for cell in cells)]
    if any(role_of(plain(_cell(cells, roles.amount))) == "balance" for cells in above):
        return None  # a table of balances alone has no amounts
    amounts = (roles.amount, roles.debit, roles.credit)
    if any(
        role_of(plain(cell)) in ("amount", "debit", "credit") and place not in amounts
        for cells in above
        for place, cell in enumerate(cells)
    ):
        return None  # the amounts stand under their name, and cannot be read
    names = [f"column {place + 1}" for place in range(max(len(row.cells) for row in body))]
    first = body[0].line
    return RecognisedTable(
        Table(delimiter, first - 1, Columns(names), [row for row in rows if row.line < first]),
        roles,
        names,
        [row.cells for row in body],
        False,
    )


def _cell(cells: Sequence[str], place: int) -> str:
    return cells[place] if place < len(cells) else ""


def unique_names(cells: Sequence[str]) -> list[str]:
    """Names to refer to columns by; one that is empty or repeated is named by its place."""
    seen: set[str] = set()
    names = []
    for place, cell in enumerate(cells):
        name = cell.replace("|", "/") if cell and cell.casefold() not in seen else f"column {place + 1}"
        seen.add(name.casefold())
        names.append(name)
    return names


@lru_cache(maxsize=8)
def unknown_table(head: str) -> RecognisedTable | None:
    """The widest table with a header in which no days or amounts were recognised: a person can name its columns. None where there is none,
    or where they were recognised."""
    if not head or find(head) is not None:
        return None
    every = [
        RecognisedTable(
            Table(delimiter, row.line, Columns(names), list(rows[:place])), Roles(), names, body, True
        )
        for delimiter in delimiters(head)
        for rows in [first_rows(head, delimiter)]
        for place, row in enumerate(rows)
        if (body := [one.cells for one in rows[place + 1 :] if len(one.cells) > 1])
        and sum(map(bool, row.cells)) > 1
        and _is_head([*row.cells, *[""] * (3 - len(row.cells))], body)
        for names in [unique_names(_without_empty_end(row.cells, body))]
    ]
    found = max(every, key=lambda one: (len(one.names), len(one.body)), default=None)
    if found is not None:
        found.roles.description = longest_texts(found.body, found.roles, len(found.names))
    return found
