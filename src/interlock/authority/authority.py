"""The authority: takes commands, brings them into transactions, tries again after lost races, and answers for every record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from ..clock import Clock
from ..errors import BadInput, InterlockError, StoreError, spoken
from ..machine import State
from ..store import commands, verdicts
from ..store.connect import Database
from ..store.contract import Engine
from ..store.entry import canonical
from ..store.faults import LostRace, is_lost_race
from ..store.postgresql.engine import PostgresqlEngine
from ..store.sqlite.engine import SqliteEngine
from ..workflow import Answer, Axis, Workflow
from .admission import Admission
from .answers import stored_answers, unstored_answers
from .cancelling import cancel_target
from .careful import Progress, carefully
from .closing import WORDS, Closing
from .command import Asked, Command, asked, asked_one, command, named, said_of
from .mover import Mover
from .quick import Quick
from .retrying import retry_target
from .transactions import joined, settling

TRIES = 3
FIRST_PAUSE = 0.1
Act = Callable[[Connection, list[int], Progress | None], Progress]


class Authority:
    """The only writer of statuses."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database, self.clock = database, clock
        self.engine: Engine = SqliteEngine() if database.is_sqlite else PostgresqlEngine()
        self.mover = Mover(database, self.engine)
        self.admission = Admission(self.mover)
        self.closing = Closing(self.mover)
        self.quick = None if database.is_sqlite else Quick(database, self.mover, clock)

    def move_many(self, workflow: Workflow, ids: Iterable[Any], axis: str, to: State, *, tx: Any = None,
                  given: Mapping[str, Any] | None = None, **said: Any) -> list[Answer]:
        """Move each of the records; one bad row never stops the others. `given` are engine columns, from callers of our own."""
        place = workflow.axis(axis)
        every = asked(self.mover.outlooks.place(workflow, place), ids)
        wanted = [one for one in every if one.fault is None]
        order = said_of(command(workflow, place, to, **said), len(wanted))
        if given:
            order = replace(order, columns={**order.columns, **given})

        def act(connection: Connection, numbers: list[int], progress: Progress | None) -> Progress:
            return self.mover.run(connection, order, wanted, numbers, self.clock.now(), progress)

        answers = self._obey(order, wanted, tx, act)
        if len(every) == len(wanted):
            return answers
        told = iter(answers)
        return [next(told) if one.fault is None else Answer(one.id, "refused", error=one.fault) for one in every]

    def move(self, workflow: Workflow, id: Any, axis: str, to: State, *, version: int | None = None, **said: Any) -> Answer:
        """Move one record, or raise what `move_many` would have answered."""
        return raised(self.move_many(workflow, [(id, version)], axis, to, **said)[0])

    def move_quickly(self, workflow: Workflow, id: Any, axis: str, to: State, version: int | None, actor: str, role: str | None,
                     scope: str | None) -> Answer | None:
        """Move one record of which nothing is said but who moves it; None where that takes more than one statement."""
        return None if self.quick is None else self.quick.move(workflow, id, axis, to, version, actor, role, scope)

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
            target = retry_target(connection, self.mover.outlooks, workflow, id, scope)
        return self.move(workflow, id, target.axis.name, target.to, version=target.version, actor=actor, role=role, reason=reason,
                         scope=scope if target.axis.scoped else None, origin=target.origin, cause="command.retry", tx=tx,
                         given=self._anew(target.axis) if target.origin == "reissue" else {})

    def _anew(self, axis: Axis) -> dict[str, Any]:
        """As if it had just come here: due, no try used, no error."""
        values = {"ready_at": self.clock.now(), "tries": 0, "error_code": None, "error_message": None}
        return {axis.column_name(name): value for name, value in values.items() if axis.has(name)}

    def cancel(self, workflow: Workflow, id: Any, *, actor: str, reason: str, role: str | None = None, scope: str | None = None,
               axis: str | None = None, key: str | None = None, tx: Any = None) -> Answer:
        """End what runs or waits; it rests where the stage's failures go. What has already reported is finished: that is a conflict."""
        if not reason:
            raise BadInput("cancel needs a reason")
        said = {"actor": actor, "role": role, "reason": reason}
        if key is None:
            return raised(self._cancelled(workflow, id, scope, axis, tx, said))
        payload = sha256(canonical([workflow.name, str(id), scope, axis, role, reason, "cancel"]).encode()).digest()
        return raised(self._once(actor, key, payload, tx, lambda within: self._cancelled(workflow, id, scope, axis, within, said)))

    def _cancelled(self, workflow: Workflow, id: Any, scope: str | None, axis: str | None, tx: Any, said: Mapping[str, Any]) -> Answer:
        reading = joined(self.database, tx, None, []) if tx is not None else self.database.read()
        with reading as connection:
            name, to, version = cancel_target(connection, self.engine, self.mover.outlooks, workflow, id, scope, axis)
        scoped = scope if workflow.axis(name).scoped else None
        return self.move_many(workflow, [(id, version)], name, to, scope=scoped, tx=tx, cause="command.cancel", **said,
                              facts={"error_code": "CANCELLED", "error_message": said["reason"]},
                              given={workflow.axis(name).column_name("ready_at"): None})[0]

    def _once(self, actor: str, key: str, payload: bytes, tx: Any, act: Callable[[Any], Answer]) -> Answer:
        """A command that looks before it moves, under a key: taken first, for what was done already must not be looked for again."""
        with self.database.write() if tx is None else joined(self.database, tx, None, []) as within, within.begin_nested():
            stored = commands.claim(self.database, within, named("actor", actor), named("key", key), payload, self.clock.now())
            if stored is not None:
                return unstored_answers(stored)[0]
            answer = act(within if tx is None else tx)
            commands.answer(within, actor, key, stored_answers([answer]))
            return answer

    def admit_many(self, workflow: Workflow, rows: Iterable[Mapping[str, Any]], *, actor: str = "app", reason: str | None = None,
                   key: str | None = None, tx: Any = None) -> list[Answer]:
        """Make records; one that its natural key says is there already answers `exists` with its id."""
        given = list(rows)
        order = said_of(self.admission.order(workflow, actor=actor, reason=reason, key=key), len(given))
        wanted = [Asked(number, str(number)) for number in range(len(given))]

        def act(connection: Connection, numbers: list[int], _: Progress | None) -> Progress:
            return self.admission.run(connection, order, given, numbers, self.clock.now())

        return self._obey(order, wanted, tx, act, payload=given)

    def erase(self, workflow: Workflow, id: Any, *, actor: str, role: str, reason: str, tx: Any = None) -> Answer:
        """Remove a record and its personal detail for ever; its history keeps a closing entry and still verifies."""
        return self._close(workflow, id, "erase", tx, actor=actor, role=role, reason=reason)

    def delete(self, workflow: Workflow, id: Any, *, actor: str, role: str, reason: str, tx: Any = None) -> Answer:
        """Remove a record; its whole history stays and closes with an entry."""
        return self._close(workflow, id, "deletion", tx, actor=actor, role=role, reason=reason)

    def _close(self, workflow: Workflow, id: Any, origin: str, tx: Any, **said: Any) -> Answer:
        order = self.closing.order(workflow, origin, **said)
        wanted = [asked_one(self.mover.outlooks.place(workflow, order.axis), id)]

        def act(connection: Connection, numbers: list[int], _: Progress | None) -> Progress:
            return self.closing.run(connection, order, wanted, numbers, self.clock.now())

        return raised(self._obey(order, wanted, tx, act)[0])

    def _obey(self, order: Command, wanted: list[Asked], tx: Any, act: Act, payload: Any = None) -> list[Answer]:
        """Bring the act into a transaction: the caller's, or one of our own that is tried again after a lost race."""
        if not wanted:
            return []
        if tx is not None:
            with (joined(self.database, tx, order.workflow, [one.id for one in wanted]) as connection,
                  connection.begin_nested() if order.key is not None else nullcontext()):  # a claimed key goes with what it did
                return self._whole(connection, order, wanted, act, payload, final=True)
        if order.key is None:
            return self._each(order, wanted, act)
        for number in range(TRIES):
            if number:
                self.clock.sleep(FIRST_PAUSE * 2 ** (number - 1))
            try:
                with self.database.write() as connection:
                    return self._whole(connection, order, wanted, settling(connection, act) if order.workflow.hooks else act,
                                       payload, final=number == TRIES - 1)
            except (InterlockError, LostRace) as error:
                if number == TRIES - 1 or not raced(error):
                    raise
        raise AssertionError("the last try answers or raises")

    def _whole(self, tx: Connection, order: Command, wanted: list[Asked], act: Act, payload: Any, *, final: bool) -> list[Answer]:
        """All of it within one transaction; a key is claimed and answered in it, so a command is applied at most once."""
        if order.key is not None:
            stored = commands.claim(self.database, tx, order.actor, order.key, order.payload(wanted, payload), self.clock.now())
            if stored is not None:
                return unstored_answers(stored)
        progress = carefully(tx, list(range(len(wanted))), lambda numbers: act(tx, numbers, None), refusal_of(wanted))
        if progress.lost and not final:
            raise LostRace
        answers = self._told(tx, order, wanted, progress)
        if order.key is not None:
            commands.answer(tx, order.actor, order.key, stored_answers(answers))
        return answers

    def _each(self, order: Command, wanted: list[Asked], act: Act) -> list[Answer]:
        """Without a key each record stands for itself: what moved is committed, what lost a race is tried again."""
        done = Progress()
        pending = list(range(len(wanted)))
        for number in range(TRIES):
            if number:
                self.clock.sleep(FIRST_PAUSE * 2 ** (number - 1))
            progress = self._attempt(order, wanted, pending, act)
            pending, progress.lost = progress.lost, []
            done = progress if number == 0 else done.add(progress)
            if not pending:
                break
        done.lost = pending
        if pending or done.beaten or any(answer.error is not None for answer in done.answers.values()):
            with self.database.write() as tx:
                return self._told(tx, order, wanted, done)
        return [done.answers[number] for number in range(len(wanted))]

    def _attempt(self, order: Command, wanted: list[Asked], pending: list[int], act: Act) -> Progress:
        """Once over what is pending: fast first; if the database or a hook refuses something, row by row."""
        kept = Progress()
        try:
            if self._stands_alone(order):
                with self.database.single() as bare:
                    left = self.mover.advance(bare, order, wanted, pending, self.clock.now(), kept)
                    if not left or not self._may_end(order):
                        return act(bare, left, kept) if left else kept
            with self.database.write() as tx:
                return kept.add(act(tx, kept.open(pending), None))
        except StoreError:
            raise
        except (InterlockError, LostRace) as error:
            if raced(error):
                return kept.add(Progress(lost=kept.open(pending)))
        try:
            with self.database.write() as tx:
                run = settling(tx, act)
                return kept.add(carefully(tx, kept.open(pending), lambda numbers: run(tx, numbers, None), refusal_of(wanted)))
        except (InterlockError, LostRace) as error:
            if raced(error):
                return kept.add(Progress(lost=kept.open(pending)))
            raise

    def _stands_alone(self, order: Command) -> bool:
        """Nothing but the one statement makes the move: no transaction is needed around it, and none is faster."""
        if self.database.is_sqlite or order.origin in ("admit", *WORDS) or order.workflow.hooks or order.workflow.gates:
            return False
        return self.mover.outlooks.of(order.workflow, order.axis, order.to).simple

    def _may_end(self, order: Command) -> bool:
        """Whether work rows must be locked, which takes a transaction."""
        outlook = self.mover.outlooks.of(order.workflow, order.axis, order.to)
        return self.mover.attempts.may_end(order.workflow, order.axis, order.to, outlook.names, order.origin)

    def _told(self, tx: Connection, order: Command, wanted: list[Asked], progress: Progress) -> list[Answer]:
        """Every answer, and every refusal and conflict recorded: each input ends with a verdict."""
        answers = progress.answers
        for number in (*progress.lost, *progress.beaten):
            answers[number] = self.mover.conflict(tx, order, wanted[number])
        self.keep_verdicts(tx, order, wanted, answers)
        return [answers[number] for number in range(len(wanted))]

    def keep_verdicts(self, tx: Connection, order: Command, wanted: list[Asked], answers: Mapping[int, Answer]) -> None:
        verdicts.record(tx, [
            verdicts.Refusal(order.kind, str(wanted[number].key), order.axis.name, order.scope, "command", order.key, answer.outcome,
                             answer.error.code, answer.error.message[:4000], spoken(order.to), order.actor, self.clock.now())
            for number, answer in answers.items() if answer.error is not None and answer.outcome in ("refused", "conflict")])


def raced(error: BaseException) -> bool:
    return is_lost_race(error) or (error.__cause__ is not None and is_lost_race(error.__cause__))


def refusal_of(wanted: list[Asked]) -> Callable[[int, InterlockError], Answer]:
    return lambda number, error: Answer(wanted[number].id, "refused", error=error)


def raised(answer: Answer) -> Answer:
    """The answer, unless it is an error: then that is raised."""
    if answer.error is not None:
        raise answer.error
    return answer
