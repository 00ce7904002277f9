"""The pytest plugin: a fixture `sandbox` that makes whole systems, each on a database of its own, and closes them when the test is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ..workflow import Workflow
    from .sandbox import Sandbox

Make = Callable[..., "Sandbox"]


@pytest.fixture
def sandbox() -> Iterator[Make]:
    """`sandbox(workflow, …)` is a `Sandbox` of these workflows; `database=` names another database than one of its own."""
    from .sandbox import Sandbox  # a test run that makes none pays for none

    made: list[Sandbox] = []

    def make(*workflows: Workflow, database: str | None = None) -> Sandbox:
        made.append(Sandbox(list(workflows), database))
        return made[-1]

    yield make
    for one in made:
        one.close()
