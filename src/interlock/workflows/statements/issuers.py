"""Tells apart the accounts of banks that nobody knows: few digits name no account by themselves."""

from __future__ import annotations

from hashlib import sha256

from .normalize.canonical import is_partial
from .parsed import Parsed, Remark
from .parsers.csv.parser import MIME as TABLE
from .parsers.media import MIME_TYPES

OWN_LAYOUTS = (TABLE, MIME_TYPES["pdf"])
"""Files of which each bank makes its own kind: there the layout stands for the bank."""


def issuer_of(parsed: Parsed) -> str | None:
    """What stands for the bank in the accounts of a file that names none it is known by: its code, else the title above its rows, and its
    layout. None where the bank is known, or every account is a whole number."""
    if parsed.institution or not any(is_partial(row.account) for row in parsed.rows):
        return None
    if parsed.bank_code:
        return parsed.bank_code
    digest = sha256(parsed.layout.encode("utf-8", "replace")).hexdigest()
    return f"{parsed.title or 'layout'} {digest[:4]}"


def shared_account(parsed: Parsed) -> Remark | None:
    """A warning where another bank's account would be taken for the one of this file: few digits, and nothing that stands for the bank."""
    account = next((row.account for row in parsed.rows if is_partial(row.account)), None)
    is_told = parsed.institution or parsed.title or parsed.bank_code or parsed.mime_type in OWN_LAYOUTS
    if account is None or is_told or parsed.decided_account:
        return None
    return Remark(
        f"account {account} is no whole number, and nothing in the file says whose it is: an account of another bank with these digits "
        "would be taken for the same",
        topic="account",
    )
