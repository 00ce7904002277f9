"""An upload as everybody sees it: which fields there are follows from its status alone, and what does not exist yet is absent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interlock import Move
from interlock.extension import OpenAttempt, read_instant

from ..doubt.reconcile import FIELDS
from .logs import normalizer_log_ref, parse_log_ref, upload_log_ref

Row = Mapping[str, Any]
RUNNING = ("parsing", "normalizing")
"""While somebody works on it, the error of the try before is not its own."""
BEFORE_PARSING = ("queued_for_parse",)
BEFORE_PARSED = (*BEFORE_PARSING, "parsing")
BEFORE_NORMALIZING = (*BEFORE_PARSED, "parsed")
BEFORE_NORMALIZED = (*BEFORE_NORMALIZING, "normalizing")
ABOUT_THE_FILE = ("file_name", "source_type", "file_size_bytes", "file_hash", "created_at")
OBSERVATION = (
    "upload_id",
    "row_id",
    "date",
    "description",
    "amount",
    "currency",
    "account",
    "source_type",
    "parser_id",
    "parser_version",
    "extracted_at",
    "warnings",
    "posted_date",
    "reference",
    "source_category",
    "kind",
    "trade",
)


def upload(row: Row, attempt: OpenAttempt | None) -> dict[str, Any]:
    """The upload; `attempt` is the work that is under way on it, if any is."""
    status, upload_id = row["status"], row["upload_id"]
    is_tried = status in RUNNING and attempt is not None and attempt.claimed_by is not None
    shown: dict[str, Any] = {
        "upload_id": upload_id,
        "status": status,
        "version": row["version"],
        "error_code": None if is_tried else row["error_code"],
        "error_message": None if is_tried else row["error_message"],
        "retry_count": row["retry_count"],
        "last_retry_at": row["last_retry_at"],
        "max_retries": row["max_retries"],
        "upload_log_ref": upload_log_ref(upload_id),
        "status_metadata": metadata(row, attempt),
        **{name: row[name] for name in ABOUT_THE_FILE},
    }
    if status not in BEFORE_PARSING:
        shown["parse_log_ref"] = parse_log_ref(upload_id)
    if status not in BEFORE_PARSED:
        shown["observations_count"] = row["observations_count"] or 0
        shown |= {name: row[name] for name in FIELDS}
    if status not in BEFORE_NORMALIZING:
        shown["normalizer_log_ref"] = normalizer_log_ref(upload_id)
    if status not in (*BEFORE_NORMALIZED, "error"):  # states that a later stage adds stand behind it
        shown["canonicals_count"] = row["canonicals_count"] or 0
    return shown


def metadata(row: Row, attempt: OpenAttempt | None) -> dict[str, Any]:
    """Since when it is in this status; while somebody works on it, since when they do, and who."""
    working = attempt if attempt is not None and attempt.claimed_by is not None else None
    began = row["since"] if working is None else working.claimed_at
    return {
        "started_at": read_instant(began) if isinstance(began, str) else began,
        "worker_id": working and working.claimed_by,
        "retry_count": row["retry_count"],
    }


def timeline_entry(move: Move) -> dict[str, Any]:
    """One line of the timeline."""
    return {
        "timestamp": move.at,
        "old_status": move.old,
        "new_status": move.new,
        "trigger": move.cause,
        "actor": move.actor,
        "reason": move.reason,
        "version": move.version,
    }
