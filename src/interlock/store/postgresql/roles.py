"""Database roles as SQL that a DBA can read: owner, coordinator, runner and reader, each with no more than its work needs.

What is printed is what is applied: idempotent, in one transaction, and what a role should not have is taken away.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from ...workflow import Workflow
from ..connect import Database, driver_connection
from ..migrations.roles import COORDINATOR, OWNER, WORKING, Roles
from ..sql import text
from .rights import Place, places


def roles_sql(
    roles: Roles, workflows: Sequence[Workflow], writes: Sequence[str] = (), hook_writes: Sequence[str] = ()
) -> list[str]:
    """Every statement, in the order in which it must run; as a superuser, or as the tables' owner who may create roles."""
    known = places(workflows, roles.dialect, writes, hook_writes)
    return [
        _exist(roles),
        _members_of_nothing(roles),
        *_schemas(roles, known),
        _ownership(roles, known),
        *(one for place in known for one in _table(roles, place)),
        _sequences(roles, known),
        f"REVOKE ALL ON FUNCTION interlock_fold_counters() FROM PUBLIC, {roles.working}",
        f"GRANT EXECUTE ON FUNCTION interlock_fold_counters() TO {roles.name(COORDINATOR)}",
    ]


def apply(
    database: Database,
    roles: Roles,
    workflows: Sequence[Workflow],
    writes: Sequence[str] = (),
    hook_writes: Sequence[str] = (),
) -> None:
    """Run it all, or nothing of it."""
    with database.write() as tx:
        for statement in roles_sql(roles, workflows, writes, hook_writes):
            driver_connection(tx).execute(statement)


def summary(
    roles: Roles, workflows: Sequence[Workflow], writes: Sequence[str] = (), hook_writes: Sequence[str] = ()
) -> list[dict[str, str]]:
    """Who may do what, a line for each table and role."""
    return [
        {
            "table": place.table,
            "role": roles.name(role),
            "may": ", ".join(place.rights.get(role, ())) or "nothing",
        }
        for place in places(workflows, roles.dialect, writes, hook_writes)
        for role in WORKING
    ]


_ACTS = {
    "entries of history": (
        "interlock_ledger",
        "kind || ' ' || record_id || ' version ' || version",
        "kind <> 'adoptions' AND origin NOT IN ('migration', 'backfill', 'legacy')",
    ),
    "refusals": ("interlock_verdict", "kind || ' ' || record_id", "true"),
    "gate verdicts": ("interlock_gate_verdict", "kind || ' ' || record_id || ' ' || gate", "true"),
    "pauses": ("interlock_stage", "kind || '.' || stage", "true"),
    "keys": ("interlock_key", "name", "true"),
    "revocations or uses of keys": ("interlock_key", "name", "changed_login IS NOT NULL"),
    "answers to commands": ("interlock_command", "actor || ' ' || key", "true"),
    "operations": ("interlock_operation", "kind || ' ' || id", "true"),
    "registrations of coordinators": ("interlock_coordinator", "name", "true"),
    "paces": ("interlock_rate", "kind || '.' || stage", "true"),
    "tallies": ("interlock_tally", "kind || '.' || stage", "true"),
    "runs of schedules": ("interlock_schedule_run", "kind || '.' || schedule", "true"),
    "counts of what a stage has begun": (
        "interlock_stage",
        "kind || '.' || stage",
        "counted_login IS NOT NULL",
    ),
    "rows that an adoption left": ("interlock_adoption_left", "kind || ' ' || record_id", "true"),
    "differences that an adoption found": (
        "interlock_adoption_difference",
        "kind || ' ' || record_id",
        "true",
    ),
    "answers of operations": (
        "interlock_operation_item",
        "operation || ' ' || record_id",
        "outcome IS NOT NULL",
    ),
    "questions about attempts": ("interlock_work", "kind || ' ' || record_id", "asked_login IS NOT NULL"),
}
_LOGINS = {
    "questions about attempts": "asked_login",
    "counts of what a stage has begun": "counted_login",
    "revocations or uses of keys": "changed_login",
}
_OF_NO_KIND = ("interlock_key", "interlock_command", "interlock_coordinator", "interlock_operation_item")
"""What a coordinator does that keeps the login of who did it: its table, how one is named, and which of them count."""


