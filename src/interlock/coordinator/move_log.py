"""The log line of a move: one place to read where every record went, and why."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import state_text
from ..machine import State
from ..workflow import Workflow

log = logging.getLogger("interlock.coordinator")


def log_moved(
    workflow: Workflow,
    keys: Iterable[Any],
    scope: str,
    old: State,
    new: State,
    cause: str,
    facts: Mapping[str, Any],
) -> None:
    """`Upload UL_abc123: parsing → parsed (triggered by parse.completed, 42 observations)`"""
    if not log.isEnabledFor(logging.INFO):
        return
    said = ", ".join([cause, *_figures(facts)])
    within = f" ({scope})" if scope else ""
    noun = workflow.noun.capitalize()
    about = {"kind": workflow.name, "scope": scope, "from_state": old, "to_state": new, "cause": cause}
    for key in keys:
        log.info(
            "%s %s%s: %s → %s (triggered by %s)",
            noun,
            key,
            within,
            state_text(old),
            state_text(new),
            said,
            extra={**about, "record_id": key},
        )


def _figures(facts: Mapping[str, Any]) -> list[str]:
    found = [
        f"{value} {name.removesuffix('_count')}"
        for name, value in facts.items()
        if name.endswith("_count") and isinstance(value, int)
    ]
    return found + [str(facts[name]) for name in ("error_code",) if facts.get(name)]


def log_exhausted(workflow: Workflow, stage: str, key: Any, scope: str, facts: Mapping[str, Any]) -> None:
    """Warn that a record rests with its error: every try of the stage is used up."""
    within = f" ({scope})" if scope else ""
    log.warning(
        "%s %s%s: no try of %s is left, it rests with %s: %s",
        workflow.noun.capitalize(),
        key,
        within,
        stage,
        facts.get("error_code"),
        facts.get("error_message"),
        extra={
            "kind": workflow.name,
            "record_id": key,
            "scope": scope,
            "stage": stage,
            "error_code": facts.get("error_code"),
        },
    )


def log_ignored(workflow: Workflow, id: Any, event: str, why: str) -> None:
    log.warning("Ignoring %s for %s (%s)", event, id, why, extra={"kind": workflow.name})
