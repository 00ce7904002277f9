"""Cheats that change where a record is, or which record it is."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

from interlock.clock import SystemClock
from interlock.store.entry import GENESIS, chain, entry_text
from tests.contract.subjects import Subject
from tests.kinds import LIFECYCLE, content
from tests.security.cheats import (
    ACCEPTED,
    BROKEN,
    LOCATED,
    OLD_ROW,
    OWN,
    PAPER,
    POSTGRESQL,
    RECORDED,
    RUNNING,
    SQLITE,
    UPLOAD,
    Cheat,
    Typist,
    cheat,
)
from tests.security.shop import CLOSED_PLAN

HEAD = "X'" + "68" * 32 + "'"
AUTHORITY = (
    "whoever may move records may type a legal move with its entry: it is the move that the app makes, and the entry keeps the login; "
    "where roles were set up, a check names the owner's logins"
)
HASHES = "SQLite has no SHA-256 of its own; verification hashes every entry"


def changing(name: str, changes: str, where: str = "id = 'u4'", style: str = "plain") -> Cheat:
    return cheat("records", style, name, f"UPDATE uploads SET {changes} WHERE {where}")


def moving(subject: Subject, to: str | None, **changed: Any) -> Any:
    return lambda typist: typist.type_move(subject, to, **changed)


def head(database: str) -> str:
    return HEAD if database == SQLITE else "decode(repeat('68', 32), 'hex')"


PLAIN = [
    changing("a status that the machine does not reach", "status = 'normalized'"),
    changing("a legal status without a version", "status = 'parsing'"),
    changing("a legal status and version without an entry", "status = 'parsing', version = 1"),
    changing("a status that does not exist", "status = 'nonsense', version = 1"),
    changing("no status at all", "status = NULL"),
    changing("the status in other letters", "status = 'PARSING', version = 1"),
    changing("a version alone", "version = 1"),
    changing("a version that goes back", "version = 0", "id = 'u6'"),
    changing("a version that skips", "status = 'parsing', version = 7"),
    changing("no version", "version = NULL"),
    changing("no head", "head = NULL"),
    changing("the head of another record", "head = (SELECT r.head FROM uploads r WHERE r.id = 'u5')"),
    changing("every record at once", "status = 'parsing', version = version + 1", "true"),
    changing(
        "a record out of its final state", "status = 'queued_for_parse', version = version + 1", "id = 'u6'"
    ),
    changing("another name", "id = 'u99'"),
    changing("the name of another record", "id = 'u5'"),
    changing("all names by one statement", "id = id || 'x'", "true"),
    cheat("records", "plain", "an integer key", "UPDATE domains SET id = 77 WHERE id = 1"),
    cheat(
        "records",
        "plain",
        "the second axis without the first",
        "UPDATE domains SET processing_status = 'Queued' WHERE id = 1",
    ),
    cheat(
        "records",
        "plain",
        "both axes of a row",
        "UPDATE domains SET curation_status = 'Selected', processing_status = 'Queued'",
    ),
    cheat(
        "records",
        "plain",
        "a scoped status",
        "UPDATE article_pipeline_state SET status = 'processed' WHERE article_id = 2",
    ),
    cheat(
        "records",
        "plain",
        "another scope",
        "UPDATE article_pipeline_state SET pipeline = 'x' WHERE article_id = 2",
    ),
    cheat(
        "records",
        "plain",
        "a state row given to another record",
        "UPDATE article_pipeline_state SET article_id = 1 WHERE article_id = 2",
    ),
    cheat("records", "plain", "a record deleted", "DELETE FROM uploads WHERE id = 'u4'"),
    cheat("records", "plain", "all records deleted", "DELETE FROM papers"),
    cheat(
        "records", "plain", "a state row deleted", "DELETE FROM article_pipeline_state WHERE article_id = 2"
    ),
    cheat(
        "records",
        "plain",
        "a record that begins later",
        "INSERT INTO papers(id, review, review_version) VALUES ('x', 'sent', 0)",
    ),
    cheat(
        "records",
        "plain",
        "a record that begins at version 5",
        "INSERT INTO papers(id, review, review_version) VALUES ('x', 'draft', 5)",
    ),
    cheat(
        "records",
        "plain",
        "a record without its first entry",
        "INSERT INTO papers(id, review, review_version) VALUES ('x', 'draft', 0)",
    ),
    cheat(
        "records",
        "plain",
        "a deleted record put back",
        "INSERT INTO uploads(id, status, version) VALUES ('u7', 'queued_for_parse', 0)",
    ),
    cheat(
        "records",
        "plain",
        "an erased record put back",
        "INSERT INTO uploads(id, status, version) VALUES ('u8', 'queued_for_parse', 0)",
    ),
    cheat("frozen tables", "plain", "a frozen row changed", "UPDATE approved_items SET approved_by = 'eve'"),
    cheat("frozen tables", "plain", "a frozen row deleted", "DELETE FROM approved_items"),
]
UPSERTS = [
    cheat(
        "records",
        "upsert",
        "a status by ON CONFLICT",
        "INSERT INTO uploads(id, status, version) VALUES ('u4', 'queued_for_parse', 0) "
        "ON CONFLICT (id) DO UPDATE SET status = 'parsed', version = 9",
    ),
    cheat(
        "records",
        "upsert",
        "a legal step by ON CONFLICT",
        "INSERT INTO uploads(id, status, version) VALUES ('u4', 'queued_for_parse', 0) "
        "ON CONFLICT (id) DO UPDATE SET status = 'parsing', version = uploads.version + 1",
    ),
    cheat(
        "records",
        "upsert",
        "a name by ON CONFLICT",
        "INSERT INTO uploads(id, status, version) VALUES ('u4', 'queued_for_parse', 0) ON CONFLICT (id) "
        "DO UPDATE SET id = 'u99'",
    ),
    cheat(
        "frozen tables",
        "upsert",
        "a frozen row by ON CONFLICT",
        "INSERT INTO approved_items(item_id, approved_by) VALUES ('c3', 'x') ON CONFLICT (item_id) DO "
        "UPDATE SET approved_by = 'eve'",
    ),
]
RECURSIVE = [
    cheat(
        "records",
        "WITH RECURSIVE",
        "steps of a walk in one statement",
        "WITH RECURSIVE walk(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM walk WHERE n < 3) "
        "UPDATE uploads SET status = 'parsed', version = (SELECT max(n) FROM walk) WHERE id = 'u4'",
    ),
    cheat(
        "records",
        "WITH RECURSIVE",
        "a thousand records made of nothing",
        "WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 1000) "
        "INSERT INTO papers(id, review, review_version) SELECT 'm' || n, 'draft', 0 FROM many",
    ),
    cheat(
        "records",
        "WITH RECURSIVE",
        "records deleted by a list of their names",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) DELETE FROM uploads "
        "WHERE id IN (SELECT 'u' || i FROM n)",
    ),
]
SWAPS = [
    cheat(
        "records",
        "swap",
        "two names swapped",
        "UPDATE uploads SET id = CASE id WHEN 'u4' THEN 'u5' ELSE 'u4' END WHERE id IN ('u4', 'u5')",
    ),
    cheat(
        "records",
        "swap",
        "two heads swapped",
        "UPDATE uploads SET head = (SELECT r.head FROM uploads r WHERE r.id = CASE uploads.id WHEN 'u4' "
        "THEN 'u5' ELSE 'u4' END) "
        "WHERE id IN ('u4', 'u5')",
    ),
    cheat(
        "records",
        "swap",
        "state, version and head taken from another record",
        "UPDATE uploads SET status = r.status, version = r.version, head = r.head FROM (SELECT * FROM "
        "uploads WHERE id = 'u6') r "
        "WHERE uploads.id = 'u4'",
    ),
    cheat(
        "records",
        "swap",
        "scopes swapped",
        "UPDATE article_pipeline_state SET pipeline = CASE pipeline WHEN 'technical' THEN 'fundamental' "
        "ELSE 'technical' END",
    ),
    cheat(
        "records",
        "swap",
        "a natural key",
        "UPDATE uploads SET file_hash = 'x' WHERE id = 'u4'",
    ),
    cheat(
        "records",
        "plain",
        "a natural key emptied",
        "UPDATE uploads SET file_hash = NULL WHERE id = 'u4'",
    ),
    cheat(
        "records",
        "plain",
        "the host of a domain",
        "UPDATE domains SET host = 'evil.example' WHERE id = 1",
    ),
    cheat(
        "records",
        "plain",
        "what is one's own business swapped",
        "UPDATE uploads SET observations_count = 7 WHERE id = 'u4'",
        owner=OWN,
        coordinator=OWN,
        why="columns that are no state, version, head or key are the team's own",
    ),
]
MADE_UP_HEADS = [
    cheat(
        "records",
        "plain",
        "a made-up head",
        f"UPDATE uploads SET status = 'parsing', version = 1, head = {head(database)} WHERE id = 'u4'",
        on=(database,),
    )
    for database in (SQLITE, POSTGRESQL)
]


def item(id: str) -> Subject:
    return Subject(
        content,
        "content",
        "state",
        "items",
        id,
        "DRAFT",
        "CANDIDATE",
        "APPROVED",
        LIFECYCLE,
        (),
        key_column="item_id",
    )


def dated(at: datetime) -> Any:
    return moving(PAPER, "sent", at=at)


def raw_instant(text: str) -> Any:
    """PostgreSQL: a legal move whose instant is a text of the cheat's own."""

    def act(typist: Typist) -> None:
        sql, values = typist.move(PAPER, "sent")
        typist.run(sql, *values[:-1], re.sub(r'"2[^"]+Z"', f'"{text}"', values[-1]))

    return act


