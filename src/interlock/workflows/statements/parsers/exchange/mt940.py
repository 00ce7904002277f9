"""The parser of MT940 files (SWIFT customer statements): balances, entries and what each is about."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal

from ...parsed import (
    Balance,
    ObservedRow,
    Parsed,
    ParseFault,
    Remark,
    RowError,
    add_balance,
    assume,
    doubt_gaps,
)
from ..contract import Document
from ..dates import read_date
from ..stated_figures import Figures, disagreements
from ..text import decode, joined

MIME = "application/x-mt940"
HALF_A_YEAR = 183
_TAG = re.compile(r"^:(\d{2}[A-Z]?):", re.MULTILINE)
_SUM = re.compile(r"(\d{1,5})[A-Z]{3}(\d[\d.]*,?\d*)")
_BALANCE = re.compile(r"([CD])(\d{6})([A-Z]{3})(\d[\d.]*,?\d*)")
_POINTED = re.compile(r"\d+\.\d\d?")
_ENTRY = re.compile(
    r"(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d[\d.]*,\d*|\d+\.\d\d?(?!\d))([A-Z][A-Z0-9]{3})?([^\n]*)(?:\n(.*))?",
    re.DOTALL,
)
_LOOKS = re.compile(r":20:[^\n]*\r?\n(?:.*\r?\n){0,6}?:25[P]?:", re.MULTILINE)
_FIELD = re.compile(r"[?~](\d{2})")
_END = re.compile(r"^-\}?\s*$|^-\}", re.MULTILINE)
_BROKEN_END = re.compile(r"(?:\n:\d{0,2}[A-Z]?|\{1?|\{1:[^\n]*)\s*\Z")
"""The end of a file within the name of a field, or within the block that begins a further statement."""
_SENT = re.compile(r"\{2:O94\d{11}([A-Z]{6}[A-Z0-9]{2})")
_RECEIVED = re.compile(r"\{2:O9")
_SENDER = re.compile(r"\{1:[A-Z]\d{2}([A-Z]{6}[A-Z0-9]{2})")
_BANK_OF_ACCOUNT = re.compile(r"\s*(\w{4,12})\s*/\s*\w")
_SWIFT = re.compile(r"/(CNTP|NAME|REMI|EREF|IBAN|BIC|ORDP|BENM|PREF|MARF|CSID|TRTP|SVCL)/")


def looks_like_mt940(head: str) -> bool:
    text = _in_lines(head[:8192])
    return _LOOKS.search(text) is not None and (":60F:" in head or ":60M:" in head or ":61:" in head)


def _in_lines(text: str) -> str:
    """The text with line breaks where German banks write `@@` in their place."""
    return text.replace("@@", "\n") if "@@:20:" in text or "@@:25:" in text else text


@dataclass
class _Statement:
    account: str = ""
    currency: str = ""
    closing_currency: str = ""
    opening: Decimal | None = None
    closing: Decimal | None = None
    total: Decimal = Decimal(0)
    entries: int = 0
    rows: int = 0
    has_begun: bool = False
    is_interim: bool = False
    """A report of a day (MT942): it states no balances."""
    is_ended: bool = False
    """The line that ends a message stands behind it."""
    first: date | None = None
    last: date | None = None
    values: list[Decimal] = field(default_factory=list)
    has_reversals: bool = False
    figures: Figures = field(default_factory=Figures)


@dataclass
class _Reading:
    parsed: Parsed
    statement: _Statement = field(default_factory=_Statement)
    pending: tuple[str, str] | None = None
    """An entry whose description may follow: its text, and what is known of it."""
    next_id: int = 0
    ends: dict[tuple[str, str], list[Balance]] = field(default_factory=lambda: defaultdict(list))
    """The balances of each account and currency, in the order of the file."""


@dataclass(frozen=True)
class Mt940Parser:
    """Any bank's MT940; several statements in one file are one after another."""

    parser_id: str = "mt940"
    version: str = "1.0.0"
    source_type: str = "mt940"

    def confidence(self, document: Document) -> float:
        return 0.98 if looks_like_mt940(document.text_head) else 0.0

    def parse(self, document: Document) -> Parsed:
        text = _in_lines(decode(document.content)).replace("\r\n", "\n").replace("\r", "\n")
        if not looks_like_mt940(text):
            raise ParseFault(
                "LAYOUT_MISMATCH", "no MT940 statement was found: :20:, :25: and :60F: begin one"
            )
        reading = _Reading(
            Parsed(self.parser_id, self.version, self.source_type, MIME, names_directions=True)
        )
        fields = list(_fields(text))
        reading.parsed.bank_code = _bank_code(text, fields)
        for tag, value in fields:
            _take(reading, tag, value)
        _end_entry(reading, "")
        _end_statement(reading)
        for balances in reading.ends.values():
            doubt_gaps(reading.parsed, balances)
        if ("-", "") in fields and fields[-1] != ("-", ""):
            reading.parsed.warnings.append(
                Remark("the last message of the file does not end as the others do; it may be cut off")
            )
        elif _BROKEN_END.search(text):
            reading.parsed.warnings.append(
                Remark("the file ends where a further field or statement begins; it may be cut off")
            )
        return reading.parsed


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """(tag, value) of each field; a value runs to the next tag. The line that ends a message is a field `-` without a value."""
    places = list(_TAG.finditer(text))
    for number, place in enumerate(places):
        end = places[number + 1].start() if number + 1 < len(places) else len(text)
        value, *behind = _END.split(text[place.end() : end], maxsplit=1)
        yield place[1], value.strip("\n")
        if behind:
            yield "-", ""


