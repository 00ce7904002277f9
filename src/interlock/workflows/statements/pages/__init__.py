"""The page of statements in the console: drop a file, watch it move, see its transactions, rows and warnings, and whether they add up."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from interlock import App, Workflow
from interlock.errors import InterlockError, UnknownRecord
from interlock.extension import PageContext

from ..doubt.fixing import Fixes, can_be_decided
from ..doubt.interpretation import ACCOUNT_TYPES
from ..normalize.currencies import MINOR_UNITS
from ..uploads.reading import Totals, Uploads

TEMPLATE = Path(__file__).parent / "statements.html"
SHOWN = {
    "transactions": "Transactions",
    "observations": "Rows as printed",
    "checks": "Checks",
    "warnings": "Warnings",
}
UPLOADS, ROWS = 30, 300
CHECKED = 5_000
"""So many transactions of an upload are added up and checked for its page, of which `ROWS` at a time are shown."""
LONGEST_AFTER = 15
"""Digits of the row behind which a page begins; a longer number is no row's."""
IN_DOUBT = "in-doubt"
MOST_COLUMNS = 4
"""Other columns that are offered, those by which balances agree first."""
ROLES_OF_COLUMNS = {"amount": "the amount", "debit": "money out", "credit": "money in", "date": "the day"}
COLUMN_FIELDS = {
    "date": "the day",
    "description": "the text",
    "amount": "the amount",
    "debit": "money out",
    "credit": "money in",
    "balance": "the balance",
    "currency": "the currency",
}
"""What a column of a table can be."""
DATE_ORDERS = {"dmy": "day", "mdy": "month", "ymd": "year"}
LOUD = ("possible_duplicate", "large_amount", "future_date", "ambiguous_date", "manual_review_required")
"""Flags that a person should look at; the others say what the rules did not know."""
AGREES = {
    "yes": {"tone": "agrees", "symbol": "m-agrees", "word": "agrees"},
    "no": {"tone": "differs", "symbol": "m-differs", "word": "does not agree"},
    "unknown": {"tone": "unproven", "symbol": "m-unproven", "word": "not proven"},
}


def render(context: PageContext) -> tuple[Path, Mapping[str, Any]]:
    """The uploads, and the one that the address names, or the newest."""
    app: App = context.client.app
    workflow: Workflow = context.workflows[context.kind]
    uploads = Uploads(app, workflow)
    in_doubt = context.query.get("only") == IN_DOUBT
    page = uploads.uploads(limit=UPLOADS, in_doubt=in_doubt)
    wanted = context.query.get("id") or (page.rows[0]["upload_id"] if page.rows else None)
    shown = context.query.get("show", "transactions")
    shown = shown if shown in SHOWN else "transactions"
    after = context.query.get("after", "")
    return TEMPLATE, {
        "title": "Statements",
        "uploads": [list_item(one) for one in page.rows],
        "more": page.more,
        **counts_of(context),
        "only": IN_DOUBT if in_doubt else "",
        "named": bool(context.query.get("id")),
        "may_upload": context.may("POST", "/api/v1/uploads"),
        "may_fix": context.may("PATCH", "/api/v1/uploads/{id}/interpretation"),
        "one": None
        if wanted is None
        else upload_of(
            uploads,
            Fixes(app, workflow),
            str(wanted),
            shown,
            int(after) if after.isdecimal() and len(after) <= LONGEST_AFTER else None,
        ),
        "shown": shown,
        "tabs": SHOWN,
        "loud": LOUD,
    }


def counts_of(context: PageContext) -> dict[str, int]:
    """How many uploads there are, and how many of them are in doubt."""
    activity = context.client.activity()
    return {
        "all_uploads": sum(
            one.records for one in context.client.counts(context.kind) if one.axis == "status"
        ),
        "doubtful_uploads": sum(one.records for one in activity.needs if one.kind == context.kind),
    }


def list_item(row: Mapping[str, Any]) -> dict[str, Any]:
    """An upload in the list."""
    return {
        "id": row["upload_id"],
        "file": row["file_name"] or row["upload_id"],
        "status": row["status"],
        "rows": row.get("observations_count"),
        "error": row["error_code"],
        "agrees": AGREES.get(row.get("reconciled") or ""),
        "warnings": row.get("warnings_count") or 0,
        "created_at": row["created_at"],
    }


