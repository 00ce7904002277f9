"""Replaying the ledger gives every row; whatever was done to a row or to an entry shows as what the one says and what the other says."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import App
from interlock.observe.invariants import replay
from tests.contract.hand import Hand
from tests.contract.subjects import Subject, papers
from tests.kinds import content, domains, themes, uploads


def found(app: App) -> list[tuple[str, int | None, str]]:
    return [(finding.id, finding.version, finding.problem) for finding in replay(app.database, list(app.workflows.values()))]


@pytest.fixture
def app(opened: Any, hand: Hand) -> App:
    """Two uploads were moved, a third was erased; then somebody took the guards away."""
    made: App = opened(uploads())
    made.admit_many("statements", [{"id": f"u{number}", "file_hash": str(number)} for number in range(1, 4)])
    made.move_many("statements", ["u1", "u2", "u3"], actor="ann", status="parsing")
    made.erase("statements", "u3", actor="ann", role="admin", reason="asked for")
    assert found(made) == []
    hand.drop_guards()
    return made


TAMPERS: dict[str, tuple[str, tuple[str, int | None, str]]] = {
    "a status": ("UPDATE uploads SET status = 'error' WHERE id = 'u1'",
                 ("u1", 1, "replayed it is parsing at version 1; the row says error at version 1")),
    "a version": ("UPDATE uploads SET version = 7 WHERE id = 'u1'",
                  ("u1", 7, "replayed it is parsing at version 1; the row says parsing at version 7")),
    "a head": ("UPDATE uploads SET head = NULL WHERE id = 'u1'", ("u1", 1, "replayed its head is another one")),
    "a row that went": ("DELETE FROM uploads WHERE id = 'u2'", ("u2", 1, "replayed it is parsing at version 1; there is no row")),
    "a history that went": ("DELETE FROM interlock_ledger WHERE record_id = 'u1'",
                            ("u1", 1, "the row says parsing at version 1; there is no history")),
    "an actor of long ago": ("UPDATE interlock_ledger SET actor = 'eve' WHERE record_id = 'u1' AND version = 0",
                             ("u1", 1, "replayed its head is another one")),
    "an entry that went": ("DELETE FROM interlock_ledger WHERE record_id = 'u1' AND version = 0",
                           ("u1", 1, "replayed its head is another one"))}


@pytest.mark.parametrize("what", TAMPERS)
def test_what_was_done_to_a_row_or_its_history_shows(app: App, hand: Hand, what: str) -> None:
    sql, finding = TAMPERS[what]
    hand.run(sql)
    assert found(app) == [finding]


def test_the_rows_of_every_shape_are_replayed(subject: Subject, opened: Any) -> None:
    made: App = opened(uploads(), domains(), content(), themes(), papers())
    subject.admit(made)
    assert found(made) == []
