"""The catalogue of cheats, each typed for real by everybody: refused, or recorded as the role's own job, or located afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.security.catalogue import BY_DATABASE
from tests.security.cheats import (
    ALLOWED,
    FILE_OWNER,
    OWN,
    POSTGRESQL,
    RECORDED,
    REFUSED,
    ROLES,
    SQLITE,
    Cheat,
    is_own,
)
from tests.security.grounds import PostgresqlGround, SqliteGround
from tests.servers.logins import Logins
from tests.servers.postgres import Server

JOBS_OF_COORDINATORS = 26
"""So many cheats are its own job, each looked at one by one: another one needs a reason before it is counted."""


@pytest.fixture(scope="module")
def sqlite_ground(tmp_path_factory: pytest.TempPathFactory) -> SqliteGround:
    return SqliteGround(tmp_path_factory.mktemp("cheats"))


@pytest.fixture(scope="module")
def postgresql_ground(postgres_server: Server, logins: Logins) -> Iterator[PostgresqlGround]:
    ground = PostgresqlGround(postgres_server, logins)
    yield ground
    ground.close()


@pytest.mark.parametrize("name", BY_DATABASE[SQLITE])
def test_a_cheat_on_sqlite_comes_to_what_the_catalogue_says(sqlite_ground: SqliteGround, name: str) -> None:
    cheat = BY_DATABASE[SQLITE][name]
    tried = sqlite_ground.attempt(cheat)
    assert tried.verdict == cheat.expected[FILE_OWNER], tried


@pytest.mark.parametrize("name", BY_DATABASE[POSTGRESQL])
def test_a_cheat_on_postgresql_comes_to_what_the_catalogue_says(
    postgresql_ground: PostgresqlGround, name: str
) -> None:
    cheat = BY_DATABASE[POSTGRESQL][name]
    tried = {role: postgresql_ground.attempt(cheat, role) for role in ROLES}
    verdicts = {role: one.verdict for role, one in tried.items()}
    assert verdicts == {role: cheat.expected[role] for role in ROLES}, tried


@pytest.mark.parametrize("database", BY_DATABASE)
def test_the_catalogue_is_large_and_gives_its_reasons(database: str) -> None:
    cheats = list(BY_DATABASE[database].values())
    assert len(cheats) >= 120
    roles = ROLES if database == POSTGRESQL else (FILE_OWNER,)
    silent = [
        one.name for one in cheats if {one.expected[role] for role in roles} != {REFUSED} and not one.why
    ]
    assert silent == []


def test_nothing_is_allowed_to_anybody_and_what_is_ones_own_is_apart() -> None:
    for database, roles in ((SQLITE, (FILE_OWNER,)), (POSTGRESQL, ROLES)):
        for one in BY_DATABASE[database].values():
            verdicts = {one.expected[role] for role in roles}
            assert ALLOWED not in verdicts, one.name
            assert OWN not in verdicts or is_own(one), one.name


def test_each_job_of_a_coordinator_has_a_sentence_of_its_own() -> None:
    jobs = [one for one in BY_DATABASE[POSTGRESQL].values() if one.expected["coordinator"] == RECORDED]
    sentences = {one.why for one in jobs}
    assert len(jobs) == len(sentences) == JOBS_OF_COORDINATORS


def test_a_reader_changes_nothing_a_runner_does_its_job_and_a_coordinator_passes_no_guard() -> None:
    def effects(role: str) -> list[Cheat]:
        return [
            one
            for one in BY_DATABASE[POSTGRESQL].values()
            if one.expected[role] != REFUSED and not is_own(one)
        ]

    assert effects("reader") == []
    assert {one.expected["runner"] for one in effects("runner")} == {RECORDED}
    assert {one.target for one in effects("runner")} == {"verdicts", "counters"}
    assert {one.expected["coordinator"] for one in effects("coordinator")} == {RECORDED}
