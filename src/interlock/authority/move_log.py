"""The log lines of what people did to records; what coordinators do is logged by them."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from ..errors import spoken
from ..workflow import Answer, Workflow

log = logging.getLogger("interlock.authority")


def log_moves(
    workflow: Workflow,
    answers: Iterable[Answer],
    axis: str,
    scope: str,
    cause: str | None,
    actor: str,
    *,
    uncommitted: bool = False,
) -> None:
    """One INFO line for each record that moved, and for each move that it drove: where from, where to, what caused it, and who."""
    if not log.isEnabledFor(logging.INFO):
        return
    noun, where = workflow.noun.capitalize(), ", in the caller's transaction" if uncommitted else ""
    for answer in answers:
        if answer.outcome not in ("moved", "deleted", "erased"):
            continue
        steps = [
            (axis, scope, answer.old, answer.new, cause),
            *((move.axis, move.scope, move.old, move.new, move.cause) for move in answer.driven),
        ]
        for name, part, old, new, why in steps:
            within = f" ({part})" if part else ""
            step = f"{spoken(old)} → {spoken(new)}" if answer.outcome == "moved" else answer.outcome
            about = {
                "kind": workflow.name,
                "record_id": answer.id,
                "axis": name,
                "scope": part,
                "from_state": old,
                "to_state": new,
                "cause": why,
                "actor": actor,
            }
            log.info(
                "%s %s%s: %s (triggered by %s of %s%s)",
                noun,
                answer.id,
                within,
                step,
                why,
                actor,
                where,
                extra=about,
            )
