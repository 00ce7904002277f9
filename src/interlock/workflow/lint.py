"""What is wrong with a workflow before it has run: refusals that stop an app, and findings worth a look."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Enum, String
from sqlalchemy.types import TypeDecorator

from ..errors import spoken
from ..machine import Machine, State
from .adopt import refusals as adoption_refusals
from .checked import arguments_wanted
from .extension import Extension
from .rules import Rule
from .stage import Stage
from .workflow import Workflow


def refusals(workflow: Workflow) -> list[str]:
    """Declarations that cannot work; an app with any of them does not start."""
    if not isinstance(workflow.extension, Extension):
        return [f"{workflow.name}: extension is an Extension, not {type(workflow.extension).__name__}"]  # type: ignore[unreachable]
    found: list[str] = []
    found += _status_columns(workflow)
    for stage in workflow.stages.values():
        found += [*_stage(workflow, stage), *_calls(stage)]
    for rule in workflow.rules:
        if not isinstance(rule, Rule):
            return [*found, f"{workflow.name}: {_not_a_rule(rule)}"]  # type: ignore[unreachable]
        found += _rule(workflow, rule)
    found += _gates(workflow)
    for axis in workflow.axes.values():
        found += adoption_refusals(workflow, axis)
    columns = set() if workflow.reflected else set(workflow.records.c.keys())
    found += [
        f"private names {name!r}, which {workflow.records.name!r} does not have"
        for name in sorted(workflow.private - columns if columns else ())
    ]
    found += [
        f"kept_when_erased names {name!r}, which {workflow.records.name!r} does not have"
        for name in workflow.kept_when_erased
        if columns and name not in columns
    ]
    found += [
        f"natural key names {name!r}, which {workflow.records.name!r} does not have"
        for name in workflow.unique
        if columns and name not in columns
    ]
    if columns:
        found += [
            f"amendable names {name!r}, which "
            + (
                f"{workflow.records.name!r} does not have"
                if name not in columns
                else "only the engine writes"
            )
            for name in sorted(workflow.amendable)
            if name not in columns - workflow.fixed_columns
        ]
    return [f"{workflow.name}: {finding}" for finding in found]


def findings(workflow: Workflow) -> list[str]:
    """Everything `machine lint` says: the refusals, and what each machine says of itself."""
    said = refusals(workflow)
    said += [
        f"{workflow.name}: stage {stage.name} has no failed state: a record whose work fails rests in {stage.running} with its error, "
        "until somebody retries it"
        for stage in workflow.stages.values()
        if stage.running is not None and stage.failed is None and stage.terminal is None
    ]
    for axis in workflow.axes.values():
        said += [f"{workflow.name}.{axis.name}: {finding}" for finding in axis.machine.lint()]
    return said


def _not_a_rule(rule: object) -> str:
    return (
        f"{type(rule).__name__} among the rules is none: it needs a consequence, "
        "entering(…).moves(…) or entering(…).requires(…)"
    )


def _calls(stage: Stage) -> Iterator[str]:
    """What is wrong with the functions of a stage, by how they are called."""
    loaded = stage.loader is not None or stage.group_loader is not None
    if problem := arguments_wanted(stage.function, 2 if loaded else 1):
        yield f"stage {stage.name}: its function {problem}"


def _status_columns(workflow: Workflow) -> Iterator[str]:
    """Columns for a status that cannot hold its states."""
    for axis in () if workflow.reflected else workflow.axes.values():
        kind = axis.table.c[axis.name].type
        if not isinstance(kind, String | Enum) and not isinstance(kind, TypeDecorator):
            yield f"column {axis.table.name}.{axis.name} is {kind!r}; states are text, so it has to be Text, String or Enum"


def _stage(workflow: Workflow, stage: Stage) -> Iterator[str]:
    machine = workflow.axes[stage.axis].machine
    for state in {
        *stage.waiting,
        stage.done,
        *(s for s in (stage.running, stage.failed, stage.terminal) if s is not None),
    }:
        if state not in machine.states:
            yield f"stage {stage.name}: machine {machine.name} has no state {spoken(state)}"
            return
    yield from _steps(machine, stage)
    yield from _rate_column(workflow, stage)
    if stage.retry and retry_place(machine, stage) is None:
        yield f"stage {stage.name}: no legal place to wait for its next try; the machine needs a way back, or say retry_in='runner'"
    elif stage.retry_in is not None and not _fits(machine, stage, stage.retry_in):
        yield f"stage {stage.name}: retry_in={stage.retry_in!r} needs a move that machine {machine.name} does not have"
    others = [
        other.name
        for other in workflow.stages.values()
        if other is not stage
        and other.axis == stage.axis
        and stage.running is not None
        and other.running == stage.running
    ]
    for other in others:
        yield f"stages {stage.name} and {other} share the running state {stage.running}"


def _rate_column(workflow: Workflow, stage: Stage) -> Iterator[str]:
    axis = workflow.axes[stage.axis]
    if stage.rate_per is not None and not workflow.reflected and axis.own_column(stage.rate_per[0]) is None:
        yield (
            f"stage {stage.name}: rate_per names {stage.rate_per[0]}, which is no column of {axis.table.name!r}"
            + ("; Axis(copies=…) keeps a copy of the record's column there" if axis.scoped else "")
        )


def _steps(machine: Machine, stage: Stage) -> Iterator[str]:
    """Moves of the stage that its machine does not let a stage make."""
    for old, new, purpose in stage.steps():
        edge = machine.edge(old, new)
        if edge is None:
            yield f"stage {stage.name}: its {purpose} move {spoken(old)} → {spoken(new)} is not in machine {machine.name}"
        elif edge.kind == "retry":
            yield f"stage {stage.name}: {spoken(old)} → {spoken(new)} is a retry move; only app.retry takes it"
        elif edge.kind == "timer":
            yield f"stage {stage.name}: {spoken(old)} → {spoken(new)} is made by its timer only; declare it plainly too"
        elif edge.kind == "operator" and purpose != "done":
            yield f"stage {stage.name}: {spoken(old)} → {spoken(new)} is an operator's move; a stage takes one only as its done"


def retry_place(machine: Machine, stage: Stage) -> str | None:
    """Where the next try waits: as declared, else the first place the machine's own moves allow."""
    if stage.retry_in is not None:
        return stage.retry_in if _fits(machine, stage, stage.retry_in) else None
    for place in ("failed", "waiting", "running"):
        if _fits(machine, stage, place):
            return place
    return None


