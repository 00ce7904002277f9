"""Processes that end different pipelines of the same records at the same time."""

from __future__ import annotations

from contextlib import closing
from multiprocessing.connection import Connection
from typing import Any

from interlock import App
from interlock.authority import mirrors as locking
from interlock.store.records import mirrors
from interlock.workflow import Workflow
from tests.concurrency.crowd import PATIENCE
from tests.concurrency.workers import answering, on_the_word
from tests.contract.rules.test_mirrors import SCOPES, mirrored

BATCH = 20


def workflow() -> Workflow:
    return mirrored()


def no_lock(*_: Any) -> bool:
    """The twin's lock: none, and it claims that what others commit is read."""
    return True


@answering
def end_pipelines(
    connection: Connection, url: str, number: int, ids: list[int], start: Any, locked: bool
) -> int:
    """Take one pipeline of these records through its states, batch by batch, each at the same moment as whoever has the other pipeline;
    how many moves were made."""
    if not locked:
        mirrors.lock_mirrored = locking.lock_mirrored = no_lock  # a process of its own: nobody else sees this
    scope, made = SCOPES[number % 2], 0
    with closing(App([workflow()], database=url)) as app:
        on_the_word(connection)
        for first in range(0, len(ids), BATCH):
            for state in ("in_progress", "processed"):
                start.wait(PATIENCE)
                chosen = ids[first : first + BATCH]
                answers = app.move_many("themes", chosen, actor=f"p{number}", scope=scope, status=state)
                assert {answer.outcome for answer in answers} == {"moved"}, answers
                made += len(answers)
    return made
