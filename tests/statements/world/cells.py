"""Mutates single cells and lines of tables: a cell that is lost, spoilt or moved, a name that is not known, a file that is cut off."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from .truth import Made


@dataclass
class Lines:
    """A table's lines, its delimiter, and which lines are rows."""

    lines: list[str]
    delimiter: str
    rows: list[int]
    amounts: frozenset[str]

    def cells(self, line: int) -> list[str]:
        return next(csv.reader([self.lines[line]], delimiter=self.delimiter), [])

    def write(self, line: int, cells: list[str]) -> None:
        made = io.StringIO()
        csv.writer(made, delimiter=self.delimiter, lineterminator="").writerow(cells)
        self.lines[line] = made.getvalue()

    def amount_at(self, cells: list[str]) -> int | None:
        return next((place for place, cell in enumerate(cells) if _digits(cell) in self.amounts), None)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text)).lstrip("0")


def mutated_tables(made: Made, seed: int) -> Iterator[Made]:
    """The file with each mutation that it allows; none where its rows stand on several lines, or carry amounts in another form."""
    text, encoding = _decoded(made.content)
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.split(end)
    delimiter = max(",;\t|", key=lambda one: sum(bool(line.count(one)) for line in lines))
    amounts = frozenset(_digits(f"{abs(row.amount):.2f}") for row in made.rows)
    rows = [
        place
        for place, line in enumerate(lines)
        if any(map(str.isdigit, line[:25]))
        and any(_digits(cell) in amounts for cell in line.split(delimiter))
    ]
    if len(rows) != len(made.rows) or any(line.count('"') % 2 for line in lines):
        return
    for name, mutate in MUTATIONS.items():
        chance = random.Random(f"{made.label} {name} {seed}")
        table = Lines(list(lines), delimiter, rows, amounts)
        if mutate(table, chance) and end.join(table.lines) != text:
            content = end.join(table.lines).encode(encoding, "replace")
            yield replace(made, content=content, label=f"{made.label}: {name}")


def _decoded(content: bytes) -> tuple[str, str]:
    for encoding in ("utf-8-sig", "utf-16", "cp1252", "latin-1"):
        if encoding == "utf-16" and content[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            continue
        try:
            return content.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    raise AssertionError("every byte is a letter in latin-1")


def _blank_amount(table: Lines, chance: random.Random) -> bool:
    return _in_amount(table, chance, lambda text: "")


def _spoilt_amount(table: Lines, chance: random.Random) -> bool:
    return _in_amount(table, chance, lambda text: f"{text}x7")


def _in_amount(table: Lines, chance: random.Random, change: Callable[[str], str]) -> bool:
    line = chance.choice(table.rows)
    cells = table.cells(line)
    place = table.amount_at(cells)
    if place is None:
        return False
    cells[place] = change(cells[place])
    table.write(line, cells)
    return True


def _shifted_right(table: Lines, chance: random.Random) -> bool:
    line = chance.choice(table.rows)
    cells = table.cells(line)
    cells.insert(chance.randint(1, len(cells)), "")
    table.write(line, cells)
    return True


def _shifted_left(table: Lines, chance: random.Random) -> bool:
    line = chance.choice(table.rows)
    cells = table.cells(line)
    if "" not in cells:
        return False
    cells.remove("")
    table.write(line, cells)
    return True


def _spoilt_day(table: Lines, chance: random.Random) -> bool:
    line = chance.choice(table.rows)
    cells = table.cells(line)
    cells[0] = "??"
    table.write(line, cells)
    return True


def _cut_off(table: Lines, chance: random.Random) -> bool:
    last = table.lines[table.rows[-1]]
    del table.lines[table.rows[-1] :]
    table.lines.append(last[: len(last) - chance.randint(1, max(1, len(last) // 2))])
    return True


def _header_again(table: Lines, chance: random.Random) -> bool:
    table.lines.insert(table.rows[len(table.rows) // 2], table.lines[table.rows[0] - 1])
    return table.rows[0] > 0


def _further_column(table: Lines, chance: random.Random) -> bool:
    for line in table.rows:
        table.lines[line] += f"{table.delimiter}x"
    if table.rows[0]:
        table.lines[table.rows[0] - 1] += f"{table.delimiter}Zusatz"
    return table.rows[0] > 0


def _blanks(table: Lines, chance: random.Random) -> bool:
    table.lines[:] = [
        line if '"' in line else line.replace(table.delimiter, f" {table.delimiter} ") for line in table.lines
    ]
    return True


MUTATIONS: dict[str, Callable[[Lines, random.Random], bool]] = {
    "blank amount": _blank_amount,
    "spoilt amount": _spoilt_amount,
    "shifted right": _shifted_right,
    "shifted left": _shifted_left,
    "spoilt day": _spoilt_day,
    "cut off": _cut_off,
    "header again": _header_again,
    "further column": _further_column,
    "blanks": _blanks,
}
