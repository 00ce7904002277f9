"""Databases for tests: every test that asks for one gets its own, empty, on SQLite and on PostgreSQL."""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import settings
from sqlalchemy.engine import make_url

from tests.kinds import PREPARED_BY, four_kinds, open_app
from tests.servers.as_coordinator import CoordinatorDatabase, ReadyForCoordinators
from tests.servers.logins import Logins
from tests.servers.pgbouncer import MISSING, Bouncer, program, start_pgbouncer
from tests.servers.postgres import Server, start_postgres
from tests.servers.ready import BY_FIXTURE, FROM_NOTHING, ReadyDatabases

DATABASES = ("sqlite", "postgresql")
WAYS = {
    "sqlite": "sqlite_url",
    "postgresql": "postgres_url",
    "postgresql_as_coordinator": "coordinator_url",
    "postgresql_through_pgbouncer": "pgbouncer_url",
}
THROUGH_A_POOLER = ("contract", "acceptance", "concurrency", "service", "statements", "api")
"""Every test in these folders that asks for a database is run through pgbouncer in transaction mode too, but for those of…"""
NOT_THROUGH_A_POOLER = {
    "test_guards_ledger": "SQL typed at the server's own console: no pooler stands between",
    "test_guards_moves": "SQL typed at the server's own console: no pooler stands between",
    "test_guards_records": "SQL typed at the server's own console: no pooler stands between",
    "test_roles": "the tests' pooler logs in as the owner only; tests/integration/test_through_pgbouncer.py has the coordinator's role",
    "test_roles_denied": "what a role may not do, the server decides; each login would need a pool of its own",
    "test_database_roles": "creates logins of its own, which the pooler's list of users does not have",
}
REPORTED_BY_HAND = "the guard of work rows refuses a report by another login than claimed, before what is tested here is asked"
AS_OWNER = {
    "test_adopt_beside": "whoever owns the team's tables leads them through the phases of an adoption",
    "test_adopt_briefly": "whoever owns the team's tables leads them through the phases of an adoption",
    "test_adopt_by_backfill": "whoever owns the team's tables leads them through the phases of an adoption",
    "test_adopt_phases": "whoever owns the team's tables leads them through the phases of an adoption",
    "test_adopt_roles": "it gives the roles their rights itself",
    "test_adopt_writes_past": "whoever owns the team's tables leads them through the phases of an adoption",
    "test_batches_without_judging::test_a_report_of_a_record_that_stands_elsewhere_is_left_to_be_judged": "it switches guards off",
    "test_clocks": "it asks what the owner kept of clocks",
    "test_connections": "it changes settings of the database",
    "test_evolution": "it migrates, and says what that did",
    "test_explained_situations::test_a_phase_of_an_adoption_in_which_nothing_is_begun_is_named": "it leads an adoption back",
    "test_export::test_a_month_that_has_changed_since_it_was_archived_is_noticed": "archiving is an owner's act",
    "test_export::test_sealed_months_become_files_that_hold_one_after_the_other": "archiving is an owner's act",
    "test_insert_rows": "it makes a table of its own",
    "test_intake::test_a_database_from_before_children_waited_admits_what_it_staged": "it migrates an older database",
    "test_migrate": "it migrates, and says what that did",
    "test_migrate_briefly": "it migrates, and says what that did",
    "test_reports::test_a_database_from_before_reports_had_columns_gets_them": "it migrates an older database",
    "test_reports::test_a_report_typed_by_hand_is_refused_or_read_and_its_neighbours_move": REPORTED_BY_HAND,
    "test_reports::test_facts_that_are_nested_too_deep_to_be_read_hide_no_other_entry": REPORTED_BY_HAND,
    "test_reports::test_facts_that_are_json_only_beside_each_other_are_refused_each": REPORTED_BY_HAND,
    "test_reports::test_a_work_row_takes_no_outcome_instant_or_size_that_no_runner_writes": REPORTED_BY_HAND,
    "test_reports::test_random_reports_end_no_coordinator_and_each_is_applied_or_refused": REPORTED_BY_HAND,
    "test_resting::test_check_looks_for_what_breaks_the_invariants_that_a_workflow_declares": "it reads all notes, of clocks too",
    "test_roles": "it gives the roles their rights itself",
    "test_store_faults": "it begins without tables, or takes some away",
    "test_tables": "it migrates, and says what that did",
    "test_tampers": "no other role can tamper",
    "test_timers::test_a_machine_that_gains_a_timer_dates_the_records_that_are_there": "it migrates an older database",
    "test_unadopted_rows": "it puts rows past the guards, which an owner switches off",
}
"""Every other contract test runs with the coordinator's rights on PostgreSQL: the engine needs no more. These need an owner's."""
OPENS_AN_APP_FIRST = {"opened", "boxed"}
"""Whose test does nothing to its database before it opens an app by one of these, has a database that stands ready for it."""
ALWAYS_THROUGH_A_POOLER = {"test_apply", "test_claim_and_finish", "test_dispatch", "test_transport"}
"""Through the pooler in `make test`; the others go through it in `make soak`, which has the time."""
ABOVE_THE_SEAM = ("acceptance", "client", "console", "content", "scraping", "service", "statements", "themes")
"""Nothing that these folders test asks which database it is, which an import contract proves: in `make test` each of their tests runs on
one of the two, chosen by its name, and in `make soak` on both. What has SQL of its own runs on both always:"""
ON_BOTH_ALWAYS = {
    "test_adopting": "the phases of an adoption change guards",
    "test_adoption": "the phases of an adoption change guards",
    "test_backup": "each database is copied by a program of its own",
    "test_correction": "approved rows are frozen by triggers, and erased payload is looked for in every table",
    "test_database": "commands about the database itself",
    "test_duplicates_at_once": "a lock for each account",
    "test_evolution_commands": "machines change under guards",
    "test_figures": "figures are equal to a recount in SQL",
    "test_invariants": "invariants are SQL",
    "test_lifecycle": "illegal pairs are typed as SQL",
    "test_live": "commits are heard of by LISTEN, or by asking",
    "test_people_and_system": "what decides a race are locks",
    "test_races": "what decides a race are locks",
    "test_turns": "what waits for its turn is asked in SQL",
    "test_two_statuses": "rules between axes, which each database asks in its own way",
    "test_views": "views are SQL",
    "test_waiting_many": "plans of statements",
}
WITHOUT_UPKEEP = {"autovacuum": "off", "full_page_writes": "off"}
"""Each test's database lives for less than a second, and each begins with a checkpoint, after which whole pages would be logged."""
_numbers = itertools.count(1)


