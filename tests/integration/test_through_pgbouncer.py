"""Through pgbouncer in transaction mode every transaction may meet another server process: nothing is kept in a session."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy.engine import make_url

from interlock import App
from interlock.errors import BadInput, InterlockError
from tests.conftest import NOT_THROUGH_A_POOLER, THROUGH_A_POOLER
from tests.kinds import content, domains, open_app, themes, uploads
from tests.servers.logins import Logins
from tests.servers.pgbouncer import PREPARES, Bouncer, start_pgbouncer, version
from tests.servers.postgres import Server

COUNT = 40


@pytest.fixture
def app(pgbouncer_url: str) -> Iterator[App]:
    app = open_app(pgbouncer_url, uploads(), domains(), content(), themes())
    yield app
    app.close()


def threshold(app: App) -> int | None:
    with app.database.read() as tx:
        driver: Any = tx.connection.driver_connection
        return driver.prepare_threshold  # type: ignore[no-any-return]


def servers_of(url: str) -> set[int]:
    """The server processes that a crowd of clients meets."""
    address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    clients = [psycopg.connect(address) for _ in range(4)]
    met = {client.execute("SELECT pg_backend_pid()").fetchone()[0] for client in clients}  # type: ignore[index]
    for client in clients:
        client.close()
    return met


def test_clients_outnumber_the_server_processes_and_every_move_is_right(app: App, pgbouncer_url: str) -> None:
    app.admit_many("domains", [{"host": f"h{number}"} for number in range(1, COUNT + 1)])

    def curate(number: int) -> int | None:
        app.move("domains", number, actor="ann", curation_status="Selected")
        app.move("domains", number, actor="ann", curation_status="Maybe", reason="not sure")
        return app.move("domains", number, actor="ann", curation_status="Selected", key=f"k{number}").version

    with ThreadPoolExecutor(16) as crowd:
        assert list(crowd.map(curate, range(1, COUNT + 1))) == [3] * COUNT
    assert 1 < len(servers_of(pgbouncer_url)) <= 4
    assert app.check().findings == []
    assert app.counts()["domains", "processing_status", None, "Queued"] == COUNT


def test_one_hot_record_moves_once_for_each_step(app: App) -> None:
    app.admit("domains", {"host": "hot"})

    def push(number: int) -> str:
        return app.move_many("domains", [(1, 0)], actor=f"a{number}", curation_status="Selected")[0].outcome

    with ThreadPoolExecutor(12) as crowd:
        outcomes = list(crowd.map(push, range(12)))
    assert sorted(set(outcomes)) in (
        ["conflict", "moved"],
        ["conflict", "moved", "unchanged"],
        ["moved", "unchanged"],
    )
    assert outcomes.count("moved") == 1
    assert app.check().findings == []


def test_no_setting_and_no_lock_is_left_behind_for_the_next_client(app: App, pgbouncer_url: str) -> None:
    app.admit("statements", {"id": "u1"})
    app.move_many("statements", ["u1"], actor="ann", reason="r", key="k", status="parsing")
    app.check()
    address = make_url(pgbouncer_url).set(drivername="postgresql").render_as_string(hide_password=False)
    clients = [
        psycopg.connect(address) for _ in range(4)
    ]  # each in a transaction, so each on a server process of its own
    for client in clients:
        for name, value in (
            ("enable_seqscan", "on"),
            ("enable_hashjoin", "on"),
            ("idle_in_transaction_session_timeout", "0"),
            ("transaction_isolation", "read committed"),
            ("transaction_read_only", "off"),
        ):
            assert client.execute(f"SHOW {name}").fetchone() == (value,)
        assert client.execute("SELECT count(*) FROM pg_prepared_statements").fetchone() == (0,)
        assert client.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone() == (0,)
    for client in clients:
        client.close()


def test_several_may_migrate_at_once(pgbouncer_url: str) -> None:
    apps = [App([uploads(), domains(), content(), themes()], database=pgbouncer_url) for _ in range(4)]
    with ThreadPoolExecutor(4) as crowd:
        done = list(crowd.map(App.migrate, apps))
    assert sum("own tables" in names for names in done) == 1
    assert apps[0].migrate() == []
    for app in apps:
        app.close()


def test_statements_are_prepared_on_a_direct_connection_only(app: App, postgres_url: str) -> None:
    direct = App([uploads()], database=postgres_url)
    assert (threshold(direct), threshold(app)) == (5, None)
    direct.close()


@pytest.mark.parametrize(("said", "meant"), [("none", None), ("0", 0), ("7", 7)])
def test_the_url_may_say_when_statements_are_prepared(
    postgres_url: str, said: str, meant: int | None
) -> None:
    app = App([uploads()], database=f"{postgres_url}?prepare_threshold={said}")
    assert threshold(app) == meant
    app.close()


@pytest.mark.parametrize("said", ["soon", "-1", "1.5", "²"])
def test_a_threshold_that_is_none_is_refused(said: str) -> None:
    with pytest.raises(BadInput, match="neither a number nor none"):
        App([uploads()], database=f"postgresql://somebody@127.0.0.1:1/nothing?prepare_threshold={said}")


def prepared_through(bouncer: Bouncer, server: Server, name: str) -> None:
    """Move a crowd of records with statements that are prepared at once."""
    direct = server.create_database(name)
    open_app(direct, uploads()).close()
    app = App([uploads()], database=f"{bouncer.url(direct)}?prepare_threshold=0")
    try:
        app.admit_many("statements", [{"id": f"u{number}"} for number in range(COUNT)])
        with ThreadPoolExecutor(8) as crowd:
            list(
                crowd.map(
                    lambda number: app.move("statements", f"u{number}", actor="ann", status="parsing"),
                    range(COUNT),
                )
            )
        assert app.check().findings == []
    finally:
        app.close()
        server.drop_database(name)


@pytest.fixture
def fresh(postgres_server: Server, pgbouncer: Bouncer) -> Iterator[Any]:
    """Starts a pgbouncer of the test's own."""
    started: list[Bouncer] = []

    def start(**settings: Any) -> Bouncer:
        started.append(start_pgbouncer(postgres_server, **settings))
        return started[-1]

    yield start
    for bouncer in started:
        bouncer.stop()


