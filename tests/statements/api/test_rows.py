"""An upload is a file first: a bare row, which could name any file of the store, is not taken."""

from __future__ import annotations

import pytest

from tests.service.asking import problem
from tests.statements.api.place import Place

pytestmark = pytest.mark.sqlite_only


def test_a_row_is_sent_to_where_files_come_in(place: Place) -> None:
    row = {
        "upload_id": "UL_1",
        "file_hash": "sha256:" + 64 * "0",
        "storage_ref": "../../somewhere",
        "source_type": "auto",
    }
    refused = problem(place.asker.post("/statements/records", {"row": row}), 400, "ILK-102")
    assert "POST /api/v1/uploads" in refused["hint"]
    assert place.asker.get("/statements/records").json()["records"] == []
