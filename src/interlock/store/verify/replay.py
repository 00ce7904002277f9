"""Replays the ledger against the tables: every row is computed anew from its entries alone, hashes included, and compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from ...errors import state_text
from ..adoption.strays import open_strays
from ..engines import sql_of
from ..entry import GENESIS
from ..finding import Finding
from ..guarded import CLOSING
from ..ledger.streaming import batches
from ..placement import Placement
from ..records.known_machines import Known
from ..tables import stray
from .chains import ID, NEW, ORIGIN, SCOPE, SHAPE, VERSION, Shapes, entry_hash

_ENTRIES = """SELECT l.kind, l.axis, l.scope, l.from_state, l.to_state, l.actor, l.role, l.cause, l.origin, l.machine, l.record_id,
l.version, {at}, l.token, l.detail FROM interlock_ledger l
WHERE l.kind = :kind AND l.axis = :axis{one} ORDER BY l.record_id, l.scope, l.version"""
Key = tuple[str, str]


@dataclass(slots=True)
class Position:
    """Where a record is, by its history or by its row."""

    key: Key
    state: str | None
    version: int
    head: bytes
    closed: bool = False

    def words(self) -> str:
        return "closed" if self.closed else f"{state_text(self.state)} at version {self.version}"


def replay(tx: Connection, place: Placement, record_id: str | None = None) -> list[Finding]:
    """Both sides come sorted by id and scope and are merged: memory stays flat however many there are."""
    history, rows = replayed(tx, place, record_id), read_positions(tx, place, record_id)
    one, other = next(history, None), next(rows, None)
    found = []
    while one is not None or other is not None:
        if other is None or (one is not None and one.key < other.key):
            assert one is not None
            if not one.closed:
                found.append(_finding(place, one, f"replayed it is {one.words()}; there is no row"))
            one = next(history, None)
        elif one is None or other.key < one.key:
            found.append(_finding(place, other, f"the row says {other.words()}; there is no history"))
            other = next(rows, None)
        else:
            found += _compared(place, one, other)
            one, other = next(history, None), next(rows, None)
    return found if place.axis.adopt is None or not found else _without_strays(tx, place, found)


def _without_strays(tx: Connection, place: Placement, found: list[Finding]) -> list[Finding]:
    """Findings but those of records with a write past Interlock that has no entry yet: that is known."""
    strayed = {
        tuple(row) for row in tx.execute(select(stray.c.record_id, stray.c.scope).where(*open_strays(place)))
    }
    return [one for one in found if (one.id, one.scope) not in strayed]


def _compared(place: Placement, told: Position, row: Position) -> list[Finding]:
    if (told.state, told.version, told.closed) != (row.state, row.version, False):
        return [_finding(place, row, f"replayed it is {told.words()}; the row says {row.words()}")]
    return [_finding(place, row, "replayed its head is another one")] if told.head != row.head else []


def _finding(place: Placement, told: Position, problem: str) -> Finding:
    return Finding("replay", place.kind, told.key[0], place.name, told.key[1], told.version, problem)


def replayed(tx: Connection, place: Placement, record_id: str | None) -> Iterator[Position]:
    """Each record of the axis, as its entries make it from nothing; the stored hashes are not asked."""
    sql = _ENTRIES.format(
        at=sql_of(tx.dialect).history.instant("l"), one="" if record_id is None else " AND l.record_id = :id"
    )
    shapes, told = Shapes(Known()), None
    for rows in batches(tx, sql, _values(place, record_id)):
        for row in rows:
            key = (row[ID], row[SCOPE])
            if told is None or told.key != key:
                if told is not None:
                    yield told
                told = Position(key, None, -1, GENESIS)
            told = Position(
                key,
                row[NEW],
                row[VERSION],
                entry_hash(told.head, shapes[row[SHAPE]], row),
                row[ORIGIN] in CLOSING,
            )
    if told is not None:
        yield told


def read_positions(tx: Connection, place: Placement, record_id: str | None) -> Iterator[Position]:
    """The rows of the axis, in the order in which the ledger sorts them."""
    text = sql_of(tx.dialect).history.sorted_text
    key = text(f"r.{place.key_sql}")
    scope = text(f"r.{place.scope_sql}") if place.scope_sql else "''"
    one = "" if record_id is None else f" AND {key} = :id"
    sql = (
        f"SELECT {key}, {scope}, {text(f'r.{place.status_sql}')}, r.{place.version_sql}, r.{place.head_sql} "
        f"FROM {place.table_sql} r WHERE r.{place.version_sql} IS NOT NULL{one} ORDER BY 1, 2"
    )
    values = {} if record_id is None else {"id": record_id}
    for rows in batches(tx, sql, values):
        for id, named, state, version, head in rows:
            yield Position((id, named), state, version, b"" if head is None else bytes(head))


def _values(place: Placement, record_id: str | None) -> dict[str, Any]:
    return {"kind": place.kind, "axis": place.name, **({} if record_id is None else {"id": record_id})}
