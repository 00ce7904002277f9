"""Journeys of those who decide and repair, in a real Chromium: seen on the page, in the row and in the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from interlock import App
from interlock.service.application import build
from interlock.testing import Sandbox
from interlock.workflows.content.workflow import declare
from interlock.workflows.demo.silent import Nobody
from tests.console.browser.test_journeys import Open, address, open_page, wait_live
from tests.console.test_govern import RULE, validated
from tests.console.test_pages import ADDRESSES
from tests.console.test_work_screens import extracting
from tests.kinds import four_kinds, open_app
from tests.service.conftest import WIDE, filled, make_key
from tests.service.serving import served

__all__ = ["address", "open_page"]
pytestmark = [pytest.mark.timeout(180)]
SENT = "[data-curate]:not([data-pending]), [data-curate][data-pending='0']"


@pytest.fixture
def app(sqlite_url: str) -> Iterator[App]:
    made = filled(open_app(sqlite_url, *four_kinds()))
    made.admit_many("domains", [{"id": number, "host": f"site{number}.example"} for number in range(10, 40)])
    yield made
    made.close()


def states(app: App, ids: range) -> list[str]:
    return [str(app.get("domains", id)["curation_status"]) for id in ids]


def test_thirty_sites_are_curated_by_keyboard_and_one_is_taken_back(open_page: Open, app: App) -> None:
    page = open_page("/curate?kind=domains")
    page.wait_for_selector("tr.now")
    assert page.get_attribute("[data-undo]", "aria-disabled") == "true", "there is nothing to take back yet"
    for _ in range(3):
        page.keyboard.press("d")  # the three that were there before
    assert page.get_attribute("[data-undo]", "aria-disabled") is None
    for number in range(30):
        page.keyboard.press("smd"[number % 3])
    page.wait_for_selector(SENT)
    page.wait_for_selector("[data-end]:has-text('Every one on this page is decided. Look for more')")
    wanted = ["Selected", "Maybe", "Discarded"] * 10
    assert states(app, range(10, 40)) == wanted
    assert app.get("domains", 10)["processing_status"] == "Queued", "the rule queued what was selected"
    assert app.get("domains", 11)["processing_status"] is None
    assert page.inner_text("[data-undo-count]") == "33"
    page.keyboard.press("z")
    page.wait_for_selector(SENT)
    assert states(app, range(39, 40)) == ["New"]
    moves = [
        (move.old, move.new, move.reason)
        for move in app.ledger.history("domains", 39, axis="curation_status")
    ]
    assert moves[1:] == [("New", "Discarded", None), ("Discarded", "New", "taken back: Discarded")]
    assert page.inner_text("[data-undo-count]") == "32"
    assert page.is_hidden("[data-end]")
    page.keyboard.press("Space")
    page.wait_for_selector("[data-end]:has-text('That was the last one. 1 on this page is not decided.')")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-sift] tbody tr:only-child:has-text('site39.example')")


def test_a_selection_is_decided_with_one_key_and_undone_with_one(open_page: Open, app: App) -> None:
    page = open_page("/curate?kind=domains")
    page.wait_for_selector("tr.now")
    page.keyboard.press("a")
    page.keyboard.press("m")
    page.wait_for_selector(SENT)
    assert set(states(app, range(10, 40))) == {"Maybe"}
    page.keyboard.press("z")
    page.wait_for_selector(SENT)
    assert set(states(app, range(10, 40))) == {"New"}
    assert all(len(app.ledger.history("domains", id, axis="curation_status")) == 3 for id in range(10, 40))


def test_what_somebody_else_decided_meanwhile_is_said_and_never_hidden(open_page: Open, app: App) -> None:
    page = open_page("/curate?kind=domains")
    page.wait_for_selector("tr.now")
    app.erase("domains", 1, actor="eve", role="admin", reason="asked to")
    page.keyboard.press("s")
    page.wait_for_selector("[data-trouble]:not([hidden])")
    assert "host1.example was not decided." in page.inner_text("[data-trouble]")
    assert page.inner_text("[data-trouble-code]") == "ILK-201"
    app.move("domains", 2, actor="eve", curation_status="Selected")
    page.keyboard.press("d")
    page.wait_for_selector("[data-trouble-code]:text-is('ILK-208')")
    assert "was moved to Selected (version 1) by eve at " in page.inner_text("[data-trouble]")
    assert app.get("domains", 2)["curation_status"] == "Selected", "the first decision stands"
    assert app.ledger.history("domains", 2, axis="curation_status")[-1].actor == "eve"
    app.move("domains", 3, actor="eve", curation_status="Maybe")
    held: list[Any] = []
    page.route("**/3/moves", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    with page.expect_request("**/3/moves"):
        page.keyboard.press("s")
    page.keyboard.press("z")  # before the answer is there
    left = page.inner_text(".lede [data-left]")
    held[0].continue_()
    page.wait_for_selector(
        "[data-curate][data-pending='0'] tr.refused[data-id='3'] [data-then]:text-is('not decided')"
    )
    assert "host3.example was not decided." in page.inner_text("[data-trouble]")
    assert page.inner_text(".lede [data-left]") == left, "taken back once, and not for the refusal again"
    assert [one.new for one in app.ledger.history("domains", 3, axis="curation_status")] == ["New", "Maybe"]


def test_taking_back_says_that_work_which_has_begun_goes_on(open_page: Open, app: App) -> None:
    page = open_page("/curate?kind=domains")
    page.wait_for_selector("tr.now")
    page.keyboard.press("s")
    page.wait_for_selector(SENT)
    page.wait_for_selector("[data-done-list] li time")
    app.move("domains", 1, actor="coord", processing_status="Processing")
    page.keyboard.press("z")
    page.wait_for_selector("tr[data-id='1'] [data-then]:text-is('taken back, the work goes on')")
    row = app.get("domains", 1)
    assert (row["curation_status"], row["processing_status"]) == ("New", "Processing")
    assert app.ledger.history("domains", 1, axis="curation_status")[-1].reason == "taken back: Selected"


def test_errors_are_grouped_previewed_and_retried_with_one_refused(open_page: Open, app: App) -> None:
    app.admit("statements", {"id": "u9", "file_hash": "h9", "max_retries": 0})
    for name in ("u1", "u2", "u9"):
        app.move("statements", name, actor="coord", status="parsing")
        app.move("statements", name, actor="coord", status="error", facts={"error_code": "TIMEOUT"})
    page = open_page("/operations")
    wait_live(page)
    page.click("#errors a:has-text('Retry 3…')")
    page.wait_for_selector("form[data-bulk]")
    wait_live(page)
    assert "Retry 2 records" in page.inner_text("form[data-bulk] button[type=submit]")
    assert "refused" in page.inner_text("[data-preview] .counts")
    page.fill("form[data-bulk] textarea", "the parser is fixed")
    assert 'the parser is fixed"' in page.inner_text("form[data-bulk] .cli")
    page.click("form[data-bulk] button[type=submit]")
    page.wait_for_selector("form[data-bulk] [data-answer].is-done")
    assert "2 moved, 1 refused." in page.inner_text("form[data-bulk] [data-answer]")
    assert [app.get("statements", name)["status"] for name in ("u1", "u2", "u9")] == [
        "queued_for_parse",
        "queued_for_parse",
        "error",
    ]
    last = app.ledger.history("statements", "u1")[-1]
    assert (last.origin, last.reason) == ("retry", "the parser is fixed")
    page.wait_for_selector("#bulk-list section:has-text('Retry 3 records of statements')")
    assert "nothing has moved" not in page.inner_text("[data-preview]"), "a preview that was run is none"
    assert page.inner_text("[data-preview] [aria-current=step]") == "Run"
    assert "1\nBulk" in page.inner_text("#on-this-page")


def test_a_stuck_record_is_located_its_lease_seen_to_be_over_and_its_attempt_cancelled(
    browser: Any, sqlite_url: str
) -> None:
    with closing(App([extracting()], database=sqlite_url)) as app:
        app.migrate()
        app.admit("articles", {"id": 1, "title": "Rates rise"})
        runner = app.runner(
            Nobody(), stages=["extract"], name="lost-1", lease=timedelta(seconds=3), capacity=1
        )
        runner.renew()
        app.coordinator().step()
        assert runner.claim() == 1
        with served(build(app, limits=WIDE)) as base:
            page = browser.new_page()
            page.set_default_timeout(60_000)
            page.goto(f"{base}/operations")
            page.wait_for_selector("#stuck .says:has-text('Lost.')")
            assert "lost-1" in page.inner_text("#stuck .marks")
            assert " ".join(page.inner_text("#stuck .top").split()).startswith("articles 1 ")
            assert "Rates rise" in page.inner_text("#stuck .top"), "a number alone says nothing"
            page.click("#stuck button:has-text('Cancel…')")
            page.fill("#stuck form.act:visible textarea", "the machine lost its power")
            page.click("#stuck form.act:visible button[type=submit]")
            page.wait_for_selector("form[data-state=done] [data-answer].is-done")
            page.close()
        (scope,) = [
            one
            for one in ("technical", "fundamental")
            if len(app.ledger.history("articles", 1, scope=one)) == 3
        ]
        last = app.ledger.history("articles", 1, scope=scope)[-1]
        assert (last.old, last.reason, last.actor) == ("in_progress", "the machine lost its power", "local")
        assert app.get("articles", 1, scope=scope)["status"] == last.new == "failed_terminal"
        assert app.attempts("articles", [1]) == [], "the attempt is over, and a late result would be refused"


@pytest.mark.parametrize(
    "path", ["/curate?kind=domains", "/operations?act=retry&kind=statements&error=TIMEOUT"]
)
def test_a_viewer_is_refused_on_the_screens_that_decide_and_nothing_moves(
    browser: Any, app: App, path: str
) -> None:
    app.move("statements", "u1", actor="coord", status="error", facts={"error_code": "TIMEOUT"})
    key = make_key(app, "viewer", "vera")
    with served(build(app, limits=WIDE, require_key=True)) as base:
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(base + path)
        page.fill("input[name=key]", key)
        page.click("button:has-text('Sign in')")
        page.wait_for_selector(".who b:has-text('vera')")
        if "curate" in path:
            page.wait_for_load_state()  # then its script hears keys; the row is marked before
            page.bring_to_front()  # a key goes to the page in front, and other tests have pages open
            page.keyboard.press("s")
            page.wait_for_selector("[data-trouble]:not([hidden])")
            assert page.inner_text("[data-trouble-code]") == "ILK-403"
        assert page.locator("form[data-api], form[data-bulk]").count() == 0
        statuses = page.evaluate(
            """async () => Promise.all([
                ["/api/v1/domains/records/10/moves", {axis: "curation_status", to: "Selected"}],
                ["/api/v1/statements/records/u1/retry", {reason: "x"}],
                ["/api/v1/statements/records/u1/erase", {reason: "x"}],
                ["/api/v1/operations", {kind: "statements", act: "retry", reason: "x", filter: {error: "TIMEOUT"}}],
            ].map(async ([url, body]) => (await fetch(url, {method: "POST", body: JSON.stringify(body), headers: {
                "Content-Type": "application/json",
                "X-Interlock-Token": document.querySelector("meta[name=interlock-token]").content}})).status))"""
        )
        context.close()
    assert statuses == [403, 403, 403, 403]
    assert states(app, range(10, 40)) == ["New"] * 30
    assert app.get("statements", "u1")["status"] == "error"
    assert app.ledger.history("statements", "u1")[-1].actor == "coord"
    assert app.operations.newest() == []


def test_a_bulk_act_is_undone_from_its_page(open_page: Open, app: App) -> None:
    app.move("statements", "u1", actor="coord", status="parsing")
    app.move("statements", "u1", actor="coord", status="error", facts={"error_code": "TIMEOUT"})
    page = open_page("/operations?act=retry&kind=statements&error=TIMEOUT")
    page.fill("form[data-bulk] textarea", "once more")
    page.click("form[data-bulk] button[type=submit]")
    page.wait_for_selector("form[data-bulk] [data-answer].is-done")
    page.goto(page.url)
    page.click("#bulk-list button:has-text('Undo 1…')")
    page.fill("form[data-undo-of] textarea", "that was too early")
    page.click("form[data-undo-of] button[type=submit]")
    page.wait_for_selector("#bulk-list section:has-text('Undo 1 record of statements')")
    operations = app.operations.newest()
    assert len(operations) == 2
    assert operations[0].undoes == operations[1].id
    assert f"{operations[0].id} put back 1 of 1" in page.inner_text("#bulk-list")


def test_all_records_of_a_list_are_counted_first_and_then_moved_with_a_reason(
    open_page: Open, app: App
) -> None:
    page = open_page("/records/domains?state.curation_status=New&text=site1")
    assert page.locator("a[data-row]").count() == 10
    page.select_option("#bulk-act", "curation_status=Maybe")
    page.click("button:has-text('Count first…')")
    page.wait_for_selector("[data-preview] h2:has-text('Move 10 records to Maybe')")
    wait_live(page)
    assert states(app, range(10, 20)) == ["New"] * 10, "a preview moves nothing"
    page.fill("form[data-bulk] textarea", "to be looked at again")
    command = page.inner_text("form[data-bulk] .cli")
    assert (
        'interlock bulk run domains curation_status=Maybe --where curation_status=New --text site1 --reason "to be'
        in command
    )
    page.click("form[data-bulk] button[type=submit]")
    page.wait_for_selector("form[data-bulk] [data-answer].is-done")
    assert states(app, range(10, 40)) == ["Maybe"] * 10 + ["New"] * 20
    last = app.ledger.history("domains", 10, axis="curation_status")[-1]
    assert (last.new, last.reason) == ("Maybe", "to be looked at again")


@pytest.fixture
def box(sqlite_url: str) -> Iterator[Sandbox]:
    made = Sandbox([declare()], database=sqlite_url)
    made.migrate()
    validated(made, "R1", RULE)
    made.move(
        "content",
        "R1",
        actor="luca",
        role="operator",
        reason="read",
        state="APPROVED",
        facts={"approval_type": "MANUAL"},
    )
    validated(made, "R2", {**RULE, "title": "Il passato prossimo con essere"}, replaces="R1")
    validated(
        made, "R3", {**RULE, "title": "Few and little", "explanation": "Few con le cose che si contano."}
    )
    validated(
        made,
        "R4",
        {**RULE, "title": "Ser e estar", "explanation": "Ser dice quello che una cosa ora davvero resta."},
    )
    yield made
    made.close()


def test_content_is_replaced_approved_and_rejected_by_keyboard(browser: Any, box: Sandbox) -> None:
    with served(build(box, limits=WIDE)) as base:
        page = browser.new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{base}/workflows/content/govern?item=R2")
        page.keyboard.press("a")
        page.fill("#supersede textarea", "it says more")
        page.click("#supersede button[type=submit]")
        page.wait_for_selector("#supersede [data-answer].is-done")
        assert (box.get("content", "R1")["standing"], box.get("content", "R2")["state"]) == (
            "deprecated",
            "APPROVED",
        )
        page.goto(f"{base}/workflows/content/govern?item=R3")
        page.keyboard.press("a")
        page.fill("#approve textarea", "good")
        page.click("#approve button[type=submit]")
        page.wait_for_selector("#approve [data-answer].is-done")
        assert "R3 is approved." in page.inner_text("#approve [data-answer]")
        assert page.locator(".deck [data-act]:visible").count() == 0, "what was decided is not offered again"
        assert box.get("content", "R3")["state"] == "APPROVED"
        approved = box.ledger.history("content", "R3", axis="state")[-1]
        assert (approved.new, approved.reason) == ("APPROVED", "good")
        superseded = box.ledger.history("content", "R1", axis="standing")[-1]
        assert (superseded.new, superseded.reason) == ("deprecated", "it says more")
        page.goto(f"{base}/workflows/content/govern?item=R4")
        page.keyboard.press("r")
        page.fill("#reject textarea", "The second example is missing.")
        page.click("#reject button[type=submit]")
        page.wait_for_selector("#reject [data-answer].is-done")
        assert box.get("content", "R4")["standing"] == "rejected"
        last = box.ledger.history("content", "R4", axis="standing")[-1]
        assert (last.new, last.reason) == ("rejected", "The second example is missing.")
        page.close()


MORE_ADDRESSES = [
    "/records/domains/1",
    "/curate?kind=domains",
    "/operations?act=retry&kind=statements&error=TIMEOUT",
]
EVERY_ADDRESS = [*ADDRESSES, *MORE_ADDRESSES]


@pytest.mark.parametrize("part", range(3))
def test_no_page_breaks_a_rule_of_accessibility_in_either_theme_at_either_width(
    open_page: Open, app: App, part: int
) -> None:
    """Each page is opened once: the window is narrowed and the theme changed where it is. Every rule is asked at both widths; in the other
    theme those about colour, for nothing else changes; there, what surrounds all pages is looked at with the first of them."""
    app.move("statements", "u1", actor="coord", status="parsing")
    app.move("statements", "u1", actor="coord", status="error", facts={"error_code": "TIMEOUT"})
    page = open_page("/")
    base = page.url.rstrip("/")
    broken = {}
    for number, path in enumerate(EVERY_ADDRESS[part::3]):
        page.emulate_media(color_scheme="light", reduced_motion="reduce")  # colours must not be on their way
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(base + path)
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            for theme, rules, within in (("light", {}, ""), ("dark", COLOUR, "main" if number else "")):
                page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                if found := violations(page, rules, within):
                    broken[path, width, theme] = found
    assert broken == {}


COLOUR = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def violations(page: Any, rules: dict[str, Any] = {}, within: str = "") -> list[tuple[str, list[Any]]]:  # noqa: B006
    """The rules that a page breaks, or a part of it, each with the first elements that break it."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(
        "([within, rules]) => axe.run(within || document, { resultTypes: ['violations'], ...rules })",
        [within, rules],
    )["violations"]
    return [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in found]


def test_the_page_that_a_workflow_brings_is_never_wider_than_the_window(browser: Any, box: Sandbox) -> None:
    with served(build(box, limits=WIDE)) as base:
        page = browser.new_page()
        page.goto(f"{base}/workflows/content/govern?item=R2")
        for width in (360, 768, 1024, 1920):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert violations(page) == [], width
        page.close()
