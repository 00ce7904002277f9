"""Queues and sweeps are read by indexes, in order, whatever their shape: never a whole table, never a sort of all that waits. The plans are
printed; `-s` shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Column, Connection, ForeignKey, Integer, MetaData, String, Table, Text, event, select

from interlock import Axis, Done, Machine, Work, Workflow, after, during, entering
from interlock.store.placement import tables_of
from interlock.store.queue.missing_rows import MissingMoves, missing_pairs
from interlock.store.queue.waiting import Queue
from interlock.testing import Sandbox
from interlock.workflow.columns.instant import Instant
from tests.contract.working import Boxed, admit, jobs, patient
from tests.kinds import CURATION, EXTRACTION, domains

ROWS = 300
SCOPES = ("technical", "fundamental")
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def articles(*rules: Any) -> Workflow:
    """A scoped axis: two waiting states, pairs, a rule across tables, and an order that is a copy of the record's column."""
    metadata = MetaData()
    records = Table(
        "articles",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("feed", Text),
        Column("published_at", Instant()),
    )
    feeds = Table(
        "feeds",
        metadata,
        Column("feed", Text, primary_key=True),
        Column("pipeline", String(20), primary_key=True),
    )
    states = Table(
        "article_state",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("article_id", ForeignKey("articles.id"), nullable=False),
        Column("pipeline", String(20), nullable=False),
    )
    pairs = select(records.c.id, feeds.c.pipeline).join(feeds, feeds.c.feed == records.c.feed)
    workflow = Workflow(
        "articles",
        noun="article",
        records=records,
        tables=[feeds],
        axes=[
            Axis("curation_status", CURATION, prefix="curation_"),
            Axis(
                "status",
                EXTRACTION,
                table=states,
                scope=SCOPES,
                scope_column="pipeline",
                pairs=pairs,
                copies={"published_at": records.c.published_at},
            ),
        ],
        rules=[entering(status="in_progress").requires(curation_status={"New", "Selected"}), *rules],
    )

    @workflow.stage(
        waiting=("pending", "failed_retryable"),
        running="in_progress",
        done="processed",
        failed="failed_retryable",
        terminal="failed_terminal",
        retry=["30s"],
        order=records.c.published_at.desc(),
        only_if=records.c.feed != "none",
    )
    def extract(work: Work) -> Done[None]:
        return Done()

    return workflow


def fill_articles(box: Sandbox) -> None:
    with box.database.engine.begin() as tx:
        for scope in SCOPES:
            tx.exec_driver_sql(f"INSERT INTO feeds(feed, pipeline) VALUES ('f', '{scope}')")
    box.admit_many(
        "articles",
        [{"feed": "f", "published_at": BEGAN + timedelta(hours=number * 7 % 100)} for number in range(ROWS)],
    )


def fill_jobs(box: Sandbox) -> None:
    admit(box, *(f"j{number}" for number in range(ROWS)), rank=1, host="h")


def fill_domains(box: Sandbox) -> None:
    ids = [
        answer.id for answer in box.admit_many("domains", [{"host": f"h{number}"} for number in range(ROWS)])
    ]
    box.move_many("domains", ids, actor="ann", curation_status="Selected")


def timed() -> Workflow:
    machine = Machine(
        "timed",
        initial="waiting",
        moves={
            "waiting": ["running", after("7d", "expired")],
            "running": ["done", "failed"],
            "failed": [after("1d", "waiting")],
        },
    )
    return jobs(machine=machine)


class Shape(NamedTuple):
    workflow: Callable[[], Workflow]
    fill: Callable[[Sandbox], None]
    due: tuple[str, ...]
    """The indexes that the queue is read by."""


