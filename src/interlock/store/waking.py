"""Tells coordinators that something waits for them: on PostgreSQL with the commit, on SQLite the file's change counter says it."""

from __future__ import annotations

from sqlalchemy import Connection

from ..machine import State
from ..workflow import Workflow
from .connect import Database, driver_connection


def wake_coordinators(database: Database, tx: Connection) -> None:
    """A hint, once per batch; whoever does not hear it polls."""
    if not database.is_sqlite:
        driver_connection(tx).execute("NOTIFY interlock_report")


def is_waited_in(workflow: Workflow, axis: str, state: State) -> bool:
    return any(stage.axis == axis and state in stage.waiting for stage in workflow.stages.values())
