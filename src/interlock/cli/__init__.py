"""The command line, for people and for scripts: every command asks a client and prints its answer."""

from __future__ import annotations

from .program import main

__all__ = ["main"]
