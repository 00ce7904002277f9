"""`interlock db roles`: printed for a DBA unless it shall be applied; what it prints runs as it is."""

from __future__ import annotations

import psycopg
import pytest

from interlock import App
from tests.acceptance import shop
from tests.acceptance.conftest import Run, parsed
from tests.servers.logins import Logins

SHOP = ("--app", "tests.acceptance.shop:workflows")
NOWHERE = "postgresql://127.0.0.1:1/nobody"


def test_printing_is_the_default_and_connects_to_nothing(run: Run) -> None:
    told = run(
        *SHOP,
        "--database",
        NOWHERE,
        "db",
        "roles",
        "--prefix",
        "acme",
        "--database-name",
        "Shop",
        "--writes",
        "observations",
    )
    assert told.exit_code == 0, told.stderr
    assert told.stdout.startswith("BEGIN;\n")
    assert told.stdout.endswith("COMMIT;\n")
    for line in (
        'GRANT CONNECT ON DATABASE "Shop" TO acme_owner, acme_coordinator, acme_runner, acme_reader;',
        "GRANT SELECT ON uploads TO acme_runner;",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON observations TO acme_runner;",
    ):
        assert line in told.stdout.splitlines()
    assert (
        told.stdout
        == run(
            *SHOP,
            "--database",
            NOWHERE,
            "db",
            "roles",
            "--print",
            "--prefix",
            "acme",
            "--database-name",
            "Shop",
            "--writes",
            "observations",
        ).stdout
    )


@pytest.mark.parametrize("way", ["printed", "applied"])
def test_the_coordinator_can_work_afterwards(run: Run, postgres_url: str, logins: Logins, way: str) -> None:
    shop.make_app(postgres_url).close()
    words = (*SHOP, "--database", postgres_url, "db", "roles", "--prefix", logins.prefix)
    if way == "printed":
        with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute(run(*words).stdout.encode())
    else:
        rows = parsed(run(*words, "--apply", "-o", "json"))
        assert {"table": "uploads", "role": logins.group("runner"), "may": "SELECT"} in rows
        assert {"table": "interlock_detail", "role": logins.group("runner"), "may": "nothing"} in rows
    app = App(shop.workflows, database=logins.url(postgres_url, "coordinator"))
    app.admit("statements", {"id": "u1"})
    assert app.move("statements", "u1", actor="ann", status="parsing").version == 1
    app.close()


def test_applying_to_an_old_schema_asks_for_an_upgrade_first(run: Run, postgres_url: str) -> None:
    told = run(*SHOP, "--database", postgres_url, "db", "roles", "--apply")
    assert (told.exit_code, "ILK-304" in told.stderr, "interlock db upgrade" in told.stderr) == (
        1,
        True,
        True,
    )


def test_sqlite_has_no_roles(run: Run, sqlite_url: str) -> None:
    told = run(*SHOP, "--database", sqlite_url, "db", "roles", "--apply")
    assert (told.exit_code, "SQLite has no roles" in told.stderr) == (2, True)


def test_a_prefix_that_is_none_is_a_usage_error(run: Run) -> None:
    told = run(*SHOP, "--database", NOWHERE, "db", "roles", "--prefix", "Drop Table")
    assert (told.exit_code, told.stdout) == (2, "")