def pytest_configure(config: pytest.Config) -> None:
    """Examples are the same in every run, and new ones in each soak. Whoever is started in the background by a shell ignores Ctrl-C,
    and so does all that it starts; some tests press it."""
    settings.register_profile("the same every time", derandomize=True)
    if "soak" not in (config.getoption("markexpr") or "").replace("not soak", ""):
        settings.load_profile("the same every time")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def process_as_it_was() -> Iterator[None]:
    """A command that runs in the tests' process keeps what it makes private, and imports from the folder it was typed in; the next test
    must not, and later processes would look for every module in each of those folders."""
    umask, folders = os.umask(0o077), [*sys.path]
    os.umask(umask)
    yield
    os.umask(umask)
    sys.path[:] = folders


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """One real PostgreSQL for the session, started by the first test that needs it. Each worker has its own: a seal covers only what no
    open transaction of the whole server can come before, so what other workers do would be seen in it."""
    server = start_postgres(WITHOUT_UPKEEP)
    yield server
    server.stop()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'interlock.db'}"


@pytest.fixture(scope="session")
def ready_databases(postgres_server: Server) -> Iterator[ReadyDatabases]:
    made = ReadyDatabases(postgres_server)
    yield made
    made.drop()


@pytest.fixture(scope="session")
def shop_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file in which the four small workflows stand."""
    path = tmp_path_factory.mktemp("shop") / "shop.db"
    open_app(f"sqlite:///{path}", *four_kinds()).close()
    return path


@pytest.fixture
def shop_url(database_url: str, request: pytest.FixtureRequest) -> str:
    """A database in which the four small workflows stand, without a record."""
    if database_url.startswith("sqlite"):
        shutil.copy(request.getfixturevalue("shop_file"), str(make_url(database_url).database))
    return database_url  # PostgreSQL's is a copy from the start


@pytest.fixture
def postgres_url(postgres_server: Server, request: pytest.FixtureRequest) -> Iterator[str]:
    """A PostgreSQL database without records, dropped after the test under whoever is still connected; its owner's way to it."""
    if _way(request.node) == "postgresql_as_coordinator" or "coordinator_url" in request.fixturenames:
        database: CoordinatorDatabase = request.getfixturevalue("coordinator_database")
        database.make()
        yield database.owner_url
        return
    name = _new_name()
    yield postgres_server.create_database(name, _begins_like(request))
    postgres_server.retire_database(name)


def _new_name() -> str:
    return f"interlock_{os.getpid()}_{next(_numbers)}"  # a server named by INTERLOCK_TEST_POSTGRES_URL may serve others too


