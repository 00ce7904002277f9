"""Tables of unusual shape: with something beside them, with rows of several lines, side by side, or without a head."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise

from .columns import FLOWS, MONEY, Label, Role
from .dates import date_at
from .drafts import Draft, parts_of
from .lines import Line, Word
from .money import cells_of
from .summary import OF_BALANCE, OWN_ROW
from .tables import Entry, Table, dated_entries, groups_of

REACH = 1.75  # heights of a letter between a row and the line that continues it
WIDE = 60.0  # so much room left of a table's first column is room for something else
BEGINS, UNDER = 14.0, 6.0  # how far from the names of their columns dates and descriptions begin


def without_panels(entries: list[Entry]) -> list[Entry]:
    """The same lines; those of tables that do not begin at the page's left edge without what stands beside them."""
    entries = _without_right_panels(entries)
    left = min((entry.line.x0 for entry in entries), default=0.0)
    for entry in entries:
        if entry.table is not None and entry.table.flows and not entry.head:
            own = _own(entry.line.words, entry.table.labels, left)
            if len(own) < len(entry.line.words):
                entry.line = Line(
                    entry.line.page, entry.line.y, own, entry.line.place, whole=entry.line.whole
                )
                entry.cells = cells_of(entry.line)
    return entries


def _own(words: list[Word], labels: list[Label], left: float) -> list[Word]:
    """The words of the table; all of them where the line is no row with something beside it, but a heading or a total."""
    first = labels[0]
    if first.role not in ("date", "posted") or first.x0 - left < WIDE:
        return words
    own = [word for word in words if word.x1 >= first.x0 - UNDER]
    described = next((label.x0 for label in labels if label.role == "description"), first.x0)
    begins = bool(own) and (abs(own[0].x0 - first.x0) <= BEGINS or abs(own[0].x0 - described) <= UNDER)
    return own if begins else words


BESIDE = 10.0  # so far right of the last column, and of the word before it, begins what stands beside a table


def _without_right_panels(entries: list[Entry]) -> list[Entry]:
    """The same lines without what stands right of their table; balances that are stated there go before the table's head."""
    result = list(entries)
    for table in {id(entry.table): entry.table for entry in entries if entry.table}.values():
        if not table.flows or table.labels[-1].role not in MONEY or groups_of(table):
            continue
        edge = _right_edge(table)
        found = [
            (entry, start)
            for entry in table.entries
            if not entry.head and (start := _begins_beside(entry, edge))
        ]
        if not _is_panel([entry.line.words[start:] for entry, start in found]):
            continue
        for entry, start in found:
            beside = _part(entry.line, entry.line.words[start:])
            entry.line = _part(entry.line, entry.line.words[:start])
            entry.cells = cells_of(entry.line)
            aside = Entry(beside, cells_of(beside))
            if aside.cells and OF_BALANCE.search(beside.text):
                head = next((at for at, one in enumerate(result) if one.head and one.table is table), 0)
                result.insert(head, aside)
    return result


def _right_edge(table: Table) -> float:
    """Where the last column of money ends."""
    last = table.labels[-1]
    ends = [
        cell.x1
        for entry in table.entries
        for cell in entry.cells
        if cell.x0 <= last.x1 and cell.x1 >= last.x0
    ]
    return max([last.x1, *ends])


def _begins_beside(entry: Entry, edge: float) -> int:
    """The first word that stands beside the table; 0 if none does or nothing stands in the table."""
    words = entry.line.words
    return next(
        (
            at
            for at in range(1, len(words))
            if words[at].x0 > edge + BESIDE and words[at].x0 - words[at - 1].x1 > BESIDE
        ),
        0,
    )


def _is_panel(pieces: list[list[Word]]) -> bool:
    """Whether words begin at one place and are sentences or labels; marks, codes and numbers of an unnamed column are not."""
    starts = Counter(round(words[0].x0 / 3) for words in pieces)
    texts = " ".join(word.text for words in pieces for word in words)
    return max(starts.values(), default=0) >= 2 and len(re.findall(r"[^\W\d_]{4,}", texts)) >= 4


