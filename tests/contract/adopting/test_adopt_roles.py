"""Who may lead an adoption on: the owner changes phases and guards, a coordinator adopts rows, whoever else writes goes on as before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import Column, Integer, MetaData, String, Table

from interlock import Adopt, App, Axis, Workflow
from interlock.errors import AdoptionNotReady
from tests.acceptance.adopting import MACHINE, ROWS
from tests.contract.hand import Hand
from tests.servers.logins import Logins

LEAD = {"actor": "ann", "role": "operator", "reason": "on"}


def tickets() -> Workflow:
    table = Table(
        "tickets",
        MetaData(),
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("status", String(20)),
        Column("old_flag", Integer),
    )
    adopt = Adopt("tickets-1", quiet="0s", rules=[("reopened", table.c.old_flag == 2, "new")])
    return Workflow("tickets", records=table, axes=[Axis("status", MACHINE, adopt=adopt)])


@pytest.fixture
def typing(postgres_url: str) -> Iterator[Hand]:
    hand = Hand(postgres_url)
    hand.run("CREATE TABLE tickets (id integer PRIMARY KEY, status varchar(20), old_flag integer)")
    for id, status in ROWS:
        hand.run("INSERT INTO tickets VALUES (?, ?, 1)", id, status)
    yield hand
    hand.close()


def test_the_owner_changes_phases_and_a_coordinator_adopts_rows(
    postgres_url: str, typing: Hand, logins: Logins
) -> None:
    logins.prepare(postgres_url, [tickets()])
    with (
        closing(App([tickets()], database=postgres_url)) as owner,
        closing(App([tickets()], database=logins.url(postgres_url, "coordinator"))) as coordinator,
    ):
        assert coordinator.migrate() == []
        with pytest.raises(AdoptionNotReady, match="only the owner of the tables"):
            coordinator.adoptions.cutover("tickets", 2, **LEAD)
        assert coordinator.adoptions.status()[0].phase == "schema"
        owner.adoptions.cutover("tickets", 2, **LEAD)
        assert coordinator.adoptions.backfill("tickets", actor="ann").written == 2
        typing.run("UPDATE tickets SET status = 'Finished' WHERE id = 1")
        entry = "SELECT from_state, to_state, origin, actor FROM interlock_ledger WHERE record_id = '1' AND version = 1"
        assert typing.rows(entry) == [("new", "done", "legacy", typing.rows("SELECT session_user")[0][0])]
        typing.run("UPDATE tickets SET old_flag = 2 WHERE id = 2")
        assert coordinator.adoptions.follow("tickets", actor="ann") == 1
        assert typing.rows("SELECT status, version FROM tickets WHERE id = 2") == [("new", 1)]
        assert coordinator.adoptions.compare("tickets").differences == 0
        assert coordinator.check().findings == []
        assert owner.check().findings == []
