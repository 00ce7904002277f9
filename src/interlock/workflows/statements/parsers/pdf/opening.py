"""The first words of a PDF, for telling whose it is; read once per document."""

from __future__ import annotations

import re
import weakref

from ...parsed import ParseFault
from ..contract import Document
from .lines import lines_of

PAGES = 2
_last: list[tuple[weakref.ref[Document], str]] = []


def opening(document: Document) -> str:
    """The text of the first pages, in lower case; empty if it is no PDF or cannot be read."""
    if not document.is_pdf:
        return ""
    if _last and _last[0][0]() is document:
        return _last[0][1]
    from .words import read_pages  # the PDF library is loaded when the first PDF comes

    try:
        text = "\n".join(line.text for line in lines_of(read_pages(document.content, PAGES))).lower()
    except ParseFault:
        text = ""
    _last[:] = [(weakref.ref(document), text)]
    return text


def says(text: str, *words: str) -> int:
    """How many of these are in it."""
    return sum(1 for word in words if re.search(word, text))
