"""Columns of the record that mirror its state rows: kept in the transaction of every move, admission and repair, compared, and mended."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Boolean, Column, ForeignKey, Integer, MetaData, String, Table, Text, Uuid, select, text

from interlock import App, Axis, Done, Failed, Outcome, Work, Workflow, entering
from interlock.errors import BadDeclaration, HookFailed, InvalidStateTransition
from interlock.testing import Sandbox
from interlock.workflow.columns.instant import Instant
from tests.contract.hand import Hand
from tests.contract.worked import moves
from tests.contract.working import LEASE, Boxed, claim, dispatch
from tests.kinds import CURATION, EXTRACTION

SCOPES = ("technical", "fundamental")
Row = Mapping[str, Any]


def compat(rows: Mapping[str, Row]) -> Row:
    """What readers of the old columns know: whether all pipelines are done, since when, and what went wrong first."""
    done = all(row["status"] == "processed" for row in rows.values())
    errors = [f"{scope}: {row['error_code']}" for scope, row in sorted(rows.items()) if row["error_code"]]
    return {
        "is_processed": done,
        "processed_at": max(row["since"] for row in rows.values()) if done else None,
        "extraction_error": "; ".join(errors) or None,
    }


def mirrored(
    function: Any = compat,
    work: Any = None,
    *,
    id_type: Any = Integer,
    rules: bool = False,
    spared: Mapping[str, Any] | None = None,
    **stage: Any,
) -> Workflow:
    """Articles with a curation of their own, and a state per pipeline that old readers see as three columns."""
    metadata = MetaData()
    articles = Table(
        "articles",
        metadata,
        Column("id", id_type, primary_key=True),
        Column("feed", Text),
        Column("is_processed", Boolean, nullable=False, default=False),
        Column("processed_at", Instant()),
        Column("extraction_error", Text),
    )
    states = Table(
        "article_state",
        metadata,
        Column("article_id", ForeignKey("articles.id"), primary_key=True),
        Column("pipeline", String(20), primary_key=True),
        Column("score", Integer),
    )
    feeds = Table(
        "feeds",
        metadata,
        Column("feed", Text, primary_key=True),
        Column("pipeline", String(20), primary_key=True),
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
                table=states,
                scope=SCOPES,
                scope_column="pipeline",
                pairs=select(articles.c.id, feeds.c.pipeline).join(feeds, feeds.c.feed == articles.c.feed),
            ),
        ],
        rules=[
            entering(status="in_progress").requires(curation_status={"New", "Selected"}),
            entering(curation_status="Discarded").moves(status={"failed_retryable": "failed_terminal"}),
        ]
        if rules
        else (),
    )

    @workflow.stage(
        waiting=("pending", "failed_retryable"),
        running="in_progress",
        done="processed",
        failed="failed_retryable",
        terminal="failed_terminal",
        retry=["30s", "1m"],
        **stage,
    )
    def extract(work_: Work) -> Outcome[Any]:
        return work(work_) if work else Done(score=1)

    names = ("is_processed", "processed_at", "extraction_error")
    workflow.mirror(*names, axis="status", **(spared or {}))(function)
    return workflow


def opened(boxed: Boxed, workflow: Workflow, *pipelines: str) -> Sandbox:
    box = boxed(workflow)
    subscribe(box, "f", *(pipelines or SCOPES))
    return box


def subscribe(box: Sandbox, feed: str, *pipelines: str) -> None:
    with box.database.engine.begin() as tx:
        for pipeline in pipelines:
            tx.execute(
                text("INSERT INTO feeds VALUES (:feed, :pipeline)"), {"feed": feed, "pipeline": pipeline}
            )


def columns(app: App, id: Any = 1) -> tuple[Any, ...]:
    row = app.get("themes", id)
    return row["is_processed"], row["processed_at"], row["extraction_error"]


def states(box: Sandbox, id: int = 1) -> dict[str, Any]:
    with box.database.read() as tx:
        found = tx.execute(
            text("SELECT pipeline, status FROM article_state WHERE article_id = :id"), {"id": id}
        )
        return dict(found.all())  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", [False, True])
def test_stages_keep_the_mirror_through_begin_finish_and_failure(boxed: Boxed, rules: bool) -> None:
    def work(one: Work) -> Outcome[Any]:
        return Failed("EMPTY") if one.scope == "technical" and one.attempt == 1 else Done(score=2)

    box = opened(boxed, mirrored(work=work, rules=rules))
    box.admit_many("themes", [{"id": id, "feed": "f"} for id in (1, 2, 3)])
    box.drain()
    assert states(box) == {"technical": "failed_retryable", "fundamental": "processed"}
    assert columns(box) == (False, None, "technical: EMPTY")
    box.advance(timedelta(minutes=2))
    box.drain()
    assert states(box) == {"technical": "processed", "fundamental": "processed"}
    assert columns(box) == (True, box.clock.now(), None)
    assert moves(box, 3, "themes", axis="status", scope="technical")[-1][1] == "processed"
    assert box.check().findings == []


@pytest.mark.parametrize("rules", [False, True])
def test_a_persons_move_of_one_scope_keeps_the_mirror_in_the_same_transaction(
    boxed: Boxed, rules: bool
) -> None:
    box = opened(boxed, mirrored(rules=rules))
    box.admit("themes", {"id": 1, "feed": "f"})
    for scope in SCOPES:
        box.move("themes", 1, status="in_progress", scope=scope, actor="eve")
        box.move("themes", 1, status="processed", scope=scope, actor="eve")
    assert columns(box) == (True, box.clock.now(), None)
    with pytest.raises(InvalidStateTransition):
        box.move("themes", 1, status="in_progress", scope="technical", actor="eve")
    box.move("themes", 1, status="pending", scope="technical", actor="eve", role="operator", reason="again")
    assert columns(box) == (False, None, None)
    assert box.ledger.history("themes", 1, axis="status", scope="technical")[-1].new == "pending"


def test_a_driven_move_keeps_the_mirror(boxed: Boxed) -> None:
    box = opened(boxed, mirrored(work=lambda work: Failed("EMPTY"), rules=True), "technical")
    box.admit("themes", {"id": 1, "feed": "f"})
    box.drain()
    assert columns(box) == (False, None, "technical: EMPTY")
    box.move("themes", 1, curation_status="Discarded", actor="eve")
    assert states(box) == {"technical": "failed_terminal"}
    assert columns(box) == (False, None, None)


def test_state_rows_that_a_sweep_adds_are_mirrored_too(boxed: Boxed) -> None:
    box = opened(boxed, mirrored(), "technical")
    box.admit("themes", {"id": 1, "feed": "f"})
    box.drain()
    assert columns(box)[0] is True
    subscribe(box, "f", "fundamental")
    box.coordinates.sweep()
    assert states(box) == {"technical": "processed", "fundamental": "pending"}
    assert columns(box) == (False, None, None)


def test_an_expired_lease_keeps_the_mirror(boxed: Boxed) -> None:
    box = opened(boxed, mirrored(), "technical")
    box.admit("themes", {"id": 1, "feed": "f"})
    dispatch(box)
    claim(box)
    assert states(box) == {"technical": "in_progress"}
    box.advance(LEASE * 2)
    box.coordinates.sweep()
    assert columns(box) == (False, None, "technical: LEASE_EXPIRED")


def test_a_mirror_is_kept_for_ids_of_another_type(boxed: Boxed) -> None:
    box = opened(boxed, mirrored(id_type=Uuid()))
    id = box.admit("themes", {"feed": "f"}).id
    box.drain()
    assert columns(box, id)[0] is True
    assert box.check().findings == []


def test_a_caller_with_a_snapshot_of_its_own_never_writes_an_old_mirror(postgres_url: str) -> None:
    """Two pipelines end at once, each unseen by the other's snapshot: the second must lose. On SQLite a writer is alone."""
    box = Sandbox([mirrored()], database=postgres_url)
    subscribe(box, "f", *SCOPES)
    box.admit("themes", {"id": 1, "feed": "f"})
    for scope in SCOPES:
        box.move("themes", 1, status="in_progress", scope=scope, actor="eve")
    with box.database.engine.connect().execution_options(isolation_level="REPEATABLE READ") as tx:
        tx.execute(text("SELECT count(*) FROM articles"))  # the snapshot is taken here
        box.move("themes", 1, status="processed", scope="technical", actor="eve")
        with pytest.raises(Exception, match="another transaction changed the same records"):
            box.move("themes", 1, status="processed", scope="fundamental", actor="eve", tx=tx)
        tx.rollback()
    assert states(box) == {"technical": "processed", "fundamental": "in_progress"}
    assert columns(box)[0] is False
    box.close()


