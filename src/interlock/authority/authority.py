"""The authority: each command by which a status changes, made from what a caller asks for and handed to the command runner."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from ..clock import Clock
from ..errors import BadInput, ConcurrentModificationError
from ..machine import State
from ..store.connect import Database
from ..store.contract import Engine
from ..store.engines import engine_of
from ..store.entry import canonical
from ..store.records.mirrors import differences, keep_mirrors
from ..transport import DatabaseTransport, Transport
from ..workflow import Answer, Axis, Mirror, Workflow
from .acts.admission import Admission
from .acts.amend import amended_axis, amended_facts
from .acts.cancel import cancel_target
from .acts.removal import Removal
from .acts.retry import retry_target
from .command import Asked, asked, asked_one, checked_scope, command, mark_shared, named
from .command_runner import CommandRunner
from .direct import DirectMoves
from .move_log import log_moves
from .mover import Mover
from .transactions.joined_transaction import joined
from .transactions.transaction import (
    ANSWERS,
    TRIES,
    Progress,
    Transactions,
    savepoint_for,
)


class Authority:
    """The only writer of statuses."""

    def __init__(self, database: Database, clock: Clock, transport: Transport | None = None) -> None:
        self.database, self.clock = database, clock
        self.transport = transport or DatabaseTransport(database)
        self.engine: Engine = engine_of(database)
        self.mover = Mover(database, self.engine, self.transport, clock)
        self.admission = Admission(self.mover)
        self.removal = Removal(self.mover)
        self.direct = (
            DirectMoves(database, self.mover, self.transport, clock) if self.engine.moves_directly else None
        )
        self.transactions = Transactions(database, clock)
        self.commands = CommandRunner(self.mover, self.transactions, self.direct)

    def move_many(
        self,
        workflow: Workflow,
        ids: Iterable[Any],
        axis: str,
        to: State,
        *,
        tx: Any = None,
        column_values: Mapping[str, Any] | None = None,
        known_refusals: Mapping[str, str] | None = None,
        **options: Any,
    ) -> list[Answer]:
        """Move each of the records; one bad row never stops the others. `column_values` are engine columns, from callers of our own;
        `known_refusals` says by id why records were refused before: the same refusal again is neither recorded nor logged."""
        place = workflow.axis(axis)
        every = asked(self.mover.plans.place(workflow, place), ids)
        wanted = [one for one in every if one.fault is None]
        order = mark_shared(command(workflow, place, to, **options), len(wanted))
        if column_values:
            order = replace(order, columns={**order.columns, **column_values})
        if known_refusals:
            order = replace(order, known_refusals=known_refusals)

        def act(connection: Connection, numbers: list[int]) -> Progress:
            return self.mover.run(connection, order, wanted, numbers, self.clock.now())

        answers = self.commands.run(order, wanted, tx, act)
        if len(every) == len(wanted):
            return answers
        rest = iter(answers)
        return [
            next(rest) if one.fault is None else Answer(one.id, "refused", error=one.fault) for one in every
        ]

    def move(
        self, workflow: Workflow, id: Any, axis: str, to: State, *, version: int | None = None, **options: Any
    ) -> Answer:
        """Move one record, or raise what `move_many` would have answered."""
        return raise_refusal(self.move_many(workflow, [(id, version)], axis, to, **options)[0])

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
            column_values=self._as_fresh(target.axis) if target.origin == "reissue" else {},
        )

    def _as_fresh(self, axis: Axis) -> dict[str, Any]:
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
            return raise_refusal(act(tx)[0])
        return raise_refusal(self.keyed(actor, key, payload, act, tx=tx)[0])

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

        return self.commands.run(order, wanted, tx, act, payload=drafts)

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
        return self._remove(workflow, id, "erase", tx, actor=actor, role=role, reason=reason, key=key)

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
        return self._remove(workflow, id, "deletion", tx, actor=actor, role=role, reason=reason, key=key)

    def _remove(self, workflow: Workflow, id: Any, origin: str, tx: Any, **options: Any) -> Answer:
        order = self.removal.order(workflow, origin, **options)
        wanted = [asked_one(self.mover.plans.place(workflow, order.axis), id)]

        def act(connection: Connection, numbers: list[int]) -> Progress:
            return self.removal.run(connection, order, wanted, numbers, self.clock.now())

        return raise_refusal(self.commands.run(order, wanted, tx, act)[0])


def raise_refusal(answer: Answer) -> Answer:
    """The answer of one record; raises its error if it has one."""
    if answer.error is not None:
        raise answer.error
    return answer
