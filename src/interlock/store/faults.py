"""Translates what a driver or the database says into Interlock's own words, once, at the edge."""

from __future__ import annotations

import re

from sqlalchemy.exc import DBAPIError

from ..errors import (
    ConcurrentModificationError,
    ImmutabilityViolation,
    InterlockError,
    InvalidStateTransition,
    RefusedByDatabase,
    SchemaOutdated,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreUnavailable,
)

UNKNOWN_TYPE = (
    "A value has a type that the database does not have; text, numbers, booleans and dates are stored."
)
_EMPTY = re.compile(r'NOT NULL constraint failed: \w+\.(\w+)|null value in column "(\w+)"')
_SAID = re.compile(r"ILK-(\d{3}): (.*)", re.DOTALL)
_LOST_RACES = {"40001", "40P01"}
_MISSING = {"42P01", "42703", "42883"}
_DAMAGED = {"XX001", "XX002"}
_MISTAKES = (
    "binding parameter",
    "syntax error",
    "no such function",
    "wrong number of arguments",
    "ambiguous column",
    "unrecognized token",
    "malformed json",
    "json path",
    "integer overflow",
    "pattern too complex",
    "user-defined function raised",
)
"""SQLite's words for a statement or value that is wrong; its driver calls them by the same name as a database that is away."""


NOT_A_DATABASE = "The file holds something else, or it is encrypted. Name another file in the database URL; one that is not there is made."
_FILE_HINTS = {
    "not a database": NOT_A_DATABASE,
    "readonly database": "Let this user write the file and its folder, or leave mode=ro out of the database URL.",
    "closed database": "Make a new App; this one was closed.",
    "disk i/o": "The disk could not be read or written; the system's log says why.",
    "unable to open database": "Check the path in the database URL, and that this user may read and write the file and its folder.",
}
"""What to do about a database's file that cannot be used, by SQLite's words, which come without a state; no server is asked for."""


class LostRace(Exception):
    """A serialization failure or deadlock: the transaction may be tried again as a whole."""


OLDER_GUARDS = (
    "If the machine of this code allows the move, the guards in the database are of another version: "
    "`interlock db check` says how they differ, and `interlock db upgrade` by the newer code makes them fit."
)


def driver_error(error: BaseException) -> BaseException:
    """The driver's own exception, where SQLAlchemy has wrapped it."""
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def is_driver_error(error: BaseException) -> bool:
    names = {kind.__name__ for kind in type(driver_error(error)).__mro__}
    return isinstance(error, DBAPIError) or "DatabaseError" in names or "InterfaceError" in names


_NOT_ITS_TYPE = ("invalid input syntax", "numeric field overflow", "value too long", "out of range")
LEFT_WITH_ITS_PARENT = "Erase or delete these records first: ON DELETE CASCADE would remove them without an entry that says who did it."


def is_lost_race(error: BaseException) -> bool:
    return isinstance(error, LostRace) or getattr(driver_error(error), "sqlstate", None) in _LOST_RACES


def translate(error: BaseException) -> InterlockError:
    """The refusal or fault that a driver's exception stands for."""
    if isinstance(error, InterlockError):
        return error
    original = driver_error(error)
    text = str(original)
    state = getattr(original, "sqlstate", None) or ""
    if said := _SAID.search(text):
        return _guarded(said[1], said[2].splitlines()[0])
    if is_lost_race(error):
        return ConcurrentModificationError("another transaction changed the same records at the same time")
    return _fault(state, text, type(original).__name__) or RefusedByDatabase(
        f"the database refused: {text.strip().splitlines()[0]}", hint=_hint(text)
    )


def _hint(text: str) -> str:
    """What to do about a constraint that both databases have, in the same words; nothing where we do not know it."""
    if empty := _EMPTY.search(text):
        return f"Give {empty[1] or empty[2]} a value: the column may not be empty."
    if "binding parameter" in text or "cannot adapt type" in text:
        return UNKNOWN_TYPE
    if any(words in text for words in _NOT_ITS_TYPE):
        return "Give the column a value of its own type, and no larger than it is declared."
    return ""


def _guarded(number: str, text: str) -> InterlockError:
    if number == "204":
        return InvalidStateTransition("", None, None, (), why=text, hint=OLDER_GUARDS)
    if number == "210":
        return ImmutabilityViolation(text)
    return RefusedByDatabase(text, hint=LEFT_WITH_ITS_PARENT if "deleted directly" in text else "")


def _fault(state: str, text: str, name: str) -> StoreError | None:
    lowered = text.lower()
    first = text.strip().splitlines()[0] if text.strip() else name
    if state in _DAMAGED or "disk image is malformed" in lowered or "malformed database schema" in lowered:
        return StoreDamaged(f"the database is damaged: {first}")
    if state in ("53100", "53200") or "disk is full" in lowered or "no space left" in lowered:
        return StoreFull(f"the database is full: {first}")
    if (
        "database is locked" in lowered
        or "database table is locked" in lowered
        or state in ("55P03", "57014")
    ):
        return StoreBusy(f"the database stayed locked: {first}")
    if (
        state in _MISSING
        or "no such table" in lowered
        or "no such column" in lowered
        or "has no column named" in lowered
    ):
        return SchemaOutdated(f"the database lacks a table or column: {first}")
    if any(word in lowered for word in _MISTAKES):
        return None
    closed = (
        "closed" in lowered and ("connection" in lowered or "database" in lowered)
    ) or "unable to open" in lowered
    broken = any(word in lowered for word in ("readonly database", "not a database", "malformed", "disk i/o"))
    garbled = (
        name == "InternalError" and not state
    )  # the driver's own word: a pooler's goodbye came between an answer's lines
    if (
        closed
        or broken
        or garbled
        or state[:2] in ("08", "57", "25", "28", "3D")
        or name in ("OperationalError", "InterfaceError")
    ):
        of_files = [] if state else [hint for words, hint in _FILE_HINTS.items() if words in lowered]
        return StoreUnavailable(f"the database is not available: {first}", hint="".join(of_files[:1]))
    return None
