"""Cheats on work: claims, reports, leases, runners, children, counters, answers to commands, keys."""

from __future__ import annotations

from tests.security.cheats import LOCATED, OWN, POSTGRESQL, RECORDED, SQLITE, Cheat, cheat

COORDINATES = (
    "SQLite has no triggers that wait for the end of a transaction; a check names what is left behind"
)
RECOUNTED = "counters are numbers beside the truth, and a check recounts them"
RUNS_HERE = (
    "whoever has the file may do what a runner does, and there are no logins; one report of an attempt counts"
)
PAUSES = (
    "the service pauses stages as the coordinator, for whoever has the scope operator: records wait where they are, runners finish what "
    "they claimed, and the row keeps the login"
)
RESUMES = (
    "the service resumes stages as the coordinator, for whoever has the scope operator: waiting records are begun by legal moves with "
    "entries, and the row keeps the login"
)
OWNERS = "; where roles were set up, a check names the owner's logins"
ANOTHER = "claimed_by = 'another'"
OTHERS, MINE, NOBODYS = ANOTHER, "claimed_by <> 'another'", "claimed_by IS NULL"


def work(name: str, changes: str, where: str, **more: object) -> Cheat:
    """A change of a work row."""
    return cheat("work rows", "plain", name, f"UPDATE interlock_work SET {changes} WHERE {where}", **more)  # type: ignore[arg-type]


