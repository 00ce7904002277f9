"""One JSON object for each line; amounts are texts, so that nobody's float rounds them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from .contract import COLUMNS, Row, plain

# Some readers end a line at these too.
_LINE_ENDS = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029", "\u0085": "\\u0085"})


def json_lines(rows: Iterable[Row]) -> Iterator[str]:
    """The rows, keys always in the same order."""
    for row in rows:
        shown = {name: plain(row[name]) for name in COLUMNS if name in row}
        yield json.dumps(shown, ensure_ascii=False, separators=(",", ":")).translate(_LINE_ENDS) + "\n"
