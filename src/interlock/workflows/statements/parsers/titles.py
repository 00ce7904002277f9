"""The line in which a file names who made it: what stands for the bank where it is none that is known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from ..normalize.currencies import MINOR_UNITS
from ..normalize.date_formats import month_number

LINES_OF_A_TITLE = 6
LONGEST_TITLE = 40
CODES = frozenset(code.casefold() for code in MINOR_UNITS)
OF_EVERY_STATEMENT = frozenset(
    re.findall(
        r"\w+",
        "account accounts card credit date for from number of page period statement summary the to your currency opening closing balance "
        "iban no name transactions history export report generated konto compte cuenta conta saldo "
        "type checking savings current available activity list details range all as at on by created printed download "
        "kontoauszug kontonummer kontostand umsätze umsatzanzeige zeitraum vom von bis datum währung "
        "relevé opérations période solde devise du au numéro extracto movimientos período desde hasta fecha moneda número "
        "estratto conto movimenti periodo dal valuta rekening rekeningnummer afschrift transacties extrato movimentos moeda",
    )
)
"""Words that stand above every bank's rows, and name none."""
OF_A_PERSON = re.compile(
    r"\W*(?:(?:account|card)\s+)?(?:holder|owner|name|customer|client|kontoinhaber|inhaber|titulaire|titular|intestatario|tenaamstelling)\b",
    re.IGNORECASE,
)
"""The beginning of a line that names whose account it is: customers of several banks write the same above their rows."""


def title_in(lines: Iterable[str]) -> str:
    """The words of the first of these lines that can be a bank's name, which the next statement has too: no figures, no months."""
    for line in islice(lines, LINES_OF_A_TITLE):
        if OF_A_PERSON.match(line):
            continue
        words = re.findall(r"[^\W\d_]+", line)
        kept = [word for word in words if month_number(word) is None]
        if any(len(word) > 1 and word.casefold() not in OF_EVERY_STATEMENT | CODES for word in kept):
            return " ".join(kept)[:LONGEST_TITLE].rstrip()
    return ""
