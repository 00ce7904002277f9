"""A move can join the caller's transaction: it is written there, and stands or falls with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, Integer, String, create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, registry

from interlock import App, Axis, Workflow
from interlock.errors import BadInput, InvalidStateTransition, UnsafeStore
from interlock.store.engines import sqlite_driver
from tests.contract.hand import Hand
from tests.kinds import UPLOAD, open_app, uploads


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(uploads())
    made.admit_many("statements", [{"id": "u1"}, {"id": "u2"}])
    return made


@pytest.fixture(params=["the app's engine", "an engine of the caller's own"])
def engine(request: pytest.FixtureRequest, app: App, database_url: str) -> Iterator[Engine]:
    if request.param == "the app's engine":
        yield app.database.engine
        return
    own = own_engine(database_url)
    yield own
    own.dispose()


def own_engine(url: str) -> Engine:
    """An engine of the caller's own, by the library that the app uses."""
    return create_engine(url, **({"module": sqlite_driver()[0]} if url.startswith("sqlite") else {}))


def world(hand: Hand) -> dict[str, list[str]]:
    return hand.everything()


def test_in_a_connection_the_caller_commits(app: App, engine: Engine, whole: Any) -> None:
    with engine.connect() as connection:
        assert app.move("statements", "u1", actor="ann", status="parsing", tx=connection).outcome == "moved"
        connection.execute(text("UPDATE uploads SET observations_count = 5 WHERE id = 'u1'"))
        connection.commit()
    row = app.get("statements", "u1")
    assert (row["status"], row["observations_count"]) == ("parsing", 5)
    whole(app)


@pytest.mark.parametrize("first", [True, False], ids=["the move comes first", "other work comes first"])
def test_nothing_of_ours_survives_the_callers_rollback(
    app: App, engine: Engine, hand: Hand, first: bool
) -> None:
    before = world(hand)
    with engine.connect() as connection:
        if not first:
            connection.execute(text("UPDATE uploads SET observations_count = 5"))
        app.move("statements", "u1", actor="ann", reason="go", key="k", status="parsing", tx=connection)
        app.admit("statements", {"id": "u9"}, tx=connection)
        app.move_many("statements", ["u2", "u9"], actor="ann", status="normalized", tx=connection)
        app.amend("statements", "u1", facts={"canonicals_count": 1}, actor="ann", reason="y", tx=connection)
        app.erase("statements", "u2", actor="ann", role="admin", reason="y", tx=connection)
        connection.rollback()
    assert world(hand) == before


def test_a_refused_move_leaves_the_rest_of_the_transaction_usable(
    app: App, engine: Engine, hand: Hand, whole: Any
) -> None:
    with engine.connect() as connection:
        connection.execute(text("UPDATE uploads SET observations_count = 5"))
        with pytest.raises(InvalidStateTransition):
            app.move("statements", "u1", actor="ann", status="normalized", tx=connection)
        answers = app.move_many("statements", ["u1", "nobody"], actor="ann", status="parsing", tx=connection)
        assert [answer.outcome for answer in answers] == ["moved", "unknown"]
        connection.execute(text("UPDATE uploads SET canonicals_count = 6"))
        connection.commit()
    row = app.get("statements", "u1")
    assert (row["status"], row["observations_count"], row["canonicals_count"]) == ("parsing", 5, 6)
    assert hand.one("SELECT count(*) FROM interlock_verdict") == 1
    whole(app)


def test_what_the_database_refuses_is_undone_to_the_savepoint(
    opened: Any, database_url: str, whole: Any
) -> None:
    workflow = uploads()

    @workflow.on_move("parsing")
    def fail(tx: Connection, moves: Any) -> None:
        tx.execute(text("INSERT INTO uploads(id, status, version) VALUES ('forged', 'parsing', 3)"))

    app: App = opened(workflow)
    app.admit("statements", {"id": "u1"})
    with app.database.engine.connect() as connection:
        connection.execute(text("UPDATE uploads SET observations_count = 5"))
        answer = app.move_many("statements", ["u1"], actor="ann", status="parsing", tx=connection)[0]
        assert answer.error is not None
        assert (answer.outcome, answer.error.code) == ("refused", "ILK-213")
        connection.commit()
    row = app.get("statements", "u1")
    assert (row["status"], row["observations_count"]) == ("queued_for_parse", 5)
    whole(app)


def test_a_drivers_own_connection_can_be_joined(app: App, hand: Hand, whole: Any) -> None:
    before = world(hand)
    hand.connection.execute("UPDATE uploads SET observations_count = 5")
    assert app.move("statements", "u1", actor="ann", status="parsing", tx=hand.connection).outcome == "moved"
    assert app.admit("statements", {"id": "u8"}, tx=hand.connection).outcome == "admitted"
    hand.connection.rollback()
    assert world(hand) == before
    app.move("statements", "u1", actor="ann", status="parsing", tx=hand.connection)
    hand.connection.commit()
    assert app.get("statements", "u1")["status"] == "parsing"
    whole(app)


def test_a_refusal_leaves_a_drivers_connection_usable(app: App, hand: Hand, whole: Any) -> None:
    hand.connection.execute("UPDATE uploads SET observations_count = 5")
    with pytest.raises(InvalidStateTransition):
        app.move("statements", "u1", actor="ann", status="normalized", tx=hand.connection)
    hand.connection.execute("UPDATE uploads SET canonicals_count = 6")
    hand.connection.commit()
    row = app.get("statements", "u1")
    assert (row["observations_count"], row["canonicals_count"]) == (5, 6)
    whole(app)


