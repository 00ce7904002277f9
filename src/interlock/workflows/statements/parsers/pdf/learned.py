"""Tables without a head: dates at the left and amounts that end below each other at the right say what the columns are."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

from .columns import Label, Role
from .dates import date_at
from .tables import Entry, Table, dated_entries

ALIGNED = 5.0


def with_learned_table(entries: list[Entry]) -> list[Entry]:
    """The same lines in one table learned from those that look like rows; unchanged if none do."""
    rows = [
        entry
        for entry in dated_entries(entries)
        if not any(word.text.isalnum() for word in entry.line.words[entry.cells[-1].last :])
    ]
    if len(rows) < 2:
        return entries
    columns = _columns(rows)
    if not columns:
        return entries
    table = Table(_text_labels(rows, columns[0]) + _named(columns, rows), learned=True)
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
