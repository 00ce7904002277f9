"""Cheats that rewrite what happened: entries, reasons, refusals, gate verdicts, seals."""

from __future__ import annotations

from interlock.store.entry import detail_digest
from tests.security.cheats import (
    LOCATED,
    PAPER,
    POSTGRESQL,
    RECORDED,
    SQLITE,
    UPLOAD,
    Cheat,
    Typist,
    cheat,
)

COLUMNS = {
    "the actor": "actor = 'eve'",
    "the instant": "at = '2026-01-01T00:00:00.000000Z'",
    "the cause": "cause = 'x'",
    "the role": "role = 'admin'",
    "the state entered": "to_state = 'parsed'",
    "the version": "version = version + 100",
    "the reason": "detail = NULL",
    "the record": "record_id = 'u99'",
    "the position": "position = position + 1000",
}
HISTORY = (
    "interlock_ledger",
    "interlock_verdict",
    "interlock_detail",
    "interlock_seal",
    "interlock_gate_verdict",
)


def entry(style: str, name: str, act: object, **more: object) -> Cheat:
    return cheat("ledger", style, name, act, **more)  # type: ignore[arg-type]


def first_entry(typist: Typist, id: str, verb: str = "INSERT", **changed: object) -> int:
    """The first entry of a record, typed alone."""
    return typist.type_entry(
        UPLOAD, "queued_for_parse", verb, record_id=id, version=0, from_state=None, origin="admit", **changed
    )


def into_the_middle(typist: Typist) -> None:
    """A legal entry, at a position among those that are sealed."""
    sql, values = typist.insert_entry(typist.entry(UPLOAD, "parsing"))
    placed = sql.replace("(kind,", "(position, kind,").replace("VALUES (", "VALUES (?, ")
    typist.run(placed, -3, *values)


def with_a_transaction_of_its_own(typist: Typist) -> None:
    sql, values = typist.insert_entry(typist.entry(UPLOAD, "parsing"))
    placed = sql.replace("(kind,", "(txid, kind,").replace("VALUES (", "VALUES ('3'::xid8, ")
    typist.run(placed, *values)


def copied(table: str, line: str) -> object:
    """PostgreSQL's COPY: rows that come as a stream."""

    def act(typist: Typist) -> None:
        with typist.connection.cursor().copy(f"COPY {table} FROM STDIN") as stream:
            stream.write(line)

    return act


def from_a_trigger_of_ones_own(typist: Typist) -> None:
    """An entry from a trigger on a temporary table: the guard sees that a trigger writes it."""
    sql, values = typist.insert_entry(typist.entry(UPLOAD, "parsing"))
    typist.run("CREATE TEMP TABLE bait (n int)")
    literals = ", ".join(
        typist.rows("SELECT quote_nullable(?::text)", None if v is None else str(v))[0][0]
        for v in values[:-1]
    )
    head = f"'\\x{values[-1].hex()}'::bytea"
    names = sql.partition("(")[2].partition(")")[0]
    typist.run(
        "CREATE FUNCTION pg_temp.forge() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN "
        f"INSERT INTO interlock_ledger({names}) SELECT {casts(literals, names)}, {head}; RETURN NULL; END $f$"
    )
    typist.run("CREATE TRIGGER forge AFTER INSERT ON bait FOR EACH ROW EXECUTE FUNCTION pg_temp.forge()")
    typist.run("INSERT INTO bait VALUES (1)")


def casts(literals: str, names: str) -> str:
    kinds = {"version": "int", "at": "timestamptz", "detail": "bytea"}
    parts = [part.strip() for part in literals.split(", ")]
    return ", ".join(
        f"{part}::{kinds.get(name.strip(), 'text')}"
        for part, name in zip(parts, names.split(",")[:-1], strict=True)
    )


