"""Every shape by its name, the plain one first."""

from __future__ import annotations

from . import one_axis, several_axes, whole_workflows
from .shape import Shape

SHAPES: dict[str, Shape] = {
    shape.name: shape
    for shape in (one_axis.PLAIN, *one_axis.SHAPES, *several_axes.SHAPES, *whole_workflows.SHAPES)
}
