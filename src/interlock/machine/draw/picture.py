"""Picture writes machines as SVG for a page of the console: classes and data attributes, no style, no script, every name escaped.

`draw_machine` draws one machine, `draw_axes` several axes of a record with the rules between them. The page's stylesheet has the classes
and its sprite the marks; `interlock.machine.draw.standalone` writes the same picture as a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from interlock.errors import state_text
from interlock.machine.definition import Machine
from interlock.machine.draw.labels import Label, place_labels
from interlock.machine.draw.marks import Mark, StageStates, failures_of, marks_of
from interlock.machine.draw.paths import Stroke, strokes_of
from interlock.machine.draw.place import Cell, Pair, back_edges, place_in_rows, place_states
from interlock.machine.draw.route import Grid, Link, Route, route_links
from interlock.machine.draw.text import (
    COUNT_SIZE,
    NAME_SIZE,
    NOTE_SIZE,
    duration_text,
    lines_of,
    number_text,
    width_of,
)
from interlock.machine.draw.tracks import Plan, Sizes, lay_out
from interlock.machine.edge import Edge, State

ACROSS = 6
"""Columns side by side; a longer machine goes on below, so that its text stays readable."""
MOST_LINES = 160
_NARROWEST, _LINE, _MARGIN = 148.0, 16.0, 6.0
_FULL, _SHORT, _BARE, _HEADING = 78.0, 54.0, 38.0, 26.0
_GAP_ACROSS, _GAP_DOWN = 72.0, 44.0

Key = tuple[int, State]


@dataclass(frozen=True, slots=True)
class Age:
    """How long records have been in a state, in seconds: the median, 95 of 100, and the limit above which one is stuck."""

    p50: float | None = None
    p95: float | None = None
    limit: float | None = None


@dataclass(frozen=True, slots=True)
class DrawnAxis:
    """One machine and what is known about its records. Without `counts` the boxes have names only; without `flow` lines are alike."""

    machine: Machine
    name: str = ""
    says: str = ""
    stages: Sequence[StageStates] = ()
    by_people: bool = False
    driving: Collection[State] = ()
    counts: Mapping[State, int] | None = None
    flow: Mapping[Pair, int] | None = None
    ages: Mapping[State, Age] = field(default_factory=dict)
    stuck: Mapping[State, int] = field(default_factory=dict)
    notes: Mapping[State, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DrawnRule:
    """A rule that moves another axis: entering `source` (axis name, state) moves the other axis to `target`."""

    source: tuple[str, State]
    target: tuple[str, State]
    says: str = ""
    flow: int | None = None


LinkTo = Callable[[str, State], str]
"""The address behind a box: axis name and state in, address out."""


def draw_machine(
    machine: Machine,
    *,
    stages: Sequence[StageStates] = (),
    by_people: bool = False,
    driving: Collection[State] = (),
    counts: Mapping[State, int] | None = None,
    flow: Mapping[Pair, int] | None = None,
    ages: Mapping[State, Age] | None = None,
    stuck: Mapping[State, int] | None = None,
    notes: Mapping[State, str] | None = None,
    axis: str = "",
    title: str = "",
    per: str = "/h",
    link: LinkTo | None = None,
) -> str:
    """Return the machine as SVG for a page.

    - `stages` (a workflow's stages on this axis) decide the marks; `by_people` draws decisions as squares.
    - `counts`: records in each state. `flow`: moves of each (from, to) in the window, `per` the unit beside the number.
    - `ages`, `stuck`, `notes`: by state; a note takes the place of the ages.
    - `axis` and `title` name the picture; `link` gives each box its address.

    Each box has `data-axis`, `data-state` (`data-null` for null) and a `.count`; each line is a `g.move` with `data-from` and `data-to`
    (`data-from-null`, `data-to-null`), so that a script can set numbers and classes as records move.
    """
    drawn = DrawnAxis(
        machine,
        name=axis,
        stages=stages,
        by_people=by_people,
        driving=driving,
        counts=counts,
        flow=flow,
        ages=ages or {},
        stuck=stuck or {},
        notes=notes or {},
    )
    return draw_axes([drawn], title=title or f"Machine {machine.name}", per=per, link=link)


def draw_axes(
    axes: Sequence[DrawnAxis],
    rules: Sequence[DrawnRule] = (),
    *,
    title: str = "",
    per: str = "/h",
    link: LinkTo | None = None,
) -> str:
    """Return the axes of one kind of record below each other as SVG for a page, with the rules between them in violet."""
    scene = compose(axes, rules, per)
    x, y, width, height = scene.frame
    opening = (
        f'<svg class="graph" viewBox="{x:.0f} {y:.0f} {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="group" aria-label="{escape(title)}">'
    )
    return "".join([opening, *draw_scene(scene, link), "</svg>"])


@dataclass(frozen=True, slots=True)
class Box:
    """A state as drawn."""

    key: Key
    axis: DrawnAxis
    mark: Mark
    x: float
    y: float
    width: float
    height: float
    is_short: bool

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything with its place, before it is written as SVG."""

    axes: Sequence[DrawnAxis]
    boxes: tuple[Box, ...]
    routes: tuple[Route, ...]
    strokes: tuple[Stroke, ...]
    labels: tuple[Label | None, ...]
    headings: tuple[tuple[float, DrawnAxis, str], ...]
    says: tuple[str, ...]
    flows: tuple[int | None, ...]
    most: int
    per: str
    frame: tuple[float, float, float, float]


def compose(axes: Sequence[DrawnAxis], rules: Sequence[DrawnRule], per: str) -> Scene:
    """Return the picture as places of boxes, lines and text; pure, and the same for the same input."""
    cells: dict[Key, Cell] = {}
    links: list[Link] = []
    says: list[str] = []
    flows: list[int | None] = []
    headed: dict[int, tuple[DrawnAxis, str]] = {}
    top = 0
    for number, axis in enumerate(axes):
        failures = frozenset() if axis.by_people else failures_of(axis.machine, axis.stages)
        caption = untold_moves(axis.machine)
        placed = (
            place_in_rows(axis.machine.states, ACROSS)
            if caption
            else place_states(axis.machine, failures, ACROSS)
        )
        cells |= {(number, state): (column, top + row) for state, (column, row) in placed.items()}
        if (axis.name and len(axes) > 1) or caption:
            headed[top] = (axis, ", ".join(word for word in (axis.says, caption) if word))
        top += 1 + max(row for _, row in placed.values())
        if not caption:
            back = back_edges(axis.machine)
            for old, edge in axis.machine.pairs():
                kind = "retry" if is_drawn_as_retry(axis, old, edge) else edge.kind
                links.append(_link(number, old, edge.to, kind, failures, back))
                says.append(edge.words)
                flows.append(None if axis.flow is None else axis.flow.get((old, edge.to), 0))
    names = {axis.name: number for number, axis in enumerate(axes)}
    for rule in rules:
        source, target = (names[rule.source[0]], rule.source[1]), (names[rule.target[0]], rule.target[1])
        links.append(Link(source, target, "rule", ("rule", target), joins=True))
        says.append(rule.says)
        flows.append(rule.flow)
    return _arrange(axes, cells, links, says, flows, headed, per)


def is_drawn_as_retry(axis: DrawnAxis, old: State, edge: Edge) -> bool:
    """Return whether a plain move leads from where a stage failed to where it waits: it is drawn as what it is, a retry."""
    return edge.kind == "plain" and any(
        old is not None and old in (stage.failed, stage.terminal) and edge.to in stage.waiting
        for stage in axis.stages
    )


def _link(
    number: int, old: State, new: State, kind: str, failures: Collection[State], back: Collection[Pair]
) -> Link:
    """Return the link of a move; moves into one state join before it, retries and moves by people part after they left."""
    source, target = (number, old), (number, new)
    parts = kind in ("retry", "operator") and (old, new) in back
    group = ("from", source, kind) if parts else ("to", target, kind)
    return Link(
        source,
        target,
        kind,
        group,
        joins=not parts,
        to_failure=new in failures and old not in failures,
        from_failure=old in failures,
        is_back=(old, new) in back,
    )


def untold_moves(machine: Machine) -> str:
    """Return the sentence that takes the place of lines where there would be too many of them; empty where lines are drawn."""
    states, pairs = len(machine.states), machine.pairs()
    plain = sum(edge.kind == "plain" for _, edge in pairs)
    if states > 2 and plain == states * (states - 1) and not machine.timers:
        return "any state may follow any other"
    return f"{len(pairs)} moves, too many to draw" if len(pairs) > MOST_LINES else ""


def _arrange(
    axes: Sequence[DrawnAxis],
    cells: Mapping[Key, Cell],
    links: Sequence[Link],
    says: Sequence[str],
    flows: Sequence[int | None],
    headed: Mapping[int, tuple[DrawnAxis, str]],
    per: str,
) -> Scene:
    grid = Grid(cells)
    routes = route_links(grid, links)
    marks = [
        marks_of(axis.machine, axis.stages, by_people=axis.by_people, driving=axis.driving) for axis in axes
    ]
    heights = [0.0] * grid.rows
    for (number, state), (_, row) in cells.items():
        heights[row] = max(heights[row], _height(axes[number], state))
    sizes = Sizes(
        width=max(_width(axes[number], state) for number, state in cells),
        heights=heights,
        above=[_HEADING if row in headed else 0.0 for row in range(grid.rows)],
        gap_across=max(
            [
                _GAP_ACROSS,
                *(
                    _label_width(flow, word, per) + 30
                    for route, flow, word in zip(routes, flows, says, strict=True)
                    if len(route.legs) == 1 and route.legs[0].channel.is_horizontal
                ),
            ]
        ),
        gap_down=_GAP_DOWN,
    )
    plan = lay_out(grid, routes, sizes)
    boxes = tuple(
        Box(
            key,
            axes[key[0]],
            marks[key[0]][key[1]],
            plan.lefts[column],
            plan.tops[row],
            sizes.width,
            heights[row],
            _is_short(axes[key[0]]),
        )
        for key, (column, row) in cells.items()
    )
    texts = [_label_text(flow, word, per) for flow, word in zip(flows, says, strict=True)]
    strokes = strokes_of(routes, plan.lines, flows)
    labels = place_labels(
        [(box.x, box.y, box.right, box.bottom) for box in boxes],
        [(route, points, text) for route, points, text in zip(routes, plan.lines, texts, strict=True)],
    )
    headings = tuple((plan.tops[row] - 12, axis, caption) for row, (axis, caption) in headed.items())
    return Scene(
        axes,
        boxes,
        tuple(routes),
        tuple(strokes),
        tuple(labels),
        headings,
        tuple(says),
        tuple(flows),
        max((flow for flow in flows if flow), default=0),
        per,
        _frame(plan, labels, any(axis.stuck for axis in axes), headings),
    )


def _frame(
    plan: Plan,
    labels: Sequence[Label | None],
    has_stuck: bool,
    headings: Sequence[tuple[float, DrawnAxis, str]],
) -> tuple[float, float, float, float]:
    right = max(
        [
            plan.width,
            *(label.rectangle[2] for label in labels if label),
            *(width_of(f"{axis.name}  {caption}", NOTE_SIZE) for _, axis, caption in headings),
        ]
    )
    left = min([0.0, *(label.rectangle[0] for label in labels if label)])
    top = min([-8.0 if has_stuck else 0.0, *(label.rectangle[1] for label in labels if label)])
    bottom = max([plan.height, *(label.rectangle[3] for label in labels if label)])
    return (
        left - _MARGIN,
        top - _MARGIN,
        right - left + 2 * _MARGIN,
        bottom - top + 2 * _MARGIN,
    )


def _is_short(axis: DrawnAxis) -> bool:
    return axis.by_people and bool(untold_moves(axis.machine))


def _height(axis: DrawnAxis, state: State) -> float:
    more = _LINE * (len(lines_of(state_text(state))) - 1)
    if axis.counts is None:
        return _BARE + more
    return (_SHORT if _is_short(axis) else _FULL) + more


def _width(axis: DrawnAxis, state: State) -> float:
    name = 31 + max(width_of(line, NAME_SIZE) for line in lines_of(state_text(state))) + 14
    if axis.counts is None:
        return max(_NARROWEST, round(name))
    count = number_text(axis.counts.get(state, 0))
    notes = max((width_of(note, NOTE_SIZE) for note, _ in notes_of(axis, state)), default=0.0)
    if _is_short(axis):
        return max(_NARROWEST, round(name + width_of(count, 18) + 6), round(31 + notes + 12))
    return max(_NARROWEST, round(name), round(12 + width_of(count, COUNT_SIZE) + 14 + notes + 12))


def notes_of(axis: DrawnAxis, state: State) -> list[tuple[str, bool]]:
    """Return up to two short facts about a state, each with whether it is over the limit."""
    if state in axis.notes:
        return [(axis.notes[state], False)]
    age = axis.ages.get(state, Age())
    notes = [("p50", age.p50), ("p95", age.p95)]
    limit = age.limit
    return [
        (f"{word} {duration_text(seconds)}", word == "p95" and limit is not None and seconds > limit)
        for word, seconds in notes
        if seconds is not None
    ]


def _label_text(flow: int | None, word: str, per: str) -> tuple[str, str]:
    """Return the number and the words beside a line."""
    if flow is None:
        return "", word
    beside = word if word.startswith("after") else ""
    return (number_text(flow), f"{per} {beside}".rstrip()) if flow else ("", beside)


def _label_width(flow: int | None, word: str, per: str) -> float:
    return min(90.0, width_of("".join(_label_text(flow, word, per)), NOTE_SIZE))


CLASSES = {"plain": "", "retry": " retry", "operator": " byhand", "timer": " timer", "rule": " rule"}


def draw_scene(scene: Scene, link: LinkTo | None) -> Iterable[str]:
    """Yield the elements of the picture: headings, lines, boxes, then the numbers on lines."""
    for y, axis, caption in scene.headings:
        name = f'<tspan class="who">{escape(axis.name)}</tspan>  ' if axis.name else ""
        yield f'<text class="axis-name" x="0" y="{y:.0f}">{name}{escape(caption)}</text>'
    order = sorted(range(len(scene.routes)), key=lambda number: (scene.flows[number] or 0, number))
    for number in order:
        yield _line(scene, number)
    for box in scene.boxes:
        yield _box(box, link)


def _line(scene: Scene, number: int) -> str:
    route, stroke, label = scene.routes[number], scene.strokes[number], scene.labels[number]
    old, new = route.link.source, route.link.target
    kind = CLASSES[route.link.kind] + _weight(scene.flows[number], scene.most)
    axis = scene.axes[old[0]]
    words = f"{state_text(old[1])} to {state_text(new[1])}"
    words += f", {scene.says[number]}" if scene.says[number] else ""
    if scene.flows[number] is not None:
        words += f": {number_text(scene.flows[number] or 0)}{scene.per}"
    parts = [
        f'<g class="move"{_data(axis.name, "from", old[1])}{_data("", "to", new[1])} data-kind="{route.link.kind}">',
        f"<title>{escape(words)}</title>",
        f'<path class="edge{kind}" d="{stroke.path}"/>',
    ]
    if stroke.head:
        parts.append(f'<path class="head{kind}" d="{stroke.head}"/>')
    if label is not None:
        anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
        count = f'<tspan class="n">{label.number}</tspan>' if label.number else ""
        x, y, right, bottom = label.rectangle
        parts.append(
            f'<rect class="paper" x="{x - 2:.1f}" y="{y:.1f}" width="{right - x + 4:.1f}" height="{bottom - y:.1f}"/>'
            f'<text class="flow" x="{label.x:.1f}" y="{label.y:.1f}"{anchor}>{count}{escape(label.words)}</text>'
        )
    return "".join([*parts, "</g>"])


def _data(axis: str, name: str, state: State) -> str:
    of = f' data-axis="{escape(axis)}"' if axis else ""
    return f'{of} data-{name}-null=""' if state is None else f'{of} data-{name}="{escape(state)}"'


def _weight(flow: int | None, most: int) -> str:
    """Return the class of a line by its share of the busiest one; a line that nothing used is pale."""
    if flow is None:
        return ""
    if flow == 0:
        return " f0"
    share = flow / most
    return " f3" if share > 0.6 else " f2" if share > 0.25 else ""


def _box(box: Box, link: LinkTo | None) -> str:
    state = box.key[1]
    axis = box.axis
    name = state_text(state)
    count = None if axis.counts is None else axis.counts.get(state, 0)
    stuck = axis.stuck.get(state, 0)
    is_final = axis.machine.is_terminal(state)
    tone = box.mark.tone + (" is-zero" if count == 0 else "") + (" is-final" if is_final else "")
    label = name + (
        "" if count is None else f": {number_text(count)} records" if count != 1 else ": 1 record"
    )
    label += f", {number_text(stuck)} stuck" if stuck else ""
    data = f' data-axis="{escape(axis.name)}"' if axis.name else ""
    data += ' data-null=""' if state is None else f' data-state="{escape(state)}"'
    opening = f'<a href="{escape(link(axis.name, state))}"' if link else '<g role="img"'
    parts = [
        f'{opening} class="node {tone}" aria-label="{escape(label)}"{data}>',
        _rectangle("ring", box, -5, 7),
        _rectangle("box", box, 0, 4),
        _rectangle("box2", box, 3.5, 2) if is_final else "",
        f'<use class="m" href="#{box.mark.symbol}" x="{box.x + 12:.1f}" y="{box.y + 12:.1f}" width="13" height="13"/>',
        *(
            f'<text class="name" x="{box.x + 31:.1f}" y="{box.y + 23 + _LINE * line:.1f}">{escape(text)}</text>'
            for line, text in enumerate(lines_of(name))
        ),
        *_figures(box, count),
        *_tab(box, stuck),
        "</a>" if link else "</g>",
    ]
    return "".join(parts)


def _figures(box: Box, count: int | None) -> Iterable[str]:
    if count is None:
        return
    notes = notes_of(box.axis, box.key[1])
    if box.is_short:
        yield (
            f'<text class="count short" x="{box.right - 12:.1f}" y="{box.y + 25:.1f}" text-anchor="end">'
            f"{number_text(count)}</text>"
        )
        for note, over in notes[:1]:
            yield f'<text class="note{" over" if over else ""}" x="{box.x + 31:.1f}" y="{box.bottom - 11:.1f}">{escape(note)}</text>'
        return
    yield f'<text class="count" x="{box.x + 12:.1f}" y="{box.bottom - 14:.1f}">{number_text(count)}</text>'
    for line, (note, over) in enumerate(reversed(notes)):
        yield (
            f'<text class="note{" over" if over else ""}" x="{box.right - 12:.1f}" y="{box.bottom - 14 - _LINE * line:.1f}" '
            f'text-anchor="end">{escape(note)}</text>'
        )


def _tab(box: Box, stuck: int) -> Iterable[str]:
    if stuck:
        text = f"{number_text(stuck)} stuck"
        width = 29 + width_of(text, NOTE_SIZE)
        x, y = box.right - width - 9, box.y - 11
        yield f'<rect class="tab" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="22" rx="3"/>'
        yield f'<use class="m is-stuck" href="#m-stuck" x="{x + 7:.1f}" y="{y + 5:.1f}" width="12" height="12"/>'
        yield f'<text class="tabtext" x="{x + 24:.1f}" y="{y + 15.5:.1f}">{text}</text>'


def _rectangle(name: str, box: Box, inset: float, radius: float) -> str:
    return (
        f'<rect class="{name}" x="{box.x + inset:.1f}" y="{box.y + inset:.1f}" width="{box.width - 2 * inset:.1f}" '
        f'height="{box.height - 2 * inset:.1f}" rx="{radius:g}"/>'
    )
