"""`interlock runners`: the runners and coordinators that are alive, what each serves and how much it takes."""

from __future__ import annotations

from dataclasses import asdict

import click

from ...grammar import Verb, session
from ...render.output import show_rows

COLUMNS = ("role", "name", "id", "stages", "capacity", "started_at", "beat_at", "lease_until", "stopping")


@click.command(cls=Verb, examples=("interlock runners", "interlock runners -o json"))
def runners() -> None:
    """List the runners and the coordinators that are alive."""
    running = session()
    client = running.client()
    coordinating = [
        {"role": "coordinator", **asdict(one), "stages": [], "capacity": None, "stopping": False}
        for one in client.coordinators()
    ]
    working = [{"role": "runner", **asdict(one), "stages": list(one.stages)} for one in client.runners()]
    show_rows(
        running.output, [*coordinating, *working], COLUMNS, empty="no coordinator and no runner is alive"
    )