def _begins_like(request: pytest.FixtureRequest) -> str:
    """The database that a test's own is a copy of."""
    asked = next((name for name in BY_FIXTURE if name in request.fixturenames), None)
    if asked is None or (request.path.stem in FROM_NOTHING and asked != "shop_url"):
        return "template0"
    ready: ReadyDatabases = request.getfixturevalue("ready_databases")
    return ready.of(BY_FIXTURE[asked])


@pytest.fixture(scope="session")
def logins(postgres_server: Server) -> Iterator[Logins]:
    """Somebody to log in as each of the four database roles."""
    made = Logins(postgres_server.url)
    yield made
    postgres_server.drop_retired()  # what roles own keeps them
    made.drop()


@pytest.fixture(scope="session")
def pgbouncer(postgres_server: Server) -> Iterator[Bouncer]:
    """A pooler in transaction mode before the session's PostgreSQL."""
    if program() is None:
        pytest.skip(MISSING)
    bouncer = start_pgbouncer(postgres_server)
    yield bouncer
    bouncer.stop()


@pytest.fixture(scope="session")
def ready_for_coordinators(postgres_server: Server, logins: Logins) -> Iterator[ReadyForCoordinators]:
    made = ReadyForCoordinators(postgres_server, logins)
    yield made
    made.drop()


@pytest.fixture
def coordinator_database(
    ready_for_coordinators: ReadyForCoordinators, request: pytest.FixtureRequest
) -> Iterator[CoordinatorDatabase]:
    """A database whose owner makes it ready when an app is opened by `open_app`, or told of by `prepare`."""
    made = CoordinatorDatabase(
        ready_for_coordinators,
        _new_name(),
        _begins_like(request),
        is_made_later=not OPENS_AN_APP_FIRST.isdisjoint(request.fixturenames),
    )
    PREPARED_BY[made.url] = made.prepare
    yield made
    del PREPARED_BY[made.url]
    made.retire()


@pytest.fixture
def coordinator_url(coordinator_database: CoordinatorDatabase) -> str:
    """An empty database as the coordinator sees it."""
    return coordinator_database.url


@pytest.fixture
def pgbouncer_url(postgres_url: str, pgbouncer: Bouncer) -> str:
    return pgbouncer.url(postgres_url)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """SQLite and PostgreSQL for every test that asks for a database, and the other ways to PostgreSQL where they can be gone."""
    if "database_url" in metafunc.fixturenames:
        path = metafunc.definition.path
        folder, module = "contract" if "contract" in path.parts else path.parent.name, path.stem
        test = f"{module}::{metafunc.definition.name}"
        as_coordinator = folder == "contract" and AS_OWNER.keys().isdisjoint((module, test))
        ways: list[Any] = ["sqlite", "postgresql_as_coordinator" if as_coordinator else "postgresql"]
        if folder in THROUGH_A_POOLER and module not in NOT_THROUGH_A_POOLER:
            marks = () if module in ALWAYS_THROUGH_A_POOLER else pytest.mark.soak
            ways.append(pytest.param("postgresql_through_pgbouncer", marks=marks))
        if module not in ON_BOTH_ALWAYS and _is_above_the_seam(metafunc.definition):
            other = crc32(test.encode()) % 2
            ways[other] = pytest.param(ways[other], marks=pytest.mark.soak)
        metafunc.parametrize("database_url", ways, indirect=True)


def _is_above_the_seam(test: pytest.Item) -> bool:
    is_for_one = any(test.get_closest_marker(f"{name}_only") for name in DATABASES)
    return not is_for_one and not set(ABOVE_THE_SEAM).isdisjoint(test.path.parts)


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    """An empty database of each kind in turn, and of PostgreSQL by several ways to it."""
    return str(request.getfixturevalue(WAYS[request.param]))


def pytest_collection_finish() -> None:
    """Thousands of tests and all that they import stay until the end: the collector need not look at them again and again, and it looks
    after 50,000 new objects instead of 700, which takes a tenth of the CPU off a run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """`sqlite_only` and `postgresql_only` leave the other database out; it is deselected, never reported as skipped."""
    unwanted = [item for item in items if _is_for_the_other_database(item)]
    if unwanted:
        config.hook.pytest_deselected(items=unwanted)
        left_out = set(unwanted)
        items[:] = [item for item in items if item not in left_out]


def _is_for_the_other_database(item: pytest.Item) -> bool:
    way = _way(item)
    database = way and way.partition("_")[0]  # postgresql_through_pgbouncer is PostgreSQL too
    return any(database not in (None, name) for name in DATABASES if item.get_closest_marker(f"{name}_only"))


def _way(item: Any) -> str | None:
    """How the test comes to its database, where it asks for one of each kind."""
    return item.callspec.params.get("database_url") if hasattr(item, "callspec") else None
