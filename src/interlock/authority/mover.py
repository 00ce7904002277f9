"""Carries out a command inside one transaction: read, judge, write what still is as it was read, run the hooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection

from ..errors import ConcurrentModificationError, GateRejected, HookFailed, InterlockError, NotAdopted, RuleRefused, UnknownRecord, spoken
from ..machine import State
from ..store import gates, ledger
from ..store.connect import Database
from ..store.contract import Engine, Group, Lock, Reading, Seen, Step
from ..store.entry import Detail, EntryTemplate
from ..store.faults import LostRace, is_driver_error
from ..store.placement import Placement
from ..store.postgresql import shortcut
from ..store.waking import is_waited_in, wake_coordinators
from ..workflow import Answer, Axis, Gate, Move, Workflow
from ..workflow.effects import effects
from .attempts import Attempts, finished
from .careful import Progress
from .command import Asked, Command
from .judge import FollowUp, Judgement, Planned, Situation, judge
from .reading import Outlook, Outlooks


class Mover:
    """The one path by which a status changes."""

    def __init__(self, database: Database, engine: Engine) -> None:
        self.database, self.engine = database, engine
        self.outlooks = Outlooks(database.dialect)
        self.effects = cache(effects)
        self.sources = cache(plain_sources)
        self.attempts = Attempts(database)

    def run(self, tx: Connection, command: Command, asked: list[Asked], chosen: list[int], now: datetime,
            progress: Progress | None = None) -> Progress:
        """Move the chosen ones of the asked records; a progress that is given is filled step by step, as statements commit."""
        progress = Progress() if progress is None else progress
        outlook = self.outlooks.of(command.workflow, command.axis, command.to)
        chosen = self._unreported(tx, command, outlook, asked, chosen, progress)
        seen = self.see(tx, command, outlook, [asked[number].key for number in chosen]) if chosen else []
        return self.carry(tx, command, outlook, asked, chosen, seen, now, progress)

    def _unreported(self, tx: Connection, command: Command, outlook: Outlook, asked: list[Asked], chosen: list[int],
                    progress: Progress) -> list[int]:
        """Leave out what has reported: it is finished, and only its report moves it. The others' work rows are locked."""
        if command.holding or not self.attempts.may_end(command.workflow, command.axis, command.to, outlook.names, command.origin):
            return chosen
        held = self.attempts.lock(tx, command, outlook.names, [asked[number].key for number in chosen])
        reported = {(name, axis): one for (name, axis, scope), one in held.items() if one.outcome is not None and scope == command.scope}
        left = []
        for number in chosen:
            one = asked[number]
            mine = reported.get((str(one.key), command.axis.name))
            if mine is not None:
                progress.answers[number] = Answer(one.id, "conflict", error=finished(command, one.id, mine))
            elif any((str(one.key), name) in reported for name in outlook.names):
                progress.lost.append(number)
            else:
                left.append(number)
        return left

    def carry(self, tx: Connection, command: Command, outlook: Outlook, asked: list[Asked], chosen: list[int], seen: list[Seen],
              now: datetime, progress: Progress) -> Progress:
        """Judge and move what was read."""
        rows = {row.key: row for row in seen}
        kept, repeated = self._admissible(command, asked, chosen, rows, progress)
        order = {key: place for place, key in enumerate(rows)}
        kept.sort(key=lambda number: order[asked[number].key])  # ids ascending, as they were read: two batches that overlap never cross
        for judgement, numbers in self._judged(command, outlook, asked, kept, rows):
            self._carry_out(tx, command, outlook, judgement, asked, numbers, rows, progress, now)
        for number, first in repeated.items():
            progress.repeat(first, number, asked[number].id)
        return progress

    def foresee(self, tx: Connection, command: Command, asked: list[Asked]) -> Progress:
        """What a run would refuse by machine, rules and gates; nothing is locked or written, and no hook or constraint is asked."""
        progress = Progress()
        outlook = self.outlooks.of(command.workflow, command.axis, command.to)
        seen = self.engine.read(tx, outlook.reading, [one.key for one in asked], command.scope, "", command.said())
        rows = {row.key: row for row in seen}
        kept, _ = self._admissible(command, asked, range(len(asked)), rows, progress)
        for judgement, numbers in self._judged(command, outlook, asked, kept, rows):
            if judgement.refusal is not None:
                self._stay(judgement, asked, numbers, rows, progress)
            elif waiting := self._gates(command.workflow, judgement):
                self._gated(tx, command, outlook, waiting, asked, numbers, rows, progress)
        return progress

    def _judged(self, command: Command, outlook: Outlook, asked: list[Asked], kept: list[int],
                rows: dict[Any, Seen]) -> Iterable[tuple[Judgement, list[int]]]:
        """Rows in the same situation are judged once."""
        judged: dict[Any, tuple[Judgement, list[int]]] = {}
        for number in kept:
            row = rows[asked[number].key]
            situation = row.states + row.holds
            if situation not in judged:
                judged[situation] = (self._judge(command, outlook, row), [])
            judged[situation][1].append(number)
        return judged.values()

    def advance(self, tx: Any, command: Command, asked: list[Asked], chosen: list[int], now: datetime, progress: Progress) -> list[int]:
        """PostgreSQL's short way, where only one state leads to the wanted one; answers what moved, gives back the others."""
        sources = self.sources(command.axis, command.to)
        versioned = len(chosen) > 1 and any(asked[number].version is not None for number in chosen)
        if len(sources) != 1 or command.origin != "move" or versioned:
            return chosen
        old = sources[0]
        planned = Planned(command.axis.name, old, command.to, "move", command.cause)
        step = self.step(command, planned, 0, command.columns, command.detail, now)
        keys = sorted({asked[number].key for number in chosen}) if len(chosen) > 1 else [asked[chosen[0]].key]
        alone = len(keys) == 1 and not (command.detail is not None and command.detail.shared)
        owner = (command.kind, str(keys[0])) if alone else (None, None)
        versions = shortcut.take(tx, shortcut.Shortcut(step, keys, command.scope, asked[chosen[0]].version, now, owner))
        left = []
        for number in chosen:
            one = asked[number]
            version = versions.pop(one.key, None)
            if version is None:
                left.append(number)
            else:
                progress.answers[number] = Answer(one.id, "moved", old, command.to, version)
        return left

    def see(self, tx: Connection, command: Command, outlook: Outlook, keys: list[Any]) -> list[Seen]:
        """Read the rows; where a rule asks about another table, its rows are locked first, so that the answer stays true."""
        lock: Lock = ""
        if outlook.foreign or outlook.follows_up:
            lock = "update"  # lock order everywhere: record rows, then scope rows
            if command.axis.scoped:
                self._lock_foreign(tx, command, outlook, keys)
            else:
                self.engine.read(tx, replace(outlook.reading, conditions=()), keys, command.scope, lock, {})
                self._lock_foreign(tx, command, outlook, keys)
        return self.engine.read(tx, outlook.reading, keys, command.scope, lock, command.said())

    def _lock_foreign(self, tx: Connection, command: Command, outlook: Outlook, keys: list[Any]) -> None:
        for place in outlook.foreign:
            scopes = place.axis.scopes if not command.axis.scoped else (command.scope,)
            for scope in scopes if place.axis.scoped else ("",):
                self.engine.read(tx, Reading((place,)), keys, scope, "share", {})

    def _judge(self, command: Command, outlook: Outlook, row: Seen) -> Judgement:
        situation = Situation(dict(zip(outlook.names, row.states, strict=True)), row.holds, outlook.numbers)
        return judge(command.workflow, command.axis, row.states[0] if command.origin == "amend" else command.to, situation,
                     role=command.role, reason=command.reason, origin=command.origin, cause=command.cause)

    def _admissible(self, command: Command, asked: list[Asked], chosen: Iterable[int], rows: dict[Any, Seen],
                    progress: Progress) -> tuple[list[int], dict[int, int]]:
        """Leave out what is unknown, not adopted, or not at the version the caller saw; what is named twice goes with its first."""
        kept: list[int] = []
        first: dict[Any, int] = {}
        repeated: dict[int, int] = {}
        for number in chosen:
            one = asked[number]
            row = rows.get(one.key)
            if row is None:
                progress.answers[number] = Answer(one.id, "unknown", error=UnknownRecord(command.kind, one.id, command.scope or None))
            elif row.versions[0] is None:
                error = NotAdopted(command.kind, one.id, command.axis.name)
                progress.answers[number] = Answer(one.id, "refused", row.states[0], row.states[0], error=error)
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
            f"{command.kind} {one.id!r} was moved to {spoken(state)} (version {last.version if last else '?'}){who}",
            kind=command.kind, id=one.id, seen=one.version, version=last.version if last else None, state=state,
            actor=last.actor if last else None, at=last.at if last else None)
        return Answer(one.id, "conflict", state, state, last.version if last else None, error=error)

    def _carry_out(self, tx: Connection, command: Command, outlook: Outlook, judgement: Judgement, asked: list[Asked],
                   numbers: list[int], rows: dict[Any, Seen], progress: Progress, now: datetime) -> None:
        if judgement.refusal is not None or judgement.unchanged:
            self._stay(judgement, asked, numbers, rows, progress)
            return
        if waiting := self._gates(command.workflow, judgement):
            numbers = self._gated(tx, command, outlook, waiting, asked, numbers, rows, progress)
        if not numbers:
            return
        group = self.group(command, outlook, judgement, [rows[asked[number].key] for number in numbers], now)
        moved = self.engine.move(tx, group)
        if command.workflow.stages:
            for step in group.steps[1:] if command.holding else group.steps:
                self.attempts.end(tx, command.workflow, step.template, command.scope, list(moved), now if command.holding else None)
            if not command.holding and any(is_waited_in(command.workflow, step.template.axis, step.template.new) for step in group.steps):
                wake_coordinators(self.database, tx)
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

    def _stay(self, judgement: Judgement, asked: list[Asked], numbers: list[int], rows: dict[Any, Seen], progress: Progress) -> None:
        error = judgement.refusal
        for number in numbers:
            row = rows[asked[number].key]
            progress.answers[number] = Answer(asked[number].id, "refused" if error else "unchanged", row.states[0], row.states[0],
                                              row.versions[0], error=error)

    def group(self, command: Command, outlook: Outlook, judgement: Judgement, rows: list[Seen], now: datetime) -> Group:
        """The statement's worth of rows that make exactly these steps."""
        steps = []
        for number, planned in enumerate(judgement.steps):
            first = number == 0  # what was said of a move is said of the one that was asked for, not of those it drives
            steps.append(self.step(command, planned, outlook.names.index(planned.axis), command.columns if first else {},
                                   command.detail if first else None, now, command.counted if first else ()))
        compared = tuple(sorted(outlook.names.index(name) for name in judgement.compared))
        conditions = tuple(outlook.reading.conditions[number] for number in judgement.conditions)
        tokens = None if command.tokens is None else [command.tokens[row.key] for row in rows]
        return Group(outlook.reading, tuple(steps), compared, command.scope, now, command.said(), conditions, rows, tokens)

    def step(self, command: Command, planned: Planned, index: int, given: Mapping[str, Any], detail: Detail | None, now: datetime,
             also: tuple[str, ...] = ()) -> Step:
        """One axis of a group: its entry, and what it does to the engine's columns; given facts come before the edge's own constants."""
        axis = command.workflow.axes[planned.axis]
        change = self.effects(command.workflow, axis, planned.old, planned.new, planned.origin)
        template = EntryTemplate(command.kind, axis.name, planned.old, planned.new, now, command.actor, command.role, planned.cause,
                                 planned.origin, axis.machine.fingerprint[:16], detail)
        own = {column: value for column, value in change.constants if column not in given and column not in also}
        counted = tuple(dict.fromkeys((*change.counted, *also)))
        return Step(index, self.outlooks.place(command.workflow, axis), template,
                    tuple(column for column in change.now if column not in given), {**own, **given}, counted, frozenset(own))

    def _gates(self, workflow: Workflow, judgement: Judgement) -> list[tuple[str, Gate]]:
        return [(step.axis, gate) for step in judgement.steps if step.old != step.new for gate in workflow.gates_of(step.axis, step.new)]

    def _gated(self, tx: Connection, command: Command, outlook: Outlook, waiting: list[tuple[str, Gate]], asked: list[Asked],
               numbers: list[int], rows: dict[Any, Seen], progress: Progress) -> list[int]:
        """Keep those for whose current version, on the gate's own axis, every gate has passed."""
        keys = [str(asked[number].key) for number in numbers]
        places = {axis: outlook.names.index(axis) for axis, _ in waiting}
        verdicts = {axis: gates.latest(tx, command.kind, axis, command.scope, keys) for axis in places}
        kept = []
        for number in numbers:
            one, row = asked[number], rows[asked[number].key]
            missing = [f"{gate.name} {'said no' if verdict else 'has not run'}" for axis, gate in waiting
                       if not ((verdict := verdicts[axis].get((str(one.key), row.versions[places[axis]] or 0, gate.name)))
                               and verdict.passed)]
            if missing:
                error = GateRejected(f"{command.kind} {one.id!r}: {spoken(command.to)} waits for its gates: {', '.join(missing)}",
                                     kind=command.kind, id=one.id, gates=missing)
                progress.answers[number] = Answer(one.id, "refused", row.states[0], row.states[0], row.versions[0], error=error)
            else:
                kept.append(number)
        return kept

    def _afterwards(self, tx: Connection, command: Command, judgement: Judgement, group: Group, asked: list[Asked], mine: list[int],
                    rows: dict[Any, Seen], progress: Progress, now: datetime) -> None:
        """Driven moves, hooks, and rules that reach into other tables."""
        if not mine:
            return
        for place, step in enumerate(group.steps):
            hooks = [hook for hook in command.workflow.hooks if hook.wants(step.template.axis, step.template.new)]
            if not hooks and place == 0:
                continue
            moves = {number: _as_move(command, step, asked[number], rows[asked[number].key]) for number in mine}
            if place > 0:
                for number, move in moves.items():
                    progress.answers[number].driven.append(move)
            for hook in hooks:
                call_hook(hook.function, tx, list(moves.values()))
        trail = command.trail | {(step.template.axis, command.scope) for step in group.steps}
        for follow_up in judgement.follow_ups:
            self._follow(tx, replace(command, trail=trail), follow_up, asked, mine, progress, now)

    def _follow(self, tx: Connection, command: Command, follow_up: FollowUp, asked: list[Asked], mine: list[int], progress: Progress,
                now: datetime) -> None:
        """Move the driven rows of another table: read under lock, after the driver's row."""
        axis: Axis = command.workflow.axes[follow_up.target]
        place = self.outlooks.place(command.workflow, axis)
        keys = [asked[number].key for number in mine]
        driven = replace(command, axis=axis, origin="rule", cause=follow_up.cause, facts={}, columns={}, detail=None, reason=None,
                         counted=(), tokens=None, holding=False)
        for scope in axis.scopes if axis.scoped else ("",):
            states = {row.key: row.states[0] for row in self.engine.read(tx, Reading((place,)), keys, scope, "update", {})}
            for old, new in follow_up.mapping.items():
                numbers = [number for number in mine if asked[number].key in states and states[asked[number].key] == old]
                if numbers and (axis.name, scope) in command.trail:
                    raise RuleRefused(f"{command.kind}: rules move {axis.name} twice in one act", axis=axis.name, scope=scope or None)
                if numbers:
                    self._drive(tx, replace(driven, to=new, scope=scope), asked, numbers, progress, now)

    def _drive(self, tx: Connection, driven: Command, asked: list[Asked], numbers: list[int], progress: Progress, now: datetime) -> None:
        """Driven rows must move, or their driver does not either."""
        inner = self.run(tx, driven, [Asked(one.id, one.key) for one in asked], numbers, now)
        for number in numbers:
            answer = inner.answers.get(number)
            if answer is None or answer.error is not None:
                raise answer.error if answer and answer.error else LostRace
            progress.answers[number].driven.append(Move(
                driven.kind, asked[number].id, driven.axis.name, driven.scope or None, answer.version or 0, answer.old, answer.new,
                driven.actor, driven.role, None, driven.cause, {}, now, "rule"))
            progress.answers[number].driven += answer.driven


def plain_sources(axis: Axis, to: State) -> tuple[State, ...]:
    """The states from which anybody may go there; operator and retry moves are judged the long way."""
    return tuple(old for old, edge in axis.machine.pairs() if edge.to == to and edge.kind == "plain")


def call_hook(function: Any, tx: Connection, moves: list[Move]) -> None:
    """A hook's own fault is told apart from the database's."""
    try:
        function(tx, moves)
    except InterlockError:
        raise
    except Exception as error:
        if is_driver_error(error):
            raise
        name = getattr(function, "__name__", "hook")
        raise HookFailed(f"hook {name} failed: {type(error).__name__}: {error}", hook=name) from error


def _as_move(command: Command, step: Step, one: Asked, row: Seen) -> Move:
    template = step.template
    first = template.detail is not None
    return Move(command.kind, one.id, template.axis, command.scope or None, (row.versions[step.index] or 0) + 1, template.old, template.new,
                template.actor, template.role, command.reason if first else None, template.cause,
                command.facts if first else {}, template.at, template.origin)