def _bank_code(text: str, fields: Sequence[tuple[str, str]]) -> str:
    """What names the bank: the part before the number of each account, else who sent the message; empty where neither is there."""
    accounts = [value for tag, value in fields if tag in ("25", "25P")]
    banks = {match[1] for account in accounts if (match := _BANK_OF_ACCOUNT.match(account))}
    if not banks and (sent := _SENT.findall(text)):
        banks = set(sent)
    elif not banks and not _RECEIVED.search(text):  # there the first block names who received it
        banks = set(_SENDER.findall(text))
    return " ".join(sorted(banks))


def _take(reading: _Reading, tag: str, value: str) -> None:
    statement = reading.statement
    if tag == "86":
        if reading.pending is not None:
            _end_entry(reading, value)
        return
    _end_entry(reading, "")
    if tag == "20":
        _end_statement(reading)
        reading.statement.has_begun = True
    elif tag == "-":
        statement.is_ended = True
    elif tag in ("25", "25P"):
        statement.account = value.splitlines()[0].strip() if value.strip() else ""
    elif tag in ("60F", "60M", "34F"):
        _open(statement, tag, value)
    elif tag in ("62F", "62M"):
        _close(statement, value)
    elif tag in ("90C", "90D"):
        _sum_up(statement.figures, tag, value)
    elif tag == "61":
        reading.pending = (value, "")


def _sum_up(figures: Figures, tag: str, value: str) -> None:
    """Keep how many entries of one direction a report has, and their sum."""
    found = _SUM.match(value.replace(" ", ""))
    amount = None if found is None else _whole(found[2])
    if found is None or amount is None:
        return
    counts, totals = (
        (figures.counts_in, figures.totals_in) if tag == "90C" else (figures.counts_out, figures.totals_out)
    )
    counts.append(int(found[1]))
    totals.append((amount,))


def _open(statement: _Statement, tag: str, value: str) -> None:
    """What stands before the entries: the opening balance; of an interim report its least amount, which names the currency."""
    found = _balance(value) if tag != "34F" else None
    statement.is_interim |= tag == "34F"
    if found is not None and statement.opening is None:
        statement.opening, statement.currency = found
        statement.first = read_date(f"20{value.strip()[1:7]}", "ymd")
    elif tag == "34F":
        statement.currency = statement.currency or value.strip()[:3]


def _close(statement: _Statement, value: str) -> None:
    found = _balance(value)
    if found is not None:
        statement.closing, statement.closing_currency = found
        statement.last = read_date(f"20{value.strip()[1:7]}", "ymd")


def _balance(value: str) -> tuple[Decimal, str] | None:
    match = _BALANCE.match(value.replace(" ", ""))
    if match is None:
        return None
    amount = _whole(match[4])
    return None if amount is None else (amount if match[1] == "C" else -amount, match[3])


def _whole(text: str) -> Decimal | None:
    """An amount with a comma, which may stand at its end, as the standard writes it; a point before one or two last digits is the mark too
    where there is no comma."""
    if _POINTED.fullmatch(text):
        return Decimal(text)
    digits = text.rstrip(",").replace(".", "")
    whole, _, cents = digits.partition(",")
    return Decimal(f"{whole}.{cents or '0'}") if whole.isdigit() and (not cents or cents.isdigit()) else None


def _end_entry(reading: _Reading, about: str) -> None:
    if reading.pending is None:
        return
    text, reading.pending = reading.pending[0], None
    parsed, statement, row_id = reading.parsed, reading.statement, reading.next_id
    reading.next_id += 1
    match = _ENTRY.match(text)
    amount = None if match is None else _whole(match[5])
    day = None if match is None else read_date(f"20{match[1]}", "ymd")
    if match is None or amount is None or day is None:
        code = "DATE_UNPARSABLE" if match is not None and day is None else "AMOUNT_UNPARSABLE"
        parsed.errors.append(
            RowError(code, f"entry {text[:60]!r} of account {statement.account} cannot be read", row_id)
        )
        return
    sign: Literal[1, -1] = 1 if match[3] in ("C", "RD") else -1
    statement.total += sign * amount
    statement.values.append(sign * amount)
    statement.has_reversals |= match[3].startswith("R")
    statement.entries += 1
    statement.rows += 1
    if not statement.currency:
        assume(parsed, "the file names no currency; EUR is assumed", "currency")
    reference, _, bank = match[7].partition("//")
    described = describe(about) or joined(
        (match[8] or "", "" if reference.strip() == "NONREF" else reference, bank)
    )
    parsed.rows.append(
        ObservedRow(
            row_id,
            f"20{match[1]}",
            " ".join(described.split()) or (match[6] or "entry"),
            match[5].rstrip(",") if match[5].endswith(",") else match[5],
            statement.currency or "EUR",
            statement.account,
            sign,
            decimal_separator="," if "," in match[5] else ".",
            date_format="ymd",
            posted_date=_booked(day, match[2] or ""),
        )
    )


