"""What a dispatcher has to know before it looks at any queue, by one question: who can work, what is paused, how much is under way."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from ..work.rows import HOLDS, WorkRows
from .runners import ALIVE, stages_in

_ASKED = f"""SELECT 'runner' AS what, stages AS a, '' AS b, '' AS c, capacity AS n FROM interlock_runner
WHERE {ALIVE} AND stopping = 0
UNION ALL SELECT 'pause', kind, stage, scope, 0 FROM interlock_stage WHERE {HOLDS}
UNION ALL SELECT CASE WHEN claimed = 1 THEN 'claimed' ELSE 'issued' END, stage, scope, '', count(*) FROM (
    SELECT stage, scope, CASE WHEN claimed_by IS NULL THEN 0 ELSE 1 END AS claimed FROM interlock_work WHERE reported_at IS NULL
    ORDER BY position) held GROUP BY stage, scope, claimed"""
# By its key, for what is left of finished work is still in the table until it is vacuumed, and would be read each time.


class Hand(NamedTuple):
    """A runner that takes work: which stages, and how much at once."""

    stages: tuple[str, ...]
    capacity: int


class Situation(NamedTuple):
    """Runners, pauses as (kind, stage, scope), and attempts by stage that take up a runner's room: claimed, or to be claimed."""

    hands: list[Hand]
    paused: set[tuple[str, str, str]]
    under_way: dict[str, int]


def situation(work: WorkRows, tx: Connection) -> Situation:
    found = Situation([], set(), {})
    rows = work.run(tx, _ASKED, {}).fetchall()
    for what, first, second, third, number in rows:
        if what == "runner":
            found.hands.append(Hand(stages_in(first), number))
        elif what == "pause":
            found.paused.add((first, second, third))
    paused = {(f"{kind}.{stage}", scope) for kind, stage, scope in found.paused}
    for what, stage, scope, _, number in rows:
        if what == "claimed" or (
            what == "issued" and not paused & {(stage, ""), (stage, scope)}
        ):  # nobody claims what is paused
            found.under_way[stage] = found.under_way.get(stage, 0) + number
    return found
