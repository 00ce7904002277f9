"""What extensions are made of that need no further package: the values of `Extension`, files, instants, the clock. All of it is public."""

from __future__ import annotations

from . import settings
from .clock import Clock, SystemClock
from .ids import random_bytes
from .observe.attempts import OpenAttempt
from .service.http.limits import Limits, too_large
from .spreadsheet import safe_text
from .store.files.incoming import Incoming
from .workflow import Extension, Figure, Invariant, Need, Page, PageContext, View
from .workflow.columns.instant import Instant
from .workflow.columns.instant import instant_text as write_instant
from .workflow.columns.instant import parse_instant as read_instant
from .workflow.durations import read_retry_after

__all__ = [
    "Clock",
    "Extension",
    "Figure",
    "Incoming",
    "Instant",
    "Invariant",
    "Limits",
    "Need",
    "OpenAttempt",
    "Page",
    "PageContext",
    "SystemClock",
    "View",
    "random_bytes",
    "read_instant",
    "read_retry_after",
    "safe_text",
    "setting",
    "too_large",
    "write_instant",
]


def setting(name: str) -> str | None:
    """The value of a setting, from INTERLOCK_NAME or interlock.toml; None where neither has it.

    `setting("shop.rate")` is a workflow's own: INTERLOCK_SHOP_RATE, or `rate` in the table `[workflows.shop]` of interlock.toml.
    """
    value = settings.of_workflow(name) if "." in name else getattr(settings.load({}), name)
    return None if value is None else str(value)
