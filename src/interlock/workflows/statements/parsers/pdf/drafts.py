"""A row while it is being put together: which words of a line are its description, and which amounts are its own."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise

from .columns import FLOWS, Label, Role
from .dates import Printed, date_at, printed_date
from .lines import HEBREW, Word, plain_signs
from .money import Cell, Money
from .sections import ANY, Section
from .tables import Entry, Table

LONE = re.compile(r"[$€£¥₹|]|[-+]|\*+")
DAY_OF_ROW_ABOVE = "no date is printed: taken as of the day of the row above, which may be another"
FEWEST_OF_A_LIST = 5
CODED = re.compile(r"(?=.*\d)[\dA-Z*#/.-]+")


@dataclass
class Draft:
    """What is known of a row so far."""

    table: Table
    section: Section = ANY
    segment: int = 0
    date: Printed | None = None
    words: list[str] = field(default_factory=list)
    number: str = ""
    kind: str = ""
    role: Role | None = None
    money: Money | None = None
    balance: Decimal | None = None
    sign: int = 0
    page: int = 0
    posted: Printed | None = None
    other_day: Printed | None = None  # of posting or value, wherever it stands
    is_of_day_above: bool = False  # it prints no date, and has that of the row above
    notes: list[str] = field(default_factory=list)
    heading: str = ""  # the number that was named last above it; kept where rows of one account have several

    @property
    def description(self) -> str:
        words = list(self.words)
        while words and LONE.fullmatch(words[-1]):
            words.pop()
        text = " ".join(words)
        if self.section.kind == "checks" and not re.search(r"[A-Za-z]{2}", text):
            number = self.number or next(iter(re.findall(r"\d+", text)), "")
            return f"Check {number}".strip()
        return f"{text} {self.number}".strip() if self.number and self.number not in text.split() else text

    @property
    def printed(self) -> Decimal:
        return self.money.value if self.money else Decimal(0)

    @property
    def value(self) -> Decimal:
        """Money in (+) or out (−), once the sign is known."""
        return self.sign * self.printed


def doubt_days(drafts: list[Draft]) -> None:
    """Note on rows without a date that theirs may be another than that of the row above: other rows repeat the day above them, the day of
    posting is another, a section or a day with its balance ends between the two, or it is the only such row of a list without balances."""
    pairs = list(pairwise(drafts))
    repeating = {
        id(below.table)
        for above, below in pairs
        if above.table is below.table
        and above.page == below.page  # the first row of a page repeats the day
        and not below.is_of_day_above
        and _day(above) == _day(below)
    }
    of_both = [draft for draft in drafts if _other_day(draft) and draft.date and not draft.is_of_day_above]
    is_alike = bool(of_both) and all(_is_same(_other_day(draft), draft.date) for draft in of_both)
    ends_days = any(draft.balance is None for draft in drafts)
    is_only = sum(draft.is_of_day_above for draft in drafts) == 1 and len(drafts) > FEWEST_OF_A_LIST
    for place, draft in enumerate(drafts):
        above = drafts[place - 1] if place else None
        parts = above is not None and (
            id(draft.table) in repeating
            or above.section != draft.section
            or (ends_days and above.balance is not None)
        )
        other = _other_day(draft)
        posted_apart = is_alike and other is not None and not _is_same(other, draft.date)
        if draft.is_of_day_above and (
            parts or posted_apart or (is_only and above is not None and not draft.table.sparse)
        ):
            draft.notes.append(DAY_OF_ROW_ABOVE)


def _day(draft: Draft) -> str:
    return draft.date.text if draft.date else ""


def _other_day(draft: Draft) -> Printed | None:
    """The day of posting or value, also where its column has no name and it begins the description."""
    return draft.other_day or (printed_date(draft.words[0]) if draft.words else None)


def _is_same(one: Printed | None, other: Printed | None) -> bool:
    return one is not None and other is not None and (one.one, one.two) == (other.one, other.two)


@dataclass(slots=True)
class Parts:
    """A line taken apart."""

    date: Printed | None
    start: float
    flows: list[tuple[Role, Cell]]
    balance: Cell | None
    words: list[Word]
    number: str
    kind: str
    strange: str  # what stands in the column of amounts and is none


def parts_of(entry: Entry, table: Table) -> Parts:
    """The date, the amounts and the description of a line, by the columns they stand in."""
    found = table.date_of(entry)
    flows: list[tuple[Role, Cell]] = []
    balance = None
    taken: set[int] = set()
    for cell in entry.cells:
        role = table.role_of(cell)
        if role is None or (found and not table.dated_last and cell.first < found[1] and cell.x0 <= found[2]):
            continue
        taken.update(range(cell.first, cell.last))
        if role == "balance":
            balance = cell
        elif role in FLOWS:
            flows.append((role, cell))
    words = entry.line.words
    dated = _date_words(entry, found)
    rest = [word for index, word in enumerate(words) if index not in taken and index not in dated]
    described, number, kind = _sorted_out(rest, table)
    strange = "" if flows else _strange(described, table)
    return Parts(found[0] if found else None, words[0].x0, flows, balance, described, number, kind, strange)


def _date_words(entry: Entry, found: tuple[Printed, int, float] | None) -> set[int]:
    if not found:
        return set()
    first = next(index for index, word in enumerate(entry.line.words) if word.x0 == found[2])
    before = date_at(entry.line.words, 0) if first else None
    start = 0 if before is not None and before[1] == first else first  # the day of posting may come first
    return set(range(start, found[1]))


def _sorted_out(words: list[Word], table: Table) -> tuple[list[Word], str, str]:
    """Words of the description; those of other columns apart."""
    others = [
        label for label in table.labels if label.role in ("other", "type", "check", "foreign", "posted")
    ]
    described, number, kind = [], [], []
    for word in words:
        label = next((label for label in others if _under(word, label, table)), None)
        stray = label is not None and label.role == "posted" and printed_date(word.text) is None
        if label is None or stray or (label.role == "other" and not CODED.fullmatch(word.text)):
            described.append(word)
        elif label.role == "check" and re.search(r"\d", word.text):
            number.append(word.text.strip("*^#"))
        elif label.role == "type":
            kind.append(word.text)
    if any(HEBREW.search(word.text) for word in described):
        described.reverse()
    return described, " ".join(number), " ".join(kind)


def _under(word: Word, label: Label, table: Table) -> bool:
    if label.role == "type":
        after = min((other.x0 for other in table.labels if other.x0 > label.x0), default=float("inf"))
        if label.x0 - 3 <= word.x0 < min(after, max(table.money_left, label.x1)) - 1:
            return True
    overlap = min(word.x1, label.x1 + 2) - max(word.x0, label.x0 - 2)
    return overlap >= 0.5 * min(word.x1 - word.x0, label.x1 - label.x0)


def other_day_on(entry: Entry, table: Table) -> Printed | None:
    """The date in a column of days of posting or value."""
    labels = [label for label in table.labels if label.role == "posted"]
    return next(
        (
            day
            for word in (entry.line.words if labels else ())
            if (day := printed_date(word.text)) and any(_under(word, label, table) for label in labels)
        ),
        None,
    )


def _strange(words: list[Word], table: Table) -> str:
    """A word that ends where amounts end, has digits, and is no amount."""
    columns = [(label, low, high) for label, low, high in table.money if label.role in FLOWS]
    for word in reversed(words):
        inside = any(
            low <= word.x1 and word.x0 >= label.x0 - 30 and (word.x0 + word.x1) / 2 < high
            for label, low, high in columns
        )
        if (
            inside
            and any(character.isdigit() for character in word.text)
            and word.x0 > table.description_place + 20
        ):
            return plain_signs(word.text)
    return ""
