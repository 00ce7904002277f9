"""PostgreSQL databases that were migrated once and are copied for each test that begins like them: a copy takes a tenth of the time."""

from __future__ import annotations

import os
from collections.abc import Callable

from interlock import Workflow
from tests.kinds import four_kinds, open_app
from tests.servers.postgres import Server

Make = Callable[[], list[Workflow]]


def statements() -> list[Workflow]:
    from interlock.workflows.statements.workflow import declare  # with all of its parsers: only for who asks

    return [declare()]


def content() -> list[Workflow]:
    from interlock.workflows.content.workflow import declare

    return [declare()]


BY_FIXTURE: dict[str, Make] = {
    "shop_url": four_kinds,
    "statements_url": statements,
    "content_url": content,
    "app": list,
    "boxed": list,
    "opened": list,
}
"""Which workflows stand, without a record, in the database of a test that asks for this; Interlock's own tables stand in each."""
FROM_NOTHING = {"test_database", "test_evolution", "test_migrate", "test_roles", "test_tables"}
"""These migrate by themselves, and say what that did."""


class ReadyDatabases:
    """Those of one server, made when first asked for."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.names: dict[Make, str] = {}

    def of(self, make: Make) -> str:
        """The name of a database in which these workflows stand."""
        if make not in self.names:
            name = f"interlock_{os.getpid()}_{make.__name__}"
            open_app(self.server.create_database(name), *make()).close()
            self.names[make] = name
        return self.names[make]

    def drop(self) -> None:
        for name in self.names.values():
            self.server.drop_database(name)