def _part(line: Line, words: list[Word]) -> Line:
    return Line(line.page, line.y, words, line.place, whole=line.whole)


def with_dates_below(entries: list[Entry]) -> list[Entry]:
    """The same lines; in tables without a column of dates whose rows have theirs on the next line, each pair as one line."""
    result: list[Entry] = []
    pairs = lone = 0
    for entry in entries:
        above = result[-1] if result else None
        if above is not None and _is_undated_row(above) and _is_dated_text(entry, above):
            pairs += 1
            printed = date_at(entry.line.words, 0)
            after = printed[1] if printed else 0
            first = next((cell.first for cell in above.cells if above.table and above.table.role_of(cell)), 0)
            words = above.line.words
            whole = [
                *entry.line.words[:after],
                *words[:first],
                *entry.line.words[after:],
                *words[first:],
            ]
            line = _part(above.line, whole)
            result[-1] = Entry(line, cells_of(line), above.table)
        else:
            lone += above is not None and _is_undated_row(above)
            result.append(entry)
    if pairs < 2 or lone > pairs / 4:
        return entries
    for table in {id(entry.table): entry.table for entry in result if entry.table}.values():
        table.entries = [entry for entry in result if entry.table is table]
        table.forget()
    return result


def _is_undated_row(entry: Entry) -> bool:
    table = entry.table
    if table is None or entry.head or not table.flows or {"date", "posted"} & set(table.roles):
        return False
    return date_at(entry.line.words, 0) is None and any(table.role_of(cell) in FLOWS for cell in entry.cells)


def _is_dated_text(entry: Entry, above: Entry) -> bool:
    """Whether a line begins with a date, has no amounts, and stands right below."""
    near = entry.line.page == above.line.page and entry.line.y - above.line.y <= REACH * above.line.height
    return (
        near and entry.table is above.table and not entry.cells and date_at(entry.line.words, 0) is not None
    )


COMPACT = re.compile(r"\d{4}")
HALF = re.compile(r"\d\d")


def with_compact_dates(entries: list[Entry]) -> list[Entry]:
    """The same lines; days and months under the name of a date that are printed without a mark (“0512”, “03 05”) with one."""
    for table in {id(entry.table): entry.table for entry in entries if entry.table}.values():
        for label in table.labels:
            if label.role in ("date", "posted") and table.flows:
                _mark_dates(table, label)
    return entries


def _mark_dates(table: Table, label: Label) -> None:
    rows = [
        entry
        for entry in table.entries
        if entry.cells and not entry.head and not OWN_ROW.fullmatch(entry.line.text)
    ]
    found = [(entry, span) for entry in rows if (span := _compact_date(entry, label))]
    texts = ["".join(word.text for word in entry.line.words[slice(*span)]) for entry, span in found]
    pairs = [(int(text[:2]), int(text[2:])) for text in texts]
    is_date = all(0 < day <= 31 and 0 < month <= 12 for day, month in pairs) or all(
        0 < month <= 12 and 0 < day <= 31 for month, day in pairs
    )
    if len(found) < 2 or 2 * len(found) <= len(rows) or not is_date:
        return
    for (entry, (first, last)), text in zip(found, texts, strict=True):
        words = entry.line.words
        marked = replace(words[first], text=f"{text[:2]}/{text[2:]}", x1=words[last - 1].x1)
        entry.line = _part(entry.line, [*words[:first], marked, *words[last:]])
        entry.cells = cells_of(entry.line)
    table.forget()


