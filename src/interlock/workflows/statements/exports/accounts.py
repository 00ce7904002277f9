"""Names of accounts for double entry: where the money is, and what it was for; only letters, digits and hyphens survive."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from hashlib import sha256
from typing import Any

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


def money_account(account: str, account_type: str = "", unnamed: str = "") -> str:
    """Where the money is, or for cards and loans where it is owed; `unnamed` tells files apart that name no account."""
    root = "Liabilities" if account_type in OWED else "Assets"
    if account.strip():
        return f"{root}:{component(account)}"
    return f"{root}:Unknown:{component(unnamed)}" if unnamed else f"{root}:Unknown"


def money_account_of(row: Mapping[str, Any]) -> str:
    """The same for a transaction: without an account, one for its upload, named after the file."""
    name, upload_id = str(row.get("file_name") or ""), str(row.get("upload_id") or "")
    unnamed = f"{name.rpartition('.')[0] or name} {upload_id[-4:]}" if name else ""
    return money_account(row["account"], row.get("account_type", ""), unnamed)


def purpose_account(category: str, amount: Decimal) -> str:
    """The other side of the entry."""
    name = category or UNCATEGORIZED
    if name in MOVED:
        return f"Equity:{component(name)}"
    return f"{'Income' if amount > 0 and name in EARNED else 'Expenses'}:{component(name)}"
