"""Machines compiled into SQLite.

Row triggers cannot wait for a later statement of the same transaction, so here the ledger entry itself makes the move: a trigger
on the ledger sets status, version and head of the row, or refuses. A row without its entry and an entry without its row are both
impossible, and a hand-typed UPDATE of a status finds no entry and is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Dialect

from ....machine import TIMER, State
from ...guarded import APPLIER, CLOSING, LEGACY, MIGRATORS, ORIGINS, PLANNED, FrozenTable, Guarded
from ...placement import Placement
from ...records.plans import PLAN_HASH
from ...sql import identifier, text
from ..moves.entries import key_of
from ..schema import instant_is_odd, trigger
from .replacing import ROW_NUMBERS, hidden_key

_PLANNED = (
    "EXISTS (SELECT 1 FROM interlock_plan p, json_each(p.lines) line WHERE p.kind = NEW.kind AND p.axis = NEW.axis "
    f"AND (NEW.cause IS 'plan.' || p.id OR NEW.cause IS 'adopt.' || substr(p.id, 1, length(p.id) - {PLAN_HASH + 1})) "
    "AND p.origin = NEW.origin AND substr(p.machine, 1, 16) = NEW.machine "
    "AND p.closed_at IS NULL AND (NEW.origin = 'backfill' OR line.value ->> 0 IS NEW.from_state) "
    "AND line.value ->> 1 IS NEW.to_state)"
)
_LEGACY = f"l.origin = '{LEGACY}'"
_BY_TIMER = f"l.origin = 'move' AND l.cause IS {text(TIMER)}"
_REASON = "EXISTS (SELECT 1 FROM interlock_detail d WHERE d.digest = {row}.detail AND d.reason <> '')"


def axis_guards(guarded: Guarded, *, is_first: bool) -> list[str]:
    """Every trigger of one axis; that of the table's first axis keeps the identity of its rows too."""
    place = guarded.placement
    name = identifier("interlock", place.table.name, place.name)
    return [
        *_dropped(f"{name}_history", f"{name}_legal", f"{name}_identity"),
        *_update_guard(guarded, name, is_first=is_first),
        *trigger(
            f"{name}_insert",
            f"AFTER INSERT ON {place.table_sql} WHEN {_wrong_start(guarded)}",
            _refuse(
                "213",
                guarded,
                f"{place.name} must begin in its first state at version 0, with its ledger entry; use app.admit()",
            ),
        ),
        *trigger(
            f"{name}_delete",
            f"AFTER DELETE ON {place.table_sql} WHEN {_without_closing(guarded)}",
            _removed(guarded)
            if guarded.lets_rows_go
            else _refuse(
                "213",
                guarded,
                f"rows cannot be deleted directly; use app.delete(), which closes {place.name} with an actor and a reason",
            ),
        ),
        *_movers(guarded, name),
    ]


def _update_guard(guarded: Guarded, name: str, *, is_first: bool) -> list[str]:
    """One trigger, for each that an UPDATE calls costs half a microsecond; so an UPDATE of other columns calls none. Whoever sets rowid,
    oid or _rowid_ may change a key, and names none of its columns: SQLite goes by the names in the statement, so these are listed too."""
    place = guarded.placement
    identity = [place.key_sql, *([place.scope_sql] if place.scope_sql else []), *hidden_key(place)]
    cases = {
        " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in identity if is_first): _raise(
            "210", guarded, "the id and scope of a record may not change: its history is kept under them"
        ),
        _illegal(guarded): _raise(
            "204", guarded, f"{place.name} may not go there, or was changed directly; use app.move()"
        ),
        _without_gates(guarded): _raise("213", guarded, f"{place.name} waits for a gate that has not passed"),
        _without_entry(guarded): _raise(
            "213", guarded, f"{place.name} changed without its own ledger entry; use app.move()"
        ),
    }
    cases.pop("", None)
    named = [
        place.status_sql,
        place.version_sql,
        place.head_sql,
        *((*identity, *ROW_NUMBERS) if is_first else ()),
    ]
    return trigger(
        f"{name}_update",
        f"AFTER UPDATE OF {', '.join(dict.fromkeys(named))} ON {place.table_sql} WHEN {' OR '.join(f'({one})' for one in cases)}",
        f"SELECT CASE {' '.join(f'WHEN {one} THEN {refusal}' for one, refusal in cases.items())} END;",
    )


