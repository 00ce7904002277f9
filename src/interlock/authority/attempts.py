"""Attempts that a move ends: their work rows are locked before the record's row, and go in the same transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from ..clock import SystemClock
from ..errors import ConcurrentModificationError, StaleAttempt, state_text
from ..machine import State
from ..store.connect import Database
from ..store.entry import EntryTemplate
from ..store.records import verdicts
from ..store.work.attempts import Attempt
from ..store.work.rows import WorkRows
from ..workflow import Workflow
from ..workflow.columns.effects import ends
from .command import Command

Reported = Mapping[tuple[str, str], Attempt]
"""Attempts that have reported, by (record id, axis)."""


class Attempts:
    """Work rows as commands of people meet them."""

    def __init__(self, database: Database) -> None:
        self.rows = WorkRows(database, SystemClock())

    def lock_reported(
        self, tx: Connection, command: Command, names: Sequence[str], keys: Sequence[Any]
    ) -> Reported:
        """Lock the work rows of these records on these axes; those of the command's scope that have reported."""
        held = self.lock(tx, command, names, keys) if keys else {}
        return {
            (name, axis): one
            for (name, axis, scope), one in held.items()
            if one.outcome is not None and scope == command.scope
        }

    def lock(
        self, tx: Connection, command: Command, names: Sequence[str], keys: Sequence[Any]
    ) -> dict[tuple[str, str, str], Attempt]:
        """Take the work rows of these records, before anybody takes the records: the same order everywhere."""
        found = self.rows.of(tx, command.kind, names, [str(key) for key in keys])
        return {(one.record_id, one.axis, one.scope): one for one in found}

    def end(
        self,
        tx: Connection,
        workflow: Workflow,
        move: EntryTemplate,
        scope: str,
        keys: Sequence[Any],
        overtaken_at: datetime | None,
    ) -> None:
        """Remove the work rows of what has left its running state.

        Whoever gives a command has locked them, and found none that has reported. A coordinator drives other axes without having
        looked: a report that its move overtakes is recorded, for nobody will apply it any more.
        """
        axis, old, new = move.axis, move.old, move.new
        if not keys or not (ends(workflow, axis, old, new) or old not in workflow.axes[axis].machine.states):
            return
        ids = [str(key) for key in keys]
        if overtaken_at is not None:
            told = [
                one
                for one in self.rows.of(tx, workflow.name, [axis], ids)
                if one.scope == scope and one.outcome is not None
            ]
            verdicts.record(tx, [_overtaken(one, new, overtaken_at) for one in told])
        self.rows.remove_of(tx, workflow.name, axis, scope, ids)


def _overtaken(attempt: Attempt, new: State, at: datetime) -> verdicts.Refusal:
    error = StaleAttempt(
        f"{attempt.kind} {attempt.record_id}: a rule moved {attempt.axis} to {state_text(new)} before the report of attempt "
        f"{attempt.attempt} of {attempt.stage} was applied"
    )
    return verdicts.Refusal(
        attempt.kind,
        attempt.record_id,
        attempt.axis,
        attempt.scope,
        "report",
        attempt.token,
        "stale",
        error.code,
        error.message,
        None,
        attempt.claimed_by or "coordinator",
        at,
    )


def finished(command: Command, id: Any, attempt: Attempt) -> ConcurrentModificationError:
    """It has reported already, and only a coordinator moves it now."""
    return ConcurrentModificationError(
        f"{command.kind} {id!r}: its work has just been reported as {attempt.outcome} and is about to be applied",
        kind=command.kind,
        id=id,
        stage=attempt.stage,
        outcome=attempt.outcome,
    )
