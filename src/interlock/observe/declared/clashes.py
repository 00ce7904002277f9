"""What the workflows of one app may not share: a status, names of commands and of service levels."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import BadDeclaration
from ...workflow import Workflow
from ..metrics import levels_of


def refuse_clashes(workflows: Sequence[Workflow]) -> None:
    """Refuse service levels that make no sense, and levels or commands that two workflows declare under one name."""
    refuse_shared_statuses(workflows)
    levels_of(workflows, {})
    owners: dict[str, str] = {}
    for workflow in workflows:
        for noun in workflow.extension.commands:
            if owners.setdefault(noun, workflow.name) != workflow.name:
                raise BadDeclaration(
                    f"{owners[noun]} and {workflow.name} both add the command {noun!r}",
                    hint="Rename one in Extension(commands={…}).",
                )


def refuse_shared_statuses(workflows: Sequence[Workflow]) -> None:
    """Refuse two workflows with the same status column: each would write a history of its own for it, and refuse the other's."""
    owners: dict[tuple[str, str], str] = {}
    for workflow in workflows:
        for axis in workflow.axes.values():
            table = workflow.table_name if workflow.reflected else axis.table.fullname
            if (owner := owners.setdefault((table, axis.name), workflow.name)) != workflow.name:
                raise BadDeclaration(
                    f"{owner} and {workflow.name} both have the status {table}.{axis.name}",
                    hint="A status has one history: declare its table in one workflow.",
                )
