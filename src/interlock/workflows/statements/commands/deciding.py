"""`interlock statements readings`, `fix`, `decisions` and `forget`: how files of a bank and layout are read, as a person decides."""

from __future__ import annotations

from shlex import quote
from typing import Any

import click

from interlock.commands import note, session, show_answer, show_rows, table
from interlock.errors import ConcurrentModificationError

from ..doubt.interpretation import ACCOUNT_TYPES
from .importing import at_work, ended
from .options import ACTOR, DATA, QUEUED, REASON, WAIT, counted, ended_as, statements
from .source import Source, source_of

READING = (
    "is_current",
    "signs",
    "currency",
    "date_order",
    "decimal",
    "total",
    "closing_balance",
    "reconciles",
)
DECISION = ("key", "institution", "decision", "made_on", "decided_by", "reason", "decided_at")
KEY_SHOWN = 12
CHANGED = ("date", "amount", "currency")


@statements.verb(
    "readings", "interlock statements readings UL_k3v9", "interlock statements readings UL_k3v9 -o json"
)
@click.argument("upload_id")
@DATA
def readings(upload_id: str) -> None:
    """Show the ways in which an upload can be read, with the closing balance that each gives; `statements fix` decides for one."""
    running = session()
    show_readings(running.output, source_of(running).readings(upload_id))


def show_readings(output: str, answer: dict[str, Any]) -> None:
    show_rows(output, answer["readings"], READING, empty="no rows", shown=READING, blank=READING)
    for one in answer["columns"]:
        options = " ".join(f"--column {quote(f'{role}={name}')}" for role, name in one["columns"].items())
        note(
            f"{options}: {counted(one['rows'], 'row')}, sum {one['total']}, balances agree: {one['reconciles']}"
        )


@statements.verb(
    "fix",
    "interlock statements fix UL_k3v9",
    "interlock statements fix UL_k3v9 --signs turned",
    'interlock statements fix UL_k3v9 --signs as_read --apply --reason "every amount is money out"',
    'interlock statements fix UL_k3v9 --currency SGD --apply --reason "the branch is in Singapore"',
)
@click.argument("upload_id")
@click.option(
    "--signs",
    type=click.Choice(["as_read", "turned"]),
    help="as_read confirms the signs as they are shown; turned makes money in and out change places.",
)
@click.option("--currency", metavar="CODE", help="The currency of its amounts.")
@click.option("--account", metavar="NAME", help="Whose rows these are.")
@click.option(
    "--account-type",
    type=click.Choice(ACCOUNT_TYPES),
    help="What kind of account; exports put credit_card and loan under liabilities.",
)
@click.option(
    "--date-order", type=click.Choice(["mdy", "dmy", "ymd"]), help="Which part of a date comes first."
)
@click.option("--decimal", type=click.Choice([".", ","]), help="The decimal mark.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="ROLE=NAME",
    help="What a column of a table is, as amount=Value.",
)
@click.option(
    "--apply", "applied", is_flag=True, help="Keep the decision and parse again; default: only show it."
)
@WAIT
@click.option(
    "--earlier",
    is_flag=True,
    help="Also parse the other uploads of the same bank and layout again that it changes, whenever they came.",
)
@click.option(
    "--version",
    type=click.IntRange(1),
    metavar="N",
    help="With --apply: only at this version of the upload, which is what was shown without it.",
)
@click.option("--reason", metavar="TEXT", help="Why; kept in the ledger. Needed with --apply.")
@ACTOR
@DATA
def fix(
    upload_id: str,
    columns: tuple[str, ...],
    applied: bool,
    wait: bool,
    earlier: bool,
    version: int | None,
    reason: str | None,
    actor: str | None,
    **decided: str | None,
) -> None:
    """Decide how files of an upload's bank and layout are read. Without a decision, shows the ways in which it can be read; without
    --apply, what the decision would change, which other uploads it concerns, and whose decision it replaces. Signs that a decision has
    turned round already are turned back only with the --version at which that was shown."""
    running = session()
    source = source_of(running)
    body: dict[str, Any] = {name: value for name, value in decided.items() if value is not None}
    if columns:
        if unnamed := [pair for pair in columns if "=" not in pair]:
            raise click.UsageError(f"--column is ROLE=NAME, as amount=Value, and not {unnamed[0]!r}")
        body["columns"] = dict(pair.split("=", 1) for pair in columns)
    if not body:
        show_readings(running.output, source.readings(upload_id))
        return
    if applied and not reason:
        raise click.UsageError("--apply needs --reason")
    waits = applied and wait
    with at_work(source, waits):
        if waits and not ended(source.upload(upload_id)):
            ended_as(running, source, [upload_id])
        if applied:
            version = version or version_seen(source, upload_id, body, running.actor(actor))
            body |= {"apply": True, "earlier": earlier, "reason": reason}
        answer = source.fix(upload_id, body, running.actor(actor), version)
        came_to = ended_as(running, source, answer["parsed_again"]) if waits else []
    show_decision(running.output, answer, came_to)


