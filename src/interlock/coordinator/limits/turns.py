"""Whose turn it is: free room is shared over the queues that have something due, so that no backlog starves another."""

from __future__ import annotations

from collections.abc import Collection, Iterable

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
