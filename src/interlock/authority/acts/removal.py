"""Erases or deletes records: a closing entry on every axis, the row gone, if erased its personal detail too; the chain stays whole."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, delete, select

from ...errors import NotPermitted, UnknownRecord
from ...machine import State
from ...store.contract import MoveBatch, Reading, Step
from ...store.entry import EntryTemplate, canonical_facts, make_detail
from ...store.tables import detail as details
from ...store.tables import gate_verdict
from ...workflow import Answer, Axis, Move, Workflow
from ..command import Asked, Command, command
from ..hook_call import call_hook
from ..mover import Mover
from ..transactions.transaction import Progress

ROLE = "admin"
WORDS: dict[str, Literal["erased", "deleted"]] = {"erase": "erased", "deletion": "deleted"}


class Removal:
    """Ends the history of a record."""

    def __init__(self, mover: Mover) -> None:
        self.mover = mover

    def order(
        self,
        workflow: Workflow,
        origin: str,
        *,
        actor: str,
        role: str,
        reason: str,
        key: str | None = None,
    ) -> Command:
        axes = list(workflow.axes.values())
        axis = next((axis for axis in axes if axis.table is workflow.records), axes[0])
        checked = command(
            workflow,
            axis,
            axis.machine.initial,
            actor=actor,
            role=role,
            reason=reason,
            origin=origin,
            scope=axis.scopes[0] if axis.scoped else None,
            cause=f"{workflow.noun}.{WORDS[origin]}",
            key=key,
        )
        if role != ROLE or not reason:
            given = f'the role was "{role}"' if role else "no role was given"
            what = f'role="{ROLE}"; {given}' if role != ROLE else "a reason"
            act = "erasing" if origin == "erase" else "deleting"
            raise NotPermitted(
                workflow.name,
                None,
                None,
                (),
                why=f"{workflow.name}: {act} needs {what}",
                hint=f'An administrator asks with role="{ROLE}" and reason="…".',
                role=ROLE,
            )
        return checked

    def run(
        self, tx: Connection, order: Command, wanted: list[Asked], numbers: list[int], now: datetime
    ) -> Progress:
        """Lock the records, call the hooks of the workflow's removals, then close and remove each."""
        progress, workflow = Progress(), order.workflow
        own = [axis for axis in workflow.axes.values() if axis.table is workflow.records]
        held: dict[int, tuple[State, int | None]] = {}
        for number in numbers:
            one = wanted[number]
            if workflow.stages:
                self.mover.attempts.lock(tx, order, list(workflow.axes), [one.key])
            seen = self._lock(tx, workflow, own, one)
            if seen is None:
                error = UnknownRecord(workflow.name, one.id)
                progress.answers[number] = Answer(one.id, "unknown", error=error)
            else:
                held[number] = seen
        removals = [_as_move(order, wanted[number], *seen, now) for number, seen in held.items()]
        for hook in workflow.removal_hooks if removals else ():
            call_hook(hook, tx, removals)
        for number, seen in held.items():
            self._end(tx, _with_kept(tx, order, wanted[number]), number, wanted[number], seen, now, progress)
        return progress

    def _end(
        self,
        tx: Connection,
        order: Command,
        number: int,
        one: Asked,
        seen: tuple[State, int | None],
        now: datetime,
        progress: Progress,
    ) -> None:
        workflow = order.workflow
        own = [axis for axis in workflow.axes.values() if axis.table is workflow.records]
        scoped = [axis for axis in workflow.axes.values() if axis.table is not workflow.records]
        for axis in scoped:
            for scope in axis.scopes:
                self._close(tx, order, [axis], one, scope, now)
        if own and not self._close(tx, order, own, one, "", now):
            progress.lost.append(number)
            return
        if not own:  # all of its state was in scoped rows: the record itself is a row like any other
            removed = tx.execute(delete(workflow.records).where(workflow.id_column == one.id))
            if removed.rowcount == 0:
                progress.lost.append(number)
                return
        if workflow.stages:
            self.mover.attempts.rows.remove_of(tx, workflow.name, None, None, [str(one.key)])
        if order.origin == "erase":
            kept = [] if order.detail is None else [order.detail.digest]
            own_details = (details.c.kind == workflow.name, details.c.record_id == str(one.key))
            tx.execute(delete(details).where(*own_details, details.c.digest.not_in(kept)))
            quoted = (gate_verdict.c.kind == workflow.name, gate_verdict.c.record_id == str(one.key))
            tx.execute(delete(gate_verdict).where(*quoted))
        state, version = seen
        progress.answers[number] = Answer(
            one.id, WORDS[order.origin], state, None, None if version is None else version + 1
        )

    def _lock(
        self, tx: Connection, workflow: Workflow, own: list[Axis], one: Asked
    ) -> tuple[State, int | None] | None:
        """Lock the record's row; its state and version, where it keeps them itself. None: there is no such record."""
        if own:
            rows = self.mover.engine.read(tx, self._reading(workflow, own), [one.key], "", "update", {})
            return (rows[0].states[0], rows[0].versions[0]) if rows else None
        asked = select(workflow.id_column).where(workflow.id_column == one.id)
        if len(workflow.records.columns) > 1:
            asked = asked.with_for_update()
        else:  # a coordinator may change no column of it, so the server lets it lock no row: its states are locked instead
            for axis in workflow.axes.values():
                for scope in axis.scopes:
                    self.mover.engine.read(
                        tx, self._reading(workflow, [axis]), [one.key], scope, "update", {}
                    )
        return None if tx.execute(asked).first() is None else (None, None)

    def _reading(self, workflow: Workflow, axes: list[Axis]) -> Reading:
        return Reading(tuple(self.mover.plans.place(workflow, axis) for axis in axes))

    def _close(
        self, tx: Connection, order: Command, axes: list[Axis], one: Asked, scope: str, now: datetime
    ) -> bool:
        """Close these axes, which share a row; False where there was no such row any more."""
        reading = self._reading(order.workflow, axes)
        rows = self.mover.engine.read(tx, reading, [one.key], scope, "update", {})
        if not rows:
            return False
        steps = [
            Step(number, place, self._template(order, place.axis, rows[0].states[number], now), (), {}, ())
            for number, place in enumerate(reading.axes)
        ]
        group: Any = MoveBatch(
            reading, tuple(steps), tuple(range(len(steps))), scope, now, {}, (), rows, closing=True
        )
        return one.key in self.mover.engine.close(tx, group)

    def _template(self, order: Command, axis: Axis, old: str | None, now: datetime) -> EntryTemplate:
        return EntryTemplate(
            order.kind,
            axis.name,
            old,
            None,
            now,
            order.actor,
            order.role,
            order.cause,
            order.origin,
            axis.machine.fingerprint[:16],
            order.detail,
        )


def _with_kept(tx: Connection, order: Command, one: Asked) -> Command:
    """The order for one record, whose entry has as facts the columns that the workflow keeps when a record is erased."""
    names = order.workflow.kept_when_erased
    if order.origin != "erase" or not names:
        return order
    columns = [order.workflow.records.c[name] for name in names]
    row = tx.execute(select(*columns).where(order.workflow.id_column == one.id)).mappings().one()
    facts = json.loads(order.detail.facts) if order.detail else {}
    return replace(order, detail=make_detail(order.reason, canonical_facts({**facts, **row})))


def _as_move(order: Command, one: Asked, old: State, version: int | None, now: datetime) -> Move:
    """The removal of one record as its hooks get it."""
    return Move(
        order.kind,
        one.id,
        order.axis.name,
        None,
        0 if version is None else version + 1,
        old,
        None,
        order.actor,
        order.role,
        order.reason,
        order.cause,
        {},
        now,
        order.origin,
    )
