"""Work per (record, scope): pairs that come to exist, a failed state that is waited in, a terminal one, and rules across the tables."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table, Text, select, text

from interlock import Axis, Done, Failed, Outcome, Work, Workflow, entering
from interlock.testing import Sandbox
from tests.contract.worked import counted, work_rows
from tests.contract.working import LEASE, Boxed, broken, claim, dispatch, finish
from tests.kinds import CURATION, EXTRACTION

SCOPES = ("technical", "fundamental")


def themed(function: Any = None, **stage: Any) -> Workflow:
    """Articles of feeds; a feed says which pipelines its articles go through."""
    metadata = MetaData()
    articles = Table(
        "articles",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("feed", Text),
        Column("rank", Integer),
    )
    feeds = Table(
        "feeds",
        metadata,
        Column("feed", Text, primary_key=True),
        Column("pipeline", String(20), primary_key=True),
        Column("active", Integer),
    )
    places = Table(
        "article_state",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("article_id", ForeignKey("articles.id"), nullable=False),
        Column("pipeline", String(20), nullable=False),
    )
    pairs = (
        select(articles.c.id, feeds.c.pipeline)
        .join(feeds, feeds.c.feed == articles.c.feed)
        .where(feeds.c.active == 1)
    )
    workflow = Workflow(
        "themes",
        noun="article",
        records=articles,
        tables=[feeds],
        axes=[
            Axis("curation_status", CURATION, prefix="curation_"),
            Axis(
                "status",
                EXTRACTION,
                table=places,
                scope=SCOPES,
                scope_column="pipeline",
                columns={"tries": "attempt_count"},
                pairs=pairs,
            ),
        ],
        rules=[entering(status="in_progress").requires(curation_status={"New", "Selected"})],
    )
    shape = {
        "waiting": ("pending", "failed_retryable"),
        "running": "in_progress",
        "done": "processed",
        "failed": "failed_retryable",
        "terminal": "failed_terminal",
        "retry": ["30s", "1m"],
        "order": articles.c.rank.desc(),
        **stage,
    }

    @workflow.stage(**shape)
    def extract(work: Work) -> Outcome[Any]:
        return function(work) if function else Done()

    return workflow


def subscribe(box: Sandbox, feed: str, *pipelines: str, active: int = 1) -> None:
    with box.database.engine.begin() as tx:
        for pipeline in pipelines:
            tx.execute(
                text("INSERT INTO feeds(feed, pipeline, active) VALUES (:feed, :pipeline, :active)"),
                {"feed": feed, "pipeline": pipeline, "active": active},
            )


def stands(box: Sandbox, id: int = 1) -> dict[str, Any]:
    """The status of each scope."""
    with box.database.read() as tx:
        return dict(
            tx.execute(
                text("SELECT pipeline, status FROM article_state WHERE article_id = :id"), {"id": id}
            ).all()
        )  # type: ignore[arg-type]


def row(box: Sandbox, scope: str, id: int = 1) -> Any:
    with box.database.read() as tx:
        asked = text("SELECT * FROM article_state WHERE article_id = :id AND pipeline = :scope")
        return tx.execute(asked, {"id": id, "scope": scope}).one()


@pytest.fixture
def box(boxed: Boxed) -> Sandbox:
    made = boxed(themed())
    subscribe(made, "both", *SCOPES)
    subscribe(made, "one", "technical")
    return made


def test_each_pair_is_work_of_its_own(box: Sandbox, whole: Any) -> None:
    box.admit_many("themes", [{"feed": "both"}, {"feed": "one"}])
    assert dispatch(box) == 3
    assert sorted((int(one["record_id"]), one["scope"]) for one in work_rows(box)) == [
        (1, "fundamental"),
        (1, "technical"),
        (2, "technical"),
    ]
    box.drain()
    assert (stands(box, 1), stands(box, 2)) == (
        {"technical": "processed", "fundamental": "processed"},
        {"technical": "processed"},
    )
    whole(box)


def test_pairs_that_come_to_exist_later_are_completed_by_the_sweep(box: Sandbox) -> None:
    box.admit("themes", {"feed": "one"})
    box.drain()
    subscribe(box, "one", "fundamental")
    box.advance("1s")
    box.drain()
    assert stands(box) == {"technical": "processed", "fundamental": "processed"}
    first = box.ledger.history("themes", 1, axis="status", scope="fundamental")[0]
    assert (first.new, first.version, first.actor) == ("pending", 0, "coordinator")


def test_a_pair_that_shall_not_exist_any_more_is_not_dispatched_until_it_does_again(box: Sandbox) -> None:
    box.admit("themes", {"feed": "one"})
    with box.database.engine.begin() as tx:
        tx.execute(text("UPDATE feeds SET active = 0"))
    assert dispatch(box) == 0
    with box.database.engine.begin() as tx:
        tx.execute(text("UPDATE feeds SET active = 1"))
    box.advance("1s")
    box.drain()
    assert stands(box)["technical"] == "processed"


def test_the_records_own_columns_give_the_order(box: Sandbox) -> None:
    box.admit_many("themes", [{"feed": "one", "rank": rank} for rank in (1, 9, 5)])
    assert box.waiting("extract") == [2, 3, 1]


def test_scopes_fail_and_wait_apart(boxed: Boxed) -> None:
    box = boxed(themed(lambda work: broken() if work.scope == "technical" else Done()))
    subscribe(box, "both", *SCOPES)
    box.admit("themes", {"feed": "both"})
    tried = []
    for _ in range(4):
        box.drain()
        tried.append((stands(box)["technical"], row(box, "technical").attempt_count))
        box.advance("2m")
    assert tried == [
        ("failed_retryable", 1),
        ("failed_retryable", 2),
        ("failed_terminal", 3),
        ("failed_terminal", 3),
    ]
    assert stands(box)["fundamental"] == "processed"
    assert row(box, "technical").failed_from == "pending"


def test_the_last_error_of_this_scope_is_told_to_the_next_try(boxed: Boxed) -> None:
    seen: list[tuple[str | None, int, str | None]] = []

    def work(given: Work) -> Outcome[Any]:
        seen.append((given.scope, given.attempt, given.last_error))
        return Failed(f"empty_{given.scope}") if given.attempt == 1 else Done()

    box = boxed(themed(work))
    subscribe(box, "both", *SCOPES)
    box.admit("themes", {"feed": "both"})
    box.drain()
    box.advance("1m")
    box.drain()
    assert sorted(seen) == [
        ("fundamental", 1, None),
        ("fundamental", 2, "empty_fundamental"),
        ("technical", 1, None),
        ("technical", 2, "empty_technical"),
    ]


def test_a_pause_by_a_failure_is_of_its_own_scope(boxed: Boxed) -> None:
    box = boxed(
        themed(
            lambda work: Failed("quota", final=True, pause="1h") if work.scope == "technical" else Done(),
            limit=2,
        )
    )
    subscribe(box, "both", *SCOPES)
    box.admit_many("themes", [{"feed": "both"} for _ in range(3)])
    box.drain()
    assert [(pause.stage, pause.scope) for pause in box.paused()] == [("extract", "technical")]
    assert [stands(box, id)["fundamental"] for id in (1, 2, 3)] == ["processed"] * 3
    assert "pending" in [stands(box, id)["technical"] for id in (1, 2, 3)]
    assert box.resume("themes", "extract", scope="technical") == 1


def test_an_operator_may_pause_one_scope(box: Sandbox) -> None:
    box.admit("themes", {"feed": "both"})
    box.pause("themes", "extract", actor="ann", reason="wrong prompt", scope="fundamental")
    box.drain()
    assert stands(box) == {"technical": "processed", "fundamental": "pending"}


def test_a_rule_on_the_record_keeps_all_its_scopes_and_lets_them_go_again(box: Sandbox) -> None:
    box.admit("themes", {"feed": "both"})
    box.move("themes", 1, actor="ann", curation_status="Discarded")
    box.drain()
    assert set(stands(box).values()) == {"pending"}
    box.move("themes", 1, actor="ann", curation_status="Selected")
    box.advance("1s")
    box.drain()
    assert set(stands(box).values()) == {"processed"}


def test_a_rule_does_not_turn_the_wait_for_the_next_try_into_rest(boxed: Boxed) -> None:
    answers = [broken(), Done()]
    box = boxed(themed(lambda work: answers.pop(0)))
    subscribe(box, "one", "technical")
    box.admit("themes", {"feed": "one"})
    box.drain()
    box.move("themes", 1, actor="ann", curation_status="Discarded")
    box.advance("1m")
    box.drain()
    assert stands(box) == {"technical": "failed_retryable"}
    box.move("themes", 1, actor="ann", curation_status="Selected")
    box.advance("1s")
    box.drain()
    assert stands(box) == {"technical": "processed"}


@pytest.mark.postgresql_only
def test_dispatch_never_waits_for_a_record_that_somebody_holds(box: Sandbox) -> None:
    """The row that a rule asks about is locked as well, and passed over where it is taken; no lock is ever waited for."""
    box.admit_many("themes", [{"feed": "one"}, {"feed": "one"}])
    with box.database.engine.begin() as curating:
        box.move("themes", 1, actor="ann", curation_status="Discarded", tx=curating)
        assert dispatch(box) == 1
        assert [one["record_id"] for one in work_rows(box)] == ["2"]
    assert dispatch(box) == 0
    assert stands(box, 1) == {"technical": "pending"}


def test_lost_work_and_lost_leases_of_a_scope_are_repaired(box: Sandbox, hand: Any) -> None:
    box.admit("themes", {"feed": "both"})
    dispatch(box)
    attempts = {attempt.scope: attempt for attempt in claim(box)}
    with hand.without_guards_of("interlock_work"):
        assert hand.run("DELETE FROM interlock_work WHERE scope = 'technical'") == 1
    box.coordinates.sweep()
    assert counted(box, "repaired", "themes", "extract") == 1
    assert row(box, "technical").attempt == 2
    box.advance(LEASE + timedelta(seconds=1))
    box.coordinates.sweep()
    assert row(box, "fundamental").attempt_count == 1
    assert [finish(box, attempt, Done()) for attempt in attempts.values()] == [0, 0]


def test_one_scope_is_cancelled_and_the_other_goes_on(box: Sandbox) -> None:
    box.admit("themes", {"feed": "both"})
    dispatch(box)
    box.cancel("themes", 1, actor="ann", reason="too long", scope="technical")
    assert [one["scope"] for one in work_rows(box)] == ["fundamental"]
    box.drain()
    assert stands(box) == {"technical": "failed_terminal", "fundamental": "processed"}


def test_erasing_a_record_ends_the_work_of_all_its_scopes(box: Sandbox) -> None:
    box.admit("themes", {"feed": "both"})
    dispatch(box)
    attempts = claim(box)
    box.erase("themes", 1, actor="ann", role="admin", reason="asked to")
    assert work_rows(box) == []
    assert [finish(box, attempt, Done()) for attempt in attempts] == [0, 0]
