"""The databases of a Hypothesis machine: SQLite in memory, or a PostgreSQL database that is emptied before each example."""

from __future__ import annotations

from typing import Any

from sqlalchemy.engine import make_url

from ..app import App
from ..clock import FrozenClock
from ..store.engines import is_on_server
from ..workflow import Workflow
from .simulation.database.emptying import Emptying


class PlayGround:
    """Opens an app on an empty database, again and again. On PostgreSQL tables are made once for each workflow, and emptied after that."""

    def __init__(self, url: str | None) -> None:
        self.url = url if is_on_server(url) else None
        self._connection: Any = None
        self._emptying: Emptying | None = None
        self._workflow: Workflow | None = None

    def open_app(self, workflow: Workflow) -> App:
        if self.url is None:
            return App([workflow], database="sqlite://", clock=FrozenClock())
        if self._workflow is workflow and self._emptying is not None:
            self._emptying.empty()
        else:
            self._make_tables(workflow)
        return App([workflow], database=self.url, clock=FrozenClock())

    def _make_tables(self, workflow: Workflow) -> None:
        self._emptying = Emptying(self._connected())
        self._emptying.refuse_foreign_tables()
        app = App([workflow], database=self.url, clock=FrozenClock())
        app.migrate()
        app.close()
        self._emptying.remember()
        self._workflow = workflow

    def _connected(self) -> Any:
        import psycopg  # PostgreSQL's driver is an extra

        if self._connection is None:
            address = (
                make_url(self.url or "").set(drivername="postgresql").render_as_string(hide_password=False)
            )
            self._connection = psycopg.connect(address, autocommit=True)
        return self._connection

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