def _raise(code: str, guarded: Guarded, what: str) -> str:
    said = f"ILK-{code}: {guarded.placement.kind}: {what}".replace("'", "''")
    return f"RAISE(ABORT, '{said}')"


def _refuse(code: str, guarded: Guarded, what: str) -> str:
    return f"SELECT {_raise(code, guarded, what)};"


def _dropped(*names: str) -> list[str]:
    """Triggers of earlier versions: every one that fires costs a microsecond, so what fires together is one by now."""
    return [f"DROP TRIGGER IF EXISTS {name}" for name in names]


def one_of(value: str, wanted: Iterable[State]) -> str:
    """The value is one of these, null-safe. Not `IN`: for that a trigger makes itself a table each time it fires."""
    return f"({' OR '.join(f'{value} IS {text(one)}' for one in wanted) or 'false'})"


def either_pair(old: str, new: str, pairs: Mapping[State, Sequence[State]]) -> str:
    """(old, new) is one of these pairs, null-safe."""
    return f"({' OR '.join(f'({old} IS {text(start)} AND {one_of(new, ends)})' for start, ends in pairs.items()) or 'false'})"


def _illegal(guarded: Guarded) -> str:
    """Asked of every move, so in an order in which most are let pass early: a CASE looks no further than it has to."""
    place = guarded.placement
    old, new = f"OLD.{place.status_sql}", f"NEW.{place.status_sql}"
    before, after = f"OLD.{place.version_sql}", f"NEW.{place.version_sql}"
    legal = either_pair(old, new, guarded.pairs("plain", "retry", "operator", "timer"))
    adopted = (
        f"WHEN {before} IS NULL AND ({after} IS NULL OR {after} IS 0) THEN 0 " if guarded.is_adoptable else ""
    )
    if guarded.passes_strays:
        adopted += f"WHEN {_is_stray(guarded)} THEN 0 "
    planned = f"{one_of(new, guarded.states)} AND NOT {_entry(guarded, 'NEW', after, one_of('l.origin', ['migration']))}"
    followed = f"WHEN NOT {_entry(guarded, 'NEW', after, _LEGACY)} THEN 0 " if guarded.follows else ""
    return (
        f"CASE WHEN {old} IS {new} AND {before} IS {after} THEN 0 {adopted}WHEN {after} IS NOT {before} + 1 THEN 1 "
        f"WHEN {old} IS {new} OR {legal} THEN 0 WHEN {planned} THEN 0 {followed}ELSE 1 END"
    )


def _is_stray(guarded: Guarded) -> str:
    """A write past Interlock: the status of an adopted row changed, and nothing else that the engine keeps of a move."""
    place = guarded.placement
    return (
        f"(OLD.{place.version_sql} IS NOT NULL AND OLD.{place.version_sql} IS NEW.{place.version_sql} "
        f"AND OLD.{place.head_sql} IS NEW.{place.head_sql})"
    )


def _entry(guarded: Guarded, row: str, version: str, condition: str) -> str:
    place = guarded.placement
    scope = f"{row}.{place.scope_sql}" if place.scope_sql else "''"
    return (
        f"NOT EXISTS (SELECT 1 FROM interlock_ledger l WHERE l.record_id = CAST({row}.{place.key_sql} AS TEXT) "
        f"AND l.kind = {text(place.kind)} AND l.axis = {text(place.name)} AND l.scope = {scope} AND l.version = {version} "
        f"AND {condition})"
    )


