"""Cheats on what the guards stand on: machines, memory of migrations, triggers, functions, schemas, settings, temporary objects."""

from __future__ import annotations

import json

from interlock import Machine
from tests.security.cheats import LOCATED, OWN, PAPER, POSTGRESQL, SQLITE, Typist, cheat

OWNS = "the owner can change the schema; a check compares every guard with what this code makes"
WIDE = Machine("review", initial="draft", moves={"draft": ["accepted"]})
MOVE = "UPDATE papers SET review = 'accepted', review_version = 1 WHERE id = 'p4'"
LATER = "UPDATE uploads SET status = 'parsed', version = 1 WHERE id = 'u4'"


def forged_machine(typist: Typist) -> int:
    """A version of a machine that allows more, as a migration would register it."""
    return typist.run(
        "INSERT INTO interlock_machine(kind, axis, fingerprint, definition, active) VALUES ('papers', "
        "'review', ?, ?, true)",
        WIDE.fingerprint,
        json.dumps(WIDE.definition()),
    )


MACHINES = [
    cheat("machines", "plain", "a version that allows more", forged_machine, owner=LOCATED, why=OWNS),
    cheat(
        "machines",
        "plain",
        "a definition changed",
        "UPDATE interlock_machine SET definition = replace(definition, 'draft', 'sent') WHERE kind = 'papers'",
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "machines",
        "plain",
        "a machine switched off",
        "UPDATE interlock_machine SET active = false WHERE kind = 'papers'",
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "machines",
        "plain",
        "a machine deleted",
        "DELETE FROM interlock_machine WHERE kind = 'papers'",
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "machines",
        "plain",
        "an axis that lives elsewhere",
        "UPDATE interlock_axis SET table_name = 'uploads' WHERE kind = 'papers'",
        owner=LOCATED,
        why=OWNS,
    ),
    cheat("machines", "plain", "an axis forgotten", "DELETE FROM interlock_axis", owner=LOCATED, why=OWNS),
    cheat(
        "machines",
        "plain",
        "the memory of a migration changed",
        "UPDATE interlock_meta SET value = 'x'",
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "machines",
        "plain",
        "the memory of a migration deleted",
        "DELETE FROM interlock_meta",
        owner=LOCATED,
        why=OWNS,
    ),
]
SQLITES = [
    cheat(
        "guards",
        "plain",
        f"the guard {name} dropped",
        f"DROP TRIGGER {name}",
        on=(SQLITE,),
        owner=LOCATED,
        why=OWNS,
    )
    for name in (
        "interlock_uploads_status_update",
        "interlock_uploads_status_insert",
        "interlock_uploads_status_delete",
        "interlock_uploads_status_moves",
        "interlock_ledger_entry",
        "interlock_ledger_update",
        "interlock_ledger_delete",
        "interlock_gate_verdict_insert",
        "interlock_plan_update",
    )
] + [
    cheat(
        "guards",
        "plain",
        "a guard that lets everything pass",
        [
            "DROP TRIGGER interlock_ledger_update",
            "CREATE TRIGGER interlock_ledger_update BEFORE UPDATE ON interlock_ledger WHEN false BEGIN SELECT 1; END",
        ],
        on=(SQLITE,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a status after its guards are gone",
        ["DROP TRIGGER interlock_uploads_status_update", LATER],
        on=(SQLITE,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a trigger of one's own on the ledger",
        "CREATE TRIGGER mine AFTER INSERT ON interlock_ledger BEGIN SELECT 1; END",
        on=(SQLITE,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a trigger of one's own in a guard's name",
        "CREATE TRIGGER interlock_ledger_more AFTER INSERT ON interlock_ledger BEGIN SELECT 1; END",
        on=(SQLITE,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a trigger of one's own in the name of a guard that no axis has",
        "CREATE TRIGGER interlock_uploads_status_follows AFTER INSERT ON interlock_ledger BEGIN SELECT 1; END",
        on=(SQLITE,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "the ledger renamed",
        "ALTER TABLE interlock_ledger RENAME TO forgotten",
        on=(SQLITE,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "the ledger dropped",
        "DROP TABLE interlock_ledger",
        on=(SQLITE,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "the seals dropped",
        "DROP TABLE interlock_seal",
        on=(SQLITE,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a column renamed under its guards",
        "ALTER TABLE uploads RENAME COLUMN status TO former",
        on=(SQLITE,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "generated columns",
        "a status that is computed",
        [
            "ALTER TABLE uploads RENAME COLUMN status TO former",
            "ALTER TABLE uploads ADD COLUMN status TEXT AS ('parsed')",
        ],
        on=(SQLITE,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "generated columns",
        "a generated column beside the status",
        "ALTER TABLE uploads ADD COLUMN shown TEXT AS (upper(status))",
        on=(SQLITE,),
        owner=OWN,
        why="more columns of a record are the team's own",
    ),
    cheat(
        "guards",
        "temporary objects",
        "a temporary table in the ledger's name",
        ["CREATE TEMP TABLE interlock_ledger AS SELECT * FROM main.interlock_ledger", LATER],
        on=(SQLITE,),
    ),
    cheat(
        "guards",
        "temporary objects",
        "a temporary trigger that moves",
        [
            "CREATE TEMP TABLE bait(n)",
            f"CREATE TEMP TRIGGER pull AFTER INSERT ON bait BEGIN {LATER}; END",
            "INSERT INTO bait VALUES (1)",
        ],
        on=(SQLITE,),
    ),
    cheat(
        "guards",
        "temporary objects",
        "a temporary view in a record table's name",
        ["CREATE TEMP VIEW uploads AS SELECT * FROM main.uploads", LATER],
        on=(SQLITE,),
    ),
    cheat(
        "guards",
        "session settings",
        "recursive triggers switched on",
        ["PRAGMA recursive_triggers = ON", LATER],
        on=(SQLITE,),
    ),
    cheat(
        "guards",
        "session settings",
        "foreign keys switched off",
        ["PRAGMA foreign_keys = OFF", "DELETE FROM articles WHERE id = 1"],
        on=(SQLITE,),
    ),
    cheat(
        "guards",
        "session settings",
        "constraints switched off",
        ["PRAGMA ignore_check_constraints = ON", "UPDATE uploads SET status = NULL WHERE id = 'u4'"],
        on=(SQLITE,),
    ),
    cheat(
        "guards",
        "session settings",
        "trust withdrawn from the schema",
        ["PRAGMA trusted_schema = OFF", LATER],
        on=(SQLITE,),
    ),
    cheat(
        "guards",
        "session settings",
        "the schema written by hand",
        [
            "PRAGMA writable_schema = ON",
            "DELETE FROM sqlite_master WHERE name = 'interlock_ledger_update'",
            "PRAGMA writable_schema = OFF",
        ],
        on=(SQLITE,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "session settings",
        "a guard's text written by hand",
        [
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = replace(sql, 'BEFORE UPDATE', 'BEFORE  DELETE') WHERE name = "
            "'interlock_ledger_update'",
            "PRAGMA writable_schema = OFF",
        ],
        on=(SQLITE,),
        owner=LOCATED,
        why=OWNS,
    ),
]


def shadowed(typist: Typist) -> None:
    """A temporary ledger first in the search path, and a move with an entry in it."""
    typist.run("CREATE TEMP TABLE interlock_ledger (LIKE public.interlock_ledger INCLUDING DEFAULTS)")
    typist.run("SET LOCAL search_path = pg_temp, public")
    typist.run(MOVE)


def stale_context(typist: Typist) -> None:
    """What was said by one statement is not heard by the next."""
    says, values = typist.says(typist.entry(PAPER, "sent"))
    typist.rows(f"SELECT {says}", *values)
    typist.run("SELECT pg_sleep(0.001)")
    typist.run("UPDATE papers SET review = 'sent', review_version = 1 WHERE id = 'p4'")


def other_context(typist: Typist) -> None:
    """What is said of one axis moves no other."""
    says, values = typist.says(typist.entry(PAPER, "sent"))
    typist.run(
        f"UPDATE papers SET printing = 'set', printing_version = 1, printing_head = review_head WHERE id "
        f"= 'p4' AND {says}",
        *values,
    )


def copy_records(typist: Typist) -> None:
    with typist.connection.cursor().copy("COPY papers(id, review, review_version) FROM STDIN") as stream:
        stream.write("x\tdraft\t0\n")


OPERATOR = (
    "CREATE FUNCTION pg_temp.equal(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
    "CREATE OPERATOR pg_temp.= (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.equal)",
    "SET LOCAL search_path = pg_temp, pg_catalog, public",
    MOVE,
)
REPLICA = "a superuser can switch triggers off; rows and history then differ"
POSTGRESQLS = [
    *(
        cheat(
            "guards",
            "plain",
            f"the guards of {table} switched off",
            f"ALTER TABLE {table} DISABLE TRIGGER USER",
            on=(POSTGRESQL,),
            owner=LOCATED,
            why=OWNS,
        )
        for table in (
            "uploads",
            "interlock_ledger",
            "interlock_work",
            "interlock_plan",
            "interlock_gate_verdict",
            "approved_items",
        )
    ),
    cheat(
        "guards",
        "plain",
        "a status while guards are switched off",
        ["ALTER TABLE uploads DISABLE TRIGGER USER", LATER, "ALTER TABLE uploads ENABLE TRIGGER USER"],
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "an entry deleted while guards are switched off",
        [
            "ALTER TABLE interlock_ledger DISABLE TRIGGER USER",
            "DELETE FROM interlock_ledger WHERE record_id = 'u6' AND version = 2",
            "ALTER TABLE interlock_ledger ENABLE TRIGGER USER",
        ],
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a gate's no turned into a yes while guards are switched off",
        [
            "ALTER TABLE interlock_gate_verdict DISABLE TRIGGER USER",
            "UPDATE interlock_gate_verdict SET number = number + 7",
            "ALTER TABLE interlock_gate_verdict ENABLE TRIGGER USER",
        ],
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a guard dropped",
        "DROP TRIGGER interlock_history_update ON uploads",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a guard on work dropped",
        "DROP TRIGGER interlock_claimed ON interlock_work",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a guard's condition changed",
        "CREATE OR REPLACE TRIGGER interlock_claimed BEFORE UPDATE ON interlock_work FOR EACH ROW WHEN "
        "(false) EXECUTE FUNCTION interlock_work_guard()",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a guard that lets everything pass",
        "CREATE OR REPLACE FUNCTION interlock_uploads_update_guard() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN RETURN NULL; END'",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a guard with the rights of its caller",
        "ALTER FUNCTION interlock_ledger_guard() SECURITY INVOKER",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "search_path",
        "a guard that looks elsewhere",
        "ALTER FUNCTION interlock_uploads_update_guard() SET search_path = pg_temp, public",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "search_path",
        "a guard that looks nowhere",
        "ALTER FUNCTION interlock_uploads_update_guard() RESET search_path",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a guard for everybody to use",
        "GRANT EXECUTE ON FUNCTION interlock_ledger_guard() TO PUBLIC",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a rule that swallows entries",
        "CREATE RULE forget AS ON INSERT TO interlock_ledger DO INSTEAD NOTHING",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a rule that swallows verdicts",
        "CREATE RULE forget AS ON INSERT TO interlock_verdict DO INSTEAD NOTHING",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "rows of history hidden",
        "ALTER TABLE interlock_ledger ENABLE ROW LEVEL SECURITY",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a child table of the ledger",
        "CREATE TABLE more () INHERITS (interlock_ledger)",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a trigger of one's own on the ledger",
        [
            "CREATE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "CREATE TRIGGER mine BEFORE INSERT ON interlock_ledger FOR EACH ROW EXECUTE FUNCTION mine()",
        ],
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "the ledger renamed",
        "ALTER TABLE interlock_ledger RENAME TO forgotten",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "the ledger dropped",
        "DROP TABLE interlock_ledger CASCADE",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a view in the ledger's place",
        [
            "ALTER TABLE interlock_ledger RENAME TO forgotten",
            "CREATE VIEW interlock_ledger AS SELECT * FROM forgotten",
        ],
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "generated columns",
        "a status that is computed",
        [
            "ALTER TABLE uploads RENAME COLUMN status TO former",
            "ALTER TABLE uploads ADD COLUMN status text GENERATED ALWAYS AS ('parsed') STORED",
        ],
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "generated columns",
        "a generated column beside the status",
        "ALTER TABLE uploads ADD COLUMN shown text GENERATED ALWAYS AS (upper(status)) STORED",
        on=(POSTGRESQL,),
        owner=OWN,
        why="more columns of a record are the team's own",
    ),
    cheat(
        "guards", "temporary objects", "a temporary table in the ledger's name", shadowed, on=(POSTGRESQL,)
    ),
    cheat(
        "guards",
        "temporary objects",
        "a temporary table with a guard hung on it",
        [
            "CREATE TEMP TABLE bait (kind text, record_id text)",
            "CREATE TRIGGER hung AFTER DELETE ON bait FOR EACH ROW EXECUTE FUNCTION interlock_detail_guard()",
            "INSERT INTO bait VALUES ('x', 'x')",
            "DELETE FROM bait",
        ],
        on=(POSTGRESQL,),
    ),
    cheat(
        "guards",
        "temporary objects",
        "a temporary trigger that moves",
        [
            "CREATE TEMP TABLE bait (n int)",
            f"CREATE FUNCTION pg_temp.pull() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN {LATER}; RETURN NULL; END $f$",
            "CREATE TRIGGER pull AFTER INSERT ON bait FOR EACH ROW EXECUTE FUNCTION pg_temp.pull()",
            "INSERT INTO bait VALUES (1)",
        ],
        on=(POSTGRESQL,),
    ),
    cheat("guards", "search_path", "an operator of one's own", OPERATOR, on=(POSTGRESQL,)),
    cheat(
        "guards",
        "search_path",
        "no search path at all",
        [
            "SET LOCAL search_path = ''",
            "UPDATE public.uploads SET status = 'parsed', version = 1 WHERE id = 'u4'",
        ],
        on=(POSTGRESQL,),
    ),
    cheat(
        "guards",
        "session settings",
        "triggers switched off in the session",
        ["SET LOCAL session_replication_role = replica", LATER],
        on=(POSTGRESQL,),
        superuser=LOCATED,
        why=REPLICA,
    ),
    cheat(
        "guards",
        "session settings",
        "entries deleted as a replica",
        [
            "SET LOCAL session_replication_role = replica",
            "DELETE FROM interlock_ledger WHERE record_id = 'u6' AND version = 2",
        ],
        on=(POSTGRESQL,),
        superuser=LOCATED,
        why=REPLICA,
    ),
    cheat(
        "guards",
        "session settings",
        "what an earlier statement said of a move",
        stale_context,
        on=(POSTGRESQL,),
    ),
    cheat(
        "guards",
        "session settings",
        "a context for another axis",
        other_context,
        on=(POSTGRESQL,),
    ),
    cheat(
        "guards",
        "session settings",
        "deferred constraints",
        ["SET CONSTRAINTS ALL DEFERRED", LATER],
        on=(POSTGRESQL,),
    ),
    cheat("records", "plain", "records truncated", "TRUNCATE uploads", on=(POSTGRESQL,)),
    cheat(
        "records", "plain", "records truncated by a cascade", "TRUNCATE articles CASCADE", on=(POSTGRESQL,)
    ),
    cheat(
        "records",
        "plain",
        "a record by MERGE",
        "MERGE INTO uploads u USING (SELECT 'u4' AS id) s ON u.id = s.id WHEN MATCHED THEN UPDATE SET "
        "status = 'parsed', version = 1",
        on=(POSTGRESQL,),
    ),
    cheat(
        "records",
        "plain",
        "a record deleted by MERGE",
        "MERGE INTO uploads u USING (SELECT 'u4' AS id) s ON u.id = s.id WHEN MATCHED THEN DELETE",
        on=(POSTGRESQL,),
    ),
    cheat(
        "records",
        "WITH RECURSIVE",
        "a move in a query",
        "WITH moved AS (UPDATE uploads SET status = 'parsed', version = 1 WHERE id = 'u4' RETURNING *) "
        "SELECT count(*) FROM moved",
        on=(POSTGRESQL,),
    ),
    cheat("records", "COPY", "records as a stream", copy_records, on=(POSTGRESQL,)),
    cheat(
        "records",
        "plain",
        "a move through a view",
        [
            "CREATE TEMP VIEW mine AS SELECT * FROM uploads",
            "UPDATE mine SET status = 'parsed', version = 1 WHERE id = 'u4'",
        ],
        on=(POSTGRESQL,),
    ),
    cheat(
        "records",
        "plain",
        "a child table of the records",
        [
            "CREATE TABLE more () INHERITS (uploads)",
            "INSERT INTO more(id, status, version) VALUES ('u99', 'parsed', 3)",
        ],
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat("frozen tables", "plain", "frozen rows truncated", "TRUNCATE approved_items", on=(POSTGRESQL,)),
    cheat("guards", "session settings", "becoming the owner", "SET LOCAL ROLE postgres", on=(POSTGRESQL,)),
]


CHEATS = [*MACHINES, *SQLITES, *POSTGRESQLS]
