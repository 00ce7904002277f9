"""How work flows: attempts in flight, who takes them, what is paused or stuck, and what came of everything so far."""

from __future__ import annotations

from datetime import timedelta

from ...coordinator.coordinator import SWEEP_EVERY
from ...coordinator.rechecks import PATIENCE
from ...store.queue import ageing, runners
from ...store.queue import pauses as stages
from ...store.records import counters
from ...store.work import outcome_counts
from ...workflow.surfaces.figure import Figure
from .look import Look, full_name, scopes

WHATS = (
    "done",
    "empty",
    "failed",
    "retried",
    "expired",
    "overdue",
    "again",
    "refused",
    "cancelled",
    "repaired",
    "pairs.missing",
)
BY_STAGE = ("kind", "stage", "scope")


def attempts(look: Look) -> list[Figure]:
    """Work rows: there is one for each attempt in flight, so this is always a small table."""
    issued = Figure("interlock_work_open", "Attempts that are issued and have not reported.", BY_STAGE)
    claim = Figure(
        "interlock_claim_age_seconds",
        "How long the attempt that waits longest has waited for a runner to take it.",
        BY_STAGE,
    )
    lag = Figure(
        "interlock_report_lag_seconds", "How long the oldest report has waited to be applied.", BY_STAGE
    )
    found = ageing.of_attempts(look.work, look.tx, look.at)
    for workflow, stage, scope in look.stages():
        flow = found.get((full_name(workflow, stage), scope), ageing.Flow())
        issued.put(flow.issued, workflow.name, stage.name, scope)
        claim.put(look.since(flow.unclaimed_since), workflow.name, stage.name, scope)
        lag.put(look.since(flow.reported_since), workflow.name, stage.name, scope)
    return [issued, claim, lag, stuck(look, {name: flow.rows for name, flow in found.items()})]


def stuck(look: Look, rows: dict[tuple[str, str], int]) -> Figure:
    """What a sweep should have ended by now: nobody sweeps, or a sweep fails."""
    figure = Figure(
        "interlock_stuck",
        "Attempts that outlived their lease or deadline by more than a sweep; running records without one.",
        ("kind", "stage", "why"),
    )
    leases = ageing.stuck(look.work, look.tx, look.at, SWEEP_EVERY)
    there = {(row.kind, row.axis, row.scope, row.state): int(row.n) for row in counters.counts(look.tx)}
    for workflow in look.workflows.values():
        for stage in workflow.stages.values():
            name, axis = full_name(workflow, stage), workflow.axes[stage.axis]
            figure.put(leases.get(name, 0), workflow.name, stage.name, "lease")
            if stage.deadline is not None:
                allowed = (
                    stage.deadline + SWEEP_EVERY + (PATIENCE if stage.rechecker is not None else timedelta())
                )
                figure.put(
                    ageing.overdue(look.work, look.tx, look.at, name, allowed),
                    workflow.name,
                    stage.name,
                    "deadline",
                )
            if stage.running is not None and (
                stage.failed is not None or stage.terminal is not None
            ):  # else failures rest there
                at_work = sum(
                    there.get((workflow.name, axis.name, scope, stage.running), 0) for scope in scopes(axis)
                )
                held = sum(rows.get((name, scope), 0) for scope in scopes(axis))
                figure.put(max(0, at_work - held), workflow.name, stage.name, "lost")
    return figure


def hands(look: Look) -> list[Figure]:
    """Runners, pauses, and records that stages found."""
    alive = runners.alive(look.work, look.tx)
    working = [one for one in alive if not one.stopping]
    number = Figure("interlock_runners", "Runners that are alive.")
    number.put(len(alive))
    capacity = Figure(
        "interlock_runner_capacity",
        "How many attempts the runners that are alive, and not stopping, take together.",
    )
    capacity.put(sum(one.capacity for one in working))
    serving = Figure("interlock_stage_runners", "Runners that take work of a stage.", ("kind", "stage"))
    paused = Figure("interlock_paused", "1 while a stage is neither dispatched nor claimed.", BY_STAGE)
    idle = {(one.kind, one.stage, one.scope) for one in stages.paused(look.work, look.tx)}
    for workflow, stage, scope in look.stages():
        serving.put(
            sum(full_name(workflow, stage) in one.stages for one in working), workflow.name, stage.name
        )
        rests = idle & {(workflow.name, stage.name, one) for one in ("", scope)}
        paused.put(int(bool(rests)), workflow.name, stage.name, scope)
    waiting = Figure(
        "interlock_intake_waiting", "Records that stages found and that wait to be admitted.", ("kind",)
    )
    found = ageing.arrivals(look.work, look.tx)
    for kind in {**look.workflows, **found}:
        waiting.put(found.get(kind, 0), kind)
    return [number, capacity, serving, paused, waiting]


def results(look: Look) -> list[Figure]:
    """What came of attempts, counted when it was written; work that ended well with nothing to show has a count of its own."""
    total = Figure("interlock_stage_total", "What came of attempts.", (*BY_STAGE, "what"), "counter")
    empty = Figure(
        "interlock_empty_total", "Attempts that ended well and brought nothing.", BY_STAGE, "counter"
    )
    admitted = Figure(
        "interlock_intake_total",
        "Records that stages found, by what became of them.",
        ("kind", "outcome"),
        "counter",
    )
    for kind in look.workflows:
        for outcome in ("admitted", "exists", "refused"):
            admitted.put(0, kind, outcome)
    for workflow, stage, scope in look.stages():
        empty.put(0, workflow.name, stage.name, scope)
        for what in WHATS:
            total.put(0, workflow.name, stage.name, scope, what)
    for (kind, stage_name, scope, what), number in outcome_counts.totals(look.work, look.tx).items():
        if not stage_name:
            admitted.put(number, kind, what)
            continue
        if outcome_counts.timer_axis(stage_name) or outcome_counts.schedule_name(stage_name):
            continue
        total.put(number, kind, stage_name, scope, what)
        if what == "empty":
            empty.put(number, kind, stage_name, scope)
    return [total, empty, admitted]
