"""What may be submitted: known types, languages and levels, ids that an address can have, and payloads that every database keeps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from interlock.errors import BadInput

from .tables import LANGUAGES, LEVELS, RESERVED_IDS
from .types import ContentType

DEEPEST = 32
ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_SURROGATE = re.compile("[\ud800-\udfff]")


def check_item(row: Mapping[str, Any], types: Mapping[str, ContentType]) -> None:
    """Refuse an item whose type, language or level is unknown, whose id no address can have, or whose payload no database keeps."""
    for name, known in (("item_type", types), ("language", LANGUAGES), ("level", LEVELS)):
        if not isinstance(row[name], str) or row[name] not in known:
            raise BadInput(
                f"the {name.removeprefix('item_')} is {row[name]!r:.60}; known are {', '.join(known)}",
                column=name,
            )
    id = row["item_id"]
    if not isinstance(id, str) or not ID.fullmatch(id):
        raise BadInput(f"{id!r:.80} is no id: 1 to 64 letters, digits and _ . : -", column="item_id")
    if id in RESERVED_IDS:
        raise BadInput(f"{id!r} is an address of the API; name the item otherwise", column="item_id")
    if not is_confidence(row["confidence"]):
        raise BadInput(f"confidence is {row['confidence']!r}, not a number from 0 to 1", column="confidence")
    if not isinstance(row["submitted"], Mapping):
        raise BadInput("content is submitted with a payload: an object in the column submitted")
    refuse_unstorable(row["submitted"])


def is_confidence(value: Any) -> bool:
    """Whether it says how sure a source is: a number from 0 to 1, or None."""
    return value is None or (
        isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    )


def refuse_unstorable(payload: Any) -> None:
    """Refuse a payload that not every database keeps: with a character that is none, a number that is none, or nested too deep."""
    waiting = [(payload, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > DEEPEST:
            raise BadInput(f"the payload is nested deeper than {DEEPEST} levels")
        if isinstance(value, str) and not _is_text(value):
            raise BadInput("the payload has a character that no database keeps")
        if isinstance(value, float) and not isfinite(value):
            raise BadInput("the payload has a number that JSON does not know")
        if isinstance(value, Mapping):
            waiting += [(one, depth + 1) for pair in value.items() for one in pair]
        elif isinstance(value, list | tuple):
            waiting += [(one, depth + 1) for one in value]


def _is_text(value: str) -> bool:
    return "\x00" not in value and (value.isascii() or not _SURROGATE.search(value))
