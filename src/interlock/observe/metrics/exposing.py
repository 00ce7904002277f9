"""Figures of a process that has no HTTP API: a port of their own, where the process speaks of itself even while the database is away."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.registry import Collector

from ...clock import monotonic
from ...errors import BadInput, InterlockError, StoreError
from ...workflow.surfaces.figure import Figure
from .collector import LONGEST, Facts, Watch, family, own_collectors

log = logging.getLogger("interlock.metrics")

SLOW_SECONDS = 10.0


class Patient(Collector):
    """Collects what the process knows of itself, and figures of the database where it answers."""

    def __init__(self, watch: Watch, facts: Facts) -> None:
        self.watch, self.facts = watch, facts
        self._rests_until = 0.0

    def collect(self) -> Iterable[Any]:
        asked = self._asked()
        answered = Figure(
            "interlock_metrics_answered",
            "1 if the database told its figures; 0 if it is away or may not be asked.",
        )
        answered.put(int(asked is not None))
        return map(family, [*self.facts(), answered, *(asked or ())])

    def _asked(self) -> list[Figure] | None:
        """What may not be asked with the rights of this process is not asked again at every scrape."""
        if monotonic() < self._rests_until:
            return None
        try:
            return self.watch.figures()
        except InterlockError as error:
            if not isinstance(error, StoreError):
                self._rests_until = monotonic() + LONGEST
            log.debug("the database does not tell its figures: %s", error)
            return None


def ending_slow_clients(base: Any) -> Any:
    """The handler of requests with a limit: whoever sends half a request keeps no thread for longer, and leaves no traceback."""

    class EndingSlowClients(base):  # type: ignore[misc]
        """One connection."""

        timeout = SLOW_SECONDS

        def handle(self) -> None:
            with suppress(TimeoutError, ConnectionError):
                super().handle()

    return EndingSlowClients


@contextmanager
def exposed(watch: Watch, facts: Facts, host: str, port: int) -> Iterator[str]:
    """Serve the figures until the end of the block; yields the address."""
    figures = CollectorRegistry()
    figures.register(Patient(watch, facts))
    own_collectors(figures)
    try:
        server, thread = start_http_server(port, host, figures)
    except OSError as error:
        raise BadInput(
            f"figures cannot be served on {host} port {port}: {error.strerror or error}",
            hint="Choose another --metrics-port; 0 takes a free one.",
        ) from error
    server.RequestHandlerClass = ending_slow_clients(server.RequestHandlerClass)
    try:
        yield f"http://{f'[{host}]' if ':' in host else host}:{server.server_port}/metrics"
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()
