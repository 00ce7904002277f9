"""What an act would come to, counted exactly without touching a record: rows are grouped by situation, and each situation is judged once.

Hooks and constraints of the database are not asked, nor rules that reach on into other tables: those answer only when it is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, String, and_, case, cast, func, literal, or_, select

from ..authority.mover import Mover
from ..errors import ConcurrentModificationError, InterlockError, NotAdopted, UnknownRecord
from ..machine import State
from .acts import Act, Aim
from .scope import Named, Source
from .situations import Situations
from .tally import Tally


@dataclass
class Preview:
    """What would come of it: counts per outcome, refusals with their reasons, and every move with how many records would make it."""

    act: Act
    records: int = 0
    tally: Tally = field(default_factory=Tally)
    moves: dict[tuple[str, State, State], int] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        axis = self.act.axis.name
        moves = [
            {"axis": name, "from": old, "to": new, "records": number, "driven": name != axis}
            for (name, old, new), number in sorted(
                self.moves.items(), key=lambda one: (one[0][0] != axis, -one[1])
            )
        ]
        return {
            "kind": self.act.workflow.name,
            "act": self.act.name,
            "axis": axis,
            "scope": self.act.scope or None,
            "to": self.act.to,
            "records": self.records,
            "outcomes": self.tally.counts(),
            "refusals": self.tally.reasons(),
            "moves": moves,
        }


class Speaker(NamedTuple):
    """Actor, role and reason of the act that is previewed; machines and rules judge by them."""

    actor: str
    role: str | None
    reason: str


class Group(NamedTuple):
    """Rows that are alike in some values: how many, and one of them."""

    values: tuple[Any, ...]
    records: int
    example: Any


class Previewer:
    """Computes the preview of one act."""

    def __init__(self, tx: Connection, mover: Mover, source: Source, speaker: Speaker) -> None:
        self.tx, self.mover, self.source, self.act, self.speaker = tx, mover, source, source.act, speaker
        self.preview = Preview(source.act)

    def of(self, records: int | None = None, chosen: Named | None = None) -> Preview:
        """Everything that the source finds; of so many records that were asked for, the others are unknown."""
        found = 0
        by_aim: dict[Aim, list[tuple[Any, ...]]] = {}
        for group in self.grouped(self.deciding()):
            found += group.records
            aim = self.aimed(group)
            if aim is not None:
                by_aim.setdefault(aim, []).append(group.values)
        for aim, several in by_aim.items():
            self.judge(aim, or_(*(alike(self.deciding(), values) for values in several)))
        self.preview.records = found if records is None else records
        self.add_missing(self.preview.records - found - len(chosen.bad if chosen else ()), chosen)
        return self.preview

    def add_missing(self, number: int, chosen: Named | None) -> None:
        for one, fault in chosen.bad if chosen else ():
            self.preview.tally.add("refused", 1, fault, [one])
        if number:
            missing = self.source.missing(self.tx)
            error = UnknownRecord(
                self.act.workflow.name, missing[0] if missing else None, self.act.scope or None
            )
            self.preview.tally.add("unknown", number, error, missing)

    def deciding(self) -> list[ColumnElement[Any]]:
        """Whether a row is adopted and still at the version that is expected, and what decides where it would go."""
        version = self.act.axis.column("version")
        fresh = (
            literal(1)
            if self.source.expected is None
            else case((version == self.source.expected, 1), else_=0)
        )
        return [case((version.is_not(None), 1), else_=0), fresh, *self.source.past, *self.act.columns()]

    def aimed(self, group: Group) -> Aim | None:
        """Where these rows would go; where they would not, that is counted."""
        adopted, fresh, *values = group.values
        count = len(self.source.past)
        past = (values[0], values[1]) if count else (None, None)
        kind, name = self.act.workflow.name, group.example
        try:
            if not adopted:
                raise NotAdopted(kind, name, self.act.axis.name)
            if not fresh:
                raise ConcurrentModificationError(f"{kind} {name!r} has been moved since", kind=kind, id=name)
            return self.act.aim(name, values[count:], past)
        except InterlockError as error:
            outcome = "conflict" if isinstance(error, ConcurrentModificationError) else "refused"
            self.preview.tally.add(outcome, group.records, error, [name])
            return None

    def judge(self, aim: Aim, where: ColumnElement[bool]) -> None:
        situations = Situations(self.act, aim, self.mover)
        for group in self.grouped(situations.columns(), where):
            found = situations.judge(
                group.values, role=self.speaker.role, reason=self.speaker.reason, example=group.example
            )
            self.preview.tally.add(found.outcome, group.records, found.error, [group.example])
            for step in found.steps:
                step_key = (step.axis, step.old, step.new)
                self.preview.moves[step_key] = self.preview.moves.get(step_key, 0) + group.records

    def grouped(
        self, columns: Sequence[ColumnElement[Any]], where: ColumnElement[bool] | None = None
    ) -> list[Group]:
        """Rows counted by these values. Within a query, for values with parameters in them cannot be grouped by as they are."""
        axis = self.act.axis
        key = axis.table.c[axis.key]
        asked = self.source.query(
            key.label("key"), *(one.label(f"c{number}") for number, one in enumerate(columns))
        )
        found = (asked if where is None else asked.where(where)).subquery()
        values = [found.c[f"c{number}"] for number in range(len(columns))]
        plain = self.mover.plans.place(self.act.workflow, axis).python_type in (int, str)
        example = func.min(found.c.key if plain else cast(found.c.key, String))
        parameters = {"actor": self.speaker.actor, "role": self.speaker.role, "scope": self.act.scope}
        rows = self.tx.execute(select(func.count(), example, *values).group_by(*values), parameters)
        return [Group(tuple(row[2:]), int(row[0]), row[1]) for row in rows]


def alike(columns: Sequence[ColumnElement[Any]], values: Sequence[Any]) -> ColumnElement[bool]:
    return and_(*(one.is_not_distinct_from(value) for one, value in zip(columns, values, strict=True)))
