"""The words round a number that say what it is: a phone, a fax, or a number of something else."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

WORDS: dict[str, list[str]] = tomllib.loads(
    files(__package__).joinpath("phone_words.toml").read_text(encoding="utf-8")
)
"""Patterns of what stands before a phone, before a fax, and before a number of something else."""


def _before(kind: str, most: int) -> re.Pattern[str]:
    """Matches a text that ends with a word of a kind and at most so many signs that begin no number."""
    return re.compile(rf"(?:{'|'.join(WORDS[kind])})[^\d+(]{{0,{most}}}$", re.IGNORECASE)


LABEL, _FAX, NOT_A_PHONE = _before("phone", 20), _before("fax", 15), _before("other", 12)
_PHONE_AND_FAX = re.compile(
    r"\b(?:t[eé]l\w*|phone|f[oô]ne?|fono|tlf|tlph|ph)\b\.?\s*(?:[/&+-]|e|und|and|et|y|i|o|ou)?\s*(?:tele)?(?:fax|faks)\b\.?\s*:?\s*$",
    re.IGNORECASE,
)
"""One number for both."""
FAX_HEADING = re.compile(
    r"\s*(?:(?:tele)?fax(?:nummer| number| no\.?|番号)?|faks|fax:|факс|φαξ|télécopie|传真|傳真|"
    r"ファックス|ファクス|팩스(?:번호)?)\s*:?\s*",
    re.IGNORECASE,
)
_FAX_BEHIND = re.compile(
    r"^[^\d+|/;]{0,25}\b(?:tele)?fax\b(?!\s*[:.]?\s*(?:dw\b|durchwahl)?\s*[\d+(–-])", re.IGNORECASE
)
NAMED = re.compile(r"[^\W\d]{3,}[.)]?\s*:\s*$")
"""A word and a colon before a number."""


def is_also_fax(before: str) -> bool:
    """Whether the words before a number name it as one for both, so that the last digits behind it are those of the fax."""
    return bool(_PHONE_AND_FAX.search(before))


def says_fax(before: str, behind: str) -> bool:
    """Whether the words around a number say that it is a fax; a nearer word for a phone counts more."""
    if _PHONE_AND_FAX.search(before):
        return False
    if _FAX.search(before):
        return not re.search(r"tel", before[-25:].lower().rsplit("ax", maxsplit=1)[-1])
    return bool(_FAX_BEHIND.match(behind))
