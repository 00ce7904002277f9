"""What a person should look at: refusals of the last day, errors, operations that stopped, records that only a person can move on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import product

from sqlalchemy import Connection, func, literal, select

from ..adopt.phases import KIND as ADOPTIONS
from ..app import App
from ..errors import state_text
from ..machine import State
from ..observe.invariants import clocks_apart, unserved
from ..observe.records.listing import grouped_errors
from ..store.tables import verdict
from ..store.verify.work import resting
from ..store.work.rows import WorkRows
from ..workflow import Axis, Stage, Workflow
from .values import Attention

LATELY = timedelta(hours=24)
LATE = timedelta(minutes=1)
"""Work may wait for this long before a missing coordinator is named."""
MANY = 1000
Numbers = Mapping[tuple[str, str, str | None, State], int]
"""Records by kind, axis, scope and state."""


def attention(app: App) -> Iterator[Attention]:
    """What a person should look at, each with the command that shows it."""
    yield from refusals(app)
    yield from errors(app)
    yield from declared(app)
    yield from halted(app)
    for one in app.operations.newest():
        if one.status == "paused" or one.stalled:
            yield Attention(
                f"operation {one.id} is {'stalled' if one.stalled else 'paused'} at {one.reached:,} of {one.records:,} records",
                f"interlock bulk {'run' if one.stalled else 'resume'} {one.id}",
            )
    for rest in resting(app.database, app.clock, list(app.workflows.values())):
        yield Attention(
            f"{rest.number:,} of {rest.kind} in {rest.state} with an error, for want of a failed state: only a retry moves them on",
            f"interlock record list {rest.kind} --where {app.workflows[rest.kind].stages[rest.stage].axis}={rest.state}",
        )
    numbers = app.counts()
    yield from stranded(app, numbers)
    for workflow in app.workflows.values():
        if workflow.name != ADOPTIONS:  # an adoption may stay in a phase as long as its team likes
            yield from waiting_for_people(app, workflow, numbers)


def declared(app: App) -> Iterator[Attention]:
    """What workflows declare to need a person."""
    with app.database.read() as tx:
        for workflow in app.workflows.values():
            for need in workflow.extension.needs:
                asked = select(func.count()).select_from(need.records.subquery())
                if number := int(tx.execute(asked).scalar_one()):
                    yield Attention(f"{number:,} {need.name(number)}: {need.fact}", need.command)


def waiting_for_people(app: App, workflow: Workflow, numbers: Numbers) -> Iterator[Attention]:
    """Records in states that only a person can move them out of, and rows without history."""
    for axis in workflow.axes.values():
        for scope, state in product(axis.scopes or (None,), axis.machine.states):
            number = numbers.get((workflow.name, axis.name, scope, state), 0)
            if number and only_people_lead_on(axis, state):
                yield Attention(
                    f"{number:,} of {workflow.name} in {state_text(state)}: only a person can move {'it' if number == 1 else 'them'} on",
                    f"interlock record list {workflow.name} --where {axis.name}={state_text(state)}",
                )
        if axis.adoptable and (number := unadopted(app, axis)):
            many = f"more than {MANY:,}" if number > MANY else str(number)
            yield Attention(
                f"{many} rows of {axis.table.name} have no history on {axis.name}",
                "declare adopt=… on the axis; `interlock adopt backfill` then gives them their first entry"
                if axis.adopt is None
                else f"interlock adopt backfill {workflow.name}",
            )


def stranded(app: App, numbers: Numbers) -> Iterator[Attention]:
    """Records in states that this code does not know: nothing moves them."""
    for (kind, axis, scope, state), number in numbers.items():
        workflow = app.workflows.get(kind)
        if number and workflow is not None and state not in workflow.axes[axis].machine.states:
            where = f" ({scope})" if scope else ""
            yield Attention(
                f"{number:,} of {kind} stranded in {axis}{where} {state_text(state)}, which this code does not know",
                f"interlock machine diff {kind}",
            )


def halted(app: App) -> Iterator[Attention]:
    """What keeps all work from being done: no coordinator, no runner for a stage, a clock that is wrong."""
    yield from uncoordinated(app)
    for note in unserved(app.database, app.clock, list(app.workflows.values())):
        yield Attention(note, "interlock runner")
    for note in clocks_apart(app.clock):
        yield Attention(note, "let both keep time by NTP")


def uncoordinated(app: App) -> Iterator[Attention]:
    """Reports, ended leases or due records that wait while no coordinator is alive."""
    if app.coordinators():
        return
    work, waiting = WorkRows(app.database, app.clock), 0
    with app.database.read() as tx:
        waiting += work.count_overdue(tx, LATE)
        for workflow in app.workflows.values():
            for stage in workflow.stages.values():
                waiting += due_longer_than(tx, workflow, stage, app.clock.now() - LATE)
    if waiting:
        many = (
            f"more than {MANY:,} records wait"
            if waiting > MANY
            else ("1 record waits" if waiting == 1 else f"{waiting:,} records wait")
        )
        yield Attention(f"{many}, and no coordinator is alive", "interlock coordinator")


def due_longer_than(tx: Connection, workflow: Workflow, stage: Stage, since: datetime) -> int:
    """How many records have been due for a stage since before an instant; counting stops just above MANY."""
    axis = workflow.axes[stage.axis]
    if not axis.has("ready_at"):
        return 0
    some = (
        select(literal(1).label("one"))
        .select_from(axis.table)
        .where(axis.column("ready_at").is_not(None), axis.column("ready_at") < since)
        .limit(MANY + 1)
        .subquery()
    )
    return int(tx.execute(select(func.count()).select_from(some)).scalar_one())


def errors(app: App) -> Iterator[Attention]:
    """Errors of records that no stage tries again by itself, in groups."""
    for group in grouped_errors(app.database, list(app.workflows.values()), tried_again=False):
        message = f": {group['message']}" if group["message"] else ""
        yield Attention(
            f"{group['records']:,} of {group['kind']} with the error {group['code']}{message}",
            f"interlock record list {group['kind']} --error {group['code']}",
        )


def refusals(app: App) -> Iterator[Attention]:
    since = app.clock.now() - LATELY
    asked = select(
        verdict.c.kind,
        verdict.c.code,
        func.count().label("number"),
        func.max(verdict.c.record_id).label("id"),
    )
    by = (verdict.c.kind, verdict.c.code)
    with app.database.read() as tx:
        rows = tx.execute(asked.where(verdict.c.at >= since).group_by(*by).order_by(*by)).all()
    for row in rows:
        times = "1 command was" if row.number == 1 else f"{row.number:,} commands were"
        yield Attention(
            f"{times} refused in the last 24 hours: {row.kind}, {row.code}",
            f"interlock record why {row.kind} {row.id}",
        )


def only_people_lead_on(axis: Axis, state: str | None) -> bool:
    edges = axis.machine.edges[state]
    by_people = all(edge.kind in ("operator", "retry") and edge.after is None for edge in edges)
    begun = state != axis.machine.initial  # a record may stay where it was admitted; nobody has to act
    return begun and bool(edges) and not axis.machine.is_terminal(state) and by_people


def unadopted(app: App, axis: Axis) -> int:
    """How many rows have no version; counting stops just above MANY."""
    some = (
        select(literal(1).label("one"))
        .select_from(axis.table)
        .where(axis.column("version").is_(None))
        .limit(MANY + 1)
        .subquery()
    )
    with app.database.read() as tx:
        return int(tx.execute(select(func.count()).select_from(some)).scalar_one())
