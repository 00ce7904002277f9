"""`interlock themes` as people type it, on each database and against a service."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interlock import App
from interlock.cli.program import interlock
from interlock.extension import SystemClock
from interlock.service.application import build
from interlock.testing import Sandbox
from interlock.workflows.themes.feeds import fetching
from interlock.workflows.themes.options import Options
from interlock.workflows.themes.workflow import declare
from tests.scraping.web_server import WebServer, answer
from tests.service.conftest import WIDE, make_key
from tests.service.serving import served

from .items import FUNDAMENTAL, TECHNICAL, compat, history, statuses
from .test_feeds import ATOM

Run = Callable[..., Result]
CHIPS = "Nvidia shares jumped after the chipmaker reported strong demand for AI chips."
LINES = [
    {"external_id": "1", "title": "Nvidia surges on AI chip demand", "content": CHIPS},
    {"external_id": "2", "title": "Nvidia surges again on AI chip demand", "content": CHIPS},
    {"external_id": "1", "title": "Nvidia surges on AI chip demand", "content": CHIPS},
]


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    file = tmp_path / "articles.jsonl"
    file.write_text("\n".join(map(json.dumps, LINES)) + "\nnothing\n", encoding="utf-8")
    return file


@pytest.fixture
def app(database_url: str) -> Iterator[Sandbox]:
    with closing(Sandbox([declare(Options())], database=database_url)) as made:
        yield made


@pytest.fixture(params=["database", "service"])
def run(
    request: pytest.FixtureRequest,
    app: Sandbox,
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Run]:
    """A command about themes, on the database itself or to a service with an operator's key."""
    monkeypatch.chdir(tmp_path)

    def typed(*words: str, where: tuple[str, ...], **options: Any) -> Result:
        named = ["--app", "tests.themes.shop:workflows", *where, *words]
        result = CliRunner().invoke(interlock, [str(word) for word in named], **options)
        assert "Traceback" not in result.output + result.stderr
        return result

    if request.param == "database":
        yield lambda *words: typed(
            *words, where=("--database", database_url), env={"INTERLOCK_ACTOR": "olga"}
        )
    else:
        key = make_key(app, "operator", "olga")
        with served(build(app, limits=WIDE)) as address:
            yield lambda *words: typed(*words, where=("--url", address), env={"INTERLOCK_KEY": key})


def work(app: Sandbox) -> None:
    """Do what is due by the clock of whoever types: commands on the database have a clock of their own."""
    app.time.advance(SystemClock().now() - app.time.now())
    app.drain()


def answered(result: Result, code: int = 0) -> Any:
    assert result.exit_code == code, result.output + result.stderr
    return json.loads(result.stdout)


def test_a_first_source_makes_the_database_in_a_file_and_a_wrong_name_is_answered_by_those_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    where = ["--app", "tests.themes.shop:workflows", "--database", f"sqlite:///{tmp_path}/new.db", "themes"]

    def typed(*words: str) -> Result:
        return CliRunner().invoke(interlock, [*where, *words])

    assert typed("top").exit_code == 1
    assert typed("source", "The wire", "--type", "news").exit_code == 0
    unknown = typed("ingest", str(lines), "--source", "The wires")
    assert (unknown.exit_code, "There is 'The wire'." in unknown.stderr) == (3, True)
    assert typed("ingest", str(lines), "--source", "The wire").exit_code == 5
    assert answered(typed("source", "-o", "json"))[0]["name"] == "The wire"


