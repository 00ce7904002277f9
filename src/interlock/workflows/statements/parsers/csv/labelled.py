"""Text in which every transaction is a few lines of `Label: value`, as some banks export it: made a table, which is then read like one."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from functools import lru_cache

_LINE = re.compile(r"\s*([^\W\d_][^:\n]{1,30}?)\s*:[ \t]*([^\n]*?)\s*")
FEWEST = 2
"""So many times a label occurs that is one of a transaction's."""


@lru_cache(maxsize=4)
def as_table(text: str) -> str:
    """The same text with a header and a row for each transaction, what is named once before it; empty if it is no such text."""
    lines = [match for line in text.replace("\u00a0", " ").splitlines() if (match := _LINE.fullmatch(line))]
    counts = Counter(match[1] for match in lines)
    names = [name for name, count in counts.items() if count >= FEWEST]
    if len(names) < 3 or any(counts[name] != counts[names[0]] for name in names):
        return ""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerows([match[1], match[2]] for match in lines if match[1] not in names)
    writer.writerow(names)
    values = {name: [match[2] for match in lines if match[1] == name] for name in names}
    writer.writerows(zip(*(values[name] for name in names), strict=True))
    return made.getvalue()
