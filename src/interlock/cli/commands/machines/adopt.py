"""`interlock adopt`: a table that has rows and writers already comes under Interlock, step by step, while everything goes on."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from ....adopt.backfill import CHUNK, BackfillProgress
from ....errors import state_text
from ...grammar import SPAN, Noun, session
from ...render.output import show_answer, show_rows
from ...render.progress import Bar

STATUS = (
    "adoption",
    "phase",
    "guard",
    "written",
    "conflicts",
    "left_over",
    "unadopted",
    "differences",
    "last_stray",
    "paused",
    "runner",
)
REPORT = ("written", "conflicts", "left_over")
VALUES = ("value", "rule", "state", "rows", "why")
DIFFERENT = ("record_id", "scope", "expected", "actual", "as_backfilled")


def acting(function: Any) -> Any:
    """Options: which axis, and who."""
    for option in (
        click.option(
            "--actor",
            envvar="INTERLOCK_ACTOR",
            metavar="NAME",
            help="Who; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
        ),
        click.option("--axis", metavar="AXIS", help="Which axis, where the kind adopts several."),
    ):
        function = option(function)
    return function


@click.group(
    cls=Noun,
    examples=(
        "interlock adopt scan themes",
        "interlock adopt backfill themes --chunk 2000",
        "interlock adopt cutover themes --to 3 --reason 'backfilled and compared'",
    ),
)
def adopt() -> None:
    """Adopt tables that had rows before Interlock: scan, backfill, compare, cutover."""


@adopt.verb("status", "interlock adopt status", "interlock adopt status -o json")
def status() -> None:
    """List how far each adoption has come."""
    running = session()
    rows = [
        {**asdict(one), "adoption": f"{one.kind}.{one.axis}", "phase": f"{one.number} {one.phase}"}
        for one in running.client().adoptions.list()
    ]
    blank = ("differences", "last_stray", "runner")
    show_rows(
        running.output,
        rows,
        tuple(rows[0]) if rows else STATUS,
        empty="no axis declares adopt",
        shown=STATUS,
        blank=blank,
    )


@adopt.verb("scan", "interlock adopt scan themes", "interlock adopt scan themes -o json")
@click.argument("kind")
@acting
def scan(kind: str, axis: str | None, actor: str | None) -> None:
    """Look at every row: what it would become, and what hinders it. Reads only, before a migration too."""
    running = session()
    result = running.client(actor).adoptions.scan(kind, axis)
    answer = asdict(result)
    lines = [
        f"{result.rows:,} rows of {result.kind}.{result.axis}; {result.unmatched:,} match nothing, "
        f"{result.ambiguous:,} match several rules, {result.running:,} are in a running state",
        *(
            f"  {one.rows:>10,}  {'null' if one.value is None else repr(one.value)} → "
            f"{one.why or f'{one.state} (rule {one.rule})'}"
            for one in result.values
        ),
        *(
            f"rows {', '.join(one.ids)} share the natural key {', '.join(map(str, one.key))}"
            for one in result.duplicates
        ),
        *(f"column {name} is missing: a migration adds it" for name in result.missing_columns),
    ]
    if result.longest_transaction is not None:
        lines.append(f"the oldest open transaction began {result.longest_transaction:.0f} s ago")
    show_answer(running.output, answer, lines, answer["values"], VALUES)


@adopt.verb(
    "backfill",
    "interlock adopt backfill themes",
    "interlock adopt backfill themes --dry-run -o json",
    "interlock adopt backfill themes --chunk 1000 --rate 5000",
)
@click.argument("kind")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Count what would be written, and what left over by value and why; write nothing.",
)
@click.option(
    "--chunk",
    type=click.IntRange(1, 100_000),
    default=CHUNK,
    help=f"Rows in one transaction; default: {CHUNK:,}.",
)
@click.option("--rate", type=click.IntRange(1), help="At most so many rows a second.")
@click.option("--take-over", is_flag=True, help="Go on although somebody else carries it out.")
@acting
def backfill(
    kind: str,
    dry_run: bool,
    chunk: int,
    rate: int | None,
    take_over: bool,
    axis: str | None,
    actor: str | None,
) -> None:
    """Give rows their first entry, chunk by chunk; begun again it goes on where it was."""
    running = session()
    adoptions = running.client(actor).adoptions
    if dry_run:
        progress = adoptions.preview(kind, axis)
    else:
        of = adoptions.preview(kind, axis).written
        with Bar() as bar:

            def tell(one: BackfillProgress) -> None:
                bar.draw(min(one.written, of), of, f"{one.left_over:,} left over")

            progress = adoptions.backfill(kind, axis, chunk=chunk, rate=rate, take_over=take_over, tell=tell)
    answer = {name: getattr(progress, name) for name in REPORT}
    if dry_run:
        answer["left"] = [asdict(one) for one in progress.left]
    verb = "would be written" if dry_run else "written"
    lines = [
        f"{progress.written:,} {verb}, {progress.conflicts:,} had an entry already, {progress.left_over:,} left over"
    ]
    lines += [
        f"  {one.rows:>10,}  {'null' if one.value is None else repr(one.value)}{f' ({one.scope})' if one.scope else ''}: {one.why}"
        for one in progress.left
    ]
    if (others := progress.left_over - sum(one.rows for one in progress.left)) and dry_run:
        lines.append(f"  {others:>10,}  with other values: `interlock adopt scan {kind}` counts each")
    if progress.left_over and not dry_run:
        lines.append("which rows and why: table interlock_adoption_left, or `interlock record why KIND ID`")
    show_answer(running.output, answer, lines, [answer], REPORT)


@adopt.verb("compare", "interlock adopt compare themes", "interlock adopt compare themes -o json")
@click.argument("kind")
@acting
def compare(kind: str, axis: str | None, actor: str | None) -> None:
    """Compare flags and states of every row; what differs is kept in interlock_adoption_difference."""
    running = session()
    result = running.client(actor).adoptions.compare(kind, axis)
    answer = asdict(result)
    still = f"; not moved since they were adopted: {result.as_backfilled:,}" if result.as_backfilled else ""
    lines = [
        f"{result.compared:,} rows compared, {result.differences:,} differ{still}",
        *(
            f"  {one.record_id}{f' ({one.scope})' if one.scope else ''}: should be {state_text(one.expected)}, is {state_text(one.actual)}"
            for one in result.examples
        ),
        *(
            ["all of them: table interlock_adoption_difference"]
            if result.differences > len(result.examples)
            else []
        ),
    ]
    show_answer(running.output, answer, lines, answer["examples"], DIFFERENT)


@adopt.verb("follow", "interlock adopt follow themes")
@click.argument("kind")
@acting
def follow(kind: str, axis: str | None, actor: str | None) -> None:
    """Write an entry wherever flags that rules ask changed after a row was adopted, while flags are the truth."""
    running = session()
    answer = {"followed": running.client(actor).adoptions.follow(kind, axis)}
    show_answer(
        running.output, answer, [f"{answer['followed']:,} rows followed their flags"], [answer], ("followed",)
    )


@adopt.verb(
    "cutover",
    "interlock adopt cutover themes --to 2 --reason 'the columns are there'",
    "interlock adopt cutover themes --to 5 --no-readers --reason 'nobody reads the flags'",
)
@click.argument("kind")
@click.option(
    "--to",
    required=True,
    metavar="PHASE",
    help="The phase, by number (1 to 5) or name; the next one, or one back; 0 removes what phase 1 added.",
)
@click.option("--reason", required=True, help="Why; it is kept with the entry.")
@click.option("--accept-left", is_flag=True, help="Accept the rows that were left over.")
@click.option(
    "--no-readers", is_flag=True, help="State that nobody reads the flags any more; the last phase needs it."
)
@click.option(
    "--quiet",
    type=SPAN,
    metavar="SPAN",
    help="How long nothing may have been written past Interlock; default: as declared.",
)
@acting
def cutover(
    kind: str,
    to: str,
    reason: str,
    accept_left: bool,
    no_readers: bool,
    quiet: str | None,
    axis: str | None,
    actor: str | None,
) -> None:
    """Lead an adoption to the next phase, or one back; its guards change with it, so it needs the owner's database URL."""
    running = session()
    state = running.client(actor).adoptions.cutover(
        kind, to, axis, reason=reason, accept_left=accept_left, no_readers=no_readers, quiet=quiet
    )
    answer = asdict(state)
    text = f"{state.kind}.{state.axis} is in phase {state.number}, {state.phase}; its guards: {state.guard}"
    show_answer(running.output, answer, [text], [answer], tuple(answer))


