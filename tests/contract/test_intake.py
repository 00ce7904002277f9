"""Records that a stage found: staged with its report, admitted by a coordinator, each answered; a runner writes no record table."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Column, DateTime, Integer, MetaData, Numeric, Table, Text, Uuid

from interlock import Axis, Done, Failed, Machine, Workflow
from interlock.coordinator import admitting
from interlock.store import tallies
from interlock.testing import Sandbox
from tests.contract.worked import said_of, state
from tests.contract.working import Boxed, admit, apply, begun, claim, finish, jobs

PAGE = Machine("page", initial="new", moves={"new": ["old"]})


def pages() -> Workflow:
    table = Table("pages", MetaData(), Column("id", Integer, primary_key=True), Column("url", Text, nullable=False), Column("job", Text),
                  Column("seen_at", DateTime(timezone=True)), Column("price", Numeric(10, 2)), Column("batch", Uuid()))
    return Workflow("pages", noun="page", records=table, unique=[table.c.url], axes=[Axis("status", PAGE)])


def found(*urls: str, **more: Any) -> dict[str, list[dict[str, Any]]]:
    return {"pages": [{"url": url, **more} for url in urls]}


def urls(box: Sandbox, count: int) -> list[str]:
    return [box.get("pages", id)["url"] for id in range(1, count + 1)]


def intake(hand: Any) -> int:
    return int(hand.one("SELECT count(*) FROM interlock_intake"))


def test_what_a_stage_found_is_admitted_by_the_coordinator(boxed: Boxed, hand: Any, whole: Any) -> None:
    box = boxed(jobs(lambda work: Done(admits=found("u1", "u2", job=work.id))), pages())
    admit(box, "a")
    box.drain()
    assert urls(box, 2) == ["u1", "u2"]
    first, = box.ledger.history("pages", 1)
    assert (first.new, first.actor, first.cause, first.reason) == ("new", "coordinator", "page.created", "found by jobs a")
    assert intake(hand) == 0
    whole(box)


def test_a_natural_key_met_again_is_there_already(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(lambda work: Done(admits=found("u1", "u2", "u1"))), pages())
    admit(box, "a", "b")
    box.drain()
    assert sorted(urls(box, 2)) == ["u1", "u2"]
    with box.database.read() as tx:
        told = tallies.totals(box.coordinates.work, tx)
    assert (told["pages", "", "", "admitted"], told["pages", "", "", "exists"]) == (2, 4)
    assert (intake(hand), said_of(box, "a")) == (0, [])


def test_one_that_cannot_be_a_record_is_recorded_and_does_not_stop_the_others(boxed: Boxed, hand: Any) -> None:
    rows = [{"url": "u1"}, {"url": None}, {"nonsense": 1, "url": "u3"}, {"url": "u4"}]
    box = boxed(jobs(lambda work: Done(admits={"pages": rows, "nobody": [{"x": 1}]})), pages())
    admit(box, "a")
    box.drain()
    assert sorted(url for (url,) in hand.rows("SELECT url FROM pages")) == ["u1", "u4"]
    assert [verdict for verdict, _ in said_of(box, "a")] == ["refused"] * 3
    assert (intake(hand), state(box, "a")) == (0, "done")


def test_nothing_is_found_by_a_report_that_was_refused_at_the_fence(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(), pages())
    zombie, = begun(box, "a")
    box.advance("31s")
    box.coordinates.sweep()
    assert finish(box, zombie, Done(admits=found("u1"))) == 0
    fresh, = claim(box)
    assert finish(box, fresh, Done(admits=found("u2"))) == 1
    assert finish(box, fresh, Done(admits=found("u2"))) == 0
    assert intake(hand) == 1


def test_values_of_every_kind_arrive_as_they_were_found(boxed: Boxed) -> None:
    at, price, batch = datetime(2026, 3, 1, 12, 30, tzinfo=UTC), Decimal("19.90"), UUID(int=7)
    box = boxed(jobs(lambda work: Done(admits=found("ü\n%s", seen_at=at, price=price, batch=batch))), pages())
    admit(box, "a")
    box.drain()
    row = box.get("pages", 1)
    assert row["seen_at"].replace(tzinfo=UTC) == at
    assert (row["url"], row["price"], row["batch"]) == ("ü\n%s", price, batch)


def test_a_sitemap_of_thousands_is_taken_in_batches(boxed: Boxed, hand: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admitting, "BATCH", 1000)
    box = boxed(jobs(), pages())
    attempt, = begun(box, "a")
    finish(box, attempt, Done(admits=found(*(f"u{number}" for number in range(2500)))))
    assert [box.coordinates.admitter.step() for _ in range(4)] == [1000, 1000, 500, 0]
    assert hand.one("SELECT count(*) FROM pages") == 2500


def test_the_work_is_done_whether_or_not_what_it_found_was_admitted_yet(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(), pages())
    attempt, = begun(box, "a")
    finish(box, attempt, Done(admits=found("u1")))
    apply(box)
    assert (state(box, "a"), intake(hand)) == ("done", 1)
    box.coordinator().admitter.step()  # any coordinator
    assert intake(hand) == 0


def test_a_failure_admits_nothing(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(lambda work: Failed("NO", final=True)), pages())
    admit(box, "a")
    box.drain()
    assert (intake(hand), hand.one("SELECT count(*) FROM pages")) == (0, 0)


def test_rows_that_are_no_mappings_fail_the_work_and_nothing_else(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(lambda work: Done(admits={"pages": ["just a url"]}) if work.id == "a" else Done(admits=found("u"))), pages())
    admit(box, "a", "b")
    box.drain()
    assert [state(box, id) for id in "ab"] == ["failed", "done"]
    assert urls(box, 1) == ["u"]


def test_a_value_that_no_column_of_its_type_takes_is_refused_alone(boxed: Boxed, hand: Any) -> None:
    rows = [{"url": "u1", "seen_at": "soon"}, {"url": "u2", "batch": 7}, {"url": "u3"}]
    box = boxed(jobs(lambda work: Done(admits={"pages": rows})), pages())
    admit(box, "a")
    box.drain()
    assert [verdict for verdict, _ in said_of(box, "a")] == ["refused", "refused"]
    assert hand.rows("SELECT url FROM pages") == [("u3",)]
