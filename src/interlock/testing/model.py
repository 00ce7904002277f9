"""A model of every record, computed from the declaration and the commands alone; pure, and never asks the database."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from ..machine import State
from ..workflow import Axis, Rule, Workflow

Spot = tuple[str, str]
"""An axis and a scope; the scope of an axis without scopes is empty."""


@dataclass
class Track:
    """One status of one record: where it stands, and every (version, from, to) that led there."""

    state: State
    version: int = 0
    history: list[tuple[int, State, State]] = field(default_factory=list)

    def step(self, new: State) -> None:
        self.version += 1
        self.history.append((self.version, self.state, new))
        self.state = new


class Refusal(Exception):
    """The name of the error that the app must answer with; `open` as in a plan."""

    def __init__(self, name: str, open: bool = False) -> None:
        super().__init__(name)
        self.open = open


@dataclass
class Plan:
    """The steps that a command makes; `open` is true where a rule asks the database something that a model cannot know."""

    steps: list[tuple[Spot, State]] = field(default_factory=list)
    open: bool = False


class Model:
    """Every record that was admitted, as it should stand."""

    def __init__(self, workflow: Workflow) -> None:
        self.workflow = workflow
        self.records: dict[Any, dict[Spot, Track]] = {}
        self.erased: dict[Any, dict[Spot, Track]] = {}
        self.passed: set[tuple[Any, str, str, int, str]] = set()

    def spots(self) -> list[Spot]:
        return [
            (axis.name, scope) for axis in self.workflow.axes.values() for scope in (axis.scopes or ("",))
        ]

    def admit(self, id: Any) -> str:
        if id in self.records:
            return "exists"
        if id in self.erased:
            return "refused"
        initials = {spot: self.workflow.axes[spot[0]].machine.initial for spot in self.spots()}
        self.records[id] = {spot: Track(state, 0, [(0, None, state)]) for spot, state in initials.items()}
        return "admitted"

    def plan(
        self, id: Any, spot: Spot, to: State, *, role: str | None = None, reason: str | None = None
    ) -> Plan:
        """Return the steps that the move makes, or the refusal that it must get."""
        plan = Plan()
        states = {place: track.state for place, track in self.records[id].items()}
        self._permit(self.workflow.axes[spot[0]], states[spot], to, role, reason)
        self._take(id, spot, to, states, plan)
        return plan

    def plan_retry(self, id: Any, spot: Spot, to: State, *, role: str, reason: str) -> Plan:
        """Return the steps of a retry that led to this state, by a retry edge or by another edge that the machine declares for it."""
        plan = Plan()
        axis, old = self.workflow.axes[spot[0]], self.records[id][spot].state
        edge = axis.machine.edge(old, to)
        if edge is None or edge.kind != "retry":
            self._permit(axis, old, to, role, reason)
        self._take(id, spot, to, {place: track.state for place, track in self.records[id].items()}, plan)
        return plan

    def apply(self, id: Any, plan: Plan) -> None:
        for spot, new in plan.steps:
            self.records[id][spot].step(new)

    def erase(self, id: Any) -> None:
        gone = self.records.pop(id)
        for track in gone.values():
            track.step(None)
        self.erased[id] = gone

    def copy(self) -> Model:
        return deepcopy(self, {id(self.workflow): self.workflow})

    def _permit(self, axis: Axis, old: State, new: State, role: str | None, reason: str | None) -> None:
        edge = axis.machine.edge(old, new)
        if edge is None:
            raise Refusal("InvalidStateTransition")
        if edge.kind in ("retry", "timer") or (
            edge.kind == "operator" and (role not in (edge.role or "operator", "admin") or not reason)
        ):
            raise Refusal("NotPermitted")

    def _take(self, id: Any, spot: Spot, new: State, states: dict[Spot, State], plan: Plan) -> None:
        if any(place == spot for place, _ in plan.steps):
            raise Refusal("RuleRefused")
        old, states[spot] = states[spot], new
        plan.steps.append((spot, new))
        fired = [rule for rule in self.workflow.rules if rule.axis == spot[0] and rule.fires(old, new)]
        for rule in fired:
            if rule.target is None:
                self._require(rule, spot, states, plan)
        for gate in self.workflow.gates_of(spot[0], new):
            if (id, *spot, self.records[id][spot].version, gate.name) not in self.passed:
                raise Refusal("GateRejected", plan.open)
        for rule in fired:
            for place, end in self._driven(rule, spot, states):
                self._take(id, place, end, states, plan)

    def _require(self, rule: Rule, spot: Spot, states: dict[Spot, State], plan: Plan) -> None:
        plan.open = plan.open or bool(rule.own_row)
        for name, wanted in (rule.required or {}).items():
            if any(states[place] not in wanted for place in self._facing(spot, name)):
                raise Refusal("RuleRefused")

    def _driven(self, rule: Rule, spot: Spot, states: dict[Spot, State]) -> Iterator[tuple[Spot, State]]:
        mapping = rule.mapping or {}
        for place in self._facing(spot, rule.target) if rule.target is not None else ():
            if states[place] in mapping and mapping[states[place]] != states[place]:
                yield place, mapping[states[place]]

    def _facing(self, spot: Spot, name: str) -> list[Spot]:
        """Return the places of another axis that a rule of this one is about: the same scope, or every scope."""
        if spot[1] and (name, spot[1]) in self.spots():
            return [(name, spot[1])]
        return [place for place in self.spots() if place[0] == name]
