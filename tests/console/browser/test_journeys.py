"""Journeys through the console in a real Chromium: what people do, seen on the page, in the row and in the ledger."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from interlock import App
from interlock.service.application import build
from tests.console.test_pages import ADDRESSES, HOSTILE
from tests.kinds import four_kinds, open_app
from tests.servers.postgres import free_port
from tests.service.conftest import WIDE, filled, make_key
from tests.service.serving import served

pytestmark = [pytest.mark.timeout(180)]
Open = Callable[..., Any]


@pytest.fixture
def app(sqlite_url: str) -> Iterator[App]:
    made = filled(open_app(sqlite_url, *four_kinds()))
    made.move("statements", "u2", actor="coord", status="parsing")
    made.move(
        "statements",
        "u2",
        actor="coord",
        status="error",
        facts={"error_code": "TIMEOUT", "error_message": "longer than 30 s"},
    )
    yield made
    made.close()


@pytest.fixture
def address(app: App) -> Iterator[str]:
    with served(build(app, limits=WIDE)) as one:
        yield one


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Open]:
    """Opens pages of the console, and fails the test if a script failed or a dialog opened on one."""
    faults: list[str] = []
    contexts: list[Any] = []

    def open_(path: str = "/", *, width: int = 1440, theme: str = "light", base: str = address) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda message: (
                faults.append(message.text)
                if message.type == "error" and "Content Security Policy" in message.text
                else None
            ),
        )
        page.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
        page.goto(base + path)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert faults == []


def wait_live(page: Any) -> None:
    """Waits until all scripts of the page have run and it hears of moves. What a click opened shows its rows and forms before that."""
    page.wait_for_selector("[data-stream][data-live=live]")
    page.wait_for_load_state()


def test_a_failed_record_is_reached_from_the_board_and_retried_with_a_reason(
    open_page: Open, app: App
) -> None:
    page = open_page("/")
    page.click("#needs a:has-text('in error')")
    page.wait_for_url(re.compile(r"state\.status=error"))
    page.click("a[data-row]:has-text('u2')")
    page.wait_for_selector("p.why:has-text('It is in error')")
    wait_live(page)
    page.keyboard.press("r")
    area = page.locator("form.act:visible textarea")
    area.fill("the bank answers again")
    assert (
        'record retry statements u2 --reason "the bank answers again"'
        in page.locator("form.act:visible .cli").inner_text()
    )
    page.dblclick("form.act:visible button[type=submit]")
    page.wait_for_selector("form[data-state=done] [data-answer]:has-text('It is in queued_for_parse now')")
    page.wait_for_selector("p.why:has-text('It is in queued_for_parse')")
    assert app.get("statements", "u2")["status"] == "queued_for_parse"
    last = app.ledger.history("statements", "u2")[-1]
    assert (last.actor, last.reason, last.new) == ("local", "the bank answers again", "queued_for_parse")
    assert last.version == 3, "pressed twice, it is sent once"
    assert app.explain("statements", "u2").refusals == []


def test_whoever_erases_a_record_and_whoever_looks_at_it_see_that_it_is_gone(
    open_page: Open, app: App
) -> None:
    mine, other = open_page("/records/statements/u2"), open_page("/records/statements/u2")
    for page in (mine, other):
        wait_live(page)
    mine.click("button:has-text('Erase…')")
    mine.locator("form.act:visible textarea").fill("the bank asked for it")
    mine.click("form.act:visible button[type=submit]")
    for page in (mine, other):
        page.wait_for_selector("p.why:has-text('It is gone: local erased it at')")
        page.wait_for_selector("#next:has-text('A record that is gone does not come back')")
        assert page.locator("#next button").count() == 0
        assert page.inner_text("[data-live-word]") == "Live"
    last = app.ledger.history("statements", "u2")[-1]
    assert (last.origin, last.actor, last.reason) == ("erase", "local", "the bank asked for it")


def test_a_slow_answer_is_said_and_a_missing_one_is_no_refusal(open_page: Open, app: App) -> None:
    page = open_page("/records/statements/u2")
    wait_live(page)
    held: list[Any] = []
    page.route("**/u2/retry", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    page.click("button:has-text('Retry…')")
    page.locator("form.act:visible textarea").fill("once more")
    page.click("form.act:visible button[type=submit]")
    page.wait_for_selector("form.act [data-answer]:has-text('No answer yet. Sent at')")
    held[0].abort()
    page.wait_for_selector("form[data-state=refused] [data-answer].is-stuck:has-text('No answer.')")
    assert "Refused" not in page.inner_text("form.act:visible [data-answer]")
    assert app.get("statements", "u2")["status"] == "error"
    page.unroute("**/u2/retry")
    page.click("form.act:visible button[type=submit]")
    page.wait_for_selector("form[data-state=done]")
    assert app.ledger.history("statements", "u2")[-1].reason == "once more"


def test_a_page_that_cannot_be_read_anew_says_since_when(open_page: Open, app: App) -> None:
    page = open_page("/records/statements/u1")
    wait_live(page)
    page.route("**/records/statements/u1", lambda route: route.fulfill(status=503, body="busy"))
    app.move("statements", "u1", actor="coord", status="parsing")
    page.wait_for_selector("[data-stale]:visible")
    assert page.locator("[data-live-word]").inner_text().startswith("Not live since")
    page.unroute("**/records/statements/u1")
    app.move("statements", "u1", actor="coord", status="parsed")
    page.wait_for_selector("p.why:has-text('It is in parsed')")
    page.wait_for_selector("[data-stale]", state="hidden")
    assert app.get("statements", "u1")["status"] == "parsed"


def test_the_board_moves_by_itself_when_a_record_does(open_page: Open, app: App) -> None:
    page = open_page("/?open=statements")
    wait_live(page)
    count = page.locator("[data-count='statements/status/None/parsing']").first
    assert count.inner_text() == "0"
    app.move("statements", "u1", actor="coord", status="parsing")
    page.wait_for_selector("[data-count='statements/status/None/parsing']:text-is('1')")
    page.wait_for_selector("svg.graph a[data-state='parsing'] .count:text-is('1')")


def test_the_slider_replays_the_board_and_leads_back_to_live(open_page: Open, app: App) -> None:
    page = open_page("/?open=statements")
    wait_live(page)
    page.focus("[data-replay]")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#replaying:not([hidden]) .notice")
    assert "at=" in page.url
    page.wait_for_selector("[data-count='statements/status/None/error']:text-is('0')")
    page.keyboard.press("End")
    page.wait_for_selector("#replaying[hidden]", state="attached")
    page.wait_for_selector("[data-count='statements/status/None/error']:text-is('1')")
    assert "at=" not in page.url


def test_of_two_people_the_second_hears_who_came_first(open_page: Open, app: App) -> None:
    first, second = open_page("/records/statements/u1"), open_page("/records/statements/u1")
    for page in (first, second):
        wait_live(page)
        page.click("button:has-text('Move to parsing')")
        page.locator("form.act:visible textarea").fill("by hand")
    first.click("form.act:visible button[type=submit]")
    first.wait_for_selector("form[data-state=done]")
    second.click("form.act:visible button[type=submit]")
    second.wait_for_selector("form[data-state=refused] [data-answer]:has-text('Not done.')")
    words = second.locator("form[data-state=refused] [data-answer]").inner_text()
    assert "was moved to parsing (version 1) by local" in words
    assert "ILK-208" in words
    assert [one.new for one in app.ledger.history("statements", "u1")] == ["queued_for_parse", "parsing"]


def test_keys_alone_lead_to_a_record_and_never_fire_while_typing(open_page: Open) -> None:
    page = open_page("/")
    wait_live(page)
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.wait_for_url(re.compile("/records$"))
    wait_live(page)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/records/statements$"))
    wait_live(page)
    page.keyboard.press("/")
    page.keyboard.type("grr?")
    assert page.input_value("#jump") == "grr?"
    assert not page.is_visible("dialog[data-help]")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[data-help][open]")


def test_a_lost_service_is_said_and_comes_back_by_itself(browser: Any, app: App) -> None:
    port = free_port()
    with served(build(app, limits=WIDE), port=port) as address:
        page = browser.new_page()
        page.goto(f"{address}/?open=statements")
        wait_live(page)
    page.wait_for_selector("[data-stale]:visible", timeout=60_000)
    assert page.locator("[data-live-word]").inner_text().startswith("Not live since")
    assert page.locator("[data-count='statements/status/None/error']").first.inner_text() == "1"
    app.move("statements", "u1", actor="coord", status="error", facts={"error_code": "X"})
    with served(build(app, limits=WIDE), port=port):
        page.wait_for_selector("[data-stream][data-live=live]", timeout=60_000)
        page.wait_for_selector("[data-count='statements/status/None/error']:text-is('2')")
        assert not page.is_visible("[data-stale]")
        page.close()


def test_a_key_signs_a_browser_in_and_a_viewer_is_refused_in_page_and_api(browser: Any, app: App) -> None:
    key = make_key(app, "viewer", "vera")
    with served(build(app, limits=WIDE, require_key=True)) as address:
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{address}/records/statements/u2")
        page.fill("input[name=key]", key)
        page.click("button:has-text('Sign in')")
        page.wait_for_selector("p.why")
        wait_live(page)
        assert page.url == f"{address}/records/statements/u2"
        assert page.locator(".who b").inner_text() == "vera"
        assert page.locator("form[data-api]").count() == 0
        assert page.evaluate("document.cookie") == ""
        refused = page.evaluate(
            """async () => (await fetch('/api/v1/statements/records/u2/retry', {
                method: 'POST', body: '{"reason":"x"}', headers: {'Content-Type': 'application/json',
                'X-Interlock-Token': document.querySelector('meta[name=interlock-token]').content}})).status"""
        )
        assert refused == 403
        page.click("[data-sign-out]")
        page.wait_for_selector("h1:has-text('Sign in')")
        context.close()
    assert app.get("statements", "u2")["status"] == "error"
    assert app.ledger.history("statements", "u2")[-1].actor == "coord"


def test_a_view_is_saved_under_a_name_and_opened_again(open_page: Open) -> None:
    page = open_page("/records/statements?state.status=error")
    page.fill("[data-views] input", HOSTILE[:60])
    page.click("button:has-text('Save this view')")
    link = page.locator("[data-views-list] a")
    assert link.inner_text() == HOSTILE[:60]
    page.goto(page.evaluate("location.origin") + "/records/statements")
    assert page.locator("a[data-row]").count() == 5
    page.locator("[data-views-list] a").click()
    page.wait_for_url(re.compile(r"state\.status=error"))
    assert page.locator("a[data-row]").all_inner_texts() == ["u2"]
    page.click("[data-views-list] button")
    assert page.locator("[data-views-list] li").count() == 0


def test_no_text_of_a_record_runs_as_a_script(open_page: Open, app: App) -> None:
    app.admit("domains", {"id": 66, "host": HOSTILE}, actor=HOSTILE, reason=HOSTILE)
    app.move("domains", 66, curation_status="Selected", actor=HOSTILE, reason=HOSTILE)
    page = open_page("/records/domains/66")
    origin = page.evaluate("location.origin")
    for path in (
        "/records/domains/66",
        "/",
        "/?open=domains",
        "/records/domains",
        "/ledger",
        "/jump?to=%3Cimg",
        "/curate?kind=domains&state=Selected",
        "/operations",
        "/pipelines",
        "/machines",
        "/runners",
    ):
        page.goto(origin + path)
        wait_live(page)
        assert page.locator("main img").count() == 0


def test_no_page_is_wider_than_the_window(open_page: Open) -> None:
    """Each page is opened once, and its window made wider and its theme changed where it is."""
    page = open_page("/")
    origin = page.evaluate("location.origin")
    wide = {}
    for path in [*ADDRESSES, "/records/domains/1"]:
        page.goto(origin + path)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            for width in (360, 390, 600, 768, 900, 1024, 1200, 1440, 1920):
                page.set_viewport_size({"width": width, "height": 900})
                if over := page.evaluate(
                    "document.documentElement.scrollWidth - document.documentElement.clientWidth"
                ):
                    wide[path, width, theme] = over
    assert wide == {}
