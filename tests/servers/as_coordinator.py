"""PostgreSQL databases as a coordinator sees them: the owner makes one ready for each shape of workflows, and the others are copies."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from hashlib import sha256

from sqlalchemy import Table
from sqlalchemy.dialects.postgresql.psycopg import dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from interlock import Workflow
from interlock.clock import FrozenClock
from interlock.store.guarded import Guarded, frozen_tables
from interlock.store.placement import Placement, declared_tables
from interlock.store.postgresql.migration import PostgresqlSchema
from interlock.store.postgresql.rights import places
from interlock.store.queue.indexes import index_sql
from interlock.store.resting import resting_of
from tests.servers.logins import Logins
from tests.servers.postgres import Server

_DIALECT = dialect()  # type: ignore[no-untyped-call]
_SCHEMA = PostgresqlSchema()
_numbers = itertools.count(1)


class ReadyForCoordinators:
    """The databases that were made ready once, by the shape of the workflows that stand in them; copying one takes a fifth of the time."""

    def __init__(self, server: Server, logins: Logins) -> None:
        self.server, self.logins = server, logins
        self.names: dict[str, str] = {}

    def of(self, shape: str, workflows: Sequence[Workflow], like: str) -> str:
        """The name of a database in which workflows of this shape stand, and each role has its rights."""
        if shape not in self.names:
            name = f"interlock_{os.getpid()}_shape{next(_numbers)}"
            self.logins.prepare(self.server.create_database(name, like), workflows, FrozenClock())
            self.names[shape] = name
        return self.names[shape]

    def drop(self) -> None:
        for name in self.names.values():
            self.server.drop_database(name)


class CoordinatorDatabase:
    """One test's database. Where the test says by its fixtures that its first act is to open an app, it is made when that is known."""

    def __init__(self, ready: ReadyForCoordinators, name: str, like: str, *, is_made_later: bool) -> None:
        self.ready, self.name, self.like = ready, name, like
        self.owner_url = ready.server.url_of(name)
        self.url = ready.logins.url(self.owner_url, "coordinator")
        self.shape: str | None = None
        self.is_made = False
        if not is_made_later:
            self.make()

    def make(self, like: str | None = None) -> None:
        if not self.is_made:
            self.ready.server.create_database(self.name, like or self.like)
            self.is_made = True

    def prepare(self, workflows: Sequence[Workflow]) -> None:
        """What a deployment does before its coordinator starts: the owner migrates, and gives each role its rights."""
        shape = shape_of(workflows)
        if shape is None or self.is_made:
            self.make()
            if shape is None or shape != self.shape:
                self.ready.logins.prepare(self.owner_url, workflows, FrozenClock())
        else:
            self.make(self.ready.of(shape, workflows, self.like))
        self.shape = shape

    def retire(self) -> None:
        if self.is_made:
            self.ready.server.retire_database(self.name)


def shape_of(workflows: Sequence[Workflow]) -> str | None:
    """What an empty database becomes when these workflows are migrated into it; None where that depends on what is in it already."""
    if any(not one.create or one.reflected or _adopts(one) for one in workflows):
        return None
    parts = [
        (
            one.name,
            one.unique,
            [
                _sql(table)
                for table in dict.fromkeys((*declared_tables(one), *one.records.metadata.sorted_tables))
            ],
            [(axis.name, axis.machine.fingerprint, axis.scopes) for axis in one.axes.values()],
            index_sql(one, _DIALECT),
            [_SCHEMA.view(view, _DIALECT) for view in one.views],
            [_SCHEMA.frozen_guards(frozen, _DIALECT) for frozen in frozen_tables([one])],
            [resting_of(Placement(one, axis, _DIALECT)) for axis in one.axes.values()],
        )
        for one in workflows
    ]
    return sha256(repr((parts, _guards(workflows), places(workflows, _DIALECT))).encode()).hexdigest()


def _guards(workflows: Sequence[Workflow]) -> list[list[str]]:
    """The guards of every table, as a migration makes them in an empty database."""
    by_table: dict[str, list[Guarded]] = {}
    for place in (Placement(one, axis, _DIALECT) for one in workflows for axis in one.axes.values()):
        by_table.setdefault(place.table_sql, []).append(Guarded(place, (place.axis.machine,)))
    return [_SCHEMA.table_guards(table, guards) for table, guards in by_table.items()]


def _adopts(workflow: Workflow) -> bool:
    return any(axis.adopt is not None for axis in workflow.axes.values())


def _sql(table: Table) -> list[str]:
    made = [
        CreateTable(table),
        *(CreateIndex(index) for index in sorted(table.indexes, key=lambda one: str(one.name))),
    ]
    return [str(one.compile(dialect=_DIALECT)) for one in made]
