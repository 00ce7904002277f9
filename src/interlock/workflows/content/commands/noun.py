"""The noun `content` of the command line: submit, promote, review, approve, reject, deprecate, supersede, erase; answers as of the API."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import click

from interlock.commands import OK, REFUSED, Noun, note, session, show_answer, show_rows, table

from .importing import read_file
from .source import Source, source_of

CHANGED = ("item_id", "outcome", "from_state", "to_state", "version")
QUEUED = ("item_id", "item_type", "language", "level", "author", "confidence", "review")
FAILED = ("item_id", "item_type", "state", "tries", "error_code", "error_message")
IMPORTED = ("item_id", "outcome", "code", "message")
CHUNK = 500
ACTOR = click.option(
    "--actor",
    envvar="INTERLOCK_ACTOR",
    metavar="NAME",
    help="Who acts; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
)
REASON = click.option("--reason", required=True, metavar="TEXT", help="Why; it is kept with the act.")


@click.group(
    cls=Noun,
    examples=(
        "interlock content submit items.jsonl",
        "interlock content review",
        "interlock content approve C_7f3a",
    ),
)
def content() -> None:
    """Governed content: submit drafts, promote and review them, approve, reject, deprecate, erase."""


@content.verb(
    "submit",
    "interlock content submit items.jsonl",
    "interlock content submit words.csv --actor ann -o jsonl",
    "interlock content submit items.jsonl --validate",
)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--validate", is_flag=True, help="Make candidates of them at once, and have their gates run.")
@ACTOR
@click.pass_context
def submit(context: click.Context, paths: tuple[Path, ...], validate: bool, actor: str | None) -> None:
    """Submit the items of JSON Lines or CSV files as drafts. Exit code 5 when one was refused."""
    running = session()
    source = source_of(running, actor)
    rows: list[dict[str, Any]] = []
    for path in paths:
        items = read_file(path)
        while part := list(islice(items, CHUNK)):
            answers = source.submit(part)
            rows += _validated(source, answers) if validate else answers
            note(f"{path.name}: {len(rows):,} items")
    show_rows(
        running.output,
        [{name: row.get(name) for name in IMPORTED} for row in rows],
        IMPORTED,
        empty="no items there",
        blank=IMPORTED,
    )
    refused = sum(row.get("code") is not None for row in rows)
    note(f"{len(rows) - refused:,} submitted, {refused:,} refused")
    context.exit(REFUSED if refused else OK)


def _validated(source: Source, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Have the gates run for items that were admitted; the rows, where one stays a draft with the reason."""
    admitted = {row["item_id"]: row for row in rows if row["outcome"] == "admitted"}
    for answer in source.validate(list(admitted)):
        if answer["outcome"] == "refused":
            admitted[answer["item_id"]] |= {"code": answer["code"], "message": answer["message"]}
    return rows


@content.verb("review", "interlock content review", "interlock content review -o json")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="How many at most."
)
def review(limit: int) -> None:
    """List validated items that wait for a decision, with the reasons why a person must make it."""
    running = session()
    rows = [
        {name: ", ".join(row[name]) if name == "review" else row.get(name) for name in QUEUED}
        for row in source_of(running).review(limit)
    ]
    show_rows(running.output, rows, QUEUED, empty="nothing waits for review", blank=QUEUED)


@content.verb("failures", "interlock content failures", "interlock content failures -o json")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="How many at most."
)
def failures(limit: int) -> None:
    """List items that a batch could not promote, and candidates that gates have refused."""
    running = session()
    rows = source_of(running).failures(limit)
    show_rows(running.output, rows, FAILED, empty="nothing has failed", blank=FAILED)


@content.verb("show", "interlock content show C_7f3a -o json")
@click.argument("item_id")
def show(item_id: str) -> None:
    """Show an item: where it is, its payload, its verdicts, and what people decided about it."""
    running = session()
    item = source_of(running).show(item_id)
    fields = [{"field": name, "value": value} for name, value in item.items() if value is not None]
    show_answer(
        running.output, item, table(fields, ("field", "value"), headed=False), fields, ("field", "value")
    )


@content.verb("promote", "interlock content promote C_7f3a C_81b0")
@click.argument("item_ids", nargs=-1, required=True, metavar="ITEM_ID...")
@ACTOR
def promote(item_ids: tuple[str, ...], actor: str | None) -> None:
    """Take items one step further: drafts become candidates, the gates of candidates run."""
    _act("promote", item_ids, actor)


@content.verb("approve", "interlock content approve C_7f3a --notes 'reads well'")
@click.argument("item_ids", nargs=-1, required=True, metavar="ITEM_ID...")
@click.option("--notes", metavar="TEXT", help="Kept with the approval.")
@ACTOR
def approve(item_ids: tuple[str, ...], notes: str | None, actor: str | None) -> None:
    """Approve validated items of other authors; they are immutable from then on."""
    _act("approve", item_ids, actor, notes=notes)


@content.verb("reject", "interlock content reject C_7f3a --reason 'not what the word means'")
@click.argument("item_id")
@REASON
@ACTOR
def reject(item_id: str, reason: str, actor: str | None) -> None:
    """Reject a validated item for good, and its content under any other id."""
    _act("reject", [item_id], actor, reason=reason)


@content.verb("deprecate", "interlock content deprecate C_7f3a --reason outdated --replacement C_81b0")
@click.argument("item_id")
@REASON
@click.option(
    "--replacement", "replacement_id", metavar="ITEM_ID", help="The approved item that replaces it."
)
@ACTOR
def deprecate(item_id: str, reason: str, replacement_id: str | None, actor: str | None) -> None:
    """Deprecate an approved item; it stays where it is."""
    _act("deprecate", [item_id], actor, reason=reason, replacement_id=replacement_id)


@content.verb("supersede", "interlock content supersede C_7f3a C_81b0 --reason 'a typing error'")
@click.argument("item_id")
@click.argument("replacement_id")
@REASON
@ACTOR
def supersede(item_id: str, replacement_id: str, reason: str, actor: str | None) -> None:
    """Deprecate an item in favour of another, which is approved in the same act where it is validated."""
    _act("supersede", [item_id], actor, replacement_id=replacement_id, reason=reason)


@content.verb("erase", "interlock content erase C_7f3a --reason 'a court has ordered it'")
@click.argument("item_id")
@REASON
@click.option(
    "--despite-dependents", is_flag=True, help="Erase it although other items depend on it; they stay."
)
@ACTOR
def erase(item_id: str, reason: str, despite_dependents: bool, actor: str | None) -> None:
    """Erase an item and its payload from every table; its history closes with a permanent entry."""
    _act("erase", [item_id], actor, reason=reason, despite_dependents=despite_dependents)


def _act(verb: str, item_ids: Any, actor: str | None, **values: Any) -> None:
    """Do it with each item, and show what came of it; the first refusal ends the command."""
    running = session()
    source = source_of(running, actor)
    known = {name: value for name, value in values.items() if value is not None}
    rows = [source.act(verb, item_id, known) for item_id in item_ids]
    show_rows(running.output, rows, CHANGED, blank=CHANGED)
