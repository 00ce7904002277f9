"""What reading a statement gives: rows as they are printed, what was skipped, and what was wrong; plain values, no database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any, Literal

Severity = Literal["info", "warning"]
SIGN_IS_GUESSED = "no sign is printed and no balance shows it: taken as money out"
OTHER_SIGN_FITS = "the balances allow another sign"
SIGN_GUESSES = frozenset((SIGN_IS_GUESSED, OTHER_SIGN_FITS))
"""Warnings of rows whose direction nothing in the file proves."""
MOST_GAPS = 20


@dataclass(frozen=True, slots=True)
class ObservedRow:
    """One transaction as printed. `sign` times the printed amount is money in (+) or out (−): Amex and Discover print it the other way.

    A date that is printed without its year is completed from the statement's period; everything else stays as printed.
    """

    row_id: int
    date: str
    description: str
    amount: str
    currency: str = "USD"
    account: str = ""
    sign: Literal[1, -1] = 1
    warnings: tuple[str, ...] = ()
    decimal_separator: str = (
        ""  # "." or ",": what the whole file showed; empty: the normalizer's own rules decide
    )
    date_format: str = (
        ""  # "ymd", "mdy", "dmy" or a format such as "dd.mm.yyyy", as the whole file showed; empty: as above
    )
    posted_date: str = ""
    """The day of posting as printed, where the file has it beside the day of the transaction."""
    reference: str = ""
    """The bank's own identifier of the row: FITID, reference, check number."""
    source_category: str = ""
    """The file's own category."""
    kind: str = "cash"
    """`cash`; `trade`: a trade that moved cash; `position`: one that moved none and becomes no transaction."""
    trade: tuple[tuple[str, str], ...] = ()
    """Of a trade: action, symbol, quantity and price, as printed."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A warning about the file, or about one of its rows."""

    message: str
    row_id: int | None = None
    severity: Severity = "warning"
    topic: str = ""
    """What it is about where a person can decide it: `currency`, `dates`, `signs`, `decimal`, `balance`."""


@dataclass(frozen=True, slots=True)
class RowError:
    """A row that could not be read; the others are kept."""

    error_code: str
    message: str
    row_id: int | None = None


@dataclass(frozen=True, slots=True)
class Balance:
    """What the file itself says of one account: checked against the sum of its rows. It `proves` its rows unless one end was computed
    from the only row there is."""

    account: str
    beginning: Decimal
    ending: Decimal
    total: Decimal
    rows: int = 0
    proves: bool = True

    @property
    def difference(self) -> Decimal:
        """By how much the rows miss the ending balance."""
        return abs(self.beginning + self.total - self.ending)

    @property
    def agrees(self) -> bool:
        """Within a cent; only what agrees exactly proves its rows."""
        return self.difference <= Decimal("0.01")


@dataclass(slots=True)
class Parsed:
    """The whole result of one parser on one file."""

    parser_id: str
    parser_version: str
    source_type: str
    mime_type: str
    rows: list[ObservedRow] = field(default_factory=list)
    rows_skipped: int = 0
    warnings: list[Remark] = field(default_factory=list)
    errors: list[RowError] = field(default_factory=list)
    balances: list[Balance] = field(default_factory=list)
    assumptions: list[Remark] = field(default_factory=list)
    """What was taken for certain although nothing in the file proves it: currency, order of dates, which sign is money out."""
    layout_is_inferred: bool = False
    """The columns were recognised by their words and contents, not by a layout that is known."""
    are_signs_decided: bool = False
    """A person decided which way amounts go."""
    names_directions: bool = False
    """The file itself says which way each amount went: by columns of money out and money in, or by marks of debit and credit."""
    decided_account: str = ""
    """The account that a person decided on, where the decision holds for this file."""
    is_stated_empty: bool = False
    """The file itself says that it has no transactions."""
    currency: str = ""
    account_type: str = ""
    institution: str = ""
    title: str = ""
    """The line in which a file of a bank that is not known names itself: where it has no institution, decisions are kept apart by it."""
    bank_code: str = ""
    """The code by which a file names its bank where it does not name it in words: BANKID or FID of OFX, the sender of an MT940."""
    period: tuple[date | None, date | None] = (None, None)
    layout: str = ""
    """What files of the same bank and layout have in common; a person's decision about one is kept for the next by it."""
    stated_closing: str | None = None
    """A closing balance without an opening one."""


