"""The compatibility fields of an item: a pure function of the states of its pipelines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PARSE_FAILURE = "llm_response_parse_error"
EMPTY = "empty_result"
COMPAT_READS = ("status", "since", "processed_at", "error_code", "error_message")
FAILED = ("failed_retryable", "failed_terminal")

Row = Mapping[str, Any]


def compat_fields(rows: Mapping[str, Row]) -> dict[str, Any]:
    """Return `is_processed`, `processed_at` and `extraction_error` of an item with these rows, by pipeline.

    All processed: true without an error. Otherwise the newest failure decides: after a parse failure the item is not processed, after
    any other failure it is, each with its error. Without a failure it is not processed.
    """
    if rows and all(row["status"] == "processed" for row in rows.values()):
        return _fields(
            True, max((row["processed_at"] for row in rows.values() if row["processed_at"]), default=None)
        )
    failures = [(row["since"], pipeline) for pipeline, row in rows.items() if row["status"] in FAILED]
    if not failures:
        return _fields(False)
    row = rows[max(failures)[1]]
    error = f"{row['error_code']}: {row['error_message']}" if row["error_message"] else str(row["error_code"])
    if row["error_code"] == PARSE_FAILURE:
        return _fields(False, error=error)
    return _fields(True, row["since"], error)


def _fields(is_processed: bool, processed_at: Any = None, error: str | None = None) -> dict[str, Any]:
    return {"is_processed": is_processed, "processed_at": processed_at, "extraction_error": error}
