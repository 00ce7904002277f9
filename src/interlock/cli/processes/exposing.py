"""`--metrics-port`: figures of a coordinator or runner for Prometheus, on a port of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from ... import settings
from ...errors import BadInput
from ...observe.metrics import levels_of
from ...serving import Serving
from ..render.output import note

_PORT = click.option(
    "--metrics-port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve figures for Prometheus there; 0 takes a free port. Default: none are served.",
)
_HOST = click.option(
    "--metrics-host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Where that port listens; nobody is asked for a key there.",
)


def metrics_options(function: Any) -> Any:
    return _PORT(_HOST(function))


@contextmanager
def figures_of(serving: Serving, host: str, port: int | None) -> Iterator[None]:
    """Serve this process's metrics while the block runs, where a port was named. Starts threads, so `serving` must exist before."""
    if port is None:
        yield
        return
    try:
        from ...observe.metrics.collector import Watch
        from ...observe.metrics.exposing import exposed
    except ModuleNotFoundError as error:
        raise BadInput(
            f"figures need the package {error.name}", hint="pip install 'interlock[service]'"
        ) from error
    app = serving.app
    watch = Watch(
        app.database, app.clock, app.workflows, levels_of(app.workflows.values(), settings.levels())
    )
    with exposed(watch, serving.figures, host, port) as address:
        note(f"  figures    {address}")
        yield
