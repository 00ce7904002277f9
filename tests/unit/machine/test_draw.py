"""Machines drawn for a page: what is in the SVG, and that nothing lies on anything else, for any machine."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import pytest

from interlock.errors import state_text
from interlock.machine import (
    Age,
    DrawnAxis,
    DrawnRule,
    Machine,
    after,
    draw_axes,
    draw_machine,
    operator,
    retry,
)
from interlock.machine.draw.text import width_of
from interlock.workflow.workflow import Workflow
from interlock.workflows.content.workflow import declare as declare_content
from interlock.workflows.scraping.workflow import declare as declare_scraping
from interlock.workflows.statements.workflow import declare as declare_statements
from interlock.workflows.themes.workflow import declare as declare_themes

Rectangle = tuple[float, float, float, float]
Segment = tuple[tuple[float, float], tuple[float, float]]
SIZES = {"name": 13.0, "note": 12.0, "count": 24.0, "count short": 18.0, "note over": 12.0}


def bundled_workflows() -> list[Workflow]:
    return [declare_statements(), *declare_scraping(), declare_themes(), declare_content()]


def random_machine(seed: int) -> Machine:
    """A machine of up to 20 states with moves of every kind: mostly forward, some back, some far."""
    chance = random.Random(seed)
    words = ["queued", "parsing", "waiting_for_the_bank_to_answer", "x", "in_review", "done", "Zürich/№ 5"]
    states = [f"{chance.choice(words)}_{number}" for number in range(chance.randint(2, 20))]
    moves = {}
    for number, state in enumerate(states):
        edges: dict[str, object] = {}
        timed = False
        for _ in range(chance.choice([0, 1, 1, 2, 2, 3, 5])):
            near = states[number + 1 : number + 4]
            to = chance.choice(near) if near and chance.random() < 0.75 else chance.choice(states)
            kind = chance.random()
            if to == state:
                continue
            if kind > 0.93 and not timed:
                edges[to], timed = after("7d", to), True
            else:
                edges[to] = (
                    to
                    if kind < 0.7
                    else retry(to)
                    if kind < 0.82 and number
                    else operator(to, role="approver")
                )
        moves[state] = list(edges.values())
    if chance.random() < 0.3:
        moves = {None if state == states[-1] else state: edges for state, edges in moves.items()}
        moves = {
            state: [edge if getattr(edge, "to", edge) != states[-1] else None for edge in edges]
            for state, edges in moves.items()
        }
        states[-1] = None  # type: ignore[call-overload]
    return Machine(f"m{seed}", initial=states[0], moves=moves, states=states)  # type: ignore[arg-type]


def figures(machine: Machine, seed: int) -> dict[str, object]:
    chance = random.Random(seed)
    return {
        "counts": {state: chance.choice([0, 1, 61, 1143, 2_800_400]) for state in machine.states},
        "flow": {(old, edge.to): chance.choice([0, 0, 2, 31, 96]) for old, edge in machine.pairs()},
        "ages": {state: Age(2.5, chance.choice([9, 2040]), 1800) for state in machine.states},
        "stuck": {machine.states[-1]: 2},
    }


def boxes_of(picture: ET.Element) -> dict[str, Rectangle]:
    """The border of each state's box, by its label."""
    found = {}
    for node in picture:
        if "node" in (node.get("class") or ""):
            rect = next(one for one in node if one.get("class") == "box")
            x, y, width, height = (float(rect.get(name) or 0) for name in ("x", "y", "width", "height"))
            found[f"{node.get('data-axis')}.{node.get('data-state')}"] = (x, y, x + width, y + height)
    return found


def lines_of(picture: ET.Element) -> Iterator[tuple[ET.Element, list[Segment]]]:
    for move in picture:
        if move.get("class") == "move":
            path = next(one for one in move if (one.get("class") or "").startswith("edge"))
            points = [
                tuple(map(float, one.split())) for one in re.findall(r"[-\d.]+ [-\d.]+", path.get("d") or "")
            ]
            yield move, list(pairwise(points))  # type: ignore[arg-type]


