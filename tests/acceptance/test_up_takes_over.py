"""`interlock up` goes on with a bulk operation that somebody left before it was started."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from interlock import App
from interlock.workflows import bundled
from tests.acceptance.upped import up

pytestmark = pytest.mark.sqlite_only
RECORDS = 3
ROW = {
    "storage_ref": "none",
    "source_type": "auto",
    "file_name": "a.csv",
    "file_size_bytes": 1,
    "mime_type": "text/csv",
    "upload_log_ref": "none",
}


def test_what_was_left_is_finished_by_itself(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with closing(
        App(
            bundled,
            database=f"sqlite:///{tmp_path / 'data' / 'interlock.sqlite'}",
            files=str(tmp_path / "files"),
        )
    ) as app:
        app.migrate()
        app.pause("statements", "parse", actor="ann", reason="only the operation moves them")
        now = app.clock.now()
        app.admit_many(
            "statements",
            [
                {**ROW, "upload_id": f"UL_{number}", "file_hash": f"sha256:{number:064x}", "created_at": now}
                for number in range(RECORDS)
            ],
        )
        id = app.operations.create("statements", act="cancel", where={}, actor="ann", reason="sent twice").id
        app.operations.run(id, stop=lambda: True)
        assert app.operations.get(id).stalled
        with (
            up(tmp_path / "data") as running,
            running.client.stream("GET", "/api/v1/live", params={"after": "0.0"}) as stream,
        ):
            seen = 0
            for line in stream.iter_lines():
                seen += (
                    line.startswith("data: {") and json.loads(line[6:]).get("trigger") == f"operation.{id}"
                )
                if seen == RECORDS:
                    break
        assert app.operations.get(id).status == "finished"
