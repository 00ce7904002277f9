"""Why is a record where it is, what does it wait for, what may happen next, and why not the rest: one answer for every surface."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Text, and_, cast, literal, select

from ..authority.command import Asked
from ..authority.judge import Situation, judge
from ..authority.mover import Mover
from ..clock import Clock, SystemClock
from ..errors import UnknownRecord, spoken
from ..machine import State
from ..store import gates, ledger, rates, verdicts
from ..store.connect import Database
from ..store.work import WorkRows
from ..workflow import Axis, Move, Stage, Workflow

REFUSALS, SENTENCES = 50, 5
"""So many of the newest refusals are returned, and so many of them as sentences too."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the record stands on one axis."""

    axis: str
    scope: str | None
    state: State
    since: datetime | None
    version: int | None


@dataclass(frozen=True, slots=True)
class Condition:
    """Something the record waits for, and whether it is there."""

    axis: str
    scope: str | None
    what: str
    met: bool
    code: str = ""


@dataclass(frozen=True, slots=True)
class Possibility:
    """A state that might come next; where it may not, the code and the reason say why."""

    axis: str
    scope: str | None
    to: State
    allowed: bool
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class RefusedAct:
    """A command or report that was not applied: what it wanted, who asked, and why it was refused."""

    axis: str
    scope: str | None
    wanted: str | None
    verdict: str
    code: str
    message: str
    actor: str
    at: datetime
    source: str


@dataclass(slots=True)
class Explanation:
    """The whole answer; `why` is one sentence per axis, newest refusals behind, and `refusals` are the same refusals as values."""

    kind: str
    id: Any
    where: list[Place] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    waits_for: list[Condition] = field(default_factory=list)
    next: list[Possibility] = field(default_factory=list)
    refusals: list[RefusedAct] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def explain(
    database: Database, mover: Mover, workflow: Workflow, id: Any, clock: Clock | None = None
) -> Explanation:
    """Look at one record in one snapshot."""
    work = WorkRows(database, clock or SystemClock())
    said = Explanation(workflow.name, id)
    with database.read() as tx:
        for axis in workflow.axes.values():
            place = mover.plans.place(workflow, axis)
            checked = place.check_id(id)
            key = place.key_bind(checked)
            for scope in axis.scopes or ("",):
                _axis(tx, mover, work, workflow, axis, checked, key, scope, said)
        if not said.where:
            raise UnknownRecord(workflow.name, id)
        for number, row in enumerate(verdicts.of(tx, workflow.name, str(key), limit=REFUSALS)):
            said.refusals.append(
                RefusedAct(
                    row.axis,
                    row.scope or None,
                    row.wanted,
                    row.verdict,
                    row.code,
                    row.message,
                    row.actor,
                    row.at,
                    row.source,
                )
            )
            if number >= SENTENCES:
                continue
            said.why.append(
                f"{row.actor} wanted {row.axis} to be {row.wanted} at {row.at:%Y-%m-%d %H:%M:%S} UTC; "
                f"{row.verdict} ({row.code}): {row.message}"
            )
    return said


def _axis(
    tx: Connection,
    mover: Mover,
    work: WorkRows,
    workflow: Workflow,
    axis: Axis,
    id: Any,
    key: Any,
    scope: str,
    said: Explanation,
) -> None:
    columns = [axis.column("since"), axis.column("version"), axis.column("status")]
    where = [axis.table.c[axis.key] == id]
    if axis.scoped:
        where.append(axis.table.c[axis.scope_column] == scope)
    row = tx.execute(select(*columns).where(and_(*where))).first()
    if row is None:
        return
    since, version, state = row
    named = scope or None
    said.where.append(Place(axis.name, named, state, since, version))
    last = ledger.last(tx, workflow.name, str(key), axis.name, scope)
    said.why.append(
        sentence(axis, named, state, last)
        if last
        else f"{axis.name} is {spoken(state)}: the row was never admitted"
    )
    said.waits_for += _waits(tx, work, workflow, axis, where, named, state)
    said.next += _next(tx, mover, workflow, axis, Asked(id, key), scope, state, version)


def sentence(axis: Axis, scope: str | None, state: State, last: Move) -> str:
    """Why it is here, in one sentence."""
    where = f"{axis.name}{f' ({scope})' if scope else ''} is {spoken(state)}"
    came = (
        "since it was admitted"
        if last.version == 0
        else f"because {last.actor} moved it from {spoken(last.old)}"
    )
    if last.old == last.new and last.version > 0:
        came = f"where {last.actor} amended it"
    cause = f" on {last.cause}" if last.cause else ""
    reason = f", saying “{last.reason}”" if last.reason else ""
    return f"{where} {came}{cause} at {last.at:%Y-%m-%d %H:%M:%S} UTC{reason}."