LEDGER = [
    *(
        entry(
            "plain",
            f"{name} of an entry",
            f"UPDATE interlock_ledger SET {change} WHERE record_id = 'u6' AND version = 1",
        )
        for name, change in COLUMNS.items()
    ),
    entry("plain", "an entry deleted", "DELETE FROM interlock_ledger WHERE record_id = 'u6' AND version = 2"),
    entry("plain", "all of history deleted", "DELETE FROM interlock_ledger"),
    entry("plain", "an entry without a move", lambda t: t.type_entry(PAPER, "accepted")),
    entry("plain", "an entry of another version", lambda t: t.type_entry(PAPER, "sent", version=7)),
    entry(
        "plain",
        "an entry that leaves another state",
        lambda t: t.type_entry(PAPER, "accepted", from_state="sent"),
    ),
    entry(
        "plain",
        "an entry of a kind that does not exist",
        lambda t: t.type_entry(PAPER, "sent", kind="nothing"),
    ),
    entry(
        "plain",
        "an entry of an axis that does not exist",
        lambda t: t.type_entry(PAPER, "sent", axis="nothing"),
    ),
    entry(
        "plain",
        "an entry of a record that does not exist",
        lambda t: t.type_entry(PAPER, "sent", record_id="p99"),
    ),
    entry(
        "plain",
        "a first entry of a record that does not exist",
        lambda t: first_entry(t, "u99"),
        file=LOCATED,
        why="an admission's entry comes before its row on SQLite; a check names history without a row",
    ),
    entry("plain", "a second first entry", lambda t: first_entry(t, "u4")),
    entry("plain", "a first entry of a deleted record", lambda t: first_entry(t, "u7")),
    entry(
        "plain",
        "a closing entry of a record that stays",
        lambda t: t.type_entry(PAPER, None, origin="deletion", role="admin", detail=t.reason),
        file=LOCATED,
        why="a closing entry comes before its row goes on SQLite; until then row and history differ",
    ),
    entry(
        "upsert",
        "an entry by ON CONFLICT",
        lambda t: t.run(
            "INSERT INTO interlock_ledger(kind, record_id, axis, version, to_state, at, actor, origin, "
            "machine, hash) SELECT kind, record_id, axis, version, to_state, at, actor, origin, machine, "
            "hash FROM interlock_ledger WHERE record_id = 'u6' AND version = 1 ON CONFLICT (record_id, kind, "
            "axis, scope, version) DO UPDATE SET actor = 'eve'"
        ),
    ),
    entry(
        "WITH RECURSIVE",
        "a made-up history",
        "WITH RECURSIVE walk(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM walk WHERE n < 5) INSERT INTO "
        "interlock_ledger(kind, record_id, axis, version, to_state, at, actor, origin, machine, hash) "
        "SELECT l.kind, 'u98', l.axis, walk.n, l.to_state, l.at, l.actor, l.origin, l.machine, l.hash "
        "FROM walk, interlock_ledger l WHERE l.record_id = 'u6' AND l.version = 1",
    ),
    entry(
        "REPLACE",
        "an entry replaced",
        lambda t: t.type_entry(PAPER, "sent", "INSERT OR REPLACE", version=0, from_state=None),
        on=(SQLITE,),
    ),
    entry(
        "REPLACE",
        "the first entry of a deleted record replaced",
        lambda t: first_entry(t, "u7", "INSERT OR REPLACE", actor="eve"),
        on=(SQLITE,),
    ),
    entry(
        "REPLACE",
        "the first entry of an erased record replaced",
        lambda t: first_entry(t, "u8", "REPLACE", actor="eve"),
        on=(SQLITE,),
    ),
    entry(
        "REPLACE",
        "an entry replaced by its position",
        "REPLACE INTO interlock_ledger SELECT position, kind, record_id, axis, scope, version, "
        "from_state, to_state, at, 'eve', role, cause, origin, machine, token, detail, hash FROM "
        "interlock_ledger WHERE record_id = 'u6'",
        on=(SQLITE,),
    ),
    entry("rowid", "an entry moved by its rowid", "UPDATE interlock_ledger SET rowid = -rowid", on=(SQLITE,)),
    entry("rowid", "an entry put before all others", into_the_middle, on=(SQLITE,)),
    entry("plain", "all of history truncated", "TRUNCATE interlock_ledger", on=(POSTGRESQL,)),
    entry(
        "plain",
        "history truncated by a cascade",
        "TRUNCATE interlock_ledger, interlock_detail CASCADE",
        on=(POSTGRESQL,),
    ),
    entry(
        "plain",
        "an entry with a position of its own",
        "INSERT INTO interlock_ledger(position, kind, record_id, axis, version, to_state, at, actor, "
        "origin, machine, hash) OVERRIDING SYSTEM VALUE SELECT -1, kind, 'u97', axis, 0, to_state, at, "
        "actor, origin, machine, hash FROM interlock_ledger WHERE record_id = 'u4' AND version = 0",
        on=(POSTGRESQL,),
    ),
    entry("plain", "an entry with a transaction of its own", with_a_transaction_of_its_own, on=(POSTGRESQL,)),
    entry(
        "COPY",
        "entries as a stream",
        copied(
            "interlock_ledger(kind, record_id, axis, version, to_state, at, actor, origin, machine, hash)",
            "papers\tp99\treview\t0\tdraft\t2026-01-01Z\teve\tadmit\tx\t\\\\x" + "68" * 32 + "\n",
        ),
        on=(POSTGRESQL,),
    ),
    entry(
        "temporary objects",
        "an entry from a trigger of one's own",
        from_a_trigger_of_ones_own,
        on=(POSTGRESQL,),
        owner=LOCATED,
        why="the owner could drop the guard as well; row and history differ",
    ),
]
OTHERS = [
    cheat(
        "reasons",
        "plain",
        "a reason changed",
        "UPDATE interlock_detail SET reason = 'another' WHERE record_id = 'u6'",
    ),
    cheat("reasons", "plain", "facts changed", "UPDATE interlock_detail SET facts = '{}', salt = salt"),
    cheat("reasons", "plain", "a reason deleted", "DELETE FROM interlock_detail WHERE record_id = 'u6'"),
    cheat("reasons", "plain", "all reasons deleted", "DELETE FROM interlock_detail"),
    cheat(
        "reasons",
        "upsert",
        "a reason by ON CONFLICT",
        "INSERT INTO interlock_detail(digest, salt, reason) SELECT digest, salt, 'x' FROM "
        "interlock_detail WHERE record_id = 'u6' ON CONFLICT (digest) DO UPDATE SET reason = 'x'",
    ),
    cheat(
        "reasons",
        "REPLACE",
        "a reason replaced",
        "REPLACE INTO interlock_detail(digest, salt, reason) SELECT digest, salt, 'x' FROM interlock_detail",
        on=(SQLITE,),
    ),
    cheat(
        "reasons",
        "plain",
        "a reason that no entry has",
        lambda t: t.run(
            "INSERT INTO interlock_detail(digest, salt, reason) VALUES (?, ?, 'x')",
            detail_digest(b"s", "x", "{}"),
            b"s",
        ),
        owner=LOCATED,
        why="a reason that no entry names says nothing",
    ),
    cheat("reasons", "plain", "reasons truncated", "TRUNCATE interlock_detail", on=(POSTGRESQL,)),
    cheat("verdicts", "plain", "a refusal changed", "UPDATE interlock_verdict SET code = 'ILK-000'"),
    cheat("verdicts", "plain", "a refusal deleted", "DELETE FROM interlock_verdict"),
    cheat("verdicts", "plain", "refusals truncated", "TRUNCATE interlock_verdict", on=(POSTGRESQL,)),
    cheat(
        "verdicts",
        "REPLACE",
        "a refusal replaced",
        "REPLACE INTO interlock_verdict SELECT position, kind, record_id, axis, scope, source, "
        "reference, verdict, 'x', message, wanted, 'eve', at FROM interlock_verdict",
        on=(SQLITE,),
    ),
    cheat(
        "verdicts",
        "rowid",
        "a refusal moved by its rowid",
        "UPDATE interlock_verdict SET rowid = 99",
        on=(SQLITE,),
    ),
    cheat(
        "verdicts",
        "clock",
        "a refusal of 9999",
        "INSERT INTO interlock_verdict(kind, record_id, axis, source, verdict, code, message, actor, at) "
        "VALUES ('papers', 'p1', 'review', 'report', 'stale', 'x', 'x', 'eve', "
        "'9999-01-01T00:00:00.000000Z')",
    ),
    cheat(
        "verdicts",
        "clock",
        "a refusal at no time",
        "INSERT INTO interlock_verdict(kind, record_id, axis, source, verdict, code, message, actor, at) "
        "VALUES ('papers', 'p1', 'review', 'report', 'stale', 'x', 'x', 'eve', 'infinity')",
    ),
    cheat(
        "verdicts",
        "plain",
        "a command's refusal that never was",
        "INSERT INTO interlock_verdict(kind, record_id, axis, source, verdict, code, message, actor, at) "
        "VALUES ('papers', 'p1', 'review', 'command', 'refused', 'x', 'x', 'eve', "
        "'2026-01-01T00:00:00.000000Z')",
        owner=LOCATED,
        coordinator=RECORDED,
        runner=RECORDED,
        file=RECORDED,
        why="coordinators and runners record what they refused, under their login: a refusal moves nothing, and no guard reads it",
    ),
    cheat(
        "verdicts",
        "plain",
        "a late report that never was",
        "INSERT INTO interlock_verdict(kind, record_id, axis, source, verdict, code, message, actor, at) "
        "VALUES ('papers', 'p1', 'review', 'report', 'stale', 'x', 'x', 'eve', "
        "'2026-01-01T00:00:00.000000Z')",
        owner=LOCATED,
        coordinator=RECORDED,
        runner=RECORDED,
        file=RECORDED,
        why="coordinators and runners record reports that came too late, under their login: it moves nothing, and ends no attempt whose "
        "record stands where it began",
    ),
    cheat(
        "gates", "plain", "a no turned into a yes", "UPDATE interlock_gate_verdict SET passed = NOT passed"
    ),
    cheat(
        "gates",
        "plain",
        "a verdict on a record that was erased",
        "INSERT INTO interlock_gate_verdict(kind, record_id, axis, version, gate, number, passed, reason, actor, at) VALUES "
        "('statements', 'u8', 'status', 0, 'level', 1, true, 'what was erased', 'gate', '2026-11-01T00:00:00.000000Z')",
    ),
    cheat("gates", "plain", "a gate's verdict deleted", "DELETE FROM interlock_gate_verdict"),
    cheat("gates", "plain", "gate verdicts truncated", "TRUNCATE interlock_gate_verdict", on=(POSTGRESQL,)),
    *(
        cheat(
            "gates",
            style,
            name,
            f"{verb} INTO interlock_gate_verdict(kind, record_id, axis, version, gate, number, passed, actor, "
            f"at) VALUES ('content', {values})",
            on=on,
        )
        for style, name, verb, values, on in (
            (
                "plain",
                "a verdict of a version that never was",
                "INSERT",
                "'c1', 'state', 9, 'level', 2, true, 'gate', '2026-11-01T00:00:00.000000Z'",
                (SQLITE, POSTGRESQL),
            ),
            (
                "plain",
                "a verdict of a record that does not exist",
                "INSERT",
                "'c99', 'state', 0, 'level', 1, true, 'gate', '2026-11-01T00:00:00.000000Z'",
                (SQLITE, POSTGRESQL),
            ),
            (
                "plain",
                "a verdict that is numbered past others",
                "INSERT",
                "'c1', 'state', 1, 'level', 99, true, 'gate', '2026-11-01T00:00:00.000000Z'",
                (SQLITE, POSTGRESQL),
            ),
            (
                "plain",
                "a verdict before the first",
                "INSERT",
                "'c1', 'state', 1, 'level', 0, true, 'gate', '2026-11-01T00:00:00.000000Z'",
                (SQLITE, POSTGRESQL),
            ),
            (
                "plain",
                "a verdict by nobody",
                "INSERT",
                "'c1', 'state', 1, 'level', 2, true, '', '2026-11-01T00:00:00.000000Z'",
                (SQLITE, POSTGRESQL),
            ),
            (
                "clock",
                "a verdict of 9999",
                "INSERT",
                "'c1', 'state', 1, 'level', 2, true, 'gate', '9999-11-01T00:00:00.000000Z'",
                (SQLITE, POSTGRESQL),
            ),
            (
                "REPLACE",
                "a verdict replaced",
                "REPLACE",
                "'c1', 'state', 1, 'level', 1, true, 'gate', '2026-11-01T00:00:00.000000Z'",
                (SQLITE,),
            ),
        )
    ),
    cheat(
        "gates",
        "plain",
        "a pass in the gate's name",
        "INSERT INTO interlock_gate_verdict(kind, record_id, axis, version, gate, number, passed, actor, "
        "at) VALUES ('content', 'c1', 'state', 1, 'level', 2, true, 'gate', "
        "'2026-11-01T00:00:00.000000Z')",
        owner=LOCATED,
        coordinator=RECORDED,
        file=RECORDED,
        why="gates are judged by the coordinator's process, and may be judged again: what one said is kept under its login, and every "
        "verdict stays, with its number, the no before it too",
    ),
    cheat(
        "gates",
        "plain",
        "a verdict with the login of another",
        "INSERT INTO interlock_gate_verdict(kind, record_id, axis, version, gate, number, passed, actor, "
        "at, login) VALUES ('content', 'c1', 'state', 1, 'level', 2, true, 'gate', "
        "'2026-11-01T00:00:00.000000Z', 'somebody')",
        on=(POSTGRESQL,),
    ),
    cheat(
        "verdicts",
        "plain",
        "a refusal with the login of another",
        "INSERT INTO interlock_verdict(kind, record_id, axis, source, verdict, code, message, actor, at, login) "
        "VALUES ('papers', 'p1', 'review', 'report', 'stale', 'x', 'x', 'eve', "
        "'2026-01-01T00:00:00.000000Z', 'somebody')",
        on=(POSTGRESQL,),
    ),
    cheat("seals", "plain", "the root of a seal", "UPDATE interlock_seal SET root = hash"),
    cheat("seals", "plain", "a seal deleted", "DELETE FROM interlock_seal"),
    cheat("seals", "plain", "seals truncated", "TRUNCATE interlock_seal", on=(POSTGRESQL,)),
    cheat(
        "seals",
        "REPLACE",
        "a seal replaced",
        "REPLACE INTO interlock_seal SELECT number, 0, 0, 0, 0, 0, 0, 0, 0, root, previous, hash, at, "
        "NULL, NULL, NULL FROM interlock_seal",
        on=(SQLITE,),
    ),
    cheat("seals", "plain", "a seal far ahead", lambda t: made_up_seal(t, 99, b"p" * 32)),
    cheat(
        "seals",
        "plain",
        "a second seal with a made-up hash before it",
        lambda t: made_up_seal(t, 2, b"p" * 32),
    ),
    cheat(
        "seals",
        "plain",
        "a second seal that covers nothing",
        lambda t: made_up_seal(t, 2, bytes(t.rows("SELECT hash FROM interlock_seal WHERE number = 1")[0][0])),
        file=LOCATED,
        why="SQLite computes no SHA-256 of its own; verification does",
    ),
]


def made_up_seal(typist: Typist, number: int, previous: bytes) -> int:
    return typist.run(
        "INSERT INTO interlock_seal(number, from_transaction, to_transaction, from_entry, to_entry, "
        "from_verdict, to_verdict, entries, "
        "verdicts, root, previous, hash, at) VALUES (?, 0, 0, 0, 0, 0, 0, 0, 0, ?, ?, ?, "
        "'2026-11-01T00:00:00.000000Z')",
        number,
        b"r" * 32,
        previous,
        b"s" * 32,
    )


CHEATS = [*LEDGER, *OTHERS]
