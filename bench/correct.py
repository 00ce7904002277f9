"""A fast program that is wrong is no comparison: both sides are held against each other, and ours against its own invariants."""

from __future__ import annotations

from typing import Any

from interlock.observe.invariants import check_counters

from .fill import FIRST_FRESH
from .kind import KIND, STATES, TABLE
from .places import Place

_STATES = f"SELECT status, count(*) FROM {TABLE} GROUP BY status"
_COUNT = "SELECT count(*) FROM interlock_ledger"
_TAKEN_BY_TIME = {"since", "updated_at", "ready_at", "head", "hash", "at", "position", "txid", "machine"}


def problems(place: Place, moved: int, moved_beside: int, sample: int = 3) -> list[str]:
    """What is not as it must be after all rounds, in which so many records went through all four moves."""
    found = []
    for side, name, number in ((place.ours, "ours", moved), (place.beside, "beside", moved_beside)):
        states: dict[str, int] = dict(_rows(side, _STATES))
        done, entries = states.get(STATES[-1], 0), _rows(side, _COUNT)[0][0]
        if done != place.finished + number or set(states) - {STATES[0], STATES[-1]}:
            found.append(
                f"{name}: {place.finished + number} records should be {STATES[-1]}; there are {states}"
            )
        if entries != len(STATES) * done + states.get(STATES[0], 0):
            found.append(f"{name}: the ledger has {entries} entries for {states}")
    found += [
        str(finding) for id in _sample(place, sample) for finding in place.ours.app.check(KIND, id).findings
    ]
    found += [
        str(finding)
        for finding in check_counters(place.ours.app.database, list(place.ours.app.workflows.values()))
    ]
    return found + _columns(place)


def _columns(place: Place) -> list[str]:
    """Both sides wrote the same columns: the same values, and null in the same places."""
    found = []
    for table, where in (
        (TABLE, f"id = {FIRST_FRESH}"),
        ("interlock_ledger", f"record_id = '{FIRST_FRESH}' ORDER BY version"),
    ):
        rows = [_named(side, f"SELECT * FROM {table} WHERE {where}") for side in (place.ours, place.beside)]
        if [*map(_comparable, rows[0])] != [*map(_comparable, rows[1])]:
            found.append(f"{table} differs: {rows[0]} beside {rows[1]}")
    return found


def _comparable(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value is None if name in _TAKEN_BY_TIME else value for name, value in row.items()}


def _sample(place: Place, sample: int) -> list[int]:
    return [*range(FIRST_FRESH, FIRST_FRESH + sample), *range(1, min(sample, place.finished) + 1)]


def _rows(side: Any, sql: str) -> list[Any]:
    return [tuple(row.values()) for row in _named(side, sql)]


def _named(side: Any, sql: str) -> list[dict[str, Any]]:
    if hasattr(side, "app"):
        with side.app.database.read() as tx:
            return [dict(row) for row in tx.exec_driver_sql(sql).mappings()]
    cursor = side.connection.execute(sql)
    return [
        dict(zip([column[0] for column in cursor.description], row, strict=True)) for row in cursor.fetchall()
    ]