def _without_entry(guarded: Guarded) -> str:
    place = guarded.placement
    old, new = f"OLD.{place.status_sql}", f"NEW.{place.status_sql}"
    by_retry = either_pair(old, new, guarded.pairs("retry"))
    timed = guarded.timer_pairs
    rights = ["WHEN l.origin = 'migration' THEN 1"] if guarded.pairs("operator", "timer") else []
    rights += [f"WHEN {either_pair(old, new, timed)} AND {_BY_TIMER} THEN 1"] if timed else []
    rights += [
        f"WHEN {either_pair(old, new, pairs)} THEN {one_of('l.origin', ('operator', 'retry', 'migration'))} "
        f"AND {one_of('l.role', (role, 'admin'))} AND {_REASON.format(row='l')}"
        for role, pairs in guarded.operator_pairs.items()
    ]
    rights += (
        [f"WHEN {by_retry} THEN {one_of('l.origin', ('retry', 'migration'))}"]
        if guarded.pairs("retry")
        else []
    )
    rights += (
        [f"WHEN {either_pair(old, new, guarded.pairs('timer'))} THEN 0"] if guarded.pairs("timer") else []
    )
    allowed = f"CASE {' '.join(rights)} ELSE 1 END" if rights else "1"
    condition = f"l.hash = NEW.{place.head_sql} AND "
    start = f"l.to_state IS {new} AND l.from_state IS {old} AND {allowed}"
    if guarded.is_adoptable:
        adopted = f"l.to_state IS {new} AND l.origin = 'backfill' AND {one_of(new, guarded.states)}"
        followed = f" WHEN {_LEGACY} THEN true" if guarded.follows else ""
        start = f"CASE WHEN OLD.{place.version_sql} IS NULL THEN {adopted}{followed} ELSE {start} END"
    unmanaged = (
        f" AND NOT (OLD.{place.version_sql} IS NULL AND NEW.{place.version_sql} IS NULL)"
        if guarded.is_adoptable
        else ""
    )
    unmanaged += f" AND NOT {_is_stray(guarded)}" if guarded.passes_strays else ""
    changed = " OR ".join(
        f"OLD.{column} IS NOT NEW.{column}"
        for column in (place.status_sql, place.version_sql, place.head_sql)
    )
    # The entry that makes this move was written last, and is found by its number for half of what its key costs.
    version, last = f"NEW.{place.version_sql}", "l.position = last_insert_rowid() AND "
    return (
        f"({changed}){unmanaged} AND {_entry(guarded, 'NEW', version, last + condition + start)} "
        f"AND {_entry(guarded, 'NEW', version, condition + start)}"
    )


def _without_gates(guarded: Guarded) -> str:
    """A state is entered although the newest verdict of one of its gates, for the version that leaves, is not a pass; or nothing."""
    place = guarded.placement
    old, new, version = (
        f"OLD.{place.status_sql}",
        f"NEW.{place.status_sql}",
        f"OLD.{place.version_sql}",
    )
    scope = f"NEW.{place.scope_sql}" if place.scope_sql else "''"
    tests = [
        f"({new} IS {text(state)} AND coalesce((SELECT v.passed FROM interlock_gate_verdict v "
        f"WHERE v.record_id = CAST(NEW.{place.key_sql} AS TEXT) AND v.kind = {text(place.kind)} AND v.axis = {text(place.name)} "
        f"AND v.scope = {scope} AND v.version = {version} AND v.gate = {text(gate)} ORDER BY v.number DESC LIMIT 1), 0) = 0)"
        for state, names in guarded.gates.items()
        for gate in names
    ]
    moved = f"{old} IS NOT {new} AND {version} IS NOT NULL"
    moved += f" AND NOT {_is_stray(guarded)}" if guarded.passes_strays else ""
    moved += f" AND {_entry(guarded, 'NEW', f'NEW.{place.version_sql}', _LEGACY)}" if guarded.follows else ""
    return f"({moved} AND ({' OR '.join(tests)}))" if tests else ""


def _wrong_start(guarded: Guarded) -> str:
    place = guarded.placement
    status = f"NEW.{place.status_sql}"
    first = (
        f"({one_of(status, guarded.initials)} OR "
        f"(l.origin = 'backfill' AND {one_of(status, guarded.states)} AND {_REASON.format(row='l')}))"
    )
    entry = _entry(
        guarded,
        "NEW",
        "0",
        f"l.to_state IS {status} AND l.hash = NEW.{place.head_sql} AND l.from_state IS NULL AND {first}",
    )
    unmoved = _entry(
        guarded, "NEW", "1", "true"
    )  # REPLACE deletes without firing a trigger: a record never begins a second time
    managed = f"NEW.{place.version_sql} IS NOT NULL AND " if guarded.is_adoptable else ""
    return f"{managed}(NEW.{place.version_sql} IS NOT 0 OR {entry} OR NOT {unmoved})"


