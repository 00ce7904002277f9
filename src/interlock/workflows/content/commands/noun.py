"""The noun `content` of the command line: what people do with content, each act a verb; answers are those of the API."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import click

from interlock.commands import OK, REFUSED, Noun, note, session, show_answer, show_rows, table, work_here
from interlock.errors import BadInput

from ..lifecycle import KIND, LifecycleState
from ..reading import count_validating
from .importing import Line, name_item, read_assignments, read_lines
from .source import OF_ONE_ITEM, Source, refusal, source_of

CHANGED = ("item_id", "outcome", "from_state", "to_state", "version")
REFUSABLE = (*CHANGED, "code", "message")
QUEUED = ("item_id", "item_type", "language", "level", "author", "confidence", "review")
FAILED = ("item_id", "item_type", "state", "tries", "error_code", "error_message")
IMPORTED = ("item_id", "outcome", "code", "message")
NAMED_ABOVE = ("item_id", "item_type")
CHUNK = 500
PAUSE_SECONDS = 0.3
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
    """Submit the items of JSON Lines or CSV files as drafts. A line that is refused stops no other; exit code 5 when one was.
    A file that is submitted again makes nothing twice: after an interruption the same command goes on."""
    running = session()
    source = source_of(running, actor, prepare=True)
    rows: list[dict[str, Any]] = []
    for path in paths:
        lines, before = read_lines(path, source.types), len(rows)
        while part := list(islice(lines, CHUNK)):
            rows += _submitted(source, part, validate)
            note(f"{path.name}: {len(rows) - before:,} lines read")
    show_rows(
        running.output,
        [{name: row.get(name) for name in IMPORTED} for row in rows],
        IMPORTED,
        empty="no items there",
        blank=IMPORTED,
    )
    refused = sum(row.get("code") is not None for row in rows)
    there = sum(row["outcome"] == "exists" for row in rows)
    note(
        f"{len(rows) - refused - there:,} submitted, {there:,} there already, {refused:,} refused or left as drafts"
    )
    context.exit(REFUSED if refused else OK)


def _submitted(source: Source, lines: list[Line], validate: bool) -> list[dict[str, Any]]:
    """Submit the items of these lines, and have their gates run where that is asked for; what came of each line, in order. A refusal names
    its line, also that of an item which stays a draft."""
    items = {place: name_item(item) for place, item in lines if not isinstance(item, BadInput)}
    rows = dict(zip(items, source.submit(list(items.values())), strict=True))
    if validate:
        there = [items[place] for place, row in rows.items() if row["outcome"] == "exists"]
        left = set(source.left_behind(there))
        drafts: dict[str, dict[str, Any]] = {}
        for row in rows.values():
            if row["outcome"] == "admitted" or row["item_id"] in left:
                drafts.setdefault(row["item_id"], row)
        for answer in source.validate(list(drafts)):
            if answer["outcome"] == "refused":
                drafts[answer["item_id"]] |= {"code": answer["code"], "message": answer["message"]}
    for place, row in rows.items():
        if row.get("code") is not None:
            row["message"] = f"{place}: {row['message']}"
    refused = {
        place: {"item_id": None, "outcome": "refused", "code": item.code, "message": item.message}
        for place, item in lines
        if isinstance(item, BadInput)
    }
    return [(rows | refused)[place] for place, _ in lines]


@content.verb("run", "interlock content run", "interlock content run --for 600")
@click.option(
    "--for",
    "seconds",
    type=click.IntRange(1),
    default=None,
    help="Stop after so many seconds, however much is left.",
)
def run(seconds: int | None) -> None:
    """Run the gates of promoted candidates until none waits; where runners are at work, wait for them. With Ctrl-C the rest waits on."""
    running = session()
    app = running.bundled_app()
    app.ready()
    pause, waited = threading.Event(), 0.0
    with work_here(app):
        while left := count_validating(app):
            note(f"{left:,} to do")
            pause.wait(PAUSE_SECONDS)
            waited += PAUSE_SECONDS
            if seconds is not None and waited >= seconds:
                break
    counts = app.counts(KIND)
    rows = [
        {"state": str(state), "items": number}
        for state in LifecycleState
        if (number := counts.get((KIND, "state", None, state), 0))
    ]
    show_rows(running.output, rows, ("state", "items"), empty="there are no items")


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
    fields = _described(item)
    show_answer(
        running.output, item, table(fields, ("field", "value"), headed=False), fields, ("field", "value")
    )


def _described(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    """An item as pairs of a name and a value: one for each column, field of its payload, and verdict."""
    pairs: list[tuple[str, Any]] = []
    for name, value in item.items():
        if name == "verdicts":
            pairs += [
                (f"gate {one['gate']}, version {one['version']}", one["reason"] or "passed") for one in value
            ]
        elif isinstance(value, Mapping):
            pairs += [(f"{name} {key}", part) for key, part in value.items() if key not in NAMED_ABOVE]
        else:
            pairs.append((name, value))
    return [{"field": name, "value": value} for name, value in pairs if value is not None]


@content.verb(
    "amend",
    "interlock content amend C_7f3a --set word=hound --reason 'typed wrong'",
    "interlock content amend C_7f3a --set 'tags=animals|pets' --reason 'easier to find' --actor ann",
)
@click.argument("item_id")
@click.option(
    "--set",
    "fields",
    multiple=True,
    required=True,
    metavar="FIELD=VALUE",
    help="A field of the payload and its new value, written as in a cell of a CSV file; without a value it is removed. Can be said "
    "several times.",
)
@REASON
@ACTOR
def amend(item_id: str, fields: tuple[str, ...], reason: str, actor: str | None) -> None:
    """Correct fields of a draft's or a candidate's payload; what gates answered before is void."""
    running = session()
    source = source_of(running, actor)
    row = source.amend(item_id, read_assignments(fields, source.types), reason)
    show_rows(running.output, [row], CHANGED, blank=CHANGED)


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


def _act(verb: str, item_ids: Sequence[str], actor: str | None, **values: Any) -> None:
    """Do it with each item, and show what came of it. Of several items one that is refused stops no other; the exit code is then 5."""
    running = session()
    source = source_of(running, actor)
    known = {name: value for name, value in values.items() if value is not None}
    if len(item_ids) == 1:
        show_rows(running.output, [source.act(verb, item_ids[0], known)], CHANGED, blank=CHANGED)
        return
    rows = [_one_of_several(source, verb, item_id, known) for item_id in item_ids]
    show_rows(running.output, rows, REFUSABLE, blank=REFUSABLE)
    click.get_current_context().exit(REFUSED if any(row["code"] for row in rows) else OK)


def _one_of_several(source: Source, verb: str, item_id: str, values: dict[str, Any]) -> dict[str, Any]:
    """What came of one item, with the same columns whether it was refused or not."""
    try:
        row = source.act(verb, item_id, values)
    except OF_ONE_ITEM as error:
        row = refusal(item_id, error)
    return {name: row.get(name) for name in REFUSABLE}