def odd_entry(text: str) -> Any:
    """SQLite: an entry whose instant is a text of the cheat's own."""

    def act(typist: Typist) -> None:
        sql, values = typist.insert_entry(typist.entry(PAPER, "sent"))
        values[7] = text
        typist.run(sql, *values)

    return act


def begin(typist: Typist, id: str, **changed: Any) -> dict[str, Any]:
    """A record admitted by hand on PostgreSQL, with everything that its first entry needs but for what is changed about it."""
    entry: dict[str, Any] = {
        "kind": "statements",
        "record_id": id,
        "axis": "status",
        "scope": "",
        "version": 0,
        "from_state": None,
        "to_state": "queued_for_parse",
        "at": typist.at,
        "actor": "hand",
        "role": None,
        "cause": "by.hand",
        "origin": "admit",
        "machine": UPLOAD.machine,
        "token": None,
        "detail": None,
    }
    entry["hash"] = changed.get("hash") or chain(GENESIS, entry_text(entry))
    says, said = typist.says(entry)
    typist.run(
        "INSERT INTO uploads(id, file_hash, status, version, head, ready_at) SELECT ?, ?, ?, 0, ?, ?::timestamptz WHERE "
        + says,
        *(id, id, "queued_for_parse", entry["hash"], changed.get("ready_at", typist.at), *said),
    )
    return entry


