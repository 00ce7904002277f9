"""Reads a whole table with its mapping: rows, what was skipped, what was wrong, and whether the balances agree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain, islice
from operator import itemgetter

from ...normalize.currencies import MINOR_UNITS, SELDOM_WITH_CENTS
from ...parsed import ObservedRow, Parsed, ParseFault, Remark, RowError, Severity, assume
from ..amounts import MARK_IS_OPEN
from ..currency_words import currency_beside
from ..institutions import institution_in
from ..stated_figures import Figures, disagreements, figures_in
from ..text import joined
from ..titles import title_in
from .among_rows import FEWEST_ALIKE, TOTALS, FiguresAmongRows
from .amount_doubts import (
    doubt_fees,
    doubt_first_sign,
    doubt_mixed_signs,
    fees_not_read,
    is_covered,
    note_fees,
    note_sign,
    sign_by_balance,
)
from .checks import (
    Step,
    Summary,
    account_in,
    check_balances,
    is_balance_or_total,
    read_summary,
)
from .headings import is_pending_heading, note_heading
from .lines import (
    BESIDE_THE_TABLE,
    BY_RULES,
    HEADER,
    STANDING_STILL,
    Bad,
    Decisions,
    Line,
    LineReader,
    Money,
    Skipped,
    decide,
    has_date_and_amount,
    has_lost_its_date,
)
from .mapping import CsvMapping, Leg, plain
from .periods import stated_period
from .sections import may_name_columns
from .table import Row, Table, rows

MOST_BETWEEN = 80
ODD_SHARE = 10
"""So many rows must have the same number of cells, and no more than one in ten another, before another one means anything."""
FEWEST_WHOLE = 3
# A card's export has one layout in many countries; where the day stands before the month's name, it is not the one of the United States.
DAY_BEFORE_NAME = re.compile(r"\d{1,2}[ -][^\W\d_]{3}")
LEFT_OUT = frozenset((BY_RULES, "pending"))
"""Why lines are left out that a bank may count all the same."""
NOT_BOOKED = Skipped("pending")
OTHER_NAMES = (
    "line {} may name the columns of another table; the rows below it are read by the names of the first"
)
MOST_NAMED = 10
"""Lines that one warning names."""
SAMPLE = 5_000
"""So many rows show what the mapping leaves open; the rest streams."""


@dataclass(slots=True)
class Reading:
    """One table being read."""

    mapping: CsvMapping
    table: Table
    parsed: Parsed
    decisions: Decisions
    lines: LineReader
    default_account: str = ""
    next_id: int = 0
    steps: dict[str, list[Step]] = field(default_factory=dict)
    unread_fees: list[str] = field(default_factory=list)
    """Columns of fees that are not read."""
    fees: dict[str, list[int]] = field(default_factory=dict)
    """Of columns of fees that are not read: rows with a fee of which nothing in their line shows that it is part of the amount."""
    printed: dict[Leg, dict[bool, list[int]]] = field(default_factory=dict)
    """Of columns of money in or out: the first rows whose amount is printed without a minus, and those with one."""
    seen: dict[str, list[str]] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)
    edges: dict[str, str] = field(default_factory=dict)
    dated_by_rules: int = 0
    """Lines with a date that were skipped since their state says that they are not booked."""
    is_pending: bool = False
    """The rows that come stand under a heading which says that they are not booked."""
    pending: int = 0
    """Rows under that heading."""
    ended_pending: int = 0
    """The line that ended them and does not say whether the rows under it are booked."""
    left_out: int = 0
    """Lines with a date that were skipped although nothing says that they are no transactions."""
    between: list[Row] = field(default_factory=list)
    before: list[Row] = field(default_factory=list)
    """Lines of the table before its first row."""
    totals: list[tuple[bool, Decimal]] = field(default_factory=list)
    """What lines of the table state as the totals of its columns: whether of money in, and how much."""
    nets: list[Decimal] = field(default_factory=list)
    """What lines of the table state as the total of its only column of amounts."""
    figures: FiguresAmongRows = field(default_factory=FiguresAmongRows)
    displaced: list[int] = field(default_factory=list)
    """Numbers of lines that were left out and look like rows whose cells moved."""
    long: list[tuple[int, int]] = field(default_factory=list)
    """Rows that have cells beyond the last column, with the numbers of their lines."""
    widths: Counter[int] = field(default_factory=Counter)
    """How many rows have so many cells."""
    by_width: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """The first rows that have so many cells, with the numbers of their lines."""
    blank: list[tuple[int, int]] = field(default_factory=list)
    """Rows whose amount is nothing beside a blank cell, with the numbers of their lines."""
    both_filled: int = 0
    """Rows that have something in the column of money out and in that of money in."""
    stray_quotes: list[int] = field(default_factory=list)
    """The first lines with a quote that nothing closes."""
    begins_with: str = ""
    """The first cell of the last row."""
    ends_within_a_line: bool = False
    line: int = 0
    """Of whatever was read last."""
    first_line: int = 0
    last_line: int = 0
    """Of the rows that were kept; 0 where there is none."""


def read_table(text: str, mapping: CsvMapping, table: Table, parsed: Parsed) -> Parsed:
    every = (table.with_days(row) for row in rows(text, table.delimiter) if row.line > table.line)
    sample = list(islice(every, SAMPLE))
    decisions = decide(mapping, table.columns, sample)
    reading = Reading(
        mapping,
        table,
        parsed,
        decisions,
        LineReader(mapping, table.columns, decisions),
        account_in(table.preamble),
    )
    reading.displaced += [
        row.line
        for row in table.preamble
        if (len(row.cells) >= len(table.columns.names) - 1 and has_date_and_amount(row.cells))
        or (not mapping.header and has_lost_its_date(row.cells))
    ]
    reading.is_pending = bool(table.preamble) and is_pending_heading(table.preamble[-1].cells) is True
    reading.unread_fees = fees_not_read(mapping, table.columns)
    parsed.period = stated_period(table.preamble, decisions.order)
    _read_rows(reading, chain(sample, every))
    reading.displaced += [
        row.line
        for row in reading.between
        if len(row.cells) == reading.lines.width - 1 > 2 and has_lost_its_date(row.cells)
    ]
    is_last = reading.last_line and reading.last_line >= reading.line
    cut_off = reading.ends_within_a_line or bool(is_last and _is_last_amount_short(parsed.rows))
    reading.ends_within_a_line = cut_off and not text.endswith(("\n", "\r"))
    _refuse_if_nothing_was_read(reading)
    sign_by_balance(reading)
    summary = read_summary(table.preamble, decisions.decimal)
    parsed.rows_skipped += summary.lines
    summary = summary.completed_by(reading.figures.ends_in_columns(mapping))
    for beside in (reading.before, reading.between):
        summary = summary.completed_by(read_summary(beside, decisions.decimal))
    describe_source(parsed, table)
    check_balances(
        parsed, mapping, reading.steps, summary, reading.edges, decisions.decimal, reading.default_account
    )
    _check_figures(reading, summary)
    is_stated = summary.beginning is not None and summary.ending is not None
    doubt_first_sign(reading, is_stated=is_stated)
    doubt_fees(reading, is_stated=is_stated)
    doubt_mixed_signs(reading, is_stated=is_stated)
    _remark(reading, is_stated=is_stated)
    return parsed


def _check_figures(reading: Reading, summary: Summary) -> None:
    """Hold numbers and totals that the file states against its rows: those of one account, of which none were left out as not booked."""
    if len(reading.steps) != 1:
        return
    steps = [step for group in reading.steps.values() for step in group if step.row_id is not None]
    is_whole = not reading.notes.keys() & LEFT_OUT
    figures = Figures()
    if is_whole:
        lines = chain(reading.table.preamble, reading.before, reading.between)
        figures = figures_in((";".join(filter(None, row.cells)) for row in lines), reading.decisions.decimal)
        figures.totals_in += [(value,) for is_in, value in reading.totals if is_in]
        figures.totals_out += [(value,) for is_in, value in reading.totals if not is_in]
    figures.totals_in += [(summary.credits,)] if summary.credits is not None else []
    figures.totals_out += [(summary.debits,)] if summary.debits is not None else []
    values = [step.value for step in steps]
    reading.parsed.warnings += disagreements(figures, values, lines=len(steps))
    gains, losses = (sum(one for one in values if (one > 0) is is_in) for is_in in (True, False))
    own = {abs(gains + losses), gains, -losses}
    if is_whole and reading.nets and own.isdisjoint(map(abs, reading.nets)):
        reading.parsed.warnings.append(
            Remark(f"the file states a total of {reading.nets[0]}, and its rows make {gains + losses}")
        )


def _refuse_if_nothing_was_read(reading: Reading) -> None:
    """A table without rows is an empty statement only if it has no dated lines."""
    if reading.parsed.rows or reading.parsed.errors:
        return
    if reading.left_out:
        raise ParseFault(
            "LAYOUT_MISMATCH",
            f"{reading.left_out} lines with a date were found, and none has an amount in the columns that were recognised",
        )
    if reading.dated_by_rules:
        raise ParseFault(
            "LAYOUT_MISMATCH",
            f"{reading.dated_by_rules} lines with a date were found, and none of them is booked: all are pending, declined or left out by "
            "the layout's rules",
        )
    reading.parsed.is_stated_empty = not reading.notes


def describe_source(parsed: Parsed, table: Table) -> None:
    """The bank that the lines before the table name, or the line that may name it, and the table's header as its layout."""
    parsed.layout = f"{parsed.parser_id} {table.delimiter} {'|'.join(table.columns.names)}"
    parsed.title = title_in(" ".join(filter(None, row.cells)) for row in table.preamble)
    if not parsed.institution:
        bank = institution_in([" ".join(row.cells) for row in table.preamble])
        parsed.institution = bank.name if bank else ""


