"""Keeps the ids of rows when a file is parsed again: an equal row has the id it had, a new one gets an id that was never used."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .parsed import ObservedRow, Parsed


def kept_ids(before: Sequence[ObservedRow], after: Sequence[ObservedRow]) -> dict[int, int]:
    """For each new row its id: that of the first equal row before, in their order, else one beyond all of them."""
    free: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for row in before:
        free[_key(row)].append(row.row_id)
    following = max((row.row_id for row in (*before, *after)), default=-1) + 1
    ids: dict[int, int] = {}
    for row in after:
        equal = free[_key(row)]
        if equal:
            ids[row.row_id] = equal.pop(0)
        else:
            ids[row.row_id], following = following, following + 1
    return ids


def _key(row: ObservedRow) -> tuple[str, str, str]:
    return row.date, row.description, row.amount


def with_ids(parsed: Parsed, ids: Mapping[int, int]) -> Parsed:
    """The same file with other ids of rows, also in what is said about them."""
    return replace(
        parsed,
        rows=sorted(
            (replace(row, row_id=ids[row.row_id]) for row in parsed.rows), key=lambda row: row.row_id
        ),
        warnings=[replace(one, row_id=_new(one.row_id, ids)) for one in parsed.warnings],
    )


def log_with_ids(log: Mapping[str, Any], ids: Mapping[int, int]) -> dict[str, Any]:
    """The log with the ids that its rows got."""
    warnings = [
        {**one, "row_id": ids.get(one["row_id"], one["row_id"])} if "row_id" in one else one
        for one in log["warnings"]
    ]
    return {**log, "warnings": warnings}


def _new(row_id: int | None, ids: Mapping[int, int]) -> int | None:
    return None if row_id is None else ids.get(row_id, row_id)
