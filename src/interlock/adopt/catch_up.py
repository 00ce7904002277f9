"""Writes the entries of writes past Interlock that were only noted, a slice at a time, so that no writer waits for all of them."""

from __future__ import annotations

from sqlalchemy import Connection

from ..authority import Authority
from ..clock import monotonic
from ..store.adoption.adoptions import MODES, phase_of
from ..store.placement import Placement

LONGEST_TURN = 0.05
"""Seconds for which other writers have the database between two slices, where only one can write at a time."""
FEW = 50
"""So many notes may be left to the transaction that needs all of them: while others write, there is no last one."""


def give_turn(authority: Authority, spent: float) -> None:
    """Sleep as long as the write lock was held, where a database has only one, so that others get it."""
    if not authority.database.sql.has_row_locks:
        authority.clock.sleep(min(spent, LONGEST_TURN))


def catch_up(authority: Authority, place: Placement) -> int:
    """Write the entries of noted writes, each slice in a transaction of its own, until few are left; how many. Nothing is written unless
    the guards follow."""

    def follow(tx: Connection, _: bool) -> int:
        phase = phase_of(tx, place.kind, place.name)
        if phase is None or MODES[phase] != "follow":
            return 0
        return authority.engine.follow_strays(tx, place)

    count = 0
    while True:
        begun = monotonic()
        followed = authority.transactions.run(follow)
        count += followed
        if followed <= FEW:
            return count
        give_turn(authority, monotonic() - begun)
