"""The span of each attempt, from when it is begun until its result is collected, in the trace of its record where that is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from .. import tracing
from ..store.ledger import traces
from ..store.work.attempts import Attempt
from ..store.work.rows import WorkRows
from ..workflow import Failed
from .executors.tasks import Ended


class Spans:
    """Of one runner; while nobody collects traces it holds nothing."""

    def __init__(self, work: WorkRows) -> None:
        self.work = work
        self._traces: dict[str, str] = {}
        self.open: dict[str, Any] = {}
        self.on = False

    def look(self, tx: Connection, claimed: Sequence[Attempt]) -> None:
        """Find the traces of what was claimed; whether anybody collects is asked once for all of them."""
        self.on = bool(claimed) and tracing.on()
        if self.on:
            self._traces = traces.of_attempts(self.work, tx, [one.token for one in claimed])

    def begin(self, attempt: Attempt) -> Any:
        """The span that the work runs in, where somebody collects."""
        trace = self._traces.pop(attempt.token, None)
        made = tracing.begin(
            f"interlock.run {attempt.stage}",
            trace,
            kind=attempt.kind,
            id=attempt.record_id,
            stage=attempt.stage,
            scope=attempt.scope or None,
            attempt=attempt.attempt,
        )
        self.open[attempt.token] = made
        return made

    def end(self, token: str, outcome: Ended) -> None:
        """Its result was collected."""
        made = self.open.pop(token, None)
        if made is None:
            return
        made.set_attribute("interlock.outcome", type(outcome).__name__.lower())
        if isinstance(outcome, Failed):
            made.set_attribute("interlock.code", outcome.code)
            tracing.failed(made, outcome.code)
        made.end()
