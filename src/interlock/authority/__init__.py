"""The one code path that writes statuses: admit, move, amend, retry, erase. Everything else asks this."""

from __future__ import annotations

from .authority import Authority

__all__ = ["Authority"]
