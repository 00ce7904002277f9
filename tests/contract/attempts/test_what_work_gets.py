"""What a stage gets and gives: its try, its state row, records of every column type; saves of whole groups; retries that are counted."""

from __future__ import annotations

import logging
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum as PythonEnum
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Date,
    DateTime,
    Enum,
    Float,
    Integer,
    Interval,
    LargeBinary,
    MetaData,
    Numeric,
    String,
    Table,
    Text,
    Time,
    Uuid,
)
from sqlalchemy.dialects.postgresql import ARRAY

from interlock import Again, Axis, Done, Failed, Machine, Outcome, Work, Workflow
from interlock.errors import BadDeclaration
from tests.contract.worked import counted, moves, said_of, state
from tests.contract.working import JOB, STRICT, Boxed, admit, begun, finish, jobs
from tests.kinds import themes

RELAY = Machine("relay", initial="a", moves={"a": ["a2"], "a2": ["b"], "b": ["b2"], "b2": ["c"]})


def test_the_first_try_of_a_second_stage_is_its_first(boxed: Boxed) -> None:
    tries: list[tuple[str, int]] = []
    table = Table("jobs", MetaData(), Column("id", String(40), primary_key=True))
    workflow = Workflow("jobs", noun="job", records=table, axes=[Axis("status", RELAY)])

    @workflow.stage(waiting="a", running="a2", done="b", retry=["1s", "1s"], retry_in="running")
    def first(work: Work) -> Outcome[Any]:
        tries.append(("first", work.attempt))
        return Done() if work.attempt == 3 else Failed("NOT_YET")

    @workflow.stage(waiting="b", running="b2", done="c", retry=["1s"], retry_in="running")
    def second(work: Work) -> Outcome[Any]:
        tries.append(("second", work.attempt))
        return Done() if work.attempt == 2 else Failed("NOT_YET")

    box = boxed(workflow)
    admit(box, "r")
    for _ in range(4):
        box.drain()
        box.advance("2s")
    assert tries == [("first", 1), ("first", 2), ("first", 3), ("second", 1), ("second", 2)]
    assert (state(box, "r"), box.get("jobs", "r")["attempt"]) == ("c", 5)  # what fences attempts goes on


def test_more_time_is_no_try(boxed: Boxed) -> None:
    tries: list[int] = []
    answers: list[Outcome[Any]] = [Again("1s"), Failed("NOT_YET"), Done()]

    def work(given: Work) -> Outcome[Any]:
        tries.append(given.attempt)
        return answers.pop(0)

    box = boxed(jobs(work, STRICT, retry=["1s"]))
    admit(box, "a")
    for _ in range(3):
        box.drain()
        box.advance("2s")
    assert (tries, state(box, "a")) == ([1, 1, 2], "done")


def test_work_carries_the_record_as_its_state_row(boxed: Boxed) -> None:
    seen: list[Any] = []
    box = boxed(
        jobs(
            lambda work: (
                seen.append((work.state["status"], work.state["attempt"], work.state is work.record))
                or Done()
            )
        )
    )  # type: ignore[func-returns-value]
    admit(box, "a")
    box.drain()
    assert seen == [("running", 1, True)]


def test_work_of_a_scoped_axis_carries_the_state_row_of_its_scope(boxed: Boxed) -> None:
    seen: dict[Any, Any] = {}
    workflow = themes()

    def extract(work: Work) -> Outcome[Any]:
        seen[work.scope] = (
            work.state["pipeline"],
            work.state["status"],
            "content" in work.state or "title" in work.state,
        )
        return Done()

    workflow.stage(
        waiting=("pending", "failed_retryable"),
        running="in_progress",
        done="processed",
        failed="failed_retryable",
        terminal="failed_terminal",
    )(extract)
    box = boxed(workflow)
    box.admit("themes", {"id": 1})
    box.drain()
    assert seen == {scope: (scope, "in_progress", False) for scope in ("technical", "fundamental")}


class Colour(PythonEnum):
    RED = "red"


VALUES: dict[str, tuple[Any, Any]] = {
    "numeric": (Numeric(10, 2), Decimal("12.50")),
    "real": (Float, 1.5),
    "json": (JSON, {"a": [1]}),
    "span": (Interval, timedelta(hours=2)),
    "bytes": (LargeBinary, b"\x00\xff"),
    "day": (Date, date(2026, 1, 2)),
    "hour": (Time, time(12, 30)),
    "colour": (Enum(Colour), Colour.RED),
    "uuid": (Uuid, UUID(int=7)),
    "yes": (Boolean, True),
    "text": (Text, "ü"),
    "moment": (DateTime(timezone=True), datetime(2026, 1, 2, tzinfo=UTC)),
}


