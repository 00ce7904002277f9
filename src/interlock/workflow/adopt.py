"""What a team declares about rows that were there before Interlock: which of them are adopted, and in which state each begins. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Select

from ..errors import BadDeclaration, UnknownState, state_text
from ..machine import State
from ..machine.suggest import did_you_mean, join_states
from .checks.problem import Problem, nearest
from .durations import Span, span

if TYPE_CHECKING:
    from .axis import Axis
    from .workflow import Workflow

_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
BY_VALUE = "value"
"""The rule of rows in place that no declared rule matches: their own status, trimmed, names a state or an alias in any case."""
BLANKS = " \t\n\r\v\f"
"""What is trimmed from a status; a trigger of PostgreSQL trims the same."""
Declared = Sequence[Any]


@dataclass(frozen=True)
class AdoptRule:
    """Rows for which `condition` holds begin in `state`, with these values of columns: constants, or SQL over the record."""

    name: str
    condition: Any
    state: State
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Began:
    """Columns that the engine sets when a row is adopted in a state: to the instant, to a constant, or to an instant so much later."""

    now: tuple[str, ...]
    constants: Mapping[str, Any]
    later: tuple[tuple[str, timedelta], ...]


class Adopt:
    """How rows that were there before Interlock get their first entry.

    - `rules` are `(name, condition, state)` or `(name, condition, state, values)`; the first that matches wins. In place, a row that no
      rule matches begins in the state that its own status names, trimmed, in any case, aliases included.
    - `targets` selects the (record id, scope) rows that shall be adopted beside the records; without it the status is adopted in place.
    - `take_over` lets rows begin in the running state of a stage: the sweep gives them a new attempt.
    - `quiet` is how long nothing may have been written past Interlock, and nothing may have differed, before guards are tightened.
    - `flags` names columns of the record that `adopt drop-flags` removes in the last phase.
    """

    def __init__(
        self,
        name: str,
        *,
        rules: Sequence[Declared] = (),
        targets: Select[Any] | None = None,
        take_over: bool = False,
        quiet: Span = "10m",
        flags: Sequence[str] = (),
    ) -> None:
        if not _NAME.fullmatch(name):
            raise BadDeclaration(
                f"adoption name {name!r} must be 1 to 40 letters, digits, - or _",
                hint='Such as Adopt("legacy", …): it is part of the cause of first entries.',
            )
        self.name, self.targets, self.take_over, self.flags = name, targets, take_over, tuple(flags)
        self.quiet = span(quiet)
        self.rules = tuple(_rule(name, one) for one in rules)
        names = [rule.name for rule in self.rules]
        if len(set(names)) != len(names) or BY_VALUE in names:
            raise BadDeclaration(
                f"adoption {name}: two rules have the same name, or one is named {BY_VALUE!r}",
                hint=f"Give each rule a name of its own; {BY_VALUE!r} is kept for rows that their own status decides.",
            )

    @property
    def in_place(self) -> bool:
        """Whether the status stays where it is; else new state rows are made beside the records."""
        return self.targets is None

    def cause(self, rule: str) -> str:
        """What the first entries of rows that this rule adopted name as their cause."""
        return f"adopt.{self.name}.{rule}"

    @property
    def legacy_cause(self) -> str:
        """What entries of writes past Interlock name as their cause."""
        return f"adopt.{self.name}"

    def rule(self, name: str) -> AdoptRule | None:
        return next((rule for rule in self.rules if rule.name == name), None)

    def __repr__(self) -> str:
        return f"Adopt({self.name!r})"


def _rule(adoption: str, declared: Declared) -> AdoptRule:
    if isinstance(declared, AdoptRule):
        return declared
    if (
        not isinstance(declared, tuple | list)
        or len(declared) not in (3, 4)
        or not isinstance(declared[0], str)
    ):
        raise BadDeclaration(
            f"adoption {adoption}: {declared!r:.100} is not a rule",
            hint="Write (name, condition, state) or (name, condition, state, values).",
        )
    name, condition, state, *values = declared
    if not _NAME.fullmatch(name):
        raise BadDeclaration(
            f"adoption {adoption}: rule name {name!r} must be 1 to 40 letters, digits, - or _",
            hint='Such as ("paid", orders.c.paid_at.is_not(None), "paid").',
        )
    return AdoptRule(
        name, condition, None if state is None else str.__str__(state), dict(values[0]) if values else {}
    )


def refusals(workflow: Workflow, axis: Axis) -> Iterator[Problem]:
    """What cannot work about an axis's adoption."""
    adopt = axis.adopt
    if adopt is None:
        return
    where = f"axis {axis.name}: adoption {adopt.name}"
    if not adopt.in_place and not axis.scoped:
        yield Problem(
            f"{where}: targets=… makes state rows beside the records, and needs a scoped axis",
            "Leave targets out, or give the axis scope=(…) and table=….",
        )
    if adopt.in_place and axis.scoped:
        yield Problem(
            f"{where}: a scoped axis needs targets=…, the (record id, scope) rows that shall be adopted",
            'Write targets=select(items.c.id, literal("de")): one row for each state row that shall exist.',
        )
    if not adopt.in_place and not adopt.rules:
        yield Problem(
            f"{where}: rows beside the records need rules",
            "Write rules=[(name, condition, state)]: the first condition that holds decides.",
        )
    for rule in adopt.rules:
        yield from _rule_refusals(workflow, axis, adopt, rule, f"{where}: rule {rule.name}")