def apart(one: Rectangle, other: Rectangle) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def enters(segment: Segment, box: Rectangle) -> bool:
    """Whether any point of the segment is inside the box, by a pixel at least."""
    (x, y), (to_x, to_y) = segment
    steps = 24
    return any(
        box[0] + 1 < x + (to_x - x) * step / steps < box[2] - 1
        and box[1] + 1 < y + (to_y - y) * step / steps < box[3] - 1
        for step in range(steps + 1)
    )


def assert_clean(drawn: str) -> None:
    """No box on a box, no line through a box, bends of 45 degrees only, text inside its box, no line hidden under another one."""
    picture = ET.fromstring(drawn)
    boxes = boxes_of(picture)
    for (_, one), (_, other) in combinations(boxes.items(), 2):
        assert apart(one, other)
    for _, segments in lines_of(picture):
        for segment in segments:
            (x, y), (to_x, to_y) = segment
            across, down = abs(to_x - x), abs(to_y - y)
            assert across < 0.11 or down < 0.11 or abs(across - down) < 0.25
            for name, box in boxes.items():
                assert not enters(segment, box), f"a line runs through {name}"
    assert_text_inside(picture)
    assert_lines_apart(picture)


def assert_text_inside(picture: ET.Element) -> None:
    for node in picture:
        if "node" not in (node.get("class") or ""):
            continue
        rect = next(one for one in node if one.get("class") == "box")
        left, width = float(rect.get("x") or 0), float(rect.get("width") or 0)
        top, height = float(rect.get("y") or 0), float(rect.get("height") or 0)
        for text in node.iter("text"):
            kind = text.get("class") or ""
            if kind == "tabtext":
                continue
            long = width_of(text.text or "", SIZES[kind])
            start = float(text.get("x") or 0) - (long if text.get("text-anchor") == "end" else 0)
            assert left <= start
            assert start + long <= left + width
            assert top + 8 <= float(text.get("y") or 0) <= top + height - 4


def assert_lines_apart(picture: ET.Element) -> None:
    straight: list[tuple[bool, float, float, float, frozenset[str]]] = []
    for move, segments in lines_of(picture):
        old, new, kind = (
            f"{move.get('data-axis')}{move.get('data-from')}",
            f"{move.get('data-axis')}{move.get('data-to')}",
            move.get("data-kind"),
        )
        groups = frozenset({f"from {old} {kind}", f"to {new} {kind}"})
        for (x, y), (to_x, to_y) in segments:
            if abs(y - to_y) < 0.11:
                straight.append((True, y, *sorted((x, to_x)), groups))  # type: ignore[arg-type]
            elif abs(x - to_x) < 0.11:
                straight.append((False, x, *sorted((y, to_y)), groups))  # type: ignore[arg-type]
    for one, other in combinations(straight, 2):
        if one[0] == other[0] and abs(one[1] - other[1]) < 1.0 and not one[4] & other[4]:
            assert min(one[3], other[3]) - max(one[2], other[2]) < 1.0, "two lines run on top of each other"


@pytest.mark.parametrize("workflow", bundled_workflows(), ids=lambda workflow: workflow.name)
def test_every_bundled_workflow_is_drawn_cleanly_with_its_axes_and_rules(workflow: Workflow) -> None:
    axes, rules = [], []
    for axis in workflow.axes.values():
        stages = [stage for stage in workflow.stages.values() if stage.axis == axis.name]
        axes.append(
            DrawnAxis(
                axis.machine,
                name=axis.name,
                stages=stages,
                by_people=not stages,
                **figures(axis.machine, 1),  # type: ignore[arg-type]
            )
        )
    for rule in workflow.rules:
        if rule.target is not None and rule.moment == "entering":
            rules += [
                DrawnRule((rule.axis, state), (rule.target, new), flow=31)
                for state in rule.states
                for new in set((rule.mapping or {}).values())
            ]
    drawn = draw_axes(axes, rules, title=workflow.name)
    assert_clean(drawn)
    assert len(boxes_of(ET.fromstring(drawn))) == sum(len(axis.machine.states) for axis in axes)
    assert drawn.count('data-kind="rule"') == len(rules)


