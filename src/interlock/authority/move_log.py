"""The log lines of what people did to records; what coordinators do is logged by them."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from ..errors import HookFailed, state_text
from ..workflow import Answer, Workflow

log = logging.getLogger("interlock.authority")


def log_moves(
    workflow: Workflow,
    answers: Sequence[Answer],
    axis: str,
    scope: str,
    cause: str | None,
    actor: str,
    *,
    uncommitted: bool = False,
) -> None:
    """One INFO line for each record that moved, and for each move that it drove: where from, where to, what caused it, and who; and an
    ERROR with its traceback for each hook that raised, however many records it refused."""
    log_failed_hooks(workflow, answers)
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
            step = f"{state_text(old)} → {state_text(new)}" if answer.outcome == "moved" else answer.outcome
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


def log_failed_hooks(workflow: Workflow, answers: Sequence[Answer]) -> None:
    """One ERROR for each hook that raised, with the traceback of its first time and the number of records that it refused."""
    failed: dict[str, list[Answer]] = {}
    for answer in answers:
        if isinstance(answer.error, HookFailed):
            failed.setdefault(str(answer.error), []).append(answer)
    for message, refused in failed.items():
        log.error(
            "%s; it refused %s %s%s",
            message,
            workflow.noun,
            refused[0].id,
            f" and {len(refused) - 1} more" if len(refused) > 1 else "",
            exc_info=refused[0].error,
            extra={"kind": workflow.name, "record_id": refused[0].id},
        )
