"""Reads the ledger: the history of one record, and everything in the order it was committed. Never writes."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, literal, select

from ...errors import BadInput
from ...machine import State
from ...workflow import Move
from ...workflow.columns.instant import UNREADABLE
from ..connect import Database
from ..guarded import APPLIER
from ..tables import detail, ledger

log = logging.getLogger("interlock.ledger")
READ_OF_UNREADABLE = 200

_COLUMNS = [
    ledger.c[name]
    for name in (
        "position",
        "kind",
        "record_id",
        "axis",
        "scope",
        "version",
        "from_state",
        "to_state",
        "at",
        "actor",
        "role",
        "cause",
        "origin",
        "machine",
        "token",
        "detail",
        "hash",
    )
]


@dataclass(frozen=True, slots=True, order=True)
class Cursor:
    """A place in commit order: the writing transaction, then the position within it."""

    transaction: int = 0
    position: int = 0

    def __str__(self) -> str:
        return f"{self.transaction}.{self.position}"

    @classmethod
    def parse(cls, written: str) -> Cursor:
        transaction, _, position = written.partition(".")
        digits = all(
            part.isascii() and part.isdigit() and len(part) <= 18 for part in (transaction, position)
        )
        if not digits:
            raise BadInput(
                f"{written!r} is not a cursor",
                hint="A cursor looks like 0.1500; every entry of a tail carries one.",
            )
        return cls(int(transaction), int(position))


def entries() -> Select[Any]:
    """Entries with their detail, where it was not erased."""
    return select(*_COLUMNS, detail.c.reason, detail.c.facts).select_from(
        ledger.outerjoin(detail, detail.c.digest == ledger.c.detail)
    )


def as_move(row: Any, id: Any = None) -> Move:
    """A stored entry as the value people get; one whose instant cannot be read is reported, and hides no others."""
    if row.at == UNREADABLE:
        log.warning(
            "%s %s %s version %s: its instant cannot be read; `interlock check` locates what is wrong",
            row.kind,
            row.record_id,
            row.axis,
            row.version,
        )
    return Move(
        kind=row.kind,
        id=row.record_id if id is None else id,
        axis=row.axis,
        scope=row.scope or None,
        version=row.version,
        old=row.from_state,
        new=row.to_state,
        actor=row.actor,
        role=row.role,
        reason=row.reason,
        cause=row.cause,
        facts=_facts_of(row),
        at=row.at,
        origin=row.origin,
    )


def _facts_of(row: Any) -> dict[str, Any]:
    """The facts of a stored entry; those that cannot be read are reported, and hide no others."""
    try:
        found = json.loads(row.facts) if row.facts else {}
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return found
    log.warning(
        "%s %s %s version %s: its facts cannot be read", row.kind, row.record_id, row.axis, row.version
    )
    return {"unreadable": row.facts[:READ_OF_UNREADABLE]}


def hashes(tx: Connection, kind: str, record_id: str) -> dict[tuple[str, str | None, int], str]:
    """The hash of every entry of one record, in hexadecimal, by axis, scope and version."""
    asked = select(ledger.c.axis, ledger.c.scope, ledger.c.version, ledger.c.hash)
    rows = tx.execute(asked.where(ledger.c.kind == kind, ledger.c.record_id == record_id))
    return {(row.axis, row.scope or None, row.version): bytes(row.hash).hex() for row in rows}


def history(
    tx: Connection, kind: str, record_id: str, axis: str | None = None, scope: str | None = None
) -> list[Move]:
    """Every move of one record, oldest first."""
    asked = entries().where(ledger.c.kind == kind, ledger.c.record_id == record_id)
    if axis is not None:
        asked = asked.where(ledger.c.axis == axis)
    if scope is not None:
        asked = asked.where(ledger.c.scope == scope)
    return [
        as_move(row) for row in tx.execute(asked.order_by(ledger.c.position))
    ]  # two processes may ask their clocks in another order


def last(tx: Connection, kind: str, record_id: str, axis: str, scope: str) -> Move | None:
    """The newest entry of one axis: who moved it last."""
    asked = entries().where(
        ledger.c.record_id == record_id, ledger.c.kind == kind, ledger.c.axis == axis, ledger.c.scope == scope
    )
    row = tx.execute(asked.order_by(ledger.c.version.desc()).limit(1)).first()
    return None if row is None else as_move(row)


def holds_token(tx: Connection, kind: str, record_id: str, axis: str, scope: str, token: str) -> bool:
    """Whether a report of this attempt has been applied."""
    asked = select(literal(1)).where(
        ledger.c.record_id == record_id,
        ledger.c.kind == kind,
        ledger.c.axis == axis,
        ledger.c.scope == scope,
        ledger.c.token == token,
    )
    return tx.execute(asked.limit(1)).first() is not None


def unmoved(
    tx: Connection, kind: str, axis: str, scope: str, since: Mapping[str, int]
) -> dict[str, tuple[State, int]]:
    """State and version of the records that a coordinator began to work on at these versions, and that nothing has moved since. What was
    amended meanwhile was not moved."""
    if not since:
        return {}
    asked = select(
        ledger.c.record_id, ledger.c.version, ledger.c.from_state, ledger.c.to_state, ledger.c.actor
    ).where(
        ledger.c.record_id.in_(sorted(since)),
        ledger.c.kind == kind,
        ledger.c.axis == axis,
        ledger.c.scope == scope,
        ledger.c.version >= min(since.values()),
    )
    found: dict[str, tuple[State, int]] = {}
    for row in tx.execute(asked.order_by(ledger.c.record_id, ledger.c.version)):
        begins = row.version == since[row.record_id] and row.actor == APPLIER
        amends = row.record_id in found and row.from_state == row.to_state and row.actor != APPLIER
        if begins or amends:
            found[row.record_id] = (row.to_state, row.version)
        else:
            found.pop(row.record_id, None)
    return found


def tail(
    database: Database, tx: Connection, after: Cursor, limit: int = 100, kind: str | None = None
) -> list[tuple[Cursor, Move]]:
    """Entries after a cursor in commit order: none is skipped, none comes twice, however late its transaction commits."""
    asked = entries()
    if kind is not None:
        asked = asked.where(ledger.c.kind == kind)
    rows = database.sql.history.tail(tx, asked, after.transaction, after.position, limit)
    return [(Cursor(transaction, row.position), as_move(row)) for transaction, row in rows]


def newest(
    database: Database, tx: Connection, count: int, kind: str | None = None, before: Cursor | None = None
) -> list[tuple[Cursor, Move]]:
    """The last entries that were committed, or the last ones before a cursor; oldest of them first."""
    asked = entries()
    if kind is not None:
        asked = asked.where(ledger.c.kind == kind)
    place = None if before is None else (before.transaction, before.position)
    rows = database.sql.history.newest(tx, asked, count, place)
    return [(Cursor(transaction, row.position), as_move(row)) for transaction, row in reversed(rows)]
