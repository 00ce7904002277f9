"""Writes a picture of every page, in both themes and at two widths: `make screenshots`."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from interlock import App
from interlock.service.application import build
from tests.console.chromium import chromium
from tests.kinds import four_kinds
from tests.service.conftest import WIDE
from tests.service.serving import served

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
LOOKS = [(theme, width, height) for theme in ("light", "dark") for width, height in ((1440, 900), (390, 844))]
PAGES = {
    "board": "/",
    "records": "/records/statements",
    "record": "/records/statements/UL_00086",
    "curate": "/curate?kind=domains",
    "operations": "/operations?act=retry&kind=statements&error=TIMEOUT",
    "pipelines": "/pipelines",
    "ledger": "/ledger?kind=statements",
    "machines": "/machines",
    "runners": "/runners",
    "invariants": "/invariants?check=now",
    "access": "/access",
}
COUNT = 120


def main() -> None:
    """Write every picture, and say where."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        app = App(four_kinds(), database=f"sqlite:///{folder}/pictures.sqlite")
        app.migrate()
        fill(app)
        with served(build(app, limits=WIDE)) as address, chromium() as browser:
            for theme, width, height in LOOKS:
                take(browser, address, theme, width, height)
        app.close()
    sys.stdout.write(f"{len(PAGES) * len(LOOKS)} pictures in {FOLDER}\n")


def take(browser: Any, address: str, theme: str, width: int, height: int) -> None:
    """Take every page in one look."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
    page = context.new_page()
    for name, path in PAGES.items():
        page.goto(address + path)
        page.wait_for_selector("[data-stream][data-live=live]")
        page.screenshot(path=FOLDER / f"{name}-{theme}-{width}.png", full_page=name == "board" or width < 500)
    context.close()


def fill(app: App) -> None:
    """Records in every state, some of them in trouble."""
    ids = [f"UL_{number:05}" for number in range(COUNT)]
    app.admit_many("statements", [{"id": one, "file_hash": f"h{one}"} for one in ids], actor="ben")
    for last, status in ((110, "parsing"), (96, "parsed"), (90, "normalizing"), (86, "normalized")):
        app.move_many("statements", ids[:last], status=status, actor="coord-1")
    timeout = {"error_code": "TIMEOUT", "error_message": "Parsing took longer than 30 s"}
    layout = {"error_code": "LAYOUT_MISMATCH", "error_message": "No table with dates and amounts"}
    app.move_many("statements", ids[86:90], status="error", actor="coord-1", facts=timeout)
    app.move_many("statements", ids[96:105], status="error", actor="coord-1", facts=layout)
    app.move_many("statements", [ids[86]], status="normalized", actor="ana", reason="it looks fine")
    hosts = list(range(1, 80))
    app.admit_many("domains", [{"id": one, "host": f"host{one}.example"} for one in hosts])
    for chosen, state in ((hosts[:39], "Selected"), (hosts[39:51], "Discarded"), (hosts[51:57], "Maybe")):
        app.move_many("domains", chosen, curation_status=state, actor="ana", reason="looked at it")
    blocked = {"error_code": "BLOCK_PAGE", "error_message": "A captcha came instead of the site"}
    app.move_many("domains", hosts[:24], processing_status="Processing", actor="coord-1")
    app.move_many("domains", hosts[:19], processing_status="Complete", actor="coord-1")
    app.move_many("domains", hosts[19:21], processing_status="Failed", actor="coord-1", facts=blocked)
    app.admit_many("content", [{"item_id": f"c{number}", "author": "bob"} for number in range(30)])
    app.move_many("content", [f"c{number}" for number in range(20)], state="CANDIDATE", actor="bob")
    app.admit_many("themes", [{"id": number, "title": f"Rates rise {number}"} for number in range(30)])


if __name__ == "__main__":
    main()
