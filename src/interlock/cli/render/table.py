"""Tables: aligned columns that are cut to fit a terminal, and never cut when the output is piped."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import click

from .text import cell, fitted, padded, width

GAP = "  "
NARROWEST = 8
FALLBACK = (100, 24)
RIGID = ("timestamp", "version", "id", "cursor")
"""Half of one of these says nothing."""


def terminal_width() -> int | None:
    """How wide the terminal is; None when the output goes elsewhere."""
    return shutil.get_terminal_size(FALLBACK).columns if sys.stdout.isatty() else None


def table(
    rows: Iterable[Mapping[str, Any]], columns: Sequence[str], *, indent: str = "", headed: bool = True
) -> list[str]:
    """The lines of a table."""
    cells = [[cell(row.get(column)) for column in columns] for row in rows]
    titles = [column.upper() for column in columns] if headed else ["" for _ in columns]
    numeric = [bool(cells) and all(line[place].isdigit() for line in cells) for place in range(len(columns))]
    wanted = [
        max([width(titles[place]), *(width(line[place]) for line in cells)]) for place in range(len(columns))
    ]
    room = terminal_width()
    rigid = {place for place, column in enumerate(columns) if column in RIGID or column.endswith(".since")}
    widths = (
        wanted
        if room is None
        else squeezed(wanted, room - len(indent) - len(GAP) * (len(columns) - 1), rigid)
    )
    heading = (
        [click.style(line, bold=True) for line in laid([titles], widths, numeric, indent)] if headed else []
    )
    return [*heading, *laid(cells, widths, numeric, indent)]


def laid(
    cells: Sequence[Sequence[str]], widths: Sequence[int], numeric: Sequence[bool], indent: str
) -> list[str]:
    lines = []
    for line in cells:
        parts = [fitted(text, room) for text, room in zip(line, widths, strict=True)]
        parts = [
            " " * (room - width(text)) + text if right else padded(text, room)
            for text, room, right in zip(parts, widths, numeric, strict=True)
        ]
        lines.append((indent + GAP.join(parts)).rstrip())
    return lines


def squeezed(wanted: list[int], room: int, rigid: Set[int] = frozenset()) -> list[int]:
    """Take from the widest column first until the line fits; from the rigid ones only when nothing else is left to take."""
    widths = list(wanted)
    for spared in (rigid, frozenset()):
        giving = [place for place in range(len(widths)) if place not in spared]
        while (
            sum(widths) > room and (widest := max(giving, key=widths.__getitem__, default=None)) is not None
        ):
            if widths[widest] <= NARROWEST:
                break
            widths[widest] -= 1
    return widths


def folded(text: str, indent: int) -> str:
    """On a terminal folded under itself rather than cut: a sentence is worth reading to its end."""
    room = terminal_width()
    if room is None or width(text) <= room - indent:
        return text
    return click.wrap_text(text, max(20, room - indent)).replace("\n", "\n" + " " * indent)
