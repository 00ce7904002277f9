"""The tries that a runner makes itself (`retry_in="runner"`): when, and with which work."""

from __future__ import annotations

import copy
import logging
from datetime import UTC, datetime
from random import Random
from typing import Any

from ...workflow import Failed, Work
from ..executors.tasks import Ended, Task

log = logging.getLogger("interlock.runner")

JITTER = 0.1
LONGEST_CODE, LONGEST_MESSAGE = 200, 500
"""Characters that are kept of a failed try."""


class Tries:
    """How many further tries each task has had in this process."""

    def __init__(self, random: Random | None = None) -> None:
        self._random = random or Random()  # not for secrets: it only spreads load
        self._made: dict[str, int] = {}
        self._given_up: set[str] = set()

    def delay(self, task: Task, outcome: Ended) -> float | None:
        """Seconds until the next try; None when this outcome is the last word."""
        stage, made = task.stage, self._made.get(task.token, 0)
        if (
            not isinstance(outcome, Failed)
            or outcome.final
            or task.token in self._given_up
            or made >= len(stage.retry)
        ):
            self.forget(task)
            return None
        self._made[task.token] = made + 1
        delay = stage.retry[made].total_seconds() * self._random.uniform(1 - JITTER, 1 + JITTER)
        return delay if outcome.after is None else max(delay, outcome.after.total_seconds())

    def forget(self, task: Task) -> None:
        self._made.pop(task.token, None)
        self._given_up.discard(task.token)

    def is_abandoned(self, task: Task) -> bool:
        return task.token in self._given_up

    def give_up(self, task: Task) -> None:
        """No further try: the result is no longer wanted. (`work.cancelled` alone also means that one try has timed out.)"""
        self._given_up.add(task.token)


def once_more(task: Task, outcome: Failed[Any], delay: float, at: datetime) -> Work:
    """The same attempt's work for another try, counted and logged; a copy, for a try that timed out may still hold the old one. `at` is
    when the failed try ended."""
    task.retries += 1
    log.warning(
        "%s.%s %s: try %d failed with %s; the runner tries again in %.1f s",
        task.kind,
        task.stage.name,
        task.work.id,
        task.retries,
        outcome.code,
        delay,
        extra={"kind": task.kind, "stage": task.stage.name, "record_id": task.work.id, "code": outcome.code},
    )
    again = copy.copy(task.work)
    again.cancelled, again.last_error = False, outcome.code
    failed = {
        "error_code": outcome.code[:LONGEST_CODE],
        "message": outcome.message[:LONGEST_MESSAGE],
        "ended_at": at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    again.failed_tries = (*task.work.failed_tries, failed)
    return again
