"""What a route is, and the routes that an app's workflows bring beside those that every service has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..app import App
from ..errors import BadDeclaration
from . import shapes
from .access import LEAST, OPEN, RANKS, Table
from .limits import Limits


@dataclass(frozen=True, slots=True)
class Way:
    """One route: how it is reached, who answers, and the shape of the answer.

    A route that a workflow brings says in `least` whom it lets in. `content` names the media types of an answer that is no shape, `body`
    describes what a route reads that reads its own body, and `problems` are the statuses of its refusals. What is
    the same under a second address need not be `described` twice. `also` are further statuses of success, with the shape of each.
    """

    method: str
    path: str
    endpoint: Callable[..., Any]
    shape: type[shapes.Shape] | None
    tag: str
    status: int = 200
    least: str = ""
    content: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None
    problems: Sequence[str] = ()
    described: bool = True
    also: Mapping[int, type[shapes.Shape]] = field(default_factory=dict)


def brought(app: App, limits: Limits) -> list[Way]:
    """The routes of this app's workflows, in their order."""
    return [
        way
        for workflow in app.workflows.values()
        for make in workflow.routes
        for way in make(app, workflow, limits)
    ]


def table_of(ways: Sequence[Way]) -> Table:
    """Who may do what: the routes that every service has, and these."""
    table = dict(LEAST)
    for way in ways:
        if way.least not in (OPEN, *RANKS):
            raise BadDeclaration(
                f"{way.method} {way.path} does not say who may ask; it says {way.least!r}",
                hint=f"Give it least=…, one of {', '.join((OPEN, *RANKS))}.",
            )
        if (way.method, way.path) in table:
            raise BadDeclaration(
                f"{way.method} {way.path} is there already",
                hint="Two workflows may not bring the same route.",
            )
        table[way.method, way.path] = way.least
    return table
