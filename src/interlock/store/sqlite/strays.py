"""Writes past Interlock on SQLite: a foreign connection cannot hash, so its trigger takes a note, and the engine writes the entry before
anything else happens to the record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, delete, select, update

from ...machine import State
from ...workflow.adopt import began, match_value
from ..adoption.legacy import REASON, legacy_detail
from ..adoption.strays import open_strays
from ..connect import driver_connection
from ..engines import sql_of
from ..entry import Detail, EntryTemplate, canonical_facts, chain, make_detail
from ..guarded import LEGACY
from ..placement import Placement
from ..tables import ledger, stray
from .moves.entries import DELTA, DETAIL, write_entries

BATCH = 500


def follow_strays(tx: Connection, place: Placement, keys: Sequence[Any] | None = None) -> int:
    """Write the entries of a batch of these records' strays, oldest first, or of all; how many. None means that no stray is open."""
    among = sql_of(tx.dialect).column_among
    asked = select(stray).where(*open_strays(place)).order_by(stray.c.position).limit(BATCH)
    if keys is not None:
        asked = asked.where(among(stray.c.record_id, [str(key) for key in keys]))
    while rows := tx.execute(asked).all():
        if followed := _follow(tx, place, rows):
            return followed
    return 0


def _follow(tx: Connection, place: Placement, rows: Sequence[Any]) -> int:
    """Write the entries of these strays; how many. Those of records that are gone have none, and are forgotten."""
    live = _live(tx, place, dict.fromkeys(row.record_id for row in rows if not row.removed))
    followed = 0
    for row in rows:
        if row.removed:
            _close(tx, place, row)
            live.pop(row.record_id, None)
        elif (current := live.get(row.record_id)) is None:  # its record is gone, and so is the write
            tx.execute(delete(stray).where(stray.c.position == row.position))
            continue
        else:
            known, state = match_value(place.axis, row.to_state)
            new = state if known else row.to_state
            key, version, head, old = current
            template = _template(place, old, new, row)
            _count_spelling(tx, place, key, row.to_state, new)
            hashed = _write(tx, place, template, key, version + 1, head)
            live[row.record_id] = (key, version + 1, hashed, new)
        followed += 1
    return followed


def _live(tx: Connection, place: Placement, names: Iterable[str]) -> dict[str, tuple[Any, int, bytes, State]]:
    """By the record's name: its key, version and head, and the state that its history ends in; of records that are there."""
    axis, id = place.axis, place.table.c[place.axis.key]
    keys = [place.key_bind(place.check_id(name)) for name in names]
    if not keys:
        return {}
    asked = select(id, axis.column("version"), axis.column("head")).where(
        sql_of(tx.dialect).column_among(id, keys), axis.column("version").is_not(None)
    )
    records = {}
    for one, version, head in tx.execute(asked):
        key = place.key_bind(one)
        records[str(key)] = (key, version, bytes(head), _tail(tx, place, str(key), "", version))
    return records


def _close(tx: Connection, place: Placement, row: Any) -> None:
    """The closing entry of a record that somebody removed; what was written to it before went with it."""
    connection, detail = driver_connection(tx), legacy_detail(place)
    old = _tail(tx, place, row.record_id, row.scope, row.last_version)
    template = replace(_template(place, old, None, row), origin="deletion", detail=detail)
    connection.execute(DETAIL, (detail.digest, detail.salt, detail.reason, detail.facts, None, None))
    version = row.last_version + 1
    hashed = chain(
        bytes.fromhex(row.last_head), template.writer(row.scope)(row.record_id, version, None, None)
    )
    write_entries(connection, template, row.scope, [(row.record_id, version, None, hashed, None)])
    mine = (stray.c.kind == place.kind, stray.c.axis == place.name, stray.c.record_id == row.record_id)
    tx.execute(update(stray).where(stray.c.position == row.position).values(version=version))
    tx.execute(delete(stray).where(*mine, stray.c.version.is_(None), stray.c.position < row.position))


def _tail(tx: Connection, place: Placement, record_id: str, scope: str, version: int) -> State:
    """The state that the record's history ends in."""
    asked = select(ledger.c.to_state).where(
        ledger.c.record_id == record_id,
        ledger.c.kind == place.kind,
        ledger.c.axis == place.name,
        ledger.c.scope == scope,
        ledger.c.version == version,
    )
    state: State = tx.execute(asked).scalar()
    return state


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


def _count_spelling(tx: Connection, place: Placement, key: Any, spelled: State, state: State) -> None:
    """Count the row anew if the entry is about to spell its status otherwise; it does not where somebody has written again. So what is
    counted is what the rows say after every stray, also if the record is removed before the next one has its entry."""
    if spelled == state:
        return
    connection = driver_connection(tx)
    has_it = f"SELECT 1 FROM {place.table_sql} WHERE {place.key_sql} = ? AND {place.status_sql} IS ?"
    if connection.execute(has_it, (key, spelled)).fetchone():
        connection.execute(DELTA, (place.kind, place.name, "", spelled, -1))
        connection.execute(DELTA, (place.kind, place.name, "", state, 1))


def _write(
    tx: Connection,
    place: Placement,
    template: EntryTemplate,
    key: Any,
    version: int,
    head: bytes,
) -> bytes:
    """Write the entry of a write past Interlock; the ledger's trigger steps the row's version, and its status is there already."""
    connection, name = driver_connection(tx), str(key)
    if (one := template.detail) is not None:
        owner = (None, None) if one.shared else (place.kind, name)
        connection.execute(DETAIL, (one.digest, one.salt, one.reason, one.facts, *owner))
    hashed = chain(head, template.writer("")(name, version, None, None))
    write_entries(connection, template, "", [(name, version, None, hashed, None)])
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
