"""Cheats that move a record at an instant of their own, past a gate, or by a plan that nobody made."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from interlock.clock import SystemClock
from tests.contract.subjects import Subject
from tests.kinds import LIFECYCLE, content
from tests.security.cheats import (
    LOCATED,
    PAPER,
    POSTGRESQL,
    SQLITE,
    Typist,
    cheat,
    moving,
)
from tests.security.shop import CLOSED_PLAN


def item(id: str) -> Subject:
    return Subject(
        content,
        "content",
        "state",
        "items",
        id,
        "DRAFT",
        "CANDIDATE",
        "APPROVED",
        LIFECYCLE,
        (),
        key_column="item_id",
    )


def dated(at: datetime) -> Any:
    return moving(PAPER, "sent", at=at)


def raw_instant(text: str) -> Any:
    """PostgreSQL: a legal move whose instant is a text of the cheat's own."""

    def act(typist: Typist) -> None:
        sql, values = typist.move(PAPER, "sent")
        typist.run(sql, *values[:-1], re.sub(r'"2[^"]+Z"', f'"{text}"', values[-1]))

    return act


def odd_entry(text: str) -> Any:
    """SQLite: an entry whose instant is a text of the cheat's own."""

    def act(typist: Typist) -> None:
        sql, values = typist.insert_entry(typist.entry(PAPER, "sent"))
        values[7] = text
        typist.run(sql, *values)

    return act


CLOCKS = [
    cheat("records", "clock", "a move of 1999", dated(datetime(1999, 12, 31, tzinfo=UTC))),
    cheat("records", "clock", "a move of 9999", dated(datetime(9999, 12, 30, tzinfo=UTC))),
    cheat("records", "clock", "a move of the year 1", dated(datetime(1, 1, 3, tzinfo=UTC))),
    cheat("records", "clock", "a move twenty years ahead", dated(SystemClock().now() + timedelta(days=7300))),
    cheat(
        "records",
        "clock",
        "a move of 2001",
        dated(datetime(2001, 1, 1, tzinfo=UTC)),
        file=LOCATED,
        why="SQLite knows no clock but that of whoever has the file; a check names what is out of order",
    ),
    cheat(
        "records",
        "clock",
        "a move five years ahead",
        dated(SystemClock().now() + timedelta(days=1825)),
        file=LOCATED,
        why="SQLite knows no clock but that of whoever has the file; a check names what is out of order",
    ),
    *(
        cheat("records", "clock", f"an entry of {text!r}", odd_entry(text), on=(SQLITE,))
        for text in (
            "not a time",
            "",
            "now",
            "2026-02-31T00:00:00.000000Z",
            "2026-01-01",
            "2026-01-01T25:00:00.000000Z",
        )
    ),
    *(
        cheat("records", "clock", f"a move of {text!r}", raw_instant(text), on=(POSTGRESQL,))
        for text in (
            "infinity",
            "-infinity",
            "now",
            "tomorrow",
            "epoch",
            "2026-01-01 00:00:00 BC",
            "2026-01-01",
        )
    ),
]


GATES = [
    cheat(
        "gates",
        "typed move",
        "a gated state whose gate said no",
        lambda t: t.type_move(item("c1"), "VALIDATED"),
    ),
    cheat(
        "gates",
        "typed move",
        "a gated state whose gate was never asked",
        lambda t: (t.type_move(item("c4"), "CANDIDATE"), t.type_move(item("c4"), "VALIDATED")),
    ),
    cheat(
        "gates",
        "plain",
        "a gated state without an entry",
        "UPDATE items SET state = 'VALIDATED', version = version + 1 WHERE item_id = 'c1'",
    ),
]


def by_a_plan_of_ones_own(typist: Typist) -> None:
    """A plan typed as the owner would type it, and a move by it."""
    cause = typist.plan(PAPER, "migration", ("draft", "accepted"))
    typist.type_move(PAPER, "accepted", origin="migration", cause=cause, role="admin", detail=typist.reason)


PLANS = [
    cheat(
        "plans",
        "typed move",
        "a migration without a plan",
        lambda t: t.type_move(PAPER, "accepted", origin="migration", role="admin", detail=t.reason),
    ),
    cheat(
        "plans",
        "typed move",
        "a migration that names a plan which does not exist",
        lambda t: t.type_move(
            PAPER, "accepted", origin="migration", cause="plan.abcdefabcdef", role="operator", detail=t.reason
        ),
    ),
    cheat(
        "plans",
        "typed move",
        "the cause of a plan that is closed",
        lambda t: t.type_move(
            PAPER, "accepted", origin="migration", cause=CLOSED_PLAN.cause, role="admin", detail=t.reason
        ),
    ),
    cheat(
        "plans",
        "typed move",
        "a backfill into a later state",
        lambda t: t.type_move(PAPER, "accepted", origin="backfill", role="admin", detail=t.reason),
    ),
    cheat(
        "plans",
        "typed move",
        "a legal move as a backfill",
        lambda t: t.type_move(PAPER, "sent", origin="backfill", role="admin", detail=t.reason),
    ),
    cheat(
        "plans",
        "typed move",
        "a plan of one's own and a move by it",
        by_a_plan_of_ones_own,
        owner=LOCATED,
        why="plans are the owner's to write; a check lists every one that is open, and the move names it for ever",
    ),
    cheat(
        "plans",
        "plain",
        "a closed plan opened again",
        "UPDATE interlock_plan SET closed_at = NULL",
        owner=LOCATED,
        why="plans are the owner's to write; a check lists every one that is open",
    ),
    cheat(
        "plans",
        "plain",
        "the lines of a plan",
        'UPDATE interlock_plan SET lines = \'[["draft", "accepted", "x"]]\'',
    ),
    cheat("plans", "plain", "the machine of a plan", "UPDATE interlock_plan SET machine = 'x'"),
    cheat("plans", "plain", "a plan deleted", "DELETE FROM interlock_plan"),
    cheat(
        "plans",
        "plain",
        "a plan without a reason",
        "INSERT INTO interlock_plan(kind, axis, id, origin, machine, lines, actor, role, at) "
        "VALUES ('papers', 'review', 'x', 'migration', 'x', '[[\"draft\", \"accepted\", \"\"]]', 'eve', "
        "'admin', '2026-01-01T00:00:00.000000Z')",
    ),
]

CHEATS = [*CLOCKS, *GATES, *PLANS]
