"""`interlock ledger seal, seals, export, prove, archive, as-of`: proof of history that holds outside the database, and the past itself."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TextIO

import click

from ....client.ledger import Ledger
from ....observe.proofs.past import COUNTED, STOOD, instant
from ....observe.proofs.seal_targets import target_of
from ....observe.proofs.sealing import SealSender
from ....store.ledger.seals.seal import NAMES
from ....workflow.durations import span
from ...grammar import SPAN, Verb, session
from ...processes.logs import say_what_happens
from ...render.following import Stream
from ...render.output import note, open_output, show_rows
from ...render.progress import progress_line

SHOWN = ("number", "at", "entries", "verdicts", "hash", "public_key")
ARCHIVED = ("month", "file", "first_seal", "last_seal", "entries", "verdicts", "sha256")
TO = click.option("--to", "target", metavar="FILE", help="Write it there instead of printing it.")
WITHOUT = click.option(
    "--without-detail", is_flag=True, help="Leave out reasons and facts; the chains verify without them."
)


@click.command(
    "seal",
    cls=Verb,
    examples=(
        "interlock ledger seal",
        "interlock ledger seal --key seal-key.pem -o jsonl > seal-7.jsonl",
        "interlock ledger seal --every 1h --to /mnt/elsewhere/seals.jsonl --to https://notary.example.org/seals",
    ),
)
@click.option(
    "--key",
    metavar="FILE",
    help="Sign it with this Ed25519 private key in PEM, which is kept outside the database.",
)
@click.option(
    "--every",
    type=SPAN,
    metavar="SPAN",
    help="Go on sealing, once in every span (10m, 1h, 1d), until Ctrl-C.",
)
@click.option(
    "--to",
    "targets",
    multiple=True,
    metavar="TARGET",
    help="Keep the seals there too: append them to a file, send them to http(s)://…, or write them to the log. What it lacks is sent.",
)
def seal(key: str | None, every: str | None, targets: tuple[str, ...]) -> None:
    """Seal what was committed since the last seal: a Merkle root over entries and verdicts, chained to the seal before. What is too much
    for one seal becomes several."""
    running = session()
    source = running.client().ledger
    sender = sender_to(targets, source)
    if every is None:
        with progress_line("sealing"):
            rows = [made.row() for made in source.seal(key)]
            sender.send()
        show_rows(
            running.output, rows, NAMES, empty="nothing new to seal", shown=SHOWN, blank=("public_key",)
        )
        return
    if running.output == "json":
        raise click.UsageError("A JSON document has an end; with --every say -o jsonl.")
    pause, stream = span(every).total_seconds(), Stream(running.output, NAMES, SHOWN)
    while True:
        stream.show([made.row() for made in source.seal(key)])
        sender.try_to_send()
        running.clock.sleep(pause)


def sender_to(targets: Sequence[str], ledger: Ledger) -> SealSender:
    """Sends seals to these targets; asks each before sealing which ones it lacks."""
    if targets:
        say_what_happens(logging.WARNING)
    sender = SealSender(
        [target_of(one) for one in targets],
        ledger.seals,
        lambda: max((one.number for one in ledger.seals()), default=0),
    )
    for target in sender.targets:
        sender.begin(target)
    return sender


@click.command(
    "seals",
    cls=Verb,
    examples=(
        "interlock ledger seals",
        "interlock ledger seals -o jsonl > seals.jsonl",
        "interlock ledger seals --after 120",
    ),
)
@click.option("--after", type=click.IntRange(0), default=0, help="Only the seals behind this number.")
def seals(after: int) -> None:
    """List the seals; as jsonl they are what `ledger verify --against` takes, best kept where nobody can change them."""
    running = session()
    show_rows(
        running.output,
        [one.row() for one in running.client().ledger.seals(after)],
        NAMES,
        empty="no seals",
        shown=SHOWN,
        blank=("public_key",),
    )


@click.command(
    "export",
    cls=Verb,
    examples=(
        "interlock ledger export --to ledger.jsonl",
        "interlock ledger export --kind orders > orders.jsonl",
        "interlock ledger export --after-seal 120 --to since-120.jsonl",
    ),
)
@click.option(
    "--kind", metavar="KIND", help="Only this workflow; its chains can be checked, the seals cannot."
)
@click.option(
    "--after-seal",
    type=click.IntRange(0),
    default=0,
    metavar="NUMBER",
    help="Only what stands behind this seal.",
)
@WITHOUT
@TO
def export(kind: str | None, after_seal: int, without_detail: bool, target: str | None) -> None:
    """Write history as JSON Lines: machines, seals, entries, verdicts; anybody can check the file without Interlock."""
    source = session().client().ledger
    lines = source.export(kind=kind, after_seal=after_seal, detail=not without_detail)
    with open_output(target) as file, progress_line("exporting"):
        count = write(file, lines)
    if target is not None:
        note(f"{count:,} lines in {target}")


def write(file: TextIO, lines: Iterable[str]) -> int:
    """Write the lines; how many they were."""
    count = 0
    for line in lines:
        file.write(f"{line}\n")
        count += 1
    return count


@click.command(
    "prove",
    cls=Verb,
    examples=(
        "interlock ledger prove orders 42 --to order-42.json",
        "interlock ledger prove orders 42 --without-detail",
    ),
)
@click.argument("kind")
@click.argument("id")
@WITHOUT
@TO
def prove(kind: str, id: str, without_detail: bool, target: str | None) -> None:
    """Write the proof of one record: its entries and each one's path to a seal, to be checked offline by anybody."""
    proof = session().client().ledger.prove(kind, id, detail=not without_detail)
    with open_output(target) as file:
        file.write(proof)
    entries = json.loads(proof)["entries"]
    if unsealed := sum(line["seal"] is None for line in entries):
        note(f"{unsealed} of {len(entries)} entries are in no seal yet: `interlock ledger seal` seals them")


