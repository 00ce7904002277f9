"""Tables: columns with their places learned from the rows below the head, or, without a head, from the rows alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from .columns import FLOWS, MONEY, Label, Role, head_at
from .dates import WEEKDAY, Printed, date_at, printed_date
from .lines import Line, Word
from .money import Cell, cells_of

SHIFTED = 14.0  # a date may begin this far from where its column's others do
LEFT_OF_HEAD = 6.0  # an amount may begin this far left of its column's name and still end under it


@dataclass
class Entry:
    """A line with its amounts, and the table it stands in."""

    line: Line
    cells: list[Cell]
    table: Table | None = None
    head: bool = False


@dataclass
class Table:
    """One kind of table; the same head on the next page continues it."""

    labels: list[Label]
    entries: list[Entry] = field(default_factory=list)
    learned: bool = False  # without a head: its columns come from the rows
    _dates: dict[int, tuple[Entry, tuple[Printed, int, float] | None]] = field(default_factory=dict)

    def forget(self) -> None:
        """What was learned from lines that are no longer its own."""
        self._dates.clear()
        for name in (
            "roles",
            "flows",
            "money",
            "money_left",
            "pitch",
            "date_place",
            "description_place",
            "amount_last",
            "described",
            "dates",
            "sparse",
            "dated_last",
            "_date_label",
            "_second_place",
            "_date_limit",
        ):
            self.__dict__.pop(name, None)

    @cached_property
    def roles(self) -> list[Role]:
        return [label.role for label in self.labels]

    @cached_property
    def flows(self) -> bool:
        """Whether it has a column of money that moved; a table of balances has none."""
        return any(role in FLOWS for role in self.roles)

    @cached_property
    def described(self) -> bool:
        return "description" in self.roles

    @cached_property
    def dates(self) -> int:
        return max(1, min(2, sum(1 for role in self.roles if role in ("date", "posted"))))

    @cached_property
    def sparse(self) -> bool:
        """May leave out a date that is the same as above."""
        return len([role for role in self.roles if role in MONEY]) > 1

    @cached_property
    def money(self) -> list[tuple[Label, float, float]]:
        """The columns of money with their bounds."""
        bounded = []
        for index, label in enumerate(self.labels):
            if label.role in MONEY:
                before = self.labels[index - 1] if index else None
                after = self.labels[index + 1] if index + 1 < len(self.labels) else None
                low = (
                    self._between(before, label)
                    if before and before.role in MONEY
                    else label.x0 - LEFT_OF_HEAD
                )
                bounded.append((label, low, self._high(label, after)))
        return bounded

    def _high(self, label: Label, after: Label | None) -> float:
        if after is None:
            return float("inf")
        return self._between(label, after) if after.role in MONEY else max(after.x0 - 1, label.x1)

    def _between(self, left: Label, right: Label) -> float:
        """Where no amount stands: the widest free stretch between two columns."""
        low, high = left.middle, right.middle
        spans = sorted(
            (cell.x0, cell.x1)
            for entry in self.entries
            for cell in entry.cells
            if cell.x1 > low and cell.x0 < high
        )
        best, edge, reach = (0.0, left.x1 + 2), 0.0, low
        for start, end in [*spans, (high, high)]:
            if start - reach > best[0]:
                best = (start - reach, (start + reach) / 2)
            reach = max(reach, end)
            edge = max(edge, reach)
        return best[1] if best[0] > 2 else min(left.x1 + 2, right.x0)

    def role_of(self, cell: Cell) -> Role | None:
        """The column that an amount stands in; None if it is part of a description."""
        for number, (label, low, high) in enumerate(self.money):
            place = cell.x1 if number == 0 or low == label.x0 - LEFT_OF_HEAD else (cell.x0 + cell.x1) / 2
            if low <= place and (cell.x0 + cell.x1) / 2 < high:
                return label.role
        return None

    @cached_property
    def money_left(self) -> float:
        """Where the first column of money begins."""
        starts = [cell.x0 for entry in self.entries for cell in entry.cells if self.role_of(cell)]
        return min([label.x0 for label, _, _ in self.money] + starts, default=float("inf"))

    @cached_property
    def pitch(self) -> float:
        """The usual distance of two lines that belong together."""
        pairs = zip(self.entries, self.entries[1:], strict=False)
        steps = sorted(
            round(below.line.y - above.line.y, 1)
            for above, below in pairs
            if below.line.page == above.line.page and below.line.y > above.line.y
        )
        return steps[len(steps) // 4] if steps else 0.0

    @cached_property
    def date_place(self) -> float | None:
        """Where most dates of rows begin."""
        places = Counter(
            round(found[2]) for entry in self.entries if (found := self._loose_date(entry)) and entry.cells
        )
        return float(min(places, key=lambda place: (-places[place], place))) if places else None

    @cached_property
    def description_place(self) -> float:
        """Where descriptions begin."""
        places: Counter[int] = Counter()
        for entry in self.entries:
            found = self.date_of(entry)
            if found and found[1] < len(entry.line.words) and entry.line.words[found[1]].x0 < self.money_left:
                places[round(entry.line.words[found[1]].x0)] += 1
        if places:
            return float(min(places, key=lambda place: (-places[place], place)))
        return next((label.x0 for label in self.labels if label.role == "description"), 0.0)

    @cached_property
    def _date_label(self) -> Label | None:
        return next(
            (label for label in self.labels if label.role == "date"),
            next((label for label in self.labels if label.role == "posted"), None),
        )

    def _loose_date(self, entry: Entry) -> tuple[Printed, int, float] | None:
        """The date nearest to the name of its column, or the line's first words."""
        key = id(entry)
        if key not in self._dates:
            self._dates[key] = (
                entry,
                self._looked_for_date(entry),
            )  # with the entry, so that no other one gets its number
        return self._dates[key][1]

    def _looked_for_date(self, entry: Entry) -> tuple[Printed, int, float] | None:
        words, label, limit = entry.line.words, self._date_label, self._date_limit
        if label is None:
            near = [0]
        else:
            near = [at for at, word in enumerate(words) if abs(word.x0 - label.x0) <= 45 and word.x0 < limit]
            near.sort(key=lambda at: abs(words[at].x0 - label.x0))
        for at in near[:3]:
            found = None if _in_a_sentence(words, at) else date_at(words, at, limit)
            if found and (self.dated_last or words[at].x0 < self.money_left):
                return found[0], found[1], words[at].x0
        return self._second_date(words, limit)

    @cached_property
    def dated_last(self) -> bool:
        """Whether the dates stand right of all money that moved, as in lists of checks; balances may stand right of them."""
        label = self._date_label
        moved = [other for other in self.labels if other.role in FLOWS]
        return label is not None and bool(moved) and all(other.x1 < label.x0 for other in moved)

    @cached_property
    def _second_place(self) -> float | None:
        """Where the other of two dates stands: some rows have only that one."""
        first = self._date_label
        others = [label for label in self.labels if label.role in ("date", "posted") and label is not first]
        free = (
            bool(others)
            and first is not None
            and not any(first.x0 < label.x0 < others[0].x0 for label in self.labels)
        )
        return others[0].x0 if free else None

    def _second_date(self, words: list[Word], limit: float) -> tuple[Printed, int, float] | None:
        place = self._second_place
        at = next(
            (at for at, word in enumerate(words) if place is not None and abs(word.x0 - place) <= SHIFTED),
            None,
        )
        found = date_at(words, at, limit) if at is not None and not _in_a_sentence(words, at) else None
        return (found[0], found[1], words[at].x0) if found and at is not None else None

    @cached_property
    def _date_limit(self) -> float:
        label = self._date_label
        if label is None:
            return float("inf")
        return min(
            (
                other.x0 - 1
                for other in self.labels
                if other.x0 > label.x1 and other.role not in ("date", "posted")
            ),
            default=float("inf"),
        )

    def date_of(self, entry: Entry) -> tuple[Printed, int, float] | None:
        """The date in the date column of this line, the index of the word after it (and after a second date), and where it begins."""
        found = self._loose_date(entry)
        places = [place for place in (self.date_place, self._second_place) if place is not None]
        if not found or (
            self.date_place is not None and not any(abs(found[2] - place) <= SHIFTED for place in places)
        ):
            return None
        printed, after, start = found
        if self.dates == 2:
            second = date_at(entry.line.words, after, self.money_left)
            if second and entry.line.words[after].x0 < self.money_left:
                after = second[1]
        return printed, after, start

    def posted_of(self, entry: Entry) -> Printed | None:
        """The second of two dates of a row: the day of posting."""
        found = self.date_of(entry)
        if not found or self.dates != 2:
            return None
        first = date_at(entry.line.words, 0)
        if first is not None and found[2] > entry.line.words[first[1] - 1].x1:
            return first[0]
        second = date_at(entry.line.words, (self._loose_date(entry) or found)[1], self.money_left)
        return second[0] if second else None

    @cached_property
    def amount_last(self) -> bool:
        """Whether rows of several lines end, not begin, with their amount."""
        late = whole = 0
        waiting = False
        for entry in self.entries:
            paid = any(self.role_of(cell) in FLOWS for cell in entry.cells)
            dated = self.date_of(entry) is not None
            whole += dated and paid
            late += waiting and paid and not dated
            balance = any(self.role_of(cell) for cell in entry.cells)
            waiting = not paid and not balance and (dated or waiting) and not entry.head
        return late > 0 and late >= 0.2 * (whole + late)