def _waits(
    tx: Connection,
    work: WorkRows,
    workflow: Workflow,
    axis: Axis,
    where: list[Any],
    scope: str | None,
    state: State,
) -> list[Condition]:
    found: list[Condition] = []
    if state not in axis.machine.states:
        said = f"a migration plan out of {spoken(state)}, or code that knows this state"
        found.append(Condition(axis.name, scope, said, met=False))
    if (timer := axis.machine.timers.get(state)) is not None:
        due = tx.execute(select(axis.column("timer_at")).where(and_(*where))).scalar()
        when = f"at {due:%Y-%m-%d %H:%M:%S} UTC" if due else timer.words
        said = f"its timer moves it to {spoken(timer.to)} {when}, unless it leaves {spoken(state)} before"
        found.append(Condition(axis.name, scope, said, met=False))
    for stage in workflow.stages.values():
        if stage.axis != axis.name:
            continue
        if state == stage.running:
            found.append(Condition(axis.name, scope, _work_under_way(tx, axis, stage, where), met=False))
        if state not in stage.waiting:
            continue
        found.append(Condition(axis.name, scope, f"stage {stage.name} is to run", met=False))
        if axis.has("ready_at"):
            ready = tx.execute(select(axis.column("ready_at")).where(and_(*where))).scalar()
            said = (
                f"its turn comes at {ready:%Y-%m-%d %H:%M:%S} UTC"
                if ready
                else "it rests until somebody retries it"
            )
            found.append(Condition(axis.name, scope, said, met=ready is not None))
        found += _rate(tx, work, workflow, axis, stage, where, scope)
        if stage.only_if is not None:
            holds = (
                tx.execute(
                    select(literal(1)).select_from(axis.table).where(and_(*where, stage.only_if))
                ).first()
                is not None
            )
            found.append(Condition(axis.name, scope, f"only if {stage.only_if}", met=holds))
    return found


def _rate(
    tx: Connection,
    work: WorkRows,
    workflow: Workflow,
    axis: Axis,
    stage: Stage,
    where: list[Any],
    scope: str | None,
) -> list[Condition]:
    """That the record's key has to wait for its turn, and until when; nothing where it has not."""
    column = None if stage.rate_per is None else axis.own_column(stage.rate_per[0])
    if column is None:
        return []
    key = tx.execute(select(cast(column, Text)).where(and_(*where))).scalar()
    until = rates.free_at(work, tx, workflow.name, stage.name, key or "")
    if until is None:
        return []
    whose = f"{column.name} {key}" if key else f"records without {column.name}"
    return [
        Condition(axis.name, scope, f"the rate of {whose}, until {until:%Y-%m-%d %H:%M:%S} UTC", met=False)
    ]


def _work_under_way(tx: Connection, axis: Axis, stage: Stage, where: list[Any]) -> str:
    """What a record in the running state waits for: its runner, or, where failures have no state of their own, somebody's retry."""
    if stage.failed is None and stage.terminal is None and axis.has("error_code"):
        code, message = tx.execute(
            select(axis.column("error_code"), axis.column("error_message")).where(and_(*where))
        ).one()
        if code is not None:
            return (
                f"stage {stage.name} failed with {code}: {message}; it rests here until somebody retries it"
            )
    return f"a runner is at work on {stage.name}"


def _next(
    tx: Connection,
    mover: Mover,
    workflow: Workflow,
    axis: Axis,
    one: Asked,
    scope: str,
    state: State,
    version: int | None,
) -> list[Possibility]:
    found = []
    ways = (
        axis.machine.next_states(state) if state in axis.machine.states else ()
    )  # of a lost state nothing is known here
    ordered = [*ways, *(other for other in axis.machine.states if other != state)]
    verdict = gates.latest(tx, workflow.name, axis.name, scope, [str(one.key)])
    for to in dict.fromkeys(ordered):
        code, reason = _refusal(tx, mover, workflow, axis, one, scope, to)
        for gate in workflow.gates_of(axis.name, to):
            seen = verdict.get((str(one.key), version or 0, gate.name))
            if not code and (seen is None or not seen.passed):
                said = f"said no: {seen.reason or ''}" if seen else "has not run for this version"
                code, reason = "ILK-206", f"gate {gate.name} {said}"
        found.append(Possibility(axis.name, scope or None, to, not code, code, reason))
    return found


def _refusal(
    tx: Connection, mover: Mover, workflow: Workflow, axis: Axis, one: Asked, scope: str, to: State
) -> tuple[str, str]:
    plan = mover.plans.of(workflow, axis, to)
    seen = mover.engine.read(
        tx, plan.reading, [one.key], scope, "", {"actor": None, "role": None, "scope": scope}
    )
    situation = Situation(dict(zip(plan.axes, seen[0].states, strict=True)), seen[0].holds, plan.conditions)
    judgement = judge(workflow, axis, to, situation, role=None, reason=None, origin="move", cause=None)
    return ("", "") if judgement.refusal is None else (judgement.refusal.code, judgement.refusal.message)
