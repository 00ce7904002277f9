"""Begins and finishes whole batches of a stage on SQLite: nobody else writes, so rows are read, hashed in one go, and written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from itertools import chain
from json.encoder import encode_basestring as quoted
from typing import Any, NamedTuple

from sqlalchemy import Connection

from ....errors import BadInput
from ...connect import driver_connection
from ...contract import BatchResult, FactColumn, MovedRow, Step
from ...entry import EntryTemplate, maybe
from ...queue.waiting import Queue
from ...sql import one_of, text
from ...work.attempts import IS_UNIFORM, PLAIN_REPORT, tokens
from ...work.rows import WorkRows
from .entries import Entry, in_order, json_list, keep_count, key_of, others_sql, write_entries, write_facts

_NOBODY = BatchResult(0, 0, None, [])


class Moving(NamedTuple):
    """A row that is about to move: its name in the ledger, its key, version and head, the token, its work row, its facts and their
    values by column."""

    name: str
    key: Any
    version: int
    head: bytes
    token: str | None = None
    position: int | None = None
    facts: str | None = None
    values: Sequence[Any] = ()


class Mover:
    """Records of one axis that make the same step, some with facts of their own."""

    def __init__(self, step: Step, columns: tuple[FactColumn, ...] = ()) -> None:
        self.step, self.place, self.columns = step, step.place, columns
        changes, self._values = others_sql(step)
        scope = f" AND {self.place.scope_sql} = ?" if self.place.scope_sql else ""
        facts = [f"{self.place.quote(one.column)} = ?" for one in columns]
        packed = [
            f"{self.place.quote(one.column)} = one.value ->> {number}"
            for number, one in enumerate(columns, 1)
        ]
        table, key = self.place.table_sql, self.place.key_sql
        each = ", ".join([*([changes] if changes else []), *facts])
        self._one_by_one = f"UPDATE {table} SET {each} WHERE {key} = ?{scope}" if each else ""
        each = ", ".join([*([changes] if changes else []), *packed])
        same = (
            f"FROM json_each(?) one WHERE {self.place.qualified(key)} = one.value ->> 0"
            if packed
            else f"WHERE {key} IN (SELECT value FROM json_each(?))"
        )
        self._others = f"UPDATE {table} SET {each} {same}{scope}" if each else ""

    def move(
        self, connection: Any, template: EntryTemplate, scope: str, rows: Sequence[Moving], at: datetime
    ) -> None:
        """Write their entries; the ledger's trigger sets status, version and head as each entry is written."""
        entries = _entries(template, scope, rows, _keep_facts(connection, template.kind, rows))
        in_order(
            self.step,
            entries=lambda: write_entries(connection, template, scope, entries),
            others=lambda: self._set_others(connection, scope, rows, at),
        )
        keep_count(connection, template, scope, len(rows))

    def _set_others(self, connection: Any, scope: str, rows: Sequence[Moving], at: datetime) -> None:
        if not self._others:
            return
        values, behind = self._values(at), [scope] if self.place.scope_sql else []
        if not self.columns:
            connection.execute(self._others, [*values, json_list([row.key for row in rows]), *behind])
        elif (packed := _as_json(rows)) is not None:
            connection.execute(self._others, [*values, packed, *behind])
        else:
            connection.executemany(
                self._one_by_one, [(*values, *row.values, row.key, *behind) for row in rows]
            )


_EXACT = frozenset({int, str, type(None)})


def _as_json(rows: Sequence[Moving]) -> str | None:
    """Keys and values as JSON; None where SQLite would not read exactly these from it: floats may lose a digit, bytes and NUL cannot
    be told."""
    if not _EXACT.issuperset(map(type, chain.from_iterable([row.values for row in rows]))):
        return None
    packed = json.dumps([(row.key, *row.values) for row in rows])
    return None if "\\u0000" in packed else packed


def _keep_facts(connection: Any, kind: str, rows: Sequence[Moving]) -> list[bytes | None] | None:
    """Keep what rows have of facts beside the chain; the digest of each, or None where none of them has any."""
    told = [row for row in rows if row.facts and row.facts != "{}"]
    if not told:
        return None
    digests = write_facts(connection, kind, [row.name for row in told], [row.facts or "" for row in told])
    if len(told) == len(rows):
        return [*digests]
    of_told = {row.name: digest for row, digest in zip(told, digests, strict=True)}
    return [of_told.get(row.name) for row in rows]