def _compact_date(entry: Entry, label: Label) -> tuple[int, int] | None:
    """Where four figures stand under this name, in one word or in two that stand together."""
    words = entry.line.words
    for at, word in enumerate(words):
        if word.x0 > label.x1 + UNDER or word.x1 < label.x0 - UNDER:
            continue
        if COMPACT.fullmatch(word.text):
            return at, at + 1
        below = words[at + 1] if at + 1 < len(words) else None
        if (
            below is not None
            and HALF.fullmatch(word.text)
            and HALF.fullmatch(below.text)
            and below.x0 - word.x1 < word.height
        ):
            return at, at + 2
    return None


LEFT_OF_TABLE, WIDTH_OF_DAY = 80.0, 40.0


def with_days_above(entries: list[Entry]) -> list[Entry]:
    """The same lines; in tables without a column of days whose rows stand below their day, each row begins with it."""
    days: dict[int, list[Entry]] = {}
    for entry in entries:
        table = entry.table
        if table is not None and table.flows and "date" not in table.roles and _day_alone(entry):
            days.setdefault(id(table), []).append(entry)
    tables = {id(entry.table): entry.table for entry in entries if entry.table}
    for key, headings in days.items():
        rows = [entry for entry in tables[key].entries if _is_row_of_amount(entry)]
        if len(headings) < 2 or not rows:
            continue
        entries = _dated_by_headings(entries, tables[key], {id(heading) for heading in headings})
    return entries


def _day_alone(entry: Entry) -> str:
    """The day with its year that is all of a line but for a word or two before it; empty for other lines."""
    words = entry.line.words
    if entry.cells or entry.head:
        return ""
    for start in range(min(3, len(words))):
        found = date_at(words, start)
        if found and found[1] == len(words) and found[0].year and not found[0].text.isdigit():
            return found[0].text
        if any(character.isdigit() for character in words[start].text):
            return ""
    return ""


def _is_row_of_amount(entry: Entry) -> bool:
    table = entry.table
    return table is not None and not entry.head and any(table.role_of(cell) in FLOWS for cell in entry.cells)


def _dated_by_headings(entries: list[Entry], table: Table, headings: set[int]) -> list[Entry]:
    left = min(entry.line.x0 for entry in table.entries) - LEFT_OF_TABLE
    result: list[Entry] = []
    day = ""
    for entry in entries:
        if id(entry) in headings:
            day = _day_alone(entry)
            continue
        words = entry.line.words
        if entry.table is table and entry.cells and OWN_ROW.fullmatch(entry.line.text):
            day = ""  # what stands below a balance may be a total
        dated = "posted" not in table.roles or table.date_of(entry) is not None
        if day and dated and entry.table is table and _is_row_of_amount(entry):
            first = Word(day, left, left + WIDTH_OF_DAY, words[0].y, words[0].height)
            entry.line = _part(entry.line, [first, *words])
            entry.cells = cells_of(entry.line)
        result.append(entry)
    table.labels.insert(0, Label("date", left, left + WIDTH_OF_DAY, "date"))
    table.entries = [entry for entry in result if entry.table is table]
    table.forget()
    return result


CLOSE = 1.3  # times the distance of two lines of one description
FEW = 0.1  # of the rows without a word beside their date: then the table is one of blocks


def with_blocks(entries: list[Entry]) -> list[Entry]:
    """The same lines; in tables of blocks, each block as one line."""
    tables = {id(entry.table): entry.table for entry in entries if entry.table and entry.table.flows}
    made = {key: table for key, table in tables.items() if _bare(table)}
    reach = {key: CLOSE * _leading(table) for key, table in made.items()}
    if not made:
        return entries
    result: list[Entry] = []
    block: list[Entry] = []
    for entry in entries:
        if block and not _same_block(block[-1], entry, reach[id(block[-1].table)]):
            result += _merged(block)
            block = []
        if id(entry.table) in made and not entry.head:
            block.append(entry)
        else:
            result.append(entry)
    result += _merged(block)
    for table in made.values():
        table.entries = [entry for entry in result if entry.table is table]
        table.forget()
    return result


