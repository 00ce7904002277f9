"""Diagram writes a machine as Mermaid text, beside the SVG picture; it must never let a state's name break out of its label."""

from __future__ import annotations

import re
from collections.abc import Mapping

from interlock.errors import state_text
from interlock.machine.definition import Machine
from interlock.machine.edge import State

_SIMPLE = re.compile(r"[A-Za-z0-9_]{1,63}")
_SAFE_SIGNS = frozenset(" _-.,()")


def mermaid(machine: Machine, counts: Mapping[State, int] | None = None) -> str:
    """The machine as a Mermaid state diagram, with the number of records in each state if given."""
    ids = {state: _id(state, number) for number, state in enumerate(machine.states)}
    lines = ["stateDiagram-v2", "    direction LR"]
    for state in machine.states:
        count = f" ({counts.get(state, 0):,})" if counts is not None else ""
        lines.append(f'    state "{_label(state_text(state) + count)}" as {ids[state]}')
    lines.append(f"    [*] --> {ids[machine.initial]}")
    for old, edge in machine.pairs():
        word = f" : {_label(edge.words)}" if edge.words else ""
        lines.append(f"    {ids[old]} --> {ids[edge.to]}{word}")
    lines += [f"    {ids[state]} --> [*]" for state in machine.states if machine.is_terminal(state)]
    return "\n".join(lines) + "\n"


def _id(state: State, number: int) -> str:
    """Plain names stay readable; the prefix keeps Mermaid's own words out."""
    return f"s_{state}" if state is not None and _SIMPLE.fullmatch(state) else f"s{number}"


def _label(text: str) -> str:
    return "".join(sign if sign.isalnum() or sign in _SAFE_SIGNS else f"#{ord(sign)};" for sign in text)
