"""`interlock record move`, `retry`, `cancel`, `amend`, `erase`: acts of people on one record; each carries a reason."""

from __future__ import annotations

from typing import Any

import click

from ....machine.suggest import did_you_mean
from ...context import assignment, state
from ...grammar import Verb, session
from ...render.acting import answer_lines, answer_row, facts_of
from ...render.output import note, show_answer

ANSWER = ("kind", "id", "outcome", "axis", "from", "to", "version")
Function = Any


def act(function: Function) -> Function:
    """The options of every act on a record."""
    for option in reversed(
        (
            click.option("--reason", required=True, help="Why; it is kept for ever beside the move."),
            click.option(
                "--actor",
                envvar="INTERLOCK_ACTOR",
                metavar="NAME",
                help="Who acts; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
            ),
            click.option("--role", metavar="ROLE", help="In which role; some moves need one."),
            click.option("--scope", metavar="SCOPE", help="On a scoped axis: which scope."),
            click.option("--dry-run", is_flag=True, help="Do everything, say what came of it, and undo it."),
        )
    ):
        function = option(function)
    return function


@click.command(
    "move",
    cls=Verb,
    examples=(
        "interlock record move orders 42 status=shipped --reason 'the courier has it'",
        "interlock record move orders 42 payment=null --reason 'charged twice' --version 3",
        "interlock record move orders 42 status=approved --role operator --reason checked --fact amount=12.5 --dry-run",
    ),
)
@click.argument("kind")
@click.argument("id")
@click.argument("move", metavar="AXIS=STATE")
@act
@click.option("--version", type=click.IntRange(0), help="Only if the record is still at this version.")
@click.option(
    "--fact",
    "facts",
    multiple=True,
    metavar="NAME=VALUE",
    help="A fact to keep with the move; the value is JSON, or else text.",
)
@click.option(
    "--key",
    metavar="KEY",
    help="Idempotency key: the same command with the same key is done once and answered again.",
)
@click.option(
    "--override", is_flag=True, help="Move an axis that only stages move; needs --role operator or admin."
)
def move(
    kind: str,
    id: str,
    move: str,
    reason: str,
    actor: str | None,
    role: str | None,
    scope: str | None,
    dry_run: bool,
    version: int | None,
    facts: tuple[str, ...],
    key: str | None,
    override: bool,
) -> None:
    """Move one record on one axis, if the machine, the rules and the gates allow it."""
    running = session()
    name, value = assignment(move, "a move: write axis=state")
    answer = running.client(actor).move(
        kind,
        id,
        reason=reason,
        role=role,
        scope=scope,
        version=version,
        facts=facts_of(facts),
        key=key,
        override=override,
        dry_run=dry_run,
        **{name: state(value)},
    )
    row = answer_row(kind, name, answer)
    show_answer(
        running.output, {**row, "dry_run": dry_run}, answer_lines(row, dry_run), [row, *row["driven"]], ANSWER
    )


@click.command(
    "retry", cls=Verb, examples=("interlock record retry orders 42 --reason 'the bank answers again'",)
)
@click.argument("kind")
@click.argument("id")
@act
def retry(
    kind: str, id: str, reason: str, actor: str | None, role: str | None, scope: str | None, dry_run: bool
) -> None:
    """Send a failed record back to where the failed stage began."""
    running = session()
    client = running.client(actor)
    answer = client.retry(kind, id, reason=reason, role=role, scope=scope, dry_run=dry_run)
    row = answer_row(kind, "", answer)
    show_answer(running.output, {**row, "dry_run": dry_run}, answer_lines(row, dry_run), [row], ANSWER)


@click.command("cancel", cls=Verb, examples=("interlock record cancel orders 42 --reason 'sent twice'",))
@click.argument("kind")
@click.argument("id")
@act
@click.option("--axis", metavar="AXIS", help="Which axis, where several are worked on.")
def cancel(
    kind: str,
    id: str,
    reason: str,
    actor: str | None,
    role: str | None,
    scope: str | None,
    dry_run: bool,
    axis: str | None,
) -> None:
    """End the attempt that runs or waits; the record goes to the stage's failed state. One that has just reported is a conflict."""
    running = session()
    client = running.client(actor)
    answer = client.cancel(kind, id, reason=reason, role=role, scope=scope, axis=axis, dry_run=dry_run)
    row = answer_row(kind, axis or "", answer)
    show_answer(running.output, {**row, "dry_run": dry_run}, answer_lines(row, dry_run), [row], ANSWER)


@click.command(
    "amend",
    cls=Verb,
    examples=(
        "interlock record amend orders 42 --set city=Oslo --reason 'typed wrong'",
        "interlock record amend orders 42 --set weight=12.5 --set note=null --reason weighed --version 3",
    ),
)
@click.argument("kind")
@click.argument("id")
@click.option(
    "--set",
    "facts",
    metavar="COLUMN=VALUE",
    multiple=True,
    required=True,
    help="A column and its new value: JSON where it is (12, true, null), else text. Can be said several times.",
)
@click.option("--reason", required=True, help="Why; it is kept for ever beside the change.")
@click.option(
    "--actor",
    envvar="INTERLOCK_ACTOR",
    metavar="NAME",
    help="Who acts; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
)
@click.option("--role", metavar="ROLE", help="In which role.")
@click.option("--version", type=int, help="Only if the record still has this version.")
@click.option("--axis", metavar="AXIS", help="Whose version steps, where there are several axes.")
def amend(
    kind: str,
    id: str,
    facts: tuple[str, ...],
    reason: str,
    actor: str | None,
    role: str | None,
    version: int | None,
    axis: str | None,
) -> None:
    """Change amendable columns without a move; the version rises by one, so gates have to pass again."""
    running = session()
    client = running.client(actor)
    changed = facts_of(facts)
    answer = client.amend(kind, id, facts=changed, reason=reason, role=role, version=version, axis=axis)
    if running.service is None:
        columns = list(running.workflow(kind).records.c.keys())
        for name in sorted(set(changed) - set(columns)):
            hint = did_you_mean(name, columns)
            note(
                f"{name} is no column of {kind}: it is kept with the entry, and changes nothing. {hint}".rstrip()
            )
    row = answer_row(kind, axis or "", answer)
    line = f"{click.style('amended', fg='green')}: {kind} {answer.id}: {', '.join(changed)}, version {answer.version}"
    show_answer(running.output, row, [line], [row], ANSWER)


@click.command(
    "erase",
    cls=Verb,
    examples=("interlock record erase customers 42 --reason 'asked to be forgotten' --yes",),
)
@click.argument("kind")
@click.argument("id")
@click.option("--reason", required=True, help="Why; it is kept for ever in the closing entry.")
@click.option(
    "--actor",
    envvar="INTERLOCK_ACTOR",
    metavar="NAME",
    help="Who acts; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
)
@click.option("--yes", is_flag=True, help="Do it without asking.")
def erase(kind: str, id: str, reason: str, actor: str | None, yes: bool) -> None:
    """Remove a record and what the ledger keeps about persons; its history closes with an entry and still verifies. Nothing undoes it."""
    running = session()
    if not yes:
        click.confirm(f"Erase {kind} {id} for ever?", abort=True, err=True)
    answer = running.client(actor).erase(kind, id, reason=reason)
    row = answer_row(kind, "", answer)
    show_answer(running.output, row, answer_lines(row, rehearsal=False), [row], ANSWER)