def acts_of_owners(tx: Connection, kind: str | None = None) -> list[str]:
    """A sentence for each login of the database's owner that did what is a coordinator's to do; none where the owner is a login of its
    own, for then no roles were set up."""
    asked = (
        "SELECT r.rolname FROM pg_class c JOIN pg_roles o ON o.oid = c.relowner AND NOT o.rolcanlogin JOIN pg_roles r ON r.rolcanlogin "
        "AND pg_has_role(r.oid, o.oid, 'MEMBER') WHERE c.oid = 'interlock_ledger'::regclass"
    )
    logins = [row[0] for row in tx.exec_driver_sql(asked)]
    if not logins:
        return []
    tables = sorted({table for table, _, _ in _ACTS.values()})
    readable = set(
        tx.exec_driver_sql(
            "SELECT name FROM unnest(%s::text[]) AS name WHERE has_table_privilege(name, 'SELECT')", (tables,)
        ).scalars()
    )
    whats = [
        what
        for what, (table, _, _) in _ACTS.items()
        if table in readable and not (table in _OF_NO_KIND and kind is not None)
    ]
    if not whats:
        return []
    # One statement for all tables: sixteen were most of what a check of a small database waited for.
    counted = " UNION ALL ".join(_count_acts(number, what, kind) for number, what in enumerate(whats))
    rows = tx.exec_driver_sql(f"{counted} ORDER BY 1, 2", {"logins": logins, "kind": kind})
    return [
        f"login {row[1]} owns the database and is no coordinator; it made {row[2]:,} {whats[row[0]]}, one of them {row[3]}"
        for row in rows
    ]


def _count_acts(number: int, what: str, kind: str | None) -> str:
    """A query for the acts of one sort: its number, and each login with how many it made and the name of one."""
    table, name, counted = _ACTS[what]
    login = _LOGINS.get(what, "login")
    narrowed = "" if kind is None else " AND kind = %(kind)s"
    return (
        f"SELECT {number}, {login}, count(*), max({name}) FROM {table} "
        f"WHERE {login} = ANY(%(logins)s) AND {counted}{narrowed} GROUP BY {login}"
    )


def _exist(roles: Roles) -> str:
    """Groups that nobody logs in as; one that could do more than its grants say is refused."""
    named = ", ".join(text(roles.name(role)) for role in (OWNER, *WORKING))
    return f"""DO $roles$ DECLARE one text; BEGIN
    FOREACH one IN ARRAY ARRAY[{named}] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = one) THEN
            BEGIN EXECUTE format('CREATE ROLE %I NOLOGIN', one); EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END;
        END IF;
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = one
                   AND (rolcanlogin OR rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)) THEN
            RAISE EXCEPTION '% must be a group without rights of its own: no login, no superuser, nothing it may create or bypass', one;
        END IF;
    END LOOP;
END $roles$"""


def _members_of_nothing(roles: Roles) -> str:
    """A right that a role has through another is one that no grant below can take away. Whoever applies this becomes an owner."""
    named = ", ".join(text(roles.name(role)) for role in WORKING)
    owner = roles.name(OWNER)
    return f"""DO $members$ DECLARE one record; BEGIN
    FOR one IN SELECT m.roleid::regrole AS granted, m.member::regrole AS member, m.grantor::regrole AS grantor
        FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member WHERE r.rolname IN ({named})
    LOOP
        EXECUTE format('REVOKE %s FROM %s GRANTED BY %s', one.granted, one.member, one.grantor);
    END LOOP;
    IF NOT pg_has_role(current_user, {text(owner)}, 'USAGE') THEN
        EXECUTE format('GRANT {owner} TO %I', current_user);
    END IF;
END $members$"""