SHAPES = {
    "plain": Shape(jobs, fill_jobs, ("interlock_jobs_status_due",)),
    "two waiting states": Shape(patient, fill_jobs, ("interlock_jobs_status_due",)),
    "ordered": Shape(
        lambda: jobs(order=lambda table: (table.c.rank.desc(), table.c.host)),
        fill_jobs,
        ("interlock_jobs_work_order",),
    ),
    "polite": Shape(
        lambda: jobs(rate_per=lambda table: (table.c.host, "1/s")), fill_jobs, ("interlock_jobs_status_due",)
    ),
    "polite in an order": Shape(
        lambda: patient(
            rate_per=lambda table: (table.c.host, "1/s"), order=lambda table: table.c.rank.desc()
        ),
        fill_jobs,
        ("interlock_jobs_work_order",),
    ),
    "only_if": Shape(
        lambda: jobs(only_if=lambda table: table.c.rank > 0), fill_jobs, ("interlock_jobs_status_due",)
    ),
    "rules and rests": Shape(domains, fill_domains, ("interlock_domains_processing_status_due",)),
    "scoped": Shape(articles, fill_articles, ("interlock_article_state_extract_order",)),
    "timed": Shape(timed, fill_jobs, ("interlock_jobs_status_due",)),
    "across tables": Shape(
        lambda: articles(during(curation_status="Discarded").moves(status={"pending": "in_progress"})),
        fill_articles,
        ("interlock_article_state_extract_order",),
    ),
}


@pytest.fixture(params=SHAPES)
def shape(request: pytest.FixtureRequest) -> Shape:
    return SHAPES[request.param]


@pytest.fixture
def box(shape: Shape, boxed: Boxed) -> Sandbox:
    made = boxed(shape.workflow())
    shape.fill(made)
    with made.database.engine.begin() as tx:
        tx.exec_driver_sql("ANALYZE")
    return made


def questions(box: Sandbox) -> Iterator[tuple[str, str]]:
    """Every statement of queues and sweeps that reads records, by a name."""
    for post in box.coordinates.stage_queues.values():
        queue: Queue = post.queue
        yield "due", queue._due_sql(True)
        if queue.conditions():
            yield "kept back", queue._due_sql(False)
        yield from polite_questions(queue)
        if post.stage.failed is not None and post.stage.failed not in post.stage.waiting and post.stage.retry:
            yield "requeued", queue._requeued_sql()
            if queue.requeue_conditions():
                yield "kept in failed", queue._failed_due_sql(False)
        for timers in box.coordinates.timers.axes:
            yield "timer", timers._due
            yield "untimed", timers._missing
        for start in (True, False):
            yield "running slice", post.lost_work._running_sql(start)[0]
            yield "running", post.lost_work._running_sql(start)[1]
            yield "unseen", post.lost_work._unseen_sql(start)
        for rule in post.workflow.rules:
            if rule.moment == "during":
                for old in rule.mapping or {}:
                    missing = MissingMoves(box.coordinates.work, post.workflow, rule, old)
                    yield "during", missing.sql(box.database.dialect, True)
                    yield "during", missing.sql(box.database.dialect, False)


def polite_questions(queue: Queue) -> Iterator[tuple[str, str]]:
    """Statements of a stage with a rate per key."""
    if queue.stage.rate_per is not None:
        yield "due", queue._window_sql()
        yield "named", queue._named_sql(False)
        for branch in range(len(queue.stage.waiting)):
            yield "heads", queue._heads_sql(branch, True)
            yield "heads", queue._heads_sql(branch, False)


def plan(box: Sandbox, tx: Connection, sql: str) -> list[str]:
    """The plan as lines, indented."""
    key = next(iter(box.coordinates.stage_queues.values())).place
    one = 5 if key.python_type is int else "j5"
    instant = "2026-01-01T00:00:00.000000Z" if box.database.name == "sqlite" else BEGAN
    values = {
        "scope": "technical" if key.scope_sql else "",
        "limit": 50,
        "after": one,
        "after_at": instant,
        "after_scope": "a",
        "top": one,
        "kind": key.kind,
        "axis": key.name,
        "actor": "coordinator",
        "role": None,
        "keys": [one],
        "most": 10,
        "stage": "work",
    }
    work = box.coordinates.work
    if box.database.name == "sqlite":
        depth = {0: -1}
        lines = []
        for id, parent, _, detail in work.run(tx, f"EXPLAIN QUERY PLAN {sql}", values).fetchall():
            depth[id] = depth[parent] + 1
            lines.append("  " * depth[id] + detail)
        return lines
    return [row[0] for row in work.run(tx, f"EXPLAIN (COSTS OFF) {sql}", values).fetchall()]


