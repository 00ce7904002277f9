"""Everything a person does to many records at once: preview, create, run, pause, resume, undo; and how far each has come."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from ..authority import Authority
from ..authority.acts.amend import checked_value
from ..authority.command import checked_reason, command
from ..authority.command import named as checked_name
from ..authority.transactions.transaction import Stored
from ..errors import BadInput, ConcurrentModificationError, UnknownRecord
from ..ids import random_bytes
from ..machine import Machine, State
from ..store.entry import canonical, canonical_facts
from ..store.records.operations import Item, Operation, OperationRows
from ..workflow import Workflow
from ..workflow.lookup import find_workflow
from .acts import Act, act_of
from .preview import Preview, Previewer, Speaker
from .run import CHUNK, LEASE, NOBODY, Run, Stop, Tell
from .scope import Matching, Named, Source, by_filter, by_ids, described, freeze_matching, looked_up, named
from .undo import freeze_past, undo_act, undo_source

LIFE = Machine(  # the life of an operation, as a machine like any other
    "operation",
    initial="planned",
    moves={
        "planned": ["running", "paused"],
        "running": ["paused", "finished"],
        "paused": ["running", "undoing"],
        "finished": ["undoing"],
        "undoing": ["undone"],
    },
)


LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
PAGE = 50
LOOKING = "preview"


class Operations:
    """Bulk acts of one app. `matching` narrows a query to a filter; `in_states` makes a filter of axes and their states."""

    def __init__(
        self,
        authority: Authority,
        workflows: Mapping[str, Workflow],
        matching: Matching,
        in_states: Callable[[Mapping[str, Sequence[State]]], Any],
    ) -> None:
        self.authority, self.workflows, self.matching, self.in_states = (
            authority,
            workflows,
            matching,
            in_states,
        )
        self.database, self.clock = authority.database, authority.clock
        self.rows = OperationRows(authority.database, authority.clock)
        self.lease = LEASE

    def preview(
        self,
        kind: str | Workflow,
        *,
        act: str = "move",
        axis: str | None = None,
        to: State = None,
        scope: str | None = None,
        ids: Sequence[Any] | None = None,
        where: Any = None,
        actor: str = LOOKING,
        role: str | None = None,
        reason: str = LOOKING,
        facts: Mapping[str, Any] | None = None,
    ) -> Preview:
        """What would come of it: exact counts per outcome, and each refusal with its reason; nothing is locked or written. Facts are
        checked, and change nothing of the outcome."""
        chosen = act_of(self.workflow(kind), act, axis, scope, to)
        self.checked_facts(chosen, facts, actor)
        source, chosen_ids = self.source(chosen, ids, where)
        with self.database.read() as tx:
            looking = Previewer(tx, self.authority.mover, source, Speaker(actor, role, reason))
            return looking.of(None if chosen_ids is None else chosen_ids.records, chosen_ids)

    def create(
        self,
        kind: str | Workflow,
        *,
        actor: str,
        reason: str,
        act: str = "move",
        axis: str | None = None,
        to: State = None,
        scope: str | None = None,
        ids: Sequence[Any] | None = None,
        where: Any = None,
        role: str | None = None,
        facts: Mapping[str, Any] | None = None,
        ramp: int | None = None,
        key: str | None = None,
    ) -> Operation:
        """Freeze which records it is about, with the versions they are at; nothing is moved before it is run.

        `facts` go with each of its moves: into its entry, and those named like columns onto the record. An undo moves records back, and
        does not bring back what facts have changed.
        """
        chosen = act_of(self.workflow(kind), act, axis, scope, to)
        source, chosen_ids = self.source(chosen, ids, where)
        checked = self.checked_facts(chosen, facts, actor)
        if ramp is not None and ramp < 1:
            raise BadInput(f"a ramp is at least one record, not {ramp}")
        wanted: dict[str, Any] = (
            {"ids": chosen_ids.records}
            if chosen_ids is not None
            else {"filter": described(self.filter(where))}
        )
        wanted |= {"facts": checked} if checked else {}
        order = self.command_facts(chosen, wanted, actor, role, reason) | {"ramp": ramp}
        asked = [order | {"salt": None}, *map(str, ids or ())]
        named = None if key is None else checked_name("key", key)

        def freeze(tx: Connection) -> Operation:
            if chosen_ids is not None:
                return self.of_ids(tx, order, chosen_ids, source)
            return self.of_matching(tx, order, source)

        return self.authority.transactions.run(
            lambda tx, _: self.authority.transactions.once(
                tx,
                actor,
                named,
                lambda: sha256(canonical(asked).encode()).digest(),
                lambda: freeze(tx),
                Stored(lambda operation: operation.id, lambda id: self.get_operation(tx, id)),
            )
        )

    def of_matching(self, tx: Connection, order: Mapping[str, Any], source: Source) -> Operation:
        id = self.new(tx, order)
        freeze_matching(self.rows, tx, id, source)
        return self.frozen(tx, id)

    def of_ids(
        self, tx: Connection, order: Mapping[str, Any], chosen_ids: Named, source: Source
    ) -> Operation:
        act = source.act
        items, tally = looked_up(
            tx, chosen_ids, source, self.authority.mover.plans.place(act.workflow, act.axis)
        )
        answered = sum(tally.outcomes.values())
        id = self.new(tx, {**order, "wanted": {**order["wanted"], "answered": answered}})
        self.rows.add_items(tx, id, items)
        return self.frozen(tx, id, {"reached": answered, "told": json.dumps(tally.as_dict())})

    def undo(self, id: str, *, actor: str, reason: str, role: str | None = None) -> Operation:
        """A new operation that brings back what another has moved, where that is legal and nobody has moved it since."""
        with self.database.write() as tx:
            first = self.get_operation(tx, id, lock=True)
            LIFE.check(first.status, "undoing")
            act = undo_act(self.workflow(first.kind), first)
            made = self.new(tx, self.command_facts(act, {"undoes": id}, actor, role, reason) | {"undoes": id})
            freeze_past(self.rows, tx, made, id)
            operation = self.frozen(tx, made)
            self.rows.change(tx, id, {"status": "undoing", "undone_by": made})
            return operation

    def preview_undo(
        self, id: str, *, actor: str = LOOKING, role: str | None = None, reason: str = LOOKING
    ) -> Preview:
        """What an undo would bring back, and what not, and why."""
        with self.database.read() as tx:
            first = self.get_operation(tx, id)
            LIFE.check(first.status, "undoing")
            act = undo_act(self.workflow(first.kind), first)
            source, records = undo_source(tx, act, id)
            return Previewer(tx, self.authority.mover, source, Speaker(actor, role, reason)).of(records)

    def begin(self, id: str, *, resuming: bool = False, chunk: int = CHUNK) -> Run:
        """Claim the operation for this process: a planned one, a paused one on resume, or one whose process died."""
        with self.database.write() as tx:
            operation = self.get_operation(tx, id, lock=True)
            if operation.status != "running":
                LIFE.check(operation.status, "running")
            if operation.status == "paused" and not resuming:
                raise BadInput(
                    f"operation {id} is paused", hint=f"`interlock bulk resume {id}` goes on.", operation=id
                )
            return self.take_turn(tx, operation, chunk)

    def stalled(self, *, limit: int = PAGE) -> list[Operation]:
        """Operations that were begun and that no process runs any more, oldest first."""
        with self.database.read() as tx:
            return self.rows.stalled(tx, limit)

    def take_over(self, id: str, *, chunk: int = CHUNK) -> Run | None:
        """Claim a stalled operation; None if it is no longer stalled. A pause that was asked for is kept."""
        with self.database.write() as tx:
            operation = self.get_operation(tx, id, lock=True)
            if operation.stalled and operation.pausing:
                self.rows.change(tx, id, {"status": "paused", "pausing": 0, **NOBODY})
                return None
            return self.take_turn(tx, operation, chunk) if operation.stalled else None

    def take_turn(self, tx: Connection, operation: Operation, chunk: int) -> Run:
        """Take the lease of the operation; None where another process holds it."""
        run = Run(
            self.authority,
            self.rows,
            self.act(operation),
            operation,
            random_bytes(16).hex(),
            chunk=chunk,
            lease=self.lease,
        )
        if not self.rows.take(tx, operation.id, run.runner, run.lease):
            raise ConcurrentModificationError(
                f"operation {operation.id} is being run by another process",
                operation=operation.id,
                hint="`interlock bulk status` shows how far it is; if that one died, try again soon.",
            )
        run.operation = self.get_operation(tx, operation.id)
        return run

    def run(
        self, id: str, *, tell: Tell | None = None, stop: Stop | None = None, chunk: int = CHUNK
    ) -> Operation:
        """Carry it out, until it is finished or paused. What a dead process began is taken over once its lease is over."""
        return self.begin(id, chunk=chunk).go(tell, stop)

    def resume(
        self, id: str, *, tell: Tell | None = None, stop: Stop | None = None, chunk: int = CHUNK
    ) -> Operation:
        """Go on after a pause."""
        if (going := self.unpaused(id)) is not None:
            return going
        return self.begin(id, resuming=True, chunk=chunk).go(tell, stop)

    def unpaused(self, id: str) -> Operation | None:
        """Withdraw a pause that the running process has not reached yet; None where there is none."""
        with self.database.write() as tx:
            operation = self.get_operation(tx, id, lock=True)
            if not (operation.status == "running" and operation.pausing and not operation.idle):
                return None
            self.rows.change(tx, id, {"pausing": 0})
            return self.get_operation(tx, id)

    def pause(self, id: str) -> Operation:
        """Stop after the chunk that is being moved now; what is done stays done."""
        with self.database.write() as tx:
            operation = self.get_operation(tx, id, lock=True)
            if operation.status != "paused":
                LIFE.check(operation.status, "paused")
                busy = operation.status == "running" and not operation.idle
                self.rows.change(tx, id, {"pausing": 1} if busy else {"status": "paused"})
            return self.get_operation(tx, id)

    def get(self, id: str) -> Operation:
        with self.database.read() as tx:
            return self.get_operation(tx, id)

    def newest(self, *, limit: int = PAGE) -> list[Operation]:
        """The operations, newest first."""
        with self.database.read() as tx:
            return self.rows.newest(tx, limit)

    def items(self, id: str, *, outcome: str | None = None, after: int = 0, limit: int = 100) -> list[Item]:
        """Its records in order, with what came of each; of one outcome, where one is named."""
        with self.database.read() as tx:
            self.get_operation(tx, id)
            return self.rows.items(tx, id, after, limit, outcome)

    def workflow(self, kind: str | Workflow) -> Workflow:
        return find_workflow(self.workflows, kind)

    def act(self, operation: Operation) -> Act:
        """The act of an operation as it was created, by what is declared today."""
        workflow = self.workflow(operation.kind)
        if operation.act == "undo":
            return undo_act(workflow, operation)
        return act_of(workflow, operation.act, operation.axis, operation.scope or None, operation.to)

    def filter(self, where: Any) -> Any:
        """A filter; or axes with the state, and columns with the value, that is wanted, or several of them."""
        if isinstance(where, str):
            raise BadInput(
                f"where is a mapping of axes and columns to values, not {where!r:.80}",
                hint='Write where={"status": "placed"}.',
            )
        if not isinstance(where, Mapping):
            return where
        return self.in_states(
            {
                name: list(values) if isinstance(values, list | tuple | set | frozenset) else [values]
                for name, values in where.items()
            }
        )

    def source(self, act: Act, ids: Sequence[Any] | None, where: Any) -> tuple[Source, Named | None]:
        """The rows it is about; and the ids, where they were named one by one."""
        if (ids is None) == (where is None):
            raise BadInput("an operation is about ids, or about what a filter finds; say one of them")
        if ids is None:
            return by_filter(act, self.filter(where), self.matching, self.clock.now()), None
        place = self.authority.mover.plans.place(act.workflow, act.axis)
        chosen_ids = named(place, ids)
        return by_ids(act, chosen_ids, place), chosen_ids

    def checked_facts(self, act: Act, facts: Mapping[str, Any] | None, actor: str) -> dict[str, Any]:
        """The facts as JSON keeps them; refuses facts that no entry or column of the axis's table can hold."""
        if not facts:
            return {}
        if act.name != "move":
            raise BadInput(f"only moves take facts, not {act.name}")
        made = command(act.workflow, act.axis, act.to, actor=actor, facts=facts, scope=act.scope or None)
        for name, value in made.columns.items():
            checked_value(act.workflow.name, act.axis.table.c[name], value, self.database.dialect)
        kept: dict[str, Any] = json.loads(canonical_facts(facts))
        return kept

    def command_facts(
        self, act: Act, wanted: Mapping[str, Any], actor: str, role: str | None, reason: str
    ) -> dict[str, Any]:
        """What is kept of who asked for what, and why; the salt makes the reason one detail for all of its entries."""
        checked_name("actor", actor)
        if role is not None:
            checked_name("role", role)
        if not reason or checked_reason(reason) is None:
            raise BadInput(
                "an operation needs a reason", hint="It is kept for ever beside each of its moves."
            )
        return {
            "kind": act.workflow.name,
            "act": act.name,
            "axis": act.axis.name,
            "scope": act.scope,
            "to_state": act.to,
            "wanted": dict(wanted),
            "reason": reason,
            "salt": random_bytes(16).hex(),
            "actor": actor,
            "role": role,
        }

    def new(self, tx: Connection, order: Mapping[str, Any]) -> str:
        id = "op_" + "".join(LETTERS[one % len(LETTERS)] for one in random_bytes(10))
        self.rows.add(tx, id, order)
        return id

    def frozen(self, tx: Connection, id: str, more: Mapping[str, Any] | None = None) -> Operation:
        """The operation with its number of records; one about nothing is not made."""
        records = self.rows.count(tx, id)
        if not records:
            raise BadInput("no record matches: there is nothing to do")
        self.rows.change(tx, id, {"records": records, **(more or {})})
        return self.get_operation(tx, id)

    def get_operation(self, tx: Connection, id: str, *, lock: bool = False) -> Operation:
        operation = self.rows.get(tx, id, lock=lock)
        if operation is None:
            raise UnknownRecord(
                "operations", id, hint="`interlock bulk list` lists the operations, the newest first."
            )
        return operation
