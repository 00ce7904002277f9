"""Politeness: of each key no more begins than its rate allows, across coordinators; nobody's backlog holds up the others, and waiting
leaves no trace."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Boolean, Column, ForeignKey, Integer, MetaData, String, Table, Text, Uuid, select, text

from interlock import Axis, Done, Outcome, Work, Workflow
from interlock.coordinator import limits
from interlock.errors import BadDeclaration
from interlock.testing import Sandbox
from tests.contract.worked import moves, state, work_rows
from tests.contract.working import (
    JOB,
    Boxed,
    admit,
    apply,
    begun,
    broken,
    claim,
    dispatch,
    finish,
    jobs,
    patient,
)
from tests.kinds import EXTRACTION


def polite(each: str = "1/s", **options: Any) -> Workflow:
    return jobs(rate_per=lambda table: (table.c.host, each), **options)


def dispatch_by(coordinator: Any) -> int:
    return int(coordinator.dispatcher.step(coordinator.stage_queues.values()))


def running(box: Sandbox) -> list[str]:
    return sorted(row["record_id"] for row in work_rows(box))


def waiting_keys(box: Sandbox) -> list[str]:
    with box.database.read() as tx:
        return [row[0] for row in tx.execute(text("SELECT key FROM interlock_rate ORDER BY key"))]


def test_each_key_begins_once_in_its_time_and_others_are_not_held_up(boxed: Boxed) -> None:
    box = boxed(polite())
    admit(box, "a1", "a2", "a3", host="a.example")
    admit(box, "b1", host="b.example")
    assert (dispatch(box), running(box)) == (2, ["a1", "b1"])
    claim(box)
    assert dispatch(box) == 0
    box.advance("999ms")
    assert dispatch(box) == 0
    box.advance("1ms")
    assert (dispatch(box), running(box)) == (1, ["a1", "a2", "b1"])


def test_several_in_a_window_are_spaced_evenly(boxed: Boxed) -> None:
    box = boxed(polite("10/m"))
    admit(box, *"abc", host="h")
    begun_at = []
    for second in range(13):
        if dispatch(box):
            begun_at.append(second)
            claim(box)
        box.advance("1s")
    assert begun_at == [0, 6, 12]


def test_waiting_for_it_writes_no_entry_and_costs_no_try(boxed: Boxed) -> None:
    box = boxed(polite(retry=["1m"]))
    admit(box, "a", "b", host="h")
    dispatch(box)
    claim(box)
    before = box.get("jobs", "b")
    for _ in range(5):
        dispatch(box)
        box.coordinates.sweep()
    assert box.get("jobs", "b") == before
    assert moves(box, "b") == [(None, "waiting", "job.created")]
    box.advance("1s")
    box.drain()
    row = box.get("jobs", "b")
    assert (row["status"], row["attempt"], row["tries"]) == ("done", 1, 1)
    assert [new for _, new, _ in moves(box, "b")] == ["waiting", "running", "done"]


def test_the_rate_holds_across_coordinators(boxed: Boxed) -> None:
    box = boxed(polite())
    admit(box, *(f"a{number}" for number in range(5)), host="a.example")
    admit(box, *(f"b{number}" for number in range(5)), host="b.example")
    others = [box.coordinator() for _ in range(3)]
    counts = [dispatch(box), *(dispatch_by(one) for one in others)]
    assert counts == [2, 0, 0, 0]
    claim(box)
    box.advance("1s")
    assert [dispatch_by(one) for one in others] == [2, 0, 0]
    assert Counter(row["record_id"][0] for row in work_rows(box)) == {"a": 2, "b": 2}


def test_coordinators_at_the_same_time_begin_each_key_once(boxed: Boxed) -> None:
    box = boxed(polite("1/h"))
    for number in range(30):
        admit(box, *(f"{number:02}-{each}" for each in "abc"), host=f"h{number}")
    assert box.runs is not None
    box.runs.renew()
    crowd = [box.coordinator() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            list(pool.map(lambda one: one._guarded(lambda: dispatch_by(one)), crowd))
    assert Counter(row["record_id"][:2] for row in work_rows(box)) == {f"{n:02}": 1 for n in range(30)}
    entered = [id for id in running(box) if moves(box, id)[-1][1] == "running"]
    assert len(entered) == 30


def test_a_backlog_of_one_key_holds_up_no_other_however_long_it_is(
    boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The queue's beginning is full of one key's records: the others are looked up by key, in turns."""
    monkeypatch.setattr(limits, "WINDOW", 5)
    monkeypatch.setattr(limits, "FEWEST_KEYS", 3)
    box = boxed(polite("1/h"))
    admit(box, *(f"a{number:03}" for number in range(40)), host="crowded")
    box.advance("1s")
    for number in range(12):
        admit(box, f"q{number:02}", host=f"quiet{number:02}")
    admit(box, "none", host=None)
    another = box.coordinator()
    for round in range(20):
        dispatch(box) if round % 2 else dispatch_by(another)
        claim(box)
    assert running(box) == ["a000", "none", *(f"q{number:02}" for number in range(12))]
    assert len(waiting_keys(box)) == 14


