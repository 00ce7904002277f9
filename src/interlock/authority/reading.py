"""Which axes and conditions must be read to judge a move of one axis, and which other tables must be locked for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from sqlalchemy import Dialect

from ..machine import State
from ..store.contract import Reading
from ..store.guarded import elsewhere_sql
from ..store.placement import Placement, condition_sql
from ..workflow import Axis, Rule, Workflow


@dataclass(frozen=True)
class Outlook:
    """A reading, the numbers of each rule's conditions in it, and the axes in other tables that rules ask about."""

    reading: Reading
    names: tuple[str, ...]
    numbers: Mapping[Rule, tuple[int, ...]]
    foreign: tuple[Placement, ...]
    follows_up: bool

    @property
    def simple(self) -> bool:
        """Nothing but the axis itself decides."""
        return len(self.names) == 1 and not self.numbers and not self.foreign and not self.follows_up


class Outlooks:
    """Outlooks of all axes on one database, each worked out once."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.of = cache(self._of)
        self.place = cache(self._place)

    def _place(self, workflow: Workflow, axis: Axis) -> Placement:
        return Placement(workflow, axis, self.dialect)

    def _of(self, workflow: Workflow, axis: Axis, new: State) -> Outlook:
        names, rules = involved(workflow, axis, new)
        conditions: list[str] = []
        numbers: dict[Rule, tuple[int, ...]] = {}
        foreign: dict[str, Placement] = {}
        for rule in rules:
            texts = [condition_sql(predicate, self.dialect) for predicate in rule.own_row]
            for other, states in (rule.required or {}).items():
                target = workflow.axes[other]
                if target.table is not axis.table:
                    foreign[other] = self.place(workflow, target)
                    texts.append(elsewhere_sql(self.place(workflow, axis), self.place(workflow, target), states))
            if texts:
                numbers[rule] = tuple(range(len(conditions), len(conditions) + len(texts)))
                conditions += texts
        follows = any(rule.target is not None and workflow.axes[rule.target].table is not axis.table for rule in rules)
        reading = Reading(tuple(self.place(workflow, workflow.axes[name]) for name in names), tuple(conditions))
        return Outlook(reading, names, numbers, tuple(foreign.values()), follows)


def involved(workflow: Workflow, axis: Axis, new: State) -> tuple[tuple[str, ...], list[Rule]]:
    """The axes of this row that a move to `new` may touch or ask about, the moved one first, and the rules that may speak."""
    names = [axis.name]
    rules: list[Rule] = []
    waiting: list[tuple[str, State]] = [(axis.name, new)]
    for name, state in waiting:
        for rule in workflow.rules:
            entered = rule.moment == "entering" and state in rule.states
            left = rule.moment == "leaving" and state not in rule.states
            if rule.axis != name or not (entered or left) or rule in rules:
                continue
            rules.append(rule)
            near = [other for other in (*(rule.required or {}), rule.target)
                    if other is not None and workflow.axes[other].table is axis.table]
            names += [other for other in near if other not in names]
            if rule.target in near and rule.mapping:
                waiting += [(str(rule.target), end) for end in rule.mapping.values()]
    return tuple(names), rules
