"""Every cheat there is, and the page that lists them."""

from __future__ import annotations

from tests.security import (
    cheats_beside_records,
    cheats_by_sqlite_words,
    cheats_by_typed_moves,
    cheats_on_bookkeeping,
    cheats_on_decisions,
    cheats_on_history,
    cheats_on_records,
    cheats_on_schema,
    cheats_on_sessions,
    cheats_on_work,
)
from tests.security.cheats import POSTGRESQL, SQLITE, Cheat

CHEATS: list[Cheat] = [
    *cheats_on_records.CHEATS,
    *cheats_by_typed_moves.CHEATS,
    *cheats_on_decisions.CHEATS,
    *cheats_by_sqlite_words.CHEATS,
    *cheats_on_history.CHEATS,
    *cheats_on_work.CHEATS,
    *cheats_on_bookkeeping.CHEATS,
    *cheats_beside_records.CHEATS,
    *cheats_on_sessions.CHEATS,
    *cheats_on_schema.CHEATS,
]


def cheats_on(database: str) -> dict[str, Cheat]:
    """The cheats of one database, by target and name."""
    found = {f"{one.target}: {one.name}": one for one in CHEATS if database in one.on}
    assert len(found) == sum(database in one.on for one in CHEATS), "two cheats have the same name"
    return found


BY_DATABASE = {database: cheats_on(database) for database in (SQLITE, POSTGRESQL)}
