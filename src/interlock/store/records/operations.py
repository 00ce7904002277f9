"""Operations as rows: what was asked of many records, the frozen list of them, and how far it has come."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, func, insert, literal, select

from ...clock import Clock
from ...machine import State
from ...workflow.columns.instant import instant_of
from ..connect import Database
from ..work.rows import WorkRows
from .operation_schema import item

_COLUMNS = (
    "id",
    "kind",
    "act",
    "axis",
    "scope",
    "to_state",
    "wanted",
    "reason",
    "salt",
    "actor",
    "role",
    "ramp",
    "records",
    "reached",
    "status",
    "pausing",
    "told",
    "undoes",
    "undone_by",
    "created_at",
    "started_at",
    "finished_at",
    "lease_until",
)
_INSTANTS = frozenset({"created_at", "started_at", "finished_at", "lease_until"})
_IDLE = "(runner IS NULL OR lease_until IS NULL OR lease_until < NOW)"
_GIVEN = (
    "kind",
    "act",
    "axis",
    "scope",
    "to_state",
    "wanted",
    "reason",
    "salt",
    "actor",
    "role",
    "ramp",
    "undoes",
)


@dataclass(frozen=True, slots=True)
class Operation:
    """One act on many records. `reached` is how many of them have been answered; `told` what came of them."""

    id: str
    kind: str
    act: str
    axis: str
    scope: str
    to: State
    wanted: dict[str, Any]
    reason: str
    salt: str
    actor: str
    role: str | None
    ramp: int | None
    records: int
    reached: int
    status: str
    pausing: bool
    told: dict[str, Any]
    undoes: str | None
    undone_by: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    lease_until: datetime | None
    idle: bool
    """Nobody runs it now: nobody has begun, or whoever had has died."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What each of its moves says beside the state; facts named like columns are on the record too."""
        found: Mapping[str, Any] = self.wanted.get("facts", {})
        return found

    @property
    def stalled(self) -> bool:
        return self.status == "running" and self.idle


class Item(NamedTuple):
    """One record of an operation: the version that was seen when the scope was frozen, and what came of it."""

    number: int
    record_id: str
    version: int | None
    outcome: str | None
    code: str | None
    old: State
    new: State
    left: int | None


class Mark(NamedTuple):
    """What came of an item; where it did not move, old and new stay as they were."""

    number: int
    outcome: str
    code: str | None
    old: State
    new: State
    left: int | None


