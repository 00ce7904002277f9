"""From top to bottom through a statement's lines: headings, heads of tables, balances and totals, rows and what continues them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from decimal import Decimal

from ...parsed import Remark, RowError
from ..currency_words import named_currency
from .columns import FLOWS, is_stacked, names_other_columns, stacked
from .currency import CURRENCY_OF_ACCOUNT
from .dates import Printed, looks_like_a_broken_date
from .drafts import Draft, Parts, other_day_on, parts_of
from .lines import Line
from .money import CODES, Cell
from .sections import ANY, NOT_BOOKED, Section, section_of
from .summary import (
    OF_BALANCE,
    OWN_ROW,
    SHARE,
    TOTAL,
    Segment,
    StatedBalance,
    Total,
    account_on,
    are_same_account,
    balance_at_a_day,
    balances_on,
    dues_on,
    total_on,
)
from .tables import Entry, Table, groups_of
from .unusual_tables import Half, cut
from .walk_words import (
    ASIDE,
    BARE_BALANCE,
    COLUMNS,
    CONTINUES,
    ITEMS,
    OF_A_CARD,
    OF_A_PLAN,
    SHARE_OF_MONTH,
    UNDATED,
    WAITING,
    days_on,
    description_of,
    first_phrase,
    states_only_balances,
    text_of,
)

NEAR = 1.75  # heights of a letter between a row and the line that continues it
FAR = 2.5  # in a table whose lines all stand wide


@dataclass(frozen=True, slots=True)
class Undated:
    """A line with an amount that was left out for want of a date."""

    text: str
    rows: int  # how many stand above it


@dataclass
class Walk:
    """What was found on the way."""

    card: bool
    gaps: bool = False  # dates that are the same as above may be left out in any table
    splits: bool = False  # another beginning after rows begins another account, whatever its number
    drafts: list[Draft] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=lambda: [Segment()])
    skipped: int = 0
    undated: list[Undated] = field(default_factory=list)
    errors: list[RowError] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    tables: int = 0
    guessed: int = 0  # amounts whose direction nothing says
    is_owed: bool | None = (
        None  # whether balances are what is owed; None where that is as usual on its kind of statement
    )
    loan: int = 0  # how much speaks for the statement of a loan
    section: Section = ANY
    current: Draft | None = None
    lead: list[str] = field(default_factory=list)
    last: Line | None = None
    date: Printed | None = None
    account: str = ""
    heading: str = ""  # the same, where it is no card's
    member: str = ""  # the number that was named last, without the code of one of the member's accounts
    unnamed: Decimal | None = None  # the beginning that was kept before any account was named
    above: set[Decimal] = field(default_factory=set)  # all amounts above the first row
    currency: str = ""  # that the last line named that names one
    closed: bool = False
    parted: dict[int, list[Half]] = field(default_factory=dict)
    totals: list[Total] = field(default_factory=list)
    dues: list[Decimal] = field(
        default_factory=list
    )  # in words that may mean the end: what is owed on a card, or is there now
    still: Decimal | None = None  # of a dated line without an amount, before the first row
    first_day: str = ""  # the line that states the balance of the first day
    closings: list[tuple[int, Decimal]] = field(
        default_factory=list
    )  # of which account, in words that name no page's end
    ends_at_a_day: bool = False  # the end is that of the last dated line of a bare balance
    is_above_head: bool = False  # the next line is the head of a table
    opened: int = 0  # how many rows there were when this section began

    @property
    def owes(self) -> bool:
        """Whether balances are what is owed, as on cards whose balances have no signs of their own."""
        return self.card if self.is_owed is None else self.is_owed

    def _balance_of(self, cell: Cell) -> Decimal:
        return cell.money.owed if self.card else cell.money.balance

    def through(self, entries: list[Entry]) -> Walk:
        for number, entry in enumerate(entries):
            below = next((other for other in entries[number + 1 : number + 4] if other.cells), None)
            self.is_above_head = number + 1 < len(entries) and entries[number + 1].head
            self._step(entry, below)
            if not self.drafts:
                self.above.update(cell.money.value for cell in entry.cells)
            if number and below and not self.drafts:
                self._names_of_two_lines(entries[number - 1], entry, below)
        self._flush()
        return self

    def _step(self, entry: Entry, below: Entry | None) -> None:
        account = account_on(entry.line.text) if self._is_apart(entry) else None
        if account:
            self.account = self.member = account
            self.heading = "" if OF_A_CARD.search(entry.line.text) else account
            self.segments[-1].account = self.segments[-1].account or account
        elif self.member and self._is_apart(entry) and (share := SHARE.fullmatch(entry.line.text)):
            self._keep_share(share[1])
        if self.current is None and not entry.cells and (code := named_currency(entry.line.text)):
            self._keep_currency(code)
        elif self._is_apart(entry) and (of_account := CURRENCY_OF_ACCOUNT.search(entry.line.text)):
            self._keep_currency(of_account[1].upper())
        self.dues += dues_on(entry, below, self.card)
        if entry.head:
            self._head(entry)
        elif self._heading(entry) or self._ends_table(entry) or self._balance(entry, below):
            pass
        elif entry.table is None or not entry.table.flows or not self.section.counts:
            self._aside(entry)
        elif groups_of(entry.table):
            self._side_by_side(entry, entry.table)
        else:
            self._line(entry, entry.table)

    def _keep_share(self, code: str) -> None:
        """Keep the code of one of a member's accounts behind the member's number."""
        self.account = f"{self.member} {code}"
        if not any(draft.segment == len(self.segments) - 1 for draft in self.drafts):
            self.segments[-1].account = self.account

    def _is_apart(self, entry: Entry) -> bool:
        """Whether a line without amounts cannot be part of the description of an open row."""
        table = entry.table
        if entry.cells or self.current is None or table is None:
            return not entry.cells
        return not self._follows(entry.line, table) or entry.line.x0 < table.description_place - 3

    def _keep_currency(self, code: str) -> None:
        """Keep the currency that is named above an account's rows, for it or for the one that begins below."""
        self.currency = code
        if not any(draft.segment == len(self.segments) - 1 for draft in self.drafts):
            self.segments[-1].currency = code

    def _names_of_two_lines(self, above: Entry, entry: Entry, below: Entry) -> None:
        """Balances under names that take two lines: “Beginning … Ending” over “balance … balance”."""
        if above.cells or entry.cells or not is_stacked(above.line, entry.line):
            return
        for one in balances_on(Entry(stacked(above.line, entry.line), []), below):
            self._keep_balance(one.end, one.owed if self.card else one.value)

    def _head(self, entry: Entry) -> None:
        table = entry.table
        if table is None:
            return
        if (
            self.current is None
            or self.current.table is not table
            or self.last is None
            or self.last.page == entry.line.page
        ):
            self._flush()
        if "amount" in table.roles:
            named = section_of(COLUMNS.sub(" ", entry.line.text).strip(), self.card)
            if named and named.direction:
                self._enter(named)
        if table.flows:
            self.tables += 1
            self.closed = False
            if self.section.kind in ("balances", "summary") and (
                table.described or self.section.kind == "summary"
            ):
                self._enter(ANY)
        self.last = entry.line

    def _enter(self, section: Section) -> None:
        """A section that goes on, on the next page, is the same one."""
        if section.name != self.section.name:
            self.opened = len(self.drafts)
        self.section = section

    def _heading(self, entry: Entry) -> bool:
        counted = ITEMS.match(entry.line.text) if entry.cells else None
        if counted and (section := section_of(counted[1], self.card)) is not None and section.direction:
            self._flush()
            self._enter(section)
            return True
        if NOT_BOOKED.match(entry.line.text):
            self._flush()
            self._enter(Section("pending", entry.line.text))
            return True
        if entry.cells:
            return False
        table = entry.table
        if (
            self.current
            and table
            and self._follows(entry.line, table)
            and entry.line.x0 > table.description_place - 4 > 0
        ):
            return False
        section = section_of(entry.line.text, self.card)
        if section is None and self.is_above_head:
            section = section_of(
                first_phrase(entry.line), self.card
            )  # beside it stands what belongs to no row
        if section is None:
            return False
        if not (section.kind == "any" and section.name == self.section.name):
            self._flush()
        self._enter(section)
        return True

    def _ends_table(self, entry: Entry) -> bool:
        """Whether names of other columns stand below the stated end of the account, as those of the days of interest: what follows them is
        no row of the table above."""
        table = entry.table
        if not (self.closed and self.segments[-1].ending is not None) or table is None or not table.flows:
            return False
        has_rows = any(draft.segment == len(self.segments) - 1 for draft in self.drafts)
        if entry.cells or not has_rows or not names_other_columns(entry.line, table.labels):
            return False
        self._flush()
        self._enter(Section("summary", entry.line.text))
        return True

    def _balance(self, entry: Entry, below: Entry | None) -> bool:
        """A line that states the balance at either end, or a total."""
        dated = (
            entry.table.date_of(entry) if entry.table and entry.table.flows and self.section.counts else None
        )
        if dated and not (
            OF_BALANCE.search(entry.line.text) and OWN_ROW.fullmatch(description_of(entry, entry.table))
        ):
            return False
        if not dated and self._within_description(entry):
            return False
        said = balances_on(entry, below)
        if not dated and not said and self._at_a_day(entry):
            return True
        total = not dated and bool(entry.cells) and bool(TOTAL.search(entry.line.text))
        if (
            not dated
            and (said or total)
            and self._may_be_a_row(entry)
            and not states_only_balances(entry, total)
        ):
            return False
        self._keep_stated(entry, said, is_row=bool(dated))
        if not total and not (said and entry.cells):
            return False
        self._flush()
        if dated and self.date is None:
            self.date = dated[0]  # the rows below that print none are of the same day
        if total and not said:
            self._keep_total(entry)
        self.closed = self.closed or any(one.end for one in said) or total
        self.skipped += 1
        return True

    def _keep_stated(self, entry: Entry, said: list[StatedBalance], *, is_row: bool) -> None:
        """Keep the balances of a line; a code of a currency that begins a row is that of the account."""
        if is_row and (code := entry.line.words[0].text) in CODES:
            self._keep_currency(code)
        for one in said:
            self._keep_balance(one.end, one.owed if self.card else one.value, is_row=is_row)
            if one.end and not one.is_carried:
                self.closings.append((len(self.segments) - 1, one.value))

    def _keep_total(self, entry: Entry) -> None:
        value = total_on(entry, self.section)
        if value is not None:
            begins = (self.opened, self.totals[-1].end if self.totals else 0)
            segment, page = len(self.segments) - 1, entry.line.page + 1
            self.totals.append(Total(self.section, segment, value, page, begins, len(self.drafts)))

    def _at_a_day(self, entry: Entry) -> bool:
        """A balance before the first row of an account is its beginning, one after rows its end."""
        value, segment = balance_at_a_day(entry), self.segments[-1]
        if value is None:
            return False
        self._flush()
        if any(draft.segment == len(self.segments) - 1 for draft in self.drafts):
            segment.ending = value
            self.closed = True
        elif segment.beginning is None:
            segment.beginning, self.first_day = value, entry.line.text
        elif (
            segment.ending is None and self.first_day and days_on(self.first_day) != days_on(entry.line.text)
        ):
            segment.ending = value  # both ends are stated before the rows, each with its day
        self.skipped += 1
        return True

    def _within_description(self, entry: Entry) -> bool:
        """Whether it continues an open row: whatever it says, it stands under the description and left of all money."""
        table = entry.table
        if self.current is None or table is None or not table.flows or not self._follows(entry.line, table):
            return False
        return entry.line.x0 >= table.description_place - 3 and entry.line.words[-1].x1 < table.money_left

    def _may_be_a_row(self, entry: Entry) -> bool:
        """A line without a date is a row where dates are left out, if it has an amount among the payments."""
        table = entry.table
        if (
            table is None
            or not (table.sparse or self.gaps)
            or self.date is None
            or self.closed
            or not self.section.counts
        ):
            return False
        return any(table.role_of(cell) in FLOWS for cell in entry.cells)

    def _keep_balance(self, end: bool, value: Decimal, *, is_row: bool = False) -> None:
        """Keep a balance of this account; a row that states another beginning after rows and an end begins the next one."""
        segment = self.segments[-1]
        if end:
            segment.ending = value
            return
        other = bool(self.account and segment.account and not are_same_account(self.account, segment.account))
        has_rows = any(draft.segment == len(self.segments) - 1 for draft in self.drafts)
        other = other or (
            (self.splits or (is_row and self.closed))
            and has_rows
            and value not in (segment.beginning, segment.ending)
        )
        if segment.beginning is not None and other and (segment.ending is not None or has_rows):
            self._flush()
            self.segments.append(Segment(self.account, value, currency=self.currency))
            self.date = None
        elif segment.beginning is None:
            segment.beginning, segment.account = value, self.account or segment.account
            self.unnamed = value if not self.account else None
        elif is_row and self.account and value != segment.beginning == self.unnamed and value in self.above:
            # a summary of several accounts stood above the number of the first
            segment.beginning, segment.ending, segment.account = value, None, self.account

    def _aside(self, entry: Entry) -> None:
        """Rows of balances, of pending payments, of nothing that we know."""
        if entry.cells and not self.section.counts and self.section.kind != "summary":
            self.skipped += 1

    def _fall_due(self) -> None:
        """Give the open row no day: interest, fees and shares of a price fall due on the closing date."""
        if self.current is not None:
            self.current.date, self.current.is_of_day_above = None, False

    def _line(self, entry: Entry, table: Table) -> None:
        if self._marks_above(entry, table):
            return
        parts = parts_of(entry, table)
        if self._is_total(parts):
            self._flush()
            for one in balances_on(entry, None):
                self._keep_balance(one.end, one.owed if self.card else one.value)
            self.closed = self.closed or parts.date is None
            self.skipped += 1
            return
        if WAITING.match(entry.line.text) and (
            parts.flows or (entry.cells and not self._within_description(entry))
        ):
            self._flush()
            self.skipped += 1
        elif parts.date:
            self._dated(entry, table, parts)
        elif parts.flows:
            self._undated(entry, table, parts)
        elif parts.balance is not None and self.current and self.current.balance is None and not parts.words:
            self.current.balance = self._balance_of(parts.balance)
        else:
            self._text(entry, table, parts)

    def _is_total(self, parts: Parts) -> bool:
        """Whether a line has money out and money in: no row has both. With a date, they must also be the sums of the rows above."""
        paid = {role: cell.money.value for role, cell in parts.flows if cell.money.value}
        if not {"debit", "credit"} <= paid.keys():
            roles = {role for role, _ in parts.flows}
            return (
                parts.date is None
                and {"debit", "credit"} <= roles
                and TOTAL.search(text_of(parts)) is not None
            )
        if parts.date is None:
            return True
        rows = [*self.drafts, *([self.current] if self.current and self.current.money else [])]
        own = [draft for draft in rows if draft.segment == len(self.segments) - 1]
        sums = {
            role: sum((abs(draft.printed) for draft in own if draft.role == role), Decimal(0))
            for role in ("debit", "credit")
        }
        return all(abs(paid[role]) == sums[role] for role in ("debit", "credit"))

    def _marks_above(self, entry: Entry, table: Table) -> bool:
        """Whether it is CR or DR alone, under the amount of the open row: then it belongs to that amount."""
        draft, words = self.current, entry.line.words
        if draft is None or draft.money is None or draft.money.marker or len(words) != 1:
            return False
        if (
            words[0].text.upper() not in ("CR", "DR")
            or words[0].x1 < table.money_left
            or not self._near(entry.line, 2.5)
        ):
            return False
        draft.money = replace(draft.money, marker=words[0].text.upper())
        return True

    def _dated(self, entry: Entry, table: Table, parts: Parts) -> None:
        self._flush()
        if self._is_of_another_table(parts):
            self.skipped += 1
            text = entry.line.text[:60]
            self.remarks.append(
                Remark(
                    f"page {entry.line.page + 1}: numbers below the closing balance were left out: “{text}”"
                )
            )
            return
        if OF_A_PLAN.search(text_of(parts)):
            self.skipped += 1
            return
        self.closed = False
        self.date = parts.date
        if (
            parts.balance is not None
            and not parts.flows
            and not (table.amount_last and parts.words and not OWN_ROW.fullmatch(text_of(parts)))
        ):
            self.skipped += 1  # a balance with a date is no payment
            self._state_at_a_day(parts)
            self._end_of_day(parts)
            self._doubt_balance(entry, parts)
            return
        self._open(entry, table, parts)
        if parts.strange and not parts.flows:
            self._fault("AMOUNT_UNPARSABLE", f"“{parts.strange}” is no amount", entry)
            self.current = None

    def _state_at_a_day(self, parts: Parts) -> None:
        """Keep the balance of a dated line of a bare word for it: before the first row it is the beginning, after the last the end."""
        if parts.balance is None or not BARE_BALANCE.fullmatch(text_of(parts)):
            return
        segment, value = self.segments[-1], self._balance_of(parts.balance)
        if not any(draft.segment == len(self.segments) - 1 for draft in self.drafts):
            segment.beginning = value if segment.beginning is None else segment.beginning
        elif segment.ending is None:
            segment.ending, self.ends_at_a_day = value, True

    def _is_of_another_table(self, parts: Parts) -> bool:
        """Whether a dated line below the closing balance has several numbers and no words, as the rows of a calculation of interest."""
        if not self.closed or self.segments[-1].ending is None or self.section.kind == "checks":
            return False
        text = text_of(parts)
        return len(re.findall(r"\d[.,]\d", text)) > 1 and re.search(r"[^\W\d_]{2}", text) is None

    def _doubt_balance(self, entry: Entry, parts: Parts) -> None:
        """Say that a dated line was left out whose balance is another than that of the row above, or which has words of a row and stands
        above the first one: something has moved it."""
        if parts.balance is None:
            return
        balance = self._balance_of(parts.balance)
        last = self.drafts[-1] if self.drafts else None
        before = last.balance if last is not None else self.still
        if last is None:
            self.still = balance
        if OWN_ROW.fullmatch(text_of(parts)):
            return
        is_like_a_row = bool(parts.words) and (len(entry.cells) > 1 or not OF_BALANCE.search(entry.line.text))
        if (last is None and is_like_a_row) if before is None else balance != before:
            text = entry.line.text[:60]
            self.remarks.append(
                Remark(
                    f"page {entry.line.page + 1}: a dated line with a balance and no amount was left out: “{text}”"
                )
            )

    def _end_of_day(self, parts: Parts) -> None:
        """The balance of a day, printed on a line of its own under the day's rows, is that of the last of them."""
        last = self.drafts[-1] if self.drafts else None
        if last is None or last.balance is not None or last.date is None or parts.date is None:
            return
        if parts.balance is not None and last.date.text == parts.date.text:
            last.balance = self._balance_of(parts.balance)

    def _undated(self, entry: Entry, table: Table, parts: Parts) -> None:
        """An amount without a date: the end of the row above, or a row of the same day."""
        first = entry.line.words[0]
        if (
            looks_like_a_broken_date(first.text)
            and table.date_place is not None
            and abs(first.x0 - table.date_place) < 14
        ):
            self._flush()
            self._fault("DATE_UNPARSABLE", f"“{first.text}” is no date", entry)
        elif self.card and self.current is not None and SHARE_OF_MONTH.match(entry.line.text):
            self._complete(entry, table, parts)  # what stands above it is the whole price
            self._fall_due()
        elif self.current is not None and self.current.money is None and self._near(entry.line, 3.5):
            self._complete(entry, table, parts)
        elif self._may_follow(entry, table, parts) and not self._is_abroad(parts):
            lead = self.lead
            self._flush()
            self._open(entry, table, parts, lead)
        elif (
            self.card and UNDATED.search(self.section.name) and parts.flows[0][1].money.value and parts.words
        ):
            self._flush()
            self._open(entry, table, parts)
            self._fall_due()
        else:
            self.skipped += 1
            self.undated.append(Undated(entry.line.text, len(self.drafts) + (self.current is not None)))

    def _is_abroad(self, parts: Parts) -> bool:
        """Whether the amount is in another currency than that of the row right above: what that row was abroad."""
        above = self.current.money.currency if self.current and self.current.money else ""
        own = parts.flows[0][1].money.currency
        return bool(above and own) and above != own and parts.balance is None

    def _may_follow(self, entry: Entry, table: Table, parts: Parts) -> bool:
        """Whether it is a row of the day above."""
        leaves_out = (table.sparse or self.gaps) and self.date is not None and not self.closed
        return leaves_out and bool(parts.words or self.lead) and self._in_column(entry, table)

    def _open(self, entry: Entry, table: Table, parts: Parts, lead: list[str] | None = None) -> Draft:
        if self.ends_at_a_day:  # rows below: it was the balance of some day
            self.segments[-1].ending, self.ends_at_a_day = None, False
        draft = Draft(
            table,
            self.section,
            len(self.segments) - 1,
            parts.date or self.date,
            list(lead or []),
            parts.number,
            parts.kind,
            page=entry.line.page + 1,
            posted=table.posted_of(entry),
            other_day=other_day_on(entry, table),
            is_of_day_above=parts.date is None,
            heading=self.heading,
        )
        self.current, self.lead = draft, []
        self._complete(entry, table, parts)
        return draft

    def _complete(self, entry: Entry, table: Table, parts: Parts) -> None:
        draft = self.current
        if draft is None:
            return
        draft.words += [word.text for word in parts.words]
        chosen = next(
            (pair for pair in parts.flows if pair[1].money.value), parts.flows[0] if parts.flows else None
        )
        if chosen:
            draft.role, draft.money = chosen[0], chosen[1].money
        if parts.balance is not None:
            draft.balance = self._balance_of(parts.balance)
        self.last = entry.line

    def _text(self, entry: Entry, table: Table, parts: Parts) -> None:
        """Words alone: they continue a row, or begin one whose amount comes later."""
        if CONTINUES.search(entry.line.text) or not parts.words:
            return
        if (
            not self._follows(entry.line, table)
            or not self._in_column(entry, table)
            or ASIDE.search(entry.line.text)
        ):
            if self.current is not None and self.current.money is not None:
                self._flush()
            return
        words = [word.text for word in parts.words]
        if self.current is not None and (self.current.money is None or not table.amount_last):
            self.current.words += words
            self.last = entry.line
        elif table.amount_last and not self.closed and self.date is not None:
            self._flush(keep=True)
            self.lead += words
            self.last = entry.line

    def _near(self, line: Line, heights: float) -> bool:
        return (
            self.last is not None
            and self.last.page == line.page
            and line.y - self.last.y <= heights * max(line.height, self.last.height)
        )

    def _follows(self, line: Line, table: Table) -> bool:
        """Close below, in letters of about the same height."""
        if self.last is None or line.height > 1.5 * self.last.height:
            return False
        return self._near(line, max(NEAR, min(FAR, 1.1 * table.pitch / self.last.height)))

    def _in_column(self, entry: Entry, table: Table) -> bool:
        inside = entry.line.x0 >= table.description_place - 3
        free = bool(entry.cells) or table.description_place > table.money_left
        return inside and (free or entry.line.words[-1].x1 <= table.money_left + 4)

    def _flush(self, keep: bool = False, groups: bool = True) -> None:
        """The row is complete; one without an amount is said, not kept."""
        if groups:
            self._flush_groups()
        draft, self.current = self.current, None
        if not keep:
            self.lead = []
        if draft is None:
            return
        if draft.money is None:
            self.skipped += 1
            self.remarks.append(
                Remark(
                    f"page {draft.page}: a dated line without an amount was left out: “{draft.description[:60]}”"
                )
            )
        else:
            self.drafts.append(draft)

    def _fault(self, code: str, message: str, entry: Entry) -> None:
        self.errors.append(
            RowError(code, f"page {entry.line.page + 1}: {message}, in “{entry.line.text[:120]}”")
        )

    def _side_by_side(self, entry: Entry, table: Table) -> None:
        """Checks in two or three columns, or whole tables beside each other: each is read from top to bottom."""
        self._flush(groups=False)
        halves = self.parted.setdefault(id(table), [Half(Table(labels)) for labels in groups_of(table)])
        if self.last is None or self.last.page != entry.line.page:
            self._flush_groups()
        self.last = entry.line
        for half, part in cut(entry, halves):
            self._half(part, half)

    def _half(self, entry: Entry, half: Half) -> None:
        found = parts_of(entry, half.table)
        if found.date and found.flows:
            half.begin(self._open(entry, half.table, found), entry.line)
            self.current = None
        elif found.date and found.strange:
            self._fault("AMOUNT_UNPARSABLE", f"“{found.strange}” is no amount", entry)
        elif found.flows:
            self.skipped += 1
        elif found.words and half.goes_on(entry.line):
            half.drafts[-1].words += [word.text for word in found.words]

    def _flush_groups(self) -> None:
        for half in (half for halves in self.parted.values() for half in halves):
            self.drafts.extend(half.drafts)
            half.drafts.clear()
