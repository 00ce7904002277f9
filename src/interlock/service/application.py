"""Puts the API together: one ASGI application for one app, to be served alone or mounted into another."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp

from .._version import __version__
from ..app import App
from ..client import LocalClient
from ..console.screens import screens_of
from ..errors import BadInput, InterlockError, NoSuchMethod
from ..observe.metrics.collector import Facts
from ..workflow import Workflow
from .browser.console import Console
from .browser.sign_in import SignIn
from .connections.feed import Feed
from .connections.identity import Callers, Identify
from .connections.taking_over import Takeover
from .connections.tracing import Traced
from .http.access import V1
from .http.answers import Json
from .http.guard import Guard
from .http.limits import Limits
from .http.openapi import completed, responses
from .http.problems import problem
from .http.route import brought, table_of
from .http.routing import guarded_by
from .resources.health import Metrics, Readiness
from .resources.moves import TAG_PATTERN, PreconditionFailed
from .resources.operations import Turns
from .routes import every_route

log = logging.getLogger("interlock.service")


def build(
    app: App,
    identify: Identify | None = None,
    *,
    limits: Limits | None = None,
    hosts: Collection[str] = (),
    facts: Facts | None = None,
    sign_in: SignIn | None = None,
    require_key: bool = False,
) -> ASGIApp:
    """The ASGI application; `hosts` are the only names it goes by, where any are given, and `facts` are figures of whatever else the
    process does. `sign_in` opens it to a browser where the system does not say whose a connection is; with `require_key` nobody comes in
    without a key, the user who runs it included."""
    chosen = limits or Limits()
    api = api_of(app, identify, chosen, facts, sign_in=sign_in, require_key=require_key)
    return Guard(Traced(api), chosen, hosts)


def api_of(
    app: App,
    identify: Identify | None,
    limits: Limits,
    facts: Facts | None = None,
    *,
    sign_in: SignIn | None = None,
    require_key: bool = False,
) -> FastAPI:
    feed, readiness, callers, turns = (
        Feed(app, limits.streams),
        Readiness(app),
        Callers(app, identify, limits, sign_in=sign_in, require_key=require_key),
        Turns(),
    )
    takeover = Takeover(app, turns)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        takeover.start()
        warming = asyncio.create_task(asyncio.to_thread(warm, app))
        yield
        await asyncio.gather(warming, return_exceptions=True)
        feed.close()
        await asyncio.to_thread(takeover.close)
        await asyncio.to_thread(turns.close)

    api = FastAPI(
        title="Interlock",
        version=__version__,
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        description="Enforces record states in your database and runs the work that changes them.",
    )
    more = brought(app, limits)
    api.state.callers, api.state.limits, api.state.readiness, api.state.table = (
        callers,
        limits,
        readiness,
        {**table_of(more), **{("GET", one.path): one.least for one in screens_of(app)}},
    )
    api.state.turns, api.state.takeover = turns, takeover
    api.router.route_class = guarded_by(api.state.table)
    for route in [*every_route(app, limits, feed, readiness, callers, turns, Metrics(app, facts)), *more]:
        answers = responses(
            route.path, route.method, route.status, route.shape, route.content, route.problems, route.also
        )
        api.add_api_route(
            route.path,
            route.endpoint,
            methods=[route.method],
            response_class=Response,
            response_model=None,
            tags=[route.tag],
            status_code=route.status,
            responses=answers,
            summary=summary(route.endpoint),
            description=route.endpoint.__doc__ or "",
            include_in_schema=route.described,
            openapi_extra=None if route.body is None else {"requestBody": route.body},
        )

    def described() -> Json:
        """This document."""
        return Json(completed(api))

    api.add_api_route(
        f"{V1}/openapi.json",
        cache(described),
        methods=["GET"],
        response_class=Response,
        response_model=None,
        include_in_schema=False,
    )
    console = Console(app, callers, readiness, api.state.table)
    console.add_to(api)
    handle_errors(api, console)
    return api


def warm(app: App) -> None:
    """Count the activity of the last day in advance; errors of the database are ignored here and answered to requests."""
    try:
        LocalClient(app).activity()
    except InterlockError as error:
        log.debug("activity cannot be counted yet: %s", error.code)


def document(workflows: Sequence[Workflow] = ()) -> dict[str, Any]:
    """The OpenAPI document: what every service has, and what these workflows bring."""
    nothing = App(list(workflows), database="sqlite://")
    try:
        return completed(api_of(nothing, None, Limits()))
    finally:
        nothing.close()


def summary(endpoint: Callable[..., Any]) -> str:
    return (endpoint.__doc__ or "").split(".")[0].split(";")[0].split(":")[0].strip()


def methods_of(request: Request) -> str:
    """Every method that this address takes; the first route that fits knows only its own."""
    fitting = {
        method
        for route in request.app.routes
        if route.matches(request.scope)[0] is not Match.NONE
        for method in route.methods
    }
    return ", ".join(sorted(fitting))


def in_words(error: Mapping[str, Any]) -> str:
    """What is wrong with a part of a request."""
    if error.get("ctx", {}).get("pattern") == TAG_PATTERN:
        return 'this is no version: send the ETag of an answer as it came, with its quotes, as "3"; or *'
    return str(error["msg"])


def handle_errors(api: FastAPI, console: Console) -> None:
    """Every error leaves as a problem, to a browser that looks for a page as a page."""

    async def refused(_: Request, error: Any) -> Response:
        return problem(error)

    async def precondition(_: Request, error: Any) -> Response:
        return problem(error.error, status=error.status)

    async def invalid(_: Request, error: Any) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        hint = "GET /api/v1/openapi.json describes the parameters and the body of every address."
        return problem(
            BadInput(f"{where}: {in_words(first)}", hint=hint, where=[str(part) for part in first["loc"]])
        )

    async def not_routed(request: Request, error: Any) -> Response:
        if error.status_code == 404:
            return console.missing(request)
        if error.status_code == 405:
            return problem(
                NoSuchMethod(f"this address does not take {request.method}"),
                headers={"Allow": methods_of(request)},
            )
        return problem(BadInput("the request cannot be read"))

    async def left(_: Request, error: Any) -> Response:
        """The client disconnected before its request was complete; the answer is never read."""
        log.debug("a client went away before its request was whole")
        return Response(status_code=400)

    async def failed(request: Request, error: Exception) -> Response:
        return console.failed(request, error)

    for kind, handler in (
        (InterlockError, refused),
        (PreconditionFailed, precondition),
        (RequestValidationError, invalid),
        (HTTPException, not_routed),
        (ClientDisconnect, left),
        (Exception, failed),
    ):
        api.add_exception_handler(kind, handler)
