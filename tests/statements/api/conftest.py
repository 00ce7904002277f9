"""A place for statements on each database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.statements.api.place import Place


@pytest.fixture
def place(database_url: str, tmp_path: Path) -> Iterator[Place]:
    made = Place(database_url, tmp_path)
    yield made
    made.close()