def _switch(kind: str, axis: str | None, actor: str | None, *, paused: bool) -> None:
    running = session()
    running.client(actor).adoptions.pause(kind, axis, paused=paused)
    answer = {"kind": kind, "paused": paused}
    text = f"no further rows of {kind} are adopted" if paused else f"{kind} may be adopted again"
    show_answer(running.output, answer, [text], [answer], tuple(answer))


@adopt.verb("pause", "interlock adopt pause themes")
@click.argument("kind")
@acting
def pause(kind: str, axis: str | None, actor: str | None) -> None:
    """Adopt no further chunk; a running backfill stops after the current one."""
    _switch(kind, axis, actor, paused=True)


@adopt.verb("resume", "interlock adopt resume themes")
@click.argument("kind")
@acting
def resume(kind: str, axis: str | None, actor: str | None) -> None:
    """Let chunks be adopted again."""
    _switch(kind, axis, actor, paused=False)


@adopt.verb("drop-flags", "interlock adopt drop-flags themes")
@click.argument("kind")
@acting
def drop_flags(kind: str, axis: str | None, actor: str | None) -> None:
    """Remove the columns that Adopt(flags=…) names, in the last phase; the declaration must name them no more."""
    running = session()
    gone = running.client(actor).adoptions.drop_flags(kind, axis)
    answer = {"kind": kind, "dropped": gone}
    show_answer(running.output, answer, [f"dropped: {', '.join(gone) or 'nothing'}"], [answer], tuple(answer))
