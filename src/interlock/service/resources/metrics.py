"""`GET /metrics`: the figures of an app for Prometheus, in the format that the scraper asks for."""

from __future__ import annotations

from functools import cached_property

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from starlette.requests import Request
from starlette.responses import Response

from ... import settings
from ...app import App
from ...observe.metrics.collector import Facts, Watch, registry
from ...observe.metrics.levels import levels_of

EXPOSITION = {"text/plain": {"type": "string"}, "application/openmetrics-text": {"type": "string"}}


class Metrics:
    """Asks the database when it is asked itself."""

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
