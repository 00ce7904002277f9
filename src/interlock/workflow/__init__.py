"""What a team declares: axes, rules, stages, gates and hooks over its own tables. No I/O but reading a named table."""

from __future__ import annotations

from .adopt import Adopt
from .answer import Answer, Move, Refusal, Verdict
from .axis import Axis
from .columns.mirror import Mirror
from .extension import Extension, Page, PageContext
from .outcome import Again, Done, Failed, Found, Outcome
from .rules import Rule, When, during, entering, leaving
from .schedule import Schedule, cron
from .stage import Gate, Hook, Stage
from .surfaces.figure import Figure
from .surfaces.invariant import Invariant
from .surfaces.need import Need
from .surfaces.view import View
from .work import Work
from .workflow import Workflow

__all__ = [
    "Adopt",
    "Again",
    "Answer",
    "Axis",
    "Done",
    "Extension",
    "Failed",
    "Figure",
    "Found",
    "Gate",
    "Hook",
    "Invariant",
    "Mirror",
    "Move",
    "Need",
    "Outcome",
    "Page",
    "PageContext",
    "Refusal",
    "Rule",
    "Schedule",
    "Stage",
    "Verdict",
    "View",
    "When",
    "Work",
    "Workflow",
    "cron",
    "during",
    "entering",
    "leaving",
]
