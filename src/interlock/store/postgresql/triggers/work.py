"""Guards of the tables that runners and coordinators write: whoever claims does so for itself and reports only what it claimed.

A runner is known by the login it came in with, and nobody is exempt. What a coordinator does besides is to end an attempt, by deleting
its work row, and to begin the next one in its place: only whoever may insert work rows may do that, and only with everything that the last
attempt left behind cleared.
"""

from __future__ import annotations

from ...guarded import APPLIER
from ...records.api_keys import OWN_ACTORS, SCOPES
from ...sql import texts
from ...work.attempts import CLEARED

COLUMNS = (
    "ALTER TABLE interlock_work ADD COLUMN IF NOT EXISTS login text",
    "ALTER TABLE interlock_work ADD COLUMN IF NOT EXISTS asked_login text",
    "ALTER TABLE interlock_stage ADD COLUMN IF NOT EXISTS counted_login text",
    "ALTER TABLE interlock_runner ADD COLUMN IF NOT EXISTS login text",
    "ALTER TABLE interlock_key ADD COLUMN IF NOT EXISTS changed_login text",
    *(
        statement
        for table in (
            "interlock_verdict",
            "interlock_gate_verdict",
            "interlock_key",
            "interlock_stage",
            "interlock_command",
            "interlock_operation",
            "interlock_coordinator",
            "interlock_rate",
            "interlock_tally",
            "interlock_schedule_run",
            "interlock_adoption_left",
            "interlock_adoption_difference",
            "interlock_operation_item",
        )
        for statement in (
            f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS login text",
            f"ALTER TABLE {table} ALTER COLUMN login SET DEFAULT session_user",
        )
    ),
)
"""The login that claimed a work row or asked about it, registered a runner or coordinator, recorded a verdict, made a key, paused a stage,
set its pace, counted, ran a schedule, took the key of a command or began an operation, as the server knows it; empty in rows from
before it was kept, so the default comes after the column."""

_INSTANTS = {
    "interlock_stage": ("until", "at"),
    "interlock_rate": ("free_at",),
    "interlock_coordinator": ("started_at", "beat_at", "lease_until"),
    "interlock_command": ("at", "expires_at"),
    "interlock_operation": ("created_at", "started_at", "finished_at", "lease_until"),
    "interlock_schedule_run": ("tick", "started_at", "finished_at", "lease_until"),
    "interlock_key": ("created_at", "expires_at", "revoked_at", "last_used_at"),
}
READABLE = tuple(
    statement
    for table, names in _INSTANTS.items()
    for statement in (
        f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS interlock_readable",
        f"ALTER TABLE {table} ADD CONSTRAINT interlock_readable CHECK ("
        + " AND ".join(f"{name} BETWEEN '0001-01-02Z' AND '9999-12-30Z'" for name in names)
        + ") NOT VALID",
    )
)
"""Python reads no instant beyond these years: one unreadable row would stop whoever reads its table."""

_IDENTITY = ("position", "kind", "record_id", "axis", "scope", "stage")
_ATTEMPT = ("attempt", "token", "version", "available_at")
_LEFT_BEHIND = (*(name for name in CLEARED if name not in ("slot", "key_slot")), "login")
_REPORT = ("reported_at", "outcome", "report", "shape", "facts", "gates")
_LEASE = ("claimed_at", "lease_until", "started_at")
_BESIDE_QUESTION = ("claimed_by", "login", "rechecked_by", *_LEASE, *_REPORT)
_HORIZON = "greatest(statement_timestamp(), OLD.available_at, OLD.claimed_at) + interval '1 day'"


def entries_of(row: str) -> str:
    """SQL: the entries `l` of the work row's record."""
    same = " AND ".join(f"l.{name} = {row}.{name}" for name in ("record_id", "kind", "axis", "scope"))
    return f"FROM interlock_ledger l WHERE {same}"


