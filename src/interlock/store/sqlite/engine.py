"""SQLite's statements: read and judged under the one write lock, then written row by row in one prepared statement."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from sqlalchemy import Connection

from ..connect import Database, driver_connection
from ..contract import (
    AdoptedRows,
    DirectMove,
    FactColumn,
    Lock,
    MoveBatch,
    Newcomers,
    Prepared,
    Reading,
    RowState,
    StageBatch,
    Step,
)
from ..entry import GENESIS, Detail, chain, chain_rows
from ..placement import Placement, RecordTable
from ..queue.waiting import Queue
from ..work.rows import WorkRows
from . import adopting, strays
from .moves import stage_batches
from .moves.admitting import Admitting
from .moves.entries import (
    DETAIL,
    Entry,
    in_order,
    json_list,
    keep_count,
    others_sql,
    write_details,
    write_entries,
)


class SqliteEngine:
    """Nobody else writes between a read and the write that follows it, so no race is ever lost here."""

    moves_directly = False

    def read(
        self,
        tx: Connection,
        reading: Reading,
        keys: Sequence[Any],
        scope: str,
        lock: Lock,
        said: Mapping[str, Any],
    ) -> list[RowState]:
        values = {**said, "keys": json_list(list(keys)), "scope": scope}
        axes = len(reading.axes)
        found = driver_connection(tx).execute(_read_sql(reading), values).fetchall()
        return [
            RowState(
                row[0],
                row[1 : 1 + axes],
                row[1 + axes : 1 + 2 * axes],
                row[1 + 2 * axes : 1 + 3 * axes],
                tuple(map(bool, row[1 + 3 * axes :])),
            )
            for row in found
        ]

    def move_directly(self, database: Database, move: DirectMove) -> dict[Any, int] | None:
        """Reading under the write lock costs next to nothing here, and hashing takes Python."""
        return None

    def prepare(self, step: Step, scope: str, *, versioned: bool, hint: str | None) -> Prepared | None:
        return None

    def move(self, tx: Connection, group: MoveBatch) -> set[Any]:
        connection = driver_connection(tx)
        _keep(connection, group.detail, group.owner)
        write_details(connection, group.steps[0].template.kind, group.own_details())
        for number, step in enumerate(group.steps):
            in_order(
                step,
                group.own_columns if number == 0 else (),
                entries=partial(
                    write_entries,
                    connection,
                    step.template,
                    group.scope,
                    _entries(step, group, first=number == 0),
                ),
                others=partial(_others, connection, step, group, first=number == 0),
            )
            keep_count(connection, step.template, group.scope, len(group.rows))
        return {row.key for row in group.rows}

    def finish(
        self, work: WorkRows, stage: str, step: Step, shape: str | None, columns: tuple[FactColumn, ...]
    ) -> StageBatch:
        return stage_batches.Finish(work, stage, step, shape, columns)

    def begin(self, work: WorkRows, stage: str, step: Step, queue: Queue, created: str) -> StageBatch:
        return stage_batches.Begin(work, stage, step, queue, created)

    def admit(self, tx: Connection, newcomers: Newcomers) -> set[Any]:
        connection = driver_connection(tx)
        _keep(connection, newcomers.templates[0].detail, newcomers.owner)
        return Admitting(connection, newcomers).run()

    def adopt(self, tx: Connection, rows: AdoptedRows) -> int:
        return adopting.adopt(tx, rows)

    def follow_strays(self, tx: Connection, place: Placement, keys: Sequence[Any] | None = None) -> int:
        return strays.follow_strays(tx, place, keys)

    def begin_following(self, tx: Connection, place: Placement, switch: Callable[[], None]) -> None:
        """Notes that were taken before are followed like those that come now."""
        switch()

    def close(self, tx: Connection, group: MoveBatch) -> set[Any]:
        connection = driver_connection(tx)
        main = group.reading.main
        scope = f" AND {main.scope_sql} = :scope" if main.scope_sql else ""
        _keep(connection, group.detail, group.owner)
        for step in group.steps:
            write_entries(connection, step.template, group.scope, _entries(step, group, first=False))
            keep_count(connection, step.template, group.scope, len(group.rows), closing=True)
        connection.executemany(
            f"DELETE FROM {main.table_sql} WHERE {main.key_sql} = :key{scope}",
            [{"key": row.key, "scope": group.scope} for row in group.rows],
        )
        return {row.key for row in group.rows}

    def insert_rows(
        self, tx: Connection, table: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]
    ) -> None:
        values = ", ".join(f"one.value ->> {number}" for number in range(len(columns)))
        driver_connection(tx).execute(
            f"INSERT INTO {table}({', '.join(columns)}) SELECT {values} FROM json_each(:rows) one",
            {"rows": json.dumps(list(rows), ensure_ascii=False)},
        )

    def fresh_ids(self, tx: Connection, place: RecordTable, count: int) -> list[Any]:
        largest = (
            driver_connection(tx)
            .execute(f"SELECT coalesce(max({place.key_sql}), 0) FROM {place.table_sql}")
            .fetchone()[0]
        )
        used = (
            driver_connection(tx)
            .execute(  # an id whose record is gone keeps its history, and is never handed out again
                "SELECT coalesce(max(CAST(record_id AS INTEGER)), 0) FROM interlock_ledger"
                " WHERE kind = ? AND origin IN ('deletion', 'erase')",
                (place.kind,),
            )
            .fetchone()[0]
        )
        first = max(largest, used) + 1
        return list(range(first, first + count))


def _entries(step: Step, group: MoveBatch, *, first: bool) -> list[Entry]:
    """Tokens and rows' own details belong to the move that was asked for, not to those it drives."""
    index = step.index
    nothing: list[None] = [None] * len(group.rows)
    names = [str(row.key) for row in group.rows]
    versions = [(row.versions[index] or 0) + 1 for row in group.rows]
    heads = [row.heads[index] for row in group.rows]
    if not first or (group.tokens is None and group.own is None):
        hashes = chain_rows(step.template, group.scope, heads, names, versions)
        return list(zip(names, versions, nothing, hashes, nothing, strict=True))
    write = step.template.writer(group.scope)
    tokens: Sequence[str | None] = group.tokens or nothing
    return [
        (name, version, token, chain(head or GENESIS, write(name, version, token, digest)), digest)
        for name, version, head, token, digest in zip(
            names, versions, heads, tokens, group.own_digests, strict=True
        )
    ]


