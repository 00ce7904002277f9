"""What an export is: rows go in, pieces of text come out, nothing is held back; the same rows always give the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from ..logs import spelled

Row = Mapping[str, Any]
Export = Callable[[Iterable[Row]], Iterator[str]]

COLUMNS = (
    "canonical_id",
    "insertion_sequence",
    "upload_id",
    "observation_id",
    "date",
    "amount",
    "currency",
    "description",
    "merchant",
    "category",
    "account",
    "flags",
    "confidence_score",
    "applied_rules",
    "normalized_at",
    "normalizer_version",
    "rule_set_version",
)
"""A canonical as the API shows it, in this order; the attempt is the engine's business."""


def plain(value: Any) -> Any:
    """Days and instants as text; everything else as it is."""
    if isinstance(value, datetime):
        return spelled(value)
    return value.isoformat() if isinstance(value, date) else value


def one_line(text: str) -> str:
    """Text that cannot end a line or hide in it."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
