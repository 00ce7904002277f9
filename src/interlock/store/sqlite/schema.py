"""Interlock's own tables on SQLite; the same shape as on PostgreSQL, with instants as text and one writer's order as position."""

from __future__ import annotations

from ..guarded import APPLIER
from ..records.api_keys import OWN_ACTORS, SCOPES
from ..sql import texts
from ..work.attempts import CLEARED

PLAN = """
CREATE TABLE IF NOT EXISTS interlock_plan (
    kind TEXT NOT NULL, axis TEXT NOT NULL, id TEXT NOT NULL, origin TEXT NOT NULL, machine TEXT NOT NULL, lines TEXT NOT NULL,
    actor TEXT NOT NULL, role TEXT NOT NULL, at TEXT NOT NULL, closed_at TEXT, PRIMARY KEY (kind, axis, id)) WITHOUT ROWID""".strip()

TABLES = """
CREATE TABLE IF NOT EXISTS interlock_meta (
    key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS interlock_machine (
    kind TEXT NOT NULL, axis TEXT NOT NULL, fingerprint TEXT NOT NULL, definition TEXT NOT NULL,
    active INTEGER NOT NULL DEFAULT 1, since TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
    PRIMARY KEY (kind, axis, fingerprint));
CREATE TABLE IF NOT EXISTS interlock_axis (
    kind TEXT NOT NULL, axis TEXT NOT NULL, table_name TEXT NOT NULL, key_column TEXT NOT NULL, key_type TEXT NOT NULL,
    scope_column TEXT, status_column TEXT NOT NULL, version_column TEXT NOT NULL, head_column TEXT NOT NULL,
    PRIMARY KEY (kind, axis));
CREATE TABLE IF NOT EXISTS interlock_ledger (
    position INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    record_id TEXT NOT NULL CHECK (record_id <> ''),
    axis TEXT NOT NULL,
    scope TEXT NOT NULL DEFAULT '',
    version INTEGER NOT NULL CHECK (version >= 0),
    from_state TEXT, to_state TEXT,
    at TEXT NOT NULL,
    actor TEXT NOT NULL CHECK (actor <> ''),
    role TEXT, cause TEXT,
    origin TEXT NOT NULL,
    machine TEXT NOT NULL, token TEXT, detail BLOB,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    UNIQUE (record_id, kind, axis, scope, version));
CREATE INDEX IF NOT EXISTS interlock_ledger_closed ON interlock_ledger (kind, record_id) WHERE origin IN ('deletion', 'erase');
CREATE TABLE IF NOT EXISTS interlock_detail (
    digest BLOB PRIMARY KEY, salt BLOB NOT NULL, reason TEXT, facts TEXT NOT NULL DEFAULT '{}',
    kind TEXT, record_id TEXT) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS interlock_detail_record ON interlock_detail (record_id, kind) WHERE record_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS interlock_verdict (
    position INTEGER PRIMARY KEY,
    kind TEXT NOT NULL, record_id TEXT NOT NULL, axis TEXT NOT NULL, scope TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL CHECK (source IN ('command', 'report')), reference TEXT,
    verdict TEXT NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, wanted TEXT, actor TEXT NOT NULL,
    at TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS interlock_verdict_record ON interlock_verdict (record_id, kind);
CREATE TABLE IF NOT EXISTS interlock_seal (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    from_transaction INTEGER NOT NULL, to_transaction INTEGER NOT NULL,
    from_entry INTEGER NOT NULL, to_entry INTEGER NOT NULL, from_verdict INTEGER NOT NULL, to_verdict INTEGER NOT NULL,
    entries INTEGER NOT NULL, verdicts INTEGER NOT NULL,
    root BLOB NOT NULL CHECK (length(root) = 32), previous BLOB NOT NULL UNIQUE CHECK (length(previous) = 32),
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32), at TEXT NOT NULL,
    public_key BLOB, signature BLOB, logins BLOB);
CREATE TABLE IF NOT EXISTS interlock_command (
    actor TEXT NOT NULL, key TEXT NOT NULL, payload BLOB NOT NULL, answer TEXT,
    at TEXT NOT NULL, expires_at TEXT NOT NULL,
    PRIMARY KEY (actor, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS interlock_gate_verdict (
    kind TEXT NOT NULL, record_id TEXT NOT NULL, axis TEXT NOT NULL, scope TEXT NOT NULL DEFAULT '', version INTEGER NOT NULL,
    gate TEXT NOT NULL, number INTEGER NOT NULL, passed INTEGER NOT NULL, reason TEXT, details TEXT NOT NULL DEFAULT '{}',
    duration_ms INTEGER, actor TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (record_id, kind, axis, scope, version, gate, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS interlock_counter (
    kind TEXT NOT NULL, axis TEXT NOT NULL, scope TEXT NOT NULL DEFAULT '', state TEXT NOT NULL, is_null INTEGER NOT NULL,
    count INTEGER NOT NULL, PRIMARY KEY (kind, axis, scope, state, is_null)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS interlock_count_delta (
    kind TEXT NOT NULL, axis TEXT NOT NULL, scope TEXT NOT NULL DEFAULT '', state TEXT, delta INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS interlock_key (
    name TEXT PRIMARY KEY CHECK (name <> ''), digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32), scope TEXT NOT NULL,
    created_at TEXT NOT NULL, created_by TEXT NOT NULL, expires_at TEXT, revoked_at TEXT, last_used_at TEXT) WITHOUT ROWID;
"""


