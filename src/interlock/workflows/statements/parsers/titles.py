"""The line in which a file names who made it: what stands for the bank where it is none that is known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from ..normalize.date_formats import month_number

LINES_OF_A_TITLE = 6
LONGEST_TITLE = 40
OF_EVERY_STATEMENT = frozenset(
    re.findall(
        r"\w+",
        "account accounts card credit date for from number of page period statement summary the to your currency opening closing balance "
        "iban no name transactions history export report generated konto compte cuenta conta saldo",
    )
)
"""Words that stand above every bank's rows, and name none."""


def title_in(lines: Iterable[str]) -> str:
    """The words of the first of these lines that can be a bank's name, which the next statement has too: no figures, no months."""
    for line in islice(lines, LINES_OF_A_TITLE):
        words = re.findall(r"[^\W\d_]+", line)
        kept = [word for word in words if month_number(word) is None]
        if sum(len(word) > 1 and word.casefold() not in OF_EVERY_STATEMENT for word in kept):
            return " ".join(kept)[:LONGEST_TITLE].rstrip()
    return ""
