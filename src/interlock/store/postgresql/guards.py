"""Machines compiled into PostgreSQL: CHECKs on values, a row trigger on steps, statement triggers on moves and their history.

All triggers are AFTER: they see the ledger row that the same statement wrote, which BEFORE never does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..guarded import CLOSING, Guarded, either_pair, identifier, one_of, text

_FEW = 5  # each axis in the one statement costs a few microseconds to set up; finding out which are needed costs about five of them
# Not as CHECKs of the table: PostgreSQL compiles those anew for every statement, and this query only once.
_MALFORMED = "e.record_id = '' OR e.actor = '' OR e.version < 0 OR length(e.hash) <> 32"
_REASON = "EXISTS (SELECT 1 FROM interlock_detail d WHERE d.digest = l.detail AND d.reason <> '')"


def axis_guards(guarded: Guarded) -> list[str]:
    """CHECK and row-level guards of one axis."""
    place, table = guarded.placement, guarded.placement.table_sql
    check = identifier("interlock", place.table.name, place.name, "states")
    return [
        f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {check}",
        f"ALTER TABLE {table} ADD CONSTRAINT {check} CHECK {_values(guarded)} NOT VALID",
        *row_guard(guarded),
    ]


def _values(guarded: Guarded) -> str:
    """Null-safe, for a CHECK passes on null; rows that are not adopted yet may hold anything."""
    legal = one_of(guarded.placement.status_sql, guarded.states)
    named = f"coalesce({legal}, false)"
    return f"({guarded.placement.version_sql} IS NULL OR {named})" if guarded.placement.axis.adoptable else f"({named})"


def row_guard(guarded: Guarded) -> list[str]:
    """Rows that changed their id, or whose version was not stepped by one; whether the move is legal, its entry must say.

    The condition is short because PostgreSQL reads and compiles it anew for every statement.
    """
    place = guarded.placement
    key, scope, status, version = place.key_sql, place.scope_sql, place.status_sql, place.version_sql
    moved_away = f"OLD.{key} IS DISTINCT FROM NEW.{key}" + (f" OR OLD.{scope} IS DISTINCT FROM NEW.{scope}" if scope else "")
    changed = f"(OLD.{status} IS DISTINCT FROM NEW.{status} OR OLD.{version} IS DISTINCT FROM NEW.{version})"
    leapt = f"{changed} AND OLD.{version} IS DISTINCT FROM NEW.{version} - 1"
    fixed = text(f"ILK-210: {place.table.name}: the id and scope of a record may not change: its history is kept under them")
    steps = [f"IF {moved_away} THEN {_raise('IL210', fixed)}; END IF;"]
    if place.axis.adoptable:
        need = f"'ILK-213: ' || {_who(guarded, 'NEW')} || {text(f': {place.name} is adopted only by an entry of origin backfill')}"
        backfill = _entry(guarded, "NEW", "0", "l.origin = 'backfill'")
        steps.append(f"IF OLD.{version} IS NULL AND NEW.{version} = 0 THEN\nIF {backfill} THEN {_raise('IL213', need)}; END IF;\n"
                     "RETURN NULL;\nEND IF;")
    steps.append(f"{_raise('IL204', _way(guarded, 'NEW', f'OLD.{status}', f'OLD.{version}::text'))};")
    function = identifier("interlock", place.table.name, place.name, "row_guard")
    body = "\n".join(steps)
    return [
        f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $body$\nBEGIN\n{body}\nEND $body$",
        f"CREATE OR REPLACE TRIGGER {identifier('interlock', place.name, 'legal')} AFTER UPDATE ON {place.table_sql} FOR EACH ROW "
        f"WHEN ({moved_away} OR ({leapt})) EXECUTE FUNCTION {function}()",
    ]


def _raise(code: str, message: str) -> str:
    return f"RAISE EXCEPTION USING ERRCODE = '{code}', MESSAGE = {message}"


def _who(guarded: Guarded, row: str) -> str:
    place = guarded.placement
    scope = f" || ' (' || {row}.{place.scope_sql} || ')'" if place.scope_sql else ""
    return f"{text(place.kind + ' ')} || {row}.{place.key_sql}{scope}"


def _way(guarded: Guarded, row: str, old: str, before: str) -> str:
    """What is said of a move that the machine does not have."""
    place = guarded.placement
    return (f"'ILK-204: ' || {_who(guarded, row)} || {text(f': {place.name} may not go from ')} || coalesce({old}, 'null') || "
            f"' (version ' || coalesce({before}, 'none') || ') to ' || coalesce({row}.{place.status_sql}, 'null') || ' (version ' || "
            f"coalesce({row}.{place.version_sql}::text, 'none') || ')'")


def _lawful(guarded: Guarded) -> str:
    """The entry makes a move that the machine has, and has what moves of its kind need: a retry's origin, an operator's role and reason."""
    old, new = "l.from_state", "l.to_state"
    cases = [f"WHEN l.version = 0 OR {old} IS NOT DISTINCT FROM {new} OR l.origin = 'migration' THEN true"]
    if (by_person := either_pair(old, new, guarded.pairs("operator"))) != "false":
        cases.append(f"WHEN {by_person} THEN l.origin IN ('operator', 'retry') AND l.role IS NOT NULL AND {_REASON}")
    if (by_retry := either_pair(old, new, guarded.pairs("retry"))) != "false":
        cases.append(f"WHEN {by_retry} THEN l.origin = 'retry'")
    return f"CASE {' '.join(cases)} ELSE {either_pair(old, new, guarded.pairs('plain'))} END"


def table_guards(table: str, guards: list[Guarded]) -> list[str]:
    """Statement-level guards of one table, over all axes that live in it."""
    short = guards[0].placement.table.fullname
    statements = []
    for event, body, tables in (
            ("update", _updated, "NEW TABLE AS after"), ("insert", _inserted, "NEW TABLE AS after"),
            ("delete", _deleted, "OLD TABLE AS before")):
        function = identifier("interlock", short, event, "guard")
        blocks = "\n".join(body(guarded) for guarded in guards)
        statements.append(f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $body$\n"
                          f"DECLARE bad text; why text;\nBEGIN\n{blocks}\nRETURN NULL;\nEND $body$")
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
    """Whatever an UPDATE left behind has the entry of its version: a lawful one that follows from the entry before it.

    Rows that did not move have theirs too, so the old rows need not be looked at, and no join is needed.
    """
    place = guarded.placement
    key, status, version = place.key_sql, place.status_sql, place.version_sql
    previous = ("(SELECT p.to_state FROM interlock_ledger p WHERE p.record_id = l.record_id AND p.kind = l.kind AND p.axis = l.axis "
                "AND p.scope = l.scope AND p.version = l.version - 1)")
    follows = f"(l.version = 0 OR l.from_state IS NOT DISTINCT FROM {previous})"
    condition = f"l.to_state IS NOT DISTINCT FROM n.{status} AND l.hash = n.{place.head_sql} AND {follows} AND {_lawful(guarded)}"
    managed = f"n.{version} IS NOT NULL AND " if place.axis.adoptable else ""
    scope = f"n.{place.scope_sql}::text" if place.scope_sql else "''"
    legal = either_pair("p.to_state", f"n.{status}", guarded.pairs("plain", "retry", "operator"))
    illegal = f"p.to_state IS DISTINCT FROM n.{status} AND NOT coalesce({legal}, false)"
    what = f": {place.name} changed without its own ledger entry, or that lacks the origin, role and reason which this move needs"
    said = f"{text(f'ILK-213: {place.kind} ')} || bad || {text(what)}"
    return (f"    SELECT n.{key}::text INTO bad FROM after n WHERE {managed}{_entry(guarded, 'n', f'n.{version}', condition)} LIMIT 1;\n"
            "    IF bad IS NOT NULL THEN\n"
            f"        SELECT {_way(guarded, 'n', 'p.to_state', 'p.version::text')} INTO why FROM after n JOIN interlock_ledger p "
            f"ON p.record_id = n.{key}::text AND p.kind = {text(place.kind)} AND p.axis = {text(place.name)} AND p.scope = {scope} "
            f"AND p.version = n.{version} - 1 WHERE n.{key}::text = bad AND {illegal} LIMIT 1;\n"
            f"        IF why IS NOT NULL THEN {_raise('IL204', 'why')}; END IF;\n"
            f"        {_raise('IL213', said)};\n"
            "    END IF;")


def _inserted(guarded: Guarded) -> str:
    place = guarded.placement
    status = f"n.{place.status_sql}"
    first = f"({one_of(status, guarded.initials)} OR (l.origin = 'backfill' AND {_REASON}))"
    condition = f"l.to_state IS NOT DISTINCT FROM {status} AND l.hash = n.{place.head_sql} AND l.from_state IS NULL AND {first}"
    entry = _entry(guarded, "n", f"n.{place.version_sql}", condition)
    unmoved = _entry(guarded, "n", "1", "true")  # an erased record never begins a second time
    fresh = f"n.{place.version_sql} IS DISTINCT FROM 0 OR {entry} OR NOT ({unmoved})"
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
    """The ledger refuses an entry unlike its row: at once for a few axes; of many, those that the statement's entries belong to."""
    refuse = ("IF bad IS NOT NULL THEN RAISE EXCEPTION USING ERRCODE = 'IL213', "
              "MESSAGE = 'ILK-213: ledger entry is unlike its row: ' || bad; END IF;\n")
    if len(axes) <= _FEW:
        body = f"{_unlike(axes)}{refuse}"
    else:
        branches = "".join(f"WHEN {text(_name(axis))} THEN\n{_unlike([axis], named=True)}" for axis in axes)
        body = ("FOR name IN SELECT DISTINCT e.kind || '.' || e.axis FROM entries e LOOP\n"
                f"CASE name\n{branches}ELSE bad := name || ', which no workflow has';\nEND CASE;\n{refuse}END LOOP;\n")
    return ("CREATE OR REPLACE FUNCTION interlock_ledger_guard() RETURNS trigger LANGUAGE plpgsql AS $body$\n"
            f"DECLARE name text; bad text;\nBEGIN\n{body}RETURN NULL;\nEND $body$")


