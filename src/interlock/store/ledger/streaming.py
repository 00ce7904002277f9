"""Reads many rows as the driver gives them, in batches: for walks over the whole ledger, where every layer in between is too dear."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection

from ..engines import sql_of


def begun(tx: Connection) -> Connection:
    """The driver is used directly below: the snapshot must have begun before."""
    if not tx.in_transaction():
        tx.begin()
    return tx


def batches(tx: Connection, sql: str, values: Mapping[str, Any]) -> Iterator[list[tuple[Any, ...]]]:
    """The rows of a query, some thousands at a time; named values are marked `:name`."""
    yield from sql_of(tx.dialect).history.stream(begun(tx), sql, values)
