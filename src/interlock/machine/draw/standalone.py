"""Standalone writes a machine as one SVG file with its own style and marks; it must never carry script, remote assets or unescaped text."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from interlock.errors import state_text
from interlock.machine.definition import Machine
from interlock.machine.draw.picture import DrawnAxis, compose, draw_scene, untold_moves
from interlock.machine.draw.style import STYLE, SYMBOLS
from interlock.machine.edge import State


def svg(machine: Machine, counts: Mapping[State, int] | None = None) -> str:
    """The machine drawn from left to right, with the number of records in each state if given."""
    scene = compose([DrawnAxis(machine, counts=counts)], (), "")
    x, y, width, height = scene.frame
    key = f"ilk-{machine.fingerprint[:10]}"
    used = sorted({box.mark.symbol for box in scene.boxes})
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="machine" role="img" aria-labelledby="{key}-title {key}-desc" '
            f'viewBox="{x:.0f} {y:.0f} {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}">',
            f'<title id="{key}-title">{escape(machine.name)}</title>',
            f'<desc id="{key}-desc">{escape(describe(machine, counts))}</desc>',
            f"<style>{STYLE}</style>",
            f"<defs>{''.join(SYMBOLS[symbol] for symbol in used)}</defs>",
            *draw_scene(scene, None),
            "</svg>",
            "",
        ]
    )


def describe(machine: Machine, counts: Mapping[State, int] | None = None) -> str:
    """The machine in sentences, for whoever does not see the picture."""
    finals = [state_text(state) for state in machine.states if machine.is_terminal(state)]
    ends = f" It ends in {', '.join(finals)}." if finals else ""
    if untold_moves(machine).startswith("any state"):
        moves = "Any state may follow any other."
    else:
        named = (
            f"{state_text(old)} to {state_text(edge.to)}" + (f" ({edge.words})" if edge.words else "")
            for old, edge in machine.pairs()
        )
        moves = f"Moves: {'; '.join(named)}."
    held = (
        f" Records: {', '.join(f'{state_text(state)} {counts.get(state, 0)}' for state in machine.states)}."
        if counts is not None
        else ""
    )
    return f"State machine of {len(machine.states)} states. It starts in {state_text(machine.initial)}.{ends} {moves}{held}"
