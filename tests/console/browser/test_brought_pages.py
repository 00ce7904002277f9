"""Statements and Govern, the pages that workflows bring, full of hostile text: no script runs, nothing is too wide, and no rule of
accessibility is broken."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from interlock.service.application import build
from interlock.testing import Sandbox
from tests.console.browser.test_figures import SCRIPT
from tests.console.browser.test_work_journeys import COLOUR, violations
from tests.console.hostile import box
from tests.service.conftest import WIDE
from tests.service.serving import served

__all__ = ["box"]
pytestmark = [pytest.mark.timeout(180), pytest.mark.sqlite_only]


def addresses(box: Sandbox) -> list[str]:
    """Every state of the two pages."""
    uploads = [str(one.id) for one in box.list("statements").records]
    page = "/workflows/statements/uploads"
    shown = ("transactions", "observations", "checks", "warnings")
    return [
        *(f"{page}?id={one}&show={name}" for one, name in zip([*uploads, uploads[0]], shown, strict=True)),
        "/workflows/content/govern?item=R2",
        "/workflows/content/govern?item=R3",
    ]


def test_what_workflows_bring_is_as_wide_as_the_window_runs_no_text_and_breaks_no_rule(
    browser: Any, box: Sandbox
) -> None:
    faults: list[str] = []
    broken: dict[tuple[str, int, str], Any] = {}
    with served(build(box, limits=WIDE)) as base, closing(browser.new_context()) as context:
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
        for path in addresses(box):
            page.emulate_media(color_scheme="light", reduced_motion="reduce")
            page.set_viewport_size({"width": 1440, "height": 900})
            page.goto(base + path)
            assert page.locator("main img").count() == 0, path
            size = page.evaluate(
                """performance.getEntriesByType("resource").filter((one) => one.name.endsWith(".js"))
                    .reduce((sum, one) => sum + one.decodedBodySize, 0)"""
            )
            assert 0 < size < SCRIPT
            for width in (360, 768, 1024, 1440, 1920):
                page.set_viewport_size({"width": width, "height": 900})
                if page.evaluate("document.documentElement.scrollWidth") > width:
                    broken[path, width, "overflow"] = page.evaluate("document.documentElement.scrollWidth")
            for width in (1440, 390):
                page.set_viewport_size({"width": width, "height": 900})
                for theme, rules in (("light", {}), ("dark", COLOUR)):
                    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                    if found := violations(page, rules):
                        broken[path, width, theme] = found
    assert faults == []
    assert broken == {}
