"""Adoptions over HTTP: how far each has come, and the acts that lead it on; a backfill goes on for a few chunks in each request."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from starlette.requests import Request

from ...app import App
from ...workflow.durations import span
from ..http.access import V1
from ..http.answers import Json
from ..http.route import Route
from ..http.routing import who_asks
from ..schemas import adoptions as shapes

AxisName = Annotated[str | None, Query(max_length=200)]
ONE = f"{V1}/{{kind}}/adoption"


class Adoptions:
    """The axes of an app that declare `adopt`."""

    def __init__(self, app: App) -> None:
        self.app = app

    def list(self) -> Json:
        """How far each adoption has come."""
        states = self.app.adoptions.status() if self.app.adoptions.axes() else []
        return Json({"adoptions": states})

    def scan(self, kind: str, axis: AxisName = None) -> Json:
        """What the rows of a kind would become, and what hinders it; reads only."""
        self.app.workflow(kind)
        return Json(self.app.adoptions.scan(kind, axis))

    def preview(self, request: Request, kind: str, axis: AxisName = None) -> Json:
        """What a backfill would write; nothing is written."""
        return Json(self.app.adoptions.preview(kind, axis, actor=who_asks(request).actor))

    def backfill(self, request: Request, kind: str, asked: shapes.BackfillRequest) -> Json:
        """Adopt the next chunks, each in a transaction of its own; ask again until it is finished."""
        actor, take_over = who_asks(request).actor, asked.take_over
        for _ in range(asked.chunks):
            progress = self.app.adoptions.backfill_step(
                kind,
                asked.axis,
                actor=actor,
                runner=f"{actor} (http)",
                chunk=asked.chunk,
                take_over=take_over,
            )
            take_over = False
            if progress.finished:
                break
        return Json(progress)

    def compare(self, kind: str, asked: shapes.Asked) -> Json:
        """Compare flags and states of every row; what differs is kept."""
        return Json(self.app.adoptions.compare(kind, asked.axis))

    def follow(self, request: Request, kind: str, asked: shapes.Asked) -> Json:
        """Write an entry wherever flags changed after a row was adopted."""
        actor = who_asks(request).actor
        return Json({"followed": self.app.adoptions.follow(kind, asked.axis, actor=actor)})

    def cutover(self, request: Request, kind: str, asked: shapes.CutoverRequest) -> Json:
        """Lead an adoption to the next phase, or one back, with an entry and new guards; the database's owner must be the one who asks."""
        state = self.app.adoptions.cutover(
            kind,
            asked.to,
            asked.axis,
            actor=who_asks(request).actor,
            role="operator",
            reason=asked.reason,
            accept_left=asked.accept_left,
            no_readers=asked.no_readers,
            quiet=None if asked.quiet is None else span(asked.quiet),
        )
        return Json(state)

    def pause(self, kind: str, asked: shapes.Asked) -> Json:
        """Let no further chunk be adopted."""
        return self._switch(kind, asked.axis, paused=True)

    def resume(self, kind: str, asked: shapes.Asked) -> Json:
        """Let chunks be adopted again."""
        return self._switch(kind, asked.axis, paused=False)

    def drop_flags(self, kind: str, asked: shapes.Asked) -> Json:
        """Remove the columns of former flags, in the last phase; the database's owner must be the one who asks."""
        return Json({"dropped": self.app.adoptions.drop_flags(kind, asked.axis)})

    def _switch(self, kind: str, axis: str | None, *, paused: bool) -> Json:
        self.app.adoptions.pause(kind, axis, paused=paused)
        name = self.app.adoptions.place(kind, axis).name
        return Json(next(one for one in self.app.adoptions.status(kind) if one.axis == name))


def adoption_routes(adoptions: Adoptions) -> list[Route]:
    """Every route of adoptions."""
    return [
        Route("GET", f"{V1}/adoptions", adoptions.list, shapes.EveryAdoption, "adoptions"),
        Route("GET", f"{ONE}/scan", adoptions.scan, shapes.AdoptionScan, "adoptions"),
        Route("GET", f"{ONE}/preview", adoptions.preview, shapes.Backfilled, "adoptions"),
        Route("POST", f"{ONE}/backfill", adoptions.backfill, shapes.Backfilled, "adoptions"),
        Route("POST", f"{ONE}/compare", adoptions.compare, shapes.Compared, "adoptions"),
        Route("POST", f"{ONE}/follow", adoptions.follow, shapes.Followed, "adoptions"),
        Route("POST", f"{ONE}/cutover", adoptions.cutover, shapes.OneAdoption, "adoptions"),
        Route("POST", f"{ONE}/pause", adoptions.pause, shapes.OneAdoption, "adoptions"),
        Route("POST", f"{ONE}/resume", adoptions.resume, shapes.OneAdoption, "adoptions"),
        Route("POST", f"{ONE}/drop-flags", adoptions.drop_flags, shapes.Dropped, "adoptions"),
    ]
