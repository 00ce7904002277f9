"""A place for statements on each database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.statements.api.place import Place


@pytest.fixture
def statements_url(database_url: str) -> str:
    """Where it is PostgreSQL, the workflow's tables stand there already: tests/servers/ready.py knows this name."""
    return database_url


@pytest.fixture
def place(statements_url: str, tmp_path: Path) -> Iterator[Place]:
    made = Place(statements_url, tmp_path)
    yield made
    made.close()
