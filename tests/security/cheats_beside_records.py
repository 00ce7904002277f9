"""Cheats on what stands beside records and work: engine columns, adoption, runs of schedules, answers of operations, instants, numbers."""

from __future__ import annotations

from interlock.machine import TIMER
from tests.security.cheats import LOCATED, OWN, POSTGRESQL, RECORDED, REQUEST_ROW, Cheat, Verdict, cheat
from tests.security.cheats_on_work import OWNERS

AT, FAR, LAST = (f"'{year}-11-01T00:00:00.000000Z'" for year in (2026, 2099, 9999))
COUNTS = (
    "on SQLite, where a trigger cannot tell the engine's own statement from another: how often something was tried decides when it is "
    "tried again, and never where a record may go"
)
TRIES = "when something is tried next is set without a move, and is no promise: safety reads no clock"
TIMED = "on SQLite, which knows no clock: a timer decides when a move is made, and never which"
NUMBERS = "on SQLite: what processes of the file's owner write all day, and no move reads"
RUN = "INSERT INTO interlock_schedule_run(kind, schedule, tick, token, started_at, finished_at, outcome) VALUES "
COORDINATOR = "INSERT INTO interlock_coordinator(id, name, started_at, beat_at, lease_until) VALUES "
RATE = "INSERT INTO interlock_rate(kind, stage, key, free_at) VALUES ('statements', 'parse', '', "
ANSWERED = "UPDATE interlock_operation_item SET outcome = 'moved', from_state = 'draft', to_state = 'sent', left_version = 1"


def refused(target: str, name: str, *act: str, file: Verdict, why: str, style: str = "plain") -> Cheat:
    """Refused to everybody on PostgreSQL."""
    return cheat(target, style, name, act, file=file, why=why)


def recorded(target: str, name: str, act: str, why: str) -> Cheat:
    """A coordinator's own job, under its login."""
    return cheat(
        target, "plain", name, act, owner=LOCATED, coordinator=RECORDED, file=RECORDED, why=why + OWNERS
    )


