"""CSV that spreadsheets open without running anything: a text that looks like a formula is quoted, numbers stay numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from .contract import COLUMNS, Row, plain

_STARTS_A_FORMULA = (*"=+-@\t\r\n|%", "\uff1d", "\uff0b", "\uff0d", "\uff20")
NUMBERS = {"amount", "confidence_score", "insertion_sequence"}
"""Columns that we wrote ourselves: a minus there is a minus."""


def comma_separated(rows: Iterable[Row]) -> Iterator[str]:
    """A header and one line for each row; lists become words divided by spaces."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(COLUMNS)
    yield _taken(buffer)
    for row in rows:
        writer.writerow([cell(name, row.get(name)) for name in COLUMNS])
        yield _taken(buffer)


def cell(name: str, value: Any) -> Any:
    """One value as a spreadsheet may have it."""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        value = " ".join(str(one) for one in value)
    shown = plain(value)
    return shown if name in NUMBERS else safe_text(str(shown))


def safe_text(text: str) -> str:
    """An apostrophe before what a spreadsheet would calculate, also behind leading spaces."""
    text = text.replace("\x00", "")
    return (
        "'" + text
        if text.startswith(_STARTS_A_FORMULA) or text.lstrip().startswith(_STARTS_A_FORMULA)
        else text
    )


def _taken(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text