class OperationRows:
    """The statements on operations and their items."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.work = WorkRows(database, clock)

    def add(self, tx: Connection, id: str, given: Mapping[str, Any]) -> None:
        marks = ", ".join(f"%({name})s" for name in _GIVEN)
        self.work.run(
            tx,
            f"INSERT INTO interlock_operation(id, created_at, {', '.join(_GIVEN)}) VALUES (%(id)s, NOW, {marks})",
            {"id": id, **{name: given.get(name) for name in _GIVEN}, "wanted": json.dumps(given["wanted"])},
        )

    def get(self, tx: Connection, id: str, *, lock: bool = False) -> Operation | None:
        """One operation; locked, nobody else changes it until the transaction ends."""
        found = self.work.run(
            tx,
            f"SELECT {', '.join(_COLUMNS)}, {_IDLE} FROM interlock_operation WHERE id = %(id)s"
            + (self.work.locked(skip=False) if lock else ""),
            {"id": id},
        ).fetchone()
        return None if found is None else _operation(found)

    def newest(self, tx: Connection, limit: int) -> list[Operation]:
        found = self.work.run(
            tx,
            f"SELECT {', '.join(_COLUMNS)}, {_IDLE} FROM interlock_operation ORDER BY position DESC LIMIT %(limit)s",
            {"limit": limit},
        ).fetchall()
        return [_operation(row) for row in found]

    def stalled(self, tx: Connection, limit: int) -> list[Operation]:
        """Those that were begun and that nobody runs, the oldest first."""
        found = self.work.run(
            tx,
            f"SELECT {', '.join(_COLUMNS)}, {_IDLE} FROM interlock_operation WHERE status = 'running' AND {_IDLE} "
            "ORDER BY position LIMIT %(limit)s",
            {"limit": limit},
        ).fetchall()
        return [_operation(row) for row in found]

    def change(self, tx: Connection, id: str, values: Mapping[str, Any], *, now: Sequence[str] = ()) -> None:
        """Set columns to values, and some to this instant."""
        parts = [*(f"{name} = %({name})s" for name in values), *(f"{name} = NOW" for name in now)]
        self.work.run(
            tx, f"UPDATE interlock_operation SET {', '.join(parts)} WHERE id = %(id)s", {**values, "id": id}
        )

    def take(self, tx: Connection, id: str, runner: str, lease: timedelta) -> bool:
        """Become the one who runs it, unless somebody is; the lease only says who is at it, the row's lock keeps two apart."""
        taken = self.work.run(
            tx,
            "UPDATE interlock_operation SET runner = %(runner)s, lease_until = LATER(lease), status = 'running', "
            f"pausing = 0, started_at = coalesce(started_at, NOW) WHERE id = %(id)s AND {_IDLE} RETURNING id",
            {"id": id, "runner": runner},
            lease=lease,
        )
        return taken.fetchone() is not None

    def hold(self, tx: Connection, id: str, runner: str, lease: timedelta) -> bool:
        """Renew the lease and lock the row; False where somebody else has taken over."""
        held = self.work.run(
            tx,
            "UPDATE interlock_operation SET lease_until = LATER(lease) WHERE id = %(id)s AND runner = %(runner)s "
            "AND status = 'running' RETURNING id",
            {"id": id, "runner": runner},
            lease=lease,
        )
        return held.fetchone() is not None

    def let_go(self, tx: Connection, id: str, runner: str) -> None:
        """Whoever stops says so, and nobody has to wait for the lease."""
        self.work.run(
            tx,
            "UPDATE interlock_operation SET runner = NULL, lease_until = NULL WHERE id = %(id)s AND runner = %(runner)s",
            {"id": id, "runner": runner},
        )

    def freeze(self, tx: Connection, id: str, chosen: Select[Any]) -> None:
        """Keep what a query finds, as it is now: (record id, version, from, to), numbered in the query's order of its key."""
        found = chosen.subquery()
        numbered = select(
            literal(id),
            func.row_number().over(order_by=found.c.key),
            found.c.record_id,
            found.c.version,
            found.c.from_state,
            found.c.to_state,
        )
        names = ["operation", "number", "record_id", "version", "from_state", "to_state"]
        tx.execute(insert(item).from_select(names, numbered))

    def add_items(self, tx: Connection, id: str, items: Sequence[Item]) -> None:
        """Items that are known one by one, done or not."""
        rows = [
            {
                "operation": id,
                "number": one.number,
                "record_id": one.record_id,
                "version": one.version,
                "outcome": one.outcome,
                "code": one.code,
                "from_state": one.old,
                "to_state": one.new,
                "left_version": one.left,
            }
            for one in items
        ]
        for start in range(0, len(rows), 5000):
            tx.execute(insert(item), rows[start : start + 5000])

    def count(self, tx: Connection, id: str) -> int:
        return int(
            tx.execute(select(func.count()).select_from(item).where(item.c.operation == id)).scalar_one()
        )

    def items(
        self, tx: Connection, id: str, after: int, limit: int, outcome: str | None = None
    ) -> list[Item]:
        """Items behind a number, in order; of one outcome, where one is named."""
        narrowed = "" if outcome is None else " AND outcome = %(outcome)s"
        found = self.work.run(
            tx,
            "SELECT number, record_id, version, outcome, code, from_state, to_state, left_version "
            "FROM interlock_operation_item WHERE operation = %(id)s AND number > %(after)s"
            f"{narrowed} ORDER BY number LIMIT %(limit)s",
            {"id": id, "after": after, "limit": limit, "outcome": outcome},
        ).fetchall()
        return [Item._make(row) for row in found]

    def mark(self, tx: Connection, id: str, marks: Sequence[Mark]) -> None:
        """Write what came of each, in the transaction that moved them."""
        if marks:
            self.work.sql.work.update_items(self.work, tx, id, marks)


def _operation(row: Sequence[Any]) -> Operation:
    said: dict[str, Any] = {
        name: instant_of(value) if name in _INSTANTS else value
        for name, value in zip(_COLUMNS, row, strict=False)
    }
    said |= {
        "wanted": json.loads(said["wanted"]),
        "told": json.loads(said["told"]),
        "pausing": bool(said["pausing"]),
    }
    return Operation(
        **{("to" if name == "to_state" else name): value for name, value in said.items()}, idle=bool(row[-1])
    )
