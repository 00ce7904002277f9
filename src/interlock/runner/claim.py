"""Leased work rows become tasks: each with its record, and with what its stage loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from ..errors import StoreBusy, StoreUnavailable
from ..store.attempts import Attempt
from ..store.connect import Database
from ..store.placement import Placement
from ..store.records import Records
from ..store.work import WorkRows
from ..workflow import Axis, Failed, Outcome, Stage, Work, Workflow
from .classify import failure
from .tasks import NOTHING

LOST = "LEASE_EXPIRED"
"""The error of work whose runner was not heard of any more."""


@dataclass(frozen=True, eq=False)
class Served:
    """A stage that this runner serves."""

    name: str
    workflow: Workflow
    stage: Stage
    axis: Axis
    place: Placement
    records: Records

    @property
    def rationed(self) -> bool:
        return self.stage.limit is not None or self.stage.per_key is not None


def served_stages(workflows: Mapping[str, Workflow], database: Database, names: Sequence[str] | None, work: WorkRows) -> dict[str, Served]:
    """By full name; named by `stage`, `kind.stage`, or all of them."""
    found = {}
    for workflow in workflows.values():
        for stage in workflow.stages.values():
            name = f"{workflow.name}.{stage.name}"
            if names is None or name in names or stage.name in names:
                axis = workflow.axes[stage.axis]
                place = Placement(workflow, axis, database.dialect)
                found[name] = Served(name, workflow, stage, axis, place, Records(workflow, place, work))
    return found


def works(tx: Connection, served: Served, attempts: Sequence[Attempt]) -> dict[str, Work]:
    """The work of each attempt, by token, from one reading of the records."""
    rows = served.records.read(tx, served.place.keys_of([one.record_id for one in attempts]))
    errors = _errors(tx, served, attempts, rows)
    key = served.records.names[served.records.key]
    found = {}
    for one in attempts:
        record = rows.get(one.record_id)
        if record is not None:
            found[one.token] = Work(record[key], record, scope=one.scope or None, attempt=one.attempt,
                                    last_error=errors.get((one.record_id, one.scope)) if errors else None)
    return found


def doubtful(tx: Connection, served: Served, attempts: Sequence[Attempt], found: Mapping[str, Work]) -> set[str]:
    """The tokens of work that lost its runner twice, or whose last try this is: it may be what kills them."""
    axis, stage = served.axis, served.stage
    lost = [one for one in attempts if one.attempt > 1 and one.token in found and found[one.token].last_error == LOST]
    if not lost or not axis.has("tries"):
        return set()
    if axis.scoped:
        key, scope = axis.table.c[axis.key], axis.table.c[axis.scope_column]
        asked = select(key, scope, axis.column("tries")).where(key.in_([served.place.check_id(one.record_id) for one in lost]))
        tries = {(str(served.place.key_bind(row[0])), row[1]): row[2] for row in tx.execute(asked)}
    else:
        tries = {(one.record_id, one.scope): found[one.token].record[axis.column_name("tries")] for one in lost}
    most = min(2, len(stage.retry)) or 2
    return {one.token for one in lost if tries.get((one.record_id, one.scope), 0) >= most}


def _errors(tx: Connection, served: Served, attempts: Sequence[Attempt],
            rows: Mapping[str, Mapping[str, Any]]) -> dict[tuple[str, str], Any]:
    """What went wrong the last time, by record and scope, for those that are tried again."""
    axis = served.axis
    again = [one for one in attempts if one.attempt > 1]
    if not again or not axis.has("error_code"):
        return {}
    if not axis.scoped:
        return {(one.record_id, ""): rows[one.record_id][axis.column_name("error_code")] for one in again if one.record_id in rows}
    key, scope = axis.table.c[axis.key], axis.table.c[axis.scope_column]
    asked = select(key, scope, axis.column("error_code")).where(
        key.in_([served.place.check_id(one.record_id) for one in again]), scope.in_({one.scope for one in again}))
    return {(str(served.place.key_bind(row[0])), row[1]): row[2] for row in tx.execute(asked)}


def loaded(database: Database, served: Served, work: Work) -> tuple[Any, Outcome[Any] | None]:
    """What the stage reads before it works: a short look, and no connection is held afterwards. A fault is the work's own failure,
    unless the database is away."""
    loader = served.stage.loader
    if loader is None:
        return NOTHING, None
    try:
        with database.read() as tx:
            return loader(tx, work), None
    except (StoreUnavailable, StoreBusy):
        raise
    except Exception as error:  # noqa: BLE001 a load that raises is a failure of its stage
        return NOTHING, failure(served.stage, work, error)


def gone(attempt: Attempt) -> Failed[Any]:
    return Failed("RECORD_GONE", f"{attempt.kind} {attempt.record_id} does not exist any more", final=True)
