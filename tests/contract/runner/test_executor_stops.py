"""Work that does not end by itself: timeouts, cancelling and closing, in threads, in the event loop and in processes."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from interlock import Done, Failed, Work
from interlock.clock import FrozenClock
from interlock.runner.executors.tasks import Cancelled, Task
from interlock.runner.executors.threads import ThreadPool
from interlock.runner.executors.timers import Timers
from interlock.workflow import Stage
from tests.contract.executing import LONG, Way, one, several


class Hanging(Way):
    """A way with a function that begins, says so, and hangs until it is released, cancelled or killed."""

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(name, folder)
        self.release = threading.Event()
        os.mkfifo(folder / "begun")
        self._begun = os.open(folder / "begun", os.O_RDWR)

    def hanging(self, **options: Any) -> Stage:
        fifo, release = self._begun, self.release
        path = (
            f"/proc/{os.getpid()}/fd/{fifo}"
            if self.name != "isolated"
            else str(Path(self.files.location).parent / "begun")
        )

        def begin() -> None:
            with open(path, "wb", buffering=0) as begun:  # noqa: PTH123 a fifo
                begun.write(b"%10d" % os.getpid())

        def hang(work: Work) -> Done[None]:
            begin()
            if work.log_ref and self.name == "isolated":
                signal.pause()
            release.wait()
            return Done(cancelled=work.cancelled)

        async def hang_async(work: Work) -> Done[None]:
            begin()
            await asyncio.Event().wait()
            return Done()

        if self.name == "event_loop":
            return self.workflow.stage(waiting="waiting", done="done", **options)(hang_async)
        if self.name == "isolated":
            options["writes"] = [Path(path).parent]
        return self.stage(hang, **options)

    def begun(self) -> int:
        """Wait until one more has begun; answers its process. What was stopped before it began never says so."""
        readable, _, _ = select.select([self._begun], [], [], LONG)
        assert readable, "nothing has begun"
        return int(os.read(self._begun, 10))

    def close(self) -> None:
        self.release.set()
        super().close()
        os.close(self._begun)


@pytest.fixture(params=["threads", "event_loop", "isolated"])
def way(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hanging]:
    opened = Hanging(request.param, tmp_path)
    yield opened
    opened.close()


def begin(way: Hanging, stage: Stage, count: int = 1) -> list[Task]:
    tasks = [way.task(stage, Work(number)) for number in range(count)]
    for task in tasks:
        way.executor().submit(task)
    for _ in tasks:
        way.begun()
    return tasks


def submit(way: Hanging, stage: Stage) -> Task:
    """Where its time may be up before it has begun, as on a machine that does something else."""
    task = way.task(stage)
    way.executor().submit(task)
    return task


def test_work_that_hangs_times_out(way: Hanging) -> None:
    task = submit(way, way.hanging(timeout="50ms"))
    work, finished = task.work, one(way.executor())
    assert isinstance(finished.outcome, Failed)
    assert (finished.outcome.code, finished.outcome.message, finished.outcome.final) == (
        "TIMEOUT",
        "took longer than 0.05s",
        False,
    )
    assert work.cancelled or way.name == "isolated"
    assert way.executor().running() == []


def test_the_table_may_say_what_a_timeout_means_but_only_by_its_own_name(way: Hanging) -> None:
    stage = way.hanging(
        timeout="20ms", failures={TimeoutError: Failed("SLOW", final=True), OSError: Failed("IO")}
    )
    submit(way, stage)
    outcome = one(way.executor()).outcome
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.message, outcome.final) == ("SLOW", "took longer than 0.02s", True)


def test_a_timeout_is_retried_in_the_runner_with_fresh_work(way: Hanging) -> None:
    stage = way.hanging(timeout="30ms", retry=["1ms"], retry_in="runner")
    task = way.task(stage)
    first = task.work
    way.executor().submit(task)
    finished = one(way.executor())
    assert isinstance(finished.outcome, Failed)
    assert finished.outcome.code == "TIMEOUT"
    assert finished.task.work is not first
    assert finished.task.work.last_error == "TIMEOUT"
    if way.name != "isolated":
        assert (first.cancelled, finished.task.work.cancelled) == (True, True)


def test_cancelled_work_is_told_so_and_collected(way: Hanging) -> None:
    [task] = begin(way, way.hanging())
    way.executor().cancel(task.token)
    assert task.work.cancelled
    way.release.set()  # a thread must see it by itself
    finished = one(way.executor())
    assert finished.task is task
    assert isinstance(finished.outcome, Done if way.name == "threads" else Cancelled)


def test_cancelled_work_that_has_not_begun_never_begins(way: Hanging) -> None:
    stage, executor = way.hanging(), way.executor(1)
    if way.name == "event_loop":
        return  # the loop begins everything at once
    begin(way, stage)
    waiting = way.task(stage)
    executor.submit(waiting)
    executor.cancel(waiting.token)
    way.release.set()
    executor.cancel("token-1")
    outcomes = {finished.task.token: finished.outcome for finished in several(executor, 2)}
    assert isinstance(outcomes[waiting.token], Cancelled)


def test_cancelling_what_is_not_there_does_nothing(way: Hanging) -> None:
    way.hanging()
    way.executor().cancel("unknown")
    assert way.executor().collect(0) == []


def test_a_wait_for_the_next_try_ends_when_it_is_cancelled(way: Way) -> None:
    tried = threading.Event()

    def failing(work: Work) -> Failed[Any]:
        tried.set()
        return Failed("AWAY")

    stage = way.stage(failing, retry=["1h"], retry_in="runner")
    task = way.task(stage)
    executor = way.executor()
    executor.submit(task)
    while task.work.last_error is None:
        executor.collect(0.01)
    assert executor.free(stage) >= 2  # waiting holds no slot
    executor.cancel(task.token)
    assert isinstance(one(executor).outcome, Cancelled)


def test_a_wait_for_the_next_try_ends_when_the_runner_closes(way: Way) -> None:
    stage = way.stage(lambda work: Failed("AWAY"), retry=["1h"], retry_in="runner")
    task = way.task(stage)
    executor = way.executor()
    executor.submit(task)
    while task.work.last_error is None:
        executor.collect(0.01)
    assert executor.close(LONG) == [task]
    assert executor.collect(0) == []


def test_closing_gives_back_what_does_not_finish_in_time(way: Hanging) -> None:
    others = psutil.Process().children(recursive=True)  # servers of other tests
    stage = way.hanging()
    hung = begin(way, stage, 2)
    waiting = way.task(stage)
    way.executor().submit(waiting)
    if way.name == "event_loop":
        way.begun()
    left = way.executor().close(0.05)
    assert {task.token for task in left} == {task.token for task in [*hung, waiting]}
    assert all(task.work.cancelled for task in hung)
    assert (way.executor().collect(0), way.executor().running()) == ([], [])
    left_over = [child for child in psutil.Process().children(recursive=True) if child not in others]
    assert [child for child in left_over if "python" in child.name()] == []


def test_closing_waits_for_what_finishes_in_time(way: Hanging) -> None:
    gate = Path(way.files.location).parent / "gate"
    os.mkfifo(gate)

    def waiting(work: Work) -> Done[None]:
        with gate.open("rb") as opened:
            opened.read()
        return Done()

    stage, executor = way.stage(waiting), way.executor()
    task = way.task(stage)
    executor.submit(task)
    opened = gate.open("wb")  # returns once the function has begun to read
    closing = threading.Timer(0.05, opened.close)
    closing.start()
    assert executor.close(LONG) == []
    assert [finished.task for finished in executor.collect(0)] == [task]
    closing.join()


def test_a_thread_that_hangs_keeps_its_slot_until_it_returns(tmp_path: Path) -> None:
    way = Hanging("threads", tmp_path)
    stage, executor = way.hanging(timeout="20ms"), way.executor(2)
    begin(way, stage)
    assert isinstance(one(executor).outcome, Failed)
    assert executor.free(stage) == 1
    way.release.set()
    way.close()


def test_when_every_thread_hangs_what_waits_is_left_to_others(tmp_path: Path) -> None:
    way = Hanging("threads", tmp_path)
    stage, executor = way.hanging(timeout="20ms"), way.executor(1)
    begin(way, stage)
    waiting = way.task(stage)
    executor.submit(waiting)
    outcomes = {finished.task.token: type(finished.outcome).__name__ for finished in several(executor, 2)}
    assert outcomes[waiting.token] == "Again"
    way.close()


def test_inline_a_timeout_is_judged_by_the_clock(tmp_path: Path) -> None:
    way = Way("inline", tmp_path)
    assert isinstance(way.clock, FrozenClock)
    outcome = way.run(lambda work: Done(way.clock.sleep(31)), timeout="30s")
    assert isinstance(outcome, Failed)
    assert outcome.code == "TIMEOUT"


def test_inline_waits_go_through_the_clock_with_jitter(tmp_path: Path) -> None:
    way = Way("inline", tmp_path)
    before = way.clock.now()
    way.run(lambda work: Failed("AWAY"), retry=["2s", "4s", "8s"], retry_in="runner")
    waited = (way.clock.now() - before).total_seconds()
    assert 12.6 <= waited <= 15.4
    assert waited != 14.0


def test_a_runner_that_tries_again_itself_waits_as_long_as_it_was_told(tmp_path: Path) -> None:
    way = Way("inline", tmp_path)
    before = way.clock.now()
    way.run(lambda work: Failed("AWAY", after="6s"), retry=["2s", "4s", "8s"], retry_in="runner")
    waited = (way.clock.now() - before).total_seconds()
    assert 6 + 6 + 7.2 <= waited <= 6 + 6 + 8.8


def test_a_function_that_blocks_the_event_loop_is_reported_all_the_same(tmp_path: Path) -> None:
    way, release = Way("event_loop", tmp_path), threading.Event()
    outcome = way.run(lambda work: Done(release.wait()), timeout="30ms")
    release.set()
    assert isinstance(outcome, Failed)
    assert outcome.code == "TIMEOUT"
    way.close()


def test_short_work_is_taken_in_advance_and_other_work_is_not(tmp_path: Path) -> None:
    way = Way("threads", tmp_path)
    short, unknown = way.stage(lambda work: Done()), way.stage(never)
    executor = way.executor(2)
    for _ in range(50):
        executor.submit(way.task(short))
    several(executor, 50)
    assert executor.free(short) > 10
    assert executor.free(unknown) == 2
    way.close()


def never(work: Work) -> Done[None]:
    return Done()


def test_a_signal_handler_may_wake_the_runner(tmp_path: Path) -> None:
    way = Way("threads", tmp_path)
    executor = way.executor()
    before = signal.signal(signal.SIGUSR1, lambda *_: executor.wake())
    sender = threading.Timer(
        0.05, lambda: signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
    )
    sender.start()
    try:
        assert executor.collect(LONG) == []
    finally:
        sender.join()
        signal.signal(signal.SIGUSR1, before)
        way.close()


def test_a_lane_that_was_stopped_begins_no_thread_for_a_late_try() -> None:
    """A try that a timer submits meanwhile would begin a thread that takes another's word to end, and stopping would wait for ever."""
    ended: list[object] = []
    finished = threading.Event()

    def report(task: Task, outcome: object) -> None:
        ended.append(outcome)
        finished.set()

    timers = Timers()
    lane = ThreadPool(2, report, timers)
    stage = Stage("work", "status", lambda work: Done(), ("waiting",), "done")
    lane.submit(Task("t1", stage, Work(1)))
    assert finished.wait(LONG)
    lane.stop()
    lane.submit(Task("t2", stage, Work(2)))
    timers.stop()
    assert [thread.is_alive() for thread in lane._threads] == [False]
    assert [task.token for task in lane.withdraw()] == ["t2"]
    assert len(ended) == 1