def test_a_mirror_that_raises_refuses_the_move_of_that_record_alone(boxed: Boxed) -> None:
    def fragile(rows: Mapping[str, Row]) -> Row:
        if any(row["article_id"] == 2 and row["status"] == "in_progress" for row in rows.values()):
            raise ValueError("a bad day")
        return compat(rows)

    box = opened(boxed, mirrored(fragile), "technical")
    box.admit_many("themes", [{"id": id, "feed": "f"} for id in (1, 2, 3)])
    answers = box.move_many("themes", [1, 2, 3], status="in_progress", scope="technical", actor="eve")
    assert [answer.outcome for answer in answers] == ["moved", "refused", "moved"]
    assert isinstance(answers[1].error, HookFailed)
    assert [states(box, id)["technical"] for id in (1, 2, 3)] == ["in_progress", "pending", "in_progress"]
    assert len(box.ledger.history("themes", 2, axis="status", scope="technical")) == 1


def test_a_mirror_that_returns_other_columns_is_refused(boxed: Boxed) -> None:
    box = opened(boxed, mirrored(lambda rows: {"is_processed": True}), "technical")
    with pytest.raises(HookFailed, match="must return"):
        box.admit("themes", {"id": 1, "feed": "f"})
    with box.database.read() as tx:
        assert tx.execute(text("SELECT count(*) FROM articles")).scalar() == 0


