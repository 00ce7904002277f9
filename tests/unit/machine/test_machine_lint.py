"""What lint finds, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from interlock.machine import Machine, operator, retry


def lint(initial: Any, moves: dict[Any, Any], **more: Any) -> list[str]:
    return Machine("m", initial=initial, moves=moves, **more).lint()


def test_the_bundled_machines_are_clean(bundled: list[Machine]) -> None:
    assert [machine.lint() for machine in bundled] == [[]] * 5


def test_a_state_that_no_move_leads_to_is_found_with_the_one_that_was_meant() -> None:
    found = lint("a", {"a": ["complete"], "completed": ["archived"]})
    assert found[0] == "m: 'completed' can never be entered: no move leads to it. Did you mean 'complete'?"
    assert any("only completed leads to it" in sentence for sentence in found)


def test_a_circle_apart_is_never_entered() -> None:
    found = lint("a", {"a": ["b"], "x": ["y"], "y": ["x"]})
    assert len(found) == 2
    assert all("never entered either" in sentence for sentence in found)


def test_two_ends_spelled_almost_alike_are_a_probable_typo() -> None:
    found = lint("start", {"start": ["one", "two"], "one": ["complete"], "two": ["completed"]})
    assert len(found) == 1
    assert "'complete'" in found[0]
    assert "'completed'" in found[0]
    assert "typo" in found[0]


def test_a_state_in_another_case_is_a_probable_typo() -> None:
    assert any(
        "typo" in sentence
        for sentence in lint("a", {"a": ["Failed", "go"], "go": ["failed"], "Failed": ["a"]})
    )


def test_alike_names_that_are_listed_are_meant() -> None:
    moves = {"start": ["one", "two"], "one": ["complete"], "two": ["completed"]}
    assert lint("start", moves, states=["start", "one", "two", "complete", "completed"]) == []


@pytest.mark.parametrize(
    "moves",
    [
        {"start": ["unpublished", "published"]},
        {"start": ["step_level_1", "step_level_2"]},
        {"start": ["cancelling"], "cancelling": ["cancelled"]},
    ],
)
def test_opposites_numbers_and_neighbours_are_no_typos(moves: dict[str, list[str]]) -> None:
    assert lint("start", moves) == []


def test_a_retry_to_where_no_work_goes_on_is_found() -> None:
    found = lint("a", {"a": ["b", "failed"], "failed": [retry("b")]})
    assert len(found) == 1
    assert "'failed' → 'b'" in found[0]
    assert "cannot go on" in found[0]


def test_a_retry_to_where_it_never_failed_from_is_found() -> None:
    found = lint("a", {"a": ["b", "failed"], "b": ["c"], "failed": [retry("b")]})
    assert len(found) == 1
    assert "can never be taken" in found[0]


def test_a_trap_beside_an_end_is_found() -> None:
    found = lint("a", {"a": ["done", "x"], "x": ["y"], "y": ["x"]})
    assert found == ["m: a record that comes to x, y never gets out, and never ends in done."]


def test_a_circle_with_a_way_out_is_no_trap() -> None:
    assert lint("a", {"a": ["done", "x"], "x": ["y"], "y": ["x", operator("done")]}) == []


def test_a_machine_that_never_ends_is_no_trap() -> None:
    assert lint("a", {"a": ["b"], "b": ["c"], "c": ["b"]}) == []


def test_states_alone_are_clean() -> None:
    assert Machine("m", initial="item1", states=["item1", "item2", "items", "Items", None]).lint() == []