def _bare(table: Table) -> list[Entry]:
    """Rows with nothing beside their date and amount, if there are enough of them to be no accident."""
    anchors = [entry for entry in table.entries if _anchors(entry, table)]
    bare = [entry for entry in anchors if not parts_of(entry, table).words]
    return bare if len(bare) >= FEW * len(anchors) else []


def _leading(table: Table) -> float:
    """The distance of two lines of a description; a date between two of them stands at half of it."""
    bare = {id(entry) for entry in _bare(table)}
    steps = [
        (below.line.y - above.line.y) * (2 if id(above) in bare or id(below) in bare else 1)
        for above, below in zip(table.entries, table.entries[1:], strict=False)
        if above.line.page == below.line.page and below.line.y > above.line.y
    ]
    return min(steps, default=0.0)


def _anchors(entry: Entry, table: Table) -> bool:
    return (
        not entry.head
        and table.date_of(entry) is not None
        and any(table.role_of(cell) in FLOWS for cell in entry.cells)
    )


def _same_block(above: Entry, entry: Entry, reach: float) -> bool:
    close = entry.line.page == above.line.page and entry.line.y - above.line.y <= reach
    return close and entry.table is above.table and not entry.head


def _merged(block: list[Entry]) -> list[Entry]:
    """One line for the block if it has exactly one date with an amount; else the lines as they are."""
    table = block[0].table if block else None
    anchors = [entry for entry in block if table and _anchors(entry, table)]
    if (
        table is None
        or len(anchors) != 1
        or len(block) == 1
        or any(entry.cells for entry in block if entry is not anchors[0])
    ):
        return block
    anchor = anchors[0]
    words, found = anchor.line.words, table.date_of(anchor)
    paid = min(cell.first for cell in anchor.cells if table.role_of(cell))
    if not found or paid < found[1]:
        return block
    before = next(index for index, word in enumerate(words) if word.x0 == found[2])
    own = [*words[:before], *words[found[1] : paid]]
    told = [word for entry in block for word in (own if entry is anchor else entry.line.words)]
    line = Line(
        anchor.line.page,
        anchor.line.y,
        [*words[before : found[1]], *told, *words[paid:]],
        anchor.line.place,
        whole=anchor.line.whole,
    )
    return [Entry(line, cells_of(line), table)]


@dataclass
class Half:
    """One of the tables, with its rows of this page."""

    table: Table
    drafts: list[Draft] = field(default_factory=list)
    last: Line | None = None

    def begin(self, draft: Draft, line: Line) -> None:
        self.drafts.append(draft)
        self.last = line

    def goes_on(self, line: Line) -> bool:
        """Whether words alone on this line continue the row above; checks have no descriptions to continue."""
        last = self.last
        near = (
            last is not None
            and last.page == line.page
            and line.y - last.y <= REACH * max(line.height, last.height)
        )
        inside = self.table.described and line.x0 >= self.table.description_place - 3
        if not (self.drafts and near and inside):
            return False
        self.last = line
        return True


def cut(entry: Entry, halves: Sequence[Half]) -> Iterator[tuple[Half, Entry]]:
    """What stands under each of the tables; those under which nothing does are left out."""
    edges = [
        (before.table.labels[-1].x1 + after.table.labels[0].x0) / 2 for before, after in pairwise(halves)
    ]
    for half, low, high in zip(halves, [float("-inf"), *edges], [*edges, float("inf")], strict=True):
        words = [word for word in entry.line.words if low <= (word.x0 + word.x1) / 2 < high]
        if words:
            line = Line(entry.line.page, entry.line.y, words, entry.line.place, whole=entry.line.whole)
            yield half, Entry(line, cells_of(line))


ALIGNED = 5.0


