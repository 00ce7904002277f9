"""Why is a record where it is, what does it wait for, what may happen next, and why not the rest: one answer for every surface."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from ..authority.command import Asked
from ..authority.judge import Situation, judge
from ..authority.mover import Mover
from ..clock import Clock, SystemClock
from ..errors import InterlockError, NotAdopted, RuleRefused, UnknownRecord, state_text
from ..machine import State
from ..store.connect import Database
from ..store.ledger import read as ledger
from ..store.records import gates, verdicts
from ..store.tables import stray
from ..store.work.rows import WorkRows
from ..workflow import Axis, Gate, Move, Workflow
from ..workflow.adopt import match_value
from .waiting import Condition, Subject, Surroundings, conditions, gate_conditions, read_row

__all__ = ["Condition", "Explanation", "Place", "Possibility", "RefusedAct", "explain"]

REFUSALS, SENTENCES = 50, 5
"""So many of the newest refusals are returned, and so many of them as sentences too."""


@dataclass(frozen=True, slots=True)
class Place:
    """The record's state on one axis."""

    axis: str
    scope: str | None
    state: State
    since: datetime | None
    version: int | None


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
    """Explain one record, read in one snapshot."""
    chosen = clock or SystemClock()
    answer = Explanation(workflow.name, id)
    with database.read() as tx:
        around = Surroundings(tx, WorkRows(database, chosen), chosen)
        for axis in workflow.axes.values():
            place = mover.plans.place(workflow, axis)
            checked = place.check_id(id)
            asked = Asked(checked, place.key_bind(checked))
            for scope in axis.scopes or ("",):
                _explain_axis(around, mover, workflow, axis, asked, scope, answer)
        if not answer.where:
            raise UnknownRecord(workflow.name, id)
        newest = verdicts.of(tx, workflow.name, str(asked.key), limit=REFUSALS)
        answer.refusals += [_refused_act(row) for row in newest]
        answer.why += [_refused(row) for row in newest[:SENTENCES]]
    return answer


