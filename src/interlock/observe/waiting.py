"""What a record waits for on one axis: each condition as a sentence, and whether it is met. Only reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Text, and_, cast, literal, select
from sqlalchemy.exc import CompileError

from ..clock import Clock
from ..errors import state_text
from ..machine import State
from ..store.adoption.adoptions import HELD, phase_of
from ..store.queue import coordinators, rates, runners
from ..store.queue import pauses as stages
from ..store.tables import adoption_left
from ..store.work.rows import WorkRows
from ..workflow import Axis, Gate, Stage, Workflow
from ..workflow.adopt import match_value
from ..workflow.columns.instant import instant_of

CANCELLED = "CANCELLED"
"""The error code of an attempt that a person ended."""
GRACE = timedelta(seconds=10)
"""A record may be due for this long before a missing coordinator is named."""
_ROW = (
    "status",
    "version",
    "since",
    "attempt",
    "tries",
    "ready_at",
    "error_code",
    "error_message",
    "failed_from",
    "timer_at",
)


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that the record waits for, as a sentence, and whether it has come."""

    axis: str
    scope: str | None
    what: str
    met: bool
    code: str = ""


@dataclass(frozen=True, slots=True)
class WorkRow:
    """The attempt that is under way on an axis."""

    stage: str
    attempt: int
    claimed_by: str | None
    claimed_at: datetime | None
    lease_until: datetime | None
    reported_at: datetime | None
    available_at: datetime | None


@dataclass(frozen=True, slots=True)
class Subject:
    """One record on one axis, in one scope: its state row, and the predicate that selects it."""

    workflow: Workflow
    axis: Axis
    scope: str
    key: Any
    where: tuple[Any, ...]
    row: Mapping[str, Any]

    @property
    def state(self) -> State:
        state: State = self.row["status"]
        return state


class Surroundings:
    """Facts that are the same for all records: living runners and coordinators, and pauses; each is read once."""

    def __init__(self, tx: Connection, work: WorkRows, clock: Clock) -> None:
        self.tx, self.work, self.now = tx, work, clock.now()

    @cached_property
    def runners(self) -> list[runners.Registered]:
        return [one for one in runners.alive(self.work, self.tx) if not one.stopping]

    @cached_property
    def coordinators(self) -> list[coordinators.RegisteredCoordinator]:
        return coordinators.alive(self.work, self.tx)

    @cached_property
    def pauses(self) -> list[stages.Pause]:
        return stages.paused(self.work, self.tx)

    def runner_name(self, id: str) -> str:
        """A runner as people know it: its name and the start of its id."""
        return next((f"{one.name} ({id[:8]})" for one in self.runners if one.id == id), id[:8])

    def work_row(self, subject: Subject) -> WorkRow | None:
        row = self.work.run(
            self.tx,
            "SELECT stage, attempt, claimed_by, claimed_at, lease_until, reported_at, available_at FROM interlock_work "
            "WHERE record_id = %(id)s AND kind = %(kind)s AND axis = %(axis)s AND scope = %(scope)s",
            {
                "id": str(subject.key),
                "kind": subject.workflow.name,
                "axis": subject.axis.name,
                "scope": subject.scope,
            },
        ).fetchone()
        return None if row is None else WorkRow(*row[:3], *(instant_of(value) for value in row[3:]))


def read_row(tx: Connection, axis: Axis, where: tuple[Any, ...]) -> dict[str, Any] | None:
    """The engine's values of a state row, by the engine's names; None where there is no row."""
    names = [name for name in _ROW if axis.has(name)]
    row = tx.execute(select(*(axis.column(name) for name in names)).where(and_(*where))).first()
    return None if row is None else dict(zip(names, row, strict=True))


def conditions(around: Surroundings, subject: Subject, refused: Mapping[State, Any]) -> list[Condition]:
    """Everything the record waits for. `refused` maps states that a rule keeps it from entering to the refusal."""
    return [
        Condition(subject.axis.name, subject.scope or None, what, met, code)
        for what, met, code in _conditions(around, subject, refused)
    ]


Part = tuple[str, bool, str]
"""What is waited for, whether it is there, and the code of what refuses it."""


