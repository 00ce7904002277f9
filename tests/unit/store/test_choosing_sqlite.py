"""Which SQLite library is used, and how an unsafe one is made safe."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Engine

from interlock.store.connect import open_engine
from interlock.store.sqlite import connect


def journal_of(engine: Engine) -> str:
    with engine.connect() as connection:
        return str(connection.exec_driver_sql("PRAGMA journal_mode").scalar_one())


def test_the_library_that_comes_with_the_package_is_safe_and_used_with_a_wal(tmp_path: Path) -> None:
    driver, safe = connect.sqlite_driver()
    assert safe
    assert driver.sqlite_version_info >= connect.SAFE_SQLITE
    engine = open_engine(f"sqlite:///{tmp_path / 'a.sqlite'}")
    assert journal_of(engine) == "wal"
    engine.dispose()


def test_an_older_library_is_announced_and_never_trusted_with_a_wal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connect, "sqlite_driver", lambda: (sqlite3, False))
    with caplog.at_level(logging.WARNING, "interlock.store"):
        engine = open_engine(f"sqlite:///{tmp_path / 'a.sqlite'}")
    assert journal_of(engine) == "delete"
    assert "rollback journal" in caplog.text
    engine.dispose()


def test_every_connection_is_durable_and_keeps_foreign_keys(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'a.sqlite'}")
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
    engine.dispose()
