"""What cannot be declared, and how it is said."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Any

import pytest

from interlock.errors import BadDeclaration
from interlock.machine import Edge, Machine, operator, retry


class Numbers(IntEnum):
    ONE = 1


class Empty(Enum):
    pass


LONG = "x" * 64
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"initial": "a"}, "no states"),
    ({"initial": "a", "states": Empty}, "no states"),
    ({"initial": "z", "states": ["a", "b"]}, "initial is 'z'"),
    ({"initial": None, "states": ["a", "b"]}, "initial is null"),
    ({"initial": "z", "moves": {"a": ["b"]}}, "initial is 'z'"),
    ({"initial": 1, "states": ["a"]}, "neither text nor None"),
    ({"initial": "a", "states": ["a", 2]}, "neither text nor None"),
    ({"initial": "a", "states": Numbers}, "neither text nor None"),
    ({"initial": "a", "states": ["a", ""]}, "is empty"),
    ({"initial": "a", "states": ["a", "  "]}, "is blank"),
    ({"initial": "a", "states": ["a", LONG]}, "64 characters"),
    ({"initial": "a", "states": ["a", "b\x00"]}, "control characters"),
    ({"initial": "a", "states": ["a", "b\nc"]}, "control characters"),
    ({"initial": "a", "states": ["a", "\ud800"]}, "control characters"),
    ({"initial": "a", "states": ["a", "\uffff"]}, "control characters"),
    ({"initial": "a", "states": ["a", "b", "a"]}, "'a' twice"),
    ({"initial": None, "states": [None, "b", None]}, "null twice"),
    ({"initial": "a", "states": "abc"}, "not a collection"),
    ({"initial": "a", "states": str}, "not a collection"),
    ({"initial": "a", "states": {"a", 3}}, "neither text nor None"),
    ({"initial": "a", "states": 5}, "not a collection"),
    ({"initial": "a", "moves": ["a"]}, "not a mapping"),
    ({"initial": "a", "moves": {"a": "b"}}, "not a collection"),
    ({"initial": "a", "moves": {"a": operator("b")}}, "not a collection"),
    ({"initial": "a", "moves": {"a": None}}, "not a collection"),
    ({"initial": "a", "moves": {"a": ["a"]}}, "lead to itself"),
    ({"initial": None, "moves": {None: [None, "a"]}}, "lead to itself"),
    ({"initial": "a", "moves": {"a": ["b", operator("b")]}}, "'b' twice"),
    ({"initial": "{a}", "moves": {"{a}": ["{}", "{}"]}}, "'{}' twice"),
    ({"initial": "a", "moves": {"a": ["b"], 3: ["a"]}}, "neither text nor None"),
    ({"initial": "a", "moves": {"a": [Edge("b", "other")]}}, "unknown kind"),  # type: ignore[arg-type]
    ({"initial": "a", "moves": {"a": [Edge("b", "plain", "chief")]}}, "role"),
    ({"initial": "a", "moves": {"a": [Edge("b", "operator")]}}, "without a role"),
    ({"initial": "a", "moves": {"a": [operator("b", role="")]}}, "is empty"),
    ({"initial": "a", "moves": {"a": [retry("b")], "b": ["a"]}}, "retry leaves the initial state"),
    ({"initial": "a", "states": ["a", "b"], "aliases": {"a": "b"}}, "itself a state"),
    ({"initial": "a", "states": ["a", "b"], "aliases": {"A": "b"}}, "itself a state"),
    ({"initial": "a", "states": ["a", "b"], "aliases": {"c": "d"}}, "leads to 'd'"),
    ({"initial": "a", "states": ["a", "b"], "aliases": {"{x}": "d"}}, "leads to 'd'"),
    ({"initial": "a", "states": ["a", "b"], "aliases": {"c": "a", "C": "b"}}, "two states"),
    ({"initial": "a", "states": ["a", "b"], "aliases": {3: "b"}}, "not text"),
    ({"initial": "a", "states": ["a", "b"], "aliases": ["c"]}, "not a mapping"),
]


@pytest.mark.parametrize(("declaration", "said"), REFUSED)
def test_a_declaration_that_cannot_work_is_refused_by_machine_and_thing(
    declaration: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadDeclaration, match=said) as refusal:
        Machine("paperwork", **declaration)
    assert str(refusal.value).startswith("machine paperwork: ")
    assert refusal.value.hint
    assert refusal.value.facts["machine"] == "paperwork"


@pytest.mark.parametrize("name", ["", "   ", LONG, "a\nb", None, 5])
def test_a_machine_needs_a_proper_name(name: Any) -> None:
    with pytest.raises(BadDeclaration, match="machine's name"):
        Machine(name, initial="a", states=["a"])


def test_a_mistyped_move_is_refused_with_the_state_that_was_meant() -> None:
    with pytest.raises(BadDeclaration, match="'prased'") as refusal:
        Machine("m", initial="parsing", states=["parsing", "parsed"], moves={"parsing": ["prased"]})
    assert refusal.value.hint == "Did you mean 'parsed'?"


def test_the_longest_name_and_strange_but_printable_names_are_accepted() -> None:
    states = ["x" * 63, "naïve café", "已完成", "a \"b\" <c> & 'd'", "🚂", "null"]
    assert Machine("m" * 63, initial=None, states=[None, *states]).states == (None, *states)


def test_states_with_moves_may_name_states_that_no_move_has() -> None:
    machine = Machine("m", initial="a", states=["a", "b", "c"], moves={"a": ["b"]})
    assert machine.states == ("a", "b", "c")
    assert machine.next_states("c") == ()


def test_one_state_alone_is_a_machine() -> None:
    machine = Machine("m", initial="a", states=["a"])
    assert machine.is_terminal("a")
    assert machine.pairs() == ()
    assert machine.lint() == []


def test_a_redundant_alias_in_another_case_is_harmless() -> None:
    assert Machine("m", initial="a", states=["a", "b"], aliases={"A": "a"}).resolve("A") == "a"


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"name": "m"},
        {"name": "m", "initial": "a", "states": ["a"], "moves": [3]},
        None,
        [],
        {"name": "m", "initial": "a", "states": None, "moves": []},
    ],
)
def test_what_is_no_definition_is_refused(broken: Any) -> None:
    with pytest.raises(BadDeclaration):
        Machine.from_definition(broken)
