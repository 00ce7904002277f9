"""Runners: they lease work rows, report once, and never touch a record; a zombie's result is refused and recorded."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, select, text
from sqlalchemy.exc import DBAPIError

from interlock import Again, Done, Failed, Outcome, Work, Workflow
from interlock.testing import Sandbox
from tests.contract.worked import moves, said_of, state, work_rows
from tests.contract.working import LEASE, Boxed, admit, apply, begun, broken, claim, dispatch, finish, jobs


def saving(function: Any = None, **stage: Any) -> tuple[Workflow, Table]:
    """Jobs whose results are kept in a table of their own."""
    pages = Table(
        "pages",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("job", String(40)),
        Column("attempt", Integer),
        Column("pages", Integer, unique=True),
    )
    workflow = jobs(function or (lambda work: Done({"pages": 3})), tables=[pages], **stage)

    @workflow.stages["work"].save
    def keep(tx: Connection, work: Work, result: dict[str, int]) -> None:
        tx.execute(pages.insert().values(job=str(work.id), attempt=work.attempt, pages=result["pages"]))

    return workflow, pages


def kept(box: Sandbox, table: Table) -> list[tuple[Any, ...]]:
    with box.database.read() as tx:
        return [
            tuple(row)
            for row in tx.execute(select(table.c.job, table.c.attempt, table.c.pages).order_by(table.c.id))
        ]


def test_a_claim_is_marked_on_the_work_row_only(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a", "b", "c")
    dispatch(box)
    before = box.get("jobs", "a")
    first, second = claim(box, 2)
    assert [first.record_id, second.record_id] == ["a", "b"]  # oldest first
    assert (first.claimed_by, first.attempt) == ("r1", 1)
    assert claim(box, runner="r2")[0].record_id == "c"
    assert claim(box, runner="r3") == []
    assert box.get("jobs", "a") == before
    assert len({row["lease_until"] for row in work_rows(box)}) == 1


def test_what_is_under_way_can_be_seen_and_never_its_token(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a", "b", "c")
    dispatch(box)
    (mine,) = claim(box, 1)
    seen = {one.id: one for one in box.attempts("jobs", ["a", "b", "nobody"])}
    assert sorted(seen) == ["a", "b"]
    assert (seen["a"].stage, seen["a"].attempt, seen["a"].claimed_by) == ("work", 1, "r1")
    assert seen["a"].claimed_at == box.clock.now()
    assert (seen["b"].claimed_by, seen["b"].claimed_at) == (None, None)
    assert mine.token not in repr(seen)
    assert box.attempts("jobs", []) == []
    assert [state(box, id) for id in ("a", "b")] == ["running", "running"]


def test_work_that_nobody_took_costs_no_try(boxed: Boxed) -> None:
    """All runners are away for a day: the work waits as it is, and is taken when one comes."""
    box = boxed(jobs(deadline="1h"))
    admit(box, "a")
    dispatch(box)
    box.advance("24h")
    box.coordinates.sweep()
    assert (state(box, "a"), box.get("jobs", "a")["tries"]) == ("running", 0)
    box.drain()
    assert (state(box, "a"), box.get("jobs", "a")["attempt"]) == ("done", 1)


def test_a_beat_renews_what_is_held_and_nothing_else(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "mine", "reported", "other")
    dispatch(box)
    mine, reported = claim(box, 2)
    claim(box, runner="r2")
    finish(box, reported, Done())
    box.advance("10s")
    with box.database.write() as tx:
        box.coordinates.work.beat(tx, "r1", ["jobs.work"], LEASE)
        assert box.coordinates.work.held(tx, "r1", ["jobs.work"]) == {mine.token}
    leases = {row["record_id"]: row["lease_until"] for row in work_rows(box)}
    assert leases["mine"] > leases["reported"] == leases["other"]


@pytest.mark.postgresql_only
def test_a_beat_never_waits_for_a_row_that_its_own_finish_has_locked(boxed: Boxed) -> None:
    box = boxed(jobs())
    busy, free = begun(box, "a", "b")
    box.advance("10s")
    with box.database.engine.begin() as finishing:
        finishing.execute(
            text("SELECT 1 FROM interlock_work WHERE token = :token FOR UPDATE"), {"token": busy.token}
        )
        with box.database.write() as tx:
            tx.execute(text("SET LOCAL lock_timeout = '2s'"))
            box.coordinates.work.beat(tx, "r1", ["jobs.work"], LEASE)
            assert box.coordinates.work.held(tx, "r1", ["jobs.work"]) == {
                busy.token,
                free.token,
            }  # absence is asked apart
    leases = {row["record_id"]: row["lease_until"] for row in work_rows(box)}
    assert leases["b"] - leases["a"] == timedelta(seconds=10)


def test_a_report_stands_beside_its_attempt_until_it_is_applied(boxed: Boxed) -> None:
    box = boxed(jobs())
    (attempt,) = begun(box, "a")
    assert finish(box, attempt, Done(title="a title")) == 1
    (row,) = work_rows(box)
    assert (row["outcome"], row["shape"], row["facts"], row["report"]) == (
        "done",
        '["title"]',
        '{"title":"a title"}',
        None,
    )
    assert state(box, "a") == "running"
    apply(box)
    assert (state(box, "a"), box.get("jobs", "a")["title"]) == ("done", "a title")


def test_what_a_stage_saves_is_saved_with_its_report(boxed: Boxed) -> None:
    workflow, pages = saving()
    box = boxed(workflow)
    first, second, third = begun(box, "a", "b", "c")
    finish(box, first, Done({"pages": 7}))
    finish(box, second, Failed("HALF", "of it", {"pages": 3}, final=True))  # whatever has a result is saved
    finish(box, third, Done())
    assert kept(box, pages) == [("a", 1, 7), ("b", 1, 3)]


def test_a_zombies_result_is_refused_and_recorded_and_its_rows_never_land(boxed: Boxed) -> None:
    workflow, pages = saving()
    box = boxed(workflow)
    (zombie,) = begun(box, "a")
    box.advance("31s")
    box.coordinates.sweep()
    (fresh,) = claim(box, runner="r2")
    assert finish(box, zombie, Done({"pages": 1})) == 0
    assert finish(box, fresh, Done({"pages": 2}), "r2") == 1
    assert finish(box, zombie, Done({"pages": 1})) == 0
    assert kept(box, pages) == [("a", 2, 2)]
    assert said_of(box, "a") == [("stale", "ILK-209")] * 2
    apply(box)
    assert finish(box, zombie, Done({"pages": 1})) == 0
    assert kept(box, pages) == [("a", 2, 2)]
    assert state(box, "a") == "done"


def test_a_report_that_arrives_twice_is_a_repetition_before_and_after_it_is_applied(boxed: Boxed) -> None:
    workflow, pages = saving()
    box = boxed(workflow)
    (attempt,) = begun(box, "a")
    assert finish(box, attempt, Done({"pages": 1})) == 1
    assert finish(box, attempt, Done({"pages": 1})) == 0
    apply(box)
    assert finish(box, attempt, Done({"pages": 1})) == 0
    assert [verdict for verdict, _ in said_of(box, "a")] == ["duplicate", "duplicate"]
    assert kept(box, pages) == [("a", 1, 1)]
    assert len(moves(box, "a")) == 3


@pytest.mark.parametrize("outcome", [lambda: Again("1s"), broken], ids=["again", "failed"])
def test_a_repeated_report_of_an_attempt_that_goes_on_is_a_repetition_too(outcome: Any, boxed: Boxed) -> None:
    box = boxed(jobs(retry=["1m"], retry_in="running"))
    (attempt,) = begun(box, "a")
    finish(box, attempt, outcome())
    apply(box)
    assert finish(box, attempt, outcome()) == 0
    assert [verdict for verdict, _ in said_of(box, "a")] == ["duplicate"]


def test_what_cannot_be_saved_fails_alone(boxed: Boxed) -> None:
    workflow, pages = saving(lambda work: Done({"pages": {"a": 1, "same": 1, "d": 4}[work.id]}))
    box = boxed(workflow)
    admit(box, "a", "same", "d")
    box.drain()
    assert {id: state(box, id) for id in ("a", "same", "d")} == {"a": "done", "same": "failed", "d": "done"}
    assert "IntegrityError" in box.get("jobs", "same")["error_code"]
    assert [job for job, _, _ in kept(box, pages)] == ["a", "d"]


def test_a_save_that_names_no_table_fails_its_work_and_not_its_runner(boxed: Boxed) -> None:
    workflow = jobs(lambda work: Done(1))

    @workflow.stages["work"].save
    def keep(tx: Connection, work: Work, result: int) -> None:
        tx.execute(text("INSERT INTO no_such_table VALUES (1)"))

    box = boxed(workflow)
    admit(box, "a")
    box.drain()
    assert state(box, "a") == "failed"
    assert box.get("jobs", "a")["error_code"]


@pytest.mark.parametrize(
    "end",
    [lambda tx: tx.commit(), lambda tx: tx.rollback(), lambda tx: tx.execute(text("COMMIT"))],
    ids=["commit", "rollback", "typed"],
)
def test_a_save_that_ends_its_transaction_keeps_nothing_and_takes_no_other_along(
    end: Any, boxed: Boxed
) -> None:
    workflow, pages = saving(lambda work: Done({"pages": ord(work.id)}))
    keep = workflow.stages["work"].saver
    assert keep is not None

    def keep_and_end(tx: Connection, work: Work, result: dict[str, int]) -> None:
        keep(tx, work, result)
        if work.id == "a":
            end(tx)

    workflow.stages["work"].saver = keep_and_end
    box = boxed(workflow)
    admit(box, "a", "b")
    box.drain()
    assert kept(box, pages) == [("b", 1, ord("b"))]
    assert (state(box, "a"), state(box, "b")) == ("failed", "done")
    assert box.get("jobs", "a")["error_message"] == "a save may not end the transaction of its report"
    assert [move.new for move in box.ledger.history("jobs", "a")] == ["waiting", "running", "failed"]
    assert not box.check().findings


@pytest.mark.postgresql_only
@pytest.mark.parametrize("grouped", [False, True])
def test_a_save_that_goes_on_after_the_database_refused_it_fails_its_work_and_not_its_runner(
    boxed: Boxed, grouped: bool
) -> None:
    workflow = jobs(lambda work: Done(1))

    def swallow(tx: Connection, id: str) -> None:
        if id == "b":
            with suppress(DBAPIError):
                tx.execute(text("SELECT 1 / 0"))

    stage = workflow.stages["work"]
    if grouped:
        stage.save_many(lambda tx, results: [swallow(tx, work.id) for work, _ in results])
    else:
        stage.save(lambda tx, work, result: swallow(tx, work.id))
    box = boxed(workflow)
    admit(box, "a", "b", "c")
    box.drain()
    assert [state(box, id) for id in "abc"] == ["done", "failed", "done"]
    assert "which went on" in box.get("jobs", "b")["error_message"]
    assert moves(box, "b")[-1] == ("running", "failed", "work.failed")


def test_facts_that_cannot_be_written_down_are_a_failure_of_the_work(boxed: Boxed) -> None:
    facts: dict[str, Any] = {}
    facts["itself"] = facts
    box = boxed(jobs(lambda work: Done(odd=facts) if work.id == "a" else Done(title="x" * 300_000)))
    admit(box, "a", "b")
    box.drain()
    assert [box.get("jobs", id)["error_code"] for id in "ab"] == ["BAD_OUTCOME", "BAD_OUTCOME"]


@pytest.mark.parametrize(
    "outcome",
    [Done({"title": "kept"}), Failed("BROKEN", "no title", {"title": "none"})],
    ids=["done", "failed"],
)
def test_facts_that_are_returned_as_a_result_which_nothing_saves_are_not_lost_in_silence(
    outcome: Outcome[Any], boxed: Boxed
) -> None:
    box = boxed(jobs(lambda work: outcome))
    admit(box, "a")
    box.drain()
    row = box.get("jobs", "a")
    assert (row["status"], row["error_code"]) == ("failed", "BAD_OUTCOME")
    assert "facts are keywords, such as Done(note=…)" in row["error_message"]
    assert [move.new for move in box.ledger.history("jobs", "a")] == ["waiting", "running", "failed"]


def test_what_a_stage_loads_is_its_second_argument_and_a_load_that_raises_is_its_failure(
    boxed: Boxed,
) -> None:
    workflow = jobs(retry=["1m"], retry_in="running")
    stage = workflow.stages["work"]
    stage.function = lambda work, loaded: Done(title=f"{loaded} of {work.id}")

    @stage.load
    def look(tx: Connection, work: Work) -> str:
        if work.record["host"] is None:
            raise LookupError("no host")
        return str(tx.execute(text("SELECT host FROM jobs WHERE id = :id"), {"id": work.id}).scalar())

    box = boxed(workflow)
    admit(box, "a", host="h")
    admit(box, "b")
    box.drain()
    assert box.get("jobs", "a")["title"] == "h of a"
    assert (state(box, "b"), box.get("jobs", "b")["error_code"]) == ("running", "LookupError")


def test_the_next_try_knows_which_it_is_and_what_went_wrong(boxed: Boxed) -> None:
    seen: list[tuple[int, str | None]] = []

    def work(given: Work) -> Outcome[Any]:
        seen.append((given.attempt, given.last_error))
        return broken() if len(seen) < 3 else Done()

    box = boxed(jobs(work, retry=["1m", "1m"], retry_in="running"))
    admit(box, "a")
    for _ in range(3):
        box.drain()
        box.advance("2m")
    assert seen == [(1, None), (2, "BROKEN"), (3, "BROKEN")]
    assert (state(box, "a"), box.get("jobs", "a")["error_code"]) == ("done", None)


def test_work_on_a_record_that_is_gone_is_ended(boxed: Boxed) -> None:
    box = boxed(jobs())
    (attempt,) = begun(box, "a")
    box.erase("jobs", "a", actor="ann", role="admin", reason="asked to")
    assert work_rows(box) == []
    assert finish(box, attempt, Done()) == 0
    assert said_of(box, "a") == [("stale", "ILK-209")]
