"""`interlock statements`: import, list, show, transactions, export; the answers are those of the HTTP API."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from interlock.commands import (
    FINDINGS,
    OK,
    REFUSED,
    TO,
    note,
    open_output,
    session,
    show_answer,
    show_rows,
    table,
)
from interlock.errors import InvalidStateTransition

from ..doubt.reconcile import FIELDS
from ..exports import EXPORTS, Chosen
from ..exports.contract import COLUMNS
from ..rules import load_rules
from ..rules.trying import try_rules
from ..uploads.doubtful import is_doubtful
from ..uploads.viewing import BEFORE_NORMALIZED
from . import deciding  # noqa: F401 its verbs belong to the noun too
from .importing import at_work, ended, find_files, followed, imported, passed_over
from .options import ACTOR, DATA, QUEUED, REASON, WAIT, counted, ended_as, statements
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


RETRIED = "it is tried again as soon as a runner is at work"


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
    """Import files, and the statements in folders, whose other files are listed as passed over; the same bytes again are the same
    upload. Exit code 5 when one was refused or failed,
    7 with --wait when one is in doubt: its balances contradict its rows, or it has warnings."""
    running = session()
    files = find_files(paths)
    source = source_of(running, prepare=True)
    with at_work(source, wait):
        rows = imported(source, files, source_type, running.actor(actor), account)
        if wait:
            followed(running, source, rows)
    shown = [name for name in IMPORTED if name not in KNOWN_AT_THE_END or wait]
    left = passed_over(paths)
    answer = [{name: row.get(name) for name in IMPORTED} for row in (*rows, *left)]
    show_rows(
        running.output,
        answer[: len(rows)] if running.output == "table" else answer,
        IMPORTED,
        empty="no statements here",
        shown=shown,
        blank=IMPORTED,
    )
    imports, duplicates, refusals = (
        sum(row["outcome"] == word for row in rows) for word in ("imported", "duplicate", "refused")
    )
    note(f"{imports:,} imported, {counted(duplicates, 'duplicate')}, {refusals:,} refused")
    for one in left:
        note(f"passed over {one['file']}: {one['message']}")
    doubtful = sum(bool(row.get("in_doubt")) for row in rows)
    failed = sum(wait and row["status"] == "error" for row in rows)
    for number, words in ((failed, "failed"), (doubtful, "in doubt")):
        if number:
            note(f"{number:,} {words}: interlock statements warnings UPLOAD says why")
    context.exit(REFUSED if failed or refusals else FINDINGS if doubtful else OK)


@statements.verb(
    "list",
    "interlock statements list",
    "interlock statements list --in-doubt",
    "interlock statements list --status error --limit 500 -o csv",
)
@click.option("--status", metavar="STATUS", help="Only uploads in this status.")
@click.option(
    "--in-doubt",
    is_flag=True,
    help="Only those whose balances contradict their rows, or that have warnings nobody has settled.",
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


@statements.verb(
    "retry",
    'interlock statements retry UL_k3v9 --reason "the disk has room again"',
    'interlock statements retry UL_k3v9 --wait --reason "the rules are corrected"',
)
@click.argument("upload_id")
@REASON
@WAIT
@ACTOR
@DATA
@click.pass_context
def retry(context: click.Context, upload_id: str, reason: str, wait: bool, actor: str | None) -> None:
    """Send a failed upload back to where the failed stage began; counted, and refused beyond the maximum or if nothing failed. With
    --wait, exit code 5 when it fails again, 7 when it is in doubt."""
    again(context, lambda source: source.retry, upload_id, reason, wait, actor, RETRIED)


@statements.verb("reparse", 'interlock statements reparse UL_k3v9 --reason "newer parser"')
@click.argument("upload_id")
@REASON
@WAIT
@ACTOR
@DATA
@click.pass_context
def reparse(context: click.Context, upload_id: str, reason: str, wait: bool, actor: str | None) -> None:
    """Parse the file of an upload again with the parser of today; equal rows keep their ids. With --wait, exit code 5 when it fails, 7
    when it is in doubt."""
    again(context, lambda source: source.reparse, upload_id, reason, wait, actor, QUEUED)


def again(
    context: click.Context,
    act: Callable[[Source], Callable[[str, str, str], dict[str, Any]]],
    upload_id: str,
    reason: str,
    wait: bool,
    actor: str | None,
    queued: str,
) -> None:
    """Send an upload back to an earlier stage, and wait for what comes of it where that is wanted; one that waits to be read already, or
    that a lost process has left, is only waited for."""
    running = session()
    source = source_of(running)
    with at_work(source, wait):
        try:
            shown = source.upload(upload_id)
            if wait and not ended(shown):
                note(f"{upload_id} is {shown['status']} already: waited for, and not sent back once more")
            else:
                shown = act(source)(upload_id, reason, running.actor(actor))
        except InvalidStateTransition as error:
            error.hint = error.hint.replace(
                "POST …/retry", f"interlock statements retry {upload_id} --reason TEXT"
            )
            raise
        lines = (
            ended_as(running, source, [upload_id])
            if wait
            else [f"{upload_id} is {shown['status']}: {queued}"]
        )
        shown = source.upload(upload_id) if wait else shown
    show_answer(running.output, shown, lines, [shown], UPLOAD)
    if wait:
        failed = shown["status"] == "error"
        doubtful = is_doubtful(shown)
        context.exit(REFUSED if failed else FINDINGS if doubtful else OK)


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
        f"{counted(trial.transactions, 'transaction')}: {trial.categorized_before:,} have a category, "
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
    show_rows(running.output, rows, (*COLUMNS, "is_outdated"), empty="no transactions here", shown=READ)
    if outdated := sum(bool(row.get("is_outdated")) for row in rows):
        note(
            f"{outdated:,} of them are what an earlier reading made of uploads that are being read again, or could not be"
        )


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
    for words in lacking(source, chosen, upload_id):
        note(words)


def lacking(source: Source, chosen: Chosen, upload_id: str | None) -> list[str]:
    """What an export lacks: rows that were left out of it, and uploads that have none, each with the command that shows them."""
    if upload_id is None:
        known = source.monitoring()
        counts: dict[str, int] = known["counts"]
        unread = sum(counts.get(status, 0) for status in BEFORE_NORMALIZED) - known["empty_successes"]
    else:
        shown = source.upload(upload_id)
        counts, unread = {shown["status"]: 1}, not ended(shown)
    failed, outdated, left_out = counts.get("error", 0), chosen.uploads_outdated, chosen.uploads_left_out
    said = [
        (
            chosen.outdated,
            f"{chosen.outdated:,} transactions of {of_uploads(len(outdated))} being read again, or not read, were left out",
        ),
        (
            chosen.left_out,
            f"{chosen.left_out:,} transactions of {of_uploads(len(left_out))} not reconciled were left out: --include-unreconciled",
        ),
        (unread, f"{of_uploads(unread)} not read to the end yet, and not in this export"),
        (
            failed,
            f"{of_uploads(failed)} in error, and not in this export: interlock statements list --status error",
        ),
    ]
    return [words for number, words in said if number]


def of_uploads(number: int) -> str:
    """So many uploads, with the beginning of what they are."""
    return f"{number:,} upload that is" if number == 1 else f"{number:,} uploads that are"
