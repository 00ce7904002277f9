"""Asks the system what it enforces on isolated processes, by making one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ...workflow import Stage
from .processes import Child
from .protections import Protections
from .zygote import Zygote


def measure_protections() -> Protections:
    """What holds for an isolated process on this system; raises `OSError` or an `InterlockError` where none can be made."""
    stage = Stage("probe", "status", _return_nothing, ("waiting",), "done", isolate=True)
    workflow: Any = SimpleNamespace(name="doctor", stages={stage.name: stage})
    zygote = Zygote([workflow])
    try:
        child = Child(zygote, workflow.name, stage)
        child.dismiss()
        return child.protections
    finally:
        zygote.stop()


def _return_nothing(work: object) -> None:
    """A stage function that is never called."""
