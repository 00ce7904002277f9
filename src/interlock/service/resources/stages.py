"""Stages over HTTP: which there are, and pausing and resuming their dispatch; what runs already goes on."""

from __future__ import annotations

from starlette.requests import Request

from ...app import App
from ...observe.declared.stages import list_stages
from ...workflow.durations import span
from ..http.answers import Json
from ..http.routing import who_asks
from ..schemas import stages as shapes


class Stages:
    """The stages of an app."""

    def __init__(self, app: App) -> None:
        self.app = app

    def list(self) -> Json:
        """Every stage of every kind, and which are paused, by whom and why."""
        return Json({"stages": list_stages(self.app.workflows.values(), self.app.paused())})

    def pause(self, request: Request, kind: str, name: str, body: shapes.PauseCommand) -> Json:
        """Dispatch no more of a stage, for so long or until it is resumed."""
        until = None if body.length is None else self.app.clock.now() + span(body.length)
        self.app.pause(
            kind, name, actor=who_asks(request).actor, reason=body.reason, scope=body.scope, until=until
        )
        return Json(
            {"kind": kind, "stage": name, "scope": body.scope, "paused": True, "until": until, "ended": 0}
        )

    def resume(self, kind: str, name: str, body: shapes.ResumeCommand) -> Json:
        """Dispatch a stage again."""
        ended = self.app.resume(kind, name, scope=body.scope)
        return Json(
            {"kind": kind, "stage": name, "scope": body.scope, "paused": False, "until": None, "ended": ended}
        )
