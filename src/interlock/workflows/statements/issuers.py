"""Tells apart the accounts of banks that nobody knows: few digits name no account by themselves."""

from __future__ import annotations

from hashlib import sha256

from .normalize.canonical import is_partial
from .parsed import Parsed


def issuer_of(parsed: Parsed) -> str | None:
    """What stands for the bank in the accounts of a file that names none it is known by: the title above its rows, and its layout. None
    where the bank is known, or every account is a whole number."""
    if parsed.institution or not any(is_partial(row.account) for row in parsed.rows):
        return None
    digest = sha256(parsed.layout.encode("utf-8", "replace")).hexdigest()
    return f"{parsed.title or 'layout'} {digest[:4]}"
