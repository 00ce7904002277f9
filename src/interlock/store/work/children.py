"""Children: records that a stage found, staged with its report, admitted by a coordinator once that report was applied.

They are kept in chunks, each one row. A chunk is due when the work row it came from is gone: if the ledger has the entry that this
attempt's success made, its records are admitted; else its report was refused or came too late, and the chunk is dropped.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from ..entry import is_text
from .attempts import Attempt
from .rows import WorkRows

CHUNK = 500
"""Records in one row."""
_COLUMNS = {
    "kind": "text",
    "records": "text",
    "size": "int",
    "source_kind": "text",
    "source_id": "text",
    "axis": "text",
    "scope": "text",
    "token": "text",
    "work": "bigint",
    "actor": "text",
    "reason": "text",
}


class Chunk(NamedTuple):
    """Some records of one kind that one attempt found, as the text of a JSON list: a record is an object; a text in its place says why
    that one cannot be a record."""

    attempt: Attempt
    kind: str
    records: str
    size: int
    actor: str | None = None
    reason: str | None = None

    def values(self) -> tuple[Any, ...]:
        one = self.attempt
        return (
            self.kind,
            self.records,
            self.size,
            one.kind,
            one.record_id,
            one.axis,
            one.scope,
            one.token,
            one.position,
            self.actor,
            self.reason,
        )


class Due(NamedTuple):
    """A chunk whose attempt is over."""

    position: int
    size: int
    is_applied: bool


class Arrivals(NamedTuple):
    """The records of one chunk, read; a text in the place of a record says why it is none."""

    kind: str
    records: list[dict[str, Any] | str]
    source_kind: str
    source_id: str
    token: str
    actor: str | None
    reason: str | None


def stage(work: WorkRows, tx: Connection, chunks: Sequence[Chunk]) -> None:
    """Keep everything that was found, in as many rows as there are chunks."""
    if not chunks:
        return
    work.sql.work.insert_rows(work, tx, "interlock_intake", _COLUMNS, [one.values() for one in chunks])


def due(work: WorkRows, tx: Connection, limit: int) -> list[Due]:
    """The oldest chunks whose attempts are over and that nobody else is admitting, locked."""
    lock = work.sql.lock(skip=True, of="i")
    completed = (
        "EXISTS (SELECT 1 FROM interlock_ledger l WHERE l.kind = i.source_kind AND l.record_id = i.source_id AND l.axis = i.axis "
        "AND l.scope = i.scope AND l.token = i.token AND substr(l.cause, length(l.cause) - 9) = '.completed')"
    )
    rows = work.run(
        tx,
        f"SELECT i.position, i.size, i.work IS NULL OR {completed} FROM interlock_intake i "
        "WHERE NOT EXISTS (SELECT 1 FROM interlock_work w WHERE w.position = i.work AND w.token = i.token) "
        f"ORDER BY i.position LIMIT %(limit)s{lock}",
        {"limit": limit},
    ).fetchall()
    return [Due(row[0], row[1], bool(row[2])) for row in rows]


def read(work: WorkRows, tx: Connection, positions: Sequence[int]) -> list[Arrivals]:
    """What these chunks hold, oldest first."""
    rows = work.run(
        tx,
        "SELECT kind, records, source_kind, source_id, token, actor, reason FROM interlock_intake "
        f"WHERE {work.among('position', 'positions', 'bigint')} ORDER BY position",
        {"positions": list(positions)},
    ).fetchall()
    return [Arrivals(row[0], parsed(row[1]), *row[2:]) for row in rows]


def remove(work: WorkRows, tx: Connection, positions: Sequence[int]) -> None:
    work.run(
        tx,
        f"DELETE FROM interlock_intake WHERE {work.among('position', 'positions', 'bigint')}",
        {"positions": list(positions)},
    )


def parsed(text: str) -> list[dict[str, Any] | str]:
    """The records of a chunk. It is untrusted: whatever is no record becomes a text that says so, and nothing here raises."""
    try:
        found = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        return [f"it cannot be read: {type(error).__name__}"]
    escaped = "\\u" in text
    return [_record(one, escaped) for one in (found if isinstance(found, list) else [found])]


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _record(one: Any, escaped: bool) -> dict[str, Any] | str:
    if isinstance(one, dict):
        return (
            "a value holds a null character or half of a surrogate pair"
            if escaped and not _is_storable(one)
            else one
        )
    return _storable_text(one) if isinstance(one, str) else "it is no mapping of column names to values"


def _storable_text(text: str) -> str:
    return text[:500].encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")


def _is_storable(value: Any) -> bool:
    if isinstance(value, str):
        return "\0" not in value and is_text(value)
    if isinstance(value, Mapping):
        return all(_is_storable(key) and _is_storable(item) for key, item in value.items())
    return all(map(_is_storable, value)) if isinstance(value, list) else True


def count_records(tx: Connection) -> int:
    """How many records are staged and neither admitted nor dropped yet."""
    return int(tx.exec_driver_sql("SELECT coalesce(sum(size), 0) FROM interlock_intake").scalar_one())
