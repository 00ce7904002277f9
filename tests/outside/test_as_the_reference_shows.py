"""A lending desk that adopts its old table: the rest of what workflows need, each in the line that the reference shows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime

import pytest
from sqlalchemy import (
    Column,
    Connection,
    Integer,
    MetaData,
    String,
    Table,
    bindparam,
    create_engine,
    select,
    text,
)

from interlock import (
    Adopt,
    App,
    Axis,
    Done,
    Extension,
    Invariant,
    Machine,
    Move,
    Outcome,
    Work,
    Workflow,
    cron,
    entering,
)
from interlock.client import connect
from interlock.errors import AdoptionNotReady, InvalidStateTransition, RuleRefused
from interlock.testing import Sandbox

LOAN = Machine(
    "loan",
    initial="asked",
    moves={
        "asked": ["granted", "lapsed"],
        "granted": ["sending", "returned"],
        "sending": ["sent"],
        "sent": ["returned"],
    },
    aliases={"ok": "granted"},
)
LEAD = {"actor": "ann", "role": "operator", "reason": "on"}


def declare(heard: list[str]) -> Workflow:
    metadata = MetaData()
    loans = Table(
        "loans",
        metadata,
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("status", String(20)),
        Column("reader", String(20)),
        Column("title", String(40)),
        Column("lost", Integer),
    )
    desk = Workflow(
        "loans",
        records=loans,
        amendable=[loans.c.title],
        axes=[
            Axis(
                "status",
                LOAN,
                adopt=Adopt(
                    "loans-1", rules=[("lost", loans.c.lost == 1, "lapsed", {"title": "?"})], quiet="0s"
                ),
            )
        ],
        rules=[
            entering(status="granted").requires(
                loans.c.reader != bindparam("actor"), says="nobody grants a loan to oneself", code="OWN_LOAN"
            )
        ],
    )
    nobodys = select(loans.c.id).where(loans.c.reader.is_(None))
    desk.extension = Extension(
        invariants=[Invariant("LOAN-1", "a loan has a reader", nobodys, severity="error")]
    )

    @desk.stage(waiting="granted", running="sending", done="sent")
    def send(work: Work) -> Outcome[None]:
        return Done()

    @desk.on_move("asked", amended=True)
    def keep(tx: Connection, moves: Sequence[Move]) -> None:
        heard.extend(f"{move.id} {move.new}" for move in moves)

    @desk.on_remove
    def forget(tx: Connection, removals: Sequence[Move]) -> None:
        heard.extend(f"{move.id} gone" for move in removals)

    @desk.every(cron("0 6 * * *"))
    def lapse(app: App, tick: datetime) -> None:
        asked = [one.id for one in app.list("loans", where={"status": "asked"}).records]
        app.move_many("loans", asked, status="lapsed", actor="clock", reason="not answered")

    return desk


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def box(database_url: str, heard: list[str]) -> Iterator[Sandbox]:
    """A table from before Interlock, with rows in the team's own spellings."""
    engine = create_engine(database_url)
    with engine.begin() as tx:
        tx.execute(
            text(
                "CREATE TABLE loans (id integer PRIMARY KEY, status varchar(20), reader varchar(20), title varchar(40), "
                "lost integer)"
            )
        )
        tx.execute(
            text(
                "INSERT INTO loans VALUES (1, 'asked', 'bob', 'Emma', 0), (2, ' OK', 'eve', 'Ulysses', 0), "
                "(3, 'asked', 'ivy', 'Mrs D', 1)"
            )
        )
    engine.dispose()
    with closing(Sandbox([declare(heard)], database=database_url)) as made:
        yield made
        assert made.check().findings == []


def adopt(box: Sandbox) -> None:
    box.adoptions.cutover("loans", 2, **LEAD)
    assert box.adoptions.backfill("loans", actor="ann").written == 3
    for phase in (3, 4):
        assert box.adoptions.compare("loans").differences == 0
        box.adoptions.cutover("loans", phase, **LEAD)


def test_a_team_adopts_its_table_by_rules_and_spellings_and_then_only_interlock_moves_it(
    box: Sandbox,
) -> None:
    box.adoptions.cutover("loans", 2, **LEAD)
    with pytest.raises(AdoptionNotReady, match="backfill has not come to its end"):
        box.adoptions.cutover("loans", 3, **LEAD)
    assert box.adoptions.backfill("loans", actor="ann").written == 3
    first = {id: box.ledger.history("loans", id)[0] for id in (1, 2, 3)}
    assert [(one.new, one.origin, one.cause) for one in first.values()] == [
        ("asked", "backfill", "adopt.loans-1.value"),
        ("granted", "backfill", "adopt.loans-1.value"),
        ("lapsed", "backfill", "adopt.loans-1.lost"),
    ]
    assert first[2].facts == {"raw": " OK", "rule": "value"}
    for phase in (3, 4):
        box.adoptions.cutover("loans", phase, **LEAD)
    with pytest.raises(InvalidStateTransition), box.database.write() as tx:
        tx.execute(text("UPDATE loans SET status = 'asked' WHERE id = 2"))
    box.drain()
    assert [box.get("loans", id)["status"] for id in (1, 2, 3)] == ["asked", "sent", "lapsed"]
    assert len(box.ledger.history("loans", 2)) == 3


def test_rules_hooks_amendments_and_the_clock_work_on_what_was_adopted(
    box: Sandbox, heard: list[str]
) -> None:
    adopt(box)
    with pytest.raises(RuleRefused, match="nobody grants a loan to oneself") as refusal:
        box.move("loans", 1, status="granted", actor="bob")
    assert refusal.value.facts["rule_code"] == "OWN_LOAN"
    box.amend(
        "loans",
        1,
        facts={"title": "Emma, 2"},
        actor="ann",
        reason="second volume",
        role="clerk",
        version=0,
        key="a",
        axis="status",
    )
    assert (box.get("loans", 1)["title"], box.get("loans", 1)["version"], heard) == (
        "Emma, 2",
        1,
        ["1 asked"],
    )
    box.drain()  # ticks count from when a coordinator first saw the schedule
    box.advance("1d")
    box.drain()
    assert [one.new for one in box.ledger.history("loans", 1)] == ["asked", "asked", "lapsed"]
    box.erase("loans", 1, actor="ann", role="admin", reason="asked for it")
    assert heard[-1] == "1 gone"


def test_lists_and_clients_answer_alike(box: Sandbox) -> None:
    adopt(box)
    page = box.list("loans", where={"status": "asked", "reader": "bob"}, columns=("title",), sort="-title")
    client = connect(box)
    again = client.list(
        "loans", where={"status": "asked", "reader": "bob"}, columns=("title",), sort="-title"
    )
    assert [one.id for one in page.records] == [one.id for one in again.records] == [1]
    assert client.adoptions.list()[0].phase == "compat_writes"
    assert asyncio.run(box.aio.get("loans", 2))["status"] == "granted"
    assert box.verdicts("loans", 2, version=None) == []
    assert len(box.ledger.history("loans", 2)) == 1
