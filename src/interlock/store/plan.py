"""Compiles what is known of a move before any row is read: one `MovePlan` for each axis, target state and origin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from sqlalchemy import Dialect

from ..machine import State
from ..workflow import Axis, Gate, Hook, Mirror, Rule, Workflow
from ..workflow.columns.effects import ends
from .contract import Reading
from .guarded import elsewhere_sql
from .placement import Placement, condition_sql

STAYING = ("amend", "reissue")
"""Origins of entries that lead from a state to itself: nothing is entered, the version steps."""


@dataclass(frozen=True, eq=False)
class MovePlan:
    """Everything about moves of one axis to one state, under one origin, that no row decides.

    `axes` are those of the same row that the move may touch or ask about, the moved one first. `sources` are the states from which anybody
    may come. `entered` are all (axis, state) pairs that the move, or what it drives in this row, may enter.
    """

    workflow: Workflow
    axis: Axis
    to: State
    origin: str
    place: Placement
    axes: tuple[str, ...]
    sources: tuple[State, ...]
    entered: tuple[tuple[str, State], ...]
    reading: Reading
    conditions: Mapping[Rule, tuple[int, ...]]
    """Which numbered conditions of the reading belong to which rule."""
    other_tables: tuple[Placement, ...]
    """Axes in other tables that rules ask about: their rows are locked before the answer is used."""
    drives_elsewhere: bool
    """Whether a rule moves an axis that lives in another table."""
    ends_work: bool
    """Whether the move may end an attempt, here or on an axis that it drives: then work rows are locked first."""

    @cached_property
    def gates(self) -> tuple[Gate, ...]:
        """Gates before any state that may be entered."""
        return tuple(gate for axis, state in self.entered for gate in self.workflow.gates_of(axis, state))

    @cached_property
    def hooks(self) -> tuple[Hook, ...]:
        """Hooks that the move, or what it drives in this row, may call."""
        return tuple(
            hook
            for hook in self.workflow.hooks
            if any(hook.wants(axis, state) for axis, state in self.entered)
        )

    @cached_property
    def mirrors(self) -> tuple[Mirror, ...]:
        """Columns of the record that are computed from what the move changes."""
        return tuple(mirror for name in self.axes for mirror in self.workflow.mirrors_of(name))

    @cached_property
    def wakes(self) -> bool:
        """Whether somebody waits for what is entered: coordinators get a hint then."""
        stages = self.workflow.stages.values()
        if self.origin in STAYING:  # what kept a record from its stage may have been amended
            return any(stage.axis == self.axis.name for stage in stages)
        return any(
            stage.axis == axis and state in stage.waiting for stage in stages for axis, state in self.entered
        )

    @cached_property
    def reads_one_axis(self) -> bool:
        """Whether nothing but the axis itself decides: no rule asks, and none drives."""
        return (
            len(self.axes) == 1
            and not self.conditions
            and not self.other_tables
            and not self.drives_elsewhere
        )

    @cached_property
    def is_direct(self) -> bool:
        """Whether the move can be made without reading the row first: from the only state that leads there, with nothing to ask or call."""
        return (
            self.origin == "move"
            and self.axis.moved_by == "anybody"
            and len(self.sources) == 1
            and self.reads_one_axis
            and not self.gates
            and not self.hooks
            and not self.mirrors
            and self.to not in self.axis.machine.timers  # the statement would have to ask the clock
        )


class Plans:
    """The plans of all workflows on one database, each compiled once."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.place = cache(self._place)
        self._compiled: dict[tuple[Axis, State, str], MovePlan] = {}

    def of(self, workflow: Workflow, axis: Axis, to: State, origin: str = "move") -> MovePlan:
        """The plan of moves of this axis to this state; amendments and re-issues stay where they are, wherever that is."""
        key = (axis, None if origin in STAYING else to, origin)
        plan = self._compiled.get(key)
        if plan is None:
            plan = self._compiled[key] = self._compile(workflow, *key)
        return plan

    def _place(self, workflow: Workflow, axis: Axis) -> Placement:
        return Placement(workflow, axis, self.dialect)

    def _compile(self, workflow: Workflow, axis: Axis, to: State, origin: str) -> MovePlan:
        staying = origin in STAYING
        reach = (
            Reach(workflow, axis) if staying else Reach(workflow, axis, to, any_source=origin == "migration")
        )
        conditions: list[str] = []
        numbers: dict[Rule, tuple[int, ...]] = {}
        others: dict[str, Placement] = {}
        for rule in reach.rules:
            texts = [
                condition_sql(predicate, self.dialect, axis.table, workflow.records)
                for predicate in rule.own_row
            ]
            for name, states in (rule.required or {}).items():
                target = workflow.axes[name]
                if target.table is not axis.table:
                    others[name] = self.place(workflow, target)
                    texts.append(
                        elsewhere_sql(self.place(workflow, axis), self.place(workflow, target), states)
                    )
            if texts:
                numbers[rule] = tuple(range(len(conditions), len(conditions) + len(texts)))
                conditions += texts
        elsewhere = any(
            rule.target is not None and workflow.axes[rule.target].table is not axis.table
            for rule in reach.rules
        )
        reading = Reading(
            tuple(self.place(workflow, workflow.axes[name]) for name in reach.axes), tuple(conditions)
        )
        sources = (
            ()
            if staying
            else tuple(old for old, edge in axis.machine.pairs() if edge.to == to and edge.kind == "plain")
        )
        return MovePlan(
            workflow,
            axis,
            to,
            origin,
            self.place(workflow, axis),
            tuple(reach.axes),
            sources,
            tuple(reach.entered),
            reading,
            numbers,
            tuple(others.values()),
            elsewhere,
            _may_end(workflow, axis, to, reach.axes, origin),
        )


