"""What the workflows of one app may not share: names of commands and of service levels."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import BadDeclaration
from ...workflow import Workflow
from ..metrics import levels_of


def refuse_clashes(workflows: Sequence[Workflow]) -> None:
    """Refuse service levels that make no sense, and levels or commands that two workflows declare under one name."""
    levels_of(workflows, {})
    owners: dict[str, str] = {}
    for workflow in workflows:
        for noun in workflow.extension.commands:
            if owners.setdefault(noun, workflow.name) != workflow.name:
                raise BadDeclaration(
                    f"{owners[noun]} and {workflow.name} both add the command {noun!r}",
                    hint="Rename one in Extension(commands={…}).",
                )
