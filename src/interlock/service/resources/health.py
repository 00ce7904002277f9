"""Whether the service can do its work: the database answers, and its schema is the one that this code needs."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool

from ..._version import __version__
from ...app import App
from ..http.answers import Json


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