def _refused_act(row: Any) -> RefusedAct:
    return RefusedAct(
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


def _explain_axis(
    around: Surroundings,
    mover: Mover,
    workflow: Workflow,
    axis: Axis,
    asked: Asked,
    scope: str,
    answer: Explanation,
) -> None:
    tx = around.tx
    where = [axis.table.c[axis.key] == asked.id]
    if axis.scoped:
        where.append(axis.table.c[axis.scope_column] == scope)
    row = read_row(tx, axis, tuple(where))
    if row is None:
        return
    subject = Subject(workflow, axis, scope, asked.key, tuple(where), row)
    named, state, version = scope or None, subject.state, row["version"]
    answer.where.append(Place(axis.name, named, state, row.get("since"), version))
    noted = _noted_at(tx, subject)
    answer.why.append(_why(subject, ledger.last(tx, workflow.name, str(asked.key), axis.name, scope), noted))
    refusals = _refusals(tx, mover, workflow, axis, asked, scope, _meant(axis, state, noted), version)
    judged = _gates(tx, workflow, axis, scope, str(asked.key))
    rules = {to: one for to, one in refusals.items() if isinstance(one, RuleRefused)}
    answer.waits_for += conditions(around, subject, rules)
    answer.waits_for += gate_conditions(subject, judged)
    answer.next += [
        _possibility(axis, named, to, refusal, judged.get(to, []), version)
        for to, refusal in refusals.items()
    ]


def _noted_at(tx: Connection, subject: Subject) -> datetime | None:
    """When the record was written past Interlock, where that was noted and has no entry yet."""
    if subject.axis.adopt is None or subject.scope:
        return None
    asked = select(stray.c.at).where(
        stray.c.kind == subject.workflow.name,
        stray.c.axis == subject.axis.name,
        stray.c.record_id == str(subject.key),
        stray.c.version.is_(None),
    )
    at: datetime | None = tx.execute(asked.order_by(stray.c.position.desc()).limit(1)).scalar()
    return at


def _meant(axis: Axis, state: State, noted: datetime | None) -> State:
    """The state that a noted write means, however it was spelled; else the state as it is."""
    known, meant = match_value(axis, state) if noted is not None else (False, None)
    return meant if known else state


def _why(subject: Subject, last: Move | None, noted: datetime | None) -> str:
    """Why the record is in its state, in one sentence; where row and history disagree, the sentence says so."""
    axis, row, scope = subject.axis, subject.row, subject.scope
    where = f"{axis.name}{f' ({scope})' if scope else ''} is {state_text(subject.state)}"
    if last is None:
        came = "admitted" if axis.adopt is None else "adopted"
        return f"{where}: the row was never {came}"
    if noted is not None:
        return (
            f"{where}: it was written past Interlock at {noted:%Y-%m-%d %H:%M:%S} UTC, which is noted; its entry follows before anything "
            f"else happens to the record. The history ends with {state_text(last.new)} (version {last.version})."
        )
    if (last.new, last.version) != (subject.state, row["version"]):
        return (
            f"{where} (version {row['version']}), and its history ends with {state_text(last.new)} (version {last.version}): row and "
            f"history disagree, so somebody changed the row past Interlock after {last.at:%Y-%m-%d %H:%M:%S} UTC. "
            f"`interlock check {subject.workflow.name}` locates it."
        )
    return f"{where} {_came(subject, last)} at {last.at:%Y-%m-%d %H:%M:%S} UTC{_reason(last)}."


def _came(subject: Subject, last: Move) -> str:
    row = subject.row
    cause = f" ({last.cause})" if last.cause else ""
    if last.version == 0:
        return f"since it was {'adopted' if last.origin == 'backfill' else 'admitted'}{cause}"
    if (last.cause or "").endswith((".failed", ".overdue", "lease.expired")) and row.get("error_code"):
        message = f": {row['error_message']}" if row.get("error_message") else ""
        number = f"try {row['tries']}" if row.get("tries") else "a try"
        came = "" if last.old == last.new else f", which moved it from {state_text(last.old)}"
        return f"because {number} failed with {row['error_code']}{message}{came}{cause}"
    if last.old == last.new:
        return f"where {last.actor} amended it{cause}"
    return f"because {last.actor} moved it from {state_text(last.old)}{cause}"


def _reason(last: Move) -> str:
    return f", with the reason “{last.reason}”" if last.reason else ""


def _refused(row: Any) -> str:
    """A refused command or report in one sentence."""
    at = f"{row.at:%Y-%m-%d %H:%M:%S} UTC"
    if row.source == "report":
        came = {"stale": "a late result was refused", "duplicate": "a result reported twice was ignored"}
        what = came.get(row.verdict, f"a result that {row.actor} reported was {row.verdict}")
        return f"{what} at {at} ({row.code}): {row.message}"
    return f"{row.actor} asked to move {row.axis} to {row.wanted} at {at}; {row.verdict} ({row.code}): {row.message}"


def _refusals(
    tx: Connection,
    mover: Mover,
    workflow: Workflow,
    axis: Axis,
    one: Asked,
    scope: str,
    state: State,
    version: int | None,
) -> dict[State, InterlockError | None]:
    """Every other state, legal moves first, with what refuses the move; None where a person may make it."""
    if version is None:
        return {to: NotAdopted(workflow.name, one.id, axis.name) for to in axis.machine.states if to != state}
    legal = axis.machine.next_states(state) if state in axis.machine.states else ()
    ordered = dict.fromkeys([*legal, *(other for other in axis.machine.states if other != state)])
    return {to: _refusal(tx, mover, workflow, axis, one, scope, to, state) for to in ordered}


def _refusal(
    tx: Connection,
    mover: Mover,
    workflow: Workflow,
    axis: Axis,
    one: Asked,
    scope: str,
    to: State,
    state: State,
) -> InterlockError | None:
    plan = mover.plans.of(workflow, axis, to)
    seen = mover.engine.read(
        tx, plan.reading, [one.key], scope, "", {"actor": None, "role": None, "scope": scope}
    )
    states = {**dict(zip(plan.axes, seen[0].states, strict=True)), axis.name: state}
    situation = Situation(states, seen[0].holds, plan.conditions)
    asked = {"role": None, "reason": None, "origin": "move", "cause": None}
    by_stage = judge(workflow, axis, to, situation, by_engine=True, **asked)  # type: ignore[arg-type]
    if isinstance(by_stage.refusal, RuleRefused):
        return by_stage.refusal
    return judge(workflow, axis, to, situation, **asked).refusal  # type: ignore[arg-type]


def _gates(
    tx: Connection, workflow: Workflow, axis: Axis, scope: str, record: str
) -> dict[State, list[tuple[Gate, Any]]]:
    """The gates before each state, with the newest verdict of each, of whatever version."""
    newest = gates.newest(tx, workflow.name, axis.name, scope, record)
    return {
        to: [(gate, newest.get(gate.name)) for gate in workflow.gates_of(axis.name, to)]
        for to in axis.machine.states
        if to is not None and workflow.gates_of(axis.name, to)
    }


def _possibility(
    axis: Axis,
    scope: str | None,
    to: State,
    refusal: InterlockError | None,
    judged: list[tuple[Gate, Any]],
    version: int | None,
) -> Possibility:
    code, reason = ("", "") if refusal is None else (refusal.code, refusal.message)
    for gate, verdict in judged:
        if code:
            break
        if verdict is None:
            code, reason = "ILK-206", f"gate {gate.name} has not run yet"
        elif not verdict.passed:
            why = f": {verdict.reason}" if verdict.reason else ""
            code, reason = "ILK-206", f"gate {gate.name} refused version {verdict.version}{why}"
        elif verdict.version != (version or 0):
            code, reason = (
                "ILK-206",
                f"gate {gate.name} passed version {verdict.version} and has not run for version {version}",
            )
    return Possibility(axis.name, scope, to, not code, code, reason)