def _rule_refusals(
    workflow: Workflow, axis: Axis, adopt: Adopt, rule: AdoptRule, where: str
) -> Iterator[Problem]:
    if rule.state not in axis.machine.states:
        yield Problem(
            f"{where}: machine {axis.machine.name} has no state {state_text(rule.state)}",
            did_you_mean(rule.state, axis.machine.states) or f"It has {join_states(axis.machine.states)}.",
        )
        return
    if is_running(workflow, axis, rule.state) and not adopt.take_over:
        yield Problem(
            f"{where} leads into the running state {rule.state}",
            "Write take_over=True: the sweep then gives such rows a new attempt.",
        )
    kept = {axis.column_name(name) for name in ("status", "version", "head")}
    for column in rule.values:
        if not workflow.reflected and column not in axis.table.c:
            yield Problem(
                f"{where} gives {column!r}, which {axis.table.name!r} does not have",
                nearest(column, axis.table.c.keys()),
            )
        elif column in kept:
            yield Problem(
                f"{where} gives {column!r}, which the engine sets itself", "Leave it out of the values."
            )
    if lacks_origin(workflow, axis, rule.state) and axis.column_name("failed_from") not in rule.values:
        yield Problem(
            f"{where}: several stages fail into {rule.state}, so it is not known which of them failed",
            f"Give {axis.column_name('failed_from')!r} in the values: the state where a retry goes back to.",
        )


def is_running(workflow: Workflow, axis: Axis, state: State) -> bool:
    """Whether a stage of this axis runs in the state."""
    return state is not None and any(
        stage.axis == axis.name and stage.running == state for stage in workflow.stages.values()
    )


def failed_stages(workflow: Workflow, axis: Axis, state: State) -> list[State]:
    """The waiting states of the stages whose failures rest in this state."""
    return [
        stage.declared_waiting
        for stage in workflow.stages.values()
        if stage.axis == axis.name and state is not None and state in (stage.failed, stage.terminal)
    ]


def lacks_origin(workflow: Workflow, axis: Axis, state: State) -> bool:
    """Whether it cannot be known which stage failed into this state."""
    return len(set(failed_stages(workflow, axis, state))) > 1


def began(workflow: Workflow, axis: Axis, state: State) -> Began:
    """What the engine sets of a row that is adopted in this state. Stamps and errors stay as they are: they are the team's own."""
    stages = [stage for stage in workflow.stages.values() if stage.axis == axis.name]
    now = [axis.column_name("since")]
    constants: dict[str, Any] = {}
    later: tuple[tuple[str, timedelta], ...] = ()
    if axis.has("updated_at"):
        now.append(axis.column_name("updated_at"))
    if axis.has("ready_at"):
        if any(state in stage.waiting for stage in stages):
            now.append(axis.column_name("ready_at"))
        else:
            constants[axis.column_name("ready_at")] = None
    if axis.has("failed_from"):
        waiting = set(failed_stages(workflow, axis, state))
        constants[axis.column_name("failed_from")] = waiting.pop() if len(waiting) == 1 else None
    if axis.has("attempt") and is_running(workflow, axis, state):
        constants[axis.column_name("attempt")] = 1
    if axis.machine.timers:
        column, timer = axis.column_name("timer_at"), axis.machine.timers.get(state)
        if timer is None or timer.after is None:
            constants[column] = None
        else:
            later = ((column, timer.after),)
    return Began(tuple(dict.fromkeys(now)), constants, later)


def match_value(axis: Axis, raw: str | None) -> tuple[bool, State]:
    """Whether a status names a state, trimmed and in any case, aliases included, and which."""
    machine = axis.machine
    if raw is None or (not raw.strip(BLANKS) and raw not in machine.states):
        return None in machine.states, None
    for spelling in (raw, raw.strip(BLANKS)):
        try:
            return True, machine.resolve(spelling)
        except UnknownState:
            continue
    return False, None


def spellings(axis: Axis) -> dict[str, State]:
    """Every name of a state and every alias in lower case, where it names exactly one state; a state's own name comes before an alias. An
    empty status is null, where the machine has that state."""
    machine = axis.machine
    by_name = _by_lower_name([(state, state) for state in machine.states if state is not None])
    names = {**_by_lower_name(machine.aliases.items()), **by_name}
    if None in machine.states:
        names.setdefault("", {None})
    return {name: states.pop() for name, states in sorted(names.items()) if len(states) == 1}


def _by_lower_name(named: Iterable[tuple[str, State]]) -> dict[str, set[State]]:
    names: dict[str, set[State]] = {}
    for name, state in named:
        names.setdefault(name.strip(BLANKS).lower(), set()).add(state)
    return names
