"""Cheats on what stands beside the work: questions about attempts, children, commands, operations, schedules, and places of guards."""

from __future__ import annotations

from tests.contract.subjects import Subject
from tests.security.cheats import (
    LOCATED,
    NOTE,
    PAPER,
    POSTGRESQL,
    RECORDED,
    RUNNING,
    SQLITE,
    UPLOAD,
    Typist,
    cheat,
)
from tests.security.cheats_on_schema import OWNS
from tests.security.cheats_on_work import NEXT, OTHERS, OWNERS

AT = "'2026-11-01T00:00:00.000000Z'"
ASKS = (
    "a coordinator may ask about an attempt, and a runner of its own login may answer, as in `interlock up`; the runner's row and the "
    "entry keep that login"
)
ANSWERS = (
    "the service keeps answers of commands as the coordinator: a made-up one is given to that actor, for that key and payload only, until "
    "it expires; it moves nothing, and the row keeps the login"
)
OPERATES = (
    "beginning an operation is the coordinator's, for whoever has the scope operator: its records and where they go were frozen before, "
    "every move has its entry, and the row keeps the login"
)
PACES = (
    "a coordinator notes when a stage with a rate may begin the next record: it decides when and never where, and keeps the login of who "
    "set it"
)
ALIVE = (
    "every coordinator registers itself under its login, for people to read: no move and no claim asks the row, and it lives for a day "
    "at most"
)
REGISTER = (
    "INSERT INTO interlock_runner(id, name, stages, capacity, started_at, beat_at, lease_until) VALUES "
    f"('eve', 'eve', '[]', 1, {AT}, {AT}, {AT})"
)
JUDGED = {"origin": "reissue", "actor": "coordinator", "cause": "parse.refused"}
THAT_RUNS = "DELETE FROM interlock_work WHERE record_id = 'u3'"
WORK_COLUMNS = "kind, record_id, axis, scope, stage, attempt, token, available_at, version"
CLAIM_COLUMNS = "claimed_by, claimed_at, lease_until"
ITEM = "INSERT INTO interlock_operation_item(operation, number, record_id, version) SELECT id, 99, 'p1', 2 FROM interlock_operation"


def now(typist: Typist) -> str:
    """The present as the database spells it."""
    return "strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')" if typist.is_sqlite else "statement_timestamp()"


def answer_own_question(typist: Typist, reported_at: str | None = None) -> None:
    """A runner of one's own is registered, the attempt of another is asked about, and answered as done."""
    typist.run(REGISTER)
    typist.run(f"UPDATE interlock_work SET recheck_at = {now(typist)} WHERE {OTHERS}")
    typist.run(
        f"UPDATE interlock_work SET rechecked_by = 'eve', reported_at = {reported_at or now(typist)}, outcome = 'done' WHERE {OTHERS}"
    )


def put_back_with_a_report(typist: Typist) -> None:
    """Work that another runner claimed is deleted, and put back as if that one had reported it."""
    kept = typist.rows(f"SELECT {WORK_COLUMNS}, {CLAIM_COLUMNS} FROM interlock_work WHERE {OTHERS}")[0]
    typist.run(f"DELETE FROM interlock_work WHERE {OTHERS}")
    typist.run(
        f"INSERT INTO interlock_work({WORK_COLUMNS}, {CLAIM_COLUMNS}, reported_at, outcome) "
        f"VALUES ({', '.join('?' * len(kept))}, {AT}, 'done')",
        *kept,
    )


def put_back_unclaimed(typist: Typist) -> None:
    """Work that another runner claimed is deleted, and put back with its token, free for anybody."""
    kept = typist.rows(f"SELECT {WORK_COLUMNS} FROM interlock_work WHERE {OTHERS}")[0]
    typist.run(f"DELETE FROM interlock_work WHERE {OTHERS}")
    typist.run(
        f"INSERT INTO interlock_work({WORK_COLUMNS}) VALUES ({', '.join('?' * len(kept))})",
        *kept,
    )


def reason_of_another_digest(typist: Typist) -> None:
    """A reason under a digest that is not its own, and an operator's edge that names it."""
    digest = b"d" * 32
    typist.run(
        "INSERT INTO interlock_detail(digest, salt, reason, facts) VALUES (?, ?, 'because', '{}')",
        digest,
        b"s" * 16,
    )
    typist.type_move(PAPER, "sent", detail=digest)


