"""What the press declares reaches everybody who asks: Python, the HTTP API and the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interlock import App
from interlock.cli.exit_codes import REFUSED
from interlock.cli.program import interlock
from interlock.clock import SystemClock
from interlock.service.application import build
from interlock.store.queue.runners import register
from interlock.store.work.rows import WorkRows
from interlock.testing import Sandbox
from tests.outside import press
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, make_key

Typed = Callable[..., Result]


@pytest.fixture
def app(database_url: str) -> Iterator[Sandbox]:
    """Two articles before approval, one of ann's and one of bob's, and one that is too short."""
    app = Sandbox(press.declare(), database=database_url)
    rows = [
        {"id": 1, "author": "ann", "section": "news", "words": 900},
        {"id": 2, "author": "bob", "section": "sport", "words": 400},
        {"id": 3, "author": "bob", "section": "news", "words": 2},
    ]
    app.admit_many("articles", rows)
    app.move_many("articles", [1, 2, 3], actor="desk", state="CANDIDATE")
    app.drain()
    yield app
    assert app.check().findings == []
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
    made = ask.post("/operations", {**order, "facts": {"section": "scan_start", "page": 3}}).json()[
        "operation"
    ]
    assert made["wanted"]["facts"] == {"page": 3, "section": "scan_start"}
    app.operations.run(made["id"])
    told = ask.get(f"/operations/{made['id']}").json()
    assert (told["outcomes"]["moved"], told["outcomes"]["refused"], told["driven"]) == (1, 1, [])
    assert [app.get("articles", id)["section"] for id in (1, 2)] == ["news", "scan_start"]
    assert app.ledger.history("articles", 2)[-1].facts == {"section": "scan_start", "page": 3}
    problem(ask.post("/operations", {**order, "facts": {"version": 9}}), 400, "ILK-102")


def test_what_gates_answered_is_read_over_http_and_on_the_command_line(
    app: Sandbox, ask: Asker, typed: Typed
) -> None:
    (short,) = ask.get("/articles/records/3/verdicts").json()["verdicts"]
    assert (short["gate"], short["passed"], short["version"], short["axis"]) == ("length", False, 2, "state")
    assert short["reason"] == "TOO_SHORT: 2 words"
    (long,) = ask.get("/articles/records/1/verdicts", params={"version": 2}).json()["verdicts"]
    assert (long["passed"], long["details"]) == (True, {"words": 900})
    assert ask.get("/articles/records/1/verdicts", params={"version": 1}).json()["verdicts"] == []
    problem(ask.get("/articles/records/99/verdicts"), 404, "ILK-201")
    told = json.loads(typed("record", "verdicts", "articles", "3", "-o", "json").stdout)
    assert [(one["gate"], one["passed"], one["reason"]) for one in told] == [
        ("length", False, "TOO_SHORT: 2 words")
    ]
    assert "TOO_SHORT" in typed("record", "verdicts", "articles", "3").stdout
    assert [app.get("articles", id)["state"] for id in (1, 3)] == ["VALIDATED", "CANDIDATE"]


def test_a_record_is_erased_over_http_once_per_key_and_only_by_an_admin(app: Sandbox, ask: Asker) -> None:
    with app.database.write() as tx:
        tx.execute(app.workflow("articles").tables[0].insert(), [{"id": 1, "article_id": 1}])
    body = {"reason": "its author asked for it"}
    problem(ask.post("/articles/records/1/erase", body), 403, "ILK-403")
    assert app.get("articles", 1)["state"] == "VALIDATED"
    admin = Asker(build(app, limits=WIDE), make_key(app, "admin", "amy"))
    first, again = (
        admin.post("/articles/records/1/erase", body, headers={"Idempotency-Key": "k"}) for _ in range(2)
    )
    assert first.json() == again.json()
    assert (first.json()["outcome"], first.json()["old_status"], first.json()["version"]) == (
        "erased",
        "VALIDATED",
        4,
    )
    problem(admin.post("/articles/records/1/erase", body), 404, "ILK-201")
    admin.close()
    last = app.ledger.history("articles", 1)[-1]
    assert (last.origin, last.actor, last.role, last.reason) == ("erase", "amy", "admin", body["reason"])
    with app.database.read() as tx:
        assert tx.execute(app.workflow("articles").tables[0].select()).all() == []


def test_the_runners_are_listed(app: Sandbox, typed: Typed) -> None:
    assert "no runner is alive" in typed("runners").stdout
    work = WorkRows(app.database, SystemClock())  # commands have the time of day, a sandbox has its own
    with app.database.write() as tx:
        register(work, tx, "r1", "press", ["articles.validate"], 4, timedelta(minutes=5))
    (told,) = json.loads(typed("runners", "-o", "json").stdout)
    assert (told["name"], told["stages"], told["capacity"]) == ("press", ["articles.validate"], 4)
    assert "articles.validate" in typed("runners").stdout


def test_records_are_listed_by_their_own_columns_over_http(app: Sandbox, ask: Asker) -> None:
    params = [
        ("where", "section=news"),
        ("where", "section=null"),
        ("columns", "author,words"),
        ("sort", "-words"),
    ]
    said = ask.get("/articles/records", params=[*params, ("limit", "1")]).json()
    assert [(one["id"], one["columns"]) for one in said["records"]] == [(1, {"author": "ann", "words": 900})]
    rest = ask.get("/articles/records", params=[*params, ("cursor", said["next"])]).json()
    assert [(one["id"], one["columns"]["words"]) for one in rest["records"]] == [(3, 2)]
    assert rest["next"] is None
    for wrong in ({"where": "colour=red"}, {"sort": "colour"}, {"columns": "author,colour"}):
        problem(ask.get("/articles/records", params=wrong), 404, "ILK-103")
    problem(ask.get("/articles/records", params={"where": "words=many"}), 400, "ILK-102")
    problem(ask.get("/articles/records", params={"sort": "words", "order": "id"}), 400, "ILK-102")
    problem(ask.get("/articles/records", params={"sort": "words", "cursor": "x"}), 400, "ILK-102")


def test_a_filter_by_columns_chooses_what_is_moved_over_http(app: Sandbox, ask: Asker) -> None:
    order = {"kind": "articles", "axis": "state", "to": "APPROVED", "reason": "a full page"}
    chosen = {**order, "filter": {"where": ["author=bob", "state=VALIDATED"]}}
    made = ask.post("/operations", chosen).json()["operation"]
    app.operations.run(made["id"])
    assert [app.get("articles", id)["state"] for id in (1, 2, 3)] == ["VALIDATED", "APPROVED", "CANDIDATE"]
    assert app.ledger.history("articles", 2)[-1].cause == f"operation.{made['id']}"


def test_records_are_listed_by_their_own_columns_on_the_command_line(app: Sandbox, typed: Typed) -> None:
    words = ("record", "list", "articles", "--where", "section=news", "--columns", "author,words")
    told = json.loads(typed(*words, "--sort", "words", "-o", "json").stdout)
    assert [(one["id"], one["author"], one["words"]) for one in told] == [(3, "bob", 2), (1, "ann", 900)]
    first = typed(*words, "--sort", "words", "--limit", "1")
    assert "900" not in first.stdout
    behind = first.stderr.rpartition("--after ")[2].strip()
    assert "900" in typed(*words, "--sort", "words", "--after", behind).stdout
