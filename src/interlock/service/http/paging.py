"""Opaque cursors of keyset pages: where the last page ended, in letters that need no quoting in an address."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from ...errors import BadInput
from ...store.entry import plain


def cursor_of(id: Any) -> str:
    """The cursor behind this id."""
    return (
        base64.urlsafe_b64encode(json.dumps(plain(id), ensure_ascii=False, separators=(",", ":")).encode())
        .decode()
        .rstrip("=")
    )


def id_of(cursor: str) -> Any:
    """The id that a cursor stands behind; whether it can be an id of a kind is for that kind to say."""
    try:
        found = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError) as error:
        raise not_ours(cursor) from error
    if isinstance(found, bool) or not isinstance(found, str | int):
        raise not_ours(cursor)
    return found


def not_ours(cursor: str) -> BadInput:
    return BadInput(
        f"{cursor!r} is not a cursor",
        hint="Take `next` of the page before, as it is; the first page needs none.",
    )
