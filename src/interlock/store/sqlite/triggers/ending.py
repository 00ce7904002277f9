"""The guard of removed work rows: an attempt ends with its record's move, or where its stage has no state to fail to."""

from __future__ import annotations

from collections.abc import Sequence

from ...guarded import APPLIER
from ...resting import Resting
from ...sql import text
from ..schema import DISPATCHED, entry_of, trigger


def ending_guards(known: Sequence[Resting]) -> list[str]:
    """The trigger, which knows where the stages of every axis may let a record rest; it may be made again."""
    waits = f"EXISTS ({entry_of('OLD', 'OLD.version')} AND l.to_state IS l.from_state AND {DISPATCHED})"
    begun = "(OLD.reported_at IS NOT NULL OR OLD.started_at IS NOT NULL)"
    rests = f"(l.actor = '{APPLIER}' AND {begun} AND NOT ({_must_leave(known)}))"
    over = (
        f"EXISTS ({entry_of('OLD', 'OLD.version', '>')} AND (l.token IS NULL OR l.token = OLD.token) "
        f"AND (l.to_state IS NOT l.from_state OR {rests} OR {waits}))"
    )  # what somebody amends meanwhile ends no attempt
    return trigger(
        "interlock_work_delete",
        f"BEFORE DELETE ON interlock_work WHEN NOT {over} AND EXISTS ({entry_of('OLD', 'OLD.version')} AND l.actor = '{APPLIER}') "
        "AND NOT EXISTS (SELECT 1 FROM interlock_verdict v WHERE v.record_id = OLD.record_id AND v.kind = OLD.kind "
        "AND v.reference = OLD.token AND v.verdict = 'stale')",
        "SELECT RAISE(ABORT, 'ILK-210: DELETE of interlock_work is refused: an attempt is over when its record has moved on, rests only "
        "where its stage has no state to fail to, or once it was recorded that its report comes too late');",
    )


def _must_leave(known: Sequence[Resting]) -> str:
    """SQL: whatever came of the attempt OLD, its record leaves the state of entry `l`: a stage that has a state to fail to runs there."""
    tests = []
    for axis in known:
        for state in axis.leaves:
            stays = "".join(
                f" AND OLD.stage IS NOT {text(stage)}" for stage, where in axis.rests if where == state
            )
            tests.append(
                f"OLD.kind = {text(axis.kind)} AND OLD.axis = {text(axis.axis)} AND l.to_state IS {text(state)}{stays}"
            )
    return " OR ".join(f"({test})" for test in tests) or "false"