def move_with_made_up_hashes(typist: Typist) -> None:
    """Forty records, rightly admitted, are moved by one statement, each with a head that was made up."""
    entries = [begin(typist, f"m{number}") for number in range(40)]
    says, said = typist.says({**entries[0], "origin": "move"})
    changes = "status = 'parsing', version = 1, head = sha256(id::bytea)"
    typist.run(f"UPDATE uploads SET {changes} WHERE starts_with(id, 'm') AND {says}", *said)


def move_with_hashes_that_are_right_where_they_are_drawn(typist: Typist) -> None:
    """Of eighty records that one statement moves, those have a right head that the session's own random numbers would draw."""
    entries = [begin(typist, f"m{number:02}") for number in range(80)]
    says, said = typist.says({**entries[0], "origin": "move"})
    for number, entry in enumerate(entries):
        moved = {
            **entry,
            "version": 1,
            "from_state": "queued_for_parse",
            "to_state": "parsing",
            "origin": "move",
        }
        entries[number] = {**moved, "hash": chain(entry["hash"], entry_text(moved))}
    typist.run("SELECT setseed(0.25)")
    lot = typist.rows("SELECT floor(random() * 16)::int")[0][0]
    right = {one["record_id"]: one["hash"].hex() for place, one in enumerate(entries, 1) if place % 16 == lot}
    typist.run("SELECT setseed(0.25)")
    made_up = "coalesce(decode(?::jsonb ->> id, 'hex'), sha256(id::bytea))"
    typist.run(
        f"UPDATE uploads SET status = 'parsing', version = 1, head = {made_up} WHERE starts_with(id, 'm') AND {says}",
        *(json.dumps(right), *said),
    )


