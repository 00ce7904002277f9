"""Machines compiled into PostgreSQL: CHECKs on values, row triggers on pairs, statement triggers on history.

All triggers are AFTER: they see the ledger row that the same statement wrote, which BEFORE never does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..guarded import CLOSING, Guarded, either_pair, identifier, one_of, text

_REASON = "EXISTS (SELECT 1 FROM interlock_detail d WHERE d.digest = l.detail AND d.reason <> '')"


def axis_guards(guarded: Guarded) -> list[str]:
    """CHECK and row-level guards of one axis."""
    place, table = guarded.placement, guarded.placement.table_sql
    check = identifier("interlock", place.table.name, place.name, "states")
    trigger = identifier("interlock", place.name, "legal")
    status, version, key = place.status_sql, place.version_sql, place.key_sql
    arguments = ", ".join(text(value) for value in (
        place.kind, place.name, place.axis.key, place.axis.name, place.axis.column_name("version")))
    return [
        f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {check}",
        f"ALTER TABLE {table} ADD CONSTRAINT {check} CHECK {_values(guarded)} NOT VALID",
        f"CREATE OR REPLACE TRIGGER {trigger} AFTER UPDATE ON {table} FOR EACH ROW WHEN ({_illegal(guarded, status, version)}) "
        f"EXECUTE FUNCTION interlock_refuse_move({arguments})",
        f"CREATE OR REPLACE TRIGGER {identifier('interlock', place.name, 'identity')} AFTER UPDATE ON {table} FOR EACH ROW "
        f"WHEN (OLD.{key} IS DISTINCT FROM NEW.{key}{_scope_changed(guarded)}) EXECUTE FUNCTION interlock_refuse_identity()",
    ]


def _values(guarded: Guarded) -> str:
    """Null-safe, for a CHECK passes on null; rows that are not adopted yet may hold anything."""
    legal = one_of(guarded.placement.status_sql, guarded.states)
    named = f"coalesce({legal}, false)"
    return f"({guarded.placement.version_sql} IS NULL OR {named})" if guarded.placement.axis.adoptable else f"({named})"


def _scope_changed(guarded: Guarded) -> str:
    scope = guarded.placement.scope_sql
    return f" OR OLD.{scope} IS DISTINCT FROM NEW.{scope}" if scope else ""


def _illegal(guarded: Guarded, status: str, version: str) -> str:
    old, new = f"OLD.{status}", f"NEW.{status}"
    legal = either_pair(old, new, guarded.pairs("plain", "retry", "operator"))
    stepped = f"NEW.{version} = OLD.{version} + 1 AND ({old} IS NOT DISTINCT FROM {new} OR {legal})"
    adopted = f" OR (OLD.{version} IS NULL AND NEW.{version} = 0)" if guarded.placement.axis.adoptable else ""
    changed = f"{old} IS DISTINCT FROM {new} OR OLD.{version} IS DISTINCT FROM NEW.{version}"
    unmanaged = f" AND NOT (OLD.{version} IS NULL AND NEW.{version} IS NULL)" if guarded.placement.axis.adoptable else ""
    return f"({changed}){unmanaged} AND NOT coalesce(({stepped}){adopted}, false)"


def table_guards(table: str, guards: list[Guarded]) -> list[str]:
    """Statement-level guards of one table, over all axes that live in it."""
    short = guards[0].placement.table.name
    statements = []
    for event, body, tables in (
            ("update", _updated, "OLD TABLE AS before NEW TABLE AS after"), ("insert", _inserted, "NEW TABLE AS after"),
            ("delete", _deleted, "OLD TABLE AS before")):
        function = identifier("interlock", short, event, "guard")
        blocks = "\n".join(body(guarded) for guarded in guards)
        statements.append(f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $body$\n"
                          f"DECLARE bad text;\nBEGIN\n{blocks}\nRETURN NULL;\nEND $body$")
        statements.append(f"CREATE OR REPLACE TRIGGER {identifier('interlock', 'history', event)} AFTER {event.upper()} ON {table} "
                          f"REFERENCING {tables} FOR EACH STATEMENT EXECUTE FUNCTION {function}()")
    statements.append(f"CREATE OR REPLACE TRIGGER interlock_truncate AFTER TRUNCATE ON {table} FOR EACH STATEMENT "
                      "EXECUTE FUNCTION interlock_refuse_change('records leave one by one, each with a closing entry')")
    return statements


def _entry(guarded: Guarded, row: str, version: str, condition: str) -> str:
    """The ledger entry of this row and version says what it must; a scalar subquery, so the plan is always an index lookup."""
    place = guarded.placement
    scope = f"{row}.{place.scope_sql}::text" if place.scope_sql else "''"
    return (f"NOT coalesce((SELECT {condition} FROM interlock_ledger l WHERE l.record_id = {row}.{place.key_sql}::text "
            f"AND l.kind = {text(place.kind)} AND l.axis = {text(place.name)} AND l.scope = {scope} AND l.version = {version}), false)")


def _refusal(guarded: Guarded, source: str, what: str) -> str:
    place = guarded.placement
    message = f"'ILK-213: {place.kind.replace(chr(39), '')} ' || bad || ': {what}'"
    return (f"    SELECT {source} LIMIT 1 INTO bad;\n"
            f"    IF bad IS NOT NULL THEN RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = {message}; END IF;")


def _updated(guarded: Guarded) -> str:
    place = guarded.placement
    n, o = f"n.{place.status_sql}", f"o.{place.status_sql}"
    by_person = either_pair(o, n, guarded.pairs("operator"))
    by_retry = either_pair(o, n, guarded.pairs("retry"))
    person = f"WHEN {by_person} THEN l.origin IN ('operator', 'retry') AND l.role IS NOT NULL AND {_REASON}"
    rights = [person] if by_person != "false" else []
    rights += [f"WHEN {by_retry} THEN l.origin = 'retry'"] if by_retry != "false" else []
    allowed = f"CASE {' '.join(rights)} ELSE true END" if rights else "true"
    condition = (f"l.to_state IS NOT DISTINCT FROM {n} AND l.hash = n.{place.head_sql} "
                 f"AND l.from_state IS NOT DISTINCT FROM {o} AND {allowed}")
    if place.axis.adoptable:
        condition = (f"CASE WHEN o.{place.version_sql} IS NULL THEN l.to_state IS NOT DISTINCT FROM {n} AND l.hash = n.{place.head_sql} "
                     f"AND l.origin = 'backfill' ELSE {condition} END")
    unmanaged = f" AND NOT (o.{place.version_sql} IS NULL AND n.{place.version_sql} IS NULL)" if place.axis.adoptable else ""
    scope = f" AND o.{place.scope_sql} = n.{place.scope_sql}" if place.scope_sql else ""
    changed = " OR ".join(f"n.{column} IS DISTINCT FROM o.{column}" for column in (place.version_sql, place.status_sql, place.head_sql))
    return _refusal(guarded, f"n.{place.key_sql}::text FROM after n JOIN before o ON o.{place.key_sql} = n.{place.key_sql}{scope} "
                    f"WHERE ({changed}){unmanaged} AND {_entry(guarded, 'n', f'n.{place.version_sql}', condition)}",
                    f"{place.name} changed without its own ledger entry")


def _inserted(guarded: Guarded) -> str:
    place = guarded.placement
    status = f"n.{place.status_sql}"
    first = f"({one_of(status, guarded.initials)} OR (l.origin = 'backfill' AND {_REASON}))"
    condition = f"l.to_state IS NOT DISTINCT FROM {status} AND l.hash = n.{place.head_sql} AND l.from_state IS NULL AND {first}"
    entry = _entry(guarded, "n", f"n.{place.version_sql}", condition)
    fresh = f"n.{place.version_sql} IS DISTINCT FROM 0 OR {entry}"
    managed = f"n.{place.version_sql} IS NOT NULL AND " if place.axis.adoptable else ""
    return _refusal(guarded, f"n.{place.key_sql}::text FROM after n WHERE {managed}({fresh})",
                    f"{place.name} must begin in its first state at version 0, with its ledger entry")


def _deleted(guarded: Guarded) -> str:
    place = guarded.placement
    closed = f"l.origin IN ({', '.join(text(origin) for origin in CLOSING)}) AND {_REASON}"
    managed = f"o.{place.version_sql} IS NOT NULL AND " if place.axis.adoptable else ""
    return _refusal(guarded, f"o.{place.key_sql}::text FROM before o WHERE {managed}"
                    f"{_entry(guarded, 'o', f'o.{place.version_sql} + 1', closed)}",
                    f"a record leaves only with a closing entry on {place.name} that has an actor and a reason")


def ledger_guard(axes: Sequence[Mapping[str, Any]]) -> str:
    """The ledger refuses an entry unlike its row; one branch per axis that this database knows."""
    branches = "".join(f"WHEN {text(axis['kind'] + '.' + axis['axis'])} THEN\n{_branch(axis)}\n" for axis in axes)
    known = f"CASE name\n{branches}ELSE bad := 'no workflow is known for this kind and axis';\nEND CASE;" if axes else "bad := 'nothing';"
    return ("CREATE OR REPLACE FUNCTION interlock_ledger_guard() RETURNS trigger LANGUAGE plpgsql AS $body$\n"
            "DECLARE name text; bad text;\nBEGIN\n"
            "FOR name IN SELECT DISTINCT e.kind || '.' || e.axis FROM entries e LOOP\n"
            f"{known}\n"
            "IF bad IS NOT NULL THEN RAISE EXCEPTION USING ERRCODE = 'IL213', "
            "MESSAGE = 'ILK-213: ledger entry of ' || name || ' is unlike its row: ' || bad; END IF;\n"
            "END LOOP;\nRETURN NULL;\nEND $body$")


def _branch(axis: Mapping[str, Any]) -> str:
    scope = f" AND r.{axis['scope_column']}::text = e.scope" if axis["scope_column"] else " AND e.scope = ''"
    row = f"FROM {axis['table_name']} r WHERE r.{axis['key_column']} = e.record_id::{axis['key_type']}{scope}"
    same = (f"r.{axis['version_column']} = e.version AND r.{axis['status_column']} IS NOT DISTINCT FROM e.to_state "
            f"AND r.{axis['head_column']} = e.hash")
    closing = f"e.origin IN ({', '.join(text(origin) for origin in CLOSING)})"
    return (f"SELECT e.record_id || ' version ' || e.version INTO bad FROM entries e "
            f"WHERE e.kind = {text(axis['kind'])} AND e.axis = {text(axis['axis'])} AND "
            f"CASE WHEN {closing} THEN EXISTS (SELECT 1 {row}) ELSE NOT coalesce((SELECT {same} {row}), false) END LIMIT 1;")


def frozen_guard(table_sql: str) -> list[str]:
    """Rows of this table never change once they are written."""
    return [f"CREATE OR REPLACE TRIGGER interlock_frozen AFTER UPDATE OR DELETE OR TRUNCATE ON {table_sql} FOR EACH STATEMENT "
            "EXECUTE FUNCTION interlock_refuse_change('its rows are frozen')"]