ENGINE = [
    refused(
        "records", "tries made up", "UPDATE uploads SET tries = 99 WHERE id = 'u9'", file=OWN, why=COUNTS
    ),
    refused(
        "records",
        "the number of attempts of a record that waits",
        "UPDATE uploads SET attempt = 9 WHERE id = 'u9'",
        file=OWN,
        why=COUNTS,
    ),
    refused(
        "records",
        "the number of attempts of a record that runs",
        "UPDATE uploads SET attempt = 9 WHERE id = 'u3'",
        file=LOCATED,
        why="a check names an open attempt that is not the record's current one",
    ),
    refused(
        "records",
        "an error made up",
        "UPDATE uploads SET error_code = 'X' WHERE id = 'u9'",
        file=OWN,
        why=COUNTS,
    ),
    cheat(
        "records",
        "clock",
        "a record put off until 2099",
        f"UPDATE uploads SET ready_at = {FAR} WHERE id = 'u9'",
        file=LOCATED,
        why="SQLite knows no clock but that of whoever has the file; a check names what waits for longer than any stage can ask for",
    ),
    cheat(
        "records",
        "clock",
        "a record put off",
        "UPDATE uploads SET ready_at = '2026-12-31T00:00:00.000000Z' WHERE id = 'u9'",
        owner=OWN,
        coordinator=OWN,
        why=TRIES,
    ),
]
TIMERS = [
    *(
        refused(
            "timers",
            name,
            f"UPDATE requests SET timer_at = {when} WHERE id = 1",
            file=OWN,
            why=TIMED,
            style="clock",
        )
        for name, when in (
            ("a timer put off until 2099", FAR),
            ("a timer brought forward", "'2026-01-01T00:00:00.000000Z'"),
            ("a timer emptied", "NULL"),
        )
    ),
    cheat(
        "timers",
        "typed move",
        "a timer's edge by its cause, before it is due",
        lambda t: t.type_move(REQUEST_ROW, "expired", cause=TIMER),
        owner=LOCATED,
        coordinator=RECORDED,
        file=LOCATED,
        why="whoever may move records may type a move that the machine has, and no law reads a clock: the entry says it was the timer, "
        "and keeps the login" + OWNERS,
    ),
    cheat(
        "timers",
        "typed move",
        "a timer's edge as a plain move",
        lambda t: t.type_move(REQUEST_ROW, "expired"),
    ),
    cheat(
        "timers",
        "typed move",
        "a timer's edge to a state that it does not lead to",
        lambda t: t.type_move(REQUEST_ROW, "revoked", cause=TIMER),
    ),
    cheat(
        "clocks",
        "plain",
        "clocks said to be injected",
        "INSERT INTO interlock_meta(key, value) VALUES ('clock', 'injected')",
        on=(POSTGRESQL,),
        owner=LOCATED,
        why="the owner says whose clock counts, as tests do; a check names it where an app has the machine's own",
    ),
]
ADOPTION = [
    recorded(
        "adoption",
        "a row that an adoption is said to have left",
        "INSERT INTO interlock_adoption_left(kind, axis, record_id, scope, value, why) VALUES ('olds', 'status', 'o1', '', 'x', 'x')",
        "a backfill runs as the coordinator and lists the rows that no rule places, for a person to read: the row itself is not touched, "
        "and the line keeps the login",
    ),
    recorded(
        "adoption",
        "a difference that an adoption is said to have found",
        "INSERT INTO interlock_adoption_difference(kind, axis, record_id, scope, expected, actual, as_backfilled) VALUES "
        "('olds', 'status', 'o1', '', 'x', 'y', 0)",
        "a comparison runs as the coordinator and lists what flags and states disagree on: it can hold a cutover up and never lets one "
        "pass, the next comparison makes it anew, and the line keeps the login",
    ),
]
SCHEDULES = [
    recorded(
        "schedules",
        "a run that never was",
        f"{RUN}('statements', 'nightly', {AT}, 'x', {AT}, {AT}, 'done')",
        "a coordinator takes each tick of a schedule by its row: a made-up one costs that tick and no later one, stands in the list of "
        "runs, and keeps the login",
    ),
    refused(
        "schedules",
        "a run that ended otherwise",
        f"UPDATE interlock_schedule_run SET outcome = 'failed', finished_at = {AT}",
        file=RECORDED,
        why=NUMBERS,
    ),
    refused(
        "schedules",
        "the tick of a run",
        f"UPDATE interlock_schedule_run SET tick = {AT}",
        file=RECORDED,
        why=NUMBERS,
        style="clock",
    ),
    refused(
        "schedules",
        "the token of a run",
        "UPDATE interlock_schedule_run SET token = 'x'",
        file=RECORDED,
        why=NUMBERS,
    ),
]
OPERATIONS = [
    refused("operations", "a record that is said to have moved", ANSWERED, file=RECORDED, why=NUMBERS),
    refused(
        "operations",
        "an operation whose records are said to have moved",
        ANSWERED,
        "UPDATE interlock_operation SET status = 'finished', reached = records",
        file=RECORDED,
        why=NUMBERS,
    ),
    recorded(
        "operations",
        "a record that is said to be refused",
        "UPDATE interlock_operation_item SET outcome = 'refused', code = 'x'",
        "a coordinator answers each record of an operation once: one that is said to be refused stays where it is and can be asked for "
        "again, and the answer keeps the login",
    ),
    refused(
        "operations",
        "an operation held for ever",
        f"UPDATE interlock_operation SET lease_until = {LAST.replace('-11-01', '-12-31')}, runner = 'x'",
        file=RECORDED,
        why=NUMBERS,
        style="clock",
    ),
]
NUMBERS_AND_INSTANTS = [
    refused(
        "stages",
        "a pace until the end of time",
        f"{RATE}'infinity')",
        file=RECORDED,
        why=NUMBERS,
        style="clock",
    ),
    refused(
        "stages",
        "a pause until the end of time",
        "INSERT INTO interlock_stage(kind, stage, paused, until, reason, actor, at) VALUES "
        f"('statements', 'parse', 1, 'infinity', 'x', 'eve', {AT})",
        file=LOCATED,
        why="a check reads it, and says that it is none",
        style="clock",
    ),
    refused(
        "stages",
        "what a stage has begun, unreadable",
        "UPDATE interlock_stage SET recent = '{'",
        file=RECORDED,
        why=NUMBERS,
    ),
    recorded(
        "stages",
        "what a stage has begun, made up",
        f"UPDATE interlock_stage SET recent = '[\"{AT[1:-1]}\"]'",
        "a coordinator counts what a stage with a limit has begun: it decides when the next record begins and never where it goes, and "
        "the row keeps the login",
    ),
    refused(
        "runners",
        "a coordinator that lives for ever",
        f"{COORDINATOR}('x', 'x', {AT}, {AT}, {LAST})",
        file=RECORDED,
        why=NUMBERS,
        style="clock",
    ),
    refused(
        "runners",
        "a coordinator until the end of time",
        f"{COORDINATOR}('x', 'x', {AT}, {AT}, 'infinity')",
        file=RECORDED,
        why=NUMBERS,
        style="clock",
    ),
    refused(
        "counters",
        "a tally that no sum can hold",
        "INSERT INTO interlock_tally(kind, stage, what, delta) VALUES ('statements', 'parse', 'done', 9223372036854775807)",
        file=RECORDED,
        why=NUMBERS,
    ),
    refused(
        "keys",
        "a key that is used in 2099",
        f"UPDATE interlock_key SET last_used_at = {FAR}",
        file=RECORDED,
        why=NUMBERS,
        style="clock",
    ),
]
CHEATS = [*ENGINE, *TIMERS, *ADOPTION, *SCHEDULES, *OPERATIONS, *NUMBERS_AND_INSTANTS]
