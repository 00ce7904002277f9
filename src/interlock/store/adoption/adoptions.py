"""How far the adoption of an axis has come, as the store sees it: its phase, the mode of its guards, its plans, its legacy rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Integer, Text, column, exists, select, table

from ...machine import State
from ...workflow import Axis, Workflow
from ...workflow.adopt import BY_VALUE, is_running
from ..engines import sql_of
from ..guarded import LEGACY, Mode
from ..placement import Placement
from ..records.plans import PlanRow
from ..tables import detail, ledger
from .legacy import legacy_detail

PHASES = ("schema", "backfill", "eligibility", "compat_writes", "done")
"""The phases of an adoption, in order; the first is number 1."""
WITHDRAWN = "withdrawn"
"""What an adoption is in whose columns and guards were removed again: number 0."""
MODES: dict[str, Mode] = {
    WITHDRAWN: "off",
    "schema": "off",
    "backfill": "follow",
    "eligibility": "follow",
    "compat_writes": "enforce",
    "done": "closed",
}
"""How strictly guards are in each phase."""
HELD = (WITHDRAWN, *PHASES[:2])
"""Phases in which nothing is dispatched: the team's own flags are the truth."""
MIRRORED = PHASES[2:4]
"""Phases in which mirrored columns are kept: readers of the flags are still there."""
FOLLOWED = ("backfill", LEGACY)
"""Origins of entries that say what the team's own code did."""
_META = table("interlock_meta", column("key", Text), column("value", Text))
_ADOPTION = table("interlock_adoption", column("id", Text), column("phase", Text), column("written", Integer))


def adoption_id(kind: str, axis: str) -> str:
    """The id of an axis's adoption."""
    return f"{kind}.{axis}"


def mode_key(place: Placement) -> str:
    """Where the database keeps how strictly the axis is guarded."""
    return f"guard mode: {adoption_id(place.kind, place.name)}"


def guard_mode(tx: Connection, place: Placement) -> str:
    """How strictly the axis is guarded."""
    stored = tx.execute(select(_META.c.value).where(_META.c.key == mode_key(place))).scalar()
    return str(stored or "enforce")


def phase_of(tx: Connection, kind: str, axis: str) -> str | None:
    """The phase of an axis's adoption; None before it has begun."""
    asked = select(_ADOPTION.c.phase).where(_ADOPTION.c.id == adoption_id(kind, axis))
    stored: str | None = tx.execute(asked).scalar()
    return stored


def held_axes(tx: Connection, workflows: Iterable[Workflow]) -> set[tuple[str, str]]:
    """Axes on which nothing is dispatched, because their adoption has not come that far."""
    adopted = [axis for workflow in workflows for axis in workflow.axes.values() if axis.adopt is not None]
    if not adopted:
        return set()
    phases = {row.id: row.phase for row in tx.execute(select(_ADOPTION.c.id, _ADOPTION.c.phase))}
    return {
        (axis.kind, axis.name)
        for axis in adopted
        if phases.get(adoption_id(axis.kind, axis.name), HELD[0]) in HELD
    }


def is_mirrored(tx: Connection, workflow: Workflow, axis: Axis) -> bool:
    """Whether mirrored columns of this axis are kept now."""
    return axis.adopt is None or phase_of(tx, workflow.name, axis.name) in MIRRORED


def had_legacy_rows(tx: Connection, workflow: Workflow, axis: Axis) -> bool:
    """Whether a backfill has written rows of this axis: their flags may be any, until Interlock first writes them."""
    if axis.adopt is None:
        return False
    asked = select(_ADOPTION.c.written).where(_ADOPTION.c.id == adoption_id(workflow.name, axis.name))
    return bool(tx.execute(asked).scalar())


def moved_records(tx: Connection, place: Placement, ids: Sequence[Any]) -> set[Any]:
    """Those of these records of which Interlock itself has moved or made a state: the flags of the others are as the team left them."""
    names = {str(place.key_bind(id)): id for id in ids}
    asked = (
        select(ledger.c.record_id)
        .where(
            sql_of(tx.dialect).column_among(ledger.c.record_id, list(names)),
            ledger.c.kind == place.kind,
            ledger.c.axis == place.name,
            ledger.c.origin.not_in(FOLLOWED),
        )
        .distinct()
    )
    return {names[name] for name in tx.execute(asked).scalars()}


def has_legacy_rows(tx: Connection, place: Placement) -> bool:
    """Whether there are rows that Interlock did not make: without a version in place, or targets without their state row."""
    axis = place.axis
    adopt = axis.adopt
    assert adopt is not None
    if adopt.targets is None:
        asked: Any = select(axis.column("version")).where(axis.column("version").is_(None))
        return tx.execute(select(asked.exists())).scalar() in (True, 1)
    targets = adopt.targets.subquery()
    first, second = list(targets.c)[:2]
    there = exists().where(axis.table.c[axis.key] == first, axis.table.c[axis.scope_column] == second)
    return tx.execute(select(first).where(~there).limit(1)).first() is not None


def adoption_plans(place: Placement) -> list[PlanRow]:
    """One plan for each rule: the states that its rows may begin in. Entries name it by the rule."""
    axis, workflow = place.axis, place.workflow
    adopt, machine = axis.adopt, axis.machine
    assert adopt is not None
    states: dict[str, list[State]] = {rule.name: [rule.state] for rule in adopt.rules}
    if adopt.in_place:
        states[BY_VALUE] = [
            state for state in machine.states if adopt.take_over or not is_running(workflow, axis, state)
        ]
    return [
        PlanRow(
            place.kind,
            place.name,
            "backfill",
            machine.fingerprint,
            tuple((None, state, f"adopted by rule {rule} of {adopt.name}") for state in reached),
            f"{adopt.name}.{rule}",
        )
        for rule, reached in states.items()
    ]


def keep_legacy_detail(tx: Connection, place: Placement) -> None:
    """Keep the reason that entries of writes past Interlock share."""
    one = legacy_detail(place)
    insert = sql_of(tx.dialect).insert(detail)
    tx.execute(
        insert.values(
            digest=one.digest, salt=one.salt, reason=one.reason, facts=one.facts
        ).on_conflict_do_nothing()
    )
