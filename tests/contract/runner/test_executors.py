"""What comes of a stage function is the same however it is executed: inline, in a thread, in the event loop, in a process of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from interlock import Again, Done, Failed, Work
from interlock.errors import BadInput
from tests.contract.executing import LONG, WAYS, Way, one, several


class Parsed(NamedTuple):
    rows: list[dict[str, Any]]
    day: date


class Unsayable(Exception):
    """Has no text, and cannot be pickled."""

    def __init__(self, first: object, second: object) -> None:
        super().__init__()
        self.lock = (first, second, lambda: None)

    def __str__(self) -> str:
        raise RuntimeError("no text")


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Way]:
    opened = Way(request.param, tmp_path)
    yield opened
    opened.close()


def test_a_result_comes_back_with_its_facts(way: Way) -> None:
    found = Parsed([{"amount": Decimal("-3.50")}], date(2026, 1, 31))
    outcome = way.run(
        lambda work: Done(
            found,
            admits={"files": [{"url": "u"}]},
            empty=False,
            count=1,
            at=datetime(2026, 1, 1, tzinfo=UTC),
        ),
        returns=[Parsed],
    )
    assert isinstance(outcome, Done)
    assert (outcome.result, outcome.admits, outcome.empty) == (found, {"files": [{"url": "u"}]}, False)
    assert outcome.facts == {"count": 1, "at": "2026-01-01T00:00:00.000000Z"}  # as the ledger will write them


def test_a_failure_and_a_delay_come_back_as_they_are(way: Way) -> None:
    def failing(work: Work) -> Failed[Any]:
        return Failed("PARTIAL_PARSE", "row 3", [1, 2], final=True, pause="1h", rows=2)

    def delaying(work: Work) -> Again:
        return Again("5m")

    first, second = way.stage(failing), way.stage(delaying)
    failed, again = way.run_task(way.task(first)), way.run_task(way.task(second))
    assert isinstance(failed, Failed)
    assert (failed.code, failed.message, failed.result, failed.final, failed.pause, failed.facts) == (
        "PARTIAL_PARSE",
        "row 3",
        [1, 2],
        True,
        timedelta(hours=1),
        {"rows": 2},
    )
    assert isinstance(again, Again)
    assert again.after == timedelta(minutes=5)


def test_the_function_sees_the_work_and_what_was_loaded(way: Way) -> None:
    def seen(work: Work, loaded: Any) -> Done[Any]:
        return Done(
            (work.id, dict(work.record), work.scope, work.attempt, work.last_error, work.cancelled, loaded)
        )

    work = Work(7, {"host": "a.example"}, scope="technical", attempt=3, last_error="empty_result")
    outcome = way.run(seen, work=work, loaded=None)  # None was loaded: that is not nothing
    assert isinstance(outcome, Done)
    assert outcome.result == (7, {"host": "a.example"}, "technical", 3, "empty_result", False, None)


@pytest.mark.parametrize("value", [None, 7, {"done": True}, Done, Failed("")], ids=repr)
def test_what_is_no_outcome_fails_for_good(way: Way, value: Any) -> None:
    outcome = way.run(lambda work: value)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.final) == ("BAD_OUTCOME", True)


def test_an_outcome_that_is_raised_fails_for_good_and_says_to_return_it(way: Way) -> None:
    def raising(work: Work) -> Any:
        raise Failed("PAPER_JAM")  # type: ignore[misc]

    outcome = way.run(raising)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.final) == ("BAD_OUTCOME", True)
    assert outcome.message.endswith("an outcome is returned: return Failed(…)")


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (ValueError("no such page"), "ValueError", "no such page"),
        (KeyError("total"), "KeyError", "'total'"),
        (SystemExit(3), "SystemExit", "3"),
        (KeyboardInterrupt(), "KeyboardInterrupt", ""),
        (GeneratorExit(), "GeneratorExit", ""),
        (Unsayable(1, 2), "Unsayable", ""),
        (BadInput("not a date"), "BadInput", "not a date"),
        (MemoryError(), "MemoryError", ""),
        (
            ConnectionError("to postgresql://ann:hunter2@db/x failed"),
            "ConnectionError",
            "to postgresql://***@db/x failed",
        ),
        (ValueError("a\0b"), "ValueError", "a\\0b"),
        (ValueError("\ud800"), "ValueError", "\\ud800"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_exception_is_a_failure_that_may_be_tried_again(
    way: Way, error: BaseException, code: str, message: str
) -> None:
    def raising(work: Work) -> None:
        raise error

    outcome = way.run(raising)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.message, outcome.final) == (code, message, False)


def test_the_most_specific_class_in_the_table_decides(way: Way) -> None:
    def raising(work: Work) -> None:
        raise FileNotFoundError("gone")

    failures: dict[type[Exception], Failed[Any]] = {
        Exception: Failed("ANYTHING"),
        OSError: Failed("IO", final=True, pause="1m", tries=1),
        ConnectionError: Failed("NETWORK"),
    }
    outcome = way.run(raising, failures=failures)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.message, outcome.final, outcome.pause, outcome.facts) == (
        "IO",
        "gone",
        True,
        timedelta(minutes=1),
        {"tries": 1},
    )
    assert failures[OSError].message == ""  # the declaration is not the answer


def test_a_traceback_goes_into_the_log_and_never_into_the_message(way: Way) -> None:
    def raising(work: Work) -> None:
        work.log.info("page %d", 1, extra={"rows": 3, "api_key": "k-123"})
        raise ValueError("password=hunter2 refused")

    task = way.task(way.stage(raising), Work("UL/../7", attempt=2))
    outcome = way.run_task(task)
    assert isinstance(outcome, Failed)
    assert outcome.message == "password=*** refused"
    lines = [json.loads(line) for line in way.files.read_log(task.work.log_ref).splitlines()]
    assert task.work.log_ref == "/logs/raising/UL%2F%2E%2E%2F7.log.json"
    assert lines[0] | {"at": ""} == {
        "at": "",
        "level": "info",
        "message": "page 1",
        "attempt": 2,
        "rows": 3,
        "api_key": "***",
    }
    assert lines[1]["level"] == "error"
    assert "in raising" in lines[1]["traceback"]
    assert "hunter2" not in json.dumps(lines)


def test_work_that_says_nothing_leaves_no_log(way: Way, tmp_path: Path) -> None:
    assert isinstance(way.run(lambda work: Done()), Done)
    assert not (tmp_path / "files").exists()


def test_the_file_behind_a_reference_can_be_read(way: Way) -> None:
    stored = way.files.put(b"%PDF-" + bytes(100_000))

    def reading(work: Work) -> Done[Any]:
        with work.open(work.record["storage_ref"]) as file, work.open(stored.ref) as again:
            return Done((file.read(5), len(file.read()), len(again.read())))

    outcome = way.run(reading, work=Work("UL_7", {"storage_ref": stored.ref}))
    assert isinstance(outcome, Done)
    assert outcome.result == (b"%PDF-", 100_000, 100_005)


@pytest.mark.parametrize(("ref", "code"), [("ab/cd/none", "FileNotFoundError"), ("../secret", "BadInput")])
def test_a_file_that_cannot_be_opened_raises_the_same_error_everywhere(way: Way, ref: str, code: str) -> None:
    outcome = way.run(
        lambda work: Done(work.open(ref)),
        failures={FileNotFoundError: Failed("FileNotFoundError", "gone", final=True)},
    )
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.final) == (code, code == "FileNotFoundError")


def test_the_runner_retries_what_may_be_retried_within_one_attempt(way: Way) -> None:
    stored = way.files.put(b"")
    (root := Path(way.files.location)).mkdir(exist_ok=True)

    def flaky(work: Work) -> Done[Any]:
        with (root / "tries").open("a") as tries:  # a file, for an isolated try may be another process
            tries.write(f"{work.attempt}:{work.last_error}\n")
        if (root / "tries").read_text().count("\n") < 3:
            raise ConnectionResetError("peer")
        return Done(stored.size)

    outcome = way.run(
        flaky, work=Work(1, attempt=4), retry=["10ms", "20ms", "40ms"], retry_in="runner", writes=[root]
    )
    assert isinstance(outcome, Done)
    assert (root / "tries").read_text().split() == [
        "4:None",
        "4:ConnectionResetError",
        "4:ConnectionResetError",
    ]


@pytest.mark.parametrize(
    ("options", "final", "expected"),
    [
        ({"retry": ["1ms", "1ms"], "retry_in": "runner"}, False, 3),
        ({"retry": ["1ms"], "retry_in": "runner"}, True, 1),
        ({"retry": ["1ms", "1ms"]}, False, 1),
        ({"retry_in": "runner"}, False, 1),
    ],
)
def test_only_the_last_result_is_seen(
    way: Way, tmp_path: Path, options: dict[str, Any], final: bool, expected: int
) -> None:
    def failing(work: Work) -> Failed[Any]:
        with (tmp_path / "tries").open("a") as tries:
            tries.write("x")
        return Failed("AWAY", final=final)

    outcome = way.run(failing, writes=[tmp_path], **options)
    assert isinstance(outcome, Failed)
    assert (outcome.code, (tmp_path / "tries").read_text()) == ("AWAY", "x" * expected)
    assert way.executor().collect(0) == []


def test_neighbours_finish_whatever_one_of_them_does(way: Way) -> None:
    def picky(work: Work) -> Done[Any]:
        if work.id == 3:
            raise SystemExit(1)
        return Done(work.id)

    stage, executor = way.stage(picky), way.executor(8)
    for number in range(8):
        executor.submit(way.task(stage, Work(number)))
    found = several(executor, 8)
    assert sorted(task.work.id for task, outcome in found if isinstance(outcome, Done)) == [
        0,
        1,
        2,
        4,
        5,
        6,
        7,
    ]
    assert executor.running() == []


def test_what_is_running_is_what_was_submitted_and_not_collected(way: Way) -> None:
    stage, executor = way.stage(lambda work: Done()), way.executor()
    assert executor.free(stage) >= 1
    task = way.task(stage)
    executor.submit(task)
    assert executor.running() == [task]
    assert one(executor).task is task
    assert executor.running() == []


def test_after_closing_what_finished_is_collected_and_nothing_is_taken(way: Way) -> None:
    stage, executor = way.stage(lambda work: Done()), way.executor()
    task = way.task(stage)
    executor.submit(task)
    left = executor.close(LONG)
    finished = executor.collect(0)
    assert left == [] or finished == []  # not begun yet: given back
    assert [*left, *(done.task for done in finished)] == [task]
    assert executor.close(LONG) == []
    assert (executor.free(stage), executor.running()) == (0, [])
    with pytest.raises(RuntimeError, match="closed"):
        executor.submit(way.task(stage))


def test_a_wake_ends_the_waiting(way: Way) -> None:
    executor = way.executor()
    executor.wake()
    assert executor.collect(LONG) == []
