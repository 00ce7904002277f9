"""Rows whose date and amount stand in the middle of a description of several lines: each block of lines becomes one."""

from __future__ import annotations

from .columns import FLOWS
from .drafts import parts_of
from .lines import Line
from .money import cells_of
from .tables import Entry, Table

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