def _without_closing(guarded: Guarded) -> str:
    place = guarded.placement
    managed = f"OLD.{place.version_sql} IS NOT NULL AND " if guarded.is_adoptable else ""
    closed = f"{one_of('l.origin', CLOSING)} AND {_REASON.format(row='l')}"
    return f"{managed}{_entry(guarded, 'OLD', f'OLD.{place.version_sql} + 1', closed)}"


def _removed(guarded: Guarded) -> str:
    """Take a note of a row that somebody removed past Interlock, with what its closing entry is chained to."""
    place = guarded.placement
    scope = f"OLD.{place.scope_sql}" if place.scope_sql else "''"
    named = f"{text(place.kind)}, {text(place.name)}"
    return (
        "INSERT INTO interlock_stray(kind, axis, record_id, scope, from_state, at, actor, removed, last_version, last_head) VALUES "
        f"({named}, CAST(OLD.{place.key_sql} AS TEXT), {scope}, OLD.{place.status_sql}, "
        f"strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z', '{LEGACY}', 1, OLD.{place.version_sql}, lower(hex(OLD.{place.head_sql}))); "
        f"INSERT INTO interlock_count_delta(kind, axis, scope, state, delta) VALUES ({named}, {scope}, OLD.{place.status_sql}, -1);"
    )


def _movers(guarded: Guarded, name: str) -> list[str]:
    """The trigger on the ledger that carries out what an entry says, or refuses it as unlike its row."""
    place = guarded.placement
    mine = f"NEW.kind = {text(place.kind)} AND NEW.axis = {text(place.name)}"
    scope = f" AND {place.scope_sql} = NEW.scope" if place.scope_sql else " AND NEW.scope = ''"
    row = f"{place.key_sql} = {key_of('NEW.record_id', place)}{scope}"
    like = f"{row} AND {place.version_sql} = NEW.version - 1 AND {place.status_sql} IS NEW.from_state"
    like += "" if guarded.follows and place.scope_sql else f" AND NEW.origin <> '{LEGACY}'"
    like += f" AND NOT {_open_stray(guarded)}" if guarded.passes_strays else ""
    closing, strange = (
        one_of("NEW.origin", CLOSING),
        _refuse("213", guarded, "ledger entry is unlike its row")[:-1],
    )
    moved = (
        f"UPDATE {place.table_sql} SET {place.status_sql} = NEW.to_state, {place.version_sql} = NEW.version, "
        f"{place.head_sql} = NEW.hash WHERE {like} AND NOT {closing};"
    )
    removed = (
        f"EXISTS (SELECT 1 FROM interlock_stray s WHERE {mine_of(place)} AND s.record_id = NEW.record_id AND s.scope = NEW.scope "
        "AND s.removed = 1 AND s.version IS NULL AND s.last_version = NEW.version - 1)"
    )
    there, stands = (f"EXISTS (SELECT 1 FROM {place.table_sql} WHERE {where})" for where in (row, like))
    first = "true" if guarded.is_adoptable else f"NOT {there}"
    stands = f"({stands} OR {removed})" if guarded.lets_rows_go else stands
    apart = f"CASE WHEN {closing} THEN {stands} WHEN NEW.version = 0 THEN {first} ELSE false END"
    if guarded.is_off:
        off = _refuse("213", guarded, f"{place.name} is not moved yet: its adoption is in the phase schema")[
            :-1
        ]
        moved = f"{off} WHERE NEW.version > 0 AND NOT {closing}; {moved}"
    followed = f" AND NEW.origin <> '{LEGACY}'" if guarded.follows_in_place else ""
    statements = [
        *_dropped(f"{name}_closing"),
        *trigger(
            f"{name}_moves",
            f"AFTER INSERT ON interlock_ledger WHEN {mine}{followed}",
            f"{moved} {strange} WHERE changes() = 0 AND NOT {apart};",
        ),
        *_stray_triggers(guarded, name, mine, row),
    ]
    if not guarded.is_adoptable:
        return [*statements, *_dropped(f"{name}_begins")]
    adopted = (
        f"UPDATE {place.table_sql} SET {place.status_sql} = NEW.to_state, {place.version_sql} = 0, {place.head_sql} = NEW.hash "
        f"WHERE {row} AND {place.version_sql} IS NULL;"
    )
    return [
        *statements,
        *trigger(
            f"{name}_begins",
            f"AFTER INSERT ON interlock_ledger WHEN {mine} AND NEW.version = 0 AND {there}",
            f"{adopted} {strange} WHERE changes() = 0;",
        ),
    ]


