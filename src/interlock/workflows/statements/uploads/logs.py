"""The logs of an upload: where each is found, and what it says. Builders are pure; times are UTC and end in Z."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ..normalize.canonical import NORMALIZER_VERSION, Normalized
from ..parsed import Parsed, ParseFault, Remark, RowError

JSON_LOG, TEXT_LOG = "application/json", "text/plain"
MOST_DETAILS = 10_000
"""A file of nothing but bad rows must not make a log without end; the counts are always whole."""


def upload_log_ref(upload_id: str) -> str:
    return f"/logs/uploads/{upload_id}.log"


def parse_log_ref(upload_id: str) -> str:
    return f"/logs/parse/{upload_id}.log.json"


def normalizer_log_ref(upload_id: str) -> str:
    return f"/logs/normalize/{upload_id}.log.json"


def spelled(instant: datetime) -> str:
    """An instant as the API writes it."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def duration_ms(started_at: datetime, completed_at: datetime) -> int:
    return max(0, round((completed_at - started_at).total_seconds() * 1000))


def upload_log(
    upload_id: str,
    *,
    at: datetime,
    file_name: str,
    file_hash: str,
    file_size_bytes: int,
    mime_type: str,
    source_type: str,
) -> str:
    """A line of text about the upload's arrival; whatever a file name holds, it stays one line."""
    name = "".join(letter if letter.isprintable() else "?" for letter in file_name)
    return f"{spelled(at)} {upload_id} received {name!r}: {file_size_bytes} bytes, {mime_type}, {file_hash}, source type {source_type}\n"


def notes_ref(upload_id: str) -> str:
    """Where the notes of a parse are kept for decisions; they are no log, and no route serves them."""
    return f"notes:{upload_id}"


def parse_log(
    upload_id: str,
    *,
    started_at: datetime,
    completed_at: datetime,
    file_size_bytes: int,
    file_hash: str,
    mime_type: str = "",
    parsed: Parsed | None = None,
    remarks: Sequence[Remark] | None = None,
    fault: ParseFault | None = None,
    parser_id: str = "",
    parser_version: str = "",
    tried: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """What the parser did; a file that could not be read at all has a log too. `remarks` are the parser's and those of its judge; `tried`
    is what other choices of columns would give, and stands in the log only where there are any."""
    errors = [*(parsed.errors if parsed else ()), *([RowError(fault.code, fault.message)] if fault else ())]
    return {
        "upload_id": upload_id,
        "parser_id": parsed.parser_id if parsed else parser_id,
        "parser_version": parsed.parser_version if parsed else parser_version,
        "started_at": spelled(started_at),
        "completed_at": spelled(completed_at),
        "duration_ms": duration_ms(started_at, completed_at),
        "success": parsed is not None and not errors,
        "rows_extracted": len(parsed.rows) if parsed else 0,
        "rows_skipped": parsed.rows_skipped if parsed else 0,
        "warnings": _warnings((parsed.warnings if parsed else ()) if remarks is None else remarks),
        "errors": _errors(errors),
        "file_size_bytes": file_size_bytes,
        "file_hash": file_hash,
        "mime_type": mime_type or (parsed.mime_type if parsed else ""),
        **({"tried_columns": list(tried)} if tried else {}),
    }


def with_tries(log: dict[str, Any], tries: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """The log with the tries that the runner itself had made before this one, as warnings of severity `info`, before all others."""
    if not tries:
        return log
    made = [
        {
            "message": f"try {number} of the runner failed at {one['ended_at']} with {one['error_code']}: {one['message']}",
            "severity": "info",
        }
        for number, one in enumerate(tries, 1)
    ]
    return {**log, "warnings": [*made, *log["warnings"]]}


def _warnings(remarks: Sequence[Remark]) -> list[dict[str, Any]]:
    return [_of_row(one.row_id, message=one.message, severity=one.severity) for one in remarks[:MOST_DETAILS]]


def _errors(errors: Sequence[RowError]) -> list[dict[str, Any]]:
    return [
        _of_row(one.row_id, error_code=one.error_code, message=one.message) for one in errors[:MOST_DETAILS]
    ]


def _of_row(row_id: int | None, **said: str) -> dict[str, Any]:
    """What is about the whole file names no row."""
    return dict(said) if row_id is None else {"row_id": row_id, **said}


def normalization_log(
    upload_id: str, made: Normalized, *, started_at: datetime, completed_at: datetime
) -> dict[str, Any]:
    """What normalization made of the rows: counts, why rows failed, and sums to check against."""
    details = [
        {
            "row_id": one.row_id,
            "observation_id": one.observation_id,
            "error_code": one.error_code,
            "message": one.message,
        }
        for one in made.failures[:MOST_DETAILS]
    ]
    return {
        "upload_id": upload_id,
        "normalizer_version": NORMALIZER_VERSION,
        "rule_set_version": made.rule_set_version,
        "started_at": spelled(started_at),
        "completed_at": spelled(completed_at),
        "duration_ms": duration_ms(started_at, completed_at),
        "observations_processed": made.processed,
        "canonicals_created": len(made.canonicals),
        "failures": len(made.failures),
        "warnings": len(made.warnings),
        "failure_details": details,
        "validation_summary": {**made.summary, "warnings": made.warnings[:MOST_DETAILS]},
    }
