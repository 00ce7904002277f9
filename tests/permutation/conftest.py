"""A PostgreSQL app whose statements can be stepped, and the scheduler that steps them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from interlock import App, Workflow
from interlock.clock import FrozenClock
from interlock.store.connect import Bare
from interlock.store.postgresql.moves import direct_moves, prepared
from tests.permutation.scheduler import Scheduler, make_steppable, pause

OpenSteppable = Callable[..., App]


@pytest.fixture
def scheduler(postgres_url: str) -> Iterator[Scheduler]:
    with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as observer:
        observer.execute(
            SQL("ALTER DATABASE {} SET deadlock_timeout = '20ms'").format(Identifier(observer.info.dbname))
        )
        yield Scheduler(observer)


@pytest.fixture
def straight_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes past the cursors is a step too."""

    def execute(bare: Bare, sql: bytes, values: Any) -> Any:
        pause(bare.raw, sql.decode())
        return prepared.execute(bare, sql, values)

    monkeypatch.setattr(direct_moves, "execute", execute)


@pytest.fixture
def open_steppable(postgres_url: str, scheduler: Scheduler, straight_steps: None) -> Iterator[OpenSteppable]:
    """Waiting between tries takes no time: the clock is frozen, so every retry follows at once."""
    opened: list[App] = []

    def open_app(*workflows: Workflow, **options: Any) -> App:
        app = App(workflows, database=postgres_url, clock=FrozenClock(), **options)
        make_steppable(app.database.engine)
        app.migrate()
        opened.append(app)
        return app

    yield open_app
    for app in opened:
        app.close()
