"""The tries that a runner makes itself (`retry_in="runner"`): when, and with which work."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from ..workflow import Failed, Outcome, Work
from .tasks import Task

JITTER = 0.1


class Tries:
    """How many further tries each task has had in this process."""

    def __init__(self, random: Random | None = None) -> None:
        self._random = random or Random()  # not for secrets: it only spreads load
        self._made: dict[str, int] = {}
        self._given_up: set[str] = set()

    def delay(self, task: Task, outcome: Outcome[Any]) -> float | None:
        """Seconds until the next try; None when this outcome is the last word."""
        stage, made = task.stage, self._made.get(task.token, 0)
        if not isinstance(outcome, Failed) or outcome.final or task.token in self._given_up or made >= len(stage.retry):
            self.forget(task)
            return None
        self._made[task.token] = made + 1
        return stage.retry[made].total_seconds() * self._random.uniform(1 - JITTER, 1 + JITTER)

    def forget(self, task: Task) -> None:
        self._made.pop(task.token, None)
        self._given_up.discard(task.token)

    def give_up(self, task: Task) -> None:
        """No further try: nobody wants the result. (`work.cancelled` alone also means that one try has timed out.)"""
        self._given_up.add(task.token)


def once_more(work: Work, code: str) -> Work:
    """The same attempt for another try; a copy, for a try that timed out may still hold the old one."""
    again = copy.copy(work)
    again.cancelled, again.last_error = False, code
    return again