@click.command(
    "archive",
    cls=Verb,
    examples=(
        "interlock ledger archive --before 2026-03 --to archive",
        "interlock ledger archive --before 2026-03 --to archive --with-detail",
    ),
)
@click.option("--before", required=True, metavar="YYYY-MM", help="The months before this one.")
@click.option(
    "--to",
    "folder",
    required=True,
    metavar="FOLDER",
    help="Where the files go: one a month, its hash beside it.",
)
@click.option(
    "--with-detail",
    is_flag=True,
    help="With reasons and facts; what is erased later will still be in these files.",
)
def archive(before: str, folder: str, with_detail: bool) -> None:
    """Write sealed months into files that can be checked without the database, and keep their hashes in it; nothing is deleted."""
    running = session()
    with progress_line("archiving"):
        done = running.app.ledger.archive(before, folder, detail=with_detail)
    show_rows(
        running.output, [asdict(one) for one in done], ARCHIVED, empty=f"nothing was sealed before {before}"
    )


@click.command(
    "as-of",
    cls=Verb,
    examples=(
        "interlock ledger as-of --at 2026-01-31T09:00:00Z",
        "interlock ledger as-of --at 2026-01-31T09:00:00Z orders",
        "interlock ledger as-of --at 2026-01-31T10:00:00+01:00 orders 42",
    ),
)
@click.option("--at", "text", required=True, metavar="INSTANT", help="ISO 8601 with a time zone.")
@click.option("--axis", metavar="AXIS", help="Only on this axis of the kind.")
@click.option("--scope", metavar="SCOPE", help="Only in this scope of the kind.")
@click.argument("kind", required=False)
@click.argument("id", required=False)
def as_of(text: str, axis: str | None, scope: str | None, kind: str | None, id: str | None) -> None:
    """Print how many records were in each state at an instant, or where one record was."""
    running = session()
    source, at = running.client().ledger, instant(text)
    if kind is not None and id is not None:
        show_rows(
            running.output,
            [asdict(one) for one in source.as_of(kind, id, at, axis=axis, scope=scope)],
            STOOD,
            empty=f"{kind} {id} was not there",
            blank=("scope", "reason"),
        )
        return
    show_rows(
        running.output,
        [asdict(one) for one in source.counts_as_of(at, kind, axis=axis, scope=scope)],
        COUNTED,
        empty="there was nothing",
        blank=("scope",),
    )