def test_articles_come_in_and_themes_come_out_by_what_people_type(
    run: Run, app: Sandbox, lines: Path
) -> None:
    (made,) = answered(run("themes", "source", "The wire", "--type", "news", "-o", "json"))
    assert made["pipelines"] == [TECHNICAL, FUNDAMENTAL]
    assert [one["name"] for one in answered(run("themes", "source", "-o", "json"))] == ["The wire"]
    assert run("themes", "source", "The wire").exit_code == 5
    assert run("themes", "source", "Loud", "--priority", 10**12).exit_code == 2
    counted = answered(run("themes", "ingest", str(lines), "--source", "The wire", "-o", "json"), 5)
    assert {one["outcome"]: one["items"] for one in counted} == {"admitted": 2, "exists": 1, "refused": 1}
    assert run("themes", "ingest", str(lines), "--source", "nobody").exit_code == 3
    assert run("themes", "ingest", "missing.csv", "--source", "1").exit_code == 2
    assert statuses(app, 1) == {TECHNICAL: "pending", FUNDAMENTAL: "pending"}
    work(app)
    top = answered(run("themes", "top", "--pipeline", TECHNICAL, "--window", "3650d", "-o", "json"))
    assert ("semiconductor", 2) in {(one["theme"], one["mentions"]) for one in top}
    item = answered(run("themes", "item", "1", "-o", "json"))
    assert {one["status"] for one in item["pipelines"]} == {"processed"}
    assert "semiconductor" in {one["canonical_theme"] for one in item["mentions"]}
    shown = run("themes", "item", "1")
    assert (shown.exit_code, "semiconductor" in shown.stdout) == (0, True)
    assert run("themes", "item", "77").exit_code == run("themes", "item", "x").exit_code == 3
    health = answered(run("themes", "health", "-o", "json"))
    assert (health["ok"], health["pipelines"][0]["counts"]["processed"]) == (True, 2)
    assert "technical" in run("themes", "health").stdout


def test_people_reset_and_reassign_by_what_they_type(run: Run, app: Sandbox, lines: Path) -> None:
    run("themes", "source", "The wire", "--type", "news", "--pipeline", TECHNICAL)
    run("themes", "ingest", str(lines), "--source", "1")
    work(app)
    reason = ("--reason", "a better model")
    (dry,) = answered(run("themes", "reset", "1", *reason, "--dry-run", "-o", "json"))
    assert (dry["counts"], dry["reset"], statuses(app, 1)) == ({"processed": 1}, [], {TECHNICAL: "processed"})
    (one,) = answered(run("themes", "reset", "1", *reason, "-o", "json"))
    assert (one["reset"], statuses(app, 1), compat(app, 1)[0]) == ([TECHNICAL], {TECHNICAL: "pending"}, False)
    many = ("themes", "reset", "--pipeline", TECHNICAL, *reason, "-o", "json")
    (counted,) = answered(run(*many, "--dry-run"))
    assert (counted["records"], counted["operation"]) == (1, None)
    (done,) = answered(run(*many))
    assert (done["counts"]["moved"], statuses(app, 2)) == (1, {TECHNICAL: "pending"})
    entry = app.ledger.history("themes", 2, axis="status", scope=TECHNICAL)[-1]
    assert (entry.actor, entry.reason, entry.role) == ("olga", "a better model", "operator")
    assert run("themes", "reset", *reason).exit_code == 2
    assert run("themes", "reset", "1", "--error", "x", *reason).exit_code == 2
    both = ("--pipeline", TECHNICAL, "--pipeline", FUNDAMENTAL, "--reason", "both")
    answer = answered(run("themes", "reassign", "The wire", *both, "-o", "json"))
    assert (answer["added"], answer["rows_added"], answer["rows_ended"]) == ([FUNDAMENTAL], 2, 0)
    assert history(app, 1, FUNDAMENTAL) == ["pending"]
    nothing = answered(run("themes", "reassign", "1", "--none", "--reason", "noise", "-o", "json"))
    assert nothing["removed"] == [TECHNICAL, FUNDAMENTAL]
    assert run("themes", "reassign", "1", "--reason", "x").exit_code == 2
    assert run("themes", "reassign", "nobody", *both).exit_code == 3
    assert run("themes", "reassign", "1", "--pipeline", TECHNICAL, "--reason", "  ").exit_code == 2
    (source,) = answered(run("themes", "source", "-o", "json"))
    assert source["pipelines"] == []
    assert not app.check().findings


def test_of_two_items_with_one_identity_in_a_file_the_first_is_admitted_and_the_second_exists(
    run: Run, app: Sandbox, tmp_path: Path
) -> None:
    run("themes", "source", "The wire", "--type", "news", "--pipeline", TECHNICAL)
    file = tmp_path / "twice.jsonl"
    file.write_text('{"external_id": "1", "title": "First"}\n{"external_id": "1", "title": "Second"}\n')
    counts = answered(run("themes", "ingest", str(file), "--source", "1", "-o", "json"))
    assert {one["outcome"]: one["items"] for one in counts} == {"admitted": 1, "exists": 1}
    assert app.get("themes", 1)["title"] == "First"
    assert history(app, 1, TECHNICAL) == ["pending"]


