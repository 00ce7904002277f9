"""What the simulator found in the protocol, each as a test of its own."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Column, Integer, MetaData, String, Table

from interlock import Axis, Done, Machine, Work, Workflow
from interlock.errors import BadInput
from interlock.testing import Sandbox
from tests.kinds import domains, open_app, prepare

MACHINE = Machine(
    "job", initial="new", moves={"new": ["busy", "broken"], "busy": ["done", "broken"], "broken": []}
)


def jobs(url: str, **facts: Any) -> Sandbox:
    table = Table("jobs", MetaData(), Column("id", String(40), primary_key=True), Column("size", Integer))
    workflow = Workflow("jobs", records=table, axes=[Axis("status", MACHINE)])

    @workflow.stage(waiting="new", running="busy", done="done", failed="broken")
    def work(work: Work) -> Done[None]:
        return Done(**facts) if work.id == "odd" else Done()

    prepare(url, [workflow])
    return Sandbox([workflow], url)


def test_a_cancel_that_is_repeated_under_its_key_gets_the_same_answer(database_url: str) -> None:
    box = jobs(database_url)
    box.admit("jobs", {"id": "one"})
    first, second = (box.cancel("jobs", "one", actor="ann", reason="no more", key="k") for _ in range(2))
    assert (first.outcome, first.version) == (second.outcome, second.version) == ("moved", 1)
    box.close()


@pytest.mark.parametrize(
    "facts", [{"version": 3}, {"size": 2**70}, {"note": "x" * 70_000}], ids=["engine", "large", "long"]
)
def test_facts_that_no_row_can_hold_fail_their_own_record_and_stop_no_other(
    database_url: str, facts: dict[str, Any]
) -> None:
    box = jobs(database_url, **facts)
    for id in ("even", "odd", "other"):
        box.admit("jobs", {"id": id})
    box.drain()
    assert [box.get("jobs", id)["status"] for id in ("even", "odd", "other")] == ["done", "broken", "done"]
    odd = box.get("jobs", "odd")
    assert (odd["error_code"], next(iter(facts)) in odd["error_message"]) == ("BAD_OUTCOME", True)
    assert box.ledger.history("jobs", "odd")[-1].facts["error_code"] == "BAD_OUTCOME"
    box.close()


def test_engine_columns_of_another_axis_of_the_row_cannot_be_given_as_facts(database_url: str) -> None:
    app = open_app(database_url, domains())
    app.admit("domains", {"id": 1})
    with pytest.raises(BadInput, match="kept by Interlock"):
        app.amend("domains", 1, facts={"processing_attempt": 0}, actor="ann", reason="a slip")
    app.close()


def test_a_coordinator_whose_clock_is_set_back_goes_on_sweeping(sqlite_url: str) -> None:
    box = jobs(sqlite_url)
    box.place("jobs", "one", status="busy")
    box.advance("1h")
    box.coordinates.step()
    box.time.advance(timedelta(hours=-1))
    with box.database.write() as tx:
        box.coordinates.work.remove_of(tx, "jobs", None, None, ["one"])
    assert box.coordinates.step() > 0, "the record that runs without work is found now, not in an hour"
    box.close()