class Finish:
    """Reports of one stage that need no judging: their records move on, with their facts, and their work rows go. What is not in the
    expected state, or whose facts are not of their columns' types, is left to be judged."""

    def __init__(
        self, work: WorkRows, stage: str, step: Step, shape: str | None, columns: tuple[FactColumn, ...]
    ) -> None:
        self.stage, self.template, self.shape, self.mover = stage, step.template, shape, Mover(step, columns)
        place = step.place
        self._columns = [(one.name, place.fact_binder(one.column)) for one in columns]
        read = ", ".join(map(place.qualified, (place.key_sql, place.version_sql, place.head_sql)))
        same = [f"{place.qualified(place.key_sql)} = {key_of('w.record_id', place)}"]
        same += [f"{place.qualified(place.scope_sql)} = w.scope"] if place.scope_sql else []
        same.append(one_of(place.qualified(place.status_sql), [step.template.old]))
        same += [f"{place.qualified(place.version_sql)} IS NOT NULL"] if place.axis.adoptable else []
        plain = PLAIN_REPORT if shape is None else f"{IS_UNIFORM} AND shape = :shape"
        self.sql = (
            f"SELECT w.record_id, {read}, w.token, w.position{self._asked(shape)} "
            f"FROM interlock_work w LEFT JOIN {place.table_sql} "
            f"ON {' AND '.join(same)} WHERE w.reported_at IS NOT NULL AND {plain} AND w.stage = :stage AND w.scope = :scope "
            "ORDER BY w.position LIMIT :limit + 0"
        )

    def _asked(self, shape: str | None) -> str:
        """What is read of facts: nothing where reports have none, for each column of each row costs as much as a comparison of rows."""
        return "" if shape is None else ", w.facts, json_valid(w.facts)"

    def run(self, tx: Connection, scope: str, limit: int, at: datetime, *, wanted: bool) -> BatchResult:
        connection = driver_connection(tx)
        rows = connection.execute(
            self.sql, {"stage": self.stage, "scope": scope, "limit": limit, "shape": self.shape}
        ).fetchall()
        moving = self._moving(rows)
        if not moving:
            return BatchResult(len(rows), 0, self.template.cause, [])
        self.mover.move(connection, replace(self.template, at=at), scope, moving, at)
        connection.execute(
            "DELETE FROM interlock_work WHERE position IN (SELECT value FROM json_each(?))",
            (json_list([one.position for one in moving]),),
        )
        moved = [MovedRow(one.key, one.version + 1, one.facts) for one in moving] if wanted else []
        return BatchResult(len(rows), len(moving), self.template.cause, moved)

    def _moving(self, rows: Sequence[Sequence[Any]]) -> list[Moving]:
        """Of the rows that were read, those whose record is where it should be and whose facts need no judging."""
        if self.shape is None:
            return [Moving(*row) for row in rows if row[1] is not None]
        here = [row for row in rows if row[1] is not None and row[7]]
        return [
            Moving._make((*row[:7], values))
            for row, values in zip(here, self._bound([row[6] for row in here]), strict=True)
            if values is not None
        ]

    def _bound(self, facts: Sequence[str]) -> Sequence[Sequence[Any] | None]:
        """Of each row the facts that are columns, as the driver takes them; None where they have to be judged. Each text is JSON, which
        the database has seen to: so all are read at once."""
        if not self._columns:
            return [() if text.lstrip().startswith("{") else None for text in facts]
        try:
            every = json.loads(f"[{','.join(facts)}]")
            if len(every) == len(facts):
                return [self._bound_one(values) for values in every]
        except (ValueError, RecursionError):  # Python reads less than the database
            pass
        return [self._read_one(text) for text in facts]

    def _read_one(self, facts: str) -> Sequence[Any] | None:
        try:
            return self._bound_one(json.loads(facts))
        except (ValueError, RecursionError):
            return None

    def _bound_one(self, values: Any) -> Sequence[Any] | None:
        try:
            return [bind(values[name]) for name, bind in self._columns]
        except (BadInput, ValueError, LookupError, TypeError):
            return None


