"""The fingerprint of a machine and the way through its definition."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import interlock.machine
from interlock.machine import Machine, operator, retry

SOURCE = Path(interlock.machine.__file__).parents[2]
MOVES: dict[Any, Any] = {"a": ["b", "c"], "b": ["c"], "c": [operator("a")]}


def test_a_definition_is_json_and_reads_back_as_the_same_machine(bundled: list[Machine]) -> None:
    for machine in bundled:
        twin = Machine.from_definition(json.loads(json.dumps(machine.definition())))
        assert twin == machine
        assert twin.fingerprint == machine.fingerprint
        assert twin.definition() == machine.definition()
        assert twin.lint() == machine.lint()


@pytest.mark.parametrize(
    "changed",
    [
        {"initial": "b"},
        {"moves": {**MOVES, "b": ["c", "a"]}},
        {"moves": {**MOVES, "b": []}},
        {"moves": {**MOVES, "b": [operator("c")]}},
        {"moves": {**MOVES, "b": [retry("c")]}},
        {"moves": {**MOVES, "c": [operator("a", role="chief")]}},
        {"moves": MOVES, "states": ["a", "b", "c", "d"]},
        {"moves": {None if state == "a" else state: ways for state, ways in MOVES.items()}, "initial": None},
    ],
)
def test_the_fingerprint_changes_with_every_edge_kind_role_state_and_beginning(
    changed: dict[str, Any],
) -> None:
    machine = Machine("m", initial="a", moves=MOVES)
    other = Machine("m", **{"initial": "a", "moves": MOVES, **changed})
    assert other.fingerprint != machine.fingerprint
    assert other != machine


def test_the_fingerprint_is_blind_to_aliases_and_order() -> None:
    machine = Machine("m", initial="a", moves=MOVES)
    turned = {state: list(reversed(ways)) for state, ways in reversed(MOVES.items())}
    assert Machine("m", initial="a", moves=turned, aliases={"old": "a"}).fingerprint == machine.fingerprint


def test_null_and_the_word_null_have_different_fingerprints() -> None:
    one, two = (Machine("m", initial="a", moves={"a": [state]}) for state in (None, "null"))
    assert one.fingerprint != two.fingerprint


def test_machines_of_another_name_are_other_machines() -> None:
    one, two = (Machine(name, initial="a", states=["a", "b"]) for name in ("one", "two"))
    assert one != two
    assert one != "one"


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_sets_give_the_same_machine_in_every_process(seed: str) -> None:
    program = (
        "from interlock.machine import Machine, operator\n"
        "m = Machine('m', initial=None, moves={None: {'a', 'b', 'c', 'd'}, 'a': {'b', operator('c'), None}})\n"
        "print(m.fingerprint, m.states)"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(SOURCE)}
    said = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    ).stdout
    machine = Machine("m", initial=None, moves={None: ["a", "b", "c", "d"], "a": [None, "b", operator("c")]})
    assert said.strip() == f"{machine.fingerprint} {machine.states}"
