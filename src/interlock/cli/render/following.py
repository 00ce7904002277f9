"""Prints rows as they come, each once: a table with steady columns, lines of JSON, or CSV with one head."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from .output import as_csv, as_json
from .table import GAP
from .text import cell, padded


class Stream:
    """Rows without an end; columns grow with what comes, and never shrink."""

    def __init__(self, form: str, columns: Sequence[str], shown: Sequence[str]) -> None:
        self.form, self.columns, self.shown = form, columns, shown
        self.widths = {"timestamp": 19, **{name: max(len(name), 8) for name in shown if name != "timestamp"}}
        self.headed = False

    def show(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Print and flush: who follows wants to see it now."""
        for row in rows:
            if self.form == "jsonl":
                click.echo(as_json(row, indent=None))
            elif self.form == "csv":
                click.echo(as_csv([row], self.columns, headed=not self.headed), nl=False)
            else:
                click.echo(self.line(row))
            self.headed = True
        sys.stdout.flush()

    def line(self, row: Mapping[str, Any]) -> str:
        cells = {
            name: cell(row.get(name)) if row.get(name) is not None or name in ("from", "to") else ""
            for name in self.shown
        }
        for name, text in cells.items():
            self.widths[name] = min(max(self.widths[name], len(text)), 40)
        return GAP.join(padded(text, self.widths[name]) for name, text in cells.items()).rstrip()
