"""Suggest names the state somebody probably meant; it only words hints and must never choose for the caller."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

from interlock.errors import state_text
from interlock.machine.edge import State

_LONGEST_READ = 200
_LISTED = 30


def quoted(state: object) -> str:
    """A state as it would be typed, null without quotes; anything else as Python shows it, cut short."""
    if state is None:
        return "null"
    shown = repr(str.__str__(state)) if isinstance(state, str) else repr(state)
    return shown if len(shown) <= _LONGEST_READ else shown[:_LONGEST_READ] + "…"


def join_states(states: Iterable[State]) -> str:
    """States in a row, a long row cut."""
    names = [state_text(state) for state in states]
    rest = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {rest} more" if rest > 0 else "")


def did_you_mean(text: object, known: Iterable[State]) -> str:
    """A hint with the nearest known state, or nothing when none is near."""
    if not isinstance(text, str):
        return ""
    by_fold = {state_text(state).casefold(): state for state in known}
    typed = text[:_LONGEST_READ].casefold()
    near = get_close_matches(typed, list(by_fold), n=3, cutoff=0.6)
    # Of equally near names, prefer the one with the same letters in another order: swapped letters are the commonest slip.
    near.sort(key=lambda name: (sorted(name) != sorted(typed), -likeness(name, typed)))
    return f"Did you mean {quoted(by_fold[near[0]])}?" if near else ""


def likeness(one: str, other: str) -> float:
    """How alike two names are, from 0 to 1, whatever their case."""
    return SequenceMatcher(None, one.casefold(), other.casefold(), autojunk=False).ratio()
