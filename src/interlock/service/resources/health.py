"""Whether the service can do its work (the database answers, its schema fits this code), and its figures for Prometheus."""

from __future__ import annotations

from functools import cached_property

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ... import settings
from ..._version import __version__
from ...app import App
from ...observe.metrics.collector import Facts, Watch, registry
from ...observe.metrics.levels import levels_of
from ..http.answers import Json

EXPOSITION = {"text/plain": {"type": "string"}, "application/openmetrics-text": {"type": "string"}}


class Metrics:
    """The figures of the service, read from the database at each scrape."""

    def __init__(self, app: App, facts: Facts | None = None) -> None:
        self.app, self.facts = app, facts

    @cached_property
    def registry(self) -> CollectorRegistry:
        levels = levels_of(self.app.workflows.values(), settings.levels())
        return registry(Watch(self.app.database, self.app.clock, self.app.workflows, levels), self.facts)

    def scrape(self, request: Request) -> Response:
        """Figures for Prometheus: records, ages, moves, refusals, work, service levels."""
        encode, media = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(self.registry), headers={"Content-Type": media})


class Readiness:
    """Asked by load balancers, and once before the first record is served; it only looks."""

    def __init__(self, app: App) -> None:
        self.app, self._ready = app, False

    async def require(self) -> None:
        """Refuse to serve from a database that does not fit; one that did once is not asked again."""
        if not self._ready:
            await run_in_threadpool(self.app.ready)
            self._ready = True

    def health(self) -> Json:
        """200 when the database answers and its schema is current; 503 with the reason otherwise."""
        self.app.ready()
        return Json({"status": "ok", "version": __version__, "database": self.app.database.name})