def own_guards() -> list[str]:
    """History refuses change: triggers on Interlock's own tables."""
    found = []
    for table, events in (
        ("interlock_ledger", ("UPDATE", "DELETE")),
        ("interlock_verdict", ("UPDATE", "DELETE")),
        ("interlock_seal", ("UPDATE", "DELETE")),
        ("interlock_gate_verdict", ("UPDATE",)),
        ("interlock_plan", ("DELETE",)),
        ("interlock_detail", ("UPDATE",)),
    ):
        for event in events:
            found += trigger(
                f"{table}_{event.lower()}",
                f"BEFORE {event} ON {table}",
                f"SELECT RAISE(ABORT, 'ILK-210: {event} of {table} is refused: history may not change');",
            )
    erased = "EXISTS (SELECT 1 FROM interlock_ledger l WHERE l.record_id = OLD.record_id AND l.kind = OLD.kind AND l.origin = 'erase')"
    for table in ("interlock_detail", "interlock_gate_verdict"):  # reasons and facts, and what gates quoted
        found += trigger(
            f"{table}_delete",
            f"BEFORE DELETE ON {table} WHEN NOT {erased}",
            f"SELECT RAISE(ABORT, 'ILK-210: DELETE of {table} is refused: the record was not erased');",
        )
    # REPLACE deletes without firing a trigger, so it must never begin; of the ledger's entries `entry_guard` takes care.
    found += trigger(
        "interlock_verdict_replace",
        "BEFORE INSERT ON interlock_verdict WHEN NEW.position <> -1 AND "
        "NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM interlock_verdict)",
        "SELECT RAISE(ABORT, 'ILK-210: REPLACE of interlock_verdict is refused: history may not change');",
    )
    found += trigger(
        "interlock_verdict_instant",
        f"BEFORE INSERT ON interlock_verdict WHEN {instant_is_odd('NEW.at')}",
        "SELECT RAISE(ABORT, 'ILK-213: a verdict with an instant that is none, or that lies too far off');",
    )
    found += trigger(
        "interlock_work_leased",
        "BEFORE UPDATE OF lease_until, claimed_by ON interlock_work WHEN NEW.lease_until > '3' "
        "OR (NEW.claimed_by <> OLD.claimed_by AND NEW.token = OLD.token)",  # one trigger for both: a claim names both columns
        "SELECT RAISE(ABORT, 'ILK-213: work is leased for a while, and not taken from the runner that claimed it');",
    )
    found += trigger(
        "interlock_seal_replace",
        "BEFORE INSERT ON interlock_seal WHEN EXISTS (SELECT 1 FROM interlock_seal "
        "WHERE number = NEW.number OR previous = NEW.previous OR hash = NEW.hash)",
        "SELECT RAISE(ABORT, 'ILK-210: REPLACE of interlock_seal is refused: history may not change');",
    )
    found += trigger(
        "interlock_detail_replace",
        "BEFORE INSERT ON interlock_detail WHEN "
        "EXISTS (SELECT 1 FROM interlock_detail WHERE digest = NEW.digest)",
        "SELECT RAISE(IGNORE);",
    )
    found += trigger(
        "interlock_seal_next",
        "BEFORE INSERT ON interlock_seal WHEN NEW.number > (SELECT coalesce(max(number), 0) + 1 FROM interlock_seal) "
        "OR (NEW.number = (SELECT coalesce(max(number), 0) + 1 FROM interlock_seal) AND NEW.previous IS NOT "
        "coalesce((SELECT hash FROM interlock_seal WHERE number = NEW.number - 1), zeroblob(32)))",
        "SELECT RAISE(ABORT, 'ILK-213: a seal follows from the one before it');",
    )
    found += trigger(
        "interlock_command_answered",
        "BEFORE UPDATE ON interlock_command WHEN OLD.answer IS NOT NULL OR OLD.actor IS NOT NEW.actor OR OLD.key IS NOT NEW.key "
        "OR OLD.payload IS NOT NEW.payload",
        "SELECT RAISE(ABORT, 'ILK-210: UPDATE of interlock_command is refused: a command is answered once');",
    )
    found += trigger(
        "interlock_command_delete",
        "BEFORE DELETE ON interlock_command WHEN OLD.expires_at >= strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')",
        "SELECT RAISE(ABORT, 'ILK-210: DELETE of interlock_command is refused: its answer has not expired');",
    )
    found += trigger(
        "interlock_command_made",
        "BEFORE INSERT ON interlock_command WHEN NEW.answer IS NULL",
        "SELECT RAISE(ABORT, 'ILK-213: the key of a command is kept together with its answer');",
    )
    found += trigger(
        "interlock_command_replace",
        "BEFORE INSERT ON interlock_command WHEN EXISTS (SELECT 1 FROM interlock_command WHERE actor = NEW.actor AND key = NEW.key)",
        "SELECT RAISE(IGNORE);",  # a client that comes again goes on, and reads the answer
    )
    return (
        found
        + _gate_verdict_guard()
        + _plan_guards()
        + _key_guards()
        + _work_guards()
        + _children_guards()
        + _operation_guards()
    )


