"""What drivers say becomes one of Interlock's own words, by state and by text, once."""

from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy.exc import OperationalError as Wrapped

from interlock.errors import (
    ConcurrentModificationError,
    ImmutabilityViolation,
    InterlockError,
    InvalidStateTransition,
    RefusedByDatabase,
    SchemaOutdated,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreUnavailable,
    UnknownRecord,
)
from interlock.store.connect import translated
from interlock.store.faults import is_driver_error, is_lost_race, translate


class DatabaseError(Exception):
    """A driver's exception with PostgreSQL's five letters."""

    def __init__(self, sqlstate: str, text: str = "said the server") -> None:
        super().__init__(text)
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (sqlite3.OperationalError("database is locked"), StoreBusy),
        (sqlite3.OperationalError("database or disk is full"), StoreFull),
        (sqlite3.OperationalError("no such table: x"), SchemaOutdated),
        (sqlite3.OperationalError("no such column: x"), SchemaOutdated),
        (sqlite3.OperationalError("unable to open database file"), StoreUnavailable),
        (sqlite3.DatabaseError("file is not a database"), StoreUnavailable),
        (sqlite3.DatabaseError("database disk image is malformed"), StoreDamaged),
        (sqlite3.DatabaseError("malformed database schema (t) - no such column: x"), StoreDamaged),
        (DatabaseError("XX001"), StoreDamaged),
        (sqlite3.OperationalError("attempt to write a readonly database"), StoreUnavailable),
        (sqlite3.OperationalError("disk I/O error"), StoreUnavailable),
        (sqlite3.ProgrammingError("Cannot operate on a closed database."), StoreUnavailable),
        (sqlite3.OperationalError("malformed JSON"), RefusedByDatabase),
        (sqlite3.OperationalError("bad JSON path: 'a'"), RefusedByDatabase),
        (sqlite3.OperationalError("integer overflow"), RefusedByDatabase),
        (sqlite3.OperationalError("user-defined function raised exception"), RefusedByDatabase),
        (sqlite3.IntegrityError("UNIQUE constraint failed: x.y"), RefusedByDatabase),
        (sqlite3.IntegrityError("ILK-204: x: may not go there"), InvalidStateTransition),
        (sqlite3.IntegrityError("ILK-210: no"), ImmutabilityViolation),
        (sqlite3.IntegrityError("ILK-213: no entry"), RefusedByDatabase),
        (DatabaseError("53100"), StoreFull),
        (DatabaseError("55P03"), StoreBusy),
        (DatabaseError("42P01"), SchemaOutdated),
        (DatabaseError("57P01"), StoreUnavailable),
        (DatabaseError("08006"), StoreUnavailable),
        (DatabaseError("3D000"), StoreUnavailable),
        (DatabaseError("28P01"), StoreUnavailable),
        (DatabaseError("23505"), RefusedByDatabase),
        (DatabaseError("22003"), RefusedByDatabase),
        (DatabaseError("40001"), ConcurrentModificationError),
        (DatabaseError("40P01"), ConcurrentModificationError),
        (DatabaseError("IL204", "ILK-204: no\nCONTEXT: more"), InvalidStateTransition),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_drivers_error_has_one_translation(error: Exception, kind: type[InterlockError]) -> None:
    assert is_driver_error(error)
    assert type(translate(error)) is kind
    assert type(translate(Wrapped("SELECT 1", {}, error))) is kind
    with pytest.raises(kind), translated():
        raise error


@pytest.mark.parametrize(
    "words",
    [
        "unable to open database file",
        "file is not a database",
        "disk I/O error",
        "attempt to write a readonly database",
    ],
)
def test_a_file_that_cannot_be_used_is_not_asked_for_its_server(words: str) -> None:
    hint = translate(sqlite3.OperationalError(words)).hint
    assert hint
    assert "server" not in hint
    assert "server" in translate(DatabaseError("08006", words)).hint


def test_a_guards_words_are_kept_and_the_servers_context_is_not() -> None:
    said = translate(DatabaseError("IL204", "ILK-204: statements u1: may not\nCONTEXT:  PL/pgSQL function"))
    assert said.message == "statements u1: may not"


def test_lost_races_are_told_apart() -> None:
    assert is_lost_race(DatabaseError("40001"))
    assert not is_lost_race(DatabaseError("23505"))


def test_what_is_no_drivers_error_goes_through() -> None:
    with pytest.raises(KeyError), translated():
        raise KeyError("mine")
    with pytest.raises(UnknownRecord), translated():
        raise UnknownRecord("kind", "id")
