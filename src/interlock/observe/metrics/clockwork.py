"""What happens by the clock: timers that are due and what came of them, and runs of schedules."""

from __future__ import annotations

from ...coordinator.timers import OUTCOMES
from ...store.adoption.adoptions import held_axes
from ...store.placement import Placement
from ...store.queue import pauses
from ...store.queue import schedules as rows
from ...store.queue.timers import Timers
from ...store.work import outcome_counts
from ...workflow.surfaces.figure import Figure
from .look import Look, scopes

BY_AXIS, BY_SCHEDULE = ("kind", "axis", "scope"), ("kind", "schedule")
ENDINGS = ("done", "failed", "lost")


def timers(look: Look) -> list[Figure]:
    """Every axis that has timers, in every scope. On an axis that is still being adopted no timer moves anything, and none is late."""
    due = Figure("interlock_timers_due", "Records whose timer is due and has not moved them yet.", BY_AXIS)
    age = Figure(
        "interlock_timer_age_seconds", "How long the timer that was due first has been due.", BY_AXIS
    )
    total = Figure(
        "interlock_timer_total",
        "Timers that were due, by what came of them; a refused one is due again later.",
        (*BY_AXIS, "outcome"),
        "counter",
    )
    held = held_axes(look.tx, look.workflows.values())
    for workflow in look.workflows.values():
        for axis in workflow.axes.values():
            if not axis.machine.timers:
                continue
            timed = Timers(look.work, Placement(workflow, axis, look.database.dialect))
            waiting = {} if (workflow.name, axis.name) in held else timed.oldest(look.tx, look.at)
            for scope in scopes(axis):
                number, since = waiting.get(scope, (0, None))
                due.put(number, workflow.name, axis.name, scope)
                age.put(look.since(since), workflow.name, axis.name, scope)
                for outcome in OUTCOMES:
                    total.put(0, workflow.name, axis.name, scope, outcome)
    for (kind, stage, scope, outcome), count in outcome_counts.totals(look.work, look.tx).items():
        if (name := outcome_counts.timer_axis(stage)) is not None:
            total.put(count, kind, name, scope, outcome)
    return [due, age, total]


def schedules(look: Look) -> list[Figure]:
    """Every schedule of every kind."""
    late = Figure(
        "interlock_schedule_late_seconds",
        "How long the last tick has been due and nobody has begun it; 0 while the schedule is paused.",
        BY_SCHEDULE,
    )
    running = Figure(
        "interlock_schedule_running_seconds", "How long the run that is under way has taken.", BY_SCHEDULE
    )
    failed = Figure("interlock_schedule_failed", "1 if the last run that ended has failed.", BY_SCHEDULE)
    paused = Figure("interlock_schedule_paused", "1 while no tick is run.", BY_SCHEDULE)
    total = Figure(
        "interlock_schedule_runs_total",
        "Runs by what came of them; lost are those whose coordinator was lost amid them.",
        (*BY_SCHEDULE, "outcome"),
        "counter",
    )
    idle = {(one.kind, one.stage) for one in pauses.paused(look.work, look.tx) if not one.scope}
    for workflow in look.workflows.values():
        for schedule in workflow.schedules.values():
            labels = (workflow.name, schedule.name)
            newest = rows.latest(look.work, look.tx, *labels, limit=2)
            open_run = next((run for run in newest if run.finished_at is None), None)
            ended = next((run for run in newest if run.finished_at is not None), None)
            tick = schedule.ticks.latest(look.at)
            is_missed = labels not in idle and open_run is None and bool(newest) and newest[0].tick < tick
            late.put(look.since(tick) if is_missed else 0, *labels)
            running.put(look.since(None if open_run is None else open_run.started_at), *labels)
            failed.put(int(ended is not None and ended.outcome == "failed"), *labels)
            paused.put(int(labels in idle), *labels)
            for outcome in ENDINGS:
                total.put(0, *labels, outcome)
    for (kind, stage, _, outcome), count in outcome_counts.totals(look.work, look.tx).items():
        if (name := outcome_counts.schedule_name(stage)) is not None:
            total.put(count, kind, name, outcome)
    return [late, running, failed, paused, total]
