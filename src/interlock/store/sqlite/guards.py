"""Machines compiled into SQLite.

Row triggers cannot wait for a later statement of the same transaction, so here the ledger entry itself makes the move: a trigger
on the ledger sets status, version and head of the row, or refuses. A row without its entry and an entry without its row are both
impossible, and a hand-typed UPDATE of a status finds no entry and is refused.
"""

from __future__ import annotations

from sqlalchemy import Dialect, Table

from ..guarded import CLOSING, Guarded, either_pair, identifier, one_of, text
from .schema import trigger

_REASON = "EXISTS (SELECT 1 FROM interlock_detail d WHERE d.digest = l.detail AND d.reason <> '')"
_CLOSING = ", ".join(text(origin) for origin in CLOSING)


def axis_guards(guarded: Guarded) -> list[str]:
    """Every trigger of one axis."""
    place = guarded.placement
    name = identifier("interlock", place.table.name, place.name)
    columns = f"{place.status_sql}, {place.version_sql}, {place.head_sql}"
    identity = ", ".join([place.key_sql, *([place.scope_sql] if place.scope_sql else [])])
    changed = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in identity.split(", "))
    return [
        *trigger(f"{name}_history", f"AFTER UPDATE OF {columns} ON {place.table_sql} WHEN {_without_entry(guarded)}",
                 _refuse("213", guarded, f"{place.name} changed without its own ledger entry")),
        # SQLite fires the newest trigger first: an illegal move is told as such, entry or not.
        *trigger(f"{name}_legal", f"AFTER UPDATE OF {columns} ON {place.table_sql} WHEN {_illegal(guarded)}",
                 _refuse("204", guarded, f"{place.name} may not go there, or its version was not stepped by one")),
        *trigger(f"{name}_identity", f"AFTER UPDATE OF {identity} ON {place.table_sql} WHEN {changed}",
                 _refuse("210", guarded, "the id and scope of a record may not change: its history is kept under them")),
        *trigger(f"{name}_insert", f"AFTER INSERT ON {place.table_sql} WHEN {_wrong_start(guarded)}",
                 _refuse("213", guarded, f"{place.name} must begin in its first state at version 0, with its ledger entry")),
        *trigger(f"{name}_delete", f"AFTER DELETE ON {place.table_sql} WHEN {_without_closing(guarded)}",
                 _refuse("213", guarded, f"a record leaves only with a closing entry on {place.name} that has an actor and a reason")),
        *_movers(guarded, name),
    ]


def _refuse(code: str, guarded: Guarded, what: str) -> str:
    said = f"ILK-{code}: {guarded.placement.kind}: {what}".replace("'", "''")
    return f"SELECT RAISE(ABORT, '{said}');"


def _illegal(guarded: Guarded) -> str:
    place = guarded.placement
    old, new = f"OLD.{place.status_sql}", f"NEW.{place.status_sql}"
    before, after = f"OLD.{place.version_sql}", f"NEW.{place.version_sql}"
    legal = either_pair(old, new, guarded.pairs("plain", "retry", "operator"))
    stepped = f"({after} IS {before} + 1 AND ({old} IS {new} OR {legal}))"
    adopted = f" OR ({before} IS NULL AND {after} IS 0)" if place.axis.adoptable else ""
    unmanaged = f" AND NOT ({before} IS NULL AND {after} IS NULL)" if place.axis.adoptable else ""
    planned = _entry(guarded, "NEW", after, "l.origin = 'migration'")  # looked for only where no edge fits
    moved = f"({after} IS {before} + 1 AND {one_of(new, guarded.states)} AND NOT {planned})"
    return (f"({old} IS NOT {new} OR {before} IS NOT {after}){unmanaged} AND NOT coalesce({stepped}{adopted}, 0) "
            f"AND NOT coalesce({moved}, 0)")


def _entry(guarded: Guarded, row: str, version: str, condition: str) -> str:
    place = guarded.placement
    scope = f"{row}.{place.scope_sql}" if place.scope_sql else "''"
    return (f"NOT EXISTS (SELECT 1 FROM interlock_ledger l WHERE l.record_id = CAST({row}.{place.key_sql} AS TEXT) "
            f"AND l.kind = {text(place.kind)} AND l.axis = {text(place.name)} AND l.scope = {scope} AND l.version = {version} "
            f"AND {condition})")


def _without_entry(guarded: Guarded) -> str:
    place = guarded.placement
    old, new = f"OLD.{place.status_sql}", f"NEW.{place.status_sql}"
    by_person = either_pair(old, new, guarded.pairs("operator"))
    by_retry = either_pair(old, new, guarded.pairs("retry"))
    person = f"WHEN {by_person} THEN l.origin IN ('operator', 'retry', 'migration') AND l.role IS NOT NULL AND {_REASON}"
    rights = [person] if by_person != "false" else []
    rights += [f"WHEN {by_retry} THEN l.origin IN ('retry', 'migration')"] if by_retry != "false" else []
    allowed = f"CASE {' '.join(rights)} ELSE 1 END" if rights else "1"
    condition = f"l.to_state IS {new} AND l.hash = NEW.{place.head_sql} AND "
    start = f"l.from_state IS {old} AND {allowed}"
    if place.axis.adoptable:
        start = f"CASE WHEN OLD.{place.version_sql} IS NULL THEN l.origin = 'backfill' ELSE {start} END"
    unmanaged = f" AND NOT (OLD.{place.version_sql} IS NULL AND NEW.{place.version_sql} IS NULL)" if place.axis.adoptable else ""
    changed = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in (place.status_sql, place.version_sql, place.head_sql))
    return f"({changed}){unmanaged} AND {_entry(guarded, 'NEW', f'NEW.{place.version_sql}', condition + start)}"