@pytest.mark.leaves
def test_check_finds_what_hands_have_changed_and_a_repair_mends_it(boxed: Boxed, hand: Hand) -> None:
    box = opened(boxed, mirrored())
    box.admit_many("themes", [{"id": id, "feed": "f"} for id in range(1, 6)])
    box.drain()
    hand.run("UPDATE articles SET is_processed = false WHERE id = 2")
    hand.run("UPDATE articles SET extraction_error = 'no' WHERE id = 4")
    found = box.check("themes").findings
    assert [(one.invariant, one.id) for one in found] == [("mirror", "2"), ("mirror", "4")]
    assert "is_processed is False and should be True" in found[0].problem
    assert box.repair_mirrors() == 2
    assert box.repair_mirrors("themes") == 0
    assert (columns(box, 2)[0], columns(box, 4)[2]) == (True, None)


def test_mirrored_columns_are_kept_by_the_engine_and_nobody_else(boxed: Boxed) -> None:
    box = opened(boxed, mirrored())
    answers = box.admit_many("themes", [{"id": 1, "feed": "f", "is_processed": True}, {"id": 2, "feed": "f"}])
    assert [answer.outcome for answer in answers] == ["refused", "admitted"]
    for act in (
        lambda: box.amend("themes", 2, facts={"is_processed": True}, actor="eve", reason="no"),
        lambda: box.move("themes", 2, curation_status="Selected", facts={"is_processed": True}, actor="eve"),
    ):
        with pytest.raises(Exception, match="kept by Interlock"):
            act()
    assert columns(box, 2) == (False, None, None)


def test_a_mirror_that_cannot_be_kept_is_refused_when_declared() -> None:
    workflow = mirrored()
    with pytest.raises(BadDeclaration, match="does not have"):
        workflow.mirror("nothing", axis="status")(compat)
    with pytest.raises(BadDeclaration, match="the engine or another mirror writes"):
        workflow.mirror("is_processed", axis="status")(compat)
    with pytest.raises(BadDeclaration, match="the engine or another mirror writes"):
        workflow.mirror("curation_status", axis="status")(compat)
    with pytest.raises(BadDeclaration, match="not scoped"):
        workflow.mirror("feed", axis="curation_status")
    with pytest.raises(BadDeclaration, match="each once"):
        workflow.mirror(axis="status")


def test_a_mirror_that_says_what_it_reads_and_does_not_tell_apart_is_asked_less_and_says_the_same(
    boxed: Boxed,
) -> None:
    asked: list[set[str]] = []

    def noted(rows: Mapping[str, Row]) -> Row:
        asked.append({name for row in rows.values() for name in row})
        return compat(rows)

    def work(one: Work) -> Outcome[Any]:
        return Failed("EMPTY") if one.scope == "technical" and one.attempt == 1 else Done(score=2)

    spared = {"reads": ("status", "since", "error_code"), "alike": ("pending", "in_progress")}
    box = opened(boxed, mirrored(noted, work, spared=spared))
    box.admit_many("themes", [{"id": id, "feed": "f"} for id in (1, 2)])
    assert asked
    asked.clear()
    assert dispatch(box)
    assert states(box) == {"technical": "in_progress", "fundamental": "in_progress"}
    assert asked == []
    assert box.check().findings == []
    asked.clear()
    box.drain()
    assert columns(box) == (False, None, "technical: EMPTY")
    assert asked[0] == {"pipeline", "status", "since", "error_code"}
    box.advance(timedelta(minutes=2))
    assert dispatch(box)
    assert columns(box) == (False, None, "technical: EMPTY")  # an error stays until the next outcome
    box.drain()
    assert states(box) == {"technical": "processed", "fundamental": "processed"}
    assert columns(box)[0] is True
    assert box.check().findings == []


def test_states_that_a_mirror_does_not_tell_apart_are_states_of_its_machine() -> None:
    with pytest.raises(BadDeclaration, match="resting"):
        mirrored(spared={"alike": ("pending", "resting")})
