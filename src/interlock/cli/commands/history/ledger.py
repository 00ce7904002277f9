"""`interlock ledger`: history in the order it was committed, and the proof that it is whole."""

from __future__ import annotations

from typing import Any

import click

from ....store.ledger.read import Cursor
from ....store.verify.parallel import cores
from ....store.verify.verify import Report
from ....workflow import Move
from ... import exit_codes as exits
from ...grammar import Noun, session
from ...render.following import Stream
from ...render.output import show_answer, show_rows
from ...render.progress import progress_line
from ...render.table import table

ENTRY = (
    "cursor",
    "timestamp",
    "kind",
    "id",
    "axis",
    "scope",
    "version",
    "from",
    "to",
    "actor",
    "role",
    "trigger",
    "reason",
    "facts",
)
SHOWN = ("timestamp", "kind", "id", "axis", "from", "to", "actor", "reason")
FINDING = ("invariant", "kind", "id", "axis", "scope", "version", "problem")
PAUSE_SECONDS = 0.5


@click.group(
    cls=Noun, examples=("interlock ledger tail", "interlock ledger tail --follow", "interlock ledger verify")
)
def ledger() -> None:
    """History: who moved what, when and why."""


@ledger.verb(
    "tail",
    "interlock ledger tail -n 50",
    "interlock ledger tail --kind orders --follow",
    "interlock ledger tail --after 0.1500 -o jsonl",
)
@click.option(
    "-n",
    "count",
    type=click.IntRange(1, 100_000),
    default=20,
    show_default=True,
    help="How many entries at most.",
)
@click.option(
    "--after",
    metavar="CURSOR",
    help="The entries behind this cursor, instead of the newest; json, jsonl and csv carry cursors.",
)
@click.option("--before", metavar="CURSOR", help="The newest entries before this cursor.")
@click.option("--kind", metavar="KIND", help="Only this workflow.")
@click.option(
    "--follow", "-f", is_flag=True, help="Go on printing entries as they are committed, until Ctrl-C."
)
def tail(count: int, after: str | None, before: str | None, kind: str | None, follow: bool) -> None:
    """Print the newest entries in commit order."""
    running = session()
    source = running.client().ledger
    if follow and running.output == "json":
        raise click.UsageError("A JSON document has an end; with --follow say -o jsonl.")
    if before and (after or follow):
        raise click.UsageError("--before goes with neither --after nor --follow.")
    found = source.tail(after, before=before, limit=count, kind=kind)
    if not follow:
        show_rows(
            running.output,
            [entry(*one) for one in found],
            ENTRY,
            empty="no entries",
            shown=SHOWN,
            blank=("reason",),
        )
        return
    stream = Stream(running.output, ENTRY, SHOWN)
    last = found[-1][0] if found else Cursor.parse(after) if after else Cursor()
    while True:
        stream.show([entry(*one) for one in found])
        last = found[-1][0] if found else last
        if not found:
            running.clock.sleep(PAUSE_SECONDS)
        found = source.tail(last, limit=500, kind=kind)


@ledger.verb(
    "verify",
    "interlock ledger verify",
    "interlock ledger verify --against seals.jsonl",
    "interlock ledger verify orders",
    "interlock ledger verify orders 42 -o json",
)
@click.argument("kind", required=False)
@click.argument("id", required=False)
@click.option(
    "--against",
    "--seals",
    "seals",
    metavar="FILE",
    help="Seals that were kept elsewhere, alone or in the lines of a log: the database must still have each of them.",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    default=cores,
    show_default="the number of cores",
    help="Read a long ledger in so many processes, each on a connection of its own.",
)
@click.pass_context
def verify(
    context: click.Context, kind: str | None, id: str | None, seals: str | None, processes: int
) -> None:
    """Verify all chains and seals, or the chains of one workflow or record, and compare the rows with them; exit code 7 when something is
    wrong."""
    running = session()
    with progress_line("verifying the ledger") as report_progress:
        report = running.client().ledger.verify(
            kind, id, seals=seals, processes=processes, progress=report_progress
        )
    sealed = f"; {report.seals:,} seals hold" if report.seals else ""
    well = f"{report.entries:,} entries in {report.records:,} chains verify, and every row equals its tail{sealed}"
    show_report(running.output, report, well, seals=report.seals)
    context.exit(exits.OK if report.ok else exits.FINDINGS)


def entry(cursor: Cursor, move: Move) -> dict[str, Any]:
    return {
        "cursor": str(cursor),
        "kind": move.kind,
        "id": move.id,
        "axis": move.axis,
        "scope": move.scope,
        "version": move.version,
        **move.history(),
        "role": move.role,
        "facts": dict(move.facts),
    }


def show_report(form: str, report: Report, well: str, **more: Any) -> None:
    """Findings with their place, or one line that all is well."""
    rows = [{name: getattr(finding, name) for name in FINDING} for finding in report.findings]
    blank = [
        {**row, "scope": row["scope"] or "", "version": "" if row["version"] is None else row["version"]}
        for row in rows
    ]
    lines = (
        [*table(blank, FINDING), "", f"{len(rows):,} findings in {report.entries:,} entries"]
        if rows
        else [f"ok: {well}"]
    )
    lines += [f"note: {note}" for note in report.notes]
    lines += [
        f"repair: {one['command']}   mends {', '.join(one['invariants'])} of {one['records']:,} {one['kind']}"
        for one in more.get("repairs", ())
    ]
    answer = {"ok": report.ok, "entries": report.entries, "chains": report.records, "findings": rows, **more}
    show_answer(form, answer, lines, rows, FINDING)