def delete_as_too_late(typist: Typist) -> None:
    """It is recorded that the report of an attempt comes too late, and its work row is removed."""
    typist.run(
        "INSERT INTO interlock_verdict(kind, record_id, axis, source, reference, verdict, code, message, actor, at) SELECT kind, "
        f"record_id, axis, 'report', token, 'stale', 'x', 'x', 'eve', {AT} FROM interlock_work WHERE {OTHERS}"
    )
    typist.run(f"DELETE FROM interlock_work WHERE {OTHERS}")


def amend_and_delete(typist: Typist) -> None:
    """An entry is typed that keeps a running record where it is, as amending it does, and its work row is removed."""
    typist.type_move(RUNNING, "parsing", origin="amend")
    typist.run(THAT_RUNS)


def begin_anew_and_delete(typist: Typist, **entry: str) -> None:
    """The next attempt takes the place of a running one, by an entry that no coordinator makes, and is removed."""
    typist.type_move(RUNNING, "parsing", origin="reissue", **entry)
    typist.run(f"UPDATE interlock_work SET {NEXT}, version = version + 1 WHERE record_id = 'u3'")
    typist.run(THAT_RUNS)


def claim(typist: Typist, subject: Subject) -> int:
    """The attempt of a record is claimed for oneself."""
    at = now(typist)
    return typist.run(
        f"UPDATE interlock_work SET claimed_by = 'eve', claimed_at = {at}, lease_until = {at}, started_at = {at} "
        f"WHERE record_id = '{subject.id}'"
    )


def rest(typist: Typist, subject: Subject, state: str, error: str | None = "MADE_UP") -> int:
    """An entry says that a record rests where it runs, its row has the error, and its work row is removed."""
    sql, values = typist.move(subject, state, **JUDGED)
    if error is not None and typist.is_sqlite:
        typist.run(f"UPDATE {subject.table} SET error_code = '{error}' WHERE id = '{subject.id}'")
    elif error is not None:
        sql = sql.replace(" WHERE", f", error_code = '{error}' WHERE", 1)
    return typist.run(sql, *values) + typist.run(
        f"DELETE FROM interlock_work WHERE record_id = '{subject.id}'"
    )


def begin_as_another_stage_and_rest(typist: Typist) -> None:
    """An attempt begins with its move, but in the name of a stage that may let records rest; it is claimed, and ended so."""
    version = int(typist.row(UPLOAD)[1]) + 1
    typist.run(
        f"INSERT INTO interlock_work({WORK_COLUMNS}) VALUES ('statements', '{UPLOAD.id}', 'status', '', 'notes.note', 1, "
        f"'0123456789abcdef0123456789abcdef', {now(typist)}, {version})"
    )
    typist.type_move(UPLOAD, "parsing", actor="coordinator", cause="coordinator")
    claim(typist, UPLOAD)
    rest(typist, UPLOAD, "parsing")


