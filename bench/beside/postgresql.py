"""PostgreSQL by hand: one prepared statement per batch, the version checked, record, ledger and counters written together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import psycopg

from ..kind import ACTOR, AXIS, KIND, MOVES, TABLE
from .steps import HASH, MACHINE, assignments

ARRAYS = "FROM unnest(%(ids)s::bigint[], %(versions)s::int[]) AS a(id, version)"


def statement(step: int, *, alone: bool = False) -> str:
    """The move of a batch, or of one record `alone`: without arrays the server keeps one plan for it."""
    old, new = MOVES[step]
    source, id, version = ("", "%(id)s", "%(version)s") if alone else (ARRAYS, "a.id", "a.version")
    return f"""
    WITH moved AS (
        UPDATE {TABLE} SET status = '{new}', version = {TABLE}.version + 1, head = %(hash)s, {assignments(step, "%(at)s")}
        {source}
        WHERE {TABLE}.id = {id} AND {TABLE}.version = {version}
        RETURNING {TABLE}.id, {TABLE}.version),
    entries AS (
        INSERT INTO interlock_ledger(kind, record_id, axis, scope, version, from_state, to_state, at, actor, role, cause, origin, machine,
                                     token, detail, hash)
        SELECT '{KIND}', id::text, '{AXIS}', '', version, '{old}', '{new}', %(at)s, '{ACTOR}', NULL, 'command.move', 'move', '{MACHINE}',
               NULL, NULL, %(hash)s FROM moved),
    counted AS (
        INSERT INTO interlock_count_delta(kind, axis, scope, state, delta)
        SELECT '{KIND}', '{AXIS}', '', d.state, d.sign * m.n
        FROM (VALUES ('{old}', -1), ('{new}', 1)) AS d(state, sign), (SELECT count(*) AS n FROM moved) AS m)
    SELECT count(*) FROM moved"""


class PostgresqlByHand:
    """The guards of its database are gone: this program is trusted."""

    def __init__(self, url: str) -> None:
        self.address = url
        self.connection = psycopg.connect(url, autocommit=True)
        self.cursor = self.connection.cursor(binary=True)
        for plan in (
            "hashjoin",
            "mergejoin",
            "seqscan",
        ):  # otherwise large batches turn to scans of whole tables
            self.cursor.execute(f"SET enable_{plan} = off")
        self.statements = [statement(step) for step in range(len(MOVES))]
        self.alone = [statement(step, alone=True) for step in range(len(MOVES))]

    def move(self, ids: Sequence[int], step: int) -> None:
        listed = ",".join(map(str, ids))
        values = {
            "ids": f"{{{listed}}}",
            "versions": "{" + ",".join([str(step)] * len(ids)) + "}",
            "at": datetime.now(UTC),
            "hash": HASH,
        }
        self._execute(self.statements[step], values, len(ids))

    def move_one(self, id: int, step: int) -> None:
        self._execute(self.alone[step], {"id": id, "version": step, "at": datetime.now(UTC), "hash": HASH}, 1)

    def _execute(self, sql: str, values: dict[str, Any], expected: int) -> None:
        row = self.cursor.execute(sql, values, prepare=True).fetchone()
        assert row == (expected,), "a version did not fit"

    def close(self) -> None:
        self.connection.close()


def drop_guards(connection: psycopg.Connection[Any]) -> None:
    """Take every trigger and every CHECK off a copy of Interlock's database; tables, keys and indexes stay."""
    for table, name in connection.execute(
        "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal"
    ).fetchall():
        connection.execute(f'DROP TRIGGER "{name}" ON {table}')
    for table, name in connection.execute(
        "SELECT conrelid::regclass::text, conname FROM pg_constraint WHERE contype = 'c' AND conrelid <> 0 "
        "AND connamespace = 'public'::regnamespace"
    ).fetchall():
        connection.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
