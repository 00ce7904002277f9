"""The sweep: what nobody reported is found from the rows alone, repaired, and counted; no state is a dead end by accident."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from sqlalchemy import text

from interlock import Again, Done, Failed, Work
from interlock.coordinator import sweep
from interlock.store.work.attempts import Issue
from tests.contract.worked import counted, moves, said_of, state, work_rows
from tests.contract.working import (
    LEASE,
    Boxed,
    admit,
    another_runner,
    apply,
    begun,
    broken,
    claim,
    dispatch,
    finish,
    jobs,
    patient,
    still,
)
from tests.kinds import domains


def test_a_lease_that_ran_out_costs_a_try_and_the_work_begins_again_at_once(
    boxed: Boxed, caplog: pytest.LogCaptureFixture
) -> None:
    box = boxed(jobs())
    (first,) = begun(box, "a")
    box.advance("30s")
    box.coordinates.sweep()
    assert [row["token"] for row in work_rows(box)] == [
        first.token
    ]  # to the second, it is still the runner's
    box.advance("1s")
    with caplog.at_level(logging.WARNING, "interlock.coordinator"):
        box.coordinates.sweep()
    (row,) = work_rows(box)
    assert (row["position"], row["attempt"], row["claimed_by"]) == (first.position, 2, None)
    assert row["token"] != first.token
    record = box.get("jobs", "a")
    assert (record["status"], record["tries"], record["attempt"], record["error_code"]) == (
        "running",
        1,
        2,
        "LEASE_EXPIRED",
    )
    assert moves(box, "a")[-1] == ("running", "running", "lease.expired")
    assert "1 leases ran out: r1" in caplog.messages
    assert counted(box, "expired") == 1
    assert [attempt.record_id for attempt in claim(box, runner="r2")] == ["a"]


def test_work_that_is_renewed_does_not_expire(boxed: Boxed) -> None:
    box = boxed(jobs())
    begun(box, "a")
    for _ in range(10):
        box.advance("20s")
        with box.database.write() as tx:
            box.coordinates.work.beat(tx, "r1", ["jobs.work"], LEASE)
        box.coordinates.sweep()
    assert box.get("jobs", "a")["tries"] == 0


def test_work_that_kills_its_runners_is_parked_after_exactly_its_tries_and_its_neighbours_finish(
    boxed: Boxed,
) -> None:
    box = boxed(jobs(retry=["1m", "1m"]))
    taken = 0
    for attempt in begun(box, "poison", "a", "b"):
        if attempt.record_id != "poison":
            finish(box, attempt, Done())
    apply(box)
    for _ in range(6):
        box.advance("31s")
        box.coordinates.sweep()
        taken += len(claim(box, runner="dies"))
    record = box.get("jobs", "poison")
    assert taken == 2  # the first one, and two further tries
    assert (record["status"], record["tries"], record["error_code"], record["ready_at"]) == (
        "failed",
        3,
        "LEASE_EXPIRED",
        None,
    )
    assert [state(box, id) for id in "ab"] == ["done", "done"]
    assert work_rows(box) == []


def test_what_has_reported_never_expires(boxed: Boxed) -> None:
    box = boxed(jobs(deadline="1m"))
    (attempt,) = begun(box, "a")
    finish(box, attempt, Done())
    box.advance("10m")
    box.coordinates.sweeper.step()
    assert (state(box, "a"), work_rows(box)[0]["token"]) == ("running", attempt.token)
    apply(box)
    assert (state(box, "a"), box.get("jobs", "a")["tries"]) == ("done", 1)


@pytest.mark.postgresql_only
def test_the_sweep_never_waits_for_an_attempt_that_is_just_being_finished(boxed: Boxed) -> None:
    box = boxed(jobs())
    busy, _ = begun(box, "a", "b")
    box.advance("31s")
    with box.database.engine.begin() as finishing:
        finishing.execute(
            text(
                "UPDATE interlock_work SET reported_at = available_at, outcome = 'done' WHERE token = :token"
            ),
            {"token": busy.token},
        )
        box.coordinates.sweep()
    assert {id: box.get("jobs", id)["tries"] for id in "ab"} == {"a": 0, "b": 1}
    apply(box)
    assert state(box, "a") == "done"


def test_past_its_deadline_an_attempt_is_ended_although_its_runner_lives(boxed: Boxed) -> None:
    box = boxed(jobs(deadline="10m"))
    admit(box, "a")
    dispatch(box)
    box.advance("20m")  # waiting for a runner is not working
    (attempt,) = claim(box)
    for _ in range(31):
        box.advance("20s")
        with box.database.write() as tx:
            box.coordinates.work.beat(tx, "r1", ["jobs.work"], LEASE)
        box.coordinates.sweep()
    record = box.get("jobs", "a")
    assert (record["status"], record["error_code"], record["tries"], record["failed_from"]) == (
        "failed",
        "DEADLINE",
        1,
        "waiting",
    )
    assert moves(box, "a")[-1] == ("running", "failed", "deadline.passed")
    assert finish(box, attempt, Done()) == 0
    assert [verdict for verdict, _ in said_of(box, "a")] == ["stale"]


def test_a_deadline_is_tried_again_like_a_failure(boxed: Boxed) -> None:
    box = boxed(jobs(deadline="10s", retry=["1m"], retry_in="running"))
    begun(box, "a")
    box.advance("11s")
    box.coordinates.sweep()
    (row,) = work_rows(box)
    assert (state(box, "a"), row["attempt"], row["claimed_at"]) == ("running", 2, None)


def test_a_deadline_ends_an_attempt_that_was_begun_and_that_nobody_takes_up_again(boxed: Boxed) -> None:
    """It asked for another try, and since then no runner serves its stage; what never began waits on."""
    box = boxed(jobs(deadline="10m"))
    (attempt,) = begun(box, "a")
    admit(box, "b")
    dispatch(box)
    finish(box, attempt, Again("1m"))
    apply(box)
    box.advance("10m")
    box.coordinates.sweep()
    assert (state(box, "a"), state(box, "b")) == ("running", "running")
    box.advance("2m")
    box.coordinates.sweep()
    record = box.get("jobs", "a")
    assert (record["status"], record["error_code"], state(box, "b")) == ("failed", "DEADLINE", "running")
    assert moves(box, "a")[-1] == ("running", "failed", "deadline.passed")
    assert [row["record_id"] for row in work_rows(box)] == ["b"]


def lose_work(hand: Any, *ids: str) -> None:
    """Somebody has taken the guards down and deleted work rows by hand."""
    with hand.without_guards_of("interlock_work"):
        for id in ids:
            assert hand.run("DELETE FROM interlock_work WHERE record_id = ?", id) == 1


def test_what_runs_without_a_work_row_is_begun_anew_and_costs_no_try(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs())
    zombie, _ = begun(box, "a", "b")
    lose_work(hand, "a")
    box.coordinates.sweep()
    row = next(row for row in work_rows(box) if row["record_id"] == "a")
    record = box.get("jobs", "a")
    assert (record["status"], record["attempt"], record["tries"], row["attempt"]) == ("running", 2, 0, 2)
    assert moves(box, "a")[-1] == ("running", "running", "work.lost")
    assert counted(box, "repaired") == 1
    assert finish(box, zombie, Done()) == 0
    box.coordinates.sweep()
    assert counted(box, "repaired") == 1


def test_lost_work_of_a_limited_stage_comes_back_under_its_limit(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(per_key=lambda table: (table.c.host, 1)))
    begun(box, "a", host="h")
    lose_work(hand, "a")
    admit(box, "b", host="h")
    assert dispatch(box) == 1
    box.coordinates.sweep()  # begun anew, without a slot: the other one has it
    assert {row["record_id"]: (row["limit_key"], row["key_slot"]) for row in work_rows(box)} == {
        "a": ("h", None),
        "b": ("h", 0),
    }
    assert [attempt.record_id for attempt in claim(box)] == ["b"]
    box.report("jobs", "b", Done())
    box.coordinates.sweep()
    assert [attempt.record_id for attempt in claim(box)] == ["a"]


@pytest.mark.leaves("I5")
def test_a_record_that_moved_while_the_sweep_looked_gets_no_work_row(
    boxed: Boxed, hand: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = boxed(jobs())
    begun(box, "a")
    lose_work(hand, "a")
    monkeypatch.setattr(box.coordinates, "move", lambda *_: {})
    box.coordinates.sweep()
    assert work_rows(box) == []


def test_of_two_sweeps_that_saw_the_same_only_one_begins_it_anew(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs())
    begun(box, "a")
    lose_work(hand, "a")
    post = box.coordinates.stage_queues["jobs.work"]
    with box.database.read() as tx:
        running, _ = post.lost_work.running(tx, "", None, 100)
    box.coordinates.sweep()
    with box.database.write() as tx:  # the other one comes late with what it has read
        assert box.coordinates.sweeper._reissue(tx, post, "", running) == 0
    assert (box.get("jobs", "a")["attempt"], len(work_rows(box))) == (2, 1)


def test_what_rests_in_its_running_state_with_an_error_is_left_alone(boxed: Boxed) -> None:
    box = boxed(jobs(lambda work: Failed("NO", final=True), failed=None))
    admit(box, "a")
    box.drain()
    box.advance("1h")
    box.drain()
    record = box.get("jobs", "a")
    assert (record["status"], record["error_code"], record["attempt"]) == ("running", "NO", 1)


def test_what_waits_unseen_is_found(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs())
    admit(box, "a")
    hand.run("UPDATE jobs SET ready_at = NULL")
    assert dispatch(box) == 0
    box.coordinates.sweep()
    assert counted(box, "repaired") == 1
    assert dispatch(box) == 1


def test_what_was_found_unseen_and_is_seen_meanwhile_is_left_alone(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a")
    dispatch(box)
    with box.database.write() as tx:  # a sweep comes late with what it has read before
        box.coordinates.stage_queues["jobs.work"].queue.rest(tx, "", ["a"], box.clock.now())
    assert (state(box, "a"), box.get("jobs", "a")["ready_at"]) == ("running", None)


def test_what_rests_in_a_failed_state_or_beside_an_error_is_not_disturbed(boxed: Boxed) -> None:
    box = boxed(patient(lambda work: broken(final=True), terminal=None))
    admit(box, "failed")
    box.drain()
    assert (state(box, "failed"), box.get("jobs", "failed")["ready_at"]) == ("failed", None)
    box.advance("1h")
    box.drain()
    assert (state(box, "failed"), box.get("jobs", "failed")["attempt"], counted(box, "repaired")) == (
        "failed",
        1,
        0,
    )


def test_what_is_worked_on_without_a_running_state_is_not_taken_for_unseen(boxed: Boxed) -> None:
    box = boxed(still())
    begun(box, "a")
    box.coordinates.sweep()
    assert (counted(box, "repaired"), box.get("jobs", "a")["ready_at"]) == (0, None)


def test_a_patrol_goes_on_where_it_stopped_and_comes_round(
    boxed: Boxed, hand: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "SLICE", 2)
    box = boxed(jobs())
    admit(box, *"abcde")
    hand.run("UPDATE jobs SET ready_at = NULL")
    found = []
    for _ in range(3):
        box.coordinates.sweep()
        found.append(counted(box, "repaired"))
    assert found == [2, 4, 5]
    hand.run("UPDATE jobs SET ready_at = NULL WHERE id = 'a'")
    box.coordinates.sweep()
    assert counted(box, "repaired") == 6


def test_a_standing_rule_is_kept_wherever_it_is_missing(boxed: Boxed) -> None:
    box = boxed(domains())
    for host in ("a", "b"):
        box.admit("domains", {"host": host})
    box.move("domains", 1, actor="ann", curation_status="Selected")
    box.move("domains", 1, actor="ann", processing_status=None)
    box.coordinates.sweep()
    assert [box.get("domains", id)["processing_status"] for id in (1, 2)] == ["Queued", None]
    last = box.ledger.history("domains", 1, axis="processing_status")[-1]
    assert (last.origin, last.cause, last.actor) == ("rule", "rule.during.curation_status", "coordinator")


def test_runners_long_gone_are_forgotten(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs())
    another_runner(box).renew()
    box.advance("50m")
    box.coordinates.sweep()
    assert hand.one("SELECT count(*) FROM interlock_runner") == 1
    box.advance("11m")
    box.coordinates.sweep()
    assert hand.one("SELECT count(*) FROM interlock_runner") == 0


def test_any_coordinator_goes_on_where_another_stopped(boxed: Boxed) -> None:
    """None is a leader, and nothing is kept that the rows do not say."""
    seen: list[str] = []

    def work(given: Work) -> Any:
        seen.append(str(given.id))
        return Done()

    box = boxed(jobs(work))
    admit(box, *"abc")
    dispatch(box)
    claim(box, 1, runner="dead")
    box.coordinates = box.coordinator()
    box.advance("31s")
    box.drain()
    assert [state(box, id) for id in "abc"] == ["done", "done", "done"]
    assert sorted(seen) == ["a", "b", "c"]


@pytest.mark.leaves("I10")
def test_leases_of_stages_that_this_version_does_not_know_are_left_for_another(
    boxed: Boxed, hand: Any
) -> None:
    box = boxed(jobs())
    with hand.without_guards_of("interlock_work"), box.database.write() as tx:
        box.coordinates.work.issue(tx, "elsewhere", "status", "", "elsewhere.work", [Issue("e", 1, "e" * 32)])
        box.coordinates.work.claim(tx, "r1", ["elsewhere.work"], 1, LEASE)
    box.advance("1h")
    assert box.coordinates.sweeper.expire() == 0
    assert work_rows(box)[0]["claimed_by"] == "r1"
