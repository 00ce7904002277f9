"""A lock on the bytes of one file: whoever erases them and whoever uploads them again take turns."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, literal, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class file_lock(FunctionElement[Any]):  # noqa: N801 - it is called like a function of SQL
    """A lock on a number until the transaction ends; on a database with one writer at a time it is nothing."""

    inherit_cache = True
    name = "file_lock"


@compiles(file_lock)
def _one_writer(element: Any, compiler: Any, **options: Any) -> str:
    return f"({compiler.process(element.clauses, **options)})"


@compiles(file_lock, "postgresql")
def _advisory(element: Any, compiler: Any, **options: Any) -> str:
    return f"pg_advisory_xact_lock({compiler.process(element.clauses, **options)})"


def lock_file(tx: Connection, file_hash: str) -> None:
    """Wait until nobody else creates or erases an upload of these bytes; `tx` is a writing transaction and holds the lock until it ends."""
    number = int(file_hash.removeprefix("sha256:")[:15], 16)
    tx.execute(select(file_lock(literal(number)))).all()
