"""Several tables one after another in one file: each has its own header, and lines before it that say what it is of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ...normalize.date_formats import month_number
from ...parsed import Parsed, Remark
from ..dates import is_date
from ..text import HEAD
from ..titles import LONGEST_TITLE, title_in
from .mapping import plain
from .table import Row, Table, lines_of, rows
from .words import role_of

FEWEST_NAMES, MOST_SECTIONS = 3, 40
_NOT_BOOKED = re.compile(
    r"\b(?:pending|future|upcoming|scheduled|planned|blocked|authori[sz]ations?|holds?|reserved|vorgemerkt\w*|geplant\w*|reservier\w*|"
    r"k[üu]nftig\w*|futur[oae]s?|próxim[oa]s|pendientes?|programad[oa]s|bloquead[oa]s|retenid[oa]s|à venir|en attente|in attesa|"
    r"prenotat[ei]|blokad\w*|oczekuj\w*|kommende|väntande|reserverte?|заблокир\w+|ожида\w+)",
    re.IGNORECASE,
)
_SUM = re.compile(r"\bсумма\b|\bamount\b|betrag|montant|importo|importe")
_WITHOUT_FIGURES = re.compile(r"^[^\d\r\n]{8,}(?=[\r\n]|\Z)", re.MULTILINE)
_OF_ROWS = re.compile(
    r"transac|transak|ums[äa]tze|buchung|movim|mouvement|operac|op[ée]ra[tz]|operazion|lan[çc]amento|сумм|операц|bookings|payments|entries|"
    r"amounts|posteringer|bokningar|bestellungen|zahlungen|auftr[äa]ge",
    re.IGNORECASE,
)
"""Beside a word for what is not booked: what it is said of. Else it may be the name of an account."""
_OF_AN_ACCOUNT = re.compile(r"account|savings|konto|cuenta|compte|conta\b|rekening|\bbank", re.IGNORECASE)
"""Beside a word for what is not booked: the account itself may be called so."""
_OF_BALANCES = re.compile(r"\s*(?:saldos|balances|soldes|salden|kontost[äa]nde)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Section:
    """One of several tables. Its text begins with as many empty lines as stand before it in the file, so that lines keep their numbers."""

    text: str
    title: str
    lines: int
    """How many of its lines are not blank."""

    @property
    def head(self) -> str:
        begin = len(self.text) - len(self.text.lstrip("\r\n"))
        return self.text[: begin + HEAD]

    @property
    def account(self) -> str:
        """The words of its title that may name an account; empty where they are those of a month."""
        if found := title_in([self.title]):
            return found
        words = re.findall(r"[^\W\d_]+", self.title)
        return "" if any(map(month_number, words)) else " ".join(words)[:LONGEST_TITLE].rstrip()

    @property
    def left_out_since(self) -> str:
        """Why its rows are no transactions of the account; empty where they may be."""
        if _NOT_BOOKED.search(self.title):
            return "a table of what is not booked"
        return "a table of balances" if _OF_BALANCES.match(self.title) else ""


def sections_of(text: str, table: Table) -> list[Section]:
    """The tables of a text, the first of which is known; none where it is the only one."""
    if not _has_another_header(text, table):
        return []
    names = names_of(table.columns.names)
    starts: list[int] = []
    titles: list[str] = []
    between: list[Row] = []
    has_rows = False
    for row in rows(text, table.delimiter):
        if row.line <= table.line:
            continue
        if not names_columns(row.cells) or names_of(row.cells) == names:
            has_rows |= any(map(is_date, row.cells))
            between = [*between[-8:], row] if _is_beside(row) else [row]
            continue
        names = names_of(row.cells)
        if not has_rows:  # the same names in another language
            continue
        has_rows = False
        above = _lines_of_the_next(between)
        starts.append(above[0].line if above else row.line)
        titles.append(_first_cell(above))
        between = [row]
        if len(starts) > MOST_SECTIONS:
            return []
    if not starts:
        return []
    every = lines_of(text)
    titles = [_first_cell(table.preamble), *titles]
    return list(_cut(every, [0, *(start - 1 for start in starts)], titles))


def _has_another_header(text: str, table: Table) -> bool:
    """Whether a line without figures may be another header: most files have none, and are not read twice."""
    for found in _WITHOUT_FIGURES.finditer(text):
        cells = [cell.strip(' "=') for cell in found[0].split(table.delimiter)]
        if names_columns(cells) and names_of(cells) != names_of(table.columns.names):
            return True
    return False


def _first_cell(above: Sequence[Row]) -> str:
    """The words with which the lines before a table begin."""
    return next((cell for row in above[:1] for cell in row.cells if cell), "")


def _cut(every: Sequence[str], starts: Sequence[int], titles: Sequence[str]) -> Iterator[Section]:
    for start, end, title in zip(starts, [*starts[1:], len(every)], titles, strict=True):
        own = every[start:end]
        yield Section("\n" * start + "".join(own), title, sum(1 for line in own if line.strip(' \t\r\n",;|')))


def names_of(cells: Sequence[str]) -> list[str]:
    """The names of a header, plain, without blank ones at its end."""
    names = [plain(cell) for cell in cells]
    while names and not names[-1]:
        names.pop()
    return names


def names_columns(cells: Sequence[str]) -> bool:
    """Whether a line names a column of days and one of amounts, and holds no figures."""
    filled = [cell for cell in cells if cell]
    if len(filled) < FEWEST_NAMES or any(map(str.isdigit, "".join(filled))):
        return False
    names = [plain(cell) for cell in filled]
    found = {role_of(name) for name in names}
    return "date" in found and (bool(found & {"amount", "debit", "credit"}) or any(map(_SUM.search, names)))


def may_name_columns(cells: Sequence[str]) -> bool:
    """The same of a line with figures in its names, which is not taken for a header."""
    filled = [cell for cell in cells if cell]
    found = {role_of(plain(re.sub(r"\d\S*", "", cell))) for cell in filled if not is_date(cell)}
    return len(filled) >= FEWEST_NAMES and "date" in found and bool(found & {"amount", "debit", "credit"})


def _is_beside(row: Row) -> bool:
    """Whether a line is no row of a table: it has at most three cells with something in them."""
    return len([cell for cell in row.cells if cell]) <= FEWEST_NAMES


def _lines_of_the_next(between: Sequence[Row]) -> list[Row]:
    """Of the last row of a table and the lines before the next header those that belong to the header: what follows the last of the widest
    gaps."""
    beside = [row for row in between if _is_beside(row)]
    if len(beside) < 2:
        return list(beside) if not between or _is_beside(between[0]) else beside
    gaps = [below.line - above.line for above, below in pairwise(between)]
    widest = max(gaps)
    last = len(gaps) - gaps[::-1].index(widest)
    return list(between[last:]) if widest > 1 else beside[-1:]


def joined(first: Parsed, others: Sequence[tuple[Section, Parsed]]) -> Parsed:
    """All tables of a file as one; rows of later tables follow those of the first."""
    for section, parsed in others:
        shift = max((row.row_id for row in first.rows), default=-1) + 1 + len(first.errors)
        said = {remark.message for remark in first.warnings if remark.row_id is None}
        account = section.account
        first.rows += [
            replace(row, row_id=row.row_id + shift, account=row.account or account) for row in parsed.rows
        ]
        first.errors += [
            replace(one, row_id=None if one.row_id is None else one.row_id + shift) for one in parsed.errors
        ]
        first.warnings += [
            replace(one, row_id=None if one.row_id is None else one.row_id + shift)
            for one in parsed.warnings
            if one.row_id is not None or one.message not in said
        ]
        first.assumptions += [one for one in parsed.assumptions if one not in first.assumptions]
        first.balances += [replace(one, account=one.account or account) for one in parsed.balances]
        first.rows_skipped += parsed.rows_skipped
        first.are_signs_decided &= parsed.are_signs_decided
        first.is_stated_empty &= parsed.is_stated_empty
        first.account_type = first.account_type if first.account_type == parsed.account_type else ""
    return first


def left_out(section: Section) -> Remark:
    """That a table was not read, and why."""
    count, title = max(section.lines - 2, 0), section.title
    is_clear = _OF_ROWS.search(title) and not _OF_AN_ACCOUNT.search(title)
    return Remark(
        f"{count} line{'' if count == 1 else 's'} skipped: {section.left_out_since}: “{title[:80]}”",
        severity="info" if is_clear or _OF_BALANCES.match(title) else "warning",
    )