def _fits(machine: Machine, stage: Stage, place: str) -> bool:
    if place == "runner":
        return True
    if place == "running":
        return stage.running is not None
    if place == "failed":
        return stage.failed is not None and stage.failed in stage.waiting
    if stage.running is None:
        return True  # it has never left the state in which it waits
    way = machine.edge(stage.failed if stage.failed is not None else stage.running, stage.declared_waiting)
    return way is not None and way.kind == "plain"


def _states(workflow: Workflow, axis: str, states: tuple[State, ...], said: str) -> Iterator[str]:
    if axis not in workflow.axes:
        yield f"rule {said} names the axis {axis!r}, which does not exist"
        return
    machine = workflow.axes[axis].machine
    for state in states:
        if state not in machine.states:
            yield f"rule {said} names the state {spoken(state)}, which machine {machine.name} does not have"


def _rule(workflow: Workflow, rule: Rule) -> Iterator[str]:
    said = str(rule)
    problems = list(_states(workflow, rule.axis, rule.states, said))
    for axis, states in (rule.required or {}).items():
        problems += _states(workflow, axis, states, said)
    if rule.target is not None and rule.mapping is not None:
        problems += _states(workflow, rule.target, tuple(rule.mapping) + tuple(rule.mapping.values()), said)
        if not problems:
            machine = workflow.axes[rule.target].machine
            for old, new in rule.mapping.items():
                edge = machine.edge(old, new)
                if edge is None or edge.kind != "plain":
                    problems.append(
                        f"rule {said} drives {spoken(old)} → {spoken(new)}, which machine {machine.name} does not allow"
                    )
        if rule.target == rule.axis:
            problems.append(f"rule {said} moves its own axis")
    problems += [
        f"rule {said} has {word}=…, which is a word of requires() here and also the name of an axis"
        for word in ("says", "code")
        if word in workflow.axes and getattr(rule, word) is not None
    ]
    if rule.target is None and rule.moment == "entering":
        problems += [
            f"rule {said} stands on the failed state {stage.failed}: a refusal would have nowhere to go"
            for stage in workflow.stages.values()
            if stage.axis == rule.axis and stage.failed in rule.states
        ]
    yield from problems


def _gates(workflow: Workflow) -> Iterator[str]:
    seen: set[tuple[str, str]] = set()
    for gate in workflow.gates:
        if (gate.to, gate.name) in seen:
            yield f"two gates before {gate.to} are both named {gate.name}"
        seen.add((gate.to, gate.name))
        for stage in workflow.stages.values():
            if stage.axis == gate.axis and gate.to in (stage.failed, stage.terminal):
                yield f"gate {gate.name} stands before the failed state {gate.to}: a refusal would have nowhere to go"
