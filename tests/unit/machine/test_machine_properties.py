"""What holds for every machine there can be."""

from __future__ import annotations

import json
import pickle
import re
from xml.etree import ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st

from interlock.errors import InvalidStateTransition
from interlock.machine import Edge, Machine, diff, mermaid, operator, retry, svg
from interlock.machine.draw.picture import DrawnAxis, compose
from interlock.machine.draw.place import back_edges, place_states

HOSTILE = st.sampled_from(
    [
        "<script>",
        "]]>",
        "&amp;",
        "--> [*]",
        '"',
        "'",
        "%%",
        "end",
        "null",
        "a b",
        "{}",
        "#quot;",
        "😀",
        "\u202e",
        "\u200bx",
    ]
)
NAMES = st.one_of(
    HOSTILE,
    st.text(
        st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="\ufffe\uffff"),
        min_size=1,
        max_size=63,
    ).filter(str.strip),
)


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    states = draw(st.lists(st.one_of(st.none(), NAMES), min_size=1, max_size=9, unique=True))
    initial = states[0]
    moves = {}
    for state in states:
        targets = draw(st.lists(st.sampled_from(states), unique=True, max_size=5))
        kinds = st.sampled_from([Edge, operator] if state == initial else [Edge, operator, retry])
        moves[state] = [draw(kinds)(target) for target in targets if target != state]
    return Machine(draw(NAMES), initial=initial, moves=moves, states=states)


@given(machines())
def test_a_machine_survives_its_definition(machine: Machine) -> None:
    twin = Machine.from_definition(json.loads(json.dumps(machine.definition())))
    assert twin == machine == pickle.loads(pickle.dumps(machine))
    assert twin.definition() == machine.definition()
    assert diff(machine, twin).unchanged


@given(machines())
def test_allows_edge_check_and_next_states_agree(machine: Machine) -> None:
    for old in machine.states:
        for new in machine.states:
            legal = new in machine.next_states(old)
            assert machine.allows(old, new) == legal == (machine.edge(old, new) is not None)
            try:
                machine.check(old, new)
                assert legal
            except InvalidStateTransition:
                assert not legal


@given(machines())
def test_a_final_state_is_left_by_operators_only(machine: Machine) -> None:
    for state in machine.states:
        kinds = {edge.kind for edge in machine.edges[state]}
        assert not machine.is_terminal(state) or kinds <= {"operator"}
        assert kinds or machine.is_terminal(state)


@given(machines())
def test_lint_always_answers_in_sentences(machine: Machine) -> None:
    assert all(
        sentence.startswith(f"{machine.name}: ") and sentence[-1] in ".?" for sentence in machine.lint()
    )


@given(machines(), st.booleans())
@settings(deadline=None)
def test_drawings_are_well_formed_whatever_the_names(machine: Machine, counted: bool) -> None:
    counts = dict.fromkeys(machine.states, 12) if counted else None
    root = ET.fromstring(svg(machine, counts))
    boxes = [element for element in root.iter() if element.get("class") == "box"]
    assert len(boxes) == len(machine.states)
    assert not any(element.tag.endswith("script") for element in root.iter())
    for line in mermaid(machine, counts).splitlines()[2:]:
        assert re.fullmatch(
            r'    (state "[^"\[\]{}<>]+" as s\w+|(\[\*\]|s\w+) --> (\[\*\]|s\w+)( : [^"\[\]{}<>:]+)?)', line
        )


@given(machines())
@settings(deadline=None)
def test_boxes_never_overlap_and_lines_end_at_their_borders(machine: Machine) -> None:
    scene = compose([DrawnAxis(machine)], (), "")
    for number, one in enumerate(scene.boxes):
        for other in scene.boxes[:number]:
            assert (
                one.x >= other.right or other.x >= one.right or one.y >= other.bottom or other.y >= one.bottom
            )
    places = {box.key: box for box in scene.boxes}
    for route, stroke in zip(scene.routes, scene.strokes, strict=True):
        if stroke.head:
            x, y = map(float, stroke.head[1:].split("L")[0].split())
            box = places[route.link.target]
            assert box.x - 2 <= x <= box.right + 2
            assert box.y - 2 <= y <= box.bottom + 2


@given(machines())
@settings(deadline=None)
def test_forward_moves_go_right(machine: Machine) -> None:
    cells = place_states(machine, (), across=1000)
    back = back_edges(machine)
    for old, edge in machine.pairs():
        assert (old, edge.to) in back or cells[old][0] < cells[edge.to][0]
