"""Who may come in: keys that hold, and whom the app around us names; without a key: test_signing_in.py."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interlock import App
from interlock.clock import FrozenClock
from interlock.service.application import build
from interlock.store.records import api_keys as keys
from tests.kinds import open_app, uploads
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, Ask, make_key


def test_a_key_is_kept_as_a_hash_only(app: App) -> None:
    secret = make_key(app, "viewer")
    assert secret.startswith("ilk_")
    assert len(secret) >= 4 + 43
    with app.database.read() as tx:
        row = str(tx.exec_driver_sql("SELECT * FROM interlock_key").mappings().all())
    assert secret not in row
    assert secret[4:] not in row


def test_a_key_that_has_expired_or_was_revoked_ends(database_url: str, ask: Ask) -> None:
    clock = FrozenClock()
    app = open_app(database_url, uploads(), clock=clock)
    short = make_key(app, "viewer", "short", expires_at=clock.now() + timedelta(hours=1))
    ended = make_key(app, "viewer", "ended")
    application = build(app, limits=WIDE)
    assert ask(application, short).get("/kinds").status_code == 200
    with app.database.write() as tx:
        keys.revoke(tx, "ended", clock.now())
    assert "revoked" in problem(ask(application, ended).get("/kinds"), 401, "ILK-401")["detail"]
    clock.advance(timedelta(hours=1))
    assert "expired" in problem(ask(build(app, limits=WIDE), short).get("/kinds"), 401, "ILK-401")["detail"]
    assert "unknown" in problem(ask(application, "ilk_guess").get("/kinds"), 401, "ILK-401")["detail"]
    app.close()


def test_the_last_use_is_noted_once_an_hour(database_url: str, ask: Ask) -> None:
    clock = FrozenClock()
    app = open_app(database_url, uploads(), clock=clock)
    secret = make_key(app, "viewer")
    for hours in (0, 0.5, 1):
        clock.advance(timedelta(hours=hours))
        assert ask(build(app, limits=WIDE), secret).get("/kinds").status_code == 200
        with app.database.read() as tx:
            found = keys.find(tx, "viewer")
        assert found is not None
        assert found.last_used_at == (clock.now() if hours != 0.5 else clock.now() - timedelta(minutes=30))
    app.close()


@pytest.mark.sqlite_only
@pytest.mark.parametrize("header", ["Basic abc", "Bearer", "Bearer  ", "ilk_abc"])
def test_a_header_that_is_no_bearer_key_is_refused(header: str, local: Asker) -> None:
    problem(local.get("/kinds", headers={"Authorization": header}), 401, "ILK-401")


def test_a_name_is_used_once_for_ever(local: Asker, app: App) -> None:
    admin = make_key(app, "admin")
    headers = {"Authorization": f"Bearer {admin}"}
    assert (
        local.post("/keys", {"name": "n/1", "scope": "viewer", "expires": "90d"}, headers=headers).status_code
        == 201
    )
    assert local.ask("DELETE", "/keys/n%2F1", headers=headers).json()["state"] == "revoked"
    problem(local.post("/keys", {"name": "n/1", "scope": "viewer"}, headers=headers), 400, "ILK-102")
    assert [key["name"] for key in local.get("/keys", headers=headers).json()["keys"]] == ["admin", "n/1"]
    problem(local.ask("DELETE", "/keys/nobody", headers=headers), 404, "ILK-201")


@pytest.mark.parametrize("name", ["local", "app", "coordinator", "Local", " app "])
def test_a_key_may_not_be_called_like_an_actor_of_ours(name: str, local: Asker, app: App) -> None:
    problem(local.post("/keys", {"name": name, "scope": "viewer"}), 400, "ILK-102")
    with app.database.read() as tx:
        assert keys.every(tx) == []


@pytest.mark.sqlite_only
@pytest.mark.parametrize("style", ["plain", "async"])
def test_the_app_around_us_says_who_it_is(style: str, app: App, ask: Ask) -> None:
    def who(request: Any) -> Any:
        name = request.headers.get("x-user")
        return None if name is None else tuple(name.split(":"))

    async def who_async(request: Any) -> Any:
        return who(request)

    asker = ask(
        build(app, who if style == "plain" else who_async, limits=WIDE),
        client=("192.0.2.7", 1),
        host="shop.example",
    )
    problem(asker.get("/kinds"), 401, "ILK-401")
    assert asker.get("/kinds", headers={"X-User": "ann:viewer"}).status_code == 200
    problem(
        asker.post("/statements/records/u1/moves", {"to": "parsing"}, headers={"X-User": "ann:guest"}),
        403,
        "ILK-403",
    )
    assert (
        asker.post(
            "/statements/records/u1/moves", {"to": "parsing"}, headers={"X-User": "eve:curator"}
        ).status_code
        == 200
    )
    assert app.ledger.history("statements", "u1")[-1].actor == "eve"