def version_seen(source: Source, upload_id: str, body: dict[str, Any], actor: str) -> int:
    """The version at which a decision is applied that nobody named one for: the present one, unless signs would be turned back that a
    decision has turned round. They are decided about as they are shown, so whoever did not see that decision would undo it."""
    shown = source.fix(upload_id, body, actor)
    if body.get("signs") == "turned" and "signs" in ((shown["replaces"] or {}).get("decision") or {}):
        raise ConcurrentModificationError(
            f"{replaced(shown)[0]}; --signs turned would turn them back",
            hint=f"Look at the rows as they are now; to turn them back all the same, add --version {shown['version']}.",
        )
    return int(shown["version"])


def replaced(answer: dict[str, Any]) -> list[str]:
    """The earlier decision of which a decision replaces a part, in words."""
    before = answer["replaces"]
    if before is None:
        return []
    what = ", ".join(f"{part}: {value}" for part, value in before["decision"].items())
    return [
        f"{before['decided_by']} decided on {str(before['decided_at'])[:10]} ({before['reason']}): {what}"
    ]


def show_decision(output: str, answer: dict[str, Any], came_to: list[str]) -> None:
    """What a decision changes, row by row, whose decision it replaces, which other uploads it concerns, and what those that are parsed
    again came to."""
    changed = [
        {
            "row_id": one["row_id"],
            **{f"{name}_before": one["before"][name] for name in CHANGED},
            **{name: one["after"][name] for name in CHANGED},
            "description": one["description"],
        }
        for one in answer["changes"]
    ]
    lines = [
        *table(
            changed, ("row_id", "date_before", "date", "amount_before", "amount", "currency", "description")
        ),
        *left_out(answer),
        *came_out(answer),
        *accounts(answer),
        *(f"replaces what {one}" for one in replaced(answer)),
        *(f"other upload {one['upload_id']} {one['file_name']}" for one in answer["earlier_uploads"]),
        *(
            came_to
            or (
                ["applied: " + QUEUED]
                if answer["applied"]
                else [
                    f"nothing was changed; --apply does it (--version {answer['version']}: only if it still is as shown here)"
                ]
            )
        ),
    ]
    show_answer(output, answer, lines, changed, ("row_id", "amount_before", "amount"))


def left_out(answer: dict[str, Any]) -> list[str]:
    """How many rows change beside those that are listed."""
    more = (answer["changes_total"] or 0) - len(answer["changes"])
    return [f"and {more:,} more rows"] if more > 0 else []


def accounts(answer: dict[str, Any]) -> list[str]:
    """The account and its type before and after, where the decision names them."""
    return [
        f"{name.replace('_', ' ')} {answer[f'{name}_before'] or '(none)'} → {answer[f'{name}_after']}"
        for name in ("account", "account_type")
        if name in answer["decision"]
    ]


def came_out(answer: dict[str, Any]) -> list[str]:
    """What a decision makes of the file: rows, sum, whether balances agree, and, where columns are decided on, the first rows."""
    reading = answer["reading"]
    if reading is None:
        return [
            "these columns were not tried when the file was parsed: what comes out shows once they are applied"
        ]
    unread = f", {reading['unread']:,} could not be read" if reading["unread"] else ""
    first = reading["first_rows"] if answer["decision"].get("columns") else []
    return [
        *table(first, ("row_id", "date", "amount", "currency", "description")),
        f"{reading['rows']:,} rows{unread}, balances agree: {reading['reconciles']}",
        f"sum {answer['total_before']} → {answer['total_after']}",
    ]


@statements.verb("decisions", "interlock statements decisions", "interlock statements decisions -o json")
@DATA
def decisions() -> None:
    """List what persons decided about how files are read, the latest first; `statements forget` withdraws one."""
    running = session()
    rows = source_of(running).decisions()
    whole = running.output in ("json", "jsonl")
    lines = rows if whole else [{**one, "key": one["key"][:KEY_SHOWN], **_in_words(one)} for one in rows]
    show_rows(
        running.output, lines, DECISION, empty="nobody decided anything", shown=DECISION, blank=DECISION
    )


def _in_words(decision: dict[str, Any]) -> dict[str, str]:
    parts = decision["decision"].items()
    return {
        "decision": ", ".join(f"{part}: {value}" for part, value in parts),
        "made_on": ", ".join(decision["made_on"]),
    }


@statements.verb("forget", 'interlock statements forget 3f0c9a12 --reason "it was another bank\'s card"')
@click.argument("key")
@REASON
@ACTOR
@DATA
def forget(key: str, reason: str, actor: str | None) -> None:
    """Withdraw a decision, by its key or the beginning of it. Uploads that were read by it are listed, and stay as they are until they are
    parsed again: interlock statements reparse."""
    running = session()
    answer = source_of(running).forget(key, reason, running.actor(actor))
    lines = [
        f"{answer['key'][:KEY_SHOWN]} holds no longer: {_in_words(answer)['decision']}",
        *(f"was read by it: {one['upload_id']} {one['file_name']}" for one in answer["uploads"]),
    ]
    show_answer(
        running.output, answer, lines, answer["uploads"], ("upload_id", "file_name", "status", "reconciled")
    )