_IDENTITY = ("position", "kind", "record_id", "axis", "scope", "stage")
_REPORT = ("reported_at", "outcome", "report", "shape", "facts", "gates")


DISPATCHED = f"(l.cause = '{APPLIER}' OR l.cause LIKE '%.created')"
"""SQL: the entry began an attempt of what was waiting; in place, of a stage that has no running state: there any entry ends it."""


def entry_of(row: str, version: str, compared: str = "=") -> str:
    """SQL: an entry `l` of the work row's record has this version."""
    same = " AND ".join(f"l.{name} = {row}.{name}" for name in ("record_id", "kind", "axis", "scope"))
    return f"SELECT 1 FROM interlock_ledger l WHERE {same} AND l.version {compared} {version}"


def _work_guards() -> list[str]:
    """An attempt keeps its record, number and token until the next one takes its place, and is reported once, by whoever claimed it or
    was asked about it; children come from such attempts. There are no logins here: a runner is known by the name that it claims under."""
    same = " AND ".join(f"NEW.{name} = OLD.{name}" for name in _IDENTITY)
    left = ", ".join(f"NEW.{name}" for name in CLEARED if name not in ("slot", "key_slot"))
    next_attempt = (
        f"(NEW.token <> OLD.token AND NEW.attempt > OLD.attempt AND {same} AND coalesce({left}) IS NULL "
        f"AND NEW.version IS NOT OLD.version AND EXISTS ({entry_of('NEW', 'NEW.version')} AND l.actor = '{APPLIER}' AND NOT {DISPATCHED}))"
    )
    return [
        "DROP TRIGGER IF EXISTS interlock_work_replace",  # of earlier versions: each trigger costs half a microsecond a row
        *trigger(
            "interlock_work_insert",
            f"BEFORE INSERT ON interlock_work WHEN coalesce({left}) IS NOT NULL OR EXISTS (SELECT 1 FROM interlock_work w "
            "WHERE w.record_id = NEW.record_id AND w.kind = NEW.kind AND w.axis = NEW.axis AND w.scope = NEW.scope) "
            "OR (NEW.position <> -1 AND EXISTS (SELECT 1 FROM interlock_work w WHERE w.position = NEW.position)) "
            "OR (NEW.slot IS NOT NULL AND EXISTS (SELECT 1 FROM interlock_work w WHERE w.stage = NEW.stage AND w.slot = NEW.slot)) "
            "OR (NEW.key_slot IS NOT NULL AND EXISTS (SELECT 1 FROM interlock_work w WHERE w.stage = NEW.stage "
            "AND w.limit_key = NEW.limit_key AND w.key_slot = NEW.key_slot))",
            f"SELECT RAISE(ABORT, 'ILK-213: an attempt begins unclaimed and unreported') WHERE coalesce({left}) IS NOT NULL; "
            "SELECT RAISE(IGNORE);",  # whoever issues again goes on: a row that is there wins, and REPLACE deletes none
        ),
        *trigger(
            "interlock_work_asked",
            "BEFORE UPDATE OF recheck_at ON interlock_work WHEN NEW.recheck_at < coalesce(OLD.claimed_at, OLD.available_at)",
            "SELECT RAISE(ABORT, 'ILK-213: a question is older than the attempt that it is about');",
        ),
        *trigger(
            "interlock_work_attempt",
            f"BEFORE UPDATE OF {', '.join(_IDENTITY)}, attempt, token, version, available_at ON interlock_work WHEN NOT {next_attempt}",
            "SELECT RAISE(ABORT, 'ILK-213: an attempt keeps its record, number and token; the next one has its own, unclaimed');",
        ),
        *trigger(
            "interlock_work_reported",
            f"BEFORE UPDATE OF {', '.join(_REPORT)} ON interlock_work WHEN NEW.token = OLD.token "
            "AND ((OLD.claimed_by IS NULL AND OLD.recheck_at IS NULL) OR OLD.reported_at IS NOT NULL OR NEW.reported_at IS NULL)",
            "SELECT RAISE(ABORT, 'ILK-213: an attempt is reported once, after it was claimed');",
        ),
        *trigger(
            "interlock_work_rechecked",
            "BEFORE UPDATE OF rechecked_by ON interlock_work WHEN NEW.rechecked_by IS NOT NULL AND OLD.recheck_at IS NULL",
            "SELECT RAISE(ABORT, 'ILK-213: nobody has asked about this attempt');",
        ),
        *trigger(
            "interlock_intake_insert",
            "BEFORE INSERT ON interlock_intake WHEN NOT EXISTS (SELECT 1 FROM interlock_work w WHERE w.position = NEW.work "
            "AND w.token = NEW.token AND w.kind = NEW.source_kind AND w.record_id = NEW.source_id "
            "AND (w.claimed_by IS NOT NULL OR w.recheck_at IS NOT NULL)) OR NEW.size NOT BETWEEN 0 AND 500",
            "SELECT RAISE(ABORT, 'ILK-213: children are staged by an attempt that was claimed');",
        ),
        *(
            part
            for event in ("INSERT", "UPDATE")
            for part in trigger(
                f"interlock_runner_{event.lower()}",
                f"BEFORE {event} ON interlock_runner WHEN NEW.capacity NOT BETWEEN 0 AND 100000 "
                "OR coalesce(julianday(NEW.lease_until) > julianday(NEW.beat_at) + 1, true) "
                f"OR {instant_is_odd('NEW.beat_at')} OR {is_not_an_instant('NEW.started_at')} OR {is_not_an_instant('NEW.lease_until')} "
                "OR NOT CASE WHEN json_valid(NEW.stages) THEN json_type(NEW.stages) = 'array' AND NOT EXISTS (SELECT 1 FROM "
                "json_each(NEW.stages) one WHERE one.type <> 'text') ELSE false END",
                "SELECT RAISE(ABORT, 'ILK-213: a runner registers with a list of stages, at most 100000 places and a lease of at most a "
                "day');",
            )
        ),
        *trigger(
            "interlock_stage_delete",
            "BEFORE DELETE ON interlock_stage",
            "SELECT RAISE(ABORT, 'ILK-210: DELETE of interlock_stage is refused: a pause is ended, and its row kept');",
        ),
        *(
            part
            for event in ("INSERT", "UPDATE OF paused, until, reason, actor, at")
            for part in trigger(
                f"interlock_stage_{event.partition(' ')[0].lower()}",
                f"BEFORE {event} ON interlock_stage WHEN NEW.paused <> 0 AND (coalesce(NEW.actor, '') = '' OR NEW.reason IS NULL "
                "OR NEW.at IS NULL)",
                "SELECT RAISE(ABORT, 'ILK-213: a pause names its actor, its reason and its instant');",
            )
        ),
    ]


