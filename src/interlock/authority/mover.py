"""Carries out a command inside one transaction: read, judge, write what still is as it was read, run the hooks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection

from ..clock import Clock
from ..errors import (
    ConcurrentModificationError,
    GateRejected,
    NotAdopted,
    RuleRefused,
    UnknownRecord,
    state_text,
)
from ..store.connect import Database
from ..store.contract import Engine, Lock, MoveBatch, Reading, RowState, Step
from ..store.entry import Detail, EntryTemplate
from ..store.faults import LostRace
from ..store.ledger import read as ledger
from ..store.placement import Placement
from ..store.plan import MovePlan, Plans
from ..store.records import gates
from ..store.timing import Timing
from ..transport import Transport
from ..workflow import Answer, Axis, Move
from ..workflow.columns.effects import effects, ends
from ..workflow.stage import Gate
from .attempts import Attempts, Reported, finished
from .command import Asked, Command
from .hook_call import call_hook, hooks_of
from .judge import FollowUp, Judgement, Planned, Situation, judge
from .mirrors import Mirrors
from .transactions.transaction import Progress

NOTHING_REPORTED: Reported = {}
NO_VALUES: Mapping[str, Any] = {}


class Mover:
    """The one path by which a status changes."""

    def __init__(self, database: Database, engine: Engine, transport: Transport, clock: Clock) -> None:
        self.database, self.engine, self.transport = database, engine, transport
        self.asks_clock = Timing(database, clock).asks_clock
        self.plans = Plans(database.dialect)
        self.effects = cache(effects)
        self.attempts, self.mirrors = Attempts(database), Mirrors(database)

    def ask_clock(self, tx: Connection, now: datetime) -> datetime:
        """What the database's clock says; `now` where it has none, or where a test brings its own."""
        return now if self.asks_clock else self.database.sql.connections.clock(tx) or now

    def plan(self, command: Command) -> MovePlan:
        return self.plans.of(command.workflow, command.axis, command.to, command.origin)

    def run(
        self, tx: Connection, command: Command, asked: list[Asked], chosen: list[int], now: datetime
    ) -> Progress:
        """Move the chosen ones of the asked records; their work rows are locked first where the move may end an attempt."""
        plan = self.plan(command)
        keys = [asked[number].key for number in chosen]
        reported: Reported = {}
        if plan.ends_work and not command.holding:
            reported = self.attempts.lock_reported(tx, command, plan.axes, keys)
        if plan.workflow.mirrors:
            self.mirrors.lock(tx, plan.workflow, plan.axes, keys)
        self.follow_strays(tx, plan, keys)
        seen = self.see(tx, command, plan, keys) if chosen else []
        return self.carry(tx, command, plan, asked, chosen, seen, now, reported)

    def follow_strays(self, tx: Connection, plan: MovePlan, keys: list[Any]) -> None:
        """Writes past Interlock get their entries before anything else happens to these records."""
        for axis in plan.axes:
            declared = plan.workflow.axes[axis]
            if declared.adopt is not None and not declared.scoped:
                place = self.plans.place(plan.workflow, declared)
                while self.engine.follow_strays(tx, place, keys):
                    pass

    def carry(
        self,
        tx: Connection,
        command: Command,
        plan: MovePlan,
        asked: list[Asked],
        chosen: list[int],
        seen: list[RowState],
        now: datetime,
        reported: Reported = NOTHING_REPORTED,
    ) -> Progress:
        """Judge and move what was read."""
        progress = Progress()
        rows = {row.key: row for row in seen}
        kept, repeated = self._admissible(command, asked, chosen, rows, progress)
        order = {key: place for place, key in enumerate(rows)}
        kept.sort(
            key=lambda number: order[asked[number].key]
        )  # ids ascending, as they were read: two batches that overlap never cross
        for judgement, numbers in self._judged(command, plan, asked, kept, rows):
            if judgement.refusal is not None or judgement.unchanged:
                self._stay(judgement, asked, numbers, rows, progress)
                continue
            open_ = (
                self._unreported(command, judgement, asked, numbers, reported, progress)
                if reported
                else numbers
            )
            for same in self._alike(
                command, asked, self._gated(tx, command, plan, judgement, asked, open_, rows, progress)
            ):
                self._carry_out(tx, command, plan, judgement, asked, same, rows, progress, now)
        for number, first in repeated.items():
            progress.repeat(first, number, asked[number].id)
        return progress

    def _unreported(
        self,
        command: Command,
        judgement: Judgement,
        asked: list[Asked],
        numbers: list[int],
        reported: Reported,
        progress: Progress,
    ) -> list[int]:
        """Leave out records whose judged steps would end an attempt that has reported: it is finished, and only its report moves it."""
        ending = [
            step.axis for step in judgement.steps if ends(command.workflow, step.axis, step.old, step.new)
        ]
        left = []
        for number in numbers:
            one = asked[number]
            finished_here = [axis for axis in ending if (str(one.key), axis) in reported]
            if command.axis.name in finished_here:
                error = finished(command, one.id, reported[str(one.key), command.axis.name])
                progress.answers[number] = Answer(one.id, "conflict", error=error)
            elif finished_here:
                progress.lost.append(number)
            else:
                left.append(number)
        return left

    def _alike(self, command: Command, asked: list[Asked], numbers: list[int]) -> Iterable[list[int]]:
        """Records whose own values are of the same columns: one statement serves them."""
        if command.own is None:
            return [numbers] if numbers else []
        groups: dict[tuple[str, ...], list[int]] = {}
        for number in numbers:
            groups.setdefault(tuple(command.own[asked[number].key].columns), []).append(number)
        return groups.values()

    def foresee(self, tx: Connection, command: Command, asked: list[Asked]) -> Progress:
        """What a run would refuse by machine, rules and gates; nothing is locked or written, and no hook or constraint is asked."""
        progress = Progress()
        plan = self.plan(command)
        seen = self.engine.read(
            tx, plan.reading, [one.key for one in asked], command.scope, "", command.context()
        )
        rows = {row.key: row for row in seen}
        kept, _ = self._admissible(command, asked, range(len(asked)), rows, progress)
        for judgement, numbers in self._judged(command, plan, asked, kept, rows):
            if judgement.refusal is not None:
                self._stay(judgement, asked, numbers, rows, progress)
            else:
                self._gated(tx, command, plan, judgement, asked, numbers, rows, progress)
        return progress

    def _judged(
        self, command: Command, plan: MovePlan, asked: list[Asked], kept: list[int], rows: dict[Any, RowState]
    ) -> Iterable[tuple[Judgement, list[int]]]:
        """Rows in the same situation are judged once."""
        judged: dict[Any, tuple[Judgement, list[int]]] = {}
        for number in kept:
            row = rows[asked[number].key]
            situation = row.states + row.holds
            if situation not in judged:
                judged[situation] = (self._judge(command, plan, row), [])
            judged[situation][1].append(number)
        return judged.values()

    def see(self, tx: Connection, command: Command, plan: MovePlan, keys: list[Any]) -> list[RowState]:
        """Read the rows; where a rule asks about another table, its rows are locked first, so that the answer stays true."""
        lock: Lock = ""
        if plan.other_tables or plan.drives_elsewhere:
            lock = "update"  # lock order everywhere: record rows, then scope rows
            if command.axis.scoped:
                self._lock_others(tx, command, plan, keys)
            else:
                self.engine.read(tx, replace(plan.reading, conditions=()), keys, command.scope, lock, {})
                self._lock_others(tx, command, plan, keys)
        return self.engine.read(tx, plan.reading, keys, command.scope, lock, command.context())

    def _lock_others(self, tx: Connection, command: Command, plan: MovePlan, keys: list[Any]) -> None:
        for place in plan.other_tables:
            scopes = place.axis.scopes if not command.axis.scoped else (command.scope,)
            for scope in scopes if place.axis.scoped else ("",):
                self.engine.read(tx, Reading((place,)), keys, scope, "share", {})

    def _judge(self, command: Command, plan: MovePlan, row: RowState) -> Judgement:
        situation = Situation(dict(zip(plan.axes, row.states, strict=True)), row.holds, plan.conditions)
        return judge(
            command.workflow,
            command.axis,
            row.states[0] if command.origin == "amend" else command.to,
            situation,
            role=command.role,
            reason=command.reason,
            origin=command.origin,
            cause=command.cause,
            by_engine=command.by_engine,
        )

    def _admissible(
        self,
        command: Command,
        asked: list[Asked],
        chosen: Iterable[int],
        rows: dict[Any, RowState],
        progress: Progress,
    ) -> tuple[list[int], dict[int, int]]:
        """Leave out what is unknown, not adopted, or not at the version the caller saw; what is named twice goes with its first."""
        kept: list[int] = []
        first: dict[Any, int] = {}
        repeated: dict[int, int] = {}
        for number in chosen:
            one = asked[number]
            row = rows.get(one.key)
            if row is None:
                progress.answers[number] = Answer(
                    one.id, "unknown", error=UnknownRecord(command.kind, one.id, command.scope or None)
                )
            elif row.versions[0] is None:
                error = NotAdopted(command.kind, one.id, command.axis.name)
                progress.answers[number] = Answer(
                    one.id, "refused", row.states[0], row.states[0], error=error
                )
            elif one.version is not None and one.version != row.versions[0]:
                progress.beaten.append(number)
            elif one.key in first:
                repeated[number] = first[one.key]
            else:
                first[one.key] = number
                kept.append(number)
        return kept, repeated

    def version(self, tx: Connection, place: Placement, key: Any, scope: str) -> int:
        """The version a record is at, locked until the transaction ends."""
        seen = self.engine.read(tx, Reading((place,)), [key], scope, "update", {})
        if not seen or seen[0].versions[0] is None:
            raise UnknownRecord(place.kind, key, scope or None)
        return seen[0].versions[0]

    def conflict(self, tx: Connection, command: Command, one: Asked) -> Answer:
        """Somebody was faster: say who, when, and where the record is now."""
        last = ledger.last(tx, command.kind, str(one.key), command.axis.name, command.scope)
        who = f" by {last.actor} at {last.at:%Y-%m-%d %H:%M:%S} UTC" if last else ""
        state = last.new if last else None
        error = ConcurrentModificationError(
            f"{command.kind} {one.id!r} was moved to {state_text(state)} (version {last.version if last else '?'}){who}",
            kind=command.kind,
            id=one.id,
            seen=one.version,
            version=last.version if last else None,
            state=state,
            actor=last.actor if last else None,
            at=last.at if last else None,
        )
        return Answer(one.id, "conflict", state, state, last.version if last else None, error=error)

    def _carry_out(
        self,
        tx: Connection,
        command: Command,
        plan: MovePlan,
        judgement: Judgement,
        asked: list[Asked],
        numbers: list[int],
        rows: dict[Any, RowState],
        progress: Progress,
        now: datetime,
    ) -> None:
        """Move records that make the same steps, end their work rows, and call the hooks of these steps."""
        group = self.group(command, plan, judgement, [rows[asked[number].key] for number in numbers], now)
        moved = self.engine.move(tx, group)
        if command.workflow.stages:
            for step in group.steps[1:] if command.holding else group.steps:
                self.attempts.end(
                    tx,
                    command.workflow,
                    step.template,
                    command.scope,
                    list(moved),
                    now if command.holding else None,
                )
            if not command.holding and plan.wakes:
                self.transport.within(tx, "report")
                progress.wakes = True
        if plan.mirrors:
            for step in group.steps:
                made = (step.template.old, step.template.new)
                self.mirrors.keep(tx, command.workflow, step.template.axis, sorted(moved), made)
        mine = numbers
        if len(moved) < len(numbers):
            mine = [number for number in numbers if asked[number].key in moved]
            progress.lost += [number for number in numbers if asked[number].key not in moved]
        main = group.steps[0].template
        old, new = main.old, main.new
        for number in mine:
            one = asked[number]
            progress.answers[number] = Answer(one.id, "moved", old, new, (rows[one.key].versions[0] or 0) + 1)
        self._afterwards(tx, command, judgement, group, asked, mine, rows, progress, now)

    def _stay(
        self,
        judgement: Judgement,
        asked: list[Asked],
        numbers: list[int],
        rows: dict[Any, RowState],
        progress: Progress,
    ) -> None:
        error = judgement.refusal
        for number in numbers:
            row = rows[asked[number].key]
            progress.answers[number] = Answer(
                asked[number].id,
                "refused" if error else "unchanged",
                row.states[0],
                row.states[0],
                row.versions[0],
                error=error,
            )

    def group(
        self, command: Command, plan: MovePlan, judgement: Judgement, rows: list[RowState], now: datetime
    ) -> MoveBatch:
        """The statement's worth of rows that make exactly these steps."""
        steps = []
        own = None if command.own is None else [command.own[row.key] for row in rows]
        for number, planned in enumerate(judgement.steps):
            first = (
                number == 0
            )  # facts and reason belong to the move that was asked for, not to those it drives
            steps.append(
                self.step(
                    command,
                    planned,
                    plan.axes.index(planned.axis),
                    command.columns if first else {},
                    command.detail if first else None,
                    now,
                    command.counted if first else (),
                    own[0].columns if own and first else {},
                )
            )
        compared = tuple(sorted(plan.axes.index(name) for name in judgement.compared))
        conditions = tuple(plan.reading.conditions[number] for number in judgement.conditions)
        tokens = None if command.tokens is None else [command.tokens[row.key] for row in rows]
        return MoveBatch(
            plan.reading,
            tuple(steps),
            compared,
            command.scope,
            now,
            command.context(),
            conditions,
            rows,
            tokens,
            clock=now if self.asks_clock else None,
            own=own,
        )

    def step(
        self,
        command: Command,
        planned: Planned,
        index: int,
        column_values: Mapping[str, Any],
        detail: Detail | None,
        now: datetime,
        also: tuple[str, ...] = (),
        own: Mapping[str, Any] = NO_VALUES,
    ) -> Step:
        """One axis of a group: its entry, and what it does to the engine's columns; facts, of all rows or of each (`own`), come before the
        edge's own constants."""
        axis = command.workflow.axes[planned.axis]
        change = self.effects(command.workflow, axis, planned.old, planned.new, planned.origin)
        template = EntryTemplate(
            command.kind,
            axis.name,
            planned.old,
            planned.new,
            now,
            command.actor,
            command.role,
            planned.cause,
            planned.origin,
            axis.machine.fingerprint[:16],
            detail,
        )
        constants = {
            column: value
            for column, value in change.constants
            if column not in column_values and column not in also and column not in own
        }
        counted = tuple(column for column in dict.fromkeys((*change.counted, *also)) if column not in own)
        return Step(
            index,
            self.plans.place(command.workflow, axis),
            template,
            tuple(column for column in change.now if column not in column_values and column not in own),
            {**constants, **column_values},
            counted,
            frozenset(constants),
            tuple(one for one in change.later if one[0] not in column_values and one[0] not in own),
        )

    def _gated(
        self,
        tx: Connection,
        command: Command,
        plan: MovePlan,
        judgement: Judgement,
        asked: list[Asked],
        numbers: list[int],
        rows: dict[Any, RowState],
        progress: Progress,
    ) -> list[int]:
        """Keep those for whose current version, on the gate's own axis, every gate has passed."""
        waiting = [
            (step.axis, gate)
            for step in judgement.steps
            if plan.gates and step.old != step.new
            for gate in command.workflow.gates_of(step.axis, step.new)
        ]
        if not waiting or not numbers:
            return numbers
        keys = [str(asked[number].key) for number in numbers]
        places = {axis: plan.axes.index(axis) for axis, _ in waiting}
        verdicts = {axis: gates.latest(tx, command.kind, axis, command.scope, keys) for axis in places}
        kept = []
        for number in numbers:
            one, row = asked[number], rows[asked[number].key]
            missing = [
                f"{gate.name} {'said no' if verdict else 'has not run'}"
                for axis, gate in waiting
                if not (
                    (
                        verdict := verdicts[axis].get(
                            (str(one.key), row.versions[places[axis]] or 0, gate.name)
                        )
                    )
                    and verdict.passed
                )
            ]
            if missing:
                error = GateRejected(
                    f"{command.kind} {one.id!r}: {state_text(command.to)} waits for its gates: {', '.join(missing)}",
                    hint=_gates_that_nothing_runs(command, waiting),
                    kind=command.kind,
                    id=one.id,
                    gates=missing,
                )
                progress.answers[number] = Answer(
                    one.id, "refused", row.states[0], row.states[0], row.versions[0], error=error
                )
            else:
                kept.append(number)
        return kept

    def _afterwards(
        self,
        tx: Connection,
        command: Command,
        judgement: Judgement,
        group: MoveBatch,
        asked: list[Asked],
        mine: list[int],
        rows: dict[Any, RowState],
        progress: Progress,
        now: datetime,
    ) -> None:
        """Driven moves, hooks, and rules that reach into other tables."""
        if not mine:
            return
        for place, step in enumerate(group.steps):
            hooks = hooks_of(command.workflow, step) if command.workflow.hooks else ()
            answered = place > 0 and not command.counts_driven
            if place > 0 and command.counts_driven:
                made = step.template
                progress.driven[made.axis, command.scope or None, made.old, made.new] += len(mine)
            if not hooks and not answered:
                continue
            moves = {
                number: _as_move(command, step, asked[number], rows[asked[number].key], first=place == 0)
                for number in mine
            }
            if answered:
                for number, move in moves.items():
                    progress.answers[number].driven.append(move)
            for hook in hooks:
                call_hook(hook.function, tx, list(moves.values()))
        visited = command.visited | {(step.template.axis, command.scope) for step in group.steps}
        for follow_up in judgement.follow_ups:
            self._follow(tx, replace(command, visited=visited), follow_up, asked, mine, progress, now)

    def _follow(
        self,
        tx: Connection,
        command: Command,
        follow_up: FollowUp,
        asked: list[Asked],
        mine: list[int],
        progress: Progress,
        now: datetime,
    ) -> None:
        """Move the driven rows of another table: read under lock, after the driver's row."""
        axis: Axis = command.workflow.axes[follow_up.target]
        place = self.plans.place(command.workflow, axis)
        keys = [asked[number].key for number in mine]
        driven = replace(
            command,
            axis=axis,
            origin="rule",
            cause=follow_up.cause,
            facts={},
            columns={},
            detail=None,
            reason=None,
            counted=(),
            tokens=None,
            holding=False,
            own=None,
        )
        for scope in axis.scopes if axis.scoped else ("",):
            states = {
                row.key: row.states[0]
                for row in self.engine.read(tx, Reading((place,)), keys, scope, "update", {})
            }
            for old, new in follow_up.mapping.items():
                numbers = [
                    number
                    for number in mine
                    if asked[number].key in states and states[asked[number].key] == old
                ]
                if numbers and (axis.name, scope) in command.visited:
                    raise RuleRefused(
                        f"{command.kind}: rules move {axis.name} twice in one act",
                        axis=axis.name,
                        scope=scope or None,
                    )
                if numbers:
                    self._drive(tx, replace(driven, to=new, scope=scope), asked, numbers, progress, now)

    def _drive(
        self,
        tx: Connection,
        driven: Command,
        asked: list[Asked],
        numbers: list[int],
        progress: Progress,
        now: datetime,
    ) -> None:
        """Driven rows must move, or their driver does not either."""
        inner = self.run(tx, driven, [Asked(one.id, one.key) for one in asked], numbers, now)
        for number in numbers:
            answer = inner.answers.get(number)
            if answer is None or answer.error is not None:
                raise answer.error if answer and answer.error else LostRace
            if driven.counts_driven:
                progress.driven[driven.axis.name, driven.scope or None, answer.old, answer.new] += 1
                continue
            progress.answers[number].driven.append(
                Move(
                    driven.kind,
                    asked[number].id,
                    driven.axis.name,
                    driven.scope or None,
                    answer.version or 0,
                    answer.old,
                    answer.new,
                    driven.actor,
                    driven.role,
                    None,
                    driven.cause,
                    {},
                    now,
                    "rule",
                )
            )
            progress.answers[number].driven += answer.driven
        progress.wakes |= inner.wakes
        progress.driven += inner.driven


def _as_move(command: Command, step: Step, one: Asked, row: RowState, *, first: bool) -> Move:
    template = step.template
    own = command.own[one.key] if command.own is not None and first else None
    facts = json.loads(own.detail.facts) if own is not None and own.detail is not None else command.facts
    return Move(
        command.kind,
        one.id,
        template.axis,
        command.scope or None,
        (row.versions[step.index] or 0) + 1,
        template.old,
        template.new,
        template.actor,
        template.role,
        command.reason if first else None,
        template.cause,
        facts if first else {},
        template.at,
        template.origin,
    )


def _gates_that_nothing_runs(command: Command, waiting: Sequence[tuple[str, Gate]]) -> str:
    """What to do about gates before a state that no stage leads to; nothing where stages run them all."""
    led_to = {(stage.axis, stage.done) for stage in command.workflow.stages.values()}
    idle = [gate for axis, gate in waiting if (axis, gate.to) not in led_to]
    if not idle:
        return ""
    return (
        f"No stage leads to {idle[0].to}, so nothing runs {idle[0].name}: declare one with done={idle[0].to!r}, "
        "or record its verdict with app.judge_gate(…)."
    )
