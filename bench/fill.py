"""Fills both databases quickly: finished records with their whole history, and fresh ones to be moved; every chain verifies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

from interlock.store.entry import GENESIS, EntryTemplate, chain
from interlock.workflow.columns.instant import instant_text

from .kind import ACTOR, AXIS, KIND, STATES, TABLE, UPLOAD

FAILED_STATES = ("queued_for_parse", "parsing", "error")
START = datetime(2026, 1, 1, tzinfo=UTC)
PIECE = 10_000
FIRST_FRESH = 10_000_001
RECORD = ("id", "head", "status", "version", "since", "ready_at", "updated_at", "error_code")
ENTRY = (
    "record_id",
    "hash",
    "kind",
    "axis",
    "scope",
    "version",
    "from_state",
    "to_state",
    "at",
    "actor",
    "cause",
    "origin",
    "machine",
)
TABLES = (TABLE, "interlock_ledger")
_DELTA = "INSERT INTO interlock_count_delta(kind, axis, scope, state, delta) VALUES ({}, {}, {}, {}, {})"


class Past:
    """So many moves, as the authority would have made them: what all records with this past have in common."""

    def __init__(
        self, moves: int, start: datetime = START, states: Sequence[str] = STATES, error: str | None = None
    ) -> None:
        path = [None, *states]
        made = [
            EntryTemplate(
                KIND,
                AXIS,
                path[version],
                path[version + 1],
                start + timedelta(minutes=version),
                ACTOR,
                None,
                "command.move" if version else "upload.created",
                "move" if version else "admit",
                UPLOAD.fingerprint[:16],
            )
            for version in range(moves + 1)
        ]
        self.writers = [template.writer("") for template in made]
        self.entries = [
            (
                KIND,
                AXIS,
                "",
                version,
                one.old,
                one.new,
                instant_text(one.at),
                ACTOR,
                one.cause,
                one.origin,
                one.machine,
            )
            for version, one in enumerate(made)
        ]
        last = instant_text(made[-1].at)
        self.record = (
            states[moves],
            moves,
            last,
            None if moves else last,  # only a fresh record waits for something
            last,
            error,
        )

    def heads(self, name: str) -> list[bytes]:
        """The hashes of one record's entries."""
        found, head = [], GENESIS
        for version, write in enumerate(self.writers):
            head = chain(head, write(name, version, None, None))
            found.append(head)
        return found


def pieces(finished: int, fresh: int) -> Iterator[tuple[Past, Sequence[int]]]:
    """All ids in pieces, each with the past of its records."""
    for first, count, past in ((1, finished, Past(len(STATES) - 1)), (FIRST_FRESH, fresh, Past(0))):
        for start in range(0, count, PIECE):
            yield past, range(first + start, first + min(start + PIECE, count))


