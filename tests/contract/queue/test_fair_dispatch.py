"""Free room is shared: with more due than a small runner can take, every stage and every scope goes on."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table, text

from interlock import Axis, Done, Machine, Outcome, Work, Workflow
from interlock.coordinator.limits import Turns
from interlock.testing import Sandbox
from tests.contract.worked import work_rows
from tests.contract.working import Boxed, another_runner, apply, claim, finish

SCOPES = ("technical", "fundamental", "social")
TOPIC = Machine(
    "topic",
    initial="pending",
    moves={
        "pending": ["in_progress"],
        "in_progress": ["read", "failed"],
        "read": ["checking"],
        "checking": ["checked", "failed"],
    },
)


def topics() -> Workflow:
    """Three scopes, and two stages in each."""
    metadata = MetaData()
    records = Table("topics", metadata, Column("id", Integer, primary_key=True))
    states = Table(
        "topic_state",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("topic_id", ForeignKey("topics.id"), nullable=False),
        Column("pipeline", String(20), nullable=False),
    )
    workflow = Workflow(
        "topics",
        noun="topic",
        records=records,
        axes=[Axis("status", TOPIC, table=states, scope=SCOPES, scope_column="pipeline")],
    )

    @workflow.stage(waiting="pending", running="in_progress", done="read", failed="failed")
    def extract(work: Work) -> Outcome[Any]:
        return Done()

    @workflow.stage(waiting="read", running="checking", done="checked", failed="failed")
    def check(work: Work) -> Outcome[Any]:
        return Done()

    return workflow


def stands(box: Sandbox) -> dict[tuple[str, str], int]:
    with box.database.read() as tx:
        asked = text("SELECT pipeline, status, count(*) FROM topic_state GROUP BY 1, 2")
        return {(row[0], row[1]): row[2] for row in tx.execute(asked)}


def rounds(box: Sandbox, number: int) -> list[list[tuple[str, str]]]:
    """Dispatch, claim, finish and apply so many times; what was begun in each."""
    begun = []
    for _ in range(number):
        box.coordinates.dispatcher.step(box.coordinates.stage_queues.values())
        begun.append([(row["stage"], row["scope"]) for row in work_rows(box)])
        for attempt in claim(box):
            assert finish(box, attempt, Done())
        apply(box)
    return begun


@pytest.mark.parametrize("capacity", [1, 2, 5])
def test_every_scope_and_every_stage_advances_beside_backlogs_and_one_small_runner(
    boxed: Boxed, capacity: int
) -> None:
    box = boxed(topics())
    box.admit_many("topics", [{} for _ in range(40)])
    for (
        scope
    ) in SCOPES:  # a backlog in the second stage, too: the later stage alone could keep the runner busy
        box.move_many("topics", range(1, 21), actor="ann", scope=scope, status="in_progress")
        box.move_many("topics", range(1, 21), actor="ann", scope=scope, status="read")
    another_runner(box, capacity=capacity).renew()
    begun = rounds(box, 24 // capacity + 6)
    assert all(len(some) <= capacity for some in begun)
    number = {
        (stage, scope): sum(some.count((stage, scope)) for some in begun)
        for stage in ("topics.extract", "topics.check")
        for scope in SCOPES
    }
    assert min(number.values()) > 0
    assert max(number.values()) <= 2 * min(number.values()) + capacity
    moved = stands(box)
    assert all(moved[scope, "checked"] == number["topics.check", scope] for scope in SCOPES)
    assert all(
        len(box.ledger.history("topics", 40, axis="status", scope=scope)) == 1 for scope in SCOPES
    )  # the last in line has not moved


def test_a_dispatcher_without_turns_is_found_out(boxed: Boxed, monkeypatch: pytest.MonkeyPatch) -> None:
    """The failing twin: always in the same order, each as much as there is room, the last ones never begin."""
    monkeypatch.setattr(Turns, "ordered", lambda self, keys: list(keys))
    monkeypatch.setattr(Turns, "share", lambda self, key, free, later: free)
    box = boxed(topics())
    box.admit_many("topics", [{} for _ in range(40)])
    another_runner(box, capacity=2).renew()
    begun = {one for some in rounds(box, 12) for one in some}
    assert ("topics.extract", SCOPES[0]) in begun
    assert ("topics.extract", SCOPES[-1]) not in begun


def test_room_that_one_queue_does_not_want_goes_to_the_others(boxed: Boxed) -> None:
    box = boxed(topics())
    box.admit_many("topics", [{} for _ in range(4)])
    another_runner(box, capacity=10).renew()
    first, *others = rounds(box, 3)
    assert [len(some) for some in (first, *others)] == [
        10,
        10,
        4,
    ]  # 4 in each of three scopes, through two stages
    assert {scope for _, scope in first} == set(SCOPES)
    assert stands(box) == {(scope, "checked"): 4 for scope in SCOPES}


def test_an_equal_share_is_kept_for_those_that_probably_want_it() -> None:
    turns = Turns()
    a, b, c = (("s", scope) for scope in "abc")
    assert turns.ordered([a, b, c]) == [a, b, c]
    assert turns.share(a, 7, [b, c]) == 7  # nobody is known to want anything
    turns.served(a, 7, 7)
    for key in (b, c):
        turns.passed_over(key)
    assert turns.ordered([a, b, c]) == [b, c, a]
    assert turns.share(b, 7, [c, a]) == 2
    turns.served(b, 0, 2)
    assert turns.share(c, 7, [a]) == 3
    assert turns.share(c, 1, [a]) == 1
