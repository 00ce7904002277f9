"""Records that a stage found: staged with its report, admitted by a coordinator."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from .connect import driver_connection
from .work import WorkRows


class Arrival(NamedTuple):
    """One record that waits to be admitted."""

    position: int
    kind: str
    record: dict[str, Any]
    source_kind: str
    source_id: str
    token: str


class Found(NamedTuple):
    """What one attempt found."""

    source_kind: str
    source_id: str
    token: str
    kind: str
    rows: Sequence[Mapping[str, Any]]


def stage(work: WorkRows, tx: Connection, found: Sequence[Found]) -> None:
    """Keep everything that was found, set-based: fifty thousand rows of a sitemap are a normal case."""
    rows = [(one.kind, json.dumps(dict(row), default=str), one.source_kind, one.source_id, one.token) for one in found for row in one.rows]
    if not rows:
        return
    if work.sqlite:
        now = work.timing.values()["now"]
        driver_connection(tx).executemany("INSERT INTO interlock_intake(kind, record, source_kind, source_id, token, at) "
                                          "VALUES (?, ?, ?, ?, ?, ?)", [(*row, now) for row in rows])
        return
    names = ("kinds", "records", "source_kinds", "source_ids", "tokens")
    work.run(tx, "INSERT INTO interlock_intake(kind, record, source_kind, source_id, token, at) SELECT a.*, NOW FROM unnest("
                 + ", ".join(f"%({name})s::text[]" for name in names) + ") a",
             {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)})


def waiting(work: WorkRows, tx: Connection, limit: int) -> list[Arrival]:
    """The oldest that nobody else is admitting, locked."""
    rows = work.run(tx, "SELECT position, kind, record, source_kind, source_id, token FROM interlock_intake ORDER BY position "
                        f"LIMIT %(limit)s{work.locked(skip=True)}", {"limit": limit}).fetchall()
    return [Arrival(row[0], row[1], json.loads(row[2]), *row[3:]) for row in rows]


def remove(work: WorkRows, tx: Connection, positions: Sequence[int]) -> None:
    work.run(tx, f"DELETE FROM interlock_intake WHERE {work.among('position', 'positions', 'bigint')}", {"positions": list(positions)})
