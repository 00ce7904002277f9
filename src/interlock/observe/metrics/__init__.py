"""Figures about a running system, asked of the database when somebody scrapes: each equals a recount at that instant."""

from ...workflow.surfaces.figure import Figure
from .levels import Level, levels_of
from .moves import missed_levels

__all__ = ["Figure", "Level", "levels_of", "missed_levels"]
