"""What is wrong with a workflow before it has run: refusals that stop an app, and findings worth a look."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Enum, String
from sqlalchemy.types import TypeDecorator

from ...errors import BadDeclaration, state_text
from ...machine import Machine, State
from ...machine.suggest import did_you_mean, join_states
from ..adopt import refusals as adoption_refusals
from ..extension import Extension
from ..rules import Rule
from ..stage import Stage
from ..workflow import Workflow
from .options import arguments_wanted, awaited_by_nobody, columns_elsewhere, is_condition, short


def refuse_parts_of_app(workflows: Any, clock: Any) -> None:
    """Raise where an App gets something other than a list of workflows, or a clock that tells no time."""
    if not isinstance(workflows, Sequence) or not all(isinstance(one, Workflow) for one in workflows):
        raise BadDeclaration("an App is made from a list of workflows", hint="Write App([orders], …).")
    if clock is not None and not hasattr(clock, "now"):
        raise BadDeclaration(
            f"{clock!r} is not a clock", hint="A clock has a method now(); leave it out for the system's."
        )


def refusals(workflow: Workflow) -> list[str]:
    """Declarations that cannot work; an app with any of them does not start."""
    if not isinstance(workflow.extension, Extension):
        return [f"{workflow.name}: extension is an Extension, not {type(workflow.extension).__name__}"]  # type: ignore[unreachable]
    found: list[str] = []
    found += _status_columns(workflow)
    for stage in workflow.stages.values():
        found += [*_stage(workflow, stage), *_calls(stage)]
        found += [] if workflow.reflected else _conditions(workflow, stage)
    found += _hooks(workflow)
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
    sentences = refusals(workflow)
    sentences += [
        f"{workflow.name}: stage {stage.name} has no failed state: a record whose work fails rests in {stage.running} with its error, "
        "until somebody retries it"
        for stage in workflow.stages.values()
        if stage.running is not None and stage.failed is None and stage.terminal is None
    ]
    sentences += [
        f"{workflow.name}: no stage leads to {gate.to}, so nothing runs gate {gate.name}: declare a stage with done={gate.to!r}, "
        "or record its verdicts with app.judge_gate(…)"
        for gate in workflow.gates
        if any(stage.axis == gate.axis for stage in workflow.stages.values())
        and not any(stage.axis == gate.axis and stage.done == gate.to for stage in workflow.stages.values())
    ]
    for axis in workflow.axes.values():
        sentences += [f"{workflow.name}.{axis.name}: {finding}" for finding in axis.machine.lint()]
    return sentences


def _not_a_rule(rule: object) -> str:
    return (
        f"{type(rule).__name__} among the rules is none: it needs a consequence, "
        "entering(…).moves(…) or entering(…).requires(…)"
    )


def _calls(stage: Stage) -> Iterator[str]:
    """What is wrong with the functions of a stage, by how they are called."""
    if inspect.isgeneratorfunction(stage.function) or inspect.isasyncgenfunction(stage.function):
        yield f"stage {stage.name}: its function yields; a stage returns Done, Failed or Again"
    loaded = stage.loader is not None or stage.group_loader is not None
    if problem := arguments_wanted(stage.function, ("work", "what was loaded") if loaded else ("work",)):
        yield f"stage {stage.name}: its function {problem}"
    for word, function, called in (
        ("load", stage.loader, ("tx", "work")),
        ("load_many", stage.group_loader, ("tx", "works")),
        ("save", stage.saver, ("tx", "work", "result")),
        ("save_many", stage.group_saver, ("tx", "works and results")),
        ("recheck", stage.rechecker, ("tx", "work")),
    ):
        yield from _called(f"stage {stage.name}: its {word} function", function, called)


def _called(owner: str, function: Any, called: Sequence[str]) -> Iterator[str]:
    """What is wrong with a function that is called so, inside a transaction; nothing where there is none."""
    if function is None:
        return
    if not callable(function):
        yield f"{owner} is {short(function)}, which cannot be called"
    elif problem := awaited_by_nobody(function) or arguments_wanted(function, called):
        yield f"{owner} {problem}"


def _hooks(workflow: Workflow) -> Iterator[str]:
    """What is wrong with hooks, schedules and gates, by how they are called."""
    for hook in workflow.hooks:
        yield from _called(f"hook {_name(hook.function)}", hook.function, ("tx", "moves"))
    for function in workflow.removal_hooks:
        yield from _called(f"hook {_name(function)}", function, ("tx", "removals"))
    for function in workflow.refusal_hooks:
        yield from _called(f"hook {_name(function)}", function, ("tx", "refusals"))
    for schedule in workflow.schedules.values():
        yield from _called(f"schedule {schedule.name}", schedule.function, ("app", "tick"))
    for mirror in workflow.mirrors:
        yield from _called(f"mirror {mirror.name}", mirror.function, ("rows",))
    for gate in workflow.gates:
        called = ("work",) if gate.reads is None else ("work", "what was loaded")
        if problem := arguments_wanted(gate.function, called):
            yield f"gate {gate.name}: its function {problem}"
        yield from _called(f"gate {gate.name}: its load function", gate.loader, ("tx", "work"))
        yield from _called(f"gate {gate.name}: its load_many function", gate.group_loader, ("tx", "works"))


def _name(function: Any) -> str:
    return getattr(function, "__name__", repr(function))


def _conditions(workflow: Workflow, stage: Stage) -> Iterator[str]:
    """Columns of other tables in the condition, the order or the key of a stage."""
    axis = workflow.axes[stage.axis]
    tables = [workflow.records, axis.table]
    asked = {"only_if": [] if stage.only_if is None else [stage.only_if], "order": list(stage.order)}
    if stage.per_key is not None and isinstance(stage.per_key[0], str):
        if not any(stage.per_key[0] in table.c for table in tables):
            yield f"stage {stage.name}: per_key names {stage.per_key[0]!r}, which {axis.table.name!r} does not have"
    elif stage.per_key is not None:
        asked["per_key"] = [stage.per_key[0]]
    for option, expressions in asked.items():
        for column in (name for one in expressions for name in columns_elsewhere(one, tables)):
            yield (
                f"stage {stage.name}: {option} names {column}, a column of another table; "
                "ask for it in a subquery: exists().where(…)"
            )


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
            yield f"stage {stage.name}: machine {machine.name} has no state {state_text(state)}"
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
            yield f"stage {stage.name}: its {purpose} move {state_text(old)} → {state_text(new)} is not in machine {machine.name}"
        elif edge.kind == "retry":
            yield f"stage {stage.name}: {state_text(old)} → {state_text(new)} is a retry move; only app.retry takes it"
        elif edge.kind == "timer":
            yield f"stage {stage.name}: {state_text(old)} → {state_text(new)} is made by its timer only; declare it plainly too"
        elif edge.kind == "operator" and purpose != "done":
            yield f"stage {stage.name}: {state_text(old)} → {state_text(new)} is an operator's move; a stage takes one only as its done"


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


def _states(workflow: Workflow, axis: str, states: tuple[State, ...], rule_text: str) -> Iterator[str]:
    if axis not in workflow.axes:
        near = did_you_mean(axis, list(workflow.axes)) or f"There is {', '.join(workflow.axes)}."
        yield f"rule {rule_text} names the axis {axis!r}, which does not exist. {near}"
        return
    machine = workflow.axes[axis].machine
    for state in states:
        if state not in machine.states:
            near = did_you_mean(state, machine.states) or f"It has {join_states(machine.states)}."
            yield f"rule {rule_text} names the state {state_text(state)}, which machine {machine.name} does not have. {near}"


def _rule(workflow: Workflow, rule: Rule) -> Iterator[str]:
    rule_text = str(rule)
    problems = list(_states(workflow, rule.axis, rule.states, rule_text))
    for axis, states in (rule.required or {}).items():
        problems += _states(workflow, axis, states, rule_text)
    if rule.target is not None and rule.mapping is not None:
        problems += _states(
            workflow, rule.target, tuple(rule.mapping) + tuple(rule.mapping.values()), rule_text
        )
        if not problems:
            machine = workflow.axes[rule.target].machine
            for old, new in rule.mapping.items():
                edge = machine.edge(old, new)
                if edge is None or edge.kind != "plain":
                    problems.append(
                        f"rule {rule_text} drives {state_text(old)} → {state_text(new)}, which machine {machine.name} does not allow"
                    )
        if rule.target == rule.axis:
            problems.append(f"rule {rule_text} moves its own axis")
    problems += _own_row(workflow, rule, rule_text)
    problems += [
        f"rule {rule_text} has {word}=…, which is a word of requires() here and also the name of an axis"
        for word in ("says", "code")
        if word in workflow.axes and getattr(rule, word) is not None
    ]
    if rule.target is None and rule.moment == "entering":
        problems += [
            f"rule {rule_text} stands on the failed state {stage.failed}: a refusal would have nowhere to go"
            for stage in workflow.stages.values()
            if stage.axis == rule.axis and stage.failed in rule.states
        ]
    yield from problems


def _own_row(workflow: Workflow, rule: Rule, rule_text: str) -> Iterator[str]:
    """Conditions of a rule that are none, or that name columns of other tables."""
    for condition in rule.own_row:
        if not is_condition(condition):
            yield (
                f"rule {rule_text} requires {short(condition)}, which is not a condition on a column, "
                "such as items.c.author != bindparam('actor')"
            )
        elif not workflow.reflected:
            tables = [workflow.records, *(axis.table for axis in workflow.axes.values())]
            for column in columns_elsewhere(condition, tables):
                yield (
                    f"rule {rule_text} names {column}, a column of another table; ask for it in a subquery: exists().where(…)"
                )


def _gates(workflow: Workflow) -> Iterator[str]:
    seen: set[tuple[str, str]] = set()
    for gate in workflow.gates:
        if (gate.to, gate.name) in seen:
            yield f"two gates before {gate.to} are both named {gate.name}"
        seen.add((gate.to, gate.name))
        machine = workflow.axes[gate.axis].machine
        if not any(edge.to == gate.to for _, edge in machine.pairs()):
            yield f"gate {gate.name} stands before {gate.to}, which no move of machine {machine.name} enters"
        for stage in workflow.stages.values():
            if stage.axis == gate.axis and gate.to in (stage.failed, stage.terminal):
                yield f"gate {gate.name} stands before the failed state {gate.to}: a refusal would have nowhere to go"
