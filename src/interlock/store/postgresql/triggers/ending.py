"""The guard of removed work rows: an attempt ends with its record's move, or where its stage has no state to fail to."""

from __future__ import annotations

from collections.abc import Sequence

from ...resting import Resting
from ...sql import text, texts
from ..moves.pinning import PINNED
from .work import APPLIED, DISPATCHED, ITS_OWN, entries_of, entry_of

_LEAVES = "l.to_state IS DISTINCT FROM l.from_state"
"""SQL: the record left its state. What somebody amends meanwhile ends no attempt."""


def ending_guards(known: Sequence[Resting]) -> list[str]:
    """The trigger and its function, which knows where the stages of every axis may let a record rest; they may be made again."""
    return [
        _function(known),
        "CREATE OR REPLACE TRIGGER interlock_over AFTER DELETE ON interlock_work REFERENCING OLD TABLE AS gone FOR EACH STATEMENT "
        "EXECUTE FUNCTION interlock_over_guard()",
        PINNED,
    ]


def _must_leave(known: Sequence[Resting]) -> str:
    """SQL: whatever came of the attempt `one`, its record leaves the state of `rest`: a stage that has a state to fail to runs there."""
    tests = []
    for axis in known:
        if not axis.leaves:
            continue
        stays = "".join(
            f" AND NOT (one.stage = {text(stage)} AND rest.to_state = {text(state)})"
            for stage, state in axis.rests
            if state in axis.leaves
        )
        tests.append(f"({_is_of(axis)} AND rest.to_state IN ({texts(axis.leaves)}){stays})")
    return " OR ".join(tests) or "false"


def _is_of(axis: Resting) -> str:
    return f"one.kind = {text(axis.kind)} AND one.axis = {text(axis.axis)}"


def _error_column(known: Sequence[Resting]) -> str:
    """SQL: the column of the error on the record of `one`, or null."""
    cases = "".join(
        f" WHEN {_is_of(axis)} THEN {text(axis.error)}" for axis in known if axis.error is not None
    )
    return f"CASE{cases} END" if cases else "NULL::text"


def _function(known: Sequence[Resting]) -> str:
    return f"""
CREATE OR REPLACE FUNCTION interlock_over_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE one record; begun record; rest record; tail record; place record; error_column text; stands boolean;
BEGIN
    -- Each is looked up by its key, never joined with all of history; nearly all are over by the next entry, which leaves their state.
    IF pg_trigger_depth() > 1 OR NOT EXISTS (SELECT 1 FROM gone g
        WHERE ({entry_of("g", "g.version + 1")} AND {ITS_OWN.format("g")} AND {_LEAVES}) IS NULL
        AND ({entry_of("g", "g.version")} AND {APPLIED}) IS NOT NULL) THEN
        RETURN NULL;
    END IF;
    FOR one IN SELECT * FROM gone LOOP
        SELECT l.from_state IS NOT DISTINCT FROM l.to_state AND {DISPATCHED} AS waits INTO begun
            {entries_of("one")} AND l.version = one.version AND {APPLIED};
        CONTINUE WHEN NOT FOUND;
        CONTINUE WHEN EXISTS (SELECT 1 {entries_of("one")} AND l.version > one.version AND {ITS_OWN.format("one")}
            AND (begun.waits OR {_LEAVES}));
        SELECT a.* INTO place FROM interlock_axis a WHERE a.kind = one.kind AND a.axis = one.axis;
        CONTINUE WHEN NOT FOUND;
        SELECT l.version, l.to_state INTO rest {entries_of("one")} AND l.version > one.version AND {ITS_OWN.format("one")}
            AND {APPLIED} ORDER BY l.version DESC LIMIT 1;
        IF FOUND AND NOT ({_must_leave(known)}) AND coalesce(one.reported_at, one.started_at) IS NOT NULL THEN
            error_column := {_error_column(known)};
            CONTINUE WHEN error_column IS NULL;
            EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s WHERE %s = $1::%s AND %s = $2 AND %s IS NOT NULL%s)',
                place.table_name, place.key_column, place.key_type, place.version_column, error_column,
                ' AND ' || place.scope_column || '::text = $3')
                INTO stands USING one.record_id, rest.version, one.scope;
            CONTINUE WHEN stands;  -- it rests, and says with which error
        END IF;
        IF EXISTS (SELECT 1 FROM interlock_verdict v WHERE v.record_id = one.record_id AND v.kind = one.kind AND v.reference = one.token
            AND v.verdict = 'stale') THEN
            CONTINUE WHEN EXISTS (SELECT 1 {entries_of("one")} AND l.version > one.version AND {_LEAVES});
            SELECT l.version, l.to_state INTO tail {entries_of("one")} ORDER BY l.version DESC LIMIT 1;
            EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s WHERE %s = $1::%s AND %s = $2 AND %s::text IS NOT DISTINCT FROM $3%s)',
                place.table_name, place.key_column, place.key_type, place.version_column, place.status_column,
                ' AND ' || place.scope_column || '::text = $4')
                INTO stands USING one.record_id, tail.version, tail.to_state, one.scope;
            CONTINUE WHEN NOT stands;  -- whoever changed it past the guards has moved it away from this attempt
        END IF;
        RAISE EXCEPTION USING ERRCODE = 'IL210',
            MESSAGE = 'ILK-210: DELETE of interlock_work is refused: an attempt is over when its record has moved on, and rests with its '
                'error only where its stage has no state to fail to; that its report comes too late is true only of a record that stands '
                'elsewhere';
    END LOOP;
    RETURN NULL;
END $body$;
""".strip()