def entry_of(row: str, version: str) -> str:
    """SQL: an entry `l` of the work row's record has this version."""
    return f"SELECT 1 {entries_of(row)} AND l.version = {version}"


APPLIED = f"l.actor = '{APPLIER}'"
ITS_OWN = "(l.token IS NULL OR l.token = {}.token)"
DISPATCHED = f"(l.cause = '{APPLIER}' OR l.cause LIKE '%.created')"
"""SQL: the entry began an attempt of what was waiting; in place, of a stage that has no running state: there any entry ends it."""


def _begun_by_its_move(row: str, so: str = "") -> str:
    """SQL: the move that begins this attempt is one of the same transaction."""
    return f"EXISTS ({entry_of(row, f'{row}.version')} AND l.txid = pg_current_xact_id(){so})"


_JUDGED = f" AND {APPLIED} AND NOT {DISPATCHED}"
"""SQL: the entry is a coordinator's, and goes on with what had begun."""


def _changed(columns: tuple[str, ...]) -> str:
    return " OR ".join(f"NEW.{name} IS DISTINCT FROM OLD.{name}" for name in columns)


_NOT_MINE = "OLD.login IS DISTINCT FROM session_user"
_NO_CLAIM = " OR ".join(
    f"({test})"
    for test in (
        "NEW.claimed_by IS NOT NULL AND NEW.lease_until IS NULL AND (OLD.claimed_by IS NULL OR OLD.lease_until IS NOT NULL)",
        "NEW.claimed_at IS DISTINCT FROM OLD.claimed_at AND NEW.claimed_by IS NOT DISTINCT FROM OLD.claimed_by",
        "NEW.started_at IS DISTINCT FROM OLD.started_at AND (OLD.started_at IS NOT NULL OR OLD.claimed_by IS NOT NULL "
        "OR NEW.started_at IS DISTINCT FROM NEW.claimed_at)",
    )
)
"""A claim without an end, or an instant of a claim that nobody made: the first would never be swept, the others make work overdue."""
_IN_DOUBT = " OR ".join(
    f"({test})"
    for test in (
        "NEW.claimed_by IS DISTINCT FROM OLD.claimed_by AND NEW.claimed_by IS NOT NULL "
        "AND (OLD.claimed_by IS NOT NULL OR NEW.login IS DISTINCT FROM session_user)",
        f"NEW.claimed_by IS NULL AND OLD.claimed_by IS NOT NULL AND {_NOT_MINE}",
        "NEW.login IS DISTINCT FROM OLD.login AND NEW.login IS DISTINCT FROM session_user",
        f"({_changed(_REPORT)}) AND (OLD.claimed_by IS NULL OR {_NOT_MINE} OR OLD.reported_at IS NOT NULL OR NEW.reported_at IS NULL)",
        f"({_changed(_LEASE)}) AND NEW.claimed_by IS NOT NULL AND OLD.claimed_by IS NOT NULL AND {_NOT_MINE}",
        f"NEW.lease_until > {_HORIZON} OR NEW.claimed_at > {_HORIZON}",
        "NEW.rechecked_by IS DISTINCT FROM OLD.rechecked_by AND OLD.recheck_at IS NULL",
        "NEW.recheck_at IS DISTINCT FROM OLD.recheck_at OR NEW.asked_login IS DISTINCT FROM OLD.asked_login",
        _NO_CLAIM,
    )
)
"""What an ordinary claim, beat, report or return is not: only then is the function called, so that those cost one comparison."""

