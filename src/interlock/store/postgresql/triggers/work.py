"""Guards of the tables that runners write: a runner claims for itself, reports what it claimed, and registers nobody else.

A runner is known by the login it came in with. Whoever may insert work rows (coordinator, owner) is not asked: ending, re-issuing and
taking back work is the coordinator's own.
"""

from __future__ import annotations

COLUMNS = (
    "ALTER TABLE interlock_work ADD COLUMN IF NOT EXISTS login text",
    "ALTER TABLE interlock_runner ADD COLUMN IF NOT EXISTS login text",
)
"""The login that claimed a work row, and the one that registered a runner; empty in rows from before it was kept."""

_REPORT = ("reported_at", "outcome", "report", "shape", "facts", "gates")
_LEASE = ("claimed_at", "lease_until", "started_at")
_HORIZON = "greatest(statement_timestamp(), OLD.available_at) + interval '1 day'"


def _changed(columns: tuple[str, ...]) -> str:
    return " OR ".join(f"NEW.{name} IS DISTINCT FROM OLD.{name}" for name in columns)


_NOT_MINE = "OLD.login IS DISTINCT FROM session_user"
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
    )
)
"""What an ordinary claim, beat, report or return is not: only then is the function called, so that those cost one comparison."""

FUNCTIONS = """
CREATE OR REPLACE FUNCTION interlock_work_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF has_table_privilege(session_user, TG_RELID, 'INSERT') THEN
        RETURN NEW;
    ELSIF OLD.claimed_by IS NULL AND OLD.reported_at IS NULL AND NEW.reported_at IS NULL AND NEW.login IS NULL
        AND NEW.claimed_by IS NOT NULL AND NEW.lease_until <= statement_timestamp() + interval '1 day' THEN
        NEW.login := session_user;
        RETURN NEW;
    ELSIF OLD.reported_at IS NULL AND OLD.recheck_at IS NOT NULL AND NEW.claimed_by IS NOT DISTINCT FROM OLD.claimed_by
        AND NEW.lease_until IS NOT DISTINCT FROM OLD.lease_until AND EXISTS (SELECT 1 FROM interlock_runner r
            WHERE r.id = coalesce(OLD.rechecked_by, NEW.rechecked_by) AND r.login = session_user) THEN
        RETURN NEW;
    ELSIF OLD.reported_at IS NULL AND OLD.claimed_by IS NOT NULL AND OLD.login IS NULL AND NEW.claimed_by = OLD.claimed_by
        AND NEW.lease_until <= statement_timestamp() + interval '1 day' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'IL213',
        MESSAGE = format('ILK-213: %s %s: a runner claims for itself, for a day at most, and reports only what it has claimed',
            OLD.stage, OLD.record_id);
END $body$;
CREATE OR REPLACE FUNCTION interlock_runner_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF TG_OP <> 'DELETE' THEN
        IF TG_OP = 'INSERT' OR OLD.login IS NULL THEN NEW.login := session_user; END IF;
        IF NEW.capacity BETWEEN 0 AND 100000 AND NEW.lease_until <= statement_timestamp() + interval '1 day'
            AND NEW.login = session_user AND (TG_OP = 'INSERT' OR OLD.login IS NULL OR OLD.login = session_user) THEN
            RETURN NEW;
        END IF;
    ELSIF OLD.login IS NULL OR OLD.login = session_user THEN
        RETURN OLD;
    END IF;
    IF has_table_privilege(session_user, 'interlock_work', 'INSERT') THEN
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'IL213',
        MESSAGE = 'ILK-213: a runner registers itself only, with at most 100000 places and a lease of at most a day';
END $body$;
CREATE OR REPLACE FUNCTION interlock_verdict_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT 1 FROM fresh WHERE at NOT BETWEEN '2000-01-01Z' AND statement_timestamp() + interval '3653 days') THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a verdict with an instant that lies too far off';
    END IF;
    RETURN NULL;
END $body$;
CREATE OR REPLACE FUNCTION interlock_intake_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF NOT has_table_privilege(session_user, 'interlock_work', 'INSERT') AND EXISTS (SELECT 1 FROM fresh f WHERE NOT EXISTS (
        SELECT 1 FROM interlock_work w WHERE w.position = f.work AND w.token = f.token AND w.kind = f.source_kind
        AND w.record_id = f.source_id AND (w.login IS NULL OR w.login = session_user OR EXISTS (
            SELECT 1 FROM interlock_runner r WHERE r.id = w.rechecked_by AND r.login = session_user)))) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a runner stages children of its own attempts only';
    END IF;
    RETURN NULL;
END $body$;
CREATE OR REPLACE FUNCTION interlock_tally_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT 1 FROM fresh WHERE what <> 'retried' OR delta NOT BETWEEN 0 AND 1000000)
        AND NOT has_table_privilege(session_user, 'interlock_work', 'INSERT') THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a runner counts its own tries only';
    END IF;
    RETURN NULL;
END $body$;
"""


def work_guards() -> list[str]:
    """The triggers; each may be made again."""
    statements = [
        f"CREATE OR REPLACE TRIGGER interlock_claimed BEFORE UPDATE ON interlock_work FOR EACH ROW WHEN ({_IN_DOUBT}) "
        "EXECUTE FUNCTION interlock_work_guard()",
        "CREATE OR REPLACE TRIGGER interlock_itself BEFORE INSERT OR UPDATE OR DELETE ON interlock_runner FOR EACH ROW "
        "EXECUTE FUNCTION interlock_runner_guard()",
    ]
    for table, guard in (
        ("interlock_verdict", "interlock_verdict_guard"),
        ("interlock_intake", "interlock_intake_guard"),
        ("interlock_tally", "interlock_tally_guard"),
    ):
        statements.append(
            f"CREATE OR REPLACE TRIGGER interlock_its_own AFTER INSERT ON {table} REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT "
            f"EXECUTE FUNCTION {guard}()"
        )
    return statements
