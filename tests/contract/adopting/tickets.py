"""A team's table of tickets that has rows already, and the workflow that adopts its status column in place."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Column, Integer, MetaData, String, Table, Text

from interlock import Adopt, App, Axis, Done, Machine, Workflow, after, retry
from interlock.clock import SystemClock
from interlock.observe.invariants import check_counters
from interlock.testing import Sandbox
from tests.contract.hand import Hand
from tests.contract.working import Boxed

MACHINE = Machine(
    "ticket",
    initial="new",
    moves={
        "new": ["working", "dropped"],
        "working": ["done", "failed"],
        "failed": [retry("new"), "dropped"],
        "done": [],
        "dropped": [after("7d", "done")],
    },
    aliases={"finished": "done", "todo": "new"},
)


def tickets(**adopt: Any) -> Workflow:
    table = Table(
        "tickets",
        MetaData(),
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("status", Text),
        Column("note", String(40)),
        Column("broken", Integer),
    )
    declared = Adopt(
        "tickets-1",
        rules=[("broken", table.c.broken == 1, "failed", {"error_code": "legacy", "note": table.c.status})],
        **{"quiet": "0s", **adopt},
    )
    made = Workflow("tickets", records=table, axes=[Axis("status", MACHINE, adopt=declared)])

    @made.stage(waiting="new", running="working", done="done", failed="failed")
    def work(work: Any) -> Done[None]:
        return Done()

    return made


ROWS = [
    (1, "new", None, 0),
    (2, " TODO ", None, 0),
    (3, "Finished", None, 0),
    (4, "new", None, 1),
    (5, "dropped", None, 0),
    (6, "nonsense", None, 0),
    (7, None, None, 0),
]


@pytest.fixture
def legacy(hand: Hand) -> Hand:
    """The team's table, with rows."""
    hand.run("CREATE TABLE tickets (id integer PRIMARY KEY, status text, note varchar(40), broken integer)")
    for row in ROWS:
        hand.run("INSERT INTO tickets VALUES (?, ?, ?, ?)", *row)
    return hand


def begun(boxed: Boxed, hand: Hand, **adopt: Any) -> Sandbox:
    box = boxed(tickets(**adopt))
    box.advance(
        SystemClock().now() - box.clock.now()
    )  # the database dates writes past Interlock by its own clock
    box.adoptions.cutover("tickets", 2, actor="ann", role="operator", reason="begin")
    return box


def statuses(hand: Hand) -> dict[int, tuple[str | None, int | None]]:
    return {
        id: (status, version) for id, status, version in hand.rows("SELECT id, status, version FROM tickets")
    }


def entries(hand: Hand, id: int) -> list[tuple[Any, ...]]:
    return list(
        hand.rows(
            "SELECT version, from_state, to_state, origin, cause, actor, role FROM interlock_ledger "
            "WHERE kind = 'tickets' AND record_id = ? ORDER BY version",
            str(id),
        )
    )


def clean(box: App) -> None:
    assert box.check().findings == []
    assert check_counters(box.database, list(box.workflows.values())) == []
