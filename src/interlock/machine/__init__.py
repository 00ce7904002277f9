"""What may happen: machines, their moves, drawings and versions, as pure values that must never do I/O."""

from interlock.machine.definition import Machine
from interlock.machine.diagram import mermaid, svg
from interlock.machine.edge import Edge, State, operator, retry
from interlock.machine.evolution import Evolution, diff
from interlock.machine.plan import Line, Plan

__all__ = [
    "Edge",
    "Evolution",
    "Line",
    "Machine",
    "Plan",
    "State",
    "diff",
    "mermaid",
    "operator",
    "retry",
    "svg",
]
