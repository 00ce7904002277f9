"""What the database fixtures promise: each test its own, empty, of the kind it asked for."""

from __future__ import annotations

import os
import sys

import pytest
from sqlalchemy import create_engine, make_url, text


def write_and_count(url: str) -> int:
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE seen (number integer)"))
            connection.execute(text("INSERT INTO seen VALUES (1)"))
            return int(connection.execute(text("SELECT count(*) FROM seen")).scalar_one())
    finally:
        engine.dispose()


@pytest.mark.parametrize("time", ["first", "second"])
def test_a_test_finds_its_database_empty(database_url: str, time: str) -> None:
    assert write_and_count(database_url) == 1


@pytest.mark.sqlite_only
def test_sqlite_only_means_that(database_url: str) -> None:
    assert make_url(database_url).get_backend_name() == "sqlite"


@pytest.mark.postgresql_only
def test_postgresql_only_means_that(database_url: str) -> None:
    assert make_url(database_url).get_backend_name() == "postgresql"


def test_a_test_can_ask_for_one_kind_by_name(postgres_url: str, sqlite_url: str) -> None:
    assert make_url(postgres_url).drivername == "postgresql+psycopg"
    assert make_url(sqlite_url).drivername == "sqlite"


def test_the_postgresql_is_one_that_production_may_have(postgres_url: str) -> None:
    engine = create_engine(postgres_url)
    try:
        with engine.connect() as connection:
            assert int(connection.execute(text("SHOW server_version_num")).scalar_one()) >= 150000
    finally:
        engine.dispose()


@pytest.mark.parametrize("turn", ["first", "second"])
def test_what_a_test_does_to_its_process_is_undone_before_the_next(turn: str) -> None:
    umask = os.umask(0o177)
    assert umask != 0o177
    assert "/a/folder/of/the/test/before" not in sys.path
    sys.path.append("/a/folder/of/the/test/before")
