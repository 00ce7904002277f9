"""CSV that spreadsheets open without running anything: a text that looks like a formula is quoted, numbers stay numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from interlock.extension import safe_text

from .contract import COLUMNS, Row, plain

NUMBERS = {"amount", "confidence_score", "insertion_sequence"}
"""Columns that we wrote ourselves: a minus there is a minus."""


def comma_separated(rows: Iterable[Row]) -> Iterator[str]:
    """A header and one line for each row; lists become words divided by spaces."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(COLUMNS)
    yield _drain(buffer)
    for row in rows:
        writer.writerow([cell(name, row.get(name)) for name in COLUMNS])
        yield _drain(buffer)


def cell(name: str, value: Any) -> Any:
    """One value as a spreadsheet may have it."""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        value = " ".join(str(one) for one in value)
    shown = plain(value)
    return shown if name in NUMBERS else safe_text(str(shown))


def _drain(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text
