"""What a simulation asks its own database, as SQL for psycopg: where records stand, what is due, what is stuck, what rows hold."""

from __future__ import annotations

from functools import cache

from ....store.placement import Placement, RecordTable
from ....store.queue.waiting import Queue
from ....workflow import Workflow


def open_sql() -> str:
    """Attempts that are open, and records that are to be admitted."""
    return "SELECT (SELECT count(*) FROM interlock_work) + (SELECT count(*) FROM interlock_intake)"


def pending_sql(queue: Queue) -> str:
    return f"SELECT count(*) FROM {queue.source} WHERE {due_sql(queue)}"


def due_sql(queue: Queue) -> str:
    """Records that are due, now or later, and that nothing keeps: where the stage waits, or where its failures wait to go back."""
    place, stage = queue.place, queue.stage
    ways = [_all(queue, [queue.waits(), *queue.conditions()])]
    if stage.failed is not None and stage.failed not in stage.waiting and stage.retry:
        ways.append(
            _all(
                queue,
                [
                    queue.is_one_of(place.qualified(place.status_sql), [stage.failed]),
                    *queue.requeue_conditions(),
                ],
            )
        )
    return f"{queue.column('ready_at')} IS NOT NULL AND ({' OR '.join(ways)})"


def stuck_sql(queue: Queue) -> str:
    """Records of a stage that run, that are due, or that wait unseen although nothing keeps them."""
    place, stage = queue.place, queue.stage
    status = place.qualified(place.status_sql)
    calm = f"{queue.column('error_code')} IS NULL" if queue.axis.has("error_code") else "true"
    waits = _all(queue, [queue.is_one_of(status, [stage.declared_waiting]), calm, *queue.conditions()])
    runs = "false" if stage.running is None else queue.is_one_of(status, [stage.running])
    if stage.failed is None and stage.terminal is None:
        runs = f"({runs} AND {calm})"
    return (
        f"SELECT {place.qualified(place.key_sql)}, {_scope(queue)}, {status} FROM {queue.source} "
        f"WHERE {runs} OR {waits} OR ({due_sql(queue)})"
    )


def _all(queue: Queue, conditions: list[str]) -> str:
    said = f"({' AND '.join(conditions)})"
    for name, value in (("scope", _scope(queue)), ("actor", "'coordinator'"), ("role", "NULL")):
        said = said.replace(f"%({name})s", value)
    return said


def _scope(queue: Queue) -> str:
    return queue.place.qualified(queue.place.scope_sql) if queue.place.scope_sql else "''"


def look_sql(place: Placement) -> str:
    scope = place.scope_sql or "''"
    return (
        f"SELECT {place.key_sql}, {scope}, {place.status_sql}, {place.version_sql} FROM {place.table_sql} "
        "ORDER BY 1, 2"
    )


@cache
def attempt_sql(place: Placement) -> str:
    attempt, left = (place.quote(place.axis.column_name(name)) for name in ("attempt", "failed_from"))
    scope = place.scope_sql or "''"
    return f"SELECT {place.key_sql}, {scope}, {attempt}, {left} FROM {place.table_sql}"


@cache
def row_sql(place: Placement, columns: tuple[str, ...]) -> str:
    where = f" AND {place.scope_sql} = %(scope)s" if place.scope_sql else ""
    return f"SELECT {', '.join(map(place.quote, columns))} FROM {place.table_sql} WHERE CAST({place.key_sql} AS text) = %(id)s{where}"


@cache
def key_sql(workflow: Workflow, place: Placement, columns: tuple[str, ...]) -> str:
    """The ids of the records whose columns have these values."""
    records = RecordTable(workflow, place.dialect)
    return f"SELECT {records.key_sql} FROM {records.table_sql} WHERE " + " AND ".join(
        f"{place.quote(name)} = %({name})s" for name in columns
    )
