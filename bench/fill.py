"""Fills both databases quickly: finished records with their whole history, and fresh ones to be moved; every chain verifies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

from interlock.store.entry import GENESIS, EntryTemplate, chain
from interlock.workflow.instant import written

from .kind import ACTOR, AXIS, KIND, STATES, TABLE, UPLOAD

START = datetime(2026, 1, 1, tzinfo=UTC)
PIECE = 10_000
FIRST_FRESH = 10_000_001
RECORD = ("id", "status", "version", "since", "head", "ready_at", "updated_at")
ENTRY = ("kind", "record_id", "axis", "scope", "version", "from_state", "to_state", "at", "actor", "cause", "origin", "machine", "hash")
TABLES = (TABLE, "interlock_ledger")


def templates(moves: int) -> list[EntryTemplate]:
    """The first entry and so many moves, as the authority would have written them."""
    path = [None, *STATES]
    return [EntryTemplate(KIND, AXIS, path[version], path[version + 1], START + timedelta(minutes=version), ACTOR, None,
                          "command.move" if version else "upload.created", "move" if version else "admit", UPLOAD.fingerprint[:16])
            for version in range(moves + 1)]


def rows(ids: Sequence[int], moves: int) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Records that made so many moves, and their entries, chained."""
    made = templates(moves)
    writers = [template.writer() for template in made]
    fronts = [(one.old, one.new, written(one.at), ACTOR, one.cause, one.origin, one.machine) for one in made]
    status, last = STATES[moves], written(made[-1].at)
    ready = None if moves else last  # a fresh record waits to be parsed; a finished one waits for nothing
    records, entries = [], []
    for id in ids:
        name, head = str(id), GENESIS
        for version, write in enumerate(writers):
            head = chain(head, write(name, "", version, None))
            entries.append((KIND, name, AXIS, "", version, *fronts[version], head))
        records.append((id, status, moves, last, head, ready, last))
    return records, entries


def pieces(finished: int, fresh: int) -> Iterator[tuple[Sequence[int], int]]:
    """All ids in pieces, each with how many moves its records have behind them."""
    for first, count, moves in ((1, finished, len(STATES) - 1), (FIRST_FRESH, fresh, 0)):
        for start in range(0, count, PIECE):
            yield range(first + start, first + min(start + PIECE, count)), moves


def counted(finished: int, fresh: int) -> list[tuple[str, str, str, str, int]]:
    """The counters of what is filled in."""
    return [(KIND, AXIS, "", state, number) for state, number in ((STATES[-1], finished), (STATES[0], fresh)) if number]


def fill_postgresql(connection: psycopg.Connection[Any], finished: int, fresh: int) -> None:
    """Without triggers, by COPY; afterwards nothing is left to vacuum, and the planner knows the tables."""
    with connection.transaction():
        for table in TABLES:
            connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        for ids, moves in pieces(finished, fresh):
            records, entries = rows(ids, moves)
            _copy(connection, TABLE, RECORD, records)
            _copy(connection, "interlock_ledger", ENTRY, entries)
        for row in counted(finished, fresh):
            connection.execute("INSERT INTO interlock_count_delta(kind, axis, scope, state, delta) VALUES (%s, %s, %s, %s, %s)", row)
        for table in TABLES:
            connection.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
        connection.execute(f"SELECT setval(pg_get_serial_sequence('{TABLE}', 'id'), {10 * FIRST_FRESH})")
    connection.execute("VACUUM ANALYZE")


def _copy(connection: psycopg.Connection[Any], table: str, columns: Sequence[str], rows: list[tuple[Any, ...]]) -> None:
    text = "\n".join(["\t".join([_copied(value) for value in row]) for row in rows])
    with connection.cursor().copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
        copy.write(text + "\n")


def _copied(value: Any) -> str:
    if value is None:
        return r"\N"
    return r"\\x" + value.hex() if isinstance(value, bytes) else str(value)


def fill_sqlite(connection: Any, finished: int, fresh: int) -> None:
    """Without triggers, which SQLite cannot disable: they are dropped, and made again as they were."""
    connection.execute("BEGIN IMMEDIATE")
    guards = drop_triggers(connection)
    for ids, moves in pieces(finished, fresh):
        records, entries = rows(ids, moves)
        connection.executemany(f"INSERT INTO {TABLE} ({', '.join(RECORD)}) VALUES ({', '.join('?' for _ in RECORD)})", records)
        connection.executemany(f"INSERT INTO interlock_ledger ({', '.join(ENTRY)}) VALUES ({', '.join('?' for _ in ENTRY)})", entries)
    connection.executemany("INSERT INTO interlock_count_delta(kind, axis, scope, state, delta) VALUES (?, ?, ?, ?, ?)",
                           counted(finished, fresh))
    for guard in guards:
        connection.execute(guard)
    connection.execute("COMMIT")
    connection.execute("ANALYZE")


def drop_triggers(connection: Any) -> list[str]:
    """Drop every trigger; their texts."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid").fetchall()
    for name, _ in found:
        connection.execute(f'DROP TRIGGER "{name}"')
    return [sql for _, sql in found]