def _conditions(around: Surroundings, subject: Subject, refused: Mapping[State, Any]) -> Iterator[Part]:
    axis, state, row = subject.axis, subject.state, subject.row
    if row["version"] is None:
        yield (
            f"its first entry: the row of {axis.table.name} is not adopted yet, and nothing moves it{_left_over(around, subject)}",
            False,
            "",
        )
        return
    if state not in axis.machine.states and not (axis.adopt is not None and match_value(axis, state)[0]):
        yield f"a migration plan out of {state_text(state)}, or code that knows this state", False, ""
    if (timer := axis.machine.timers.get(state)) is not None:
        when = f"at {_when(due)}" if (due := row.get("timer_at")) else timer.words
        yield (
            f"its timer moves it to {state_text(timer.to)} {when}, unless it leaves {state_text(state)} before",
            False,
            "",
        )
    attempt = around.work_row(subject)
    for stage in subject.workflow.stages.values():
        if stage.axis != axis.name:
            continue
        if _is_one_of(state, stage.running) or (
            attempt is not None and attempt.stage == _full(subject, stage)
        ):
            yield from _running(around, subject, stage, attempt)
        elif state in stage.waiting and _is_its_turn(subject, stage):
            yield from _waiting(around, subject, stage, refused)
        elif _is_one_of(state, stage.failed, stage.terminal) and _failed_here(subject, stage):
            yield from _failed(around, subject, stage)
    is_done = any(one.axis == axis.name and state == one.done for one in subject.workflow.stages.values())
    if (needs := _person(axis, state)) and not is_done:  # work that ended well waits for nobody
        yield needs, False, ""


def _is_one_of(state: State, *declared: State) -> bool:
    """Whether a stage names this state; None stands for a state that it does not have, never for the state null."""
    return state is not None and state in declared


def _running(around: Surroundings, subject: Subject, stage: Stage, attempt: WorkRow | None) -> Iterator[Part]:
    row = subject.row
    if attempt is None:
        if row.get("error_code") and stage.failed is None and stage.terminal is None:
            yield (
                f"a person's retry: stage {stage.name} failed with {_error(row)} and has no failed state, so it stays here "
                f"({_retry_command(subject)})",
                False,
                "",
            )
        else:
            yield (
                f"stage {stage.name} has no task for it (lost, or moved here by hand); the next sweep starts one",
                False,
                "",
            )
            yield from _nobody_coordinates(around, row["since"])
        return
    number = _try(row, stage, 1)
    if attempt.reported_at is not None:
        who = around.runner_name(attempt.claimed_by) if attempt.claimed_by else "a runner"
        yield (
            f"{who} reported {number} of stage {stage.name} at {_when(attempt.reported_at)}; a coordinator applies it",
            False,
            "",
        )
        yield from _nobody_coordinates(around, attempt.reported_at)
    elif attempt.claimed_by is None:
        if attempt.available_at is not None and attempt.available_at > around.now:
            error = f" after {_error(row)}" if row.get("error_code") else ""
            yield f"{number} of stage {stage.name} at {_when(attempt.available_at)}{error}", False, ""
            return
        yield f"a runner has to claim {number} of stage {stage.name}", False, ""
        yield from _obstacles(around, subject, stage)
    elif attempt.lease_until is not None and attempt.lease_until < around.now:
        yield (
            f"runner {around.runner_name(attempt.claimed_by)} has not been heard from since its lease ended at "
            f"{_when(attempt.lease_until)}; the next sweep ends {number} of stage {stage.name}",
            False,
            "",
        )
        yield from _nobody_coordinates(around, attempt.lease_until)
    else:
        since = f", since {_when(attempt.claimed_at)}" if attempt.claimed_at else ""
        yield (
            f"runner {around.runner_name(attempt.claimed_by)} works on {number} of stage {stage.name}{since}",
            False,
            "",
        )


def _waiting(
    around: Surroundings, subject: Subject, stage: Stage, refused: Mapping[State, Any]
) -> Iterator[Part]:
    row, axis = subject.row, subject.axis
    yield f"stage {stage.name} is to run", False, ""
    target = stage.done if stage.running is None else stage.running
    refusal = refused.get(target)
    only_if = stage.only_if is None or _holds(around.tx, axis, subject.where, stage.only_if)
    is_paired = _is_paired(around.tx, subject)
    ready = row.get("ready_at")
    if axis.has("ready_at"):
        if ready is None and row.get("error_code"):
            yield _rests_failed(subject, stage), False, ""
        elif ready is None and only_if and is_paired and refusal is None:
            yield "the next sweep queues it", False, ""
        elif ready is not None and ready > around.now:
            error = f", after {_error(row)}" if row.get("error_code") else ""
            yield f"{_try(row, stage, 1)} comes at {_when(ready)}{error}", False, ""
        elif ready is not None:
            yield f"due since {_when(ready)}", True, ""
    if stage.only_if is not None:
        rests = "" if only_if else "; it rests here until that is so"
        yield f"only if {_condition_text(around.tx, stage.only_if)}{rests}", only_if, ""
    if not is_paired:
        yield (
            f"the pair of this record and {subject.scope} to be active again; meanwhile it rests",
            False,
            "",
        )
    if refusal is not None:
        yield f"a rule: {refusal.message}", False, refusal.code
    if ready is not None and ready <= around.now:
        yield from _obstacles(around, subject, stage)
        yield from _nobody_coordinates(around, ready)


