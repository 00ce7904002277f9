"""May this record make this move, and what moves with it? Pure: a row as it was read goes in, steps or a refusal come out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import (
    InterlockError,
    InvalidStateTransition,
    MovedByStages,
    NotPermitted,
    RuleRefused,
    UnknownState,
    state_text,
)
from ..machine import TIMER, Edge, Machine, State
from ..store.guarded import MIGRATORS
from ..store.plan import STAYING
from ..workflow import Axis, Rule, Workflow


@dataclass(frozen=True)
class Planned:
    """One move of one axis: its origin says who asked, its cause what happened."""

    axis: str
    old: State
    new: State
    origin: str
    cause: str | None


@dataclass(frozen=True)
class FollowUp:
    """A rule moves an axis that lives in another table: done after this one, in the same transaction."""

    rule: Rule
    target: str
    mapping: Mapping[State, State]
    cause: str


@dataclass
class Judgement:
    """What will happen to a row in this situation; `compared` are the axes whose versions must not have changed meanwhile."""

    steps: list[Planned] = field(default_factory=list)
    compared: set[str] = field(default_factory=set)
    conditions: list[int] = field(default_factory=list)
    follow_ups: list[FollowUp] = field(default_factory=list)
    unchanged: bool = False
    refusal: InterlockError | None = None


@dataclass(frozen=True)
class Situation:
    """Where a row stands: the state of each axis that lives in it, and which numbered conditions of rules hold."""

    states: Mapping[str, State]
    holds: tuple[bool, ...]
    conditions: Mapping[Rule, tuple[int, ...]]


def judge(
    workflow: Workflow,
    axis: Axis,
    new: State,
    situation: Situation,
    *,
    role: str | None,
    reason: str | None,
    origin: str,
    cause: str | None,
    by_engine: bool = False,
) -> Judgement:
    """The whole of what this move means for a row in this situation."""
    old = situation.states[axis.name]
    judgement = Judgement(compared={axis.name})
    if old == new and origin not in STAYING:
        judgement.unchanged = True
        return judgement
    try:
        if origin == "move" and not by_engine:
            refuse_people(axis, old, new)
        kind = (
            origin
            if origin in STAYING
            else permitted(
                axis.machine,
                old,
                new,
                role=role,
                reason=reason,
                origin=origin,
                timed=by_engine and cause == TIMER,
            )
        )
        states = dict(situation.states)
        _take(workflow, Planned(axis.name, old, new, kind, cause), states, situation, judgement)
    except InterlockError as refusal:
        return Judgement(refusal=refusal)
    return judgement


def refuse_people(axis: Axis, old: State, new: State) -> None:
    """Raise where only stages, rules, retry and cancel move the axis; edges declared with operator(…) are people's by name."""
    edge = axis.machine.edge(old, new)
    if axis.moved_by == "stages" and edge is not None and edge.kind == "plain":
        raise MovedByStages(
            axis.machine.name,
            old,
            new,
            axis.machine.next_states(old),
            role="operator",
            why=(
                f"{axis.kind}: {axis.name} is moved by stages, rules, retry and cancel; "
                f"no person moves it {state_text(old)} → {state_text(new)}"
            ),
        )


def permitted(
    machine: Machine,
    old: State,
    new: State,
    *,
    role: str | None,
    reason: str | None,
    origin: str,
    timed: bool = False,
) -> str:
    """The origin under which the move may be made; raises what is wrong with it. `timed`: a timer that is due asks for it."""
    if origin == "migration":
        return planned(machine, old, new, role=role, reason=reason)
    if origin == "override":
        return overridden(machine, old, new, role=role, reason=reason)
    if old not in machine.states and new in machine.states:
        raise stranded(machine, old, new)
    machine.check(old, new)
    edge = machine.edge(old, new)
    kind = "plain" if edge is None else edge.kind
    if edge is not None and edge.after is not None and (timed or kind == "timer"):
        return _by_timer(machine, old, edge, origin, timed=timed)
    return (
        origin
        if kind == "plain" and origin != "retry"
        else _by_kind(machine, old, new, edge, origin, role, reason)
    )


def _by_kind(
    machine: Machine,
    old: State,
    new: State,
    edge: Edge | None,
    origin: str,
    role: str | None,
    reason: str | None,
) -> str:
    """The origin of a retry, or of a move along an edge that is not plain; raises what is wrong with it."""
    kind = "plain" if edge is None else edge.kind
    legal = machine.next_states(old)
    way = f"{machine.name}: {state_text(old)} → {state_text(new)}"
    if kind == "retry" and origin != "retry":
        raise NotPermitted(
            machine.name,
            old,
            new,
            legal,
            why=f"{way} is a retry, and only a retry takes it",
            hint="Use app.retry(…) or `interlock record retry`.",
        )
    if origin == "retry" and kind != "retry":
        raise InvalidStateTransition(machine.name, old, new, legal, why=f"{way} is not a retry move")
    if kind != "operator":
        return origin
    wanted = edge.role if edge is not None and edge.role else "operator"
    if role != wanted and role != "admin":
        raise NotPermitted(
            machine.name,
            old,
            new,
            legal,
            why=f'{way} needs role="{wanted}"; {_describe_role(role)}',
            hint=f'A person who has it asks with role="{wanted}" and a reason.',
            role=wanted,
        )
    if not reason:
        raise NotPermitted(
            machine.name,
            old,
            new,
            legal,
            why=f"{way} needs a reason",
            hint='Say why: reason="…".',
            role=wanted,
        )
    return "operator"