FUNCTIONS = f"""
CREATE OR REPLACE FUNCTION interlock_attempt_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF NEW IS NOT DISTINCT FROM OLD THEN
        RETURN NEW;  -- nothing changes: it is judged when the transaction ends
    ELSIF NEW.token <> OLD.token AND NEW.attempt > OLD.attempt AND NOT ({_changed(_IDENTITY)})
        AND num_nonnulls({", ".join(f"NEW.{name}" for name in _LEFT_BEHIND)}) = 0
        AND has_table_privilege(session_user, TG_RELID, 'INSERT') AND {_begun_by_its_move("NEW", _JUDGED)} THEN
        NEW.asked_login := NULL;
        RETURN NEW;
    ELSIF NOT ({_changed((*_IDENTITY, *_ATTEMPT))}) AND OLD.trace IS NULL AND length(NEW.trace) <= 1000 AND {_begun_by_its_move("NEW")} THEN
        RETURN NEW;  -- whoever begins an attempt hands its trace over
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'IL213',
        MESSAGE = format('ILK-213: %s %s: an attempt keeps its record, number and token; the next one has its own, and begins unclaimed '
            'with a move', OLD.stage, OLD.record_id);
END $body$;
CREATE OR REPLACE FUNCTION interlock_work_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF {_NO_CLAIM} THEN
        NULL;  -- a claim has an end, and its instants are those of its own beginning
    ELSIF NEW.token <> OLD.token THEN
        RETURN NEW;  -- another attempt: its own guard has judged it
    ELSIF NEW.recheck_at IS DISTINCT FROM OLD.recheck_at THEN  -- a coordinator asks once, and changes nothing else by it
        IF OLD.recheck_at IS NULL AND NEW.recheck_at BETWEEN coalesce(OLD.claimed_at, OLD.available_at) AND {_HORIZON}
            AND NOT ({_changed(_BESIDE_QUESTION)}) AND has_table_privilege(session_user, TG_RELID, 'INSERT') THEN
            NEW.asked_login := session_user;
            RETURN NEW;
        END IF;
    ELSIF NEW.asked_login IS DISTINCT FROM OLD.asked_login THEN
        NULL;  -- the server keeps it, nobody else
    ELSIF OLD.claimed_by IS NULL AND OLD.reported_at IS NULL AND NEW.reported_at IS NULL AND NEW.claimed_by IS NOT NULL
        AND (NEW.login IS NOT DISTINCT FROM OLD.login OR NEW.login = session_user)
        AND NEW.lease_until <= {_HORIZON} THEN
        NEW.login := session_user;
        RETURN NEW;
    ELSIF OLD.reported_at IS NULL AND OLD.recheck_at IS NOT NULL AND NEW.claimed_by IS NOT DISTINCT FROM OLD.claimed_by
        AND NEW.lease_until IS NOT DISTINCT FROM OLD.lease_until
        AND coalesce(NEW.reported_at > OLD.recheck_at - interval '1 day', true) AND EXISTS (SELECT 1 FROM interlock_runner r
            WHERE r.id = coalesce(OLD.rechecked_by, NEW.rechecked_by) AND r.login = session_user) THEN
        RETURN NEW;
    ELSIF OLD.reported_at IS NULL AND OLD.claimed_by IS NOT NULL AND OLD.login IS NULL
        AND (NEW.claimed_by = OLD.claimed_by OR NEW.claimed_by IS NULL) AND coalesce(NEW.lease_until <= {_HORIZON}, true) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'IL213',
        MESSAGE = format('ILK-213: %s %s: an attempt is claimed for oneself, for a day at most, and reported only by who claimed it',
            OLD.stage, OLD.record_id);
END $body$;
"""
FUNCTIONS += f"""
CREATE OR REPLACE FUNCTION interlock_issued_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    -- What is issued before its move is named once more, so that it is judged when the transaction ends; a batch that moves has moved.
    UPDATE interlock_work w SET available_at = w.available_at WHERE w.position = ANY (ARRAY(
        SELECT f.position FROM fresh f WHERE ({entry_of("f", "f.version")} AND l.txid = pg_current_xact_id()) IS NULL));
    RETURN NULL;
END $body$;
CREATE OR REPLACE FUNCTION interlock_moved_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF {_begun_by_its_move("NEW")} OR NOT EXISTS (SELECT 1 FROM interlock_work w WHERE w.position = NEW.position) THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'IL213',
        MESSAGE = format('ILK-213: %s %s: an attempt begins together with the move that begins it', NEW.stage, NEW.record_id);
END $body$;
"""
FUNCTIONS += """
CREATE OR REPLACE FUNCTION interlock_begun_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'IL213',
        MESSAGE = format('ILK-213: %s %s: an attempt begins unclaimed and unreported', NEW.stage, NEW.record_id);
END $body$;
CREATE OR REPLACE FUNCTION interlock_runner_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF TG_OP <> 'DELETE' THEN
        IF TG_OP = 'INSERT' OR OLD.login IS NULL THEN NEW.login := session_user; END IF;
        IF NEW.capacity BETWEEN 0 AND 100000 AND NEW.lease_until <= NEW.beat_at + interval '1 day'
            AND NEW.beat_at BETWEEN '2000-01-01Z' AND statement_timestamp() + interval '3653 days'
            AND NEW.started_at BETWEEN '2000-01-01Z' AND statement_timestamp() + interval '3653 days' AND NEW.lease_until > '2000-01-01Z'
            AND octet_length(NEW.id) <= 200 AND octet_length(NEW.name) <= 1000 AND octet_length(NEW.stages) <= 100000
            AND jsonb_typeof(NEW.stages::jsonb) = 'array'
            AND NOT jsonb_path_exists(NEW.stages::jsonb, 'strict $[*] ? (@.type() <> "string")')
            AND NEW.login = session_user AND (TG_OP = 'INSERT' OR OLD.login IS NULL OR OLD.login = session_user) THEN
            RETURN NEW;
        END IF;
    ELSIF OLD.login IS NULL OR OLD.login = session_user
        OR (OLD.lease_until < statement_timestamp() AND has_table_privilege(session_user, 'interlock_work', 'INSERT')) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'IL213',
        MESSAGE = 'ILK-213: a runner registers and removes itself only, with a list of stages, at most 100000 places and a lease of at '
            'most a day';
END $body$;
CREATE OR REPLACE FUNCTION interlock_verdict_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT 1 FROM fresh WHERE at NOT BETWEEN '2000-01-01Z' AND statement_timestamp() + interval '3653 days') THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a verdict with an instant that lies too far off';
    ELSIF EXISTS (SELECT 1 FROM fresh WHERE octet_length(concat(kind, record_id, axis, scope, reference, verdict, code, message, wanted,
        actor)) > 262144) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a verdict is larger than any that Interlock records';
    ELSIF EXISTS (SELECT 1 FROM fresh WHERE login IS DISTINCT FROM session_user) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a verdict is recorded under the login of who records it';
    END IF;
    RETURN NULL;
END $body$;
CREATE OR REPLACE FUNCTION interlock_intake_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT 1 FROM fresh f WHERE f.size NOT BETWEEN 0 AND 500 OR NOT EXISTS (
        SELECT 1 FROM interlock_work w WHERE w.position = f.work AND w.token = f.token AND w.kind = f.source_kind
        AND w.record_id = f.source_id
        AND (w.claimed_by IS NOT NULL OR w.recheck_at IS NOT NULL) AND (w.login IS NULL OR w.login = session_user OR EXISTS (
            SELECT 1 FROM interlock_runner r WHERE r.id = w.rechecked_by AND r.login = session_user)))) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a runner stages children of its own attempts only';
    END IF;
    RETURN NULL;
END $body$;
CREATE OR REPLACE FUNCTION interlock_coordinator_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF NEW.lease_until > NEW.beat_at + interval '1 day' OR NEW.beat_at > statement_timestamp() + interval '3653 days' THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a coordinator registers for a lease of at most a day';
    END IF;
    NEW.login := session_user;
    RETURN NEW;
END $body$;
CREATE OR REPLACE FUNCTION interlock_recent_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF jsonb_typeof(NEW.recent::jsonb) <> 'array'
        OR jsonb_path_exists(NEW.recent::jsonb, 'strict $[*] ? (@.type() <> "string")') THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: what a stage has begun is counted as a list of instants';
    END IF;
    NEW.counted_login := session_user;
    RETURN NEW;
END $body$;
CREATE OR REPLACE FUNCTION interlock_answers_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT 1 FROM fresh WHERE outcome = 'moved') AND EXISTS (
        SELECT o.kind, f.record_id, o.axis, o.scope, f.left_version FROM fresh f LEFT JOIN interlock_operation o ON o.id = f.operation
            WHERE f.outcome = 'moved'
        EXCEPT SELECT l.kind, l.record_id, l.axis, l.scope, l.version FROM interlock_ledger l WHERE l.txid = pg_current_xact_id()) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213',
            MESSAGE = 'ILK-213: a record of an operation is moved together with the answer that says so';
    END IF;
    RETURN NULL;
END $body$;
CREATE OR REPLACE FUNCTION interlock_tally_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT 1 FROM fresh WHERE what <> 'retried' OR delta NOT BETWEEN 0 AND 1000000)
        AND NOT has_table_privilege(session_user, 'interlock_work', 'INSERT') THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a runner counts its own tries only';
    ELSIF EXISTS (SELECT 1 FROM fresh WHERE login IS DISTINCT FROM session_user OR abs(delta) > 1000000000000) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213',
            MESSAGE = 'ILK-213: a tally is a number that can be, and is kept under the login of who counts';
    END IF;
    RETURN NULL;
END $body$;
"""


