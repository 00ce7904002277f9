"""The past as rows: where a record stood at an instant, or how many records were where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from ...errors import BadInput
from ...machine import State
from ...workflow import Move

STOOD = ("kind", "id", "axis", "scope", "version", "state", "since", "actor", "reason")
COUNTED = ("kind", "axis", "scope", "state", "records")


def stood(moves: Iterable[Move]) -> list[dict[str, Any]]:
    """Return each move as the place that it put the record in."""
    return [
        {
            "kind": move.kind,
            "id": move.id,
            "axis": move.axis,
            "scope": move.scope,
            "version": move.version,
            "state": move.new,
            "since": move.at,
            "actor": move.actor,
            "reason": move.reason,
        }
        for move in moves
    ]


def counted(counts: Mapping[tuple[str, str, str | None, State], int]) -> list[dict[str, Any]]:
    return [dict(zip(COUNTED, (*place, number), strict=True)) for place, number in counts.items()]


def instant(text: str) -> datetime:
    """Read an instant that a person wrote."""
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise BadInput(f"{text!r} is not an instant", hint="Write it as 2026-01-31T09:00:00Z.") from error
