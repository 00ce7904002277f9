"""The uploads' machine: what it refuses, and that a further stage is declarations only."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from interlock import Done, Machine, Outcome, Work, Workflow, retry
from interlock.clock import FrozenClock
from interlock.errors import BadInput, InvalidStateTransition, NotPermitted
from interlock.service.application import build
from interlock.service.http.limits import Limits
from interlock.testing import Sandbox, assert_history
from interlock.workflows.statements.workflow import UPLOAD, declare
from tests.service.asking import Asker
from tests.statements.api.place import KIND, Place

STRAIGHT = ["queued_for_parse", "parsing", "parsed", "normalizing", "normalized"]
FORBIDDEN = [
    ("parsing", "normalized"),
    ("normalized", "parsing"),
    ("error", "parsing"),
    ("error", "normalizing"),
]
LATER = Machine(
    "upload",
    initial="queued_for_parse",
    moves={
        "queued_for_parse": ["parsing", "error"],
        "parsing": ["parsed", "error"],
        "parsed": ["normalizing", "error"],
        "normalizing": ["normalized", "error"],
        "normalized": ["categorizing"],
        "categorizing": ["categorized", "error"],
        "error": [retry("queued_for_parse"), retry("parsed"), retry("normalized")],
    },
)


@pytest.mark.parametrize(("old", "new"), FORBIDDEN)
def test_a_forbidden_move_is_refused_by_the_app_and_by_the_database(old: str, new: str, place: Place) -> None:
    upload_id = place.upload()
    place.app.place(KIND, upload_id, status=old)
    before = place.app.get(KIND, upload_id)
    with pytest.raises(InvalidStateTransition):
        place.app.move(KIND, upload_id, actor="ann", role="admin", reason="please", status=new)
    with pytest.raises(InvalidStateTransition), place.app.database.write() as tx:
        tx.execute(text("UPDATE uploads SET status = :new, version = version + 1"), {"new": new})
    assert place.app.get(KIND, upload_id) == before


def test_only_a_retry_leads_out_of_error(place: Place) -> None:
    upload_id = place.upload()
    place.app.place(KIND, upload_id, status="error")
    with pytest.raises(NotPermitted):
        place.app.move(KIND, upload_id, actor="ann", role="admin", reason="please", status="queued_for_parse")


def test_there_is_no_way_back_from_normalized(place: Place) -> None:
    assert UPLOAD.is_terminal("normalized")
    upload_id = place.upload()
    place.app.drain()
    assert place.asker.post(f"/uploads/{upload_id}/retry", {"reason": "new rules"}).status_code == 409
    assert place.show(upload_id)["version"] == 4
    assert_history(place.app, KIND, upload_id, STRAIGHT)


def columns(tx: Connection) -> dict[str, list[str]]:
    """Every table with its columns, as the database itself lists them."""
    if tx.dialect.name == "sqlite":
        rows = tx.execute(
            text(
                "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE m.type = 'table'"
            )
        ).all()
    else:
        rows = tx.execute(
            text(
                "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
            )
        ).all()
    return {table: sorted(column for one, column in rows if one == table) for table, _ in rows}


def with_categories(clock: FrozenClock) -> Workflow:
    """A further stage: two states in the machine, and a function."""
    workflow = declare(clock=clock, machine=LATER)

    @workflow.stage(waiting="normalized", running="categorizing", done="categorized", failed="error")
    def categorize(work: Work) -> Outcome[None]:
        return Done(categories_count=2)

    return workflow


def test_a_further_stage_changes_guards_and_no_column_and_no_table(
    place: Place, database_url: str, tmp_path: Path
) -> None:
    earlier = place.upload()
    place.app.drain()
    with place.app.database.read() as tx:
        before = columns(tx)
    with pytest.raises(InvalidStateTransition), place.app.database.write() as tx:
        tx.execute(text("UPDATE uploads SET status = 'categorizing', version = version + 1"))
    later = Sandbox([with_categories(FrozenClock())], database=database_url, files=str(tmp_path / "files"))
    with later.database.read() as tx:
        assert columns(tx) == before
    later.drain()
    assert_history(later, KIND, earlier, [*STRAIGHT, "categorizing", "categorized"])
    asker = Asker(build(later, limits=Limits(rate=0)))
    fresh = asker.ask(
        "POST",
        "/uploads",
        files={"file": ("b.csv", b"Date,Description,Amount\n01/15/2024,ONE,-4.50\n")},
        data={"source_type": "auto"},
    ).json()["upload_id"]
    later.drain()
    shown = asker.get(f"/uploads/{fresh}").json()
    assert (shown["status"], shown["version"], shown["canonicals_count"]) == ("categorized", 6, 1)
    assert later.check().findings == []
    asker.close()
    later.close()


def test_what_fails_at_the_further_stage_goes_back_there(database_url: str, tmp_path: Path) -> None:
    later = Sandbox([with_categories(FrozenClock())], database=database_url, files=str(tmp_path / "files"))
    asker = Asker(build(later, limits=Limits(rate=0)))
    upload_id = asker.ask(
        "POST",
        "/uploads",
        files={"file": ("b.csv", b"Date,Description,Amount\n01/15/2024,ONE,-4.50\n")},
        data={"source_type": "auto"},
    ).json()["upload_id"]
    later.place(KIND, upload_id, status="categorizing")
    later.cancel(KIND, upload_id, actor="ann", role="operator", reason="not now")
    assert asker.get(f"/uploads/{upload_id}").json()["status"] == "error"
    answer = asker.post(f"/uploads/{upload_id}/retry", {"reason": "now"})
    assert answer.json()["status"] == "normalized", answer.text
    asker.close()
    later.close()


@pytest.mark.parametrize(
    "name", ["file_name", "source_type", "file_hash", "storage_ref", "layout", "reconciled"]
)
def test_nothing_of_an_uploads_identity_and_nothing_that_stages_found_is_amended(
    place: Place, name: str
) -> None:
    upload_id = place.upload()
    before = place.app.get(KIND, upload_id)
    with pytest.raises(BadInput, match="cannot be amended"):
        place.app.amend(
            KIND, upload_id, facts={name: "another"}, actor="ann", role="operator", reason="typed wrong"
        )
    assert place.app.get(KIND, upload_id) == before
    assert len(place.app.ledger.history(KIND, upload_id)) == 1


def test_whose_rows_they_are_and_how_often_it_is_retried_can_be_corrected(place: Place) -> None:
    upload_id = place.upload()
    place.app.drain()
    corrected = {"chosen_account": "Joint checking", "max_retries": 5}
    place.app.amend(KIND, upload_id, facts=corrected, actor="ann", role="operator", reason="said at the desk")
    place.app.move(
        KIND,
        upload_id,
        actor="ann",
        role="operator",
        reason="for the account",
        status="queued_for_parse",
        override=True,
    )
    place.app.drain()
    row = place.app.get(KIND, upload_id)
    assert (row["account"], row["max_retries"], row["status"]) == ("Joint checking", 5, "normalized")
    assert {one["account"] for one in place.show(upload_id, "transactions")["transactions"]} == {
        "Joint checking"
    }
    assert "amend" in [move.origin for move in place.app.ledger.history(KIND, upload_id)]
