"""Brings a command into transactions: together or isolated, tried again after lost races, answered and recorded for every record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection

from ..errors import InterlockError, state_text
from ..store.connect import settling
from ..store.faults import LostRace
from ..store.records import verdicts
from ..workflow import Answer, Refusal
from .command import Asked, Command
from .direct import DirectMoves
from .hook_call import call_refusal_hooks
from .move_log import log_moves
from .mover import Mover
from .transactions.joined_transaction import joined
from .transactions.transaction import (
    ANSWERS,
    Progress,
    Settle,
    Transactions,
    isolate_failures,
    savepoint_for,
    together_or_apart,
    unsettled,
)

Act = Callable[[Connection, list[int]], Progress]
"""Carries out a command on the records of these numbers, within a transaction."""


class CommandRunner:
    """Carries out commands of people and of code, whatever their act is."""

    def __init__(self, mover: Mover, transactions: Transactions, direct: DirectMoves | None) -> None:
        self.mover, self.transactions, self.direct = mover, transactions, direct
        self.database, self.clock = mover.database, transactions.clock

    def run(
        self, order: Command, wanted: list[Asked], tx: Any, act: Act, payload: Any = None
    ) -> list[Answer]:
        """Bring the act into a transaction, the caller's, or one of our own that is tried again after a lost race; log what moved."""
        if not wanted:
            return []
        done: Progress | None = Progress()
        if tx is not None:
            with (
                joined(self.database, tx, order.workflow, [one.id for one in wanted]) as connection,
                savepoint_for(connection, order.key),
            ):
                answers, done = self._run_whole(connection, order, wanted, act, payload, final=True)
        elif order.key is None:
            answers = self._run_rows(order, wanted, act)
        else:
            answers, done = self.transactions.run_settling(
                lambda own, final, settle: self._run_whole(
                    own, order, wanted, act, payload, final=final, settle=settle
                )
            )
            self._give_hint(answers, wakes=done is not None and done.wakes)
        if done is not None:  # else the answers are those of an earlier time
            log_moves(
                order.workflow,
                [
                    answer
                    for one, answer in zip(wanted, answers, strict=True)
                    if not _is_known(order, one, answer)
                ]
                if order.known_refusals
                else answers,
                order.axis.name,
                order.scope,
                order.cause,
                order.actor,
                uncommitted=tx is not None,
            )
        return answers

    def _give_hint(self, answers: list[Answer], *, wakes: bool) -> list[Answer]:
        """Give coordinators the hint that goes with what was committed."""
        if wakes:
            self.mover.transport.after("report")
        return answers

    def _run_whole(
        self,
        tx: Connection,
        order: Command,
        wanted: list[Asked],
        act: Act,
        payload: Any,
        *,
        final: bool,
        settle: Settle = unsettled,
    ) -> tuple[list[Answer], Progress | None]:
        """All of it within one transaction; a key is claimed and answered in it, so a command is applied at most once. The answers, and
        what was done; None where the key was used before."""
        done: Progress | None = None

        def acting(numbers: list[int]) -> Progress:
            return act(tx, numbers)

        def run() -> list[Answer]:
            nonlocal done
            done = isolate_failures(tx, list(range(len(wanted))), settle(tx, acting), refusal_of(wanted))
            if done.lost and not final:
                raise LostRace
            return self._answer_all(tx, order, wanted, done)

        return self.transactions.once(
            tx, order.actor, order.key, lambda: order.payload(wanted, payload), run, ANSWERS
        ), done

    def _run_rows(self, order: Command, wanted: list[Asked], act: Act) -> list[Answer]:
        """Without a key each record is independent: moves are committed, and records that lost a race are tried again."""
        done = self.transactions.run_rows(
            len(wanted), lambda pending: self._try_rows(order, wanted, pending, act)
        )
        if done.lost or done.beaten or any(answer.error is not None for answer in done.answers.values()):
            with self.database.write() as tx:
                return self._give_hint(self._answer_all(tx, order, wanted, done), wakes=done.wakes)
        return self._give_hint([done.answers[number] for number in range(len(wanted))], wakes=done.wakes)

    def _try_rows(self, order: Command, wanted: list[Asked], pending: list[int], act: Act) -> Progress:
        """One pass over the pending records: directly where the plan allows it, then together; if the database or a hook refuses, in
        halves until the cause is isolated."""
        kept = Progress() if self.direct is None else self.direct.move_rows(order, wanted, pending)
        left = kept.open(pending)
        if not left:
            return kept
        return kept.add(
            together_or_apart(
                lambda: self._run_together(left, act),
                lambda _: self._run_isolating(wanted, left, act),
                lambda: Progress(lost=left),
            )
        )

    def _run_together(self, numbers: list[int], act: Act) -> Progress:
        with self.database.write() as tx:
            return act(tx, numbers)

    def _run_isolating(self, wanted: list[Asked], numbers: list[int], act: Act) -> Progress:
        with self.database.write() as tx:
            run = settling(tx, act)
            return isolate_failures(tx, numbers, lambda some: run(tx, some), refusal_of(wanted))

    def _answer_all(
        self, tx: Connection, order: Command, wanted: list[Asked], progress: Progress
    ) -> list[Answer]:
        """Every answer, and every refusal and conflict recorded: each input ends with a verdict."""
        answers = progress.answers
        for number in (*progress.lost, *progress.beaten):
            answers[number] = self.mover.answer_conflict(tx, order, wanted[number])
        self.record_verdicts(tx, order, wanted, answers)
        return [answers[number] for number in range(len(wanted))]

    def record_verdicts(
        self, tx: Connection, order: Command, wanted: list[Asked], answers: Mapping[int, Answer]
    ) -> None:
        """Record what was refused and what lost to somebody else, and call the hooks of refusals; what is known of before is left out."""
        if order.known_refusals:
            answers = {
                number: answer
                for number, answer in answers.items()
                if not _is_known(order, wanted[number], answer)
            }
        verdicts.record(
            tx,
            [
                verdicts.Refusal(
                    order.kind,
                    str(wanted[number].key),
                    order.axis.name,
                    order.scope,
                    "command",
                    order.key,
                    answer.outcome,
                    answer.error.code,
                    answer.error.message[:4000],
                    state_text(order.to),
                    order.actor,
                    self.clock.now(),
                )
                for number, answer in answers.items()
                if answer.error is not None and answer.outcome in ("refused", "conflict")
            ],
        )
        if order.workflow.refusal_hooks and order.origin != "admit":
            call_refusal_hooks(tx, order.workflow, self._refusals(order, answers))

    def _refusals(self, order: Command, answers: Mapping[int, Answer]) -> list[Refusal]:
        """What the hooks of a workflow get to know of the records that were refused."""
        return [
            Refusal(
                order.kind,
                answer.id,
                order.axis.name,
                order.scope or None,
                order.origin,
                order.to if order.origin == "move" else None,
                order.actor,
                order.role,
                order.reason,
                order.facts,
                answer.error,
                self.clock.now(),
            )
            for answer in answers.values()
            if answer.error is not None and answer.outcome == "refused"
        ]


def refusal_of(wanted: list[Asked]) -> Callable[[int, InterlockError], Answer]:
    """Makes the answer of a record, by its number, from the error that refused it."""
    return lambda number, error: Answer(wanted[number].id, "refused", error=error)


def _is_known(order: Command, one: Asked, answer: Answer) -> bool:
    """Whether this record was refused for the same reason before, by the same question."""
    return answer.error is not None and order.known_refusals.get(str(one.key)) == answer.error.message