WORK = [
    cheat(
        "work rows",
        "plain",
        "work deleted as if its report came too late",
        delete_as_too_late,
        file=LOCATED,
        why="a trigger of SQLite cannot look into the table that a work row names; a check names the record that is left running, and a "
        "sweep begins it anew",
    ),
    cheat("work rows", "plain", "work deleted once its record was amended by hand", amend_and_delete),
    cheat(
        "work rows",
        "plain",
        "work begun anew by an entry of somebody else, and deleted",
        lambda t: begin_anew_and_delete(t, actor="hand", cause="by.hand"),
    ),
    cheat(
        "work rows",
        "plain",
        "work begun anew as if it had waited, and deleted",
        lambda t: begin_anew_and_delete(t, actor="coordinator", cause="coordinator"),
    ),
    cheat(
        "work rows",
        "typed move",
        "work deleted by an entry that keeps its record running",
        lambda t: t.type_move(RUNNING, "parsing", **JUDGED) + t.run(THAT_RUNS),
    ),
    cheat(
        "work rows",
        "typed move",
        "work deleted by an entry that keeps its record running, with an error",
        lambda t: rest(t, RUNNING, "parsing"),
    ),
    cheat(
        "work rows",
        "typed move",
        "begun work deleted by an entry that keeps its record running, with an error",
        lambda t: claim(t, RUNNING) + rest(t, RUNNING, "parsing"),
    ),
    cheat(
        "work rows",
        "typed move",
        "work deleted as if it were of a stage that has no failed state",
        begin_as_another_stage_and_rest,
    ),
    cheat(
        "work rows",
        "typed move",
        "work of a stage without a failed state deleted before anybody began it",
        lambda t: rest(t, NOTE, "noting"),
    ),
    cheat(
        "work rows",
        "typed move",
        "begun work of a stage without a failed state deleted without an error",
        lambda t: claim(t, NOTE) + rest(t, NOTE, "noting", None),
        file=LOCATED,
        why="a trigger of SQLite cannot look into the table that a work row names; a check names the record that is left running, and a "
        "sweep begins it anew",
    ),
    cheat(
        "work rows",
        "typed move",
        "begun work of a stage without a failed state ended with an error",
        lambda t: claim(t, NOTE) + rest(t, NOTE, "noting"),
        on=(POSTGRESQL,),
        owner=LOCATED,
        coordinator=RECORDED,
        why="of a stage without a failed state a coordinator judges that the record rests with its error, once its work was begun: a "
        "check names such records, a retry begins them anew, and the entry keeps the login" + OWNERS,
    ),
    cheat(
        "work rows",
        "plain",
        "a question about another's attempt",
        lambda t: t.run(f"UPDATE interlock_work SET recheck_at = {now(t)} WHERE {OTHERS}"),
        owner=LOCATED,
        coordinator=RECORDED,
        file=RECORDED,
        why="a coordinator asks whether overdue work was done after all: the question changes nothing else, and keeps the login"
        + OWNERS,
    ),
    cheat(
        "work rows",
        "clock",
        "a question that is older than the attempt",
        f"UPDATE interlock_work SET recheck_at = {AT} WHERE {OTHERS}",
    ),
    cheat(
        "work rows",
        "plain",
        "a question in the name of another login",
        lambda t: t.run(
            f"UPDATE interlock_work SET recheck_at = {now(t)}, asked_login = 'ann' WHERE {OTHERS}"
        ),
        on=(POSTGRESQL,),
        owner=LOCATED,
        why="the database keeps the login that it knows, whatever is typed" + OWNERS,
    ),
    cheat(
        "work rows",
        "plain",
        "a report of another's attempt, by who has asked about it",
        answer_own_question,
        owner=LOCATED,
        coordinator=RECORDED,
        file=RECORDED,
        why=ASKS + OWNERS,
    ),
    cheat(
        "work rows",
        "clock",
        "a report that is older than the question",
        lambda t: answer_own_question(t, AT),
        file=LOCATED,
        why="until it is applied, a check names a report that waits for long",
    ),
    cheat(
        "work rows",
        "plain",
        "work that begins claimed and reported",
        f"INSERT INTO interlock_work({WORK_COLUMNS}, {CLAIM_COLUMNS}, reported_at, outcome) VALUES ('statements', 'u9', 'status', '', "
        f"'statements.parse', 1, '0123456789abcdef0123456789abcdef', {AT}, 1, 'eve', {AT}, {AT}, {AT}, 'done')",
    ),
    cheat("work rows", "plain", "work put back with a report", put_back_with_a_report),
    cheat(
        "work rows",
        "plain",
        "work put back unclaimed",
        put_back_unclaimed,
    ),
    cheat(
        "work rows",
        "REPLACE",
        "work replaced by itself, unclaimed",
        f"REPLACE INTO interlock_work({WORK_COLUMNS}) SELECT {WORK_COLUMNS} FROM interlock_work WHERE {OTHERS}",
        on=(SQLITE,),
    ),
    cheat(
        "work rows",
        "REPLACE",
        "work replaced by its report",
        f"REPLACE INTO interlock_work({WORK_COLUMNS}, {CLAIM_COLUMNS}, reported_at, outcome) SELECT {WORK_COLUMNS}, 'eve', {AT}, {AT}, "
        f"{AT}, 'done' FROM interlock_work WHERE claimed_by IS NULL",
        on=(SQLITE,),
    ),
]
CHILDREN = [
    cheat("children", "plain", "children changed", 'UPDATE interlock_intake SET records = \'[{"id": "x"}]\''),
    cheat("children", "plain", "the actor of children", "UPDATE interlock_intake SET actor = 'ann'"),
    cheat("children", "plain", "children of an open attempt deleted", "DELETE FROM interlock_intake"),
    cheat("children", "plain", "children truncated", "TRUNCATE interlock_intake", on=(POSTGRESQL,)),
    cheat(
        "children",
        "REPLACE",
        "children replaced",
        "REPLACE INTO interlock_intake(position, kind, records, source_kind, source_id, token, at, axis, scope, work) "
        'SELECT position, kind, \'[{"id": "x"}]\', source_kind, source_id, token, at, axis, scope, work FROM interlock_intake',
        on=(SQLITE,),
    ),
]
COMMANDS = [
    cheat(
        "commands",
        "plain",
        "an answer made up",
        lambda t: t.run(
            f"INSERT INTO interlock_command(actor, key, payload, answer, at, expires_at) VALUES ('ann', 'k9', ?, '{{}}', {AT}, {AT})",
            b"p" * 32,
        ),
        owner=LOCATED,
        coordinator=RECORDED,
        file=RECORDED,
        why=ANSWERS + OWNERS,
    ),
    cheat(
        "commands",
        "plain",
        "a key taken before its client comes",
        lambda t: t.run(
            f"INSERT INTO interlock_command(actor, key, payload, at, expires_at) VALUES ('ann', 'k9', ?, {AT}, {AT})",
            b"p" * 32,
        ),
    ),
    cheat(
        "commands",
        "plain",
        "an answer that expires at once",
        f"UPDATE interlock_command SET expires_at = {AT}",
    ),
    cheat(
        "commands",
        "REPLACE",
        "an answer replaced",
        "REPLACE INTO interlock_command(actor, key, payload, answer, at, expires_at) SELECT actor, key, payload, '{}', at, expires_at "
        "FROM interlock_command",
        on=(SQLITE,),
    ),
    cheat(
        "commands",
        "plain",
        "an answer with the login of another",
        lambda t: t.run(
            "INSERT INTO interlock_command(actor, key, payload, answer, at, expires_at, login) VALUES "
            f"('ann', 'k9', ?, '{{}}', {AT}, {AT}, 'somebody')",
            b"p" * 32,
        ),
        on=(POSTGRESQL,),
        owner=LOCATED,
        why="the database keeps the login that it knows, whatever is typed" + OWNERS,
    ),
]
OPERATIONS = [
    cheat("operations", "plain", "a record added to an operation", ITEM),
    cheat(
        "operations",
        "plain",
        "another record in an operation",
        "UPDATE interlock_operation_item SET record_id = 'p1' WHERE number = 1",
    ),
    cheat(
        "operations",
        "plain",
        "another version in an operation",
        "UPDATE interlock_operation_item SET version = 7 WHERE number = 1",
    ),
    cheat(
        "operations", "plain", "a record taken out of an operation", "DELETE FROM interlock_operation_item"
    ),
    cheat("operations", "plain", "an operation deleted", "DELETE FROM interlock_operation"),
    cheat(
        "operations",
        "plain",
        "another state to go to",
        "UPDATE interlock_operation SET to_state = 'accepted'",
    ),
    cheat("operations", "plain", "the actor of an operation", "UPDATE interlock_operation SET actor = 'eve'"),
    cheat(
        "operations", "plain", "more records than were frozen", "UPDATE interlock_operation SET records = 99"
    ),
    cheat(
        "operations",
        "plain",
        "an operation finished by hand",
        "UPDATE interlock_operation SET status = 'finished'",
    ),
    cheat(
        "operations",
        "plain",
        "an operation past its records",
        "UPDATE interlock_operation SET status = 'finished', reached = records",
    ),
    cheat(
        "operations",
        "plain",
        "an operation begun by hand",
        "UPDATE interlock_operation SET status = 'running'",
        owner=LOCATED,
        coordinator=RECORDED,
        file=RECORDED,
        why=OPERATES + OWNERS,
    ),
    cheat(
        "operations",
        "plain",
        "an operation that nobody froze",
        "INSERT INTO interlock_operation(id, kind, act, axis, to_state, wanted, reason, salt, actor, created_at, records) VALUES "
        f"('op_x', 'papers', 'move', 'review', 'sent', '{{}}', 'x', 'x', 'eve', {AT}, 5)",
    ),
    cheat(
        "operations",
        "REPLACE",
        "an operation replaced",
        "REPLACE INTO interlock_operation(id, kind, act, axis, to_state, wanted, reason, salt, actor, created_at) SELECT id, kind, act, "
        "axis, 'accepted', wanted, reason, salt, 'eve', created_at FROM interlock_operation",
        on=(SQLITE,),
    ),
    cheat("operations", "plain", "operations truncated", "TRUNCATE interlock_operation", on=(POSTGRESQL,)),
]
SCHEDULES = [
    cheat(
        "schedules", "plain", "the newest run of a schedule forgotten", "DELETE FROM interlock_schedule_run"
    ),
    cheat(
        "schedules",
        "clock",
        "a run of 2099, so that none comes before it",
        "INSERT INTO interlock_schedule_run(kind, schedule, tick, token, started_at, finished_at, outcome) VALUES "
        f"('statements', 'nightly', '2099-01-01T00:00:00.000000Z', 'x', {AT}, {AT}, 'done')",
    ),
    cheat(
        "stages",
        "plain",
        "a pace made up",
        f"INSERT INTO interlock_rate(kind, stage, key, free_at) VALUES ('statements', 'parse', '', {AT})",
        owner=LOCATED,
        coordinator=RECORDED,
        file=RECORDED,
        why=PACES + OWNERS,
    ),
    cheat(
        "runners",
        "plain",
        "a coordinator made up",
        f"INSERT INTO interlock_coordinator(id, name, started_at, beat_at, lease_until) VALUES ('x', 'x', {AT}, {AT}, {AT})",
        owner=LOCATED,
        coordinator=RECORDED,
        file=RECORDED,
        why=ALIVE + OWNERS,
    ),
]
REASONS = [
    cheat(
        "reasons",
        "typed move",
        "a reason under a digest that is not its own",
        reason_of_another_digest,
        file=LOCATED,
        why="SQLite computes no SHA-256 of its own; verification does",
    ),
    cheat(
        "adoption",
        "plain",
        "a write past Interlock made up",
        "INSERT INTO interlock_stray(kind, axis, record_id, from_state, to_state, at, actor) VALUES "
        f"('olds', 'status', 'o1', 'waiting', 'running', {AT}, 'ann')",
        file=LOCATED,
        why="triggers take notes of writes past Interlock; on SQLite a check names one of a row that was not adopted",
    ),
]


