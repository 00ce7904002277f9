"""Transactions in the formats of others: CSV, JSON Lines, ledger-cli and beancount; streams of text, one row at a time."""

from __future__ import annotations

from .beancount import beancount
from .comma_separated import comma_separated
from .contract import Chosen, Export, Row
from .json_lines import json_lines
from .ledger_cli import ledger_cli

EXPORTS: dict[str, Export] = {
    "csv": comma_separated,
    "jsonl": json_lines,
    "ledger": ledger_cli,
    "beancount": beancount,
}

__all__ = ["EXPORTS", "Chosen", "Export", "Row", "beancount", "comma_separated", "json_lines", "ledger_cli"]
