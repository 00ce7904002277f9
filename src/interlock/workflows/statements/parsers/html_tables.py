"""Tables of a web page as text: banks of several countries give out a page under the name .xls. Nothing of a page is run or fetched."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from html import unescape

from .amounts import amount_of
from .dates import is_date

MOST_CELLS, MOST_SPAN, MOST_NESTED = 1_000_000, 100, 20
LONGEST_TAG = 4_096
DELIMITER = "\t"
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/<>]*)((?>\"[^\"]*\"|'[^']*'|[^\"'<>])*+)>")
_SPAN = re.compile(r"\b(col|row)span\s*=\s*[\"']?\s*(\d{1,4})", re.IGNORECASE)
_PAGE = re.compile(
    rb"[\s\xef\xbb\xbf]*(?:<\?xml[^<>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body|meta|style|title|table)\b",
    re.IGNORECASE | re.DOTALL,
)
_CHARSET = re.compile(
    rb"charset\s*=\s*[\"']?((?:iso-8859-|windows-|cp|euc-|ks_c_|gb|big5|koi8-|shift_|tis-)[\w-]*|utf-8)",
    re.IGNORECASE,
)
_AS_BROWSERS_DO = {"iso-8859-1": "cp1252", "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "gb2312": "gb18030"}
_ENDS_A_LINE = frozenset(("br", "div", "p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "hr", "title", "table"))
_HIDDEN = re.compile(r"display\s*:\s*none|(?<![\w-])hidden(?![\w-])", re.IGNORECASE)
_NOT_READ = frozenset(("script", "style", "noscript", "template", "select"))


def is_page(content: bytes) -> bool:
    """Whether a file begins like a web page."""
    return _PAGE.match(content[:4096]) is not None


def charset_of(content: bytes) -> str:
    """The encoding that a page names in its first bytes; empty where it names none that is known."""
    found = _CHARSET.search(content[:4096])
    name = found[1].decode("ascii").lower() if found else ""
    return _AS_BROWSERS_DO.get(name, name)


@dataclass(frozen=True, slots=True)
class Page:
    """What the tables of a page hold. `problem` says, behind the words “a web page”, why it cannot be read."""

    text: str = ""
    """Lines of text and the rows of tables, cells parted by tabs; empty where no row has a day and an amount."""
    is_whole: bool = True
    """It does not end within a table."""
    hidden_rows: int = 0
    """Rows with a day that a browser does not show; they are read."""
    problem: str = ""


def read_page(page: str) -> Page:
    """Read all tables of a page."""
    reader = _Reader()
    try:
        reader.read(page)
    except _TooLarge:
        return Page(problem=f"with more than {MOST_CELLS} cells in its tables")
    for table in reversed(reader.tables):
        reader.end_row(table)
    reader.end_line()
    if not any(map(_has_day_and_amount, reader.lines)):
        return Page()
    made = io.StringIO()
    made.write(f"sep={DELIMITER}\n")
    csv.writer(made, delimiter=DELIMITER, lineterminator="\n").writerows(reader.lines)
    return Page(made.getvalue(), reader.is_whole, reader.hidden_rows)


class _TooLarge(ValueError):
    """More cells than any statement has."""


def _has_day_and_amount(cells: list[str]) -> bool:
    days = [cell for cell in cells if is_date(cell)]
    return bool(days) and any(
        amount_of(cell, mark) is not None for cell in cells if cell not in days for mark in ".,"
    )


class _Table:
    """A table that is being read: its row, its cell, and cells that reach down into rows below."""

    def __init__(self) -> None:
        self.row: list[str] | None = None
        self.text: list[str] | None = None
        self.across = self.down = 1
        self.is_hidden = False
        """The present row is one that a browser does not show."""
        self.reaching: dict[int, tuple[int, str]] = {}
        """By place: into how many rows from the next one on a cell reaches, and what stands there."""
        self.above: dict[int, tuple[int, str]] = {}
        """The same of the present row."""

    def begin_row(self) -> None:
        self.row, self.above, self.reaching = [], self.reaching, {}
        self._fill()

    def end_cell(self) -> None:
        if self.text is None or self.row is None:
            return
        text, self.text = _plain("".join(self.text)), None
        for number in range(self.across):
            if self.down > 1:
                self.reaching[len(self.row)] = (self.down - 1, text if number == 0 and is_date(text) else "")
            self.row.append(text if number == 0 else "")
        self._fill()

    def end_row(self) -> list[str]:
        self.end_cell()
        row, self.row = self.row or [], None
        return row

    def _fill(self) -> None:
        """Append what reaches down from rows above into the next places: a day again, and anything else as an empty cell."""
        assert self.row is not None
        while (place := len(self.row)) in self.above:
            left, text = self.above.pop(place)
            self.row.append(text)
            if left > 1:
                self.reaching[place] = (left - 1, text)


class _Reader:
    """Collects the rows of tables, and lines of text beside them as rows of one cell."""

    def __init__(self) -> None:
        self.lines: list[list[str]] = []
        self.tables: list[_Table] = []
        self.beside: list[str] = []
        self.cells = self.hidden_rows = 0
        self.is_whole = True
        self.is_in_caption = False

    def read(self, page: str) -> None:
        """Read all of a page. What stands in scripts and the like is none of it; a page that ends within them, within a comment or within
        a table is not whole."""
        place = 0
        while (begin := page.find("<", place)) >= 0:
            self._text(page[place:begin])
            place = self._markup(page, begin)
        self._text(page[place:])
        self.is_whole = self.is_whole and not self.tables

    def _markup(self, page: str, begin: int) -> int:
        """Read what begins with `<`, and return the place behind it."""
        if page.startswith(("<!", "<?"), begin):
            end = "-->" if page.startswith("<!--", begin) else ">"
            return self._behind(page, page.find(end, begin), len(end))
        if (tag := _TAG.match(page, begin, begin + LONGEST_TAG)) is None:
            self._text("<")
            return begin + 1
        name = tag[2].lower()
        if tag[1]:
            self._end(name)
        elif name in _NOT_READ:
            found = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(page, tag.end())
            return self._behind(page, found.start() if found else -1, len(found[0]) if found else 0)
        else:
            self._begin(name, tag[3])
        return tag.end()

    def _behind(self, page: str, end: int, length: int) -> int:
        self.is_whole = self.is_whole and end >= 0
        return end + length if end >= 0 else len(page)

    def _begin(self, tag: str, attributes: str) -> None:
        table = self.tables[-1] if self.tables else None
        if tag == "table" and len(self.tables) < MOST_NESTED:
            if table is not None:
                self._end_heading(table)
            self.end_line()
            self.tables.append(_Table())
        elif tag == "caption" and table is not None:
            self.is_in_caption = True
        elif tag == "tr" and table is not None:
            self._end_caption()
            self.end_row(table)
            table.begin_row()
            table.is_hidden = _HIDDEN.search(attributes) is not None
        elif tag in ("td", "th") and table is not None:
            if table.row is None:
                table.begin_row()
            table.end_cell()
            spans = {found[1].lower(): int(found[2]) for found in _SPAN.finditer(attributes)}
            table.text = []
            table.across, table.down = (min(max(spans.get(name, 1), 1), MOST_SPAN) for name in ("col", "row"))
        elif tag in _ENDS_A_LINE:
            self._text(" ")
            if table is None:
                self.end_line()

    def _end(self, tag: str) -> None:
        table = self.tables[-1] if self.tables else None
        if tag == "table" and table is not None:
            self.end_row(table)
            self.tables.pop()
            self.lines.append([])
        elif tag == "tr" and table is not None:
            self.end_row(table)
        elif tag in ("td", "th") and table is not None:
            table.end_cell()
        elif tag == "caption":
            self._end_caption()
        elif tag in _ENDS_A_LINE and table is None:
            self.end_line()

    def _end_caption(self) -> None:
        """Keep the caption of a table as a line before it."""
        if self.is_in_caption:
            self.is_in_caption = False
            self.end_line()

    def _end_heading(self, table: _Table) -> None:
        """Keep what stands in a cell before another table in it as a line before that table, unless its row is one of a transaction."""
        if table.text is not None and not any(map(is_date, table.row or [])):
            self.beside += table.text
            table.text = []

    def _text(self, text: str) -> None:
        if not self.tables or self.is_in_caption:
            self.beside.append(text)
        elif (own := self.tables[-1].text) is not None:
            own.append(text)

    def end_line(self) -> None:
        """Keep text beside tables as a line of its own."""
        text, self.beside = _plain("".join(self.beside)), []
        if text:
            self.lines.append([text])

    def end_row(self, table: _Table) -> None:
        """Keep the row of a table, unless it is blank."""
        if table.row is None:
            return
        row = table.end_row()
        self.cells += len(row)
        self.hidden_rows += table.is_hidden and any(map(is_date, row))
        if self.cells > MOST_CELLS:
            raise _TooLarge
        if any(row):
            self.lines.append(row)


def _plain(text: str) -> str:
    """The text with its characters instead of their names, and one blank between words."""
    return " ".join((unescape(text) if "&" in text else text).split())
