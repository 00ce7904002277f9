"""Machines that nobody thought of, drawn by Hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from interlock import Machine, after, operator, retry
from interlock.errors import BadDeclaration

NAMES = [None, "draft", "ready", "DONE", "it's odd", "ünï"]
WAYS = (
    None,
    None,
    lambda state: state,
    lambda state: state,
    operator,
    retry,
    lambda state: after("1h", state),
)


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    """Two to five states, null among them now and then, with plain, operator, retry and timed moves in any direction."""
    states = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
    moves = {
        old: [way(new) for new in states if new != old and (way := draw(st.sampled_from(WAYS))) is not None]
        for old in states
    }
    try:
        return Machine("drawn", initial=draw(st.sampled_from(states)), moves=moves, states=states)
    except BadDeclaration:  # such as a retry that leads to null
        plain = {old: [new for new in states if new != old] for old in states}
        return Machine("drawn", initial=states[0], moves=plain, states=states)
