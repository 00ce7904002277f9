"""Words and pages as values: what was read, and where it stands; no PDF library here."""

from __future__ import annotations

from dataclasses import dataclass, field

JOINS, BACKS = (
    0.14,
    -0.35,
)  # heights of a letter: the gap over which two pieces are one word, and how far they may overlap


@dataclass(slots=True)
class Word:
    """A run of characters: where it starts, ends and stands (y grows downwards), and how high its letters are."""

    text: str
    x0: float
    x1: float
    y: float
    height: float
    spaced: bool = False  # a space was drawn right behind it


@dataclass(slots=True)
class Page:
    number: int
    top: float
    bottom: float
    words: list[Word] = field(default_factory=list)
    spaces: list[Word] = field(default_factory=list)
    pictured: bool = False
    outside: list[Word] = field(default_factory=list)  # text beyond the edges of the page, which nobody sees