class ParseFault(Exception):
    """The file as a whole cannot be read: PDF_CORRUPT, PDF_ENCRYPTED, LAYOUT_MISMATCH, NO_TEXT_LAYER …; never retried."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message = code, message

    def __reduce__(self) -> tuple[type[ParseFault], tuple[str, str]]:
        return ParseFault, (self.code, self.message)  # it travels from the parsing process


def add_balance(
    parsed: Parsed,
    account: str,
    beginning: Decimal | None,
    ending: Decimal | None,
    total: Decimal,
    rows: int,
) -> Balance | None:
    """Keep what an account begins and ends at, and warn where its rows do not lead from one to the other. None: an end is not stated."""
    if beginning is None or ending is None:
        parsed.warnings.append(
            Remark(
                f"account {account or '?'}: the file does not state both balances, so the sum is not checked",
                severity="info",
            )
        )
        return None
    balance = Balance(account, beginning, ending, total, rows)
    parsed.balances.append(balance)
    if not balance.agrees:
        parsed.warnings.append(mismatch(balance))
    return balance


def doubt_gaps(parsed: Parsed, balances: Sequence[Balance]) -> None:
    """Warn where statements of one account, in the order of the file or its reverse, do not follow each other."""
    pairs = list(pairwise(balances))
    downwards = [(before, after) for before, after in pairs if before.ending != after.beginning]
    upwards = [(after, before) for before, after in pairs if after.ending != before.beginning]
    for before, after in min(downwards, upwards, key=len)[:MOST_GAPS]:
        parsed.warnings.append(
            Remark(
                f"account {before.account or '?'}: one statement ends at {before.ending} and the next begins at {after.beginning}; "
                "what was between them is missing"
            )
        )


def assume(parsed: Parsed, message: str, topic: str = "") -> None:
    """Note once that something was taken for certain which the file does not state."""
    if all(remark.message != message for remark in parsed.assumptions):
        parsed.assumptions.append(Remark(message, topic=topic))


def mismatch(balance: Balance) -> Remark:
    """The warning that an account's rows do not lead from its beginning to its end."""
    return Remark(
        f"account {balance.account or '(unnamed)'}: beginning balance {balance.beginning} and the rows' sum {balance.total} "
        f"make {balance.beginning + balance.total}, but the ending balance is {balance.ending}",
        topic="balance",
    )


def kept_ids(before: Sequence[ObservedRow], after: Sequence[ObservedRow]) -> dict[int, int]:
    """For each new row its id: that of the first equal row before, in their order, else one beyond all of them."""
    free: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for row in before:
        free[_key(row)].append(row.row_id)
    following = max((row.row_id for row in (*before, *after)), default=-1) + 1
    ids: dict[int, int] = {}
    for row in after:
        equal = free[_key(row)]
        if equal:
            ids[row.row_id] = equal.pop(0)
        else:
            ids[row.row_id], following = following, following + 1
    return ids


def _key(row: ObservedRow) -> tuple[str, str, str]:
    return row.date, row.description, row.amount


def with_ids(parsed: Parsed, ids: Mapping[int, int]) -> Parsed:
    """The same file with other ids of rows, also in what is said about them."""
    return replace(
        parsed,
        rows=sorted(
            (replace(row, row_id=ids[row.row_id]) for row in parsed.rows), key=lambda row: row.row_id
        ),
        warnings=[replace(one, row_id=_new(one.row_id, ids)) for one in parsed.warnings],
    )


def log_with_ids(log: Mapping[str, Any], ids: Mapping[int, int]) -> dict[str, Any]:
    """The log with the ids that its rows got."""
    warnings = [
        {**one, "row_id": ids.get(one["row_id"], one["row_id"])} if "row_id" in one else one
        for one in log["warnings"]
    ]
    return {**log, "warnings": warnings}


def _new(row_id: int | None, ids: Mapping[int, int]) -> int | None:
    return None if row_id is None else ids.get(row_id, row_id)
