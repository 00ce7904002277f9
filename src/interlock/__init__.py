"""Enforces record states in your database and runs the work that changes them; these are the names that a team writes against."""

from __future__ import annotations

from .app import App
from .errors import InterlockError
from .machine import Machine, after, operator, retry
from .observe.explain import Explanation
from .store.bulk import insert_rows
from .workflow import (
    Adopt,
    Again,
    Answer,
    Axis,
    Done,
    Extension,
    Failed,
    Found,
    Invariant,
    Move,
    Outcome,
    Refusal,
    Work,
    Workflow,
    cron,
    during,
    entering,
    leaving,
)

__all__ = [
    "Adopt",
    "Again",
    "Answer",
    "App",
    "Axis",
    "Done",
    "Explanation",
    "Extension",
    "Failed",
    "Found",
    "InterlockError",
    "Invariant",
    "Machine",
    "Move",
    "Outcome",
    "Refusal",
    "Work",
    "Workflow",
    "after",
    "cron",
    "during",
    "entering",
    "insert_rows",
    "leaving",
    "operator",
    "retry",
]
