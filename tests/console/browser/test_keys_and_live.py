"""The console without a mouse, on a phone, and as it moves: keys alone repair a record, replay the board and find a record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from interlock import App
from interlock.client import LocalClient
from interlock.service.application import build
from interlock.store.records import api_keys as keys
from tests.console.browser.test_journeys import Open, address, app, open_page, wait_live
from tests.console.test_work_screens import extracting
from tests.service.conftest import WIDE, make_key
from tests.service.serving import served

__all__ = ["address", "app", "open_page"]
pytestmark = [pytest.mark.timeout(180)]


def tab_to(page: Any, selector: str) -> None:
    """Press Tab until an element has the focus, as somebody without a mouse does."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


def test_a_failed_record_is_repaired_from_the_board_on_by_keys_alone(open_page: Open, app: App) -> None:
    page = open_page("/")
    wait_live(page)
    tab_to(page, "#needs a[href*='error']")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"state\.status=error"))
    wait_live(page)
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.textContent") == "u2"
    page.keyboard.press("Enter")
    page.wait_for_selector("p.why:has-text('It is in error')")
    wait_live(page)
    page.keyboard.press("r")
    page.keyboard.type("the bank answers again")
    tab_to(page, "form.act button[type=submit]")
    ring = page.evaluate(
        "(() => { const style = getComputedStyle(document.activeElement); return [style.outlineStyle, style.outlineWidth]; })()"
    )
    assert ring == ["solid", "2px"], "who has no mouse sees where the focus is"
    page.keyboard.press("Enter")
    page.wait_for_selector("form[data-state=done]")
    assert app.get("statements", "u2")["status"] == "queued_for_parse"
    last = app.ledger.history("statements", "u2")[-1]
    assert (last.new, last.reason) == ("queued_for_parse", "the bank answers again")
    page.keyboard.press("g")
    page.keyboard.press("o")
    page.wait_for_url(re.compile("/operations$"))


def test_arrows_replay_the_board_from_anywhere_and_l_leads_back(open_page: Open) -> None:
    page = open_page("/?open=statements")
    wait_live(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#replaying:not([hidden]) .notice")
    page.wait_for_selector("[data-count='statements/status/None/error']:text-is('0')")
    assert page.is_visible("[data-replay-back]")
    assert "at=" in page.locator("#windows a").first.get_attribute("href"), (
        "another window shows the same instant"
    )
    page.keyboard.press("l")
    page.wait_for_selector("#replaying[hidden]", state="attached")
    page.wait_for_selector("[data-count='statements/status/None/error']:text-is('1')")
    assert "at=" not in page.url
    assert not page.is_visible("[data-replay-back]")


def test_a_move_marks_its_edge_once_and_many_at_once_mark_none(open_page: Open, app: App) -> None:
    page = open_page("/?open=statements")
    wait_live(page)
    page.evaluate(
        """() => {
            const note = (words) => { document.body.dataset.marked = `${document.body.dataset.marked || ""} ${words};`; };
            new MutationObserver((records) => records.forEach(({ target }) => {
                if (target.matches("g.move.just")) note(`${target.dataset.from} to ${target.dataset.to}`);
                if (target.matches("[data-count].just")) note(target.dataset.count);
            })).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["class"] });
        }"""
    )
    app.move("statements", "u1", actor="coord", status="parsing")
    page.wait_for_selector("body[data-marked*='queued_for_parse to parsing;']")
    page.wait_for_selector("body[data-marked*='statements/status/None/parsing;']")
    page.wait_for_selector("g.move.just", state="detached")
    page.evaluate("delete document.body.dataset.marked")
    app.admit_many("statements", [{"id": f"v{number}", "file_hash": f"x{number}"} for number in range(40)])
    page.wait_for_selector("[data-count='statements/status/None/queued_for_parse']:text-is('43')")
    assert page.get_attribute("body", "data-marked") is None
    assert app.counts("statements")["statements", "status", None, "queued_for_parse"] == 43


def test_a_check_is_made_once_and_not_again_whenever_a_record_moves(open_page: Open, app: App) -> None:
    page = open_page("/invariants?check=now")
    wait_live(page)
    with page.expect_request(lambda request: "/invariants" in request.url) as again:
        app.move("statements", "u1", actor="coord", status="parsing")
    assert again.value.url.endswith("/invariants")
    assert "Everything holds" in page.inner_text(".lede")
    assert app.ledger.history("statements", "u1")[-1].new == "parsing"


def test_a_record_is_looked_for_on_a_phone(open_page: Open) -> None:
    page = open_page("/", width=390)
    page.click(".jump-link")
    page.wait_for_url(re.compile("/jump$"))
    page.fill("#wanted", "u2")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/records/statements/u2$"))


@pytest.fixture
def staged(sqlite_url: str) -> Iterator[App]:
    with closing(App([extracting()], database=sqlite_url)) as made:
        made.migrate()
        yield made


def test_a_stage_is_paused_for_an_hour_with_a_reason_and_resumed(browser: Any, staged: App) -> None:
    with served(build(staged, limits=WIDE)) as base:
        page = browser.new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{base}/runners")
        wait_live(page)
        page.click("#stages tr:has-text('technical') button:has-text('Pause…')")
        page.select_option("#stages form:visible select", "1h")
        page.fill("#stages form:visible textarea", "the quota is used up")
        command = page.inner_text("#stages form:visible .cli")
        assert (
            'interlock stage pause articles.extract --scope technical --for 1h --reason "the quota is used up"'
            in command
        )
        page.click("#stages form:visible button[type=submit]")
        page.wait_for_selector("#stages .chip:has-text('paused')")
        (pause,) = staged.paused()
        assert (pause.reason, pause.scope, pause.until is not None) == (
            "the quota is used up",
            "technical",
            True,
        )
        page.click("#stages button:has-text('Resume…')")
        page.click("#stages form:visible button[type=submit]")
        page.wait_for_selector("#stages .chip:has-text('paused')", state="detached")
        page.close()
    assert staged.paused() == []


def test_a_key_is_made_on_the_page_and_its_secret_shown_once(open_page: Open, app: App) -> None:
    page = open_page("/access")
    wait_live(page)
    page.fill("input[name=name]", "ana")
    page.select_option("select[name=scope]", "curator")
    assert "interlock key create ana --scope curator" in page.inner_text("form[data-api$='/keys'] .cli")
    page.click("button:has-text('Make a key')")
    secret = page.inner_text("[data-answer] .cli code")
    page.wait_for_selector("#keys tr:has-text('ana'):has-text('curator')")
    with app.database.read() as tx:
        made = keys.known_by(tx, keys.digest(secret))
    assert made is not None
    assert (made.name, made.scope) == ("ana", "curator")
    page.reload()
    assert secret not in page.content()


def test_a_key_is_revoked_on_the_page_and_the_page_says_so(open_page: Open, app: App) -> None:
    make_key(app, "viewer", "vera")
    page = open_page("/access")
    wait_live(page)
    page.click("#keys button:has-text('Revoke…')")
    page.click("#keys form:visible button[type=submit]")
    page.wait_for_selector("#keys tr:has-text('vera'):has-text('revoked')")
    (kept,) = LocalClient(app).keys.list()
    assert (kept.name, kept.state) == ("vera", "revoked")