def _obstacles(around: Surroundings, subject: Subject, stage: Stage) -> Iterator[Part]:
    """What keeps a record that is due from being begun."""
    yield from _adoption(around, subject)
    yield from _pauses(around, subject, stage)
    yield from _rates(around, subject, stage)
    yield from _slots(around, subject, stage)
    full = _full(subject, stage)
    serving = [one for one in around.runners if full in one.stages]
    served = {name for one in serving for name in one.stages}
    if not serving:
        yield (
            f"a runner: none is alive that serves stage {stage.name} (start one with `interlock runner`)",
            False,
            "",
        )
    elif sum(_busy(around, name) for name in served) >= sum(one.capacity for one in serving):
        yield f"a runner with room: all {len(serving)} that serve stage {stage.name} are busy", False, ""


def _left_over(around: Surroundings, subject: Subject) -> str:
    """Why the last backfill left the row over, where one did."""
    asked = select(adoption_left.c.why).where(
        adoption_left.c.kind == subject.workflow.name,
        adoption_left.c.axis == subject.axis.name,
        adoption_left.c.record_id == str(subject.key),
        adoption_left.c.scope == subject.scope,
    )
    why = around.tx.execute(asked).scalar()
    return "" if why is None else f"; the backfill left it over: {why}"


def _adoption(around: Surroundings, subject: Subject) -> Iterator[Part]:
    """An axis that is being adopted is worked on from the third phase on."""
    kind, axis = subject.workflow.name, subject.axis
    if axis.adopt is not None and (phase := phase_of(around.tx, kind, axis.name)) in HELD:
        yield (
            f"the adoption of {kind}.{axis.name} to reach the phase eligibility; it is in {phase} (`interlock adopt cutover`)",
            False,
            "",
        )


def _pauses(around: Surroundings, subject: Subject, stage: Stage) -> Iterator[Part]:
    for pause in around.pauses:
        named = (pause.kind, pause.stage) == (subject.workflow.name, stage.name)
        if named and pause.scope in ("", subject.scope):
            until = f" until {_when(pause.until)}" if pause.until else ""
            why = f": {pause.reason}" if pause.reason else ""
            yield f"stage {stage.name} to be resumed; {pause.actor} paused it{until}{why}", False, ""


def _rates(around: Surroundings, subject: Subject, stage: Stage) -> Iterator[Part]:
    kind = subject.workflow.name
    if stage.rate is not None:
        count, span = stage.rate
        if stages.room(around.work, around.tx, kind, stage.name, stage.rate, around.now) <= 0:
            yield f"the rate of stage {stage.name}: {count} in {_span(span)} are used up", False, ""
    if stage.rate_per is None:
        return
    name, key = _key(around, subject, stage.rate_per[0])
    free = rates.free_at(around.work, around.tx, kind, stage.name, key or "") if name else None
    if free is not None:
        whose = f"{name} {key}" if key else f"records without {name}"
        yield f"the rate of {whose}, until {_when(free)}", False, ""


def _slots(around: Surroundings, subject: Subject, stage: Stage) -> Iterator[Part]:
    full = _full(subject, stage)
    if stage.limit is not None and _busy(around, full) >= stage.limit:
        yield f"a free slot: stage {stage.name} works on {stage.limit} at once, and all are in use", False, ""
    if stage.per_key is None:
        return
    name, key = _key(around, subject, stage.per_key[0])
    if key is not None and _busy(around, full, key) >= stage.per_key[1]:
        yield (
            f"a free slot of {name} {key}: stage {stage.name} works on {stage.per_key[1]} of it at once",
            False,
            "",
        )


def _key(around: Surroundings, subject: Subject, column: Any) -> tuple[str, str | None]:
    """The name of the column that a limit or rate counts by, and the record's value in it as text."""
    own = subject.axis.own_column(column)
    if own is None:
        return "", None
    value = around.tx.execute(select(cast(own, Text)).where(and_(*subject.where))).scalar()
    return own.name, None if value is None else str(value)


def _failed(around: Surroundings, subject: Subject, stage: Stage) -> Iterator[Part]:
    row = subject.row
    ready = row.get("ready_at")
    if ready is not None:
        yield f"{_try(row, stage, 1)} of stage {stage.name} at {_when(ready)}, after {_error(row)}", False, ""
        if ready <= around.now:
            yield from _nobody_coordinates(around, ready)
        return
    yield _rests_failed(subject, stage), False, ""