@pytest.mark.sqlite_only
@pytest.mark.parametrize("run", ["service"], indirect=True)
def test_a_file_goes_to_a_service_in_requests_that_it_takes_and_only_an_item_that_is_too_large_is_refused(
    run: Run, app: Sandbox, tmp_path: Path
) -> None:
    run("themes", "source", "The wire", "--type", "news", "--pipeline", TECHNICAL)
    lengths = {"1": 300_000, "2": 1, "3": 400_000, "4": 499_999, "5": 400_000}
    file = tmp_path / "long.jsonl"
    lines = [
        {"external_id": id, "content": ("é" if id == "4" else "x") * many} for id, many in lengths.items()
    ]
    file.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in lines), encoding="utf-8")
    result = run("themes", "ingest", str(file), "--source", "1", "-o", "json")
    counts = {one["outcome"]: one["items"] for one in answered(result, 5)}
    assert (counts, "4: " in result.stderr) == ({"admitted": 4, "refused": 1}, True)
    there = app.list("themes", columns=("external_id",)).records
    assert sorted(one.columns["external_id"] for one in there) == ["1", "2", "3", "5"]
    assert all(history(app, one.id, TECHNICAL) == ["pending"] for one in there)


def test_a_run_extracts_what_waits_and_leaves_what_cannot_begin(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    app = App([declare(Options())], database=database_url)
    app.migrate()
    where = ["--app", "tests.themes.shop:workflows", "--database", database_url, "themes"]

    def typed(*words: str) -> Result:
        return CliRunner().invoke(interlock, [*where, *words], env={"INTERLOCK_ACTOR": "olga"})

    typed("source", "The wire", "--type", "news")
    typed("source", "Silent", "--type", "reddit", "--pipeline", TECHNICAL)
    typed("ingest", str(lines), "--source", "The wire")
    typed("ingest", str(lines), "--source", "Silent")
    typed("reassign", "Silent", "--inactive", "--reason", "holidays")
    result = typed("run", "-o", "json")
    assert result.exit_code == 0, result.output + result.stderr
    assert json.loads(result.stdout) == [
        {"pipeline": FUNDAMENTAL, "status": "processed", "items": 2},
        {"pipeline": TECHNICAL, "status": "pending", "items": 2},
        {"pipeline": TECHNICAL, "status": "processed", "items": 2},
    ]
    assert statuses(app, 1) == {TECHNICAL: "processed", FUNDAMENTAL: "processed"}
    assert history(app, 1, TECHNICAL) == ["pending", "in_progress", "processed"]

    app.pause("themes", "extract", scope=TECHNICAL, actor="olga", reason="the quota is used up")
    typed("reset", "1", "--pipeline", TECHNICAL, "--reason", "a better model")
    paused = "technical is paused: the quota is used up; `interlock stage resume themes.extract --scope technical` goes on at once"
    assert paused in typed("run").stderr
    assert paused in typed("health").stdout
    assert history(app, 1, TECHNICAL)[3:] == ["pending"]
    assert app.ledger.verify().ok
    app.close()


@pytest.mark.sqlite_only
def test_a_run_fetches_the_feeds_that_are_due_where_it_is_asked_to(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(fetching, "INTERVAL", 0.0)
    app = App([declare(Options())], database=database_url)
    app.migrate()
    environment = {"INTERLOCK_ACTOR": "olga", "INTERLOCK_THEMES_ALLOW_PRIVATE": "127.0.0.1"}

    def typed(*words: str) -> Result:
        where = ["--app", "tests.themes.shop:workflows", "--database", database_url, "themes"]
        return CliRunner().invoke(interlock, [*where, *words], env=environment)

    with WebServer() as web:
        web.pages["/atom"] = answer(ATOM, kind="application/atom+xml")
        typed("source", "The wire", "--feed", f"{web.url}/atom", "--pipeline", TECHNICAL)
        typed("source", "Gone", "--feed", f"{web.url}/gone")
        result = typed("run", "--fetch", "-o", "json")
    assert result.exit_code == 0, result.output + result.stderr
    assert "1 feeds fetched, 1 new items, 1 failed" in result.stderr
    assert "Gone: NOT_FOUND" in result.stderr
    assert history(app, 1, TECHNICAL)[:2] == ["pending", "in_progress"]
    app.close()
