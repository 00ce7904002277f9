"""Cheats on sessions of the console and of the API.

No table holds sessions: a browser keeps the API key itself in a cookie, each request looks its row of `interlock_key` up anew, and the
session of an address that works once lives in the memory of the service. Whoever wants to forge, prolong or raise a session by SQL has to
write that row.
"""

from __future__ import annotations

from hashlib import sha256

from tests.security.cheats import LOCATED, POSTGRESQL, RECORDED, SQLITE, Cheat, Typist, cheat
from tests.security.cheats_on_bookkeeping import now
from tests.security.cheats_on_work import OWNERS

AT = "'2026-11-01T00:00:00.000000Z'"
USES = (
    "the service notes as the coordinator when a key was last used, at most once an hour; the note opens nothing, goes on and never back, "
    "and keeps the login" + OWNERS
)
REVOKES = (
    "the service revokes keys as the coordinator, for whoever has the scope admin; it ends a session and opens none, and keeps the login"
    + OWNERS
)


def made(name: str, columns: str, values: str) -> Cheat:
    """A session forged by a key that the commands would not make."""
    return cheat(
        "sessions",
        "plain",
        name,
        lambda t: t.run(
            f"INSERT INTO interlock_key(digest, created_by, created_at, {columns}) VALUES (?, 'eve', {AT}, {values})",
            sha256(b"ilk_eve").digest(),
        ),
    )


def swap_secrets(typist: Typist) -> None:
    """The secret of a viewer opens the key of an administrator."""
    typist.run(
        "UPDATE interlock_key SET digest = CASE name WHEN 'ops' THEN (SELECT digest FROM interlock_key WHERE name = 'lapsed') "
        "ELSE (SELECT digest FROM interlock_key WHERE name = 'ops') END WHERE name IN ('ops', 'lapsed')"
    )


CHEATS = [
    made("a session of Interlock's own user", "name, scope", "'local', 'admin'"),
    made("a session that signs as the coordinator", "name, scope", "'coordinator', 'admin'"),
    made("a session that signs as the app, in other letters", "name, scope", "' App ', 'admin'"),
    made("a session in a scope that does not exist", "name, scope", "'eve', 'root'"),
    made("a session of a name that is blank", "name, scope", "'  ', 'admin'"),
    made("a session that had expired before it began", "name, scope, expires_at", f"'eve', 'admin', {AT}"),
    made("a session that begins revoked", "name, scope, revoked_at", f"'eve', 'admin', {AT}"),
    made("a session that is said to be in use", "name, scope, last_used_at", f"'eve', 'admin', {AT}"),
    made(
        "a session until a year that nobody can read", "name, scope, expires_at", "'eve', 'admin', 'infinity'"
    ),
    cheat(
        "sessions",
        "clock",
        "an expired session prolonged",
        "UPDATE interlock_key SET expires_at = '2099-01-01T00:00:00.000000Z' WHERE name = 'lapsed'",
    ),
    cheat(
        "sessions",
        "clock",
        "an expired session that never expires",
        "UPDATE interlock_key SET expires_at = NULL WHERE name = 'lapsed'",
    ),
    cheat(
        "sessions",
        "clock",
        "an expired session that began later",
        "UPDATE interlock_key SET created_at = '2099-01-01T00:00:00.000000Z' WHERE name = 'lapsed'",
    ),
    cheat(
        "sessions",
        "plain",
        "a session raised to an administrator's",
        "UPDATE interlock_key SET scope = 'admin' WHERE name = 'lapsed'",
    ),
    cheat(
        "sessions",
        "plain",
        "a session under another name",
        "UPDATE interlock_key SET name = 'ann' WHERE name = 'lapsed'",
    ),
    cheat("sessions", "swap", "the secrets of two sessions swapped", swap_secrets),
    cheat(
        "sessions",
        "clock",
        "the session of a revoked key, revoked in the future",
        "UPDATE interlock_key SET revoked_at = '2099-01-01T00:00:00.000000Z' WHERE name = 'former'",
    ),
    cheat(
        "sessions",
        "plain",
        "the session of a revoked key under a new name",
        "INSERT INTO interlock_key(name, digest, scope, created_at, created_by) "
        f"SELECT 'eve', digest, scope, {AT}, 'eve' FROM interlock_key WHERE name = 'former'",
    ),
    cheat(
        "sessions",
        "upsert",
        "an expired session by ON CONFLICT",
        "INSERT INTO interlock_key(name, digest, scope, created_at, created_by) SELECT name, digest, scope, created_at, created_by "
        "FROM interlock_key WHERE name = 'lapsed' ON CONFLICT (name) DO UPDATE SET expires_at = NULL",
    ),
    cheat(
        "sessions",
        "REPLACE",
        "an expired session replaced by one without end",
        "REPLACE INTO interlock_key(name, digest, scope, created_at, created_by) SELECT name, digest, 'admin', created_at, created_by "
        "FROM interlock_key WHERE name = 'lapsed'",
        on=(SQLITE,),
    ),
    cheat("sessions", "plain", "every key truncated", "TRUNCATE interlock_key", on=(POSTGRESQL,)),
    cheat(
        "sessions",
        "plain",
        "the last use of a session forgotten",
        "UPDATE interlock_key SET last_used_at = NULL WHERE name = 'lapsed'",
    ),
    cheat(
        "sessions",
        "clock",
        "the last use of a session set back",
        "UPDATE interlock_key SET last_used_at = '2001-01-01T00:00:00.000000Z' WHERE name = 'lapsed'",
    ),
    cheat(
        "sessions",
        "plain",
        "a use of a session that never was",
        lambda t: t.run(f"UPDATE interlock_key SET last_used_at = {now(t)} WHERE name = 'lapsed'"),
        owner=LOCATED,
        coordinator=RECORDED,
        file=RECORDED,
        why=USES,
    ),
    cheat(
        "sessions",
        "plain",
        "a session ended by hand",
        lambda t: t.run(f"UPDATE interlock_key SET revoked_at = {now(t)} WHERE name = 'ops'"),
        owner=LOCATED,
        coordinator=RECORDED,
        file=RECORDED,
        why=REVOKES,
    ),
    cheat(
        "sessions",
        "plain",
        "a session ended in the name of another login",
        lambda t: t.run(
            f"UPDATE interlock_key SET revoked_at = {now(t)}, changed_login = 'ann' WHERE name = 'ops'"
        ),
        on=(POSTGRESQL,),
        owner=LOCATED,
        why="the database keeps the login that it knows, whatever is typed" + OWNERS,
    ),
]
