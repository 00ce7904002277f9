"""The stages of an app as plain values: where each waits and runs, and whether it is paused, by whom, until when and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...errors import BadInput, UnknownKind
from ...machine.suggest import did_you_mean
from ...store.queue.pauses import Pause
from ...workflow import Workflow


def list_stages(workflows: Iterable[Workflow], pauses: Sequence[Pause]) -> list[dict[str, Any]]:
    """A row for each stage and scope; a pause without a scope holds in all of them."""
    paused = {(one.kind, one.stage, one.scope): one for one in pauses}
    rows = []
    for workflow in workflows:
        for stage in workflow.stages.values():
            for scope in workflow.axes[stage.axis].scopes or ("",):
                pause = paused.get((workflow.name, stage.name, scope)) or paused.get(
                    (workflow.name, stage.name, "")
                )
                rows.append(
                    {
                        "kind": workflow.name,
                        "stage": stage.name,
                        "scope": scope or None,
                        "waiting": list(stage.waiting),
                        "running": stage.running,
                        "paused": pause is not None,
                        "until": pause.until if pause else None,
                        "reason": pause.reason if pause else None,
                        "actor": pause.actor if pause else None,
                    }
                )
    return rows


def known_stage(workflow: Workflow, stage: str, scope: str | None) -> None:
    """Refuse to pause or resume what is neither a stage nor a schedule; a schedule has no scopes."""
    if stage in workflow.schedules and scope is None:
        return
    if stage not in workflow.stages:
        raise UnknownKind(
            f"{workflow.name} has no stage {stage!r}; it has {', '.join(workflow.stages) or 'none'}",
            hint=did_you_mean(stage, workflow.stages) or "`interlock stage list` lists those of every kind.",
            kind=workflow.name,
        )
    scopes = workflow.axes[workflow.stages[stage].axis].scopes
    if scope is not None and scope not in scopes:
        raise BadInput(
            f"{workflow.name}.{stage} has no scope {scope!r}; it has {', '.join(scopes) or 'none'}"
        )