def _read_rows(reading: Reading, every: Iterator[Row]) -> None:
    columns, mapping = reading.table.columns, reading.mapping
    edges = [
        (name, column)
        for name, column in (("beginning", mapping.beginning), ("ending", mapping.ending))
        if column
    ]
    for row in every:
        for name, column in edges:
            if cell := columns.cell(row.cells, column):
                reading.edges[name] = reading.edges.get(name, cell) if name == "beginning" else cell
        reading.line = row.line
        reading.stray_quotes += (
            [row.line] if row.has_stray_quote and len(reading.stray_quotes) < MOST_NAMED else []
        )
        result = reading.figures.judged(reading.lines, row, reading.lines.read(row.cells))
        note_heading(reading, row, result)
        if reading.is_pending and not isinstance(result, Skipped):
            reading.pending += 1
            reading.dated_by_rules += isinstance(result, Line)
            result = NOT_BOOKED
        reading.ends_within_a_line = isinstance(result, Skipped) and _is_cut_off(reading, row, result)
        if isinstance(result, Line):
            if not reading.parsed.rows:
                reading.before = list(reading.between)
            else:
                reading.displaced += [one.line for one in reading.between if has_lost_its_date(one.cells)]
            reading.between.clear()
            _keep(reading, row, result)
        elif isinstance(result, Skipped):
            _note_line(reading, row, result)
            if result.reason in TOTALS:
                reading.figures.keep_end(reading.lines.stated_balance(row.cells))
                reading.totals += reading.lines.totals(row.cells)
                net = reading.lines.net_total(row.cells)
                reading.nets += [] if net is None else [net]
            _stand_still(reading, row, result)
            _another_account(reading, row, again=result is HEADER)
        else:
            _refuse(reading, row, result)


