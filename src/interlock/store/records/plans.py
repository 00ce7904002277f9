"""Migration plans: which moves the database accepts that no machine has, and who wrote them. On PostgreSQL only the owner may write one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from sqlalchemy import Connection, select, update

from ...machine import State
from ..connect import Database, driver_connection
from ..finding import Finding
from ..tables import plan

Pairs = set[tuple[State, State]]
PLAN_HASH = 12
"""Hexadecimal digits at the end of a plan's id: the hash of its text."""


@dataclass(frozen=True)
class PlanRow:
    """One plan of one axis: lines of (old state, new state, reason). A backfill's lines have no old state."""

    kind: str
    axis: str
    origin: str
    machine: str
    lines: tuple[tuple[State, State, str], ...]
    name: str = ""
    """Of an adoption: its own name and that of its rule, with a dot between them."""

    @property
    def id(self) -> str:
        """Short, and the same for the same machine and lines in every process."""
        hashed = plan_id(self.machine, self.lines)
        return f"{self.name}.{hashed}" if self.name else hashed

    @property
    def cause(self) -> str:
        """What entries of this plan name as their cause."""
        return cause_of(self.id)


def cause_of(id: str) -> str:
    """What entries of the plan with this id name as their cause: an adoption's names its rule."""
    name, dot, _ = id.rpartition(".")
    return f"adopt.{name}" if dot else f"plan.{id}"


def plan_id(machine: str, lines: Sequence[Sequence[str | None]]) -> str:
    """Twelve hex digits of the hash of a machine's fingerprint and lines; an entry that names them names the plan's whole text."""
    whole = [machine, [list(line) for line in lines]]
    return sha256(json.dumps(whole, separators=(",", ":")).encode()).hexdigest()[:PLAN_HASH]


def open_plan(
    database: Database, tx: Connection, one: PlanRow, *, actor: str, role: str, at: datetime
) -> None:
    """Write the plan, or open it again. Where it is open already nothing changes: anybody may carry out what the owner opened."""
    where = (plan.c.kind == one.kind, plan.c.axis == one.axis, plan.c.id == one.id)
    if tx.execute(select(plan.c.id).where(*where, plan.c.closed_at.is_(None))).first() is not None:
        return
    if tx.execute(update(plan).where(*where).values(closed_at=None)).rowcount:
        return
    mark = database.sql.mark
    driver_connection(tx).execute(
        "INSERT INTO interlock_plan(kind, axis, id, origin, machine, lines, actor, role, at) VALUES "
        f"({', '.join([mark] * 9)})",
        (
            one.kind,
            one.axis,
            one.id,
            one.origin,
            one.machine,
            json.dumps([list(line) for line in one.lines]),
            actor,
            role,
            database.sql.bind_instant(at),
        ),
    )


def close_plan(database: Database, tx: Connection, one: PlanRow, at: datetime) -> None:
    """No further entry may name the plan until it is opened again."""
    mark = database.sql.mark
    driver_connection(tx).execute(
        f"UPDATE interlock_plan SET closed_at = {mark} WHERE kind = {mark} AND axis = {mark} AND id = {mark} AND closed_at IS NULL",
        (database.sql.bind_instant(at), one.kind, one.axis, one.id),
    )


def known_plans(tx: Connection) -> tuple[dict[tuple[str, str, str, str], Pairs], list[Finding]]:
    """The pairs of states that each plan allows, by (kind, axis, origin, cause); a plan whose id is not that of its text is a finding."""
    allowed: dict[tuple[str, str, str, str], Pairs] = {}
    findings = []
    asked = select(plan.c.kind, plan.c.axis, plan.c.id, plan.c.origin, plan.c.machine, plan.c.lines)
    for kind, axis, id, origin, machine, text in tx.execute(
        asked.order_by(plan.c.kind, plan.c.axis, plan.c.id)
    ):
        lines = _lines(text)
        whole = all(
            line[2] is not None for line in lines
        )  # what an upgrade took over from entries has no reasons
        if not lines or (whole and plan_id(machine, lines) != id.rpartition(".")[2]):
            problem = f"the text of plan {id} is not what was hashed"
            findings.append(Finding("I9", kind, "*", axis, "", None, problem))
        else:
            allowed.setdefault((kind, axis, origin, cause_of(id)), set()).update(
                (line[0], line[1]) for line in lines
            )
    return allowed, findings


def _lines(text: str) -> list[list[str | None]]:
    try:
        lines = json.loads(text)
    except ValueError:
        return []
    is_plan = isinstance(lines, list) and all(isinstance(line, list) and len(line) == 3 for line in lines)
    return lines if is_plan else []


def open_plans(tx: Connection, kind: str | None = None) -> list[str]:
    """A sentence for each plan that is open: until it is closed the database accepts its moves. Those of adoptions are part of them, and
    are open until the last phase."""
    asked = (
        select(plan)
        .where(plan.c.closed_at.is_(None), plan.c.id.not_like("%.%"))
        .order_by(plan.c.kind, plan.c.axis, plan.c.id)
    )
    rows = tx.execute(asked if kind is None else asked.where(plan.c.kind == kind))
    return [
        f"plan {row.id} of {row.kind}.{row.axis} is open since {row.at:%Y-%m-%d %H:%M} UTC ({row.actor}): "
        f"the database accepts its {row.origin} moves, which no machine has"
        for row in rows
    ]
