"""Cheats that type a move together with the entry that belongs to it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from interlock.store.entry import GENESIS, chain, entry_text
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
    UPLOAD,
    Typist,
    cheat,
    moving,
)

AUTHORITY = (
    "whoever may move records may type a legal move with its entry: it is the move that the app makes, and the entry keeps the login; "
    "where roles were set up, a check names the owner's logins"
)


HASHES = "SQLite has no SHA-256 of its own; verification hashes every entry"


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

CHEATS = [*TYPED]
