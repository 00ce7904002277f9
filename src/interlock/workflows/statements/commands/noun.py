"""`interlock statements`: import, list, show, transactions, export; the answers are those of the HTTP API."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from typing import Any

import click

from interlock.commands import (
    FINDINGS,
    OK,
    REFUSED,
    TO,
    Noun,
    Session,
    note,
    open_output,
    session,
    show_answer,
    show_rows,
    table,
)

from ..doubt.reconcile import FIELDS
from ..exports import EXPORTS, Chosen
from ..exports.contract import COLUMNS
from ..rules import load_rules
from ..rules.trying import try_rules
from .importing import at_work, find_files, followed, imported, is_doubtful, passed_over
from .source import Source, source_of

IMPORTED = (
    "file",
    "outcome",
    "upload_id",
    "status",
    "observations",
    "transactions",
    "reconciled",
    "warnings",
    "error_code",
    "message",
)
KNOWN_AT_THE_END = ("observations", "transactions", "reconciled", "warnings")
LISTED = (
    "upload_id",
    "status",
    "file_name",
    "source_type",
    "observations_count",
    "canonicals_count",
    "reconciled",
    "warnings_count",
    "error_code",
    "created_at",
)
UPLOAD = (
    "upload_id",
    "status",
    "version",
    "file_name",
    "source_type",
    "file_size_bytes",
    "file_hash",
    "created_at",
    "error_code",
    "error_message",
    "retry_count",
    "last_retry_at",
    "max_retries",
    "observations_count",
    "canonicals_count",
    *FIELDS,
    "upload_log_ref",
    "parse_log_ref",
    "normalizer_log_ref",
    "status_metadata",
)
WARNING = ("severity", "row_id", "message")
TRIED = ("rows", "description", "merchant_before", "merchant", "category_before", "category", "rule")
READING = ("is_current", "signs", "date_order", "decimal", "total", "closing_balance", "reconciles")
CHANGED = ("date", "amount", "currency")
TIMELINE = ("timestamp", "old_status", "new_status", "trigger", "actor", "reason")
READ = (
    "insertion_sequence",
    "date",
    "amount",
    "currency",
    "merchant",
    "category",
    "account",
    "flags",
    "description",
)


def _keep_data(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.find_root().ensure_object(Session).flags["data"] = value


DATA = click.option(
    "--data",
    metavar="FOLDER",
    expose_value=False,
    is_eager=True,
    callback=_keep_data,
    help="The folder of the embedded database and of files. [env: INTERLOCK_DATA]",
)

REASON = click.option("--reason", required=True, metavar="TEXT", help="Why; kept in the ledger.")
ACTOR = click.option(
    "--actor",
    envvar="INTERLOCK_ACTOR",
    metavar="NAME",
    help="Who does it; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
)


@click.group(
    cls=Noun,
    examples=(
        "interlock statements import ~/Downloads --wait",
        "interlock statements list --status error",
        "interlock statements export --format beancount --to books.beancount",
    ),
)
def statements() -> None:
    """Bank and card statements: import files, look at uploads and transactions, export."""


WAIT = click.option(
    "--wait",
    is_flag=True,
    help="Wait until each is through; where no runner is at work, the work is done here.",
)
QUEUED = "it is parsed again as soon as a runner is at work"


@statements.verb(
    "import",
    "interlock statements import january.pdf",
    "interlock statements import ~/statements --wait",
    "interlock statements import export.csv --source-type chase_csv -o json",
)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@click.option(
    "--source-type",
    default="auto",
    show_default=True,
    metavar="TYPE",
    help="What the files are; auto finds out for each.",
)
@click.option(
    "--account",
    metavar="NAME",
    help="Whose rows these are; default: bank and masked number as each file has them.",
)
@WAIT
@click.option(
    "--actor",
    envvar="INTERLOCK_ACTOR",
    metavar="NAME",
    help="Who brings them; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
)
@DATA
@click.pass_context
def import_(
    context: click.Context,
    paths: tuple[Path, ...],
    source_type: str,
    account: str | None,
    wait: bool,
    actor: str | None,
) -> None:
    """Import files, and the statements in folders; the same bytes again are the same upload. Exit code 5 when one was refused or failed,
    7 with --wait when one is in doubt: its balances contradict its rows, or it has warnings."""
    running = session()
    files = find_files(paths)
    source = source_of(running, prepare=True)
    with at_work(source, wait):
        rows = imported(source, files, source_type, running.actor(actor), account)
        if wait:
            followed(running, source, rows)
    shown = [name for name in IMPORTED if name not in KNOWN_AT_THE_END or wait]
    show_rows(
        running.output,
        [{name: row.get(name) for name in IMPORTED} for row in rows],
        IMPORTED,
        empty="no statements here",
        shown=shown,
        blank=IMPORTED,
    )
    counts = {
        word: sum(row["outcome"] == word for row in rows) for word in ("imported", "duplicate", "refused")
    }
    note(", ".join(f"{number:,} {word}" for word, number in counts.items()))
    for path, why in passed_over(paths):
        note(f"passed over {path}: {why}")
    doubtful = sum(is_doubtful(row) for row in rows)
    failed = sum(wait and row["status"] == "error" for row in rows)
    for number, words in ((failed, "failed"), (doubtful, "in doubt")):
        if number:
            note(f"{number:,} {words}: interlock statements warnings UPLOAD says why")
    context.exit(REFUSED if failed or counts["refused"] else FINDINGS if doubtful else OK)


@statements.verb(
    "list",
    "interlock statements list",
    "interlock statements list --in-doubt",
    "interlock statements list --status error --limit 500 -o csv",
)
@click.option("--status", metavar="STATUS", help="Only uploads in this status.")
@click.option(
    "--in-doubt", is_flag=True, help="Only those whose sums do not agree with the bank's own balances."
)
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="How many at most."
)
@DATA
def list_(status: str | None, in_doubt: bool, limit: int) -> None:
    """List uploads, the newest first."""
    running = session()
    rows, more = source_of(running).uploads(status, limit, in_doubt)
    whole = (
        rows
        if running.output in ("json", "jsonl")
        else [{name: row.get(name) for name in UPLOAD} for row in rows]
    )
    show_rows(running.output, whole, UPLOAD, empty="no uploads here", shown=LISTED, blank=LISTED)
    if more:
        note(f"there are more than {limit:,}: say --limit")


@statements.verb("show", "interlock statements show UL_k3v9", "interlock statements show UL_k3v9 -o json")
@click.argument("upload_id")
@DATA
def show(upload_id: str) -> None:
    """Show an upload: where it is, what was found in it, and every status it has had."""
    running = session()
    source = source_of(running)
    shown, timeline = source.upload(upload_id), source.timeline(upload_id)
    fields = [{"field": name, "value": value} for name, value in shown.items() if value is not None]
    lines = [
        click.style(f"upload {upload_id}", bold=True),
        *table(fields, ("field", "value"), indent="  ", headed=False),
        "",
        click.style("timeline", bold=True),
        *table(timeline, TIMELINE, indent="  "),
    ]
    show_answer(running.output, {**shown, "timeline": timeline}, lines, timeline, TIMELINE)


@statements.verb(
    "warnings", "interlock statements warnings UL_k3v9", "interlock statements warnings UL_k3v9 -o json"
)
@click.argument("upload_id")
@DATA
@click.pass_context
def warnings(context: click.Context, upload_id: str) -> None:
    """Show what is in doubt about an upload, its file and its rows; exit code 7 when something is."""
    running = session()
    answer = source_of(running).warnings(upload_id)
    lines = [
        *({"row_id": None, **one} for one in answer["warnings"]),
        *({"row_id": None, "severity": "error", **one} for one in answer["errors"]),
    ]
    show_rows(
        running.output,
        [{name: line.get(name) for name in WARNING} for line in lines],
        WARNING,
        empty="no warnings",
        shown=WARNING,
        blank=WARNING,
    )
    note(f"reconciled: {answer['reconciled'] or 'not parsed yet'}")
    context.exit(FINDINGS if answer["reconciled"] == "no" or answer["warnings_count"] else OK)


@statements.verb("reparse", 'interlock statements reparse UL_k3v9 --reason "newer parser"')
@click.argument("upload_id")
@REASON
@WAIT
@ACTOR
@DATA
def reparse(upload_id: str, reason: str, wait: bool, actor: str | None) -> None:
    """Parse the file of an upload again with the parser of today; equal rows keep their ids."""
    running = session()
    source = source_of(running)
    with at_work(source, wait):
        shown = source.reparse(upload_id, reason, running.actor(actor))
        lines = (
            ended_as(running, source, [upload_id])
            if wait
            else [f"{upload_id} is {shown['status']}: {QUEUED}"]
        )
        shown = source.upload(upload_id) if wait else shown
    show_answer(running.output, shown, lines, [shown], UPLOAD)


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
        note(f"{options}: {one['rows']:,} rows, sum {one['total']}, balances agree: {one['reconciles']}")


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
@click.option("--earlier", is_flag=True, help="Also parse earlier uploads of the same bank and layout again.")
@click.option("--reason", metavar="TEXT", help="Why; kept in the ledger. Needed with --apply.")
@ACTOR
@DATA
def fix(
    upload_id: str,
    columns: tuple[str, ...],
    applied: bool,
    wait: bool,
    earlier: bool,
    reason: str | None,
    actor: str | None,
    **decided: str | None,
) -> None:
    """Decide how files of an upload's bank and layout are read. Without a decision, shows the ways in which it can be read; without
    --apply, what the decision would change and which earlier uploads it concerns."""
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
    if applied:
        body |= {"apply": True, "earlier": earlier, "reason": reason}
    waits = applied and wait
    with at_work(source, waits):
        answer = source.fix(upload_id, body, running.actor(actor))
        came_to = ended_as(running, source, answer["parsed_again"]) if waits else []
    show_decision(running.output, answer, came_to)


def ended_as(running: Session, source: Source, upload_ids: list[str]) -> list[str]:
    """Wait until each of these uploads has come to its end, and say how it ended."""
    rows: list[dict[str, Any]] = [{"upload_id": one} for one in upload_ids]
    followed(running, source, rows)
    return [
        f"{one['upload_id']} is {one['status']}, reconciled: {one['reconciled'] or 'unknown'}" for one in rows
    ]


def show_decision(output: str, answer: dict[str, Any], came_to: list[str]) -> None:
    """What a decision changes, row by row, which earlier uploads it concerns, and what those that are parsed again came to."""
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
        *came_out(answer),
        *(f"earlier upload {one['upload_id']} {one['file_name']}" for one in answer["earlier_uploads"]),
        *(
            came_to
            or (["applied: " + QUEUED] if answer["applied"] else ["nothing was changed; --apply does it"])
        ),
    ]
    show_answer(output, answer, lines, changed, ("row_id", "amount_before", "amount"))


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


@statements.verb(
    "rules",
    "interlock statements rules test rules.toml",
    "interlock statements rules test rules.toml -o json",
)
@click.argument("act", type=click.Choice(["test"]), metavar="test")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--upload", "upload_id", metavar="ID", help="Only the transactions of this upload.")
@DATA
def rules(act: str, file: Path, upload_id: str | None) -> None:
    """Show what the rules of a file would make of the transactions that are there; nothing is written."""
    running = session()
    trial = try_rules(load_rules(file), source_of(running).transactions(upload_id))
    show_rows(
        running.output, trial.changed, TRIED, empty="these rules change nothing", shown=TRIED, blank=TRIED
    )
    note(
        f"{trial.transactions:,} transactions: {trial.categorized_before:,} have a category, "
        f"{trial.categorized_after:,} would have one"
    )


@statements.verb("erase", 'interlock statements erase UL_k3v9 --reason "asked by the customer"')
@click.argument("upload_id")
@REASON
@ACTOR
@DATA
def erase(upload_id: str, reason: str, actor: str | None) -> None:
    """Remove an upload with its rows, transactions, logs and file; its history closes with an entry and still verifies."""
    running = session()
    done = source_of(running).erase(upload_id, reason, running.actor(actor))
    show_answer(running.output, done, [f"{upload_id} is {done['outcome']}"], [done], tuple(done))


@statements.verb(
    "transactions",
    "interlock statements transactions",
    "interlock statements transactions --upload UL_k3v9 -o jsonl",
)
@click.option("--upload", "upload_id", metavar="ID", help="Only those of this upload.")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=100, show_default=True, help="How many at most."
)
@DATA
def transactions(upload_id: str | None, limit: int) -> None:
    """List transactions in the order they were made; money out is negative."""
    running = session()
    rows: list[Any] = list(source_of(running).transactions(upload_id, limit))
    show_rows(running.output, rows, COLUMNS, empty="no transactions here", shown=READ)


@statements.verb(
    "export",
    "interlock statements export --format csv --to all.csv",
    "interlock statements export --format ledger > books.ledger",
    "interlock statements export --format beancount --upload UL_k3v9",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(EXPORTS)),
    default="csv",
    show_default=True,
    help="For whom it is written.",
)
@click.option("--upload", "upload_id", metavar="ID", help="Only the transactions of this upload.")
@click.option(
    "--include-unreconciled",
    "everything",
    is_flag=True,
    help="Also those of uploads whose balances contradict their rows; default: they are left out, and counted.",
)
@TO
@DATA
def export(form: str, upload_id: str | None, everything: bool, target: str | None) -> None:
    """Write transactions as CSV, JSON Lines, or a journal for ledger-cli or beancount; as many as there are, a page at a time."""
    source = source_of(session())
    chosen = Chosen(source.transactions(upload_id), everything)
    with open_output(target) as file:
        for piece in EXPORTS[form](chosen):
            file.write(piece)
    if target is None:
        sys.stdout.flush()
    if chosen.left_out:
        note(
            f"{chosen.left_out:,} transactions of uploads that are not reconciled were left out: --include-unreconciled"
        )