def decoy_table(typist: Typist) -> None:
    """A table of the same name in another schema keeps the guard's trigger, and the records lose it."""
    typist.run("CREATE SCHEMA decoy")
    typist.run("CREATE TABLE decoy.uploads (LIKE public.uploads)")
    typist.run(
        "CREATE TRIGGER interlock_history_update AFTER UPDATE ON decoy.uploads REFERENCING OLD TABLE AS before NEW TABLE AS after "
        "FOR EACH STATEMENT EXECUTE FUNCTION public.interlock_uploads_update_guard()"
    )
    typist.run("DROP TRIGGER interlock_history_update ON public.uploads")


def decoy_function(typist: Typist) -> None:
    """A function of the same name in another schema, which lets everything pass, takes the guard's place."""
    typist.run("CREATE SCHEMA decoy")
    typist.run(
        "CREATE FUNCTION decoy.interlock_ledger_guard() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN RETURN NULL; END $f$"
    )
    typist.run(
        "CREATE OR REPLACE TRIGGER interlock_like_its_row BEFORE INSERT ON interlock_ledger "
        "FOR EACH STATEMENT EXECUTE FUNCTION decoy.interlock_ledger_guard()"
    )


def temporary_function(typist: Typist) -> None:
    """The same with a temporary function, which needs no right to make schemas."""
    typist.run(
        "CREATE FUNCTION pg_temp.interlock_ledger_guard() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN RETURN NULL; END $f$"
    )
    typist.run(
        "CREATE OR REPLACE TRIGGER interlock_like_its_row BEFORE INSERT ON interlock_ledger "
        "FOR EACH STATEMENT EXECUTE FUNCTION pg_temp.interlock_ledger_guard()"
    )


