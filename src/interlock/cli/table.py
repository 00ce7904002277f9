"""Tables: aligned columns that fit a terminal, and are never cut when somebody else reads them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from .text import cell, fitted, padded, width

GAP = "  "
NARROWEST = 8
FALLBACK = (100, 24)


def terminal_width() -> int | None:
    """How wide the terminal is; None when the output goes elsewhere."""
    return shutil.get_terminal_size(FALLBACK).columns if sys.stdout.isatty() else None


def table(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], *, indent: str = "", headed: bool = True) -> list[str]:
    """The lines of a table."""
    cells = [[cell(row.get(column)) for column in columns] for row in rows]
    titles = [column.upper() for column in columns] if headed else ["" for _ in columns]
    numeric = [bool(cells) and all(line[place].isdigit() for line in cells) for place in range(len(columns))]
    wanted = [max([width(titles[place]), *(width(line[place]) for line in cells)]) for place in range(len(columns))]
    room = terminal_width()
    widths = wanted if room is None else squeezed(wanted, room - len(indent) - len(GAP) * (len(columns) - 1))
    heading = [click.style(line, bold=True) for line in laid([titles], widths, numeric, indent)] if headed else []
    return [*heading, *laid(cells, widths, numeric, indent)]


def laid(cells: Sequence[Sequence[str]], widths: Sequence[int], numeric: Sequence[bool], indent: str) -> list[str]:
    lines = []
    for line in cells:
        parts = [fitted(text, room) for text, room in zip(line, widths, strict=True)]
        parts = [" " * (room - width(text)) + text if right else padded(text, room)
                 for text, room, right in zip(parts, widths, numeric, strict=True)]
        lines.append((indent + GAP.join(parts)).rstrip())
    return lines


def squeezed(wanted: list[int], room: int) -> list[int]:
    """Take from the widest column first until the line fits."""
    widths = list(wanted)
    while sum(widths) > room and max(widths) > NARROWEST:
        widest = widths.index(max(widths))
        second = max([size for place, size in enumerate(widths) if place != widest], default=NARROWEST)
        widths[widest] = max(NARROWEST, min(widths[widest] - 1, max(second, widths[widest] - (sum(widths) - room))))
    return widths
