"""The records that a stage found, as chunks to be staged: what is wrong with one of them is kept in its place."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from ...store.entry import is_text
from ...store.work.attempts import Attempt
from ...store.work.children import CHUNK, Chunk
from ...workflow import Done, Found, Outcome
from .facts import BadFact

ACTOR_LIMIT = 200
REASON_LIMIT = 4000


def chunks_of(attempt: Attempt, outcome: Outcome[Any], kinds: Collection[str]) -> list[Chunk]:
    """The children of one outcome; raises `BadFact` where they are not rows of a known kind."""
    if not isinstance(outcome, Done) or not outcome.admits:
        return []
    found = []
    admits: Mapping[Any, Any] = outcome.admits
    for kind, children in admits.items():
        if not isinstance(kind, str) or kind not in kinds:
            raise BadFact(f"it admits records of {ascii(kind)[:80]}, and this app has no such workflow")
        for group in _groups(kind, children):
            actor, reason = _admitted_by(kind, group)
            rows = _rows(kind, group.rows)
            found += [
                Chunk(attempt, kind, _text(part), len(part), actor, reason)
                for part in (rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK))
            ]
    return found


def _groups(kind: str, children: Any) -> list[Found]:
    """Rows by who admits them and why: plain rows first, then each Found that stands among them."""
    if isinstance(children, Found):
        return [children]
    listed = _rows(kind, children, among=Mapping | Found)
    plain = [one for one in listed if not isinstance(one, Found)]
    return [*([Found(plain)] if plain else []), *(one for one in listed if isinstance(one, Found))]


def _admitted_by(kind: str, children: Found) -> tuple[str | None, str | None]:
    parts: list[tuple[str, Any, int]] = [
        ("actor", children.actor, ACTOR_LIMIT),
        ("reason", children.reason, REASON_LIMIT),
    ]
    for name, value, limit in parts:
        is_fit = (
            isinstance(value, str)
            and value.strip()
            and len(value) <= limit
            and "\0" not in value
            and is_text(value)
        )
        if value is not None and not is_fit:
            raise BadFact(f"the {name} of the {kind} it admits is text of 1 to {limit} characters")
    return children.actor, children.reason


def _rows(kind: str, rows: Iterable[Any], among: Any = Mapping) -> list[Any]:
    try:
        found = list(rows)
    except Exception as error:
        raise BadFact(f"the {kind} it admits are no sequence of rows: {type(error).__name__}") from error
    for row in found:
        if not isinstance(row, among):
            raise BadFact(
                f"a row of the {kind} it admits is a mapping of column names to values, not {type(row).__name__}"
            )
    return found


def _carried(value: Any) -> Any:
    """What JSON does not know, as the text that its column's type reads."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal | UUID | timedelta):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a value of type {type(value).__name__} cannot be carried to a record")


_encode = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_carried
).encode


def _text(rows: list[Mapping[str, Any]]) -> str:
    """A JSON list of the rows; in the place of one that cannot be written, why."""
    try:
        text = _encode(rows)
        if is_text(text) and "\\u0000" not in text:
            return text
    except Exception:  # noqa: BLE001 one of them; which one is looked for below
        pass
    return _encode([_row(row) for row in rows])


def _row(row: Mapping[str, Any]) -> Any:
    try:
        text = _encode(row)
        if not is_text(text):
            return "a value holds half of a surrogate pair, which is no text"
        return (
            "a value holds a null character, which no database keeps"
            if "\\u0000" in text
            else json.loads(text)
        )
    except Exception as error:  # noqa: BLE001 whatever the values' own classes raise
        return (
            f"{type(error).__name__}: {error}"[:300].encode("utf-8", "backslashreplace").decode()
            if type(error) in (TypeError, ValueError)
            else type(error).__name__
        )
