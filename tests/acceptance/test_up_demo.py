"""`interlock up --demo` as somebody types it: records of every workflow in motion, and pages that show them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.acceptance.upped import Up, up

KINDS = frozenset({"statements", "content", "domains", "themes"})


def wait_for_moves(running: Up, kinds: frozenset[str]) -> None:
    """Wait until the ledger has told of a move, beyond an admission, of each kind."""
    missing = set(kinds)
    with running.client.stream("GET", "/api/v1/live", params={"after": "0.0"}, timeout=60) as stream:
        for line in stream.iter_lines():
            told = json.loads(line[6:]) if line.startswith("data: {") else {}
            if told.get("version"):
                missing.discard(str(told.get("kind")))
            if not missing:
                return


def test_the_demo_moves_records_of_every_workflow_and_shows_them(tmp_path: Path) -> None:
    with up(tmp_path / "demo", "--demo") as running:
        wait_for_moves(running, KINDS)
        counts = {one["kind"] for one in running.get("/api/v1/counts")["counts"] if one["records"]}
        assert counts >= KINDS
        for path in ("/", "/curate", "/operations", "/pipelines", "/workflows/content/govern"):
            page = running.client.get(path, headers={"Accept": "text/html"})
            assert page.status_code == 200, page.text
            assert "<h1>" in page.text
    assert (tmp_path / "demo" / "interlock.sqlite").exists()
