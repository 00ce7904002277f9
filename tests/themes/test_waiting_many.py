"""Many waiting articles: queues and sweeps are read by indexes, and an article costs the same whatever waits behind it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

from sqlalchemy import event

from interlock import App
from interlock.clock import SystemClock
from interlock.runner.executors.inline import InlineExecutor
from interlock.store.placement import tables_of
from interlock.testing import Sandbox
from interlock.workflows.themes.extraction.mentions import Mention
from interlock.workflows.themes.items import ingest
from interlock.workflows.themes.options import Options
from interlock.workflows.themes.sources import add_source
from interlock.workflows.themes.workflow import declare
from tests.contract.queue.test_queue_plans import is_scan_of_everything, plan, questions, sorts_the_backlog

ORDER = "interlock_content_item_pipeline_state_extract_order"
PROCESSED = 100
MENTION = Mention("AI chips", "ai_chip", ("NVDA",), "bullish", 0.9, "Demand for AI chips is strong.")


def workflow() -> Any:
    return declare(Options(fetch=False), extract=lambda title, content, pipeline: [MENTION])


def fill(app: App, articles: int) -> None:
    """Articles of one source that feeds both pipelines."""
    source = add_source(app, name="wire", source_type="news")["id"]
    entries = [
        {
            "external_id": str(number),
            "title": f"Article {number}",
            "content": "Demand for AI chips is strong.",
            "published_at": 1_700_000_000 + number * 7919 % 1_000_003,
        }
        for number in range(articles)
    ]
    assert {row["outcome"] for row in ingest(app, entries, actor="ann", source_id=source)} == {"admitted"}


def test_every_question_about_waiting_articles_is_answered_by_an_index(database_url: str) -> None:
    with closing(Sandbox([workflow()], database=database_url)) as box:
        fill(box, 300)
        with box.database.engine.begin() as tx:
            tx.exec_driver_sql("ANALYZE")
        tables = {table.name for table in tables_of(box.workflow("themes"))}
        wrong = []
        with box.database.write() as tx:
            for name, sql in questions(box):
                lines = plan(box, tx, sql)
                is_by_key = name == "running slice" and box.database.name == "sqlite"
                scans = any(is_scan_of_everything(line, tables) for line in lines) and not is_by_key
                is_ordered = name != "due" or any(ORDER in line for line in lines)
                if scans or sorts_the_backlog(lines) or not is_ordered:
                    wrong.append((name, lines))
        assert wrong == []


def count_steps(app: App, act: Callable[[], None]) -> int:
    """How many hundreds of instructions SQLite's machine runs for an act; the same on every computer, however busy."""
    counted = [0]

    def tick() -> int:
        counted[0] += 1
        return 0

    def attach(connection: Any, *_: Any) -> None:
        connection.set_progress_handler(tick, 100)

    event.listen(app.database.engine, "checkout", attach)
    act()
    event.remove(app.database.engine, "checkout", attach)
    return counted[0]


def steps_of_some(url: str, articles: int) -> int:
    """What the first hundred of so many articles cost: dispatched, claimed, reported and applied."""
    with closing(App([workflow()], database=url)) as app:
        app.migrate()
        fill(app, articles)
        coordinator = app.coordinator()
        coordinator.sweep()  # what was admitted is counted once, and is no cost of an article's work
        runner = app.runner(InlineExecutor(SystemClock(), capacity=PROCESSED), capacity=PROCESSED)

        def processed() -> int:
            return sum(number for (*_, state), number in app.counts().items() if state == "processed")

        def process() -> None:
            runner.renew()
            while processed() < PROCESSED:
                coordinator.step()
                runner.step()

        steps = count_steps(app, process)
        assert PROCESSED <= processed() < articles
        assert app.ledger.verify().ok
        return steps


def test_an_article_costs_the_same_whatever_waits_behind_it(tmp_path: Any) -> None:
    few, many = (steps_of_some(f"sqlite:///{tmp_path}/{number}.db", number) for number in (200, 2_000))
    assert few > 100
    assert many < 1.05 * few, (few, many)
