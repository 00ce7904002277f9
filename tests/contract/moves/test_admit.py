"""admit(): records are made with the first entry of every axis; what is there already is answered, not made twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from threading import Barrier
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Date,
    DateTime,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Numeric,
    String,
    Table,
    Text,
    Uuid,
    select,
)

from interlock import App, Axis, Workflow
from interlock.clock import FrozenClock
from interlock.errors import BadInput, InvalidStateTransition, RefusedByDatabase
from interlock.workflow.columns.instant import Instant
from tests.kinds import EXTRACTION, UPLOAD, content, domains, themes, uploads


def test_a_record_begins_in_its_first_state_with_its_first_entry(opened: Any, whole: Any) -> None:
    app: App = opened(uploads(), clock=FrozenClock())
    answer = app.admit("statements", {"id": "u1", "file_hash": "f"}, actor="ann", reason="came by mail")
    assert (answer.id, answer.outcome, answer.old, answer.new, answer.version) == (
        "u1",
        "admitted",
        None,
        "queued_for_parse",
        0,
    )
    (move,) = app.ledger.history("statements", "u1")
    assert (move.version, move.old, move.new, move.actor, move.reason, move.cause, move.origin, move.at) == (
        0,
        None,
        "queued_for_parse",
        "ann",
        "came by mail",
        "upload.created",
        "admit",
        app.clock.now(),
    )
    assert app.get("statements", "u1")["since"] == app.clock.now()
    whole(app)


def test_a_natural_key_met_again_answers_exists_with_its_id(opened: Any, whole: Any) -> None:
    app: App = opened(domains())
    first = app.admit("domains", {"host": "a"})
    answers = app.admit_many("domains", [{"host": "b"}, {"host": "a"}, {"host": "b"}, {"host": "c"}])
    assert [answer.outcome for answer in answers] == ["admitted", "exists", "exists", "admitted"]
    assert answers[1].id == first.id
    assert answers[2].id == answers[0].id
    assert all(answer.ok for answer in answers)
    assert app.counts()["domains", "curation_status", None, "New"] == 3
    whole(app)


BERLIN = timezone(timedelta(hours=2))
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("type", "first", "again"),
    [
        (Instant(), NOON, NOON.astimezone(BERLIN)),
        (DateTime(timezone=True), NOON, NOON),
        (DateTime(timezone=True), NOON.astimezone(BERLIN), NOON.astimezone(BERLIN)),
        (Numeric(10, 2), Decimal("12.50"), Decimal("12.5")),
        (Numeric(10, 2), Decimal(12), 12),
        (Date(), date(2026, 5, 1), date(2026, 5, 1)),
        (Boolean(), True, True),
        (Uuid(), UUID(int=7), UUID(int=7)),
    ],
    ids=str,
)
def test_a_natural_key_of_any_type_met_again_answers_exists_however_it_is_written(
    opened: Any, whole: Any, type: Any, first: Any, again: Any
) -> None:
    table = Table(
        "readings",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("feed", String(20)),
        Column("of", type),
    )
    app: App = opened(
        Workflow("readings", records=table, unique=["feed", "of"], axes=[Axis("status", UPLOAD)])
    )
    made = app.admit("readings", {"feed": "None", "of": first})
    answers = app.admit_many(
        "readings", [{"feed": "None", "of": again}, {"feed": "b", "of": again}, {"feed": "b", "of": first}]
    )
    assert [answer.outcome for answer in answers] == ["exists", "admitted", "exists"]
    assert (answers[0].id, answers[2].id) == (made.id, answers[1].id)
    assert [one.outcome for one in app.admit_many("readings", [{"feed": None, "of": again}] * 2)] == [
        "admitted",
        "admitted",
    ], "a key that is null is nobody's"
    whole(app)


def test_an_id_met_again_answers_exists(opened: Any, whole: Any) -> None:
    app: App = opened(uploads())
    answers = app.admit_many("statements", [{"id": "u1"}, {"id": "u1"}, {"id": "u2"}])
    assert [(answer.id, answer.outcome) for answer in answers] == [
        ("u1", "admitted"),
        ("u1", "exists"),
        ("u2", "admitted"),
    ]
    assert app.admit("statements", {"id": "u1"}).outcome == "exists"
    whole(app)


def test_ids_given_by_hand_and_ids_handed_out_do_not_collide(opened: Any, whole: Any) -> None:
    app: App = opened(domains())
    app.admit_many("domains", [{"id": number, "host": f"given{number}"} for number in range(1, 6)])
    app.erase("domains", 5, actor="ann", role="admin", reason="asked for it")
    answers = app.admit_many("domains", [{"host": f"own{number}"} for number in range(3)])
    assert [answer.outcome for answer in answers] == ["admitted"] * 3
    assert {answer.id for answer in answers}.isdisjoint(range(1, 6))
    whole(app)


def test_a_row_that_names_an_axis_is_moved_there_from_the_first_state(opened: Any, whole: Any) -> None:
    app: App = opened(domains())
    answer = app.admit("domains", {"host": "a", "curation_status": "Selected"}, actor="ann")
    assert (answer.outcome, answer.new, answer.version) == ("admitted", "Selected", 1)
    assert [(move.axis, move.new) for move in answer.driven] == [("processing_status", "Queued")]
    history = app.ledger.history("domains", answer.id, axis="curation_status")
    assert [(move.version, move.new) for move in history] == [(0, "New"), (1, "Selected")]
    whole(app)


def test_an_alias_is_understood_at_admission(opened: Any) -> None:
    app: App = opened(domains())
    assert app.admit("domains", {"host": "a", "curation_status": "archived"}).new == "Discarded"


def test_a_row_that_names_a_state_it_cannot_reach_is_refused_alone(opened: Any, whole: Any) -> None:
    app: App = opened(uploads())
    answers = app.admit_many(
        "statements",
        [
            {"id": "u1"},
            {"id": "u2", "status": "normalized"},
            {"id": "u3", "status": "nonsense"},
            {"id": "u4"},
        ],
    )
    assert [answer.outcome for answer in answers] == ["admitted", "refused", "refused", "admitted"]
    assert isinstance(answers[1].error, InvalidStateTransition)
    assert app.counts() == {("statements", "status", None, "queued_for_parse"): 2}
    whole(app)


@pytest.mark.parametrize(
    "row",
    [
        {"id": "x", "nonsense": 1},
        {"id": "x", "version": 3},
        {"id": "x", "head": b"h"},
        {"id": ""},
        {"id": None},
        {},
        {"id": 7},
        "text",
        None,
        3,
    ],
    ids=str,
)
def test_a_row_that_cannot_be_a_record_is_refused(opened: Any, hand: Any, row: Any) -> None:
    app: App = opened(uploads())
    before = hand.everything()
    with pytest.raises(BadInput) as refusal:
        app.admit("statements", row)
    assert refusal.value.code == "ILK-102"
    answers = app.admit_many("statements", [{"id": "good"}, row])
    assert [answer.outcome for answer in answers] == ["admitted", "refused"]
    assert before["interlock_ledger"] == []


def test_a_row_the_database_refuses_stays_alone(opened: Any, whole: Any) -> None:
    table = Table(
        "accounts",
        MetaData(),
        Column("id", String(9), primary_key=True),
        Column("owner", Text, nullable=False),
    )
    app: App = opened(Workflow("accounts", records=table, axes=[Axis("status", UPLOAD)]))
    answers = app.admit_many(
        "accounts",
        [{"id": "a", "owner": "x"}, {"id": "b"}, {"id": "c", "owner": None}, {"id": "d", "owner": "y"}],
    )
    assert [answer.outcome for answer in answers] == ["admitted", "refused", "refused", "admitted"]
    assert isinstance(answers[1].error, RefusedByDatabase)
    whole(app)


def test_every_scope_gets_its_row_and_entry(opened: Any, whole: Any) -> None:
    app: App = opened(themes())
    app.admit_many("themes", [{"id": 1}, {"id": 2}])
    assert app.counts() == {
        ("themes", "curation_status", None, "New"): 2,
        ("themes", "status", "technical", "pending"): 2,
        ("themes", "status", "fundamental", "pending"): 2,
    }
    whole(app)


def test_pairs_say_which_scopes_a_record_has(opened: Any, hand: Any, whole: Any) -> None:
    metadata = MetaData()
    items = Table("notes", metadata, Column("id", Integer, primary_key=True), Column("source", Text))
    feeds = Table("feeds", metadata, Column("source", Text), Column("pipeline", String(9)))
    state = Table(
        "note_state",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("note_id", ForeignKey("notes.id"), nullable=False),
        Column("scope", String(9), nullable=False),
    )
    workflow = Workflow(
        "notes",
        records=items,
        tables=[feeds],
        axes=[
            Axis("curation", content().axes["state"].machine, prefix="curation_"),
            Axis(
                "status",
                EXTRACTION,
                table=state,
                scope=("one", "two"),
                pairs=select(items.c.id, feeds.c.pipeline).join(feeds, feeds.c.source == items.c.source),
            ),
        ],
    )
    app: App = opened(workflow)
    hand.run("INSERT INTO feeds VALUES ('a', 'one'), ('b', 'one'), ('b', 'two'), ('b', 'three')")
    app.admit_many("notes", [{"id": 1, "source": "a"}, {"id": 2, "source": "b"}, {"id": 3, "source": "c"}])
    assert hand.rows("SELECT note_id, scope FROM note_state ORDER BY 1, 2") == [
        (1, "one"),
        (2, "one"),
        (2, "two"),
    ]
    whole(app)


def test_clients_who_admit_the_same_natural_key_at_once_make_one_record(opened: Any, whole: Any) -> None:
    app: App = opened(domains())
    ready = Barrier(5)

    def send(_: int) -> tuple[str, Any]:
        ready.wait(30)
        answer = app.admit("domains", {"host": "same"})
        return answer.outcome, answer.id

    with ThreadPoolExecutor(5) as clients:
        answers = list(clients.map(send, range(5)))
    assert sorted(outcome for outcome, _ in answers) == ["admitted"] + ["exists"] * 4
    assert len({id for _, id in answers}) == 1
    whole(app)


def test_every_type_of_column_comes_back_as_it_went_in(opened: Any, whole: Any) -> None:
    at = datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=UTC)
    columns: dict[str, tuple[Any, Any]] = {
        "amount": (Numeric(12, 2), Decimal("10.50")),
        "at": (DateTime(timezone=True), at),
        "day": (Date(), at.date()),
        "flag": (Boolean(), True),
        "raw": (LargeBinary(), b"\x00\xff'"),
        "tree": (JSON(), {"a": [1, None, "ü"]}),
        "words": (Text(), 'it\'s "ü" \\ %s {} \n'),
    }
    table = Table(
        "typed",
        MetaData(),
        Column("id", Uuid(), primary_key=True),
        *(Column(name, kind) for name, (kind, _) in columns.items()),
    )
    app: App = opened(Workflow("typed", records=table, axes=[Axis("status", UPLOAD)]))
    given = {name: value for name, (_, value) in columns.items()}
    id = app.admit("typed", given).id
    assert isinstance(id, UUID)
    row = app.get("typed", id)
    assert {name: row[name] for name in given if name != "at"} == {
        name: given[name] for name in given if name != "at"
    }
    facts = {name: given[name] for name in ("amount", "day", "flag", "tree", "words")}
    app.move(
        "typed",
        id,
        actor="ann",
        facts={name: value for name, value in facts.items() if name != "day"},
        status="parsing",
    )
    assert app.move("typed", str(id), actor="ann", status="parsed").outcome == "moved"
    assert [move.new for move in app.ledger.history("typed", id)] == ["queued_for_parse", "parsing", "parsed"]
    assert app.check("typed", id).entries == 3
    assert app.explain("typed", id).where[0].state == "parsed"
    whole(app)
