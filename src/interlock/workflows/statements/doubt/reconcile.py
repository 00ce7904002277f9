"""Judges a parsed file by what the file itself states: whether its rows are proved, what remains in doubt, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256
from itertools import pairwise
from typing import Any, Literal

from ..parsed import Parsed, Remark
from ..parsers.csv.parser import MIME as TABLE
from ..parsers.pdf.dates import MONTHS
from .days import OUTSIDE, days_of, far_outside

Reconciled = Literal["yes", "no", "unknown"]
MOST_ROWS_NAMED = 20
CODE = re.compile(r"[A-Za-z]{3}")
WORD = re.compile(r"[^\W\d_]+")
FIELDS = (
    "reconciled",
    "opening_balance",
    "closing_balance",
    "statement_from",
    "statement_to",
    "currency",
    "account",
    "account_type",
    "institution",
    "rows_skipped",
    "warnings_count",
)
"""What an upload carries about its file once it was parsed."""

NOTHING_PROVED: dict[str, Any] = {
    **dict.fromkeys(FIELDS),
    "reconciled": "no",
    "rows_skipped": 0,
    "warnings_count": 0,
}
"""What an upload carries whose file could not be read at all."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """`yes`: balances that the file states prove every row and nothing was assumed. `no`: something contradicts the rows.
    `unknown`: neither. The remarks are all of the file's, with the reasons of this judgement last."""

    reconciled: Reconciled
    remarks: list[Remark] = field(default_factory=list)

    @property
    def warnings(self) -> int:
        """How many remarks a person should read; the others only inform."""
        return sum(1 for remark in self.remarks if remark.severity == "warning")


def judge(parsed: Parsed) -> Judgement:
    """Weigh balances, errors and assumptions of a parsed file."""
    reasons = list(_reasons(parsed))
    remarks = [*parsed.warnings, *parsed.assumptions, *reasons, *_rows_in_doubt(parsed)]
    if parsed.errors or any(not balance.agrees for balance in parsed.balances):
        return Judgement("no", remarks)
    doubtful = reasons or any(remark.severity == "warning" for remark in remarks)
    return Judgement("unknown" if doubtful else "yes", remarks)


def _reasons(parsed: Parsed) -> Iterator[Remark]:
    """Why the file's own balances do not prove all of its rows."""
    severity: Literal["info", "warning"] = "warning" if parsed.layout_is_inferred else "info"
    proving = [balance for balance in parsed.balances if balance.proves]
    if not parsed.rows:
        if not proving and not parsed.is_stated_empty and not parsed.errors:
            yield Remark("the file states no balances that would show that it has no transactions")
        return
    yield from _rows_outside(parsed)
    if not proving:
        yield Remark(
            "the file states no balances at both ends, so nothing in it proves that every row was read with the right sign",
            severity="info" if parsed.are_signs_decided else severity,
        )
        return
    yield from (
        Remark(
            f"account {balance.account or '(unnamed)'}: rows and balances differ by {balance.difference}",
            topic="balance",
        )
        for balance in proving
        if balance.agrees and balance.difference
    )
    covered = sum(balance.rows for balance in proving)
    if covered < len(parsed.rows):
        yield Remark(
            f"balances prove {covered} of {len(parsed.rows)} rows; the others are not checked",
            severity=severity,
        )
    by_account: dict[str, set[str]] = {}
    for row in parsed.rows:
        by_account.setdefault(row.account, set()).add(row.currency)
    for account, currencies in by_account.items():
        if len(currencies) > 1 and len(proving) < len(currencies):
            names = ", ".join(sorted(currencies))
            yield Remark(
                f"account {account or '(unnamed)'} has rows in {names} and one balance for all of them"
            )


def _rows_outside(parsed: Parsed) -> Iterator[Remark]:
    """Say how many rows lie far outside of the period that the file states, unless its parser said so."""
    if any(OUTSIDE in remark.message for remark in (*parsed.warnings, *parsed.assumptions)):
        return
    if beyond := far_outside(days_of(parsed.rows), parsed.period):
        start, end = parsed.period
        rows = "1 row lies" if beyond == 1 else f"{beyond} rows lie"
        yield Remark(f"{rows} {OUTSIDE}, {start} to {end}", topic="dates")


def _rows_in_doubt(parsed: Parsed) -> Iterator[Remark]:
    """The rows' own warnings, as warnings of the file, unless it has them already."""
    said = {(remark.row_id, remark.message.rpartition(": ")[2]) for remark in parsed.warnings}
    doubtful = [
        (row.row_id, warning)
        for row in parsed.rows
        for warning in row.warnings
        if (row.row_id, warning) not in said
    ]
    for row_id, warning in doubtful[:MOST_ROWS_NAMED]:
        yield Remark(warning, row_id)
    if len(doubtful) > MOST_ROWS_NAMED:
        yield Remark(f"{len(doubtful) - MOST_ROWS_NAMED} more rows have warnings of their own")


def layout_key(parsed: Parsed) -> str:
    """A digest of bank, type of account and layout: decisions are kept by it, and no words of the file are."""
    parts = (parsed.institution, issuer_of(parsed), known_type(parsed), parsed.layout)
    return sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()


def issuer_of(parsed: Parsed) -> str:
    """Who made a file of a bank that is not known: its code, or the words of its title, without numbers and months; empty where it has
    neither."""
    if parsed.bank_code and not parsed.institution:
        return parsed.bank_code
    words = WORD.findall("" if parsed.institution else parsed.title.casefold())
    return " ".join(word for word in words if word not in MONTHS)


def known_type(parsed: Parsed) -> str:
    """The type of account, unless the parser inferred it from the signs of a table: these are what a person decides."""
    is_inferred = parsed.layout_is_inferred and parsed.mime_type == TABLE
    return "" if is_inferred else parsed.account_type


def facts_of(parsed: Parsed, judgement: Judgement, *, account: str | None = None) -> dict[str, Any]:
    """The columns of the upload; `account` is the one that a person named, which wins over the file's own."""
    opening, closing = _ends(parsed)
    currencies = {row.currency for row in parsed.rows}
    accounts = {row.account for row in parsed.rows if row.account}
    first, last = parsed.period
    currency = currencies.pop() if len(currencies) == 1 else "" if currencies else parsed.currency
    return {
        "reconciled": judgement.reconciled,
        "opening_balance": opening,
        "closing_balance": closing,
        "statement_from": first.isoformat() if first else None,
        "statement_to": last.isoformat() if last else None,
        "currency": currency if CODE.fullmatch(currency) else None,
        "account": account or (accounts.pop() if len(accounts) == 1 else None),
        "account_type": parsed.account_type or None,
        "institution": parsed.institution or None,
        "rows_skipped": parsed.rows_skipped,
        "warnings_count": judgement.warnings,
    }


def _ends(parsed: Parsed) -> tuple[str | None, str | None]:
    """Opening and closing balance of the only account that states them; statements that follow each other are one."""
    balances = parsed.balances
    if not balances or len({balance.account for balance in balances}) > 1:
        return None, parsed.stated_closing
    for before, after in pairwise(balances):
        if before.ending != after.beginning:
            return None, None
    return _plain(balances[0].beginning), _plain(balances[-1].ending)


def _plain(value: Decimal) -> str:
    return f"{value:f}"
