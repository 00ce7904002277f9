"""A content workflow on each database, with a runner that steps when it is asked to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from interlock.observe.invariants import check_counters
from interlock.testing import Sandbox
from interlock.workflows.content.workflow import declare
from tests.contract.hand import Hand


@pytest.fixture
def box(database_url: str) -> Iterator[Sandbox]:
    """Afterwards nothing may be wrong: each item is in the table of its state, counters and history agree."""
    with closing(Sandbox([declare()], database=database_url)) as made:
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
