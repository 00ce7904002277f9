"""A journal for beancount: an account is opened where it is first used, on the earliest day a statement can have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from ..normalize.dates import EARLIEST
from .accounts import money_account_of, purpose_account
from .contract import Row, one_line, plain

OPENED = EARLIEST.isoformat()
"""Beancount sorts by day, so where an `open` stands does not matter; a stream cannot know all accounts at its beginning."""


def beancount(rows: Iterable[Row]) -> Iterator[str]:
    """Entries in the order of the rows; those that a person should look at are marked with `!`."""
    opened: set[str] = set()
    for row in rows:
        amount = Decimal(row["amount"])
        money, purpose = (
            money_account_of(row),
            purpose_account(row["category"], amount),
        )
        for account in (money, purpose):
            if account not in opened:
                opened.add(account)
                yield f"{OPENED} open {account}\n\n"
        yield entry(row, amount, money, purpose)


def entry(row: Row, amount: Decimal, money: str, purpose: str) -> str:
    mark = "!" if "manual_review_required" in row["flags"] else "*"
    tags = "".join(f" #{flag.replace('_', '-')}" for flag in row["flags"])
    header = f"{plain(row['date'])} {mark} {quoted(row['merchant'])} {quoted(row['description'])}{tags}"
    return (
        f"{header}\n  canonical_id: {quoted(row['canonical_id'])}\n  observation_id: {quoted(row['observation_id'])}\n"
        f"  {money}  {amount:f} {row['currency']}\n  {purpose}  {-amount:f} {row['currency']}\n\n"
    )


def quoted(text: str) -> str:
    """A text that only its own end can end."""
    escaped = one_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