def _note_line(reading: Reading, row: Row, skipped: Skipped) -> None:
    """Count a line that is left out, and keep what may be wrong about that."""
    reading.parsed.rows_skipped += 1
    reading.notes[skipped.reason] += 1
    if reading.lines.is_out_of_place(row.cells, skipped):
        reading.displaced.append(row.line)
    elif skipped.reason in BESIDE_THE_TABLE and may_name_columns(row.cells):
        reading.parsed.warnings.append(Remark(OTHER_NAMES.format(row.line)))
    reading.left_out += reading.lines.is_unexplained(row.cells, skipped)
    reading.dated_by_rules += reading.lines.is_dated_by_rules(row.cells, skipped)


def _is_cut_off(reading: Reading, row: Row, skipped: Skipped) -> bool:
    """Whether a line without a date and an amount begins like the rows, with fewer cells than they have."""
    return (
        skipped.reason in BESIDE_THE_TABLE
        and 1 < len(row.cells) < reading.lines.width
        and bool(row.cells[0])
        and row.cells[0] == reading.begins_with
    )


def _is_last_amount_short(rows: Sequence[ObservedRow]) -> bool:
    """Whether the last amount has fewer decimals than all others, which have the same number, or a quote that nothing closes."""
    if len(rows) <= FEWEST_ALIKE:
        return False
    *others, last = (len(row.amount) - row.amount.rfind(row.decimal_separator or ".") - 1 for row in rows)
    has_mark = [(row.decimal_separator or ".") in row.amount for row in rows]
    return all(has_mark[:-1]) and len(set(others)) == 1 and (not has_mark[-1] or last < others[0])


