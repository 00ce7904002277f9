"""Carries out a migration plan: records of lost states go where the plan says, in chunks, each move an entry with role and reason.

Nothing is kept of how far a plan has come: what has moved is no longer in its lost state, so a plan that was killed is simply begun again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, func, select

from ..errors import BadInput, ConcurrentModificationError, RefusedByDatabase
from ..machine import Line, Machine, Plan, State
from ..store.records.plans import PlanRow, close_plan, open_plan
from ..store.records.stranded import EXAMPLES, is_in_states
from ..workflow import Answer, Axis, Workflow
from .authority import Authority
from .command import Asked, Command, command
from .command_runner import refusal_of
from .judge import planned
from .transactions.transaction import TRIES, Progress, Settle, isolate_failures

CHUNK = 500
PASSES = 20
"""While old code still brings records into a lost state there is no last one; somebody begins again when the old code is gone."""


@dataclass
class Refused:
    """Records that one line cannot move, for one reason."""

    code: str
    message: str
    records: int = 0
    examples: list[Any] = field(default_factory=list)


@dataclass
class LineOutcome:
    """What one line of a plan comes to, in one scope."""

    line: Line
    scope: str | None
    records: int
    moved: int = 0
    refused: dict[str, Refused] = field(default_factory=dict)
    left: int = 0

    @property
    def refusals(self) -> int:
        return sum(one.records for one in self.refused.values())

    def refuse(self, answer: Answer) -> None:
        if (error := answer.error) is not None:
            one = self.refused.setdefault(error.code, Refused(error.code, error.message))
            one.records += 1
            if len(one.examples) < EXAMPLES:
                one.examples.append(answer.id)


Tell = Callable[[LineOutcome], None]


@contextmanager
def asking_the_owner() -> Iterator[None]:
    """Say who has to write a plan, where the database does not let this user do it."""
    try:
        yield
    except RefusedByDatabase as refusal:
        if "permission denied" not in refusal.message:
            raise
        raise RefusedByDatabase(
            "a migration plan lets records make moves that no machine has: only the owner of the tables may write it",
            hint="Run `interlock machine migrate` with the owner's database URL.",
        ) from refusal


class Relocation:
    """One plan on one axis, by one person."""

    def __init__(
        self,
        authority: Authority,
        workflow: Workflow,
        axis: Axis,
        lines: list[Line],
        versions: list[Machine],
        *,
        actor: str,
        role: str,
        lost: Collection[State] = (),
        chunk: int = CHUNK,
    ) -> None:
        self.authority, self.workflow, self.axis, self.chunk = authority, workflow, axis, chunk
        self.plan = Plan(axis.machine, tuple(lines))
        if problems := self.plan.problems(versions, lost):
            raise BadInput(
                f"{workflow.name}.{axis.name}: the plan cannot be carried out: {'; '.join(problems)}",
                problems=problems,
                hint="`interlock machine diff` lists lost states and those that there are.",
            )
        if chunk < 1:
            raise BadInput(f"a chunk has at least one record, not {chunk}")
        for line in lines:
            planned(axis.machine, line.old, line.new, role=role, reason=line.reason)
        self.opened = PlanRow(
            workflow.name,
            axis.name,
            "migration",
            axis.machine.fingerprint,
            tuple((line.old, line.new, line.reason) for line in lines),
        )
        self.actor, self.role = actor, role
        self.orders = [
            (line, self.order(line, scope, actor, role))
            for line in lines
            for scope in (axis.scopes or (None,))
        ]

    def order(self, line: Line, scope: str | None, actor: str, role: str) -> Command:
        order = command(
            self.workflow,
            self.axis,
            line.new,
            actor=actor,
            role=role,
            reason=line.reason,
            scope=scope,
            origin="migration",
            cause=self.opened.cause,
        )
        assert order.detail is not None, "a line has a reason"
        return replace(
            order, detail=replace(order.detail, shared=True)
        )  # the reason is about the state, shared by all of its records

    def preview(self) -> list[LineOutcome]:
        """How many records each line would move, and what the rules and gates would refuse; nothing is locked or written."""
        found, now = [], self.authority.clock.now()
        with self.authority.database.read() as tx:
            for line, order in self.orders:
                outcome = LineOutcome(line, order.scope or None, self.count(tx, line, order))
                for wanted in self.chunks(tx, line, order):
                    for answer in self.authority.mover.preview(tx, order, wanted, now).answers.values():
                        outcome.refuse(answer)
                found.append(outcome)
        return found

    def apply(self, tell: Tell | None = None) -> list[LineOutcome]:
        """Move chunk after chunk, each in a transaction of its own, until nothing is left that can be moved."""
        database, now = self.authority.database, self.authority.clock.now()
        with asking_the_owner(), database.write() as tx:
            open_plan(database, tx, self.opened, actor=self.actor, role=self.role, at=now)
        outcomes = [
            self.carry_out(line, order, tell or (lambda outcome: None)) for line, order in self.orders
        ]
        if not any(outcome.left for outcome in outcomes):
            with (
                suppress(RefusedByDatabase),
                database.write() as tx,
            ):  # whoever is not the owner leaves it open
                close_plan(database, tx, self.opened, self.authority.clock.now())
        return outcomes

    def carry_out(self, line: Line, order: Command, tell: Tell) -> LineOutcome:
        with self.authority.database.read() as tx:
            outcome = LineOutcome(line, order.scope or None, self.count(tx, line, order))
        refused: set[Any] = set()
        for _ in range(
            PASSES
        ):  # records come into the lost state behind the first pass as long as old code runs
            moved, after = outcome.moved, None
            while (chunk := self.patiently(line, order, after, refused)) is not None:
                after, answers = chunk
                for answer in answers:
                    outcome.moved += answer.outcome == "moved"
                    if answer.error is not None:
                        refused.add(answer.id)
                        outcome.refuse(answer)
                tell(outcome)
            if outcome.moved == moved:
                break
        with self.authority.database.read() as tx:
            outcome.left = max(0, self.count(tx, line, order) - len(refused))
        outcome.records = outcome.moved + len(refused) + outcome.left
        return outcome

    def patiently(
        self, line: Line, order: Command, after: Any, refused: set[Any]
    ) -> tuple[Any, list[Answer]] | None:
        """One chunk; tried again when the database chose another transaction over this one."""
        return self.authority.transactions.run_settling(
            lambda tx, _, settle: self.move(tx, line, order, after, refused, settle),
            exhausted=lambda: ConcurrentModificationError(
                f"{order.kind}: other transactions held the same records {TRIES} times",
                hint="The plan can be begun again; what has moved stays moved.",
            ),
        )

    def move(
        self,
        tx: Connection,
        line: Line,
        order: Command,
        after: Any,
        refused: set[Any],
        settle: Settle,
    ) -> tuple[Any, list[Answer]] | None:
        """Move one chunk by the versions just read; records that were moved meanwhile are left to the next pass."""
        found = self.next_records(tx, line, order, after)
        if not found:
            return None
        wanted = [one for one in found if one.id not in refused]
        progress: Progress = Progress()
        if wanted:
            now, mover = self.authority.clock.now(), self.authority.mover

            def run(numbers: list[int]) -> Progress:
                return mover.run(tx, order, wanted, numbers, now)

            progress = isolate_failures(tx, list(range(len(wanted))), settle(tx, run), refusal_of(wanted))
            self.authority.commands.record_verdicts(tx, order, wanted, progress.answers)
        return found[-1].id, list(progress.answers.values())

    def chunks(self, tx: Connection, line: Line, order: Command) -> Iterator[list[Asked]]:
        after = None
        while wanted := self.next_records(tx, line, order, after):
            yield wanted
            after = wanted[-1].id

    def next_records(self, tx: Connection, line: Line, order: Command, after: Any) -> list[Asked]:
        """The next records in the lost state, by id, with the versions they are at."""
        key, place = (
            self.axis.table.c[self.axis.key],
            self.authority.mover.plans.place(self.workflow, self.axis),
        )
        asked = select(key, self.axis.column("version")).where(*self.here(line, order))
        if after is not None:
            asked = asked.where(key > after)
        return [
            Asked(id, place.key_bind(id), version)
            for id, version in tx.execute(asked.order_by(key).limit(self.chunk))
        ]

    def count(self, tx: Connection, line: Line, order: Command) -> int:
        return int(
            tx.execute(
                select(func.count()).select_from(self.axis.table).where(*self.here(line, order))
            ).scalar_one()
        )

    def here(self, line: Line, order: Command) -> list[Any]:
        scope = [self.axis.table.c[self.axis.scope_column] == order.scope] if self.axis.scoped else []
        return [is_in_states(self.axis, [line.old]), *scope]
