"""Which records an operation is about: a list of ids, or whatever a filter finds; frozen, with the versions seen, when it is created."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, String, cast, null, select

from ..errors import BadInput, InterlockError, UnknownRecord
from ..store.engines import sql_of
from ..store.entry import plain
from ..store.placement import Placement
from ..store.records.operations import Item, OperationRows
from ..workflow import Workflow
from .acts import Act
from .tally import Tally

Matching = Callable[[Select[Any], Workflow, Any, datetime], Select[Any]]
"""Narrows a query of records to what a filter wants; filters belong to those who list records."""

MOST_IDS = 1_000_000


@dataclass(frozen=True)
class Named:
    """Ids that somebody gave: each once, in their order, as the database holds it; and those that no record can have."""

    keys: tuple[Any, ...]
    bad: tuple[tuple[Any, BadInput], ...]

    @property
    def records(self) -> int:
        return len(self.keys) + len(self.bad)


def named(place: Placement, ids: Sequence[Any]) -> Named:
    """The ids, checked; one that cannot be does not stop the others."""
    if isinstance(ids, str | bytes) or len(ids) > MOST_IDS:
        raise BadInput(f"{place.kind}: several records are a list of at most {MOST_IDS:,} ids")
    keys: dict[Any, None] = {}
    bad: dict[str, tuple[Any, BadInput]] = {}
    for one in ids:
        try:
            keys[place.key_bind(place.check_id(one))] = None
        except BadInput as fault:
            bad.setdefault(repr(one), (one, fault))
    return Named(tuple(keys), tuple(bad.values()))


class Source:
    """The rows of an axis that a scope is about, as a query to be narrowed, counted or frozen."""

    def __init__(
        self,
        act: Act,
        where: Callable[[Select[Any]], Select[Any]],
        past: Sequence[ColumnElement[Any]] = (),
        expected: ColumnElement[Any] | None = None,
        missing: Callable[[Connection], Sequence[Any]] | None = None,
    ) -> None:
        self.act, self.past, self.expected, self._where = act, list(past), expected, where
        self.missing = missing or (lambda tx: ())
        """Some of the ids that were asked for and are not there."""

    def query(self, *columns: ColumnElement[Any]) -> Select[Any]:
        axis = self.act.axis
        asked = self._where(select(*columns).select_from(axis.table))
        return asked.where(axis.table.c[axis.scope_column] == self.act.scope) if axis.scoped else asked


def by_filter(act: Act, wanted: Any, matching: Matching, now: datetime) -> Source:
    """Whatever matches; of a scoped axis the rows of matching records."""
    workflow, axis = act.workflow, act.axis

    def where(asked: Select[Any]) -> Select[Any]:
        if axis.table is workflow.records:
            return matching(asked, workflow, wanted, now)
        return asked.where(
            axis.table.c[axis.key].in_(matching(select(workflow.id_column), workflow, wanted, now))
        )

    return Source(act, where)


def by_ids(act: Act, chosen: Named, place: Placement) -> Source:
    column = act.axis.table.c[act.axis.key]

    def where(asked: Select[Any]) -> Select[Any]:
        return asked.where(sql_of(place.dialect).column_among(column, chosen.keys))

    def missing(tx: Connection) -> list[Any]:
        there = {place.key_bind(key) for (key,) in tx.execute(source.query(column))}
        return [key for key in chosen.keys if key not in there]

    source = Source(act, where, missing=missing)
    return source


def freeze_matching(rows: OperationRows, tx: Connection, id: str, source: Source) -> None:
    """Keep every record that matches now, by id, with its version: one statement, whatever their number."""
    axis = source.act.axis
    key = axis.table.c[axis.key]
    sql_of(tx.dialect).free_planner(tx)
    rows.freeze(
        tx,
        id,
        source.query(
            key.label("key"),
            cast(key, String).label("record_id"),
            axis.column("version").label("version"),
            null().label("from_state"),
            null().label("to_state"),
        ),
    )


def looked_up(tx: Connection, chosen: Named, source: Source, place: Placement) -> tuple[list[Item], Tally]:
    """The ids as items. Those that name no record come first and are answered at once: what comes later is not what was seen."""
    axis, tally = source.act.axis, Tally()
    found = tx.execute(source.query(axis.table.c[axis.key], axis.column("version"))).all()
    seen = {str(place.key_bind(key)): version for key, version in found}
    faults: list[tuple[Any, InterlockError]] = [
        *chosen.bad,
        *(
            (key, UnknownRecord(source.act.workflow.name, key, source.act.scope or None))
            for key in chosen.keys
            if str(key) not in seen
        ),
    ]
    items = []
    for number, (one, fault) in enumerate(faults, start=1):
        outcome = "unknown" if isinstance(fault, UnknownRecord) else "refused"
        tally.add(outcome, 1, fault, [one])
        items.append(
            Item(number, str(one)[:200].replace("\x00", ""), None, outcome, fault.code, None, None, None)
        )
    known = [str(key) for key in chosen.keys if str(key) in seen]
    items += [
        Item(number, name, seen[name], None, None, None, None, None)
        for number, name in enumerate(known, start=len(items) + 1)
    ]
    return items, tally


def described(wanted: Any) -> dict[str, Any]:
    """A filter as it is remembered: only what it asks, in plain values."""
    if not is_dataclass(wanted):
        raise BadInput(f"a filter says which records, not {wanted!r}")
    asked = {one.name: getattr(wanted, one.name) for one in fields(wanted)}
    return {
        name: f"{value.total_seconds():g}s"
        if isinstance(value, timedelta)
        else {name: plain(list(values)) for name, values in value.items()}
        if name == "states"
        else value
        for name, value in asked.items()
        if value
    }
