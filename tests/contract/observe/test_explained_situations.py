"""Every situation a record can wait in, and the sentence that explains it: the one that a person needs, and nothing false beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Column, Integer, MetaData, String, Table, Text

from interlock import Adopt, App, Axis, Done, Machine, Work, Workflow, after, operator
from interlock.client import connect
from interlock.store.queue import coordinators
from interlock.testing import Sandbox
from tests.contract.hand import Hand
from tests.contract.rules.test_scoped_work import themed
from tests.contract.working import (
    Boxed,
    admit,
    another_runner,
    apply,
    broken,
    claim,
    dispatch,
    finish,
    jobs,
    patient,
    still,
)
from tests.kinds import content

FIRST, LATER = "2026-01-01 00:00:00 UTC", "2026-01-01 00:01:00 UTC"
SOON = "2026-01-01 00:01:?? UTC"
"""A minute later, give or take the tenth that is jitter."""


class Case(NamedTuple):
    """A workflow, what happens to its record `a`, and the unmet and met conditions that are explained then."""

    make: Callable[[], Workflow]
    happens: Callable[[Sandbox, Hand], object]
    waits_for: list[str]
    met: tuple[str, ...] = ()


def is_coordinated(box: Sandbox) -> None:
    with box.database.write() as tx:
        coordinators.register(box.coordinates.work, tx, "c1", "box")


def waits(box: Sandbox, _: Hand) -> None:
    is_coordinated(box)
    assert box.runs is not None
    box.runs.renew()


def is_paused(box: Sandbox, hand: Hand) -> None:
    waits(box, hand)
    box.pause("jobs", "work", actor="ann", reason="lunch")


def is_claimed(box: Sandbox, hand: Hand) -> None:
    waits(box, hand)
    dispatch(box)
    claim(box)


def is_reported(box: Sandbox, hand: Hand) -> None:
    waits(box, hand)
    dispatch(box)
    finish(box, claim(box)[0], Done())


def fails_once(box: Sandbox, hand: Hand, *, final: bool = False) -> None:
    waits(box, hand)
    dispatch(box)
    finish(box, claim(box)[0], broken(final=final))
    apply(box)


def fails_for_good(box: Sandbox, hand: Hand) -> None:
    fails_once(box, hand, final=True)


def uses_up_its_tries(box: Sandbox, hand: Hand) -> None:
    for _ in range(3):
        fails_once(box, hand)
        box.advance(timedelta(minutes=5))
        box.coordinates.sweep()


def another_is_at_work(box: Sandbox, hand: Hand) -> None:
    admit(box, "0", host="x.example")
    is_claimed(box, hand)


def every_runner_is_busy(box: Sandbox, hand: Hand) -> None:
    is_coordinated(box)
    another_runner(box, capacity=1).renew()
    admit(box, "0")
    box.coordinates.dispatcher.step(box.coordinates.stage_queues.values())


def lease_runs_out(box: Sandbox, hand: Hand) -> None:
    is_claimed(box, hand)
    box.advance(timedelta(seconds=60))
    is_coordinated(box)


def is_cancelled(box: Sandbox, hand: Hand) -> None:
    is_claimed(box, hand)
    box.cancel("jobs", "a", actor="ann", reason="sent twice")


def is_old(box: Sandbox, hand: Hand) -> None:
    box.advance(timedelta(minutes=1))


def runs_without_a_task(box: Sandbox, hand: Hand) -> None:
    is_claimed(box, hand)
    with hand.without_guards_of("interlock_work"):
        hand.run("DELETE FROM interlock_work")


def rests_in_running(box: Sandbox, hand: Hand) -> None:
    fails_once(box, hand, final=True)


def is_refused_by_its_gate(box: Sandbox, hand: Hand) -> None:
    is_claimed(box, hand)
    box.judge_gate("jobs", "a", "level", passed=False, actor="gate", reason="no such level")


def gated() -> Workflow:
    workflow = jobs()

    @workflow.gate("done")
    def level(work: Work) -> None:
        """Never asked here: its verdict is typed."""

    return workflow


ONWARD = Machine("onward", initial="waiting", moves={"waiting": ["running"], "running": ["done"]})
TIMED = Machine("timed", initial="asked", moves={"asked": ["checked", after("7d", "expired")]})
JUDGED = Machine("judged", initial="open", moves={"open": [operator("closed")]})


def by_hand(machine: Machine) -> Callable[[], Workflow]:
    def make() -> Workflow:
        table = Table(
            "jobs",
            MetaData(),
            Column("id", String(40), primary_key=True),
            Column("host", Text),
            Column("rank", Integer),
        )
        return Workflow("jobs", noun="job", records=table, axes=[Axis("status", machine)])

    return make


CASES = {
    "due, with runner and coordinator": Case(jobs, waits, ["stage work is to run"], (f"due since {FIRST}",)),
    "no runner is alive": Case(
        jobs,
        lambda box, hand: is_coordinated(box),
        [
            "stage work is to run",
            "a runner: none is alive that serves stage work (start one with `interlock runner`)",
        ],
        (f"due since {FIRST}",),
    ),
    "nobody is alive": Case(
        jobs,
        is_old,
        [
            "stage work is to run",
            "a runner: none is alive that serves stage work (start one with `interlock runner`)",
            "a coordinator: none is alive (start one with `interlock coordinator` or `interlock up`)",
        ],
        (f"due since {FIRST}",),
    ),
    "the stage is paused": Case(
        jobs,
        is_paused,
        ["stage work is to run", "stage work to be resumed; ann paused it: lunch"],
        (f"due since {FIRST}",),
    ),
    "a runner works on it": Case(
        jobs, is_claimed, [f"runner r1 works on try 1 of stage work, since {FIRST}"]
    ),
    "a report waits": Case(
        jobs, is_reported, [f"r1 reported try 1 of stage work at {FIRST}; a coordinator applies it"]
    ),
    "a lease ran out": Case(
        jobs,
        lease_runs_out,
        [
            "runner r1 has not been heard from since its lease ended at 2026-01-01 00:00:30 UTC; the next sweep ends try 1 of stage work"
        ],
    ),
    "its task is lost": Case(
        jobs,
        runs_without_a_task,
        ["stage work has no task for it (lost, or moved here by hand); the next sweep starts one"],
    ),
    "the next try waits in the failed state": Case(
        patient,
        fails_once,
        ["stage work is to run", f"try 2 of 3 comes at {SOON}, after BROKEN: not yet"],
    ),
    "the next try waits to be brought back": Case(
        lambda: jobs(retry=["1m"]),
        fails_once,
        [f"try 2 of 2 of stage work at {SOON}, after BROKEN: not yet"],
    ),
    "it failed for good": Case(
        lambda: jobs(retry=["1m"]),
        fails_for_good,
        [
            "a person's retry: stage work failed for good; "
            "the last try failed with BROKEN: not yet (`interlock record retry jobs a --reason …`)"
        ],
    ),
    "its tries are used up": Case(
        lambda: jobs(retry=["1m", "1m"]),
        uses_up_its_tries,
        [
            "a person's retry: all 3 tries of stage work are used up; "
            "the last try failed with BROKEN: not yet (`interlock record retry jobs a --reason …`)"
        ],
    ),
    "a person moved it to the failed state": Case(
        jobs,
        lambda box, hand: box.move("jobs", "a", status="failed", actor="ann", reason="no paper"),
        [
            "a person's retry: it was moved here, not by a failure of stage work (`interlock record retry jobs a --reason …`)"
        ],
    ),
    "a person cancelled it": Case(
        jobs,
        is_cancelled,
        [
            "a person's retry: the work of stage work was cancelled: sent twice (`interlock record retry jobs a --reason …`)"
        ],
    ),
    "a condition of the stage does not hold": Case(
        lambda: jobs(only_if=lambda table: table.c.rank > 5),
        waits,
        ["stage work is to run", "only if jobs.rank > 5; it rests here until that is so"],
        (f"due since {FIRST}",),
    ),
    "all slots are in use": Case(
        lambda: jobs(limit=1),
        another_is_at_work,
        [
            "stage work is to run",
            "a free slot: stage work works on 1 at once, and all are in use",
        ],
        (f"due since {FIRST}",),
    ),
    "all slots of its key are in use": Case(
        lambda: jobs(per_key=lambda table: (table.c.host, 1)),
        another_is_at_work,
        ["stage work is to run", "a free slot of host x.example: stage work works on 1 of it at once"],
        (f"due since {FIRST}",),
    ),
    "the rate is used up": Case(
        lambda: jobs(rate="1/m"),
        another_is_at_work,
        ["stage work is to run", "the rate of stage work: 1 in 60 s are used up"],
        (f"due since {FIRST}",),
    ),
    "the rate of its key": Case(
        lambda: jobs(rate_per=lambda table: (table.c.host, "1/m")),
        another_is_at_work,
        ["stage work is to run", f"the rate of host x.example, until {LATER}"],
        (f"due since {FIRST}",),
    ),
    "a stage without a running state is at work": Case(
        still, is_claimed, [f"runner r1 works on try 1 of stage work, since {FIRST}"]
    ),
    "all runners are busy": Case(
        jobs,
        every_runner_is_busy,
        ["stage work is to run", "a runner with room: all 1 that serve stage work are busy"],
        (f"due since {FIRST}",),
    ),
    "it failed where no state is for that": Case(
        lambda: jobs(machine=ONWARD, failed=None),
        rests_in_running,
        [
            "a person's retry: stage work failed with BROKEN: not yet and has no failed state, so it stays here "
            "(`interlock record retry jobs a --reason …`)"
        ],
    ),
    "a gate has not run": Case(
        gated,
        is_claimed,
        [
            f"runner r1 works on try 1 of stage work, since {FIRST}",
            "gate level to pass; it has not run yet",
        ],
    ),
    "a gate refused": Case(
        gated,
        is_refused_by_its_gate,
        [
            f"runner r1 works on try 1 of stage work, since {FIRST}",
            "gate level to pass; it refused: no such level",
        ],
    ),
    "a timer": Case(
        by_hand(TIMED),
        lambda box, hand: None,
        ["its timer moves it to expired at 2026-01-08 00:00:00 UTC, unless it leaves asked before"],
    ),
    "a person decides": Case(by_hand(JUDGED), lambda box, hand: None, ["a person's decision: closed"]),
}


@pytest.mark.parametrize("name", CASES)
def test_the_sentence_of_each_situation_is_true(name: str, boxed: Boxed, hand: Hand) -> None:
    case = CASES[name]
    box = boxed(case.make())
    admit(box, "a", host="x.example", rank=1)
    case.happens(box, hand)
    answer = box.explain("jobs", "a")
    waited = [one.what for one in answer.waits_for if not one.met]
    if SOON in str(case.waits_for):
        waited = [re.sub(r"00:0(0:5|1:0)\d", "00:01:??", one) for one in waited]
    assert waited == case.waits_for
    assert tuple(one.what for one in answer.waits_for if one.met) == case.met
    if case.happens is runs_without_a_task:
        assert [one.invariant for one in box.check().findings] == ["I5"]
        box.coordinates.sweep()


def unmet(app: App, kind: str, id: Any, scope: str | None = None) -> list[str]:
    return [one.what for one in app.explain(kind, id).waits_for if not one.met and one.scope == scope]


def test_a_rule_on_another_axis_and_an_inactive_pair_are_named(boxed: Boxed, hand: Hand) -> None:
    box = boxed(themed())
    with box.database.write() as tx:
        for feed, pipeline in (("a", "technical"), ("a", "fundamental")):
            tx.exec_driver_sql(
                f"INSERT INTO feeds(feed, pipeline, active) VALUES ('{feed}', '{pipeline}', 1)"
            )
    box.admit("themes", {"id": 1, "feed": "a"})
    is_coordinated(box)
    assert box.runs is not None
    box.runs.renew()
    assert unmet(box, "themes", 1, "technical") == ["stage extract is to run"]
    box.move("themes", 1, actor="ann", curation_status="Discarded")
    (sentence,) = [one for one in unmet(box, "themes", 1, "technical") if one.startswith("a rule")]
    assert "requires(curation_status=New|Selected)" in sentence
    box.move("themes", 1, actor="ann", curation_status="Selected")
    hand.run("UPDATE feeds SET active = 0 WHERE pipeline = 'technical'")
    assert unmet(box, "themes", 1, "technical") == [
        "stage extract is to run",
        "the pair of this record and technical to be active again; meanwhile it rests",
    ]
    assert unmet(box, "themes", 1, "fundamental") == ["stage extract is to run"]


def test_a_phase_of_an_adoption_in_which_nothing_is_begun_is_named(boxed: Boxed, hand: Hand) -> None:
    box = boxed(jobs(axis={"adopt": Adopt("jobs-1", quiet="0s")}))
    admit(box, "a")
    for phase in (3, 2):  # without legacy rows it begins in its last phase
        box.adoptions.cutover("jobs", phase, actor="ann", role="operator", reason="not yet")
    waits(box, hand)
    assert unmet(box, "jobs", "a") == [
        "stage work is to run",
        "the adoption of jobs.status to reach the phase eligibility; it is in backfill (`interlock adopt cutover`)",
    ]


def test_a_gate_that_refused_an_earlier_version_is_still_named(opened: Any) -> None:
    app: App = opened(content())
    app.admit("content", {"item_id": "c1", "state": "CANDIDATE"})
    app.judge_gate("content", "c1", "level", passed=False, actor="gate", reason="no such level")
    app.amend("content", "c1", facts={"author": "bob"}, actor="bob", reason="typo")
    (refused,) = [one for one in app.explain("content", "c1").next if one.to == "VALIDATED"]
    assert (refused.allowed, refused.code) == (False, "ILK-206")
    assert refused.reason == "gate level refused version 1: no such level"


@pytest.mark.leaves("I2", "guards")
def test_row_and_history_that_disagree_are_said_to(boxed: Boxed, hand: Hand) -> None:
    box = boxed(jobs())
    admit(box, "a")
    hand.drop_guards()
    hand.run("UPDATE jobs SET status = 'done' WHERE id = 'a'")
    (why,) = box.explain("jobs", "a").why
    assert why.startswith(
        "status is done (version 0), and its history ends with waiting (version 0): row and history disagree"
    )
    assert "`interlock check jobs` locates it" in why


def needs(box: Sandbox) -> list[str]:
    return [one.what for one in connect(box).attention()]


def test_the_overview_names_work_that_waits_while_no_coordinator_is_alive(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a", "b")
    assert needs(box) == []
    box.advance(timedelta(minutes=2))
    assert "2 records wait, and no coordinator is alive" in needs(box)
    is_coordinated(box)
    assert [one for one in needs(box) if "coordinator" in one] == []


@pytest.mark.parametrize("make", [patient, lambda: jobs(retry=["1m", "1m"])], ids=["failed", "waiting"])
def test_the_overview_leaves_out_what_is_tried_again_by_itself(
    make: Callable[[], Workflow], boxed: Boxed, hand: Hand
) -> None:
    box = boxed(make())
    admit(box, "a")
    fails_once(box, hand)
    assert box.errors()[0]["records"] == 1
    assert [one for one in needs(box) if "BROKEN" in one] == []
    box.advance(timedelta(minutes=5))
    box.coordinates.sweep()
    for _ in range(2):
        fails_once(box, hand)
        box.advance(timedelta(minutes=5))
        box.coordinates.sweep()
    assert "1 of jobs with the error BROKEN: not yet" in needs(box)


def test_the_overview_names_records_in_states_that_the_code_does_not_know(opened: Any) -> None:
    app: App = opened(by_hand(Machine("timed", initial="asked", moves={"asked": ["checked"]}))())
    app.admit("jobs", {"id": "a"})
    app.move("jobs", "a", actor="ann", status="checked")
    other = opened(by_hand(Machine("timed", initial="asked", moves={"asked": ["done"]}))())
    assert [one.what for one in connect(other).attention()] == [
        "1 of jobs stranded in status checked, which this code does not know"
    ]
