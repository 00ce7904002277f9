"""Where a record's trace is found, and how it reaches whoever works on it: in the facts of its entries, and on its work row."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from sqlalchemy import Connection, select

from ...tracing import FACT
from ..tables import detail, ledger
from ..work.rows import WorkRows


def of_records(tx: Connection, kind: str, record_ids: Collection[str]) -> dict[str, str]:
    """The newest trace that an entry of each record names, on whatever axis; records that nobody traced are left out."""
    asked = (
        select(ledger.c.record_id, detail.c.facts)
        .join_from(ledger, detail, detail.c.digest == ledger.c.detail)
        .where(
            ledger.c.record_id.in_(list(record_ids)),
            ledger.c.kind == kind,
            detail.c.facts.contains(f'"{FACT}"', autoescape=True),
        )
        .order_by(ledger.c.position)
    )
    found = {row.record_id: json.loads(row.facts).get(FACT) for row in tx.execute(asked)}
    return {id: trace for id, trace in found.items() if isinstance(trace, str)}


def hand_over(
    work: WorkRows, tx: Connection, kind: str, axis: str, scope: str, traces: Mapping[str, str]
) -> None:
    """Write the traces on the work rows of these records, where their runners find them."""
    mark = work.sql.mark
    rows = [(trace, id, kind, axis, scope) for id, trace in traces.items()]
    work.sql.execute_many(
        tx,
        f"UPDATE interlock_work SET trace = {mark} WHERE record_id = {mark} AND kind = {mark} AND axis = {mark} "
        f"AND scope = {mark}",
        rows,
    )


def of_attempts(work: WorkRows, tx: Connection, tokens: Collection[str]) -> dict[str, str]:
    """By token: the trace that an attempt belongs to."""
    return dict(
        work.run(
            tx,
            f"SELECT token, trace FROM interlock_work WHERE {work.among('token', 'tokens')} AND trace IS NOT NULL",
            {"tokens": list(tokens)},
        ).fetchall()
    )
