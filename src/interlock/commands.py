"""What the commands of an extension are made of: nouns and verbs, the session, the shapes of answers, exit codes. All of it is public."""

from __future__ import annotations

from .cli.commands.history.proofs import TO
from .cli.context import Session
from .cli.exit_codes import FINDINGS, OK, REFUSED
from .cli.grammar import Noun, session
from .cli.render.output import note, open_output, show_answer, show_rows
from .cli.render.table import table
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
