"""Bulk acts by people: a frozen scope, a preview, a reason, progress, and undo where the machine allows it."""

from __future__ import annotations

from .operations import Operations

__all__ = ["Operations"]
