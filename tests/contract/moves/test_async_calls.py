"""The calls of an app for `async` code: the same answers, rows and entries, and an event loop that goes on meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from interlock import App
from interlock.errors import BadInput, InvalidStateTransition
from tests.kinds import uploads


def test_calls_are_awaited_side_by_side_and_write_rows_and_entries(opened: Any) -> None:
    app: App = opened(uploads())

    async def work() -> list[Any]:
        await asyncio.gather(*(app.aio.admit("statements", {"id": f"u{n}"}) for n in range(20)))
        return await asyncio.gather(
            *(app.aio.move("statements", f"u{n}", actor="ann", status="parsing") for n in range(20))
        )

    assert {one.outcome for one in asyncio.run(work())} == {"moved"}
    for n in range(20):
        assert app.get("statements", f"u{n}")["status"] == "parsing"
        assert [one.new for one in app.ledger.history("statements", f"u{n}")] == [
            "queued_for_parse",
            "parsing",
        ]
    assert asyncio.run(app.aio.counts()) == app.counts()


def test_what_a_call_raises_is_raised_where_it_is_awaited(opened: Any) -> None:
    app: App = opened(uploads())
    app.admit("statements", {"id": "u1"})
    with pytest.raises(InvalidStateTransition):
        asyncio.run(app.aio.move("statements", "u1", actor="ann", status="normalized"))
    assert app.get("statements", "u1")["status"] == "queued_for_parse"


def test_a_call_of_its_own_thread_joins_no_transaction(opened: Any) -> None:
    app: App = opened(uploads())
    with app.database.write() as tx, pytest.raises(BadInput, match="cannot join a transaction"):
        asyncio.run(app.aio.admit("statements", {"id": "u1"}, tx=tx))
