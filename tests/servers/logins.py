"""Somebody to log in as owner, coordinator, runner and reader: roles of this process's own, gone when it is done."""

from __future__ import annotations

import os
from collections.abc import Sequence

import psycopg
from psycopg.sql import SQL, Identifier, Literal
from sqlalchemy import inspect
from sqlalchemy.engine import make_url

from interlock import App, Workflow
from interlock.clock import Clock
from interlock.store.migrations.roles import Roles
from interlock.store.postgresql.rights import places
from interlock.store.postgresql.roles import apply

ROLES = ("owner", "coordinator", "runner", "reader")


class Logins:
    """The four group roles on a server, and a member of each that may log in; of the runners, two."""

    def __init__(self, server_url: str) -> None:
        self.server_url = server_url
        self.prefix = f"test{os.getpid()}"
        for role in ROLES:
            self._run("CREATE ROLE {} NOLOGIN", self.group(role))
            self._run("CREATE ROLE {} LOGIN PASSWORD {secret} IN ROLE {}", self.name(role), self.group(role))
        self._run(
            "CREATE ROLE {} LOGIN PASSWORD {secret} IN ROLE {}",
            self.name("other_runner"),
            self.group("runner"),
        )

    def group(self, role: str) -> str:
        return f"{self.prefix}_{role}"

    def name(self, role: str) -> str:
        return f"{self.prefix}_{role}_login"

    def url(self, direct: str, role: str) -> str:
        """The same database, as a member of the role."""
        return (
            make_url(direct)
            .set(username=self.name(role), password=self.prefix)
            .render_as_string(hide_password=False)
        )

    def prepare(self, direct: str, workflows: Sequence[Workflow], clock: Clock | None = None) -> None:
        """What a deployment does: migrate as whoever owns the database, then give each role its rights. With a clock that is injected the
        owner says so: no coordinator could."""
        owner = App(workflows, database=direct, clock=clock)
        try:
            owner.migrate()
            roles = Roles(self.prefix, None, owner.database.dialect)
            apply(owner.database, roles, workflows, self.own_tables(owner, workflows))
        finally:
            owner.close()

    def own_tables(self, app: App, workflows: Sequence[Workflow]) -> list[str]:
        """Tables beside the records that hooks write."""
        known, spelled = (
            {place.table for place in places(workflows, app.database.dialect)},
            app.database.dialect.identifier_preparer,
        )
        tables = [table for workflow in workflows for table in workflow.records.metadata.sorted_tables]
        with app.database.read() as tx:
            there = set(inspect(tx).get_table_names())
        return [
            str(table.fullname)
            for table in tables
            if spelled.format_table(table) not in known and (table.schema or table.name in there)
        ]

    def drop(self) -> None:
        self._run("DROP ROLE {}", self.name("other_runner"))
        for role in ROLES:
            self._run("DROP ROLE {}", self.name(role))
            self._run("DROP ROLE {}", self.group(role))

    def _run(self, statement: str, *names: str) -> None:
        address = make_url(self.server_url).set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(SQL(statement).format(*map(Identifier, names), secret=Literal(self.prefix)))
