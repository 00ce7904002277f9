"""Leased work rows become tasks: each with its record, and with what its stage loads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection

from ..errors import StoreBusy, StoreUnavailable
from ..store.connect import Database
from ..store.placement import Placement
from ..store.records.read import Rows
from ..store.work.attempts import Attempt
from ..store.work.rows import WorkRows
from ..workflow import Axis, Failed, Outcome, Stage, Work, Workflow
from .call.classify import failure
from .executors.tasks import NOTHING

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
    records: Rows
    states: Rows | None
    """The state rows, where they are apart from the records."""

    @property
    def rationed(self) -> bool:
        return self.stage.limit is not None or self.stage.per_key is not None


def served_stages(
    workflows: Mapping[str, Workflow], database: Database, names: Sequence[str] | None, work: WorkRows
) -> dict[str, Served]:
    """The stages that a runner serves, by full name: those named as `stage` or `kind.stage`, or all where none is named."""
    found = {}
    for workflow in workflows.values():
        for stage in workflow.stages.values():
            name = f"{workflow.name}.{stage.name}"
            if names is None or name in names or stage.name in names:
                axis = workflow.axes[stage.axis]
                place = Placement(workflow, axis, database.dialect)
                found[name] = Served(
                    name,
                    workflow,
                    stage,
                    axis,
                    place,
                    Rows(workflow.records, workflow.id_column, database.dialect, work),
                    Rows(axis.table, axis.table.c[axis.key], database.dialect, work, axis.scope_column)
                    if axis.scoped
                    else None,
                )
    return found


def works(tx: Connection, served: Served, attempts: Sequence[Attempt]) -> dict[str, Work]:
    """The work of each attempt, by token, from one reading of the records and, where the axis is scoped, one of their states."""
    keys = served.place.keys_of([one.record_id for one in attempts])
    rows = served.records.read(tx, keys)
    states = _states(tx, served, keys, sorted({one.scope for one in attempts}))
    key, axis = served.records.names[served.records.key], served.axis
    tried = axis.column_name("tries") if axis.has("tries") else None
    error = axis.column_name("error_code") if axis.has("error_code") else None
    found = {}
    for _, _, id, _, scope, _, attempt, token, *_ in attempts:
        record = rows.get(id)
        if record is not None:
            state = record if states is None else states.get((id, scope), {})
            number = attempt if tried is None else (state.get(tried) or 0) + 1
            last = state.get(error) if error is not None and attempt > 1 else None
            found[token] = Work(
                record[key], record, scope=scope or None, attempt=number, last_error=last, state=state
            )
    return found


def _states(
    tx: Connection, served: Served, keys: list[Any], scopes: list[str]
) -> dict[tuple[str, str], dict[str, Any]] | None:
    """The state rows of these records in these scopes; None where the record itself is its state row."""
    if served.states is None:
        return None
    scope = served.axis.scope_column
    return {(key, row[scope]): row for key, row in served.states.pairs(tx, keys, scopes)}


def doubtful(served: Served, attempts: Sequence[Attempt], found: Mapping[str, Work]) -> set[str]:
    """The tokens of work that lost its runner twice, or whose last try this is: it may be what kills them."""
    axis, stage = served.axis, served.stage
    if not axis.has("tries"):
        return set()
    most, tries = min(2, len(stage.retry)) or 2, axis.column_name("tries")
    return {
        one.token
        for one in attempts
        if one.attempt > 1
        and (work := found.get(one.token)) is not None
        and work.last_error == LOST
        and work.state.get(tries, 0) >= most
    }


class Loaded(NamedTuple):
    """What a stage read for one work, or the failure that reading it was."""

    value: Any
    fault: Outcome[Any] | None


def load_works(database: Database, served: Served, works: Sequence[Work]) -> list[Loaded]:
    """Read what the stage needs for each work, in short transactions; no connection is held afterwards.

    Whatever a load raises is the failure of its own work, unless the database is away. A `load_many` that raises is called
    again for each work alone.
    """
    stage = served.stage
    if stage.group_loader is not None and len(works) > 1:
        values = _load_group(database, stage.group_loader, works)
        if values is not None:
            return [Loaded(value, None) for value in values]
    return [_load_one(database, stage, work) for work in works]


def _load_group(database: Database, loader: Callable[..., Any], works: Sequence[Work]) -> list[Any] | None:
    """The values of all works; None where loading failed or gave another number of values."""
    try:
        with database.read() as tx:
            values = list(loader(tx, list(works)))
    except (StoreUnavailable, StoreBusy):
        raise
    except Exception:  # noqa: BLE001 which work it is about shows when each is loaded alone
        return None
    return values if len(values) == len(works) else None


def _load_one(database: Database, stage: Stage, work: Work) -> Loaded:
    try:
        with database.read() as tx:
            if stage.group_loader is None:
                assert stage.loader is not None
                return Loaded(stage.loader(tx, work), None)
            values = stage.group_loader(tx, [work])
            if not isinstance(values, Iterable):
                raise TypeError(
                    f"load_many of stage {stage.name!r} returned {type(values).__name__}; it returns a list with a value for each work"
                )
            values = list(values)
            if len(values) != 1:
                raise TypeError(f"load_many of stage {stage.name!r} returned {len(values)} values for 1 work")
            return Loaded(values[0], None)
    except (StoreUnavailable, StoreBusy):
        raise
    except Exception as error:  # noqa: BLE001 a load that raises is a failure of its stage
        return Loaded(NOTHING, failure(stage, work, error))


def gone(attempt: Attempt) -> Failed[Any]:
    return Failed("RECORD_GONE", f"{attempt.kind} {attempt.record_id} does not exist any more", final=True)
