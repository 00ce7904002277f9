"""Keeps mirrored columns in the transactions of moves, admissions and repairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from ..machine import State
from ..store.adoption.adoptions import had_legacy_rows, is_mirrored
from ..store.connect import Database
from ..store.records.mirrors import keep_mirrors, lock_mirrored
from ..workflow import Workflow

Moved = tuple[State, State]


class Mirrors:
    """Locks records whose columns mirror an axis, and writes these columns; where nothing mirrors the axis, it does nothing."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def lock(self, tx: Connection, workflow: Workflow, axes: Sequence[str], keys: Sequence[Any]) -> None:
        """Lock the records before any state row of theirs: the order of all locks."""
        if keys and workflow.mirrors and any(workflow.mirrors_of(axis) for axis in axes):
            lock_mirrored(self.database, tx, workflow, keys)

    def keep(
        self, tx: Connection, workflow: Workflow, axis: str, keys: Sequence[Any], moved: Moved | None = None
    ) -> None:
        """Compute what mirrors this axis of these records, whose state rows have changed, and write it; while the axis is being adopted
        only in the phases in which the flags follow the states. `moved` are the states that rows left and entered: a mirror that
        does not tell them apart stays as it is, unless a backfill left flags that nobody has written anew."""
        mirrors = workflow.mirrors_of(axis) if keys and workflow.mirrors else ()
        if not mirrors:
            return
        place = workflow.axes[axis]
        spared = [one for one in mirrors if moved is not None and one.ignores(*moved)]
        if spared and not had_legacy_rows(tx, workflow, place):
            mirrors = tuple(one for one in mirrors if one not in spared)
        if mirrors and is_mirrored(tx, workflow, place):
            keep_mirrors(self.database, tx, workflow, mirrors, keys)