def mine_of(place: Placement) -> str:
    """Strays `s` of this axis."""
    return f"s.kind = {text(place.kind)} AND s.axis = {text(place.name)}"


def _open_stray(guarded: Guarded) -> str:
    """A write past Interlock of the entry's record has no entry yet."""
    return f"EXISTS (SELECT 1 FROM interlock_stray s WHERE {_strays('NEW.record_id', guarded)} AND s.version IS NULL)"


def _strays(record_id: str, guarded: Guarded) -> str:
    place = guarded.placement
    return f"{mine_of(place)} AND s.record_id = {record_id} AND s.scope = '' AND s.removed = 0"


def _stray_triggers(guarded: Guarded, name: str, mine: str, row: str) -> list[str]:
    """One trigger notes a write past Interlock, for a foreign connection cannot hash; the other lets its entry step the row's version."""
    place = guarded.placement
    if place.axis.adopt is None or place.scope_sql:
        return []
    noted, follows = f"{name}_stray", f"{name}_follows"
    if not guarded.passes_strays:
        return _dropped(noted, follows)
    status = place.status_sql
    named = f"{text(place.kind)}, {text(place.name)}, ''"
    found = trigger(
        noted,
        f"AFTER UPDATE OF {status} ON {place.table_sql} WHEN OLD.{status} IS NOT NEW.{status} AND {_is_stray(guarded)}",
        "INSERT INTO interlock_stray(kind, axis, record_id, scope, from_state, to_state, at, actor) VALUES "
        f"({text(place.kind)}, {text(place.name)}, CAST(NEW.{place.key_sql} AS TEXT), '', OLD.{status}, NEW.{status}, "
        f"strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z', '{LEGACY}'); "
        "INSERT INTO interlock_count_delta(kind, axis, scope, state, delta) VALUES "
        f"({named}, OLD.{status}, -1), ({named}, NEW.{status}, 1);",
    )
    if not guarded.follows_in_place:
        return [*found, *_dropped(follows)]
    first = f"(SELECT min(s.position) FROM interlock_stray s WHERE {_strays('NEW.record_id', guarded)} AND s.version IS NULL)"
    value = f"(SELECT s.to_state FROM interlock_stray s WHERE s.position = {first})"
    stepped = (
        f"UPDATE {place.table_sql} SET {place.version_sql} = NEW.version, {place.head_sql} = NEW.hash, "
        f"{status} = CASE WHEN {status} IS {value} THEN NEW.to_state ELSE {status} END "
        f"WHERE {row} AND {place.version_sql} = NEW.version - 1 AND {first} IS NOT NULL;"
    )
    strange = _refuse("213", guarded, "ledger entry is unlike its row")[:-1]
    return [
        *found,
        *trigger(
            follows,
            f"AFTER INSERT ON interlock_ledger WHEN {mine} AND NEW.origin = '{LEGACY}'",
            f"{stepped} {strange} WHERE changes() = 0; UPDATE interlock_stray SET version = NEW.version WHERE position = {first};",
        ),
    ]


