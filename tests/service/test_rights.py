"""The service needs no more than the coordinator's rights, and a runner's are not enough to see a key."""

from __future__ import annotations

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import ProgrammingError

from interlock.service.application import build
from interlock.store.records import api_keys as keys
from tests.kinds import open_app, uploads
from tests.servers.logins import Logins
from tests.service.conftest import WIDE, Ask, make_key


def test_it_runs_with_the_rights_of_a_coordinator(coordinator_url: str, ask: Ask) -> None:
    app = open_app(coordinator_url, uploads())
    app.admit("statements", {"id": "u1"})
    asker = ask(build(app, limits=WIDE), make_key(app, "admin"))
    assert asker.get("/health").status_code == 200
    assert (
        asker.post(
            "/statements/records/u1/moves", {"to": "parsing"}, headers={"Idempotency-Key": "k"}
        ).status_code
        == 200
    )
    assert asker.post("/keys", {"name": "other", "scope": "viewer"}).status_code == 201
    assert asker.ask("DELETE", "/keys/other").json()["state"] == "revoked"
    assert len(asker.get("/statements/records/u1/timeline").json()["entries"]) == 2
    with app.database.read() as tx:
        used = keys.find(tx, "admin")
    assert used is not None
    assert used.last_used_at is not None
    app.close()


@pytest.mark.parametrize("role", ["runner", "reader"])
def test_nobody_else_may_look_at_keys(
    role: str, coordinator_url: str, postgres_url: str, logins: Logins
) -> None:
    open_app(coordinator_url, uploads()).close()
    engine = create_engine(logins.url(postgres_url, role))
    with engine.connect() as connection, pytest.raises(ProgrammingError, match="permission denied"):
        connection.execute(text("SELECT * FROM interlock_key"))
    engine.dispose()
