"""Writes and reads the rows of an upload inside a transaction that the caller holds; a re-run replaces all of its rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, select

from interlock import insert_rows

from ..normalize.canonical import Canonical
from ..parsed import ObservedRow, Parsed
from ..tables import observations, statement_interpretations, statement_logs, transactions
from .logs import JSON_LOG, TEXT_LOG, notes_ref, parse_log_ref

CHUNK = 500
"""Values in one statement: well under what either database takes."""


class Log(NamedTuple):
    """The log of one attempt of one stage."""

    ref: str
    upload_id: str
    attempt: int
    content: Mapping[str, Any] | str


def replace_observations(
    tx: Connection, parses: Sequence[tuple[str, int, Parsed]], extracted_at: datetime
) -> None:
    """Store the rows of each (upload, attempt, parsed file), and none of another attempt of theirs."""
    if not parses:
        return
    tx.execute(delete(observations).where(observations.c.upload_id.in_([upload for upload, _, _ in parses])))
    insert_rows(
        tx,
        observations,
        [
            {
                "row_id": row.row_id,
                "date": row.date,
                "description": row.description,
                "amount": row.amount,
                "currency": row.currency,
                "account": row.account,
                "sign": row.sign,
                "warnings": row.warnings,
                "decimal_separator": row.decimal_separator,
                "date_format": row.date_format,
                "posted_date": row.posted_date,
                "reference": row.reference,
                "source_category": row.source_category,
                "kind": row.kind,
                "trade": dict(row.trade) or None,
                "upload_id": upload_id,
                "attempt": attempt,
                "source_type": parsed.source_type,
                "parser_id": parsed.parser_id,
                "parser_version": parsed.parser_version,
                "extracted_at": extracted_at,
            }
            for upload_id, attempt, parsed in parses
            for row in parsed.rows
        ],
    )


_ROW_NAMES = ObservedRow.__slots__
_WARNINGS, _TRADE = _ROW_NAMES.index("warnings"), _ROW_NAMES.index("trade")


def observed_rows(tx: Connection, uploads: Sequence[str]) -> dict[str, list[ObservedRow]]:
    """The rows of each upload as the parser left them, in their order."""
    rows: dict[str, list[ObservedRow]] = {upload_id: [] for upload_id in uploads}
    query = (
        select(observations.c.upload_id, *(observations.c[name] for name in _ROW_NAMES))
        .where(observations.c.upload_id.in_(uploads))
        .order_by(observations.c.upload_id, observations.c.row_id)
    )
    for upload_id, *values in tx.execute(query):
        if values[_WARNINGS] or values[_TRADE]:
            values[_TRADE] = tuple((values[_TRADE] or {}).items())
            values[_WARNINGS] = tuple(values[_WARNINGS])
        else:
            values[_WARNINGS] = values[_TRADE] = ()
        rows[upload_id].append(ObservedRow(*values))
    return rows


def replace_transactions(tx: Connection, made: Sequence[tuple[str, int, Sequence[Canonical]]]) -> None:
    """Store the canonicals of each (upload, attempt), and none of another attempt of theirs."""
    tx.execute(delete(transactions).where(transactions.c.upload_id.in_([upload for upload, _, _ in made])))
    insert_rows(
        tx,
        transactions,
        [{**one.stored(), "attempt": attempt} for _, attempt, canonicals in made for one in canonicals],
    )


def stored_decisions(tx: Connection) -> dict[str, dict[str, Any]]:
    """What persons decided about layouts."""
    table = statement_interpretations.c
    return {layout: dict(decision) for layout, decision in tx.execute(select(table.layout, table.decision))}


def keep_decision(
    tx: Connection,
    layout: str,
    institution: str,
    decision: Mapping[str, Any],
    *,
    by: str,
    reason: str,
    at: datetime,
) -> None:
    """Keep a decision about a layout in place of the one before it."""
    table = statement_interpretations
    tx.execute(delete(table).where(table.c.layout == layout))
    insert_rows(
        tx,
        table,
        [
            {
                "layout": layout,
                "institution": institution,
                "decision": dict(decision),
                "decided_by": by,
                "reason": reason,
                "decided_at": at,
            }
        ],
    )


def keep_reply(
    tx: Connection, actor: str, key: str, upload_id: str, reply: Mapping[str, Any], at: datetime
) -> None:
    """Keep what a decision was answered under its key, so that the same request is answered the same."""
    keep_logs(tx, [Log(_reply_ref(actor, key), upload_id, 0, reply)], at)


def kept_reply(tx: Connection, actor: str, key: str) -> dict[str, Any] | None:
    """What the decision under a key was answered; None where its upload was erased since."""
    found = read_log(tx, _reply_ref(actor, key))
    return None if found is None else dict(json.loads(found[1]))


def _reply_ref(actor: str, key: str) -> str:
    return f"reply:{sha256(json.dumps([actor, key]).encode()).hexdigest()}"


def delete_rows(tx: Connection, uploads: Sequence[str]) -> None:
    """Remove the observations and canonicals of uploads that were parsed again."""
    for table in (observations, transactions):
        tx.execute(delete(table).where(table.c.upload_id.in_(uploads)))


def keep_logs(tx: Connection, logs: Sequence[Log], written_at: datetime) -> None:
    """Store the logs of the attempts that count; those of earlier ones are replaced."""
    if not logs:
        return
    tx.execute(delete(statement_logs).where(statement_logs.c.ref.in_([log.ref for log in logs])))
    insert_rows(
        tx,
        statement_logs,
        [
            {
                "ref": log.ref,
                "upload_id": log.upload_id,
                "attempt": log.attempt,
                "written_at": written_at,
                "media_type": TEXT_LOG if isinstance(log.content, str) else JSON_LOG,
                "content": log.content
                if isinstance(log.content, str)
                else json.dumps(log.content, ensure_ascii=False),
            }
            for log in logs
        ],
    )


def read_log(tx: Connection, ref: str) -> tuple[str, str] | None:
    """Its media type and its text."""
    found = tx.execute(
        select(statement_logs.c.media_type, statement_logs.c.content).where(statement_logs.c.ref == ref)
    ).first()
    return None if found is None else (str(found[0]), str(found[1]))


def parse_logs(tx: Connection, uploads: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The stored parse log of each upload that has one."""
    return _stored_by(tx, uploads, parse_log_ref)


