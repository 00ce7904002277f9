"""A stage on a state table of its own, with a rule that asks about the record's table: dispatch and curation meet here."""

from __future__ import annotations

from typing import Any

from sqlalchemy import text

from interlock import App, Done, Outcome, Work, Workflow
from interlock.coordinator import Coordinator
from tests.kinds import themes

SCOPE = "technical"


def themed() -> Workflow:
    workflow = themes()

    @workflow.stage(
        waiting=("pending", "failed_retryable"),
        running="in_progress",
        done="processed",
        failed="failed_retryable",
        terminal="failed_terminal",
        retry=["30s"],
    )
    def extract(work: Work) -> Outcome[Any]:
        return Done()

    return workflow


class Themed:
    """One record at a time, admitted and waiting in every scope."""

    def __init__(self, app: App) -> None:
        self.app, self.workflow = app, app.workflows["themes"]
        self.id = 0

    def ready(self) -> None:
        with self.app.database.engine.begin() as tx:
            tx.execute(text("UPDATE article_pipeline_state SET ready_at = NULL"))
            tx.execute(
                text("SET LOCAL session_replication_role = replica")
            )  # guards hold for plays, not for clearing up
            tx.execute(text("DELETE FROM interlock_work"))
        self.id += 1
        self.app.admit(self.workflow, {"id": self.id})

    def dispatch(self, by: Coordinator) -> int:
        stage_queue = by.stage_queues["themes.extract"]
        with self.app.database.write() as tx:
            return by.dispatcher._scope(tx, stage_queue, SCOPE, 10, self.app.clock.now())

    def discard(self) -> Any:
        """In a transaction of the caller's: alone it could move and commit in one statement."""
        with self.app.database.engine.begin() as tx:
            return self.app.move(self.workflow, self.id, actor="ann", tx=tx, curation_status="Discarded")
