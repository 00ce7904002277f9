"""A real Chromium for the tests that need one: the system's own, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = "NO BROWSER: the console was not tested in one. Install Chromium (apt-get install chromium) or name it in INTERLOCK_CHROMIUM."


def chromium_path() -> str | None:
    """Where Chromium is; None where there is none."""
    named = os.environ.get("INTERLOCK_CHROMIUM")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; skips the test where there is none."""
    path = chromium_path()
    if path is None:
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        try:
            yield browser
        finally:
            browser.close()
