"""What coordinators are refused again and again: told and recorded once, tried ever more seldom, and made once nothing refuses it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Column, MetaData, String, Table, event

from interlock import Axis, Machine, Workflow, during
from interlock.testing import Sandbox
from tests.contract.rules.test_missing_rows import offers, order, states_of_offers
from tests.contract.worked import said_of
from tests.contract.working import Boxed, admit, broken, claim, dispatch, finish, jobs

CHOICE = Machine("choice", initial="open", moves={"open": ["chosen"]})
COURSE = Machine("course", initial="idle", moves={"idle": ["queued"], "queued": ["idle"]})


class Refuses:
    """A hook that refuses what it is told to."""

    def __init__(self, *ids: Any) -> None:
        self.ids, self.calls = set(ids), 0

    def __call__(self, tx: Any, moves: Any) -> None:
        if found := [move.id for move in moves if move.id in self.ids]:
            self.calls += 1
            raise ValueError(f"not {found[0]}")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    told = [f"{one.levelname} {one.getMessage()}" for one in caplog.records if one.levelno >= logging.WARNING]
    caplog.clear()
    return told


@contextmanager
def statements(box: Sandbox) -> Iterator[list[str]]:
    made: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        made.append(statement)

    event.listen(box.database.engine, "before_cursor_execute", note)
    yield made
    event.remove(box.database.engine, "before_cursor_execute", note)


def test_a_pair_that_is_refused_is_told_once_and_costs_no_sweep_more_than_a_look(
    boxed: Boxed, caplog: pytest.LogCaptureFixture
) -> None:
    box = boxed(offers(refuses=2))
    box.admit_many("offers", [{"id": id} for id in (1, 2)])
    with statements(box) as quiet:
        box.coordinates.sweep()
    order(box, 1, 2)
    box.coordinates.sweep()
    told = warnings(caplog)
    assert [one.partition(":")[0] for one in told] == [
        "ERROR hook mind failed",
        "WARNING offer 2",
        "WARNING offers",
    ]
    with statements(box) as made:
        box.coordinates.sweep()
    assert len(made) <= len(quiet) + 1, "the record of the missing pair is looked up"
    for _ in range(3):
        box.advance("1m")
        box.coordinates.sweep()
    assert warnings(caplog) == []
    assert said_of(box, "2", "offers") == [("refused", "ILK-214")]
    assert states_of_offers(box) == [(1, "open")]


def chosen(refuses: Refuses) -> Workflow:
    """What is chosen is queued, which a hook may refuse, by a rule that only the sweep carries out here."""
    table = Table("papers", MetaData(), Column("id", String(40), primary_key=True))
    axes = [Axis("choice", CHOICE, prefix="choice_"), Axis("course", COURSE, prefix="course_")]
    rule = during(choice="chosen").moves(course={"idle": "queued"})
    workflow = Workflow("papers", noun="paper", records=table, axes=axes, rules=[rule])
    workflow.on_move("queued")(refuses)
    return workflow


def test_a_standing_rule_that_is_refused_is_recorded_once_and_holds_once_nothing_refuses_it(
    boxed: Boxed, caplog: pytest.LogCaptureFixture
) -> None:
    refuses = Refuses("p2")
    workflow, heard = chosen(refuses), list[str]()
    workflow.on_refusal(lambda tx, refusals: heard.extend(one.id for one in refusals))
    box = boxed(workflow)
    box.admit_many("papers", [{"id": id} for id in ("p1", "p2")])
    for id in ("p1", "p2"):
        box.move("papers", id, actor="ann", choice="chosen")
    box.coordinates.sweep()
    calls = refuses.calls
    for _ in range(4):
        box.coordinates.sweep()
    assert (heard, refuses.calls) == (["p2"], calls)
    assert [one.partition(";")[0] for one in warnings(caplog)] == [
        "ERROR hook hook failed: ValueError: not p2"
    ]
    for _ in range(4):
        box.advance("1m")
        box.coordinates.sweep()
    assert refuses.calls > calls
    assert (heard, warnings(caplog), said_of(box, "p2", "papers")) == (
        ["p2"],
        [],
        [("refused", "ILK-214")],
    )
    assert [box.get("papers", id)["course"] for id in ("p1", "p2")] == ["queued", "idle"]
    refuses.ids.clear()
    box.advance("1m")
    box.coordinates.sweep()
    assert [move.new for move in box.ledger.history("papers", "p2", axis="course")] == ["idle", "queued"]


def test_a_refused_dispatch_is_told_once_and_waits_longer_each_time_until_it_is_let_pass(
    boxed: Boxed, caplog: pytest.LogCaptureFixture
) -> None:
    refuses = Refuses("j2")
    workflow = jobs()
    workflow.on_move("running")(refuses)
    box = boxed(workflow)
    admit(box, "j1", "j2")
    waits = []
    for _ in range(5):
        box.coordinates._guarded(lambda: dispatch(box))
        ready = box.get("jobs", "j2")["ready_at"]
        waits.append((ready - box.clock.now()).total_seconds())
        box.advance(ready - box.clock.now())
    assert waits == [5, 10, 20, 40, 60]
    assert len(warnings(caplog)) == 2, "the hook's traceback, and the record"
    assert said_of(box, "j2") == [("refused", "ILK-214")]
    assert box.get("jobs", "j1")["status"] == "running"
    refuses.ids.clear()
    assert dispatch(box) == 1
    assert [move.new for move in box.ledger.history("jobs", "j2")] == ["waiting", "running"]


def test_a_return_to_the_queue_that_is_refused_rests_and_keeps_no_other_from_it(
    boxed: Boxed, caplog: pytest.LogCaptureFixture
) -> None:
    refuses = Refuses("j2")
    workflow = jobs(retry=["1s"])
    workflow.on_move("waiting")(lambda tx, moves: refuses(tx, [move for move in moves if move.version]))
    box = boxed(workflow)
    admit(box, "j1", "j2")
    dispatch(box)
    for attempt in claim(box):
        finish(box, attempt, broken())
    box.coordinates.applier.step()
    box.advance(timedelta(seconds=2))
    box.coordinates.sweep()
    calls = refuses.calls
    for _ in range(3):
        box.coordinates.sweep()
    assert refuses.calls == calls
    assert [box.get("jobs", id)["status"] for id in ("j1", "j2")] == ["waiting", "failed"]
    assert len(warnings(caplog)) == 1
    refuses.ids.clear()
    box.advance("1m")
    box.coordinates.sweep()
    assert box.get("jobs", "j2")["status"] == "waiting"
