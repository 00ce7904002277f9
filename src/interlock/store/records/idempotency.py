"""Commands that carry an idempotency key: claimed once per (actor, key), answered from memory ever after."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select, update

from ...errors import KeyReused
from ..connect import Database
from ..engines import sql_named
from ..tables import command

KEPT_FOR = timedelta(days=7)

# Made once: SQLAlchemy takes longer to put them together than the database to carry them out.
_MINE = (command.c.actor == bindparam("whose"), command.c.key == bindparam("named"))
_EXPIRE = delete(command).where(*_MINE, command.c.expires_at < bindparam("now"))
_FIND = select(command.c.payload, command.c.answer).where(*_MINE)
_FIND_AND_LOCK = _FIND.with_for_update()
_ANSWER = update(command).where(*_MINE).values(answer=bindparam("stored"))


@cache
def _claim(name: str) -> Any:
    return sql_named(name).insert(command).on_conflict_do_nothing().returning(command.c.key)


def claim(
    database: Database, tx: Connection, actor: str, key: str, payload: bytes, now: datetime
) -> str | None:
    """Take the key, or give back the stored answer; a second client with the key waits until the first has committed."""
    mine = {"whose": actor, "named": key}
    tx.execute(_EXPIRE, {**mine, "now": now})
    # Not by rowcount: by the time it is asked, SQLAlchemy has closed psycopg's cursor, and a closed one says -1.
    values = {"actor": actor, "key": key, "payload": payload, "at": now, "expires_at": now + KEPT_FOR}
    if tx.execute(_claim(database.name), values).first() is not None:
        return None
    found = tx.execute(_FIND, mine).one()
    if bytes(found.payload) != payload:
        raise KeyReused(
            f"the key {key!r} of {actor} was used for another command before", actor=actor, key=key
        )
    if (
        found.answer is None
    ):  # claimed, undone by a fault of the store, and committed so: whoever comes first carries it out
        found = tx.execute(_FIND_AND_LOCK, mine).one()
    return None if found.answer is None else str(found.answer)


def answer(tx: Connection, actor: str, key: str, stored: str) -> None:
    tx.execute(_ANSWER, {"whose": actor, "named": key, "stored": stored})
