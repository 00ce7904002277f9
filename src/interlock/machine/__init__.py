"""What may happen: machines, their moves, drawings and versions, as pure values that must never do I/O."""

from interlock.machine.definition import Machine
from interlock.machine.draw import Age, DrawnAxis, DrawnRule, draw_axes, draw_machine, marks_of, mermaid, svg
from interlock.machine.edge import TIMER, Edge, State, after, operator, retry
from interlock.machine.evolution import Evolution, diff
from interlock.machine.plan import Line, Plan

__all__ = [
    "TIMER",
    "Age",
    "DrawnAxis",
    "DrawnRule",
    "Edge",
    "Evolution",
    "Line",
    "Machine",
    "Plan",
    "State",
    "after",
    "diff",
    "draw_axes",
    "draw_machine",
    "marks_of",
    "mermaid",
    "operator",
    "retry",
    "svg",
]
