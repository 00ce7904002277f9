"""`interlock schedule` and `interlock mirror`: here, and schedules asked of a service too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest
from sqlalchemy import text

from interlock import App
from interlock.store.queue import schedules as rows
from interlock.store.work.rows import WorkRows
from tests.acceptance import clockwork
from tests.acceptance.conftest import Run, from_afar, parsed

NAME = "themes.fetch_feeds"


@pytest.fixture
def clock_app(database_url: str) -> Iterator[App]:
    with closing(App(clockwork.workflows, database=database_url)) as app:
        app.migrate()
        yield app


@pytest.fixture(params=["here", "there"])
def ask(request: pytest.FixtureRequest, run: Run, clock_app: App, database_url: str) -> Iterator[Run]:
    if request.param == "here":
        yield lambda *words: run(
            "--app", "tests.acceptance.clockwork:workflows", "--database", database_url, *words
        )
    else:
        with from_afar(run, clock_app) as asked:
            yield asked


def test_schedules_are_listed_paused_and_resumed(clock_app: App, ask: Run) -> None:
    work = WorkRows(clock_app.database, clock_app.clock)
    tick = clock_app.workflow("themes").schedules["fetch_feeds"].ticks.latest(clock_app.clock.now())
    (one,) = parsed(ask("schedule", "list", "-o", "json"))
    assert (one["schedule"], one["when"], one["outcome"], one["paused"]) == (
        NAME,
        "cron 0 6 * * *",
        None,
        False,
    )
    assert "has not run yet" in ask("schedule", "runs", NAME).stdout
    with clock_app.database.write() as tx:
        rows.declare(work, tx, "themes", "fetch_feeds", tick - timedelta(days=1), "t0")
        assert rows.claim(work, tx, "themes", "fetch_feeds", tick, "t1", "me", timedelta(seconds=30))
    assert parsed(ask("schedule", "list", "-o", "json"))[0]["outcome"] == "running"
    with clock_app.database.write() as tx:
        (run,) = rows.latest(work, tx, "themes", "fetch_feeds")
        assert rows.end(work, tx, run, "failed", "ValueError: no answer")
    newest, first = parsed(ask("schedule", "runs", NAME, "-o", "json"))
    assert (newest["outcome"], newest["message"], newest["attempt"]) == ("failed", "ValueError: no answer", 1)
    assert first["outcome"] == "declared"
    assert "no answer" in ask("schedule", "list").stdout
    paused = ask("schedule", "pause", NAME, "--reason", "the feeds move", "--for", "1h")
    assert f"{NAME} is paused until" in paused.stdout
    assert parsed(ask("schedule", "list", "-o", "json"))[0]["reason"] == "the feeds move"
    assert f"{NAME} runs again" in ask("schedule", "resume", NAME).stdout
    assert f"{NAME} was not paused" in ask("schedule", "resume", NAME).stdout


@pytest.mark.parametrize(
    "words", [("runs", "themes.nothing"), ("pause", "themes.extract", "--reason", "no"), ("resume", "themes")]
)
def test_a_schedule_that_does_not_exist_is_refused(ask: Run, words: tuple[str, ...]) -> None:
    answer = ask("schedule", *words)
    assert answer.exit_code != 0
    assert "schedule" in answer.stderr


def test_mirrors_are_listed_and_mended(run: Run, clock_app: App, database_url: str) -> None:
    def ask(*words: str) -> str:
        return run("--app", "tests.acceptance.clockwork:workflows", "--database", database_url, *words).stdout

    with clock_app.database.write() as tx:
        tx.execute(text("INSERT INTO feeds VALUES ('f', 'technical')"))
    clock_app.admit_many("themes", [{"id": 1, "feed": "f"}, {"id": 2, "feed": "f"}])
    assert "themes.compat" in ask("mirror", "list")
    assert "0 records mended" in ask("mirror", "repair")
    with clock_app.database.write() as tx:
        tx.execute(text("UPDATE articles SET extraction_error = 'by hand' WHERE id = 2"))
    assert "mirror compat: extraction_error is 'by hand' and should be None" in ask("check")
    assert "1 record mended" in ask("mirror", "repair", "themes")
    assert clock_app.get("themes", 2)["extraction_error"] is None
