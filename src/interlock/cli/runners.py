"""`interlock runners`: the runners that are alive, what they serve and how much they take."""

from __future__ import annotations

from dataclasses import asdict

import click

from .commands import Verb, session
from .output import show_rows

COLUMNS = ("name", "id", "stages", "capacity", "started_at", "beat_at", "lease_until", "stopping")


@click.command(cls=Verb, examples=("interlock runners", "interlock runners -o json"))
def runners() -> None:
    """List the runners that are alive."""
    running = session()
    show_rows(
        running.output,
        [{**asdict(one), "stages": list(one.stages)} for one in running.client().runners()],
        COLUMNS,
        empty="no runner is alive",
    )
