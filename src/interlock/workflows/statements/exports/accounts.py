"""Names of accounts for double entry: where the money is, and what it was for; only letters, digits and hyphens survive."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache
from hashlib import sha256

UNCATEGORIZED = "uncategorized"
EARNED = {"salary", "income", "interest", "investments", "deposits", UNCATEGORIZED}
"""Categories that are income when money comes in; in every other one it is an expense given back."""
MOVED = {"transfers", "card_payment", "cash", "checks"}
"""Money that only changed its place; the other side is not in this file."""
OWED = {"credit_card", "loan"}
_WORDS = re.compile(r"[A-Za-z0-9]+")


@lru_cache(maxsize=4096)
def component(name: str) -> str:
    """One part of an account's name: `my card 1234` is `My-Card-1234`; what has no Latin letters keeps a name of its own by its digest."""
    plain = unicodedata.normalize("NFKD", name)
    words = _WORDS.findall("".join(letter for letter in plain if not unicodedata.combining(letter)))
    lost = any(
        letter.isalnum() and not letter.isascii() for letter in plain if not unicodedata.combining(letter)
    )
    if not words or lost:
        words.append("X" + sha256(name.encode("utf-8", "replace")).hexdigest()[:8])
    return "-".join(word[:1].upper() + word[1:] for word in words)[:80].rstrip("-")


def money_account(account: str, account_type: str = "") -> str:
    """Where the money is, or for cards and loans where it is owed."""
    root = "Liabilities" if account_type in OWED else "Assets"
    return f"{root}:{component(account) if account.strip() else 'Unknown'}"


def purpose_account(category: str, amount: Decimal) -> str:
    """The other side of the entry."""
    name = category or UNCATEGORIZED
    if name in MOVED:
        return f"Equity:{component(name)}"
    return f"{'Income' if amount > 0 and name in EARNED else 'Expenses'}:{component(name)}"
