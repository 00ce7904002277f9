"""What may happen: machines, their moves, drawings and versions, as pure values that must never do I/O."""

from interlock.machine.definition import Machine
from interlock.machine.diagram import mermaid, svg
from interlock.machine.edge import Edge, State, operator, retry
from interlock.machine.evolution import Evolution, diff

__all__ = ["Edge", "Evolution", "Machine", "State", "diff", "mermaid", "operator", "retry", "svg"]
