"""The catalogue of cheats, each typed for real by everybody: refused, or located afterwards, or allowed with a reason."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.security.catalogue import BY_DATABASE
from tests.security.cheats import ALLOWED, FILE_OWNER, POSTGRESQL, RECORDED, REFUSED, ROLES, SQLITE, Cheat
from tests.security.grounds import PostgresqlGround, SqliteGround
from tests.servers.logins import Logins
from tests.servers.postgres import Server

ALLOWED_TO_COORDINATORS = [
    "what is one's own business swapped",
    "the status of an unadopted row",
    "an unadopted row deleted",
    "a reason that no entry has",
    "tallies made up",
    "a runner's own tries",
    "work put back unclaimed",
    "a pace made up",
]
"""All that is left: columns that are the team's own, numbers that no move reads, a reason that nothing names, and what a coordinator does
all day and that moves nothing: issue anew, and pace."""


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


def test_a_reader_changes_nothing_and_a_runner_only_what_is_its_own() -> None:
    def effects(role: str) -> list[Cheat]:
        return [one for one in BY_DATABASE[POSTGRESQL].values() if one.expected[role] != REFUSED]

    assert effects("reader") == []
    assert {one.expected["runner"] for one in effects("runner")} <= {ALLOWED, RECORDED}
    assert {one.target for one in effects("runner")} <= {"runners", "verdicts", "counters"}
    assert [
        one.name for one in effects("coordinator") if one.expected["coordinator"] == ALLOWED
    ] == ALLOWED_TO_COORDINATORS