def _booked(day: date, month_and_day: str) -> str:
    """The day of booking, which is printed without its year; empty where it is the day of value."""
    for year in (day.year, day.year + 1, day.year - 1):
        booked = read_date(f"{year}{month_and_day}", "ymd") if month_and_day else None
        if booked is not None and abs((booked - day).days) < HALF_A_YEAR:
            return "" if booked == day else f"{booked:%Y%m%d}"
    return ""


def describe(about: str) -> str:
    """What field 86 says: German and Polish sub-fields (`?20` or `~20` purpose, `?32` name), SWIFT code words, or plain text."""
    if _FIELD.search(about) and re.match(r"\s*\d{3}", about):
        parts: dict[str, str] = {}
        pieces = _FIELD.split(about.replace("\n", ""))
        for number, value in zip(pieces[1::2], pieces[2::2], strict=False):
            parts[number] = parts.get(number, "") + value
        name = (parts.get("32", "") + parts.get("33", "")).strip()
        purpose = "".join(parts.get(str(number), "") for number in (*range(20, 30), *range(60, 64)))
        purpose = re.sub(
            r"(?:EREF|KREF|MREF|CRED|DEBT|PURP|ABWA|ABWE|IBAN|BIC)\+\S*\s?", "", purpose
        ).replace("SVWZ+", "")
        return joined((name, purpose.strip(), parts.get("00", "") if not (name or purpose.strip()) else ""))
    if _SWIFT.search(about):
        pieces = _SWIFT.split(about.replace("\n", ""))
        words = dict(zip(pieces[1::2], pieces[2::2], strict=False))
        party = [*words.get("CNTP", "").split("/"), "", "", ""][2]  # account, bank, name and town
        return joined(
            (
                words.get("NAME") or words.get("BENM") or words.get("ORDP", "") or party,
                re.sub(r"^(?:USTD|STRD)//", "", words.get("REMI", "")).strip("/"),
            )
        )
    return " ".join(about.split())


def _cut_off(statement: _Statement) -> Iterator[Remark]:
    """Warn of balances that every statement has and this one lacks. A report of a day has none: its end is a line of its own, or what its
    entries come to."""
    account = statement.account or "?"
    if statement.is_interim and statement.opening is None:
        figures = statement.figures
        if not (statement.is_ended or figures.counts_in or figures.counts_out):
            yield Remark(f"account {account}: the file ends before its report does; it may be cut off")
    elif statement.has_begun or statement.account or statement.entries:
        if statement.closing is None:
            yield Remark(
                f"account {account}: the statement has no closing balance (:62F:); it may be cut off"
            )
        if statement.opening is None:
            yield Remark(
                f"account {account}: the statement has no opening balance (:60F:); it may be cut off"
            )


def _end_statement(reading: _Reading) -> None:
    statement, parsed = reading.statement, reading.parsed
    reading.statement = _Statement()
    parsed.warnings += _cut_off(statement)
    if not statement.account and statement.opening is None and not statement.entries:
        return
    if statement.closing_currency not in ("", statement.currency) and statement.opening is not None:
        parsed.warnings.append(
            Remark(
                f"account {statement.account or '?'} begins in {statement.currency} and ends in {statement.closing_currency}; "
                "its balances prove nothing",
                topic="currency",
            )
        )
        statement.opening = None
    balance = add_balance(
        parsed, statement.account, statement.opening, statement.closing, statement.total, statement.rows
    )
    if not statement.has_reversals:  # banks count them with what they undo, or against it
        parsed.warnings += [
            Remark(f"account {statement.account or '?'}: {one.message}")
            for one in disagreements(statement.figures, statement.values)
        ]
    if balance is not None:
        reading.ends[statement.account, statement.currency].append(balance)
    firsts = [day for day in (parsed.period[0], statement.first) if day]
    lasts = [day for day in (parsed.period[1], statement.last) if day]
    parsed.period = (min(firsts, default=None), max(lasts, default=None))
    parsed.currency = parsed.currency or statement.currency
    if not statement.entries and statement.opening is not None and statement.opening == statement.closing:
        parsed.warnings.append(
            Remark(f"the statement of account {statement.account} has no entries", severity="info")
        )
