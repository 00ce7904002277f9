"""Watches a world from inside its SQLite database: triggers log every change of a work row and every entry, in the order they happen.

They are rolled back with the transaction they belong to, so what is left is exactly what was committed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ....app import App
from ....store.placement import Placement
from ....store.sql import text
from ....workflow import Workflow
from .connection import StagedConnection

COLUMNS = "what, kind, id, axis, scope, attempt, token, said, old, new, cause, origin, actor"
_WORK = "{row}.kind, {row}.record_id, {row}.axis, {row}.scope, {row}.attempt, {row}.token"


PAUSED = "paused"
"""What is noted as the old state of a claim that was made although its stage or scope was paused."""
HELD = (
    "EXISTS (SELECT 1 FROM interlock_stage s WHERE s.kind || '.' || s.stage = NEW.stage AND s.scope IN ('', NEW.scope) "
    "AND s.paused = 1 AND (s.until IS NULL OR s.until > NEW.claimed_at))"
)
"""SQL, in a trigger: a work row is claimed of a stage or scope that is paused."""
HELD_CASE = f"CASE WHEN {HELD} THEN '{PAUSED}' END"


def _work(what: str, row: str, said: str = "NULL", old: str = "NULL") -> str:
    return f"INSERT INTO simulated_log({COLUMNS}) VALUES ('{what}', {_WORK.format(row=row)}, {said}, {old}, NULL, NULL, NULL, NULL);"


_STATEMENTS = (
    f"CREATE TEMP TABLE simulated_log(number INTEGER PRIMARY KEY, {COLUMNS})",
    f"CREATE TEMP TRIGGER simulated_issue AFTER INSERT ON main.interlock_work BEGIN {_work('issued', 'NEW', 'NEW.stage')} END",
    f"CREATE TEMP TRIGGER simulated_end AFTER DELETE ON main.interlock_work BEGIN {_work('ended', 'OLD')} END",
    "CREATE TEMP TRIGGER simulated_rewrite AFTER UPDATE OF token ON main.interlock_work WHEN NEW.token IS NOT OLD.token "
    f"BEGIN {_work('ended', 'OLD')} {_work('issued', 'NEW', 'NEW.stage')} END",
    "CREATE TEMP TRIGGER simulated_claim AFTER UPDATE OF claimed_by ON main.interlock_work WHEN NEW.claimed_by IS NOT NULL "
    f"BEGIN {_work('claimed', 'NEW', 'NEW.claimed_by', HELD_CASE)} END",
    "CREATE TEMP TRIGGER simulated_return AFTER UPDATE OF claimed_by ON main.interlock_work WHEN NEW.claimed_by IS NULL "
    f"AND OLD.claimed_by IS NOT NULL AND NEW.token IS OLD.token BEGIN {_work('returned', 'NEW')} END",
    "CREATE TEMP TRIGGER simulated_question AFTER UPDATE OF recheck_at ON main.interlock_work WHEN NEW.recheck_at IS NOT NULL "
    f"AND OLD.recheck_at IS NULL BEGIN {_work('asked', 'NEW')} END",
    "CREATE TEMP TRIGGER simulated_report AFTER UPDATE OF reported_at ON main.interlock_work WHEN NEW.reported_at IS NOT NULL "
    f"BEGIN {_work('reported', 'NEW', 'NEW.outcome')} END",
    "CREATE TEMP TRIGGER simulated_move AFTER INSERT ON main.interlock_ledger BEGIN "
    f"INSERT INTO simulated_log({COLUMNS}) VALUES ('moved', NEW.kind, NEW.record_id, NEW.axis, NEW.scope, NEW.version, NEW.token, "
    "NEW.detail, NEW.from_state, NEW.to_state, NEW.cause, NEW.origin, NEW.actor); END",
)


class LogLine(NamedTuple):
    """One line of the log; `attempt` is the version where something moved, `said` depends on what happened."""

    what: str
    kind: str
    id: str
    axis: str
    scope: str
    attempt: int
    token: str | None
    said: Any
    old: str | None
    new: str | None
    cause: str | None
    origin: str | None
    actor: str | None

    def __str__(self) -> str:
        where = f"{self.kind} {self.id} {self.axis}{f'[{self.scope}]' if self.scope else ''}"
        token = f" {self.token[:8]}" if self.token else ""
        if self.what == "moved":
            return f"{where} version {self.attempt}: {self.old} → {self.new} ({self.cause} by {self.actor}){token}"
        if self.what == "tried":
            return f"{where} tries: {self.attempt}"
        return f"{where} attempt {self.attempt}{token} {self.what}{f' {self.said}' if self.said else ''}"


def watch(raw: StagedConnection, places: Iterable[Placement]) -> None:
    """Begin to watch; of each place on which stages work, also how its tries are counted."""
    for statement in (*_STATEMENTS, *(_tries(number, place) for number, place in enumerate(places))):
        raw.plainly(statement)


def _tries(number: int, place: Placement) -> str:
    tries = place.quote(place.axis.column_name("tries"))
    scope = f"NEW.{place.scope_sql}" if place.scope_sql else "''"
    return (
        f"CREATE TEMP TRIGGER simulated_tries_{number} AFTER UPDATE OF {tries} ON main.{place.table_sql} BEGIN "
        f"INSERT INTO simulated_log(what, kind, id, axis, scope, attempt) VALUES ('tried', {text(place.kind)}, "
        f"CAST(NEW.{place.key_sql} AS text), {text(place.name)}, {scope}, NEW.{tries}); END"
    )


def worked_places(app: App, workflows: Sequence[Workflow]) -> list[Placement]:
    """The places on which stages work."""
    plans = app.authority.mover.plans
    return [
        plans.place(workflow, workflow.axes[name])
        for workflow in workflows
        for name in dict.fromkeys(stage.axis for stage in workflow.stages.values())
    ]
