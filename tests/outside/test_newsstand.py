"""What stages, gates, mirrors, timers and schedules give to a team that has only public names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import text

from interlock.testing import Sandbox, assert_history
from tests.outside import newsstand


@pytest.fixture
def box(database_url: str) -> Iterator[Sandbox]:
    """Three sources, two of them on one host."""
    with closing(Sandbox(newsstand.declare(), database=database_url)) as made:
        hosts = ("one.example", "one.example", "two.example")
        made.admit_many("sources", [{"id": id, "host": host} for id, host in enumerate(hosts, 1)])
        yield made
        assert made.check().findings == []


def rows(box: Sandbox, sql: str) -> list[tuple[Any, ...]]:
    with box.database.read() as tx:
        return [tuple(row) for row in tx.execute(text(sql))]


def visited(box: Sandbox) -> None:
    box.drain()
    box.advance("2s")
    box.drain()


def test_a_host_is_asked_politely_and_the_wait_leaves_no_entry(box: Sandbox) -> None:
    box.drain()
    assert [box.get("sources", id)["status"] for id in (1, 2, 3)] == ["visited", "new", "visited"]
    assert_history(box, "sources", 2, ["new"])
    box.advance("1s")
    box.drain()
    assert_history(box, "sources", 2, ["new", "visiting", "visited"])
    assert rows(box, "SELECT source_id, found FROM visits ORDER BY source_id") == [(1, 2), (2, 2), (3, 2)]
    assert box.get("sources", 2)["pages"] == 2


def test_children_are_admitted_by_the_policy_that_chose_them(box: Sandbox) -> None:
    visited(box)
    assert rows(box, "SELECT count(*) FROM stories") == [(6,)]
    admitted = box.ledger.history("stories", 1)[0]
    assert (admitted.actor, admitted.reason) == ("policy", "on the first page, 0.8")


def test_each_desk_has_a_state_of_its_own_and_old_readers_see_all_of_them(box: Sandbox) -> None:
    visited(box)
    row = box.get("stories", 1, scope="sport")
    assert (row["status"], row["opinion"], row["read_at"] is None) == (
        "read",
        "sport: 01 January, was None",
        False,
    )
    assert (box.get("stories", 1)["is_read"], box.get("stories", 1)["unread_desks"]) == (True, None)
    again = {"actor": "ann", "role": "operator", "reason": "read it once more"}
    box.move("stories", 1, scope="sport", status="pending", **again)
    row = box.get("stories", 1, scope="sport")
    assert (row["status"], row["opinion"], row["read_at"]) == ("pending", None, None)
    assert (box.get("stories", 1)["is_read"], box.get("stories", 1)["unread_desks"]) == (False, "sport")
    box.drain()
    assert box.get("stories", 1)["is_read"]
    assert_history(
        box, "stories", 1, ["pending", "reading", "read", "pending", "reading", "read"], scope="sport"
    )


def test_what_a_gate_loaded_and_answered_is_read_back(box: Sandbox) -> None:
    visited(box)
    (verdict,) = box.verdicts("stories", 1, scope="news")
    assert (verdict.gate, verdict.passed, verdict.scope) == ("is_known", True, "news")
    assert verdict.details["visited"] >= 1


def test_a_gate_that_refuses_is_asked_again_and_then_the_desk_fails(box: Sandbox) -> None:
    published = datetime(2026, 1, 9, tzinfo=UTC)
    box.admit("stories", {"id": 99, "url": "https://nowhere.example/1", "published_at": published})
    box.drain()
    row = box.get("stories", 99, scope="news")
    assert (row["status"], row["opinion"]) == ("failed", None)
    assert_history(box, "stories", 99, ["pending", "reading", "failed"], scope="news")
    assert not any(one.passed for one in box.verdicts("stories", 99, scope="news"))
    assert "UNKNOWN_HOST" in (box.verdicts("stories", 99, scope="news")[-1].reason or "")


def test_a_timer_and_a_schedule_bring_a_source_round_again(box: Sandbox) -> None:
    visited(box)
    due = [one.what for one in box.explain("sources", 1).waits_for]
    assert any("its timer moves it to stale" in what for what in due)
    box.advance("7d")
    box.drain()
    moves = box.ledger.history("sources", 1)
    assert [(move.new, move.cause) for move in moves if move.new == "stale"] == [("stale", "timer")]
    box.advance("1h")
    visited(box)
    moves = box.ledger.history("sources", 1)
    assert [move.new for move in moves][-4:] == ["stale", "new", "visiting", "visited"]
    assert [move.actor for move in moves][-3] == "clock"
    assert rows(box, "SELECT count(*) FROM stories") == [(6,)]  # the same addresses are there already
    (schedule,) = box.schedules()
    assert (schedule.outcome, schedule.paused) == ("done", False)
