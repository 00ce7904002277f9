"""Seals history on a schedule and keeps the seals outside the database, where whoever owns the database cannot rewrite them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path

from ...errors import InterlockError
from ...store.ledger.seals.seal import Seal
from ...store.verify.seals import compared
from ..ledger import Ledger
from .seal_targets import SealTarget

log = logging.getLogger("interlock.sealing")

EVERY = timedelta(hours=1)
LOOK_EVERY = 5.0
"""Seconds between looks at whether a seal is due, or a target that was away is back."""
PAGE = 500


class SealSender:
    """Sends each target the seals that it lacks, in their order; `seals_after` reads those behind a number, some at a time."""

    def __init__(
        self,
        targets: Sequence[SealTarget],
        seals_after: Callable[[int], Sequence[Seal]],
        newest: Callable[[], int],
    ) -> None:
        self.targets, self.seals_after, self.newest = tuple(targets), seals_after, newest
        self._sent: dict[SealTarget, int] = {}
        self._failing: set[str] = set()

    def begin(self, target: SealTarget) -> int:
        """The number behind which this target is sent seals. Ask before new seals are made, so that none of those is left out.

        What a target has is held against the ledger at once: a rewritten or older one is reported in the log. A target that cannot be asked
        is sent the newest seal again, which is chained to all before it.
        """
        if target not in self._sent:
            kept = target.kept()
            if kept is None:
                self._sent[target] = max(0, self.newest() - 1)
            else:
                for finding in compared(list(self._every()) if kept else [], kept):
                    log.error("%s: %s", target.name, finding)
                self._sent[target] = max((one.number for one in kept), default=0)
        return self._sent[target]

    def _every(self) -> Iterator[Seal]:
        after = 0
        while batch := self.seals_after(after):
            yield from batch
            after = batch[-1].number

    def send(self) -> None:
        """Send what is missing; raises when a target cannot be reached."""
        for target in self.targets:
            self._send(target)

    def try_to_send(self) -> None:
        """Send what is missing; a target that cannot be reached is reported in the log, once, and tried again by the next call."""
        for target in self.targets:
            self.guard(target.name, lambda target=target: self._send(target))  # type: ignore[misc]

    def guard(self, name: str, act: Callable[[], None]) -> None:
        try:
            act()
        except InterlockError as error:
            if name not in self._failing:
                log.error("%s; it is tried again and again", error)
            self._failing.add(name)
        else:
            if name in self._failing:
                self._failing.discard(name)
                log.warning("sealing works again: %s", name)

    def _send(self, target: SealTarget) -> None:
        after = self.begin(target)
        while batch := self.seals_after(after):
            target.send(batch)
            after = self._sent[target] = batch[-1].number


class SealKeeper:
    """Makes a seal when the newest is old enough, and sends it away. Any number of processes may do this at once."""

    def __init__(
        self,
        ledger: Ledger,
        targets: Sequence[SealTarget],
        *,
        every: timedelta = EVERY,
        key: str | Path | None = None,
    ) -> None:
        self.ledger, self.every, self.key = ledger, every, key
        self.sender = SealSender(targets, lambda after: ledger.seals(after, limit=PAGE), self._newest_number)

    def step(self, *, at_once: bool = False) -> None:
        """Seal if it is time, or at once, and send what is new. What fails is logged, and tried again by the next step."""
        for target in self.sender.targets:
            self.sender.guard(f"what {target.name} has", lambda target=target: self._begin(target))  # type: ignore[misc]
        self.sender.guard("the ledger", lambda: self._seal(at_once))
        self.sender.try_to_send()

    def _begin(self, target: SealTarget) -> None:
        self.sender.begin(target)

    def _seal(self, at_once: bool) -> None:
        newest = self.ledger.newest_seal()
        if at_once or newest is None or not timedelta() <= self.ledger.clock.now() - newest.at < self.every:
            for made in self.ledger.sealing(self.key):
                log.info(
                    "sealed %d entries and %d verdicts as seal %d", made.entries, made.verdicts, made.number
                )

    def _newest_number(self) -> int:
        newest = self.ledger.newest_seal()
        return 0 if newest is None else newest.number
