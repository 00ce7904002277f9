"""Runs the commands as `python -m interlock.cli`."""

from __future__ import annotations

from .program import main

main()
