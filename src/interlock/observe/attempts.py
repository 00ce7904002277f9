"""Work that is under way, as anybody may see it: whose it is and since when, never the token that could finish it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from ..errors import BadInput
from ..store.placement import Placement, record_name
from ..store.work.rows import WorkRows
from ..workflow import Workflow
from ..workflow.columns.instant import instant_of


@dataclass(frozen=True, slots=True)
class OpenAttempt:
    """One attempt of a stage on a record; `claimed_by` and `claimed_at` are None while no runner has it."""

    id: Any
    axis: str
    scope: str | None
    stage: str
    attempt: int
    claimed_by: str | None
    claimed_at: datetime | None


def open_attempts(
    work: WorkRows, tx: Connection, workflow: Workflow, ids: Iterable[Any]
) -> list[OpenAttempt]:
    """The attempts of these records, read without a lock."""
    if isinstance(ids, str | bytes | Mapping) or not isinstance(ids, Iterable):
        raise BadInput(
            f"{workflow.name}: several records are a list of ids, not {ids!r:.80}",
            hint=f'Write [7, 8]: app.attempts("{workflow.name}", [7]).',
        )
    names = {record_name(workflow, id, tx.dialect) for id in ids}
    if not names:
        return []
    place = Placement(workflow, next(iter(workflow.axes.values())), tx.dialect)
    return [
        OpenAttempt(
            place.id_of(row.record_id),
            row.axis,
            row.scope or None,
            row.stage.removeprefix(f"{workflow.name}."),
            row.attempt,
            row.claimed_by if row.claimed else None,
            instant_of(row.claimed_at),
        )
        for row in work.of(tx, workflow.name, list(workflow.axes), names, lock=False)
    ]