def day_of(records: int, end: datetime) -> Iterator[tuple[Past, Sequence[int]]]:
    """So many records that came and went within the 24 hours before an instant, evenly; the last of each piece of a hundred failed."""
    starts = range(0, records, PIECE)
    for number, first in enumerate(starts):
        start = end - timedelta(hours=24) * (len(starts) - number) / (len(starts) + 1)
        last = min(first + PIECE, records)
        failed = last - max(1, (last - first) // 100)
        yield Past(len(STATES) - 1, start), range(first + 1, failed + 1)
        yield Past(2, start, FAILED_STATES, "TIMEOUT"), range(failed + 1, last + 1)


Pieces = Iterable[tuple[Past, Sequence[int]]]


def counts_of(pieces: Pieces) -> list[tuple[str, str, str, str, int]]:
    """The counters of records in pieces."""
    number: Counter[str] = Counter()
    for past, ids in pieces:
        number[past.record[0]] += len(ids)
    return [(KIND, AXIS, "", state, records) for state, records in number.items()]


def counted(finished: int, fresh: int) -> list[tuple[str, str, str, str, int]]:
    """The counters of what is filled in."""
    return [
        (KIND, AXIS, "", state, number)
        for state, number in ((STATES[-1], finished), (STATES[0], fresh))
        if number
    ]


def fill_postgresql(connection: psycopg.Connection[Any], finished: int, fresh: int) -> None:
    """Finished and fresh records; see `copy_into_postgresql`."""
    copy_into_postgresql(connection, pieces(finished, fresh), counted(finished, fresh))


def copy_into_postgresql(
    connection: psycopg.Connection[Any], records: Pieces, counters: Sequence[tuple[Any, ...]]
) -> None:
    """Without triggers, by COPY, indexes made last; afterwards nothing is left to vacuum or to write, and the planner knows the tables."""
    with connection.transaction():
        connection.execute("SET LOCAL maintenance_work_mem = '512MB'")
        for table in TABLES:
            connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        again = _drop_indexes(connection)
        for past, ids in records:
            _copy(connection, past, ids)
        for row in counters:
            connection.execute(_DELTA.format(*["%s"] * 5), row)
        for statement in again:
            connection.execute(statement)
        for table in TABLES:
            connection.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
        connection.execute(f"SELECT setval(pg_get_serial_sequence('{TABLE}', 'id'), {10 * FIRST_FRESH})")
    connection.execute("VACUUM ANALYZE")
    connection.execute("CHECKPOINT")  # what was filled in long ago is not being written any more


def _drop_indexes(connection: psycopg.Connection[Any]) -> list[str]:
    """Drop the ledger's key and index; the statements that make them again as they were."""
    key, definition = connection.execute(
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE conrelid = 'interlock_ledger'::regclass AND contype = 'p'"
    ).fetchall()[0]
    others = connection.execute(
        "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index "
        "WHERE indrelid = 'interlock_ledger'::regclass AND NOT indisprimary"
    ).fetchall()
    connection.execute(f"ALTER TABLE interlock_ledger DROP CONSTRAINT {key}")
    for name, _ in others:
        connection.execute(f"DROP INDEX {name}")
    return [f"ALTER TABLE interlock_ledger ADD CONSTRAINT {key} {definition}", *(made for _, made in others)]


def _copy(connection: psycopg.Connection[Any], past: Past, ids: Sequence[int]) -> None:
    record, entries = _line(past.record), [_line(entry) for entry in past.entries]
    lines, histories = [], []
    for id in ids:
        heads = past.heads(str(id))
        lines.append(f"{id}\t\\\\x{heads[-1].hex()}\t{record}")
        histories += [f"{id}\t\\\\x{head.hex()}\t{entry}" for head, entry in zip(heads, entries, strict=True)]
    for table, columns, rows in ((TABLE, RECORD, lines), ("interlock_ledger", ENTRY, histories)):
        with connection.cursor().copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
            copy.write("\n".join(rows) + "\n")


def _line(values: Sequence[Any]) -> str:
    return "\t".join(r"\N" if value is None else str(value) for value in values)


def fill_sqlite(connection: Any, finished: int, fresh: int) -> None:
    """Finished and fresh records; see `copy_into_sqlite`."""
    copy_into_sqlite(connection, pieces(finished, fresh), counted(finished, fresh))


def copy_into_sqlite(connection: Any, records: Pieces, counters: Sequence[tuple[Any, ...]]) -> None:
    """Without triggers, which SQLite cannot disable: they are dropped, and made again as they were."""
    connection.execute("BEGIN IMMEDIATE")
    guards = drop_triggers(connection)
    for past, ids in records:
        heads = {id: past.heads(str(id)) for id in ids}
        connection.executemany(
            _insert(TABLE, RECORD), [(id, found[-1], *past.record) for id, found in heads.items()]
        )
        connection.executemany(
            _insert("interlock_ledger", ENTRY),
            [
                (str(id), head, *entry)
                for id, found in heads.items()
                for head, entry in zip(found, past.entries, strict=True)
            ],
        )
    connection.executemany(_DELTA.format(*"?????"), counters)
    for guard in guards:
        connection.execute(guard)
    connection.execute("COMMIT")
    connection.execute("ANALYZE")


def _insert(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' for _ in columns)})"


def drop_triggers(connection: Any) -> list[str]:
    """Drop every trigger; their texts."""
    found = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid"
    ).fetchall()
    for name, _ in found:
        connection.execute(f'DROP TRIGGER "{name}"')
    return [sql for _, sql in found]
