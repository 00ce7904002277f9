"""What a dispatcher has to know before it looks at any queue, by one question: who can work, what is paused, how much is under way."""

from __future__ import annotations

import json
from typing import NamedTuple

from sqlalchemy import Connection

from .runners import ALIVE
from .stages import HOLDS
from .work import WorkRows

_ASKED = f"""SELECT 'runner' AS what, stages AS a, '' AS b, '' AS c, capacity AS n FROM interlock_runner
WHERE {ALIVE} AND stopping = 0
UNION ALL SELECT 'pause', kind, stage, scope, 0 FROM interlock_stage WHERE {HOLDS}
UNION ALL SELECT 'open', stage, '', '', count(*) FROM (
    SELECT stage FROM interlock_work WHERE reported_at IS NULL ORDER BY position) held GROUP BY stage"""
# By its key, for what is left of finished work is still in the table until it is vacuumed, and would be read each time.


class Hand(NamedTuple):
    """A runner that takes work: which stages, and how much at once."""

    stages: tuple[str, ...]
    capacity: int


class Situation(NamedTuple):
    """Runners, pauses as (kind, stage, scope), and attempts under way by stage."""

    hands: list[Hand]
    paused: set[tuple[str, str, str]]
    under_way: dict[str, int]


def situation(work: WorkRows, tx: Connection) -> Situation:
    found = Situation([], set(), {})
    for what, first, second, third, number in work.run(tx, _ASKED, {}).fetchall():
        if what == "runner":
            found.hands.append(Hand(tuple(json.loads(first)), number))
        elif what == "pause":
            found.paused.add((first, second, third))
        else:
            found.under_way[first] = number
    return found
