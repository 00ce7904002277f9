"""What happens now, counted from the ledger: flow within windows, the last day by ten minutes, ages; followed, never counted twice."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text

from interlock.errors import BadInput
from interlock.store.ledger import windows
from interlock.testing import Sandbox
from tests.kinds import four_kinds, prepare


def flows(sandbox: Sandbox, window: str) -> dict[tuple[str | None, str | None], int]:
    """Moves of statements by edge; a first entry is (new, state)."""
    sandbox.ledger._activity._kept.clear()
    return {
        ("new" if one.first else one.old, one.new): one.moves
        for one in sandbox.ledger.activity(window).flows
        if one.kind == "statements"
    }


@pytest.fixture
def shop(database_url: str) -> Sandbox:
    prepare(database_url, four_kinds())
    return Sandbox(four_kinds(), database=database_url)


def test_flow_is_counted_within_the_window_and_followed_as_records_move(shop: Sandbox) -> None:
    shop.admit_many("statements", [{"id": f"u{number}", "file_hash": f"h{number}"} for number in range(4)])
    assert flows(shop, "1h") == {("new", "queued_for_parse"): 4}
    shop.advance("30m")
    shop.move_many("statements", ["u0", "u1"], status="parsing", actor="c")
    assert flows(shop, "1h") == {("new", "queued_for_parse"): 4, ("queued_for_parse", "parsing"): 2}
    assert flows(shop, "1h") == {("new", "queued_for_parse"): 4, ("queued_for_parse", "parsing"): 2}
    assert flows(shop, "15m") == {("queued_for_parse", "parsing"): 2}
    shop.advance("45m")
    shop.move("statements", "u0", status="error", actor="c")
    assert flows(shop, "1h") == {("queued_for_parse", "parsing"): 2, ("parsing", "error"): 1}
    assert flows(shop, "7d")[("new", "queued_for_parse")] == 4
    day = shop.ledger.activity("1h").moves
    assert len(day) == 144
    assert sum(one.moves for one in day) == 7
    assert sum(one.failures for one in day) == 1
    shop.advance("25h")
    assert flows(shop, "24h") == {}
    assert sum(one.moves for one in shop.ledger.activity("1h").moves) == 0
    shop.close()


def test_the_window_can_end_in_the_past(shop: Sandbox) -> None:
    shop.admit("statements", {"id": "u0", "file_hash": "h"})
    first = shop.clock.now()
    shop.advance("2h")
    shop.move("statements", "u0", status="parsing", actor="c")
    then = shop.ledger.activity("1h", first + timedelta(minutes=1))
    assert [(one.new, one.moves, one.first) for one in then.flows if one.kind == "statements"] == [
        ("queued_for_parse", 1, True)
    ]
    assert (then.ages, then.stuck) == ([], [])
    shop.close()


def test_ages_are_of_what_waits_or_runs_and_grow(shop: Sandbox) -> None:
    shop.admit("statements", {"id": "u0", "file_hash": "h"})
    shop.advance("10m")
    shop.admit("statements", {"id": "u1", "file_hash": "i"})
    (age,) = [one for one in shop.ledger.activity("1h").ages if one.kind == "statements"]
    assert age.state == "queued_for_parse"
    assert 0 <= age.p50 <= age.p95 <= age.oldest
    shop.close()


def test_where_a_window_begins_is_located_without_reading_what_is_older(shop: Sandbox) -> None:
    for hour in range(6):
        shop.admit_many("domains", [{"host": f"{hour}-{number}.example"} for number in range(20)])
        shop.advance("1h")
    with shop.database.read() as tx:
        since = shop.clock.now() - timedelta(hours=3, minutes=30)
        place = windows.first_place(tx, since)
        order = windows.sql_of(tx.dialect).history
        older = tx.execute(
            text(
                f"SELECT count(*) FROM interlock_ledger l WHERE {order.order} >= {order.order_value} "
                "AND l.at < :since"
            ),
            {"place": place, "since": windows.sql_of(tx.dialect).bind_instant(since)},
        ).scalar_one()
        assert older == 0
        assert sum(one.moves for one in windows.edge_counts(tx, since, shop.clock.now())) == 3 * 20 * 2
        assert windows.edge_counts(tx, shop.clock.now(), shop.clock.now()) == []
    shop.close()


@pytest.mark.parametrize("window", ["", "soon", "31d", "0s"])
def test_what_is_no_window_is_refused(shop: Sandbox, window: str) -> None:
    with pytest.raises(BadInput):
        shop.ledger.activity(window)
    shop.close()
