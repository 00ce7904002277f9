"""The difference between two versions of a machine."""

from __future__ import annotations

from interlock.machine import Edge, Machine, diff, operator

OLD = Machine("m", initial="a", moves={"a": ["b", "c"], "b": ["c"]})


def test_a_machine_has_not_changed_from_itself(bundled: list[Machine]) -> None:
    for machine in bundled:
        change = diff(machine, machine)
        assert change.unchanged
        assert change.describe() == []
        assert not change.initial_changed


def test_new_and_lost_states_and_moves_are_told() -> None:
    change = diff(OLD, Machine("m", initial="a", moves={"a": ["b", "d"], "b": ["d"]}))
    assert (change.added_states, change.removed_states, change.stranded) == (("d",), ("c",), ("c",))
    assert change.added_edges == (("a", Edge("d")), ("b", Edge("d")))
    assert change.removed_edges == (("a", Edge("c")), ("b", Edge("c")))
    assert change.describe() == [
        "state d is new",
        "state c is gone; records still in it are stranded",
        "move a → d is new (plain)",
        "move b → d is new (plain)",
        "move a → c is gone",
        "move b → c is gone",
    ]


def test_a_changed_kind_or_role_is_told_as_one_change() -> None:
    change = diff(OLD, Machine("m", initial="a", moves={"a": ["b", "c"], "b": [operator("c", role="chief")]}))
    assert change.removed_edges == (("b", Edge("c")),)
    assert change.added_edges == (("b", operator("c", role="chief")),)
    assert change.describe() == ["move b → c was plain and is chief only"]
    assert not change.unchanged
    assert change.stranded == ()


def test_another_beginning_is_told() -> None:
    change = diff(OLD, Machine("m", initial=None, moves={None: ["a"], "a": ["b", "c"], "b": ["c"]}))
    assert change.initial_changed
    assert change.describe()[0] == "new records begin in null, not in a"
