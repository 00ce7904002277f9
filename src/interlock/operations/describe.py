"""An operation in the words that the API, the command line and the console share."""

from __future__ import annotations

from typing import Any

from ..store.records.operations import Item, Operation
from .tally import Tally


def describe_operation(operation: Operation) -> dict[str, Any]:
    """Who wants what of how many records and why, how far it is, and what came of it."""
    tally = Tally.of(operation.told)
    return {
        "id": operation.id,
        "kind": operation.kind,
        "act": operation.act,
        "axis": operation.axis,
        "scope": operation.scope or None,
        "to": operation.to,
        "wanted": operation.wanted,
        "reason": operation.reason,
        "actor": operation.actor,
        "role": operation.role,
        "ramp": operation.ramp,
        "status": operation.status,
        "pausing": operation.pausing,
        "stalled": operation.stalled,
        "records": operation.records,
        "done": operation.reached,
        "outcomes": tally.counts(),
        "refusals": tally.reasons(),
        "driven": tally.driven,
        "undoes": operation.undoes,
        "undone_by": operation.undone_by,
        "created_at": operation.created_at,
        "started_at": operation.started_at,
        "finished_at": operation.finished_at,
    }


def describe_item(one: Item) -> dict[str, Any]:
    moved = one.outcome == "moved"
    return {
        "number": one.number,
        "id": one.record_id,
        "seen": one.version,
        "outcome": one.outcome,
        "code": one.code,
        "from": one.old if moved else None,
        "to": one.new if moved else None,
        "version": one.left,
    }