def entry_guard(known: Sequence[tuple[str, str]]) -> list[str]:
    """What every entry must be, whosever it is: of a kind and axis that somebody declared, of an origin that exists, told by whom it has
    to be, and in nobody's place: REPLACE deletes without firing a trigger, so it must never begin."""
    of_known = (
        " OR ".join(f"(NEW.kind = {text(kind)} AND NEW.axis = {text(axis)})" for kind, axis in known)
        or "false"
    )
    told = f"({one_of('NEW.role', MIGRATORS)} AND {_REASON.format(row='NEW')})"
    same = " AND ".join(
        f"l.{column} = NEW.{column}" for column in ("record_id", "kind", "axis", "scope", "version")
    )
    misplaced = "NEW.position <> -1 AND NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM interlock_ledger)"
    # Of a later version the row is not at the version before, so a repetition is refused by the guard that moves the row.
    repeated = f"NEW.version = 0 AND EXISTS (SELECT 1 FROM interlock_ledger l WHERE {same})"
    # Entries of one batch have the same instant, and that of the last one has passed. A CASE, for of an AND SQLite asks subqueries last.
    passed = "NEW.at IS (SELECT at FROM interlock_ledger WHERE position = last_insert_rowid())"
    wrong = {
        misplaced: "ILK-210: REPLACE of interlock_ledger is refused: history may not change",
        repeated: "ILK-213: a first ledger entry for a record that has one",
        f"CASE WHEN {passed} THEN false ELSE {instant_is_odd('NEW.at')} END": "ILK-213: ledger entry with an instant that is none, "
        "or that lies too far off",
        f"NOT ({of_known})": "ILK-213: ledger entry of a kind and axis that no workflow has",
        f"NOT {one_of('NEW.origin', ORIGINS)}": "ILK-213: ledger entry of an origin that does not exist",
        f"NEW.token IS NOT NULL AND NEW.actor <> '{APPLIER}'": "ILK-213: only a coordinator applies the report of an attempt",
        f"NEW.origin = 'migration' AND NOT {told}": "ILK-213: a migration entry needs one of the roles "
        f"{', '.join(MIGRATORS)} and a reason",
        f"{one_of('NEW.origin', PLANNED)} AND NOT {_PLANNED}": "ILK-213: an entry of this origin needs an open plan that has its move",
    }
    cases = " ".join(f"WHEN {condition} THEN RAISE(ABORT, '{said}')" for condition, said in wrong.items())
    return [
        *_dropped(
            "interlock_ledger_known",
            "interlock_ledger_origin",
            "interlock_ledger_migration",
            "interlock_ledger_replace",
        ),
        *trigger(
            "interlock_ledger_entry",
            f"BEFORE INSERT ON interlock_ledger WHEN {' OR '.join(f'({one})' for one in wrong)}",
            f"SELECT CASE {cases} END;",
        ),
    ]


def frozen_guard(frozen: FrozenTable, dialect: Dialect) -> list[str]:
    """Rows of this table never change once they are inserted, and leave only with the record that they reference; REPLACE, which fires no
    trigger for what it deletes, is caught before it."""
    table, found = frozen.table, []
    named, quote = dialect.identifier_preparer.format_table(table), dialect.identifier_preparer.quote
    closed = (
        " OR ".join(
            f"EXISTS (SELECT 1 FROM interlock_ledger l WHERE l.record_id = CAST(OLD.{quote(column)} AS TEXT) AND l.kind = {text(kind)} "
            f"AND {one_of('l.origin', CLOSING)})"
            for kind, column in frozen.owners
        )
        or "false"
    )
    for event, refused in (("UPDATE", ""), ("DELETE", f" WHEN NOT ({closed})")):
        found += trigger(
            identifier("interlock", table.name, "frozen", event.lower()),
            f"BEFORE {event} ON {named}{refused}",
            f"SELECT RAISE(ABORT, 'ILK-210: {event} of {table.name} is refused: its rows are frozen');",
        )
    same = " AND ".join(f"r.{quote(column.name)} = NEW.{quote(column.name)}" for column in table.primary_key)
    other = " OR ".join(f"r.{quote(column.name)} IS NOT NEW.{quote(column.name)}" for column in table.columns)
    if same:
        found += trigger(
            identifier("interlock", table.name, "frozen", "replace"),
            f"BEFORE INSERT ON {named} WHEN EXISTS (SELECT 1 FROM {named} r WHERE {same} AND ({other}))",
            f"SELECT RAISE(ABORT, 'ILK-210: REPLACE of {table.name} is refused: its rows are frozen');",
        )
    return found
