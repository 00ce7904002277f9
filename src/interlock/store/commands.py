"""Commands that carry an idempotency key: claimed once per (actor, key), answered from memory ever after."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from ..errors import KeyReused
from .connect import Database
from .tables import command

KEPT_FOR = timedelta(days=7)


def claim(database: Database, tx: Connection, actor: str, key: str, payload: bytes, now: datetime) -> str | None:
    """Take the key, or give back the stored answer; a second client with the key waits until the first has committed."""
    insert: Any = sqlite.insert if database.is_sqlite else postgresql.insert
    values = {"actor": actor, "key": key, "payload": payload, "at": now, "expires_at": now + KEPT_FOR}
    tx.execute(delete(command).where(command.c.actor == actor, command.c.key == key, command.c.expires_at < now))
    # Not by rowcount: by the time it is asked, SQLAlchemy has closed psycopg's cursor, and a closed one says -1.
    claimed = insert(command).values(**values).on_conflict_do_nothing().returning(command.c.key)
    if tx.execute(claimed).first() is not None:
        return None
    asked = select(command.c.payload, command.c.answer).where(command.c.actor == actor, command.c.key == key)
    found = tx.execute(asked).one()
    if bytes(found.payload) != payload:
        raise KeyReused(f"the key {key!r} of {actor} was used for another command before", actor=actor, key=key)
    if found.answer is None:  # claimed, undone by a fault of the store, and committed so: whoever comes first carries it out
        found = tx.execute(asked.with_for_update()).one()
    return None if found.answer is None else str(found.answer)


def answer(tx: Connection, actor: str, key: str, stored: str) -> None:
    tx.execute(update(command).where(command.c.actor == actor, command.c.key == key).values(answer=stored))
