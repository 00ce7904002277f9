"""Slots: limits per stage and per key that hold across coordinators, because the database keeps each slot unique."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection

from ...store.faults import is_driver_error, is_lost_race
from ..stage_queues import StageQueue

if TYPE_CHECKING:
    from ..coordinator import Coordinator

BATCH = 500


class Limits:
    """Gives slots back to attempts that have waited for their next try without one."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator

    def reslot(self, tx: Connection, stage_queue: StageQueue) -> int:
        work, stage = self.on.work, stage_queue.stage
        waiting = work.slotless(tx, stage_queue.name, BATCH)
        if not waiting:
            return 0
        slots, keyed = work.slots_in_use(tx, stage_queue.name)
        count = 0
        for position, key in waiting:
            slot = (
                None if stage.limit is None else next((n for n in range(stage.limit) if n not in slots), -1)
            )
            key_slot = (
                None
                if stage.per_key is None
                else next((n for n in range(stage.per_key[1]) if (key or "", n) not in keyed), -1)
            )
            if slot == -1 or key_slot == -1:
                continue
            if slot is not None:
                slots.add(slot)
            if key_slot is not None:
                keyed.add((key or "", key_slot))
            count += self._take(tx, position, slot, key_slot)
        return count

    def _take(self, tx: Connection, position: int, slot: int | None, key_slot: int | None) -> int:
        """Another coordinator may be faster; then this one waits for the next sweep."""
        try:
            with tx.begin_nested():
                self.on.work.run(
                    tx,
                    "UPDATE interlock_work SET slot = %(slot)s, key_slot = %(key_slot)s WHERE position = %(position)s",
                    {"slot": slot, "key_slot": key_slot, "position": position},
                )
        except Exception as error:
            if not is_driver_error(error) or is_lost_race(error):
                raise
            return 0
        return 1
