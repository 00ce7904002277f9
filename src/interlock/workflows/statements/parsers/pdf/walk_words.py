"""Words by which lines between the rows of a paper are told apart, and the words of a line."""

from __future__ import annotations

import re
from itertools import pairwise

from .dates import IN_TEXT
from .drafts import Parts, parts_of
from .lines import Line
from .money import CODES
from .sections import names_a_total
from .summary import OWN_ROW
from .tables import Entry, Table

APART = 1.5  # between what belongs together and what stands beside it
WAITING = re.compile(r"\W*(?:pending|processing)\b", re.IGNORECASE)
BARE_BALANCE = re.compile(
    r"\W*(?:kontostand|saldo|solde|balance|(?:פתיחה|סגירה) יתרת|יתרת (?:פתיחה|סגירה))\W*", re.IGNORECASE
)
OF_A_PLAN = re.compile(r"\b(?:total|amount) financed$|\bmonto original$", re.IGNORECASE)
"""The price of something that is paid by instalments, which are rows of their own."""
OF_A_CARD = re.compile(r"\bcards?\b|[ck]art[ea]|cart[ãa]o|tarjeta", re.IGNORECASE)
SHARE_OF_MONTH = re.compile(r"\W*this month.?s instal?lment\b", re.IGNORECASE)
"""What is due now of a price that is paid in parts."""
UNDATED = re.compile(r"\b(?:interest|fees?)\b", re.IGNORECASE)
ITEMS = re.compile(r"(\D{4,60}?)\W*\d+ items?\b.{0,12}\btotal(?:l?ing|s)?\b", re.IGNORECASE)
"""A heading that also counts and sums its rows: “Withdrawals / Debits  11 items totaling $310.20”."""
CONTINUES = re.compile(
    r"\bcontinued (?:on|from|overleaf|next)|\bcontinued$|^page \d+|\bpage \d+ of \d+", re.IGNORECASE
)
COLUMNS = re.compile(
    r"\b(?:(?:trans(?:action)?|post(?:ing|ed)?|sale)\.? ?date|date|amount|merchant category|merchant|category|description|balance)\b|[$()]",
    re.IGNORECASE,
)
ASIDE = re.compile(
    r"^(?:card account|account) ?# ?[\dXx*•-][\dXx*• -]{3,}$|^card (?:number|no\.?|ending)(?: in| with)?\W*[\dXx*•]{2,}|"
    r"^(?:the )?(?:monthly|annual) .*fee .*(?:waived|charged)",
    re.IGNORECASE,
)


def states_only_balances(entry: Entry, total: bool) -> bool:
    """Whether the words name a balance or a total and nothing else; shops are called New Balance and Total, too."""
    words = description_of(entry, entry.table)
    return bool(OWN_ROW.fullmatch(words)) or (total and names_a_total(words))


def first_phrase(line: Line) -> str:
    """The words of a line before its first wide gap."""
    pairs = pairwise(line.words)
    end = next((at for at, (one, other) in enumerate(pairs, 1) if other.x0 - one.x1 > APART * line.height), 0)
    return " ".join(word.text for word in line.words[:end])


def days_on(text: str) -> list[str]:
    return [found[0] for found in IN_TEXT.finditer(text)]


def text_of(parts: Parts) -> str:
    return " ".join(word.text for word in parts.words)


def description_of(entry: Entry, table: Table | None) -> str:
    """The words of a line but for its date, its amounts, and a currency in a column of its own before them."""
    text = text_of(parts_of(entry, table)) if table else entry.line.text
    return text[4:] if text[:3] in CODES and text[3:4] == " " else text