TYPED = [
    cheat(
        "records",
        "typed move",
        "a legal move with its entry",
        moving(PAPER, "sent"),
        owner=LOCATED,
        coordinator=RECORDED,
        file=LOCATED,
        why=AUTHORITY,
    ),
    cheat("records", "typed move", "an illegal move with its entry", moving(PAPER, "accepted")),
    cheat(
        "records",
        "typed move",
        "a legal move with a made-up hash",
        moving(PAPER, "sent", hash=b"h" * 32),
        file=LOCATED,
        why=HASHES,
    ),
    cheat(
        "records",
        "typed move",
        "a batch of legal moves with made-up hashes",
        move_with_made_up_hashes,
        on=(POSTGRESQL,),
    ),
    cheat(
        "records",
        "typed move",
        "a batch of made-up hashes but for those that a seed of one's own would draw",
        move_with_hashes_that_are_right_where_they_are_drawn,
        on=(POSTGRESQL,),
    ),
    cheat(
        "records",
        "typed move",
        "a record that begins with a made-up hash",
        lambda t: begin(t, "m1", hash=b"h" * 32),
        on=(POSTGRESQL,),
    ),
    cheat(
        "records",
        "typed move",
        "a record that begins with its entry",
        lambda t: begin(t, "m1"),
        on=(POSTGRESQL,),
        owner=LOCATED,
        coordinator=RECORDED,
        why="admitting records is the coordinator's, also of children that a stage found: the record begins where its machine begins, with "
        "an entry that keeps the login; where roles were set up, a check names the owner's logins",
    ),
    cheat(
        "records",
        "clock",
        "a record that begins put off until 2099",
        lambda t: begin(t, "m1", ready_at=datetime(2099, 1, 1, tzinfo=UTC)),
        on=(POSTGRESQL,),
    ),
    cheat("records", "typed move", "a short hash", moving(PAPER, "sent", hash=b"h")),
    cheat("records", "typed move", "a move by nobody", moving(PAPER, "sent", actor="")),
    cheat(
        "records",
        "typed move",
        "a machine that does not exist",
        moving(PAPER, "sent", machine="0" * 16),
        file=LOCATED,
        why="SQLite's guards know states, not versions of machines; a check names an entry whose machine no migration has registered",
    ),
    cheat("records", "typed move", "a skipped version", moving(PAPER, "sent", version=5)),
    cheat("records", "typed move", "an origin that does not exist", moving(PAPER, "sent", origin="whim")),
    cheat(
        "records",
        "typed move",
        "a move that calls itself an admission",
        moving(PAPER, "sent", origin="admit"),
        file=LOCATED,
        why="SQLite's counters are the authority's own, and no longer agree",
    ),
    cheat(
        "records",
        "typed move",
        "a move that calls itself a deletion",
        moving(PAPER, "sent", origin="deletion"),
        file=LOCATED,
        why="SQLite lets a closing entry come before its row goes; until then row and history differ",
    ),
    cheat(
        "records",
        "typed move",
        "an operator's edge without a role",
        lambda t: t.type_move(ACCEPTED, "draft", detail=t.reason, origin="operator"),
    ),
    cheat(
        "records",
        "typed move",
        "an operator's edge in a made-up role",
        lambda t: t.type_move(ACCEPTED, "draft", detail=t.reason, origin="operator", role="king"),
    ),
    cheat(
        "records",
        "typed move",
        "an operator's edge without a reason",
        moving(ACCEPTED, "draft", origin="operator", role="operator"),
    ),
    cheat(
        "records",
        "typed move",
        "an operator's edge with a reason that is not stored",
        moving(ACCEPTED, "draft", origin="operator", role="operator", detail=b"d" * 32),
    ),
    cheat(
        "records",
        "typed move",
        "an operator's edge as a plain move",
        lambda t: t.type_move(ACCEPTED, "draft", detail=t.reason, role="operator"),
    ),
    cheat(
        "records",
        "typed move",
        "an operator's edge in the right role with a stored reason",
        lambda t: t.type_move(ACCEPTED, "draft", detail=t.reason, origin="operator", role="operator"),
        owner=LOCATED,
        coordinator=RECORDED,
        file=LOCATED,
        why=AUTHORITY + "; whether a person has a role, the service asks",
    ),
    cheat("records", "typed move", "a retry as a plain move", moving(BROKEN, "queued_for_parse")),
    cheat("records", "typed move", "a token that was never given out", moving(PAPER, "sent", token="f" * 32)),
    cheat(
        "records",
        "typed move",
        "a token that was never given out, as the coordinator",
        moving(RUNNING, "parsed", token="f" * 32, actor="coordinator"),
        file=LOCATED,
        why="on SQLite a coordinator applies reports; the attempt that it passed over is left behind, and a check names it",
    ),
    cheat(
        "records",
        "typed move",
        "an unadopted row moved",
        lambda t: t.type_move(OLD_ROW, "running", version=1, from_state="waiting", hash=b"h" * 32),
    ),
    cheat(
        "records",
        "adoption",
        "an unadopted row adopted by hand",
        "UPDATE olds SET version = 0 WHERE id = 'o1'",
    ),
    cheat(
        "records",
        "adoption",
        "an unadopted row adopted with a head",
        lambda t: t.run("UPDATE olds SET version = 0, head = ? WHERE id = 'o1'", b"h" * 32),
    ),
    cheat(
        "records",
        "adoption",
        "an unadopted row adopted at version 7",
        "UPDATE olds SET version = 7 WHERE id = 'o1'",
    ),
    cheat(
        "records",
        "adoption",
        "an adoption without a plan",
        lambda t: t.type_move(
            OLD_ROW, "waiting", version=0, from_state=None, origin="backfill", role="admin", detail=t.reason
        ),
    ),
    cheat(
        "records",
        "adoption",
        "an adoption with the cause of no plan",
        lambda t: t.type_move(
            OLD_ROW,
            "done",
            version=0,
            from_state=None,
            origin="backfill",
            cause="plan.123456789012",
            role="admin",
            detail=t.reason,
        ),
    ),
    cheat(
        "records",
        "adoption",
        "a move that says it was written past Interlock",
        moving(RUNNING, "parsed", origin="legacy"),
    ),
    cheat(
        "records",
        "adoption",
        "an unadopted row moved as if it were written past Interlock",
        lambda t: t.type_move(
            OLD_ROW, "running", version=1, from_state="waiting", origin="legacy", hash=b"h" * 32
        ),
    ),
    cheat(
        "records",
        "adoption",
        "an adoption led on by hand",
        "UPDATE interlock_adoption SET phase = 'done' WHERE id = 'olds.status'",
    ),
    cheat(
        "records",
        "adoption",
        "guards said to be off",
        "UPDATE interlock_meta SET value = 'off' WHERE key = 'guard mode: olds.status'",
        owner=LOCATED,
        why="the guards themselves stay as they are, and a check compares them with what is said",
    ),
    cheat(
        "records",
        "adoption",
        "the status of an unadopted row",
        "UPDATE olds SET status = 'done' WHERE id = 'o1'",
        owner=OWN,
        coordinator=OWN,
        why="until it is adopted a row is the team's own",
    ),
    cheat(
        "records",
        "adoption",
        "an unadopted row deleted",
        "DELETE FROM olds WHERE id = 'o1'",
        owner=OWN,
        coordinator=OWN,
        why="until it is adopted a row is the team's own",
    ),
]
CLOCKS = [
    cheat("records", "clock", "a move of 1999", dated(datetime(1999, 12, 31, tzinfo=UTC))),
    cheat("records", "clock", "a move of 9999", dated(datetime(9999, 12, 30, tzinfo=UTC))),
    cheat("records", "clock", "a move of the year 1", dated(datetime(1, 1, 3, tzinfo=UTC))),
    cheat("records", "clock", "a move twenty years ahead", dated(SystemClock().now() + timedelta(days=7300))),
    cheat(
        "records",
        "clock",
        "a move of 2001",
        dated(datetime(2001, 1, 1, tzinfo=UTC)),
        file=LOCATED,
        why="SQLite knows no clock but that of whoever has the file; a check names what is out of order",
    ),
    cheat(
        "records",
        "clock",
        "a move five years ahead",
        dated(SystemClock().now() + timedelta(days=1825)),
        file=LOCATED,
        why="SQLite knows no clock but that of whoever has the file; a check names what is out of order",
    ),
    *(
        cheat("records", "clock", f"an entry of {text!r}", odd_entry(text), on=(SQLITE,))
        for text in (
            "not a time",
            "",
            "now",
            "2026-02-31T00:00:00.000000Z",
            "2026-01-01",
            "2026-01-01T25:00:00.000000Z",
        )
    ),
    *(
        cheat("records", "clock", f"a move of {text!r}", raw_instant(text), on=(POSTGRESQL,))
        for text in (
            "infinity",
            "-infinity",
            "now",
            "tomorrow",
            "epoch",
            "2026-01-01 00:00:00 BC",
            "2026-01-01",
        )
    ),
]
GATES = [
    cheat(
        "gates",
        "typed move",
        "a gated state whose gate said no",
        lambda t: t.type_move(item("c1"), "VALIDATED"),
    ),
    cheat(
        "gates",
        "typed move",
        "a gated state whose gate was never asked",
        lambda t: (t.type_move(item("c4"), "CANDIDATE"), t.type_move(item("c4"), "VALIDATED")),
    ),
    cheat(
        "gates",
        "plain",
        "a gated state without an entry",
        "UPDATE items SET state = 'VALIDATED', version = version + 1 WHERE item_id = 'c1'",
    ),
]