def _count_cells(reading: Reading, row: Row, line: Line, row_id: int) -> None:
    """Keep how many cells a row has, and whether both columns of money have something in them."""
    reading.begins_with = row.cells[0]
    reading.widths[len(row.cells)] += 1
    first = reading.by_width.setdefault(len(row.cells), [])
    if len(first) < MOST_NAMED:
        first.append((row_id, row.line))
    if [leg.flow for leg in reading.mapping.legs] not in (["out", "in"], ["in", "out"]):
        return
    filled = sum(bool(reading.table.columns.cell(line.cells, leg.amount)) for leg in reading.mapping.legs)
    reading.both_filled += filled == len(reading.mapping.legs)
    if filled == 1 and not any(money.value for money in line.money) and len(reading.blank) < MOST_NAMED:
        reading.blank.append((row_id, row.line))


def _stand_still(reading: Reading, row: Row, skipped: Skipped) -> None:
    """A dated line that is no transaction moves nothing: where its balance is another than its neighbours', an amount was not read."""
    balance = reading.lines.balance_beside(row.cells) if skipped.reason in STANDING_STILL else None
    if balance is None:
        return
    account = reading.table.columns.cell(row.cells, reading.mapping.account) or reading.default_account
    line = Line(row.cells, "", reading.lines.description(row.cells), [], balance)
    _step(reading, line, account, None)


def _another_account(reading: Reading, row: Row, *, again: bool) -> None:
    """Several exports in one file: what stands between two tables may name the account of the second."""
    if again:
        reading.default_account = account_in(reading.between) or reading.default_account
        reading.between.clear()
    elif len(reading.between) < MOST_BETWEEN:
        reading.between.append(row)


def _refuse(reading: Reading, row: Row, bad: Bad) -> None:
    reading.parsed.errors.append(RowError(bad.error_code, f"line {row.line}: {bad.message}", reading.next_id))
    reading.next_id += 1


def _keep(reading: Reading, row: Row, line: Line) -> None:
    if reading.ended_pending:
        message = f"rows below line {reading.ended_pending} stand behind pending ones and are taken as booked"
        reading.parsed.warnings.append(Remark(message, reading.next_id))
        reading.ended_pending = 0
    if reading.mapping.unique and _repeated(reading, row):
        return
    reading.first_line, reading.last_line = reading.first_line or row.line, row.line
    columns, mapping = reading.table.columns, reading.mapping
    account = columns.cell(line.cells, mapping.account) or reading.default_account
    named = columns.cell(line.cells, mapping.currency_column).upper()
    currency = named or mapping.currency
    if mapping.layout == "generic" and mapping.currency_column and named not in MINOR_UNITS:
        currency = mapping.currency
        shown = f"{named!r} is no currency" if named else "the row names no currency"
        parsed = reading.parsed
        parsed.warnings.append(
            Remark(f"line {row.line}: {shown}; {currency} is taken", reading.next_id, topic="currency")
        )
    reading.figures.add(line)
    if not any(columns.holds(line.cells, rules) for rules in mapping.not_in_balance):
        _step(reading, line, account, reading.next_id)
    for money in line.money:
        own = (
            _currency(_cell_of_currency(reading, line, money), money, currency)
            if money.leg.currency
            else currency
            if named
            else _currency_beside(reading, money, currency)
        )
        note_sign(reading, money)
        reading.parsed.rows.append(_observed(reading, line, money, account, own))
        reading.next_id += 1
    note_fees(reading, line)
    if not line.money:
        reading.parsed.rows.append(_position(reading, line, account, currency))
        reading.next_id += 1
    _count_cells(reading, row, line, reading.next_id - 1)
    if line.is_long:
        reading.long.append((reading.next_id - 1, row.line))
    if line.warnings:
        reading.parsed.warnings.extend(
            Remark(f"line {row.line}: {warning}", reading.next_id - 1) for warning in line.warnings
        )


def _cell_of_currency(reading: Reading, line: Line, money: Money) -> str:
    """What a row has in the column that names a leg's currency; nothing where the leg's own column is called by the code."""
    leg = money.leg
    is_own_name = plain(leg.currency) == plain(leg.amount)
    return "" if is_own_name else reading.table.columns.cell(line.cells, leg.currency)