def _describe_role(role: str | None) -> str:
    return f'the role was "{role}"' if role else "no role was given"


def _by_timer(machine: Machine, old: State, edge: Edge, origin: str, *, timed: bool) -> str:
    """The origin of a move that a timer makes; raises where anybody else asks for a move that only the timer makes."""
    if not timed:
        why = f"{machine.name}: {state_text(old)} → {state_text(edge.to)} is made by its timer only, {edge.words}"
        raise NotPermitted(
            machine.name,
            old,
            edge.to,
            machine.next_states(old),
            why=why,
            hint="Wait for it, or declare the same move plainly too: people and stages may then make it.",
        )
    return origin


def overridden(machine: Machine, old: State, new: State, *, role: str | None, reason: str | None) -> str:
    """An operator's own move on an axis that stages move: any edge that is not a retry, with a role and a reason."""
    permitted(machine, old, new, role=role, reason=reason, origin="move")
    move = f"{machine.name}: an override of {state_text(old)} → {state_text(new)} needs"
    if role not in MIGRATORS:
        raise NotPermitted(
            machine.name,
            old,
            new,
            machine.next_states(old),
            role="operator",
            why=f"{move} the role {' or '.join(MIGRATORS)}; {_describe_role(role)}",
        )
    if not reason:
        raise NotPermitted(
            machine.name, old, new, machine.next_states(old), why=f"{move} a reason", role="operator"
        )
    return "operator"


def planned(machine: Machine, old: State, new: State, *, role: str | None, reason: str | None) -> str:
    """A line of a migration plan needs no edge; it needs a state to arrive in, a role and a reason."""
    if new not in machine.states:
        machine.check(machine.initial, new)
    way = f"{machine.name}: a plan that leads from {state_text(old)} to {state_text(new)} needs"
    if role not in MIGRATORS:
        raise NotPermitted(
            machine.name, old, new, (), why=f"{way} the role {' or '.join(MIGRATORS)}, not {role or 'none'}"
        )
    if not reason:
        raise NotPermitted(machine.name, old, new, (), why=f"{way} a reason")
    return "migration"


def stranded(machine: Machine, old: State, new: State) -> UnknownState:
    """The error for a record whose state this version of the machine does not have: the move that was asked for is not at fault."""
    why = (
        f"the record stands in {state_text(old)}, which this version of machine {machine.name} does not have"
    )
    hint = (
        "Another version of the code may know it: `interlock machine diff` compares. `interlock machine migrate` moves records out of "
        "states that were lost."
    )
    return UnknownState(machine.name, old, new, (), why=why, hint=hint, state=old, known=list(machine.states))


def _take(
    workflow: Workflow, planned: Planned, states: dict[str, State], situation: Situation, judgement: Judgement
) -> None:
    """Plan one step, then what it requires and drives; a driven step is judged by where the row will stand."""
    if any(step.axis == planned.axis for step in judgement.steps):
        raise RuleRefused(f"{workflow.name}: rules move {planned.axis} twice in one act", axis=planned.axis)
    states[planned.axis] = planned.new
    judgement.steps.append(planned)
    judgement.compared.add(planned.axis)
    fired = [
        rule for rule in workflow.rules if rule.axis == planned.axis and rule.fires(planned.old, planned.new)
    ]
    for rule in fired:
        if rule.target is None:
            _require(workflow, rule, states, situation, judgement)
    for rule in fired:
        if rule.target is not None:
            _drive(workflow, rule, planned, states, situation, judgement)


def _require(
    workflow: Workflow, rule: Rule, states: Mapping[str, State], situation: Situation, judgement: Judgement
) -> None:
    for name, wanted in (rule.required or {}).items():
        if name in states:
            judgement.compared.add(name)
            if states[name] not in wanted:
                states_wanted = " or ".join(state_text(state) for state in wanted)
                raise refused_by(
                    workflow,
                    rule,
                    f"{rule.moment} {rule.axis} needs {name} to be {states_wanted}; it is {state_text(states[name])}",
                    axis=name,
                    state=states[name],
                )
    for number in situation.conditions.get(rule, ()):
        judgement.conditions.append(number)
        if not situation.holds[number]:
            raise refused_by(workflow, rule, f"{rule} does not hold")


def refused_by(workflow: Workflow, rule: Rule, why: str, **facts: Any) -> RuleRefused:
    """The refusal of a requirement: in the team's own words where it declares any, with its code among the facts."""
    wording = {"says": rule.says, "rule_code": rule.code}
    return RuleRefused(
        f"{workflow.name}: {rule.own_words or why}",
        rule=str(rule),
        **facts,
        **{name: value for name, value in wording.items() if value is not None},
    )


def _drive(
    workflow: Workflow,
    rule: Rule,
    planned: Planned,
    states: dict[str, State],
    situation: Situation,
    judgement: Judgement,
) -> None:
    target, mapping = rule.target or "", rule.mapping or {}
    cause = f"rule.{rule.moment}.{planned.axis}.{state_text(planned.new if rule.moment == 'entering' else planned.old)}"
    if target not in states:
        judgement.follow_ups.append(FollowUp(rule, target, mapping, cause))
        return
    judgement.compared.add(target)
    old = states[target]
    if old in mapping and mapping[old] != old:
        _take(workflow, Planned(target, old, mapping[old], "rule", cause), states, situation, judgement)
