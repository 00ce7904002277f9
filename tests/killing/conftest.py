"""A PostgreSQL that may be killed, and a crew that is gone when its test is over."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from interlock import App
from tests.killing.processes import Crew
from tests.killing.workload import prepare
from tests.servers.postgres import Server, start_postgres

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def mortal_server() -> Iterator[Server]:
    """Not the one that other tests use: this one is killed and restarted."""
    server = start_postgres()
    yield server
    server.stop()


@pytest.fixture
def postgres_url(mortal_server: Server) -> Iterator[str]:
    name = f"killing_{os.getpid()}_{next(_numbers)}"
    yield mortal_server.create_database(name)
    mortal_server.drop_database(name)


@pytest.fixture
def crew(database_url: str, tmp_path: Path) -> Iterator[Crew]:
    made = Crew(tmp_path / "crew", database_url)
    yield made
    made.end()


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    with closing(prepare(database_url, "uploads", "sheets", "papers")) as app:
        yield app
