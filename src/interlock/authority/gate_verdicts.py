"""Keeps what a gate answered about the version of a record that is current now."""

from __future__ import annotations

from typing import Any

from ..errors import UnknownKind
from ..store.records import gates
from ..workflow import Workflow
from .authority import Authority


def keep_verdict(
    authority: Authority, workflow: Workflow, id: Any, gate: str, *, scope: str, **answer: Any
) -> int:
    """Record the verdict of a declared gate, and return its number."""
    declared = next((one for one in workflow.gates if one.name == gate), None)
    if declared is None:
        raise UnknownKind(f"{workflow.name} has no gate {gate!r}", kind=workflow.name)
    place = authority.mover.plans.place(workflow, workflow.axis(declared.axis))
    key = place.key_bind(place.check_id(id))
    with authority.database.write() as tx:
        seen = authority.mover.read_version(tx, place, key, scope)
        return gates.record(
            tx,
            workflow.name,
            str(key),
            declared.axis,
            scope,
            seen,
            gate,
            at=authority.clock.now(),
            **answer,
        )
