"""Passes the metadata of moves to the triggers that write history: one setting for each axis, valid for one statement only."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ....workflow.columns.instant import instant_text
from ...entry import EntryTemplate
from ...placement import Placement
from ...sql import identifier

ACTOR, ROLE, CAUSE, ORIGIN, MACHINE, DETAIL, AT, TURN, TOKENS, HASHES, STAMP, DIGESTS = (
    f"said[{number}]" for number in range(1, 13)
)
"""The parts of the context, as the triggers read them. The stamp is the server's: a context holds for the statement that set it. Digests
come last, so that processes of an earlier version, which send none, are understood too."""


@lru_cache(maxsize=1024)
def setting(kind: str, axis: str) -> str:
    """The name of the setting that carries the context of an axis' moves."""
    return f"interlock.{identifier('said', kind, axis)}"


def move_context(
    template: EntryTemplate,
    turn: int = 0,
    tokens: Mapping[str, str] | None = None,
    hashes: Mapping[str, str] | None = None,
    digests: Mapping[str, str] | None = None,
) -> list[str]:
    """Everything of an entry that its row cannot say, as an array literal in two parts; the server puts its stamp between them.

    `turn` is the place of this axis among those that move together. By record id: `tokens` name the attempt whose report is applied,
    `hashes` the head of what leaves no row behind, `digests` the detail of each entry where rows have their own.
    """
    detail = None if template.detail is None else f"\\x{template.detail.digest.hex()}"
    parts = (
        template.actor,
        template.role,
        template.cause,
        template.origin,
        template.machine,
        detail,
        instant_text(template.at),
        str(turn),
        _map(tokens),
        _map(hashes),
    )
    return [unstamped(parts), "}" if digests is None else f",{_quoted(json.dumps(digests))}}}"]


def _map(values: Mapping[str, str] | None) -> str | None:
    return None if values is None else json.dumps(values)


def unstamped(parts: Iterable[str | None]) -> str:
    """An array literal that lacks its stamp and its end."""
    return array_literal(parts)[:-1] + ","


def array_literal(parts: Iterable[str | None]) -> str:
    """Texts as PostgreSQL writes an array of them."""
    return "{" + ",".join(["NULL" if part is None else _quoted(part) for part in parts]) + "}"


def _quoted(part: str) -> str:
    if "\\" in part or '"' in part:
        part = part.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{part}"'


def sets_context(places: Iterable[Placement]) -> str:
    """Always-true predicate that passes the metadata of moves to the trigger through `set_config`; evaluated once, before any row."""
    each = " || ".join(
        f"set_config('{setting(place.kind, place.name)}', %(context{number})s || statement_timestamp()::text || %(behind{number})s, true)"
        for number, place in enumerate(places)
    )
    return f"(SELECT {each}) IS NOT NULL"


def context_parameters(number: int, parts: list[str]) -> dict[str, str]:
    """The parameters of `sets_context` for the axis with this number."""
    return {f"context{number}": parts[0], f"behind{number}": parts[1]}


def sets_context_in_server(place: Placement, cause: str, tokens: str, digests: str | None) -> str:
    """The same for statements that gather their rows in the server: cause, tokens and digests are SQL, the rest are parameters."""
    parts = [
        "%(actor)s::text",
        "%(role)s::text",
        cause,
        "%(origin)s::text",
        "%(machine)s::text",
        "NULL",
        "%(instant)s::text",
        "'0'",
        tokens,
        "NULL",
        "statement_timestamp()::text",
        *([] if digests is None else [digests]),
    ]
    return f"(SELECT set_config('{setting(place.kind, place.name)}', ARRAY[{', '.join(parts)}]::text, true)) IS NOT NULL"