def upload_of(
    uploads: Uploads, fixes: Fixes, upload_id: str, shown: str, after: int | None
) -> dict[str, Any]:
    """Everything that is known about one upload, with one page of its rows: of those that are shown, the ones behind `after`."""
    try:
        known = uploads.row(upload_id)
    except InterlockError as error:
        raise UnknownRecord("statements", upload_id) from error
    found = uploads.upload(upload_id)
    begins = {"transactions": 0, "observations": -1}
    starts = {name: after if shown == name and after is not None else first for name, first in begins.items()}
    start, end = found.get("statement_from"), found.get("statement_to")
    every = uploads.totals(upload_id, CHECKED, (str(start), str(end)) if start and end else None)
    transactions = uploads.transactions(upload_id=upload_id, after=starts["transactions"], limit=ROWS)
    observations = uploads.observations(upload_id, after=starts["observations"], limit=ROWS)
    pages = {
        "transactions": (transactions, "insertion_sequence"),
        "observations": (observations, "row_id"),
    }
    page, key = pages.get(shown, (transactions, ""))
    doubts = uploads.warnings(upload_id)
    on_all = flags_on_all(every)
    sums = sums_of(found, every)
    proof = proof_of(found, sums, [*doubts["errors"], *doubts["warnings"]])
    checks = checks_of(found, every, proof) if observations.rows else []
    is_open = can_be_decided(known) and found.get("reconciled") != "yes"
    offered = readings_of(KEPT.readings(fixes, upload_id, known["version"])) if is_open else []
    is_unread = is_open and found["status"] == "error" and bool(fixes.column_names(upload_id))
    return {
        "id": upload_id,
        "file": known.get("file_name") or upload_id,
        "status": found["status"],
        "since": found["status_metadata"]["started_at"],
        "worker": found["status_metadata"]["worker_id"],
        "error_code": found["error_code"],
        "error_message": found["error_message"],
        "institution": found.get("institution"),
        "account": found.get("account"),
        "from": found.get("statement_from"),
        "to": found.get("statement_to"),
        "currency": found.get("currency"),
        "skipped": found.get("rows_skipped"),
        "agrees": AGREES.get(found.get("reconciled") or ""),
        "reconciled": found.get("reconciled"),
        "transactions": [transaction_of(one, on_all) for one in transactions.rows],
        "on_all": on_all,
        "observations": observations.rows,
        "counts": {
            "transactions": max(every.number, found.get("canonicals_count") or 0),
            "observations": max(len(observations.rows), found.get("observations_count") or 0),
            "checks": len(checks),
            "warnings": len(doubts["errors"]) + len(doubts["warnings"]),
        },
        "is_later": after is not None and shown in begins,
        "next": page.rows[-1][key] if key and page.more else None,
        "warnings": doubts["warnings"],
        "errors": doubts["errors"],
        "printed": ""
        if amount(found.get("closing_balance")) is None
        else money(found["closing_balance"], signed=False),
        "readings": offered,
        "otherwise": otherwise_of(fixes, upload_id) if offered or is_unread else [],
        "sums": sums,
        "proof": proof,
        "flow": None if every.more else flow_of(every),
        "checks": checks,
        "doubtful": next(
            (tone for tone in ("differs", "unproven") if any(tone == one.tone for one in checks)), ""
        ),
    }


class Check(NamedTuple):
    """Something that was held against the file: whether it agrees, differs or is unproven, in words, with the fact behind it."""

    tone: str
    words: str
    fact: str


def checks_of(found: Mapping[str, Any], every: Totals, proof: Check) -> list[Check]:
    """What was checked about an upload, each with its result; its days only where the file names a period. That not all of its rows
    were looked at is said too."""
    start, end = found.get("statement_from"), found.get("statement_to")
    skipped = found.get("rows_skipped") or 0
    checks = [
        proof,
        check_of(
            every.flagged("ambiguous_date"),
            ("unproven", "{} may be on another day", "Day and month can be read both ways."),
            ("Every date can be read in one way only", "Day, month and year are certain."),
        ),
        check_of(
            every.flagged("future_date"),
            ("differs", "{} in the future", "A statement tells of the past."),
            ("No row is in the future", "Days were held against today."),
        ),
        check_of(
            every.flagged("possible_duplicate"),
            ("unproven", "{} may be here twice", "Same account, amount and merchant, at most a day apart."),
            ("No row is here twice", "Looked for in this file and in all others of the account."),
        ),
        Check(
            "unproven", f"{number_of(skipped, 'line')} skipped", "No date or no amount in it; see Warnings."
        )
        if skipped
        else Check("agrees", "No line was skipped", "Each one with a date and an amount is a row."),
    ]
    if start and end:
        period = check_of(
            every.outside,
            ("differs", "{} outside of the statement", f"{start} to {end}"),
            ("Every day is within the statement", f"{start} to {end}"),
        )
        checks.insert(1, period)
    if every.more:
        words = f"Looked at the first {number_of(every.number, 'row')} only"
        checks.append(Check("unproven", words, "Every row carries its flags, also in exports."))
    return checks


def check_of(rows: int, doubt: tuple[str, str, str], agrees: tuple[str, str]) -> Check:
    """The doubt where rows are in it, with how many there are; otherwise that it agrees."""
    if not rows:
        return Check("agrees", *agrees)
    tone, words, fact = doubt
    return Check(tone, words.format(number_of(rows, "row")), fact)


