"""Signing in with a key: the cookie, the token beside it, and what neither lets through."""

from __future__ import annotations

import pytest
from lxml import html

from interlock import App
from interlock.service.application import build
from interlock.store.records import api_keys as keys
from tests.console.conftest import PAGE, text
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, Ask, make_key

pytestmark = pytest.mark.sqlite_only
NOBODY = ("127.0.0.1", 50_000)
MOVES = "/api/v1/statements/records/u1/moves"


@pytest.fixture
def visitor(app: App, ask: Ask) -> Asker:
    return ask(build(app, limits=WIDE), prefix="", client=NOBODY)


def sign_in(asker: Asker, key: str, to: str = "/ledger") -> str:
    """Sign in; the token of the session."""
    answer = asker.ask("POST", "/console/sign-in", data={"key": key, "next": to})
    assert (answer.status_code, answer.headers["location"]) == (303, to)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly; SameSite=Strict" in cookie
    assert "Path=/;" in cookie
    page = html.fromstring(asker.get("/", headers=PAGE).text)
    (token,) = page.xpath("//meta[@name='interlock-token']/@content")
    return str(token)


def test_whoever_is_not_signed_in_gets_the_form_and_comes_back_where_they_wanted(visitor: Asker) -> None:
    answer = visitor.get("/records/statements?state.status=error", headers=PAGE)
    assert answer.status_code == 401
    page = html.fromstring(answer.text)
    assert page.xpath("//input[@name='next']/@value") == ["/records/statements?state.status=error"]
    assert page.xpath("//form/@action") == ["/console/sign-in"]
    assert "u1" not in text(page)
    problem(visitor.get("/records/statements"), 401, "ILK-401")


def test_a_key_signs_in_acts_with_its_token_and_ends_when_it_is_revoked(app: App, visitor: Asker) -> None:
    token = sign_in(visitor, make_key(app, "operator", "ana"))
    assert "ana" in text(html.fromstring(visitor.get("/", headers=PAGE).text).find(".//header"))
    problem(visitor.post(MOVES, {"to": "parsing"}), 403, "ILK-403")
    problem(visitor.post(MOVES, {"to": "parsing"}, headers={"X-Interlock-Token": "0" * 64}), 403, "ILK-403")
    assert app.get("statements", "u1")["status"] == "queued_for_parse"
    done = visitor.post(MOVES, {"to": "parsing"}, headers={"X-Interlock-Token": token})
    assert done.status_code == 200
    assert app.get("statements", "u1")["status"] == "parsing"
    last = app.ledger.history("statements", "u1")[-1]
    assert (last.actor, last.role) == ("ana", "operator")
    with app.database.write() as tx:
        keys.revoke(tx, "ana", app.clock.now())
    fresh = build(app, limits=WIDE)
    again = Asker(fresh, prefix="", client=NOBODY)
    again.client.cookies = visitor.client.cookies
    assert again.get("/", headers=PAGE).status_code == 401
    again.close()


def test_a_wrong_key_signs_nobody_in(visitor: Asker) -> None:
    answer = visitor.ask("POST", "/console/sign-in", data={"key": "ilk_wrong", "next": "/"}, headers=PAGE)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert "The key is unknown." in text(html.fromstring(answer.text))


@pytest.mark.parametrize(
    "to", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:1", ""]
)
def test_signing_in_leads_nowhere_else(app: App, visitor: Asker, to: str) -> None:
    key = make_key(app, "viewer", "ana")
    answer = visitor.ask("POST", "/console/sign-in", data={"key": key, "next": to})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_signing_out_takes_the_token_and_forgets_the_key(app: App, visitor: Asker) -> None:
    token = sign_in(visitor, make_key(app, "viewer", "ana"))
    assert visitor.post("/console/sign-out").status_code == 400
    answer = visitor.post("/console/sign-out", headers={"X-Interlock-Token": token})
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert visitor.get("/", headers=PAGE).status_code == 401


def test_a_page_of_another_site_signs_nobody_in(app: App, visitor: Asker) -> None:
    answer = visitor.ask(
        "POST",
        "/console/sign-in",
        data={"key": make_key(app, "viewer", "ana"), "next": "/"},
        headers={"Origin": "https://evil.example"},
    )
    problem(answer, 403, "ILK-403")