def by_a_plan_of_ones_own(typist: Typist) -> None:
    """A plan typed as the owner would type it, and a move by it."""
    cause = typist.plan(PAPER, "migration", ("draft", "accepted"))
    typist.type_move(PAPER, "accepted", origin="migration", cause=cause, role="admin", detail=typist.reason)


PLANS = [
    cheat(
        "plans",
        "typed move",
        "a migration without a plan",
        lambda t: t.type_move(PAPER, "accepted", origin="migration", role="admin", detail=t.reason),
    ),
    cheat(
        "plans",
        "typed move",
        "a migration that names a plan which does not exist",
        lambda t: t.type_move(
            PAPER, "accepted", origin="migration", cause="plan.abcdefabcdef", role="operator", detail=t.reason
        ),
    ),
    cheat(
        "plans",
        "typed move",
        "the cause of a plan that is closed",
        lambda t: t.type_move(
            PAPER, "accepted", origin="migration", cause=CLOSED_PLAN.cause, role="admin", detail=t.reason
        ),
    ),
    cheat(
        "plans",
        "typed move",
        "a backfill into a later state",
        lambda t: t.type_move(PAPER, "accepted", origin="backfill", role="admin", detail=t.reason),
    ),
    cheat(
        "plans",
        "typed move",
        "a legal move as a backfill",
        lambda t: t.type_move(PAPER, "sent", origin="backfill", role="admin", detail=t.reason),
    ),
    cheat(
        "plans",
        "typed move",
        "a plan of one's own and a move by it",
        by_a_plan_of_ones_own,
        owner=LOCATED,
        why="plans are the owner's to write; a check lists every one that is open, and the move names it for ever",
    ),
    cheat(
        "plans",
        "plain",
        "a closed plan opened again",
        "UPDATE interlock_plan SET closed_at = NULL",
        owner=LOCATED,
        why="plans are the owner's to write; a check lists every one that is open",
    ),
    cheat(
        "plans",
        "plain",
        "the lines of a plan",
        'UPDATE interlock_plan SET lines = \'[["draft", "accepted", "x"]]\'',
    ),
    cheat("plans", "plain", "the machine of a plan", "UPDATE interlock_plan SET machine = 'x'"),
    cheat("plans", "plain", "a plan deleted", "DELETE FROM interlock_plan"),
    cheat(
        "plans",
        "plain",
        "a plan without a reason",
        "INSERT INTO interlock_plan(kind, axis, id, origin, machine, lines, actor, role, at) "
        "VALUES ('papers', 'review', 'x', 'migration', 'x', '[[\"draft\", \"accepted\", \"\"]]', 'eve', "
        "'admin', '2026-01-01T00:00:00.000000Z')",
    ),
]


