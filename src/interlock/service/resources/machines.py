"""What may happen, over HTTP: kinds, machines and their pictures; and how many records are where."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from starlette.responses import Response

from ...app import App
from ...client import LocalClient
from ...errors import BadInput
from ...machine import mermaid, svg
from ...observe.declared.machines import counts_of, described
from ...observe.proofs.past import instant
from ...observe.records.listing import grouped_errors
from ..http.answers import Json

Form = Literal["svg", "mermaid"]
Window = Annotated[
    str, Query(pattern=r"^[0-9]{1,6}[smhd]$", description="How far back it looks: 15m, 1h, 24h, 7d.")
]
Instant = Annotated[
    str | None, Query(max_length=40, description="Where the window ends; now unless there is one.")
]
Name = Annotated[str, Query(min_length=1, max_length=200)]
Fingerprint = Annotated[
    str, Query(pattern=r"^[0-9a-f]{1,64}$", description="How the fingerprint of a version begins.")
]
Most = Annotated[int, Query(ge=1, le=500)]


class Machines:
    """What an app declares, and its numbers."""

    def __init__(self, app: App) -> None:
        self.app = app

    def kinds(self) -> Json:
        """The kinds of records, with their axes and states."""
        return Json(
            {
                "kinds": [
                    {
                        "kind": workflow.name,
                        "noun": workflow.noun,
                        "axes": [
                            {
                                "axis": axis.name,
                                "machine": axis.machine.name,
                                "initial": axis.machine.initial,
                                "states": list(axis.machine.states),
                                "scopes": list(axis.scopes),
                            }
                            for axis in workflow.axes.values()
                        ],
                    }
                    for workflow in self.app.workflows.values()
                ]
            }
        )

    def machines(self) -> Json:
        """Everything that was declared: machines, moves, stages, rules, gates."""
        return Json({"machines": [described(workflow) for workflow in self.app.workflows.values()]})

    def of_kind(self, kind: str) -> Json:
        """Everything that was declared about one kind."""
        return Json({"machines": [described(self.app.workflow(kind))]})

    def diagram(
        self, kind: str, axis: str, format: Form = "svg", counts: bool = False, scope: str | None = None
    ) -> Response:
        """One machine drawn, as SVG or as Mermaid text; with `counts`, how many records are in each state."""
        chosen = self.app.workflow(kind).axis(axis)
        if scope is not None and scope not in chosen.scopes:
            raise BadInput(
                f"{kind}.{axis} has no scope {scope!r}; it has {', '.join(chosen.scopes) or 'none'}"
            )
        numbers = counts_of(self.app.counts(kind), chosen, scope) if counts else None
        if format == "mermaid":
            return Response(mermaid(chosen.machine, numbers), media_type="text/plain")
        return Response(
            svg(chosen.machine, numbers),
            media_type="image/svg+xml",
            headers={
                "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
            },
        )

    def counts(self) -> Json:
        """How many records are in each state, of every kind."""
        return self.counted(None)

    def counts_of_kind(self, kind: str) -> Json:
        """How many records are in each state of one kind."""
        return self.counted(self.app.workflow(kind).name)

    def counted(self, kind: str | None) -> Json:
        return Json(
            {
                "counts": [
                    {"kind": name, "axis": axis, "scope": scope, "state": state, "records": number}
                    for (name, axis, scope, state), number in self.app.counts(kind).items()
                ]
            }
        )

    def pairs(self, kind: str, axis: Name, by: Name) -> Json:
        """How many records are in each pair of states of two axes, counted from the rows."""
        return Json(
            {"kind": kind, "axis": axis, "by": by, "pairs": LocalClient(self.app).pairs(kind, axis, by)}
        )

    def errors(self, limit: Most = 100) -> Json:
        """Records that carry an error, grouped by code and message, of every kind."""
        return Json(
            {"errors": grouped_errors(self.app.database, list(self.app.workflows.values()), limit=limit)}
        )

    def errors_of_kind(self, kind: str, limit: Most = 100) -> Json:
        """Records of one kind that carry an error, grouped by code and message."""
        return Json({"errors": grouped_errors(self.app.database, [self.app.workflow(kind)], limit=limit)})

    def attention(self) -> Json:
        """What a person should look at, each with the command that shows it."""
        return Json({"attention": LocalClient(self.app).attention()})

    def activity(self, window: Window = "1h", at: Instant = None) -> Json:
        """Flow on every edge within a window, ages of what waits or runs, what is stuck, and moves over the last day in steps of ten
        minutes."""
        until = None if at is None else instant(at)
        return Json(LocalClient(self.app).activity(window, at=until))

    def patterns(self, kind: str, axis: str | None = None, limit: Most = 100) -> Json:
        """In which combinations of states the scopes of an axis are, the most frequent first."""
        return Json({"patterns": LocalClient(self.app).patterns(kind, axis, limit=limit)})

    def versions(self, kind: str) -> Json:
        """Every version of a kind's machines that the database has known."""
        return Json({"versions": LocalClient(self.app).versions(kind)})

    def change(
        self, kind: str, before: Fingerprint, axis: str | None = None, after: Fingerprint | None = None
    ) -> Json:
        """What changes from one version of a machine to another, or to that of the code, and which records that strands."""
        return Json(LocalClient(self.app).change(kind, before, axis=axis, after=after))

    def working(self, limit: Most = 20) -> Json:
        """What runners hold and have not reported, longest first, and the newest refusals."""
        return Json(LocalClient(self.app).working(limit))

    def runners(self) -> Json:
        """The runners and the coordinators that are alive."""
        return Json({"runners": self.app.runners(), "coordinators": self.app.coordinators()})
