"""A runner's life: it drops what it lost, fences itself when it cannot renew, and finishes or gives back when it stops."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import Done, Outcome
from interlock.errors import StoreUnavailable
from interlock.runner.executors.tasks import Finished, Task
from interlock.runner.finish import Result
from interlock.store.queue import runners
from interlock.testing import Sandbox
from interlock.workflow import Stage
from tests.contract.worked import said_of, state, work_rows
from tests.contract.working import Boxed, admit, another_runner, jobs


class Slow:
    """An executor whose work ends when told to."""

    def __init__(self) -> None:
        self.tasks: dict[str, Task] = {}
        self.ended: list[Finished] = []
        self.cancelled: list[str] = []
        self.waiting: list[str] = []
        """Ids of short work that was taken in advance: each is over when somebody waits for it."""

    def free(self, stage: Stage) -> int:
        return 10

    def submit(self, task: Task) -> None:
        self.tasks[task.token] = task

    def end(self, id: str, outcome: Outcome[Any]) -> None:
        self.ended.append(Finished(next(task for task in self.tasks.values() if task.work.id == id), outcome))

    def collect(self, wait: float) -> list[Finished]:
        if wait and self.waiting:
            self.end(self.waiting.pop(0), Done())
        ended, self.ended = self.ended, []
        for one in ended:
            self.tasks.pop(one.task.token, None)
        return ended

    def queued(self) -> int:
        return len(self.waiting)

    def running(self) -> list[Task]:
        return list(self.tasks.values())

    def cancel(self, token: str) -> None:
        self.cancelled.append(token)

    def close(self, grace: float) -> list[Task]:
        finished = {one.task.token for one in self.ended}
        return [task for token, task in self.tasks.items() if token not in finished]

    def wake(self) -> None:
        pass


def slow_runner(box: Sandbox, ids: str) -> tuple[Any, Slow]:
    executor = Slow()
    runner = box.runner(executor, name="slow", capacity=10, ticks=lambda: box.time.now().timestamp())
    runner.renew()
    admit(box, *ids)
    box.coordinates.dispatcher.step(box.coordinates.stage_queues.values())
    runner.step()
    assert len(runner.held) == len(ids)
    return runner, executor


def test_a_runner_that_stops_reports_what_ended_and_gives_back_the_rest_uncounted(boxed: Boxed) -> None:
    box = boxed(jobs())
    runner, executor = slow_runner(box, "ab")
    executor.end("a", Done())
    runner.stop(0.0)
    assert [(row["record_id"], row["claimed_by"], row["outcome"]) for row in work_rows(box)] == [
        ("a", runner.id, "done"),
        ("b", None, None),
    ]
    assert runner.id not in [one.id for one in box.runners()]
    box.drain()
    row = box.get("jobs", "b")
    assert (row["status"], row["attempt"], row["tries"]) == ("done", 1, 1)


def test_results_of_queued_short_work_are_reported_together(boxed: Boxed) -> None:
    box = boxed(jobs())
    runner, executor = slow_runner(box, "abcd")
    executor.waiting = ["b", "c"]
    executor.end("a", Done())
    runner.step()
    assert [(row["record_id"], row["outcome"]) for row in work_rows(box)] == [
        ("a", "done"),
        ("b", "done"),
        ("c", "done"),
        ("d", None),
    ]
    box.coordinates.step()
    assert [state(box, id) for id in "abcd"] == ["done", "done", "done", "running"]
    assert [move.new for move in box.ledger.history("jobs", "c")] == ["waiting", "running", "done"]


def test_a_result_is_reported_at_once_where_nothing_is_queued(boxed: Boxed) -> None:
    box = boxed(jobs())
    runner, executor = slow_runner(box, "ab")
    executor.end("a", Done())
    runner.step()
    assert [(row["record_id"], row["outcome"]) for row in work_rows(box)] == [("a", "done"), ("b", None)]


def test_a_runner_drops_what_it_does_not_hold_any_more(boxed: Boxed) -> None:
    box = boxed(jobs())
    runner, executor = slow_runner(box, "ab")
    token = next(token for token, (attempt, _) in runner.held.items() if attempt.record_id == "a")
    box.cancel("jobs", "a", actor="ann", reason="not wanted")
    box.advance("8s")
    runner.renew()
    assert executor.cancelled == [token]
    assert [attempt.record_id for attempt, _ in runner.held.values()] == ["b"]
    executor.end("a", Done())
    runner.step()
    assert (state(box, "a"), said_of(box, "a")) == (
        "failed",
        [("stale", "ILK-209")],
    )  # it came too late: refused, and recorded


def test_a_runner_that_cannot_renew_stops_itself_counting_from_what_it_sent(
    boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = boxed(jobs())
    runner, executor = slow_runner(box, "ab")
    executor.end("a", Done())
    runner.gather(0.0)

    def away(*_: Any, **__: Any) -> None:
        raise StoreUnavailable("the database is not available")

    monkeypatch.setattr(runners, "register", away)
    box.advance("29s")
    with pytest.raises(StoreUnavailable):
        runner.renew()
    assert (len(runner.held), len(runner.results)) == (1, 1)  # the lease is not over yet
    box.advance("1s")
    with pytest.raises(StoreUnavailable):
        runner.renew()
    assert (runner.held, runner.results) == ({}, [])
    assert len(executor.cancelled) == 1


def test_two_runners_never_have_the_same_work(boxed: Boxed) -> None:
    box = boxed(jobs())
    first, second = another_runner(box, "one"), another_runner(box, "two")
    for runner in (first, second):
        runner.renew()
    admit(box, *"abcdefghijkl")
    box.coordinates.dispatcher.step(box.coordinates.stage_queues.values())
    assert first.claim() + second.claim() == 12
    tokens = [result.attempt.token for result in results(first) + results(second)]
    assert len(tokens) == len(set(tokens)) == 12


def results(runner: Any) -> list[Result]:
    runner.gather(0.0)
    return list(runner.results)
