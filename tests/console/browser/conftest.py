"""One Chromium for all tests of this folder that a worker runs. Nothing here may begin an event loop in the test's own thread: Playwright
has one running."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.console.chromium import chromium


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    with chromium() as one:
        yield one
