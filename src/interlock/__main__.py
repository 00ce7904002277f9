"""Runs the commands as `python -m interlock`."""

from __future__ import annotations

from .cli import main

main()
