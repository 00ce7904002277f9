"""Picture writes a machine as one self-contained SVG; it must never carry script, remote assets or unescaped text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from interlock.errors import spoken
from interlock.machine.definition import Machine
from interlock.machine.edge import KINDS, State
from interlock.machine.layout import LINE, Box, box_of, moved, place
from interlock.machine.lettering import NOTE_SIZE, width_of
from interlock.machine.palette import STYLE
from interlock.machine.routes import Line, draw_lines

_MARGIN = 24.0
_START = 40.0
_MOST_LINES = 240


@dataclass(frozen=True, slots=True)
class _Scene:
    boxes: list[Box]
    lines: list[Line]
    frame: tuple[float, float, float, float] | None = None
    caption: str = ""


def svg(machine: Machine, counts: Mapping[State, int] | None = None) -> str:
    """The machine drawn from left to right, with the number of records in each state if given."""
    if _is_any_to_any(machine):
        scene = _framed(machine, counts, "any state may follow any other")
    elif len(machine.pairs()) > _MOST_LINES:
        scene = _framed(machine, counts, f"{len(machine.pairs())} moves, too many to draw")
    else:
        placed = place(machine, counts)
        scene = _Scene(list(placed.boxes.values()), draw_lines(machine, placed))
    left, top, width, height = _extent(scene)
    key = f"ilk-{machine.fingerprint[:10]}"
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ilk-machine" role="img" aria-labelledby="{key}-title {key}-desc" '
        f'viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}" width="{width:.0f}" height="{height:.0f}">'
    )
    parts = [
        opening,
        f'<title id="{key}-title">{escape(machine.name)}</title>',
        f'<desc id="{key}-desc">{escape(_description(machine, counts))}</desc>',
        f"<style>{STYLE}</style>",
        "<defs>",
        *(_marker(key, kind) for kind in KINDS),
        "</defs>",
        *_frame(scene),
        *(_path(line, key) for line in scene.lines),
        *(_start(box, key) for box in scene.boxes if box.state == machine.initial),
        *(_box(box, machine) for box in scene.boxes),
        *(_word(line) for line in scene.lines if line.edge.words),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _is_any_to_any(machine: Machine) -> bool:
    states = len(machine.states)
    plain = sum(edge.kind == "plain" for _, edge in machine.pairs())
    return states > 2 and plain == states * (states - 1) and not machine.timers


def _framed(machine: Machine, counts: Mapping[State, int] | None, caption: str) -> _Scene:
    """So many lines would hide the states; a frame around them says it in words."""
    sized = [box_of(machine, state, counts) for state in machine.states]
    across = len(sized) if len(sized) <= 5 else math.ceil(math.sqrt(len(sized) * 1.5))
    wide, high = max(box.width for box in sized) + 28, max(box.height for box in sized) + 22
    boxes = [
        moved(
            box,
            index % across * wide + (wide - 28 - box.width) / 2,
            index // across * high + (high - 22 - box.height) / 2,
        )
        for index, box in enumerate(sized)
    ]
    rows = math.ceil(len(sized) / across)
    return _Scene(
        boxes, [], (-_START - 24, -50, max(wide * across + 20 + _START, 260), high * rows + 52), caption
    )


def _extent(scene: _Scene) -> tuple[float, float, float, float]:
    lefts, rights = [box.x - _START for box in scene.boxes], [box.right for box in scene.boxes]
    tops, bottoms = [box.y for box in scene.boxes], [box.bottom for box in scene.boxes]
    for line in scene.lines:
        half = width_of(line.edge.words, NOTE_SIZE) / 2
        lefts.append(line.word_at[0] - half)
        rights.append(line.word_at[0] + half)
        tops += [line.reach[0], line.word_at[1] - NOTE_SIZE]
        bottoms += [line.reach[1], line.word_at[1]]
    if scene.frame:
        x, y, width, height = scene.frame
        lefts, rights = [*lefts, x], [*rights, x + width]
        tops, bottoms = [*tops, y], [*bottoms, y + height]
    left, top = min(lefts) - _MARGIN, min(tops) - _MARGIN
    return left, top, max(rights) + _MARGIN - left, max(bottoms) + _MARGIN - top


def _description(machine: Machine, counts: Mapping[State, int] | None) -> str:
    finals = [spoken(state) for state in machine.states if machine.is_terminal(state)]
    ends = f" It ends in {', '.join(finals)}." if finals else ""
    if _is_any_to_any(machine):
        moves = "Any state may follow any other."
    else:
        named = (
            f"{spoken(old)} to {spoken(edge.to)}" + (f" ({edge.words})" if edge.words else "")
            for old, edge in machine.pairs()
        )
        moves = f"Moves: {'; '.join(named)}."
    held = (
        f" Records: {', '.join(f'{spoken(state)} {counts.get(state, 0)}' for state in machine.states)}."
        if counts is not None
        else ""
    )
    return f"State machine of {len(machine.states)} states. It starts in {spoken(machine.initial)}.{ends} {moves}{held}"


def _marker(key: str, kind: str) -> str:
    return (
        f'<marker id="{key}-{kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path class="ilk-head ilk-{kind}" d="M0,1 L10,5 L0,9 z"/></marker>'
    )


def _frame(scene: _Scene) -> list[str]:
    if not scene.frame:
        return []
    x, y, width, height = scene.frame
    return [
        f'<rect class="ilk-frame" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="14"/>',
        f'<text class="ilk-caption" x="{x + 18:.1f}" y="{y + 26:.1f}">{escape(scene.caption)}</text>',
    ]


def _path(line: Line, key: str) -> str:
    kind = line.edge.kind
    return f'<path class="ilk-line ilk-{kind}" d="{line.path}" marker-end="url(#{key}-{kind})"/>'


def _start(box: Box, key: str) -> str:
    x, y = box.x - _START, box.middle
    return (
        f'<circle class="ilk-dot" cx="{x + 6:.1f}" cy="{y:.1f}" r="6"/>'
        f'<path class="ilk-line ilk-plain" d="M{x + 12:.1f},{y:.1f} L{box.x:.1f},{y:.1f}" marker-end="url(#{key}-plain)"/>'
    )


def _box(box: Box, machine: Machine) -> str:
    final, initial = machine.is_terminal(box.state), box.state == machine.initial
    kind = "ilk-final" if final else "ilk-initial" if initial else "ilk-state"
    null = " ilk-null" if box.state is None else ""
    parts = [f'<g class="ilk-box {kind}{null}">', _rectangle(box, 0, "")]
    if final:
        parts.append(_rectangle(box, 4, ' style="fill:none"'))
    middle, y = box.x + box.width / 2, box.y + 12 + LINE * 0.72
    for number, text in enumerate(box.lines):
        parts.append(
            f'<text class="ilk-name" x="{middle:.1f}" y="{y + number * LINE:.1f}">{escape(text)}</text>'
        )
    if box.note:
        parts.append(
            f'<text class="ilk-note" x="{middle:.1f}" y="{y + len(box.lines) * LINE - 1:.1f}">{escape(box.note)}</text>'
        )
    return "".join([*parts, "</g>"])


def _rectangle(box: Box, inset: float, style: str) -> str:
    return (
        f'<rect x="{box.x + inset:.1f}" y="{box.y + inset:.1f}" width="{box.width - 2 * inset:.1f}" '
        f'height="{box.height - 2 * inset:.1f}" rx="{10 - inset:.1f}"{style}/>'
    )


def _word(line: Line) -> str:
    x, y = line.word_at
    return f'<text class="ilk-word ilk-{line.edge.kind}" x="{x:.1f}" y="{y:.1f}">{escape(line.edge.words)}</text>'
