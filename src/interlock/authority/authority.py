"""The authority: takes commands, brings them into transactions, tries again after lost races, and answers for every record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from ..clock import Clock
from ..errors import BadInput, ConcurrentModificationError, InterlockError, StoreError, state_text
from ..machine import State
from ..store.connect import Database
from ..store.contract import DirectMove, Engine
from ..store.engines import engine_of
from ..store.entry import canonical
from ..store.faults import LostRace
from ..store.records import verdicts
from ..store.records.mirrors import differences, keep_mirrors
from ..transport import DatabaseTransport, Transport
from ..workflow import Answer, Axis, Mirror, Refusal, Workflow
from .acts.admission import Admission
from .acts.amend import amended_axis, amended_facts
from .acts.cancel import cancel_target
from .acts.removal import Removal
from .acts.retry import retry_target
from .command import Asked, Command, asked, asked_one, checked_scope, command, mark_shared, named
from .direct import DirectMoves
from .hook_call import call_refusal_hooks
from .judge import Planned
from .move_log import log_moves
from .mover import Mover
from .transactions.joined_transaction import joined, settling
from .transactions.transaction import (
    ANSWERS,
    TRIES,
    Progress,
    Transactions,
    isolate_failures,
    savepoint_for,
    together_or_apart,
)

Act = Callable[[Connection, list[int]], Progress]


class Authority:
    """The only writer of statuses."""

    def __init__(self, database: Database, clock: Clock, transport: Transport | None = None) -> None:
        self.database, self.clock = database, clock
        self.transport = transport or DatabaseTransport(database)
        self.engine: Engine = engine_of(database)
        self.mover = Mover(database, self.engine, self.transport, clock)
        self.admission = Admission(self.mover)
        self.closing = Removal(self.mover)
        self.direct = (
            DirectMoves(database, self.mover, self.transport, clock) if self.engine.prepares_moves else None
        )
        self.transactions = Transactions(database, clock)

    def move_many(
        self,
        workflow: Workflow,
        ids: Iterable[Any],
        axis: str,
        to: State,
        *,
        tx: Any = None,
        column_values: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> list[Answer]:
        """Move each of the records; one bad row never stops the others. `column_values` are engine columns, from callers of our own."""
        place = workflow.axis(axis)
        every = asked(self.mover.plans.place(workflow, place), ids)
        wanted = [one for one in every if one.fault is None]
        order = mark_shared(command(workflow, place, to, **options), len(wanted))
        if column_values:
            order = replace(order, columns={**order.columns, **column_values})

        def act(connection: Connection, numbers: list[int]) -> Progress:
            return self.mover.run(connection, order, wanted, numbers, self.clock.now())

        answers = self._obey(order, wanted, tx, act)
        if len(every) == len(wanted):
            return answers
        told = iter(answers)
        return [
            next(told) if one.fault is None else Answer(one.id, "refused", error=one.fault) for one in every
        ]

    def move(
        self, workflow: Workflow, id: Any, axis: str, to: State, *, version: int | None = None, **options: Any
    ) -> Answer:
        """Move one record, or raise what `move_many` would have answered."""
        return raised(self.move_many(workflow, [(id, version)], axis, to, **options)[0])

    def repair_mirror(self, workflow: Workflow, mirror: Mirror) -> int:
        """Write the mirrored columns of every record that differs, in chunks, each in a transaction of its own that computes them anew;
        how many records were written."""
        place, written = self.mover.plans.place(workflow, workflow.axes[mirror.axis]), 0
        with self.database.read() as tx:
            wrong = [[one.id for one in some] for some in differences(tx, workflow, mirror)]
        for ids in wrong:
            keys = sorted(place.key_bind(place.check_id(id)) for id in ids)

            def mend(tx: Connection, final: bool, keys: list[Any] = keys) -> int:
                return keep_mirrors(self.database, tx, workflow, [mirror], keys)

            written += self.transactions.run(
                mend,
                exhausted=lambda: ConcurrentModificationError(
                    f"{workflow.name}: other transactions held the same records {TRIES} times",
                    hint="Run it again; what is mended stays mended.",
                ),
            )
        return written

    def move_directly(
        self,
        workflow: Workflow,
        id: Any,
        axis: str,
        to: State,
        version: int | None,
        actor: str,
        role: str | None,
        scope: str | None,
    ) -> Answer | None:
        """Move one record of which nothing is recorded but who moved it; None where that takes more than one statement."""
        if self.direct is None:
            return None
        answer = self.direct.move(workflow, id, axis, to, version, actor, role, scope)
        if answer is not None:
            log_moves(workflow, (answer,), axis, scope or "", "command.move", actor)
        return answer

    def amend(
        self,
        workflow: Workflow,
        id: Any,
        facts: Mapping[str, Any],
        *,
        actor: str,
        reason: str,
        role: str | None = None,
        version: int | None = None,
        key: str | None = None,
        axis: str | None = None,
        tx: Any = None,
    ) -> Answer:
        """Change amendable columns of a record without a move; its version rises by one, so gates must pass again."""
        place = amended_axis(workflow, axis)
        checked = amended_facts(workflow, facts, self.database.dialect)
        return self.move(
            workflow,
            id,
            place.name,
            place.machine.initial,
            version=version,
            actor=actor,
            role=role,
            reason=reason,
            facts=checked,
            key=key,
            tx=tx,
            origin="amend",
            cause=f"{workflow.noun}.amended",
        )

    def retry(
        self,
        workflow: Workflow,
        id: Any,
        *,
        actor: str,
        reason: str,
        scope: str | None = None,
        role: str | None = None,
        tx: Any = None,
    ) -> Answer:
        """Send a failed record back to the state before the stage that failed; counted, and bounded."""
        reading = joined(self.database, tx, None, []) if tx is not None else self.database.read()
        with reading as connection:
            target = retry_target(connection, self.mover.plans, workflow, id, scope)
        return self.move(
            workflow,
            id,
            target.axis.name,
            target.to,
            version=target.version,
            actor=actor,
            role=role,
            reason=reason,
            scope=scope if target.axis.scoped else None,
            origin=target.origin,
            cause="command.retry",
            by_engine=True,
            tx=tx,
            column_values=self._anew(target.axis) if target.origin == "reissue" else {},
        )

    def _anew(self, axis: Axis) -> dict[str, Any]:
        """As if it had just come here: due, no try used, no error."""
        values = {"ready_at": self.clock.now(), "tries": 0, "error_code": None, "error_message": None}
        return {axis.column_name(name): value for name, value in values.items() if axis.has(name)}

    def cancel(
        self,
        workflow: Workflow,
        id: Any,
        *,
        actor: str,
        reason: str,
        role: str | None = None,
        scope: str | None = None,
        axis: str | None = None,
        key: str | None = None,
        tx: Any = None,
    ) -> Answer:
        """End what runs or waits; it rests where the stage's failures go. What has already reported is finished: that is a conflict."""
        if not reason:
            raise BadInput("cancel needs a reason", hint='Say why: reason="…".')
        options = {"actor": actor, "role": role, "reason": reason}
        payload = sha256(
            canonical([workflow.name, str(id), scope, axis, role, reason, "cancel"]).encode()
        ).digest()

        def act(within: Any) -> list[Answer]:
            return [self._cancelled(workflow, id, scope, axis, within, options)]

        if key is None:
            return raised(act(tx)[0])
        return raised(self.keyed(actor, key, payload, act, tx=tx)[0])

    def _cancelled(
        self,
        workflow: Workflow,
        id: Any,
        scope: str | None,
        axis: str | None,
        tx: Any,
        options: Mapping[str, Any],
    ) -> Answer:
        reading = joined(self.database, tx, None, []) if tx is not None else self.database.read()
        with reading as connection:
            name, to, version = cancel_target(
                connection, self.engine, self.mover.plans, workflow, id, scope, axis
            )
        scoped = scope if workflow.axis(name).scoped else None
        return self.move_many(
            workflow,
            [(id, version)],
            name,
            to,
            scope=scoped,
            tx=tx,
            cause="command.cancel",
            by_engine=True,
            **options,
            facts={"error_code": "CANCELLED", "error_message": options["reason"]},
            column_values={workflow.axis(name).column_name("ready_at"): None},
        )[0]

    def keyed(
        self, actor: str, key: str, payload: bytes, act: Callable[[Any], list[Answer]], *, tx: Any = None
    ) -> list[Answer]:
        """A command that looks before it moves, under a key that is claimed first: what was done already is not looked for again."""
        named("actor", actor), named("key", key)
        if tx is None:
            return self.transactions.run(
                lambda own, _: self.transactions.once(
                    own, actor, key, lambda: payload, lambda: act(own), ANSWERS
                )
            )
        with joined(self.database, tx, None, []) as within, savepoint_for(within, key):
            return self.transactions.once(within, actor, key, lambda: payload, lambda: act(tx), ANSWERS)

    def admit_many(
        self,
        workflow: Workflow,
        rows: Iterable[Mapping[str, Any]],
        *,
        actor: str = "app",
        reason: str | None = None,
        key: str | None = None,
        tx: Any = None,
    ) -> list[Answer]:
        """Make records; one that its natural key says is there already answers `exists` with its id."""
        if isinstance(rows, Mapping | str):
            raise BadInput(
                f"several records are a list of rows, not {type(rows).__name__}",
                hint='Write admit_many("orders", [{"customer": "Ann"}]); admit takes one row.',
            )
        drafts = list(rows)
        order = mark_shared(self.admission.order(workflow, actor=actor, reason=reason, key=key), len(drafts))
        wanted = [Asked(number, str(number)) for number in range(len(drafts))]

        def act(connection: Connection, numbers: list[int]) -> Progress:
            return self.admission.run(connection, order, drafts, numbers, self.clock.now())

        return self._obey(order, wanted, tx, act, payload=drafts)

    def add_scopes(
        self,
        workflow: Workflow,
        axis: Axis | None,
        pairs: Sequence[tuple[Any, str]],
        *,
        actor: str,
        reason: str | None = None,
        tx: Any = None,
    ) -> int:
        """Make the state rows of these (record id, scope) pairs on a scoped axis, each in the initial state; how many were not there."""
        named("actor", actor)
        if axis is None or not pairs:
            return 0
        place = self.mover.plans.place(workflow, axis)
        wanted = sorted(
            {(place.key_bind(place.check_id(id)), checked_scope(axis, scope)) for id, scope in pairs}, key=str
        )

        def act(connection: Connection, _: bool = True) -> int:
            return self.admission.complete(
                connection, workflow, axis, wanted, self.clock.now(), actor=actor, reason=reason
            )

        if tx is not None:
            with joined(self.database, tx, workflow, [id for id, _ in pairs]) as connection:
                return act(connection)
        made = self.transactions.run(act)
        if made:
            self.transport.after("report")
        return made

    def erase(
        self,
        workflow: Workflow,
        id: Any,
        *,
        actor: str,
        role: str,
        reason: str,
        key: str | None = None,
        tx: Any = None,
    ) -> Answer:
        """Remove a record and its personal detail for ever; its history keeps a closing entry and still verifies."""
        return self._close(workflow, id, "erase", tx, actor=actor, role=role, reason=reason, key=key)

    def delete(
        self,
        workflow: Workflow,
        id: Any,
        *,
        actor: str,
        role: str,
        reason: str,
        key: str | None = None,
        tx: Any = None,
    ) -> Answer:
        """Remove a record; its whole history stays and closes with an entry."""
        return self._close(workflow, id, "deletion", tx, actor=actor, role=role, reason=reason, key=key)

    def _close(self, workflow: Workflow, id: Any, origin: str, tx: Any, **options: Any) -> Answer:
        order = self.closing.order(workflow, origin, **options)
        wanted = [asked_one(self.mover.plans.place(workflow, order.axis), id)]

        def act(connection: Connection, numbers: list[int]) -> Progress:
            return self.closing.run(connection, order, wanted, numbers, self.clock.now())

        return raised(self._obey(order, wanted, tx, act)[0])

    def _obey(
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
                answers, done = self._whole(connection, order, wanted, act, payload, final=True)
        elif order.key is None:
            answers = self._each(order, wanted, act)
        else:
            answers, done = self.transactions.run(
                lambda own, final: self._whole(
                    own,
                    order,
                    wanted,
                    settling(own, act) if order.workflow.hooks or order.workflow.removal_hooks else act,
                    payload,
                    final=final,
                )
            )
            self._hinted(answers, wakes=done is not None and done.wakes)
        if done is not None:  # else the answers are those of an earlier time
            log_moves(
                order.workflow,
                answers,
                order.axis.name,
                order.scope,
                order.cause,
                order.actor,
                uncommitted=tx is not None,
            )
        return answers

    def _hinted(self, answers: list[Answer], *, wakes: bool) -> list[Answer]:
        """Give coordinators the hint that goes with what was committed."""
        if wakes:
            self.transport.after("report")
        return answers

    def _whole(
        self, tx: Connection, order: Command, wanted: list[Asked], act: Act, payload: Any, *, final: bool
    ) -> tuple[list[Answer], Progress | None]:
        """All of it within one transaction; a key is claimed and answered in it, so a command is applied at most once. The answers, and
        what was done; None where the key was used before."""
        done: Progress | None = None

        def run() -> list[Answer]:
            nonlocal done
            done = isolate_failures(
                tx, list(range(len(wanted))), lambda numbers: act(tx, numbers), refusal_of(wanted)
            )
            if done.lost and not final:
                raise LostRace
            return self._answer_all(tx, order, wanted, done)

        return self.transactions.once(
            tx, order.actor, order.key, lambda: order.payload(wanted, payload), run, ANSWERS
        ), done

    def _each(self, order: Command, wanted: list[Asked], act: Act) -> list[Answer]:
        """Without a key each record is independent: moves are committed, and records that lost a race are tried again."""
        done = self.transactions.run_rows(
            len(wanted), lambda pending: self._attempt(order, wanted, pending, act)
        )
        if done.lost or done.beaten or any(answer.error is not None for answer in done.answers.values()):
            with self.database.write() as tx:
                return self._hinted(self._answer_all(tx, order, wanted, done), wakes=done.wakes)
        return self._hinted([done.answers[number] for number in range(len(wanted))], wakes=done.wakes)

    def _attempt(self, order: Command, wanted: list[Asked], pending: list[int], act: Act) -> Progress:
        """One pass over the pending records: together first; if the database or a hook refuses, in halves until the cause is isolated."""
        kept = self._directly(order, wanted, pending)
        left = kept.open(pending)
        if not left:
            return kept
        return kept.add(
            together_or_apart(
                lambda: self._together(left, act),
                lambda _: self._halved(wanted, left, act),
                lambda: Progress(lost=left),
            )
        )

    def _together(self, numbers: list[int], act: Act) -> Progress:
        with self.database.write() as tx:
            return act(tx, numbers)

    def _halved(self, wanted: list[Asked], numbers: list[int], act: Act) -> Progress:
        with self.database.write() as tx:
            run = settling(tx, act)
            return isolate_failures(tx, numbers, lambda some: run(tx, some), refusal_of(wanted))

    def _directly(self, order: Command, wanted: list[Asked], pending: list[int]) -> Progress:
        """What the plan allows to be moved without reading it first; what did not move is judged by the general path."""
        progress = Progress()
        plan = self.mover.plan(order)
        versioned = len(pending) > 1 and any(wanted[number].version is not None for number in pending)
        if not plan.is_direct or versioned or order.own is not None:
            return progress
        now = self.clock.now()
        planned = Planned(order.axis.name, plan.sources[0], order.to, "move", order.cause)
        step = self.mover.make_step(order, planned, 0, order.columns, order.detail, now)
        keys = (
            sorted({wanted[number].key for number in pending})
            if len(pending) > 1
            else [wanted[pending[0]].key]
        )
        alone = len(keys) == 1 and not (order.detail is not None and order.detail.shared)
        owner = (order.kind, str(keys[0])) if alone else (None, None)
        hint = self.transport.inline("report") if plan.wakes else None
        move = DirectMove(step, keys, order.scope, wanted[pending[0]].version, now, owner, hint)
        try:
            moved = self.engine.move_directly(self.database, move)
        except StoreError:
            raise
        except InterlockError:
            return progress  # the general path says why, or tries again
        for number in pending if moved else ():
            version = (moved or {}).pop(wanted[number].key, None)
            if version is not None:
                progress.answers[number] = Answer(
                    wanted[number].id, "moved", plan.sources[0], order.to, version
                )
                progress.wakes = plan.wakes
        return progress

    def _answer_all(
        self, tx: Connection, order: Command, wanted: list[Asked], progress: Progress
    ) -> list[Answer]:
        """Every answer, and every refusal and conflict recorded: each input ends with a verdict."""
        answers = progress.answers
        for number in (*progress.lost, *progress.beaten):
            answers[number] = self.mover.answer_conflict(tx, order, wanted[number])
        self.keep_verdicts(tx, order, wanted, answers)
        return [answers[number] for number in range(len(wanted))]

    def keep_verdicts(
        self, tx: Connection, order: Command, wanted: list[Asked], answers: Mapping[int, Answer]
    ) -> None:
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
    return lambda number, error: Answer(wanted[number].id, "refused", error=error)


def raised(answer: Answer) -> Answer:
    """The answer, unless it is an error: then that is raised."""
    if answer.error is not None:
        raise answer.error
    return answer