def _rests_failed(subject: Subject, stage: Stage) -> str:
    row, allowed = subject.row, len(stage.retry) + 1
    if not (code := row.get("error_code")):
        return f"a person's retry: it was moved here, not by a failure of stage {stage.name} ({_retry_command(subject)})"
    if code == CANCELLED:
        return f"a person's retry: the work of stage {stage.name} was cancelled: {row.get('error_message')} ({_retry_command(subject)})"
    tries = row.get("tries") or 0
    spent = (
        f"all {allowed} tries of stage {stage.name} are used up"
        if tries >= allowed > 1
        else f"stage {stage.name} failed for good"
    )
    return f"a person's retry: {spent}; the last try failed with {_error(row)} ({_retry_command(subject)})"


def _retry_command(subject: Subject) -> str:
    scope = f" --scope {subject.scope}" if subject.scope else ""
    return f"`interlock record retry {subject.workflow.name} {subject.key}{scope} --reason …`"


def _nobody_coordinates(around: Surroundings, since: datetime | None) -> Iterator[Part]:
    if not around.coordinators and (since is None or around.now - since > GRACE):
        yield (
            "a coordinator: none is alive (start one with `interlock coordinator` or `interlock up`)",
            False,
            "",
        )


def gate_conditions(subject: Subject, gates: Mapping[State, list[tuple[Gate, Any]]]) -> Iterator[Condition]:
    """Gates before the state that the record's stage leads to, which have not passed for its version."""
    for stage in subject.workflow.stages.values():
        if stage.axis != subject.axis.name or subject.state not in (*stage.waiting, stage.running):
            continue
        for gate, verdict in gates.get(stage.done, []):
            scope = subject.scope or None
            if verdict is None:
                yield Condition(
                    subject.axis.name,
                    scope,
                    f"gate {gate.name} to pass; it has not run yet",
                    False,
                    "ILK-206",
                )
            elif not verdict.passed:
                why = f": {verdict.reason}" if verdict.reason else ""
                yield Condition(
                    subject.axis.name, scope, f"gate {gate.name} to pass; it refused{why}", False, "ILK-206"
                )


def _is_its_turn(subject: Subject, stage: Stage) -> bool:
    """Whether a record in a failed state that several stages share waits for this one."""
    if subject.state != stage.failed or subject.state == stage.declared_waiting:
        return True
    return _failed_here(subject, stage)


def _failed_here(subject: Subject, stage: Stage) -> bool:
    candidates = [
        one
        for one in subject.workflow.stages.values()
        if one.axis == stage.axis and subject.state in (one.failed, one.terminal)
    ]
    came_from = subject.row.get("failed_from")
    if len(candidates) == 1 or came_from is None:
        return stage is candidates[0]
    return came_from in (stage.running, *stage.waiting)


def _person(axis: Axis, state: State) -> str | None:
    edges = axis.machine.edges.get(state, ())
    if not edges or any(edge.kind != "operator" or edge.after is not None for edge in edges):
        return None
    names = ", ".join(state_text(edge.to) for edge in edges)
    return f"a person's decision: {names}"


def _is_paired(tx: Connection, subject: Subject) -> bool:
    pairs = subject.axis.pairs
    if pairs is None or not subject.scope:
        return True
    wanted = pairs.subquery()
    key, scope = list(wanted.columns)[:2]
    asked = select(literal(1)).where(key == subject.key, scope == subject.scope).limit(1)
    return tx.execute(asked).first() is not None


def _holds(tx: Connection, axis: Axis, where: tuple[Any, ...], condition: Any) -> bool:
    asked = select(literal(1)).select_from(axis.table).where(and_(*where, condition))
    return tx.execute(asked).first() is not None


def _condition_text(tx: Connection, condition: Any) -> str:
    """A condition as SQL with its values in it."""
    try:
        return str(condition.compile(dialect=tx.dialect, compile_kwargs={"literal_binds": True}))
    except (CompileError, NotImplementedError):
        return str(condition)


def _busy(around: Surroundings, stage: str, key: str | None = None) -> int:
    """How many attempts of a stage, and of one key, are under way."""
    row = around.work.run(
        around.tx,
        "SELECT count(*) FROM interlock_work WHERE stage = %(stage)s AND reported_at IS NULL "
        "AND (%(any)s = 1 OR limit_key = %(key)s)",
        {"stage": stage, "key": key or "", "any": int(key is None)},
    ).fetchone()
    return int(row[0])


def _full(subject: Subject, stage: Stage) -> str:
    return f"{subject.workflow.name}.{stage.name}"


def _try(row: Mapping[str, Any], stage: Stage, more: int) -> str:
    number, allowed = (row.get("tries") or 0) + more, len(stage.retry) + 1
    return f"try {number} of {allowed}" if allowed > 1 and stage.retry_in != "runner" else f"try {number}"


def _error(row: Mapping[str, Any]) -> str:
    code, message = row.get("error_code"), row.get("error_message")
    return f"{code}: {message}" if message else str(code)


def _when(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def _span(span: timedelta) -> str:
    return f"{span.total_seconds():g} s"
