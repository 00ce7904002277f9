"""Which hooks a step calls, and how a hook's own fault is kept apart from the database's."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from ..errors import HookFailed, InterlockError
from ..store.contract import Step
from ..store.faults import is_driver_error
from ..workflow import Hook, Move, Workflow


def hooks_of(workflow: Workflow, step: Step) -> list[Hook]:
    """The hooks of this step: those of the state it enters; an amendment enters nothing, and calls those that ask for amendments."""
    template = step.template
    entered = template.old != template.new
    return [
        hook
        for hook in workflow.hooks
        if hook.wants(template.axis, template.new)
        and (entered or (hook.amended and template.origin == "amend"))
    ]


def call_hook(function: Any, tx: Connection, moves: list[Move]) -> None:
    """Call a hook; what it raises becomes HookFailed, unless it comes from the database or is a refusal of ours."""
    try:
        function(tx, moves)
    except InterlockError:
        raise
    except Exception as error:
        if is_driver_error(error):
            raise
        name = getattr(function, "__name__", "hook")
        raise HookFailed(f"hook {name} failed: {type(error).__name__}: {error}", hook=name) from error
