"""Mutates statements: shifted and extra columns, other words, page breaks, rows beyond the page, dropped lines, other signs and marks."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from tests.statements.pdf.layouts.sheets import STYLES

from . import papers, tables
from .tables import Grid
from .truth import INSTITUTIONS, Institution, Made, Statement, draw

HEADS = {
    "Date": ("Transaction Date", "Booking Date", "Posting Date", "Trans Date"),
    "Description": ("Narrative", "Details", "Particulars", "Payee", "Transaction Details"),
    "Amount": ("Transaction Amount", "Amount", "Net Amount"),
    "Balance": ("Running Balance", "Account Balance", "Balance"),
    "Debit": ("Money Out", "Paid Out", "Withdrawals", "Debit Amount"),
    "Credit": ("Money In", "Paid In", "Deposits", "Credit Amount"),
    "Currency": ("Ccy", "Currency Code"),
}
PAPER_HEADS = {
    "Date": ("Transaction Date", "Booking Date", "Txn Date"),
    "Description": ("Details", "Particulars", "Narrative", "Transaction Description"),
    "Amount": ("Transaction Amount", "Amount"),
    "Withdrawals": ("Money out", "Paid out", "Debits"),
    "Deposits": ("Money in", "Paid in", "Credits"),
    "Balance": ("Running balance", "Balance"),
}
FURTHER = {
    "Branch": ("0042", "0107"),
    "Card Member": ("R SAMPLE", "P SAMPLE"),
    "Notes": ("", "lunch", "see receipt"),
    "Points": ("12", "0", "155"),
    "Exchange Rate": ("", "1.0000", "1.1650"),
    "Original Amount": ("", "10.00", "12.50"),
    "Status": ("Posted", "Booked"),
    "Fee": ("", "0.00"),
    "Merchant Category": ("5411", "5814"),
    "Cheque Number": ("", "000123"),
}


def mutant(seed: int) -> Made:
    """One mutated file; the same seed always gives the same."""
    chance = random.Random(seed)
    bank = chance.choice(INSTITUTIONS)
    starts_on = chance.choice((1, 1, 14, 23))
    statement = draw(bank, seed, fewest=chance.choice((2, 4)), most=24, starts_on=starts_on)
    return _paper(statement, chance) if chance.random() < 0.55 else _table(statement, chance)


def _paper(statement: Statement, chance: random.Random) -> Made:
    bank = statement.bank
    layout = "card" if bank.is_card else chance.choice(papers.ACCOUNT_PAPERS)
    if layout == "sections" and bank.words != "en":
        layout = "in and out"
    paper, names = papers.Paper(layout), []
    for name in chance.sample(sorted(_PAPERS), chance.randint(1, 3)):
        changed = _PAPERS[name](paper, statement, chance)
        if changed is not None:
            paper = changed
            names.append(name)
    made = papers.made(statement, paper)
    running = layout in ("amount balance", "in and out", "unruled")
    inner = 0 < paper.missing < len(statement.rows) - 1
    return replace(
        made,
        label=f"{made.label}: {', '.join(names)}",
        is_incomplete=paper.missing >= 0 and (paper.ends or (running and inner)),
    )


PaperMutation = Callable[[papers.Paper, Statement, random.Random], "papers.Paper | None"]


def _place(statement: Statement, chance: random.Random) -> int:
    return chance.randrange(len(statement.rows))


def _other_heads(paper: papers.Paper, statement: Statement, chance: random.Random) -> papers.Paper | None:
    if statement.bank.words not in ("en", "pt"):
        return None
    return replace(paper, words={name: chance.choice(others) for name, others in PAPER_HEADS.items()})


_PAPERS: dict[str, PaperMutation] = {
    "shifted": lambda paper, statement, chance: replace(paper, shift=chance.uniform(-25, 25)),
    "other pitch": lambda paper, statement, chance: replace(paper, step=chance.choice((10.5, 11, 15, 18))),
    "page breaks": lambda paper, statement, chance: replace(
        paper, per_page=chance.randint(3, 8), heads_again=chance.random() < 0.6
    ),
    "extra column": lambda paper, statement, chance: (
        replace(paper, extra=True) if paper.layout in ("amount", "amount balance", "in and out") else None
    ),
    "other words": _other_heads,
    "beyond the right edge": lambda paper, statement, chance: replace(
        paper, outside=_place(statement, chance)
    ),
    "below the page": lambda paper, statement, chance: replace(paper, below=_place(statement, chance)),
    "dropped row": lambda paper, statement, chance: replace(paper, missing=_place(statement, chance)),
    "uneven lines": lambda paper, statement, chance: replace(paper, jitter=chance.uniform(0.5, 2.0)),
    "wrapped": lambda paper, statement, chance: replace(paper, wrapped=_place(statement, chance)),
    "named months": lambda paper, statement, chance: replace(
        paper, dates=chance.choice(("%d %b %Y", "%d %b", "%b %d", "%b %d, %Y", "%d-%b-%Y", "%d %B"))
    ),
    "no years": lambda paper, statement, chance: (
        replace(paper, dates="%d/%m" if statement.bank.day_first else "%m/%d")
        if statement.bank.numeric[1] in "dm"
        else None
    ),
    "credits are marked": lambda paper, statement, chance: (
        replace(paper, marks_credits=True) if paper.layout == "card" else None
    ),
    "currency in the head": lambda paper, statement, chance: (
        replace(paper, in_head=True) if statement.bank.words == "en" and statement.bank.places else None
    ),
    "no balances": lambda paper, statement, chance: replace(paper, ends=False),
    "drawn otherwise": lambda paper, statement, chance: replace(
        paper, style=STYLES[chance.choice([name for name in STYLES if "password" not in name])]
    ),
}


def _table(statement: Statement, chance: random.Random) -> Made:
    names = [*tables.TABLES, "bare", *(["card"] if statement.bank.is_card else [])]
    layout = chance.choice(names)
    grid = tables.LAYOUTS[layout](statement)
    done: list[str] = []
    rows, incomplete = list(statement.rows), False
    if chance.random() < 0.3 and len(rows) > 3:
        place = chance.randrange(len(rows))
        at = len(rows) - 1 - place if layout == "two columns" else place
        del grid.lines[grid.first + at], rows[place]
        grid.rows -= 1
        done.append("dropped row")
        inner = 0 < place < len(rows)
        incomplete = layout == "preamble" or (inner and layout not in ("card", "directed"))
    chosen = sorted(
        chance.sample(sorted(_TABLES), chance.randint(1, 3)), key=lambda name: name == "blank lines"
    )
    done += [name for name in chosen if _TABLES[name](grid, statement.bank, chance)]
    made = tables.made(statement, layout, grid)
    return replace(made, rows=tuple(rows), label=f"{made.label}: {', '.join(done)}", is_incomplete=incomplete)


def _table_lines(grid: Grid) -> list[list[str]]:
    """The header and the rows."""
    return grid.lines[grid.first - 1 : grid.first + grid.rows]


def _shuffled(grid: Grid, bank: Institution, chance: random.Random) -> bool:
    order = list(range(len(grid.lines[grid.first - 1])))
    chance.shuffle(order)
    for line in _table_lines(grid):
        line[:] = [line[place] for place in order]
    return grid.first == 1


def _further(grid: Grid, bank: Institution, chance: random.Random) -> bool:
    for name in chance.sample(sorted(FURTHER), chance.randint(1, 3)):
        place = chance.randint(0, len(grid.lines[grid.first - 1]))
        for number, line in enumerate(_table_lines(grid)):
            line.insert(place, name if number == 0 else chance.choice(FURTHER[name]))
    return True


def _renamed(grid: Grid, bank: Institution, chance: random.Random) -> bool:
    head = grid.lines[grid.first - 1]
    head[:] = [chance.choice(HEADS.get(name, (name,))) for name in head]
    return True


def _with_symbols(grid: Grid, bank: Institution, chance: random.Random) -> bool:
    """A currency beside every amount."""
    for line in _table_lines(grid)[1:]:
        line[:] = [_marked(cell, bank) for cell in line]
    return True


def _is_money(cell: str, bank: Institution) -> bool:
    digits = cell.lstrip("-").replace(bank.group, "")
    return (
        bank.places == 2
        and len(digits) > 3
        and digits[-3] == bank.decimal
        and digits.replace(bank.decimal, "").isdigit()
    )


def _marked(cell: str, bank: Institution) -> str:
    if not _is_money(cell, bank):
        return cell
    return f"-{bank.symbol}{cell[1:]}" if cell.startswith("-") else f"{bank.symbol}{cell}"


def _in_parentheses(grid: Grid, bank: Institution, chance: random.Random) -> bool:
    for line in _table_lines(grid)[1:]:
        line[:] = [
            f"({cell[1:]})" if cell.startswith("-") and _is_money(cell, bank) else cell for cell in line
        ]
    return True


def _trailing_minus(grid: Grid, bank: Institution, chance: random.Random) -> bool:
    for line in _table_lines(grid)[1:]:
        line[:] = [
            f"{cell[1:]}-" if cell.startswith("-") and _is_money(cell, bank) else cell for cell in line
        ]
    return True


def _blank_lines(grid: Grid, bank: Institution, chance: random.Random) -> bool:
    for _ in range(chance.randint(1, 3)):
        grid.lines.insert(chance.randint(grid.first, len(grid.lines)), [""])
    return True


def _footers(grid: Grid, bank: Institution, chance: random.Random) -> bool:
    width = len(grid.lines[grid.first - 1])
    grid.lines.append(["Generated by online banking"] + [""] * (width - 1))
    if chance.random() < 0.5:
        grid.lines.append(["Please check your statement; report errors within 30 days."])
    return True


def _encoded(grid: Grid, bank: Institution, chance: random.Random) -> bool:
    grid.encoding = chance.choice(("utf-8-sig", "utf-16", "cp1252"))
    return True


_TABLES: dict[str, Callable[[Grid, Institution, random.Random], bool]] = {
    "shuffled columns": _shuffled,
    "further columns": _further,
    "other words": _renamed,
    "symbols": _with_symbols,
    "parentheses": _in_parentheses,
    "trailing minus": _trailing_minus,
    "blank lines": _blank_lines,
    "footers": _footers,
    "another encoding": _encoded,
}