def _children_guards() -> list[str]:
    """What a stage has found is admitted or dropped as it was staged, once its attempt is over."""
    return [
        *trigger(
            "interlock_intake_update",
            "BEFORE UPDATE ON interlock_intake",
            "SELECT RAISE(ABORT, 'ILK-210: UPDATE of interlock_intake is refused: what a stage has found is admitted as it was staged');",
        ),
        *trigger(
            "interlock_intake_delete",
            "BEFORE DELETE ON interlock_intake WHEN EXISTS (SELECT 1 FROM interlock_work w WHERE w.position = OLD.work "
            "AND w.token = OLD.token)",
            "SELECT RAISE(ABORT, 'ILK-210: DELETE of interlock_intake is refused: the attempt that found these records is not over');",
        ),
        *trigger(
            "interlock_intake_replace",
            "BEFORE INSERT ON interlock_intake WHEN NEW.position <> -1 AND EXISTS (SELECT 1 FROM interlock_intake "
            "WHERE position = NEW.position)",
            "SELECT RAISE(ABORT, 'ILK-210: REPLACE of interlock_intake is refused: what a stage has found is admitted as it was staged');",
        ),
    ]


def _operation_guards() -> list[str]:
    """Which records an operation is about is frozen, each is answered once, and it goes on and never back; of a schedule's runs the newest
    stays."""
    going = "('planned', 'running', 'paused')"
    frozen = "which records an operation is about is frozen"
    kept = (("interlock_operation", "an operation is kept"), ("interlock_operation_item", frozen))
    asked = (
        *("position", "id", "kind", "act", "axis", "scope", "to_state", "wanted", "reason"),
        *("salt", "actor", "role", "ramp", "undoes", "created_at"),
    )
    changed = " OR ".join(f"NEW.{name} IS NOT OLD.{name}" for name in asked)
    return [
        *(
            part
            for table, why in kept
            for part in trigger(
                f"{table}_delete",
                f"BEFORE DELETE ON {table}",
                f"SELECT RAISE(ABORT, 'ILK-210: DELETE of {table} is refused: {why}');",
            )
        ),
        *trigger(
            "interlock_schedule_run_delete",
            "BEFORE DELETE ON interlock_schedule_run WHEN NOT EXISTS (SELECT 1 FROM interlock_schedule_run r WHERE r.kind = OLD.kind "
            "AND r.schedule = OLD.schedule AND r.tick > OLD.tick)",
            "SELECT RAISE(ABORT, 'ILK-210: DELETE of interlock_schedule_run is refused: without its newest run a schedule would run "
            "again');",
        ),
        *(
            part
            for event in ("INSERT", "UPDATE")
            for part in trigger(
                f"interlock_schedule_run_{event.lower()}",
                f"BEFORE {event} ON interlock_schedule_run WHEN coalesce(julianday(NEW.tick) > julianday('now') + 1, true)",
                "SELECT RAISE(ABORT, 'ILK-213: a run of a schedule lies more than a day ahead, and no other would come before it');",
            )
        ),
        *trigger(
            "interlock_operation_insert",
            "BEFORE INSERT ON interlock_operation WHEN NEW.status <> 'planned' OR NEW.reached <> 0 OR NEW.records <> 0 "
            "OR EXISTS (SELECT 1 FROM interlock_operation WHERE id = NEW.id OR position = NEW.position)",
            "SELECT RAISE(ABORT, 'ILK-213: an operation begins once, planned, and without records');",
        ),
        *trigger(
            "interlock_operation_update",
            "BEFORE UPDATE ON interlock_operation WHEN (OLD.records <> 0 AND NEW.records <> OLD.records) OR NEW.reached < OLD.reached "
            "OR NEW.reached > NEW.records OR (NEW.status = 'finished' AND OLD.status <> 'finished' AND NEW.reached < NEW.records) "
            f"OR (NEW.status IN {going} AND OLD.status NOT IN {going}) OR {changed} OR EXISTS (SELECT 1 FROM interlock_operation_item i "
            "WHERE i.operation = NEW.id AND i.number > OLD.reached AND i.number <= NEW.reached AND i.outcome IS NULL)",
            "SELECT RAISE(ABORT, 'ILK-210: UPDATE of interlock_operation is refused: what it asks for is frozen, it goes on and never "
            "back, and ends when each record was answered');",
        ),
        *trigger(
            "interlock_operation_item_insert",
            "BEFORE INSERT ON interlock_operation_item WHEN NOT EXISTS (SELECT 1 FROM interlock_operation o WHERE o.id = NEW.operation "
            "AND o.records = 0 AND o.started_at IS NULL) OR EXISTS (SELECT 1 FROM interlock_operation_item i "
            "WHERE i.operation = NEW.operation AND i.number = NEW.number)",
            f"SELECT RAISE(ABORT, 'ILK-210: INSERT into interlock_operation_item is refused: {frozen}');",
        ),
        *trigger(
            "interlock_operation_item_update",
            "BEFORE UPDATE ON interlock_operation_item WHEN OLD.outcome IS NOT NULL OR NEW.operation <> OLD.operation "
            "OR NEW.number <> OLD.number OR NEW.record_id <> OLD.record_id OR NEW.version IS NOT OLD.version",
            "SELECT RAISE(ABORT, 'ILK-210: UPDATE of interlock_operation_item is refused: each record of an operation is answered once');",
        ),
    ]


