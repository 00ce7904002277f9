"""Each request as a span, in the trace of whoever sent it, where somebody collects traces."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ... import tracing


class Traced:
    """Wraps the API; without OpenTelemetry every request passes as it is."""

    def __init__(self, inner: ASGIApp) -> None:
        self.inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not tracing.on():
            await self.inner(scope, receive, send)
            return
        with tracing.request(scope["method"], Headers(scope=scope)) as span:
            await self.inner(scope, receive, _noting(span, send))
            if (
                route := scope.get("route")
            ) is not None:  # the address as it was declared: one with an id in it would name nothing
                span.update_name(f"{scope['method']} {route.path_format}")
                span.set_attribute("http.route", route.path_format)


def _noting(span: Any, send: Send) -> Send:
    async def noted(message: Message) -> None:
        if message["type"] == "http.response.start":
            span.set_attribute("http.response.status_code", message["status"])
            if message["status"] >= 500:
                tracing.failed(span, str(message["status"]))
        await send(message)

    return noted
