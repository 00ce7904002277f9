"""What a statement says of the moves it makes, to the triggers that write history: one setting for each axis, gone with the statement."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ...workflow.instant import written
from ..entry import EntryTemplate
from ..guarded import identifier
from ..placement import Placement

ACTOR, ROLE, CAUSE, ORIGIN, MACHINE, DETAIL, AT, TURN, TOKENS, HASHES, STAMP = (f"said[{number}]" for number in range(1, 12))
"""The parts of what is said, as the triggers read them. The stamp is the server's: what was said in one statement holds for no other."""
STAMPED = "statement_timestamp()::text || '}'"


@lru_cache(maxsize=1024)
def setting(kind: str, axis: str) -> str:
    """The name of the setting in which an axis' moves are explained."""
    return f"interlock.{identifier('said', kind, axis)}"


def said(template: EntryTemplate, turn: int = 0, tokens: Mapping[str, str] | None = None, hashes: Mapping[str, str] | None = None) -> str:
    """Everything of an entry that its row cannot say, as an array literal that only lacks its stamp.

    `turn` is the place of this axis among those that move together, `tokens` and `hashes` are by record id: whose attempt it was, and the
    head of what leaves no row behind.
    """
    detail = None if template.detail is None else f"\\x{template.detail.digest.hex()}"
    parts = (template.actor, template.role, template.cause, template.origin, template.machine, detail, written(template.at), str(turn),
             None if tokens is None else json.dumps(tokens), None if hashes is None else json.dumps(hashes))
    return unstamped(parts)


def unstamped(parts: Iterable[str | None]) -> str:
    return literal(parts)[:-1] + ","


def literal(parts: Iterable[str | None]) -> str:
    """Texts as PostgreSQL writes an array of them."""
    return "{" + ",".join(["NULL" if part is None else _quoted(part) for part in parts]) + "}"


def _quoted(part: str) -> str:
    if "\\" in part or '"' in part:
        part = part.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{part}"'


def spoken(places: Iterable[Placement]) -> str:
    """A condition that is true, and says it all: asked once, before any row is touched."""
    each = " || ".join(f"set_config('{setting(place.kind, place.name)}', %(said{number})s || {STAMPED}, true)"
                       for number, place in enumerate(places))
    return f"(SELECT {each}) IS NOT NULL"


def spoken_there(place: Placement, cause: str, tokens: str) -> str:
    """The same, put together by the server itself: the cause and the tokens are SQL, everything else is a parameter of its name."""
    parts = ["%(actor)s::text", "%(role)s::text", cause, "%(origin)s::text", "%(machine)s::text", "NULL", "%(instant)s::text", "'0'",
             tokens, "NULL", "statement_timestamp()::text"]
    return f"(SELECT set_config('{setting(place.kind, place.name)}', ARRAY[{', '.join(parts)}]::text, true)) IS NOT NULL"
