"""Adoption: a table that has rows and writers already comes under Interlock, step by step, while everything goes on."""

from __future__ import annotations

from .adoptions import Adoptions
from .phases import with_adoptions

__all__ = ["Adoptions", "with_adoptions"]
