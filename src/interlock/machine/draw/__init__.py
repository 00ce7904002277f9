"""Drawings of machines: as SVG for a page, as a file of its own, and as Mermaid text."""

from interlock.machine.draw.marks import Mark, StageStates, failures_of, marks_of
from interlock.machine.draw.mermaid import mermaid
from interlock.machine.draw.picture import Age, DrawnAxis, DrawnRule, draw_axes, draw_machine
from interlock.machine.draw.standalone import svg

__all__ = [
    "Age",
    "DrawnAxis",
    "DrawnRule",
    "Mark",
    "StageStates",
    "draw_axes",
    "draw_machine",
    "failures_of",
    "marks_of",
    "mermaid",
    "svg",
]
