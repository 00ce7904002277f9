"""What was refused lately: it is tried again ever more seldom, and the reason of its refusal is told once. Only this process knows it:
after a restart, and in another coordinator, each is tried and told again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from datetime import datetime, timedelta
from typing import NamedTuple

from ..clock import Clock

FIRST, LONGEST = timedelta(seconds=5), timedelta(minutes=1)
"""How long what was refused rests before it is tried again: twice as long after each further time, up to the longest."""
REMEMBERED = timedelta(hours=1)
"""What has not been refused for so long counts as new."""
MOST = 10_000


class Refusal(NamedTuple):
    """The last refusal: its reason, when it was, how long the pause after it is, and where it ends."""

    reason: str
    at: datetime
    wait: timedelta

    @property
    def due_at(self) -> datetime:
        return self.at + self.wait


class Refused:
    """Refusals by what was refused; of many the newest are kept."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._known: OrderedDict[Hashable, Refusal] = OrderedDict()

    def is_due(self, what: Hashable) -> bool:
        """Whether it may be tried: it was not refused lately, or its pause is over."""
        known = self._of(what)
        return known is None or not known.at <= self.clock.now() < known.due_at  # a clock may be set back

    def reason(self, what: Hashable) -> str | None:
        """Why it was refused the last time, if that was lately."""
        known = self._of(what)
        return None if known is None else known.reason

    def note(self, what: Hashable, reason: str) -> timedelta:
        """Remember a refusal; how long it rests now."""
        known = self._of(what)
        wait = FIRST if known is None or known.reason != reason else min(known.wait * 2, LONGEST)
        self._known[what] = Refusal(reason, self.clock.now(), wait)
        self._known.move_to_end(what)
        if len(self._known) > MOST:
            self._known.popitem(last=False)
        return wait

    def is_news(self, what: Hashable, reason: str) -> bool:
        """Remember a refusal that is to be told of; whether this reason was not told of lately."""
        is_news = self.reason(what) != reason
        self.note(what, reason)
        return is_news

    def _of(self, what: Hashable) -> Refusal | None:
        known = self._known.get(what)
        return None if known is None or self.clock.now() - known.at > REMEMBERED else known
