"""`interlock bulk`: change many records at once, by ids or by a filter; looked at first, with a reason, and undone where that is legal."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal, cast

import click

from ....client import BulkCommand, OperationPreview, RecordFilter
from ....client.operations import Operations
from ....errors import InterlockError
from ... import exit_codes as exits
from ...context import assignment, state
from ...grammar import Noun, session
from ...render.bulk_report import counted, left_in, preview_lines, show_operation, show_preview
from ...render.output import note, show_rows
from ...render.progress import Bar
from .record import states_of

COLUMNS = (
    "id",
    "kind",
    "act",
    "axis",
    "scope",
    "to",
    "status",
    "records",
    "done",
    "outcomes",
    "actor",
    "reason",
    "created_at",
)
LIST_COLUMNS = ("id", "status", "act", "kind", "records", "done", "actor", "reason", "created_at")
ITEM = ("number", "id", "outcome", "code", "from", "to", "version", "seen")
OUTCOMES = ("moved", "unchanged", "refused", "conflict", "unknown")
Function = Any


@click.group(
    cls=Noun,
    examples=(
        "interlock bulk preview orders status=shipped --where status=packed",
        "interlock bulk run orders status=shipped --where status=packed --reason 'the lorry left' --ramp 10",
        "interlock bulk undo op_4k7x0m2v9c --reason 'the lorry came back'",
    ),
)
def bulk() -> None:
    """Many records at once: preview, run, pause, resume, undo."""


def which(function: Function) -> Function:
    """What is to be done, and to which records."""
    for option in reversed(
        (
            click.option(
                "--where",
                multiple=True,
                metavar="NAME=VALUE",
                help="Records in this state of an axis, or with this value in a column; of one name any, of several all must hold.",
            ),
            click.option("--error", metavar="CODE", help="Records whose error has this code."),
            click.option(
                "--older",
                metavar="SPAN",
                help="Records that have been in their state longer than this: 30s, 5m, 2h, 3d.",
            ),
            click.option(
                "--younger", metavar="SPAN", help="Records that have been in their state for less than this."
            ),
            click.option(
                "--text", metavar="TEXT", help="Records with this in their id or in one of their texts."
            ),
            click.option("--all", "everything", is_flag=True, help="Every record of the kind."),
            click.option(
                "--ids",
                "file",
                metavar="FILE",
                type=click.Path(path_type=Path, allow_dash=True),
                help="Records whose ids stand in this file, one in a line; - is what is piped in.",
            ),
            click.option(
                "--axis", metavar="AXIS", help="For retry and cancel: on which axis, where there are several."
            ),
            click.option("--scope", metavar="SCOPE", help="On a scoped axis: which scope."),
            click.option("--role", metavar="ROLE", help="In which role; some moves need one."),
            click.option(
                "--actor",
                envvar="INTERLOCK_ACTOR",
                metavar="NAME",
                help="Who acts; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
            ),
        )
    ):
        function = option(function)
    return function


def ramp_and_yes(function: Function) -> Function:
    for option in reversed(
        (
            click.option("--dry-run", is_flag=True, help="Say what would come of it, and change nothing."),
            click.option("--yes", is_flag=True, help="Do not ask before it begins."),
        )
    ):
        function = option(function)
    return function


@bulk.verb(
    "preview",
    "interlock bulk preview orders status=shipped --where status=packed",
    "interlock bulk preview orders retry --error TIMEOUT",
    "interlock bulk preview orders cancel 41 42 43 -o json",
)
@click.argument("kind")
@click.argument("act", metavar="AXIS=STATE|retry|cancel")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@which
@click.option("--reason", default="preview", metavar="TEXT", help="As run will say it; here it is not kept.")
@click.pass_context
def preview(
    context: click.Context,
    /,
    kind: str,
    act: str,
    ids: tuple[str, ...],
    reason: str,
    actor: str | None,
    **options: Any,
) -> None:
    """Count exactly how many records would move, and print each refusal with its reason. Exit code 7 when there are refusals."""
    running = session()
    found = running.client(actor).operations.preview(asked(kind, act, ids, reason, options))
    show_preview(running.output, found)
    context.exit(exits.FINDINGS if left_in(found) else exits.OK)


@bulk.verb(
    "run",
    "interlock bulk run orders status=shipped --where status=packed --reason 'the lorry left'",
    "interlock bulk run orders retry --error TIMEOUT --reason 'the bank answers again' --ramp 10 --yes",
    "interlock bulk run orders cancel 41 42 43 --reason 'sent twice' --dry-run",
    "interlock bulk run op_4k7x0m2v9c",
)
@click.argument("kind", metavar="KIND|OPERATION")
@click.argument("act", required=False, metavar="AXIS=STATE|retry|cancel")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@which
@click.option("--reason", help="Why; it is kept for ever beside each move.")
@click.option(
    "--ramp",
    type=click.IntRange(1),
    metavar="N",
    help="Move N records first, then pause: look, and resume or undo.",
)
@click.option(
    "--key", metavar="KEY", help="Idempotency key: the same command with the same key makes one operation."
)
@ramp_and_yes
@click.pass_context
def run(
    context: click.Context,
    /,
    kind: str,
    act: str | None,
    ids: tuple[str, ...],
    reason: str | None,
    ramp: int | None,
    key: str | None,
    dry_run: bool,
    yes: bool,
    actor: str | None,
    **options: Any,
) -> None:
    """Freeze which records it is about, and move them chunk by chunk; an operation that was left by a dead process is taken up where
    it was. Exit code 7 when records did not move."""
    running = session()
    who = running.client(actor).operations
    if act is None:
        carry_on(context, who, kind, resuming=False)
    if not reason:
        raise click.UsageError("Missing option '--reason': why shall these records be changed?")
    wanted = replace(asked(kind, str(act), ids, reason, options), ramp=ramp)
    if dry_run or not confirmed(who.preview(wanted) if not yes else None):
        show_preview(running.output, found := who.preview(wanted))
        context.exit(exits.FINDINGS if left_in(found) else exits.OK)
    made = who.create(wanted, key=key)
    note(f"operation {made.id}: {made.records:,} records are frozen")
    carry_on(context, who, made.id, resuming=False)


@bulk.verb("resume", "interlock bulk resume op_4k7x0m2v9c")
@click.argument("operation")
@click.pass_context
def resume(context: click.Context, operation: str) -> None:
    """Go on after a pause, or behind a ramp. Exit code 7 when records did not move."""
    carry_on(context, session().client().operations, operation, resuming=True)


@bulk.verb("pause", "interlock bulk pause op_4k7x0m2v9c")
@click.argument("operation")
def pause(operation: str) -> None:
    """Stop it after the chunk that is being moved now; what is done stays done."""
    running = session()
    show_operation(running.output, running.client().operations.pause(operation))


@bulk.verb(
    "status",
    "interlock bulk status op_4k7x0m2v9c",
    "interlock bulk status op_4k7x0m2v9c --outcome refused -o csv",
)
@click.argument("operation")
@click.option("--outcome", type=click.Choice(OUTCOMES), help="List its records with this outcome.")
@click.option(
    "--limit",
    type=click.IntRange(1, 100_000),
    default=100,
    show_default=True,
    help="How many records at most.",
)
@click.option("--after", type=click.IntRange(0), default=0, help="Go on behind this number.")
def status(operation: str, outcome: str | None, limit: int, after: int) -> None:
    """Print the progress of an operation, the outcomes of its records, and why some did not move."""
    running = session()
    who = running.client().operations
    if outcome is None:
        show_operation(running.output, who.get(operation))
    else:
        show_rows(
            running.output,
            [one.as_dict() for one in who.items(operation, outcome=outcome, after=after, limit=limit)],
            ITEM,
            empty=f"no record of it is {outcome}",
        )


@bulk.verb("list", "interlock bulk list", "interlock bulk list --limit 5 -o json")
@click.option("--limit", type=click.IntRange(1, 500), default=50, show_default=True, help="How many at most.")
def list_(limit: int) -> None:
    """List operations, the newest first."""
    running = session()
    show_rows(
        running.output,
        [asdict(one) for one in running.client().operations.newest(limit=limit)],
        COLUMNS,
        empty="no operations yet",
        shown=LIST_COLUMNS,
    )


@bulk.verb(
    "undo",
    "interlock bulk undo op_4k7x0m2v9c --reason 'the lorry came back'",
    "interlock bulk undo op_4k7x0m2v9c --reason 'wrong filter' --role operator --dry-run",
)
@click.argument("operation")
@click.option("--reason", required=True, help="Why; it is kept for ever beside each move.")
@click.option("--role", metavar="ROLE", help="In which role; some moves need one.")
@click.option(
    "--actor",
    envvar="INTERLOCK_ACTOR",
    metavar="NAME",
    help="Who acts; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
)
@ramp_and_yes
@click.pass_context
def undo(
    context: click.Context,
    operation: str,
    reason: str,
    role: str | None,
    actor: str | None,
    dry_run: bool,
    yes: bool,
) -> None:
    """Move the records of an operation back, where the machine has that move and nobody moved them since; exit code 7 when some stay."""
    running = session()
    who = running.client(actor).operations
    if dry_run or not confirmed(who.preview_undo(operation, role=role, reason=reason) if not yes else None):
        show_preview(running.output, found := who.preview_undo(operation, role=role, reason=reason))
        context.exit(exits.FINDINGS if left_in(found) else exits.OK)
    made = who.undo(operation, role=role, reason=reason)
    note(f"operation {made.id} undoes {operation}")
    carry_on(context, who, made.id, resuming=False)


def asked(kind: str, act: str, ids: tuple[str, ...], reason: str, options: dict[str, Any]) -> BulkCommand:
    """The bulk command that was typed: an act on ids, or on the records that a filter matches."""
    words = ("error", "older", "younger", "text")
    narrowed = options["where"] or any(options[name] for name in words)
    named_ids = (
        [*ids, *(lines_of(options["file"]) if options["file"] else ())] if ids or options["file"] else None
    )
    if (named_ids is not None) + bool(narrowed) + options["everything"] != 1:
        raise click.UsageError("Say which records: ids, or a filter such as --where AXIS=STATE, or --all.")
    wanted = None
    if named_ids is None:
        wanted = RecordFilter(
            states_of(options["where"]), scope=options["scope"], **{name: options[name] for name in words}
        )
    axis, to = options["axis"], None
    if act not in ("retry", "cancel"):
        axis, typed = assignment(act, "an act: write axis=state, retry or cancel")
        to, act = state(typed), "move"
    return BulkCommand(
        kind,
        reason,
        act=cast(Literal["move", "retry", "cancel"], act),
        axis=axis,
        to=to,
        scope=options["scope"],
        ids=named_ids,
        filter=wanted,
        role=options["role"],
    )


def lines_of(file: Path) -> list[str]:
    text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    return [line.strip() for line in text.splitlines() if line.strip()]


def confirmed(foreseen: OperationPreview | None) -> bool:
    """On a terminal, print the preview and ask; elsewhere, require --yes."""
    if foreseen is None:
        return True
    if not somebody_is_there():
        raise click.UsageError("Nobody is there to be asked: look with --dry-run, then say --yes.")
    for line in preview_lines(foreseen):
        click.echo(line, err=True)
    return click.confirm("Do it?", err=True)


def somebody_is_there() -> bool:
    return sys.stdin.isatty()


def carry_on(context: click.Context, who: Operations, id: str, *, resuming: bool) -> None:
    """Run the operation with a progress bar, print its outcome, and exit."""
    try:
        with Bar() as bar:
            go = who.resume if resuming else who.run
            done = go(id, progress=lambda one: bar.draw(one.done, one.records, counted(one.outcomes)))
    except KeyboardInterrupt:
        note(interrupted(who, id))
        raise
    show_operation(session().output, done)
    if done.status == "paused":
        note(
            f"paused; `interlock bulk resume {id}` goes on, `interlock bulk undo {id}` brings back what has moved"
        )
    context.exit(exits.FINDINGS if left_in(done) else exits.OK)


def interrupted(who: Operations, id: str) -> str:
    """Pause an operation that ran in this process, and return what Ctrl-C did; a service goes on with its own."""
    if session().service is not None:
        return f"the service goes on with it; `interlock bulk pause {id}` pauses it"
    with suppress(InterlockError):  # it has just ended by itself, or the database is away
        who.pause(id)
    return f"`interlock bulk resume {id}` goes on"