def test_prepared_statements_would_fail_where_the_pooler_does_not_carry_them(
    fresh: Any, postgres_server: Server
) -> None:
    """Why they are left out: the twin of everything above."""
    settings = {"max_prepared_statements": 0} if version() >= PREPARES else {}
    with pytest.raises(InterlockError, match="prepared statement"):
        prepared_through(fresh(**settings), postgres_server, "twin")


def test_prepared_statements_work_where_the_pooler_carries_them(fresh: Any, postgres_server: Server) -> None:
    if version() < PREPARES:
        pytest.skip(
            f"this pgbouncer is {'.'.join(map(str, version()))}; it carries prepared statements from 1.21 on"
        )
    prepared_through(fresh(max_prepared_statements=200), postgres_server, "carried")


def test_the_coordinators_role_works_through_it(fresh: Any, logins: Logins, postgres_url: str) -> None:
    bouncer = fresh(users={logins.name("coordinator"): logins.prefix})
    logins.prepare(postgres_url, [uploads()])
    app = App([uploads()], database=bouncer.url(logins.url(postgres_url, "coordinator")))
    app.ready()
    app.admit("statements", {"id": "u1"})
    assert app.move("statements", "u1", actor="ann", status="parsing").version == 1
    assert app.check().ok
    app.close()


def test_those_that_are_not_run_through_it_exist_and_have_their_reason() -> None:
    modules = {
        path.stem
        for folder in THROUGH_A_POOLER
        for path in (Path(__file__).parents[1] / folder).rglob("test_*.py")
    }
    assert modules.issuperset(NOT_THROUGH_A_POOLER)
    assert all(len(reason.split()) > 5 for reason in NOT_THROUGH_A_POOLER.values())
