"""Where records were at an instant, from the ledger alone: the last entry before it decides, and a closing entry means gone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from ...workflow import Move
from ..engines import sql_of
from ..guarded import CLOSING
from ..tables import ledger
from .read import as_move, entries

_CLOSED = ", ".join(f"'{origin}'" for origin in CLOSING)


def of_record(tx: Connection, kind: str, record_id: str, at: datetime) -> list[Move]:
    """The entry that put the record where it was, for each axis and scope it was on; none, if it was not there."""
    asked = (
        entries()
        .where(ledger.c.kind == kind, ledger.c.record_id == record_id, ledger.c.at <= at)
        .order_by(ledger.c.version)
    )
    last = {(row.axis, row.scope): row for row in tx.execute(asked)}
    return [as_move(row) for _, row in sorted(last.items()) if row.origin not in CLOSING]


def counts(tx: Connection, at: datetime, kind: str | None = None) -> list[Any]:
    """(kind, axis, scope, state, n) of every record that was there."""
    sql = sql_of(tx.dialect)
    last = sql.history.last_entries.format(kind="" if kind is None else " AND kind = :kind")
    asked = (
        f"SELECT kind, axis, scope, to_state AS state, count(*) AS n FROM ({last}) AS last WHERE origin NOT IN ({_CLOSED}) "
        "GROUP BY kind, axis, scope, to_state ORDER BY kind, axis, scope, to_state"
    )
    values: dict[str, Any] = {"at": sql.bind_instant(at), **({} if kind is None else {"kind": kind})}
    return list(tx.execute(text(asked), values))
