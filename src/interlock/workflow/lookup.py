"""Finds a workflow by what people call it: its name, the noun of one record, or the table of the records."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import BadInput, UnknownKind
from ..machine.suggest import did_you_mean
from .checks.options import short
from .workflow import Workflow


def find_workflow(workflows: Mapping[str, Workflow], kind: str | Workflow) -> Workflow:
    """The workflow of this name; else the only one whose noun or table is called so. Raises UnknownKind otherwise."""
    name = kind.name if isinstance(kind, Workflow) else kind
    if not isinstance(name, str):
        raise BadInput(
            f"a workflow is named by its name, not by {type(name).__name__} {short(name)}",
            hint=f"It is one of {', '.join(map(repr, workflows))}.",
        )
    if name in workflows:
        return workflows[name]
    called = [one for one in workflows.values() if name in (one.noun, one.table_name)]
    if len(called) == 1:
        return called[0]
    other_names = [word for one in workflows.values() for word in (one.name, one.noun, one.table_name)]
    raise UnknownKind(
        f"this app has no workflow {name!r}; it has {', '.join(workflows)}",
        hint=did_you_mean(name, list(dict.fromkeys(other_names))),
        kind=name,
    )
