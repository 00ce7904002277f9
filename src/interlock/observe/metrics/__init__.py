"""Figures about a running system, asked of the database when somebody scrapes: each equals a recount at that instant."""

from ...workflow.figure import Figure
from .history import missed_levels
from .levels import Level, levels_of

__all__ = ["Figure", "Level", "levels_of", "missed_levels"]