def _name(axis: Mapping[str, Any]) -> str:
    return f"{axis['kind']}.{axis['axis']}"


def _unlike(axes: Sequence[Mapping[str, Any]], *, named: bool = False) -> str:
    """Finds an entry whose row does not say the same; a closing entry has no row, but an open entry before it."""
    closing = f"IN ({', '.join(text(origin) for origin in CLOSING)})"
    before = ("EXISTS (SELECT 1 FROM interlock_ledger p WHERE p.record_id = e.record_id AND p.kind = e.kind AND p.axis = e.axis "
              "AND p.scope = e.scope AND p.version = e.version - 1 AND p.to_state IS NOT DISTINCT FROM e.from_state "
              f"AND NOT p.origin {closing})")
    rows = " ".join(f"WHEN {text(_name(axis))} THEN ({_row(axis)})" for axis in axes)
    like = f"CASE e.kind || '.' || e.axis {rows} ELSE false END" if axes else "false"
    mine = f" AND e.kind || '.' || e.axis = {text(_name(axes[0]))}" if named else ""
    return (f"SELECT e.kind || '.' || e.axis || ' ' || e.record_id || ' version ' || e.version INTO bad FROM entries e "
            f"WHERE ({_MALFORMED} OR NOT coalesce({like}, e.origin {closing} AND {before})){mine} LIMIT 1;\n")


def _row(axis: Mapping[str, Any]) -> str:
    scope = f" AND r.{axis['scope_column']}::text = e.scope" if axis["scope_column"] else " AND e.scope = ''"
    key = f'(e.record_id COLLATE "default")::{axis["key_type"]}'  # under its own collation, "C", the record table's index could not serve
    return (f"SELECT r.{axis['version_column']} = e.version AND r.{axis['status_column']} IS NOT DISTINCT FROM e.to_state "
            f"AND r.{axis['head_column']} = e.hash FROM {axis['table_name']} r WHERE r.{axis['key_column']} = {key}{scope}")


def frozen_guard(table_sql: str) -> list[str]:
    """Rows of this table never change once they are written."""
    return [f"CREATE OR REPLACE TRIGGER interlock_frozen AFTER UPDATE OR DELETE OR TRUNCATE ON {table_sql} FOR EACH STATEMENT "
            "EXECUTE FUNCTION interlock_refuse_change('its rows are frozen')"]