class Begin:
    """What waits for one stage in one of its waiting states, in the stage's order: each record gets its work row and moves. A first move
    names another cause than later ones, so a batch takes those that are like its first."""

    def __init__(self, work: WorkRows, stage: str, step: Step, queue: Queue, created: str) -> None:
        self.work, self.queue, self.template, self.mover = work, queue, step.template, Mover(step)
        self.created = created
        template = step.template
        self.issue = (
            "INSERT INTO interlock_work(kind, axis, scope, stage, available_at, record_id, attempt, version, token) SELECT "
            f"{text(template.kind)}, {text(template.axis)}, :scope, {text(stage)}, :now, one.value, "
            "CAST(CAST(substr(:attempts, one.key * 10 + 1, 10) AS TEXT) AS INTEGER), "
            "CAST(CAST(substr(:versions, one.key * 10 + 1, 10) AS TEXT) AS INTEGER), "
            "CAST(substr(:marks, one.key * 32 + 1, 32) AS TEXT) FROM json_each(:names) one WHERE true ON CONFLICT DO NOTHING"
        )

    def run(self, tx: Connection, scope: str, limit: int, at: datetime, *, wanted: bool) -> BatchResult:
        asked = {"scope": scope, "limit": limit, "actor": self.template.actor, "role": None}
        due = self.work.run(tx, self.queue.due_text(), asked).fetchall()
        mine = [row for row in due if row[1] == self.template.old]
        if not mine:
            return _NOBODY._replace(held=len(due))
        first = mine[0][2] == 0
        chosen = self._issued(tx, scope, [row for row in mine if (row[2] == 0) is first])
        cause = self.created if first else self.template.cause
        if chosen:
            self.mover.move(
                driver_connection(tx), replace(self.template, at=at, cause=cause), scope, chosen, at
            )
        moved = [MovedRow(one.key, one.version + 1, None) for one in chosen] if wanted else []
        return BatchResult(len(due), len(chosen), cause, moved)

    def _issued(self, tx: Connection, scope: str, rows: Sequence[Any]) -> list[Moving]:
        """Those that got a work row; one that is there wins over ours."""
        connection, marks = driver_connection(tx), tokens(len(rows))
        chosen = [Moving(str(row[0]), row[0], row[2], row[3]) for row in rows]
        issued = connection.execute(
            self.issue,
            {
                "now": self.work.timing.values()["now"],
                "scope": scope,
                "names": json.dumps([one.name for one in chosen]),
                "marks": "".join(marks).encode(),
                "attempts": b"".join([b"%10d" % (row[4] + 1) for row in rows]),
                "versions": b"".join([b"%10d" % (row[2] + 1) for row in rows]),
            },
        )
        if issued.rowcount == len(chosen):
            return chosen
        mine = {
            row[0]
            for row in connection.execute(
                "SELECT token FROM interlock_work WHERE token IN (SELECT value FROM json_each(?))",
                (json.dumps(marks),),
            )
        }
        return [one for one, mark in zip(chosen, marks, strict=True) if mark in mine]


def _entries(
    template: EntryTemplate, scope: str, rows: Sequence[Moving], digests: Sequence[bytes | None] | None
) -> list[Entry]:
    if digests is not None:
        write = template.writer(scope)
        return [
            (
                row.name,
                row.version + 1,
                row.token,
                sha256(row.head + write(row.name, row.version + 1, row.token, digest).encode()).digest(),
                digest,
            )
            for row, digest in zip(rows, digests, strict=True)
        ]
    before, between, behind = template.pieces()
    after = f"{between}{maybe(scope)}{behind}"
    made: list[Entry] = []
    for name, _, old, head, token, *_ in rows:
        version = old + 1
        mark = "null" if token is None else quoted(token)
        body = f'{before}{quoted(name)}{after}{mark},"version":{version}}}'
        made.append((name, version, token, sha256(head + body.encode()).digest(), None))
    return made
