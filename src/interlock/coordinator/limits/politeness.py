"""Politeness: of each key of a stage with `rate_per`, no more is begun than its rate allows, and no key's backlog holds up another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection

from ...store.queue import rates
from ...store.queue.waiting import Candidate
from ..stage_queues import StageQueue

if TYPE_CHECKING:
    from ..coordinator import Coordinator

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

    def take(self, tx: Connection, stage_queue: StageQueue, scope: str, most: int, but: list[str]) -> Turn:
        """Take the turns of at most so many free keys, and lock the record of each. The queue's own order comes first; only where records
        of keys that have to wait fill its beginning, the keys behind them are looked up."""
        work, stage, queue = self.on.work, stage_queue.stage, stage_queue.queue
        place = (work, tx, stage_queue.workflow.name, stage.name)
        unclaimed = queue.unclaimed_keys(tx, stage_queue.name)
        rates.hold_keys(*place, unclaimed, stage.spacing)
        window = queue.window(tx, scope, WINDOW)
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
            queue.named(tx, scope, [record for key, record in chosen.items() if key in keys], but),
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
                heads, self._after[place] = stage_queue.queue.heads(tx, scope, branch, after, room, asked)
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