GUARDS = [
    cheat(
        "guards",
        "search_path",
        "a table of the same name that keeps the guard",
        decoy_table,
        on=(POSTGRESQL,),
        superuser=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "search_path",
        "a guard of the same name from elsewhere",
        decoy_function,
        on=(POSTGRESQL,),
        superuser=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "temporary objects",
        "a guard of the same name that is temporary",
        temporary_function,
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a table that is said to have no triggers",
        "UPDATE pg_catalog.pg_class SET relhastriggers = false WHERE oid = 'public.uploads'::regclass",
        on=(POSTGRESQL,),
        superuser=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "the login of entries to come",
        "ALTER TABLE interlock_ledger ALTER COLUMN login SET DEFAULT 'somebody'",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "no login for entries to come",
        "ALTER TABLE interlock_ledger ALTER COLUMN login DROP DEFAULT",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "records renamed, and a view in their place",
        ["ALTER TABLE uploads RENAME TO uploads_kept", "CREATE VIEW uploads AS SELECT * FROM uploads_kept"],
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
    cheat(
        "guards",
        "plain",
        "a rule that swallows moves",
        "CREATE RULE swallow AS ON UPDATE TO uploads DO INSTEAD NOTHING",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why=OWNS,
    ),
]
CHEATS = [*WORK, *CHILDREN, *COMMANDS, *OPERATIONS, *SCHEDULES, *REASONS, *GUARDS]
