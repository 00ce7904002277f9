"""The command line: what the app, the ledger and the database say, for people and for scripts; it decides nothing itself."""

from __future__ import annotations

from .program import main

__all__ = ["main"]
