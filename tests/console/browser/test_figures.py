"""What the console may cost, measured in a real Chromium and over a real server: each figure is in its assertion."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from interlock import App
from tests.acceptance.upped import up
from tests.console.browser.test_journeys import Open, address, app, open_page, wait_live

__all__ = ["address", "app", "open_page"]
pytestmark = [pytest.mark.timeout(180)]
COMMIT_TO_SCREEN = 0.5
READY = 3.0
SCRIPT = 150_000
PAGES = (
    "/",
    "/records",
    "/records/statements",
    "/curate?kind=domains",
    "/operations",
    "/pipelines",
    "/ledger",
    "/machines",
)


def test_a_commit_is_on_the_screen_within_half_a_second(open_page: Open, app: App) -> None:
    """The best of up to ten commits is judged, for what other processes of the machine take away is not a property of the page."""
    app.admit_many("statements", [{"id": f"v{number}", "file_hash": f"x{number}"} for number in range(10)])
    page = open_page("/?open=statements")
    wait_live(page)
    figures = []
    for number in range(1, 11):
        id = f"v{number - 1}"
        page.evaluate(
            """(wanted) => {
                window.seen = new Promise((resolve) => {
                    const look = () => {
                        const count = document.querySelector("[data-count='statements/status/None/parsing']");
                        if (count && count.textContent === wanted) resolve(Date.now());
                    };
                    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
                });
            }""",
            str(number),
        )
        app.move("statements", id, actor="coord", status="parsing")
        committed = time.time() * 1000
        figures.append((page.evaluate("window.seen") - committed) / 1000)
        assert app.get("statements", id)["status"] == "parsing"
        if figures[-1] < COMMIT_TO_SCREEN:
            break
    took = min(figures)
    assert took < COMMIT_TO_SCREEN, f"{took * 1000:.0f} ms from the commit to the screen"


def test_no_page_loads_more_script_than_it_may(open_page: Open) -> None:
    page = open_page("/")
    origin = page.url.rstrip("/")
    sizes: dict[str, int] = {}
    for path in PAGES:
        page.goto(origin + path)
        wait_live(page)
        sizes[path] = page.evaluate(
            """() => performance.getEntriesByType("resource").filter((one) => new URL(one.name).pathname.endsWith(".js"))
                .reduce((sum, one) => sum + one.decodedBodySize, 0)
                + [...document.scripts].reduce((sum, one) => sum + one.text.length, 0)"""
        )
    worst = max(sizes, key=lambda path: sizes[path])
    assert 0 < sizes[worst] < SCRIPT, f"{worst} loads {sizes[worst]:,} bytes of script"


@pytest.mark.soak
def test_the_service_is_ready_within_three_seconds(tmp_path: Path) -> None:
    """CPU seconds are judged, for how long other processes of the machine take is not a property of the service; and the better of two
    starts, for the first after a change compiles every module."""
    figures = [start_once(tmp_path / name) for name in ("first", "second")]
    spent, took = min(figures)
    assert spent < READY, f"{spent:.1f} s of CPU until it was ready, {took:.1f} s by the clock"


def start_once(data: Path) -> tuple[float, float]:
    """CPU seconds of the process until it was ready, and seconds by the clock."""
    began = time.perf_counter()
    with up(data) as running:
        took = time.perf_counter() - began
        stat = Path(f"/proc/{running.process}/stat").read_text().rpartition(")")[2].split()
        assert running.client.get("/health").status_code == 200
    return sum(map(int, stat[11:13])) / os.sysconf("SC_CLK_TCK"), took


@pytest.mark.parametrize("records", [10_000, pytest.param(100_000, marks=pytest.mark.soak)])
def test_many_records_are_listed_and_paged_without_a_stall(open_page: Open, app: App, records: int) -> None:
    """The first page, and one far behind it, cost the same few statements; scrolling and the next page never block the browser. The best
    of up to five looks is judged, for what other processes of the machine take away is not a property of the page."""
    rows = [{"id": number, "host": f"site{number:06}.example"} for number in range(1_000, 1_000 + records)]
    app.admit_many("domains", rows)
    page = open_page("/records/domains")
    wait_live(page)
    origin = page.evaluate("location.origin")
    seconds: dict[str, float] = {}
    for _ in range(5):
        for name, path in {"first": "/records/domains", "far": f"/records/domains?after={records}"}.items():
            page.goto(origin + path)
            assert page.locator("a[data-row]").count() == 50
            took = page.evaluate(
                "(() => { const [one] = performance.getEntriesByType('navigation'); return one.responseEnd - one.requestStart; })()"
            )
            seconds[name] = min(took, seconds.get(name, took))
        if seconds["far"] < 5 * seconds["first"] + 200:
            break
    longest = page.evaluate(
        """async () => {
            const rounds = [];
            for (let by = 100; rounds.length < 2 || (rounds.length < 5 && Math.min(...rounds) >= 500); by = -by) {
                let longest = 0, before = performance.now();
                for (let frame = 0; frame < 30; frame += 1) {
                    scrollBy(0, by);
                    await new Promise(requestAnimationFrame);
                    longest = Math.max(longest, performance.now() - before);
                    before = performance.now();
                }
                rounds.push(longest);
            }
            return Math.min(...rounds);
        }"""
    )
    assert seconds["far"] < 5 * seconds["first"] + 200, (
        f"first {seconds['first']:.0f} ms, far {seconds['far']:.0f} ms"
    )
    assert longest < 500, f"a frame took {longest:.0f} ms"
    page.click("a[rel=next]")
    page.wait_for_selector(f"a[data-row]:has-text('{records + 51}')")
