"""The mark of a state: a shape and a colour that follow from the state's part in its machine, never from its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Mark(NamedTuple):
    """A symbol of the sprite, and the class that colours it."""

    symbol: str
    tone: str


NULL = Mark("m-null", "quiet")
WAITING, RUNNING = Mark("m-waiting", "waiting"), Mark("m-running", "running")
DONE, FINAL = Mark("m-done", "done"), Mark("m-final", "done")
FAILED, RETRY = Mark("m-failed", "failed"), Mark("m-retry", "retry")
ASKS = Mark("m-asks", "person")
NEW, SELECTED = Mark("m-new", "person"), Mark("m-selected", "person")
MAYBE, DISCARDED = Mark("m-maybe", "person"), Mark("m-discarded", "quiet")


def marks_of(machine: Mapping[str, Any], axis: Mapping[str, Any]) -> dict[str | None, Mark]:
    """The mark of every state of one axis, from what `client.machines()` declares of its kind."""
    stages = [one for one in machine["stages"] if one["axis"] == axis["name"]]
    if is_moved_by_people(machine, axis):
        return decisions(machine, axis)
    return {one["state"]: part_of(one, axis, stages) for one in axis["states"]}


def is_moved_by_people(machine: Mapping[str, Any], axis: Mapping[str, Any]) -> bool:
    """Whether only people move records on this axis: no stage works on it, and no rule drives it."""
    worked = any(one["axis"] == axis["name"] for one in machine["stages"])
    driven = any(f".moves({axis['name']}=" in rule for rule in machine["rules"])
    return not worked and not driven


def part_of(state: Mapping[str, Any], axis: Mapping[str, Any], stages: Sequence[Mapping[str, Any]]) -> Mark:
    """The mark of a state on an axis that stages or rules move."""
    name, final = state["state"], state["final"]
    failed = any(name in (one["failed"], one["terminal"]) and name is not None for one in stages)
    waits = any(name in one["waiting"] for one in stages)
    if name is None:
        return NULL
    if any(name == one["running"] for one in stages):
        return RUNNING
    if failed:
        return RETRY if waits else FAILED
    if final:
        return FINAL
    if asks_a_person(name, axis) and not waits:
        return ASKS
    if any(name == one["done"] for one in stages):
        return DONE
    return WAITING


def asks_a_person(state: str | None, axis: Mapping[str, Any]) -> bool:
    """Whether every move out of a state is a person's with a role."""
    moves = [one for one in axis["moves"] if one["from"] == state]
    return bool(moves) and all(any(word.endswith(" only") for word in one["needs"]) for one in moves)


def decisions(machine: Mapping[str, Any], axis: Mapping[str, Any]) -> dict[str | None, Mark]:
    """Squares, for an axis that people move: empty where records begin, checked where a rule drives other work, crossed for the last state
    that was declared, a dot where the next decision is due, half for the others."""
    marks: dict[str | None, Mark] = {}
    states = axis["states"]
    driving = [one["to"] for one in axis["moves"] if one["drives"]]
    free = {one["from"] for one in axis["moves"]} == {one["state"] for one in states}
    for position, one in enumerate(states):
        name = one["state"]
        if name is None:
            marks[name] = NULL
        elif name == axis["initial"]:
            marks[name] = NEW
        elif one["final"]:
            marks[name] = FINAL
        elif name in driving:
            marks[name] = SELECTED
        elif free:
            marks[name] = DISCARDED if position == len(states) - 1 else MAYBE
        else:
            marks[name] = ASKS
    return marks
