"""Names what a file is when no parser knows it, so that the refusal helps."""

from __future__ import annotations

import re

from .contract import Document

_MAGIC = (
    (b"PK\x03\x04", "a zip archive or a spreadsheet (.xlsx); export it as CSV"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"SQLite format 3", "a SQLite database"),
)
_TEXT = (
    (r"(?s).{0,200}:20:.{0,400}:25:", "an MT940 file without balances and entries"),
    (r"(?si)\s*<(?:!doctype html|html)", "a web page"),
    (r"\s*[\[{]\s*[\"{\[]", "a JSON file"),
    (r"(?s)\s*<\?xml", "an XML file that is neither OFX nor CAMT"),
    (r"\s*\{\\rtf", "an RTF document"),
)


def what_it_is(document: Document) -> str:
    for magic, name in _MAGIC:
        if document.content.startswith(magic):
            return f"it is {name}"
    if document.is_pdf:
        return "it is a PDF, and reading those needs pip install 'interlock[statements]'"
    head = document.text_head[:4096]
    if not head:
        return "it is not text"
    return next(
        (f"it looks like {name}" for pattern, name in _TEXT if re.match(pattern, head)),
        "it is text without a table of dates and amounts",
    )