_ELSEWHERE = "\0"
"""Stands for a state that no machine has any more: records are moved out of those, too."""


class Reach:
    """What one move may touch in its own row: the axes it moves or asks about, the states they may enter, and the rules that apply."""

    def __init__(
        self, workflow: Workflow, axis: Axis, to: State = None, *, any_source: bool | None = None
    ) -> None:
        self.axes = [axis.name]
        self.rules: list[Rule] = []
        self.entered: list[tuple[str, State]] = []
        if any_source is not None:  # else nothing is entered
            self._follow(workflow, axis, to, any_source=any_source)

    def _follow(self, workflow: Workflow, axis: Axis, to: State, *, any_source: bool) -> None:
        pending: list[tuple[str, State]] = [(axis.name, to)]
        for name, state in pending:
            if (name, state) not in self.entered:
                self.entered.append((name, state))
            machine = workflow.axes[name].machine
            sources = [old for old, edge in machine.pairs() if edge.to == state]
            for rule in workflow.rules:
                if rule.axis != name or rule in self.rules:
                    continue
                if not any(
                    rule.fires(old, state) for old in ([*rule.states, _ELSEWHERE] if any_source else sources)
                ):
                    continue
                self.rules.append(rule)
                near = [
                    other
                    for other in (*(rule.required or {}), rule.target)
                    if other is not None and workflow.axes[other].table is axis.table
                ]
                self.axes += [other for other in dict.fromkeys(near) if other not in self.axes]
                if rule.target in near and rule.mapping:
                    pending += [(str(rule.target), end) for end in rule.mapping.values()]


def _may_end(workflow: Workflow, axis: Axis, to: State, names: list[str], origin: str) -> bool:
    stages = [stage for stage in workflow.stages.values() if stage.axis in names]
    if not stages:
        return False
    if origin in ("migration", "amend", "reissue") or any(stage.axis != axis.name for stage in stages):
        return True
    sources = [old for old, edge in axis.machine.pairs() if edge.to == to]
    return any(ends(workflow, axis.name, old, to) for old in sources)