def _key_guards() -> list[str]:
    """A key is made once, as `api_keys.create` makes it, may be revoked, and stays revoked; its last use goes on and never back."""
    fixed = " OR ".join(
        f"OLD.{name} IS NOT NEW.{name}"
        for name in ("name", "digest", "scope", "created_at", "created_by", "expires_at")
    )
    return [
        *trigger(
            "interlock_key_update",
            f"BEFORE UPDATE ON interlock_key WHEN {fixed} OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NOT OLD.revoked_at) "
            "OR (OLD.last_used_at IS NOT NULL AND (NEW.last_used_at IS NULL OR NEW.last_used_at < OLD.last_used_at)) "
            f"OR (NEW.revoked_at IS NOT NULL AND {is_not_an_instant('NEW.revoked_at')}) "
            f"OR (NEW.last_used_at IS NOT NULL AND {is_not_an_instant('NEW.last_used_at')})",
            "SELECT RAISE(ABORT, 'ILK-210: UPDATE of interlock_key is refused: a key may be revoked, and stays so');",
        ),
        *trigger(
            "interlock_key_delete",
            "BEFORE DELETE ON interlock_key",
            "SELECT RAISE(ABORT, 'ILK-210: DELETE of interlock_key is refused: a key is revoked, and kept');",
        ),
        *trigger(
            "interlock_key_replace",
            "BEFORE INSERT ON interlock_key WHEN EXISTS (SELECT 1 FROM interlock_key WHERE name = NEW.name OR digest = NEW.digest)",
            "SELECT RAISE(ABORT, 'ILK-210: REPLACE of interlock_key is refused: a key is made once');",
        ),
        *trigger(
            "interlock_key_insert",
            f"BEFORE INSERT ON interlock_key WHEN NEW.scope NOT IN ({texts(SCOPES)}) OR lower(trim(NEW.name)) IN "
            f"({texts(sorted(OWN_ACTORS))}) OR trim(NEW.name) = '' OR length(NEW.name) > 100 OR NEW.created_by = '' "
            "OR NEW.expires_at <= NEW.created_at OR NEW.revoked_at IS NOT NULL OR NEW.last_used_at IS NOT NULL "
            f"OR {is_not_an_instant('NEW.created_at')} OR (NEW.expires_at IS NOT NULL AND {is_not_an_instant('NEW.expires_at')})",
            "SELECT RAISE(ABORT, 'ILK-213: a key is made with a name and a scope of its own, unused and unrevoked, and expires after "
            "that or never');",
        ),
    ]


