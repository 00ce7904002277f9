"""Writes and reads the rows of an upload inside a transaction that the caller holds; a re-run replaces all of its rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, select, text

from interlock import insert_rows

from ..normalize.canonical import Canonical
from ..normalize.duplicates import Earlier, Likeness, Similar
from ..normalize.judging import FLAGS, as_duplicate
from ..parsed import ObservedRow, Parsed
from ..tables import observations, statement_interpretations, statement_logs, transactions
from .logs import JSON_LOG, TEXT_LOG

_LOCK = text(
    "INSERT INTO statement_accounts (account, writes) VALUES (:account, 1) "
    "ON CONFLICT (account) DO UPDATE SET writes = statement_accounts.writes + 1"
)
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


def delete_rows(tx: Connection, uploads: Sequence[str]) -> None:
    """Remove the observations and canonicals of uploads that were parsed again."""
    for table in (observations, transactions):
        tx.execute(delete(table).where(table.c.upload_id.in_(uploads)))


DuplicateKey = tuple[str, str, date]
"""An account, an amount and a day."""


def similar_transactions(
    tx: Connection, keys: Mapping[str, Sequence[DuplicateKey]], *, days: int = 1
) -> dict[str, list[Similar]]:
    """For each upload, transactions of other uploads that its rows may repeat: one look into the index for each amount."""
    reach = timedelta(days)
    similar: dict[str, list[Similar]] = {upload_id: [] for upload_id in keys}
    by_account: dict[str, dict[str, dict[str, tuple[date, date]]]] = {}
    for upload_id, rows in keys.items():
        for account, amount, day in rows:
            spans = by_account.setdefault(account, {}).setdefault(amount, {})
            first, last = spans.get(upload_id, (day, day))
            spans[upload_id] = (min(first, day), max(last, day))
    for account, amounts in by_account.items():
        days_of = [span for spans in amounts.values() for span in spans.values()]
        first, last = min(span[0] for span in days_of) - reach, max(span[1] for span in days_of) + reach
        names = list(amounts)
        for start in range(0, len(names), CHUNK):
            for one in _similar(tx, account, names[start : start + CHUNK], first, last):
                for upload_id, (begin, end) in amounts[one.amount].items():
                    if one.upload_id != upload_id and begin - reach <= one.date <= end + reach:
                        similar[upload_id].append(one)
    return similar


def _similar(
    tx: Connection, account: str, amounts: Sequence[str], first: date, last: date
) -> Iterator[Similar]:
    table = transactions.c
    columns = [table[name] for name in Similar.__slots__]
    rows = tx.execute(
        select(*columns).where(
            table.account == account, table.amount.in_(amounts), table.date.between(first, last)
        )
    )
    return (Similar(*row) for row in rows)


def lock_accounts(tx: Connection, accounts: Iterable[str]) -> None:
    """Wait for whoever else writes transactions of these accounts, and keep later writers waiting until this transaction ends."""
    for account in sorted(set(accounts) - {""}):
        tx.execute(_LOCK, {"account": account})


def flag_duplicates(
    tx: Connection, made: Sequence[tuple[str, Sequence[Canonical]]], likeness: Mapping[str, Likeness]
) -> dict[str, list[Canonical]]:
    """The canonicals of each upload, with those flagged that other uploads have already, of this batch the earlier ones; how alike rows
    must be is decided by the upload that is flagged. The caller has locked their accounts, so nobody adds any meanwhile."""
    ids = {upload_id for upload_id, _ in made}
    keys = {
        upload_id: [(one.account, one.amount, one.date) for one in canonicals if one.account]
        for upload_id, canonicals in made
    }
    similar = similar_transactions(tx, keys, days=max((one.days for one in likeness.values()), default=1))
    seen = {one: Earlier(one.days, one.similarity) for one in likeness.values()}
    stored = {other.canonical_id: other for rows in similar.values() for other in rows}
    for other in stored.values():
        if other.upload_id not in ids:
            _remember(seen.values(), other)
    flagged: dict[str, list[Canonical]] = {}
    for upload_id, canonicals in made:
        flagged[upload_id] = [_flagged(one, seen[likeness[upload_id]]) for one in canonicals]
        for one in canonicals:
            if one.account:
                _remember(seen.values(), one)
    return flagged


def _remember(seen: Iterable[Earlier], one: Canonical | Similar) -> None:
    for earlier in seen:
        earlier.remember(one.account, one.amount, one.currency, one.date, one.merchant)


def _flagged(one: Canonical, seen: Earlier) -> Canonical:
    is_new = not one.account or not seen.has_like(
        one.account, one.amount, one.currency, one.date, one.merchant
    )
    return one if is_new or FLAGS[0] in one.flags else replace(one, flags=as_duplicate(one.flags))


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
