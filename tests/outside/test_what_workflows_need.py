"""What the press declares reaches everybody who asks: Python, the HTTP API and the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interlock import App
from interlock.cli.exits import REFUSED
from interlock.cli.program import interlock
from interlock.service.application import build
from tests.kinds import open_app
from tests.outside import press
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, make_key

Typed = Callable[..., Result]


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    """Two articles before approval, one of ann's and one of bob's."""
    app = open_app(database_url, *press.declare())
    rows = [{"id": 1, "author": "ann", "section": "news"}, {"id": 2, "author": "bob", "section": "sport"}]
    app.admit_many("articles", rows)
    for state in ("CANDIDATE", "VALIDATED"):
        app.move_many("articles", [1, 2], actor="desk", state=state)
    yield app
    app.close()


@pytest.fixture
def ask(app: App) -> Iterator[Asker]:
    """Ann, who has the key of an operator."""
    asker = Asker(build(app, limits=WIDE), make_key(app, "operator", "ann"))
    yield asker
    asker.close()


@pytest.fixture
def typed(app: App, database_url: str) -> Typed:
    def run(*words: str) -> Result:
        start = ["--app", "tests.outside.press:workflows", "--database", database_url]
        result = CliRunner().invoke(interlock, [*start, *words])
        assert "Traceback" not in result.output + result.stderr
        return result

    return run


def path(app: App, id: int, **where: Any) -> list[str | None]:
    return [move.new for move in app.ledger.history("articles", id, **where)]


def test_a_rule_refuses_in_the_teams_own_words_over_http(app: App, ask: Asker) -> None:
    command = {"to": "APPROVED", "reason": "it is good"}
    refused = problem(ask.post("/articles/records/1/moves", command), 409, "ILK-205")
    assert refused["detail"] == "articles: authors never approve their own (OWN_WORK)"
    assert (refused["facts"]["rule_code"], refused["facts"]["says"]) == (
        "OWN_WORK",
        "authors never approve their own",
    )
    assert ask.post("/articles/records/2/moves", command).json()["new_status"] == "APPROVED"
    assert (app.get("articles", 1)["state"], path(app, 1)[-1]) == ("VALIDATED", "VALIDATED")
    assert (app.get("articles", 2)["state"], path(app, 2)[-1]) == ("APPROVED", "APPROVED")
    (told,) = ask.get("/articles/machines").json()["machines"]
    assert 'says="authors never approve their own", code=OWN_WORK' in told["rules"][0]


def test_a_rule_refuses_in_the_teams_own_words_on_the_command_line(app: App, typed: Typed) -> None:
    words = ["articles", "1", "state=APPROVED", "--actor", "ann", "--role", "operator", "--reason", "good"]
    refused = typed("record", "move", *words)
    assert refused.exit_code == REFUSED
    assert "articles: authors never approve their own (OWN_WORK)" in refused.stderr
    assert (app.get("articles", 1)["state"], path(app, 1)[-1]) == ("VALIDATED", "VALIDATED")
    assert "authors never approve their own" in typed("machine", "show", "articles").stdout
    why = json.loads(typed("record", "why", "articles", "1", "--output", "json").stdout)
    assert any("authors never approve their own (OWN_WORK)" in one for one in why["why"])


def test_many_records_are_moved_with_facts_over_http(app: App, ask: Asker) -> None:
    order = {"kind": "articles", "axis": "state", "to": "APPROVED", "ids": [1, 2], "reason": "a full page"}
    made = ask.post("/operations", {**order, "facts": {"section": "front", "page": 3}}).json()["operation"]
    assert made["wanted"]["facts"] == {"page": 3, "section": "front"}
    app.operations.run(made["id"])
    told = ask.get(f"/operations/{made['id']}").json()
    assert (told["outcomes"]["moved"], told["outcomes"]["refused"], told["driven"]) == (1, 1, [])
    assert [app.get("articles", id)["section"] for id in (1, 2)] == ["news", "front"]
    assert app.ledger.history("articles", 2)[-1].facts == {"section": "front", "page": 3}
    problem(ask.post("/operations", {**order, "facts": {"version": 9}}), 400, "ILK-102")
