"""The public test kit: a workflow's own history asserted, and a Hypothesis machine generated from its declaration."""

from __future__ import annotations

from typing import Any

from ..clock import FrozenClock
from ..machine import Machine
from ..workflow import Workflow
from .history import assert_history
from .sandbox import Sandbox

__all__ = ["FrozenClock", "Sandbox", "assert_history", "state_machine"]


def state_machine(declared: Workflow | Machine, **options: Any) -> type[Any]:
    """A Hypothesis `RuleBasedStateMachine` that plays this workflow; options as in `interlock.testing.stateful.state_machine`."""
    from .stateful import state_machine as generated  # Hypothesis is asked for only by those who call this

    return generated(declared, **options)
