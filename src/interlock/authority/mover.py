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
from ..errors import ConcurrentModificationError, RuleRefused, UnknownRecord, state_text
from ..store.connect import Database
from ..store.contract import Engine, Lock, MoveBatch, Reading, RowState, Step
from ..store.entry import Detail, EntryTemplate
from ..store.faults import LostRace
from ..store.ledger import read as ledger
from ..store.placement import Placement
from ..store.plan import MovePlan, Plans
from ..store.timing import Timing
from ..transport import Transport
from ..workflow import Answer, Axis, Move
from ..workflow.columns.effects import effects
from .attempts import Attempts, Reported
from .command import Asked, Command
from .hook_call import call_hook, hooks_of
from .judge import FollowUp, Judgement, Planned, Situation, judge
from .mirrors import Mirrors
from .move_run import MoveRun
from .transactions.transaction import Progress

NOTHING_REPORTED: Reported = {}
NO_VALUES: Mapping[str, Any] = {}
NOWHERE = object()
"""Equal to no state, null among them: the record has no row there."""


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
        """The compiled plan of this command's move."""
        return self.plans.of(command.workflow, command.axis, command.to, command.origin)

    def run(
        self, tx: Connection, command: Command, asked: Sequence[Asked], chosen: Sequence[int], now: datetime
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
        rows = self.read_rows(tx, command, plan, keys) if chosen else []
        return self.move_rows(tx, command, plan, asked, chosen, rows, now, reported)

    def follow_strays(self, tx: Connection, plan: MovePlan, keys: list[Any]) -> None:
        """Writes past Interlock get their entries before anything else happens to these records."""
        for axis in plan.axes:
            declared = plan.workflow.axes[axis]
            if declared.adopt is not None and not declared.scoped:
                place = self.plans.place(plan.workflow, declared)
                while self.engine.follow_strays(tx, place, keys):
                    pass

    def move_rows(
        self,
        tx: Connection,
        command: Command,
        plan: MovePlan,
        asked: Sequence[Asked],
        chosen: Sequence[int],
        rows: Iterable[RowState],
        now: datetime,
        reported: Reported = NOTHING_REPORTED,
    ) -> Progress:
        """Judge and move rows that were read."""
        run = MoveRun(tx, command, plan, asked, {row.key: row for row in rows}, now)
        kept, repeated = run.select_known(chosen)
        for judgement, numbers in self._group_by_judgement(run, kept):
            if judgement.refusal is not None or judgement.unchanged:
                run.answer_unmoved(judgement, numbers)
                continue
            unreported = run.select_unreported(judgement, numbers, reported) if reported else numbers
            for same in _group_by_columns(run, run.select_gated(judgement, unreported)):
                self._move_batch(run, judgement, same)
        for number, first in repeated.items():
            run.progress.repeat(first, number, asked[number].id)
        return run.progress

    def preview(self, tx: Connection, command: Command, asked: list[Asked], now: datetime) -> Progress:
        """What a run would refuse by machine, rules and gates; nothing is locked or written, and no hook or constraint is asked."""
        plan = self.plan(command)
        rows = self.engine.read(
            tx, plan.reading, [one.key for one in asked], command.scope, "", command.context()
        )
        run = MoveRun(tx, command, plan, asked, {row.key: row for row in rows}, now)
        kept, _ = run.select_known(range(len(asked)))
        for judgement, numbers in self._group_by_judgement(run, kept):
            if judgement.refusal is not None:
                run.answer_unmoved(judgement, numbers)
            else:
                run.select_gated(judgement, numbers)
        return run.progress

    def _group_by_judgement(
        self, run: MoveRun, numbers: Iterable[int]
    ) -> Iterable[tuple[Judgement, list[int]]]:
        """Rows in the same situation are judged once."""
        judged: dict[Any, tuple[Judgement, list[int]]] = {}
        for number in numbers:
            row = run.row(number)
            situation = row.states + row.holds
            if situation not in judged:
                judged[situation] = (self.judge_row(run.command, run.plan, row), [])
            judged[situation][1].append(number)
        return judged.values()

    def read_rows(self, tx: Connection, command: Command, plan: MovePlan, keys: list[Any]) -> list[RowState]:
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

    def judge_row(self, command: Command, plan: MovePlan, row: RowState) -> Judgement:
        """The steps that this command makes of a row, or why it makes none."""
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

    def read_version(self, tx: Connection, place: Placement, key: Any, scope: str) -> int:
        """The version a record is at, locked until the transaction ends."""
        rows = self.engine.read(tx, Reading((place,)), [key], scope, "update", {})
        if not rows or rows[0].versions[0] is None:
            raise UnknownRecord(place.kind, key, scope or None)
        return rows[0].versions[0]

    def answer_conflict(self, tx: Connection, command: Command, one: Asked) -> Answer:
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

    def _move_batch(self, run: MoveRun, judgement: Judgement, numbers: list[int]) -> None:
        """Move records that make the same steps, end their work rows, write mirrored columns, call hooks, and move what rules drive."""
        batch = self.make_batch(
            run.command, run.plan, judgement, [run.row(number) for number in numbers], run.now
        )
        moved = self.engine.move(run.tx, batch)
        self._end_work(run, batch, moved)
        if run.plan.mirrors:
            for step in batch.steps:
                made = (step.template.old, step.template.new)
                self.mirrors.keep(run.tx, run.command.workflow, step.template.axis, sorted(moved), made)
        if len(moved) < len(numbers):
            run.progress.lost += [number for number in numbers if run.asked[number].key not in moved]
            numbers = [number for number in numbers if run.asked[number].key in moved]
        main = batch.steps[0].template
        for number in numbers:
            version = (run.row(number).versions[0] or 0) + 1
            id = run.asked[number].id
            run.progress.answers[number] = Answer(id, "moved", main.old, main.new, version)
        if numbers:
            self._call_hooks(run, batch, numbers)
            visited = {(step.template.axis, run.command.scope) for step in batch.steps}
            for follow_up in judgement.follow_ups:
                self._drive_rows(run, follow_up, numbers, run.command.visited | visited)

    def _end_work(self, run: MoveRun, batch: MoveBatch, moved: set[Any]) -> None:
        """End the attempts of rows that left a running state, and give the hint that something waits. A caller that holds the work rows
        of the first step ends those itself."""
        command = run.command
        if not command.workflow.stages:
            return
        overtaken_at = run.now if command.holding else None
        for step in batch.steps[1:] if command.holding else batch.steps:
            self.attempts.end(
                run.tx, command.workflow, step.template, command.scope, list(moved), overtaken_at
            )
        if not command.holding and run.plan.wakes:
            self.transport.within(run.tx, "report")
            run.progress.wakes = True

    def make_batch(
        self, command: Command, plan: MovePlan, judgement: Judgement, rows: list[RowState], now: datetime
    ) -> MoveBatch:
        """Rows that make exactly these steps, as one batch of the engine. Facts and reason belong to the first step, the move that was
        asked for, and not to those it drives."""
        own = None if command.own is None else [command.own[row.key] for row in rows]
        steps = []
        for number, planned in enumerate(judgement.steps):
            is_first, index = number == 0, plan.axes.index(planned.axis)
            steps.append(
                self.make_step(
                    command,
                    planned,
                    index,
                    command.columns if is_first else {},
                    command.detail if is_first else None,
                    now,
                    command.counted if is_first else (),
                    own[0].columns if own and is_first else NO_VALUES,
                )
            )
        return MoveBatch(
            plan.reading,
            tuple(steps),
            tuple(sorted(plan.axes.index(name) for name in judgement.compared)),
            command.scope,
            now,
            command.context(),
            tuple(plan.reading.conditions[number] for number in judgement.conditions),
            rows,
            None if command.tokens is None else [command.tokens[row.key] for row in rows],
            clock=now if self.asks_clock else None,
            own=own,
        )

    def make_step(
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

    def _call_hooks(self, run: MoveRun, batch: MoveBatch, numbers: list[int]) -> None:
        """Call the hooks of these steps, and add to the answers what the first step drove along in the same rows."""
        command, progress = run.command, run.progress
        for place, step in enumerate(batch.steps):
            hooks = hooks_of(command.workflow, step) if command.workflow.hooks else ()
            is_answered = place > 0 and not command.counts_driven
            if place > 0 and command.counts_driven:
                made = step.template
                progress.driven[made.axis, command.scope or None, made.old, made.new] += len(numbers)
            if not hooks and not is_answered:
                continue
            moves = {
                number: _as_move(command, step, run.asked[number], run.row(number), first=place == 0)
                for number in numbers
            }
            if is_answered:
                for number, move in moves.items():
                    progress.answers[number].driven.append(move)
            for hook in hooks:
                call_hook(hook.function, run.tx, list(moves.values()))

    def _drive_rows(
        self, run: MoveRun, follow_up: FollowUp, numbers: list[int], visited: frozenset[tuple[str, str]]
    ) -> None:
        """Move the rows that a rule drives in another table: read under lock, after the driver's row. `visited` are the axes and scopes
        that this act has moved already."""
        command = run.command
        axis: Axis = command.workflow.axes[follow_up.target]
        place = self.plans.place(command.workflow, axis)
        keys = [run.asked[number].key for number in numbers]
        for scope in axis.scopes if axis.scoped else ("",):
            rows = self.engine.read(run.tx, Reading((place,)), keys, scope, "update", {})
            states = {row.key: row.states[0] for row in rows}
            for old, new in follow_up.mapping.items():
                there = [number for number in numbers if states.get(run.asked[number].key, NOWHERE) == old]
                if there and (axis.name, scope) in visited:
                    raise RuleRefused(
                        f"{command.kind}: rules move {axis.name} twice in one act",
                        axis=axis.name,
                        scope=scope or None,
                    )
                if there:
                    driven = replace(
                        command,
                        axis=axis,
                        to=new,
                        scope=scope,
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
                        visited=visited,
                    )
                    self._drive(run, driven, there)

    def _drive(self, run: MoveRun, driven: Command, numbers: list[int]) -> None:
        """Driven rows must move, or their driver does not either."""
        progress = run.progress
        inner = self.run(run.tx, driven, [Asked(one.id, one.key) for one in run.asked], numbers, run.now)
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
                    run.asked[number].id,
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
                    run.now,
                    "rule",
                )
            )
            progress.answers[number].driven += answer.driven
        progress.wakes |= inner.wakes
        progress.driven += inner.driven


def _group_by_columns(run: MoveRun, numbers: list[int]) -> Iterable[list[int]]:
    """Records whose own values are of the same columns, which one statement sets; without own values they are one group."""
    own = run.command.own
    if own is None:
        return [numbers] if numbers else []
    groups: dict[tuple[str, ...], list[int]] = {}
    for number in numbers:
        groups.setdefault(tuple(own[run.asked[number].key].columns), []).append(number)
    return groups.values()


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
