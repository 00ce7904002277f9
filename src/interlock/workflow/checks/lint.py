"""What is wrong with a workflow before it has run: refusals that stop an app, and findings worth a look."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Enum, Integer, String
from sqlalchemy.types import TypeDecorator

from ...errors import state_text
from ...machine import Machine, State
from ...machine.suggest import did_you_mean, join_states
from ..adopt import refusals as adoption_refusals
from ..extension import Extension
from ..rules import Rule
from ..stage import Stage
from ..workflow import Workflow
from .options import (
    arguments_wanted,
    awaited_by_nobody,
    columns_elsewhere,
    is_condition,
    parameters_wanted,
    short,
)
from .problem import Problem, nearest

SUBQUERY = "Ask for a column of another table in a subquery: exists().where(…)."
FILLED_IN = ("actor", "role", "scope")
"""Parameters of conditions that get their values from who moves what."""
PARAMETERS = {"what was loaded": "loaded", "works and results": "results"}
"""How parameters are named whose argument is described in words."""


def refusals(workflow: Workflow) -> list[Problem]:
    """Declarations that cannot work; an app with any of them does not start."""
    if not isinstance(workflow.extension, Extension):
        return [_not_an_extension(workflow)]  # type: ignore[unreachable]
    found: list[Problem] = []
    found += _status_columns(workflow)
    for stage in workflow.stages.values():
        found += [*_stage(workflow, stage), *_calls(stage)]
        found += [] if workflow.reflected else _conditions(workflow, stage)
    found += _hooks(workflow)
    for rule in workflow.rules:
        if not isinstance(rule, Rule):
            return [problem.of(workflow.name) for problem in [*found, _not_a_rule(rule)]]  # type: ignore[unreachable]
        found += _rule(workflow, rule)
    found += _gates(workflow)
    for axis in workflow.axes.values():
        found += adoption_refusals(workflow, axis)
    found += [] if workflow.reflected else _columns(workflow)
    return [problem.of(workflow.name) for problem in found]


def _not_an_extension(workflow: Workflow) -> Problem:
    kind = type(workflow.extension).__name__
    return Problem(
        f"{workflow.name}: extension is an Extension, not {kind}",
        "Write extension=Extension(routes=…, commands=…), from interlock.",
    )


def _columns(workflow: Workflow) -> Iterator[Problem]:
    """Columns that options of the workflow name and that the record does not have, or that only the engine writes."""
    columns, table = list(workflow.records.c.keys()), workflow.records.name
    own = [name for name in columns if name not in workflow.fixed_columns]
    for option, names, known in (
        ("private", sorted(workflow.private), columns),
        ("kept_when_erased", workflow.kept_when_erased, columns),
        ("natural key", workflow.unique, columns),
        ("amendable", sorted(workflow.amendable), own),
    ):
        for name in names:
            if name not in columns:
                yield Problem(
                    f"{option} names {name!r}, which {table!r} does not have", nearest(name, own or columns)
                )
            elif name not in known:
                yield Problem(
                    f"{option} names {name!r}, which only the engine writes",
                    "Leave it out: statuses change by app.move(), and the engine keeps the rest.",
                )


def findings(workflow: Workflow) -> list[str]:
    """Everything that `machine lint` prints: the refusals, and what is legal but probably not meant."""
    sentences: list[str] = list(refusals(workflow))
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


def _not_a_rule(rule: object) -> Problem:
    return Problem(
        f"{short(rule) if callable(rule) else type(rule).__name__} among the rules is not a rule: it needs a consequence",
        'Write entering(status="packed").requires(…) or entering(status="packed").moves(…).',
    )


def _calls(stage: Stage) -> Iterator[Problem]:
    """What is wrong with the functions of a stage, by how they are called."""
    if inspect.isgeneratorfunction(stage.function) or inspect.isasyncgenfunction(stage.function):
        yield Problem(
            f"stage {stage.name}: its function yields; a stage returns one outcome",
            "Return Done(…), Failed(…) or Again(…) instead of yield.",
        )
    loaded = stage.loader is not None or stage.group_loader is not None
    wanted = ("work", "what was loaded") if loaded else ("work",)
    yield from _arguments(f"stage {stage.name}: its function", stage.function, wanted)
    for word, function, called in (
        ("load", stage.loader, ("tx", "work")),
        ("load_many", stage.group_loader, ("tx", "works")),
        ("save", stage.saver, ("tx", "work", "result")),
        ("save_many", stage.group_saver, ("tx", "works and results")),
        ("recheck", stage.rechecker, ("tx", "work")),
    ):
        yield from _called(f"stage {stage.name}: its {word} function", function, called)


def _arguments(owner: str, function: Any, called: Sequence[str]) -> Iterator[Problem]:
    """What is wrong with the parameters of a function that is called with these arguments."""
    if problem := arguments_wanted(function, called):
        parameters = ", ".join(PARAMETERS.get(name, name) for name in called)
        yield Problem(f"{owner} {problem}", f"Write def {_name(function)}({parameters}): …")


def _called(owner: str, function: Any, called: Sequence[str]) -> Iterator[Problem]:
    """What is wrong with a function that is called inside a transaction; nothing where there is no function."""
    if function is None:
        return
    if not callable(function):
        yield Problem(
            f"{owner} is {short(function)}, which cannot be called", "Put the decorator above a def."
        )
    elif problem := awaited_by_nobody(function):
        yield Problem(f"{owner} {problem}", f"Write def {_name(function)}(…) without async.")
    else:
        yield from _arguments(owner, function, called)


def _hooks(workflow: Workflow) -> Iterator[Problem]:
    """What is wrong with hooks, schedules and gates, by how they are called."""
    for hook in workflow.hooks:
        yield from _called(f"hook {_name(hook.function)}", hook.function, ("tx", "moves"))
    for function in workflow.removal_hooks:
        yield from _called(f"hook {_name(function)}", function, ("tx", "removals"))
    for function in workflow.removed_hooks:
        yield from _called(f"hook {_name(function)}", function, ("app", "answers"))
    for function in workflow.refusal_hooks:
        yield from _called(f"hook {_name(function)}", function, ("tx", "refusals"))
    for schedule in workflow.schedules.values():
        yield from _called(f"schedule {schedule.name}", schedule.function, ("app", "tick"))
    for mirror in workflow.mirrors:
        yield from _called(f"mirror {mirror.name}", mirror.function, ("rows",))
    for gate in workflow.gates:
        called = ("work",) if gate.reads is None else ("work", "what was loaded")
        yield from _arguments(f"gate {gate.name}: its function", gate.function, called)
        yield from _called(f"gate {gate.name}: its load function", gate.loader, ("tx", "work"))
        yield from _called(f"gate {gate.name}: its load_many function", gate.group_loader, ("tx", "works"))


def _name(function: Any) -> str:
    return getattr(function, "__name__", repr(function))


def _conditions(workflow: Workflow, stage: Stage) -> Iterator[Problem]:
    """Columns of other tables in the condition, the order or the key of a stage."""
    axis = workflow.axes[stage.axis]
    tables = [workflow.records, axis.table]
    asked = {"only_if": [] if stage.only_if is None else [stage.only_if], "order": list(stage.order)}
    if stage.per_key is not None and isinstance(stage.per_key[0], str):
        if not any(stage.per_key[0] in table.c for table in tables):
            yield Problem(
                f"stage {stage.name}: per_key names {stage.per_key[0]!r}, which {axis.table.name!r} does not have",
                nearest(stage.per_key[0], workflow.records.c.keys()),
            )
    elif stage.per_key is not None:
        asked["per_key"] = [stage.per_key[0]]
    for option, expressions in asked.items():
        for column in (name for one in expressions for name in columns_elsewhere(one, tables)):
            yield Problem(f"stage {stage.name}: {option} names {column}, a column of another table", SUBQUERY)
        for one in expressions:
            yield from _parameters(f"stage {stage.name}: {option}", one)


def _status_columns(workflow: Workflow) -> Iterator[Problem]:
    """Columns for a status that cannot hold its states, or for its version that cannot hold a number."""
    for axis in () if workflow.reflected else workflow.axes.values():
        kind = axis.table.c[axis.name].type
        if not isinstance(kind, String | Enum) and not isinstance(kind, TypeDecorator):
            yield Problem(
                f"column {axis.table.name}.{axis.name} is {kind!r}, and states are text",
                f'Write Column("{axis.name}", Text) (String and Enum work too), or leave the column out: it is then added.',
            )
        elif unfit := _unfit_states(kind, axis.machine.states):
            yield Problem(
                f"column {axis.table.name}.{axis.name} is {kind!r}, and cannot hold the state{'s' * (len(unfit) > 1)} {', '.join(unfit)}",
                f'Write Column("{axis.name}", Text), or leave the column out: it is then added.',
            )
        version = axis.column("version")
        if not isinstance(version.type, Integer | TypeDecorator):
            yield Problem(
                f"column {axis.table.name}.{version.name} is {version.type!r}, and Interlock counts the moves of {axis.name} there",
                f'Name another column for it: Axis("{axis.name}", …, columns={{"version": "{axis.name}_version"}}).',
            )


def _stage(workflow: Workflow, stage: Stage) -> Iterator[Problem]:
    machine = workflow.axes[stage.axis].machine
    for state in {
        *stage.waiting,
        stage.done,
        *(s for s in (stage.running, stage.failed, stage.terminal) if s is not None),
    }:
        if state not in machine.states:
            yield Problem(
                f"stage {stage.name}: machine {machine.name} has no state {state_text(state)}",
                did_you_mean(state, machine.states) or f"It has {join_states(machine.states)}.",
            )
            return
    yield from _steps(machine, stage)
    yield from _rate_column(workflow, stage)
    if stage.retry and retry_place(machine, stage) is None:
        yield Problem(
            f"stage {stage.name}: the machine has no state in which a record can wait for its next try",
            f"{_missing_move(stage)}, or write retry_in='runner': the next try is then made in the same attempt.",
        )
    elif stage.retry_in is not None and not _fits(machine, stage, stage.retry_in):
        yield Problem(
            f"stage {stage.name}: retry_in={stage.retry_in!r} needs a move that machine {machine.name} does not have",
            f"{_missing_move(stage)}, or leave retry_in out: it follows from the machine.",
        )
    earlier = list(workflow.stages.values())[: list(workflow.stages.values()).index(stage)]
    for other in earlier:
        if other.axis == stage.axis and stage.running is not None and other.running == stage.running:
            yield Problem(
                f"stages {other.name} and {stage.name} share the running state {stage.running}",
                "Give each stage a running state of its own: a lost attempt could not be told apart.",
            )


def _missing_move(stage: Stage) -> str:
    """The move that lets a record wait for its next try, as a hint without its full stop."""
    left = stage.failed if stage.failed is not None else stage.running
    return f"Add the move {state_text(left)} → {state_text(stage.declared_waiting)} to the machine"


def _unfit_states(kind: Any, states: Iterable[State]) -> list[str]:
    """The states that are too long for a column of this type, or that it does not list."""
    named = [state for state in states if state is not None]
    if isinstance(kind, Enum):
        return [str(state) for state in named if str(state) not in kind.enums]
    length = kind.length if isinstance(kind, String) else None
    return [str(state) for state in named if length is not None and len(state) > length]


def _rate_column(workflow: Workflow, stage: Stage) -> Iterator[Problem]:
    axis = workflow.axes[stage.axis]
    if stage.rate_per is not None and not workflow.reflected and axis.own_column(stage.rate_per[0]) is None:
        yield Problem(
            f"stage {stage.name}: rate_per names {stage.rate_per[0]}, which is no column of {axis.table.name!r}",
            "Axis(copies=…) keeps a copy of a column of the record there."
            if axis.scoped
            else nearest(str(stage.rate_per[0]), axis.table.c.keys()),
        )


def _steps(machine: Machine, stage: Stage) -> Iterator[Problem]:
    """Moves of the stage that its machine does not let a stage make."""
    for old, new, purpose in stage.steps():
        edge, move = machine.edge(old, new), f"{state_text(old)} → {state_text(new)}"
        if old == new:
            yield Problem(
                f"stage {stage.name}: its {purpose} move {move} leads nowhere",
                f"Name another state than {state_text(old)}; without running=… a record stays where it waits.",
            )
        elif edge is None:
            yield Problem(
                f"stage {stage.name}: its {purpose} move {move} is not in machine {machine.name}",
                f"Add {state_text(new)} to the moves from {state_text(old)}, or name other states. "
                f"{_leads(machine, old)}.",
            )
        elif edge.kind == "retry":
            yield Problem(
                f"stage {stage.name}: {move} is a retry move; only app.retry() makes it",
                "Declare it as a plain move, without retry(…), if a stage makes it.",
            )
        elif edge.kind == "timer":
            yield Problem(
                f"stage {stage.name}: {move} is made by its timer only",
                "Declare it as a plain move too, beside after(…).",
            )
        elif edge.kind == "operator" and purpose != "done":
            yield Problem(
                f"stage {stage.name}: its {purpose} move {move} is an operator's move, which only a person makes",
                "Declare it as a plain move; a stage may make an operator's move only as its done.",
            )


def _leads(machine: Machine, state: State) -> str:
    """Where a state leads, as a sentence without its full stop."""
    following = machine.next_states(state)
    return (
        f"From {state_text(state)} lead {join_states(following)}"
        if following
        else f"{state_text(state)} is final"
    )


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
    left = stage.failed if stage.failed is not None else stage.running
    edge = machine.edge(left, stage.declared_waiting)
    return edge is not None and edge.kind == "plain"


def _states(workflow: Workflow, axis: str, states: tuple[State, ...], rule_text: str) -> Iterator[Problem]:
    if axis not in workflow.axes:
        yield Problem(
            f"rule {rule_text} names the axis {axis!r}, which does not exist", nearest(axis, workflow.axes)
        )
        return
    machine = workflow.axes[axis].machine
    for state in states:
        if state not in machine.states:
            yield Problem(
                f"rule {rule_text} names the state {state_text(state)}, which machine {machine.name} does not have",
                did_you_mean(state, machine.states) or f"It has {join_states(machine.states)}.",
            )


def _rule(workflow: Workflow, rule: Rule) -> Iterator[Problem]:
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
                        Problem(
                            f"rule {rule_text} drives {state_text(old)} → {state_text(new)}, which machine {machine.name} does not allow",
                            f"A rule makes plain moves only. {_leads(machine, old)}.",
                        )
                    )
        if rule.target == rule.axis:
            problems.append(Problem(f"rule {rule_text} moves its own axis", "Name another axis in moves(…)."))
    problems += _own_row(workflow, rule, rule_text)
    problems += [
        Problem(
            f"rule {rule_text} has {word}=…, which is a word of requires() here and also the name of an axis",
            f"Rename the axis {word!r}: requires({word}=…) cannot mean it.",
        )
        for word in ("says", "code")
        if word in workflow.axes and getattr(rule, word) is not None
    ]
    if rule.target is None and rule.moment == "entering":
        problems += [
            Problem(
                f"rule {rule_text} conditions the failed state {stage.failed}: a refusal would have nowhere to go",
                "Require it before the state in which the stage waits or is done.",
            )
            for stage in workflow.stages.values()
            if stage.axis == rule.axis and stage.failed in rule.states
        ]
    yield from problems


def _own_row(workflow: Workflow, rule: Rule, rule_text: str) -> Iterator[Problem]:
    """Conditions of a rule that are none, or that name columns of other tables."""
    for condition in rule.own_row:
        if not is_condition(condition):
            yield Problem(
                f"rule {rule_text} requires {short(condition)}, which is not a condition on a column",
                'Write a state of another axis, or a condition: requires(items.c.author != bindparam("actor")).',
            )
        elif not workflow.reflected:
            tables = [workflow.records, *(axis.table for axis in workflow.axes.values())]
            for column in columns_elsewhere(condition, tables):
                yield Problem(f"rule {rule_text} names {column}, a column of another table", SUBQUERY)
        if is_condition(condition):
            yield from _parameters(f"rule {rule_text}", condition)


def _parameters(owner: str, condition: Any) -> Iterator[Problem]:
    """Parameters of a condition to which nothing gives a value: it would never hold."""
    for name in parameters_wanted(condition):
        if name not in FILLED_IN:
            yield Problem(
                f"{owner} asks for the parameter {name!r}, to which nothing gives a value",
                f"{did_you_mean(name, FILLED_IN)} There is {', '.join(FILLED_IN)}.".strip(),
            )


def _gates(workflow: Workflow) -> Iterator[Problem]:
    seen: set[tuple[str, str]] = set()
    for gate in workflow.gates:
        if (gate.to, gate.name) in seen:
            yield Problem(
                f"two gates before {gate.to} are both named {gate.name}",
                "Give each function a name of its own.",
            )
        seen.add((gate.to, gate.name))
        machine = workflow.axes[gate.axis].machine
        if not any(edge.to == gate.to for _, edge in machine.pairs()):
            yield Problem(
                f"gate {gate.name} stands before {gate.to}, which no move of machine {machine.name} enters",
                "Name a state that some move leads to; records are admitted to the initial state without a gate.",
            )
        for stage in workflow.stages.values():
            if stage.axis == gate.axis and gate.to in (stage.failed, stage.terminal):
                yield Problem(
                    f"gate {gate.name} stands before the failed state {gate.to}: a refusal would have nowhere to go",
                    f"Put the gate before {state_text(stage.done)}, where the stage {stage.name} is done.",
                )
