"""Where records are, and for how long they have been waiting or worked on."""

from __future__ import annotations

from ...store.placement import Placement
from ...store.queue import ageing
from ...store.queue.waiting import Queue
from ...store.records import counters
from ...workflow.columns.instant import instant_of
from ...workflow.surfaces.figure import Figure
from .look import Look, label, scopes, worked_states


def records(look: Look) -> list[Figure]:
    """How many records are in each state; every declared state has its sample, so that an empty one says so."""
    figure = Figure("interlock_records", "Records in a state.", ("kind", "axis", "scope", "state"))
    for workflow in look.workflows.values():
        for axis in workflow.axes.values():
            for scope in scopes(axis):
                for state in axis.machine.states:
                    figure.put(0, workflow.name, axis.name, scope, label(state))
    for row in counters.counts(look.tx):
        figure.put(int(row.n), row.kind, row.axis, row.scope, label(row.state))
    return [figure]


def ages(look: Look) -> list[Figure]:
    """How long records have been where they wait or are worked on."""
    figure = Figure(
        "interlock_state_age_seconds",
        "How long the records that wait for work, or are worked on, have been in their state: this share of them no longer.",
        ("kind", "axis", "scope", "state", "share"),
    )
    for workflow in look.workflows.values():
        for axis in workflow.axes.values():
            if not (states := worked_states(workflow, axis.name)):
                continue
            found = ageing.of_states(
                look.work, look.tx, workflow, Placement(workflow, axis, look.database.dialect), look.at
            )
            for scope in scopes(axis):
                for state in states:
                    for share, age in zip(
                        ageing.QUANTILES,
                        found.get((scope, state), (0.0,) * len(ageing.QUANTILES)),
                        strict=True,
                    ):
                        figure.put(age, workflow.name, axis.name, scope, label(state), f"{share:g}")
    return [figure, *lines(look)]


def lines(look: Look) -> list[Figure]:
    """How long the first in line has been due."""
    names = ("kind", "stage", "scope")
    due = Figure(
        "interlock_due_age_seconds",
        "How long the record that has been due for longest has waited for its dispatch.",
        names,
    )
    retried = Figure(
        "interlock_retry_age_seconds", "The same, of the records that wait for another try.", names
    )
    attempts = ageing.of_attempts(look.work, look.tx, look.at)
    for workflow in look.workflows.values():
        for stage in workflow.stages.values():
            axis = workflow.axes[stage.axis]
            queue = Queue(look.work, workflow, stage, Placement(workflow, axis, look.database.dialect))
            oldest = queue.oldest(look.tx, look.at)
            for scope in scopes(axis):
                first, again = (instant_of(value) for value in oldest.get(scope, (None, None)))
                in_place = attempts.get((f"{workflow.name}.{stage.name}", scope), ageing.Flow()).retry_since
                due.put(look.since(first), workflow.name, stage.name, scope)
                retried.put(max(look.since(again), look.since(in_place)), workflow.name, stage.name, scope)
    return [due, retried]
