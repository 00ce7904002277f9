"""Commands that carry an idempotency key: carried out once per (actor, key), answered from memory ever after.

Who comes first holds the key until its transaction ends, and keeps it together with its answer: a key that is taken and not answered
cannot be.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select, update

from ...errors import KeyReused
from ..connect import Database
from ..engines import sql_named
from ..faults import LostRace
from ..tables import command

KEPT_FOR = timedelta(days=7)

# Made once: SQLAlchemy takes longer to put them together than the database to carry them out.
_MINE = (command.c.actor == bindparam("whose"), command.c.key == bindparam("named"))
_EXPIRE = delete(command).where(*_MINE, command.c.expires_at < bindparam("now"))
_FIND = select(command.c.payload, command.c.answer).where(*_MINE).with_for_update()
_ANSWER = (
    update(command)
    .where(*_MINE, command.c.answer.is_(None))
    .values(answer=bindparam("stored"))
    .returning(command.c.key)
)
"""For a key that an earlier version has taken, and left unanswered."""


@cache
def _keep(name: str) -> Any:
    return sql_named(name).insert(command).on_conflict_do_nothing().returning(command.c.key)


def claim(
    database: Database, tx: Connection, actor: str, key: str, payload: bytes, now: datetime
) -> str | None:
    """Hold the key, or give back the stored answer; a second client with the key waits until the first has committed."""
    mine = {"whose": actor, "named": key}
    database.sql.connections.hold(tx, f"{actor}\n{key}")
    tx.execute(_EXPIRE, {**mine, "now": now})
    found = tx.execute(_FIND, mine).first()
    if found is None:
        return None
    if bytes(found.payload) != payload:
        raise KeyReused(
            f"the key {key!r} of {actor} was used for another command before", actor=actor, key=key
        )
    return None if found.answer is None else str(found.answer)


def answer(
    database: Database, tx: Connection, actor: str, key: str, payload: bytes, now: datetime, stored: str
) -> None:
    """Keep the key with its answer; where somebody else has done so meanwhile, everything is undone and tried again."""
    values = {"actor": actor, "key": key, "payload": payload, "at": now, "expires_at": now + KEPT_FOR}
    if tx.execute(_keep(database.name), {**values, "answer": stored}).first() is not None:
        return
    # Not by rowcount: by the time it is asked, SQLAlchemy has closed psycopg's cursor, and a closed one says -1.
    if tx.execute(_ANSWER, {"whose": actor, "named": key, "stored": stored}).first() is None:
        raise LostRace(f"the key {key!r} of {actor} was answered by another transaction")
