"""Reads what gates answered: each run of each gate for each version of a record, as values."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from ..errors import BadInput, UnknownRecord
from ..store.connect import Database
from ..store.ledger import read as ledger
from ..store.placement import Placement
from ..store.tables import gate_verdict
from ..workflow import Workflow


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """One answer of one gate about one version of a record. `number` counts the runs of this gate; of a version, the highest one holds."""

    axis: str
    scope: str | None
    version: int
    gate: str
    number: int
    passed: bool
    reason: str | None
    details: Any
    duration_ms: int | None
    actor: str
    at: datetime

    def as_dict(self) -> dict[str, Any]:
        """The verdict as plain values."""
        return asdict(self)


def read_verdicts(
    database: Database,
    workflow: Workflow,
    place: Placement,
    id: Any,
    *,
    version: int | None = None,
    scope: str | None = None,
) -> list[GateVerdict]:
    """The verdicts on a record, oldest first: on every version or on one, in every scope or in one. Those of a record that is gone
    remain; a record that never was is refused."""
    if version is not None and (type(version) is not int or version < 0):
        raise BadInput(f"version must be a whole number from 0 up, not {version!r}")
    if scope is not None and not any(scope in axis.scopes for axis in workflow.axes.values()):
        raise BadInput(f"{workflow.name} has no scope {scope!r}")
    checked = place.check_id(id)
    key = str(place.key_bind(checked))
    columns = gate_verdict.c
    asked = select(gate_verdict).where(columns.record_id == key, columns.kind == workflow.name)
    asked = asked if version is None else asked.where(columns.version == version)
    asked = asked if scope is None else asked.where(columns.scope == scope)
    with database.read() as tx:
        rows = tx.execute(
            asked.order_by(columns.at, columns.axis, columns.scope, columns.gate, columns.number)
        ).all()
        if not rows and not _is_known(tx, workflow, checked, key):
            raise UnknownRecord(workflow.name, id)
    return [
        GateVerdict(
            row.axis,
            row.scope or None,
            row.version,
            row.gate,
            row.number,
            bool(row.passed),
            row.reason,
            json.loads(row.details),
            row.duration_ms,
            row.actor,
            row.at,
        )
        for row in rows
    ]


def _is_known(tx: Any, workflow: Workflow, id: Any, key: str) -> bool:
    there = tx.execute(select(workflow.id_column).where(workflow.id_column == id)).first()
    return there is not None or bool(ledger.history(tx, workflow.name, key))