def proof_of(found: Mapping[str, Any], sums: Mapping[str, str] | None, doubts: Sequence[Any]) -> Check:
    """Whether the bank's own balances prove the rows, and if not, what is in doubt. The sum may agree where something else does not."""
    doubt = next((str(one["message"]) for one in doubts if one.get("severity") != "info"), "See Warnings.")
    doubt = doubt[:1].upper() + doubt[1:].rstrip(".") + "."
    reconciled = found.get("reconciled") or "unknown"
    if reconciled == "yes":
        fact = "The rows lead from the opening to the closing balance that the bank printed."
        return Check("agrees", "It adds up", fact)
    if sums is not None and sums["agrees"] == "yes":
        return Check("unproven", "The sum agrees, and something else is in doubt", doubt)
    if reconciled == "no":
        fact = (
            "Something was read wrongly, or the file contradicts itself. "
            "The transactions are kept, and marked as in doubt wherever they are shown or exported."
        )
        return Check("differs", "The sum does not agree with the bank's own balance", fact)
    if found.get("closing_balance") is None:
        return Check(
            "unproven", "Nothing proves the sum", "The file prints no balance to check the rows against."
        )
    if found.get("opening_balance") is None:
        fact = "The file prints where the account ended, and not where it began."
        return Check("unproven", "Nothing proves the sum", fact)
    return Check("unproven", "Nothing proves the sum", doubt)


