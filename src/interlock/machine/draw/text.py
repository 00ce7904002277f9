"""Text measures and breaks text for a drawing without a font at hand; it must never cut a letter off."""

from __future__ import annotations

import re
import unicodedata

NAME_SIZE = 13.0
NOTE_SIZE = 12.0
COUNT_SIZE = 24.0
_LONGEST_LINE = 24
_NARROW = frozenset("iljtfrI.,:;'|!()[] ")
_BROAD = frozenset("mwMW@%&")


def width_of(text: str, size: float = NAME_SIZE) -> float:
    """A generous estimate of how wide the text is drawn."""
    return sum(_share(sign) for sign in text) * size


def _share(sign: str) -> float:
    if unicodedata.combining(sign):
        return 0.0
    if unicodedata.east_asian_width(sign) in "WF" or sign in _BROAD:
        return 1.02
    if sign in _NARROW:
        return 0.4
    if sign.isdigit():
        return 0.58
    return 0.74 if sign.isupper() else 0.62


def lines_of(name: str) -> list[str]:
    """A long name in several lines, broken after separators where it has some."""
    lines = [""]
    for piece in re.findall(r"[^_\-./: ]*[_\-./: ]?", name):
        if lines[-1] and len(lines[-1]) + len(piece) > _LONGEST_LINE:
            lines.append("")
        lines[-1] += piece
        while len(lines[-1]) > _LONGEST_LINE:
            lines[-1:] = [lines[-1][:_LONGEST_LINE], lines[-1][_LONGEST_LINE:]]
    return [line for line in lines if line] or [name]


def number_text(number: int) -> str:
    """The number with commas at the thousands."""
    return f"{number:,}"


def duration_text(seconds: float) -> str:
    """A length of time as people say it: 0.4 s, 21 min, 3 h, 6 d."""
    if seconds < 10:
        return f"{seconds:.1f} s" if seconds % 1 else f"{seconds:.0f} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    if seconds < 129_600:
        return f"{seconds / 3600:.0f} h"
    return f"{seconds / 86_400:.0f} d"