def _wrong_start(guarded: Guarded) -> str:
    place = guarded.placement
    status = f"NEW.{place.status_sql}"
    first = f"({one_of(status, guarded.initials)} OR (l.origin = 'backfill' AND {_REASON}))"
    entry = _entry(guarded, "NEW", "0", f"l.to_state IS {status} AND l.hash = NEW.{place.head_sql} AND l.from_state IS NULL AND {first}")
    unmoved = _entry(guarded, "NEW", "1", "true")  # REPLACE deletes without firing a trigger: a record never begins a second time
    managed = f"NEW.{place.version_sql} IS NOT NULL AND " if place.axis.adoptable else ""
    return f"{managed}(NEW.{place.version_sql} IS NOT 0 OR {entry} OR NOT {unmoved})"


def _without_closing(guarded: Guarded) -> str:
    place = guarded.placement
    managed = f"OLD.{place.version_sql} IS NOT NULL AND " if place.axis.adoptable else ""
    closed = f"l.origin IN ({_CLOSING}) AND {_REASON}"
    return f"{managed}{_entry(guarded, 'OLD', f'OLD.{place.version_sql} + 1', closed)}"


def _movers(guarded: Guarded, name: str) -> list[str]:
    """Triggers on the ledger that carry out what an entry says, or refuse it as unlike its row."""
    place = guarded.placement
    mine = f"NEW.kind = {text(place.kind)} AND NEW.axis = {text(place.name)}"
    scope = f" AND {place.scope_sql} = NEW.scope" if place.scope_sql else " AND NEW.scope = ''"
    row = f"{place.key_sql} = {_key(guarded)}{scope}"
    like = f"{row} AND {place.version_sql} = NEW.version - 1 AND {place.status_sql} IS NEW.from_state"
    unlike = _refuse("213", guarded, "ledger entry is unlike its row")[:-1] + " WHERE changes() = 0;"
    moved = (f"UPDATE {place.table_sql} SET {place.status_sql} = NEW.to_state, {place.version_sql} = NEW.version, "
             f"{place.head_sql} = NEW.hash WHERE {like};")
    adopted = (f"UPDATE {place.table_sql} SET {place.status_sql} = NEW.to_state, {place.version_sql} = 0, {place.head_sql} = NEW.hash "
               f"WHERE {row} AND {place.version_sql} IS NULL;")
    other = f"NEW.origin NOT IN ({_CLOSING})"
    entry = f"AFTER INSERT ON interlock_ledger WHEN {mine}"
    strange = _refuse("213", guarded, "ledger entry is unlike its row")
    there = f"EXISTS (SELECT 1 FROM {place.table_sql} WHERE {row})"
    statements = trigger(f"{name}_moves", f"{entry} AND NEW.version > 0 AND {other}", f"{moved} {unlike}")
    gone = f"NOT EXISTS (SELECT 1 FROM {place.table_sql} WHERE {like})"
    statements += trigger(f"{name}_closing", f"{entry} AND NOT ({other}) AND {gone}", strange)
    begins = f"{adopted} {unlike}" if place.axis.adoptable else strange
    return statements + trigger(f"{name}_begins", f"{entry} AND NEW.version = 0 AND {there}", begins)


def _key(guarded: Guarded) -> str:
    """The record id as the key column holds it."""
    kind = guarded.placement.key_type.upper()
    return "CAST(NEW.record_id AS INTEGER)" if "INT" in kind else "NEW.record_id"


def known_kinds(known: list[tuple[str, str]]) -> list[str]:
    """The ledger takes no entry of a kind or axis that nobody declared."""
    listed = " OR ".join(f"(NEW.kind = {text(kind)} AND NEW.axis = {text(axis)})" for kind, axis in known) or "0"
    return trigger("interlock_ledger_known", f"BEFORE INSERT ON interlock_ledger WHEN NOT ({listed})",
                   "SELECT RAISE(ABORT, 'ILK-213: ledger entry of a kind and axis that no workflow has');")


def frozen_guard(table: Table, dialect: Dialect) -> list[str]:
    """Rows of this table never change once they are written; REPLACE, which fires no trigger for what it deletes, is caught before it."""
    found = []
    named, quote = dialect.identifier_preparer.format_table(table), dialect.identifier_preparer.quote
    for event in ("UPDATE", "DELETE"):
        found += trigger(identifier("interlock", table.name, "frozen", event.lower()), f"BEFORE {event} ON {named}",
                         f"SELECT RAISE(ABORT, 'ILK-210: {event} of {table.name} is refused: its rows are frozen');")
    same = " AND ".join(f"r.{quote(column.name)} = NEW.{quote(column.name)}" for column in table.primary_key)
    other = " OR ".join(f"r.{quote(column.name)} IS NOT NEW.{quote(column.name)}" for column in table.columns)
    if same:
        found += trigger(identifier("interlock", table.name, "frozen", "replace"), f"BEFORE INSERT ON {named} "
                         f"WHEN EXISTS (SELECT 1 FROM {named} r WHERE {same} AND ({other}))",
                         f"SELECT RAISE(ABORT, 'ILK-210: REPLACE of {table.name} is refused: its rows are frozen');")
    return found
