"""Writes a picture of every page, in both themes and at two widths, from `interlock up --demo`: `make screenshots`."""

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
    "kinds": "/records",
    "records": "/records/statements",
    "jump": "/jump?to=bakery",
    "curate": "/curate?kind=domains",
    "operations": "/operations",
    "statements": "/workflows/statements/uploads",
    "govern": "/workflows/content/govern",
    "pipelines": "/pipelines",
    "ledger": "/ledger?kind=statements",
    "machines": "/machines",
    "runners": "/runners",
    "invariants": "/invariants?check=now",
    "access": "/access",
    "more": "/more",
}
MOVES = 900
"""So many entries of the sample traffic are waited for, so that each page has something to show."""


def main() -> None:
    """Write every picture, and say where."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, up(Path(folder) / "data", "--demo") as running:
        wait_for_traffic(running)
        pages = {**PAGES, "record": f"/records/statements/{failed_upload(running)}"}
        with chromium() as browser:
            for theme, width, height in LOOKS:
                take(browser, running.url, pages, theme, width, height)
    sys.stdout.write(f"{len(pages) * len(LOOKS)} pictures in {FOLDER}\n")


def wait_for_traffic(running: Up) -> None:
    """Read the live stream until enough has moved."""
    with running.client.stream("GET", "/api/v1/live", params={"after": "0.0"}, timeout=120) as stream:
        moves = 0
        for line in stream.iter_lines():
            moves += line.startswith("event: move")
            if moves >= MOVES:
                return


def failed_upload(running: Up) -> str:
    """The id of an upload that failed."""
    page = running.get("/api/v1/statements/records?where=status=error&limit=1")
    return str(page["records"][0]["id"])


def take(browser: Any, address: str, pages: dict[str, str], theme: str, width: int, height: int) -> None:
    """Take every page in one look."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
    page = context.new_page()
    for name, path in pages.items():
        page.goto(address + path)
        page.wait_for_selector("[data-stream][data-live=live]")
        page.screenshot(path=FOLDER / f"{name}-{theme}-{width}.png", full_page=name == "board" or width < 500)
    context.close()


if __name__ == "__main__":
    main()
