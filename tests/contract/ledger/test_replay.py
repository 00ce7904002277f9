"""Replaying the ledger gives every row; whatever was done to a row or to an entry shows as what the one says and what the other says."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Date,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    Numeric,
    Table,
    Text,
    Uuid,
)

from interlock import App, Axis, Machine, Workflow
from interlock.authority.stage_move import typed
from interlock.observe.invariants import replay
from interlock.workflow.columns.instant import Instant
from tests.contract.hand import Hand
from tests.contract.subjects import Subject, papers
from tests.kinds import content, domains, themes, uploads


def found(app: App) -> list[tuple[str, int | None, str]]:
    return [
        (finding.id, finding.version, finding.problem)
        for finding in replay(app.database, list(app.workflows.values()))
    ]


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
    "a status": (
        "UPDATE uploads SET status = 'error' WHERE id = 'u1'",
        ("u1", 1, "replayed it is parsing at version 1; the row says error at version 1"),
    ),
    "a version": (
        "UPDATE uploads SET version = 7 WHERE id = 'u1'",
        ("u1", 7, "replayed it is parsing at version 1; the row says parsing at version 7"),
    ),
    "a head": (
        "UPDATE uploads SET head = NULL WHERE id = 'u1'",
        ("u1", 1, "replayed its head is another one"),
    ),
    "a row that went": (
        "DELETE FROM uploads WHERE id = 'u2'",
        ("u2", 1, "replayed it is parsing at version 1; there is no row"),
    ),
    "a history that went": (
        "DELETE FROM interlock_ledger WHERE record_id = 'u1'",
        ("u1", 1, "the row says parsing at version 1; there is no history"),
    ),
    "an actor of long ago": (
        "UPDATE interlock_ledger SET actor = 'eve' WHERE record_id = 'u1' AND version = 0",
        ("u1", 1, "replayed its head is another one"),
    ),
    "an entry that went": (
        "DELETE FROM interlock_ledger WHERE record_id = 'u1' AND version = 0",
        ("u1", 1, "replayed its head is another one"),
    ),
}


@pytest.mark.parametrize("what", TAMPERS)
def test_what_was_done_to_a_row_or_its_history_shows(app: App, hand: Hand, what: str) -> None:
    sql, finding = TAMPERS[what]
    hand.run(sql)
    assert found(app) == [finding]


def test_the_rows_of_every_shape_are_replayed(subject: Subject, opened: Any) -> None:
    made: App = opened(uploads(), domains(), content(), themes(), papers())
    subject.admit(made)
    assert found(made) == []


VALUES: dict[str, tuple[Any, Any, Any]] = {
    # a column's type, a fact that a move gives it, and what somebody types over it
    "integer": (Integer(), 42, 7),
    "text": (Text(), "it's", "other"),
    "number": (Numeric(10, 2), "12.5", 13),
    "day": (Date(), "2026-03-01", None),
    "flag": (Boolean(), True, False),
    "share": (Float(), 0.25, 0.5),
    "instant": (Instant(), "2026-03-01T10:00:00Z", None),
    "structure": (JSON(), {"a": [1, "x"]}, None),
    "uuid": (Uuid(), "12345678-1234-5678-1234-567812345678", None),
}


@pytest.mark.parametrize("scoped", [False, True], ids=["in the record", "in a scoped row"])
@pytest.mark.parametrize("name", VALUES)
def test_a_column_that_an_entry_gave_and_sql_has_changed_shows(opened: Any, name: str, scoped: bool) -> None:
    kind, fact, other = VALUES[name]
    metadata, line = MetaData(), Machine("line", initial="a", moves={"a": ["b"], "b": ["c"], "c": ["a"]})
    table = Table(
        "things",
        metadata,
        Column("id", Integer, primary_key=True),
        *([] if scoped else [Column("value", kind)]),
    )
    states = Table(
        "states",
        metadata,
        Column("number", Integer, primary_key=True),
        Column("thing", ForeignKey("things.id")),
        Column("part", Text),
        Column("value", kind),
    )
    own = {"table": states, "scope": ("p", "q"), "scope_column": "part"} if scoped else {}
    app: App = opened(
        Workflow(
            "things",
            records=table,
            axes=[Axis("status", line, **own), *([] if scoped else [Axis("other", line, prefix="other_")])],
        )
    )
    scope = {"scope": "p"} if scoped else {}
    app.admit_many("things", [{"id": 1}, {"id": 2}])
    written = app.workflows["things"].axes["status"].table
    typed_fact = typed(written, "value", fact)
    app.move(
        "things",
        1,
        actor="ann",
        status="b",
        facts={"value": other, "note": "kept with the entry only"},
        **scope,
    )
    app.move("things", 1, actor="ann", status="c", facts={"value": typed_fact}, **scope)
    app.move("things", 1, actor="ann", status="a", **scope)
    assert found(app) == []
    key = written.c.thing if scoped else written.c.id
    with app.database.write() as tx:
        tx.execute(written.update().where(key == 1).values(value=other))
    ((id, version, problem),) = found(app)
    assert (id, version) == ("1", 2)
    assert problem.startswith("its entry gave value the value ")
    assert app.check().findings == []  # the guards allow it: columns of their own are the team's