@pytest.mark.parametrize("how", ["driver", "connection", "session"])
def test_a_transaction_of_another_sqlite_library_is_refused_and_nothing_is_written(
    sqlite_url: str, how: str
) -> None:
    app = open_app(sqlite_url, uploads())
    app.admit("statements", {"id": "u1"})
    assert sqlite_driver()[0] is not sqlite3
    engine = create_engine(sqlite_url, module=sqlite3)
    opened: dict[str, Callable[[], Any]] = {
        "driver": lambda: sqlite3.connect(str(make_url(sqlite_url).database)),
        "connection": engine.connect,
        "session": lambda: Session(engine),
    }
    theirs = opened[how]()
    with pytest.raises(UnsafeStore, match="two SQLite libraries"):
        app.move("statements", "u1", actor="ann", status="parsing", tx=theirs)
    theirs.close()
    engine.dispose()
    assert app.get("statements", "u1")["version"] == 0
    assert [move.version for move in app.ledger.history("statements", "u1")] == [0]
    app.close()


def test_the_standard_librarys_sqlite_connection_can_be_joined(sqlite_url: str, whole: Any) -> None:
    app = App([uploads()], database=create_engine(sqlite_url, module=sqlite3))
    app.migrate()
    app.admit("statements", {"id": "u1"})
    theirs = sqlite3.connect(str(make_url(sqlite_url).database))
    app.move("statements", "u1", actor="ann", status="parsing", tx=theirs)
    theirs.rollback()
    assert app.get("statements", "u1")["version"] == 0
    with pytest.raises(InvalidStateTransition):
        app.move("statements", "u1", actor="ann", status="normalized", tx=theirs)
    app.move("statements", "u1", actor="ann", status="parsing", tx=theirs)
    theirs.commit()
    theirs.close()
    assert app.get("statements", "u1")["version"] == 1
    whole(app)
    app.close()


@pytest.mark.parametrize("what", ["a text", 7, []], ids=str)
def test_what_is_no_transaction_is_refused(app: App, what: Any) -> None:
    with pytest.raises(BadInput) as refusal:
        app.move("statements", "u1", actor="ann", status="parsing", tx=what)
    assert refusal.value.code == "ILK-102"


def mapped() -> tuple[Workflow, Any]:
    """A workflow on a declarative class; the engine's columns are added to it."""

    class Root(DeclarativeBase):
        pass

    class Upload(Root):
        __tablename__ = "uploads"
        id: Mapped[str] = mapped_column(String(40), primary_key=True)
        pages: Mapped[int | None] = mapped_column(Integer)

    return Workflow("statements", noun="upload", records=Upload, axes=[Axis("status", UPLOAD)]), Upload


def test_a_session_is_flushed_before_and_the_object_read_anew_after(opened: Any, whole: Any) -> None:
    workflow, model = mapped()
    app: App = opened(workflow)
    app.admit_many("statements", [{"id": "u1"}, {"id": "u2"}])
    with Session(app.database.engine) as session:
        upload, other = session.get(model, "u1"), session.get(model, "u2")
        assert (upload.status, upload.version) == ("queued_for_parse", 0)
        upload.pages = 12
        app.move("statements", "u1", actor="ann", status="parsing", tx=session)
        assert (upload.status, upload.version, upload.pages) == ("parsing", 1, 12)
        assert other.status == "queued_for_parse"
        session.rollback()
        assert (upload.status, upload.pages) == ("queued_for_parse", None)
        upload.pages = 13
        app.move("statements", "u1", actor="ann", status="parsing", tx=session)
        session.commit()
    row = app.get("statements", "u1")
    assert (row["status"], row["pages"]) == ("parsing", 13)
    whole(app)


def test_a_session_of_the_callers_own_engine_decides(opened: Any, database_url: str, whole: Any) -> None:
    workflow, model = mapped()
    app: App = opened(workflow)
    app.admit("statements", {"id": "u1"})
    own = own_engine(database_url)
    with Session(own) as session:
        app.move("statements", "u1", actor="ann", status="parsing", tx=session)
        session.rollback()
        assert session.get(model, "u1").status == "queued_for_parse"
        with pytest.raises(InvalidStateTransition):
            app.move("statements", "u1", actor="ann", status="normalized", tx=session)
        app.move("statements", "u1", actor="ann", status="parsing", tx=session)
        session.commit()
    own.dispose()
    assert app.get("statements", "u1")["version"] == 1
    whole(app)


def test_a_hand_written_change_of_a_mapped_status_is_refused(opened: Any, whole: Any) -> None:
    workflow, model = mapped()
    app: App = opened(workflow)
    app.admit("statements", {"id": "u1"})
    with Session(app.database.engine) as session:
        session.get(model, "u1").status = "parsing"
        with pytest.raises(Exception, match="ILK-204"):
            session.flush()
    whole(app)


def test_a_session_with_other_mappings_in_it_is_fine(opened: Any, whole: Any) -> None:
    workflow = uploads()
    app: App = opened(workflow)
    app.admit("statements", {"id": "u1"})

    class Imperative:
        status: str

    registry().map_imperatively(Imperative, workflow.records)
    with Session(app.database.engine) as session:
        upload = session.get(Imperative, "u1")
        assert upload is not None
        app.move("statements", "u1", actor="ann", status="parsing", tx=session)
        assert upload.status == "parsing"
        session.commit()
    whole(app)
