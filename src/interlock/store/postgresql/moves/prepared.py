"""A prepared statement straight through the driver's own protocol layer: for the one statement that is too hot even for a cursor."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from ...connect import Bare

TRIED = ((3, 3),)
"""Minor releases of the driver whose protocol layer is known to fit."""
_FORGOTTEN = ("26000", "0A000")  # no such prepared statement; its plan no longer fits
_DONE = (1, 2)  # libpq's numbers for a command without rows, and for rows
_PLACE = re.compile(r"%\((\w+)\)[sb]")


@cache
def is_available() -> bool:
    """Whether this version of the driver has the protocol layer that is used here, which is not part of its public interface; without it
    single moves take the general path."""
    try:
        generators = import_module("psycopg.generators")
        version = tuple(int(part) for part in import_module("psycopg").__version__.split(".")[:2])
    except (ImportError, ValueError):
        return False
    return version in TRIED and hasattr(generators, "execute")


def numbered(sql: str, names: Sequence[str], types: dict[str, str]) -> bytes:
    """A statement with the driver's named places as PostgreSQL itself numbers them."""

    def place(found: re.Match[str]) -> str:
        kind = types.get(found[1])
        return f"${names.index(found[1]) + 1}" + (f"::{kind}" if kind else "")

    return _PLACE.sub(place, sql).replace("%%", "%").encode()


def execute(bare: Bare, sql: bytes, values: Sequence[bytes | None]) -> Any:
    """The statement's result; prepared once on each connection, and never where a pooler stands in between."""
    line = bare.raw.pgconn
    if bare.raw.prepare_threshold is None:
        line.send_query_params(sql, values)
        return _answer(bare, line)
    name = bare.prepared.get(sql)
    if name is None:
        name = f"interlock_{len(bare.prepared)}".encode()
        line.send_prepare(name, sql)
        _answer(bare, line)
        bare.prepared[sql] = name
    try:
        line.send_query_prepared(name, values)
        return _answer(bare, line)
    except Exception as error:
        if getattr(error, "sqlstate", None) not in _FORGOTTEN:
            raise
    line.send_query_params(sql, values)  # somebody discarded it: nothing was done yet
    return _answer(bare, line)


def _answer(bare: Bare, line: Any) -> Any:
    (result,) = bare.raw.wait(_run()(line))  # as the driver's own cursors wait: Ctrl-C cancels the statement
    if result.status not in _DONE:
        raise _driver().errors.error_from_result(result, bare.raw.info.encoding)
    return result


@cache
def _driver() -> Any:
    """The driver is an extra: without PostgreSQL nobody needs it."""
    return import_module("psycopg")


@cache
def _run() -> Callable[[Any], Any]:
    found: Callable[[Any], Any] = import_module("psycopg.generators").execute
    return found
