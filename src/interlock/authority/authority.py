"""The authority: takes commands, brings them into transactions, tries again after lost races, and answers for every record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from sqlalchemy import Connection

from ..clock import Clock
from ..errors import BadInput, InterlockError, StoreError, spoken
from ..machine import State
from ..store import commands, verdicts
from ..store.connect import Database
from ..store.contract import Engine
from ..store.faults import LostRace, is_lost_race
from ..store.postgresql.engine import PostgresqlEngine
from ..store.sqlite.engine import SqliteEngine
from ..workflow import Answer, Workflow
from .admission import Admission
from .answers import stored_answers, unstored_answers
from .careful import Progress, carefully
from .closing import Closing
from .command import Asked, Command, asked, command
from .mover import Mover
from .retrying import retry_target
from .transactions import joined

TRIES = 3
FIRST_PAUSE = 0.1
T = TypeVar("T")
Act = Callable[[Connection, list[int]], Progress]


class Authority:
    """The only writer of statuses."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database, self.clock = database, clock
        self.engine: Engine = SqliteEngine() if database.is_sqlite else PostgresqlEngine()
        self.mover = Mover(database, self.engine)
        self.admission = Admission(self.mover)
        self.closing = Closing(self.mover)

    def move_many(self, workflow: Workflow, ids: Iterable[Any], axis: str, to: State, *, tx: Any = None, **said: Any) -> list[Answer]:
        """Move each of the records; one bad row never stops the others."""
        place = workflow.axis(axis)
        order = command(workflow, place, to, **said)
        wanted = asked(self.mover.outlooks.place(workflow, place), ids)

        def act(connection: Connection, numbers: list[int]) -> Progress:
            return self.mover.run(connection, order, wanted, numbers, self.clock.now())

        return self._obey(order, wanted, tx, act)

    def move(self, workflow: Workflow, id: Any, axis: str, to: State, *, version: int | None = None, **said: Any) -> Answer:
        """Move one record, or raise what `move_many` would have answered."""
        return raised(self.move_many(workflow, [(id, version)], axis, to, **said)[0])

    def amend(self, workflow: Workflow, id: Any, facts: Mapping[str, Any], *, actor: str, reason: str, tx: Any = None) -> Answer:
        """Change facts of a record where it stands: a version of its own, so that gates must pass anew."""
        if not facts:
            raise BadInput("amend needs facts to change")
        gated = next((gate.axis for gate in workflow.gates), None)
        name = gated or next((axis.name for axis in workflow.axes.values() if not axis.scoped), None)
        if name is None:
            raise BadInput(f"{workflow.name} has only scoped axes; there is no version to amend")
        initial = workflow.axis(name).machine.initial
        answer = self.move_many(workflow, [id], name, initial, tx=tx, actor=actor, reason=reason, facts=facts, origin="amend",
                                cause=f"{workflow.noun}.amended")[0]
        return raised(answer)

    def retry(self, workflow: Workflow, id: Any, *, actor: str, reason: str, scope: str | None = None, role: str | None = None,
              tx: Any = None) -> Answer:
        """Send a failed record back to the state before the stage that failed; counted, and bounded."""
        reading = joined(self.database, tx, None, []) if tx is not None else self.database.read()
        with reading as connection:
            axis, to, version = retry_target(connection, self.mover.outlooks, workflow, id, scope)
        return self.move(workflow, id, axis, to, version=version, actor=actor, role=role, reason=reason, scope=scope, origin="retry",
                         cause="command.retry", tx=tx)

    def admit_many(self, workflow: Workflow, rows: Iterable[Mapping[str, Any]], *, actor: str = "app", reason: str | None = None,
                   key: str | None = None, tx: Any = None) -> list[Answer]:
        """Make records; one that its natural key says is there already answers `exists` with its id."""
        order = self.admission.order(workflow, actor=actor, reason=reason, key=key)
        given = list(rows)
        wanted = [Asked(number, str(number)) for number in range(len(given))]

        def act(connection: Connection, numbers: list[int]) -> Progress:
            return self.admission.run(connection, order, given, numbers, self.clock.now())

        return self._obey(order, wanted, tx, act, payload=given)

    def erase(self, workflow: Workflow, id: Any, *, actor: str, role: str, reason: str, tx: Any = None) -> Answer:
        """Remove a record and its personal detail for ever; its history keeps a closing entry and still verifies."""
        order = self.closing.order(workflow, actor=actor, role=role, reason=reason)
        wanted = asked(self.mover.outlooks.place(workflow, order.axis), [id])

        def act(connection: Connection, numbers: list[int]) -> Progress:
            return self.closing.run(connection, order, wanted, numbers, self.clock.now())

        return raised(self._obey(order, wanted, tx, act)[0])

    def _obey(self, order: Command, wanted: list[Asked], tx: Any, act: Act, payload: Any = None) -> list[Answer]:
        """Bring the act into a transaction: the caller's, or one of our own that is tried again after a lost race."""
        if not wanted:
            return []
        if tx is not None:
            with joined(self.database, tx, order.workflow, [one.id for one in wanted]) as connection:
                return self._whole(connection, order, wanted, act, payload, final=True)
        if order.key is None:
            return self._each(order, wanted, act)
        for number in range(TRIES):
            if number:
                self.clock.sleep(FIRST_PAUSE * 2 ** (number - 1))
            try:
                with self.database.write() as connection:
                    return self._whole(connection, order, wanted, act, payload, final=number == TRIES - 1)
            except (InterlockError, LostRace) as error:
                if number == TRIES - 1 or not _raced(error):
                    raise
        raise AssertionError("the last try answers or raises")

    def _whole(self, tx: Connection, order: Command, wanted: list[Asked], act: Act, payload: Any, *, final: bool) -> list[Answer]:
        """All of it within one transaction; a key is claimed and answered in it, so a command is applied at most once."""
        if order.key is not None:
            stored = commands.claim(self.database, tx, order.actor, order.key, order.payload(wanted, payload), self.clock.now())
            if stored is not None:
                return unstored_answers(stored)
        progress = carefully(tx, list(range(len(wanted))), lambda numbers: act(tx, numbers), _refusal(wanted))
        if progress.lost and not final:
            raise LostRace
        for number in progress.lost:
            progress.answers[number] = self.mover.conflict(tx, order, wanted[number], None)
        answers = self._recorded(tx, order, wanted, progress.answers)
        if order.key is not None:
            commands.answer(tx, order.actor, order.key, stored_answers(answers))
        return answers

    def _each(self, order: Command, wanted: list[Asked], act: Act) -> list[Answer]:
        """Without a key each record stands for itself: what moved is committed, what lost a race is tried again."""
        answers: dict[int, Answer] = {}
        pending = list(range(len(wanted)))
        for number in range(TRIES):
            if number:
                self.clock.sleep(FIRST_PAUSE * 2 ** (number - 1))
            progress = self._attempt(order, wanted, pending, act)
            answers |= progress.answers
            pending = progress.lost
            if not pending:
                return [answers[place] for place in range(len(wanted))]
        with self.database.write() as tx:
            lost = {number: self.mover.conflict(tx, order, wanted[number], None) for number in pending}
            self._recorded(tx, order, wanted, lost)
        return [(answers | lost)[place] for place in range(len(wanted))]

    def _attempt(self, order: Command, wanted: list[Asked], pending: list[int], act: Act) -> Progress:
        """One transaction over what is pending: fast first; if the database or a hook refuses something, row by row."""
        try:
            with self._fastest(order, pending) as tx:
                progress = act(tx, pending)
                self._recorded(tx, order, wanted, progress.answers)
                return progress
        except StoreError:
            raise
        except InterlockError as error:
            if _raced(error):
                return Progress(lost=pending)
        try:
            with self.database.write() as tx:
                progress = carefully(tx, pending, lambda numbers: act(tx, numbers), _refusal(wanted))
                self._recorded(tx, order, wanted, progress.answers)
                return progress
        except InterlockError as error:
            if _raced(error):
                return Progress(lost=pending)
            raise

    def _fastest(self, order: Command, pending: list[int]) -> AbstractContextManager[Connection]:
        """One record whose move is one statement needs no transaction around it."""
        moving = order.origin in ("move", "operator", "retry", "amend")
        alone = len(pending) == 1 and moving and not self.database.is_sqlite and not order.workflow.hooks
        if alone and self.mover.outlooks.of(order.workflow, order.axis, order.to).simple:
            return self.database.single()
        return self.database.write()

    def _recorded(self, tx: Connection, order: Command, wanted: list[Asked], answers: Mapping[int, Answer]) -> list[Answer]:
        """Every input ends with a recorded verdict: refusals and conflicts have a table of their own."""
        verdicts.record(tx, [
            verdicts.Refusal(order.kind, str(wanted[number].key), order.axis.name, order.scope, "command", order.key, answer.outcome,
                             answer.error.code, answer.error.message[:4000], spoken(order.to), order.actor, self.clock.now())
            for number, answer in answers.items() if answer.error is not None and answer.outcome in ("refused", "conflict")])
        return [answers[number] for number in sorted(answers)]


def _raced(error: BaseException) -> bool:
    return is_lost_race(error) or (error.__cause__ is not None and is_lost_race(error.__cause__))


def _refusal(wanted: list[Asked]) -> Callable[[int, InterlockError], Answer]:
    return lambda number, error: Answer(wanted[number].id, "refused", error=error)


def raised(answer: Answer) -> Answer:
    """The answer, unless it is an error: then that is raised."""
    if answer.error is not None:
        raise answer.error
    return answer