FUNCTIONS += """
CREATE OR REPLACE FUNCTION interlock_stage_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF NEW.paused <> 0 AND (coalesce(NEW.actor, '') = '' OR NEW.reason IS NULL OR NEW.at IS NULL) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a pause names its actor, its reason and its instant';
    END IF;
    NEW.login := session_user;
    RETURN NEW;
END $body$;
CREATE OR REPLACE FUNCTION interlock_command_made() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF NEW.answer IS NULL OR NEW.expires_at > NEW.at + interval '8 days' THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213',
            MESSAGE = 'ILK-213: the key of a command is kept together with its answer, for eight days at most';
    END IF;
    NEW.login := session_user;
    RETURN NEW;
END $body$;
CREATE OR REPLACE FUNCTION interlock_command_kept() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF OLD.expires_at >= statement_timestamp() THEN
        RAISE EXCEPTION USING ERRCODE = 'IL210', MESSAGE = 'ILK-210: DELETE of interlock_command is refused: its answer has not expired';
    END IF;
    RETURN OLD;
END $body$;
CREATE OR REPLACE FUNCTION interlock_children_kept() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT 1 FROM gone g JOIN interlock_work w ON w.position = g.work AND w.token = g.token) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL210',
            MESSAGE = 'ILK-210: DELETE of interlock_intake is refused: the attempt that found these records is not over';
    END IF;
    RETURN NULL;
END $body$;
CREATE OR REPLACE FUNCTION interlock_operation_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE of_its_run text[] := '{records,reached,status,pausing,told,undone_by,started_at,finished_at,runner,lease_until,login}';
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.status <> 'planned' OR NEW.reached <> 0 OR NEW.records <> 0 THEN
            RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: an operation begins planned, and without records';
        END IF;
    ELSIF to_jsonb(NEW) - of_its_run <> to_jsonb(OLD) - of_its_run
        OR (OLD.records <> 0 AND NEW.records <> OLD.records) OR NEW.reached < OLD.reached OR NEW.reached > NEW.records
        OR (NEW.status = 'finished' AND OLD.status <> 'finished' AND NEW.reached < NEW.records)
        OR (NEW.status IN ('planned', 'running', 'paused') AND OLD.status NOT IN ('planned', 'running', 'paused'))
        OR EXISTS (SELECT 1 FROM interlock_operation_item i WHERE i.operation = NEW.id AND i.number > OLD.reached
            AND i.number <= NEW.reached AND i.outcome IS NULL) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL210', MESSAGE = 'ILK-210: UPDATE of interlock_operation is refused: '
            'what it asks for is frozen, it goes on and never back, and ends when each record was answered';
    END IF;
    NEW.login := session_user;
    RETURN NEW;
END $body$;
CREATE OR REPLACE FUNCTION interlock_schedule_kept() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT 1 FROM gone g WHERE NOT EXISTS (SELECT 1 FROM interlock_schedule_run r
        WHERE r.kind = g.kind AND r.schedule = g.schedule AND r.tick > g.tick)) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL210',
            MESSAGE = 'ILK-210: DELETE of interlock_schedule_run is refused: without its newest run a schedule would run again';
    END IF;
    RETURN NULL;
END $body$;
CREATE OR REPLACE FUNCTION interlock_tick_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF NEW.tick > statement_timestamp() + interval '1 day' THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213',
            MESSAGE = 'ILK-213: a run of a schedule lies more than a day ahead, and no other would come before it';
    ELSIF TG_OP = 'UPDATE' AND ((NEW.kind, NEW.schedule, NEW.tick) IS DISTINCT FROM (OLD.kind, OLD.schedule, OLD.tick)
        OR OLD.finished_at IS NOT NULL OR (NEW.token <> OLD.token AND NEW.attempt <= OLD.attempt)) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL210', MESSAGE = 'ILK-210: UPDATE of interlock_schedule_run is refused: '
            'a run keeps its tick, each attempt its token, and what has ended stays as it ended';
    END IF;
    NEW.login := session_user;
    RETURN NEW;
END $body$;
CREATE OR REPLACE FUNCTION interlock_stray_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF pg_trigger_depth() < 2 THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a write past Interlock is noted by the trigger that sees it alone';
    END IF;
    RETURN NULL;
END $body$;
CREATE OR REPLACE FUNCTION interlock_items_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT 1 FROM fresh f WHERE NOT EXISTS (SELECT 1 FROM interlock_operation o
        WHERE o.id = f.operation AND o.records = 0 AND o.started_at IS NULL)) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL210',
            MESSAGE = 'ILK-210: INSERT into interlock_operation_item is refused: which records an operation is about is frozen';
    END IF;
    RETURN NULL;
END $body$;
CREATE OR REPLACE FUNCTION interlock_key_login() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    NEW.login := session_user;
    RETURN NEW;
END $body$;
CREATE OR REPLACE FUNCTION interlock_fold_counters() RETURNS bigint LANGUAGE plpgsql AS $body$
DECLARE many bigint;
BEGIN
    WITH gone AS (DELETE FROM interlock_count_delta WHERE ctid = ANY (ARRAY(SELECT ctid FROM interlock_count_delta FOR UPDATE SKIP LOCKED))
        RETURNING *),
    folded AS (INSERT INTO interlock_counter(kind, axis, scope, state, is_null, count)
        SELECT g.kind, g.axis, g.scope, coalesce(g.state, ''), g.state IS NULL, sum(g.delta) FROM gone g
        GROUP BY g.kind, g.axis, g.scope, g.state
        ON CONFLICT (kind, axis, scope, state, is_null) DO UPDATE SET count = interlock_counter.count + excluded.count)
    SELECT count(*) INTO many FROM gone;
    RETURN many;
END $body$;
"""
"""Counters are folded by a function with its owner's rights, so that whoever coordinates needs no right to write a count."""

