"""Gates run before the function of the stage whose `done` they guard; what they say is stored, and lets the move pass or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Column, MetaData, String, Table, Text, text

from interlock import Again, Axis, Done, Failed, Machine, Outcome, Work, Workflow
from interlock.testing import Sandbox
from tests.contract.worked import counted, state, work_rows
from tests.contract.working import JOB, Boxed, admit

LIFECYCLE = Machine("content", initial="DRAFT", moves={"DRAFT": ["VALIDATED"], "VALIDATED": []})


class Gated:
    """Content with gates that answer as told, and remembers what ran."""

    def __init__(self, **stage: Any) -> None:
        self.ran: list[str] = []
        table = Table(
            "content", MetaData(), Column("id", String(40), primary_key=True), Column("level", Text)
        )
        self.workflow = Workflow("content", records=table, axes=[Axis("state", LIFECYCLE)])

        @self.workflow.stage(waiting="DRAFT", done="VALIDATED", **stage)
        def validate(work: Work) -> Outcome[Any]:
            self.ran.append("function")
            return Done(level="checked")

    def gate(self, name: str, answer: Callable[[Work], Any], tier: int = 1) -> Gated:
        def asked(work: Work) -> Any:
            self.ran.append(name)
            return answer(work)

        asked.__name__ = name
        self.workflow.gate("VALIDATED", tier=tier)(asked)
        return self


def told(box: Sandbox) -> list[tuple[Any, ...]]:
    """(gate, version, passed, reason) of every verdict, in the order of its making."""
    with box.database.read() as tx:
        rows = tx.execute(
            text(
                "SELECT gate, version, passed, reason FROM interlock_gate_verdict ORDER BY version, number, gate"
            )
        )
        return [(row.gate, row.version, bool(row.passed), row.reason) for row in rows]


def ended(box: Sandbox, id: str = "a") -> tuple[Any, Any]:
    row = box.get("content", id)
    return row["state"], row["error_code"]


def opened(boxed: Boxed, gated: Gated) -> Sandbox:
    box = boxed(gated.workflow)
    admit(box, "a", kind="content")
    box.drain()
    return box


def test_gates_that_pass_run_first_and_let_the_move_through(boxed: Boxed) -> None:
    gated = Gated().gate("level", lambda work: Done(seen=3)).gate("spelling", lambda work: Done())
    box = opened(boxed, gated)
    assert ended(box) == ("VALIDATED", None)
    assert gated.ran == ["level", "spelling", "function"]
    assert told(box) == [("level", 1, True, None), ("spelling", 1, True, None)]
    with box.database.read() as tx:
        assert (
            tx.execute(text("SELECT details FROM interlock_gate_verdict WHERE gate = 'level'")).scalar()
            == '{"seen":3}'
        )


def test_a_gate_that_says_no_keeps_the_function_from_running_and_the_record_where_it_is(boxed: Boxed) -> None:
    gated = Gated(retry=["1m"]).gate("level", lambda work: Failed("LEVEL_UNKNOWN", "no level"))
    box = opened(boxed, gated)
    assert ended(box) == ("DRAFT", "LEVEL_UNKNOWN")
    assert gated.ran == ["level"]
    assert told(box) == [("level", 1, False, "LEVEL_UNKNOWN: no level")]
    box.advance("1h")
    box.drain()
    assert gated.ran == ["level"]  # a no is final: only an amendment or a retry asks again
    assert work_rows(box) == []


def test_an_amendment_is_a_version_of_its_own_and_is_asked_about_anew(boxed: Boxed) -> None:
    gated = Gated().gate("level", lambda work: Done() if work.record["level"] else Failed("LEVEL_UNKNOWN"))
    box = opened(boxed, gated)
    box.amend("content", "a", facts={"level": "B1"}, actor="ann", reason="found it")
    box.drain()
    assert ended(box) == ("VALIDATED", None)
    assert [(gate, passed) for gate, _, passed, _ in told(box)] == [("level", False), ("level", True)]
    assert told(box)[0][1] < told(box)[1][1]


def test_all_gates_of_a_tier_are_asked_and_none_behind_one_that_refused(boxed: Boxed) -> None:
    gated = (
        Gated()
        .gate("third", lambda work: Done(), tier=3)
        .gate("first", lambda work: Failed("A"), tier=1)
        .gate("second", lambda work: Failed("B"), tier=1)
        .gate("later", lambda work: Done(), tier=2)
    )
    box = opened(boxed, gated)
    assert gated.ran == ["first", "second"]
    assert ended(box) == ("DRAFT", "A")
    assert [gate for gate, *_ in told(box)] == ["first", "second"]


def test_a_crash_does_not_pass_and_is_tried_again(boxed: Boxed) -> None:
    answers = [0, 1]
    gated = Gated(retry=["1m"]).gate("flaky", lambda work: Done(rate=1 / answers.pop(0)))
    box = opened(boxed, gated)
    assert ended(box) == ("DRAFT", "GATE_CRASHED")
    box.advance("67s")
    box.drain()
    assert ended(box) == ("VALIDATED", None)
    assert [passed for _, _, passed, _ in told(box)] == [False, True]


def test_a_gate_may_ask_for_time(boxed: Boxed) -> None:
    answers = [Again("5m"), Done()]
    gated = Gated().gate("provider", lambda work: answers.pop(0))
    box = opened(boxed, gated)
    assert (ended(box), told(box), counted(box, "again", "content", "validate")) == (("DRAFT", None), [], 1)
    box.advance("5m")
    box.drain()
    assert ended(box) == ("VALIDATED", None)


@pytest.mark.parametrize("answer", [True, None, "passed"])
def test_a_gate_that_answers_anything_else_does_not_pass(answer: Any, boxed: Boxed) -> None:
    box = opened(boxed, Gated().gate("odd", lambda work: answer))
    assert ended(box) == ("DRAFT", "BAD_OUTCOME")


def test_a_gate_may_be_a_coroutine(boxed: Boxed) -> None:
    async def asked(work: Work) -> Outcome[Any]:
        return Done()

    gated = Gated()
    gated.workflow.gate("VALIDATED")(asked)
    assert ended(opened(boxed, gated)) == ("VALIDATED", None)


def test_gates_guard_a_stage_with_a_running_state_for_the_version_that_runs(boxed: Boxed) -> None:
    table = Table("jobs", MetaData(), Column("id", String(40), primary_key=True), Column("title", Text))
    workflow = Workflow("jobs", records=table, axes=[Axis("status", JOB)])

    @workflow.stage(waiting="waiting", running="running", done="done", failed="failed")
    def work(given: Work) -> Outcome[Any]:
        return Done(title="t")

    @workflow.gate("done")
    def checked(given: Work) -> Outcome[Any]:
        return Done() if given.id == "good" else Failed("NO_GOOD")

    box = boxed(workflow)
    admit(box, "good", "bad")
    box.drain()
    assert {id: state(box, id) for id in ("good", "bad")} == {"good": "done", "bad": "failed"}
    assert sorted((gate, version, passed) for gate, version, passed, _ in told(box)) == [
        ("checked", 1, False),
        ("checked", 1, True),
    ]


def test_facts_named_like_a_gates_own_are_the_users(boxed: Boxed) -> None:
    gated = Gated().gate("level", lambda work: Done())
    box = opened(boxed, gated)
    assert box.ledger.history("content", "a")[-1].facts == {"level": "checked"}
