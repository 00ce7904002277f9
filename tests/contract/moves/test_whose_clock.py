"""Instants are held against the server's clock on PostgreSQL, unless the owner has said that clocks are injected."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from interlock import App
from interlock.clock import FrozenClock, SystemClock
from interlock.errors import RefusedByDatabase
from interlock.store.database_clock import says_injected
from tests.kinds import open_app, uploads

INJECTED = "clocks are said to be injected"


class WrongClock(SystemClock):
    """A machine's own clock, years behind."""

    def now(self) -> datetime:
        return datetime(2010, 1, 1, tzinfo=UTC)


def test_an_app_with_an_injected_clock_says_so_and_one_with_the_machines_own_takes_it_back(
    postgres_url: str,
) -> None:
    frozen = open_app(postgres_url, uploads(), clock=FrozenClock())
    frozen.admit("statements", {"id": "u1", "file_hash": "h"}, actor="ann")
    assert frozen.ledger.history("statements", "u1")[0].at == datetime(2026, 1, 1, tzinfo=UTC)
    app = App([uploads()], database=postgres_url)
    assert says_injected(app.database)
    assert [note for note in app.check().notes if note.startswith(INJECTED)]
    app.migrate()
    assert not says_injected(app.database)
    assert not [note for note in app.check().notes if note.startswith(INJECTED)]
    with pytest.raises(RefusedByDatabase, match="more than a day from the server's clock"):
        frozen.move("statements", "u1", actor="ann", status="parsing")
    assert [entry.version for entry in app.ledger.history("statements", "u1")] == [0]
    frozen.close()
    app.close()


def test_a_machine_whose_clock_is_years_off_works_with_the_servers(postgres_url: str) -> None:
    app = open_app(postgres_url, uploads(), clock=WrongClock())
    app.admit("statements", {"id": "u1", "file_hash": "h"}, actor="ann")
    app.move("statements", "u1", actor="ann", status="parsing")
    entries = app.ledger.history("statements", "u1")
    assert [entry.version for entry in entries] == [0, 1]
    with app.database.read() as tx:
        server = app.database.sql.connections.clock(tx)
    assert server is not None
    assert all(abs(entry.at - server) < timedelta(hours=1) for entry in entries)
    app.close()
