"""Moves that coordinators ask for: rows they have read and locked, engine columns only they may give, many at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Table

from .. import tracing
from ..errors import BadInput, InterlockError
from ..machine import State
from ..store.connect import settling
from ..store.contract import Reading, RowState, RowValues
from ..store.entry import canonical_facts, make_details
from ..store.guarded import APPLIER
from ..store.placement import Placement
from ..workflow import Answer, Axis, Workflow
from ..workflow.columns.python_types import python_type_of
from .command import Asked, Command, columns_of, command, mark_shared
from .mover import Mover
from .transactions.transaction import Progress, isolate_failures

ACTOR = APPLIER


@dataclass(frozen=True)
class StageMove:
    """What some records of one axis are to do together: the same for all of them."""

    workflow: Workflow
    axis: Axis
    to: State
    cause: str
    scope: str = ""
    origin: str = "move"
    facts: Mapping[str, Any] = field(default_factory=dict)
    columns: Mapping[str, Any] = field(default_factory=dict)
    counted: tuple[str, ...] = ()
    actor: str = ACTOR
    role: str | None = None
    reason: str | None = None
    own: Mapping[Any, RowValues] | None = None
    """By record: what each has of its own, facts and when it is due."""


class StageMover:
    """The authority's side of dispatch, apply and sweep."""

    def __init__(self, mover: Mover) -> None:
        self.mover = mover

    def order(self, stage_move: StageMove, tokens: Mapping[Any, str] | None, records: int) -> Command:
        axis = stage_move.axis
        made = command(
            stage_move.workflow,
            axis,
            stage_move.to,
            actor=stage_move.actor,
            role=stage_move.role,
            reason=stage_move.reason,
            scope=stage_move.scope or None,
            facts=stage_move.facts,
            cause=stage_move.cause,
            origin=stage_move.origin,
            by_engine=True,
        )
        column_values = {
            axis.column_name(name): value for name, value in stage_move.columns.items() if axis.has(name)
        }
        counted = tuple(axis.column_name(name) for name in stage_move.counted if axis.has(name))
        columns = {name: typed(axis.table, name, value) for name, value in made.columns.items()}
        whole = mark_shared(made, records)
        return replace(
            whole,
            columns={**columns, **column_values},
            counted=counted,
            tokens=tokens,
            holding=True,
            own=stage_move.own,
            detail=whole.detail if stage_move.own is None else None,
        )  # else each record's own detail has the reason too

    def row_values(
        self, stage_move: StageMove, facts: Sequence[Mapping[str, Any]], columns: Sequence[Mapping[str, Any]]
    ) -> list[RowValues | InterlockError]:
        """What each record has of its own: its facts as detail and as columns, and engine columns by their engine names. A record whose
        facts no ledger or row can hold is answered with the refusal."""
        axis, place = stage_move.axis, self.mover.plans.place(stage_move.workflow, stage_move.axis)
        binds = _Binders(place)
        texts: list[str] = []
        values: list[dict[str, Any] | InterlockError] = []
        for row_facts, row_columns in zip(facts, columns, strict=True):
            text = "{}"
            try:
                text = canonical_facts({**row_facts, **tracing.marked()})
                bound = {
                    name: binds.bind(name, value)
                    for name, value in columns_of(stage_move.workflow, axis, row_facts).items()
                }
                bound |= {
                    axis.column_name(name): binds.bind(axis.column_name(name), value)
                    for name, value in row_columns.items()
                    if axis.has(name)
                }
                values.append(bound)
            except InterlockError as error:
                values.append(error)
            texts.append(text)
        details = make_details(texts, stage_move.reason)
        return [
            one if isinstance(one, InterlockError) else RowValues(one, detail)
            for one, detail in zip(values, details, strict=True)
        ]

    def move(
        self,
        tx: Connection,
        stage_move: StageMove,
        rows: Sequence[RowState],
        tokens: Mapping[Any, str] | None,
        now: datetime,
        *,
        isolate: bool = False,
    ) -> dict[Any, Answer]:
        """Move rows that the caller has read; each by the version that was read. What is missing in the answer lost a race."""
        if not rows:
            return {}
        try:
            order = self.order(stage_move, tokens, len(rows))
        except (
            BadInput
        ) as error:  # facts that no ledger or row can hold: a report's own fault, and no reason to stop
            return {row.key: Answer(row.key, "refused", error=error) for row in rows}
        versions = {row.key: row.versions[0] for row in rows}
        id_of = self.mover.plans.place(stage_move.workflow, stage_move.axis).id_of
        asked = [Asked(id_of(row.key), row.key, versions[row.key]) for row in rows]
        plan = self.mover.plan(order)

        def run(numbers: list[int]) -> Progress:
            if plan.reads_one_axis:
                keys = [rows[number].key for number in numbers]
                self.mover.mirrors.lock(tx, plan.workflow, plan.axes, keys)
                return self.mover.move_rows(
                    tx, order, plan, asked, numbers, [rows[number] for number in numbers], now
                )
            return self.mover.run(tx, order, asked, numbers, now)

        every = list(range(len(rows)))
        progress = (
            isolate_failures(
                tx, every, settling(tx, run), lambda number, error: refused(asked[number], error)
            )
            if isolate
            else run(every)
        )
        return {asked[number].key: answer for number, answer in progress.answers.items()}

    def read(
        self,
        tx: Connection,
        workflow: Workflow,
        axis: Axis,
        scope: str,
        keys: Sequence[Any],
        *,
        lock: bool = False,
    ) -> list[RowState]:
        """Where these records stand on one axis."""
        place = self.mover.plans.place(workflow, axis)
        return self.mover.engine.read(tx, Reading((place,)), keys, scope, "update" if lock else "", {})


class _Binders:
    """Binders of facts, each column's made once."""

    def __init__(self, place: Placement) -> None:
        self.place = place
        self._known: dict[str, Any] = {}

    def bind(self, name: str, value: Any) -> Any:
        binder = self._known.get(name)
        if binder is None:
            binder = self._known[name] = self.place.fact_binder(name)
        return binder(value)


def typed(table: Table, name: str, value: Any) -> Any:
    """A value that came as JSON, as its column's own type: instants, dates, decimals and UUIDs travel as text."""
    if not isinstance(value, str) or name not in table.c:
        return value
    wanted: Any = python_type_of(table.c[name].type)
    with suppress(ValueError, ArithmeticError):
        if wanted in (datetime, date):
            return wanted.fromisoformat(value)
        if wanted in (Decimal, UUID):
            return wanted(value)
    return value


def refused(one: Asked, error: InterlockError) -> Answer:
    return Answer(one.id, "refused", error=error)