@pytest.mark.parametrize("name", [*VALUES, "numbers"])
def test_a_runner_reads_records_with_columns_of_every_common_type(
    name: str, boxed: Boxed, database_url: str
) -> None:
    seen: list[Any] = []
    if name == "numbers" and database_url.startswith("sqlite"):
        return  # SQLite has no arrays
    kind, value = VALUES.get(name, (ARRAY(Numeric), [Decimal("1.5"), Decimal(2)]))
    table = Table("jobs", MetaData(), Column("id", String(40), primary_key=True), Column("value", kind))
    workflow = Workflow("jobs", records=table, axes=[Axis("status", JOB)])

    @workflow.stage(waiting="waiting", running="running", done="done", failed="failed")
    def work(given: Work) -> Outcome[Any]:
        seen.append(given.record["value"])
        return (
            Done(value=given.record["value"])
            if name in ("numeric", "real", "day", "uuid", "moment", "yes", "text", "json")
            else Done()
        )

    box = boxed(workflow)
    admit(box, "a", value=value)
    box.drain()
    assert state(box, "a") == "done"
    assert (seen[0].replace(tzinfo=UTC) if name == "moment" else seen[0]) == value
    assert type(seen[0]) is type(value)
    row = box.get("jobs", "a")["value"]
    assert (row.replace(tzinfo=UTC) if name == "moment" else row) == value


def grouped(saved: list[list[tuple[Any, Any]]], refuse: str = "") -> Workflow:
    workflow = jobs(lambda work: Done(f"r-{work.id}", title="t"))
    pages = Table(
        "pages", workflow.records.metadata, Column("number", Integer, primary_key=True), Column("job", Text)
    )
    workflow.tables += (pages,)

    @workflow.stages["work"].save_many
    def keep(tx: Any, results: Any) -> None:
        saved.append([(work.id, result) for work, result in results])
        tx.execute(pages.insert(), [{"job": work.id} for work, _ in results])
        if refuse in [work.id for work, _ in results]:
            raise ValueError("not this one")

    return workflow


def test_a_group_of_results_is_saved_by_one_call(boxed: Boxed, hand: Any) -> None:
    saved: list[list[tuple[Any, Any]]] = []
    box = boxed(grouped(saved))
    admit(box, *"abcd")
    box.drain()
    assert [sorted(group) for group in saved] == [[(id, f"r-{id}") for id in "abcd"]]
    assert sorted(job for (job,) in hand.rows("SELECT job FROM pages")) == [*"abcd"]


def test_a_group_that_cannot_be_saved_is_halved_until_what_fails_is_alone(boxed: Boxed, hand: Any) -> None:
    saved: list[list[tuple[Any, Any]]] = []
    box = boxed(grouped(saved, refuse="c"))
    admit(box, *"abcdefgh")
    box.drain()
    assert [id for id in "abcdefgh" if state(box, id) != "done"] == ["c"]
    assert (state(box, "c"), box.get("jobs", "c")["error_code"]) == ("failed", "ValueError")
    assert sorted(job for (job,) in hand.rows("SELECT job FROM pages")) == [*"abdefgh"]
    assert moves(box, "c")[-1] == ("running", "failed", "work.failed")


def test_a_late_result_is_not_in_the_group_that_is_saved(boxed: Boxed, hand: Any) -> None:
    saved: list[list[tuple[Any, Any]]] = []
    box = boxed(grouped(saved))
    (zombie,) = begun(box, "a")
    box.advance("31s")
    box.coordinates.sweep()
    assert finish(box, zombie, Done("late")) == 0
    assert (saved, hand.one("SELECT count(*) FROM pages"), said_of(box, "a")) == (
        [],
        0,
        [("stale", "ILK-209")],
    )


def test_a_stage_saves_singly_or_in_groups_and_not_both() -> None:
    for first, second in (("save", "save_many"), ("save_many", "save")):
        stage = jobs().stages["work"]
        getattr(stage, first)(lambda tx, results: None)
        with pytest.raises(BadDeclaration, match="already"):
            getattr(stage, second)(lambda tx, results: None)


def group_loading(read: list[list[str]], refuse: str = "", short: str = "") -> Workflow:
    """Loads for groups, refusing one work, or returning nothing where another is among them."""
    workflow = jobs()
    stage = workflow.stages["work"]
    stage.function = lambda work, loaded: Done(title=loaded)

    @stage.load_many
    def load(tx: Any, works: Any) -> list[str]:
        ids = [work.id for work in works]
        read.append(ids)
        if refuse in ids:
            raise ValueError("not this one")
        return [] if short in ids else [f"for {id}" for id in ids]

    return workflow


