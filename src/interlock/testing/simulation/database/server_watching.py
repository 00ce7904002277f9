"""Watches a world from inside its PostgreSQL database: triggers log every change of a work row and every entry, with the transaction and
the statement that made it.

They are rolled back with the transaction they belong to, so what is left is exactly what was committed. Transactions are ordered by their
commit. Within one statement the server fires triggers in an order of its own, so its lines are put in the order of the protocol.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ....store.placement import Placement
from ....store.sql import text
from .watching import HELD_CASE, LogLine

_NAMES = ("kind", "id", "axis", "scope", "attempt", "token", "said", "old", "new", "cause", "origin", "actor")
_LOG = (
    "CREATE TABLE simulated_log(number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tx xid8 NOT NULL "
    "DEFAULT pg_current_xact_id(), statement timestamptz NOT NULL DEFAULT statement_timestamp(), what text, kind text, id text, "
    "axis text, scope text, attempt bigint, token text, said text, detail bytea, old text, new text, cause text, origin text, "
    "actor text, old_attempt bigint, old_token text)"
)
_WORK = (
    "CREATE FUNCTION simulated_work() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE one interlock_work; BEGIN "
    "one := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END; "
    "INSERT INTO simulated_log(what, kind, id, axis, scope, attempt, token, said, old, old_attempt, old_token) "
    "VALUES (TG_ARGV[0], one.kind, one.record_id, one.axis, one.scope, one.attempt, one.token, CASE TG_ARGV[0] "
    "WHEN 'claimed' THEN one.claimed_by WHEN 'reported' THEN one.outcome WHEN 'issued' THEN one.stage WHEN 'rewritten' THEN one.stage "
    f"END, CASE WHEN TG_ARGV[0] = 'claimed' THEN {HELD_CASE} END, OLD.attempt, OLD.token); RETURN NULL; END $$"
)
_MOVED = (
    "CREATE FUNCTION simulated_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "INSERT INTO simulated_log(what, kind, id, axis, scope, attempt, token, detail, old, new, cause, origin, actor) "
    "VALUES ('moved', NEW.kind, NEW.record_id, NEW.axis, NEW.scope, NEW.version, NEW.token, NEW.detail, NEW.from_state, "
    "NEW.to_state, NEW.cause, NEW.origin, NEW.actor); RETURN NULL; END $$"
)
_CHANGES = (
    ("issued", "INSERT", "true"),
    ("ended", "DELETE", "true"),
    ("rewritten", "UPDATE OF token", "NEW.token IS DISTINCT FROM OLD.token"),
    ("claimed", "UPDATE OF claimed_by", "NEW.claimed_by IS NOT NULL"),
    (
        "returned",
        "UPDATE OF claimed_by",
        "NEW.claimed_by IS NULL AND OLD.claimed_by IS NOT NULL AND NEW.token = OLD.token",
    ),
    ("asked", "UPDATE OF recheck_at", "NEW.recheck_at IS NOT NULL AND OLD.recheck_at IS NULL"),
    ("reported", "UPDATE OF reported_at", "NEW.reported_at IS NOT NULL"),
)
_TRIGGERS = (
    *(
        f"CREATE TRIGGER simulated_{what} AFTER {change} ON interlock_work FOR EACH ROW WHEN ({condition}) "
        f"EXECUTE FUNCTION simulated_work('{what}')"
        for what, change, condition in _CHANGES
    ),
    "CREATE TRIGGER simulated_move AFTER INSERT ON interlock_ledger FOR EACH ROW EXECUTE FUNCTION simulated_move()",
)
_RANKS = {
    "rewritten": 0,
    "issued": 0,
    "claimed": 1,
    "returned": 1,
    "asked": 1,
    "reported": 1,
    "moved": 2,
    "tried": 3,
    "ended": 4,
    "commit": 5,
}


def watch(connection: Any, places: Iterable[Placement]) -> None:
    """Begin to watch; of each place on which stages work, also how its tries are counted."""
    for statement in (_LOG, _WORK, _MOVED, *_TRIGGERS):
        connection.execute(statement)
    for number, place in enumerate(places):
        for statement in _tries(number, place):
            connection.execute(statement)


def _tries(number: int, place: Placement) -> tuple[str, str]:
    tries = place.quote(place.axis.column_name("tries"))
    scope = f"NEW.{place.scope_sql}" if place.scope_sql else "''"
    name = f"simulated_tries_{number}"
    return (
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "INSERT INTO simulated_log(what, kind, id, axis, scope, attempt) "
        f"VALUES ('tried', {text(place.kind)}, NEW.{place.key_sql}::text, {text(place.name)}, {scope}, NEW.{tries}); "
        "RETURN NULL; END $$",
        f"CREATE TRIGGER {name} AFTER UPDATE OF {tries} ON {place.table_sql} FOR EACH ROW "
        f"EXECUTE FUNCTION {name}()",
    )


def log(connection: Any) -> list[LogLine]:
    """Everything that was committed, transaction by transaction, each with a line `commit` at its end."""
    columns = ", ".join(
        f"l.{name}" for name in ("what", *_NAMES, "detail", "old_attempt", "old_token", "number")
    )
    rows = connection.execute(
        f"SELECT t.place, l.statement, {columns} FROM simulated_log l "
        "JOIN (SELECT tx, max(number) AS place FROM simulated_log GROUP BY tx) t ON t.tx = l.tx ORDER BY t.place, l.number"
    ).fetchall()
    first: dict[Any, int] = {}
    for row in rows:
        first.setdefault(row[:2], row[-1])
    found: list[LogLine] = []
    place = None
    for row in sorted(rows, key=lambda row: (row[0], first[row[:2]], _RANKS[row[2]], row[-1])):
        if place not in (None, row[0]):
            found.append(_COMMITTED)
        place = row[0]
        found += _lines(row[2:])
    return [*found, _COMMITTED] if found else []


def _lines(row: Any) -> list[LogLine]:
    (
        what,
        kind,
        id,
        axis,
        scope,
        attempt,
        token,
        said,
        old,
        new,
        cause,
        origin,
        actor,
        detail,
        old_attempt,
        old_token,
        _,
    ) = row
    line = LogLine(
        what,
        kind,
        id,
        axis,
        scope,
        attempt,
        token,
        said if detail is None else detail,
        old,
        new,
        cause,
        origin,
        actor,
    )
    if what == "commit":
        return []
    if what == "rewritten":
        return [
            line._replace(what="ended", attempt=old_attempt, token=old_token, said=None),
            line._replace(what="issued"),
        ]
    return [line]


_COMMITTED = LogLine("commit", "", "", "", "", 0, None, None, None, None, None, None, None)
