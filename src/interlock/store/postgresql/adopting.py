"""Adopts rows on PostgreSQL: one statement sets the state, the first version and the head of all rows alike; triggers write the entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

from ..connect import driver_connection
from ..contract import AdoptedRows
from ..entry import GENESIS, chain
from ..placement import Placement
from ..sql import driver_literal as literal
from .moves.move_context import context_parameters, move_context, sets_context
from .moves.parameters import array, interval


def adopt(tx: Connection, rows: AdoptedRows) -> int:
    """Give the rows their first entry; how many still had none."""
    place, write = rows.place, rows.template.writer("")
    parameters: dict[str, Any] = {
        "keys": array(rows.keys),
        "at": rows.at,
        "clock": rows.clock,
        "heads": b"".join([chain(GENESIS, write(str(key), 0, None, None)) for key in rows.keys]),
        **context_parameters(0, move_context(rows.template)),
    }
    for column, value in rows.constants.items():
        parameters[f"c_{column}"] = None if value is None else place.bind_value(column, value)
    changes = [
        f"{place.status_sql} = {literal(rows.template.new)}",
        f"{place.version_sql} = 0",
        f"{place.head_sql} = substring(%(heads)b::bytea FROM (a.n * 32 - 31)::int FOR 32)",
        *(f"{place.quote(column)} = %(at)s" for column in rows.now),
        *(f"{place.quote(column)} = %(c_{column})s" for column in rows.constants),
        *(
            f"{place.quote(column)} = coalesce(%(clock)s::timestamptz, statement_timestamp()) + {interval(length)}"
            for column, length in rows.later
        ),
        *(f"{place.quote(column)} = ({sql})" for column, sql in rows.expressions.items()),
    ]
    done = driver_connection(tx).execute(
        f"UPDATE {place.table_sql} SET {', '.join(changes)} FROM unnest(%(keys)s::{place.key_type}[]) WITH ORDINALITY AS a(key, n) "
        f"WHERE {place.qualified(place.key_sql)} = a.key AND {place.qualified(place.version_sql)} IS NULL AND {sets_context([place])}",
        parameters,
    )
    return int(done.rowcount)


def begin_following(tx: Connection, place: Placement, switch: Callable[[], None]) -> None:
    """What was written while the guard only took notes is set back to where history ends, and once more to what was written, which the
    guard that follows turns into an entry of whoever changes the phase."""
    if place.scope_sql:
        return switch()
    connection = driver_connection(tx)
    mine = f"s.kind = {literal(place.kind)} AND s.axis = {literal(place.name)} AND s.version IS NULL"
    tail = (
        f"(SELECT l.to_state FROM interlock_ledger l WHERE l.record_id = t.{place.key_sql}::text AND l.kind = {literal(place.kind)} "
        f"AND l.axis = {literal(place.name)} AND l.scope = '' AND l.version = t.{place.version_sql})"
    )
    kind = place.type_of(place.axis.name)
    # Until then somebody may be taking notes. The same lock that the guards need: two steps to it could wait for each other with a writer.
    connection.execute(f"LOCK TABLE {place.table_sql} IN ACCESS EXCLUSIVE MODE")
    # By the notes, not by the rows: every writer waits meanwhile.
    noted = f"ARRAY(SELECT DISTINCT s.record_id::{place.key_type} FROM interlock_stray s WHERE {mine})"
    rows = connection.execute(
        f"SELECT t.{place.key_sql}, t.{place.status_sql}::text FROM {place.table_sql} t WHERE t.{place.version_sql} IS NOT NULL "
        f"AND t.{place.key_sql} = ANY({noted})"
    ).fetchall()
    keys, values = array([row[0] for row in rows]), [row[1] for row in rows]
    connection.execute(
        f"UPDATE {place.table_sql} t SET {place.status_sql} = {tail}::{kind} WHERE t.{place.key_sql} = ANY(%(keys)s::{place.key_type}[])",
        {"keys": keys},
    )
    connection.execute(f"DELETE FROM interlock_stray s WHERE {mine}")
    switch()
    connection.execute(
        f"UPDATE {place.table_sql} t SET {place.status_sql} = a.value::{kind} FROM unnest(%(keys)s::{place.key_type}[], "
        f"%(values)s::text[]) a(key, value) WHERE t.{place.key_sql} = a.key",
        {"keys": keys, "values": values},
    )
    return None
