"""Governed content: drafted, normalised, validated by gates, approved by a second person, and immutable from then on."""

from __future__ import annotations

from .lifecycle import (
    VALID_TRANSITIONS,
    InvalidTransitionError,
    LifecycleState,
    StateTransition,
    assert_valid_transition,
    execute_transition,
    get_next_valid_states,
    is_terminal_state,
    is_valid_transition,
)

__all__ = [
    "VALID_TRANSITIONS",
    "InvalidTransitionError",
    "LifecycleState",
    "StateTransition",
    "assert_valid_transition",
    "execute_transition",
    "get_next_valid_states",
    "is_terminal_state",
    "is_valid_transition",
]
