"""Whole batches that need no judging, on SQLite: nobody else writes, so rows are read, hashed in one go, and written as they were read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from ..connect import driver_connection
from ..contract import Passed, Step
from ..entry import EntryTemplate, maybe
from ..sql import one_of, text
from ..waiting import Queue
from ..work import WorkRows, listed, tokens
from .entries import Entry, in_order, keep_count, key_of, others_sql, write_entries

Passing = tuple[str, Any, int, bytes, str | None]
"""(name, key, version, head, token)"""
_NOBODY = Passed(0, 0, None, [])


class Passage:
    """Records of one axis that make the same step."""

    def __init__(self, step: Step) -> None:
        self.step, self.place = step, step.place
        changes, self._values = others_sql(step)
        self._others = (f"UPDATE {self.place.table_sql} SET {changes} WHERE {self.place.key_sql} IN (SELECT value FROM json_each(?))"
                        if changes else "")

    def take(self, connection: Any, template: EntryTemplate, rows: Sequence[Passing], at: datetime) -> None:
        """Move these: the ledger's trigger sets status, version and head as each entry is written."""
        in_order(self.step, entries=lambda: write_entries(connection, template, "", _entries(template, rows)),
                 others=lambda: self._set_others(connection, rows, at))
        keep_count(connection, template, "", len(rows))

    def _set_others(self, connection: Any, rows: Iterable[Passing], at: datetime) -> None:
        if self._others:
            connection.execute(self._others, [*self._values(at), listed([row[1] for row in rows])])


class Finishing:
    """Plain reports of one stage: their records move on and their work rows go; whatever is not plain is left for those who judge."""

    def __init__(self, work: WorkRows, stage: str, step: Step) -> None:
        self.stage, self.template, self.passage = stage, step.template, Passage(step)
        place = step.place
        stands = one_of(place.qualified(place.status_sql), [step.template.old])
        read = ", ".join(map(place.qualified, (place.key_sql, place.version_sql, place.head_sql)))
        self.sql = (f"SELECT w.position, w.record_id, {read}, w.token FROM interlock_work w CROSS JOIN {place.table_sql} "
                    f"ON {place.qualified(place.key_sql)} = {key_of('w.record_id', place)} WHERE w.reported_at IS NOT NULL "
                    f"AND w.outcome = 'done' AND w.report IS NULL AND w.stage = ? AND w.scope = '' AND {stands} "
                    "ORDER BY w.position LIMIT ? + 0")

    def take(self, tx: Connection, limit: int, at: datetime, *, telling: bool) -> Passed:
        connection = driver_connection(tx)
        found = connection.execute(self.sql, (self.stage, limit)).fetchall()
        if not found:
            return _NOBODY
        self.passage.take(connection, replace(self.template, at=at), [row[1:] for row in found], at)
        connection.execute("DELETE FROM interlock_work WHERE position IN (SELECT value FROM json_each(?))",
                           (listed([row[0] for row in found]),))
        return Passed(len(found), len(found), self.template.cause, [row[2] for row in found] if telling else [])


class Beginning:
    """What waits for one stage, in its order: each record gets its work row and moves. A first move names another cause than later
    ones, so a batch takes those that are like its first."""

    def __init__(self, work: WorkRows, stage: str, step: Step, queue: Queue, created: str) -> None:
        self.work, self.queue, self.template, self.passage = work, queue, step.template, Passage(step)
        self.created = created
        template = step.template
        self.issue = ("INSERT INTO interlock_work(kind, axis, scope, stage, available_at, record_id, attempt, token) SELECT "
                      f"{text(template.kind)}, {text(template.axis)}, '', {text(stage)}, :now, one.value, "
                      "CAST(CAST(substr(:attempts, one.key * 10 + 1, 10) AS TEXT) AS INTEGER), "
                      "CAST(substr(:marks, one.key * 32 + 1, 32) AS TEXT) FROM json_each(:names) one WHERE true ON CONFLICT DO NOTHING")

    def take(self, tx: Connection, limit: int, at: datetime, *, telling: bool) -> Passed:
        connection = driver_connection(tx)
        due = self.work.run(tx, self.queue.due_text(), {"scope": "", "limit": limit}).fetchall()
        if not due:
            return _NOBODY
        first = due[0][2] == 0
        chosen = [(str(row[0]), row[0], row[2], row[3], row[4] + 1) for row in due if (row[2] == 0) is first]
        marks, now = tokens(len(chosen)), self.work.timing.values()["now"]
        issued = connection.execute(self.issue, {
            "now": now, "names": json.dumps([one[0] for one in chosen]), "marks": "".join(marks).encode(),
            "attempts": b"".join([b"%10d" % one[4] for one in chosen])})
        if issued.rowcount < len(chosen):  # a work row that is there wins over ours
            mine = {row[0] for row in connection.execute(
                "SELECT token FROM interlock_work WHERE token IN (SELECT value FROM json_each(?))", (json.dumps(marks),))}
            chosen = [one for one, mark in zip(chosen, marks, strict=True) if mark in mine]
        cause = self.created if first else self.template.cause
        if chosen:
            self.passage.take(connection, replace(self.template, at=at, cause=cause), [(*one[:4], None) for one in chosen], at)
        return Passed(len(due), len(chosen), cause, [one[1] for one in chosen] if telling else [])


def _entries(template: EntryTemplate, rows: Sequence[Passing]) -> list[Entry]:
    before, between, behind = template.pieces()
    after = f"{between}{maybe('')}{behind}"
    return [(name, version + 1, token, sha256(
        head + f'{before}{maybe(name)}{after}{maybe(token)},"version":{version + 1}}}'.encode()).digest(), None)
        for name, _, version, head, token in rows]