def number_of(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def flow_of(every: Totals) -> dict[str, str] | None:
    """What came in, what went out, and both together; None where there is nothing, or money of several currencies."""
    if len({currency for currency, _, _ in every.amounts}) != 1:
        return None
    amounts = [(amount(text) or Decimal(0)) * number for _, text, number in every.amounts]
    return {
        "in": money(sum((one for one in amounts if one > 0), Decimal(0))),
        "out": money(sum((one for one in amounts if one < 0), Decimal(0))),
        "net": money(sum(amounts, Decimal(0))),
    }


class KeptReadings:
    """Readings of uploads, kept while an upload has the version that it had: they follow from its rows, and cost more the more it has."""

    def __init__(self, most: int = 32) -> None:
        self._most = most
        self._kept: WeakKeyDictionary[App, OrderedDict[tuple[str, int], dict[str, Any]]] = WeakKeyDictionary()

    def readings(self, fixes: Fixes, upload_id: str, version: int) -> dict[str, Any]:
        kept, key = self._kept.setdefault(fixes.app, OrderedDict()), (upload_id, version)
        found = kept.get(key)
        if found is None:
            found = kept[key] = fixes.readings(upload_id)
            while len(kept) > self._most:
                kept.popitem(last=False)
        return found


KEPT = KeptReadings()


def readings_of(known: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The readings of an upload, where there is more than one: in words, with the balance that each leads to and what it would decide."""
    found, printed = known["readings"] if known["rows"] else [], known["closing_balance"]
    columns = sorted(known["columns"], key=lambda one: one["reconciles"] != "yes")[:MOST_COLUMNS]
    if len(found) + len(columns) < (2 if found else 1):
        return []
    return [
        {
            "words": words_of(one),
            "closing": money(one["closing_balance"], signed=False),
            "agrees": AGREES[one["reconciles"]],
            "off": off_by(one["closing_balance"], printed) if one["reconciles"] == "no" else "",
            "current": one["is_current"],
            "unread": 0,
            "options": options_of(one),
            "body": json.dumps(decided_by(one)),
        }
        for one in found
    ] + [by_columns(one, known["opening_balance"], printed) for one in columns]


def decided_by(reading: Mapping[str, Any]) -> dict[str, str]:
    """What a reading decides: one of another currency says nothing of the signs."""
    names = ("currency",) if reading["currency"] else ("signs", "date_order", "decimal")
    return {name: reading[name] for name in names if reading[name] is not None}


def otherwise_of(fixes: Fixes, upload_id: str) -> list[dict[str, Any]]:
    """What can be decided beside the readings, each by a choice among values: currency, type of account, order of dates, and what the
    columns of a table are."""
    chosen = [
        ("currency", "Currency", {code: code for code in sorted(MINOR_UNITS)}),
        ("account_type", "Type of account", {name: name.replace("_", " ") for name in ACCOUNT_TYPES}),
        ("date_order", "Dates", {order: f"the {first} comes first" for order, first in DATE_ORDERS.items()}),
    ]
    fields = [
        choice_of(name, words, f"--{name.replace('_', '-')} ", options) for name, words, options in chosen
    ]
    names = {name: name for name in fixes.column_names(upload_id)}
    return fields + [
        choice_of(f"columns.{role}", f"The column of {words}", f"--column {role}=", names)
        for role, words in (COLUMN_FIELDS if names else {}).items()
    ]


def choice_of(name: str, words: str, option: str, values: Mapping[str, str]) -> dict[str, Any]:
    """A field of the form with its values, each as words and as an option of `interlock statements fix`."""
    return {
        "name": name,
        "words": words,
        "options": [
            {"value": value, "words": shown, "cli": " " + option + quote(value)}
            for value, shown in values.items()
        ],
    }


def by_columns(tried: Mapping[str, Any], opening: Any, printed: Any) -> dict[str, Any]:
    """What other columns would give, as they were tried when the file was parsed."""
    total, columns = amount(tried["total"]), tried["columns"]
    closing = None if total is None else str((amount(opening) or Decimal(0)) + total)
    return {
        "words": ", ".join(
            f"“{name}” as {ROLES_OF_COLUMNS.get(role, role)}" for role, name in columns.items()
        ),
        "closing": "" if closing is None else money(closing, signed=False),
        "agrees": AGREES[tried["reconciles"]],
        "off": off_by(closing, printed) if tried["reconciles"] == "no" else "",
        "current": False,
        "unread": tried["unread"],
        "options": " ".join(f"--column {quote(f'{role}={name}')}" for role, name in columns.items()),
        "body": json.dumps({"columns": columns}),
    }


def off_by(closing: Any, printed: Any) -> str:
    """How far a closing balance is from the printed one; empty where one of them is not known or they are equal."""
    ends, wanted = amount(closing), amount(printed)
    return "" if ends is None or wanted is None or ends == wanted else money(abs(ends - wanted), signed=False)


def options_of(reading: Mapping[str, Any]) -> str:
    """A reading as options of the command `interlock statements fix`."""
    parts = decided_by(reading).items()
    return " ".join(f"--{name.replace('_', '-')} {value}" for name, value in parts)


def words_of(reading: Mapping[str, Any]) -> str:
    """A reading in one line."""
    if reading["currency"]:
        return f"In {reading['currency']}: the file names no currency"
    words = ["Signs turned round" if reading["signs"] == "turned" else "Signs as they are read"]
    if reading["date_order"]:
        words.append(f"dates with the {DATE_ORDERS.get(reading['date_order'], reading['date_order'])} first")
    if reading["decimal"]:
        words.append(f"decimals behind “{reading['decimal']}”")
    return ", ".join(words)


def flags_on_all(every: Totals) -> list[str]:
    """The flags that every transaction carries, where there are several: said once, and not in each row."""
    if every.number < 2:
        return []
    return [flag for flag in every.marks[0][0] if every.flagged(flag) == every.number]


def why_category(rules: Sequence[str]) -> str:
    """Which rule gave a transaction its category, as people read it; empty where none did."""
    rule = next((one.removeprefix("category:") for one in rules if one.startswith("category:")), "")
    if rule == "source_category":
        return "as the file says"
    return f"rule: {rule.removeprefix('merchant:')}" if rule else ""


def transaction_of(row: Mapping[str, Any], on_all: Sequence[str]) -> dict[str, Any]:
    """A transaction with its amount as people read it; flags that a person should look at come first, the others are quiet."""
    flags = [flag for flag in row["flags"] if flag not in on_all]
    return {
        **row,
        "money": money(row["amount"]),
        "why": why_category(row["applied_rules"]),
        "out": str(row["amount"]).startswith("-"),
        "loud": [flag for flag in flags if flag in LOUD],
        "quiet": [flag for flag in flags if flag not in LOUD],
    }


def sums_of(found: Mapping[str, Any], every: Totals) -> dict[str, str] | None:
    """Opening balance, sum of the rows, closing balance and their difference; None where the file prints no balance."""
    opening, closing = amount(found.get("opening_balance")), amount(found.get("closing_balance"))
    if every.more or not every.number or closing is None:
        return None
    total = sum(((amount(text) or Decimal(0)) * number for _, text, number in every.amounts), Decimal(0))
    would = (opening or Decimal(0)) + total
    return {
        "opening": "" if opening is None else money(opening, signed=False),
        "rows": money(total),
        "would": money(would, signed=False),
        "closing": money(closing, signed=False),
        "gap": "" if opening is None else money(would - closing, signed=False),
        "agrees": "yes" if opening is not None and would == closing else "no",
    }


def amount(value: Any) -> Decimal | None:
    """The value as a number; None where it is none."""
    try:
        return None if value is None else Decimal(str(value))
    except InvalidOperation:
        return None


def money(value: Any, *, signed: bool = True) -> str:
    """An amount with commas between thousands, a real minus, and its sign where it is a movement."""
    number = amount(value)
    if number is None:
        return str(value)
    sign = "−" if number < 0 else "+" if signed and number else ""
    return f"{sign}{abs(number):,}"
