"""Events: each is written in the transaction of the move that it is about, by a hook, and read as it was written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from interlock import Move, insert_rows

from ..normalize.canonical import NORMALIZER_VERSION
from ..tables import statement_events, uploads
from .logs import normalizer_log_ref, parse_log_ref

STAGES = {"parsing": "parse", "normalizing": "normalize"}
STATES = ("queued_for_parse", "parsed", "normalized", "error")
"""Entering one of these is, or may be, an event."""
OF_THE_ROW = ("source_type", "file_hash", "error_code", "error_message")
CHUNK = 500


def event_type(move: Move) -> str | None:
    """The name of what happened, by where the move leads: a stage that was cut off or cancelled has failed too. None for a dispatch, a
    retry, or a file that is parsed again."""
    if move.origin == "admit":
        return "upload.created"
    stage = STAGES.get(str(move.old))
    if stage is None or move.new == move.old:
        return None
    return f"{stage}.failed" if move.new == "error" else f"{stage}.completed"


def event_content(name: str, move: Move, row: Mapping[str, Any]) -> dict[str, Any]:
    """What the event says beside its type, id, upload and time; `row` has the columns of the upload that the move's facts lack."""
    upload_id, facts = move.id, move.facts
    if name == "upload.created":
        return {"source_type": row["source_type"], "file_hash": row["file_hash"]}
    if name == "parse.completed":
        return {
            "observations_count": facts.get("observations_count", 0),
            "parse_log_ref": parse_log_ref(upload_id),
        }
    if name == "parse.failed":
        return {
            "error_code": row["error_code"],
            "error_message": row["error_message"],
            "parse_log_ref": parse_log_ref(upload_id),
        }
    return {
        "normalizer_version": facts.get("normalizer_version", NORMALIZER_VERSION),
        "canonicals_count": facts.get("canonicals_count", 0),
        "failed_count": facts.get("failed_count", 0),
        "normalizer_log_ref": normalizer_log_ref(upload_id),
    }


def keep_events(tx: Connection, moves: Sequence[Move]) -> None:
    """Store the events that these moves are; called by the engine inside their transaction."""
    events = [(name, move) for move in moves if (name := event_type(move)) is not None]
    rows = _columns(tx, [move.id for name, move in events if name in ("upload.created", "parse.failed")])
    insert_rows(
        tx,
        statement_events,
        [
            {
                "id": f"{move.id}:{move.version}",
                "upload_id": move.id,
                "version": move.version,
                "event_type": name,
                "happened_at": move.at,
                "content": event_content(name, move, rows.get(move.id, {})),
            }
            for name, move in events
        ],
    )


def _columns(tx: Connection, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """The columns that events need, by upload."""
    columns = [uploads.c.upload_id, *(uploads.c[name] for name in OF_THE_ROW)]
    rows: dict[str, Mapping[str, Any]] = {}
    for start in range(0, len(ids), CHUNK):
        asked = select(*columns).where(uploads.c.upload_id.in_(ids[start : start + CHUNK]))
        rows |= {row["upload_id"]: row for row in tx.execute(asked).mappings()}
    return rows


def events_of(tx: Connection, upload_id: str) -> list[dict[str, Any]]:
    """The events of one upload, oldest first."""
    table = statement_events.c
    rows = tx.execute(
        select(table.id, table.event_type, table.happened_at, table.content)
        .where(table.upload_id == upload_id)
        .order_by(table.version)
    )
    return [
        {"event_type": name, "id": id, "upload_id": upload_id, **content, "timestamp": at}
        for id, name, at, content in rows
    ]