def with_learned_table(entries: list[Entry], *, keeps_tables: bool = False) -> list[Entry]:
    """The same lines in one table learned from those that look like rows; unchanged if none do. `keeps_tables`: only lines above which no
    head stands are in it, as those of sections without names of columns beside a list of checks that has them."""
    rows = [
        entry
        for entry in dated_entries(entries)
        if not (keeps_tables and entry.table)
        and not any(word.text.isalnum() for word in entry.line.words[entry.cells[-1].last :])
    ]
    if len(rows) < 2:
        return entries
    columns = _columns(rows)
    if not columns:
        return entries
    table = Table(_text_labels(rows, columns[0]) + _named(columns, rows), learned=True)
    if keeps_tables:
        made = [Entry(entry.line, entry.cells, entry.table or table, head=entry.head) for entry in entries]
        table.entries = [entry for entry in made if entry.table is table]
        return made
    made = [Entry(entry.line, entry.cells, table) for entry in entries]
    table.entries = made
    return made


def _columns(rows: list[Entry]) -> list[tuple[float, float]]:
    """Right edges that amounts share, from left to right, each with the left end of its widest amount."""
    edges: list[list[tuple[float, float]]] = []
    for x1, x0 in sorted((cell.x1, cell.x0) for entry in rows for cell in entry.cells):
        if edges and x1 - edges[-1][-1][0] <= ALIGNED:
            edges[-1].append((x1, x0))
        else:
            edges.append([(x1, x0)])
    often = max(2, 0.05 * len(rows))
    found = [(min(x0 for _, x0 in edge), max(x1 for x1, _ in edge)) for edge in edges if len(edge) >= often]
    return found[-3:]


def _text_labels(rows: list[Entry], money: tuple[float, float]) -> list[Label]:
    starts: Counter[int] = Counter()
    seconds = 0
    for entry in rows:
        found = date_at(entry.line.words, 0)
        after = found[1] if found else 0
        second = date_at(entry.line.words, after, money[0])
        if second:
            seconds, after = seconds + 1, second[1]
        if after < len(entry.line.words):
            starts[round(entry.line.words[after].x0)] += 1
    left = min(entry.line.x0 for entry in rows)
    place = float(min(starts, key=lambda start: (-starts[start], start))) if starts else left + 60
    dates = [Label("date", left, left + 10, "")]
    if seconds > len(rows) / 2:
        dates.append(Label("posted", left + 11, left + 20, ""))
    return [*dates, Label("description", place, money[0] - 1, "")]


def _named(columns: list[tuple[float, float]], rows: list[Entry]) -> list[Label]:
    choices: dict[int, list[list[Role]]] = {
        1: [["amount"]],
        2: [["amount", "balance"], ["debit", "credit"]],
        3: [["debit", "credit", "balance"], ["credit", "debit", "balance"]],
    }
    roles = max(choices[len(columns)], key=lambda names: _score(names, columns, rows))
    return [Label(role, x0, x1, "") for role, (x0, x1) in zip(roles, columns, strict=True)]


def _score(names: list[Role], columns: list[tuple[float, float]], rows: list[Entry]) -> int:
    """How many steps of the last column are explained by the others; for two columns of payments, how many rows use only one."""
    table = [[_under(entry, column) for column in columns] for entry in rows]
    if "balance" not in names:
        return sum(1 for row in table if sum(1 for value in row if value is not None) == 1)
    fits = 0
    before: Decimal | None = None
    for row in table:
        balance = row[names.index("balance")]
        moved = [
            (name, value)
            for name, value in zip(names, row, strict=True)
            if name != "balance" and value is not None
        ]
        if balance is not None and before is not None and moved:
            name, value = moved[0]
            fits += 1 + (
                balance - before
                == {"debit": -value, "credit": value}.get(
                    name, balance - before if abs(value) == abs(balance - before) else None
                )
            )
        before = balance if balance is not None else before
    return fits


def _under(entry: Entry, column: tuple[float, float]) -> Decimal | None:
    return next((cell.money.value for cell in entry.cells if abs(cell.x1 - column[1]) <= 2 * ALIGNED), None)