def _in_a_sentence(words: list[Word], at: int) -> bool:
    """Whether a word stands right before it: “for January 16”, which begins no row."""
    if not at:
        return False
    before = words[at - 1]
    close = words[at].x0 - before.x1 < 0.5 * before.height
    return close and before.text.isalpha() and not WEEKDAY.fullmatch(before.text)


def entries_of(lines: list[Line]) -> list[Entry]:
    """All lines with their amounts; each knows the table whose head stands above it."""
    entries: list[Entry] = []
    tables: list[Table] = []
    current: Table | None = None
    skip = 0
    for index, line in enumerate(lines):
        if skip:
            skip -= 1
            entries.append(Entry(line, [], current, head=True))
            continue
        cells = cells_of(line)
        labels, count = ([], 0) if cells else head_at(lines, index)
        if labels:
            current = _known(tables, labels)
            skip = count - 1
        entry = Entry(line, cells, current, head=bool(labels))
        entries.append(entry)
        if current:
            current.entries.append(entry)
    for table in tables:
        _name_running_amount(table)
        _name_first_date(table)
    return entries


def _name_first_date(table: Table) -> None:
    """Dates left of a named day of posting or value are those of the rows, where a head names no other column of dates; so are dates with
    their year at one place of most rows, where it names none at all."""
    posted = [label for label in table.labels if label.role == "posted"]
    if len(posted) > 1 or "date" in table.roles or not table.flows:
        return
    if posted:
        dated = [entry for entry in table.entries if entry.cells and date_at(entry.line.words, 0)]
        days = [word for entry in dated if (word := _day_before(entry, posted[0].x0))]
    else:
        dated = [
            entry for entry in table.entries if any(table.role_of(cell) in FLOWS for cell in entry.cells)
        ]
        days = _days_at_one_place(dated)
    if len(days) < 2 or 2 * len(days) <= len(dated):
        return
    x0, x1 = min(word.x0 for word in days), max(word.x1 for word in days)
    others = [
        label for label in table.labels if label.x0 > x1 or label.x1 < x0
    ]  # “Sold” is a balance elsewhere
    if any(label.role in FLOWS for label in others):
        labels = [*others, Label("date", x0, x1, "date")]
        table.labels[:] = sorted(labels, key=lambda label: label.x0)
        table.forget()


