"""What stands before every handler: who asks and whether they may, unknown parameters, and bodies that are too large or too deep."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from typing import Any, get_origin

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, request_response
from starlette.requests import Request
from starlette.responses import Response

from ...errors import BadInput, RequestTooLarge
from ..connections.identity import Callers, Identity
from .access import LEAST, OPEN, Table, authorise
from .limits import Limits, refuse_depth

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
WHO = "interlock.who"


class ReadRequest(Request):
    """A request whose body was read, measured and parsed."""

    read: bytes = b""
    parsed: Any = None

    async def body(self) -> bytes:
        return self.read

    async def json(self) -> Any:
        return self.parsed


@dataclass(frozen=True)
class Analysis:
    """What FastAPI made of the signature of a method, without the object that the method is bound to."""

    options: Mapping[str, Any]
    state: Mapping[str, Any]
    dependant: Dependant


_analyses: dict[tuple[str, Callable[..., Any]], Analysis] = {}


class GuardedRoute(APIRoute):
    """A route that is in the table of access; one that is not fails when the service is built.

    FastAPI needs milliseconds to analyse a signature. The same method of another object has the same signature, so a process that builds
    many services, as tests do, analyses each method once.
    """

    table: Table = LEAST

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        service = options.pop("dependency_overrides_provider", None)
        function = getattr(endpoint, "__func__", None)
        known = None if function is None else _analyses.get((path, function))
        if known is None or known.options != options:
            super().__init__(path, endpoint, dependency_overrides_provider=service, **options)
            if function is not None and "<locals>" not in function.__qualname__:
                _analyses[path, function] = self._analysis(options)
            return
        vars(self).update(known.state)
        self.endpoint, self.dependency_overrides_provider = endpoint, service
        self.dependant = replace(known.dependant, call=endpoint)
        self.app = request_response(self.get_route_handler())

    def _analysis(self, options: Mapping[str, Any]) -> Analysis:
        """This route without its object and its service, which a cache must not keep alive."""
        own = ("endpoint", "app", "dependant", "dependency_overrides_provider")
        state = {name: value for name, value in vars(self).items() if name not in own}
        return Analysis(dict(options), state, replace(self.dependant, call=None))

    def get_route_handler(self) -> Handler:
        inner = super().get_route_handler()
        (method,) = self.methods or {""}
        path = self.path_format
        table = self.table
        least = table[method, path]
        takes_body = self.body_field is not None
        needs_body = self.body_field is not None and self.body_field.field_info.is_required()
        known = {
            field.alias: get_origin(field.field_info.annotation) is list
            for field in self.dependant.query_params
        }

        async def handle(request: Request) -> Response:
            state = request.app.state
            callers: Callers = state.callers
            if least != OPEN:
                who = await callers.of(request)
                authorise(who, method, path, table)
                request.scope[WHO] = who
                await state.readiness.require()
            refuse_unknown(request, known)
            without = not takes_body or (not needs_body and has_no_body(request))
            return await inner(request if without else await read(request, state.limits))

        return handle


def guarded_by(table: Table) -> type[GuardedRoute]:
    """Routes of one service, which knows more than the routes that every service has."""
    return type("GuardedRoute", (GuardedRoute,), {"table": table})


def who_asks(request: Request) -> Identity:
    """The identity under which the route was entered."""
    found: Identity = request.scope[WHO]
    return found


def refuse_unknown(request: Request, known: Mapping[str, bool]) -> None:
    """Refuse parameters that the route does not have, and single ones that are repeated: a mistyped filter would return everything."""
    seen = set()
    for name, _ in request.query_params.multi_items():
        if name not in known:
            raise BadInput(
                f"there is no parameter {name[:100]!r} here",
                hint=f"There is {', '.join(sorted(known)) or 'none'}.",
            )
        if name in seen and not known[name]:
            raise BadInput(f"{name} is given more than once", hint="Send it once.")
        seen.add(name)


def has_no_body(request: Request) -> bool:
    """Whether nothing is sent, nor announced: no length, no chunks, and no type but that of JSON, which many clients always send."""
    headers = request.headers
    return (
        media_type(request) in ("", "application/json")
        and "transfer-encoding" not in headers
        and headers.get("content-length", "0") == "0"
    )


def media_type(request: Request) -> str:
    """The type that a request gives its body, in lower case and without parameters; empty where it gives none."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read(request: Request, limits: Limits) -> ReadRequest:
    """Read the body no further than the limit, and parse it strictly."""
    if media_type(request) != "application/json":
        raise BadInput(
            "the body must be JSON, and say so", hint="Send the header Content-Type: application/json."
        )
    too_large = RequestTooLarge(f"the body is larger than {limits.body:,} bytes", limit=limits.body)
    announced = request.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and int(announced) > limits.body:
        raise too_large
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > limits.body:
            raise too_large
        parts.append(part)
    whole = ReadRequest(request.scope, request.receive)
    whole.read = b"".join(parts)
    whole.parsed = parsed(whole.read, limits.depth)
    return whole


def parsed(body: bytes, deepest: int) -> Any:
    try:
        value = json.loads(body, parse_constant=refuse_constant, object_pairs_hook=unique)
    except RecursionError:
        raise RequestTooLarge(f"the JSON is nested deeper than {deepest} levels") from None
    except RepeatedName as error:
        raise BadInput(
            f"the JSON names {error.args[0][:100]!r} twice in one object",
            hint="Name each field of an object once.",
        ) from None
    except ValueError as error:
        where = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
        raise BadInput(
            f"the body is not JSON{where}",
            hint="Names and texts need double quotes; NaN and a comma at the end are no JSON.",
        ) from error
    refuse_depth(value, deepest)
    return value


class RepeatedName(Exception):
    """An object of JSON has a name twice; which of the two counts, every reader decides otherwise."""


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise RepeatedName(name)
        found[name] = value
    return found


def refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")