def _others(connection: Any, step: Step, group: MoveBatch, *, first: bool) -> None:
    """Set the engine's other columns, and what each row has of its own."""
    changes, values = others_sql(step)
    own = group.own_columns if first else ()
    if not changes and not own:
        return
    place, main = step.place, group.reading.main
    scope = f" AND {main.scope_sql} = ?" if main.scope_sql else ""
    behind = (group.scope,) if main.scope_sql else ()
    if not own:
        connection.execute(
            f"UPDATE {place.table_sql} SET {changes} WHERE {main.key_sql} IN (SELECT value FROM json_each(?)){scope}",
            [*values(group.at), json_list([row.key for row in group.rows]), *behind],
        )
        return
    each = ", ".join([*([changes] if changes else []), *(f"{place.quote(column)} = ?" for column in own)])
    same = values(group.at)
    connection.executemany(
        f"UPDATE {place.table_sql} SET {each} WHERE {main.key_sql} = ?{scope}",
        [
            (*same, *(one.columns[column] for column in own), row.key, *behind)
            for row, one in zip(group.rows, group.own or (), strict=True)
        ],
    )


def _keep(connection: Any, detail: Detail | None, owner: tuple[str | None, str | None]) -> None:
    if detail is not None:
        connection.execute(DETAIL, (detail.digest, detail.salt, detail.reason, detail.facts, *owner))


@lru_cache(maxsize=1024)
def _read_sql(reading: Reading) -> str:
    main = reading.main
    columns = [
        main.key_sql,
        *(place.status_sql for place in reading.axes),
        *(place.version_sql for place in reading.axes),
        *(place.head_sql for place in reading.axes),
    ]
    asked = ", ".join(
        [
            *(main.qualified(column) for column in columns),
            *(f"coalesce(({text}), 0)" for text in reading.conditions),
        ]
    )
    scope = f" AND {main.qualified(main.scope_sql)} = :scope" if main.scope_sql else ""
    return (
        f"SELECT {asked} FROM {main.table_sql} WHERE {main.qualified(main.key_sql)} IN (SELECT value FROM json_each(:keys)){scope}"
        f" ORDER BY {main.qualified(main.key_sql)}"
    )


ENGINE = SqliteEngine
"""What `store/engines.py` chooses by the name of this folder."""
