"""`interlock themes`: sources and their pipelines, items that come in, the work on them, the themes that came out, resets and health."""

from __future__ import annotations

import threading
from typing import Any

import click

from interlock.commands import (
    FINDINGS,
    OK,
    REFUSED,
    Noun,
    note,
    session,
    show_answer,
    show_rows,
    table,
    work_here,
)
from interlock.errors import BadInput

from ..feeds.reading import MOST_BYTES, read_items
from ..items import RESETTABLE
from ..tables import LARGEST_ID, PIPELINES, SOURCE_TYPES
from .client import themes_of

SOURCES = ("id", "name", "source_type", "pipelines", "is_active", "priority", "fetched_at", "fetch_error")
TOP = ("theme", "label", "mentions", "items", "bullish", "bearish", "neutral", "tickers")
STATES = ("pipeline", "status", "attempt_count", "error_code", "last_attempt_at", "processed_at")
MENTIONS = ("pipeline", "canonical_theme", "tickers", "sentiment", "confidence", "excerpt")
PAUSE_SECONDS = 0.3
PIPELINE = click.option("--pipeline", type=click.Choice(PIPELINES), help="Only this pipeline.")
PIPELINES_OPTION = click.option(
    "--pipeline",
    "pipelines",
    multiple=True,
    type=click.Choice(PIPELINES),
    help="A pipeline that it feeds; may be repeated.",
)
REASON = click.option("--reason", required=True, metavar="TEXT", help="Why; it is kept in the ledger.")
ACTOR = click.option(
    "--actor",
    envvar="INTERLOCK_ACTOR",
    metavar="NAME",
    help="Who acts; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
)
DRY_RUN = click.option("--dry-run", is_flag=True, help="Only count what would be reset.")


@click.group(
    cls=Noun,
    examples=(
        "interlock themes source 'The wire' --type rss --feed https://example.com/feed.xml",
        "interlock themes ingest articles.jsonl --source 'The wire'",
        "interlock themes run",
        "interlock themes top --window 7d",
    ),
)
def themes() -> None:
    """Market themes of articles: sources and pipelines, items, extraction, the top themes."""


@themes.verb(
    "source",
    "interlock themes source",
    "interlock themes source 'The wire' --type rss --feed https://example.com/feed.xml --pipeline technical",
)
@click.argument("name", required=False)
@click.option(
    "--type",
    "source_type",
    type=click.Choice(SOURCE_TYPES),
    default="rss",
    show_default=True,
    help="What kind of source it is.",
)
@click.option("--feed", "feed", metavar="URL", help="The address of its feed, which is fetched from then on.")
@PIPELINES_OPTION
@click.option(
    "--priority", type=int, default=0, show_default=True, help="Sources with a larger one are fetched first."
)
@click.option(
    "--every",
    "minutes",
    type=click.IntRange(1, 43_200),
    default=60,
    show_default=True,
    help="Minutes between two fetches of its feed.",
)
@click.option("--inactive", is_flag=True, help="It feeds nothing for now.")
def source(
    name: str | None,
    source_type: str,
    feed: str | None,
    pipelines: tuple[str, ...],
    priority: int,
    minutes: int,
    inactive: bool,
) -> None:
    """Add a source, for all pipelines unless some are named; without a name, list all sources."""
    running = session()
    asked = themes_of(running, prepare=name is not None)
    if name is None:
        rows = asked.list_sources()
    else:
        values = {
            "name": name,
            "source_type": source_type,
            "url": feed,
            "pipelines": list(pipelines or PIPELINES),
            "is_active": not inactive,
            "priority": priority,
            "fetch_interval_minutes": minutes,
        }
        rows = [asked.add_source(values)]
    show_rows(running.output, rows, SOURCES, empty="no sources", blank=SOURCES)


@themes.verb(
    "reassign",
    "interlock themes reassign 'The wire' --pipeline fundamental --reason 'too noisy for the other'",
    "interlock themes reassign 3 --none --reason 'nobody reads it'",
)
@click.argument("source_name", metavar="SOURCE")
@PIPELINES_OPTION
@click.option("--none", "no_pipeline", is_flag=True, help="It feeds no pipeline.")
@click.option("--active/--inactive", "is_active", default=None, help="Whether it feeds anything at all.")
@REASON
@ACTOR
def reassign(
    source_name: str,
    pipelines: tuple[str, ...],
    no_pipeline: bool,
    is_active: bool | None,
    reason: str,
    actor: str | None,
) -> None:
    """Change which pipelines a source feeds. What runs for one that goes is ended; rows of one that comes are added."""
    if bool(pipelines) == no_pipeline and is_active is None:
        raise click.UsageError("name pipelines with --pipeline, or --none, or --active or --inactive.")
    change: dict[str, Any] = {"reason": reason}
    if pipelines or no_pipeline:
        change["pipelines"] = list(dict.fromkeys(pipelines))
    if is_active is not None:
        change["is_active"] = is_active
    running = session()
    answer = themes_of(running, actor).reassign(source_name, change)
    row = {"source": answer["source"]["name"], **{name: answer[name] for name in REASSIGNED[1:]}}
    show_answer(running.output, answer, table([row], REASSIGNED), [row], REASSIGNED)


