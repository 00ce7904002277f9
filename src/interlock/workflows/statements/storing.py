"""Writes and reads the rows of an upload inside a transaction that the caller holds; a re-run replaces all of its rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from .logs import JSON_LOG
from .normalize.canonical import Canonical
from .normalize.duplicates import Similar
from .parsed import ObservedRow, Parsed
from .tables import observations, statement_logs, transactions

CHUNK = 500
"""Values in one statement: well under what either database takes."""


def replace_observations(
    tx: Connection, upload_id: str, attempt: int, parsed: Parsed, extracted_at: datetime
) -> None:
    """The rows of this attempt, and none of another."""
    tx.execute(delete(observations).where(observations.c.upload_id == upload_id))
    shared = {
        "upload_id": upload_id,
        "attempt": attempt,
        "source_type": parsed.source_type,
        "parser_id": parsed.parser_id,
        "parser_version": parsed.parser_version,
        "extracted_at": extracted_at,
    }
    rows = [{**asdict(row), "warnings": list(row.warnings), **shared} for row in parsed.rows]
    if rows:
        tx.execute(insert(observations), rows)


def observed_rows(tx: Connection, upload_id: str) -> list[ObservedRow]:
    """The rows as the parser left them, in their order."""
    names = [name for name in ObservedRow.__slots__ if name in observations.c]
    found = tx.execute(
        select(*(observations.c[name] for name in names))
        .where(observations.c.upload_id == upload_id)
        .order_by(observations.c.row_id)
    )
    return [ObservedRow(**{**row, "warnings": tuple(row["warnings"])}) for row in found.mappings()]


def replace_transactions(
    tx: Connection, upload_id: str, attempt: int, canonicals: Sequence[Canonical]
) -> None:
    """The canonicals of this attempt, and none of another."""
    tx.execute(delete(transactions).where(transactions.c.upload_id == upload_id))
    rows = [{**one.row(), "attempt": attempt} for one in canonicals]
    if rows:
        tx.execute(insert(transactions), rows)


def similar_transactions(
    tx: Connection, upload_id: str, keys: Sequence[tuple[str, str, date]], *, days: int = 1
) -> list[Similar]:
    """Transactions of other uploads that rows of this one may repeat: one look into the index for each amount."""
    found: list[Similar] = []
    by_account: dict[str, list[tuple[str, date]]] = {}
    for account, amount, day in keys:
        by_account.setdefault(account, []).append((amount, day))
    for account, rows in by_account.items():
        first, last = min(day for _, day in rows), max(day for _, day in rows)
        amounts = list(dict.fromkeys(amount for amount, _ in rows))
        for start in range(0, len(amounts), CHUNK):
            found += _similar(
                tx,
                upload_id,
                account,
                amounts[start : start + CHUNK],
                first - timedelta(days),
                last + timedelta(days),
            )
    return found


def _similar(
    tx: Connection, upload_id: str, account: str, amounts: Sequence[str], first: date, last: date
) -> Iterator[Similar]:
    table = transactions.c
    columns = [table[name] for name in Similar.__slots__]
    found = tx.execute(
        select(*columns).where(
            table.account == account,
            table.amount.in_(amounts),
            table.date.between(first, last),
            table.upload_id != upload_id,
        )
    )
    return (Similar(*row) for row in found)


def keep_log(
    tx: Connection,
    ref: str,
    upload_id: str,
    attempt: int,
    content: Mapping[str, Any] | str,
    written_at: datetime,
) -> None:
    """The log of the attempt that counts; that of an earlier one is replaced."""
    tx.execute(delete(statement_logs).where(statement_logs.c.ref == ref))
    is_text = isinstance(content, str)
    tx.execute(
        insert(statement_logs).values(
            ref=ref,
            upload_id=upload_id,
            attempt=attempt,
            written_at=written_at,
            media_type="text/plain" if is_text else JSON_LOG,
            content=content if is_text else json.dumps(content, ensure_ascii=False),
        )
    )


def read_log(tx: Connection, ref: str) -> tuple[str, str] | None:
    """Its media type and its text."""
    found = tx.execute(
        select(statement_logs.c.media_type, statement_logs.c.content).where(statement_logs.c.ref == ref)
    ).first()
    return None if found is None else (str(found[0]), str(found[1]))


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
