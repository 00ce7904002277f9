"""The public test kit: a sandbox, a workflow's own history asserted, a simulator, and a Hypothesis machine generated from a declaration."""

from __future__ import annotations

from typing import Any

from ..clock import FrozenClock
from ..machine import Machine
from ..workflow import Workflow
from .assertions import assert_history
from .sandbox import Sandbox
from .simulation import HistoryFailed, SimulationReport, simulate

__all__ = [
    "FrozenClock",
    "HistoryFailed",
    "Sandbox",
    "SimulationReport",
    "assert_history",
    "simulate",
    "state_machine",
]


def state_machine(declared: Workflow | Machine, **options: Any) -> type[Any]:
    """A Hypothesis `RuleBasedStateMachine` that plays this workflow; options as in `interlock.testing.stateful.state_machine`."""
    from .stateful import state_machine as generated  # Hypothesis is asked for only by those who call this

    return generated(declared, **options)
