"""A content workflow on each database, with a runner that steps when it is asked to."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url

from interlock.observe.invariants import check_counters
from interlock.testing import Sandbox
from interlock.workflows.content.workflow import declare
from tests.contract.hand import Hand
from tests.kinds import open_app


@pytest.fixture(scope="session")
def content_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file in which the content workflow stands."""
    path = tmp_path_factory.mktemp("content") / "content.db"
    open_app(f"sqlite:///{path}", declare()).close()
    return path


@pytest.fixture
def content_url(database_url: str, request: pytest.FixtureRequest) -> str:
    """A database in which the content workflow stands, without an item."""
    if database_url.startswith("sqlite"):
        shutil.copy(request.getfixturevalue("content_file"), str(make_url(database_url).database))
    return database_url  # PostgreSQL's is a copy from the start


@pytest.fixture
def box(content_url: str) -> Iterator[Sandbox]:
    """Afterwards nothing may be wrong: each item is in the table of its state, counters and history agree."""
    with closing(Sandbox([declare()], database=content_url)) as made:
        yield made
        assert made.check().findings == []
        assert check_counters(made.database, list(made.workflows.values())) == []
        assert made.ledger.verify().ok


@pytest.fixture
def hand(database_url: str) -> Iterator[Hand]:
    """Somebody who types SQL past Interlock."""
    typing = Hand(database_url)
    yield typing
    typing.close()
