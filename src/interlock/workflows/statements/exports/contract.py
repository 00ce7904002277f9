"""What an export is: rows go in, pieces of text come out, nothing is held back; the same rows always give the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from ..uploads.logs import spelled

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
    "account_type",
    "flags",
    "confidence_score",
    "applied_rules",
    "normalized_at",
    "normalizer_version",
    "rule_set_version",
)
"""A canonical as it is exported, in this order; the attempt is the engine's business."""

UNRECONCILED = "unreconciled"


class Chosen:
    """Rows to be exported. Those of uploads whose balances contradict their rows are left out, unless everything is asked for; those that
    are outdated always. Both are counted, with the uploads that they are of."""

    def __init__(self, rows: Iterable[Row], everything: bool = False) -> None:
        self.rows, self.everything = rows, everything
        self.left_out, self.outdated = 0, 0
        self.uploads_left_out: set[str] = set()
        self.uploads_outdated: set[str] = set()

    def __iter__(self) -> Iterator[Row]:
        for row in self.rows:
            if row.get("is_outdated"):
                self.outdated += 1
                self.uploads_outdated.add(row["upload_id"])
            elif not self.everything and UNRECONCILED in row["flags"]:
                self.left_out += 1
                self.uploads_left_out.add(row["upload_id"])
            else:
                yield row


def plain(value: Any) -> Any:
    """Days and instants as text; everything else as it is."""
    if isinstance(value, datetime):
        return spelled(value)
    return value.isoformat() if isinstance(value, date) else value


def one_line(text: str) -> str:
    """Text that cannot end a line or hide in it."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
