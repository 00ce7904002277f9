"""Removes from a team's table what a migration added for an axis that shall not be adopted after all."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from ...workflow import Workflow
from ..adoption.adoptions import mode_key
from ..connect import Database
from ..guarded import Guarded
from ..placement import Placement
from ..queue.indexes import copy_sql, index_sql, natural_index
from ..resting import resting_key
from .migrate import Migration, index_named
from .remembered import added_key, made_key


def withdraw_axis(
    database: Database, workflows: Sequence[Workflow], tx: Connection, place: Placement
) -> None:
    """Remove guards, indexes and added columns of the axis, in the caller's transaction.

    Only what a migration is known to have added goes, a state table that it made included: whatever the team had stays. The caller holds
    the lock of migrations.
    """
    run, axis, dialect = Migration(database, workflows, tx, contract=False), place.axis, database.dialect
    quote, table = dialect.identifier_preparer.quote, place.table_sql
    guards = run.schema.table_guards(table, [Guarded(place, run.active(place), run.mode(place))])
    copies = copy_sql(place.workflow, axis, dialect) if axis.copies else []
    for statement in run.schema.drop_guards([*guards, *copies]):
        run.execute(statement)
    run.execute(
        f"DELETE FROM interlock_axis WHERE kind = {run.mark} AND axis = {run.mark}", (place.kind, place.name)
    )
    run.forget_all(resting_key(place.kind, place.name, ""))
    run.ledger_guards()
    run.work_guards()
    if axis.table is not place.workflow.records and run.stored(made_key(table)) is not None:
        run.execute(f"DROP TABLE {table}")
        run.forget(made_key(table))
    else:
        for statement in index_sql(place.workflow, dialect) if place.workflow.create else ():
            for name in index_named(statement) if f" ON {table} (" in statement else ():
                if name != natural_index(place.workflow).strip('"'):
                    run.execute(f"DROP INDEX IF EXISTS {quote(name)}")
        for column in axis.table.columns:
            if column.name != axis.name and run.stored(added_key(table, column.name)) is not None:
                run.execute(f"ALTER TABLE {table} DROP COLUMN {quote(column.name)}")
    for key in (
        *(added_key(table, column.name) for column in axis.table.columns),
        mode_key(place),
        f"guards: {table}",
        f"copies: {place.kind}.{place.name}",
        f"timers: {place.kind}.{place.name}",
    ):
        run.forget(key)