def is_scan_of_everything(line: str, tables: set[str]) -> bool:
    words = line.split()
    if "Seq Scan on" in line:
        return words[words.index("on") + 1] in tables
    return words[:1] == ["SCAN"] and words[1] in tables and "INDEX" not in words


def sorts_the_backlog(lines: list[str]) -> bool:
    """A sort that has no limit underneath it, on PostgreSQL; one inside of a waiting state's own question, on SQLite."""
    for number, line in enumerate(lines):
        if line.strip().removeprefix("->").strip() in ("Sort", "Incremental Sort"):
            inner = lines[number + 1 :]
            if not any("CTE Scan" in one for one in inner):
                return True
        if "USE TEMP B-TREE FOR ORDER BY" in line and not any(
            "every_state" in one or "COMPOUND" in one for one in lines
        ):
            return True
    return False


def test_every_question_of_queues_and_sweeps_is_answered_by_an_index(shape: Shape, box: Sandbox) -> None:
    tables = {table.name for workflow in box.workflows.values() for table in tables_of(workflow)}
    wrong = []
    with box.database.write() as tx:
        for name, sql in questions(box):
            lines = plan(box, tx, sql)
            print(f"\n{name}\n" + "\n".join(lines))  # noqa: T201 the plans are what this test is for
            by_key = (
                name == "running slice" and box.database.name == "sqlite"
            )  # in the order of the table itself, up to the limit
            if (
                any(is_scan_of_everything(line, tables) for line in lines) and not by_key
            ) or sorts_the_backlog(lines):
                wrong.append((name, lines))
            if name == "due" and not any(index in line for index in shape.due for line in lines):
                wrong.append((name, lines))
            if name == "heads" and sum("_rate" in line for line in lines) < 3:
                wrong.append((name, lines))
            if name in ("unseen", "during", "untimed") and not any(f"_{name}_" in line for line in lines):
                wrong.append((name, lines))
            if name == "timer" and not any("interlock_jobs_status_timer" in line for line in lines):
                wrong.append((name, lines))
    assert wrong == []


@pytest.mark.parametrize("after", [None, 100])
def test_pairs_that_have_no_row_yet_are_looked_for_in_slices_by_key(boxed: Boxed, after: int | None) -> None:
    """Of a table as small as this one PostgreSQL would rather read all pages, so it is asked for the plan of a large one."""
    box = boxed(articles())
    fill_articles(box)
    workflow = box.workflows["articles"]
    asked: list[tuple[str, Any]] = []
    with box.database.write() as tx:
        tx.exec_driver_sql("ANALYZE")
        event.listen(tx, "before_cursor_execute", lambda *of: asked.append((of[2], of[3])))
        missing, last = missing_pairs(tx, workflow, workflow.axes["status"], after, 50)
        assert (missing, last) == ([], (after or 0) + 50)
        questions = list(asked)
        if box.database.name != "sqlite":
            tx.exec_driver_sql("SET LOCAL enable_seqscan = off")
        for sql, values in questions:
            prefix = "EXPLAIN QUERY PLAN" if box.database.name == "sqlite" else "EXPLAIN (COSTS OFF)"
            rows = tx.exec_driver_sql(f"{prefix} {sql}", values).all()
            lines = [str(row[-1]) for row in rows]
            print("\npairs\n" + "\n".join(lines))  # noqa: T201 the plans are what this test is for
            records = {"articles", "article_state"}
            if (
                "OFFSET" not in sql
            ):  # the end of a slice is found in the order of the key itself, up to the limit
                assert not any(is_scan_of_everything(line, records) for line in lines), lines
            assert not sorts_the_backlog(lines), lines
    assert len(questions) == 2
