"""The parser of QIF files: Quicken's own exchange format, which many banks still export."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal

from ...parsed import ObservedRow, Parsed, ParseFault, Remark, RowError
from ..amounts import MARK_IS_OPEN, amount_of, shown_decimal_mark
from ..contract import Document
from ..csv.words import PAYMENT
from ..dates import likeliest_order, read_date, with_full_stops
from ..institutions import institution_in
from ..text import decode, joined

MIME = "application/qif"
_LOOKS = re.compile(r"^\s*!(?:Type|Account|Option|Clear)\b", re.IGNORECASE | re.MULTILINE)
_LISTS = {"cat", "class", "memorized", "security", "prices", "template"}
_MONEY = {"bank", "ccard", "cash", "oth a", "oth l", "invst"}

_ACCOUNT_TYPES = {
    "bank": "checking",
    "ccard": "credit_card",
    "cash": "cash",
    "invst": "investment",
    "oth l": "loan",
}


def looks_like_qif(head: str) -> bool:
    return re.match(r"[\ufeff\s]*!(?:Type|Account|Option|Clear)\b", head, re.IGNORECASE) is not None


@dataclass
class _Entry:
    """One record: its fields by letter, the account it belongs to, and the kind of that account."""

    account: str
    kind: str
    fields: dict[str, str] = field(default_factory=dict)
    splits: int = 0

    @property
    def day(self) -> str:
        """The date with the year's apostrophe and blanks as other dates are written: 1/15' 4 is 1/15/04."""
        text = re.sub(r"\s*'\s*", "/", self.fields.get("D", "").strip())
        parts = [part.strip() for part in re.split(r"[/.-]", text)]
        mark = next((letter for letter in text if letter in "/.-"), "/")
        return mark.join(part.zfill(2) for part in parts) if len(parts) == 3 else text

    @property
    def amount(self) -> str:
        return (self.fields.get("T") or self.fields.get("U") or self.fields.get("$") or "").strip()


@dataclass(frozen=True)
class QifParser:
    """Bank, card and cash accounts; of investment accounts what moves their cash."""

    parser_id: str = "qif"
    version: str = "1.0.0"
    source_type: str = "qif"

    def confidence(self, document: Document) -> float:
        return 0.98 if looks_like_qif(document.text_head) else 0.0

    def parse(self, document: Document) -> Parsed:
        text = decode(document.content)
        if not looks_like_qif(text):
            raise ParseFault(
                "LAYOUT_MISMATCH", "no !Type or !Account line was found at the beginning of the file"
            )
        parsed = Parsed(self.parser_id, self.version, self.source_type, MIME)
        entries = list(_entries(text, parsed))
        parsed.warnings += _cut_off(text)
        shown = shown_decimal_mark(entry.amount for entry in entries)
        mark = shown.mark or "."
        if shown.is_open:
            parsed.warnings.append(Remark(MARK_IS_OPEN.format(mark=mark), topic="decimal"))
        days = [entry.day for entry in entries]
        orders = with_full_stops(days, ("mdy", "dmy", "ymd"), "dmy" if mark == "," else "")
        order, is_open = likeliest_order(days, orders)
        if entries and is_open:
            parsed.warnings.append(
                Remark(
                    f"no date of the file shows whether the day or the month comes first; {order} is assumed",
                    topic="dates",
                )
            )
        for entry in entries:
            _read_entry(parsed, entry, order, mark)
        if entries and all(entry.kind == "ccard" for entry in entries):
            _doubt_signs_of_card(parsed, mark)
        if parsed.rows:
            currency, why = _likely_currency(document.name, mark, order)
            parsed.rows = [replace(row, currency=currency) for row in parsed.rows]
            parsed.warnings.append(
                Remark(f"a QIF file names no currency; {currency} is assumed{why}", topic="currency")
            )
        elif not parsed.errors:
            parsed.warnings.append(Remark("the file has no transactions"))
        kinds = {entry.kind for entry in entries}
        parsed.account_type = _ACCOUNT_TYPES.get(kinds.pop(), "") if len(kinds) == 1 else ""
        parsed.layout = f"qif {parsed.account_type}"
        return parsed


def _doubt_signs_of_card(parsed: Parsed, mark: str) -> None:
    """Turn the signs of a card whose payments are minus and whose charges are plus, and say so; a card with more plus than minus is
    in doubt too."""
    values = [(row, amount_of(row.amount, mark) or Decimal(0)) for row in parsed.rows]
    payments = [value for row, value in values if PAYMENT.search(row.description) and value]
    charges = [value for row, value in values if not PAYMENT.search(row.description) and value]
    plus = sum(value > 0 for value in charges)
    if payments and all(value < 0 for value in payments) and plus > len(charges) / 2:
        parsed.rows = [replace(row, sign=-1) for row in parsed.rows]
        message = "the card's payments are minus and its charges plus; read with the signs turned round"
    elif plus > len(charges) / 2:
        message = (
            "most amounts of the card are plus: charges may be printed so; taken as signed, plus is money in"
        )
    else:
        return
    parsed.warnings.append(Remark(message, topic="signs"))


def _likely_currency(name: str, mark: str, order: str) -> tuple[str, str]:
    """The currency of a file that names none, and why it is likely: that of the bank in its name, else by how it writes."""
    bank = institution_in([re.sub(r"[_.\-\d]+", " ", name)])
    if bank is not None and bank.currency:
        return bank.currency, f", for its name is that of {bank.name}"
    return "EUR" if mark == "," else "GBP" if order == "dmy" else "USD", ""


def _entries(text: str, parsed: Parsed) -> Iterator[_Entry]:
    account, kind, is_account = "", "", False
    entry = _Entry(account, kind)
    for line in text.splitlines():
        word = line.strip("\ufeff").rstrip()
        if word.startswith("!"):
            name, _, value = word[1:].partition(":")
            is_account = name.strip().lower() == "account"
            if name.strip().lower() == "type":
                kind = value.strip().lower()
            entry = _Entry(account, kind)
        elif word.startswith("^"):
            if is_account:
                account = entry.fields.get("N", account).strip()
            elif entry.fields and _is_money(kind):
                yield entry
            elif entry.fields and kind.partition(":")[0] not in _LISTS:
                parsed.rows_skipped += 1
            entry = _Entry(account, kind)
        elif word:
            _take(entry, word)
    if entry.fields and _is_money(kind) and not is_account:
        yield entry


def _cut_off(text: str) -> Iterator[Remark]:
    """Warn of a file that ends within a record, or where records should begin: behind a heading, or behind the name of an account."""
    lines = [line for line in (each.strip("\ufeff \t") for each in text.splitlines()) if line]
    heading = next((line.lower() for line in reversed(lines) if line.startswith("!")), "")
    is_heading, is_ended = lines[-1].startswith("!"), lines[-1].startswith("^")
    if not is_heading and not is_ended:
        yield Remark("the last record of the file is not ended by ^; it may be cut off")
    elif heading.startswith("!account") or (is_heading and not heading.startswith(("!option", "!clear"))):
        yield Remark("the file ends with a heading and no record follows it; it may be cut off")


def _take(entry: _Entry, word: str) -> None:
    letter, value = word[0].upper(), word[1:].strip()
    if letter == "S":
        entry.splits += 1
    if letter in "SE$" and entry.splits:
        return  # parts of the amount, which stands in T
    if letter == "A" and "A" in entry.fields:
        return  # further lines of the address
    entry.fields.setdefault(letter, value)


def _is_money(kind: str) -> bool:
    return kind in _MONEY


def _read_entry(parsed: Parsed, entry: _Entry, order: str, mark: str) -> None:
    row_id = len(parsed.rows) + len(parsed.errors)
    fields = entry.fields
    if fields.get("P", "").casefold() == "opening balance" and entry.amount:
        parsed.rows_skipped += 1
        parsed.warnings.append(
            Remark(
                f"account {entry.account or '(unnamed)'} begins at {entry.amount}; QIF states no end, so the sum is not checked",
                severity="info",
            )
        )
        return
    moves_cash = entry.kind != "invst" or _moves_cash(entry, mark)
    if moves_cash and amount_of(entry.amount, mark) is None:
        code = "AMOUNT_UNPARSABLE" if entry.amount else "AMOUNT_MISSING"
        parsed.errors.append(
            RowError(code, f"record of {entry.day}: {entry.amount[:40]!r} is not an amount", row_id)
        )
        return
    if read_date(entry.day, order) is None:
        parsed.errors.append(
            RowError("DATE_UNPARSABLE", f"{fields.get('D', '')[:40]!r} is not a date", row_id)
        )
        return
    parsed.rows.append(
        ObservedRow(
            row_id,
            entry.day,
            _describe(fields) or "entry",
            entry.amount if moves_cash else "0",
            account=entry.account,
            sign=-1 if entry.kind == "invst" and _is_bought(entry) else 1,
            decimal_separator=mark,
            date_format=order,
            reference=fields.get("N", "") if entry.kind != "invst" else "",
            source_category=fields.get("L", "") if entry.kind != "invst" else "",
            kind="cash" if entry.kind != "invst" else "trade" if moves_cash else "position",
            trade=_trade(fields) if entry.kind == "invst" else (),
        )
    )


def _trade(fields: dict[str, str]) -> tuple[tuple[str, str], ...]:
    names = (("action", "N"), ("symbol", "Y"), ("quantity", "Q"), ("price", "I"))
    return tuple((name, fields[letter]) for name, letter in names if fields.get(letter))


def _describe(fields: dict[str, str]) -> str:
    text = joined((fields.get("P", ""), fields.get("Y", ""), fields.get("M", "")))
    return text or (
        f"Check {fields['N']}"
        if fields.get("N", "").isdigit()
        else fields.get("N", "") or fields.get("L", "")
    )


_BOUGHT = ("buy", "miscexp", "margint", "xout", "withdrw", "writechk")
_SOLD = (
    "sell",
    "div",
    "intinc",
    "cglong",
    "cgshort",
    "cgmid",
    "miscinc",
    "rtrncap",
    "xin",
    "contrib",
    "deposit",
    "cash",
)


def _moves_cash(entry: _Entry, mark: str) -> bool:
    value = amount_of(entry.amount, mark)
    return (
        value is not None
        and value != Decimal(0)
        and entry.fields.get("N", "").lower().startswith((*_BOUGHT, *_SOLD))
        and not (entry.fields.get("N", "").lower().startswith("reinv"))
    )


def _is_bought(entry: _Entry) -> bool:
    return entry.fields.get("N", "").lower().startswith(_BOUGHT)
