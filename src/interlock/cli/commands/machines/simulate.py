"""`interlock simulate`: plays workflows against crashes and lost messages, in memory or on an empty database; never on the app's own."""

from __future__ import annotations

from importlib import import_module

import click

from ....clock import monotonic
from ... import exit_codes as exits
from ...grammar import Verb, session
from ...loading import attribute
from ...render.output import show_answer
from ...render.progress import progress_line


@click.command(
    cls=Verb,
    examples=(
        "interlock --app shop.workflows:app simulate",
        "interlock simulate --histories 10000 --seed 7",
        "interlock simulate --histories 1 --seed 4711",
    ),
)
@click.option(
    "--histories",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="How many histories to play.",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="The first one's seed; each further history has the next.",
)
@click.option(
    "--rows",
    metavar="MODULE:NAME",
    help="What records look like: a mapping of kinds to functions (random, number) -> record.",
)
@click.option(
    "--on",
    metavar="URL",
    help="An empty PostgreSQL database to play on, as its superuser; every table in it is emptied. "
    "Default: SQLite in memory.",
)
@click.pass_context
def simulate(context: click.Context, histories: int, seed: int, rows: str | None, on: str | None) -> None:
    """Play real coordinators and runners against crashes at every statement, lost and repeated messages, late results and wrong clocks.

    Stage functions are not called: outcomes are random. A history in which an invariant breaks is printed step by step; the same
    seed plays it again. Exit code 7 when one breaks."""
    running = session()
    kit = import_module(
        f"{__package__.partition('.')[0]}.testing.simulation"
    )  # the kit stands above the commands
    began = monotonic()
    with progress_line(f"playing {histories:,} histories") as report_progress:
        try:
            report = kit.simulate(
                running.bundled_app(),
                histories,
                seed,
                rows=None if rows is None else attribute(rows),
                tell=lambda done: report_progress(done, histories),
                database=on,
            )
        except kit.HistoryFailed as failed:
            report = failed
    if isinstance(report, kit.HistoryFailed):
        answer = {"ok": False, "seed": report.seed, "findings": report.findings, "trace": report.trace}
        show_answer(
            running.output,
            answer,
            str(report).splitlines(),
            [{"finding": finding} for finding in report.findings],
            ("finding",),
        )
        context.exit(exits.FINDINGS)
    took = monotonic() - began
    answer = {
        "ok": True,
        "seed": seed,
        "histories": report.histories,
        "entries": report.entries,
        "digest": report.digest,
        "misfortunes": dict(report.misfortunes),
        "causes": dict(report.causes),
    }
    causes = [{"cause": cause, "entries": number} for cause, number in report.causes.most_common()]
    show_answer(
        running.output,
        answer,
        [f"ok: {report} ({report.histories / took * 60:,.0f} a minute)"],
        causes,
        ("cause", "entries"),
    )
