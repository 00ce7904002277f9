"""The trigger that turns a write past Interlock into a move with its entry, while an axis is adopted in place.

It sets the version and the head of the row before it is stored, and passes on who wrote it; the trigger that writes history does the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from json.encoder import encode_basestring as quoted
from typing import Any

from ....machine import State
from ....workflow.adopt import BLANKS, began, spellings
from ...adoption.legacy import REASON, legacy_detail
from ...guarded import LEGACY, Guarded
from ...placement import Placement
from ...sql import identifier, text
from ..moves.move_context import ORIGIN, setting
from ..moves.parameters import interval
from . import legality
from .legacy_entries import NOW, end_work, hashed_entry

_BLANKS = "E'" + "".join(f"\\x{ord(one):02x}" for one in BLANKS) + "'"
_REASON = text(f",{quoted(REASON)}")
_VARIABLES = (
    "said text[]; own_id text; raw text; entered text; own_at text; own_salt bytea; own_facts text; own_digest bytea; "
    "own_detail bytea;"
)
_STRAY = "interlock_stray(kind, axis, record_id, scope, from_state, to_state, at, actor, version, detail)"


def follow_guards(table: str, guarded: Guarded) -> list[str]:
    """The trigger of one axis; where its mode needs none, what takes an earlier one away."""
    place = guarded.placement
    trigger, function = (
        identifier("interlock", "follow", place.name),
        identifier("interlock", place.table.fullname, place.name, "follow"),
    )
    if not guarded.passes_strays or place.axis.adopt is None:
        dropped = [f"DROP TRIGGER IF EXISTS {trigger} ON {table}", f"DROP FUNCTION IF EXISTS {function}()"]
        return dropped if place.axis.adopt is not None and not place.scope_sql else []
    return [
        f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $body$\nDECLARE {_VARIABLES}\nBEGIN\n"
        f"{_body(guarded)}\nRETURN NEW;\nEND $body$",
        f"CREATE OR REPLACE TRIGGER {trigger} BEFORE UPDATE OF {place.status_sql} ON {table} FOR EACH ROW EXECUTE FUNCTION {function}()",
    ]


def _body(guarded: Guarded) -> str:
    place = guarded.placement
    status, version, head = place.status_sql, place.version_sql, place.head_sql
    heard = f"nullif(current_setting('{setting(place.kind, place.name)}', true), '')"
    unchanged = (
        f"IF OLD.{version} IS NULL OR OLD.{status}::text IS NOT DISTINCT FROM NEW.{status}::text "
        f"OR NEW.{version} IS DISTINCT FROM OLD.{version} OR NEW.{head} IS DISTINCT FROM OLD.{head} THEN RETURN NEW; END IF;"
    )
    ours = (
        f"said := {heard};\nIF {legality.is_current()} AND {ORIGIN} <> '{LEGACY}' THEN RETURN NEW; END IF;"
        f"\nown_id := NEW.{place.key_sql}::text;"
    )
    return "\n".join([unchanged, ours, _followed(guarded) if guarded.follows_in_place else _noted(place)])


def _noted(place: Placement) -> str:
    """Only remember the write: the entry follows when the adoption goes on."""
    named = f"{text(place.kind)}, {text(place.name)}, ''"
    return (
        f"INSERT INTO {_STRAY} VALUES ({text(place.kind)}, {text(place.name)}, own_id, '', OLD.{place.status_sql}::text, "
        f"NEW.{place.status_sql}::text, statement_timestamp(), session_user, NULL, NULL);\n"
        f"INSERT INTO interlock_count_delta(kind, axis, scope, state, delta) VALUES ({named}, OLD.{place.status_sql}::text, -1), "
        f"({named}, NEW.{place.status_sql}::text, 1);"
    )


def _followed(guarded: Guarded) -> str:
    place, machine = guarded.placement, guarded.placement.axis.machine
    adopt, shared = place.axis.adopt, legacy_detail(place)
    assert adopt is not None
    status, cause = place.status_sql, adopt.legacy_cause
    known = " ".join(f"WHEN {text(name)} THEN {text(state)}" for name, state in spellings(place.axis).items())
    same = f"IF entered IS NOT DISTINCT FROM OLD.{status}::text THEN NEW.{status} := OLD.{status}; RETURN NEW; END IF;"
    detail = (
        f"own_digest := decode('{shared.digest.hex()}', 'hex');\nown_detail := NULL;\n"
        "IF entered IS DISTINCT FROM raw THEN\n"
        "    own_salt := decode(replace(gen_random_uuid()::text, '-', ''), 'hex');\n"
        "    own_facts := '{\"raw\":' || to_json(raw)::text || '}';\n"
        f"    own_digest := sha256(own_salt || convert_to('[' || to_json(own_facts)::text || {_REASON} || ']', 'UTF8'));\n"
        "    INSERT INTO interlock_detail(digest, salt, reason, facts, kind, record_id) "
        f"VALUES (own_digest, own_salt, {text(REASON)}, own_facts, {text(place.kind)}, own_id);\n"
        "    own_detail := own_digest;\nEND IF;"
    )
    hashed = f"NEW.{place.head_sql} := " + hashed_entry(
        place,
        cause=cause,
        origin=LEGACY,
        head=f"OLD.{place.head_sql}",
        at="own_at",
        digest="own_digest",
        old=f"OLD.{status}::text",
        id="own_id",
        new=f"NEW.{status}::text",
        version=f"NEW.{place.version_sql}",
    )
    hashed += ";"
    parts = (
        f"session_user::text, NULL, {text(cause)}, '{LEGACY}', {text(machine.fingerprint[:16])}, '\\x{shared.digest.hex()}', own_at, '0', "
        "NULL, NULL, statement_timestamp()::text, "
        "CASE WHEN own_detail IS NOT NULL THEN jsonb_build_object(own_id, encode(own_detail, 'hex'))::text END"
    )
    ended = end_work(place, "w.record_id = own_id AND w.scope = ''")
    return "\n".join(
        [
            f"raw := NEW.{status}::text;\nentered := CASE lower(btrim(raw, {_BLANKS})) {known} ELSE raw END;\n{same}",
            f"own_at := {NOW};\n{detail}",
            f"NEW.{status} := entered;\nNEW.{place.version_sql} := OLD.{place.version_sql} + 1;",
            *_set_columns(place, lambda state: began(place.workflow, place.axis, state)),
            hashed,
            f"PERFORM set_config('{setting(place.kind, place.name)}', ARRAY[{parts}]::text, true);",
            f"{ended}\nINSERT INTO {_STRAY} VALUES ({text(place.kind)}, {text(place.name)}, own_id, '', OLD.{status}::text, raw, "
            f"statement_timestamp(), session_user, NEW.{place.version_sql}, own_detail);",
        ]
    )


def _set_columns(place: Placement, effects: Callable[[State], Any]) -> list[str]:
    """What the engine keeps of the state that was entered; of a state that no machine has nothing changes but since when."""
    values: dict[str, dict[State, str]] = {}
    for state in place.axis.machine.states:
        change = effects(state)
        for column in change.now:
            values.setdefault(column, {})[state] = "statement_timestamp()"
        for column, value in change.constants.items():
            values.setdefault(column, {})[state] = str(value) if isinstance(value, int) else text(value)
        for column, length in change.later:
            values.setdefault(column, {})[state] = f"statement_timestamp() + {interval(length)}"
    return [
        f"NEW.{place.quote(column)} := CASE "
        + " ".join(
            f"WHEN entered {'IS NULL' if state is None else f'= {text(state)}'} THEN {value}"
            for state, value in by_state.items()
        )
        + f" ELSE NEW.{place.quote(column)} END;"
        for column, by_state in values.items()
    ]
