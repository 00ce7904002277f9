"""Constraints that wait for the commit, as some frameworks declare every foreign key: the row that breaks one is refused by itself, whoever
writes it, and nobody else waits for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Column, Connection, ForeignKey, Integer, MetaData, String, Table, func, select

from interlock import App, Axis, Done, Machine, Move, Outcome, Work, Workflow, after
from interlock.errors import RefusedByDatabase
from tests.contract.conftest import Opener
from tests.contract.worked import moves, said_of, state
from tests.contract.working import Boxed, admit

TRIP = Machine(
    "trip",
    initial="waiting",
    moves={
        "waiting": ["running", after("7d", "expired")],
        "running": ["done", "failed"],
        "failed": [],
        "done": [],
        "expired": [],
    },
)
GUEST = Machine("guest", initial="new", moves={"new": ["old"]})
OF_ALL, NOBODY = 0, 99
IDS = ("a", "bad", "c")


def waits(column: str) -> ForeignKey:
    return ForeignKey(column, deferrable=True, initially="DEFERRED")


def trips(outcome: Any = None) -> Workflow:
    """Trips of drivers, and notes that stages save and hooks write: at the commit the database asks of each that its driver exists."""
    metadata = MetaData()
    drivers = Table("drivers", metadata, Column("id", Integer, primary_key=True))
    table = Table(
        "trips",
        metadata,
        Column("id", String(40), primary_key=True),
        Column("driver", waits("drivers.id")),
    )
    notes = Table("notes", metadata, Column("trip", String(40)), Column("driver", waits("drivers.id")))
    made = Workflow("trips", noun="trip", records=table, axes=[Axis("status", TRIP)], tables=[drivers, notes])

    @made.stage(waiting="waiting", running="running", done="done", failed="failed")
    def drive(work: Work) -> Outcome[Any]:
        return Done() if outcome is None else outcome(work)  # type: ignore[no-any-return]

    @drive.save
    def keep(tx: Connection, work: Work, driver: int) -> None:
        tx.execute(notes.insert().values(trip=work.id, driver=driver or None))

    return made


def guests() -> Workflow:
    metadata = MetaData()
    rooms = Table("rooms", metadata, Column("id", Integer, primary_key=True))
    table = Table(
        "guests", metadata, Column("id", Integer, primary_key=True), Column("room", waits("rooms.id"))
    )
    return Workflow("guests", noun="guest", records=table, axes=[Axis("status", GUEST)], tables=[rooms])


def noting(workflow: Workflow, to: str) -> Workflow:
    """With a hook that notes a driver who is not there for the trip `bad`."""
    notes = workflow.records.metadata.tables["notes"]

    @workflow.on_move(to)
    def note(tx: Connection, entered: Sequence[Move]) -> None:
        for move in entered:
            tx.execute(notes.insert().values(trip=move.id, driver=NOBODY if move.id == "bad" else None))

    return workflow


def noted(app: App, workflow: Workflow) -> list[str]:
    notes = workflow.records.metadata.tables["notes"]
    with app.database.read() as tx:
        return sorted(tx.execute(select(notes.c.trip)).scalars())


@pytest.mark.parametrize("batches", [True, False], ids=["whole batches", "row by row"])
def test_a_fact_that_names_nobody_fails_its_row_and_no_other(boxed: Boxed, whole: Any, batches: bool) -> None:
    box = boxed(trips(lambda work: Done(driver=NOBODY) if work.id == "bad" else Done(driver=None)))
    box.coordinates._may_move_batches = batches
    admit(box, *IDS, kind="trips")
    box.drain()
    assert [state(box, id, "trips") for id in IDS] == ["done", "failed", "done"]
    assert moves(box, "bad", "trips")[-1] == ("running", "failed", "drive.refused")
    assert said_of(box, "bad", "trips") == [("refused", RefusedByDatabase.code)]
    assert box.get("trips", "bad")["driver"] is None
    whole(box)


def test_what_a_stage_saves_of_nobody_is_the_failure_of_its_own_work(boxed: Boxed, whole: Any) -> None:
    workflow = trips(lambda work: Done(NOBODY if work.id == "bad" else OF_ALL))
    box = boxed(workflow)
    admit(box, *IDS, kind="trips")
    box.drain()
    assert [state(box, id, "trips") for id in IDS] == ["done", "failed", "done"]
    assert box.get("trips", "bad")["error_code"]
    assert noted(box, workflow) == ["a", "c"]
    whole(box)


def test_a_hook_of_a_beginning_that_names_nobody_keeps_its_row_waiting_and_no_other(
    boxed: Boxed, whole: Any
) -> None:
    workflow = noting(trips(), "running")
    box = boxed(workflow)
    admit(box, *IDS, kind="trips")
    box.drain()
    assert [state(box, id, "trips") for id in IDS] == ["done", "waiting", "done"]
    assert said_of(box, "bad", "trips") == [("refused", RefusedByDatabase.code)]
    assert (noted(box, workflow), len(moves(box, "bad", "trips"))) == (["a", "c"], 1)
    whole(box)


def test_a_timer_whose_hook_names_nobody_leaves_its_row_and_no_other(boxed: Boxed, whole: Any) -> None:
    workflow = noting(trips(), "expired")
    box = boxed(workflow)
    admit(box, *IDS, kind="trips")
    box.advance(timedelta(days=7))
    box.coordinates.sweep()
    assert [state(box, id, "trips") for id in IDS] == ["expired", "waiting", "expired"]
    assert said_of(box, "bad", "trips") == [("refused", RefusedByDatabase.code)]
    assert noted(box, workflow) == ["a", "c"]
    whole(box)


def test_a_child_that_names_nobody_is_refused_alone(boxed: Boxed, whole: Any) -> None:
    rows = [{"id": number, "room": NOBODY if number == 2 else None} for number in (1, 2, 3)]
    box = boxed(trips(lambda work: Done(admits={"guests": rows})), guests())
    admit(box, "a", kind="trips")
    box.drain()
    with box.database.read() as tx:
        there = tx.execute(select(box.workflows["guests"].id_column)).scalars()
        assert sorted(there) == [1, 3]
        assert tx.exec_driver_sql("SELECT count(*) FROM interlock_intake").scalar() == 0
    assert said_of(box, "a", "trips") == [("refused", RefusedByDatabase.code)]
    whole(box)


@pytest.mark.parametrize("key", [None, "k1"])
def test_a_command_that_names_nobody_is_refused_alone_under_a_key_too(
    opened: Opener, whole: Any, key: str | None
) -> None:
    workflow = noting(trips(), "expired")
    app = opened(workflow)
    rows = [{"id": id, "driver": NOBODY if id == "bad" else None} for id in IDS]
    answers = app.admit_many("trips", rows, key=key)
    assert [answer.outcome for answer in answers] == ["admitted", "refused", "admitted"]
    assert isinstance(answers[1].error, RefusedByDatabase)
    with app.database.read() as tx:
        assert tx.execute(select(func.count()).select_from(workflow.records)).scalar() == 2
    again = app.admit_many("trips", rows, key=key)
    assert [one.outcome for one in again] == (
        ["admitted", "refused", "admitted"] if key else ["exists", "refused", "exists"]
    )
    whole(app)


def test_an_operation_whose_hook_names_nobody_refuses_that_record_alone(opened: Opener, whole: Any) -> None:
    workflow = noting(trips(), "running")
    app = opened(workflow)
    app.admit_many("trips", [{"id": id} for id in IDS])
    made = app.operations.create(
        "trips", to="running", where={"status": "waiting"}, actor="ann", reason="it is time"
    )
    assert app.operations.run(made.id).status == "finished"
    assert [app.get("trips", id)["status"] for id in IDS] == ["running", "waiting", "running"]
    assert [one.record_id for one in app.operations.items(made.id, outcome="refused")] == ["bad"]
    assert noted(app, workflow) == ["a", "c"]
