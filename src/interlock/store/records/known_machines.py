"""Every machine version that a database has known, each held against its own fingerprint."""

from __future__ import annotations

import json
from functools import lru_cache

from sqlalchemy import Connection, select

from ...errors import BadDeclaration
from ...machine import Machine
from ..finding import Finding
from ..tables import machine
from .plans import Pairs, known_plans


class Known(dict[tuple[str, str, str], Machine]):
    """Machines by (kind, axis, short fingerprint), and what plans allow beside them."""

    def __init__(self) -> None:
        super().__init__()
        self.plans: dict[tuple[str, str, str, str], Pairs] = {}


@lru_cache(maxsize=256)
def _defined(definition: str) -> Machine | None:
    """What a definition means never changes; None: it means nothing."""
    try:
        return Machine.from_definition(json.loads(definition))
    except (BadDeclaration, ValueError):
        return None


def known_machines(tx: Connection) -> tuple[Known, list[Finding]]:
    """The machines by (kind, axis, short fingerprint); one whose definition is not what was hashed is a finding, and judges nothing."""
    known = Known()
    known.plans, findings = known_plans(tx)
    asked = select(machine.c.kind, machine.c.axis, machine.c.fingerprint, machine.c.definition)
    for kind, axis, fingerprint, definition in tx.execute(asked.order_by(machine.c.kind, machine.c.axis)):
        one = _defined(definition)
        if one is None or one.fingerprint != fingerprint:
            problem = f"the definition of machine {fingerprint[:16]} is not what was hashed"
            findings.append(Finding("I9", kind, "*", axis, "", None, problem))
        else:
            known[kind, axis, fingerprint[:16]] = one
    return known, findings