ROW_NUMBERS = [
    cheat(
        "records",
        "rowid",
        f"a record renamed by its {number}",
        f"UPDATE domains SET {number} = 77 WHERE id = 1",
        on=(SQLITE,),
    )
    for number in ("rowid", "oid", "_rowid_")
] + [
    cheat(
        "records",
        "rowid",
        "a record swallowed by another",
        "UPDATE OR REPLACE uploads SET rowid = (SELECT rowid FROM uploads WHERE id = 'u5') WHERE id = 'u4'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "rowid",
        "a state row swallowed by another",
        "UPDATE OR REPLACE article_pipeline_state SET rowid = 1 WHERE rowid = 2",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "rowid",
        "all records numbered anew",
        "UPDATE uploads SET rowid = rowid + 1000",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "rowid",
        "a new record in the place of another",
        "INSERT OR REPLACE INTO uploads(rowid, id, status, version) SELECT rowid, 'new', "
        "'queued_for_parse', 0 FROM uploads WHERE id = 'u5'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "rowid",
        "an unadopted row swallowed by another",
        "UPDATE OR REPLACE olds SET rowid = 1 WHERE id = 'o2'",
        on=(SQLITE,),
    ),
]
REPLACED = [
    cheat(
        "records",
        "REPLACE",
        "a record replaced",
        "REPLACE INTO uploads(id, status, version) VALUES ('u4', 'parsed', 0)",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "a record replaced by its beginning",
        "INSERT OR REPLACE INTO uploads(id, status, version, head) SELECT id, 'queued_for_parse', 0, "
        "head FROM uploads WHERE id = 'u6'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "a name taken by UPDATE OR REPLACE",
        "UPDATE OR REPLACE uploads SET id = 'u5' WHERE id = 'u4'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "a natural key taken by UPDATE OR REPLACE",
        "UPDATE OR REPLACE uploads SET file_hash = 'h5' WHERE id = 'u4'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "a natural key taken by INSERT OR REPLACE",
        "INSERT OR REPLACE INTO uploads(id, file_hash, status, version) VALUES ('x', 'h5', 'queued_for_parse', 0)",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "an unadopted row in the place of a record",
        "INSERT OR REPLACE INTO olds(id, status) VALUES ('o1', 'done')",
        on=(SQLITE,),
        file=OWN,
        why="until it is adopted a row is the team's own",
    ),
    cheat(
        "frozen tables",
        "REPLACE",
        "a frozen row replaced",
        "REPLACE INTO approved_items(item_id, approved_by) VALUES ('c3', 'eve')",
        on=(SQLITE,),
    ),
    cheat(
        "frozen tables",
        "REPLACE",
        "a frozen row by UPDATE OR REPLACE",
        "UPDATE OR REPLACE approved_items SET item_id = 'c9'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "a move by UPDATE OR IGNORE",
        "UPDATE OR IGNORE uploads SET status = 'parsed', version = 1 WHERE id = 'u4'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "a move by UPDATE OR FAIL",
        "UPDATE OR FAIL uploads SET status = 'parsed', version = 1",
        on=(SQLITE,),
    ),
]
CHEATS = [
    *PLAIN,
    *MADE_UP_HEADS,
    *UPSERTS,
    *RECURSIVE,
    *SWAPS,
    *TYPED,
    *CLOCKS,
    *GATES,
    *PLANS,
    *ROW_NUMBERS,
    *REPLACED,
]