@pytest.mark.parametrize("seed", range(200))
def test_any_machine_is_drawn_without_anything_lying_on_anything_else(seed: int) -> None:
    machine = random_machine(seed)
    drawn = draw_machine(machine, **figures(machine, seed))  # type: ignore[arg-type]
    assert_clean(drawn)
    assert drawn.count('class="move"') == len(machine.pairs())
    assert draw_machine(machine, **figures(machine, seed)) == drawn  # type: ignore[arg-type]


def test_twenty_states_are_drawn_in_less_than_twenty_milliseconds() -> None:
    machines = [machine for machine in map(random_machine, range(200)) if len(machine.states) >= 19]
    times = []
    for machine in machines:
        more = figures(machine, 1)
        start = time.process_time()
        draw_machine(machine, **more)  # type: ignore[arg-type]
        times.append(time.process_time() - start)
    assert len(times) > 5
    assert sorted(times)[len(times) // 2] < 0.02


def test_failures_are_below_forward_goes_right_and_failure_lines_are_shared(upload: Machine) -> None:
    picture = ET.fromstring(draw_machine(upload, axis="status"))
    boxes = boxes_of(picture)
    path = ["queued_for_parse", "parsing", "parsed", "normalizing", "normalized"]
    for old, new in pairwise(path):
        assert boxes[f"status.{old}"][2] < boxes[f"status.{new}"][0]
        assert boxes[f"status.{old}"][1] == boxes[f"status.{new}"][1]
    assert boxes["status.error"][1] > boxes["status.parsed"][3]
    heads = [
        move
        for move, _ in lines_of(picture)
        if move.get("data-to") == "error" and "head" in ET.tostring(move, "unicode")
    ]
    assert len(heads) < 4, "lines to error join, and a joined line has one arrow"


def test_marks_follow_the_part_of_a_state_and_never_its_name() -> None:
    workflow = declare_statements()
    axis = next(iter(workflow.axes.values()))
    drawn = draw_machine(axis.machine, stages=list(workflow.stages.values()))
    marks = dict(re.findall(r'data-(?:state="(\w+)").*?href="#(m-\w+)"', drawn))
    assert marks == {
        "queued_for_parse": "m-waiting",
        "parsing": "m-running",
        "parsed": "m-done",
        "normalizing": "m-running",
        "normalized": "m-final",
        "error": "m-failed",
    }
    themed = declare_themes()
    drawn = draw_machine(next(iter(themed.axes.values())).machine, stages=list(themed.stages.values()))
    marks = dict(re.findall(r'data-(?:state="(\w+)").*?href="#(m-\w+)"', drawn))
    assert marks["failed_retryable"] == "m-retry"
    assert marks["failed_terminal"] == "m-failed"
    misnamed = Machine("m", initial="failed", moves={"failed": ["error"], "error": ["running"]})
    drawn = draw_machine(misnamed)
    assert dict(re.findall(r'data-(?:state="(\w+)").*?href="#(m-\w+)"', drawn)) == {
        "failed": "m-waiting",
        "error": "m-waiting",
        "running": "m-final",
    }


def test_a_picture_for_a_page_has_no_style_no_script_and_no_unescaped_name() -> None:
    hostile = '"><script>alert(1)</script>'
    machine = Machine("m", initial=hostile, moves={hostile: ["x' onload='y"]})
    drawn = draw_machine(
        machine,
        counts={hostile: 1},
        flow={},
        notes={hostile: "<b>"},
        title=hostile,
        link=lambda axis, state: f"?{state}",
    )
    picture = ET.fromstring(drawn)
    assert not any(element.tag in ("script", "style", "b") for element in picture.iter())
    assert not any(
        name == "style" or name.startswith("on") for element in picture.iter() for name in element.attrib
    )


def test_the_number_of_a_move_stands_on_no_line_of_another_move() -> None:
    """Of two lines beside each other, whose numbers have three digits, as the board draws them after an hour."""
    themes = declare_themes()
    axis = themes.axes["status"]
    flow = {
        ("pending", "in_progress"): 304,
        ("in_progress", "processed"): 208,
        ("in_progress", "failed_retryable"): 398,
        ("failed_retryable", "in_progress"): 366,
        ("in_progress", "failed_terminal"): 64,
    }
    drawn = draw_axes([DrawnAxis(axis.machine, stages=[*themes.stages.values()], flow=flow)], per="/h")
    lines = list(lines_of(ET.fromstring(drawn)))
    for move, _ in lines:
        for paper in (one for one in move if one.get("class") == "paper"):
            x, y, width, height = (float(paper.get(name) or 0) for name in ("x", "y", "width", "height"))
            crossing = [
                (other.get("data-from"), other.get("data-to"))
                for other, segments in lines
                if other is not move
                and any(enters(one, (x - 2, y, x + width + 2, y + height)) for one in segments)
            ]
            assert crossing == [], f"the number from {move.get('data-from')} to {move.get('data-to')}"


def test_a_script_can_address_every_count_and_line() -> None:
    machine = Machine("m", initial=None, moves={None: ["a"], "a": [operator(None), "b"]})
    picture = ET.fromstring(draw_machine(machine, axis="status", counts={"a": 3}, flow={(None, "a"): 7}))
    nodes = [node for node in picture if "node" in (node.get("class") or "")]
    assert [(node.get("data-state"), node.get("data-null")) for node in nodes] == [
        (None, ""),
        ("a", None),
        ("b", None),
    ]
    assert all(any(one.get("class") == "count" for one in node) for node in nodes)
    moves = [
        (move.get("data-from"), move.get("data-to"), move.get("data-to-null"))
        for move, _ in lines_of(picture)
    ]
    assert sorted(moves, key=str) == [("a", "b", None), ("a", None, ""), (None, "a", None)]
    assert state_text(None) == "null"


def test_boxes_say_their_state_and_number_to_a_screen_reader() -> None:
    machine = Machine("m", initial="a", moves={"a": ["b"]})
    drawn = draw_machine(
        machine,
        counts={"a": 1, "b": 1204},
        stuck={"b": 2},
        link=lambda axis, state: f"/records?state={state}&x=1",
    )
    picture = ET.fromstring(drawn)
    assert picture.get("role") == "group"
    labels = [node.get("aria-label") for node in picture.iter("a")]
    assert labels == ["a: 1 record", "b: 1,204 records, 2 stuck"]
    assert [node.get("href") for node in picture.iter("a")] == [
        "/records?state=a&x=1",
        "/records?state=b&x=1",
    ]


@pytest.mark.parametrize("seed", range(0, 200, 5))
def test_nothing_reaches_over_the_edge_of_the_picture(seed: int) -> None:
    machine = random_machine(seed)
    picture = ET.fromstring(draw_machine(machine, **figures(machine, seed)))  # type: ignore[arg-type]
    x, y, width, height = map(float, (picture.get("viewBox") or "").split())
    inside = list(boxes_of(picture).values())
    inside += [(*min(segment), *max(segment)) for _, segments in lines_of(picture) for segment in segments]
    for rect in picture.iter("rect"):
        left, top = float(rect.get("x") or 0), float(rect.get("y") or 0)
        inside.append((left, top, left + float(rect.get("width") or 0), top + float(rect.get("height") or 0)))
    for left, top, right, bottom in inside:
        assert x - 1 <= left
        assert right <= x + width + 1
        assert y - 1 <= min(top, bottom)
        assert max(top, bottom) <= y + height + 1