def _day_before(entry: Entry, place: float) -> Word | None:
    """The date that begins a line and stands right before another one at this place."""
    words, found = entry.line.words, date_at(entry.line.words, 0)
    after = found[1] if found else len(words)
    if after >= len(words) or words[after - 1].x1 >= place - 2 or abs(words[after].x0 - place) > SHIFTED:
        return None
    return words[0] if date_at(words, after) else None


def _days_at_one_place(entries: list[Entry]) -> list[Word]:
    """The words behind the first of their lines that are dates with a year and begin where most such words do."""
    days = [
        next(
            (
                word
                for word in entry.line.words[1:]
                if (found := printed_date(word.text)) and found.year and not word.text.isdigit()
            ),
            None,
        )
        for entry in entries
    ]
    places = Counter(round(word.x0) for word in days if word)
    place = places.most_common(1)[0][0] if places else 0
    return [word for word in days if word and abs(word.x0 - place) <= 2]


def _name_running_amount(table: Table) -> None:
    """A column called Amount right of money out and money in is that of balances, where it moves by just what is paid."""
    roles = [label.role for label in table.labels]
    if roles[-1:] != ["amount"] or roles.count("amount") > 1 or not {"debit", "credit"} <= set(roles):
        return
    steps = [
        (paid[0], after[0])
        for entry in table.entries
        if (paid := [cell.money.value for cell in entry.cells if table.role_of(cell) in ("debit", "credit")])
        and (after := [cell.money.value for cell in entry.cells if table.role_of(cell) == "amount"])
    ]
    moved = sum(
        1
        for (paid, after), (next_paid, next_after) in pairwise(steps)
        if abs(next_after - after) in (abs(paid), abs(next_paid))
    )
    if moved and moved == len(steps) - 1:
        table.labels[-1] = replace(table.labels[-1], role="balance")
        table.forget()


def _known(tables: list[Table], labels: list[Label]) -> Table:
    for table in tables:
        if table.roles == [label.role for label in labels] and all(
            abs(one.x0 - other.x0) < 4 for one, other in zip(table.labels, labels, strict=True)
        ):
            return table
    tables.append(Table(labels))
    return tables[-1]


def _repeated(roles: list[Role]) -> int:
    """How many names make up one of several tables side by side that have the same columns, each with dates and payments; 0 if none do."""
    for length in range(2, len(roles) // 2 + 1):
        part = roles[:length]
        if part * (len(roles) // length) == roles and "date" in part and any(role in FLOWS for role in part):
            return length
    return 0


def groups_of(table: Table) -> list[list[Label]]:
    """A table that stands several times side by side: its labels cut into parts that are alike, or that each end with an amount."""
    if alike := _repeated(table.roles):
        return [table.labels[start : start + alike] for start in range(0, len(table.labels), alike)]
    ends = [number for number, role in enumerate(table.roles) if role == "amount"]
    dates = sum(1 for role in table.roles if role in ("date", "posted"))
    if len(ends) < 2 or dates < len(ends) or table.described:
        return []
    starts = [0, *(end + 1 for end in ends[:-1])]
    return [table.labels[start : end + 1] for start, end in zip(starts, ends, strict=True)]


def dated_entries(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.cells and date_at(entry.line.words, 0)]
