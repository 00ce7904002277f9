"""Replays the facts of the ledger against the columns that they were copied to: what SQL has changed since shows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from ...errors import BadInput
from ...machine import State
from ...workflow import Axis, Workflow
from ..entry import plain
from ..finding import Finding
from ..ledger.streaming import batches
from ..placement import Placement

_ENTRIES = """SELECT l.record_id, l.scope, l.axis, l.version, d.facts, l.from_state, l.to_state, l.origin
FROM interlock_ledger l LEFT JOIN interlock_detail d ON d.digest = l.detail
WHERE l.kind = :kind AND l.axis IN ({axes}) AND (d.facts <> '{{}}'{clearing}) ORDER BY l.record_id, l.scope, l.position"""
BATCH = 500
Key = tuple[str, str]


class NewestValue(NamedTuple):
    """The newest value that an entry gave a column."""

    axis: str
    version: int
    value: Any


def replay_facts(tx: Connection, workflow: Workflow, axis: Axis) -> list[Finding]:
    """Every column that facts of the axis's row gave last, and that the row no longer has. Axes that share a row are replayed together,
    with the first of them; facts that were erased are not known."""
    together = [other for other in workflow.axes.values() if other.table is axis.table]
    if together[0] is not axis:
        return []
    place = Placement(workflow, axis, tx.dialect)
    kept = {name for other in together for name in other.engine_names()} | {axis.key}
    columns = {column.name for column in axis.table.c} - kept
    found: list[Finding] = []
    some: dict[Key, dict[str, NewestValue]] = {}
    for key, given in _newest_values(tx, workflow, together, columns):
        some[key] = given
        if len(some) >= BATCH:
            found += _compared(tx, place, some)
            some = {}
    return found + _compared(tx, place, some)


def _newest_values(
    tx: Connection, workflow: Workflow, axes: list[Axis], columns: set[str]
) -> Iterator[tuple[Key, dict[str, NewestValue]]]:
    """By record and scope, what its entries gave each column last: nothing where a move entered a state that empties it, and unknown where
    it entered one that stamps it."""
    names = {f"axis_{'x' * number}": axis.name for number, axis in enumerate(axes)}
    by_name = {axis.name: axis for axis in axes}
    states: set[State] = {state for axis in axes for state in (*axis.cleared, *axis.stamps)}
    clearing = {
        f"state_{'x' * number}": state for number, state in enumerate(sorted(states - {None}, key=str))
    }
    tests = [f"l.to_state IN ({', '.join(f':{name}' for name in clearing)})"] if clearing else []
    tests += ["l.to_state IS NULL"] if None in states else []
    sql = _ENTRIES.format(
        axes=", ".join(f":{name}" for name in names), clearing="".join(f" OR {test}" for test in tests)
    )
    current: Key | None = None
    given: dict[str, NewestValue] = {}
    for rows in batches(tx, sql, {"kind": workflow.name, **names, **clearing}):
        for id, scope, axis, version, facts, old, new, origin in rows:
            if (id, scope) != current:
                if current is not None and given:
                    yield current, given
                current, given = (id, scope), {}
            values = json.loads(facts or "{}")
            if old != new and origin != "admit":
                values = {**dict.fromkeys(by_name[axis].cleared.get(new, ())), **values}
                given.pop(by_name[axis].stamps.get(new, ""), None)
            given.update(
                {name: NewestValue(axis, version, value) for name, value in values.items() if name in columns}
            )
    if current is not None and given:
        yield current, given


def _compared(tx: Connection, place: Placement, some: Mapping[Key, dict[str, NewestValue]]) -> list[Finding]:
    if not some:
        return []
    table, axis = place.table, place.axis
    scope = [table.c[axis.scope_column]] if axis.scoped else []
    ids = {place.check_id(id) for id, _ in some}
    found = []
    for row in tx.execute(select(table.c[axis.key], *scope, *table.c).where(table.c[axis.key].in_(ids))):
        key = (str(place.key_bind(row[0])), row[1] if scope else "")
        values = dict(zip(table.c.keys(), row[1 + len(scope) :], strict=True))
        for name, given in some.get(key, {}).items():
            if not same(given.value, values[name]):
                found.append(
                    Finding(
                        "replay",
                        place.kind,
                        key[0],
                        given.axis,
                        key[1],
                        given.version,
                        f"its entry gave {name} the value {short_repr(given.value)}; the row has {short_repr(values[name])}",
                    )
                )
    return found


def same(fact: Any, value: Any) -> bool:
    """Whether a column still has what a fact, kept as JSON, gave it."""
    with suppress(BadInput):
        value = plain(value)
    if fact == value:
        return True
    with suppress(ArithmeticError, ValueError, TypeError):
        return not isinstance(fact, bool) and Decimal(str(fact)) == Decimal(str(value))
    with suppress(ValueError, TypeError):
        return datetime.fromisoformat(fact) == datetime.fromisoformat(value)
    return False


def short_repr(value: Any) -> str:
    return repr(value)[:60]
