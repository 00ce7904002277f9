"""`interlock machine diff` and `migrate`: what a new version of a machine changes, and the plan that moves stranded records on."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ....authority.relocate import CHUNK, LineOutcome
from ....errors import BadInput, UnknownKind, state_text
from ....machine import Line
from ....observe.declared.machine_versions import Change, changes, strandings
from ....store.records.stranded import Stranded
from ... import exit_codes as exits
from ...context import assignment, state
from ...grammar import Verb, session
from ...render.output import note, show_answer
from ...render.table import table

CHANGE = ("kind", "axis", "from", "change")
STRANDED = ("kind", "axis", "scope", "state", "records", "examples")
OUTCOME = ("scope", "from", "to", "records", "moved", "refused", "left", "why_refused", "reason")


@click.command(
    cls=Verb,
    examples=(
        "interlock machine diff",
        "interlock machine diff orders",
        "interlock machine diff orders --from 3f2a9c -o json",
    ),
)
@click.argument("kind", required=False)
@click.option(
    "--from",
    "before",
    metavar="FINGERPRINT",
    help="Against this stored version, by how its fingerprint begins; default: the other active ones.",
)
@click.pass_context
def diff(context: click.Context, kind: str | None, before: str | None) -> None:
    """Compare the machines of this code with those the database knows, and count the records in states that are gone;
    exit code 7 when there are such records."""
    running = session()
    chosen = running.workflows() if kind is None else [running.workflow(kind)]
    found = [change for workflow in chosen for change in changes(running.app.database, workflow, before)]
    if before is not None and not found:
        raise UnknownKind(
            f"the database knows no version whose fingerprint begins with {before!r}",
            hint="`interlock machine show KIND` prints the fingerprint of each machine.",
        )
    lost = [one for workflow in chosen for one in strandings(running.app.database, workflow)]
    rows = [row for change in found for row in change_rows(change)]
    answer = {"changes": rows, "stranded": [stranded_row(one) for one in lost]}
    show_answer(running.output, answer, diff_lines(rows, lost), rows, CHANGE)
    context.exit(exits.FINDINGS if lost else exits.OK)


@click.command(
    cls=Verb,
    examples=(
        "interlock machine migrate orders --map review=checking --reason 'reviews are part of the check now' --dry-run",
        "interlock machine migrate orders --plan lost-states.toml --yes",
    ),
)
@click.argument("kind")
@click.option(
    "--plan",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A TOML file with a [[line]] for each lost state: from, to, reason.",
)
@click.option(
    "--map",
    "mapped",
    multiple=True,
    metavar="OLD=NEW",
    help="A line of the plan, with the reason given by --reason.",
)
@click.option("--reason", help="Why, for every --map; it is kept for ever beside each move.")
@click.option("--axis", metavar="AXIS", help="Which axis, when the workflow has several.")
@click.option(
    "--actor",
    envvar="INTERLOCK_ACTOR",
    metavar="NAME",
    help="Who acts; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
)
@click.option(
    "--role", default="operator", show_default=True, metavar="ROLE", help="In which role: operator or admin."
)
@click.option(
    "--chunk",
    type=click.IntRange(1, 10_000),
    default=CHUNK,
    show_default=True,
    help="Records in one transaction.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be moved and what refused, and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask before it begins.")
@click.pass_context
def migrate(
    context: click.Context,
    kind: str,
    file: Path | None,
    mapped: tuple[str, ...],
    reason: str | None,
    axis: str | None,
    actor: str | None,
    role: str,
    chunk: int,
    dry_run: bool,
    yes: bool,
) -> None:
    """Move records out of states that their machine has lost, as a plan says. Killed, it is begun again and goes on where it was;
    exit code 7 when records are left."""
    running = session()
    running.workflow(kind)
    lines = plan_of(file, mapped, reason)
    options: dict[str, Any] = {"actor": running.actor(actor), "role": role, "axis": axis, "chunk": chunk}
    foreseen = running.app.relocate(kind, lines, dry_run=True, **options)
    if dry_run or not confirmed(foreseen, yes):
        tell(running.output, foreseen, done=False)
        context.exit(exits.FINDINGS if any(one.refused for one in foreseen) else exits.OK)
    outcomes = running.app.relocate(kind, lines, tell=progress, **options)
    tell(running.output, outcomes, done=True)
    context.exit(exits.FINDINGS if any(one.refused or one.left for one in outcomes) else exits.OK)


def plan_of(file: Path | None, mapped: Sequence[str], reason: str | None) -> list[Line]:
    """The lines of a plan, from a file or from the command line."""
    if (file is None) == (not mapped):
        raise click.UsageError("Give the plan either as --plan FILE or as --map OLD=NEW.")
    if file is not None:
        return read_plan(file)
    if not reason:
        raise click.UsageError("--map needs --reason: why do these records go there?")
    pairs = [assignment(one, "a line of a plan: write OLD=NEW") for one in mapped]
    return [Line(state(old), state(new), reason) for old, new in pairs]


def read_plan(file: Path) -> list[Line]:
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        return [Line(state(line["from"]), state(line["to"]), str(line["reason"])) for line in content["line"]]
    except OSError as error:
        raise BadInput(f"the plan {file} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise BadInput(
            f"{file} is not a plan: {type(error).__name__}: {error}",
            hint='Each line is [[line]] with from = "…", to = "…" and reason = "…"; null is written "null".',
        ) from error


def confirmed(foreseen: Sequence[LineOutcome], yes: bool) -> bool:
    """On a terminal, print the plan and ask; elsewhere, require --yes."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise click.UsageError("Nobody is there to be asked: look with --dry-run, then say --yes.")
    for line in plan_lines(foreseen, done=False):
        click.echo(line, err=True)
    return click.confirm("Move them?", err=True)


