"""Gates in every executor: they run in the runner, load, are asked again after their delays, and their verdicts are no stage's to make."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interlock import Again, Done, Failed, Outcome, Work
from interlock.runner.executors.tasks import Cancelled
from tests.contract.executing import WAYS, Way, one


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Way]:
    opened = Way(request.param, tmp_path)
    yield opened
    opened.close()


def test_a_gate_runs_in_the_runner_and_never_in_the_isolated_process(way: Way) -> None:
    asked: list[int] = []
    stage = way.stage(lambda work: Done(pid=os.getpid()))

    @way.workflow.gate("done")
    def level(work: Work) -> Done[None]:
        asked.append(os.getpid())
        return Done(seen=1)

    task = way.task(stage)
    outcome = way.run_task(task)
    assert asked == [os.getpid()]
    assert isinstance(outcome, Done)
    assert (outcome.facts["pid"] == os.getpid()) == (way.name != "isolated")
    assert [(one["gate"], one["passed"], one["details"]) for one in task.verdicts] == [
        ("level", True, {"seen": 1})
    ]


def test_no_function_can_mint_a_verdict(way: Way) -> None:
    def forging(work: Work) -> Any:
        work.verdicts = [{"gate": "level", "passed": True}]  # type: ignore[attr-defined]
        return Done(interlock_gates=[{"gate": "level", "passed": True}], verdicts=[1])

    task = way.task(way.stage(forging))
    outcome = way.run_task(task)
    assert isinstance(outcome, Done)
    assert (task.verdicts, sorted(outcome.facts)) == ([], ["interlock_gates", "verdicts"])


def test_a_gate_that_crashes_or_fails_is_asked_again_after_its_delays(way: Way) -> None:
    answers: list[Any] = [ZeroDivisionError("no"), Failed("BUSY", "later"), Done()]

    def flaky(work: Work) -> Any:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    stage = way.stage(lambda work: Done())
    way.workflow.gate("done", retry=["0s", "1ms", "2ms"])(flaky)
    task = way.task(stage)
    assert isinstance(way.run_task(task), Done)
    assert [(one["passed"], one.get("reason")) for one in task.verdicts] == [
        (False, "GATE_CRASHED: ZeroDivisionError: no"),
        (False, "BUSY: later"),
        (True, None),
    ]


def test_a_gate_whose_tries_are_used_up_refuses(way: Way) -> None:
    stage = way.stage(lambda work: Done())
    way.workflow.gate("done", retry=["1ms"])(lambda work: Failed("NO", "never"))
    task = way.task(stage)
    outcome = way.run_task(task)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.final, len(task.verdicts)) == ("NO", True, 2)


def test_a_gate_that_says_finally_no_is_not_asked_again_and_none_waits_beside_it(way: Way) -> None:
    stage = way.stage(lambda work: Done())
    way.workflow.gate("done", retry=["1h"])(named("first", lambda work: Failed("LATER")))
    way.workflow.gate("done", retry=["1h"])(named("second", lambda work: Failed("NO", final=True)))
    task = way.task(stage)
    outcome = way.run_task(task)
    assert isinstance(outcome, Failed)
    assert (outcome.code, [one["gate"] for one in task.verdicts]) == ("NO", ["first", "second"])


def test_a_gate_that_passed_is_not_asked_again_with_the_others(way: Way) -> None:
    answers = [Failed("BUSY"), Done()]
    stage = way.stage(lambda work: Done())
    way.workflow.gate("done")(named("sure", lambda work: Done()))
    way.workflow.gate("done", retry=["1ms"])(named("flaky", lambda work: answers.pop(0)))
    task = way.task(stage)
    assert isinstance(way.run_task(task), Done)
    assert [(one["gate"], one["passed"]) for one in task.verdicts] == [
        ("sure", True),
        ("flaky", False),
        ("flaky", True),
    ]


def test_a_gate_gets_what_it_loads_and_loads_anew_when_it_is_asked_again(way: Way) -> None:
    read = iter([1, 2])
    stage = way.stage(lambda work: Done())
    gate = way.workflow.gate("done", retry=["1ms"])(
        named("level", lambda work, found: Done(found=found) if found > 1 else Failed("LOW"))
    )

    @gate.load
    def found(tx: Any, work: Work) -> int:
        assert tx == "tx"
        return next(read)

    task = way.task(stage)
    task.read_for = lambda gate, work: gate.loader("tx", work)
    assert isinstance(way.run_task(task), Done)
    assert [one["details"] for one in task.verdicts] == [{}, {"found": 2}]


def test_gates_that_share_a_loader_share_what_it_read_in_each_try(way: Way) -> None:
    read = iter([1, 2])
    stage = way.stage(lambda work: Done())

    def load(tx: Any, work: Work) -> int:
        return next(read)

    def check(work: Work, number: int) -> Outcome[None]:
        return Done(number=number)

    for name in ("first", "second"):
        way.workflow.gate("done")(named(name, check)).load(load)
    way.workflow.gate("done", retry=["1ms"])(
        named("third", lambda work, number: Done(number=number) if number > 1 else Failed("LOW"))
    ).load(load)
    task = way.task(stage)
    task.read_for = lambda gate, work: gate.loader("tx", work)
    assert isinstance(way.run_task(task), Done)
    assert [(one["gate"], one["passed"], one["details"].get("number")) for one in task.verdicts] == [
        ("first", True, 1),
        ("second", True, 1),
        ("third", False, None),
        ("third", True, 2),
    ]
    assert list(read) == []


@pytest.mark.parametrize(
    "answer",
    [Done(x=b"bytes"), Failed("A", x=float("nan")), Done(x="\ud800"), 7, None, Failed("\ud800", "\0")],
    ids=ascii,
)
def test_whatever_a_gate_answers_is_a_verdict_that_can_be_kept(way: Way, answer: Any) -> None:
    stage = way.stage(lambda work: Done())
    way.workflow.gate("done")(named("odd", lambda work: answer))
    task = way.task(stage)
    outcome = way.run_task(task)
    assert isinstance(outcome, Failed)
    assert [one["passed"] for one in task.verdicts] == [False]
    outcome.code.encode(), task.verdicts[0]["reason"].encode()


def test_a_wait_for_a_gate_ends_when_the_work_is_cancelled(tmp_path: Path) -> None:
    way, asked = Way("threads", tmp_path), threading.Event()

    def failing(work: Work) -> Any:
        asked.set()
        return Failed("BUSY")

    stage = way.stage(lambda work: Done())
    way.workflow.gate("done", retry=["1h"])(failing)
    task, executor = way.task(stage), way.executor()
    executor.submit(task)
    assert asked.wait(30)
    executor.cancel(task.token)
    assert isinstance(one(executor).outcome, Cancelled)
    way.close()


def test_a_gate_may_ask_for_time_and_leaves_no_verdict(way: Way) -> None:
    stage = way.stage(lambda work: Done())
    way.workflow.gate("done", retry=["1ms"])(lambda work: Again("5m"))
    task = way.task(stage)
    assert isinstance(way.run_task(task), Again)
    assert task.verdicts == []


def named(name: str, function: Any) -> Any:
    function.__name__ = name
    return function