def _currency(cell: str, money: Money, otherwise: str) -> str:
    """A leg's own currency is a column, or a code for all of it."""
    return cell.upper() or (
        money.leg.currency if len(money.leg.currency) == 3 and money.leg.currency.isupper() else otherwise
    )


def _currency_beside(reading: Reading, money: Money, otherwise: str) -> str:
    """The currency whose sign stands beside the amount; a sign that several currencies have is a doubt."""
    code, is_sure = currency_beside(money.text, otherwise)
    if not is_sure:
        assume(
            reading.parsed,
            f"amounts have the signs of several currencies, and one of these signs is that of several; {code} is assumed for it",
            "currency",
        )
    return code


def _observed(reading: Reading, line: Line, money: Money, account: str, currency: str) -> ObservedRow:
    columns, leg = reading.table.columns, money.leg
    text = (
        joined(columns.cell(line.cells, name) for name in leg.description)
        if leg.description
        else line.description
    )
    description = f"{text} {leg.note}".strip() if leg.note else text
    posted = columns.cell(line.cells, reading.mapping.posted)
    return ObservedRow(
        reading.next_id,
        line.date,
        description,
        money.text,
        currency,
        account,
        money.sign,
        line.warnings,
        decimal_separator=reading.decisions.decimal,
        date_format=reading.decisions.order,
        posted_date=posted if posted != line.date else "",
        reference=columns.cell(line.cells, reading.mapping.reference),
        source_category=columns.cell(line.cells, reading.mapping.category),
        kind="trade" if (trade := _trade(reading, line)) else "cash",
        trade=trade,
    )


def _position(reading: Reading, line: Line, account: str, currency: str) -> ObservedRow:
    """A trade that moved no cash."""
    return ObservedRow(
        reading.next_id,
        line.date,
        line.description or "trade",
        "0",
        currency,
        account,
        decimal_separator=reading.decisions.decimal,
        date_format=reading.decisions.order,
        kind="position",
        trade=_trade(reading, line),
    )


def _trade(reading: Reading, line: Line) -> tuple[tuple[str, str], ...]:
    cells = ((name, reading.table.columns.cell(line.cells, column)) for name, column in reading.mapping.trade)
    found = tuple((name, cell) for name, cell in cells if cell)
    return found if any(name == "symbol" for name, _ in found) else ()


def _step(reading: Reading, line: Line, account: str, row_id: int | None) -> None:
    if not (
        reading.mapping.balance
        or reading.mapping.beginning
        or reading.table.preamble
        or reading.mapping.layout == "generic"
    ):
        return
    columns = reading.table.columns
    key = (
        " ".join(
            filter(None, (account, *(columns.cell(line.cells, name) for name in reading.mapping.balance_by)))
        )
        if reading.mapping.balance_by
        else account
    )
    value = (
        line.money[0].value
        if len(line.money) == 1
        else sum((money.value for money in line.money), Decimal(0))
    )
    is_explained = row_id is not None or not line.description or is_balance_or_total(line.description)
    reading.steps.setdefault(key, []).append(Step(row_id, value, line.balance, len(line.money), is_explained))


def _repeated(reading: Reading, row: Row) -> bool:
    """An identical line with the same identifier is the export's artefact; the same identifier on another line is not."""
    identifier = reading.table.columns.cell(row.cells, reading.mapping.unique)
    if identifier and reading.seen.setdefault(identifier, row.cells) is not row.cells:
        if reading.seen[identifier] == row.cells:
            reading.parsed.rows_skipped += 1
            reading.parsed.warnings.append(
                Remark(
                    f"line {row.line} repeats an earlier line ({reading.mapping.unique} {identifier}) and is skipped"
                )
            )
            return True
        reading.parsed.warnings.append(
            Remark(
                f"line {row.line} has the {reading.mapping.unique} of an earlier line and other content; both are kept"
            )
        )
    return False


def _may_be_cents(rows: Sequence[ObservedRow]) -> bool:
    """Whether all amounts are whole, long and ungrouped, in a currency that has cents and is printed with them: programs write cents so."""
    if len(rows) < FEWEST_WHOLE or any(MINOR_UNITS.get(row.currency, 0) < 2 for row in rows):
        return False
    digits = [row.amount.strip("+-() ") for row in rows if row.currency not in SELDOM_WITH_CENTS]
    return (
        len(digits) == len(rows)
        and all(one.isdecimal() and len(one) > 2 for one in digits)
        and any(not one.endswith("0") for one in digits)
    )


