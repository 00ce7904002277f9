"""Statements and Govern, the pages that workflows bring, full of hostile text: no script runs, nothing is too wide, no rule of
accessibility is broken, and a viewer can act on no page of a console."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from interlock.console.pages import screens_of
from interlock.service.application import build
from interlock.testing import Sandbox
from interlock.workflows.content import acts
from interlock.workflows.content.workflow import declare as declare_content
from interlock.workflows.statements.receiving import receive
from interlock.workflows.statements.workflow import declare as declare_statements
from tests.console.conftest import PAGE, text
from tests.console.test_browser import browser
from tests.console.test_figures import SCRIPT
from tests.console.test_govern import RULE, validated
from tests.console.test_pages import HOSTILE
from tests.console.test_work_journeys import COLOUR, violations
from tests.service.asking import Asker
from tests.service.conftest import WIDE, known_in_process, make_key
from tests.service.serving import served

__all__ = ["browser", "known_in_process"]
pytestmark = [pytest.mark.timeout(180), pytest.mark.sqlite_only]
LONG = "without-any-place-to-break" * 6
HEAD = "Orchard Card,,\nOpening balance,,-100.00\nClosing balance,,-145.00\n\nDate,Description,Amount (GBP)\n"
FILES = {
    f"{HOSTILE} {LONG}.csv": f"Date,Description,Amount,Balance\n01/15/2024,{LONG} <img src=x onerror=alert(1)>,-4.50,95.50\n",
    "card.csv": f"{HEAD}13/01/2024,<img src=x onerror=alert(2)>,20.00\n14/01/2024,B,26.00\n",
    "letter.csv": "Dear customer\nwe write to you\n",
}


@pytest.fixture
def box(sqlite_url: str, tmp_path: Path) -> Iterator[Sandbox]:
    """Three uploads and three items; whatever people name is hostile, and too long."""
    kinds = [declare_statements(), declare_content()]
    with closing(Sandbox(kinds, database=sqlite_url, files=str(tmp_path / "files"))) as made:
        made.migrate()
        for name, content in FILES.items():
            with made.files.receive() as file:
                file.write(content.encode())
                receive(made, made.workflow("statements"), file, name, None, actor=HOSTILE)
        validated(made, "R1", RULE)
        acts.approve(made, "R1", actor="luca", role="operator", notes="read")
        validated(made, "R2", {**RULE, "title": "Il passato prossimo con essere"}, replaces="R1")
        payload = {**RULE, "title": HOSTILE + LONG, "explanation": HOSTILE}
        acts.submit(
            made,
            actor=HOSTILE[:60],
            item_id="R3",
            item_type="rule",
            language="IT",
            level="A2",
            payload=payload,
        )
        made.drain()
        yield made


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


def test_a_viewer_sees_every_page_and_can_act_on_none(box: Sandbox) -> None:
    upload = str(box.list("statements").records[0].id)
    names = {"{kind}": "statements", "{id}": upload}
    with closing(Asker(build(box, limits=WIDE), make_key(box, "viewer", "vera"), prefix="")) as viewer:
        for screen in screens_of(box):
            path = screen.path
            for name, value in names.items():
                path = path.replace(name, value)
            answer = viewer.get(path, headers=PAGE)
            assert answer.status_code == 200, (path, answer.text[:500])
            page = html.fromstring(answer.text)
            assert page.xpath("//form[@data-api or @data-bulk or @data-undo-of]") == [], path
            assert page.xpath("//*[@data-post]") == [], path
            assert page.xpath("//label[@data-drop][not(@aria-disabled)]") == [], path
    moves = [len(box.ledger.history("statements", one.id)) for one in box.list("statements").records]
    assert sum(moves) == len(box.ledger.tail(limit=500, kind="statements")), "looking leaves no entry"


def test_what_was_checked_about_a_file_is_a_list_with_results(box: Sandbox) -> None:
    by_name = {
        str(one.columns["file_name"]): str(one.id)
        for one in box.list("statements", columns=["file_name"]).records
    }
    with closing(Asker(build(box, limits=WIDE), prefix="")) as owner:
        answer = owner.get(
            f"/workflows/statements/uploads?id={by_name['card.csv']}&show=checks", headers=PAGE
        )
    page = html.fromstring(answer.text)
    checks = {
        text(one.xpath(".//b")[0]): one.xpath(".//*[local-name()='use']/@href")[0]
        for one in page.xpath("//ul[@class='checks']/li")
    }
    assert checks["The rows do not add up to the bank's own balance"] == "#m-differs"
    assert checks["No row is here twice"] == "#m-agrees"
    assert len(checks) == 5, "the file names no period"
    assert box.get("statements", by_name["card.csv"])["reconciled"] == "no"
