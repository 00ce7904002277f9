"""SQLite by hand: one transaction per batch on one connection, executemany, the version checked; WAL and a full flush at each commit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from interlock.store.engines import sqlite_driver
from interlock.workflow.columns.instant import instant_text

from ..kind import ACTOR, AXIS, KIND, MOVES, TABLE
from .steps import HASH, MACHINE, assignments

_ENTRY = (
    "INSERT INTO interlock_ledger(kind, record_id, axis, scope, version, from_state, to_state, at, actor, role, cause, origin, "
    f"machine, token, detail, hash) VALUES ('{KIND}', ?, '{AXIS}', '', ?, ?, ?, ?, '{ACTOR}', NULL, 'command.move', 'move', "
    f"'{MACHINE}', NULL, NULL, ?)"
)
_DELTA = f"INSERT INTO interlock_count_delta(kind, axis, scope, state, delta) VALUES ('{KIND}', '{AXIS}', '', ?, ?)"


def opened(path: Path) -> Any:
    """A connection with the settings that Interlock gives its own."""
    connection = sqlite_driver()[0].connect(str(path), isolation_level=None, cached_statements=128)
    for pragma in ("journal_mode = wal", "synchronous = FULL", "cache_size = -65536"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def update(step: int) -> str:
    return (
        f"UPDATE {TABLE} SET status = '{MOVES[step][1]}', version = version + 1, head = ?2, {assignments(step, '?1')} "
        "WHERE id = ?3 AND version = ?4"
    )


class SqliteByHand:
    """The guards of its file are gone: this program is trusted."""

    def __init__(self, path: Path) -> None:
        self.address = str(path)
        self.connection = opened(path)
        self.updates = [update(step) for step in range(len(MOVES))]

    def move(self, ids: Sequence[int], step: int) -> None:
        connection, (old, new), at = self.connection, MOVES[step], instant_text(datetime.now(UTC))
        connection.execute("BEGIN IMMEDIATE")
        changed = connection.executemany(self.updates[step], [(at, HASH, id, step) for id in ids])
        assert changed.rowcount == len(ids), "a version did not fit"
        connection.executemany(_ENTRY, [(str(id), step + 1, old, new, at, HASH) for id in ids])
        connection.executemany(_DELTA, [(old, -len(ids)), (new, len(ids))])
        connection.execute("COMMIT")

    def move_one(self, id: int, step: int) -> None:
        self.move((id,), step)

    def close(self) -> None:
        self.connection.close()
