"""Writes a picture of every page, in both themes and at two widths, from `interlock up --demo` and from an empty `interlock up`, with the
page that asks for a key: `make screenshots`."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.acceptance.upped import ROOT, Up, up
from tests.console.chromium import chromium

FOLDER = ROOT / "docs" / "pictures"
LOOKS = [(theme, width, height) for theme in ("light", "dark") for width, height in ((1440, 900), (390, 844))]
PAGES = {
    "board": "/",
    "board-two-axes": "/?open=domains",
    "kinds": "/records",
    "records": "/records/statements",
    "records-two-axes": "/records/domains",
    "records-scoped": "/records/themes",
    "records-narrowed": "/records/statements?state.status=error",
    "jump": "/jump?to=bakery",
    "curate": "/curate?kind=domains",
    "operations": "/operations",
    "bulk": "/operations?act=retry&kind=statements&axis=status&error=LAYOUT_MISMATCH#bulk",
    "statements": "/workflows/statements/uploads",
    "statements-in-doubt": "/workflows/statements/uploads?only=in-doubt",
    "govern": "/workflows/content/govern",
    "pipelines": "/pipelines",
    "ledger": "/ledger?kind=statements",
    "machines": "/machines",
    "runners": "/runners",
    "invariants": "/invariants?check=now",
    "access": "/access",
    "more": "/more",
    "problem": "/records/statements/nothing",
}
EMPTY = {
    "empty-board": "/",
    "empty-records": "/records/statements",
    "empty-curate": "/curate",
    "empty-operations": "/operations",
    "empty-statements": "/workflows/statements/uploads",
    "empty-govern": "/workflows/content/govern",
    "empty-pipelines": "/pipelines",
    "empty-ledger": "/ledger",
}
MOVES = 900
"""So many entries of the sample traffic are waited for, so that each page has something to show."""
HIGHEST = 4000
"""A picture shows so many pixels of a page and no more."""


def main() -> None:
    """Write every picture, and say where."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, chromium() as browser:
        with up(Path(folder) / "demo", "--demo") as running:
            wait_for_traffic(running)
            number = take_all(browser, running.url, {**PAGES, **records_of(running)})
        with up(Path(folder) / "empty") as running:
            number += take_all(browser, running.url, EMPTY)
        with up(Path(folder) / "keys", "--require-key") as running:
            number += take_all(browser, running.url, {"sign-in": "/"})
    sys.stdout.write(f"{number} pictures in {FOLDER}\n")


def wait_for_traffic(running: Up) -> None:
    """Read the live stream until enough has moved."""
    with running.client.stream("GET", "/api/v1/live", params={"after": "0.0"}, timeout=120) as stream:
        moves = 0
        for line in stream.iter_lines():
            moves += line.startswith("event: move")
            if moves >= MOVES:
                return


def records_of(running: Up) -> dict[str, str]:
    """Pages of single records: one that failed, one with two axes, one with two pipelines, and content that replaces another."""
    wanted = {
        "record": "statements/records?where=status=error",
        "record-two-axes": "domains/records?where=processing_status=Complete",
        "record-scoped": "themes/records?where=status=failed_terminal",
    }
    pages = {}
    for name, query in wanted.items():
        for one in running.get(f"/api/v1/{query}&limit=1")["records"]:
            pages[name] = f"/records/{query.partition('/')[0]}/{one['id']}"
    for one in running.get("/api/v1/content/records?columns=replaces&limit=100")["records"]:
        if one.get("columns", one).get("replaces"):
            address = f"/workflows/content/govern?item={one['id']}"
            pages |= {"govern-change": address, "govern-one-text": f"{address}&view=one"}
    return pages


def take_all(browser: Any, address: str, pages: dict[str, str]) -> int:
    """Take these pages in every look; returns how many pictures there are."""
    for theme, width, height in LOOKS:
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
        page = context.new_page()
        for name, path in pages.items():
            take(page, address + path, FOLDER / f"{name}-{theme}-{width}.png", width, height)
        context.close()
    return len(pages) * len(LOOKS)


def take(page: Any, address: str, file: Path, width: int, height: int) -> None:
    """Take one page whole: the window is made as high as it is, so that what sticks to an edge is at that edge."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto(address)
    if page.locator("[data-stream]").count():
        page.wait_for_selector("[data-stream][data-live=live]")
    whole = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": max(height, min(whole, HIGHEST))})
    page.screenshot(path=file)


if __name__ == "__main__":
    main()
