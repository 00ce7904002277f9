"""Removes from a team's table what a migration added for an axis that shall not be adopted after all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlalchemy import Connection

from ...workflow import Workflow
from ..adoption.adoptions import mode_key
from ..connect import Database
from ..placement import Placement
from .guarded import Guarded
from .indexes import copy_sql, index_sql, natural_index
from .migrate import Migration, added_key, made_key

_INDEX = re.compile(r"INDEX IF NOT EXISTS (\S+) ON")


def withdraw_axis(
    database: Database, workflows: Sequence[Workflow], tx: Connection, place: Placement
) -> list[str]:
    """Remove guards, indexes and added columns of the axis, in the caller's transaction; the names of the columns.

    Only what a migration is known to have added goes, a state table that it made included: whatever the team had stays. The caller holds
    the lock of migrations.
    """
    run, axis, dialect = Migration(database, workflows, tx, contract=False), place.axis, database.dialect
    guards = run.schema.table_guards(
        place.table_sql, [Guarded(place, run.active(place), run.mode(place))]
    ) + (copy_sql(place.workflow, axis, dialect) if axis.copies else [])
    for statement in run.schema.drop_guards(guards):
        run.execute(statement)
    natural = natural_index(place.workflow)
    for statement in index_sql(place.workflow, dialect) if place.workflow.create else ():
        named = _INDEX.search(statement)
        if named is not None and f" ON {place.table_sql} (" in statement and named[1] != natural:
            run.execute(f"DROP INDEX IF EXISTS {named[1]}")
    run.execute(
        f"DELETE FROM interlock_axis WHERE kind = {run.mark} AND axis = {run.mark}", (place.kind, place.name)
    )
    run.ledger_guards()
    quote = dialect.identifier_preparer.quote
    gone = [
        name
        for name in (column.name for column in axis.table.columns)
        if name != axis.name and run.stored(added_key(place.table_sql, name)) is not None
    ]
    if axis.table is not place.workflow.records and run.stored(made_key(place.table_sql)) is not None:
        run.execute(f"DROP TABLE {place.table_sql}")
        run.forget(made_key(place.table_sql))
        gone = []
    for name in gone:
        run.execute(f"ALTER TABLE {place.table_sql} DROP COLUMN {quote(name)}")
        run.forget(added_key(place.table_sql, name))
    for key in (
        mode_key(place),
        f"guards: {place.table_sql}",
        f"copies: {place.kind}.{place.name}",
        f"timers: {place.kind}.{place.name}",
    ):
        run.forget(key)
    return gone
