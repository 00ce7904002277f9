"""Logs as they are asked for: the stored one if it is about the attempt that counts, else what the record itself can tell."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from interlock import App, Move, Workflow
from interlock.errors import UnknownRecord

from ..normalize.canonical import NORMALIZER_VERSION
from ..parsed import ParseFault
from ..tables import statement_logs
from .logs import (
    JSON_LOG,
    TEXT_LOG,
    duration_ms,
    normalizer_log_ref,
    notes_ref,
    parse_log,
    parse_log_ref,
    spelled,
    upload_log_ref,
    with_tries,
)
from .viewing import BEFORE_NORMALIZING, BEFORE_PARSING

Row = Mapping[str, Any]
Log = tuple[str, str]
NOT_STARTED = "normalization has not begun: the file was not read"
NOT_YET = "`interlock statements show {}` says where the upload is; it has no such log yet."


class Logs:
    """Each answers its media type and its text, or that there is none."""

    def __init__(self, app: App, workflow: Workflow) -> None:
        self.app, self.workflow = app, workflow

    def uploaded(self, upload_id: str) -> Log:
        self._row(upload_id)
        stored = self._stored(upload_log_ref(upload_id))
        if stored is None:
            raise UnknownRecord("upload logs", upload_id, hint=NOT_YET.format(upload_id))
        return TEXT_LOG, stored[0]

    def parsed(self, upload_id: str) -> Log:
        """A parse that was cut off could write no log of its own; what is known of it is told in the same shape."""
        row = self._row(upload_id)
        if row["status"] in BEFORE_PARSING:
            raise UnknownRecord("parse logs", upload_id, hint=NOT_YET.format(upload_id))
        stored = self._stored(parse_log_ref(upload_id))
        running = row["status"] == "parsing"
        cut_off = (
            row["status"] == "error"
            and row["failed_from"] == "queued_for_parse"
            and (stored is None or stored[1] < row["attempt"])
        )
        if stored is not None and not running and not cut_off:
            return JSON_LOG, stored[0]
        moves = self._history(upload_id)
        known = known_of_parse(row, began=began_at(moves, "parsing", row["since"]), running=running)
        tries = [] if running else tries_of(moves)
        return JSON_LOG, json.dumps(with_tries(known, tries), ensure_ascii=False)

    def details(self, upload_id: str) -> dict[str, Any]:
        """The warnings and errors of the parse log, and the rows that became no transactions; none before the file was parsed."""
        row = self._row(upload_id)
        if row["status"] in BEFORE_PARSING:
            return {"warnings": [], "errors": []}
        log: dict[str, Any] = json.loads(self.parsed(upload_id)[1])
        lost: list[dict[str, Any]] = []
        if row["failed_count"]:
            made = json.loads(self.normalized(upload_id)[1])
            lost = [
                {name: one[name] for name in ("row_id", "error_code", "message")}
                for one in made["failure_details"]
            ]
        return {"warnings": log["warnings"], "errors": [*log["errors"], *lost]}

    def tried_columns(self, upload_id: str) -> list[dict[str, Any]]:
        """What the latest parse found that other choices of columns would give."""
        return list(self._parse_log(upload_id).get("tried_columns", ()))

    def notes(self, upload_id: str) -> dict[str, Any]:
        """What the latest parse noted of the file for decisions about it; empty where it noted nothing."""
        stored = self._stored(notes_ref(upload_id))
        return {} if stored is None else dict(json.loads(stored[0]))

    def _parse_log(self, upload_id: str) -> dict[str, Any]:
        """The parse log; empty before the file was parsed."""
        if self._row(upload_id)["status"] in BEFORE_PARSING:
            return {}
        log: dict[str, Any] = json.loads(self.parsed(upload_id)[1])
        return log

    def normalized(self, upload_id: str) -> Log:
        row = self._row(upload_id)
        if row["status"] in BEFORE_NORMALIZING:
            raise UnknownRecord("normalization logs", upload_id, hint=NOT_YET.format(upload_id))
        stored = self._stored(normalizer_log_ref(upload_id))
        running = row["status"] == "normalizing"
        at_parse = row["status"] == "error" and row["failed_from"] == "queued_for_parse"
        cut_off = row["status"] == "error" and (at_parse or stored is None or stored[1] < row["attempt"])
        if stored is not None and not running and not cut_off:
            return JSON_LOG, stored[0]
        return JSON_LOG, json.dumps(
            known_of_normalization(
                row,
                began=None if at_parse else began_at(self._history(upload_id), "normalizing", row["since"]),
                running=running,
            ),
            ensure_ascii=False,
        )

    def _history(self, upload_id: str) -> list[Move]:
        return self.app.ledger.history(self.workflow, upload_id)

    def _row(self, upload_id: str) -> Row:
        return self.app.get(self.workflow, upload_id)

    def _stored(self, ref: str) -> tuple[str, int] | None:
        with self.app.database.read() as tx:
            return stored_log(tx, ref)


def began_at(moves: Sequence[Move], status: str, otherwise: datetime) -> datetime:
    """When the stage began that is running or was cut off, by the ledger."""
    return next((move.at for move in reversed(moves) if move.new == status), otherwise)


def tries_of(moves: Sequence[Move]) -> list[Mapping[str, str]]:
    """The tries that the runner itself made before the last failure."""
    failed = next((move for move in reversed(moves) if move.new == "error"), None)
    return [] if failed is None else list(failed.facts.get("runner_tries", ()))


def stored_log(tx: Connection, ref: str) -> tuple[str, int] | None:
    """Its text, and the attempt that wrote it."""
    found = tx.execute(
        select(statement_logs.c.content, statement_logs.c.attempt).where(statement_logs.c.ref == ref)
    ).first()
    return None if found is None else (str(found[0]), int(found[1]))


def known_of_parse(row: Row, *, began: datetime, running: bool) -> dict[str, Any]:
    fault = None if running else ParseFault(row["error_code"] or "UNKNOWN", row["error_message"] or "")
    log = parse_log(
        row["upload_id"],
        started_at=began,
        completed_at=row["since"],
        file_size_bytes=row["file_size_bytes"],
        file_hash=row["file_hash"],
        mime_type=row["mime_type"],
        fault=fault,
    )
    if running:
        log |= {"completed_at": None, "warnings": [{"message": "the file is being read", "severity": "info"}]}
    return log


def known_of_normalization(row: Row, *, began: datetime | None, running: bool) -> dict[str, Any]:
    error = [] if running else [{"error_code": row["error_code"], "message": row["error_message"] or ""}]
    return {
        "upload_id": row["upload_id"],
        "normalizer_version": NORMALIZER_VERSION,
        "rule_set_version": row["rule_set_version"] or "",
        "started_at": None if began is None else spelled(began),
        "completed_at": None if running or began is None else spelled(row["since"]),
        "duration_ms": 0 if began is None or running else duration_ms(began, row["since"]),
        "observations_processed": 0,
        "canonicals_created": 0,
        "failures": 0,
        "warnings": 0,
        "failure_details": [] if began is None else error,
        "validation_summary": {} if began is not None else {"warnings": [{"message": NOT_STARTED}]},
    }
