"""What comes out of a file by a decision: when a stage reads it, and as tried for columns that nobody has chosen; pure, no database."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

from ..parsed import ObservedRow, Parsed, ParseFault
from ..parsers.contract import Document
from ..parsers.csv.generic import with_columns
from ..parsers.csv.mapping import plain
from ..parsers.csv.other_columns import other_columns
from ..parsers.csv.parser import MIME
from .interpretation import (
    Decision,
    interpret,
    joined,
    shown_values,
    total_of,
    with_reconciling_signs,
    without_columns,
)

Json = dict[str, Any]
Agrees = Literal["yes", "no", "unknown"]
FIRST_ROWS = 8
"""So many rows of a reading are shown."""
_log = logging.getLogger("interlock.statements")


def read_as(document: Document, parsed: Parsed, decision: Decision, upload_id: str) -> Parsed:
    """The file as a person decided that such files are read, with all signs turned where only so its balances agree."""
    if decision.columns:
        before, parsed = parsed, with_columns(document, decision.columns, parsed)
        if parsed is before:
            decision = without_columns(decision, parsed)
    parsed = interpret(parsed, decision, upload_id=upload_id)
    return parsed if decision.signs == "as_read" else with_reconciling_signs(parsed)


def tried_columns(document: Document, parsed: Parsed, decision: Decision, upload_id: str) -> list[Json]:
    """What would come out by each other choice of columns, were it decided on top of what is decided already. It is tried where the file
    itself is read, so that a person can look at it later without the file being opened again."""
    if parsed.mime_type != MIME:
        return []
    found = []
    for columns in other_columns(document):
        try:
            other = with_columns(document, columns, parsed)
            if other is parsed:
                continue
            again = read_as(document, parsed, joined(decision, Decision(columns=columns)), upload_id)
        except ParseFault:
            continue
        except Exception:  # noqa: BLE001 a choice that nobody made must not fail the file
            _log.exception("columns %s could not be tried", columns)
            continue
        if again.rows:
            found.append({"columns": columns, **outcome(again.rows, agreement(again), len(again.errors))})
    return found


def agreement(parsed: Parsed) -> Agrees:
    """Whether the balances that the file states lead from one to the other by its rows."""
    if any(not balance.agrees for balance in parsed.balances):
        return "no"
    return "yes" if parsed.rows and any(balance.proves for balance in parsed.balances) else "unknown"


def outcome(rows: Sequence[ObservedRow], agrees: Agrees, unread: int = 0) -> Json:
    """A reading in short: how many rows, what they come to, whether balances agree, how many could not be read, and the first of them."""
    total = total_of(rows)
    return {
        "rows": len(rows),
        "unread": unread,
        "total": None if total is None else f"{total:f}",
        "reconciles": agrees,
        "first_rows": [
            {"row_id": row.row_id, "description": row.description, **shown_values(row)}
            for row in rows[:FIRST_ROWS]
        ],
    }


def outcome_of_rows(
    before: Sequence[ObservedRow],
    after: Sequence[ObservedRow],
    decision: Decision,
    opening: Decimal | None,
    closing: Decimal | None,
) -> Json:
    """The same for rows that are kept, whose amounts, days and currencies a decision reads anew; of columns it knows nothing."""
    return outcome(after, _agree(total_of(before), total_of(after), decision, opening, closing))


def _agree(
    before: Decimal | None,
    after: Decimal | None,
    decision: Decision,
    opening: Decimal | None,
    closing: Decimal | None,
) -> Agrees:
    if opening is None or closing is None or before is None or after is None:
        return "unknown"
    if decision.signs == "turned" and opening + before == closing:
        return "yes"  # then the balances are what is owed, and turn too
    return "yes" if abs(opening + after - closing) <= Decimal("0.01") else "no"


def find_tried(tried: Sequence[Mapping[str, Any]], decision: Decision) -> Json | None:
    """What came out when these columns were tried; None where they were not, or where more is decided that changes the rows."""
    if decision.signs or decision.date_order or decision.decimal:
        return None
    wanted = _plainly(decision.columns)
    found = next((one for one in tried if _plainly(one["columns"]) == wanted), None)
    if found is None:
        return None
    first = [{**row, "currency": decision.currency or row["currency"]} for row in found["first_rows"]]
    return {**{name: value for name, value in found.items() if name != "columns"}, "first_rows": first}


def _plainly(columns: Mapping[str, str]) -> dict[str, str]:
    return {role: plain(name) for role, name in columns.items()}
