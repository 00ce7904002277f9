"""Puts the API together: one ASGI application for one app, to be served alone or mounted into another."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Sequence
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
from .connections.feed import Feed
from .connections.identity import Callers, Identify
from .connections.taking_over import Takeover
from .connections.tracing import Traced
from .http.access import OPERATION, RECORD, V1
from .http.answers import Json
from .http.guard import Guard
from .http.limits import Limits
from .http.openapi import completed, responses
from .http.problems import problem
from .http.route import Route, brought, table_of
from .http.routing import guarded_by
from .resources.access_keys import AccessKeys
from .resources.admission import ADMITTED, EXISTS, MANY, Admitting
from .resources.adoptions import Adoptions, adoption_routes
from .resources.console import Console
from .resources.exports import EXPORT, Exporting
from .resources.health import EXPOSITION, Metrics, Readiness
from .resources.ledger import History
from .resources.live import Live
from .resources.machines import Machines
from .resources.moves import Commands, PreconditionFailed
from .resources.operations import BulkOperations, Turns
from .resources.proofs import Proofs
from .resources.records import Records
from .resources.schedules import Schedules
from .resources.sign_in import PATH as SIGN_IN
from .resources.sign_in import SignIn, SigningIn
from .resources.stages import Stages
from .schemas import access as access_shapes
from .schemas import activity as activity_shapes
from .schemas import admission as admission_shapes
from .schemas import machines as machine_shapes
from .schemas import operations as operation_shapes
from .schemas import proofs as proof_shapes
from .schemas import records as record_shapes
from .schemas import schedules as schedule_shapes
from .schemas import stages as stage_shapes
from .schemas import system as system_shapes

log = logging.getLogger("interlock.service")


def every_route(
    app: App,
    limits: Limits,
    feed: Feed,
    readiness: Readiness,
    callers: Callers,
    turns: Turns,
    metrics: Metrics,
) -> list[Route]:
    """Every route of the API; the first match wins, so the most frequent routes come first."""
    machines, records, commands = Machines(app), Records(app, limits.page), Commands(app)
    history, keys, bulk = (
        History(app, limits.page),
        AccessKeys(app, callers.forget),
        BulkOperations(app, turns),
    )
    return [
        Route("GET", f"{V1}/{{kind}}/records", records.list, record_shapes.Page, "records"),
        Route("GET", RECORD, records.show, record_shapes.Record, "records"),
        Route(
            "POST",
            f"{V1}/{{kind}}/records",
            Admitting(app).admit,
            admission_shapes.Admitted,
            "commands",
            ADMITTED,
            also={EXISTS: admission_shapes.Admitted, MANY: admission_shapes.AdmittedRows},
        ),
        Route("GET", f"{RECORD}/timeline", records.timeline, record_shapes.Timeline, "records"),
        Route("GET", f"{RECORD}/why", records.why, record_shapes.Why, "records"),
        Route("GET", f"{RECORD}/verdicts", records.verdicts, record_shapes.Verdicts, "records"),
        Route("POST", f"{RECORD}/moves", commands.move, record_shapes.Answer, "commands"),
        Route("POST", f"{RECORD}/retry", commands.retry, record_shapes.Answer, "commands"),
        Route("POST", f"{RECORD}/amend", commands.amend, record_shapes.Answer, "commands"),
        Route("POST", f"{RECORD}/reset", commands.reset, record_shapes.Answer, "commands"),
        Route("POST", f"{RECORD}/cancel", commands.cancel, record_shapes.Answer, "commands"),
        Route("POST", f"{RECORD}/erase", commands.erase, record_shapes.Erased, "commands"),
        Route("GET", "/health", readiness.health, system_shapes.Health, "service"),
        Route("GET", SIGN_IN, SigningIn(callers.sign_in).open, access_shapes.SignedIn, "service"),
        Route("GET", "/metrics", metrics.scrape, None, "service", content=EXPOSITION),
        Route("GET", f"{V1}/kinds", machines.kinds, machine_shapes.Kinds, "machines"),
        Route("GET", f"{V1}/machines", machines.machines, machine_shapes.Machines, "machines"),
        Route("GET", f"{V1}/counts", machines.counts, machine_shapes.Counts, "records"),
        Route("GET", f"{V1}/errors", machines.errors, machine_shapes.ErrorGroups, "records"),
        Route("GET", f"{V1}/runners", machines.runners, system_shapes.Runners, "service"),
        Route("GET", f"{V1}/attention", machines.attention, system_shapes.Attentions, "records"),
        Route("GET", f"{V1}/{{kind}}/patterns", machines.patterns, activity_shapes.Patterns, "records"),
        Route(
            "GET", f"{V1}/{{kind}}/versions", machines.versions, machine_shapes.MachineVersions, "machines"
        ),
        Route("GET", f"{V1}/{{kind}}/change", machines.change, machine_shapes.MachineChange, "machines"),
        Route("GET", f"{V1}/working", machines.working, activity_shapes.Working, "records"),
        Route("GET", f"{V1}/activity", machines.activity, activity_shapes.Activity, "records"),
        Route("GET", f"{V1}/check", history.check, system_shapes.Checked, "history"),
        Route("GET", f"{V1}/ledger", history.tail, record_shapes.Tail, "history"),
        Route("GET", f"{V1}/ledger/verify", history.verify, system_shapes.Verified, "history"),
        *proof_routes(Proofs(app, history), Exporting(app, limits)),
        Route("GET", f"{V1}/live", Live(app, feed).follow, None, "history"),
        *stage_routes(Stages(app)),
        *schedule_routes(Schedules(app)),
        *adoption_routes(Adoptions(app)),
        Route("GET", f"{V1}/keys", keys.list, access_shapes.Keys, "keys"),
        Route("POST", f"{V1}/keys", keys.create, access_shapes.MadeKey, "keys", 201),
        Route("DELETE", f"{V1}/keys/{{name}}", keys.revoke, access_shapes.Key, "keys"),
        Route("GET", f"{V1}/{{kind}}/machines", machines.of_kind, machine_shapes.Machines, "machines"),
        Route("GET", f"{V1}/{{kind}}/machines/{{axis}}/diagram", machines.diagram, None, "machines"),
        Route("GET", f"{V1}/{{kind}}/counts", machines.counts_of_kind, machine_shapes.Counts, "records"),
        Route("GET", f"{V1}/{{kind}}/errors", machines.errors_of_kind, machine_shapes.ErrorGroups, "records"),
        Route("GET", f"{V1}/{{kind}}/pairs", machines.pairs, machine_shapes.Pairs, "records"),
        Route("POST", f"{V1}/operations", bulk.create, operation_shapes.OperationAnswer, "operations"),
        Route("GET", f"{V1}/operations", bulk.newest, operation_shapes.OperationList, "operations"),
        Route("GET", OPERATION, bulk.show, operation_shapes.Operation, "operations"),
        Route("GET", f"{OPERATION}/items", bulk.items, operation_shapes.OperationItems, "operations"),
        Route("POST", f"{OPERATION}/run", bulk.run, operation_shapes.Operation, "operations"),
        Route("POST", f"{OPERATION}/pause", bulk.pause, operation_shapes.Operation, "operations"),
        Route("POST", f"{OPERATION}/resume", bulk.resume, operation_shapes.Operation, "operations"),
        Route("POST", f"{OPERATION}/undo", bulk.undo, operation_shapes.OperationAnswer, "operations"),
    ]


def proof_routes(proofs: Proofs, exporting: Exporting) -> list[Route]:
    return [
        Route("GET", f"{V1}/ledger/seals", proofs.seals, proof_shapes.Seals, "history"),
        Route("POST", f"{V1}/ledger/seals", proofs.seal, proof_shapes.Sealed, "history"),
        Route("GET", f"{V1}/ledger/as-of", proofs.as_of, proof_shapes.Past, "history"),
        Route("GET", f"{V1}/ledger/export", exporting.export, None, "history", content=EXPORT),
        Route("GET", f"{RECORD}/proof", proofs.proof, proof_shapes.Proof, "records"),
    ]


def stage_routes(stages: Stages) -> list[Route]:
    one = f"{V1}/{{kind}}/stages/{{name}}"
    return [
        Route("GET", f"{V1}/stages", stages.list, stage_shapes.StageStates, "stages"),
        Route("POST", f"{one}/pause", stages.pause, stage_shapes.Paused, "stages"),
        Route("POST", f"{one}/resume", stages.resume, stage_shapes.Paused, "stages"),
    ]


def schedule_routes(schedules: Schedules) -> list[Route]:
    one = f"{V1}/{{kind}}/schedules/{{name}}"
    return [
        Route("GET", f"{V1}/schedules", schedules.list, schedule_shapes.EverySchedule, "schedules"),
        Route("GET", f"{one}/runs", schedules.runs, schedule_shapes.ScheduleRuns, "schedules"),
        Route("POST", f"{one}/pause", schedules.pause, schedule_shapes.ScheduleSwitch, "schedules"),
        Route("POST", f"{one}/resume", schedules.resume, schedule_shapes.ScheduleSwitch, "schedules"),
    ]


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
    for way in [*every_route(app, limits, feed, readiness, callers, turns, Metrics(app, facts)), *more]:
        answers = responses(way.path, way.method, way.status, way.shape, way.content, way.problems, way.also)
        api.add_api_route(
            way.path,
            way.endpoint,
            methods=[way.method],
            response_class=Response,
            response_model=None,
            tags=[way.tag],
            status_code=way.status,
            responses=answers,
            summary=summary(way.endpoint),
            description=way.endpoint.__doc__ or "",
            include_in_schema=way.described,
            openapi_extra=None if way.body is None else {"requestBody": way.body},
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
            BadInput(f"{where}: {first['msg']}", hint=hint, where=[str(part) for part in first["loc"]])
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
