"""Schedules over HTTP: when each ran last and runs next, its runs, and pausing and resuming it; what runs already goes on."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from starlette.requests import Request

from ...app import App
from ...observe.declared.schedules import known_schedule
from ...workflow.durations import span
from ..http.answers import Json
from ..http.routing import who_asks
from ..schemas import schedules as shapes

Most = Annotated[int, Query(ge=1, le=100)]


class Schedules:
    """The schedules of an app."""

    def __init__(self, app: App) -> None:
        self.app = app

    def list(self) -> Json:
        """Every schedule of every kind: its last run, its next tick, and whether it is paused."""
        return Json({"schedules": self.app.schedules()})

    def runs(self, kind: str, name: str, limit: Most = 20) -> Json:
        """The newest runs of a schedule, newest first."""
        return Json({"runs": self.app.schedule_runs(kind, name, limit)})

    def pause(self, request: Request, kind: str, name: str, body: shapes.SchedulePause) -> Json:
        """Run no more ticks of a schedule, for so long or until it is resumed."""
        known_schedule(self.app.workflow(kind), name)
        until = None if body.length is None else self.app.clock.now() + span(body.length)
        self.app.pause(kind, name, actor=who_asks(request).actor, reason=body.reason, until=until)
        return Json({"kind": kind, "schedule": name, "paused": True, "until": until, "ended": 0})

    def resume(self, kind: str, name: str) -> Json:
        """Run a schedule again; if ticks were missed, the last of them runs at once."""
        known_schedule(self.app.workflow(kind), name)
        ended = self.app.resume(kind, name)
        return Json({"kind": kind, "schedule": name, "paused": False, "until": None, "ended": ended})
