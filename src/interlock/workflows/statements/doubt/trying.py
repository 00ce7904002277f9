"""What comes out of a file by a decision: when a stage reads it, and as tried for columns that nobody has chosen; pure, no database."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Literal

from ..parsed import ObservedRow, Parsed, ParseFault
from ..parsers.contract import Document
from ..parsers.csv.finding import table_in, unknown_table
from ..parsers.csv.generic import with_columns
from ..parsers.csv.mapping import plain
from ..parsers.csv.other_columns import other_columns
from ..parsers.csv.parser import MIME
from ..parsers.dates import read_date
from .evidence import borne_out, with_doubts
from .interpretation import (
    MARKS,
    Decision,
    Ends,
    Signs,
    are_turned,
    from_parser,
    interpret,
    joined,
    shown_values,
    total_of,
    with_reconciling_signs,
    without_columns,
)

Json = dict[str, Any]
Agrees = Literal["yes", "no", "unknown"]
FIGURES = ("rows", "unread", "total", "reconciles")
SIGNS: tuple[Signs, ...] = ("", "as_read", "turned")
FIRST_ROWS = 8
"""So many rows of a reading are shown."""
_log = logging.getLogger("interlock.statements")


def read_as(
    document: Document, parsed: Parsed, decision: Decision, upload_id: str, *, is_same_account: bool = False
) -> Parsed:
    """The file as a person decided that such files are read, with all signs turned where only so its balances agree. `is_same_account`: a
    person named the account of this file, and it is the one that was decided on."""
    if decision.columns:
        before, parsed = parsed, by_columns(document, decision.columns, parsed)
        if parsed is before:
            decision = without_columns(decision, parsed)
    return _interpreted(parsed, decision, upload_id, is_same_account)


def by_columns(document: Document, columns: Mapping[str, str], parsed: Parsed) -> Parsed:
    """The table read by other columns, of the bank that the parser recognised; as it is where it has no such columns."""
    other = with_columns(document, columns, parsed)
    if other is not parsed:
        other.institution = other.institution or parsed.institution
        other.title = parsed.title
    return other


def _interpreted(parsed: Parsed, decision: Decision, upload_id: str, is_same_account: bool = False) -> Parsed:
    chosen, doubts = borne_out(parsed, decision, upload_id, is_same_account=is_same_account)
    read = interpret(parsed, chosen, upload_id=upload_id)
    if chosen.signs != "as_read":
        read = with_reconciling_signs(read)
    read = with_doubts(read, chosen, upload_id)
    return replace(read, warnings=[*read.warnings, *doubts]) if doubts else read


def tried_columns(document: Document, parsed: Parsed, decision: Decision, upload_id: str) -> list[Json]:
    """What would come out by each other choice of columns, were it decided on top of what is decided already, alone and with signs or a
    decimal mark. It is tried where the file itself is read, so that a person can look at it later without the file being opened again."""
    if parsed.mime_type != MIME:
        return []
    found = []
    for columns in other_columns(document):
        try:
            other = by_columns(document, columns, parsed)
            if other is not parsed:
                found += _tried(other, columns, decision, upload_id)
        except ParseFault:
            continue
        except Exception:  # noqa: BLE001 a choice that nobody made must not fail the file
            _log.exception("columns %s could not be tried", columns)
    return found


def column_names(document: Document, parsed: Parsed) -> list[str]:
    """The names by which columns of a table can be decided on; empty where the file is none."""
    head = document.text_head if parsed.mime_type == MIME else ""
    found = (table_in(head, head)[1] or unknown_table(head)) if head else None
    return [] if found is None else list(found.names)


def _tried(other: Parsed, columns: Mapping[str, str], decision: Decision, upload_id: str) -> list[Json]:
    """What comes out of the table as it is read by these columns; empty where it has no rows so."""
    chosen = joined(decision, Decision(columns=columns).made_on(upload_id))
    again = _interpreted(other, chosen, upload_id)
    if not again.rows:
        return []
    is_turned = are_turned([remark.message for remark in again.warnings])
    marks = (mark for mark in MARKS if _can_be_read(other.rows, mark))
    otherwise = []
    for signs, decimal in product(SIGNS, ("", *marks)):
        if not signs and not decimal:
            continue
        more = Decision(signs=from_parser(signs, is_turned=is_turned), decimal=decimal)
        read = _interpreted(other, joined(chosen, more.made_on(upload_id)), upload_id)
        came_out = outcome(read.rows, agreement(read), len(read.errors))
        amounts = [row["amount"] for row in came_out.pop("first_rows")]
        otherwise.append({"signs": signs, "decimal": decimal, **came_out, "amounts": amounts})
    return [
        {
            "columns": dict(columns),
            **outcome(again.rows, agreement(again), len(again.errors)),
            "is_turned": is_turned,
            "printed_dates": [row.date for row in again.rows[:FIRST_ROWS]],
            "otherwise": otherwise,
        }
    ]


def _can_be_read(rows: Sequence[ObservedRow], mark: str) -> bool:
    return total_of([replace(row, decimal_separator=mark) for row in rows]) is not None


def choice_view(tried: Json) -> Json:
    """A choice of columns with what comes out by it alone."""
    return {name: tried[name] for name in ("columns", *FIGURES, "first_rows")}


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


def outcome_of_rows(rows: Sequence[ObservedRow], ends: Ends) -> Json:
    """The same for rows that are kept and were read anew, beside the balances that such a reading has; of columns it knows nothing."""
    total = total_of(rows)
    agrees = None if total is None else ends.agree_with(total)
    words: dict[bool | None, Agrees] = {True: "yes", False: "no", None: "unknown"}
    return outcome(rows, words[agrees])


def find_tried(tried: Sequence[Json], decision: Decision) -> Json | None:
    """What came out when these columns were tried; None where they were not."""
    choice = find_choice(tried, decision.columns)
    if choice is None or (decision.date_order and "printed_dates" not in choice):
        return None
    found, first = choice, choice["first_rows"]
    if decision.signs or decision.decimal:
        wanted = {"signs": decision.signs, "decimal": decision.decimal}
        other = next((one for one in choice.get("otherwise", ()) if wanted.items() <= one.items()), None)
        if other is None:
            return None
        found = other
        first = [{**row, "amount": amount} for row, amount in zip(first, other["amounts"], strict=True)]
    if decision.date_order:
        days = [read_date(text, decision.date_order) for text in choice["printed_dates"]]
        first = [
            {**row, "date": day.isoformat() if day else text}
            for row, day, text in zip(first, days, choice["printed_dates"], strict=True)
        ]
    if decision.currency:
        first = [{**row, "currency": decision.currency} for row in first]
    return {**{name: found[name] for name in FIGURES}, "first_rows": first}


def find_choice(tried: Sequence[Json], columns: Mapping[str, str]) -> Json | None:
    """The choice of these columns, whatever else is decided."""
    wanted = _plainly(columns)
    return next((one for one in tried if _plainly(one["columns"]) == wanted), None)


def _plainly(columns: Mapping[str, str]) -> dict[str, str]:
    return {role: plain(name) for role, name in columns.items()}
