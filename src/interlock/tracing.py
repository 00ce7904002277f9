"""Traces, where OpenTelemetry is installed and somebody collects them: a request, its command, the moves and the work that follow from it.

Without the package, or without a provider, nothing here does anything, and nothing costs more than a question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from ._version import __version__

try:
    from opentelemetry import context as _context
    from opentelemetry import trace as _trace
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
except ImportError:  # the extra `tracing`
    _api: Any = None
else:
    _api = _trace

FACT = "interlock_trace"
"""Under this name a ledger entry's facts say from which trace it comes: in the detail beside the chain, so the chain's format stays."""
_HEADER = "traceparent"
_commanding: ContextVar[bool] = ContextVar("interlock_commanding", default=False)


class Spot(NamedTuple):
    """A place in a trace, in the words of logs."""

    trace_id: str
    span_id: str


def installed() -> bool:
    return _api is not None


def on() -> bool:
    """Whether somebody collects: the package is there, and a provider that is not its stand-in."""
    return _api is not None and not isinstance(
        _api.get_tracer_provider(), (_api.ProxyTracerProvider, _api.NoOpTracerProvider)
    )


def here() -> Spot | None:
    """Where in a trace this code runs."""
    if _api is None:
        return None
    found = _api.get_current_span().get_span_context()
    return Spot(f"{found.trace_id:032x}", f"{found.span_id:016x}") if found.is_valid else None


def carried() -> str | None:
    """The same as one text that travels: W3C's traceparent."""
    if _api is None or not _api.get_current_span().get_span_context().is_valid:
        return None
    sent: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(sent)
    return sent.get(_HEADER)


def marked() -> dict[str, str]:
    """What a command adds to the facts of its entries: nothing where there is no trace."""
    found = carried() if on() else None
    return {} if found is None else {FACT: found}


@contextmanager
def span(name: str, parent: str | None = None, **about: Any) -> Iterator[Any]:
    """A span around a block; `parent` continues a trace that was carried here, else it goes on where this code runs."""
    within = None if parent is None else TraceContextTextMapPropagator().extract({_HEADER: parent})
    with _api.get_tracer("interlock", __version__).start_as_current_span(
        name, within, attributes=_attributes(about)
    ) as made:
        yield made


@contextmanager
def request(method: str, headers: Mapping[str, str]) -> Iterator[Any]:
    """The span of an HTTP request: within the trace of the application around us, else of whoever sent it, else one of its own."""
    outer = None if here() is not None else TraceContextTextMapPropagator().extract(dict(headers))
    tracer = _api.get_tracer("interlock", __version__)
    with tracer.start_as_current_span(
        method, outer, kind=_api.SpanKind.SERVER, attributes={"http.request.method": method}
    ) as made:
        yield made


@contextmanager
def command(name: str, **about: Any) -> Iterator[Any]:
    """The span of a command; one that gives another on its way is still one command."""
    if _commanding.get():
        yield _api.get_current_span()
        return
    token = _commanding.set(True)
    try:
        with span(name, **about) as made:
            yield made
    finally:
        _commanding.reset(token)


def begin(name: str, parent: str | None, **about: Any) -> Any:
    """A span that another call ends: of work that begins here and is collected later."""
    within = None if parent is None else TraceContextTextMapPropagator().extract({_HEADER: parent})
    return _api.get_tracer("interlock", __version__).start_span(name, within, attributes=_attributes(about))


@contextmanager
def inside(made: Any) -> Iterator[None]:
    """Run a block as part of a span that began elsewhere, which it does not end."""
    token = _context.attach(_api.set_span_in_context(made))
    try:
        yield
    finally:
        _context.detach(token)


def failed(made: Any, message: str) -> None:
    made.set_status(_api.Status(_api.StatusCode.ERROR, message))


def _attributes(about: Mapping[str, Any]) -> dict[str, Any]:
    """Names as OpenTelemetry writes them; what is not known is not said."""
    return {
        f"interlock.{name}": value if isinstance(value, bool | int | float) else str(value)
        for name, value in about.items()
        if value is not None
    }
