"""Compares what the team's own flags mean with the states, or mirrored flags with what they should be: counts, and each record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Integer,
    Text,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
)

from ..authority import Authority
from ..machine import State
from ..store.adoption.adoptions import moved_records
from ..store.entry import canonical
from ..store.placement import Placement
from ..store.records.mirrors import differences as mirror_differences
from ..store.tables import adoption_difference, adoption_left
from .decision import Decision
from .phases import BACKFILL, SCHEMA

EXAMPLES = 20
COLUMNS = ("kind", "axis", "record_id", "scope", "expected", "actual", "as_backfilled")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A record that is not what it should be."""

    record_id: str
    scope: str
    expected: str | None
    actual: str | None
    as_backfilled: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many rows were compared and how many differ. `as_backfilled` have had no move since they were adopted: in the first phases they
    are part of the differences, later the flags of such records are left as they were, and they are counted apart."""

    compared: int
    differences: int
    as_backfilled: int
    examples: tuple[Disagreement, ...]
    at: datetime


class Compare:
    """Compares one axis, and keeps what differs in `interlock_adoption_difference`."""

    def __init__(self, authority: Authority, place: Placement) -> None:
        self.authority, self.place, self.decision = authority, place, Decision(place)
        self.axis, self.workflow = place.axis, place.workflow

    def run(self, tx: Connection, phase: str, now: datetime) -> Comparison:
        """Compare every row; what was kept of an earlier comparison is replaced."""
        self.authority.database.sql.free_planner(tx)
        mine = (adoption_difference.c.kind == self.place.kind, adoption_difference.c.axis == self.place.name)
        tx.execute(delete(adoption_difference).where(*mine))
        if phase in (SCHEMA, BACKFILL):
            compared, apart = self._by_rules(tx), 0
        else:
            compared, apart = self._by_mirror(tx)
        number, still = tx.execute(
            select(func.count(), func.coalesce(func.sum(adoption_difference.c.as_backfilled), 0)).where(*mine)
        ).one()
        examples = tx.execute(
            select(adoption_difference).where(*mine).order_by(adoption_difference.c.record_id).limit(EXAMPLES)
        )
        return Comparison(
            compared,
            int(number),
            int(still) + apart,
            tuple(
                Disagreement(row.record_id, row.scope, row.expected, row.actual, bool(row.as_backfilled))
                for row in examples
            ),
            now,
        )

    def _by_rules(self, tx: Connection) -> int:
        """What the rules say of each record against its state; a target without its state row differs too, unless the backfill left it
        over: such rows are counted there, and accepted there."""
        decision, version = self.decision, self.axis.column("version")
        status = cast(self.axis.column("status"), Text)
        raw = decision.raw.label("raw")
        source = decision.source
        if not decision.adopt.in_place:
            source = source.outerjoin(self.axis.table, decision.state_row)
        columns = (
            decision.id.label("id"),
            cast(decision.scope, Text).label("scope"),
            decision.rule.label("rule"),
            raw,
            status.label("status"),
            version.label("version"),
            case((version.is_(None), 0), else_=1).label("is_there"),
        )
        asked = select(*columns).select_from(source)
        if decision.adopt.in_place:
            asked = asked.where(version.is_not(None))
        else:
            left_over = exists().where(
                adoption_left.c.kind == self.place.kind,
                adoption_left.c.axis == self.place.name,
                adoption_left.c.record_id == cast(decision.id, Text),
                adoption_left.c.scope == func.coalesce(cast(decision.scope, Text), ""),
            )
            asked = asked.where(or_(version.is_not(None), ~left_over))
        rows = asked.subquery()
        alike = (rows.c.rule, rows.c.raw, rows.c.status, rows.c.is_there)
        groups = tx.execute(select(*alike, func.count()).group_by(*alike)).all()
        for rule, value, actual, is_there, _ in groups:
            decided = decision.decide(rule, value)
            expected = self._expected(decided.state, decided.why)
            if expected != actual or not is_there:
                values = (rule, value, actual, is_there)
                same = [column.is_not_distinct_from(one) for column, one in zip(alike, values, strict=True)]
                self._keep(tx, rows, same, expected)
        return sum(int(number) for *_, number in groups)

    def _expected(self, state: State, why: str | None) -> str | None:
        return state if why is None or state is not None else f"({why})"

    def _keep(self, tx: Connection, rows: Any, same: list[Any], expected: str | None) -> None:
        still = cast(case((rows.c.version == 0, 1), else_=0), Integer)
        differing = select(
            literal(self.place.kind),
            literal(self.place.name),
            cast(rows.c.id, Text),
            rows.c.scope,
            cast(literal(expected), Text),
            rows.c.status,
            still,
        ).where(*same)
        tx.execute(insert(adoption_difference).from_select(COLUMNS, differing))

    def _by_mirror(self, tx: Connection) -> tuple[int, int]:
        """What mirrors make of the states against the record's columns; in place, states that the machine does not have."""
        compared = tx.execute(
            select(func.count()).select_from(self.axis.table).where(self.axis.column("version").is_not(None))
        ).scalar_one()
        apart = 0
        for some in self._mirrored(tx):
            moved = moved_records(tx, self.place, list(some))
            apart += len(some) - len(moved)
            kept = [
                {
                    "kind": self.place.kind,
                    "axis": self.place.name,
                    "record_id": str(self.place.key_bind(id)),
                    "scope": "",
                    "expected": expected,
                    "actual": actual,
                    "as_backfilled": 0,
                }
                for id, (expected, actual) in some.items()
                if id in moved
            ]
            if kept:
                tx.execute(insert(adoption_difference), kept)
        if self.decision.adopt.in_place:
            self._by_rules_stranded(tx)
        return int(compared), apart

    def _mirrored(self, tx: Connection) -> Iterator[dict[Any, tuple[str, str]]]:
        """Slice by slice, the records whose mirror differs: by id, what it should be and what it is."""
        for mirror in self.workflow.mirrors_of(self.axis.name):
            for some in mirror_differences(tx, self.workflow, mirror):
                differing = {}
                for one in some:
                    differ = {name for name, value in one.should.items() if one.has[name] != value}
                    should, has = (
                        {name: values[name] for name in differ} for values in (one.should, one.has)
                    )
                    differing[one.id] = (_text(should), _text(has))
                yield differing

    def _by_rules_stranded(self, tx: Connection) -> None:
        status, version = cast(self.axis.column("status"), Text), self.axis.column("version")
        known = [state for state in self.axis.machine.states if state is not None]
        lost = (
            [status.not_in(known)]
            if None in self.axis.machine.states
            else [func.coalesce(status, "").not_in(known)]
        )
        rows = (
            select(
                self.place.table.c[self.axis.key].label("id"),
                status.label("status"),
                version.label("version"),
            )
            .add_columns(cast(literal(""), Text).label("scope"))
            .where(version.is_not(None), *lost)
            .subquery()
        )
        self._keep(tx, rows, [], None)


def _text(values: dict[str, Any]) -> str:
    try:
        return canonical(values)
    except Exception:  # noqa: BLE001 a team's own type has no canonical text
        return json.dumps(values, default=str, sort_keys=True)
