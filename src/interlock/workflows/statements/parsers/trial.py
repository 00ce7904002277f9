"""Reads a file in a process that may die of it, and says what killed it; asked only when reading it has taken a process along before."""

from __future__ import annotations

import faulthandler
import os
import signal
from contextlib import suppress

from ..parsed import ParseFault
from .contract import Document
from .registry import Parsers

BEFORE = "CRASHED"
"""The code that a runner gives to a process that is gone; another try is told it as `work.last_error`."""
_GAVE_UP = (signal.SIGABRT, signal.SIGTRAP, signal.SIGILL)
"""How the PDF library ends when it gets no more memory."""
_FELL_OVER = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE)


def survive(parsers: Parsers, document: Document, source_type: str, memory: str) -> None:
    """Raise the fault of a file that kills whoever reads it; return if it does not. A death from outside is not the file's fault."""
    if not hasattr(os, "fork"):
        return
    reader = os.fork()
    if reader == 0:
        _read_and_exit(parsers, document, source_type)
    ended = os.waitstatus_to_exitcode(os.waitpid(reader, 0)[1])
    if -ended in _GAVE_UP:
        raise ParseFault("MEMORY_LIMIT", f"reading it takes more than {memory}")
    if -ended in _FELL_OVER:
        raise ParseFault(
            "PDF_CORRUPT" if document.is_pdf else "LAYOUT_MISMATCH",
            f"the file ends whoever reads it (signal {-ended})",
        )
    if -ended == signal.SIGXCPU:
        raise ParseFault("TIMEOUT", "reading it takes too long")


def _read_and_exit(parsers: Parsers, document: Document, source_type: str) -> None:
    """Whatever comes of it is thrown away: what counts is whether it comes to its end."""
    faulthandler.disable()  # its death is expected; nobody needs the stack
    try:
        with suppress(BaseException):
            parsers.parse(document, source_type)
    finally:
        os._exit(0)
