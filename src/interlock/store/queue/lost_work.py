"""What a sweep looks for among the records: those that run without a work row, and those that wait although nobody sees them. Plain
reads of a bounded slice each; what moves afterwards compares the version that was read here."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from sqlalchemy import Connection

from ..contract import RowState
from ..sql import text
from ..work.rows import WorkRows
from .waiting import Candidate, Queue

_UNDER_WAY = """SELECT kind, axis, scope, state, '' AS stage, sum(n) AS n FROM (
    SELECT kind, axis, scope, CASE WHEN is_null THEN NULL ELSE state END AS state, count AS n FROM interlock_counter
    UNION ALL SELECT kind, axis, scope, state, delta FROM interlock_count_delta) counted GROUP BY kind, axis, scope, state
UNION ALL SELECT kind, axis, scope, '', stage, count(*) FROM interlock_work GROUP BY kind, axis, scope, stage"""


def unmatched(
    work: WorkRows, tx: Connection, queues: Iterable[tuple[str, Queue]]
) -> set[tuple[str, str, str]]:
    """(kind, axis, scope) in which as many records run as there are work rows is not true: only there can work be lost. `queues` are
    (full stage name, queue)."""
    served = [(name, queue) for name, queue in queues if queue.stage.running is not None]
    states = {(queue.place.kind, queue.axis.name, queue.stage.running) for _, queue in served}
    names = {name for name, _ in served}
    balance: dict[tuple[str, str, str], int] = {}
    for kind, axis, scope, state, stage, number in work.run(tx, _UNDER_WAY, {}).fetchall():
        if stage and stage in names:
            balance[kind, axis, scope] = balance.get((kind, axis, scope), 0) - int(number)
        elif not stage and (kind, axis, state) in states:
            balance[kind, axis, scope] = balance.get((kind, axis, scope), 0) + int(number)
    return {place for place, difference in balance.items() if difference}


class LostWork:
    """The sweep's questions about the records of one stage."""

    def __init__(self, queue: Queue) -> None:
        self.queue = queue
        self._running_sql, self._unseen_sql = cache(self._running_texts), cache(self._unseen_text)

    def _values(self, scope: str, after: Any, limit: int) -> dict[str, Any]:
        place = self.queue.place
        return {
            "scope": scope,
            "limit": limit,
            "after": after,
            "kind": place.kind,
            "axis": place.name,
            "actor": "coordinator",
            "role": None,
        }

    def running(self, tx: Connection, scope: str, after: Any, limit: int) -> tuple[list[Candidate], Any]:
        """Of a slice of the records by id: those that run without a work row, and where the next slice begins (None: at the beginning)."""
        if self.queue.stage.running is None:
            return [], None
        values = self._values(scope, after, limit)
        slice, running = self._running_sql(after is None)
        top, size = self.queue.work.run(tx, slice, values).fetchone()
        if top is None:
            return [], None
        rows = self.queue.work.run(tx, running, {**values, "top": top}).fetchall()
        return [
            Candidate(RowState(row[0], (row[1],), (row[2],), (row[3],), ()), row[4], row[5], row[6])
            for row in rows
        ], top if size == limit else None

    def unseen(self, tx: Connection, scope: str, after: Any, limit: int) -> tuple[list[Any], Any]:
        """Of a slice of the records that wait without being due: those whom nothing keeps there, and where the next slice begins."""
        rows = self.queue.work.run(
            tx, self._unseen_sql(after is None), self._values(scope, after, limit)
        ).fetchall()
        return [row[0] for row in rows if row[1]], rows[-1][0] if len(rows) == limit else None

    def _is_idle(self) -> str:
        """Without a work row; a scalar, so that it is looked up by key and never joined."""
        place = self.queue.place
        scope = "%(scope)s" if place.scope_sql else text("")
        return (
            f"(SELECT 1 FROM interlock_work w WHERE w.record_id = CAST({place.qualified(place.key_sql)} AS text) "
            f"AND w.kind = %(kind)s AND w.axis = %(axis)s AND w.scope = {scope}) IS NULL"
        )

    def _running_texts(self, from_the_beginning: bool) -> tuple[str, str]:
        """What asks for the slice, and for those of it that run."""
        queue = self.queue
        place, stage = queue.place, queue.stage
        key = place.qualified(place.key_sql)
        edge = [*([] if from_the_beginning else [f"{key} > %(after)s"]), *queue.scope_is()]
        slice = (
            f"WITH slice AS (SELECT {key} AS k FROM {place.table_sql} WHERE {' AND '.join([*edge, 'true'])} ORDER BY {key} "
            "LIMIT %(limit)s) SELECT (SELECT k FROM slice ORDER BY k DESC LIMIT 1), count(*) FROM slice"
        )  # PostgreSQL: no max(uuid)
        columns = [
            key,
            *map(place.qualified, (place.status_sql, place.version_sql, place.head_sql)),
            queue.column("attempt"),
            queue.column("tries"),
            queue.limit_key(),
        ]
        resting = [queue.has_no_error()] if stage.failed is None and stage.terminal is None else []
        where = [
            *edge,
            f"{key} <= %(top)s",
            queue.is_one_of(place.qualified(place.status_sql), [stage.running]),
            self._is_idle(),
            *queue.is_adopted(),
            *resting,
        ]
        return (
            slice,
            f"SELECT {', '.join(columns)} FROM {queue.source} WHERE {' AND '.join(where)} ORDER BY {key}",
        )

    def _unseen_text(self, from_the_beginning: bool) -> str:
        """SQL that reads records which wait and were not queued, through the partial index of such rows."""
        queue = self.queue
        place, stage = queue.place, queue.stage
        key = place.qualified(place.key_sql)
        where = [
            f"{queue.column('ready_at')} IS NULL",
            queue.is_one_of(place.qualified(place.status_sql), [stage.declared_waiting]),
            *queue.is_adopted(),
            *queue.scope_is(),
            *([] if from_the_beginning else [f"{key} > %(after)s"]),
        ]
        fits = " AND ".join([queue.has_no_error(), self._is_idle(), *queue.conditions()])
        return f"SELECT {key}, {fits} FROM {queue.source} WHERE {' AND '.join(where)} ORDER BY {key} LIMIT %(limit)s"
