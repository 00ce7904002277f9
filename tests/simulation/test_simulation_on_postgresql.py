"""The same histories on a real PostgreSQL: its own statements, its locks, its rollbacks; processes are also held up amid transactions."""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError

from interlock.errors import BadInput
from interlock.testing import HistoryFailed, SimulationReport, simulate
from interlock.testing.simulation import World, play_one
from tests.servers.postgres import Server
from tests.simulation.mutants import MUTANTS
from tests.simulation.workflows import PLAYED

HISTORIES = 6
SOAKED = 10_000
PARTS = 4


def played(name: str, url: str, histories: int, seed: int) -> SimulationReport:
    made: dict[str, Any] = PLAYED[name]()
    return simulate(made.pop("workflows"), histories, seed, database=url, **made)


def world_of(name: str, url: str) -> World:
    made = PLAYED[name]()
    world = World(made["workflows"], made.get("rows"), made.get("results"), url)
    world.also = made["also"]
    return world


def play_many(world: World, histories: int) -> None:
    for seed in range(histories):
        play_one(world, seed)


@pytest.mark.parametrize("name", PLAYED)
def test_no_invariant_breaks_on_postgresql_whatever_goes_wrong(name: str, postgres_url: str) -> None:
    report = played(name, postgres_url, HISTORIES, 0)
    assert report.histories == HISTORIES
    assert report.entries > 20
    assert report.points > 3, "misfortune must really have come"


@pytest.mark.soak
@pytest.mark.timeout(4 * 3600)
def test_no_invariant_breaks_in_ten_thousand_histories_on_postgresql(postgres_server: Server) -> None:
    each = -(-SOAKED // len(PLAYED) // PARTS)
    jobs = [
        (name, postgres_server.create_database(f"simulated_{name}_{part}"), each, 2_000_000 + part * each)
        for name in PLAYED
        for part in range(PARTS)
    ]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        reports = list(pool.map(played, *zip(*jobs, strict=True)))
    struck = Counter[str]()
    for report in reports:
        struck += report.misfortunes
    assert sum(report.histories for report in reports) >= SOAKED
    assert len(struck) > 100


def test_a_seed_plays_the_same_history_every_time_on_postgresql(postgres_url: str) -> None:
    first, second = (played("themes", postgres_url, 4, 77) for _ in range(2))
    assert first.digest == second.digest


def test_a_process_that_is_held_up_amid_a_transaction_keeps_its_locks_and_nobody_waits_for_them(
    postgres_url: str,
) -> None:
    world = world_of("relay", postgres_url)
    client, other = world.clients
    with_locks: list[str] = []

    def meanwhile(*_: Any, amid: bool = False) -> None:
        if amid and not with_locks:
            with_locks.append("held")
            with other.database.engine.connect() as tx:
                tx.exec_driver_sql("UPDATE relays SET mark = 'x' WHERE id = 'r1'")

    world.open(1)
    world.calm = False
    client.app.admit("relay", {"id": "r1"}, actor="ann")
    world.acting.append(client)
    world.faults.watch(None)
    with client.database.write() as tx:
        tx.exec_driver_sql("SELECT 1 FROM relays WHERE id = 'r1' FOR UPDATE")
        world.interlude = meanwhile
        with pytest.raises(DBAPIError, match="lock timeout"):
            tx.exec_driver_sql("SELECT 1")
    world.interlude = None
    assert with_locks == ["held"]
    world.close()
    world.ground.close()


@pytest.mark.parametrize(
    "name",
    [
        "a persons move leaves the work row",
        pytest.param("leases never run out", marks=pytest.mark.soak),
        pytest.param("applying leaves the work row", marks=pytest.mark.soak),
    ],
)
def test_a_mutant_is_found_out_on_postgresql(
    name: str, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutant = next(one for one in MUTANTS if one.name == name)
    mutant.change(mutant, monkeypatch)
    world = world_of(mutant.played, postgres_url)
    with pytest.raises(HistoryFailed):
        play_many(world, 300)
    world.ground.close()
    assert mutant.met


def test_a_database_with_tables_of_somebody_else_is_refused_and_left_alone(postgres_url: str) -> None:
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as tx:
        tx.execute("CREATE TABLE theirs AS SELECT 1 AS one")
    with pytest.raises(BadInput, match="1 tables of somebody else, such as theirs"):
        played("relay", postgres_url, 1, 0)
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as tx:
        assert tx.execute("SELECT count(*) FROM theirs").fetchall() == [(1,)]
        assert tx.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchall() == [(1,)]


def test_what_a_history_did_is_gone_before_the_next(postgres_url: str) -> None:
    world = world_of("domains", postgres_url)
    for seed in (3, 4):
        play_one(world, seed)
    world.open(5)
    for table in (
        "domains",
        "pages",
        "interlock_ledger",
        "interlock_work",
        "interlock_detail",
        "interlock_verdict",
        "kept",
    ):
        assert world.ground.plainly(f"SELECT count(*) FROM {table}").fetchall() == [(0,)], table
    assert world.ground.plainly("SELECT count(*) FROM interlock_machine").fetchone()[0] > 0
    world.close()
    world.ground.close()
