"""Logs say exactly what the specification asks for; their times are UTC and end in Z."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone

from interlock.workflows.statements.normalize.normalizing import normalize
from interlock.workflows.statements.parsed import ObservedRow, Parsed, ParseFault, Remark, RowError
from interlock.workflows.statements.rules import builtin_rules
from interlock.workflows.statements.uploads import logs

START = datetime(2024, 6, 1, 14, 0, 0, tzinfo=timezone(timedelta(hours=2)))
END = datetime(2024, 6, 1, 12, 0, 1, 500_000, tzinfo=UTC)
HASH = "sha256:" + "a" * 64


def parse_log(parsed: Parsed | None = None, fault: ParseFault | None = None) -> dict[str, object]:
    return logs.parse_log(
        "UL_a",
        started_at=START,
        completed_at=END,
        file_size_bytes=10,
        file_hash=HASH,
        mime_type="text/csv",
        parsed=parsed,
        fault=fault,
    )


def test_a_parse_log_has_exactly_these_fields() -> None:
    parsed = Parsed(
        "csv:chase",
        "1.0.0",
        "chase_csv",
        "text/csv",
        rows=[ObservedRow(0, "a", "b", "c")],
        rows_skipped=2,
        warnings=[Remark("odd", 0), Remark("sum is off", severity="info")],
    )
    assert parse_log(parsed) == {
        "upload_id": "UL_a",
        "parser_id": "csv:chase",
        "parser_version": "1.0.0",
        "started_at": "2024-06-01T12:00:00.000Z",
        "completed_at": "2024-06-01T12:00:01.500Z",
        "duration_ms": 1500,
        "success": True,
        "rows_extracted": 1,
        "rows_skipped": 2,
        "warnings": [
            {"row_id": 0, "message": "odd", "severity": "warning"},
            {"message": "sum is off", "severity": "info"},
        ],
        "errors": [],
        "file_size_bytes": 10,
        "file_hash": HASH,
        "mime_type": "text/csv",
    }


def test_some_bad_rows_are_no_success_and_are_listed() -> None:
    log = parse_log(
        Parsed("p", "1", "s", "m", errors=[RowError("AMOUNT_UNPARSABLE", "x", 3), RowError("LAYOUT", "y")])
    )
    assert log["success"] is False
    assert log["errors"] == [
        {"row_id": 3, "error_code": "AMOUNT_UNPARSABLE", "message": "x"},
        {"error_code": "LAYOUT", "message": "y"},
    ]


def test_a_file_that_cannot_be_read_has_a_log_too() -> None:
    log = parse_log(fault=ParseFault("PDF_CORRUPT", "no trailer"))
    assert (log["success"], log["rows_extracted"], log["errors"]) == (
        False,
        0,
        [{"error_code": "PDF_CORRUPT", "message": "no trailer"}],
    )


def test_zero_rows_are_a_success() -> None:
    assert parse_log(Parsed("p", "1", "s", "m"))["success"] is True


def test_a_normalization_log_has_exactly_these_fields_and_is_json() -> None:
    rows = [
        ObservedRow(0, "2024-01-15", "STARBUCKS", "-4.50"),
        ObservedRow(1, "2024-01-15", "X", "bad"),
        ObservedRow(2, "2024-01-16", "PAYROLL", "€10.00"),
    ]
    made = normalize("UL_a", rows, builtin_rules(), today=date(2024, 6, 1), at=END)
    log = logs.normalization_log("UL_a", made, started_at=START, completed_at=END)
    assert list(log) == [
        "upload_id",
        "normalizer_version",
        "rule_set_version",
        "started_at",
        "completed_at",
        "duration_ms",
        "observations_processed",
        "canonicals_created",
        "failures",
        "warnings",
        "failure_details",
        "validation_summary",
    ]
    assert [
        log[name] for name in ("observations_processed", "canonicals_created", "failures", "warnings")
    ] == [3, 2, 1, 1]
    assert log["failure_details"] == [
        {
            "row_id": 1,
            "observation_id": "UL_a:1",
            "error_code": "AMOUNT_UNPARSABLE",
            "message": "'bad' is not an amount",
        }
    ]
    summary = json.loads(json.dumps(log))["validation_summary"]
    assert summary["totals"] == {"USD": {"in": "10.00", "out": "-4.50"}}
    assert (summary["first_date"], summary["last_date"], summary["category_coverage"]) == (
        "2024-01-15",
        "2024-01-16",
        1.0,
    )


def test_references_are_where_the_api_finds_them() -> None:
    assert [logs.upload_log_ref("UL_a"), logs.parse_log_ref("UL_a"), logs.normalizer_log_ref("UL_a")] == [
        "/logs/uploads/UL_a.log",
        "/logs/parse/UL_a.log.json",
        "/logs/normalize/UL_a.log.json",
    ]


def test_an_upload_log_is_one_line_whatever_the_file_is_called() -> None:
    text = logs.upload_log(
        "UL_a",
        at=START,
        file_name="a\nb\x1b[31m.pdf",
        file_hash=HASH,
        file_size_bytes=3,
        mime_type="application/pdf",
        source_type="auto",
    )
    assert text.startswith("2024-06-01T12:00:00.000Z UL_a received ")
    assert text.count("\n") == 1
    assert "\x1b" not in text


def test_a_log_of_endless_failures_has_an_end_and_its_counts_are_whole() -> None:
    rows = [ObservedRow(number, "never", "X", "1") for number in range(logs.MOST_DETAILS + 5)]
    made = normalize("UL_a", rows, builtin_rules(), today=date(2024, 6, 1), at=END)
    log = logs.normalization_log("UL_a", made, started_at=START, completed_at=END)
    assert (log["failures"], len(log["failure_details"])) == (logs.MOST_DETAILS + 5, logs.MOST_DETAILS)