FUNCTIONS += f"""
CREATE OR REPLACE FUNCTION interlock_key_made() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF NEW.scope NOT IN ({texts(SCOPES)}) OR lower(btrim(NEW.name)) IN ({texts(sorted(OWN_ACTORS))})
        OR btrim(NEW.name) = '' OR length(NEW.name) > 100 OR NEW.created_by = ''
        OR NEW.expires_at <= NEW.created_at OR NEW.revoked_at IS NOT NULL OR NEW.last_used_at IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213',
            MESSAGE = 'ILK-213: a key is made with a name and a scope of its own, unused and unrevoked, and expires after that or never';
    END IF;
    NEW.login := session_user;
    NEW.changed_login := NULL;
    RETURN NEW;
END $body$;
"""
"""What `api_keys.create` refuses is refused to whoever types it: a key named as one of Interlock's own actors would sign as it."""

_PAUSE = ("paused", "until", "reason", "actor", "at", "login")


def work_guards() -> list[str]:
    """The triggers; each may be made again."""
    statements = [
        f"CREATE OR REPLACE TRIGGER interlock_attempt BEFORE UPDATE OF {', '.join((*_IDENTITY, *_ATTEMPT, 'trace'))} ON interlock_work "
        "FOR EACH ROW EXECUTE FUNCTION interlock_attempt_guard()",
        f"CREATE OR REPLACE TRIGGER interlock_claimed BEFORE UPDATE ON interlock_work FOR EACH ROW WHEN ({_IN_DOUBT}) "
        "EXECUTE FUNCTION interlock_work_guard()",
        "CREATE OR REPLACE TRIGGER interlock_begun BEFORE INSERT ON interlock_work FOR EACH ROW "
        f"WHEN ({' OR '.join(f'NEW.{name} IS NOT NULL' for name in _LEFT_BEHIND)}) EXECUTE FUNCTION interlock_begun_guard()",
        "CREATE OR REPLACE TRIGGER interlock_issued AFTER INSERT ON interlock_work REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT "
        "EXECUTE FUNCTION interlock_issued_guard()",
        "DROP TRIGGER IF EXISTS interlock_moved ON interlock_work",
        "CREATE CONSTRAINT TRIGGER interlock_moved AFTER UPDATE OF available_at ON interlock_work DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION interlock_moved_guard()",
        "CREATE OR REPLACE TRIGGER interlock_kept AFTER TRUNCATE ON interlock_work FOR EACH STATEMENT "
        "EXECUTE FUNCTION interlock_refuse_change('attempts end one by one, each with a move')",
        "CREATE OR REPLACE TRIGGER interlock_itself BEFORE INSERT OR UPDATE OR DELETE ON interlock_runner FOR EACH ROW "
        "EXECUTE FUNCTION interlock_runner_guard()",
        "CREATE OR REPLACE TRIGGER interlock_paused BEFORE INSERT ON interlock_stage FOR EACH ROW WHEN (NEW.paused <> 0) "
        "EXECUTE FUNCTION interlock_stage_guard()",
        f"CREATE OR REPLACE TRIGGER interlock_resumed BEFORE UPDATE OF {', '.join(_PAUSE)} ON interlock_stage FOR EACH ROW "
        "EXECUTE FUNCTION interlock_stage_guard()",
        "CREATE OR REPLACE TRIGGER interlock_unexpired BEFORE DELETE ON interlock_command FOR EACH ROW "
        "EXECUTE FUNCTION interlock_command_kept()",
        "CREATE OR REPLACE TRIGGER interlock_made BEFORE INSERT ON interlock_key FOR EACH ROW EXECUTE FUNCTION interlock_key_made()",
        "CREATE OR REPLACE TRIGGER interlock_made BEFORE INSERT ON interlock_command FOR EACH ROW "
        "EXECUTE FUNCTION interlock_command_made()",
        "CREATE OR REPLACE TRIGGER interlock_made BEFORE INSERT OR UPDATE ON interlock_coordinator FOR EACH ROW "
        "EXECUTE FUNCTION interlock_coordinator_guard()",
        *(
            f"CREATE OR REPLACE TRIGGER interlock_made BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW "
            "EXECUTE FUNCTION interlock_key_login()"
            for table in ("interlock_adoption_left", "interlock_adoption_difference")
        ),
        "CREATE OR REPLACE TRIGGER interlock_counted BEFORE INSERT OR UPDATE OF recent, counted_login ON interlock_stage FOR EACH ROW "
        "EXECUTE FUNCTION interlock_recent_guard()",
        "CREATE OR REPLACE TRIGGER interlock_made BEFORE UPDATE ON interlock_operation_item FOR EACH ROW "
        "WHEN (NEW.login IS DISTINCT FROM session_user) EXECUTE FUNCTION interlock_key_login()",
        "CREATE OR REPLACE TRIGGER interlock_moved AFTER UPDATE ON interlock_operation_item REFERENCING NEW TABLE AS fresh FOR EACH "
        "STATEMENT EXECUTE FUNCTION interlock_answers_guard()",
        "DROP FUNCTION IF EXISTS interlock_answer_guard()",
        "CREATE OR REPLACE TRIGGER interlock_made BEFORE INSERT OR UPDATE ON interlock_rate FOR EACH ROW "
        "EXECUTE FUNCTION interlock_key_login()",
        "CREATE OR REPLACE TRIGGER interlock_ahead BEFORE INSERT OR UPDATE ON interlock_schedule_run FOR EACH ROW "
        "EXECUTE FUNCTION interlock_tick_guard()",
        "CREATE OR REPLACE TRIGGER interlock_noted BEFORE INSERT ON interlock_stray FOR EACH STATEMENT "
        "EXECUTE FUNCTION interlock_stray_guard()",
        "CREATE OR REPLACE TRIGGER interlock_found AFTER DELETE ON interlock_intake REFERENCING OLD TABLE AS gone FOR EACH STATEMENT "
        "EXECUTE FUNCTION interlock_children_kept()",
        "CREATE OR REPLACE TRIGGER interlock_newest AFTER DELETE ON interlock_schedule_run REFERENCING OLD TABLE AS gone FOR EACH "
        "STATEMENT EXECUTE FUNCTION interlock_schedule_kept()",
        "CREATE OR REPLACE TRIGGER interlock_unchanged AFTER UPDATE OR TRUNCATE ON interlock_intake FOR EACH STATEMENT "
        "EXECUTE FUNCTION interlock_refuse_change('what a stage has found is admitted as it was staged')",
        "CREATE OR REPLACE TRIGGER interlock_goes_on BEFORE INSERT OR UPDATE ON interlock_operation FOR EACH ROW "
        "EXECUTE FUNCTION interlock_operation_guard()",
        "CREATE OR REPLACE TRIGGER interlock_frozen AFTER DELETE OR TRUNCATE ON interlock_operation FOR EACH STATEMENT "
        "EXECUTE FUNCTION interlock_refuse_change('an operation is kept')",
        "CREATE OR REPLACE TRIGGER interlock_frozen AFTER DELETE OR TRUNCATE ON interlock_operation_item FOR EACH STATEMENT "
        "EXECUTE FUNCTION interlock_refuse_change('which records an operation is about is frozen')",
        "CREATE OR REPLACE TRIGGER interlock_answered BEFORE UPDATE ON interlock_operation_item FOR EACH ROW WHEN (OLD.outcome IS NOT NULL "
        "OR NEW.operation <> OLD.operation OR NEW.number <> OLD.number OR NEW.record_id <> OLD.record_id "
        "OR NEW.version IS DISTINCT FROM OLD.version) "
        "EXECUTE FUNCTION interlock_refuse_change('each record of an operation is answered once')",
    ]
    for table, guard in (
        ("interlock_verdict", "interlock_verdict_guard"),
        ("interlock_intake", "interlock_intake_guard"),
        ("interlock_tally", "interlock_tally_guard"),
        ("interlock_operation_item", "interlock_items_guard"),
    ):
        statements.append(
            f"CREATE OR REPLACE TRIGGER interlock_its_own AFTER INSERT ON {table} REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT "
            f"EXECUTE FUNCTION {guard}()"
        )
    return statements
