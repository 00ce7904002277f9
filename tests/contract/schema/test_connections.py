"""Connections are never left to the garbage collector: what is in use while the others are forgotten is closed when it comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from interlock.errors import StoreUnavailable
from interlock.store.connect import Database, driver_connection
from interlock.store.postgresql.connect import call_utc_by_its_name


def is_closed(connection: Any) -> bool:
    try:
        connection.execute("SELECT 1")
    except Exception:  # noqa: BLE001 each driver says it in its own way
        return True
    return False


@pytest.mark.parametrize("forget", [Database.forget_connections, Database.close])
def test_a_connection_in_use_while_all_are_forgotten_is_closed_when_it_comes_back(
    database_url: str, forget: Callable[[Database], None]
) -> None:
    database = Database(database_url)
    with database.read() as tx:
        used = driver_connection(tx)
        forget(database)
        assert used.execute("SELECT 1").fetchone()[0] == 1  # nobody's work is cut off
    assert is_closed(used)
    database.close()


def test_connections_that_were_not_forgotten_are_used_again(database_url: str) -> None:
    database = Database(database_url)
    database.forget_connections()
    with database.read() as tx:
        first = driver_connection(tx)
    with database.read() as tx:
        assert driver_connection(tx) is first
    database.close()
    assert is_closed(first)


@pytest.mark.postgresql_only
def test_what_was_lent_while_the_database_was_closed_is_closed_when_it_is_given_back(
    database_url: str,
) -> None:
    database = Database(database_url)
    bare = database.lend()
    database.close()
    database.take_back(bare)
    assert bare.raw.closed
    with pytest.raises(StoreUnavailable):
        database.lend()


@pytest.mark.parametrize(
    ("zone", "becomes"),
    [("Etc/UTC", "UTC"), ("Zulu", "UTC"), ("UTC", "UTC"), ("Europe/Berlin", "Europe/Berlin")],
)
def test_utc_by_another_name_is_called_utc_and_every_other_zone_is_left_alone(
    zone: str, becomes: str, postgres_url: str
) -> None:
    with psycopg.connect(postgres_url.replace("+psycopg", "", 1)) as connection:
        connection.execute(f"SET TIME ZONE '{zone}'")
        connection.commit()
        call_utc_by_its_name(connection, None)
        assert connection.info.parameter_status("TimeZone") == becomes
        assert not connection.autocommit


def test_plans_are_made_once_only_where_no_statements_but_ours_are_run(postgres_url: str) -> None:
    database = Database(postgres_url)

    def mode(**options: bool) -> str:
        with database.write(**options) as tx:
            return str(driver_connection(tx).execute("SHOW plan_cache_mode").fetchone()[0])

    assert [mode(), mode(ours_alone=True), mode()] == ["auto", "force_generic_plan", "auto"]
    database.engine.dispose()