REASSIGNED = ("source", "added", "removed", "rows_added", "rows_ended")


@themes.verb(
    "ingest",
    "interlock themes ingest articles.jsonl --source 'The wire'",
    "interlock themes ingest - --source 3 < feed.xml",
)
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--source",
    "source_name",
    required=True,
    metavar="SOURCE",
    help="The name or id of the source that they are of.",
)
@ACTOR
@click.pass_context
def ingest(context: click.Context, paths: tuple[str, ...], source_name: str, actor: str | None) -> None:
    """Add the items of feeds (RSS, Atom), JSON lines or CSV files. Exit code 5 when one was refused."""
    running = session()
    asked = themes_of(running, actor)
    counts: dict[str, int] = {"admitted": 0, "exists": 0, "refused": 0}
    for path in paths:
        reading = read_items(_bytes(path), path)
        for row in asked.ingest(source_name, reading.items):
            counts[row["outcome"]] = counts.get(row["outcome"], 0) + 1
            if row["problem"]:
                note(f"{path}: {row['problem']}")
        for problem in reading.problems:
            counts["refused"] += 1
            note(f"{path}: {problem}")
    rows = [{"outcome": name, "items": number} for name, number in counts.items() if number]
    show_rows(running.output, rows, ("outcome", "items"), empty="no items there")
    context.exit(REFUSED if counts["refused"] else OK)


def _bytes(path: str) -> bytes:
    try:
        with click.open_file(path, "rb") as file:
            content: bytes = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error
    if len(content) > MOST_BYTES:
        raise BadInput(f"{path} has more than {MOST_BYTES:,} bytes", hint="Bring it in parts.")
    return content


@themes.verb("run", "interlock themes run", "interlock themes run --fetch --for 600")
@click.option("--fetch", is_flag=True, help="Fetch the feeds that are due first.")
@click.option(
    "--for",
    "seconds",
    type=click.IntRange(1),
    default=None,
    help="Stop after so many seconds, however much is left.",
)
def run(fetch: bool, seconds: int | None) -> None:
    """Extract themes until nothing waits; what failed and is tried again later stays queued. With Ctrl-C the rest stays queued."""
    from ..health import list_pauses
    from ..options import read_options
    from ..waiting import count_waiting

    running = session()
    app = running.bundled_app()
    app.ready()
    if fetch:
        from ..feeds.fetching import fetch_due

        done = fetch_due(app, app.clock.now(), read_options().allow_private)
        note(
            f"{done.fetched + done.unchanged:,} feeds fetched, {done.admitted:,} new items, {done.failed:,} failed"
        )
        for problem in done.problems:
            note(problem)
    pause, waited = threading.Event(), 0.0
    with work_here(app):
        noted = 0
        while left := count_waiting(app):
            if left != noted:
                note(f"{left:,} to do")
            noted = left
            pause.wait(PAUSE_SECONDS)
            waited += PAUSE_SECONDS
            if seconds is not None and waited >= seconds:
                break
    counts = app.counts("themes")
    rows = [
        {"pipeline": scope, "status": state, "items": number}
        for (kind, _, scope, state), number in sorted(counts.items(), key=str)
        if number
    ]
    if failed := sum(number for (*_, state), number in counts.items() if state == "failed_retryable"):
        verb = "is" if failed == 1 else "are"
        note(
            f"{failed:,} failed and {verb} tried again later; `interlock themes item ID` names the reason of one"
        )
    for one in list_pauses(app):
        note(_pause(one))
    show_rows(running.output, rows, ("pipeline", "status", "items"), empty="there are no items")


@themes.verb("top", "interlock themes top", "interlock themes top --pipeline technical --window 24h -o json")
@PIPELINE
@click.option("--window", default="7d", show_default=True, help="How far back: 24h, 7d or 4w.")
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="How many at most.")
def top(pipeline: str | None, window: str, limit: int) -> None:
    """List the themes that were mentioned most."""
    running = session()
    rows = themes_of(running).top(pipeline, window, limit)
    show_rows(running.output, rows, TOP, empty=f"no theme was mentioned in the last {window}")