REPORTED = "reported_at = '2026-11-01T00:00:00.000000Z', outcome = 'done'"
CLEARED = (
    "claimed_by = NULL, claimed_at = NULL, lease_until = NULL, reported_at = NULL, outcome = NULL, report = NULL, shape = NULL, "
    "facts = NULL, gates = NULL, recheck_at = NULL, rechecked_by = NULL"
)
NEXT = f"token = '0123456789abcdef0123456789abcdef', attempt = attempt + 1, {CLEARED}"
WORK = [
    work("a report of work that nobody claimed", REPORTED, NOBODYS),
    work(
        "a report of what another runner claimed",
        REPORTED,
        OTHERS,
        file=LOCATED,
        why="until it is applied, a check names a report that waits for long",
    ),
    work("facts for what nobody claimed", "facts = '{}', shape = 'x'", NOBODYS),
    work("facts for what another runner claimed", "facts = '{}', shape = 'x'", OTHERS),
    work("gate verdicts for what nobody claimed", "gates = '[]'", NOBODYS),
    work("gate verdicts for what another runner claimed", "gates = '[]'", OTHERS),
    work("work taken from another runner", "claimed_by = 'eve'", OTHERS),
    work(
        "work of another runner given back",
        "claimed_by = NULL, claimed_at = NULL, lease_until = NULL",
        OTHERS,
        file=RECORDED,
        why=RUNS_HERE,
    ),
    work("a claim without an end", "claimed_by = 'eve'", NOBODYS, file=LOCATED, why=RUNS_HERE),
    cheat(
        "work rows",
        "plain",
        "a claim without an end, under one's own login",
        "UPDATE interlock_work SET claimed_by = 'eve', login = session_user WHERE claimed_by IS NULL",
        on=(POSTGRESQL,),
    ),
    work(
        "work that nobody claimed, said to have begun long ago",
        "started_at = '2026-01-01T00:00:00.000000Z'",
        NOBODYS,
        file=RECORDED,
        why=RUNS_HERE,
    ),
    work(
        "work that began earlier than it was claimed",
        "started_at = '2026-01-01T00:00:00.000000Z'",
        MINE,
        file=RECORDED,
        why=RUNS_HERE,
    ),
    work(
        "the beginning of a claim set back",
        "claimed_at = '2026-01-01T00:00:00.000000Z'",
        MINE,
        file=LOCATED,
        why=RUNS_HERE,
    ),
    work("the trace of an attempt", "trace = 'x'", MINE, file=RECORDED, why=RUNS_HERE),
    work("a lease until 9999", "lease_until = '9999-01-01T00:00:00.000000Z'", MINE),
    work("a lease for ever", "lease_until = 'infinity'", MINE),
    work(
        "a lease of a year",
        "lease_until = '2027-11-01T00:00:00.000000Z'",
        MINE,
        file=LOCATED,
        why=RUNS_HERE,
    ),
    work(
        "a claim of the future",
        "claimed_at = '2029-11-01T00:00:00.000000Z'",
        MINE,
        file=LOCATED,
        why=RUNS_HERE,
    ),
    work(
        "the lease of another runner",
        "lease_until = '2026-01-01T00:00:00.000000Z'",
        OTHERS,
        file=LOCATED,
        why=RUNS_HERE,
    ),
    work("the token of an attempt", "token = 'x'", MINE),
    work("the number of an attempt", "attempt = 9", MINE),
    work("an attempt of another record", "record_id = 'u9'", MINE),
    work("an attempt of another stage", "stage = 'statements.normalize'", MINE),
    work("an attempt put off for years", "available_at = '2030-01-01T00:00:00.000000Z'", NOBODYS),
    work("an attempt of another version", "version = 7", MINE),
    work("the next attempt that keeps the claim of the last", "token = 'x', attempt = attempt + 1", MINE),
    work(
        "the next attempt of a record that did not move",
        NEXT,
        NOBODYS,
    ),
    work("an outcome that does not exist", "outcome = 'splendid'", MINE),
    work("an answer to a question that nobody asked", "rechecked_by = 'eve'", OTHERS),
    cheat(
        "work rows",
        "plain",
        "work deleted",
        "DELETE FROM interlock_work WHERE claimed_by IS NULL",
    ),
    cheat(
        "work rows",
        "plain",
        "work for a record that waits for none",
        "INSERT INTO interlock_work(kind, record_id, axis, stage, attempt, token, available_at) VALUES "
        "('statements', 'u9', 'status', 'statements.parse', 5, 'x', '2026-11-01T00:00:00.000000Z')",
        file=LOCATED,
        why=COORDINATES,
    ),
    cheat(
        "work rows",
        "upsert",
        "a report by ON CONFLICT",
        "INSERT INTO interlock_work(kind, record_id, axis, scope, stage, attempt, token, available_at) "
        "SELECT kind, record_id, axis, scope, stage, attempt, token, available_at FROM interlock_work "
        "WHERE claimed_by IS NULL ON CONFLICT (record_id, kind, axis, scope) DO UPDATE SET outcome = "
        "'splendid'",
    ),
    cheat(
        "runners",
        "plain",
        "another runner's registration deleted",
        "DELETE FROM interlock_runner WHERE login <> session_user",
        on=(POSTGRESQL,),
    ),
    cheat(
        "runners",
        "plain",
        "one's own registration deleted",
        "DELETE FROM interlock_runner WHERE login = session_user",
        on=(POSTGRESQL,),
        runner=OWN,
        why="a runner that stops removes itself; while it lives, its next beat registers it again",
    ),
    cheat(
        "runners",
        "plain",
        "another runner's capacity",
        "UPDATE interlock_runner SET capacity = 0 WHERE login <> session_user",
        on=(POSTGRESQL,),
    ),
    cheat(
        "runners",
        "plain",
        "a runner's registration deleted",
        "DELETE FROM interlock_runner",
        on=(SQLITE,),
        file=OWN,
        why=f"{RUNS_HERE}; while it lives, its next beat registers it again",
    ),
    cheat(
        "runners",
        "plain",
        "a runner that lives for ever",
        "INSERT INTO interlock_runner(id, name, stages, capacity, started_at, beat_at, lease_until) "
        "VALUES ('x', 'x', '[]', 1, '2026-11-01T00:00:00.000000Z', '2026-11-01T00:00:00.000000Z', "
        "'2999-11-01T00:00:00.000000Z')",
    ),
    cheat(
        "runners",
        "plain",
        "a runner with a million places",
        "INSERT INTO interlock_runner(id, name, stages, capacity, started_at, beat_at, lease_until) "
        "VALUES ('x', 'x', '[]', 1000000, '2026-11-01T00:00:00.000000Z', '2026-11-01T00:00:00.000000Z', "
        "'2026-11-01T00:00:00.000000Z')",
    ),
    cheat(
        "children",
        "plain",
        "children of another's attempt",
        "INSERT INTO interlock_intake(kind, records, source_kind, source_id, axis, scope, token, work, "
        "at) SELECT 'papers', '[{\"id\": \"x\"}]', kind, record_id, axis, scope, token, position, "
        "available_at FROM interlock_work WHERE claimed_by = 'another'",
        file=RECORDED,
        why=f"{RUNS_HERE}; children are admitted once it is applied, as any admission",
    ),
    cheat(
        "children",
        "plain",
        "children of an attempt that nobody claimed",
        "INSERT INTO interlock_intake(kind, records, source_kind, source_id, axis, scope, token, work, "
        "at) SELECT 'papers', '[{\"id\": \"x\"}]', kind, record_id, axis, scope, token, position, "
        "available_at FROM interlock_work WHERE claimed_by IS NULL",
    ),
    cheat(
        "children",
        "plain",
        "children of an attempt that never was",
        "INSERT INTO interlock_intake(kind, records, source_kind, source_id, axis, scope, token, work, "
        "at) VALUES ('papers', '[{\"id\": \"x\"}]', 'statements', 'u1', 'status', '', 'x', 9999, "
        "'2026-11-01T00:00:00.000000Z')",
    ),
    cheat(
        "children",
        "plain",
        "children of no attempt",
        "INSERT INTO interlock_intake(kind, records, source_kind, source_id, axis, scope, token, work, "
        "at) VALUES ('papers', '[{\"id\": \"x\"}]', 'statements', 'u1', 'status', '', 'x', NULL, "
        "'2026-11-01T00:00:00.000000Z')",
    ),
    cheat(
        "stages",
        "plain",
        "a pause ended",
        "UPDATE interlock_stage SET paused = 0",
        owner=LOCATED,
        coordinator=RECORDED,
        file=RECORDED,
        why=RESUMES + OWNERS,
    ),
    cheat(
        "stages",
        "plain",
        "a pause that names nobody",
        "INSERT INTO interlock_stage(kind, stage, paused) VALUES ('statements', 'parse', 1)",
    ),
    cheat(
        "stages",
        "plain",
        "a pause made up",
        "INSERT INTO interlock_stage(kind, stage, paused, reason, actor, at) VALUES ('statements', 'parse', 1, 'x', 'eve', "
        "'2026-11-01T00:00:00.000000Z')",
        owner=LOCATED,
        coordinator=RECORDED,
        file=RECORDED,
        why=PAUSES + OWNERS,
    ),
    cheat(
        "stages",
        "plain",
        "a pause forgotten",
        "DELETE FROM interlock_stage",
    ),
    cheat(
        "counters",
        "plain",
        "a count changed",
        "UPDATE interlock_counter SET count = count + 5",
        owner=LOCATED,
        why=RECOUNTED,
    ),
    cheat(
        "counters", "plain", "a count deleted", "DELETE FROM interlock_counter", owner=LOCATED, why=RECOUNTED
    ),
    cheat(
        "counters",
        "plain",
        "a count made up",
        "INSERT INTO interlock_counter(kind, axis, state, is_null, count) VALUES ('papers', 'review', "
        "'lost', false, 5)",
        owner=LOCATED,
        why=RECOUNTED,
    ),
    cheat(
        "counters",
        "plain",
        "a delta made up",
        "INSERT INTO interlock_count_delta(kind, axis, state, delta) VALUES ('papers', 'review', 'sent', 5)",
        owner=LOCATED,
        why=RECOUNTED,
    ),
    cheat(
        "counters",
        "plain",
        "deltas changed",
        "UPDATE interlock_count_delta SET delta = delta + 1",
        owner=LOCATED,
        why=RECOUNTED,
    ),
    cheat(
        "counters",
        "plain",
        "deltas deleted",
        "DELETE FROM interlock_count_delta",
        owner=LOCATED,
        why=RECOUNTED,
    ),
    cheat(
        "counters",
        "plain",
        "tallies made up",
        "INSERT INTO interlock_tally(kind, stage, what, delta) VALUES ('statements', 'parse', 'done', 1000)",
        owner=LOCATED,
        coordinator=RECORDED,
        file=RECORDED,
        why="a coordinator counts what its stages came to, for the metrics: no move reads a tally, and each keeps the login of who counted"
        + OWNERS,
    ),
    cheat(
        "counters",
        "plain",
        "a runner's own tries",
        "INSERT INTO interlock_tally(kind, stage, what, delta) VALUES ('statements', 'parse', 'retried', 1)",
        owner=LOCATED,
        coordinator=RECORDED,
        runner=RECORDED,
        file=RECORDED,
        why="a runner counts the tries that it made again by itself, under its login; a coordinator may too, as both are one login in "
        "`interlock up`" + OWNERS,
    ),
    cheat("commands", "plain", "an answer changed", "UPDATE interlock_command SET answer = '{}'"),
    cheat(
        "commands",
        "plain",
        "the payload of a command",
        lambda t: t.run("UPDATE interlock_command SET payload = ?", b"x"),
    ),
    cheat("commands", "plain", "the key of a command", "UPDATE interlock_command SET key = 'k2'"),
    cheat(
        "commands",
        "plain",
        "a command forgotten",
        "DELETE FROM interlock_command",
    ),
    cheat("keys", "plain", "a revoked key brought back", "UPDATE interlock_key SET revoked_at = NULL"),
    cheat("keys", "plain", "a key with more rights", "UPDATE interlock_key SET scope = 'admin'"),
    cheat(
        "keys",
        "plain",
        "a key that never expires",
        "UPDATE interlock_key SET expires_at = '2999-01-01T00:00:00.000000Z'",
    ),
    cheat(
        "keys",
        "plain",
        "another secret for a key",
        lambda t: t.run("UPDATE interlock_key SET digest = ? WHERE name = 'ops'", b"d" * 32),
    ),
    cheat("keys", "plain", "a key deleted", "DELETE FROM interlock_key"),
    cheat(
        "keys",
        "upsert",
        "a key by ON CONFLICT",
        lambda t: t.run(
            "INSERT INTO interlock_key(name, digest, scope, created_at, created_by) VALUES ('former', ?, "
            "'admin', '2026-01-01T00:00:00.000000Z', 'eve') ON CONFLICT (name) DO UPDATE SET revoked_at = "
            "NULL",
            b"d" * 32,
        ),
    ),
    cheat(
        "keys",
        "REPLACE",
        "a key replaced",
        lambda t: t.run(
            "REPLACE INTO interlock_key(name, digest, scope, created_at, created_by) VALUES ('former', ?, "
            "'admin', '2026-01-01T00:00:00.000000Z', 'eve')",
            b"d" * 32,
        ),
        on=(SQLITE,),
    ),
    cheat(
        "keys",
        "plain",
        "a key of one's own",
        lambda t: t.run(
            "INSERT INTO interlock_key(name, digest, scope, created_at, created_by) VALUES ('eve', ?, "
            "'admin', '2026-11-01T00:00:00.000000Z', 'eve')",
            b"d" * 32,
        ),
        owner=LOCATED,
        coordinator=RECORDED,
        file=RECORDED,
        why="the service makes keys as the coordinator, for whoever has the scope admin: whoever has the service's login can make one, and "
        "each stays in the list with its maker and its login" + OWNERS,
    ),
    cheat(
        "keys",
        "plain",
        "a key with the login of another",
        lambda t: t.run(
            "INSERT INTO interlock_key(name, digest, scope, created_at, created_by, login) VALUES ('eve', ?, "
            "'admin', '2026-11-01T00:00:00.000000Z', 'eve', 'somebody')",
            b"d" * 32,
        ),
        on=(POSTGRESQL,),
        owner=LOCATED,
        why="the database keeps the login that it knows, whatever is typed" + OWNERS,
    ),
    cheat(
        "keys",
        "plain",
        "the login of a key",
        "UPDATE interlock_key SET login = 'somebody'",
        on=(POSTGRESQL,),
    ),
]
CHEATS = WORK
