"""Drawings of machines."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from interlock.errors import state_text
from interlock.machine import Machine, mermaid, operator, retry, svg
from interlock.machine.draw.picture import Box, DrawnAxis, compose
from interlock.machine.draw.place import back_edges
from interlock.machine.draw.text import lines_of

SVG = "{http://www.w3.org/2000/svg}"


def words_of(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{SVG}text")]


def test_mermaid_shows_every_state_and_move(bundled: list[Machine]) -> None:
    for machine in bundled:
        drawn = mermaid(machine)
        assert drawn.startswith("stateDiagram-v2\n")
        assert len(re.findall(r"(?m)^    s\S+ --> s\S+", drawn)) == len(machine.pairs())
        assert drawn.count("    [*] --> ") == 1
        assert drawn.count(" --> [*]\n") == sum(map(machine.is_terminal, machine.states))


def test_mermaid_labels_retries_operators_and_counts(
    upload: Machine, lifecycle: Machine, processing: Machine
) -> None:
    assert "s_error --> s_parsed : retry\n" in mermaid(upload)
    assert "s_VALIDATED --> s_APPROVED : operator only\n" in mermaid(lifecycle)
    assert 'state "error (5,000)" as s_error' in mermaid(upload, {"error": 5000})
    assert 'state "null" as s0' in mermaid(processing)
    assert "[*] --> s0" in mermaid(processing)


def test_a_name_never_breaks_out_of_a_mermaid_label() -> None:
    drawn = mermaid(
        Machine("m", initial='"] --> x', moves={'"] --> x': ["end", operator("a;b%%{c}", role='x"\u00a0#y')]})
    )
    assert '    state "#34;#93; --#62; x" as s0' in drawn
    assert "s_end" in drawn
    assert "%%" not in drawn
    assert "{" not in drawn
    assert drawn.count('"') == 6


def test_a_picture_says_states_words_and_counts(upload: Machine, lifecycle: Machine) -> None:
    words = words_of(svg(upload, {"error": 1234}))
    assert {"parsing", "normalized", "retry", "1,234", "0"} <= set(words)
    assert "operator only" in words_of(svg(lifecycle))


def test_a_picture_is_accessible_and_self_contained(bundled: list[Machine]) -> None:
    for machine in bundled:
        root = ET.fromstring(svg(machine))
        assert root.get("role") == "img"
        assert (root.find(f"{SVG}title")).text == machine.name  # type: ignore[union-attr]
        description = root.find(f"{SVG}desc").text or ""  # type: ignore[union-attr]
        assert all(state_text(state) in description for state in machine.states if machine.name != "curation")
        rest = svg(machine).replace("http://www.w3.org/2000/svg", "")
        assert "<script" not in rest
        assert "http" not in rest
        assert "@import" not in rest
        assert "prefers-color-scheme:dark" in rest


def test_every_move_has_its_line_and_a_final_state_two_borders(upload: Machine) -> None:
    root = ET.fromstring(svg(upload))
    kinds = [path.get("class") for path in root.iter(f"{SVG}path")]
    assert kinds.count("edge retry") == 2
    assert kinds.count("edge") == 8
    borders = [rect.get("class") for rect in root.iter(f"{SVG}rect")]
    assert borders.count("box") == len(upload.states)
    assert borders.count("box2") == 1


def test_any_to_any_is_said_once_and_not_drawn_as_a_tangle() -> None:
    machine = Machine("m", initial="0", states=[str(number) for number in range(40)])
    picture = svg(machine)
    assert "any state may follow any other" in words_of(picture)
    assert picture.count('class="edge') == 0
    assert len(picture) < 25_000


def test_a_machine_with_too_many_moves_to_draw_says_so() -> None:
    states = [str(number) for number in range(30)]
    machine = Machine(
        "m", initial="0", moves={state: [other for other in states if other > state] for state in states}
    )
    picture = svg(machine)
    assert f"{len(machine.pairs())} moves, too many to draw" in words_of(picture)
    assert picture.count('class="edge') == 0


def overlap(one: Box, other: Box) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def test_no_two_boxes_overlap_and_all_stand_inside(bundled: list[Machine]) -> None:
    for machine in bundled:
        boxes = list(compose([DrawnAxis(machine, counts={})], (), "").boxes)
        assert not any(overlap(one, other) for one in boxes for other in boxes if one is not other)


@pytest.mark.parametrize(
    "name",
    ["x" * 63, "a_very_long_state_name_that_goes_on_and_on_until_it_has_to_be_br", "one two", "-", "a__b"],
)
def test_a_broken_name_keeps_every_letter(name: str) -> None:
    assert "".join(lines_of(name)) == name
    assert all(len(line) <= 24 for line in lines_of(name))


def test_the_forward_way_is_plain_even_when_a_failure_is_declared_first() -> None:
    machine = Machine(
        "m",
        initial="queued",
        moves={
            "queued": ["work"],
            "work": ["error", "ready"],
            "error": [retry("queued"), retry("ready")],
            "ready": ["done", "error"],
        },
    )
    assert back_edges(machine) == {("error", "queued"), ("error", "ready")}
