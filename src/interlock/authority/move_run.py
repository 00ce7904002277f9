"""The records of one command within one transaction: which of them may move, and what is answered for the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from ..errors import GateRejected, InterlockError, NotAdopted, UnknownRecord, state_text
from ..store.contract import RowState
from ..store.plan import MovePlan
from ..store.records import gates
from ..workflow import Answer
from ..workflow.columns.effects import ends
from ..workflow.stage import Gate
from .attempts import Reported, finished
from .command import Asked, Command
from .judge import Judgement
from .transactions.transaction import Progress


@dataclass(slots=True)
class MoveRun:
    """A command at work: its records by number, the rows as they were read, and what came of each so far."""

    tx: Connection
    command: Command
    plan: MovePlan
    asked: Sequence[Asked]
    rows: dict[Any, RowState]
    now: datetime
    progress: Progress = field(default_factory=Progress)

    def row(self, number: int) -> RowState:
        """The row of a record that is there."""
        return self.rows[self.asked[number].key]

    def answer_refused(self, number: int, error: InterlockError) -> None:
        """The record stays where it is, and the answer says why."""
        row = self.row(number)
        self.progress.answers[number] = Answer(
            self.asked[number].id, "refused", row.states[0], row.states[0], row.versions[0], error=error
        )

    def answer_unmoved(self, judgement: Judgement, numbers: Iterable[int]) -> None:
        """The records stay where they are: refused, or there already."""
        for number in numbers:
            if judgement.refusal is not None:
                self.answer_refused(number, judgement.refusal)
                continue
            row = self.row(number)
            self.progress.answers[number] = Answer(
                self.asked[number].id, "unchanged", row.states[0], row.states[0], row.versions[0]
            )

    def select_known(self, chosen: Iterable[int]) -> tuple[list[int], dict[int, int]]:
        """The numbers of the chosen records that are there, adopted, and at the version the caller saw, with ids ascending; and of what is
        named twice its first number by its second. The others are answered, or beaten."""
        kept: list[int] = []
        first: dict[Any, int] = {}
        repeated: dict[int, int] = {}
        answers, command = self.progress.answers, self.command
        for number in chosen:
            one = self.asked[number]
            row = self.rows.get(one.key)
            if row is None:
                unknown = UnknownRecord(command.kind, one.id, command.scope or None)
                answers[number] = Answer(one.id, "unknown", error=unknown)
            elif row.versions[0] is None:
                self.answer_refused(number, NotAdopted(command.kind, one.id, command.axis.name))
            elif one.version is not None and one.version != row.versions[0]:
                self.progress.beaten.append(number)
            elif one.key in first:
                repeated[number] = first[one.key]
            else:
                first[one.key] = number
                kept.append(number)
        # Ids ascend, as they were read: two batches that overlap never lock in opposite orders.
        order = {key: place for place, key in enumerate(self.rows)}
        kept.sort(key=lambda number: order[self.asked[number].key])
        return kept, repeated

    def select_unreported(self, judgement: Judgement, numbers: list[int], reported: Reported) -> list[int]:
        """Those whose judged steps end no attempt that has reported: such an attempt is finished, and only its report moves the record."""
        command = self.command
        ending = [
            step.axis for step in judgement.steps if ends(command.workflow, step.axis, step.old, step.new)
        ]
        kept = []
        for number in numbers:
            one = self.asked[number]
            done = [axis for axis in ending if (str(one.key), axis) in reported]
            if command.axis.name in done:
                error = finished(command, one.id, reported[str(one.key), command.axis.name])
                self.progress.answers[number] = Answer(one.id, "conflict", error=error)
            elif done:
                self.progress.lost.append(number)
            else:
                kept.append(number)
        return kept

    def select_gated(self, judgement: Judgement, numbers: list[int]) -> list[int]:
        """Those for whose current version, on the gate's own axis, every gate has passed; the others are refused."""
        command = self.command
        asked_for = [
            (step.axis, gate)
            for step in judgement.steps
            if self.plan.gates and step.old != step.new
            for gate in command.workflow.gates_of(step.axis, step.new)
        ]
        if not asked_for or not numbers:
            return numbers
        keys = [str(self.asked[number].key) for number in numbers]
        verdicts = {
            axis: gates.latest(self.tx, command.kind, axis, command.scope, keys)
            for axis in {axis for axis, _ in asked_for}
        }
        kept = []
        for number in numbers:
            missing = self._missing_gates(number, asked_for, verdicts)
            if not missing:
                kept.append(number)
                continue
            id = self.asked[number].id
            error = GateRejected(
                f"{command.kind} {id!r}: {state_text(command.to)} waits for its gates: {', '.join(missing)}",
                hint=_how_gates_run(command, asked_for),
                kind=command.kind,
                id=id,
                gates=missing,
            )
            self.answer_refused(number, error)
        return kept

    def _missing_gates(
        self, number: int, asked_for: Sequence[tuple[str, Gate]], verdicts: dict[str, Any]
    ) -> list[str]:
        """Of each gate that has not passed for the record's current version, its name and why not."""
        row, name = self.row(number), str(self.asked[number].key)
        missing = []
        for axis, gate in asked_for:
            version = row.versions[self.plan.axes.index(axis)] or 0
            verdict = verdicts[axis].get((name, version, gate.name))
            if verdict is None or not verdict.passed:
                missing.append(f"{gate.name} {'said no' if verdict else 'has not run'}")
        return missing


def _how_gates_run(command: Command, asked_for: Sequence[tuple[str, Gate]]) -> str:
    """What to do about gates before a state that no stage leads to; nothing where stages run them all."""
    led_to = {(stage.axis, stage.done) for stage in command.workflow.stages.values()}
    idle = [gate for axis, gate in asked_for if (axis, gate.to) not in led_to]
    if not idle:
        return ""
    return (
        f"No stage leads to {idle[0].to}, so nothing runs {idle[0].name}: declare one with done={idle[0].to!r}, "
        "or record its verdict with app.judge_gate(…)."
    )
