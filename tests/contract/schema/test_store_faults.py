"""A database that is missing, foreign, locked, full or gone: a clear error with code and hint, and nothing half-written."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, event
from sqlalchemy.engine import make_url

from interlock import App
from interlock.errors import BadInput, InterlockError, SchemaOutdated, StoreBusy, StoreFull, StoreUnavailable
from tests.contract.hand import Hand
from tests.kinds import open_app, uploads
from tests.servers.postgres import start_postgres


def told(expected: type[InterlockError], act: Callable[[], Any]) -> InterlockError:
    with pytest.raises(expected) as refusal:
        act()
    assert type(refusal.value) is expected
    assert refusal.value.hint
    return refusal.value


def acts(app: App) -> list[Callable[[], Any]]:
    return [
        lambda: app.move("statements", "u1", actor="ann", status="parsing"),
        lambda: app.get("statements", "u1"),
        lambda: app.admit("statements", {"id": "u2"}),
        lambda: app.move_many("statements", ["u1"], actor="ann", key="k", status="parsing"),
        app.check,
        app.counts,
        app.ledger.tail,
        lambda: app.explain("statements", "u1"),
        lambda: app.ledger.history("statements", "u1"),
    ]


def test_a_database_without_tables_asks_to_be_upgraded(database_url: str) -> None:
    app = App([uploads()], database=database_url)
    for act in acts(app):
        assert "upgrade" in told(SchemaOutdated, act).hint
    app.close()


def test_a_table_that_was_dropped_asks_to_be_upgraded(database_url: str, hand: Hand) -> None:
    app = open_app(database_url, uploads())
    app.admit("statements", {"id": "u1"})
    hand.run("DROP TABLE interlock_count_delta")
    assert told(SchemaOutdated, acts(app)[0]).code == "ILK-304"
    assert hand.rows("SELECT status, version FROM uploads") == [("queued_for_parse", 0)]
    assert hand.one("SELECT count(*) FROM interlock_ledger") == 1
    app.close()


@pytest.mark.parametrize("url", ["nonsense", "mysql://x/y", "sqlite", "://"])
def test_a_url_that_is_none_is_refused(url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput) as refusal:
        App([uploads()], database=url)
    assert refusal.value.code == "ILK-102"


@pytest.mark.parametrize("content", [b"Dear Sir or Madam, " * 500, sha512(b"locked").digest() * 500, b"Hi"])
def test_a_file_that_is_no_database_is_told(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "letter.txt"
    file.write_bytes(content)
    app = App([uploads()], database=f"sqlite:///{file}")
    for _ in range(2):
        error = told(StoreUnavailable, app.migrate)
        assert error.message == f"{file} is not a SQLite database"
        assert "encrypted" in error.hint
        assert "server" not in error.hint
    assert file.read_bytes() == content
    app.close()


def test_a_folder_in_place_of_a_database_is_told(tmp_path: Path) -> None:
    app = App([uploads()], database=f"sqlite:///{tmp_path}")
    error = told(StoreUnavailable, app.migrate)
    assert error.message == f"the database {tmp_path} cannot be opened: it is a folder"
    assert f"sqlite:///{tmp_path}/interlock.sqlite" in error.hint
    assert list(tmp_path.iterdir()) == []
    app.close()


def test_a_database_that_this_user_may_not_read_is_told(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_app(sqlite_url, uploads()).close()
    with monkeypatch.context() as other_user:  # root, as which tests may run, reads everything
        other_user.setattr("os.access", lambda path, mode: str(path) not in sqlite_url)
        app = App([uploads()], database=sqlite_url)
        error = told(StoreUnavailable, app.migrate)
        app.close()
    assert "this user may not read it" in error.message
    assert "server" not in error.hint


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    app = App([uploads()], database=f"sqlite:///{tmp_path / 'nowhere' / 'x.db'}")
    told(StoreUnavailable, app.migrate)
    app.close()


def test_a_read_only_database_is_told(sqlite_url: str) -> None:
    writable = open_app(sqlite_url, uploads())
    writable.admit("statements", {"id": "u1"})
    writable.close()
    app = App([uploads()], database=f"sqlite:///file:{make_url(sqlite_url).database}?mode=ro&uri=true")
    assert app.get("statements", "u1")["version"] == 0
    for act in (acts(app)[0], acts(app)[2]):
        assert "mode=ro" in told(StoreUnavailable, act).hint
    assert app.check().findings == []
    app.close()


def test_a_database_that_stays_locked_is_told(sqlite_url: str) -> None:
    app = open_app(sqlite_url, uploads())
    app.admit("statements", {"id": "u1"})
    app.database.engine.dispose()
    event.listen(app.database.engine, "connect", lambda raw, _: raw.execute("PRAGMA busy_timeout = 20"))
    other = Hand(sqlite_url)
    other.connection.execute("BEGIN IMMEDIATE")
    assert told(StoreBusy, acts(app)[0]).code == "ILK-302"
    other.connection.rollback()
    other.close()
    assert acts(app)[0]().outcome == "moved"
    app.close()


def test_a_full_disk_is_told_and_nothing_is_half_written(sqlite_url: str) -> None:
    app = open_app(sqlite_url, uploads())
    app.admit_many("statements", [{"id": f"u{number}"} for number in range(200)])
    app.database.engine.dispose()
    pages = Hand(sqlite_url)
    count = pages.one("PRAGMA page_count")
    event.listen(
        app.database.engine, "connect", lambda raw, _: raw.execute(f"PRAGMA max_page_count = {count + 2}")
    )
    before = pages.everything()
    ids = [f"u{number}" for number in range(200)]
    error = told(
        StoreFull, lambda: app.move_many("statements", ids, actor="ann", reason="x" * 3000, status="parsing")
    )
    assert error.code == "ILK-303"
    assert pages.everything() == before
    assert app.check().findings == []
    told(
        StoreFull,
        lambda: app.admit_many(
            "statements",
            [{"id": f"v{number}", "file_hash": "x" * 500 + str(number)} for number in range(200)],
        ),
    )
    assert pages.everything() == before
    pages.close()
    app.close()


def test_an_engine_that_is_given_is_used(database_url: str, whole: Any) -> None:
    engine = create_engine(database_url)
    app = App([uploads()], database=engine)
    app.migrate()
    app.admit("statements", {"id": "u1"})
    app.move("statements", "u1", actor="ann", status="parsing")
    app.move_many("statements", ["u1"], actor="ann", key="k", status="parsed")
    whole(app)
    app.close()


@pytest.fixture
def own_server() -> Any:
    server = start_postgres()
    yield server
    server.stop()


def test_a_server_that_is_gone_is_told_and_comes_back(own_server: Any, whole: Any) -> None:
    app = open_app(own_server.create_database("gone"), uploads())
    app.admit("statements", {"id": "u1"})
    own_server.kill()
    for act in acts(app):
        assert told(StoreUnavailable, act).code == "ILK-301"
    own_server.restart()
    assert app.move("statements", "u1", actor="ann", status="parsing").version == 1
    whole(app)
    app.close()


def test_a_database_that_is_not_there_is_told(postgres_url: str) -> None:
    url = make_url(postgres_url).set(database="nowhere").render_as_string(hide_password=False)
    app = App([uploads()], database=url)
    told(StoreUnavailable, app.migrate)
    app.close()


def test_a_port_where_nobody_listens_is_told() -> None:
    app = App([uploads()], database="postgresql://postgres@127.0.0.1:1/nothing")
    told(StoreUnavailable, app.migrate)
    app.close()