def _schemas(roles: Roles, known: Sequence[Place]) -> list[str]:
    """Everybody may look where the tables are; only the owner may put something there."""
    quote = roles.dialect.identifier_preparer.quote
    named = [text(schema) for schema in dict.fromkeys(place.schema for place in known if place.schema)]
    here = f"DO $database$ BEGIN EXECUTE format('GRANT CONNECT ON DATABASE %I TO {roles.names}', current_database()); END $database$"
    connect = (
        f"GRANT CONNECT ON DATABASE {quote(roles.database)} TO {roles.names}" if roles.database else here
    )
    return [
        connect,
        f"""DO $schemas$ DECLARE one text; BEGIN
    FOREACH one IN ARRAY ARRAY[{", ".join(["current_schema()::text", *named])}] LOOP
        EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC, {roles.working}', one);
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO {roles.names}', one);
        EXECUTE format('GRANT CREATE ON SCHEMA %I TO {roles.name(OWNER)}', one);
    END LOOP;
END $schemas$""",
    ]


def _ownership(roles: Roles, known: Sequence[Place]) -> str:
    """What the migration makes is the owner's, guards included; only what is not is touched, for this locks a table."""
    owner = roles.name(OWNER)
    tables = ", ".join(text(place.table) for place in known if place.owned)
    return f"""DO $owner$ DECLARE one text; BEGIN
    FOR one IN SELECT c.oid::regclass FROM pg_class c
        WHERE c.oid = ANY (ARRAY[{tables}]::regclass[]) AND c.relowner <> {text(owner)}::regrole
    LOOP
        EXECUTE format('ALTER TABLE %s OWNER TO {owner}', one);
    END LOOP;
    FOR one IN SELECT p.oid::regprocedure FROM pg_proc p
        WHERE p.pronamespace = to_regnamespace(quote_ident(current_schema())) AND starts_with(p.proname, 'interlock_')
        AND (p.prorettype = 'trigger'::regtype OR p.proname IN ('interlock_fold_counters', 'interlock_other_hash'))
        AND p.proowner <> {text(owner)}::regrole
    LOOP
        EXECUTE format('ALTER FUNCTION %s OWNER TO {owner}', one);
    END LOOP;
END $owner$"""


def _table(roles: Roles, place: Place) -> list[str]:
    """Everything is taken away and the little that is needed given back; REVOKE on a table takes the rights on columns too."""
    everybody = roles.working if place.theirs else f"PUBLIC, {roles.working}"
    granted = [
        f"GRANT {', '.join(rights)} ON {place.table} TO {roles.name(role)}"
        for role, rights in place.rights.items()
    ]
    owner = (
        [] if place.owned else [f"GRANT SELECT ON {place.table} TO {roles.name(OWNER)}"]
    )  # guards look there with the owner's rights
    return [f"REVOKE ALL ON {place.table} FROM {everybody}", *granted, *owner]


def _sequences(roles: Roles, known: Sequence[Place]) -> str:
    """Whoever may insert a row may take the number it gets from its sequence."""
    names = {
        role: [place.table for place in known if "INSERT" in place.rights.get(role, ())] for role in WORKING
    }
    pairs = ", ".join(
        f"({text(roles.name(role))}, {text(table)})" for role, tables in names.items() for table in tables
    )
    return f"""DO $sequences$ DECLARE one record; BEGIN
    FOR one IN SELECT DISTINCT given.role, d.objid::regclass AS sequence FROM (VALUES {pairs}) AS given(role, place)
        JOIN pg_depend d ON d.refobjid = given.place::regclass AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
        JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'S'
    LOOP
        EXECUTE format('GRANT USAGE ON SEQUENCE %s TO %I', one.sequence, one.role);
    END LOOP;
END $sequences$"""
