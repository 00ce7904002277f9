"""`interlock check` and `interlock doctor`: do the invariants hold, and is everything here that is needed?"""

from __future__ import annotations

from dataclasses import asdict

import click

from ....store.verify.verify import Report
from ... import exit_codes as exits
from ...grammar import Verb, session
from ...render.output import show_answer
from ...render.progress import progress_line
from ...render.text import padded
from ..upkeep.doctor import examine
from .ledger import show_report

COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}
COLUMNS = ("about", "verdict", "finding", "hint")


@click.command(
    cls=Verb,
    examples=(
        "interlock check",
        "interlock check orders",
        "interlock check --replay",
        "interlock check -o json",
    ),
)
@click.argument("kind", required=False)
@click.option(
    "--replay",
    "replaying",
    is_flag=True,
    help="Also compute every row anew from the ledger alone, and compare.",
)
@click.pass_context
def check(context: click.Context, kind: str | None, replaying: bool) -> None:
    """Check the database for inconsistencies: legal gapless history (I1), rows that equal their history (I2), attempts applied once and
    current (I3, I4), nothing unattended (I5, I10), commands and reports answered (I6, I7), whole chains (I9), counters that equal a
    recount, what workflows declare of their own rows (I8 of statements: rows of one attempt, counts that equal them), and that stored files
    of this machine have the content of their names. Exit code 7 when one is broken; the commands that mend it are named where that is
    safe."""
    running = session()
    with progress_line("checking"):
        found = running.client().check(kind, replay=replaying)
    whole = Report(found.entries, found.chains, found.findings, notes=found.notes)
    well = (
        f"I1 to I7, I9, I10 and the counters hold for {whole.entries:,} entries in {whole.records:,} chains"
    )
    show_report(
        running.output,
        whole,
        f"{well}; replayed, they give every state and every fact" if replaying else well,
        invariants=found.invariants,
        notes=whole.notes,
        repairs=[asdict(one) for one in found.repairs],
    )
    context.exit(exits.OK if whole.ok else exits.FINDINGS)


@click.command(
    cls=Verb,
    examples=("interlock doctor", "interlock --app shop.workflows:app doctor", "interlock doctor -o json"),
)
@click.pass_context
def doctor(context: click.Context) -> None:
    """Look at Python, the database libraries, the isolation of processes, the database, its schema, the clock and the disk.

    Exit code 7 when something fails."""
    running = session()
    found = [finding.row() for finding in examine(running)]
    lines = []
    for row in found:
        lines.append(
            f"{click.style(padded(row['verdict'], 4), fg=COLOURS[row['verdict']])}  {padded(row['about'], 10)}  {row['finding']}"
        )
        if row["hint"]:
            lines.append(click.style(f"{'':18}{row['hint']}", dim=True))
    failed = any(row["verdict"] == "fail" for row in found)
    show_answer(running.output, {"ok": not failed, "checks": found}, lines, found, COLUMNS)
    context.exit(exits.FINDINGS if failed else exits.OK)
