"""Verifies rows: status, version and head of each equal the tail of its history, and every open history has its row."""

from __future__ import annotations

from sqlalchemy import Connection, text

from ..engines import sql_of
from ..finding import Finding
from ..guarded import CLOSING
from ..placement import Placement

_CLOSED = ", ".join(f"'{origin}'" for origin in CLOSING)


def verify_rows(tx: Connection, place: Placement, record_id: str | None = None) -> list[Finding]:
    """What is wrong with the rows of one axis, or with those of one record."""
    return [finding for asked in questions(place, record_id) for finding in answers(tx, *asked)]


def questions(place: Placement, record_id: str | None = None) -> list[tuple[str, dict[str, str], str]]:
    """Two queries with their values and what they find, as plain text that another process can ask."""
    values = {"kind": place.kind, "axis": place.name, **({"id": record_id} if record_id is not None else {})}
    return [
        (_unlike_its_tail(place, record_id), values, "the row does not equal the tail of its history"),
        (_without_a_row(place, record_id), values, "history without a row"),
    ]


def answers(tx: Connection, sql: str, values: dict[str, str], problem: str) -> list[Finding]:
    return [
        Finding("I2", values["kind"], row.id, values["axis"], row.scope, row.version, problem)
        for row in tx.execute(text(sql), values)
    ]


def _scope(place: Placement) -> str:
    return f"CAST(r.{place.scope_sql} AS text)" if place.scope_sql else "''"


def _keyed(place: Placement, id: str) -> str:
    return sql_of(place.dialect).history.keyed(f"r.{place.key_sql}", place.key_type, id)


def _unlike_its_tail(place: Placement, record_id: str | None) -> str:
    scope, same = _scope(place), sql_of(place.dialect).same
    one = f" AND {_keyed(place, ':id')}CAST(r.{place.key_sql} AS text) = :id" if record_id is not None else ""
    history = (
        f"record_id = CAST(r.{place.key_sql} AS text) AND kind = :kind AND axis = :axis AND scope = {scope}"
    )
    strayed = (  # a write past Interlock that has no entry yet is known
        f" AND NOT EXISTS (SELECT 1 FROM interlock_stray s WHERE s.kind = :kind AND s.axis = :axis "
        f"AND s.record_id = CAST(r.{place.key_sql} AS text) AND s.scope = {scope} AND s.version IS NULL)"
        if place.axis.adopt is not None
        else ""
    )
    return (
        f"SELECT CAST(r.{place.key_sql} AS text) AS id, {scope} AS scope, r.{place.version_sql} AS version FROM {place.table_sql} r "
        f"WHERE r.{place.version_sql} IS NOT NULL{one}{strayed} AND NOT coalesce(EXISTS (SELECT 1 FROM interlock_ledger WHERE {history} "
        f"AND version = r.{place.version_sql} AND to_state {same} r.{place.status_sql} AND hash = r.{place.head_sql}) "
        f"AND r.{place.version_sql} = (SELECT max(version) FROM interlock_ledger WHERE {history}), false)"
    )


def _without_a_row(place: Placement, record_id: str | None) -> str:
    found = f"SELECT 1 FROM {place.table_sql} r WHERE {_keyed(place, 'l.record_id')}CAST(r.{place.key_sql} AS text) = l.record_id"
    found += f" AND {_scope(place)} = l.scope" if place.scope_sql else ""
    own = " AND l.record_id = :id" if record_id is not None else ""
    removed = (  # a removal past Interlock that has no entry yet is known
        " AND NOT EXISTS (SELECT 1 FROM interlock_stray s WHERE s.kind = :kind AND s.axis = :axis AND s.record_id = l.record_id "
        "AND s.scope = l.scope AND s.removed = 1 AND s.version IS NULL)"
        if place.axis.adopt is not None
        else ""
    )
    return (
        f"SELECT l.record_id AS id, l.scope AS scope, max(l.version) AS version FROM interlock_ledger l WHERE l.kind = :kind "
        f"AND l.axis = :axis{own} AND NOT EXISTS ({found}){removed} GROUP BY l.record_id, l.scope "
        f"HAVING sum(CASE WHEN l.origin IN ({_CLOSED}) THEN 1 ELSE 0 END) = 0"
    )