def _gate_verdict_guard() -> list[str]:
    """A verdict is about a version that the record has had, and each gate's verdicts of a record are numbered without a gap."""
    same = "kind = NEW.kind AND record_id = NEW.record_id AND axis = NEW.axis AND scope = NEW.scope"
    last = f"SELECT coalesce(max(number), 0) FROM interlock_gate_verdict WHERE {same} AND gate = NEW.gate"
    seen = f"EXISTS (SELECT 1 FROM interlock_ledger WHERE {same} AND version = NEW.version)"
    return trigger(
        "interlock_gate_verdict_insert",
        f"BEFORE INSERT ON interlock_gate_verdict WHEN NEW.number IS NOT ({last}) + 1 OR NOT {seen} OR NEW.actor = '' "
        f"OR {instant_is_odd('NEW.at')} OR EXISTS (SELECT 1 FROM interlock_ledger WHERE kind = NEW.kind AND record_id = NEW.record_id "
        "AND origin = 'erase')",  # what was erased is not quoted again
        "SELECT RAISE(ABORT, 'ILK-213: a gate verdict is numbered on, about a version that the record has had, at an instant');",
    )


def _plan_guards() -> list[str]:
    """A plan never changes but that it is closed and opened again; each of its lines gives a reason."""
    fixed = ("kind", "axis", "id", "origin", "machine", "lines", "actor", "role", "at")
    changed = " OR ".join(f"OLD.{name} IS NOT NEW.{name}" for name in fixed)
    lines = "json_valid(NEW.lines) AND json_type(NEW.lines) = 'array' AND json_array_length(NEW.lines) > 0"
    reasoned = "NOT EXISTS (SELECT 1 FROM json_each(NEW.lines) l WHERE coalesce(l.value ->> 2, '') = '')"
    there = "EXISTS (SELECT 1 FROM interlock_plan WHERE kind = NEW.kind AND axis = NEW.axis AND id = NEW.id)"
    return [
        *trigger(
            "interlock_plan_update",
            f"BEFORE UPDATE ON interlock_plan WHEN {changed}",
            "SELECT RAISE(ABORT, 'ILK-210: UPDATE of interlock_plan is refused: a plan may not change');",
        ),
        *trigger(
            "interlock_plan_insert",
            f"BEFORE INSERT ON interlock_plan WHEN {there} OR NOT (CASE WHEN {lines} THEN {reasoned} ELSE false END) "
            f"OR {instant_is_odd('NEW.at')}",
            "SELECT RAISE(ABORT, 'ILK-213: a plan is written once, and each of its lines gives a reason');",
        ),
    ]


def instant_is_odd(value: str) -> str:
    """SQL: the text is not an instant in the form that the ledger keeps, or is before 2000 or more than ten years ahead."""
    return f"coalesce(julianday({value}) > julianday('now') + 3653, true) OR {is_not_an_instant(value)}"


def is_not_an_instant(value: str) -> str:
    """SQL: the text does not have the form of an instant, or is before 2000, or names a day that its month does not have."""
    return (
        f"({value} NOT GLOB '2???-??-??T??:??:??.??????Z' OR julianday({value}) IS NULL "
        f"OR (substr({value}, 9, 2) > '28' AND date({value}) IS NOT substr({value}, 1, 10)))"
    )


def trigger(name: str, moment: str, body: str) -> list[str]:
    return [f"DROP TRIGGER IF EXISTS {name}", f"CREATE TRIGGER {name} {moment} BEGIN {body} END"]
