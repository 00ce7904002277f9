"""Joins the parts of a description into one text without saying anything twice."""

from __future__ import annotations

from collections.abc import Iterable


def joined(parts: Iterable[str]) -> str:
    """Parts in order, spaces collapsed; one that the others already say, word for word, is left out."""
    text = ""
    for raw in parts:
        part = " ".join(raw.split())
        if part and not _says(text, part):
            text = part if not text or _says(part, text) else f"{text} {part}"
    return text


def _says(text: str, part: str) -> bool:
    return f" {part.casefold()} " in f" {text.casefold()} "
