"""`interlock schedule`: functions that run by the clock: when each ran last and runs next, its runs, pausing and resuming."""

from __future__ import annotations

from typing import Any

import click

from ....errors import UnknownKind
from ...grammar import Noun, session
from ...render.output import show_answer, show_rows

COLUMNS = (
    "schedule",
    "when",
    "last_run",
    "outcome",
    "seconds",
    "next_tick",
    "paused",
    "until",
    "reason",
    "message",
)
RUNS = ("tick", "outcome", "attempt", "started_at", "seconds", "coordinator", "message")


@click.group(
    cls=Noun,
    examples=(
        "interlock schedule list",
        "interlock schedule runs themes.fetch_feeds",
        "interlock schedule pause themes.fetch_feeds --reason 'the feeds are being moved'",
    ),
)
def schedule() -> None:
    """Schedules: functions that run once for each tick, in one of the coordinators."""


@schedule.verb("list", "interlock schedule list", "interlock schedule list -o json")
def list_() -> None:
    """List the schedules: the last run of each, the next tick, and which are paused."""
    running = session()
    rows: list[dict[str, Any]] = [
        {"schedule": f"{one.kind}.{one.schedule}", **{name: getattr(one, name) for name in COLUMNS[1:]}}
        for one in running.client().schedules.list()
    ]
    blank = ("last_run", "outcome", "seconds", "until", "reason", "message")
    show_rows(running.output, rows, COLUMNS, empty="no workflow has a schedule", blank=blank)


@schedule.verb(
    "runs",
    "interlock schedule runs themes.fetch_feeds",
    "interlock schedule runs themes.fetch_feeds --limit 100",
)
@click.argument("name", metavar="KIND.SCHEDULE")
@click.option("--limit", type=click.IntRange(1, 100), default=20, help="How many; default: 20.")
def runs(name: str, limit: int) -> None:
    """List the newest runs of a schedule."""
    running = session()
    kind, short = schedule_of(name)
    rows = [
        {column: getattr(one, column) for column in RUNS}
        for one in running.client().schedules.runs(kind, short, limit=limit)
    ]
    blank = ("seconds", "coordinator", "message")
    show_rows(running.output, rows, RUNS, empty=f"{name} has not run yet", blank=blank)


@schedule.verb(
    "pause",
    "interlock schedule pause themes.fetch_feeds --reason 'the feeds are being moved'",
    "interlock schedule pause themes.fetch_feeds --for 1h --reason 'quota used up'",
)
@click.argument("name", metavar="KIND.SCHEDULE")
@click.option("--reason", required=True, help="Why; others will ask.")
@click.option(
    "--for", "length", metavar="SPAN", help="For so long: 30s, 5m, 2h; default: until it is resumed."
)
@click.option(
    "--actor",
    envvar="INTERLOCK_ACTOR",
    metavar="NAME",
    help="Who; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
)
def pause(name: str, reason: str, length: str | None, actor: str | None) -> None:
    """Run no more ticks of this schedule; a run that has begun goes on."""
    running = session()
    kind, short = schedule_of(name)
    until = running.client(actor).schedules.pause(kind, short, reason=reason, length=length)
    answer = {"schedule": name, "paused": True, "until": until}
    end = f" until {until:%Y-%m-%d %H:%M:%S} UTC" if until else ""
    show_answer(running.output, answer, [f"{name} is paused{end}"], [answer], tuple(answer))


@schedule.verb("resume", "interlock schedule resume themes.fetch_feeds")
@click.argument("name", metavar="KIND.SCHEDULE")
def resume(name: str) -> None:
    """Run it again; if ticks were missed, the last of them runs at once."""
    running = session()
    kind, short = schedule_of(name)
    ended = running.client().schedules.resume(kind, short)
    answer = {"schedule": name, "paused": False, "ended": ended}
    text = f"{name} runs again" if ended else f"{name} was not paused"
    show_answer(running.output, answer, [text], [answer], tuple(answer))


def schedule_of(name: str) -> tuple[str, str]:
    """The kind and the short name of a schedule."""
    kind, dot, short = name.partition(".")
    if not dot or not short:
        raise UnknownKind(
            f"{name!r} does not name a schedule",
            hint=f"Write the kind before it, such as orders.{name}; `interlock schedule list` lists them.",
            kind=name,
        )
    return kind, short
