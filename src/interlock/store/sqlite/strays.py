"""Writes past Interlock on SQLite: a foreign connection cannot hash, so its trigger takes a note, and the engine writes the entry before
anything else happens to the record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, select

from ...machine import State
from ...workflow.adopt import began, match_value
from ..connect import driver_connection
from ..engines import sql_of
from ..entry import Detail, EntryTemplate, canonical_facts, chain, make_detail
from ..guarded import LEGACY
from ..legacy import REASON, legacy_detail
from ..placement import Placement
from ..strays import open_strays
from ..tables import ledger, stray
from .entries import DELTA, DETAIL, write_entries

BATCH = 500


def follow_strays(tx: Connection, place: Placement, keys: Sequence[Any] | None = None) -> int:
    """Write the entries of these records' strays, oldest first, or of a batch of all; how many."""
    axis, id = place.axis, place.table.c[place.axis.key]
    among = sql_of(tx.dialect).column_among
    open_ = select(
        stray.c.position, stray.c.record_id, stray.c.from_state, stray.c.to_state, stray.c.at, stray.c.actor
    )
    open_ = open_.where(*open_strays(place)).order_by(stray.c.position)
    if keys is not None:
        open_ = open_.where(among(stray.c.record_id, [str(key) for key in keys]))
    rows = tx.execute(open_.limit(BATCH)).all()
    if not rows:
        return 0
    ids = [place.check_id(name) for name in dict.fromkeys(row.record_id for row in rows)]
    there = {
        str(place.key_bind(row[0])): row
        for row in tx.execute(
            select(id, axis.column("version"), axis.column("head")).where(
                among(id, [place.key_bind(one) for one in ids])
            )
        )
    }
    states: dict[str, State] = {}
    versions: dict[str, tuple[int, bytes]] = {}
    followed = 0
    for row in rows:
        found = there.get(row.record_id)
        if found is None or found[1] is None:  # its record is gone, and so is the write
            tx.execute(delete(stray).where(stray.c.position == row.position))
            continue
        known, state = match_value(axis, row.to_state)
        new = state if known else row.to_state
        old = states.get(row.record_id, _tail(tx, place, row.record_id, found[1]))
        version, head = versions.get(row.record_id, (found[1], bytes(found[2])))
        template = _template(place, old, new, row)
        versions[row.record_id] = (
            version + 1,
            _write(
                tx,
                place,
                template,
                place.key_bind(found[0]),
                version + 1,
                head,
                (row.from_state, row.to_state),
            ),
        )
        states[row.record_id] = new
        followed += 1
    return followed


def _tail(tx: Connection, place: Placement, record_id: str, version: int) -> State:
    """The state that the record's history ends in."""
    asked = select(ledger.c.to_state).where(
        ledger.c.record_id == record_id,
        ledger.c.kind == place.kind,
        ledger.c.axis == place.name,
        ledger.c.scope == "",
        ledger.c.version == version,
    )
    found: State = tx.execute(asked).scalar()
    return found


def _template(place: Placement, old: State, new: State, row: Any) -> EntryTemplate:
    assert place.axis.adopt is not None
    kept: Detail | None = legacy_detail(place)
    if new != row.to_state:
        kept = make_detail(REASON, canonical_facts({"raw": row.to_state}))
    return EntryTemplate(
        place.kind,
        place.name,
        old,
        new,
        row.at,
        row.actor,
        None,
        place.axis.adopt.legacy_cause,
        LEGACY,
        place.axis.machine.fingerprint[:16],
        kept,
    )


def _write(
    tx: Connection,
    place: Placement,
    template: EntryTemplate,
    key: Any,
    version: int,
    head: bytes,
    raw: tuple[State, State],
) -> bytes:
    """Write the entry of a write past Interlock; the ledger's trigger steps the row's version. The row's status is there already, and so
    is the counter's: only another spelling of it is counted anew."""
    connection, name = driver_connection(tx), str(key)
    if (one := template.detail) is not None:
        owner = (None, None) if one.shared else (place.kind, name)
        connection.execute(DETAIL, (one.digest, one.salt, one.reason, one.facts, *owner))
    hashed = chain(head, template.writer("")(name, version, None, None))
    write_entries(connection, template, "", [(name, version, None, hashed, None)])
    for spelled, state, sign in ((raw[0], template.old, 1), (raw[1], template.new, -1)):
        if spelled != state:
            connection.execute(DELTA, (place.kind, place.name, "", spelled, sign))
            connection.execute(DELTA, (place.kind, place.name, "", state, -sign))
    if template.new in place.axis.machine.states:
        change = began(place.workflow, place.axis, template.new)
        bound: dict[str, Any] = {column: place.bind_value(column, template.at) for column in change.now}
        bound |= {
            column: None if value is None else place.bind_value(column, value)
            for column, value in change.constants.items()
        }
        bound |= {column: place.bind_value(column, template.at + length) for column, length in change.later}
        changes = ", ".join(f"{place.quote(column)} = ?" for column in bound)
        connection.execute(
            f"UPDATE {place.table_sql} SET {changes} WHERE {place.key_sql} = ?", [*bound.values(), key]
        )
    connection.execute(
        "DELETE FROM interlock_work WHERE kind = ? AND record_id = ? AND axis = ? AND scope = ''",
        (place.kind, name, place.name),
    )
    return hashed
