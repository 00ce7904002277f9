"""Characters as a reader knows them: ligatures spelled out, spaces and hyphens of every kind made plain."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

MINUS = "−‐‑‒–—﹣－"
PLAIN = {
    0x00AD: "-",
    0x0002: "-",
    0xFFFE: "-",
    0xFFFF: "",
    0x200B: "",
    0x200C: "",
    0x200D: "",
    0xFEFF: "",
    0x2212: "-",
    0x2010: "-",
    0x2011: "-",
}
SIGNS = str.maketrans(dict.fromkeys(MINUS, "-"))


@lru_cache(maxsize=4096)
def letters(code: int) -> str:
    """What one character of a PDF reads as; nothing for what has no width."""
    if code in PLAIN:
        return PLAIN[code]
    if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
        return ""
    character = chr(code)
    if code <= 32 or character.isspace():
        return " "
    if 0xFB00 <= code <= 0xFB06 or 0xFF01 <= code <= 0xFF5E:  # ligatures, and letters of full width
        return unicodedata.normalize("NFKC", character)
    return "" if unicodedata.category(character) in ("Cc", "Cf") else character


def plain_signs(text: str) -> str:
    """Every dash that a bank prints before an amount, as a minus."""
    return text.translate(SIGNS)
