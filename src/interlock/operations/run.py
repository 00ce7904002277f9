"""Carries out an operation in chunks: each marks its items in the transaction that moves them, so another process can go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, select

from ..authority import Authority
from ..authority.command import Asked, Command, command
from ..authority.command_runner import refusal_of
from ..authority.stage_move import typed
from ..authority.transactions.transaction import TRIES, Progress, Settle, isolate_failures, unsettled
from ..errors import ConcurrentModificationError, InterlockError, NotAdopted, StoreError, UnknownRecord
from ..store.engines import sql_of
from ..store.entry import Detail, canonical_facts, detail_digest
from ..store.faults import LostRace
from ..store.records.operations import Item, Mark, Operation, OperationRows
from ..workflow import Answer, Verdict
from .acts import Act, Aim
from .tally import Tally

CHUNK = 500
LEASE = timedelta(seconds=10)
NOBODY: Mapping[str, Any] = {"runner": None, "lease_until": None}
NEVER_SEEN = -1
"""A version that no row has: what was not adopted when the scope was frozen is not what was seen, if it is adopted now."""

OUTCOMES: dict[type[InterlockError], Verdict] = {
    UnknownRecord: "unknown",
    ConcurrentModificationError: "conflict",
}
Tell = Callable[[Operation], None]
Stop = Callable[[], bool]


class Run:
    """One process running an operation whose lease it holds."""

    def __init__(
        self,
        authority: Authority,
        rows: OperationRows,
        act: Act,
        operation: Operation,
        runner: str,
        *,
        chunk: int = CHUNK,
        lease: timedelta = LEASE,
    ) -> None:
        self.authority, self.rows, self.act, self.operation, self.runner = (
            authority,
            rows,
            act,
            operation,
            runner,
        )
        self.chunk, self.lease = chunk, lease
        self.settle: Settle = unsettled
        self.place = authority.mover.plans.place(act.workflow, act.axis)

    def go(self, tell: Tell | None = None, stop: Stop | None = None) -> Operation:
        """Move chunk after chunk until the operation is finished or paused, or this process stops; then release the lease."""
        try:
            while self.operation.status == "running" and not (stop and stop()):
                self.operation = self.patiently()
                if tell:
                    tell(self.operation)
        finally:
            with suppress(StoreError), self.authority.database.write() as tx:  # else the lease ends by itself
                self.rows.let_go(tx, self.operation.id, self.runner)
        return self.operation

    def patiently(self) -> Operation:
        """Move one chunk; repeated after a deadlock or serialization failure."""
        return self.authority.transactions.run_settling(
            lambda tx, final, settle: self.step(tx, final=final, settle=settle),
            exhausted=lambda: ConcurrentModificationError(
                f"operation {self.operation.id}: other transactions held the same records {TRIES} times",
                hint="It can be run again, and goes on where it was.",
            ),
        )

    def step(self, tx: Connection, *, final: bool, settle: Settle) -> Operation:
        id, self.settle = self.operation.id, settle
        if not self.rows.hold(tx, id, self.runner, self.lease):
            raise ConcurrentModificationError(
                f"operation {id} was taken over by another process", operation=id
            )
        before = self.read(tx)
        if before.pausing:
            self.rows.change(tx, id, {"status": "paused", "pausing": 0, **NOBODY})
            return self.read(tx)
        landing = (
            before.wanted.get("answered", 0) + before.ramp if before.ramp else 0
        )  # where the ramp ends: what needed no move is behind
        ramping = before.reached < landing
        items = self.rows.items(
            tx, id, before.reached, min(self.chunk, landing - before.reached) if ramping else self.chunk
        )
        tally = Tally.of(before.told)
        self.answer(tx, items, tally, final=final)
        reached = items[-1].number if items else before.reached
        self.advance(tx, before, reached, tally, paused=ramping and reached == landing)
        return self.read(tx)

    def read(self, tx: Connection) -> Operation:
        found = self.rows.get(tx, self.operation.id)
        assert found is not None, "an operation is never removed"
        return found

    def advance(self, tx: Connection, before: Operation, reached: int, tally: Tally, *, paused: bool) -> None:
        finished = reached >= before.records
        status = "finished" if finished else "paused" if paused else "running"
        over = {} if status == "running" else NOBODY
        self.rows.change(
            tx,
            before.id,
            {"reached": reached, "told": json.dumps(tally.as_dict()), "status": status, **over},
            now=["finished_at"] if finished else [],
        )
        if finished and before.undoes is not None:
            self.rows.change(tx, before.undoes, {"status": "undone"})

    def answer(self, tx: Connection, items: Sequence[Item], tally: Tally, *, final: bool) -> None:
        """Act on the items that have no answer yet; each keeps its own."""
        waiting = [one for one in items if one.outcome is None]
        marks = []
        for one, answer in self.answers(
            tx, waiting, self.place.keys_of([one.record_id for one in waiting]), tally, final=final
        ):
            if answer.outcome == "moved":
                tally.add("moved")
                marks.append(Mark(one.number, "moved", None, answer.old, answer.new, answer.version))
            else:
                tally.add(answer.outcome, 1, answer.error, [answer.id])
                code = answer.error.code if answer.error else None
                marks.append(Mark(one.number, answer.outcome, code, one.old, one.new, None))
        if marks:
            self.rows.mark(tx, self.operation.id, marks)

    def answers(
        self, tx: Connection, items: Sequence[Item], keys: Sequence[Any], tally: Tally, *, final: bool
    ) -> list[tuple[Item, Answer]]:
        """Group the items by where each is to go; those that can go nowhere are answered here."""
        id_of = self.place.id_of
        wanted = [
            Asked(id_of(key), key, NEVER_SEEN if one.version is None else one.version)
            for one, key in zip(items, keys, strict=True)
        ]
        if (common := self.act.common_aim) is not None:
            moved = self.move(tx, common, wanted, tally, final=final) if wanted else []
            return list(zip(items, moved, strict=True))
        by_aim: dict[Aim, list[tuple[Item, Asked]]] = {}
        answers: list[tuple[Item, Answer]] = []
        rows = self.values(tx, keys)
        for one, asked in zip(items, wanted, strict=True):
            try:
                aim = self.aim(tx, one, asked, rows)
            except InterlockError as error:
                answers.append((one, Answer(asked.key, OUTCOMES.get(type(error), "refused"), error=error)))
            else:
                by_aim.setdefault(aim, []).append((one, asked))
        for aim, several in by_aim.items():
            moved = self.move(tx, aim, [asked for _, asked in several], tally, final=final)
            answers += zip((one for one, _ in several), moved, strict=True)
        return answers

    def aim(self, tx: Connection, one: Item, asked: Asked, rows: Mapping[Any, Sequence[Any]] | None) -> Aim:
        past = (one.new, one.old)  # an undo's item is turned round already
        if rows is None:
            return self.act.aim(asked.id, (), past)
        if asked.key not in rows:
            raise UnknownRecord(self.act.workflow.name, asked.id, self.act.scope or None)
        version, *values = rows[asked.key]
        if version is None:
            raise NotAdopted(self.act.workflow.name, asked.id, self.act.axis.name)
        if version != asked.version:
            found = self.authority.mover.answer_conflict(
                tx, self.order(Aim(self.act.axis.machine.initial)), asked
            )
            assert found.error is not None, "a conflict says who was faster"
            raise found.error
        return self.act.aim(asked.id, values, past)

    def values(self, tx: Connection, keys: Sequence[Any]) -> dict[Any, Sequence[Any]] | None:
        """Version, and what decides the aim, of each row; None where nothing of the row decides."""
        columns, axis = self.act.columns(), self.act.axis
        if not columns:
            return None
        key = axis.table.c[axis.key]
        asked = select(key, axis.column("version"), *columns).where(
            sql_of(tx.dialect).column_among(key, keys)
        )
        if axis.scoped:
            asked = asked.where(axis.table.c[axis.scope_column] == self.act.scope)
        return {self.place.key_bind(row[0]): row[1:] for row in tx.execute(asked)}

    def move(
        self, tx: Connection, aim: Aim, wanted: list[Asked], tally: Tally, *, final: bool
    ) -> list[Answer]:
        """Move these together, each by the version that was seen; what a constraint or hook refuses is isolated from the others."""
        order, mover, now = self.order(aim), self.authority.mover, self.authority.clock.now()

        def run(numbers: list[int]) -> Progress:
            return mover.run(tx, order, wanted, numbers, now)

        numbers = list(range(len(wanted)))
        progress = isolate_failures(tx, numbers, self.settle(tx, run), refusal_of(wanted))
        if progress.lost and not final:
            raise LostRace
        for number in (*progress.lost, *progress.beaten):
            progress.answers[number] = mover.answer_conflict(tx, order, wanted[number])
        tally.add_driven(progress.driven)
        self.authority.commands.record_verdicts(tx, order, wanted, progress.answers)
        return [progress.answers[number] for number in numbers]

    def order(self, aim: Aim) -> Command:
        """The command; its reason is kept once for the whole operation, whatever the number of chunks and of those who ran it."""
        operation = self.operation
        facts = {**operation.facts, **self.act.facts(operation.reason)}
        made = command(
            self.act.workflow,
            self.act.axis,
            aim.to,
            actor=operation.actor,
            role=operation.role,
            reason=operation.reason,
            scope=self.act.scope or None,
            facts=facts,
            cause=f"operation.{operation.id}",
            origin=aim.origin,
            by_engine=self.act.is_by_engine,
        )
        salt, text = bytes.fromhex(operation.salt), canonical_facts(facts)
        detail = Detail(
            salt, operation.reason, text, detail_digest(salt, operation.reason, text), shared=True
        )
        columns = {name: typed(self.act.axis.table, name, value) for name, value in made.columns.items()}
        return replace(
            made,
            detail=detail,
            counts_driven=True,
            columns={**columns, **aim.column_values(self.act, self.authority.clock.now())},
        )
