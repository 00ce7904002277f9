"""Everything a migration does to an empty database, as SQL for a DBA to read and run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sqlalchemy import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable, sort_tables

from ...workflow import Workflow
from ..adoption.adoptions import mode_key
from ..engines import sql_of
from ..guarded import Guarded, frozen_tables
from ..placement import Placement, declared_tables
from ..queue.indexes import copy_sql, fill_timers_sql, index_sql
from ..resting import merge, resting_of
from ..sql import text
from .remembered import AXIS_COLUMNS, axis_row, digest, known_axes, machine_key, view_key


def full_sql(workflows: Sequence[Workflow], dialect: Dialect) -> list[str]:
    """Everything an empty database needs, for a DBA to read and run; no connection is made."""
    placements = [
        Placement(workflow, axis, dialect) for workflow in workflows for axis in workflow.axes.values()
    ]
    schema = sql_of(dialect).schema
    own, statements = {"own tables": schema.own_tables()}, []
    copies = {
        f"copies: {workflow.name}.{axis.name}": copy_sql(workflow, axis, dialect)
        for workflow in workflows
        for axis in workflow.axes.values()
        if axis.copies
    }
    copies |= {
        f"timers: {workflow.name}.{axis.name}": fill_timers_sql(axis, dialect)
        for workflow in workflows
        for axis in workflow.axes.values()
        if axis.machine.timers
    }
    for table in sort_tables(
        {table for workflow in workflows if workflow.create for table in declared_tables(workflow)}
    ):
        statements.append(str(CreateTable(table, if_not_exists=True).compile(dialect=dialect)).strip())
        statements += [
            str(CreateIndex(index, if_not_exists=True).compile(dialect=dialect)) for index in table.indexes
        ]
    for workflow in workflows:
        statements += index_sql(workflow, dialect) if workflow.create else []
    guards = {"guards: ledger": schema.ledger_guards(known_axes(axis_row(place) for place in placements))}
    resting = [one for one in map(resting_of, placements) if one is not None]
    guards["guards: work"] = schema.work_guards(merge(resting))
    by_table: dict[str, list[Guarded]] = {}
    for place in placements:
        by_table.setdefault(place.table_sql, []).append(Guarded(place, (place.axis.machine,)))
    guards |= {f"guards: {name}": schema.table_guards(name, guarded) for name, guarded in by_table.items()}
    guards |= {
        f"guards: {frozen.table.name} (frozen)": schema.frozen_guards(frozen, dialect)
        for frozen in frozen_tables(workflows)
    }
    views = {
        view_key(view.name): schema.view(view, dialect) for workflow in workflows for view in workflow.views
    }
    made = copies | guards | views
    return [
        *own["own tables"],
        *statements,
        *(one for part in made.values() for one in part),
        *memory_sql(placements, own | made),
    ]


def memory_sql(placements: Sequence[Placement], done: Mapping[str, list[str]]) -> list[str]:
    """What a migration remembers of itself, so that an app that starts afterwards finds nothing left to do."""

    def row(table: str, columns: Sequence[str], key: int, values: Sequence[str | None]) -> str:
        changes = ", ".join(f"{name} = excluded.{name}" for name in columns[key:])
        return (
            f"INSERT INTO {table}({', '.join(columns)}) VALUES ({', '.join(text(value) for value in values)}) "
            f"ON CONFLICT ({', '.join(columns[:key])}) DO UPDATE SET {changes}"
        )

    axes = [row("interlock_axis", AXIS_COLUMNS, 2, axis_row(place)) for place in placements]
    machines = [
        row(
            "interlock_machine",
            ("kind", "axis", "fingerprint", "definition"),
            3,
            (
                place.kind,
                place.name,
                place.axis.machine.fingerprint,
                json.dumps(place.axis.machine.definition()),
            ),
        )
        for place in placements
    ]
    memory = {name: digest(part) for name, part in done.items()}
    memory |= {one.key(): one.text() for one in map(resting_of, placements) if one is not None}
    memory |= {
        machine_key(place.kind, place.name, place.axis.machine.fingerprint): "registered"
        for place in placements
    }
    memory |= {mode_key(place): "enforce" for place in placements if place.axis.adopt is not None}
    kept = [row("interlock_meta", ("key", "value"), 1, pair) for pair in memory.items()]
    return [*axes, *machines, *kept]
