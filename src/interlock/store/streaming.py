"""Reads many rows as the driver gives them, in batches: for walks over the whole ledger, where every layer in between is too dear."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection

from .connect import driver_connection

BATCH = {"sqlite": 1000, "postgresql": 5000}  # each is a journey to the server
_NAMED = re.compile(r"(?<!:):([a-z_]+)")
_numbers = itertools.count(1)

# Instants come as the text that was hashed, and transactions as plain numbers; SQLite has one writer, so all of its are 0.
INSTANT = {"sqlite": "{0}.at", "postgresql": """to_char({0}.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""}
TRANSACTION = {"sqlite": "0", "postgresql": "{0}.txid::text::bigint"}


def begun(tx: Connection) -> Connection:
    """The driver is used directly below: the snapshot must have begun before."""
    if not tx.in_transaction():
        tx.begin()
    return tx


def batches(tx: Connection, sql: str, values: Mapping[str, Any]) -> Iterator[list[tuple[Any, ...]]]:
    """The rows of a query, some thousands at a time; named values are written `:name`."""
    raw = driver_connection(begun(tx))
    if tx.dialect.name == "sqlite":
        cursor = raw.execute(sql, dict(values))
    else:
        raw.execute("SET LOCAL cursor_tuple_fraction = 1")  # all rows are wanted, so the plan for all of them
        cursor = raw.cursor(f"interlock_stream_{next(_numbers)}", binary=True)
        cursor.execute(_NAMED.sub(r"%(\1)s", sql), dict(values))
    try:
        while rows := cursor.fetchmany(BATCH[tx.dialect.name]):
            yield rows
    finally:
        cursor.close()