def test_a_small_runner_serves_keys_in_turns(boxed: Boxed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WINDOW", 2)
    box = boxed(polite("1/s"))
    for host in "abcd":
        admit(box, *(f"{host}{number}" for number in range(5)), host=host)
        box.advance("1ms")
    for _ in range(8):
        with box.database.write() as tx:
            queue = box.coordinates.stage_queues["jobs.work"]
            box.coordinates.dispatcher._scope(tx, queue, "", 1, box.clock.now())
        for attempt in claim(box):
            finish(box, attempt, Done())
        apply(box)
        box.advance("400ms")
    done = Counter(
        id[0]
        for id in (f"{host}{number}" for host in "abcd" for number in range(5))
        if state(box, id) == "done"
    )
    assert sum(done.values()) == 8
    assert set(done) == set("abcd")


def test_within_a_key_the_stages_order_holds(boxed: Boxed) -> None:
    box = boxed(polite(order=lambda table: table.c.rank.desc()))
    for rank, id in enumerate("abc"):
        admit(box, id, host="h", rank=rank)
    order = []
    for _ in range(3):
        dispatch(box)
        order += [attempt.record_id for attempt in claim(box)]
        box.advance("1s")
    assert order == ["c", "b", "a"]


def test_an_attempt_that_nobody_has_claimed_keeps_its_key_waiting(boxed: Boxed) -> None:
    """Else a runner that comes late would begin several of one key at once."""
    box = boxed(polite())
    admit(box, "a", "b", host="h")
    assert dispatch(box) == 1
    for _ in range(30):
        box.advance("100ms")
        assert dispatch(box) == 0
    assert [attempt.record_id for attempt in claim(box)] == ["a"]
    box.advance("700ms")
    assert dispatch(box) == 0
    box.advance("300ms")
    assert dispatch(box) == 1


def test_a_turn_that_nothing_used_is_given_back(boxed: Boxed) -> None:
    """The stage has no slot left: the key's turn is not spent."""
    box = boxed(polite("1/h", limit=1))
    admit(box, "a", host="a.example")
    box.advance("1s")
    admit(box, "b", host="b.example")
    assert dispatch(box) == 1
    assert waiting_keys(box) == ["a.example"]
    (attempt,) = claim(box)
    finish(box, attempt, Done())
    apply(box)
    assert (dispatch(box), state(box, "b"), state(box, "a")) == (1, "running", "done")


def test_together_with_a_limit_per_key_and_a_rate_for_all(boxed: Boxed) -> None:
    box = boxed(polite("1/s", per_key=lambda table: (table.c.host, 1), rate="3/m"))
    admit(box, "a1", "a2", host="a.example")
    admit(box, "b1", host="b.example")
    admit(box, "c1", host="c.example")
    assert dispatch(box) == 3
    claim(box)
    box.advance("2s")
    assert dispatch(box) == 0  # a.example has its slot in use, and the minute has had its three
    box.advance("1m")
    assert dispatch(box) == 0
    box.report("jobs", "a1", Done())
    apply(box)
    assert (dispatch(box), state(box, "a2")) == (1, "running")


def test_a_try_that_waits_in_failed_or_waiting_counts_like_the_first(boxed: Boxed) -> None:
    box = boxed(patient(rate_per=lambda table: (table.c.host, "1/h"), retry=["1m"]))
    (attempt,) = begun(box, "a", host="h")
    finish(box, attempt, broken())
    apply(box)
    box.advance("2m")
    assert (dispatch(box), state(box, "a")) == (0, "failed")
    box.advance("1h")
    assert (dispatch(box), state(box, "a")) == (1, "busy")


def test_explain_says_whose_rate_it_waits_for_and_until_when(boxed: Boxed) -> None:
    box = boxed(polite("1/m"))
    admit(box, "a", "b", host="example.org")
    assert not any("rate of" in one.what for one in box.explain("jobs", "b").waits_for)
    dispatch(box)
    until = box.clock.now() + timedelta(minutes=1)
    told = [one for one in box.explain("jobs", "b").waits_for if "rate of" in one.what]
    assert [(one.what, one.met) for one in told] == [
        (f"the rate of host example.org, until {until:%Y-%m-%d %H:%M:%S} UTC", False)
    ]
    claim(box)
    box.advance("1m")
    assert not any("rate of" in one.what for one in box.explain("jobs", "b").waits_for)


def test_keys_that_need_not_wait_are_forgotten(boxed: Boxed) -> None:
    box = boxed(polite())
    admit(box, "a", host="a.example")
    admit(box, "b", host="b.example")
    box.drain()
    assert waiting_keys(box) == ["a.example", "b.example"]
    box.advance("2s")
    box.coordinates.sweep()
    assert waiting_keys(box) == []


@pytest.mark.parametrize("kind", [Integer(), Uuid()], ids=["numbers", "uuids"])
def test_a_key_may_be_of_any_type(boxed: Boxed, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WINDOW", 3)
    monkeypatch.setattr(limits, "FEWEST_KEYS", 2)
    owners = [1, 2, 30] if isinstance(kind, Integer) else [UUID(int=number) for number in (1, 2, 30)]
    table = Table("pages", MetaData(), Column("id", Integer, primary_key=True), Column("owner", kind))
    workflow = Workflow("pages", records=table, axes=[Axis("status", JOB)])

    @workflow.stage(
        waiting="waiting", running="running", done="done", failed="failed", rate_per=("owner", "1/h")
    )
    def visit(work: Work) -> Outcome[None]:
        return Done()

    box = boxed(workflow)
    rows = [{"owner": owners[0]} for _ in range(6)] + [{"owner": owner} for owner in owners[1:]]
    ids = [answer.id for answer in box.admit_many("pages", rows)]
    for _ in range(4):
        box.drain()
    assert [id for id in ids if box.get("pages", id)["status"] == "done"] == [ids[0], ids[6], ids[7]]


def scoped(**copies: Any) -> Workflow:
    metadata = MetaData()
    records = Table(
        "feeds",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("host", Text),
        Column("is_read", Boolean),
    )
    states = Table(
        "feed_state",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("feed_id", ForeignKey("feeds.id"), nullable=False),
        Column("pipeline", String(20), nullable=False),
    )
    axis = Axis(
        "status",
        EXTRACTION,
        table=states,
        scope=("technical", "fundamental"),
        scope_column="pipeline",
        copies={"host": records.c.host} if copies.get("copied", True) else {},
    )
    workflow = Workflow("feeds", records=records, axes=[axis])

    @workflow.stage(
        waiting=("pending", "failed_retryable"),
        running="in_progress",
        done="processed",
        failed="failed_retryable",
        terminal="failed_terminal",
        retry=["30s"],
        rate_per=(records.c.host, "1/m"),
    )
    def read(work: Work) -> Outcome[None]:
        return Done()

    if copies.get("mirrored"):
        workflow.mirror("is_read", axis="status")(
            lambda rows: {"is_read": any(row["status"] == "processed" for row in rows.values())}
        )
    return workflow


def test_scopes_share_the_rate_of_a_key(boxed: Boxed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WINDOW", 1)
    box = boxed(scoped())
    box.admit_many("feeds", [{"id": 1, "host": "h"}, {"id": 2, "host": "h"}, {"id": 3, "host": "i"}])
    table = box.workflow("feeds").axes["status"].table
    counts = []
    for _ in range(4):
        box.drain()
        with box.database.read() as tx:
            rows = tx.execute(select(table.c.host).where(table.c.status == "processed")).all()
        counts.append(dict(Counter(row[0] for row in rows)))
        box.advance("1m")
    assert counts == [{"h": 1, "i": 1}, {"h": 2, "i": 2}, {"h": 3, "i": 2}, {"h": 4, "i": 2}]
    assert [move.new for move in box.ledger.history("feeds", 3, scope="technical")] == [
        "pending",
        "in_progress",
        "processed",
    ]


@pytest.mark.postgresql_only
def test_a_record_that_somebody_holds_is_passed_over_and_its_key_keeps_its_turn(boxed: Boxed) -> None:
    """Columns of the record mirror the axis, so that the record is locked as well: no lock is ever waited for."""
    box = boxed(scoped(mirrored=True))
    box.admit_many("feeds", [{"id": 1, "host": "h"}, {"id": 2, "host": "i"}])
    with box.database.engine.begin() as holding:
        holding.execute(text("SELECT 1 FROM feeds WHERE id = 1 FOR UPDATE"))
        assert dispatch(box) == 1
        assert (running(box), waiting_keys(box)) == (["2"], ["i"])
    assert (dispatch(box), running(box)) == (1, ["1", "2"])
    box.drain()
    assert [box.get("feeds", id)["is_read"] for id in (1, 2)] == [True, True]


def test_a_column_that_is_not_on_the_state_row_is_refused(boxed: Boxed) -> None:
    with pytest.raises(BadDeclaration, match="no column of 'feed_state'") as refused:
        boxed(scoped(copied=False))
    assert "copies" in (refused.value.hint or "")
    for wrong in ("host", ("host",), ("host", 1), ("host", "often"), ("host", "1/0s")):
        with pytest.raises(BadDeclaration):
            jobs(rate_per=wrong)
    with pytest.raises(BadDeclaration, match="rate_per names nothing"):
        boxed(jobs(rate_per=("nothing", "1/s")))
