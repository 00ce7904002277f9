"""How much may be begun: turns between queues, slots for limits per stage and per key, and rates for each key.

Slots and rates hold across coordinators, because the database keeps each slot unique and each key's turn in one row; turns are hints."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection

from ..store.faults import is_driver_error, is_lost_race
from ..store.queue import rates
from ..store.queue.waiting import Candidate
from .stage_queues import StageQueue

if TYPE_CHECKING:
    from .coordinator import Coordinator

Key = tuple[str, str]
"""(full stage name, scope)"""


class Turns:
    """Remembers when each queue was last asked and whether it had more than it was served. A hint, which any coordinator rebuilds from
    nothing: what waits is in the rows."""

    def __init__(self) -> None:
        self._round = 0
        self._asked: dict[Key, int] = {}
        self._hungry: set[Key] = set()

    def ordered(self, keys: Iterable[Key]) -> list[Key]:
        """Begin a round: the queues, those that were asked longest ago first, otherwise in the order given."""
        self._round += 1
        return sorted(keys, key=lambda key: self._asked.get(key, 0))

    def share(self, key: Key, free: int, later: Collection[Key]) -> int:
        """How much of the free room this queue may take: an equal part, if others that come later in this round probably want some."""
        wanting = sum(other in self._hungry for other in later)
        return free if not wanting else max(1, free // (1 + wanting))

    def served(self, key: Key, sent: int, share: int) -> None:
        """Record that a queue was offered `share` places and filled `sent`; one that filled all of them probably has more."""
        self._asked[key] = self._round
        self._hungry.discard(key)
        if sent >= share:
            self._hungry.add(key)

    def passed_over(self, key: Key) -> None:
        """Record that no room was left for a queue: it counts as having more, and is asked before the others in the next round."""
        self._hungry.add(key)


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


WINDOW = 500
"""How many due records are looked at in the stage's order before keys are asked for one by one."""
FEWEST_KEYS, MOST_KEYS = 100, 1_000
"""How many keys one round asks for; the next round goes on behind them."""


class Turn(NamedTuple):
    """What may begin now, locked; the keys whose turn was claimed for it; and whether all that is due was looked at."""

    due: list[Candidate]
    keys: set[str]
    whole: bool


class Politeness:
    """Chooses what is due of keys that are free. Remembers where it was among the keys: a hint, which any coordinator begins anew."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator
        self._after: dict[tuple[str, str, int], Any] = {}

    def take(
        self, tx: Connection, stage_queue: StageQueue, scope: str, most: int, excluded: list[str]
    ) -> Turn:
        """Take the turns of at most so many free keys, and lock the record of each. The queue's own order comes first; only where records
        of keys that have to wait fill its beginning, the keys behind them are looked up."""
        work, stage, queue = self.on.work, stage_queue.stage, stage_queue.queue
        place = (work, tx, stage_queue.workflow.name, stage.name)
        unclaimed = queue.unclaimed_keys(tx, stage_queue.name)
        rates.hold_keys(*place, unclaimed, stage.spacing)
        window = queue.due_unlocked(tx, scope, WINDOW)
        busy = unclaimed | rates.busy_keys(*place, {key for _, key in window})
        chosen: dict[str, Any] = {}
        for record, key in window:
            if key not in busy and len(chosen) < most:
                chosen.setdefault(key, record)
        whole = len(window) < WINDOW
        if not whole:
            self._look_further(tx, stage_queue, scope, most, chosen)
        keys = rates.claim_keys(*place, chosen, stage.spacing)
        return Turn(
            queue.due_among(tx, scope, [record for key, record in chosen.items() if key in keys], excluded),
            keys,
            whole,
        )

    def _look_further(
        self, tx: Connection, stage_queue: StageQueue, scope: str, most: int, chosen: dict[str, Any]
    ) -> None:
        """Add the first due record of each further key that is free, beginning where the last round ended; at the end of all keys, once
        more from their beginning."""
        for branch in range(len(stage_queue.stage.waiting)):
            place = (stage_queue.name, scope, branch)
            for _ in range(2):
                room, after = most - len(chosen), self._after.get(place)
                if room <= 0:
                    return
                asked = min(max(2 * room, FEWEST_KEYS), MOST_KEYS)
                heads, self._after[place] = stage_queue.queue.first_of_keys(
                    tx, scope, branch, after, room, asked
                )
                for record, key in heads:
                    chosen.setdefault(key, record)
                if after is None or self._after[place] is not None:
                    break

    def settle(self, tx: Connection, stage_queue: StageQueue, turn: Turn, begun: set[str]) -> None:
        """Give back the turns of keys of which nothing has begun after all."""
        used = {one.rate_key for one in turn.due if str(one.seen.key) in begun}
        rates.release_keys(
            self.on.work, tx, stage_queue.workflow.name, stage_queue.stage.name, turn.keys - used
        )
