"""Figures that stand among the rows of a table and are no rows: sums of columns, balances in columns of amounts, and small tables below."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from ..dates import is_date
from .checks import Summary
from .lines import BESIDE_THE_TABLE, Bad, Line, LineReader, Skipped
from .mapping import CsvMapping, Sign
from .table import Row

TOTALS = ("a total", "a balance or a total")
FEWEST_ALIKE = 3
"""So many rows make a sum, and so many cells a line of names."""
NOTHING = Decimal(0)


@dataclass(slots=True)
class FiguresAmongRows:
    """What is known of a table's rows while they are read."""

    sums: dict[str, list[Decimal]] = field(default_factory=dict)
    """What the rows of each column of amounts make, and what those since the last line of sums do."""
    rows: list[int] = field(default_factory=lambda: [0, 0])
    """How many rows there were, and how many since the last line of sums."""
    balance: Decimal | None = None
    """Beside the last row."""
    names: Row | None = None
    """The line before, if it holds nothing but words and may be the names of a table of figures."""
    ends: dict[str, tuple[Decimal, Sign]] = field(default_factory=dict)
    """Balances at both ends, with the signs of their columns."""

    def add(self, line: Line) -> None:
        """Count a row."""
        for money in line.money:
            before = self.sums.get(money.leg.amount, [NOTHING, NOTHING])
            self.sums[money.leg.amount] = [one + money.value for one in before]
        self.rows = [count + 1 for count in self.rows]
        self.balance = line.balance

    def judged(self, lines: LineReader, row: Row, result: Line | Skipped | Bad) -> Line | Skipped | Bad:
        """What a line is, where it is no error but a line of sums, or figures under their names."""
        if isinstance(result, Bad) and self._is_sum(lines, row):
            self.sums = {name: [whole, NOTHING] for name, (whole, _) in self.sums.items()}
            self.rows = [self.rows[0], 0]
            result = Skipped("a total")
        elif isinstance(result, Bad) and self._is_under_names(row):
            result = Skipped("a table of figures below")
        self.names = row if _are_names(row, result) else None
        return result

    def keep_end(self, stated: tuple[str, Decimal, Sign] | None) -> None:
        """Keep a balance that a line states: the first one at the beginning, the last one at the ending."""
        if stated is not None and (stated[0] == "ending" or stated[0] not in self.ends):
            self.ends[stated[0]] = stated[1:]

    def ends_in_columns(self, mapping: CsvMapping) -> Summary:
        """The balances that lines of the table state in its columns of amounts. A word beside them gives the sign; of two columns the one
        for money out does only where the other end stands in that for money in."""
        is_by_word = any(leg.when for leg in mapping.legs)
        has_both = len({sign for _, sign in self.ends.values()}) > 1
        ends = {
            name: value * (sign if is_by_word or has_both else 1) for name, (value, sign) in self.ends.items()
        }
        return Summary(ends.get("beginning"), ends.get("ending"), closing=ends.get("ending"))

    def _is_sum(self, lines: LineReader, row: Row) -> bool:
        """Whether a line without a day holds, in every column of amounts that has any, the sum of all rows before it or of those since the
        last such line, and no other balance than the row before it."""
        moved = dict(lines.moved_by(row.cells))
        balance = lines.balance_on(row.cells)
        if not any(moved.values()) or (balance is not None and balance != self.balance):
            return False
        return any(
            self.rows[which] >= FEWEST_ALIKE
            and all(
                abs(moved.get(name, NOTHING)) == abs(self.sums.get(name, [NOTHING, NOTHING])[which])
                for name in moved.keys() | self.sums.keys()
            )
            for which in (0, 1)
        )

    def _is_under_names(self, row: Row) -> bool:
        """Whether a line has figures and no words under a line of as many names: a summary of the account."""
        if self.names is None or len(self.names.cells) != len(row.cells):
            return False
        return not any(map(str.isalpha, "".join(row.cells))) and not any(map(is_date, row.cells))


def _are_names(row: Row, result: Line | Skipped | Bad) -> bool:
    """Whether a line that is no row and not the table's own header holds words alone, in several cells."""
    filled = [cell for cell in row.cells if cell]
    is_beside = isinstance(result, Skipped) and result.reason in (*BESIDE_THE_TABLE, *TOTALS)
    return is_beside and len(filled) >= FEWEST_ALIKE and not any(map(str.isdigit, "".join(filled)))
