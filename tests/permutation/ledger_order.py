"""What the ledger says happened, in the order it was written: under the right locks that is the order in which it became true."""

from __future__ import annotations

from typing import Any, NamedTuple

import psycopg

from interlock import App, Workflow


class Entry(NamedTuple):
    axis: str
    version: int
    old: str | None
    new: str | None


def entries(observer: psycopg.Connection[Any], workflow: Workflow, id: Any) -> list[Entry]:
    found = observer.execute(
        "SELECT axis, version, from_state, to_state FROM interlock_ledger WHERE kind = %s AND record_id = %s "
        "ORDER BY position",
        (workflow.name, str(id)),
    )
    return [Entry(*row) for row in found]


def entered_only_while(told: list[Entry], entered: tuple[str, str], other: str, wanted: set[str]) -> bool:
    """Each time one axis came into the state, the other one stood in a wanted state."""
    standing: dict[str, str | None] = {}
    for entry in told:
        if (
            (entry.axis, entry.new) == entered
            and entry.old != entry.new
            and standing.get(other) not in wanted
        ):
            return False
        standing[entry.axis] = entry.new
    return True


def standing(told: list[Entry]) -> dict[str, str | None]:
    """Where each axis came to stand."""
    return {entry.axis: entry.new for entry in told}


def is_whole(app: App, workflow: Workflow, id: Any) -> bool:
    """The record's rows, versions and chains agree."""
    return app.check(workflow, id).ok