def progress(outcome: LineOutcome) -> None:
    if sys.stderr.isatty():
        step = f"{state_text(outcome.line.old)} → {state_text(outcome.line.new)}"
        click.echo(f"\r\x1b[K{step}: {outcome.moved:,} of {outcome.records:,}", err=True, nl=False)


def tell(form: str, outcomes: Sequence[LineOutcome], *, done: bool) -> None:
    if done and sys.stderr.isatty():
        click.echo("\r\x1b[K", err=True, nl=False)
    rows = [outcome_row(one) for one in outcomes]
    show_answer(form, {"done": done, "lines": rows}, plan_lines(outcomes, done=done), rows, OUTCOME)
    if done and any(one.left for one in outcomes):
        note(
            "records came into a lost state meanwhile: older code still runs; run this again when it is gone"
        )


def change_rows(change: Change) -> list[dict[str, Any]]:
    sentences = change.evolution.describe() or ["nothing: both have the same states and moves"]
    return [
        {"kind": change.kind, "axis": change.axis, "from": change.before.fingerprint[:16], "change": one}
        for one in sentences
    ]


def stranded_row(one: Stranded) -> dict[str, Any]:
    return {name: getattr(one, name) for name in STRANDED[:-1]} | {"examples": list(one.examples)}


def diff_lines(rows: Sequence[dict[str, Any]], lost: Sequence[Stranded]) -> list[str]:
    lines = (
        table(rows, CHANGE) if rows else ["ok: the database knows no other active version of these machines"]
    )
    if lost:
        shown = [{**stranded_row(one), "scope": one.scope or ""} for one in lost]
        columns = [name for name in STRANDED if name != "scope" or any(one.scope for one in lost)]
        hint = "They need a plan: `interlock machine migrate KIND --map OLD=NEW --reason …`"
        lines = [
            *lines,
            "",
            click.style("stranded", bold=True),
            *table(shown, columns, indent="  "),
            "",
            hint,
        ]
    return lines


def outcome_row(one: LineOutcome) -> dict[str, Any]:
    why = [
        {
            "code": refused.code,
            "message": refused.message,
            "records": refused.records,
            "examples": refused.examples,
        }
        for refused in one.refused.values()
    ]
    return {
        "scope": one.scope,
        "from": one.line.old,
        "to": one.line.new,
        "records": one.records,
        "moved": one.moved,
        "refused": one.refusals,
        "left": one.left,
        "why_refused": why,
        "reason": one.line.reason,
    }


def plan_lines(outcomes: Sequence[LineOutcome], *, done: bool) -> list[str]:
    """Each line of the plan with what comes of it, and under it what is refused and why."""
    columns = ["from", "to", "records", *(["moved", "refused", "left"] if done else ["refused"]), "reason"]
    if any(one.scope for one in outcomes):
        columns.insert(0, "scope")
    lines = table([outcome_row(one) for one in outcomes], columns)
    for one in outcomes:
        for refused in one.refused.values():
            such = ", ".join(map(str, refused.examples))
            lines.append(f"refused {refused.records:,} ({such}): [{refused.code}] {refused.message}")
    return lines
