"""What a route is, and the routes that an app's workflows bring beside those that every service has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...app import App
from ...errors import BadDeclaration
from ...workflow import Workflow
from ..schemas import shape as shapes
from .access import LEAST, OPEN, RANKS, Table
from .limits import Limits


@dataclass(frozen=True, slots=True)
class Route:
    """One route: method, path, the function that answers, and the shape of the answer.

    `least` is the scope that a caller must have: "viewer", "curator", "operator", "admin", or "open" for everybody. `shape` is the pydantic
    model of the answer; without one, `content` maps its media types to JSON schemas. `tag` is the heading in the OpenAPI document; the
    workflow's name unless there is one. `body` describes what a function reads that reads its own body, `problems` are the statuses of its
    refusals, `also` further statuses of success with their shapes. What is the same under a second address need not be `described` twice.
    """

    method: str
    path: str
    endpoint: Callable[..., Any]
    shape: type[shapes.Shape] | None = None
    tag: str = ""
    status: int = 200
    least: str = ""
    content: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None
    problems: Sequence[str] = ()
    described: bool = True
    also: Mapping[int, type[shapes.Shape]] = field(default_factory=dict)


def brought(app: App, limits: Limits) -> list[Route]:
    """The routes of this app's workflows, in their order."""
    return [
        completed(route, workflow)
        for workflow in app.workflows.values()
        for route in workflow.extension.make_routes(app, workflow, limits)
    ]


def completed(route: Route, workflow: Workflow) -> Route:
    """The route with a heading and a description of its answer, where it has none of its own."""
    if not isinstance(route, Route):
        raise BadDeclaration(
            f"routes of {workflow.name} hold {type(route).__name__}; each must be a Route",
            hint='Write Route("GET", "/api/v1/things", function, …), from interlock.http.',
        )
    content = route.content if route.shape or route.content else {"application/json": {}}
    return replace(route, tag=route.tag or workflow.name, content=content)


def table_of(routes: Sequence[Route]) -> Table:
    """Who may do what: the routes that every service has, and these."""
    table = dict(LEAST)
    for route in routes:
        if route.least not in (OPEN, *RANKS):
            raise BadDeclaration(
                f"{route.method} {route.path} does not say who may ask; it says {route.least!r}",
                hint=f"Give it least=…, one of {', '.join((OPEN, *RANKS))}.",
            )
        if (route.method, route.path) in table:
            raise BadDeclaration(
                f"{route.method} {route.path} is there already",
                hint="Two workflows may not bring the same route.",
            )
        table[route.method, route.path] = route.least
    return table