def parse_notes(tx: Connection, uploads: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What the parse of each upload noted for decisions about it."""
    return _stored_by(tx, uploads, notes_ref)


def _stored_by(
    tx: Connection, uploads: Sequence[str], ref_of: Callable[[str], str]
) -> dict[str, dict[str, Any]]:
    table = statement_logs.c
    found = {}
    for start in range(0, len(uploads), CHUNK):
        refs = {ref_of(upload_id): upload_id for upload_id in uploads[start : start + CHUNK]}
        for ref, content in tx.execute(select(table.ref, table.content).where(table.ref.in_(refs))):
            found[refs[ref]] = dict(json.loads(content))
    return found


def transactions_page(
    tx: Connection, *, after: int = 0, limit: int = 100, upload_id: str | None = None
) -> list[dict[str, Any]]:
    """The next rows by insertion_sequence; `after` is the last one seen."""
    asked = select(transactions).where(transactions.c.insertion_sequence > after)
    if upload_id is not None:
        asked = asked.where(transactions.c.upload_id == upload_id)
    return [
        dict(row)
        for row in tx.execute(asked.order_by(transactions.c.insertion_sequence).limit(limit)).mappings()
    ]


def all_transactions(
    tx: Connection, *, upload_id: str | None = None, page: int = 1000
) -> Iterator[dict[str, Any]]:
    """Every transaction, page by page, so that an export of millions keeps only one page in memory."""
    after = 0
    while rows := transactions_page(tx, after=after, limit=page, upload_id=upload_id):
        yield from rows
        after = int(rows[-1]["insertion_sequence"])