def _is_proved(reading: Reading, *, is_stated: bool) -> bool:
    """Whether balances show that lines which were left out are no rows: they lead to each other to the cent and cover all rows, and they
    are stated at both ends where such a line stands before the first row or after the last."""
    parsed = reading.parsed
    is_beside = any(not reading.first_line < line < reading.last_line for line in reading.displaced)
    if is_beside and not is_stated:
        return False
    return is_covered(parsed)


def _remark_on_cells(reading: Reading, *, is_stated: bool) -> None:
    """Say which few rows have another number of cells than all others, which have nothing beside a blank cell, and that the file ends
    within a line."""
    severity: Severity = "info" if _is_proved(reading, is_stated=is_stated) else "warning"
    warnings = reading.parsed.warnings
    total = sum(reading.widths.values())
    usual, most = max(reading.widths.items(), key=itemgetter(1), default=(0, 0))
    if most >= FEWEST_ALIKE and total - most <= max(1, total // ODD_SHARE):
        known = {row_id for row_id, _ in reading.long}
        known |= {row.row_id for row in reading.parsed.rows if row.warnings}
        warnings += [
            Remark(
                f"line {line} has {cells} cells and the others have {usual}; its amount may stand under another name",
                row_id,
                severity,
            )
            for cells, rows_ in reading.by_width.items()
            if cells != usual
            for row_id, line in rows_
            if row_id not in known
        ]
    if reading.both_filled >= FEWEST_ALIKE:
        warnings += [
            Remark(f"line {line} has an amount of nothing beside a blank one", row_id)
            for row_id, line in reading.blank
        ]
    if reading.stray_quotes:
        lines = ", ".join(map(str, reading.stray_quotes))
        warnings.append(
            Remark(f"a quote is not closed, so that cells may have moved: line {lines}", severity=severity)
        )
    if reading.ends_within_a_line:
        warnings.append(Remark("the file ends within a line; it may be cut off"))


def _remark(reading: Reading, *, is_stated: bool) -> None:
    parsed, mapping = reading.parsed, reading.mapping
    if not parsed.rows and not parsed.errors:
        parsed.warnings.append(
            Remark(
                "the table has a header and no transactions"
                if mapping.header
                else "the table has no transactions"
            )
        )
    if reading.decisions.order_is_a_guess:
        parsed.warnings.append(
            Remark(
                f"day and month cannot be told apart in this file; {reading.decisions.order} is assumed",
                severity="warning" if {"mdy", "dmy"} <= set(reading.decisions.orders) else "info",
                topic="dates",
            )
        )
    if reading.decisions.is_mark_open and parsed.rows:
        assume(parsed, MARK_IS_OPEN.format(mark=reading.decisions.decimal), "decimal")
    names_currency = mapping.currency_column or any(leg.currency for leg in mapping.legs)
    is_day_first = reading.decisions.order == "dmy" or (
        mapping.is_card and any(DAY_BEFORE_NAME.match(row.date) for row in parsed.rows[:1])
    )
    is_abroad = is_day_first and mapping.currency == "USD" and mapping.layout != "generic"
    if is_abroad and not names_currency and parsed.rows:
        assume(parsed, "the days come first and the file names no currency; USD is assumed", "currency")
    if mapping.layout == "generic" and _may_be_cents(parsed.rows):
        assume(parsed, "no amount has decimals, so they may be cents; read as whole units")
    if reading.displaced:
        lines = ", ".join(map(str, reading.displaced[:MOST_NAMED]))
        is_one = len(reading.displaced) == 1
        left_out = (
            "1 line was left out that looks like a transaction"
            if is_one
            else f"{len(reading.displaced)} lines were left out that look like transactions"
        )
        parsed.warnings.append(
            Remark(
                f"{left_out} whose cells stand elsewhere: line{'' if is_one else 's'} {lines}",
                severity="info" if _is_proved(reading, is_stated=is_stated) else "warning",
            )
        )
    _remark_on_cells(reading, is_stated=is_stated)
    if len(reading.long) < len(parsed.rows):
        parsed.warnings.extend(
            Remark(
                f"line {number} has more cells than the table has columns; its amount may stand under another name",
                row_id,
            )
            for row_id, number in reading.long[:MOST_NAMED]
        )
    for reason, count in reading.notes.items():
        if reason:
            parsed.warnings.append(
                Remark(f"{count} line{'s' if count > 1 else ''} skipped: {reason}", severity="info")
            )
