"""Records that a stage found: staged with its report, admitted by a coordinator, each answered; a runner writes no record table."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Column, DateTime, Integer, MetaData, Numeric, Table, Text, Uuid

from interlock import Axis, Done, Failed, Found, Machine, Workflow, entering
from interlock.coordinator import intake as taking_in
from interlock.store.work import outcome_counts
from interlock.testing import Sandbox
from interlock.workflow.columns.instant import Instant
from tests.contract.worked import said_of, state
from tests.contract.working import Boxed, admit, apply, begun, claim, finish, jobs

PAGE = Machine("page", initial="new", moves={"new": ["old"]})


def pages() -> Workflow:
    table = Table(
        "pages",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("url", Text, nullable=False),
        Column("job", Text),
        Column("seen_at", DateTime(timezone=True)),
        Column("found_at", Instant()),
        Column("price", Numeric(10, 2)),
        Column("batch", Uuid()),
    )
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
    (first,) = box.ledger.history("pages", 1)
    assert (first.new, first.actor, first.cause, first.reason) == (
        "new",
        "coordinator",
        "page.created",
        "found by jobs a",
    )
    assert intake(hand) == 0
    whole(box)


def test_a_natural_key_met_again_is_there_already(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(lambda work: Done(admits=found("u1", "u2", "u1"))), pages())
    admit(box, "a", "b")
    box.drain()
    assert sorted(urls(box, 2)) == ["u1", "u2"]
    with box.database.read() as tx:
        told = outcome_counts.totals(box.coordinates.work, tx)
    assert (told["pages", "", "", "admitted"], told["pages", "", "", "exists"]) == (2, 4)
    assert (intake(hand), said_of(box, "a")) == (0, [])


def test_one_that_cannot_be_a_record_is_recorded_and_does_not_stop_the_others(
    boxed: Boxed, hand: Any
) -> None:
    rows = [{"url": "u1"}, {"url": None}, {"nonsense": 1, "url": "u3"}, {"url": "u4"}]
    box = boxed(jobs(lambda work: Done(admits={"pages": rows})), pages())
    admit(box, "a")
    box.drain()
    assert sorted(url for (url,) in hand.rows("SELECT url FROM pages")) == ["u1", "u4"]
    assert [verdict for verdict, _ in said_of(box, "a")] == ["refused"] * 2
    assert (intake(hand), state(box, "a")) == (0, "done")


def test_nothing_is_found_by_a_report_that_was_refused_at_the_fence(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(), pages())
    (zombie,) = begun(box, "a")
    box.advance("31s")
    box.coordinates.sweep()
    assert finish(box, zombie, Done(admits=found("u1"))) == 0
    (fresh,) = claim(box)
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


def test_a_sitemap_of_thousands_is_taken_in_batches(
    boxed: Boxed, hand: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taking_in, "BATCH", 1000)
    box = boxed(jobs(), pages())
    (attempt,) = begun(box, "a")
    finish(box, attempt, Done(admits=found(*(f"u{number}" for number in range(2500)))))
    apply(box)
    assert [box.coordinates.admitter.step() for _ in range(4)] == [1000, 1000, 500, 0]
    assert hand.one("SELECT count(*) FROM pages") == 2500


def test_the_work_is_done_whether_or_not_what_it_found_was_admitted_yet(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(), pages())
    (attempt,) = begun(box, "a")
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
    box = boxed(
        jobs(
            lambda work: Done(admits={"pages": ["just a url"]}) if work.id == "a" else Done(admits=found("u"))
        ),
        pages(),
    )
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


def everything(box: Sandbox, hand: Any) -> list[tuple[Any, ...]]:
    """(url, actor, reason) of each page, from its first entry."""
    return sorted(
        (box.get("pages", id)["url"], first.actor, first.reason)
        for (id,) in hand.rows("SELECT id FROM pages")
        for first in box.ledger.history("pages", id)[:1]
    )


def test_nothing_is_admitted_before_the_report_that_brought_it_was_applied(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(), pages())
    (attempt,) = begun(box, "a")
    finish(box, attempt, Done(admits=found("u1")))
    assert (box.coordinates.admitter.step(), intake(hand), everything(box, hand)) == (0, 1, [])
    apply(box)
    assert (box.coordinates.admitter.step(), intake(hand)) == (1, 0)
    assert everything(box, hand) == [("u1", "coordinator", "found by jobs a")]


@pytest.mark.parametrize("plain", [True, False])
def test_what_a_refused_report_brought_is_dropped(plain: bool, boxed: Boxed, hand: Any) -> None:
    workflow = jobs(only_if=None)
    workflow.rules = (*workflow.rules, entering(status="done").requires(workflow.records.c.size == 1))
    box = boxed(workflow, pages())
    attempts = {one.record_id: one for one in begun(box, "a", "b")}
    hand.run("UPDATE jobs SET size = 1 WHERE id = 'b'")
    for id, attempt in attempts.items():
        finish(box, attempt, Done(admits=found(f"u-{id}"), **({} if plain else {"title": "t"})))
    apply(box)
    box.coordinates.admitter.step()
    assert [(state(box, id), box.get("jobs", id)["error_code"]) for id in "ab"] == [
        ("failed", "refused"),
        ("done", None),
    ]
    assert [verdict for verdict, _ in said_of(box, "a")] == ["refused"]
    assert (everything(box, hand), intake(hand)) == ([("u-b", "coordinator", "found by jobs b")], 0)


def test_what_a_report_that_came_too_late_brought_is_dropped(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(), pages())
    (attempt,) = begun(box, "a")
    finish(box, attempt, Done(admits=found("u1")))
    with hand.without_guards_of("interlock_work"):
        hand.run("DELETE FROM interlock_work")  # as a rule's move on another axis would
    assert box.coordinates.admitter.step() == 1
    assert (everything(box, hand), intake(hand)) == ([], 0)
    box.coordinates.sweep()


def test_children_carry_an_actor_and_a_reason_of_their_own(boxed: Boxed, hand: Any, whole: Any) -> None:
    box = boxed(
        jobs(
            lambda work: Done(
                admits={"pages": Found([{"url": f"u-{work.id}"}], actor="policy", reason="contact page, 0.8")}
            )
        ),
        pages(),
    )
    admit(box, "a", "b")
    box.drain()
    assert everything(box, hand) == [(f"u-{id}", "policy", "contact page, 0.8") for id in "ab"]
    whole(box)


def test_children_of_several_actors_stand_in_one_list(boxed: Boxed, hand: Any, whole: Any) -> None:
    children = [
        {"url": "plain"},
        Found([{"url": "one"}], actor="policy", reason="0.8"),
        Found([{"url": "two"}], actor="policy", reason="0.9"),
    ]
    box = boxed(jobs(lambda work: Done(admits={"pages": children})), pages())
    admit(box, "a")
    box.drain()
    assert everything(box, hand) == [
        ("one", "policy", "0.8"),
        ("plain", "coordinator", "found by jobs a"),
        ("two", "policy", "0.9"),
    ]
    assert box.arriving() == 0
    whole(box)


def test_a_childs_instant_is_an_instant_again(boxed: Boxed) -> None:
    moment = datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=UTC)
    box = boxed(jobs(lambda work: Done(admits=found("u", found_at=moment))), pages())
    admit(box, "a")
    box.drain()
    assert box.get("pages", 1)["found_at"] == moment


NO_CHILDREN: list[Any] = [
    {"nobody": [{"x": 1}]},
    {"pages": 7},
    {"pages": ["just a url"]},
    {7: []},
    {"pages": Found([{"url": "u"}], actor=" ")},
    {"pages": Found([{"url": "u"}], actor="a" * 201)},
    {"pages": Found([{"url": "u"}], reason="\ud800")},
    {"pages": Found([{"url": "u"}], reason=7)},  # type: ignore[arg-type]
    {"pages": Found(7)},  # type: ignore[arg-type]
]


def test_children_that_are_no_rows_of_a_known_kind_fail_the_work_for_good(boxed: Boxed, hand: Any) -> None:
    bad = {f"bad {number}": admits for number, admits in enumerate(NO_CHILDREN)}
    box = boxed(jobs(lambda work: Done(admits=bad.get(work.id, found("u"))), retry=["1m"]), pages())
    admit(box, "b", *bad)
    box.drain()
    ended = {id: [box.get("jobs", id)[name] for name in ("status", "error_code", "ready_at")] for id in bad}
    assert ended == {id: ["failed", "BAD_OUTCOME", None] for id in bad}
    assert (state(box, "b"), [url for url, *_ in everything(box, hand)], intake(hand)) == ("done", ["u"], 0)


class Unprintable:
    def __str__(self) -> str:
        raise RuntimeError("no")

    __repr__ = __str__


CHILDREN: list[dict[Any, Any]] = [
    {"url": "\ud800"},
    {"url": b"bytes"},
    {"url": "a\0b"},
    {"url": "u", "nonsense": 1},
    {"url": "u", "price": float("nan")},
    {"url": "u", "price": "cheap"},
    {"url": "u", "batch": [1]},
    {"url": "u", "seen_at": 10**400},
    {"url": "u", "seen_at": "99999-01-01"},
    {"url": "u", "id": "seven"},
    {"url": "u", "id": 2**70},
    {"url": ["u"]},
    {"url": {"a": "\udfff"}},
    {"url": Unprintable()},
    {7: "u"},
    {"url": "u", "status": "old", "version": 3},
    {"url": "u", "status": "nowhere"},
    {},
    {("a", "b"): 1},
]


def test_whatever_one_child_contains_refuses_that_one_alone(
    boxed: Boxed, hand: Any, subtests: pytest.Subtests
) -> None:
    """Each stands between two children of its parent that are fine."""
    bad = {f"p{number:02}": row for number, row in enumerate(CHILDREN)}
    box = boxed(
        jobs(
            lambda work: Done(
                admits={"pages": [{"url": f"{work.id} before"}, bad[work.id], {"url": f"{work.id} after"}]}
            )
        ),
        pages(),
    )
    admit(box, *bad)
    box.drain()
    for id, row in bad.items():
        with subtests.test(ascii(list(row))):
            assert state(box, id) == "done"
            assert [verdict for verdict, _ in said_of(box, id)] == ["refused"]
    urls = [url for url, *_ in everything(box, hand)]
    assert urls == sorted(f"{id} {place}" for id in bad for place in ("before", "after"))
    assert intake(hand) == 0


TYPED = [
    "{",
    "7",
    "null",
    "[7]",
    '["\\ud800"]',
    '[{"url":"\\ud800"}]',
    '[{"url":"\\u0000"}]',
    "[" * 50_000,
    '[{"url":NaN}]',
    '[{"url":1e999}]',
]


@pytest.mark.leaves("guards")
def test_children_typed_by_hand_are_refused_and_the_coordinator_goes_on(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(lambda work: Done(admits=found("u"))), pages())
    typed = {f"a{number}": text for number, text in enumerate(TYPED)}
    for attempt in begun(box, *typed):
        finish(box, attempt, Done(admits=found(f"of {attempt.record_id}")))
    hand.drop_guards_of("interlock_intake")
    for id, text in typed.items():
        hand.run(
            "UPDATE interlock_intake SET records = ? WHERE work = (SELECT position FROM interlock_work WHERE record_id = ?)",
            text,
            id,
        )
    admit(box, "b")
    box.drain()
    assert ([url for url, *_ in everything(box, hand)], intake(hand)) == (["u"], 0)
    assert {id: [verdict for verdict, _ in said_of(box, id)] for id in typed} == {
        id: ["refused"] for id in typed
    }


def test_a_database_from_before_children_waited_admits_what_it_staged(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(), pages())
    if hand.is_sqlite:
        hand.drop_guards_of("interlock_intake")
    else:
        for guard in ("interlock_its_own", "interlock_found"):
            hand.run(f"DROP TRIGGER {guard} ON interlock_intake")
    for name in ("size", "axis", "scope", "work", "actor", "reason"):
        hand.run(f"ALTER TABLE interlock_intake DROP COLUMN {name}")
    hand.run("ALTER TABLE interlock_intake RENAME COLUMN records TO record")
    hand.run(
        "INSERT INTO interlock_intake(kind, record, source_kind, source_id, token, at) VALUES ('pages', ?, 'jobs', 'a', 't', ?)",
        '{"url": "u1"}',
        "2026-01-01T00:00:00.000000Z",
    )
    hand.run("UPDATE interlock_meta SET value = 'older' WHERE key = 'own tables'")
    box.migrate()
    box.drain()
    assert everything(box, hand) == [("u1", "coordinator", "found by jobs a")]
