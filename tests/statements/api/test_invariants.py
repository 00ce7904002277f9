"""I8: the rows of an upload are those of its accepted attempt, and its counts equal them; whatever SQL did to either is reported."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from interlock.client import connect
from interlock.observe.invariants import replay
from tests.statements.api.place import EMPTY_TABLE, Place

TAMPERS = {
    "a count of observations": "UPDATE uploads SET observations_count = 99",
    "a count of transactions": "UPDATE uploads SET canonicals_count = 0",
    "an observation that went": "DELETE FROM observations WHERE row_id = 0",
    "a transaction that went": "DELETE FROM transactions",
    "a row of another attempt": "UPDATE observations SET attempt = attempt + 1 WHERE row_id = 0",
}


def test_i8_holds_at_every_step_of_an_upload(place: Place) -> None:
    place.upload()
    place.upload(EMPTY_TABLE, "empty.csv")
    place.upload(b"%PDF-1.4 broken", "broken.pdf")
    assert place.app.check().findings == []
    place.dispatch()
    assert place.app.check().findings == []
    for _ in range(20):
        place.app.coordinates.step()
        if place.app.runs is not None:
            place.app.runs.step()
        assert place.app.check().findings == []


@pytest.mark.parametrize("what", TAMPERS)
def test_rows_and_counts_that_disagree_are_reported(place: Place, what: str) -> None:
    upload_id = place.upload()
    place.app.drain()
    assert place.show(upload_id)["status"] == "normalized"
    assert place.app.check().findings == []
    with place.app.database.write() as tx:
        tx.execute(text(TAMPERS[what]))
    findings = place.app.check().findings
    assert {(one.invariant, one.id) for one in findings} == {("I8", upload_id)}
    replayed = replay(place.app.database, list(place.app.workflows.values()))
    assert [one.problem for one in replayed if "_count" in one.problem] == (
        [
            f"its entry gave {name} the value 2; the row has {value}"
            for name, value in {
                "a count of observations": [("observations_count", 99)],
                "a count of transactions": [("canonicals_count", 0)],
            }.get(what, [])
        ]
    )


def test_a_check_names_each_invariant_once_with_all_that_breaks_it(place: Place) -> None:
    upload_id = place.upload()
    place.app.drain()
    with place.app.database.write() as tx:
        for what in ("a count of observations", "a count of transactions"):
            tx.execute(text(TAMPERS[what]))
    found = connect(place.app).check()
    assert found.invariants.count("I8") == 1
    assert len(found.invariants) == len(set(found.invariants))
    assert [(one.invariant, one.id) for one in found.findings] == [("I8", upload_id)] * 2
    assert len({one.problem for one in found.findings}) == 2
