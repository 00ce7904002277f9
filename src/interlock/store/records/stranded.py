"""Counts records that stand in states which a machine does not have; reads only, and asks the rows, which are the truth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Text, and_, cast, false, func, literal, not_, or_, select

from ...errors import StrandedRecords, state_text
from ...machine import State
from ...workflow import Axis
from ..placement import Placement

EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Stranded:
    """Records of one axis and scope in one state that the machine has lost."""

    kind: str
    axis: str
    scope: str | None
    state: State
    records: int
    examples: tuple[Any, ...]

    def __str__(self) -> str:
        scope = f" ({self.scope})" if self.scope else ""
        more = ", …" if self.records > len(self.examples) else ""
        examples = f"{', '.join(map(str, self.examples))}{more}"
        return f"{self.records:,} of {self.kind}.{self.axis}{scope} in {state_text(self.state)} ({examples})"


def is_in_states(axis: Axis, states: Iterable[State]) -> ColumnElement[bool]:
    """The axis is managed and in one of these states, null-safe."""
    status, wanted = (
        cast(axis.column("status"), Text),
        list(states),
    )  # a cast, for a native enum does not know every state
    named = [state for state in wanted if state is not None]
    ways = [
        *([status.in_(named)] if named else []),
        *([axis.column("status").is_(None)] if None in wanted else []),
    ]
    return and_(axis.column("version").is_not(None), func.coalesce(or_(*ways), false()))


def stranded(tx: Connection, axis: Axis) -> list[Stranded]:
    """Every lost state of the axis that records are in, with how many and some of their ids."""
    key, status = axis.table.c[axis.key], cast(axis.column("status"), Text)
    scope = cast(axis.table.c[axis.scope_column], Text) if axis.scoped else literal("")
    lost = and_(axis.column("version").is_not(None), not_(is_in_states(axis, axis.machine.states)))
    places = tx.execute(select(scope, status, func.count()).where(lost).group_by(scope, status)).all()
    found = []
    for named, state, number in sorted(places, key=lambda one: (one[0], one[1] or "")):
        here = [is_in_states(axis, [state]), *([scope == named] if axis.scoped else [])]
        such = tx.execute(select(key).where(*here).order_by(key).limit(EXAMPLES)).scalars()
        found.append(Stranded(axis.kind, axis.name, named or None, state, int(number), tuple(such)))
    return found


def refuse_stranding(tx: Connection, places: Sequence[Placement]) -> None:
    """Raise if narrowing the guards to these machines leaves records in states that nothing leads out of."""
    if found := [one for place in places for one in stranded(tx, place.axis)]:
        number = sum(one.records for one in found)
        raise StrandedRecords(
            f"{number:,} records stand in states that the machines of this code do not have: "
            f"{'; '.join(map(str, found))}",
            records=number,
            stranded=[str(one) for one in found],
        )