def test_a_group_of_works_is_loaded_by_one_call_and_each_gets_its_own(boxed: Boxed) -> None:
    read: list[list[str]] = []
    box = boxed(group_loading(read))
    admit(box, *"abcd")
    box.drain()
    assert [sorted(group) for group in read] == [[*"abcd"]]
    assert {id: box.get("jobs", id)["title"] for id in "abcd"} == {id: f"for {id}" for id in "abcd"}


def test_a_load_of_groups_that_returns_no_list_says_what_it_returns(boxed: Boxed) -> None:
    workflow = jobs()
    workflow.stages["work"].function = lambda work, loaded: Done()
    workflow.stages["work"].load_many(lambda tx, works: None)
    box = boxed(workflow)
    admit(box, "a")
    box.drain()
    row = box.get("jobs", "a")
    assert (row["status"], row["error_code"]) == ("failed", "TypeError")
    assert row["error_message"] == (
        "load_many of stage 'work' returned NoneType; it returns a list with a value for each work"
    )


@pytest.mark.parametrize(("told", "code"), [({"refuse": "c"}, "ValueError"), ({"short": "c"}, "TypeError")])
def test_a_group_that_cannot_be_loaded_costs_only_the_work_it_is_about(
    boxed: Boxed, told: dict[str, str], code: str
) -> None:
    read: list[list[str]] = []
    box = boxed(group_loading(read, **told))
    admit(box, *"abcd")
    box.drain()
    assert {id: state(box, id) for id in "abcd"} == {"a": "done", "b": "done", "c": "failed", "d": "done"}
    assert box.get("jobs", "c")["error_code"] == code
    assert moves(box, "c")[-1] == ("running", "failed", "work.failed")


def test_a_stage_loads_singly_or_in_groups_and_not_both() -> None:
    for first, second in (("load", "load_many"), ("load_many", "load")):
        stage = jobs().stages["work"]
        getattr(stage, first)(lambda tx, works: None)
        with pytest.raises(BadDeclaration, match="already"):
            getattr(stage, second)(lambda tx, works: None)


def test_tries_that_a_runner_makes_itself_are_logged_and_counted(
    boxed: Boxed, caplog: pytest.LogCaptureFixture
) -> None:
    answers: list[Outcome[Any]] = [Failed("TORN"), Failed("TORN"), Done()]
    box = boxed(jobs(lambda work: answers.pop(0), retry=["1s", "2s"], retry_in="runner"))
    admit(box, "a")
    with caplog.at_level(logging.WARNING, "interlock.runner"):
        box.drain()
    assert (state(box, "a"), counted(box, "retried")) == ("done", 2)
    assert [(one.record_id, one.code) for one in caplog.records if "tries again" in one.message] == [
        ("a", "TORN")
    ] * 2  # type: ignore[attr-defined]


def test_a_gate_loads_from_the_database_and_its_tries_are_numbered(boxed: Boxed, hand: Any) -> None:
    workflow = jobs()
    seen: list[int] = []

    @workflow.gate("done", retry=["0s"])
    def enough(work: Work, count: int) -> Outcome[Any]:
        seen.append(count)
        return Done(count=count) if len(seen) > 1 else Failed("FEW")

    @enough.load
    def count(tx: Any, work: Work) -> int:
        return int(tx.exec_driver_sql("SELECT count(*) FROM jobs").scalar_one())

    box = boxed(workflow)
    admit(box, "a")
    box.drain()
    assert (state(box, "a"), seen) == ("done", [1, 1])
    rows = hand.rows("SELECT gate, number, passed, reason FROM interlock_gate_verdict ORDER BY number")
    assert [(gate, number, bool(passed), reason) for gate, number, passed, reason in rows] == [
        ("enough", 1, False, "FEW"),
        ("enough", 2, True, None),
    ]


def test_a_gate_whose_load_raises_has_crashed_and_its_neighbours_move(boxed: Boxed) -> None:
    workflow = jobs()

    @workflow.gate("done")
    def enough(work: Work, count: int) -> Outcome[Any]:
        return Done()

    @enough.load
    def count(tx: Any, work: Work) -> int:
        if work.id == "bad":
            raise RuntimeError("no table")
        return 1

    box = boxed(workflow)
    admit(box, "a", "bad")
    box.drain()
    assert [(state(box, id), box.get("jobs", id)["error_code"]) for id in ("a", "bad")] == [
        ("done", None),
        ("failed", "GATE_CRASHED"),
    ]
