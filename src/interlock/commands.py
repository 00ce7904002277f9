"""What the commands of an extension are made of: nouns and verbs, the session, the shapes of answers, exit codes. All of it is public."""

from __future__ import annotations

from .cli.commands import Noun, session
from .cli.exits import FINDINGS, OK, REFUSED
from .cli.output import note, show_answer, show_rows
from .cli.proving import TO, open_output
from .cli.session import Session
from .cli.table import table
from .serving import work_here

__all__ = [
    "FINDINGS",
    "OK",
    "REFUSED",
    "TO",
    "Noun",
    "Session",
    "note",
    "open_output",
    "session",
    "show_answer",
    "show_rows",
    "table",
    "work_here",
]
