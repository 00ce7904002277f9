"""What was declared about a kind of records, as plain values: machines, moves with what they need and drive, stages, rules, gates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...machine import State
from ...workflow import Axis, Workflow

MOVES = ("kind", "axis", "from", "to", "needs", "drives")


def summary(declared: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What was declared about a kind, in numbers: a row for each axis."""
    return [
        {
            "kind": declared["kind"],
            "noun": declared["noun"],
            "axis": axis["name"] + (f" ({', '.join(axis['scopes'])})" if axis["scopes"] else ""),
            "machine": axis["machine"],
            "states": len(axis["states"]),
            "moves": len(axis["moves"]),
            **{
                part: sum(one["axis"] == axis["name"] for one in declared[part])
                for part in ("stages", "gates")
            },
            "rules": axis["rules"],
            "fingerprint": axis["fingerprint"],
        }
        for axis in declared["axes"]
    ]


def moves_of(workflow: Workflow, axis: Axis) -> list[dict[str, Any]]:
    """Every legal move, with what else it needs and what it drives."""
    rows = []
    for old, edge in axis.machine.pairs():
        rules = [rule for rule in workflow.rules if rule.axis == axis.name and rule.fires(old, edge.to)]
        needs = [f"or {edge.words}" if edge.kind == "plain" else edge.words] if edge.words else []
        needs += [f"gate {gate.name}" for gate in workflow.gates_of(axis.name, edge.to)]
        needs += [str(rule).partition(".requires(")[2][:-1] for rule in rules if rule.target is None]
        drives = [str(rule).partition(".moves(")[2][:-1] for rule in rules if rule.target is not None]
        rows.append(
            {
                "kind": workflow.name,
                "axis": axis.name,
                "from": old,
                "to": edge.to,
                "needs": needs,
                "drives": drives,
            }
        )
    return rows


def described(workflow: Workflow) -> dict[str, Any]:
    """Everything that was declared about a kind."""
    return {
        "kind": workflow.name,
        "noun": workflow.noun,
        "table": workflow.records.name,
        "axes": [
            {
                "name": axis.name,
                "machine": axis.machine.name,
                "fingerprint": axis.machine.fingerprint,
                "initial": axis.machine.initial,
                "states": [
                    {"state": state, "final": axis.machine.is_terminal(state)}
                    for state in axis.machine.states
                ],
                "scopes": list(axis.scopes),
                "rules": sum(rule.axis == axis.name for rule in workflow.rules),
                "moves": [{name: row[name] for name in MOVES[2:]} for row in moves_of(workflow, axis)],
            }
            for axis in workflow.axes.values()
        ],
        "stages": stages_of(workflow),
        "rules": [str(rule) for rule in workflow.rules],
        "gates": [
            {"gate": gate.name, "axis": gate.axis, "before": gate.to, "tier": gate.tier}
            for gate in workflow.gates
        ],
    }


def stages_of(workflow: Workflow) -> list[dict[str, Any]]:
    return [
        {
            "stage": stage.name,
            "axis": stage.axis,
            "waiting": list(stage.waiting),
            "running": stage.running,
            "done": stage.done,
            "failed": stage.failed,
            "terminal": stage.terminal,
            "only_if": None if stage.only_if is None else str(stage.only_if),
        }
        for stage in workflow.stages.values()
    ]


def counts_of(
    counts: Mapping[tuple[str, str, str | None, State], int], axis: Axis, scope: str | None = None
) -> dict[State, int]:
    """How many records are in each state of one axis, of one scope or of all."""
    numbers: dict[State, int] = {}
    for (kind, name, place, state), number in counts.items():
        if (kind, name) == (axis.kind, axis.name) and scope in (None, place):
            numbers[state] = numbers.get(state, 0) + number
    return numbers