@themes.verb("item", "interlock themes item 7", "interlock themes item 7 -o json")
@click.argument("item_id")
def item(item_id: str) -> None:
    """Show an item: its state in each pipeline, its compatibility fields, and the themes that were read in it."""
    running = session()
    asked = themes_of(running)
    answer = {**asked.item(item_id), "mentions": asked.mentions(item_id)}
    head = ("title", "published_at", "is_processed", "extraction_error")
    fields = [{"field": name, "value": answer[name]} for name in head if answer[name] is not None]
    lines = [
        *table(fields, ("field", "value"), headed=False),
        "",
        *table(_blank(answer["pipelines"], STATES), STATES),
    ]
    if answer["mentions"]:
        lines += ["", *table(answer["mentions"], MENTIONS)]
    show_answer(running.output, answer, lines, answer["pipelines"], STATES)


def _blank(rows: list[dict[str, Any]], columns: tuple[str, ...]) -> list[dict[str, Any]]:
    return [{name: "" if row[name] is None else row[name] for name in columns} for row in rows]


@themes.verb(
    "reset",
    "interlock themes reset 7 --pipeline technical --reason 'a better model'",
    "interlock themes reset --pipeline technical --error provider_rejected --reason 'the key is right now' --dry-run",
)
@click.argument("item_ids", nargs=-1, metavar="[ITEM_ID...]")
@PIPELINE
@click.option(
    "--status",
    multiple=True,
    type=click.Choice(RESETTABLE),
    help="Instead of ids: only with this status; may be repeated.",
)
@click.option("--error", metavar="CODE", help="Instead of ids: only with this error code.")
@click.option("--source-id", type=click.IntRange(1, LARGEST_ID), help="Instead of ids: only of this source.")
@REASON
@DRY_RUN
@ACTOR
def reset(
    item_ids: tuple[str, ...],
    pipeline: str | None,
    status: tuple[str, ...],
    error: str | None,
    source_id: int | None,
    reason: str,
    dry_run: bool,
    actor: str | None,
) -> None:
    """Process items again: those that are named, or all of a pipeline that match. Only processed and failed_terminal are reset."""
    running = session()
    asked = themes_of(running, actor)
    if item_ids:
        if status or error or source_id is not None:
            raise click.UsageError("name ids, or a filter, and not both.")
        command = {"pipeline": pipeline, "reason": reason, "dry_run": dry_run}
        rows = [asked.reset(one, dict(command)) for one in item_ids]
        show_rows(running.output, rows, ("id", "counts", "skipped", "reset"))
        return
    if pipeline is None:
        raise click.UsageError("name items, or a pipeline with --pipeline.")
    many: dict[str, Any] = {"pipeline": pipeline, "reason": reason, "dry_run": dry_run}
    many |= {"status": list(status)} if status else {}
    many |= {"error": error} if error else {}
    many |= {"source_id": source_id} if source_id is not None else {}
    answer = asked.reset_many(many)
    columns = ("records", "counts", "operation")
    show_rows(running.output, [answer], columns, blank=columns)


@themes.verb("health", "interlock themes health", "interlock themes health -o json")
@click.pass_context
def health(context: click.Context) -> None:
    """Show figures, alerts and drift of each pipeline, and whether its invariants hold. Exit code 7 when one calls for a person."""
    running = session()
    answer = themes_of(running).health()
    rows = [_figures(one) for one in answer["pipelines"]]
    lines = [*table(rows, list(rows[0]))]
    lines += [_pause(one) for one in answer["paused"]]
    lines += [f"alert: {one['pipeline']} {one['alert']}" for one in answer["alerts"]]
    lines += [f"drift: {one['pipeline']} {one['alert']}" for one in answer["drift"]]
    lines += [
        f"{one['id']} is broken by {', '.join(one['offending'])}: {one['statement']}"
        for one in answer["invariants"]
        if not one["holds"]
    ]
    lines += [f"repair: {one['repair']}" for one in answer["invariants"] if one["repair"]]
    show_answer(running.output, answer, lines, rows, list(rows[0]))
    context.exit(OK if answer["ok"] else FINDINGS)


def _pause(one: dict[str, Any]) -> str:
    """Say that a pipeline is paused, and how to go on at once."""
    until = "" if one["until"] is None else f" until {str(one['until'])[:19].replace('T', ' ')} UTC"
    scope = "" if one["pipeline"] is None else f" --scope {one['pipeline']}"
    name = one["pipeline"] or "every pipeline"
    return f"{name} is paused{until}: {one['reason']}; `interlock stage resume themes.extract{scope}` goes on at once"


def _figures(one: dict[str, Any]) -> dict[str, Any]:
    return {
        "pipeline": one["pipeline"],
        **one["counts"],
        "pending p95": f"{one['pending_age']['p95']:,.0f}s",
        "no mentions": f"{one['without_mentions_ratio']:.0%}",
        "unreadable": f"{one['parse_failure_rate']:.0%}",
        "growth": f"{one['retryable_growth']:.1f}",
    }
